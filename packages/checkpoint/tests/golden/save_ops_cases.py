"""The save and restore ops: graph, static shapes, values, and what they refuse."""

import os
import shutil
import tempfile

import numpy as np
from golden_case import Case, raises


def case_graph(tf):
    raw = tf.raw_ops
    data = [tf.constant([1.0, 2.0]), tf.constant(b"x")]
    restored = raw.RestoreV2(
        prefix="p",
        tensor_names=["a", "b", "c"],
        shape_and_slices=["", "5 4 0,2:-", "3 -"],
        dtypes=[tf.float32, tf.string, tf.int64],
    )
    return Case(
        [
            raw.SaveV2(prefix="p", tensor_names=["a", "b"], shape_and_slices=["4 0,2", ""], tensors=data),
            restored, [str(t.shape) for t in restored],
            raw.RestoreV2(prefix="p", tensor_names=["a"], shape_and_slices=tf.placeholder(tf.string), dtypes=[tf.float32]),
            raw.MergeV2Checkpoints(checkpoint_prefixes=["a", "b"], destination_prefix="c"),
            raw.MergeV2Checkpoints(checkpoint_prefixes=["a", "b"], destination_prefix="c", delete_old_dirs=False),
            raw.Save(filename="f", tensor_names=["a", "b"], data=data),
            raw.SaveSlices(filename="f", tensor_names=["a", "b"], shapes_and_slices=["", ""], data=data),
            raw.Restore(file_pattern="f", tensor_name="a", dt=tf.float32),
            raw.RestoreSlice(file_pattern="f", tensor_name="a", shape_and_slice="5 4 1,3:-", dt=tf.float32),
            raw.RestoreSlice(file_pattern="f", tensor_name="a", shape_and_slice="", dt=tf.float32, preferred_shard=2),
        ],
        graph_only=True,
    )  # fmt: skip


def case_names_of_shards(tf):
    raw = tf.raw_ops
    return [
        raw.ShardedFilename(basename="a/b", shard=3, num_shards=10),
        raw.ShardedFilespec(basename="a/b", num_shards=10),
    ]


def case_wrong_graphs(tf):
    raw = tf.raw_ops
    one = [tf.constant(1)]
    return [
        raises(raw.SaveV2, prefix="p", tensor_names=["a", "b"], shape_and_slices=[""], tensors=one),
        raises(raw.SaveV2, prefix=["p"], tensor_names=["a"], shape_and_slices=[""], tensors=one),
        raises(raw.SaveV2, prefix="p", tensor_names="a", shape_and_slices=[""], tensors=one),
        raises(raw.SaveV2, prefix="p", tensor_names=["a"], shape_and_slices=[""], tensors=[]),
        raises(raw.Save, filename="p", tensor_names=["a", "b"], data=one),
        raises(raw.RestoreV2, prefix="p", tensor_names=["a"], shape_and_slices=["x"], dtypes=[]),
        raises(raw.Restore, file_pattern=["f"], tensor_name="a", dt=tf.float32),
        raises(raw.MergeV2Checkpoints, checkpoint_prefixes="a", destination_prefix="c"),
    ]


def attempts(tf, make):
    """What running each op of a list raises."""
    folder = tempfile.mkdtemp()
    try:
        with tf.Session() as session:
            for op in make(folder, True):
                session.run(op)
            return Case([raises(session.run, op) for op in make(folder, False)], init=False, graph=False)
    finally:
        shutil.rmtree(folder)


def save(tf, prefix, names, slices, values):
    return tf.raw_ops.SaveV2(
        prefix=prefix, tensor_names=names, shape_and_slices=slices, tensors=[tf.constant(v) for v in values]
    )


def case_what_cannot_be_saved(tf):
    two = np.float32([1, 2])

    def make(folder, before):
        if before:
            return []
        return [
            save(tf, folder + "/x", ["a", "a"], ["", ""], [1, 2]), save(tf, folder + "/x", ["a", "a"], ["4 0,2", "4 0,2"], [two, two]),
            save(tf, folder + "/x", ["a"], ["4 0,2"], [np.zeros(4)]), save(tf, folder + "/x", ["a"], ["4"], [two]),
            save(tf, folder + "/x", ["a"], ["4 0,0"], [two]), save(tf, folder + "/x", ["a"], ["4 0-2"], [two]),
            save(tf, folder + "/x", ["a"], ["x 0,2"], [two]), save(tf, folder + "/no/such/x", ["a"], [""], [two]),
            save(tf, folder + "/made/x", ["a"], [""], [two]),
            tf.raw_ops.Save(filename=folder + "/v", tensor_names=["a"], data=[tf.constant(np.uint32([1]))]),
        ]  # fmt: skip

    return attempts(tf, make)


def case_what_cannot_be_restored(tf):
    whole = np.arange(20, dtype=np.float32).reshape(5, 4)

    def restore(prefix, name, spec, dtype):
        return tf.raw_ops.RestoreV2(
            prefix=prefix,
            tensor_names=[name],
            shape_and_slices=tf.placeholder_with_default([spec], None),
            dtypes=[dtype],
        )

    def make(folder, before):
        x = folder + "/x"
        if before:
            return [
                save(tf, x, ["k", "p", "p"], ["", "5 4 0,2:-", "5 4 2,2:-"], [whole, whole[:2], whole[2:4]]),
                tf.raw_ops.Save(filename=folder + "/v", tensor_names=["k"], data=[tf.constant(whole)]),
            ]
        return [
            restore(folder + "/none", "k", "", tf.float32), restore(x, "none", "", tf.float32), restore(x, "k", "", tf.int64),
            restore(x, "k", "4 4 0,1:-", tf.float32), restore(x, "k", "5 4 0,1:-", tf.float32), restore(x, "p", "", tf.float32),
            restore(x, "p", "5 4 1,3:-", tf.float32), restore(folder + "/v", "k", "5 4 1,3:-", tf.float32),
            tf.raw_ops.Restore(file_pattern=folder + "/v", tensor_name="k", dt=tf.int64),
            tf.raw_ops.Restore(file_pattern=folder + "/v", tensor_name="none", dt=tf.float32),
            tf.raw_ops.Restore(file_pattern=folder + "/none", tensor_name="k", dt=tf.float32),
            tf.raw_ops.Restore(file_pattern=x, tensor_name="k", dt=tf.float32),
            tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=[x, x], destination_prefix=folder + "/y"),
            tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=[folder + "/none"], destination_prefix=folder + "/y"),
        ]  # fmt: skip

    return attempts(tf, make)


def case_several_that_cannot_be_restored(tf):
    """What is not there is refused before another dtype, another dtype before a slice, by name."""
    def make(folder, before):
        x = folder + "/x"
        if before:
            return [save(tf, x, ["k", "p"], ["", ""], [np.float32([1, 2]), np.int32(3)])]
        asked = [
            (["k", "z"], ["", ""], [tf.int32, tf.int32]), (["z", "a"], ["", ""], [tf.int32, tf.int32]),
            (["p", "k"], ["", ""], [tf.float32, tf.int32]), (["k", "p"], ["3 0,2", ""], [tf.float32, tf.float32]),
            (["k", "z"], ["3 0,2", ""], [tf.float32, tf.int32]),
        ]  # fmt: skip
        return [tf.raw_ops.RestoreV2(prefix=x, tensor_names=n, shape_and_slices=s, dtypes=d) for n, s, d in asked]

    return attempts(tf, make)


def case_values(tf):
    whole = np.arange(20, dtype=np.float32).reshape(5, 4)
    folder = tempfile.mkdtemp()
    try:
        raw = tf.raw_ops
        with tf.Session() as session:
            for i, rows in enumerate((slice(0, 2), slice(2, 5))):
                spec = "5 4 %d,%d:-" % (rows.start, rows.stop - rows.start)
                session.run(save(tf, folder + "/t/x%d" % i, ["p", "q%d" % i], [spec, ""], [whole[rows], i]))
            session.run(
                raw.MergeV2Checkpoints(
                    checkpoint_prefixes=[folder + "/t/x0", folder + "/t/x1"], destination_prefix=folder + "/x"
                )
            )
            names, specs = ["p", "p", "p", "q1"], ["", "5 4 1,3:1,2", "5 4 -:-", ""]
            kinds = [tf.float32] * 3 + [tf.int32]
            values = session.run(
                raw.RestoreV2(prefix=folder + "/x", tensor_names=names, shape_and_slices=specs, dtypes=kinds)
            )
            v1 = folder + "/v"
            session.run(
                raw.SaveSlices(
                    filename=v1, tensor_names=["p"], shapes_and_slices=["5 4 -:-"], data=[tf.constant(whole)]
                )
            )
            values.append(
                session.run(
                    raw.RestoreSlice(file_pattern=v1, tensor_name="p", shape_and_slice="5 4 1,3:1,2", dt=tf.float32)
                )
            )
            values.append(session.run(raw.Restore(file_pattern=folder + "/[uv]", tensor_name="p", dt=tf.float32)))
        return Case(
            [str(np.asarray(value).tolist()) for value in values] + [str(sorted(os.listdir(folder)))],
            init=False,
            graph=False,
        )
    finally:
        shutil.rmtree(folder)


def case_parts_of_a_file_name_that_are_no_scalars(tf):
    p, session = tf.placeholder_with_default, tf.Session()
    parts = [(["a"], 1, 2), ("a", [1], 2), ("a", 1, [2])]
    return [raises(session.run, tf.raw_ops.ShardedFilename(basename=p(a, None), shard=p(b, None), num_shards=p(c, None))) for a, b, c in parts]

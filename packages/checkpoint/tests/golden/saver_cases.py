"""Savers: the nodes they add, the files they write and keep, and the errors they raise."""

import functools
import hashlib
import os
import shutil
import tempfile
import uuid

import numpy as np
from golden_case import Case, raises


class Fixed(object):
    """Stands for a random name, so that two programs choose the same."""

    hex = "0" * 32


def variables(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    w = tf.Variable(3, name="w")
    return v, w


def resources(tf):
    one = tf.get_variable("r1", initializer=tf.constant([1.0, 2.0]), use_resource=True)
    two = tf.get_variable("r2", initializer=tf.constant(3), use_resource=True)
    return one, two


def parts(tf, **options):
    with tf.variable_scope("m", partitioner=tf.fixed_size_partitioner(2), **options):
        return tf.get_variable("w", shape=[5, 2], initializer=lambda shape, **_: tf.constant(1.5, shape=shape))


def definition(saver):
    d = saver.saver_def
    return [
        d.filename_tensor_name,
        d.save_tensor_name,
        d.restore_op_name,
        d.max_to_keep,
        d.sharded,
        d.keep_checkpoint_every_n_hours,
        d.version,
    ]


def graph(fetches=()):
    return Case(fetches, init=False, graph_only=True)


def case_plain(tf):
    variables(tf)
    return graph(definition(tf.train.Saver()))


def case_reshape(tf):
    variables(tf)
    return graph(definition(tf.train.Saver(reshape=True)))


def case_restore_sequentially(tf):
    variables(tf)
    return graph(definition(tf.train.Saver(restore_sequentially=True)))


def case_format_v1(tf):
    variables(tf)
    return graph(definition(tf.train.Saver(write_version=tf.train.SaverDef.V1)))


def case_sharded(tf):
    variables(tf)
    return graph(definition(tf.train.Saver(sharded=True)))


def case_sharded_v1(tf):
    variables(tf)
    return graph(definition(tf.train.Saver(sharded=True, write_version=tf.train.SaverDef.V1)))


def case_named(tf):
    variables(tf)
    return graph(
        definition(tf.train.Saver(name="mine", filename="file", max_to_keep=None, keep_checkpoint_every_n_hours=2))
    )


def case_in_a_scope_and_twice(tf):
    with tf.name_scope("outer"):
        variables(tf)
        return graph(definition(tf.train.Saver()) + definition(tf.train.Saver()))


def case_devices(tf):
    with tf.device("/job:ps/task:0"):
        tf.Variable([1.0], name="v")
    with tf.device("/job:ps/task:1"):
        tf.Variable(3, name="w")
    with tf.device("/job:ps/task:1/gpu:0"):
        tf.Variable(3, name="w2")
    return graph(definition(tf.train.Saver()))


def case_devices_sharded(tf):
    with tf.device("/job:ps/task:0"):
        tf.Variable([1.0], name="v")
    with tf.device("/job:ps/task:1"):
        tf.Variable(3, name="w")
    with tf.device("/job:ps/task:1/gpu:0"):
        tf.Variable(3, name="w2")
    return graph(definition(tf.train.Saver(sharded=True)))


def case_partitioned(tf):
    parts(tf)
    variables(tf)
    return graph(definition(tf.train.Saver()))


def case_partitioned_reshape(tf):
    parts(tf)
    return graph(definition(tf.train.Saver(reshape=True)))


def case_partitioned_renamed(tf):
    p = parts(tf)
    return graph(
        definition(tf.train.Saver({"z": p}))
        + definition(tf.train.Saver({"z": list(p)}))
        + definition(tf.train.Saver([p]))
    )


def case_partitioned_in_a_collection(tf):
    p = parts(tf)
    tf.add_to_collection("wholes", p)
    saver = tf.train.Saver()
    tf.train.Saver()
    meta = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(meta)
        found = [operation.type for operation in tf.get_collection("wholes")]
    return graph(definition(saver) + found)


def case_resource(tf):
    resources(tf)
    return graph(definition(tf.train.Saver()))


def case_resource_reshape(tf):
    resources(tf)
    return graph(definition(tf.train.Saver(reshape=True)))


def case_resource_sharded(tf):
    resources(tf)
    return graph(definition(tf.train.Saver(sharded=True)))


def case_resource_partitioned(tf):
    parts(tf, use_resource=True)
    return graph(definition(tf.train.Saver()))


def case_resource_partitioned_sharded(tf):
    with tf.device("/job:ps/task:0/cpu:0"):
        parts(tf, use_resource=True)
    return graph(definition(tf.train.Saver(sharded=True)))


def case_both_kinds_on_devices(tf):
    with tf.device("/job:ps/task:0/cpu:0"):
        resources(tf)
    with tf.device("/job:ps/task:1"):
        variables(tf)
    return graph(definition(tf.train.Saver()))


def case_renamed(tf):
    v, w = variables(tf)
    return graph(definition(tf.train.Saver({"b": v, "a": w})))


def case_tensors(tf):
    v, w = variables(tf)
    return graph(definition(tf.train.Saver([v._ref(), w])))


def case_unknown_shape(tf):
    tf.Variable(tf.placeholder(tf.float32, [None]), validate_shape=False, name="u")
    tf.Variable(["a", "b"], name="s")
    return graph(definition(tf.train.Saver(reshape=True)))


def case_subsets(tf):
    v, w = variables(tf)
    return graph(
        definition(tf.train.Saver([w])) + definition(tf.train.Saver((v, w))) + definition(tf.train.Saver({v, w}))
    )


def case_wrong_lists(tf):
    v, w = variables(tf)
    c = tf.constant(1.0)
    train = tf.train
    return [
        raises(train.Saver, [v, v]), raises(train.Saver, [c]), raises(train.Saver, ["v"]), raises(train.Saver, {"a": c}),
        raises(train.Saver, {"a": v, "b": v}), raises(train.Saver, (x for x in [v])), raises(train.Saver, v), raises(train.Saver, {"a": [v, v]}),
        raises(train.Saver, [v], defer_build=True), raises(train.Saver, [], allow_empty=False), raises(train.Saver, saver_def=3), raises(train.Saver, {"a": 3}),
    ]  # fmt: skip


def case_no_variables(tf):
    saver = tf.train.Saver(allow_empty=True)
    with tf.Session() as session:
        path = in_folder(lambda folder: [saver.save(session, folder + "/m"), saver.restore(session, folder + "/m")])
    return [raises(tf.train.Saver), str(path)]


def in_folder(function):
    folder = tempfile.mkdtemp()
    try:
        return function(folder)
    finally:
        shutil.rmtree(folder)


def fingerprints(folder, skip=(".meta", ".graph")):
    found = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as stream:
            content = stream.read().replace(folder.encode(), b"FOLDER")
        found.append(name if name.endswith(skip) else [name, hashlib.md5(content).hexdigest()])
    return str(found)


def facts(*values):
    return Case([str(value) for value in values], init=False, graph=False)


def saved(tf, steps=(1, 2, 3), save_options=None, **options):
    def run(folder):
        saver = tf.train.Saver(**options)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for step in steps:
                saver.save(session, folder + "/m", global_step=step, **(save_options or {}))
            kept = [os.path.basename(path) for path in saver.last_checkpoints]
            return fingerprints(folder), kept, os.path.basename(tf.train.latest_checkpoint(folder) or "none")

    return facts(*in_folder(run))


def case_files(tf):
    variables(tf), resources(tf), parts(tf)
    return saved(tf, max_to_keep=2)


def case_files_sharded(tf):
    variables(tf), resources(tf), parts(tf)
    return saved(tf, sharded=True)


def case_files_v1(tf):
    variables(tf), parts(tf)
    return saved(tf, write_version=tf.train.SaverDef.V1, max_to_keep=2)


def case_files_v1_sharded(tf):
    variables(tf), parts(tf)
    return saved(tf, sharded=True, write_version=tf.train.SaverDef.V1, max_to_keep=2)


def case_files_without_state(tf):
    variables(tf)
    return saved(tf, save_options={"write_state": False, "write_meta_graph": False})


def case_files_padded_and_relative(tf):
    variables(tf)
    return saved(
        tf,
        pad_step_number=True,
        save_relative_paths=True,
        save_options={"latest_filename": "latest", "meta_graph_suffix": "graph"},
    )


def case_files_all_kept(tf):
    variables(tf)
    return saved(tf, max_to_keep=None)


def case_files_kept_for_good(tf):
    variables(tf)
    return saved(tf, max_to_keep=1, keep_checkpoint_every_n_hours=0)


def case_same_name_again(tf):
    variables(tf)

    def run(folder):
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                saver.save(session, folder + "/m")
            return fingerprints(folder), len(saver.last_checkpoints)

    return facts(*in_folder(run))


def case_step_from_the_graph(tf):
    variables(tf)
    step = tf.train.get_or_create_global_step()

    def run(folder):
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step.assign(7))
            paths = [
                saver.save(session, folder + "/m", global_step=s) for s in (step, np.int64(9), step.initialized_value())
            ]
            return [os.path.basename(path) for path in paths]

    return facts(*in_folder(run))


def restoring(tf, make, remake, options=None, check=None):
    """Saves the variables of one graph and restores them into those of another; gives their values or the error."""

    def run(folder):
        with tf.Graph().as_default(), tf.Session() as session:
            make()
            session.run(tf.global_variables_initializer())
            path = tf.train.Saver().save(session, folder + "/m")
        with tf.Graph().as_default(), tf.Session() as session:
            made = remake()
            saver = tf.train.Saver(**(options or {}))
            if check is not None:
                return check(saver, session, path)
            saver.restore(session, path)
            return [np.asarray(value).tolist() for value in session.run(made)]

    return in_folder(run)


def case_restoring(tf):
    def make():
        variables(tf), parts(tf), resources(tf)

    def remake():
        v = tf.Variable([0.0, 0.0], name="v")
        whole = tf.Variable(np.zeros([5, 2], np.float32), name="m/w")
        with tf.variable_scope("", partitioner=tf.fixed_size_partitioner(2)):
            two = list(tf.get_variable("r1", shape=[2], initializer=lambda shape, **_: tf.constant(1.5, shape=shape)))
        return [v, whole, tf.get_variable("r2", initializer=0)] + two

    return facts(restoring(tf, make, remake))


def case_restoring_reshaped(tf):
    def remake():
        return [tf.Variable([[0.0], [0.0]], name="v"), tf.get_variable("w", initializer=[[0]], use_resource=True)]

    return facts(restoring(tf, lambda: variables(tf), remake, {"reshape": True}))


def case_restoring_what_does_not_fit(tf):
    def attempt(remake):
        def check(saver, session, path):
            return raises(saver.restore, session, path)

        return restoring(tf, lambda: variables(tf), remake, check=check)

    return Case(
        [
            attempt(lambda: tf.Variable([0.0, 0.0, 0.0], name="v")), attempt(lambda: tf.Variable([0, 0], name="v")),
            attempt(lambda: tf.Variable(1.0, name="unknown")),
            attempt(lambda: tf.get_variable("v", initializer=[0.0, 0.0, 0.0], use_resource=True)),
        ],
        init=False, graph=False,
    )  # fmt: skip


def case_wrong_calls(tf):
    v, w = variables(tf)
    saver = tf.train.Saver()
    deferred = tf.train.Saver(defer_build=True)
    session = tf.Session()
    session.run(tf.global_variables_initializer())

    def run(folder):
        return [
            raises(saver.save, session, folder + "/none/m"), raises(saver.save, session, folder + "/m", latest_filename="a/b"),
            raises(saver.save, session, folder + "/checkpoint"), raises(saver.save, 3, folder + "/m"),
            raises(deferred.save, session, folder + "/m"), raises(saver.restore, session, None), raises(saver.restore, session, folder + "/m"),
            raises(tf.Session().run, saver.saver_def.save_tensor_name, {saver.saver_def.filename_tensor_name: folder + "/m"}),
        ]  # fmt: skip

    return Case(in_folder(run), init=False, graph=False)


def case_recovering_the_list(tf):
    variables(tf)

    def run(folder):
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            saver = tf.train.Saver(max_to_keep=2)
            for step in range(3):
                saver.save(session, folder + "/m", global_step=step)
            later = tf.train.Saver(max_to_keep=2)
            later.recover_last_checkpoints(
                ["gone"] + list(tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths)
            )
            later.save(session, folder + "/m", global_step=9)
            return fingerprints(folder), [os.path.basename(path) for path in later.last_checkpoints]

    return facts(*in_folder(run))


def case_protos(tf):
    variables(tf)
    with tf.name_scope("s"):
        saver = tf.train.Saver()
    inner = saver.to_proto(export_scope="s")
    outer = tf.train.Saver.from_proto(saver.to_proto(), import_scope="other")
    return facts(
        inner.save_tensor_name,
        saver.to_proto(export_scope="x"),
        outer.saver_def.restore_op_name,
        saver.as_saver_def().version,
    )


def _with_fixed_names(case):
    """The case, within which the names of temporary files, which are in the graph, are always the same."""

    @functools.wraps(case)
    def build(tf):
        original, uuid.uuid4 = uuid.uuid4, Fixed
        try:
            return case(tf)
        finally:
            uuid.uuid4 = original

    return build


globals().update({name: _with_fixed_names(case) for name, case in list(globals().items()) if name.startswith("case_")})

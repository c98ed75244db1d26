"""Meta graphs: what is in them, and what a program that imports one gets."""

import os
import shutil
import tempfile

import numpy as np
from golden_case import Case, raises, says


def in_folder(function):
    folder = tempfile.mkdtemp()
    try:
        return function(folder)
    finally:
        shutil.rmtree(folder)


def model(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    tf.get_variable("r", initializer=tf.constant([1.0, 2.0]), use_resource=True)
    with tf.name_scope("s"):
        a = tf.add(v, 1.0, name="a")
        tf.Variable(1.0, name="x", trainable=False)
    tf.train.get_or_create_global_step()
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        tf.get_variable("pw", shape=[3], initializer=lambda shape, **_: tf.constant(0.0, shape=shape))
    return a


def collect(tf, a):
    for name, values in (
        ("ints", [3]), ("floats", [1.5]), ("texts", ["a", b"b"]), ("nodes", [a, a.op]), ("objects", [object()]), ("mixed", [3, "x"]),
        ("none", [None]), ("bools", [True]), ("numpy", [np.int64(3)]), ("lists", [[1, 2]]),
    ):  # fmt: skip
        for value in values:
            tf.add_to_collection(name, value)


def described(meta):
    collections = {key: value.SerializeToString() for key, value in meta.collection_def.items()}
    return [
        sorted(collections.items()),
        [op.name for op in meta.meta_info_def.stripped_op_list.op],
        meta.meta_info_def.stripped_default_attrs,
        meta.saver_def.save_tensor_name,
        meta.saver_def.restore_op_name,
        [(node.name, node.op, list(node.input), node.device, sorted(node.attr)) for node in meta.graph_def.node],
    ]


def facts(*values):
    return Case([str(value) for value in values], init=False, graph=False)


def case_exported(tf):
    collect(tf, model(tf))
    saver = tf.train.Saver()
    tf.add_to_collection("savers", saver)
    return facts(
        *described(tf.train.export_meta_graph()) + described(saver.export_meta_graph(collection_list=["ints"]))
    )


def case_exported_without_defaults_and_devices(tf):
    with tf.device("/gpu:0"):
        model(tf)
    return facts(
        *described(
            tf.train.export_meta_graph(
                strip_default_attrs=True, clear_devices=True, collection_list=["variables", "none"]
            )
        )
    )


def case_exported_scope(tf):
    collect(tf, model(tf))
    meta = tf.train.export_meta_graph(export_scope="s")
    return facts(*described(meta)[4:] + sorted(key for key in meta.collection_def if key != "mixed"))


def case_texts_of_a_scope(tf):
    """Texts are exported with the scope that they lie in, since they may be names; bytes are always."""
    with tf.name_scope("s"):
        tf.constant(1.0)
    for key, items in [("a", ["s/x", "y"]), ("b", ["y"]), ("c", [b"y", "s"]), ("d", ["$unbound_inputs_q"]), ("e", [b""])]:
        for item in items:
            tf.add_to_collection(key, item)
    return facts(*described(tf.train.export_meta_graph(export_scope="s"))[0])


def case_written_and_read(tf):
    def run(folder):
        found = []
        for as_text in (False, True):
            with tf.Graph().as_default():
                collect(tf, model(tf))
                tf.train.export_meta_graph(folder + "/m", as_text=as_text)
            with tf.Graph().as_default() as graph:
                saver = tf.train.import_meta_graph(folder + "/m")
                found.append([saver.saver_def.save_tensor_name, contents(graph)])
        return found

    return facts(*in_folder(run))


def contents(graph):
    def shown(item):
        return (type(item).__name__, item.name) if hasattr(item, "name") else item

    return [
        (key, [shown(item) for item in graph.get_collection(key)]) for key in sorted(graph.get_all_collection_keys())
    ]


def case_imported_into_a_scope(tf):
    with tf.Graph().as_default():
        collect(tf, model(tf))
        saver = tf.train.Saver()
        meta = saver.export_meta_graph()
    again = type(meta).FromString(meta.SerializeToString())  # the original changes what it imports
    tf.get_variable("z", initializer=1.0)
    first = tf.train.import_meta_graph(meta, import_scope="i")
    second = tf.train.import_meta_graph(again, import_scope="i")
    slices = [v._save_slice_info and v._save_slice_info.full_name for v in tf.global_variables()]
    return Case(
        [str(item) for item in (first.saver_def.restore_op_name, second.saver_def.restore_op_name, contents(tf.get_default_graph()), slices)],
        init=False, collections=False, graph_only=False,
    )  # fmt: skip


def case_a_program_goes_on(tf):
    def run(folder):
        with tf.Graph().as_default(), tf.Session() as session:
            a = model(tf)
            tf.add_to_collection("a", a)
            session.run(tf.global_variables_initializer())
            session.run(tf.global_variables()[0].assign([5.0, 6.0]))
            path = tf.train.Saver().save(session, folder + "/m", global_step=1)
        with tf.Graph().as_default(), tf.Session() as session:
            saver = tf.train.import_meta_graph(path + ".meta")
            saver.restore(session, path)
            values = session.run([tf.get_collection("a")[0]] + tf.global_variables())
            saver.save(session, folder + "/m", global_step=2)
            return [np.asarray(value).tolist() for value in values], sorted(os.listdir(folder))

    return facts(*in_folder(run))


def case_no_variables(tf):
    tf.constant(1)
    meta = tf.train.export_meta_graph()
    return facts(meta.HasField("saver_def"), tf.train.import_meta_graph(meta, import_scope="q"))


def case_inputs_from_outside(tf):
    with tf.Graph().as_default():
        model(tf)
        meta = tf.train.export_meta_graph(export_scope="s")
    unbound = sorted(name.decode() for name in meta.collection_def["unbound_inputs"].bytes_list.value)
    return Case([str(unbound), raises(tf.train.import_meta_graph, meta)], graph=False)


def case_files_that_are_none(tf):
    def run(folder):
        with open(folder + "/bad", "w") as stream:
            stream.write("xx{")
        return [
            raises(tf.train.import_meta_graph, folder + "/none"), raises(tf.train.import_meta_graph, folder + "/bad"),
            raises(tf.train.import_meta_graph, 3), raises(tf.train.import_meta_graph, folder), raises(tf.train.export_meta_graph, bogus=1),
            raises(tf.train.export_meta_graph, folder + "/none/m"),
        ]  # fmt: skip

    return Case(in_folder(run), graph=False)


def flow(tf):
    x = tf.constant(2.0, name="x")
    i, y = tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.cond(y > 5.0, lambda: y * x, lambda: y + x)), [0, x], name="loop"
    )
    z = tf.cond(y > 1.0, lambda: y * 3.0, lambda: tf.identity(y), name="branch")
    tf.add_to_collection("x", x)
    tf.add_to_collection("z", z)
    return x, z


def case_control_flow(tf):
    flow(tf)
    meta = tf.train.export_meta_graph()
    found = []
    for key in ("cond_context", "while_context"):
        # Entries of maps come in any order, so only the bytes are compared, not their order.
        found += [sorted(bytearray(value)) for value in meta.collection_def[key].bytes_list.value]
    return facts(*found)


def case_gradients_of_imported_control_flow(tf):
    with tf.Graph().as_default():
        flow(tf)
        meta = tf.train.export_meta_graph()
    found = []
    for scope in (None, "s"):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.train.import_meta_graph(meta, import_scope=scope)
            x, z = tf.get_collection("x")[0], tf.get_collection("z")[0]
            found.append([float(value) for value in session.run([z, tf.gradients(z, x)[0]])])
    return facts(*found)


def case_contexts_of_loops(tf):
    x = tf.constant(1.5, name="x")
    y = tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, tf.cond(i < 1, lambda: v * x, lambda: v + x)), [0, x])[1]
    tf.add_to_collection("result", y)
    tf.add_to_collection("x", x)
    meta = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(meta, import_scope="again")
        y, x = tf.get_collection("result")[0], tf.get_collection("x")[0]
        gradient = tf.gradients(y, x)[0]
        with tf.Session() as session:
            values = [float(value) for value in session.run([y, gradient])]
        names = sorted(op.name for op in graph.get_operations() if "gradients" in op.name)
    return facts(values, len(meta.collection_def["while_context"].bytes_list.value), *names)


def case_messages_in_collections(tf):
    from google.protobuf.any_pb2 import Any

    tf.add_to_collection("any", Any(type_url="a"))
    meta = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(meta)
        found = graph.get_collection("any")
        return facts(len(meta.collection_def["any"].any_list.value), len(found), found[0] == Any(type_url="a"))


def case_inputs_from_outside_by_another_name(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.name_scope("part"):
        tf.add(x, x, name="y")
    meta = tf.train.export_meta_graph(export_scope="part", unbound_inputs_col_name="missing")
    none = tf.train.export_meta_graph(export_scope="part", unbound_inputs_col_name=None)
    return Case({
        "in": list(meta.collection_def["missing"].bytes_list.value), "keys": sorted(meta.collection_def),
        "none": sorted(none.collection_def), "graph": tf.get_collection("missing"),
        "refused": says("Graph contains unbound inputs: .unbound_inputs_x,.unbound_inputs_x", tf.train.import_meta_graph, meta,
                        import_scope="again", unbound_inputs_col_name="missing"),
    }, graph=False)


def case_variables_of_several_collections_are_one_object(tf):
    for resource in (False, True):
        tf.get_variable(f"v{resource}", initializer=1.0, use_resource=resource)
    meta = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(meta, import_scope="again")
        held = [graph.get_collection(key) for key in (tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.TRAINABLE_VARIABLES)]
        return facts([v.name for v in held[0]], [a is b for a, b in zip(*held)])


def case_imported_in_open_scopes(tf):
    with tf.Graph().as_default():
        y = model(tf)
        tf.cond(y[0] > 0, lambda: y * 2.0, lambda: y, name="branch")
        tf.train.Saver()
        meta = tf.train.export_meta_graph()
    with tf.name_scope("a"):
        tf.train.import_meta_graph(meta)
    with tf.variable_scope("b"), tf.name_scope("c"):
        tf.train.import_meta_graph(meta)
        tf.train.import_meta_graph(meta, import_scope="d")
    return facts([v.name for v in tf.global_variables()], [op.name for op in tf.get_default_graph().get_operations()])


def case_loop_in_another_scope(tf):
    with tf.Graph().as_default():
        with tf.name_scope("out"):
            x = tf.placeholder(tf.float32, [], name="x")
            w = tf.constant(2.0)
            loop = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * w), [0, x])
            tf.identity(loop[1], name="y")
        meta = tf.train.export_meta_graph(export_scope="out")
    tf.train.import_meta_graph(meta, import_scope="new")
    graph = tf.get_default_graph()
    x, y = graph.get_tensor_by_name("new/x:0"), graph.get_tensor_by_name("new/y:0")
    return Case([y, tf.gradients(y, x)], feeds={x: 1.5})

"""tf.graph_util, session handles, static values and the switches between versions."""
import numpy as np
from golden_case import Case, raises


def net(tf, resource=False):
    with tf.variable_scope("net", use_resource=resource):
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", [2, 2], initializer=tf.constant_initializer([[1.0, 2.0], [3.0, 4.0]]))
        b = tf.get_variable("b", [2], initializer=tf.constant_initializer(0.5))
        y = tf.identity(tf.matmul(x, w) + b, name="y")
        tf.square(y, name="unused")
    return x, y


def nodes(graph_def):
    return [[node.name, node.op, list(node.input), sorted(node.attr)] for node in graph_def.node]


def frozen(tf, resource, **options):
    x, y = net(tf, resource)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        made = tf.graph_util.convert_variables_to_constants(session, tf.get_default_graph().as_graph_def(), ["net/y"], **options)
    with tf.Graph().as_default(), tf.Session() as session:
        if not options:
            tf.import_graph_def(made, name="")
            value = session.run("net/y:0", {"net/x:0": [[1.0, 1.0]]}).tolist()
        else:
            value = None
    return nodes(made), value


def case_freeze(tf):
    return frozen(tf, False)


def case_freeze_resource(tf):
    return frozen(tf, True)


def case_freeze_some(tf):
    return frozen(tf, False, variable_names_whitelist=["net/w"])


def case_freeze_blacklist(tf):
    return frozen(tf, False, variable_names_blacklist=["net/w"])


def case_freeze_refused(tf):
    net(tf)
    graph_def = tf.get_default_graph().as_graph_def()
    with tf.Session() as session:
        return [raises(tf.graph_util.convert_variables_to_constants, session, graph_def, ["nowhere"]), raises(tf.graph_util.convert_variables_to_constants, session, graph_def, ["net/y"])]


def case_extract(tf):
    x, y = net(tf)
    with tf.control_dependencies([x]):
        tf.no_op(name="end")
    graph_def = tf.get_default_graph().as_graph_def()
    extract = tf.graph_util.extract_sub_graph
    return [nodes(extract(graph_def, ["net/y"])), nodes(extract(graph_def, ["end"])), nodes(extract(graph_def, [])), raises(extract, graph_def, ["nowhere"]), raises(extract, graph_def, "net/y"), raises(extract, 3, ["net/y"])]


def case_remove_training(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    a = tf.identity(x, name="a")
    b = tf.check_numerics(a, "m", name="b")
    c = tf.identity(tf.identity(b * 2.0, name="c1"), name="c2")
    with tf.control_dependencies([c]):
        d = tf.identity(c, name="d")
    tf.add(d, a, name="out")
    graph_def = tf.get_default_graph().as_graph_def()
    remove = tf.graph_util.remove_training_nodes
    return [nodes(remove(graph_def)), nodes(remove(graph_def, ["a", "c2"])), raises(remove, 3)]


def case_must_run_on_cpu(tf):
    net(tf)
    ops = tf.get_default_graph().get_operations()
    tf.constant("text")
    extra = [tf.constant("text").op, tf.constant(3).op, tf.identity(tf.constant(["a"])).op, tf.size(tf.constant([1.0])).op]
    must = tf.graph_util.must_run_on_cpu
    return [[must(op) for op in ops + extra], [must(op, True) for op in ops + extra], [must(op.node_def) for op in extra], raises(must, 3)]


def case_shape_from_name(tf):
    net(tf)
    graph = tf.get_default_graph()
    shape = tf.graph_util.tensor_shape_from_node_def_name
    return [str(shape(graph, "net/y:0")), str(shape(graph, "net/x")), raises(shape, graph, "nowhere"), str(shape(graph, "^net/x")) if False else ""]


def case_static_value(tf):
    static = tf.get_static_value
    x = tf.placeholder(tf.float32, [2, None])
    known = [tf.constant([1, 2]), tf.constant("a"), tf.shape(tf.zeros([2, 3])), tf.rank(x), tf.size(tf.zeros([2, 2])), tf.range(4), tf.cast(tf.constant(2.5), tf.int32), tf.concat([[1], [2]], 0), tf.stack([1, 2]), tf.fill([2], 3), tf.equal(1, 1),
             tf.not_equal(1, 1), tf.zeros([2]), tf.constant([1]) + 1, tf.reshape(tf.constant([1, 2]), [2, 1]), x, tf.shape(x), tf.shape(x)[0], tf.identity(tf.constant(1)), tf.stack([tf.constant(1), tf.shape(x)[1]])]
    values = [static(t) for t in known]
    partial = static(tf.stack([tf.constant(1), tf.shape(x)[1]]), partial=True)
    return [[None if v is None else np.asarray(v).tolist() if np.asarray(v).dtype != object else [str(v)] for v in values], [None if v is None else int(v) for v in partial], raises(static, 3)]


def case_is_tensor(tf):
    sparse = tf.SparseTensor([[0]], [1.0], [1])
    return [tf.is_tensor(v) for v in (tf.constant(1), tf.Variable(1.0), sparse, tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])), 3, None, [tf.constant(1)], np.zeros(2), tf.no_op(), tf.TensorShape([1]), tf.get_variable("r", [], use_resource=True))]


def case_libraries(tf):
    return [raises(tf.load_op_library, "/nowhere/lib.so"), raises(tf.load_library, "/nowhere/lib.so"), raises(tf.load_file_system_library, "/nowhere/lib.so")]


def case_switches(tf):
    tf.disable_eager_execution()
    tf.disable_v2_behavior()
    tf.disable_tensor_equality()
    tf.disable_control_flow_v2()
    return [tf.executing_eagerly(), tf.control_flow_v2_enabled()]


def case_session_handles(tf):
    x = tf.placeholder(tf.float32, [2])
    y = x * 2.0
    with tf.Session() as session:
        handle = session.run(tf.get_session_handle(y), {x: [1.0, 2.0]})
        holder, tensor = tf.get_session_tensor(handle.handle, tf.float32)
        deleter_holder, deleter = tf.delete_session_tensor(handle.handle)
        text = type(handle).__name__
        value = session.run(tensor + 1.0, {holder: handle.handle}).tolist()
        direct = session.run(x + 1.0, {x: handle}).tolist()
        evaluated = handle.eval().tolist()
        raw = handle.get_raw_handle()
        session.run(deleter, {deleter_holder: raw})
        gone = raises(session.run, tensor, {holder: raw})
        second = session.run(tf.get_session_handle(tf.constant(3)))
        second.delete()
        return {"text": text, "value": value, "direct": direct, "eval": evaluated, "gone": gone, "deleted": raises(second.eval), "none": raises(tf.get_session_handle, 3), "nodes": [[op.name, op.type, op.device] for op in tf.get_default_graph().get_operations()]}


def case_sparse_placeholder(tf):
    a = tf.sparse_placeholder(tf.float32)
    b = tf.sparse_placeholder(tf.int64, shape=[2, 3], name="b")
    c = tf.sparse_placeholder(tf.float32, shape=[None, 3]) if False else a
    return Case([a, b, c, str(a.shape), str(b.shape)], graph_only=True)

"""Names, scopes, devices, control and colocation edges, collections and the graph's own methods."""
from golden_case import Case, raises


def case_unique_names(tf):
    return [tf.constant(i, name="a") for i in range(3)] + [tf.constant(1), tf.constant(2), tf.no_op(), tf.no_op("x")]


def case_unique_names_ignore_case(tf):
    return [tf.constant(1, name="A"), tf.constant(2, name="a"), tf.constant(3, name="A"), tf.constant(4, name="a_1")]


def case_unique_after_taken_suffix(tf):
    return [tf.constant(1, name="a_1"), tf.constant(2, name="a"), tf.constant(3, name="a"), tf.constant(4, name="a")]


def case_name_scope(tf):
    with tf.name_scope("outer"):
        a = tf.constant(1)
        with tf.name_scope("inner") as scope:
            b = tf.constant(2)
        with tf.name_scope("inner"):
            c = tf.constant(3)
        with tf.name_scope(scope):
            d = tf.constant(4)
    with tf.name_scope("outer"):
        e = tf.constant(5)
    return {"scope": scope, "tensors": [a, b, c, d, e]}


def case_name_scope_none_and_empty(tf):
    with tf.name_scope("a"):
        with tf.name_scope(None):
            x = tf.constant(1)
        with tf.name_scope(""):
            y = tf.constant(2)
    return [x, y]


def case_name_scope_values_and_default(tf):
    with tf.name_scope(None, "Default", [tf.constant(1)]) as scope:
        x = tf.constant(2)
    with tf.name_scope("given", "Default", [x]) as other:
        y = tf.constant(3)
    return {"scopes": [scope, other], "y": y}


def case_name_scope_trailing_slash(tf):
    with tf.name_scope("a") as scope:
        pass
    return tf.add(1, 2, name=scope)


def case_name_scope_trailing_slash_twice(tf):
    return [tf.constant(1, name="a/"), tf.constant(1, name="a/")]


def case_op_scope(tf):
    with tf.op_scope([tf.constant(1.0)], None, "Op") as scope:
        x = tf.constant(2.0)
    return {"scope": scope, "x": x}


def case_nested_uniquify(tf):
    tensors = []
    for _ in range(3):
        with tf.name_scope("s"):
            with tf.name_scope("t"):
                tensors.append(tf.add(1.0, 2.0))
    return tensors


def case_unique_name_method(tf):
    graph = tf.get_default_graph()
    names = [graph.unique_name("n"), graph.unique_name("n"), graph.unique_name("n", mark_as_used=False),
             graph.unique_name("n", mark_as_used=False)]
    with tf.name_scope("s"):
        names += [graph.unique_name("n"), graph.get_name_scope()]
    return {"names": names, "op": tf.constant(1, name="n")}


def case_scope_name_taken_by_op(tf):
    a = tf.constant(1, name="taken")
    with tf.name_scope("taken") as scope:
        b = tf.constant(2)
    return {"scope": scope, "tensors": [a, b]}


def case_op_name_taken_by_scope(tf):
    with tf.name_scope("taken"):
        a = tf.constant(1)
    return [a, tf.constant(2, name="taken")]


def case_bad_names(tf):
    return [raises(tf.constant, 1, name=name) for name in ("_x", "-x", "a b", "a:0", "", "a/b", ".x", "ä", "a\\b", ">a", "a>b")]


def case_bad_scopes(tf):
    def enter(name):
        with tf.name_scope(name):
            tf.constant(1)
    return [raises(enter, name) for name in ("_x", "a b", "a:0", "0a", ".", 3, "a//b")]


def case_graph_name_scope_inner_underscore(tf):
    with tf.name_scope("a"):
        with tf.name_scope("_b"):
            return tf.constant(1)


def case_control_dependencies(tf):
    a = tf.constant(1, name="a")
    b = tf.constant(2, name="b")
    with tf.control_dependencies([a, b.op]):
        c = tf.constant(3, name="c")
        d = tf.add(a, c, name="d")
        e = tf.no_op("e")
    return [c, d, e]


def case_control_dependencies_nested(tf):
    ops = [tf.no_op("n%d" % i) for i in range(4)]
    with tf.control_dependencies([ops[0]]):
        with tf.control_dependencies([ops[1], ops[0]]):
            a = tf.no_op("a")
            with tf.control_dependencies(None):
                b = tf.no_op("b")
                with tf.control_dependencies([ops[2]]):
                    c = tf.no_op("c")
            d = tf.no_op("d")
    return [a, b, c, d]


def case_control_dependencies_pruned(tf):
    a = tf.constant(1.0, name="a")
    with tf.control_dependencies([a]):
        b = tf.constant(2.0, name="b")
        c = b + a
        d = c * 2.0
    return [b, c, d]


def case_control_dependencies_variable(tf):
    v = tf.Variable(1.0, name="v")
    w = tf.Variable(1.0, name="w", use_resource=True)
    with tf.control_dependencies([v, w, v.assign_add(1.0)]):
        return v.read_value() + w.read_value()


def case_control_dependencies_slices(tf):
    s = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
    with tf.control_dependencies([s]):
        return tf.no_op("after")


def case_control_dependencies_bad(tf):
    def enter(item):
        with tf.control_dependencies(item):
            pass
    return [raises(enter, item) for item in ([1], ["x"], tf.constant(1), [None])]


def case_group(tf):
    a, b = tf.constant(1), tf.no_op("b")
    return [tf.group(a, b), tf.group(name="empty"), tf.group([a, [b]], name="nested"), tf.group(a)]


def case_group_devices(tf):
    with tf.device("/cpu:0"):
        a = tf.no_op("a")
    with tf.device("/gpu:0"):
        b = tf.no_op("b")
    c = tf.no_op("c")
    return Case(tf.group(a, b, c, name="all"), graph_only=True)


def case_tuple(tf):
    a, b = tf.constant(1.0), tf.constant(2.0)
    return tf.tuple([a, None, b], control_inputs=[tf.no_op("x")], name="t")


def case_tuple_slices(tf):
    s = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
    return tf.tuple([s, tf.constant(1)])


def case_with_dependencies(tf):
    a = tf.constant(1.0)
    with tf.control_dependencies([tf.no_op()]):
        return [tf.identity(a, name="out"), tf.identity_n([a, tf.constant(2)])]


def case_devices(tf):
    tensors = []
    for device in ("/cpu:0", "/device:GPU:1", "/job:worker/task:3", "/job:ps/replica:0/task:0/device:CPU:0", "cpu:0", "/gpu:0"):
        with tf.device(device):
            tensors.append(tf.constant(1))
    return Case(tensors, graph_only=True)


def case_devices_nested(tf):
    tensors = []
    with tf.device("/job:worker"):
        with tf.device("/task:2"):
            tensors.append(tf.constant(1))
            with tf.device("/job:ps/gpu:1"):
                tensors.append(tf.constant(2))
                with tf.device(None):
                    tensors.append(tf.constant(3))
        with tf.device(lambda op: "/cpu:%d" % (op.type == "Const")):
            tensors.append(tf.constant(4))
            tensors.append(tf.identity(tensors[-1]))
    return Case(tensors, graph_only=True)


def case_device_function_sees_op(tf):
    seen = []

    def choose(op):
        seen.append("%s %s %s %d" % (op.name, op.type, op.device, len(op.inputs)))
        return "/cpu:0" if op.type == "Add" else ""
    with tf.device(choose):
        x = tf.add(tf.constant(1, name="x"), 2, name="y")
    return Case({"seen": seen, "x": x}, graph_only=True)


def case_device_bad(tf):
    def make(device):
        with tf.device(device):
            tf.constant(1)
    return [raises(make, device) for device in ("/nonsense", "/cpu:x", "/job:/task:a", 3)]


def case_colocate(tf):
    a = tf.constant(1, name="a")
    with tf.colocate_with(a):
        b = tf.constant(2, name="b")
        with tf.colocate_with(b.op):
            c = tf.constant(3, name="c")
        with tf.colocate_with(c, ignore_existing=True):
            d = tf.constant(4, name="d")
        with tf.colocate_with(None, ignore_existing=True):
            e = tf.constant(5, name="e")
    return {"groups": [t.op.colocation_groups() for t in (a, b, c, d, e)], "t": [b, c, d, e]}


def case_colocate_device(tf):
    with tf.device("/cpu:0"):
        a = tf.constant(1, name="a")
    with tf.device("/gpu:1"):
        with tf.colocate_with(a):
            b = tf.constant(2, name="b")
            with tf.device("/cpu:1"):
                c = tf.constant(3, name="c")
    return Case([b, c], graph_only=True)


def case_colocate_variable(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    with tf.colocate_with(v):
        x = tf.constant(1.0)
    with tf.colocate_with(v.op):
        y = tf.constant(1.0)
    return [x, y]


def case_collections(tf):
    a = tf.constant(1, name="a")
    tf.add_to_collection("mine", a)
    tf.add_to_collection("mine", 7)
    tf.add_to_collections(["one", "two", "one"], a)
    graph = tf.get_default_graph()
    graph.add_to_collection("scoped", a)
    with tf.name_scope("s"):
        b = tf.constant(1, name="b")
    graph.add_to_collection("scoped", b)
    ref = graph.get_collection_ref("live")
    ref.append(b)
    return {"mine": len(tf.get_collection("mine")), "scoped": [t.name for t in tf.get_collection("scoped", scope="s")],
            "prefix": [t.name for t in tf.get_collection("scoped", "a")], "live": len(tf.get_collection("live")),
            "none": tf.get_collection("none"), "keys": sorted(graph.get_all_collection_keys())}


def case_collection_keys(tf):
    return {name: getattr(tf.GraphKeys, name) for name in sorted(dir(tf.GraphKeys)) if name.isupper()}


def case_collection_of_variables(tf):
    tf.Variable(1.0, name="a")
    tf.Variable(1.0, name="b", trainable=False)
    tf.Variable(1.0, name="c", collections=["own"])
    tf.get_variable("d", [], collections=[tf.GraphKeys.LOCAL_VARIABLES])
    tf.train.get_or_create_global_step()
    return {"trainable": [v.name for v in tf.trainable_variables()], "global": [v.name for v in tf.global_variables()],
            "local": [v.name for v in tf.local_variables()], "scope": [v.name for v in tf.global_variables("a")]}


def case_clear_collection(tf):
    tf.add_to_collection("x", 1)
    tf.get_default_graph().clear_collection("x")
    return {"left": tf.get_collection("x")}


def case_graph_lookups(tf):
    graph = tf.get_default_graph()
    with tf.name_scope("s"):
        x = tf.split(tf.constant([1, 2]), 2, name="parts")
    return {"tensor": graph.get_tensor_by_name("s/parts:1").name, "op": graph.get_operation_by_name("s/parts").type,
            "element": graph.as_graph_element("s/parts:0").name, "same": graph.get_tensor_by_name("s/parts:1") is x[1],
            "types": [op.type for op in graph.get_operations()], "element_op": graph.as_graph_element("s/parts").name}


def case_graph_lookup_errors(tf):
    graph = tf.get_default_graph()
    tf.constant(1, name="x")
    return [raises(graph.get_tensor_by_name, name) for name in ("x", "x:1", "y:0", "x:a", 3, "^x")] + [
        raises(graph.get_operation_by_name, name) for name in ("x:0", "y", 3)] + [
        raises(graph.as_graph_element, item) for item in ("y", "y:0", 3, [1])] + [
        raises(graph.as_graph_element, "x", False, True), raises(graph.as_graph_element, "x:0", True, False)]


def case_operation_properties(tf):
    a = tf.constant([1.0], name="a")
    with tf.control_dependencies([a]):
        b = tf.concat([tf.constant([2.0]), [3.0]], 0, name="b")
    c = tf.identity(b, name="c")
    op = b.op
    return {"type": op.type, "inputs": [t.name for t in op.inputs], "control": [o.name for o in op.control_inputs],
            "N": op.get_attr("N"), "T": op.get_attr("T"), "consumers": [o.name for o in b.consumers()],
            "outputs": [t.name for t in op.outputs], "index": b.value_index, "str": str(b), "repr": repr(b),
            "op_str": repr(c.op), "device": op.device, "graph": op.graph is tf.get_default_graph()}


def case_get_attr_kinds(tf):
    x = tf.placeholder(tf.float32, [1, None, 8, 3])
    y = tf.nn.conv2d(x, tf.ones([2, 2, 3, 4]), [1, 2, 2, 1], "SAME")
    op = y.op
    return {"strides": op.get_attr("strides"), "padding": op.get_attr("padding"), "format": op.get_attr("data_format"),
            "cudnn": op.get_attr("use_cudnn_on_gpu"), "missing": raises(op.get_attr, "nothing"),
            "shape": str(x.op.get_attr("shape").dim[2].size)}


def case_finalize(tf):
    graph = tf.Graph()
    with graph.as_default():
        tf.constant(1)
    graph.finalize()

    def add():
        with graph.as_default():
            tf.constant(2)
    return {"finalized": graph.finalized, "error": raises(add)}


def case_two_graphs(tf):
    other = tf.Graph()
    with other.as_default():
        x = tf.constant(1.0)
    return [raises(tf.add, x, 1.0), raises(tf.get_default_graph().as_graph_element, x)]


def case_prevent_feeding(tf):
    graph = tf.get_default_graph()
    x, y = tf.constant(1), tf.constant(2)
    graph.prevent_feeding(x)
    graph.prevent_fetching(y.op)
    return {"x": [graph.is_feedable(x), graph.is_fetchable(x)], "y": [graph.is_feedable(y), graph.is_fetchable(y.op)],
            "feed": Raises(tf, graph, y, x), "fetch": Raises(tf, graph, y, None)}


def Raises(tf, graph, fetch, feed):
    with tf.Session(graph=graph) as session:
        return raises(session.run, fetch if feed is None else feed, {} if feed is None else {feed: 3})


def case_gradient_override_map(tf):
    graph = tf.get_default_graph()

    @tf.RegisterGradient("GoldenTwice")
    def _twice(op, grad):
        return 2.0 * grad
    x = tf.constant(3.0)
    with graph.gradient_override_map({"Identity": "GoldenTwice"}):
        y = tf.identity(x)
    return {"y": y, "grad": tf.gradients(y, x)[0]}


def case_register_gradient_twice(tf):
    def register():
        tf.RegisterGradient("Add")(lambda op, grad: None)
    return raises(register)


def case_container(tf):
    with tf.container("box"):
        v = tf.Variable(1.0)
        w = tf.Variable(1.0, use_resource=True)
    return [v, w]


def case_attr_scope(tf):
    graph = tf.get_default_graph()
    with graph.name_scope("a"), graph.device("/cpu:0"), graph.control_dependencies([tf.no_op()]):
        return graph.get_name_scope(), tf.constant(1)


def case_versions(tf):
    return {"graph_def": tf.get_default_graph().as_graph_def().versions.producer, "building": tf.get_default_graph().building_function,
            "seed": tf.get_default_graph().seed}


def case_as_graph_def_add_shapes(tf):
    tf.placeholder(tf.float32, [None, 3], name="x")
    tf.constant(1, name="c")
    proto = tf.get_default_graph().as_graph_def(add_shapes=True)
    return {node.name: str(node.attr["_output_shapes"].list.shape[0].dim[-1:]) for node in proto.node}


def case_as_graph_def_from_version(tf):
    tf.constant(1, name="a")
    version = tf.get_default_graph().version
    tf.constant(2, name="b")
    return [node.name for node in tf.get_default_graph().as_graph_def(from_version=version).node]


def case_reset_inside_scope(tf):
    with tf.Graph().as_default():
        return raises(tf.reset_default_graph)


def case_stop_gradient_names(tf):
    return [tf.stop_gradient(tf.constant(1.0)), tf.stop_gradient(tf.constant(1.0), name="stop")]


def case_many_builders_names(tf):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    return Case([tf.reduce_sum(x), tf.reduce_mean(x, 0), tf.matmul(x, x, transpose_b=True), tf.nn.relu(x), tf.nn.softmax(x),
                 tf.reshape(x, [-1]), tf.transpose(x), tf.expand_dims(x, 0), tf.squeeze(tf.expand_dims(x, 0)),
                 tf.concat([x, x], 1), tf.stack([x, x]), tf.tile(x, [1, 2]), tf.pad(x, [[0, 1], [1, 0]]), tf.cast(x, tf.int32),
                 tf.shape(x), tf.size(x), tf.rank(x), tf.zeros_like(x), tf.ones_like(x), tf.fill([2], 1.0), tf.range(3),
                 tf.one_hot([1], 2), tf.where(x > 0, x, -x), tf.argmax(x, 1), tf.gather(x, [0]), tf.split(x, 3, 1),
                 tf.unstack(x), tf.reverse(x, [0]), tf.clip_by_value(x, 0.0, 1.0), tf.linspace(0.0, 1.0, 3)],
                feeds={x: [[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]})

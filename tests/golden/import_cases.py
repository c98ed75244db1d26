"""import_graph_def, MetaGraphDef and graph surgery."""
from golden_case import Case, raises


def small(tf):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        with tf.name_scope("net"):
            y = tf.matmul(x, tf.constant([[1.0, 2.0], [3.0, 4.0]]), name="y")
            with tf.control_dependencies([tf.no_op("gate")]):
                z = tf.add(y, 1.0, name="z")
        with tf.colocate_with(z):
            tf.identity(z, name="out")
    return graph.as_graph_def()


def case_plain(tf):
    result = tf.import_graph_def(small(tf))
    graph = tf.get_default_graph()
    return Case({"none": result is None, "out": graph.get_tensor_by_name("import/out:0")}, feeds={graph.get_tensor_by_name("import/x:0"): [[1.0, 1.0]]})


def case_name(tf):
    tf.import_graph_def(small(tf), name="a")
    tf.import_graph_def(small(tf), name="a")
    tf.import_graph_def(small(tf), name="b/c")
    return [op.name for op in tf.get_default_graph().get_operations()]


def case_empty_name(tf):
    tf.import_graph_def(small(tf), name="")
    return [op.name for op in tf.get_default_graph().get_operations()], raises(tf.import_graph_def, small(tf), name="")


def case_return_elements(tf):
    op, tensor, other = tf.import_graph_def(small(tf), return_elements=["net/y", "net/y:0", "out:0"], name="g")
    return [op.name, tensor.name, other.name]


def case_input_map(tf):
    x = tf.constant([[1.0, 2.0]])
    out, = tf.import_graph_def(small(tf), input_map={"x:0": x}, return_elements=["out:0"])
    return out


def case_input_map_middle(tf):
    y = tf.constant([[5.0, 6.0]])
    out, z = tf.import_graph_def(small(tf), input_map={"net/y": y}, return_elements=["out:0", "net/z:0"], name="m")
    return [out, z]


def case_input_map_values(tf):
    out, = tf.import_graph_def(small(tf), input_map={"x": [[1.0, 2.0]]}, return_elements=["out:0"], name="m")
    return out


def case_input_map_without_a_name(tf):
    x = tf.constant([[1.0, 2.0]], name="fed")
    out, = tf.import_graph_def(small(tf), input_map={"x": x}, return_elements=["out:0"], name="")
    return out


def case_input_map_values_without_a_name(tf):
    return raises(tf.import_graph_def, small(tf), input_map={"x": [[1.0, 2.0]]}, name="")


def case_input_map_control(tf):
    tf.import_graph_def(small(tf), input_map={"^net/gate": tf.no_op("other")}, name="m")
    return [op.name for op in tf.get_default_graph().get_operation_by_name("m/net/z").control_inputs]


def case_under_scopes(tf):
    with tf.name_scope("outer"), tf.device("/cpu:0"), tf.control_dependencies([tf.no_op("before")]):
        out, = tf.import_graph_def(small(tf), return_elements=["out:0"], name="m")
    return Case(out, graph_only=True)


def case_text(tf):
    proto = tf.GraphDef()
    proto.node.add(name="a", op="NoOp")
    node = proto.node.add(name="b", op="Identity", input=["c"])
    node.attr["T"].type = tf.float32.as_datatype_enum
    node = proto.node.add(name="c", op="Placeholder", device="/cpu:0")
    node.attr["dtype"].type = tf.float32.as_datatype_enum
    out, = tf.import_graph_def(proto, return_elements=["b:0"])
    return Case(out, graph_only=True)


def case_defaults_added(tf):
    proto = tf.GraphDef()
    for name in "ab":
        node = proto.node.add(name=name, op="Placeholder")
        node.attr["dtype"].type = tf.float32.as_datatype_enum
    node = proto.node.add(name="m", op="MatMul", input=["a", "b:0"])
    node.attr["T"].type = tf.float32.as_datatype_enum
    return Case(tf.import_graph_def(proto, return_elements=["m:0"], name=""), graph_only=True)


def case_refused(tf):
    def edit(function):
        proto = small(tf)
        function(proto)
        return proto

    def node(proto, name):
        return [n for n in proto.node if n.name == name][0]
    bad = [edit(lambda p: node(p, "net/y").input.__setitem__(0, "nowhere")), edit(lambda p: setattr(node(p, "net/y"), "op", "NoSuchOp")), edit(lambda p: node(p, "net/y").input.pop()),
           edit(lambda p: node(p, "net/y").input.append("x")), edit(lambda p: node(p, "out").input.__setitem__(0, "net/z:1")), edit(lambda p: setattr(node(p, "net/y"), "name", "x")),
           edit(lambda p: node(p, "net/y").attr["T"].__setattr__("type", 3)), edit(lambda p: node(p, "net/y").attr.pop("T")), edit(lambda p: node(p, "x").attr["nonsense"].__setattr__("i", 3)),
           edit(lambda p: node(p, "net/y").attr["transpose_a"].__setattr__("i", 1)), edit(lambda p: node(p, "out").input.__setitem__(0, "out")), edit(lambda p: node(p, "net/z").input.append("^nowhere")),
           edit(lambda p: setattr(node(p, "x"), "name", "a b")), edit(lambda p: node(p, "x").attr["dtype"].__setattr__("type", 77)), edit(lambda p: setattr(node(p, "x"), "device", "/bad"))]
    good = small(tf)
    return [raises(tf.import_graph_def, p, name="r%d" % i) for i, p in enumerate(bad)] + [
        raises(tf.import_graph_def, 3), raises(tf.import_graph_def, good, input_map={"nowhere:0": tf.constant(1.0)}), raises(tf.import_graph_def, good, input_map=3),
        raises(tf.import_graph_def, good, return_elements=["nowhere:0"]), raises(tf.import_graph_def, good, return_elements=["out:5"]), raises(tf.import_graph_def, good, return_elements=[3]),
        raises(tf.import_graph_def, good, input_map={"x:0": tf.constant(1)}), raises(tf.import_graph_def, good, name="a b"), raises(tf.import_graph_def, good, return_elements="out:0")]


def case_round_trip_control_flow(tf):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.cond(y > 2.0, lambda: y - 1.0, lambda: y * x)), [0, x])[1]
        tf.identity(y, name="y")
    x, y = tf.import_graph_def(graph.as_graph_def(), return_elements=["x:0", "y:0"], name="loop")
    return Case(y, feeds=[{x: 1.5}, {x: 4.0}], steps=2)


def case_round_trip_gradient(tf):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [2], name="x")
        tf.gradients(tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.tanh(y)), [0, x])[1], x, name="g")
        names = [op.name for op in graph.get_operations()]
    tf.import_graph_def(graph.as_graph_def(), name="")
    return {"same": names == [op.name for op in tf.get_default_graph().get_operations()]}


def case_gradient_through_import(tf):
    x = tf.constant([[1.0, 2.0]])
    out, = tf.import_graph_def(small(tf), input_map={"x:0": x}, return_elements=["out:0"])
    return tf.gradients(out, x)


def case_variables(tf):
    graph = tf.Graph()
    with graph.as_default():
        v = tf.Variable([1.0, 2.0], name="v")
        w = tf.Variable([1.0, 2.0], name="w", use_resource=True)
        tf.add(v, w, name="sum")
        tf.global_variables_initializer()
    init, total = tf.import_graph_def(graph.as_graph_def(), return_elements=["init", "sum:0"], name="m")
    return Case(runs=[init, total], init=False)


def case_meta_graph(tf):
    graph = tf.Graph()
    with graph.as_default():
        with tf.variable_scope("net"):
            v = tf.get_variable("v", initializer=[1.0, 2.0])
            tf.add_to_collection("out", v * 2.0)
            tf.add_to_collection("number", 3)
        meta = tf.train.export_meta_graph()
    tf.train.import_meta_graph(meta, import_scope="again")
    return {"out": tf.get_collection("out")[0], "variables": [x.name for x in tf.global_variables()], "number": tf.get_collection("number"), "keys": sorted(meta.collection_def)}


def case_meta_graph_clear(tf):
    with tf.device("/gpu:0"):
        tf.Variable(1.0, name="v")
    meta = tf.train.export_meta_graph(clear_devices=True)
    return {"devices": sorted({n.device for n in meta.graph_def.node}), "ops": sorted(o.name for o in meta.meta_info_def.stripped_op_list.op), "keys": sorted(meta.collection_def)}


def case_export_scope(tf):
    with tf.variable_scope("a"):
        tf.get_variable("v", [1])
    with tf.variable_scope("b"):
        tf.get_variable("v", [1])
    meta = tf.train.export_meta_graph(export_scope="a")
    return {"nodes": [n.name for n in meta.graph_def.node], "keys": sorted(meta.collection_def)}


def case_graph_util(tf):
    x = tf.placeholder(tf.float32, [1], name="x")
    v = tf.Variable([2.0], name="v")
    y = tf.multiply(x, v, name="y")
    tf.square(y, name="z")
    util = tf.graph_util
    proto = tf.get_default_graph().as_graph_def()
    with tf.Session() as session:
        session.run(v.initializer)
        frozen = util.convert_variables_to_constants(session, proto, ["y"])
    return {"sub": [n.name for n in util.extract_sub_graph(proto, ["y"]).node], "frozen": [[n.name, n.op, list(n.input)] for n in frozen.node],
            "training": [n.name for n in util.remove_training_nodes(frozen).node], "must": util.must_run_on_cpu(proto.node[0]), "shape": util.tensor_shape_from_node_def_name(tf.get_default_graph(), "x")}


def case_graph_def_versions(tf):
    proto = small(tf)
    proto.versions.producer = 5
    first = raises(tf.import_graph_def, proto, name="old")
    proto.versions.min_consumer = 10000
    return [first, raises(tf.import_graph_def, proto, name="new")]


def case_strip_default_attrs(tf):
    x = tf.placeholder(tf.float32, [1, 4, 4, 1], name="x")
    tf.nn.conv2d(x, tf.ones([2, 2, 1, 1]), [1, 1, 1, 1], "SAME", name="c")
    meta = tf.train.export_meta_graph(strip_default_attrs=True)
    return {n.name: sorted(n.attr) for n in meta.graph_def.node}


def case_output_shapes_stated(tf):
    """`_output_shapes` of a node fill in what is not known, and are refused where they contradict."""
    def stated(*shapes):
        with tf.Graph().as_default() as graph:
            tf.placeholder(tf.float32, [2, None], name="x")
            tf.identity(tf.placeholder(tf.float32), name="y")
            proto = graph.as_graph_def(add_shapes=True)
        for node in proto.node:
            if node.op == "Placeholder" and node.name == "x":
                node.attr["_output_shapes"].list.ClearField("shape")
                for shape in shapes:
                    node.attr["_output_shapes"].list.shape.add().CopyFrom(tf.TensorShape(shape).as_proto())
        return proto
    found = [tf.import_graph_def(stated(shape), return_elements=["x:0"])[0].shape for shape in ([2, 5], [None, None], None)]
    return found + [raises(tf.import_graph_def, stated(shape)) for shape in ([3, 5], [2], [2, 3, 4])]


def case_placeholders_of_old_graphs(tf):
    """A GraphDef could once not say that a shape is unknown: it said that it is a scalar's."""
    def shape_in(version):
        proto = tf.GraphDef()
        proto.versions.producer = version
        node = proto.node.add(name="x", op="Placeholder")
        node.attr["dtype"].type = tf.float32.as_datatype_enum
        node.attr["shape"].shape.SetInParent()
        with tf.Graph().as_default():
            x, = tf.import_graph_def(proto, return_elements=["x:0"])
            return [str(x.shape), str(tf.placeholder(tf.float32, []).shape)]
    return [shape_in(version) for version in (0, 20, 21, 22, 24)]

"""Operations made by hand, their inputs, what a graph collects, and constants that are not what they say."""
from golden_case import Case, raises, says


def _node(tf, name, op, dtype=None, **fields):
    node = tf.GraphDef().node.add(name=name, op=op, **fields)
    if dtype is not None:
        node.attr["T"].type = dtype.as_datatype_enum
    return node


def _facts(op):
    return [op.name, op.type, [t.name for t in op.inputs], [t.name for t in op.outputs], op.device,
            [c.name for c in op.control_inputs]]


def case_made_by_hand(tf):
    graph = tf.get_default_graph()
    x = tf.constant(2.0, name="x")
    made = [
        tf.Operation(_node(tf, "a", "NoOp"), graph),
        tf.Operation(_node(tf, "b", "Identity", tf.float32), graph, [x], [tf.float32]),
        tf.Operation(_node(tf, "c", "Identity"), graph, inputs=[x]),
        tf.Operation(_node(tf, "d", "NoOp"), graph, control_inputs=[x, x.op]),
        tf.Operation(_node(tf, "e", "Identity", tf.float32), graph, [x], [tf.float32], None, [tf.float32]),
        tf.Operation(_node(tf, "f", "NoOp", device="/cpu:0"), graph),
        tf.Operation(_node(tf, "g", "Identity", tf.float32, input=["nothing"]), graph, [x]),
        tf.Operation(_node(tf, "h", "NoOp"), graph, original_op=x.op),
    ]
    with tf.name_scope("scope"), tf.device("/cpu:0"), tf.control_dependencies([x]):
        made.append(tf.Operation(_node(tf, "i", "NoOp"), graph))
    return Case(
        [[_facts(op) for op in made], made[-2]._original_op.name, made[1].outputs[0].shape, made[1].outputs[0],
         graph.get_operation_by_name("a") is made[0]],
    )


def case_refused_by_hand(tf):
    graph = tf.get_default_graph()
    x = tf.constant(2.0, name="x")

    def tries(pattern, node, *args, **kwargs):
        return says(pattern, tf.Operation, node, *args, **kwargs)

    return Case([
        tries("node_def needs to be a NodeDef", "x", graph),
        tries("node_def needs to be a NodeDef", None, graph),
        tries("g needs to be a Graph", _node(tf, "a", "NoOp"), "g"),
        tries("'_a' is not a valid node name", _node(tf, "_a", "NoOp"), graph),
        tries("not a valid node name", _node(tf, "a b", "NoOp"), graph),
        tries("not a valid node name", _node(tf, "", "NoOp"), graph),
        tries("inputs needs to be a list of Tensors", _node(tf, "a", "NoOp"), graph, inputs=x),
        tries("input needs to be a Tensor: 1", _node(tf, "a", "NoOp"), graph, inputs=[1]),
        tries("Op type not registered 'Nope'", _node(tf, "a", "Nope"), graph),
        tries("input types .* are not compatible with expected types", _node(tf, "a", "Identity", tf.float32), graph,
              [x], [tf.float32], None, [tf.int32]),
        tries("Control input must be an Operation, a Tensor, or IndexedSlices: x", _node(tf, "a", "NoOp"), graph,
              control_inputs=["x"]),
        tries("", _node(tf, "a", "Identity", tf.int32), graph, [x], [tf.int32]),
        tries("Duplicate node name in graph: 'x'", _node(tf, "x", "NoOp"), graph),
    ])


def case_inputs(tf):
    x, y = tf.constant(1.0, name="x"), tf.constant(2.0, name="y")
    op = tf.add(x, y, name="sum").op
    inputs = op.inputs
    return Case([
        len(inputs), bool(inputs), bool(x.op.inputs), isinstance(inputs, (list, tuple)), inputs is op.inputs,
        inputs == [x, y], [x, y] == inputs, list(inputs) == [x, y], [type(part).__name__ for part in (inputs[:1],)],
        inputs[-1].name, x in inputs, [t.name for t in reversed(inputs)], [t.name for t in inputs[::-1]],
        raises(lambda: inputs[2]), raises(lambda: inputs["x"]), raises(lambda: inputs + [x]), raises(lambda: [x] + inputs),
        raises(lambda: inputs.index(x)), raises(lambda: inputs.append(x)), raises(lambda: inputs < [x]),
        len(tf.nest.flatten(inputs)), raises(tf.identity_n, inputs), raises(tf.group, inputs),
    ])


def case_replaced_input(tf):
    x, y, z = tf.constant(1.0, name="x"), tf.constant(2.0, name="y"), tf.constant(5.0, name="z")
    total = tf.add(x, y, name="sum")
    before = [t.name for t in total.op.inputs]
    total.op._update_input(1, z)
    return Case([before, [t.name for t in total.op.inputs], total])


def case_collections(tf):
    graph = tf.get_default_graph()
    found = [sorted(map(str, graph.collections))]
    tf.get_variable("v", [2], initializer=tf.zeros_initializer())
    found += [sorted(map(str, graph.collections)), sorted(graph.get_all_collection_keys())]
    graph.add_to_collection(("pair",), 1)
    graph.add_to_collection(3, 1)
    graph.get_collection_ref("empty")
    graph.get_collection("never")
    found += [sorted(map(str, graph.collections)), sorted(graph.get_all_collection_keys())]
    graph.add_to_collections(("x", ("y", "z")), 5)
    found += [graph.get_collection(("y", "z")), graph.get_collection("x")]
    graph.clear_collection("empty")
    graph.clear_collection(("pair",))
    found += [sorted(map(str, graph.collections)), raises(graph.add_to_collection, [1], 2)]
    scopes = graph.get_collection(("__varscope",))[0]
    with tf.variable_scope("s"):
        with tf.variable_scope("t"):
            found.append(scopes.current_scope.name)
    found += [scopes.current_scope.name, dict(scopes.variable_scopes_count)]
    graph.clear_collection(("__variable_store",))
    found.append(tf.get_variable("v", [2], initializer=tf.zeros_initializer()).name)
    return Case([found], collections=False, graph=False)


def _import_constant(tf, dtype, value):
    graph_def = tf.GraphDef()
    node = graph_def.node.add(name="a", op="Const")
    node.attr["dtype"].type = dtype.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value))
    return tf.import_graph_def(graph_def, name="", return_elements=["a:0"])[0]


def case_constants_of_other_dtypes(tf):
    found = []
    for dtype, value in ((tf.float32, 1), (tf.int32, [1.0, 2.0]), (tf.string, 3), (tf.float32, "a"), (tf.bool, 1)):
        with tf.Graph().as_default():
            tensor = _import_constant(tf, dtype, value)
            other, behind = tf.constant(1.0), tf.identity(tensor)
            with tf.Session() as session:
                found += [tensor.dtype, tensor.shape, session.run(other)]
                found += [says("Type mismatch between value", session.run, t) for t in (tensor, behind)]
                found += [session.run(behind, {tensor: tensor.dtype.as_numpy_dtype(7) * 1 if dtype is tf.float32 else 0})
                          if dtype is tf.float32 and value == 1 else 0]
    return Case(found, graph=False)


def case_sizes_of_constants(tf):
    return Case([
        tf.constant(1.0, shape=[2.5]), tf.constant([1.0, 2.0], shape=(2.9,)), tf.zeros([2.5]), tf.ones([2, 1.9]),
        tf.zeros([2.0]), tf.zeros(tf.Dimension(2)), tf.constant(1, shape=tf.TensorShape([2])),
        raises(tf.constant, 1.0, shape=2.5), raises(tf.constant, 1.0, shape=-1), raises(tf.constant, 1.0, shape=True),
        raises(tf.constant, 1.0, shape=["2"]), raises(tf.zeros, 2.5), raises(tf.zeros, ["a"]),
        raises(tf.make_tensor_proto, 1.0, shape=["2"]),
    ], graph=False)

"""What errors say, where programs and unit tests read it: runs, feeds, sessions, conditionals and loops."""
import re

from golden_case import Case, raises, says


def _run(tf, fetches, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feeds)


def _facts(tf, fetches, feeds=None):
    """The class, the message without places, and the operation of the error of a run."""
    try:
        _run(tf, fetches, feeds)
    except tf.errors.OpError as error:
        message = re.sub(r" \(defined at .*?\) \]\]", "]]", error.message)
        whole = str(error)
        originally = re.findall("originally created as op '(.*?)', defined at:\n  File ", whole)
        trace = "Original stack trace for " in whole and whole.startswith(error.message)
        return [type(error).__name__, message, error.op and error.op.name, error.args, repr(error), trace, originally]
    return "no error"


def _facts_of_call(tf, fetches, feeds=None):
    """The class and the operation of the error of a run of functions, and whether it names the node within."""
    try:
        _run(tf, fetches, feeds)
    except tf.errors.OpError as error:
        return [type(error).__name__, error.op, error.node_def, "{{node" in error.message]
    return "no error"


def case_nodes_of_runs(tf):
    x = tf.placeholder(tf.float32, name="x")
    index = tf.placeholder(tf.int32, name="index")
    product = tf.matmul(x, tf.ones([3, 2]), name="product")
    picked = tf.gather([1.0, 2.0], index, name="picked")
    mapped = tf.map_fn(lambda i: tf.gather([1.0, 2.0], i), index, dtype=tf.float32)
    given = tf.placeholder(tf.float32)
    slope = tf.gradients(tf.matmul(x, tf.ones([2, 2])), x, grad_ys=[given])
    return {
        "product": _facts(tf, product, {x: [[1.0, 2.0]]}),
        "unfed": _facts(tf, product),
        "picked": _facts(tf, picked, {index: 7}),
        "picked_row": _facts(tf, picked, {index: [0, 7]}),
        "mapped": _facts(tf, mapped, {index: [7]}),
        "slope": _facts(tf, slope, {x: [[1.0, 1.0]], given: [[1.0]]}),
    }


def case_nodes_of_functions(tf):
    x = tf.placeholder(tf.int32)
    called = tf.function(lambda i: tf.gather([1.0, 2.0], i))(x)
    tf.enable_control_flow_v2()
    chosen = tf.cond(x > 1, lambda: tf.gather([1.0, 2.0], x), lambda: 1.0)
    tf.disable_control_flow_v2()
    return Case({"called": _facts_of_call(tf, called, {x: 7}), "chosen": _facts_of_call(tf, chosen, {x: 7})}, graph=False)


def case_timeout(tf):
    queue = tf.FIFOQueue(1, tf.float32)
    session = tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=50))
    try:
        session.run(queue.dequeue())
    except tf.errors.DeadlineExceededError as error:
        return {"message": error.message, "op": error.op}


def case_feeds(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    small, text = tf.placeholder(tf.int8), tf.placeholder(tf.string)
    c, other = tf.constant(1, name="c"), tf.constant(2)
    tf.get_default_graph().prevent_fetching(other.op)
    y = x + 1
    no_session = {
        "eval": says("Use `with sess.as_default..` or pass", x.eval),
        "run": says("Use `with sess.as_default..:` or pass", c.op.run),
    }
    with tf.Session() as session:
        run = session.run
        return {
            **no_session,
            "large": says(r"with Tensor type <class 'numpy.int8'>", run, small, {small: 1000}),
            "number": says(r"with Tensor type <class 'object'>", run, text, {text: 3}),
            "no_dict": says("^input must be a dictionary$", run, y, [x]),
            "flat": says(r"Key had 1 elements, but value had 2 elements", run, y, {(x,): [[1.0, 2.0]]}),
            "hidden": says("has been marked as not fetchable. Typically this happens when it is defined in", run, other),
            "foreign": says("the operation's graph is different", c.op.run, session=tf.Session(graph=tf.Graph())),
        }


def case_sessions(tf):
    x = tf.constant(1.0)
    closed = tf.Session()
    closed.close()
    session = tf.Session()

    def twice():
        with session:
            with session:
                pass

    with tf.Session() as other:
        empty = other.make_callable([], [])()
        metadata = tf.RunMetadata()
        other.run(x + 1, options=tf.RunOptions(output_partition_graphs=True), run_metadata=metadata)
    return Case({
        "run": raises(closed.run, x), "callable": raises(closed.make_callable, x),
        "twice": says("not re-entrant. Use `Session.as_default..` if you want", twice), "empty": empty,
        "graphs": len(metadata.partition_graphs), "traced": metadata.HasField("step_stats"),
    }, graph=False)


def case_partial_runs(tf):
    a, b, c = (tf.placeholder(tf.float32, [], name=name) for name in "abc")
    total = tf.add(a, b, name="total")
    product = tf.multiply(total, c, name="product")
    with tf.Session() as session:
        handle = session.partial_run_setup([total, product], [a, b, c])
        return {
            "handle": handle.rpartition(";")[0],
            "late": says("Fetch c:0 can't be computed from the feeds", session.partial_run, handle, product, {a: 1}),
            "kept": says("Fetch b:0 can't be computed from the feeds", session.partial_run, handle, total, {a: 1}),
            "total": session.partial_run(handle, total, {a: 1, b: 2}),
        }


def case_python_functions(tf):
    def fails(*args):
        raise KeyError("gone")

    x = tf.placeholder(tf.float32)
    plain, eager = tf.py_func(fails, [x], tf.float32), tf.py_function(fails, [x], tf.float32)
    many = tf.py_function(lambda v: (v, v), [x], tf.float32)
    few = tf.py_function(lambda v: [v], [x], [tf.float32, tf.float32])
    pattern = r"^KeyError: 'gone'\nTraceback \(most recent call last\):\n\n  File "
    return {
        "plain": says(pattern, _run, tf, plain, {x: 1.0}), "eager": says(pattern, _run, tf, eager, {x: 1.0}),
        "code": says(r'raise KeyError\("gone"\)', _run, tf, plain, {x: 1.0}), "many": _run(tf, many, {x: 3.0}),
        "few": says("returns 1 values, but expects to see 2 values", _run, tf, few, {x: 1.0}),
    }


def case_conditionals(tf):
    true = tf.constant(True)
    one, two = (lambda: 1), (lambda: 2)
    return {
        "structure": says("^The two structures don't have the same", tf.cond, true, one, lambda: (1, 2)),
        "number": says("Input 'pred' of 'Switch' Op has type int32", tf.cond, 1, one, two),
        "text": says("Input 'pred' of 'Switch' Op has type string", tf.cond, "a", one, two),
        "no_pairs": says("not enough values to unpack", tf.case, []),
        "python_bool": says("^pred must be a Tensor, got: True", tf.case, [(True, one)]),
        "integer": says("^pred must be Tensor of type bool: ", tf.case, [(tf.constant(1), one)]),
        "twice": says("but found .0,0.$", tf.switch_case, tf.constant(0), [(0, one), (0, two)]),
        "types": says(
            "(?s)must have the same number, type, and overall structure of return values.\n\nbranches.0. output: Tensor"
            ".*Error details:\nTensor.* have different types", tf.switch_case, tf.constant(0), [one, lambda: 2.0],
        ),
        "lengths": raises(tf.switch_case, tf.constant(0), [one, lambda: [1, 2]]),
    }


def case_functional_conditionals(tf):
    tf.enable_control_flow_v2()
    true = tf.constant(True)
    results = {
        "types": says("true_fn output: .*\nfalse_fn output: .*\n\nError details:\n.*different types", tf.cond, true,
                      lambda: 1, lambda: 2.0),
        "keys": says("Error details:\nThe two structures", tf.cond, true, lambda: {"a": 1}, lambda: {"b": 1}),
        "lengths": raises(tf.cond, true, lambda: (1,), lambda: (1, 2)),
        "nones": says(r"Lengths of branch outputs of cond must match.\nlen\(graphs.0..outputs\): 1", tf.cond, true,
                      lambda: (None, 1), lambda: (1, 1)),
        "nothing": raises(tf.cond, true, lambda: None, lambda: None),
        "python_bool": raises(tf.cond, True, lambda: 1, lambda: 2),
    }
    for name, predicate in (("integer", 1), ("float", 1.0), ("text", "a")):
        chosen = tf.cond(tf.constant(predicate), lambda: 1, lambda: 2)
        results[name] = says("Input 'pred' passed .* expected bool while building NodeDef", _run, tf, chosen)
    tf.disable_control_flow_v2()
    return Case(results, graph=False)


def case_functional_loops(tf):
    tf.enable_control_flow_v2()
    loop, less, x = tf.while_loop, (lambda i: i < 3), tf.ones([1])
    results = {
        "no_condition": says("cond_graph has 0 outputs; Expected: 1", loop, lambda i: None, lambda i: i + 1, [0]),
        "conditions": says("cond_graph has 2 outputs; Expected: 1", loop, lambda i: (True, True), lambda i: i, [0]),
        "no_result": says("body_graph has 2 outputs; Expected: 3", loop, less, lambda i: None, [0]),
        "dict": raises(loop, lambda d: d["a"] < 3, lambda d: {"a": d["a"] + 1}, [{"a": 0}]),
        "type": says("with type <dtype: 'int32'> but has type <dtype: 'float32'>", loop, less, lambda i: 1.0, [0]),
        "grown": says(r"enters the loop with shape \(2,\), but has shape \(4,\)", loop, lambda v: True,
                      lambda v: tf.concat([v, v], 0), [x], shape_invariants=[tf.TensorShape([2])]),
        "invariants": raises(loop, less, lambda i: i, [0], shape_invariants=[tf.TensorShape([])] * 2),
    }
    text = loop(lambda i, s: s, lambda i, s: (i + 1, ""), [0, "a"])
    results["text"] = says("passed string expected bool while building NodeDef 'while.*LoopCond", _run, tf, text)
    results["name"] = [v.name for v in loop(lambda i, j: i < 3, lambda i, j: (i + 1, j), [0, 1], name="counted")]
    tf.disable_control_flow_v2()
    return Case(results, graph=False)


def case_functional_loop_graph(tf):
    tf.enable_control_flow_v2()
    i, total = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * 2.0), [0, 1.0], maximum_iterations=7)
    tf.disable_control_flow_v2()
    return [i, total]


def case_loops(tf):
    x = tf.ones([1, 2])
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 2])
    shapes = [tf.TensorShape([]), tf.TensorShape([None, None])]

    def doubled(v):
        return tf.concat([v, v], 0)

    return {
        "no_shape": raises(tf.while_loop, lambda v: True, doubled, [x], shape_invariants=[None]),
        "sparse": says("^Expected a shape with 1 dimension$", tf.while_loop, lambda i, s: True, lambda i, s: (i, s),
                       [0, sparse], shape_invariants=shapes),
    }


def case_gradient_of_a_gradient_in_a_loop(tf):
    x = tf.constant(2.0)

    def body(i, a):
        result = tf.while_loop(lambda b: b < 10, lambda b: b * b, [a])
        return i + 1, tf.gradients(result, a)[0]

    _, result = tf.while_loop(lambda i, a: i < 1, body, [0, x])
    return [result, tf.gradients(result, x)]


def case_signatures(tf):
    spec = tf.TensorSpec

    @tf.function(input_signature=[spec([None], tf.float32), spec([], tf.int32)])
    def both(x, y=3):
        return x, y

    @tf.function(input_signature=([spec([None], tf.float32), spec([], tf.int32)], spec([], tf.int32)))
    def nested(items, y):
        return items, y

    return Case({
        "lists": _run(tf, both([1.0], 2)), "default": _run(tf, both([1.0])), "nested": _run(tf, nested([[1.0], 2], 3)),
        "rank": says(r"incompatible with input_signature:\n  inputs: \(\n    ", both, 1.0, 2),
        "structure": says("does not match input_signature:\n  inputs:", nested, [[1.0]], 3),
        "number": raises(nested, 1.0, 3),
        "no_function": raises(tf.function, 3),
        "no_sequence": says("must be a possibly nested sequence", tf.function, both, input_signature=3),
    }, graph=False)


def _import(tf, text):
    from google.protobuf import text_format

    definition = tf.GraphDef()
    text_format.Merge(text, definition)
    return tf.import_graph_def(definition, name="i")


def _said(function, *args):
    try:
        function(*args)
    except Exception as error:
        return [type(error).__name__, str(error)]
    return "no error"


def case_imports(tf):
    kind = 'attr { key: "T" value { type: DT_FLOAT } }'
    holder = 'node { name: "A" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } } '
    node = 'node { name: "B" op: "%s" input: "A" %s }'
    texts = {
        "no_input": 'node { name: "B" op: "Neg" %s }' % kind, "no_attr": node % ("Neg", ""),
        "attr": node % ("Neg", kind + 'attr { key: "zz" value { i: 1 } }'),
        "output": 'node { name: "B" op: "Neg" input: "A:1" %s }' % kind,
        "consumer": "versions { producer: 21 min_consumer: 1000 }", "bad": "versions { bad_consumers: 134 }",
        "producer": "versions { producer: -1 }",
    }
    for op in ("MatMul", "VariableV2", "FIFOQueueV2", "ConcatV2", "PyFunc", "Conv2D", "LRN", "TensorArrayV3"):
        texts[op] = 'node { name: "B" op: "%s" attr { key: "zz" value { i: 1 } } }' % op
    found = {name: _said(_import, tf, holder + text) for name, text in texts.items()}
    found["unknown"] = says("^Op type not registered 'Oops' in binary running on ", _import, tf, 'node { name: "A" op: "Oops" }')
    made = []
    for names in (["A:0:0"], [3], ["A"]):
        with tf.Graph().as_default() as source:
            tf.placeholder(tf.float32, name="A")
        try:
            made += tf.import_graph_def(source.as_graph_def(), return_elements=names)
        except (TypeError, ValueError):
            pass
    found["name"] = made[0].name
    return Case(found, graph=False)


def case_tensor_arrays(tf):
    def of(function, **options):
        options.setdefault("size", 3)
        return _facts_of_array(tf, function(tf.TensorArray(tf.float32, tensor_array_name="foo", **options)))

    def refused(function, **options):
        return _said(lambda: function(tf.TensorArray(tf.float32, 3, **options)))

    strings = tf.TensorArray(tf.string, 2, element_shape=[]).write(0, "a").stack()
    return Case({
        "low": of(lambda t: t.write(-1, 1.0).flow), "high": of(lambda t: t.write(5, 1.0).flow),
        "low_in_growing": of(lambda t: t.write(-1, 1.0).flow, dynamic_size=True),
        "read": of(lambda t: t.read(5)), "read_low": of(lambda t: t.read(-1)), "unwritten": of(lambda t: t.read(0)),
        "twice": of(lambda t: t.write(0, 1.0).write(0, 2.0).flow), "scatter": of(lambda t: t.scatter([0, 5], [1.0, 2.0]).flow),
        "scalars": of(lambda t: t.write(0, 1.0).concat(), size=1), "strings": _facts_of_array(tf, strings),
        "shape": refused(lambda t: t.write(0, [1.0, 2.0, 3.0]), element_shape=[2]),
        "split": refused(lambda t: t.split([[1.0, 2.0, 3.0]], [1]), element_shape=[2]),
        "handle": _said(lambda: tf.TensorArray(tf.float32, handle=tf.TensorArray(tf.float32, 3).handle)),
        "used": tf.TensorArray(tf.float32, 3).write(0, 1.0).mark_used(),
    }, graph=False)


def _facts_of_array(tf, fetches):
    """The class and message of the error of a run; numbers of arrays vary."""
    try:
        _run(tf, fetches)
    except tf.errors.OpError as error:
        return [type(error).__name__, re.sub(r"foo_\d+", "foo_N", error.message.split("\n")[0])]
    return "no error"


def case_private_names(tf):
    graph = tf.get_default_graph()
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.square(x, name="y")
    with graph.gradient_override_map({"Square": "Neg"}):
        overridden = dict(graph._gradient_override_map)
    return {
        "rank": x._rank(), "shape": list(x._shape_tuple()), "node": y.op._node_def.name, "op": y.op._op_def.name,
        "ids": sorted(graph._nodes_by_id) == sorted(op._id for op in graph.get_operations()),
        "names": sorted(graph._nodes_by_name), "function": graph._is_function("f"), "none": graph._get_function("f"),
        "versions": graph._graph_def_versions.producer, "nodes": len(graph._as_graph_def()[0].node),
        "version": graph._as_graph_def()[1] == graph.version, "by_name": graph._get_operation_by_name_unsafe("y").name,
        "map": overridden, "unfetchable": len(graph._unfetchable_ops), "unfeedable": len(graph._unfeedable_tensors),
    }


def case_gradient_types(tf):
    x = tf.constant(1.0)
    c = tf.cast(x, tf.complex64)
    return {
        "text": _said(tf.gradients, x * x, x, "a"), "real": _said(tf.gradients, c * c, c, 1.0),
        "complex": _said(tf.gradients, x * x, x, tf.constant(1j, tf.complex64)),
    }


def case_contexts(tf):
    inside = []

    def body(i):
        inside.append(tf.get_default_graph()._get_control_flow_context())
        return i + 1

    tf.while_loop(lambda i: i < 3, body, [0])
    tf.cond(tf.constant(True), lambda: 1, lambda: 2)
    loop, branch = inside[0], tf.get_collection(tf.GraphKeys.COND_CONTEXT)[0]
    return Case({
        "loop": str(loop.to_proto()), "branch": str(branch.to_proto()), "outside": loop.to_proto("elsewhere"),
        "compiled": loop.IsXLAContext(),
    }, graph=False)


def case_values_of_lists(tf):
    return {
        "rows": _said(tf.constant, [[1], [2, 3]]), "texts": _said(tf.constant, [["a"], ["b", "c"]]),
        "scope": _said(lambda: tf.get_default_graph()._attr_scope(3).__enter__()),
    }


def case_closed_arrays(tf):
    def attempt(use):
        with tf.Graph().as_default():
            array = tf.TensorArray(tf.float32, 2, infer_shape=False)
            with tf.control_dependencies([array.close()]):
                _run(tf, use(array))

    return Case([
        says("TensorArray .* has already been closed", attempt, lambda a: a.write(0, 1.0).flow),
        says("TensorArray .* has already been closed", attempt, lambda a: a.read(0)),
        says("TensorArray size must be scalar", _run, tf, tf.TensorArray(tf.float32, tf.placeholder_with_default([1], None)).flow),
    ])

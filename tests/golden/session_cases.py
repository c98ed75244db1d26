"""Session.run: nested fetches, feeds of any tensor, errors by class, partial runs, callables."""
import collections

import numpy as np
from golden_case import Case, raises


def run(tf, *args, **kwargs):
    with tf.Session() as session:
        return session.run(*args, **kwargs)


def plain(value):
    """A run's result as facts."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__] + [plain(item) for item in value]
    return [type(value).__name__.rstrip("_"), str(getattr(value, "dtype", "")), np.asarray(value).tolist() if not isinstance(value, (bytes, type(None))) else str(value)]


def case_fetch_structures(tf):
    a, b = tf.constant(1.0, name="a"), tf.constant([1, 2], name="b")
    pair = collections.namedtuple("Pair", "x y")
    return {"single": plain(run(tf, a)), "list": plain(run(tf, [a, b])), "tuple": plain(run(tf, (a, [b]))), "dict": plain(run(tf, {"k": a, "l": [b]})), "named": plain(run(tf, pair(a, b))),
            "op": plain(run(tf, a.op)), "string": plain(run(tf, "a:0")), "op_string": plain(run(tf, "a")), "empty": plain(run(tf, [])), "twice": plain(run(tf, [a, a])), "nested": plain(run(tf, [[a], {"z": (b,)}])),
            "ordered": list(run(tf, collections.OrderedDict([("z", a), ("b", b)])))}


def case_fetch_types(tf):
    values = [tf.constant(1), tf.constant(1.5, tf.float64), tf.constant(True), tf.constant("s"), tf.constant(["a", "b"]), tf.constant([], tf.float32), tf.constant(1j), tf.constant([[1]], tf.uint8), tf.constant(b"\xff\x00"), tf.constant([1.0], tf.float16)]
    return [plain(run(tf, value)) for value in values]


def case_fetch_composites(tf):
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 2])
    slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([3, 1]))
    return {"sparse": plain(run(tf, sparse)), "slices": plain(run(tf, slices)), "no_shape": plain(run(tf, tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))))}


def case_fetch_variable(tf):
    v = tf.Variable([1.0, 2.0])
    w = tf.Variable([1.0, 2.0], use_resource=True)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return plain(session.run([v, w, v.op if False else v.initializer]))


def case_feed_kinds(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    y = x * 2.0
    return {"list": plain(run(tf, y, {x: [1, 2]})), "numpy": plain(run(tf, y, {x: np.arange(2)})), "string": plain(run(tf, y, {"x:0": [1.0]})), "scalar_bool": raises(run, tf, y, {x: True}),
            "int64": plain(run(tf, y, {x: np.array([2 ** 40])})), "intermediate": plain(run(tf, y, {y: [7.0]})), "constant": plain(run(tf, "c:0" if False else tf.constant(3.0, name="c") + 1.0, {"c:0": 5.0})), "tuple": plain(run(tf, y, {x: (1, 2)}))}


def case_feed_structures(tf):
    sparse = tf.sparse_placeholder(tf.float32)
    dense = tf.sparse_tensor_to_dense(sparse)
    slices = tf.IndexedSlices(tf.placeholder(tf.float32), tf.placeholder(tf.int32), tf.constant([2, 1]))
    total = tf.convert_to_tensor(slices)
    return {"sparse": plain(run(tf, dense, {sparse: tf.SparseTensorValue([[0, 0]], [1.0], [1, 2])})), "tuple": plain(run(tf, dense, {sparse: ([[0, 1]], [1.0], [1, 2])})),
            "slices": plain(run(tf, total, {slices: (np.array([[5.0]]), np.array([1]), np.array([2, 1]))}))}


def case_feed_refused(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    i = tf.placeholder(tf.int32, [], name="i")
    y, c = x + 1.0, tf.constant(1.0)
    return [raises(run, tf, y), raises(run, tf, y, {x: [1.0, 2.0, 3.0]}), raises(run, tf, y, {x: "a"}), raises(run, tf, y, {x: None}), raises(run, tf, y, {x: c}), raises(run, tf, y, {"nope:0": 1}), raises(run, tf, y, {3: 1}),
            raises(run, tf, y, 3), raises(run, tf, i + 1, {i: 1.5}), raises(run, tf, i + 1, {i: 2 ** 40}), raises(run, tf, y, {x.op: [1.0, 2.0]}), raises(run, tf, y, {x: [[1.0], [1.0, 2.0]]}), raises(run, tf, y, {x: object()}),
            raises(run, tf, i + 1, {i: "3"}), raises(run, tf, i + 1, {i: np.int64(3)}), raises(run, tf, i + 1, {i: [1]}), raises(run, tf, i + 1, {i: np.float64(2.0)})]


def case_fetch_refused(tf):
    a = tf.constant(1.0)
    other = tf.Graph()
    with other.as_default():
        b = tf.constant(1.0)
    return [raises(run, tf, None), raises(run, tf, 3), raises(run, tf, [a, None]), raises(run, tf, "nope"), raises(run, tf, "nope:0"), raises(run, tf, b), raises(run, tf, object()), raises(run, tf, {"a": None}), raises(run, tf, a, options=3)]


def case_closed(tf):
    a = tf.constant(1.0)
    session = tf.Session()
    session.close()
    session.close()
    return raises(session.run, a)


def case_empty_graph(tf):
    return raises(run, tf, [tf.no_op()]), raises(tf.Session(graph=tf.Graph()).run, "x")


def case_eval_and_run(tf):
    a, v = tf.constant([1.0]), tf.Variable(1.0)
    without = raises(a.eval)
    with tf.Session() as session:
        v.initializer.run()
        return {"without": without, "eval": plain(a.eval()), "feed": plain((a + 1.0).eval({a: [5.0]})), "session": plain(a.eval(session=session)), "default": tf.get_default_session() is session,
                "variable": plain(v.eval()), "graph": session.graph is tf.get_default_graph(), "after": session.run(v.initializer) is None}


def case_interactive(tf):
    session = tf.InteractiveSession()
    value = plain(tf.constant(3.0).eval())
    session.close()
    return {"value": value, "none": tf.get_default_session() is None}


def case_session_as_default(tf):
    a = tf.constant(2.0)
    with tf.Session().as_default():
        value = a.eval()
    other = tf.Graph()
    with tf.Session(graph=other):
        facts = [tf.get_default_graph() is other, raises(a.eval)]
    return {"value": float(value), "facts": facts}


def case_make_callable(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    y = x * 2.0
    with tf.Session() as session:
        f = session.make_callable([y, {"sum": tf.reduce_sum(y)}], [x])
        g = session.make_callable(y.op, [x])
        h = session.make_callable(tf.constant(1.0))
        return {"f": plain(f([1.0, 2.0])), "g": plain(g([1.0, 2.0])), "h": plain(h()), "few": raises(f), "many": raises(f, [1.0, 2.0], 3), "name": raises(session.make_callable, y, ["x"])}


def case_partial_run(tf):
    a, b, c = (tf.placeholder(tf.float32, [], name=n) for n in "abc")
    r1 = a + b
    r2 = r1 * c
    with tf.Session() as session:
        handle = session.partial_run_setup([r1, r2], [a, b, c])
        first = session.partial_run(handle, r1, feed_dict={a: 1.0, b: 2.0})
        second = session.partial_run(handle, r2, feed_dict={c: float(first) * 10.0})
        return {"first": float(first), "second": float(second), "again": raises(session.partial_run, handle, r2)}


def case_run_metadata(tf):
    a = tf.constant(1.0) + 2.0
    metadata = tf.RunMetadata()
    value = run(tf, a, options=tf.RunOptions(trace_level=tf.RunOptions.NO_TRACE), run_metadata=metadata)
    return {"value": float(value), "bad": raises(run, tf, a, run_metadata=3)}


def case_state_between_runs(tf):
    v = tf.Variable(1.0)
    add = v.assign_add(1.0)
    with tf.Session() as first, tf.Session() as second:
        first.run(v.initializer)
        first.run(add)
        second.run(v.initializer)
        return {"first": float(first.run(v)), "second": float(second.run(v)), "after": float(first.run(add))}


def case_extend_after_run(tf):
    v = tf.Variable(1.0)
    with tf.Session() as session:
        session.run(v.initializer)
        doubled = v * 2.0
        w = tf.Variable(3.0)
        return {"doubled": float(session.run(doubled)), "w": raises(session.run, w), "init": session.run(w.initializer) is None}


def case_runs_once(tf):
    v = tf.Variable(0.0)
    add = v.assign_add(1.0)
    outs = [add + 0.0, tf.identity(add), add * 2.0]
    return Case(runs=[[out.op for out in outs], v])


def case_unneeded_not_run(tf):
    v = tf.Variable(0.0)
    v.assign_add(1.0)
    bad = tf.placeholder(tf.float32)
    return Case(runs=[v, v, tf.constant(1.0) + 1.0, {"bad": bad.name}])


def case_feed_stops_upstream(tf):
    x = tf.placeholder(tf.float32, [])
    y = x + 1.0
    z = y * 2.0
    return Case(z, feeds={y: 10.0})


def case_control_runs(tf):
    v = tf.Variable(1.0)
    with tf.control_dependencies([v.assign_add(5.0)]):
        x = tf.constant(2.0)
        y = tf.identity(x)
    return Case(runs=[y, v.read_value()])


def case_duplicate_work_merges_not_stateful(tf):
    a, b = tf.random_uniform([2], seed=1), tf.random_uniform([2], seed=1)
    v = tf.Variable(0.0)
    adds = [v.assign_add(1.0), v.assign_add(1.0)]
    return Case(runs=[[a, b], [add.op for add in adds], v])


def case_feed_tensor_with_dtype(tf):
    kinds = ["float16", "float64", "int8", "uint8", "int16", "uint16", "int64", "bool", "complex64", "complex128", "string"]
    xs = {kind: tf.placeholder(kind, [None], name=kind) for kind in kinds}
    values = {kind: ["a", "bc"] if kind == "string" else [1, 0] for kind in kinds}
    return Case({kind: tf.identity(x) for kind, x in xs.items()}, feeds={xs[kind]: values[kind] for kind in kinds})


def case_unicode_strings(tf):
    x = tf.placeholder(tf.string)
    return Case([tf.identity(x), tf.string_join([x, "!"])], feeds=[{x: u"h\u00e9"}, {x: [u"\u4e2d", u"b"]}, {x: b"\xff"}, {x: np.array(["x", "yz"])}], steps=4)


def case_assert(tf):
    x = tf.placeholder(tf.float32, [])
    with tf.control_dependencies([tf.Assert(tf.greater(x, 0.0), ["not positive", x])]):
        y = tf.identity(x)
    return Case(y, feeds=[{x: 1.0}, {x: -1.0}], steps=2)


def case_assert_static(tf):
    return raises(tf.Assert, False, ["no"]), tf.Assert(True, ["yes"])


def case_py_func(tf):
    x = tf.constant([1.0, 2.0])
    y = tf.py_func(lambda v: v * 2.0, [x], tf.float32)
    a, b = tf.py_func(lambda: (np.int64(3), b"text"), [], [tf.int64, tf.string], stateful=False, name="pair")
    return [y, a, b, tf.py_func(lambda v: None, [x], [])]


def case_py_func_errors(tf):
    def boom(v):
        raise KeyError("x")

    def index(v):
        raise IndexError("y")

    def stop(v):
        raise StopIteration("z")

    def zero(v):
        return 1 // 0
    x = tf.constant(1.0)
    return [raises(run, tf, tf.py_func(f, [x], tf.float32)) for f in (boom, index, stop, zero, lambda v: np.float64(1), lambda v: (v, v), lambda v: object(), lambda v: "a" if False else None)]


def case_print(tf):
    x = tf.constant([1.0, 2.0])
    return [tf.Print(x, [x, x + 1.0], "values: ", first_n=1, summarize=1)]


def case_check_numerics(tf):
    x = tf.placeholder(tf.float32)
    return Case(tf.check_numerics(x, "x is bad"), feeds=[{x: 1.0}, {x: float("inf")}], steps=2)


def case_verify_finite(tf):
    return tf.verify_tensor_all_finite(tf.constant([1.0]), "bad"), tf.add_check_numerics_ops() if False else tf.no_op()


def case_queue(tf):
    queue = tf.FIFOQueue(3, [tf.float32], [[]])
    enqueue = queue.enqueue_many([[1.0, 2.0]])
    return Case(runs=[enqueue, queue.size(), queue.dequeue(), queue.dequeue(), queue.close(), queue.is_closed(), queue.dequeue()])


def case_reset_default(tf):
    session = tf.Session()
    a = tf.constant(1.0)
    return {"value": float(session.run(a)), "repr": type(session).__name__, "target": str(session.sess_str if hasattr(session, "sess_str") else "")}


def case_errors_carry_op(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    with tf.name_scope("layer"):
        y = tf.reshape(x, [7], name="shaped")
    try:
        run(tf, y, {x: [1.0]})
    except tf.errors.OpError as error:
        return {"op": error.op.name, "node": error.node_def.name, "code": error.error_code, "class": type(error).__name__, "message": "shaped" in str(error), "user": "session_cases.py" in str(error)}


def case_error_classes(tf):
    names = ["OpError", "CancelledError", "UnknownError", "InvalidArgumentError", "DeadlineExceededError", "NotFoundError", "AlreadyExistsError", "PermissionDeniedError", "UnauthenticatedError", "ResourceExhaustedError",
             "FailedPreconditionError", "AbortedError", "OutOfRangeError", "UnimplementedError", "InternalError", "UnavailableError", "DataLossError"]
    facts = {}
    for name in names[1:]:
        error = getattr(tf.errors, name)(None, None, "text")
        facts[name] = [error.error_code, error.message, str(error), [c.__name__ for c in type(error).__mro__][:3], error.op is None]
    return facts


def case_error_codes(tf):
    return {name: getattr(tf.errors, name) for name in sorted(dir(tf.errors)) if name.isupper()}


def case_list_devices(tf):
    with tf.Session() as session:
        return {"first": [session.list_devices()[0].name, session.list_devices()[0].device_type]}


def case_session_target_unknown(tf):
    return raises(tf.Session, "nonsense://x"), raises(tf.Session, 3), raises(tf.Session, "", 3), raises(tf.Session, config=3)


def case_operation_run(tf):
    v = tf.Variable(1.0)
    with tf.Session():
        v.initializer.run()
        v.assign_add(2.0).op.run()
        return {"v": float(v.eval()), "feeds": raises(tf.add(tf.placeholder(tf.float32, name="p"), 1.0).op.run)}


def case_get_session_handle(tf):
    x = tf.constant(3.0)
    with tf.Session() as session:
        handle = session.run(tf.get_session_handle(x * 2.0))
        holder, tensor = tf.get_session_tensor(handle.handle, tf.float32)
        return {"value": float(session.run(tensor * 2.0, {holder: handle.handle}))}


def case_convert_fed_shape(tf):
    x = tf.placeholder(tf.float32, [None, None, 3])
    return Case([tf.shape(x), tf.size(x), tf.rank(x), tf.reduce_sum(x, [0, 1])], feeds=[{x: np.ones([2, 2, 3])}, {x: np.ones([0, 5, 3])}], steps=2)


def case_nested_sessions(tf):
    def out_of_order():
        first, second = tf.Session(), tf.Session()
        outer, inner = first.as_default(), second.as_default()
        outer.__enter__()
        inner.__enter__()
        refused = raises(outer.__exit__, None, None, None)
        still = tf.get_default_session() is second
        inner.__exit__(None, None, None)
        return refused, still
    return out_of_order()


def case_partial_run_errors(tf):
    a, b, c = (tf.placeholder(tf.float32, [], name=name) for name in "abc")
    total = a + b
    product = total * c
    with tf.Session() as session:
        def refused(fetches, feeds, first, fed, again=None):
            handle = session.partial_run_setup(fetches, feeds)
            if again is not None:
                session.partial_run(handle, first, fed)
                return raises(session.partial_run, handle, *again)
            return raises(session.partial_run, handle, first, fed)
        return [
            raises(session.partial_run_setup, [], [a]),
            raises(session.partial_run_setup, [total, a], [a, b]),
            refused([total], [a, b], total, {a: 1, c: 2}),
            refused([total], [a, b], product, {a: 1, b: 2}),
            refused([total, product], [a, b, c], total, {a: 1, b: 2}, (product, {a: 1, c: 2})),
            refused([total, product], [a, b, c], total, {a: 1, b: 2}, (total, {})),
        ]


def case_partial_run_finished(tf):
    """A partial run of which everything was fed and fetched is over."""
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    total = a + b
    double = total * 2.0
    with tf.Session() as session:
        handle = session.partial_run_setup([total, double], [a, b])
        early = raises(session.partial_run, handle, total, {a: 1})
        over = session.partial_run_setup([total, double], [a, b])
        found = [float(session.partial_run(over, total, {a: 1, b: 2})), float(session.partial_run(over, double))]
        return [early, found, raises(session.partial_run, over, total), raises(session.partial_run, over, double)]

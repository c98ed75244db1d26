"""Values that are fed and fetched, callables, and runs in parts: what comes back, and what is refused."""
from golden_case import Case, raises


def _is(value):
    """The kind of a fetched value."""
    return f"{type(value).__name__} {getattr(value, 'dtype', '')} {getattr(value, 'shape', '')}".replace("bool_", "bool")


def case_fed_and_fetched(tf):
    import numpy as np
    x, text, flag = tf.placeholder(tf.float32), tf.placeholder(tf.string), tf.placeholder(tf.bool)
    y = x * 2.0
    array = np.arange(3, dtype=np.float32)
    with tf.Session() as session:
        found = [_is(session.run(x, {x: value})) for value in (3, 3.0, np.float32(3), np.array(3.0), [1, 2], array)]
        found += [_is(session.run(text, {text: value})) for value in ("a", b"a", ["a", b"b"], np.array("a"))]
        found += [repr(session.run(text, {text: value}).item()) for value in ("a", b"a", np.array(b"c"))]
        found += [_is(value) for value in session.run([x, y, flag], {x: 1, flag: True})]
        found += [_is(session.run({"a": x, "b": y}, {x: 1})["a"]), _is(session.run(y, {y: 1.0}))]
        found += [session.run(x, {x: array}) is array, session.run([x, y], {x: array})[0] is array]
        return {"found": found}


def case_callables(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    y, pair = x * 2.0, tf.sparse_placeholder(tf.float32, name="pair")
    empty = tf.no_op(name="n")
    with tf.Session() as session:
        make = session.make_callable
        value = tf.SparseTensorValue([[0]], [1.0], [3])
        return {
            "fed": _is(make(x, [x])(3.0)), "both": [_is(value) for value in make([x, y], [x])(3.0)],
            "named": _is(make(y, ["x:0"])(1.0)), "sparse": _is(make(pair.values, [pair])(value)),
            "nothing fed": str(make([], [x])(1.0)), "op": str(make(empty)()), "ops": str(make([empty])()),
            "twice": _is(make(y, [x, x])(1, 2)), "more": _is(make(y, [x])(1, 2)),
            "refused": [
                raises(lambda: make([])()), raises(lambda: make({})()), raises(lambda: make([], accept_options=True)()),
                raises(lambda: make(None)), raises(lambda: make(y, 3)), raises(lambda: make("none:0")),
                raises(lambda: make(y, [3])(1.0)), raises(lambda: make(y, [empty])(1.0)), raises(lambda: make(y, ["x"])(1.0)),
                raises(lambda: make(y, [None])(1.0)), raises(lambda: make(y, [x])()), raises(lambda: make(y, [x])("a")),
                raises(lambda: make(y, [x])([1.0])),
            ],
        }


def case_parts(tf):
    a, b = tf.placeholder(tf.float32, [], name="a"), tf.placeholder(tf.float32, [], name="b")
    c = tf.add(a, b, name="c")
    d = tf.multiply(c, a, name="d")
    empty = tf.no_op(name="n")
    with tf.Session() as session:
        setup, run = session.partial_run_setup, session.partial_run

        def again(first, second):
            handle = setup([c, d], [a, b])
            run(handle, *first)
            run(handle, *second)

        return {
            "alone": float(run(None, c, {a: 1, b: 2})), "twice": [float(x) for x in run(setup([c, c], [a, b]), [c, c], {a: 1, b: 1})],
            "refused": [
                raises(lambda: run("none", c, {a: 1})), raises(lambda: run(setup([c, d], [a, b]), c, {a: 1})),
                raises(lambda: run(setup([c], [a, b]), d, {a: 1})), raises(lambda: run(setup([c], [a]), c, {b: 1})),
                raises(lambda: again(([], {a: 1}), ([], {a: 1}))), raises(lambda: again((c, {a: 1, b: 1}), (c,))),
                raises(lambda: again(([c, d], {a: 1, b: 1}), (d,))), raises(lambda: setup([], [])),
                raises(lambda: setup(None, [a])), raises(lambda: setup([3], [a])), raises(lambda: run(setup([empty], []), empty)),
                raises(lambda: run(setup([c], [a, b]), c)), raises(lambda: setup([a, c], [a, b])),
                raises(lambda: run(setup([c], [a, b]), c, {a: "x", b: 1})),
                raises(lambda: run(setup([c], [a, b]), c, {a: [1], b: 1})),
            ],
        }


def case_closed(tf):
    x = tf.constant(1.0)
    session = tf.Session()
    session.close()
    return {"refused": [
        raises(lambda: session.run(x)), raises(lambda: session.partial_run_setup([x])), raises(session.list_devices),
    ]}


def case_fed_operation(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    one, y, group = tf.constant(1.0), x + 1.0, tf.group(x.op)
    with tf.control_dependencies([x]):
        after = tf.constant(2.0)
    with tf.Session() as session:
        return {
            "refused": [
                raises(lambda: session.run(x.op, {x: 1.0})), raises(lambda: session.run([x.op, y], {x: 1.0})),
                raises(lambda: session.run([x, x.op], {x: 1.0})),
            ],
            "run": [
                session.run(y, {x: 1.0}), session.run(after, {x: 1.0}), str(session.run(group, {x: 1.0})),
                str(session.run(one.op, {one: 3.0})), str(session.run(y.op, {y: 3.0, x: 1.0})),
            ],
        }


def case_slices_of_two_index_types(tf):
    flag = tf.placeholder(tf.bool, [], name="flag")
    outer = tf.constant([2], tf.int32, name="outer")

    def slices(row, dtype):
        return tf.IndexedSlices(tf.constant([[float(row)]]), tf.constant([row], dtype))
    one = tf.cond(flag, lambda: slices(1, tf.int32), lambda: slices(2, tf.int64))
    several = tf.cond(
        flag, lambda: [slices(1, tf.int32), slices(2, tf.int64), slices(3, tf.int32)],
        lambda: [slices(4, tf.int64), slices(5, tf.int32), slices(6, tf.int32)],
    )
    taken = tf.cond(flag, lambda: tf.IndexedSlices(tf.constant([[1.0]]), outer), lambda: slices(2, tf.int64))
    refused = raises(lambda: tf.cond(flag, lambda: tf.constant([1], tf.int32), lambda: tf.constant([1], tf.int64)))
    parts = [part for s in [one, *several, taken] for part in (s.values, s.indices)]
    with tf.Session() as session:
        return {
            "refused": refused, "types": [str(s.indices.dtype) for s in [one, *several, taken]],
            "values": [[v.tolist() for v in session.run(parts, {flag: value})] for value in (True, False)],
        }


def case_fed_and_fetched_alone(tf):
    import numpy as np

    texts, whole = tf.placeholder(tf.string, [2], name="texts"), tf.placeholder(tf.int32, [], name="whole")
    behind, other = tf.identity(texts), tf.constant(1.0)
    values = [np.array([True, False]), [1, 2], ["a", 2.5], [None, None], np.ones(2, np.int32), ["a", "b"], ["a"], "a"]
    found = []
    with tf.Session() as session:
        for value in values:
            found += [
                [type(item).__name__ for item in session.run(texts, {texts: value})] if np.shape(value) == (2,) else 0,
                raises(session.run, texts, {texts: value}), raises(session.run, [texts, whole], {texts: value, whole: 1}),
                raises(session.run, other, {texts: value}), raises(session.run, [texts, other], {texts: value}),
                raises(session.run, behind, {texts: value}),
            ]
        found += [raises(session.run, whole, {whole: 2**40}), raises(session.run, whole, {whole: 1, texts: [1, 2]})]
    return Case([found], graph=False)

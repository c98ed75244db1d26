"""Optimizers, averages, clipping and schedules as their own tests use them: odd arguments, NaN, scopes, partitions, branches."""
import numpy as np
from golden_case import Case, raises


def held(tf, use, dtype="float32"):
    return (tf.Variable(np.array([1.0, 2.0], dtype), name="a", use_resource=use), tf.Variable(np.array([3.0, 4.0], dtype), name="b", use_resource=use))


MAKERS = {
    "sgd": lambda t, **k: t.GradientDescentOptimizer(0.1, **k), "momentum": lambda t, **k: t.MomentumOptimizer(0.1, 0.9, **k),
    "adagrad": lambda t, **k: t.AdagradOptimizer(0.3, **k), "adadelta": lambda t, **k: t.AdadeltaOptimizer(1.0, **k), "adam": lambda t, **k: t.AdamOptimizer(0.05, **k),
    "ftrl": lambda t, **k: t.FtrlOptimizer(0.3, **k), "rmsprop": lambda t, **k: t.RMSPropOptimizer(0.05, **k),
    "proximal_adagrad": lambda t, **k: t.ProximalAdagradOptimizer(0.3, **k), "proximal_sgd": lambda t, **k: t.ProximalGradientDescentOptimizer(0.1, **k),
}

for _name, _make in MAKERS.items():
    def _case(tf, make=_make):
        with tf.variable_scope("model", partitioner=tf.fixed_size_partitioner(2)):
            v = tf.get_variable("v", [4, 2], initializer=tf.ones_initializer())
        o = make(tf.train, name="Mine", use_locking=True)
        train = o.minimize(tf.reduce_sum(tf.square(tf.convert_to_tensor(v))))
        return Case(runs=[train, train, list(v), [s.name for s in o.variables()]])
    globals()["case_partitioned_%s" % _name] = _case

    def _case(tf, make=_make):
        a, b = held(tf, True)
        o = make(tf.train)
        loss = tf.reduce_sum(a * b)
        flag = tf.placeholder_with_default(True, [])
        train = tf.cond(flag, lambda: tf.group(o.minimize(loss)), lambda: tf.no_op())
        return Case(runs=[train, [a, b], [s.name for s in o.variables()]])
    globals()["case_in_a_branch_%s" % _name] = _case

    for _use in (False, True):
        def _case(tf, make=_make, use=_use):
            a, b = held(tf, use)
            o = make(tf.train)
            train = o.apply_gradients([(tf.constant([np.nan, np.inf]), a), (tf.constant([-np.inf, 0.0]), b)])
            return Case(runs=[train, [a, b], train, [a, b] + o.variables()])
        if _name != "ftrl":  # whose root of infinity is NaN in the original
            globals()["case_not_finite_%s_%s" % (_name, "resource" if _use else "ref")] = _case

        def _case(tf, make=_make, use=_use):
            table = tf.Variable(np.ones([3, 2], "float64"), name="table", use_resource=use)
            o = make(tf.train)
            rows = tf.IndexedSlices(tf.constant([[1.0, 2.0], [0.5, 0.25], [3.0, 1.0]], tf.float64), tf.constant([2, 0, 2], tf.int64), tf.constant([3, 2], tf.int64))
            train = o.apply_gradients([(rows, table)])
            return Case(runs=[train, train, [table] + o.variables()])
        globals()["case_rows_of_double_%s_%s" % (_name, "resource" if _use else "ref")] = _case

        def _case(tf, make=_make, use=_use):
            table = tf.Variable(np.ones([3, 2], "float32"), name="table", use_resource=use)
            o = make(tf.train)
            def train(rows):
                return o.apply_gradients([(tf.IndexedSlices(tf.ones([len(rows), 2]), tf.constant(rows, tf.int32, [len(rows)]), tf.constant([3, 2])), table)])
            return Case(runs=[train([]), table, o.variables()])
        globals()["case_no_rows_%s_%s" % (_name, "resource" if _use else "ref")] = _case

    def _case(tf, make=_make):
        empty = tf.Variable(np.zeros([0, 3], "float32"), name="empty")
        scalar = tf.Variable(2.0, name="scalar")
        o = make(tf.train)
        return Case(runs=[o.minimize(tf.reduce_sum(empty) + scalar * scalar), [empty, scalar] + o.variables()])
    globals()["case_empty_and_scalar_%s" % _name] = _case

    def _case(tf, make=_make):
        with tf.device("/cpu:0"):
            a, b = held(tf, False)
        o = make(tf.train)
        with tf.name_scope("training"), tf.variable_scope("scope"):
            o.minimize(tf.reduce_sum(a * b), global_step=tf.train.get_or_create_global_step(), var_list=[b], name="go")
        return Case({"nodes": []}, runs=[[(v.name, v.device) for v in o.variables()], o.get_slot_names(), o.get_name()])
    globals()["case_scopes_and_devices_%s" % _name] = _case


def case_in_a_loop(tf):
    a = tf.get_variable("a", initializer=[1.0, 2.0], use_resource=True)
    o = tf.train.GradientDescentOptimizer(0.1)

    def body(i):
        with tf.control_dependencies([o.apply_gradients([(a.read_value() * 2.0, a)])]):
            return i + 1
    return Case(runs=[tf.while_loop(lambda i: i < 3, body, [0], parallel_iterations=1), a])


def case_var_lists(tf):
    a, b = held(tf, False)
    loss = tf.reduce_sum(a * b)
    o = tf.train.GradientDescentOptimizer(0.1)
    names = lambda pairs: [(None if g is None else g.name, v.name) for g, v in pairs]
    return Case({"n": 1}, runs=[names(o.compute_gradients(loss, (a, b))), names(o.compute_gradients(loss, [[a], [b]])), names(o.compute_gradients(loss, a)),
        names(o.compute_gradients(loss, {"y": a, "x": b})), raises(o.compute_gradients, loss, []), raises(o.compute_gradients, loss, ["a"]), raises(o.compute_gradients, loss, [1.0]),
        raises(o.compute_gradients, loss, gate_gradients=7), raises(o.compute_gradients, loss, gate_gradients="a"), raises(o.minimize, tf.constant(1.0), var_list=[a]),
        raises(o.apply_gradients, []), raises(o.apply_gradients, [(None, a)]), raises(o.apply_gradients, [("x", a)]), raises(o.apply_gradients, [(tf.constant([1.0]), "x")]),
        raises(o.compute_gradients, 1.0), raises(o.get_slot, a, "m"), raises(tf.train.Optimizer, False, ""), raises(tf.train.Optimizer, False, None)])


def case_grad_losses(tf):
    a, b = held(tf, False)
    o = tf.train.GradientDescentOptimizer(0.1)
    return [[g for g, _ in o.compute_gradients(a * b, grad_loss=tf.constant([2.0, 3.0]), gate_gradients=gate, aggregation_method=how, colocate_gradients_with_ops=near)]
            for gate, how, near in ((0, 0, False), (1, 1, True), (2, 2, False))]


def case_clipping(tf):
    x = tf.constant([3.0, np.nan, -4.0])
    rows = tf.IndexedSlices(tf.constant([[3.0], [4.0]]), tf.constant([1, 1]), tf.constant([3, 1]))
    clipped = tf.clip_by_norm(rows, 1.0)
    many, norm = tf.clip_by_global_norm([tf.constant([3.0, 4.0]), None, rows], 1.0)
    given, same = tf.clip_by_global_norm([tf.constant([3.0, 4.0])], 2.0, use_norm=tf.constant(10.0))
    bad, inf = tf.clip_by_global_norm([tf.constant([np.inf, 1.0]), tf.constant([2.0])], 1.0)
    return {"nan": tf.clip_by_value(x, -1.0, 1.0), "norm": tf.clip_by_norm(x, 1.0), "rows": clipped.values, "at": clipped.indices, "many": [many[0], many[2].values], "n": norm,
            "given": given, "same": same, "bad": bad, "inf": inf, "average": tf.clip_by_average_norm(tf.constant([3.0, 4.0]), 1.0), "global": tf.global_norm([tf.constant([3.0]), None, rows]),
            "axes": tf.clip_by_norm(tf.constant([[3.0, 4.0], [0.1, 0.0]]), 1.0, axes=[1]), "zero": tf.clip_by_norm(tf.zeros([2]), 1.0), "half": tf.clip_by_value(tf.constant([1.0, 5.0], tf.float16), 2.0, 3.0),
            "tensors": tf.clip_by_value(tf.constant([1.0, 5.0]), tf.constant([2.0, 2.0]), tf.constant([3.0, 4.0])), "ints": tf.clip_by_value(tf.constant([1, 5]), 2, 3),
            "slices": tf.clip_by_value(rows, 3.5, 3.75).values}


def case_clipping_refused(tf):
    return Case({"x": 1}, runs=[raises(tf.clip_by_value, tf.ones([2]), tf.ones([3]), 2.0), raises(tf.clip_by_global_norm, 1.0, 1.0), raises(tf.clip_by_global_norm, tf.ones([2]), 1.0),
        raises(tf.clip_by_norm, tf.constant([1, 2]), 1), raises(tf.global_norm, 1.0), raises(tf.clip_by_value, tf.ones([2]), [1.0, 2.0, 3.0], 4.0)])


def case_average_partitioned(tf):
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2), reuse=tf.AUTO_REUSE):
        v = tf.get_variable("v", [4], initializer=tf.ones_initializer())
        tf.get_variable("v", [4])
    ema = tf.train.ExponentialMovingAverage(0.5, name="avg")
    with tf.variable_scope("other", reuse=True):
        op = ema.apply(list(v))
    return Case(runs=[op, [ema.average(p) for p in v], [ema.average_name(p) for p in v], sorted(ema.variables_to_restore()), raises(ema.apply, list(v)), raises(ema.apply, [tf.constant(1)])])

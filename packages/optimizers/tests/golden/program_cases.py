"""Optimizers in whole programs: shared by two calls, rows beside whole variables, tables that are looked up, constraints,
gradients that come from elsewhere, global steps, checkpoints of their state."""
import numpy as np
from golden_case import Case, raises

MAKERS = {
    "sgd": lambda t, h: t.GradientDescentOptimizer(h(0.1)), "momentum": lambda t, h: t.MomentumOptimizer(h(0.1), h(0.9)),
    "nesterov": lambda t, h: t.MomentumOptimizer(h(0.1), h(0.9), use_nesterov=True, use_locking=True), "adagrad": lambda t, h: t.AdagradOptimizer(h(0.3), 0.1),
    "adadelta": lambda t, h: t.AdadeltaOptimizer(h(1.0), h(0.9), h(1e-4)), "adam": lambda t, h: t.AdamOptimizer(h(0.05), h(0.8), h(0.95), h(1e-4)),
    "ftrl": lambda t, h: t.FtrlOptimizer(h(0.3), l1_regularization_strength=0.01, l2_regularization_strength=0.02), "rmsprop": lambda t, h: t.RMSPropOptimizer(h(0.05), h(0.8), h(0.5), h(1e-3)),
    "centered": lambda t, h: t.RMSPropOptimizer(h(0.05), h(0.8), h(0.5), h(1e-1), centered=True),
    "proximal_adagrad": lambda t, h: t.ProximalAdagradOptimizer(h(0.3), l1_regularization_strength=0.01, l2_regularization_strength=0.02),
    "proximal_sgd": lambda t, h: t.ProximalGradientDescentOptimizer(h(0.1), 0.01, 0.02),
    "adagrad_da": lambda t, h: t.AdagradDAOptimizer(h(0.3), t.get_or_create_global_step(), 0.2, 0.01, 0.02),
}


def plain(value):
    return value


def slots_of(optimizer, held):
    found = [optimizer.get_slot(v, name) for name in optimizer.get_slot_names() for v in held]
    return [slot for slot in found if slot is not None]


def pair(tf, use, dtype="float32"):
    return (tf.Variable(np.array([1.0, 2.0], dtype), name="v", use_resource=use), tf.Variable(np.array([3.0, 4.0], dtype), name="w", use_resource=use))


for _name, _make in MAKERS.items():
    for _use in (False, True):
        def _case(tf, make=_make, use=_use):
            v, w = pair(tf, use)
            optimizer = make(tf.train, plain)
            g, h = tf.constant([0.1, 0.1]), tf.constant([0.01, 0.02])
            first, second = optimizer.apply_gradients([(g, v), (h, w)]), optimizer.apply_gradients([(g, v), (h, w)], name="again")
            held = [v, w] + slots_of(optimizer, (v, w))
            return Case(runs=[first, second, first, held, {"variables": [x.name for x in optimizer.variables()], "slots": optimizer.get_slot_names()}])
        globals()["case_shared_%s_%s" % (_name, "resource" if _use else "ref")] = _case

        def _case(tf, make=_make, use=_use):
            table, bias = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="table", use_resource=use), tf.Variable([3.0], name="bias", use_resource=use)
            x = tf.constant([[4.0], [5.0]])
            output = tf.matmul(tf.nn.embedding_lookup([table], [0]), x) + bias
            optimizer = make(tf.train, plain)
            train = optimizer.minimize(output * output)
            return Case(runs=[train, train, [table, bias] + slots_of(optimizer, (table, bias))])
        globals()["case_table_%s_%s" % (_name, "resource" if _use else "ref")] = _case

    def _case(tf, make=_make):
        repeated, summed = tf.Variable([[1.0], [2.0]], name="repeated"), tf.Variable([[1.0], [2.0]], name="summed")
        one, other = make(tf.train, plain), make(tf.train, plain)
        shape = tf.constant([2, 1])
        first = one.apply_gradients([(tf.IndexedSlices(tf.constant([[0.1], [0.1]]), tf.constant([1, 1]), shape), repeated)])
        second = other.apply_gradients([(tf.IndexedSlices(tf.constant([[0.2]]), tf.constant([1]), shape), summed)])
        return Case(runs=[[first, second]] * 3 + [[repeated, summed]])
    globals()["case_repeated_%s" % _name] = _case

    def _case(tf, make=_make):
        dense, rows = tf.Variable(np.ones([4, 2], "float32"), name="dense"), tf.Variable(np.ones([4, 2], "float32"), name="rows", use_resource=True)
        g = np.array([[0.1, 0.2], [0.0, 0.0], [-0.3, 0.4], [0.0, 0.0]], "float32")
        optimizer = make(tf.train, plain)
        slices = tf.IndexedSlices(tf.constant(g[[2, 0]]), tf.constant([2, 0], tf.int64), tf.constant([4, 2], tf.int64))
        train = optimizer.apply_gradients([(tf.constant(g), dense), (slices, rows)])
        return Case(runs=[train] * 4 + [[dense, rows]])
    globals()["case_rows_beside_%s" % _name] = _case

    def _case(tf, make=_make):
        v = tf.get_variable("v", initializer=np.array([1.0, -3.0], "float32"), constraint=lambda x: tf.clip_by_value(x, -1.5, 0.9), use_resource=True)
        w = tf.get_variable("w", initializer=np.array([1.0, -3.0], "float32"), constraint=lambda x: tf.clip_by_norm(x, 1.0))
        train = make(tf.train, plain).minimize(tf.reduce_sum(v * v) + tf.reduce_sum(w))
        return Case(runs=[train, [v, w], train, [v, w]])
    globals()["case_constraint_%s" % _name] = _case


def case_constraint_of_rows(tf):
    v = tf.get_variable("v", initializer=np.ones([3, 2], "float32"), constraint=lambda x: x * 0.5, use_resource=True)
    w = tf.get_variable("w", initializer=np.ones([3, 2], "float32"), constraint=lambda x: x * 0.5)
    loss = tf.reduce_sum(tf.gather(v, [0, 0, 1]))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return Case(runs=[train, v, raises(tf.train.GradientDescentOptimizer(0.1).minimize, tf.reduce_sum(tf.gather(w, [1])))])


def case_two_sessions(tf):
    v = tf.Variable(1.0, name="v")
    optimizer = tf.train.AdamOptimizer(0.1)
    train = optimizer.minimize(v * v)
    found = []
    for _ in range(2):
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
            found.append([float(x) for x in session.run(tf.global_variables())])
    return found


def case_optimizer_of_two_graphs(tf):
    optimizer = tf.train.AdamOptimizer(0.1)
    found = []
    for value in (1.0, 2.0):
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.Variable(value, name="v")
            train = optimizer.minimize(v * v)
            session.run(tf.global_variables_initializer())
            session.run(train)
            found.append([[float(x) for x in session.run(optimizer.variables())], sorted(x.name for x in optimizer.variables())])
    return found


def case_adam_powers(tf):
    v, w = pair(tf, True)
    optimizer = tf.train.AdamOptimizer(0.1, beta1=0.8, beta2=0.9)
    train = optimizer.apply_gradients([(tf.ones([2]), v)])
    first, second = optimizer._get_beta_accumulators()
    return Case(runs=[train, [first, second], train, [first, second], [x.name for x in optimizer.variables()]])


def case_adam_after_graph_change(tf):
    v, w = pair(tf, False)
    optimizer = tf.train.AdamOptimizer(0.1)
    first = optimizer.minimize(tf.reduce_sum(v * v), var_list=[v])
    second = optimizer.minimize(tf.reduce_sum(v * w), var_list=[w, v])
    return Case(runs=[first, second, [v, w], optimizer.variables(), [x.name for x in optimizer.variables()]])


def case_precomputed_gradient(tf):
    v, w = pair(tf, True)
    cost = 5 * v + 3 * w
    optimizer = tf.train.GradientDescentOptimizer(3.0)
    return Case(runs=[optimizer.minimize(cost, tf.Variable(0, name="step", trainable=False), [v, w], grad_loss=tf.constant([42.0, -42.0])), [v, w]])


def case_gradients_as_variables(tf):
    v, w = pair(tf, True)
    optimizer = tf.train.GradientDescentOptimizer(3.0)
    pairs = optimizer.compute_gradients(5 * v + 3 * w, [v, w])
    kept = [tf.Variable(tf.zeros([2], tf.float32), trainable=False) for _ in pairs]
    stored = tf.group(*[tf.assign(k, g) for k, (g, _) in zip(kept, pairs)])
    train = optimizer.apply_gradients(list(zip(kept, [v, w])))
    return Case(runs=[stored, train, [v, w] + kept])


def case_gradients_of_tensors(tf):
    x = tf.constant(1.0)
    y = x * x
    optimizer = tf.train.GradientDescentOptimizer(3.0)
    pairs = optimizer.compute_gradients(y, [x])
    return Case(runs=[pairs[0][0], {"same": pairs[0][1] is x, "apply": raises(optimizer.apply_gradients, pairs)}])


def case_stopped_gradients(tf):
    v, w = pair(tf, True)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    pairs = optimizer.compute_gradients(tf.stop_gradient(v) * w)
    return Case(runs=[pairs[1][0], {"none": pairs[0][0] is None}, optimizer.apply_gradients(pairs), [v, w]])


def case_loss_given_as_a_function(tf):
    v, w = pair(tf, True)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    train = optimizer.minimize(lambda: tf.reduce_sum(v * w + v), var_list=[w, v])
    return Case(runs=[train, [v, w], raises(optimizer.minimize, lambda: tf.constant(1.0))])


def case_clipped_gradients(tf):
    v, w = pair(tf, False)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.5)
    gradients, variables = zip(*optimizer.compute_gradients(tf.reduce_sum(v * v * w)))
    clipped, norm = tf.clip_by_global_norm(gradients, 1.5)
    return Case(runs=[norm, optimizer.apply_gradients(zip(clipped, variables)), [v, w]])


def case_mixed_dtypes(tf):
    held = [tf.Variable(np.array([1.0, 2.0], d), name=d) for d in ("float16", "float32", "float64")]
    optimizer = tf.train.AdamOptimizer(0.1)
    train = optimizer.apply_gradients([(tf.ones([2], v.dtype.base_dtype), v) for v in held])
    return Case(runs=[train, held, [(x.name, x.dtype.base_dtype.name) for x in optimizer.variables()]], tolerance=1e-3)


def case_bfloat16_refused(tf):
    v = tf.Variable(tf.zeros([2], tf.bfloat16))
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    return {"int": raises(optimizer.minimize, tf.reduce_sum(tf.Variable([1]))), "complex": raises(optimizer.minimize, tf.Variable([1j])),
            "bfloat16": optimizer.apply_gradients([(tf.zeros([2], tf.bfloat16), v)]).type}


def case_ftrl_names_of_slots(tf):
    v, w = pair(tf, False)
    optimizer = tf.train.FtrlOptimizer(0.1, accum_name="sums", linear_name="line")
    optimizer.minimize(tf.reduce_sum(v * w))
    return [x.name for x in tf.global_variables()]


for _power in (-0.5, -0.3, -1.0, 0.0):
    for _l1, _l2, _shrinkage in ((0.0, 0.0, 0.0), (0.001, 0.0, 0.0), (0.001, 2.0, 0.0), (0.001, 2.0, 0.1)):
        def _case(tf, power=_power, l1=_l1, l2=_l2, shrinkage=_shrinkage):
            v, w = pair(tf, True)
            optimizer = tf.train.FtrlOptimizer(3.0, power, 0.1, l1, l2, l2_shrinkage_regularization_strength=shrinkage)
            rows = tf.IndexedSlices(tf.constant([0.01]), tf.constant([1]), tf.constant([2]))
            train = optimizer.apply_gradients([(tf.constant([0.1, 0.2]), v), (rows, w)])
            return Case(runs=[train] * 10 + [[v, w] + slots_of(optimizer, (v, w))])
        globals()["case_ftrl_%s_%s_%s_%s" % tuple(str(x).replace(".", "_").replace("-", "m") for x in (_power, _l1, _l2, _shrinkage))] = _case

for _decay, _momentum, _epsilon, _centered in ((0.9, 0.0, 1e-3, True), (0.9, 0.0, 1e-3, False), (0.9, 0.5, 1e-3, True), (0.9, 0.5, 1e-5, False)):
    def _case(tf, options=(_decay, _momentum, _epsilon), centered=_centered):
        v, w = pair(tf, False)
        optimizer = tf.train.RMSPropOptimizer(0.5, *options, centered=centered)
        rows = tf.IndexedSlices(tf.constant([0.1]), tf.constant([0]), tf.constant([2]))
        train = optimizer.apply_gradients([(tf.constant([0.1, 0.2]), v), (rows, w)])
        return Case(runs=[train] * 4 + [[v, w] + slots_of(optimizer, (v, w))])
    globals()["case_rmsprop_%s_%s_%s" % (str(_momentum).replace(".", "_"), str(_epsilon).replace("-", "m"), _centered)] = _case


def case_rate_that_decays(tf):
    v, _ = pair(tf, True)
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.5, step, 2, 0.5, staircase=True)
    train = tf.train.GradientDescentOptimizer(rate).minimize(tf.reduce_sum(v * v), global_step=step)
    return Case(runs=[train, rate, train, rate, train, rate, v, step])


def case_steps_of_training(tf):
    v, _ = pair(tf, True)
    step = tf.train.create_global_step()
    again = raises(tf.train.create_global_step)
    train = tf.train.AdamOptimizer().minimize(tf.reduce_sum(v), global_step=step)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = tf.train.global_step(session, step)
        session.run(train)
        return {"again": again, "steps": [int(before), int(tf.train.global_step(session, step))], "same": tf.train.get_global_step() is step,
                "dtype": step.dtype.base_dtype.name, "trainable": step in tf.trainable_variables(), "refused": raises(tf.train.global_step, session, None)}


def case_steps_refused(tf):
    t = tf.train
    found = {"none": t.get_global_step() is None, "float": raises(t.assert_global_step, tf.Variable(1.0, trainable=False)),
             "vector": raises(t.assert_global_step, tf.Variable([1], trainable=False)), "unknown": raises(t.assert_global_step, tf.placeholder(tf.int64)),
             "constant": raises(t.assert_global_step, tf.constant(1)), "int32": raises(t.assert_global_step, tf.Variable(1, trainable=False)),
             "nothing": raises(t.assert_global_step, None), "number": raises(t.assert_global_step, 3)}
    tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, tf.Variable(1.0, trainable=False))
    found["collected"] = raises(t.get_global_step)
    return found


def case_two_steps_collected(tf):
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, tf.Variable(1, trainable=False))
    return [raises(tf.train.get_global_step), raises(tf.train.get_or_create_global_step)]


def case_step_by_name(tf):
    named = tf.Variable(7, trainable=False, name="global_step", dtype=tf.int64)
    return Case(runs=[tf.train.get_global_step(), {"same": tf.train.get_or_create_global_step() is named}])


def case_step_of_another_graph(tf):
    graph = tf.Graph()
    step = tf.train.get_or_create_global_step(graph)
    return {"here": tf.train.get_global_step() is None, "there": tf.train.get_global_step(graph) is step, "name": step.name,
            "collected": len(graph.get_collection(tf.GraphKeys.GLOBAL_STEP)), "again": raises(tf.train.create_global_step, graph)}


def case_state_is_restored(tf):
    v, w = pair(tf, True)
    optimizer = tf.train.AdamOptimizer(0.1)
    train = optimizer.minimize(tf.reduce_sum(v * v * w))
    saver = tf.train.Saver()
    import tempfile
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(train)
        path = saver.save(session, tempfile.mkdtemp() + "/state")
        for _ in range(2):
            session.run(train)
        whole = session.run([v, w])
    with tf.Session() as session:
        saver.restore(session, path)
        for _ in range(2):
            session.run(train)
        resumed = session.run([v, w])
    return {"same": bool(np.array_equal(whole, resumed)), "names": sorted(n for n, _ in tf.train.list_variables(path)), "values": [float(x) for x in np.ravel(resumed)]}


def case_accumulated_gradients(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    x = tf.placeholder(tf.float32, [2])
    optimizer = tf.train.AdagradOptimizer(0.5)
    (g, _), = optimizer.compute_gradients(tf.reduce_sum(v * x))
    total = tf.get_variable("total", [2], initializer=tf.zeros_initializer(), trainable=False)
    add, clear = total.assign_add(g), total.assign(tf.zeros([2]))
    train = optimizer.apply_gradients([(total / 2.0, v)])
    return Case(runs=[([add], {x: np.array([1.0, 2.0], "float32")}), ([add], {x: np.array([3.0, 1.0], "float32")}), train, clear, [v, total]])


def case_learning_rate_as_a_variable(tf):
    v, _ = pair(tf, False)
    rate = tf.Variable(0.5, trainable=False, name="rate")
    train = tf.train.MomentumOptimizer(rate, 0.9).minimize(tf.reduce_sum(v * v))
    return Case(runs=[train, v, rate.assign(0.01), train, v])


def case_names_of_slots(tf):
    with tf.variable_scope("a"):
        v = tf.get_variable("v", [2])
    with tf.variable_scope("b", use_resource=True):
        w = tf.get_variable("v", [2])
    for make in MAKERS.values():
        make(tf.train, plain).minimize(tf.reduce_sum(v * w))
    return [x.name for x in tf.global_variables()]


def case_in_a_reusing_scope(tf):
    found = []
    for reuse in (None, True):
        with tf.variable_scope("net", reuse=reuse):
            v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    with tf.variable_scope("train", reuse=tf.AUTO_REUSE):
        for _ in range(2):
            tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(v * v))
    with tf.variable_scope("net", reuse=True):
        found.append(raises(tf.train.AdamOptimizer().minimize, tf.reduce_sum(v)))
    return found + [[x.name for x in tf.global_variables()]]


def case_under_a_device(tf):
    with tf.device("/job:ps/task:1"):
        v = tf.get_variable("v", [2])
    with tf.device("/cpu:0"):
        optimizer = tf.train.AdamOptimizer()
        train = optimizer.minimize(tf.reduce_sum(v))
    return Case([train], graph_only=True)


def case_within_control_dependencies(tf):
    v = tf.Variable([1.0, 2.0])
    with tf.control_dependencies([tf.no_op(name="before")]):
        train = tf.train.RMSPropOptimizer(0.1).minimize(tf.reduce_sum(v * v))
    return Case([train], graph_only=True)


def case_uninitialised_slot(tf):
    v = tf.Variable([1.0, 2.0], use_resource=True)
    train = tf.train.AdadeltaOptimizer().minimize(tf.reduce_sum(v * v))
    with tf.Session() as session:
        session.run(v.initializer)
        return raises(session.run, train)


for _name, _make in MAKERS.items():
    for _use in (False, True):
        def _case(tf, make=_make, use=_use):
            v = tf.Variable([1.0, 2.0], use_resource=use)
            rows = tf.Variable([[1.0], [2.0]], use_resource=use)
            train = make(tf.train, plain).minimize(tf.reduce_sum(v * v))
            sparse = make(tf.train, plain).minimize(tf.reduce_sum(tf.gather(rows, [0])))
            others = tf.group(v.initializer, rows.initializer, *[x.initializer for x in tf.global_variables() if "power" in x.name or "step" in x.name])
            with tf.Session() as session:
                session.run(others)
                return [type(error).__name__ if error else None for error in (failed(tf, session, train), failed(tf, session, sparse))]
        globals()["case_uninitialised_slot_%s_%s" % (_name, "resource" if _use else "ref")] = _case


def failed(tf, session, fetch):
    try:
        session.run(fetch)
    except tf.errors.OpError as error:
        return error
    return None


TAPED = {
    "add": lambda tf, v, w: v + 2.0, "add_first": lambda tf, v, w: 2.0 + v, "sub": lambda tf, v, w: v - 2.0, "sub_first": lambda tf, v, w: 2.0 - v,
    "mul": lambda tf, v, w: v * 2.0, "mul_first": lambda tf, v, w: 2.0 * v, "pow": lambda tf, v, w: v ** 2.0, "pow_first": lambda tf, v, w: 2.0 ** v,
    "div": lambda tf, v, w: v / 2.0, "div_first": lambda tf, v, w: 2.0 / v, "maximum": lambda tf, v, w: tf.maximum(v, 1.5), "vector": lambda tf, v, w: v * [1.0, 2.0],
    "squared": lambda tf, v, w: v * v, "both": lambda tf, v, w: v * w + tf.stop_gradient(w) * 2.0, "matmul": lambda tf, v, w: tf.matmul([v], [[1.0], [2.0]]),
    "matmul_both": lambda tf, v, w: tf.matmul([v], [w], transpose_b=True), "difference": lambda tf, v, w: tf.squared_difference(v, 1.0),
    "select": lambda tf, v, w: tf.where([True, False], v, w), "scalar_variable": lambda tf, v, w: v * tf.reduce_sum(w), "loss": lambda tf, v, w: tf.nn.l2_loss(v * 3.0),
    "mean": lambda tf, v, w: tf.reduce_mean(v * w * 2.0), "biased": lambda tf, v, w: tf.nn.bias_add([v], [1.0, 2.0]), "unknown": lambda tf, v, w: v * tf.placeholder_with_default(2.0, None),
}
for _name, _loss in TAPED.items():
    def _case(tf, loss=_loss):
        v, w = pair(tf, True)
        pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(lambda: loss(tf, v, w))
        # The original leaves gradients out that nobody asks for, op by op in ways of their own.
        return Case(runs=[[g for g, _ in pairs if g is not None], {"of": [x.name for _, x in pairs]}], graph=False)
    globals()["case_taped_%s" % _name] = _case


for _use in (False, True):
    def _case(tf, use=_use):
        v = tf.get_variable("v", [2], use_resource=use)
        with tf.device("/cpu:0"):
            train = [tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(v * v)), tf.train.AdamOptimizer().minimize(tf.reduce_sum(v))]
            averages = tf.train.ExponentialMovingAverage(0.9).apply([v])
        return Case(train + [averages], graph_only=True)
    globals()["case_device_of_slots_%s" % ("resource" if _use else "ref")] = _case

    def _case(tf, use=_use):
        v = tf.get_variable("v", [2], use_resource=use)
        with tf.device("/cpu:0"), tf.colocate_with(v):
            with tf.device("/cpu:1"):
                made = [tf.get_variable("one", [2], use_resource=use)]
            made += [tf.get_variable("two", [2], use_resource=use), tf.constant(1.0), tf.Variable(1.0)]
            with tf.device(""):
                made += [tf.constant(1.0), tf.Variable(1.0)]
        return Case(made, graph_only=True)
    globals()["case_device_within_colocation_%s" % ("resource" if _use else "ref")] = _case

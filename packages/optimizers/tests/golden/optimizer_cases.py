"""Optimizers as programs meet them: dtypes, long runs, hyperparameters of every kind, odd variables, subclasses, and what is refused."""
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
NO_HALF = ("proximal_adagrad", "proximal_sgd", "adagrad_da")


def plain(value):
    return value


def slots_of(optimizer, held):
    found = [optimizer.get_slot(v, name) for name in optimizer.get_slot_names() for v in held]
    return [slot for slot in found if slot is not None]


def ten_steps(tf, optimizer, held, pairs, feeds=None, tolerance=None):
    train = optimizer.apply_gradients(pairs)
    return Case(runs=[train] * 10 + [list(held) + slots_of(optimizer, held), list(optimizer.variables())], feeds=feeds, tolerance=tolerance)


def weights(tf, dtype, use):
    v = tf.get_variable("v", initializer=np.linspace(-1, 2, 6).reshape(3, 2).astype(dtype), use_resource=use)
    return v, tf.get_variable("w", initializer=np.array([0.5, -0.5], dtype), use_resource=use)


for _name, _make in MAKERS.items():
    for _dtype in ("float16", "float32", "float64"):
        if _dtype == "float16" and _name in NO_HALF:
            continue
        for _use in (False, True):
            def _case(tf, make=_make, dtype=_dtype, use=_use):
                v, w = weights(tf, dtype, use)
                g, h = tf.constant(np.array([[0.1, -0.2], [0.0, 0.3], [0.5, 0.1]], dtype)), tf.constant(np.array([0.01, 0.02], dtype))
                return ten_steps(tf, make(tf.train, plain), (v, w), [(g, v), (h, w)], tolerance=2e-2 if dtype == "float16" else None)
            globals()["case_ten_dense_%s_%s_%s" % (_name, _dtype, "resource" if _use else "ref")] = _case

            def _case(tf, make=_make, dtype=_dtype, use=_use):
                v, _ = weights(tf, dtype, use)
                rows = tf.IndexedSlices(tf.constant(np.array([[0.1, -0.2], [0.2, 0.3], [0.4, 0.1]], dtype)), tf.constant([2, 0, 2]), tf.constant([3, 2]))
                return ten_steps(tf, make(tf.train, plain), (v,), [(rows, v)], tolerance=2e-2 if dtype == "float16" else None)
            globals()["case_ten_sparse_%s_%s_%s" % (_name, _dtype, "resource" if _use else "ref")] = _case

    def _case(tf, make=_make):
        v, _ = weights(tf, "float32", False)
        return ten_steps(tf, make(tf.train, lambda x: tf.constant(x)), (v,), [(tf.ones([3, 2]), v)])
    globals()["case_tensor_options_" + _name] = _case

    def _case(tf, make=_make):
        v, _ = weights(tf, "float64", True)
        return ten_steps(tf, make(tf.train, lambda x: tf.placeholder_with_default(np.float32(x), [])), (v,), [(tf.ones([3, 2], tf.float64), v)])
    globals()["case_fed_options_double_" + _name] = _case

    if _name not in ("ftrl", "proximal_adagrad", "proximal_sgd", "adagrad_da"):
        def _case(tf, make=_make):
            v, w = weights(tf, "float32", True)
            return ten_steps(tf, make(tf.train, lambda x: lambda: x), (v, w), [(tf.ones([3, 2]), v), (None, w)])
        globals()["case_called_options_" + _name] = _case

    def _case(tf, make=_make):
        v, w = tf.Variable(3.0, name="scalar"), tf.Variable(np.zeros([0, 2], "float32"), name="none")
        return ten_steps(tf, make(tf.train, plain), (v, w), [(tf.constant(0.5), v), (tf.zeros([0, 2]), w)])
    globals()["case_scalar_and_empty_" + _name] = _case

    def _case(tf, make=_make):
        v, _ = weights(tf, "float32", False)
        rows = tf.IndexedSlices(tf.zeros([0, 2]), tf.constant([], tf.int64), tf.constant([3, 2], tf.int64))
        return ten_steps(tf, make(tf.train, plain), (v,), [(rows, v)])
    globals()["case_no_rows_" + _name] = _case

    for _use in (False, True):
        def _case(tf, make=_make, use=_use):
            v, _ = weights(tf, "float32", use)
            g = tf.constant([[np.nan, np.inf], [-np.inf, 0.0], [1e-30, 1.0]])
            optimizer = make(tf.train, plain)
            train = optimizer.apply_gradients([(g, v)])
            return Case(runs=[train, train, [v] + slots_of(optimizer, (v,))])
        if _name != "ftrl":
            globals()["case_special_gradient_%s_%s" % (_name, "resource" if _use else "ref")] = _case

    def _case(tf, make=_make):
        with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
            v = tf.get_variable("v", [4, 2], initializer=tf.ones_initializer())
        optimizer = make(tf.train, plain)
        loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(v, [0, 3, 3]))) + tf.reduce_sum(tf.convert_to_tensor(v))
        train = optimizer.minimize(loss)
        return Case(runs=[train] * 3 + [list(v)] + [[x.name for x in tf.global_variables()]])
    globals()["case_partitioned_" + _name] = _case

    def _case(tf, make=_make):
        v = tf.get_variable("v", initializer=lambda: tf.placeholder_with_default(np.ones([2, 2], "float32"), [None, 2]), validate_shape=False)
        return ten_steps(tf, make(tf.train, plain), (v,), [(tf.ones([2, 2]), v)])
    globals()["case_shape_unknown_" + _name] = _case


def hooks(tf, use):
    """A subclass with every hook, which notes what is called."""
    called = []

    class Recording(tf.train.Optimizer):
        def __init__(self):
            super(Recording, self).__init__(False, "Recording")
            self.rate = lambda: 0.5

        def note(self, *what):
            called.append([x if isinstance(x, (str, int, float)) else getattr(x, "name", type(x).__name__) for x in what])

        def _create_slots(self, var_list):
            self.note("create_slots", *var_list)
            first = min(var_list, key=lambda x: x.name)
            self._create_non_slot_variable(initial_value=2.0, name="power", colocate_with=first)
            for v in var_list:
                self._zeros_slot(v, "zeros", self._name)
                self._get_or_make_slot(v, tf.fill([2], 3.0), "made", "Made")
                self._get_or_make_slot_with_initializer(v, tf.ones_initializer(), tf.TensorShape([2]), tf.float32, "ones", "Ones")
                self._zeros_slot(v, "zeros", self._name)

        def _prepare(self):
            self.tensor = tf.convert_to_tensor(self._call_if_callable(self.rate), name="rate")
            self.note("prepare", self.tensor)

        def _apply_dense(self, grad, var):
            self.note("dense", grad, var)
            return tf.assign_sub(var, self.tensor * grad * self.get_slot(var, "ones")).op

        def _resource_apply_dense(self, grad, handle):
            self.note("resource_dense", grad, handle)
            return handle.assign_sub(self.tensor * grad * self.get_slot(handle, "ones")).op

        def _apply_sparse(self, grad, var):
            self.note("sparse", grad.values, grad.indices, var)
            return tf.scatter_sub(var, grad.indices, self.tensor * grad.values).op

        def _resource_apply_sparse(self, grad, handle, indices):
            self.note("resource_sparse", grad, handle, indices)
            return handle.scatter_sub(tf.IndexedSlices(self.tensor * grad, indices)).op

        def _finish(self, update_ops, name_scope):
            power = self._get_non_slot_variable("power", graph=tf.get_default_graph())
            self.note("finish", len(update_ops), name_scope, power)
            with tf.control_dependencies(update_ops):
                return tf.group(power.assign(power * 0.5), *update_ops, name=name_scope)

    v = tf.get_variable("v", initializer=np.array([1.0, 2.0], "float32"), use_resource=use)
    w = tf.get_variable("w", initializer=np.array([3.0, 4.0], "float32"), use_resource=use)
    optimizer = Recording()
    step = tf.train.get_or_create_global_step()
    train = optimizer.minimize(tf.reduce_sum(v * v) + tf.reduce_sum(tf.gather(w, [1, 1])), global_step=step)
    facts = {"called": called, "slots": optimizer.get_slot_names(), "name": optimizer.get_name(), "variables": [x.name for x in optimizer.variables()],
             "missing": str(optimizer.get_slot(v, "other")), "valid": sorted(d.name for d in optimizer._valid_dtypes()),
             "non_slots": [x.name for x in optimizer._non_slot_variables()], "train_op": [x.name for x in tf.get_collection(tf.GraphKeys.TRAIN_OP)]}
    return Case(runs=[train, train, [v, w], [optimizer.get_slot(v, n) for n in optimizer.get_slot_names()], optimizer.variables(), step, facts])


def case_every_hook_ref(tf):
    return hooks(tf, False)


def case_every_hook_resource(tf):
    return hooks(tf, True)


def own(tf, **methods):
    class Own(tf.train.Optimizer):
        def __init__(self):
            super(Own, self).__init__(True, "Own")
    for name, method in methods.items():
        setattr(Own, name, method)
    return Own()


def case_duplicates_left_to_the_subclass(tf):
    seen = []

    def ref(self, grad, var):
        seen.append(grad.indices.op.type)
        return tf.scatter_add(var, grad.indices, grad.values).op

    def resource(self, grad, handle, indices):
        seen.append(indices.op.type)
        return handle.scatter_add(tf.IndexedSlices(grad, indices)).op
    optimizer = own(tf, _apply_sparse_duplicate_indices=ref, _resource_apply_sparse_duplicate_indices=resource)
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable([1.0, 2.0], name="w", use_resource=True)
    train = optimizer.minimize(tf.reduce_sum(tf.gather(v, [1, 1])) + tf.reduce_sum(tf.gather(w, [0, 0])))
    return Case(runs=[train, [v, w], {"seen": seen}])


def case_hooks_left_out(tf):
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0], use_resource=True)
    g, rows = tf.ones([2]), tf.IndexedSlices(tf.ones([1]), tf.constant([0]), tf.constant([2]))
    return [raises(own(tf).apply_gradients, [pair]) for pair in ((g, v), (g, w), (rows, v), (rows, w))]


def case_valid_dtypes_of_a_subclass(tf):
    optimizer = own(tf, _valid_dtypes=lambda self: {tf.float64}, _apply_dense=lambda self, grad, var: tf.assign_sub(var, grad).op)
    v, w = tf.Variable(1.0), tf.Variable(1.0, dtype=tf.float64)
    return [raises(optimizer.minimize, v * v), optimizer.minimize(w * w).name]


def case_refused(tf):
    sgd = tf.train.GradientDescentOptimizer(0.1)
    v, i, c = tf.Variable(1.0), tf.Variable(1), tf.constant(1.0)
    return {
        "no name": raises(tf.train.GradientDescentOptimizer, 0.1, name=""), "no variables": raises(sgd.minimize, v * v, var_list=[]),
        "int loss": raises(sgd.minimize, i * i), "text loss": raises(sgd.compute_gradients, tf.constant("a")), "int variable": raises(sgd.minimize, v * v, var_list=[i]),
        "constant": raises(lambda: sgd.apply_gradients([(c, c)])), "number": raises(sgd.minimize, v * v, var_list=[3.0]), "gate": raises(sgd.minimize, v * v, gate_gradients=7),
        "gate type": raises(sgd.minimize, v * v, gate_gradients="a"), "no gradient": raises(sgd.minimize, tf.stop_gradient(v)), "unconnected": raises(sgd.minimize, c * c),
        "empty": raises(sgd.apply_gradients, []), "none": raises(sgd.apply_gradients, [(None, v)]), "object": raises(sgd.apply_gradients, [(object(), v)]),
        "not pairs": raises(sgd.apply_gradients, [v]), "shape": raises(sgd.apply_gradients, [(tf.ones([2]), v)]), "dtype": raises(sgd.apply_gradients, [(tf.constant(1.0, tf.float64), v)]),
        "variable none": raises(sgd.apply_gradients, [(c, None)]), "grad_loss dtype": raises(sgd.minimize, v * v, grad_loss=tf.constant(1)),
        "generator": sgd.apply_gradients((pair for pair in [(c, v)])).name, "loss none": raises(sgd.minimize, None), "aggregation": raises(sgd.compute_gradients, v + v, aggregation_method=9),
        "slot of constant": str(sgd.get_slot(v, "m")), "rate none": raises(tf.train.GradientDescentOptimizer(None).minimize, v * v), "rate text": raises(tf.train.GradientDescentOptimizer("a").minimize, v * v),
        "rate vector": raises(tf.train.MomentumOptimizer([0.1, 0.2], 0.9).minimize, v * v),
    }


def case_refused_options(tf):
    t = tf.train
    step = t.get_or_create_global_step()
    return {
        "adagrad": raises(t.AdagradOptimizer, 0.1, 0.0), "adagrad negative": raises(t.AdagradOptimizer, 0.1, -1.0), "proximal": raises(t.ProximalAdagradOptimizer, 0.1, 0.0),
        "da": raises(t.AdagradDAOptimizer, 0.1, step, 0.0), "ftrl accumulator": raises(t.FtrlOptimizer, 0.1, initial_accumulator_value=-0.1), "ftrl zero": t.FtrlOptimizer(0.1, initial_accumulator_value=0.0).get_name(),
        "ftrl power": raises(t.FtrlOptimizer, 0.1, learning_rate_power=0.1), "ftrl l1": raises(t.FtrlOptimizer, 0.1, l1_regularization_strength=-1.0),
        "ftrl l2": raises(t.FtrlOptimizer, 0.1, l2_regularization_strength=-1.0), "ftrl shrinkage": raises(t.FtrlOptimizer, 0.1, l2_shrinkage_regularization_strength=-1.0),
        "abstract": raises(t.Optimizer), "momentum": raises(t.MomentumOptimizer, 0.1), "da without step": raises(t.AdagradDAOptimizer, 0.1),
    }


for _name, _options in {"lr": dict(learning_rate=0.0), "negative": dict(learning_rate=-0.1)}.items():
    for _kind in ("FtrlOptimizer", "ProximalAdagradOptimizer", "ProximalGradientDescentOptimizer", "GradientDescentOptimizer", "AdagradOptimizer", "RMSPropOptimizer", "AdamOptimizer"):
        def _case(tf, kind=_kind, options=_options):
            v = tf.Variable([1.0, 2.0])
            return Case(runs=[getattr(tf.train, kind)(**options).minimize(tf.reduce_sum(v * v)), v])
        globals()["case_rate_%s_%s" % (_name, _kind.lower())] = _case


def case_rates_that_fall_below_zero(tf):
    v = tf.Variable([1.0, 2.0])
    rate = tf.placeholder(tf.float32, [])
    train = tf.train.FtrlOptimizer(rate).minimize(tf.reduce_sum(v * v))
    return Case(runs=[([train], {rate: 0.1}), ([train], {rate: 0.05}), v, ([train], {rate: -0.1})])


def case_gates(tf):
    x, y = tf.Variable(1.0), tf.Variable(2.0)
    sgd = tf.train.GradientDescentOptimizer(0.1)
    for gate in (sgd.GATE_NONE, sgd.GATE_OP, sgd.GATE_GRAPH):
        for method in (tf.AggregationMethod.ADD_N, tf.AggregationMethod.EXPERIMENTAL_TREE, tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N):
            sgd.minimize(x * y + x * x, gate_gradients=gate, aggregation_method=method, colocate_gradients_with_ops=True)
    return Case(runs=[sgd.minimize(x * y, grad_loss=tf.constant(3.0), name="mine"), [x, y]])


def case_names_of_updates(tf):
    with tf.variable_scope("outer/inner"), tf.name_scope("there"):
        v = tf.get_variable("v", initializer=[1.0])
        u = tf.Variable([2.0], name="v")
        optimizer = tf.train.AdamOptimizer(name="Own")
        train = [optimizer.minimize(v * v), optimizer.minimize(u * v), tf.train.AdamOptimizer(name="Own").minimize(u * u)]
    return {"train": [x.name for x in train], "all": [x.name for x in tf.global_variables()], "own": [x.name for x in optimizer.variables()], "slot": optimizer.get_slot(u, "m").name}


def case_variables_of_two_graphs(tf):
    optimizer = tf.train.AdamOptimizer()
    names = []
    for _ in range(2):
        with tf.Graph().as_default():
            v = tf.Variable(1.0, name="v")
            optimizer.minimize(v * v)
            names.append([x.name for x in optimizer.variables()])
    return names + [[x.name for x in optimizer.variables()]]


def case_global_step_kinds(tf):
    v = tf.Variable(1.0)
    sgd = tf.train.GradientDescentOptimizer(0.1)
    steps = [tf.Variable(5, trainable=False, name="a"), tf.Variable(5, trainable=False, name="b", dtype=tf.int64, use_resource=True), tf.Variable(5.0, trainable=False, name="c")]
    return Case(runs=[[sgd.minimize(v * v, global_step=step) for step in steps], steps, raises(sgd.minimize, v * v, global_step=3)])

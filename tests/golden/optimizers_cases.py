"""What `minimize` builds for every optimizer, dense and sparse, on both kinds of variables, and the first three steps."""
import numpy as np
from golden_case import Case, raises

OPTIMIZERS = {
    "sgd": lambda tf: tf.train.GradientDescentOptimizer(0.1), "sgd_locking": lambda tf: tf.train.GradientDescentOptimizer(0.1, use_locking=True),
    "sgd_tensor_rate": lambda tf: tf.train.GradientDescentOptimizer(tf.constant(0.1)), "sgd_callable_rate": lambda tf: tf.train.GradientDescentOptimizer(lambda: 0.1),
    "momentum": lambda tf: tf.train.MomentumOptimizer(0.1, 0.9), "nesterov": lambda tf: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "momentum_tensor": lambda tf: tf.train.MomentumOptimizer(tf.constant(0.1), tf.constant(0.9)),
    "adagrad": lambda tf: tf.train.AdagradOptimizer(0.1), "adagrad_initial": lambda tf: tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.5),
    "adagrad_da": lambda tf: tf.train.AdagradDAOptimizer(0.1, tf.train.get_or_create_global_step(), l1_regularization_strength=0.01, l2_regularization_strength=0.02),
    "adadelta": lambda tf: tf.train.AdadeltaOptimizer(1.0, 0.9, 1e-6), "adam": lambda tf: tf.train.AdamOptimizer(0.1), "adam_options": lambda tf: tf.train.AdamOptimizer(0.1, 0.8, 0.99, 1e-4, use_locking=True),
    "adam_callable": lambda tf: tf.train.AdamOptimizer(lambda: 0.1, lambda: 0.8, lambda: 0.9, lambda: 1e-4), "ftrl": lambda tf: tf.train.FtrlOptimizer(0.1),
    "ftrl_options": lambda tf: tf.train.FtrlOptimizer(0.1, -0.6, 0.2, 0.01, 0.02), "ftrl_shrinkage": lambda tf: tf.train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.1),
    "rmsprop": lambda tf: tf.train.RMSPropOptimizer(0.1), "rmsprop_momentum": lambda tf: tf.train.RMSPropOptimizer(0.1, 0.8, 0.5, 1e-6), "rmsprop_centered": lambda tf: tf.train.RMSPropOptimizer(0.1, centered=True),
    "proximal_adagrad": lambda tf: tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02),
    "proximal_sgd": lambda tf: tf.train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02), "named": lambda tf: tf.train.AdamOptimizer(0.1, name="Mine"),
}


def variables(tf, use, dtype="float32"):
    v = tf.get_variable("v", initializer=np.array([[1.0, -2.0], [0.5, 3.0], [2.0, 1.0]], dtype), use_resource=use)
    w = tf.get_variable("w", initializer=np.array([0.5, -0.5], dtype), use_resource=use)
    return v, w


def trained(tf, optimizer, loss, held):
    train = optimizer.minimize(loss)
    slots = [optimizer.get_slot(v, name) for name in optimizer.get_slot_names() for v in held]
    slots = [slot for slot in slots if slot is not None]
    runs = [[train], [train], [train], list(held) + slots]
    return Case(runs=runs + [{"slot_names": optimizer.get_slot_names(), "name": optimizer.get_name(), "variables": [v.name for v in optimizer.variables()],
                              "slots": [slot.name for slot in slots]}])


for _name, _make in OPTIMIZERS.items():
    for _kind in (False, True):
        def _case(tf, make=_make, use=_kind):
            v, w = variables(tf, use)
            return trained(tf, make(tf), tf.reduce_sum(tf.square(v)) + tf.reduce_sum(v * w), (v, w))
        globals()["case_dense_%s_%s" % (_name, "resource" if _kind else "ref")] = _case

        def _case(tf, make=_make, use=_kind):
            v, w = variables(tf, use)
            return trained(tf, make(tf), tf.reduce_sum(tf.square(tf.gather(v, [0, 2, 2])) * w), (v, w))
        globals()["case_sparse_%s_%s" % (_name, "resource" if _kind else "ref")] = _case

for _name in ("sgd", "momentum", "adam", "adagrad", "rmsprop", "ftrl"):
    for _dtype in ("float64", "float16"):
        def _case(tf, make=OPTIMIZERS[_name], dtype=_dtype):
            v, w = variables(tf, False, dtype)
            return trained(tf, make(tf), tf.reduce_sum(tf.square(v)) + tf.reduce_sum(v * w), (v, w))
        globals()["case_dtype_%s_%s" % (_name, _dtype)] = _case


def case_global_step(tf):
    v, w = variables(tf, False)
    step = tf.train.get_or_create_global_step()
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(v * v), global_step=step)
    return Case(runs=[train, train, step, v])


def case_global_step_resource(tf):
    with tf.variable_scope("", use_resource=True):
        v, w = variables(tf, True)
        step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(v * v), global_step=step, name="step_it")
    return Case(runs=[train, train, step, v])


def case_var_list(tf):
    v, w = variables(tf, False)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(v * w), var_list=[w], name="only_w")
    return Case(runs=[train, [v, w]])


def case_compute_and_apply(tf):
    v, w = variables(tf, False)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    pairs = optimizer.compute_gradients(tf.reduce_sum(v * w))
    pairs = [(tf.clip_by_value(g, -1.0, 1.0), x) for g, x in pairs]
    train = optimizer.apply_gradients(pairs, global_step=tf.train.get_or_create_global_step(), name="apply")
    return Case(runs=[train, [v, w]])


def case_clip_by_global_norm(tf):
    v, w = variables(tf, False)
    optimizer = tf.train.AdamOptimizer(0.1)
    gradients, held = zip(*optimizer.compute_gradients(tf.reduce_sum(tf.square(v)) + tf.reduce_sum(v * w)))
    gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
    return Case(runs=[norm, optimizer.apply_gradients(zip(gradients, held)), [v, w]])


for _name in ("GATE_NONE", "GATE_OP", "GATE_GRAPH"):
    def _case(tf, name=_name):
        v, w = variables(tf, False)
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        return optimizer.compute_gradients(tf.reduce_sum(v * w), gate_gradients=getattr(optimizer, name))
    globals()["case_" + _name.lower()] = _case


def case_colocate(tf):
    v, w = variables(tf, False)
    return tf.train.GradientDescentOptimizer(0.1).compute_gradients(tf.reduce_sum(v * w), colocate_gradients_with_ops=True)


def case_grad_loss(tf):
    v, w = variables(tf, False)
    return tf.train.GradientDescentOptimizer(0.1).compute_gradients(v * w, grad_loss=tf.ones([3, 2]) * 2.0)


def case_callable_loss(tf):
    v, w = variables(tf, True)
    return tf.train.GradientDescentOptimizer(0.1).compute_gradients(lambda: tf.reduce_sum(v * w), var_list=[v, w])


def case_unused_variable(tf):
    v, w = variables(tf, False)
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(tf.reduce_sum(w))
    return {"none": [g is None for g, _ in pairs], "train": tf.train.GradientDescentOptimizer(0.1).apply_gradients(pairs)}


def case_refused(tf):
    v, w = variables(tf, False)
    i = tf.Variable(1, name="i")
    o = tf.train.GradientDescentOptimizer(0.1)
    return [raises(o.minimize, tf.constant(1.0)), raises(o.minimize, tf.reduce_sum(w), var_list=[]), raises(o.minimize, tf.reduce_sum(w), var_list=[3]), raises(o.apply_gradients, []),
            raises(o.apply_gradients, [(None, v)]), raises(o.apply_gradients, [("a", v)]), raises(o.minimize, tf.cast(i, tf.float32), var_list=[i]), raises(o.apply_gradients, [(tf.ones([5]), w)]),
            raises(o.compute_gradients, tf.reduce_sum(w), gate_gradients=7), raises(o.get_slot, None, "x"), raises(o.compute_gradients, tf.cast(tf.reduce_sum(w), tf.int32)),
            raises(tf.train.MomentumOptimizer), raises(tf.train.AdagradOptimizer, 0.1, initial_accumulator_value=-1.0), raises(tf.train.FtrlOptimizer, 0.1, learning_rate_power=1.0),
            raises(tf.train.FtrlOptimizer, 0.1, l1_regularization_strength=-1.0), raises(tf.train.Optimizer, False, ""), raises(tf.train.FtrlOptimizer, 0.1, initial_accumulator_value=-1.0),
            raises(o.apply_gradients, [(tf.ones([2]), tf.constant([1.0, 2.0]))]), raises(o.minimize, tf.reduce_sum(w), var_list=[tf.constant(1.0)])]


def case_two_optimizers(tf):
    v, w = variables(tf, False)
    loss = tf.reduce_sum(v * w)
    return Case([tf.train.AdamOptimizer(0.1).minimize(loss, var_list=[v]), tf.train.AdamOptimizer(0.1).minimize(loss, var_list=[w]), tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)],
                graph_only=True)


def case_same_optimizer_twice(tf):
    v, w = variables(tf, False)
    optimizer = tf.train.AdamOptimizer(0.1)
    return Case([optimizer.minimize(tf.reduce_sum(v * v)), optimizer.minimize(tf.reduce_sum(w * w))], graph_only=True)


def case_in_scopes(tf):
    with tf.variable_scope("net"):
        v, w = variables(tf, False)
    with tf.variable_scope("train"), tf.name_scope("inner"):
        train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(v * w))
    return {"train": train, "names": [x.name for x in tf.global_variables()]}


def case_partitioned(tf):
    v = tf.get_variable("v", [4, 2], partitioner=tf.fixed_size_partitioner(2), initializer=tf.ones_initializer())
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(tf.square(tf.nn.embedding_lookup(v, [0, 3]))))
    return Case(runs=[train, list(v), {"names": [x.name for x in tf.global_variables()]}])


def case_own_optimizer(tf):
    class Sign(tf.train.Optimizer):
        def __init__(self, rate, name="Sign"):
            super(Sign, self).__init__(False, name)
            self._rate = rate

        def _prepare(self):
            self._tensor = tf.convert_to_tensor(self._rate, name="rate")

        def _create_slots(self, var_list):
            for v in var_list:
                self._zeros_slot(v, "seen", self._name)

        def _apply_dense(self, grad, var):
            seen = self.get_slot(var, "seen")
            with tf.control_dependencies([seen.assign_add(tf.abs(grad))]):
                return var.assign_sub(self._tensor * tf.sign(grad)).op

        def _apply_sparse(self, grad, var):
            return var.scatter_sub(tf.IndexedSlices(self._tensor * tf.sign(grad.values), grad.indices)).op
    v, w = variables(tf, False)
    optimizer = Sign(0.1)
    train = optimizer.minimize(tf.reduce_sum(v * v) + tf.reduce_sum(tf.gather(w, [0])))
    return Case(runs=[train, [v, w, optimizer.get_slot(v, "seen")]])


def case_constraint(tf):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), constraint=lambda x: tf.clip_by_value(x, 0.95, 1.0))
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer(), constraint=lambda x: tf.clip_by_value(x, 0.95, 1.0), use_resource=True)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(v + w))
    return Case(runs=[train, [v, w]])


DECAYS = {
    "exponential": lambda tf, s: tf.train.exponential_decay(0.1, s, 10, 0.5), "exponential_staircase": lambda tf, s: tf.train.exponential_decay(0.1, s, 2, 0.5, staircase=True, name="rate"),
    "piecewise": lambda tf, s: tf.train.piecewise_constant(s, [1, 2], [0.1, 0.2, 0.3]), "polynomial": lambda tf, s: tf.train.polynomial_decay(0.1, s, 3, 0.01, 0.5), "polynomial_cycle": lambda tf, s: tf.train.polynomial_decay(0.1, s, 2, cycle=True),
    "natural_exp": lambda tf, s: tf.train.natural_exp_decay(0.1, s, 10, 0.5), "natural_exp_staircase": lambda tf, s: tf.train.natural_exp_decay(0.1, s, 2, 0.5, staircase=True), "inverse_time": lambda tf, s: tf.train.inverse_time_decay(0.1, s, 2, 0.5),
    "inverse_time_staircase": lambda tf, s: tf.train.inverse_time_decay(0.1, s, 2, 0.5, staircase=True), "cosine": lambda tf, s: tf.train.cosine_decay(0.1, s, 5), "cosine_alpha": lambda tf, s: tf.train.cosine_decay(0.1, s, 5, alpha=0.1),
    "cosine_restarts": lambda tf, s: tf.train.cosine_decay_restarts(0.1, s, 2), "linear_cosine": lambda tf, s: tf.train.linear_cosine_decay(0.1, s, 5), "noisy_linear_cosine": lambda tf, s: tf.train.noisy_linear_cosine_decay(0.1, s, 5),
    "tensor_rate": lambda tf, s: tf.train.exponential_decay(tf.constant(0.1), s, tf.constant(10), tf.constant(0.5)), "float64": lambda tf, s: tf.train.exponential_decay(tf.constant(0.1, tf.float64), s, 10, 0.5),
}
for _name, _make in DECAYS.items():
    def _case(tf, make=_make):
        v, w = variables(tf, False)
        step = tf.train.get_or_create_global_step()
        rate = make(tf, step)
        train = tf.train.GradientDescentOptimizer(rate).minimize(tf.reduce_sum(tf.cast(v, tf.float32)), global_step=step)
        return Case(runs=[rate, train, rate, train, rate, train, rate, v])
    globals()["case_decay_" + _name] = _case

AVERAGES = {"plain": {}, "num_updates": {"num_updates": 3}, "zero_debias": {"zero_debias": True}, "named": {"name": "Shadow"}}
for _name, _options in AVERAGES.items():
    for _kind in (False, True):
        def _case(tf, options=_options, use=_kind):
            v, w = variables(tf, use)
            ema = tf.train.ExponentialMovingAverage(0.9, **options)
            update = ema.apply([v, w])
            return Case(runs=[update, v.assign_add(tf.ones([3, 2])), update, ema.average(v), {"names": [ema.average_name(v), ema.average_name(w), ema.name],
                              "restore": sorted((key, value.name) for key, value in ema.variables_to_restore().items())}])
        globals()["case_average_%s_%s" % (_name, "resource" if _kind else "ref")] = _case


def case_average_tensor(tf):
    v, w = variables(tf, False)
    t = tf.reduce_sum(v * w)
    ema = tf.train.ExponentialMovingAverage(0.9)
    update = ema.apply([t])
    return Case(runs=[update, ema.average(t), update, ema.average(t), {"name": ema.average_name(t), "none": ema.average(w) is None, "bad": str(ema.average_name(w))}])


def case_average_after_train(tf):
    v, w = variables(tf, False)
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(v * w), step)
    ema = tf.train.ExponentialMovingAverage(0.9, step)
    with tf.control_dependencies([train]):
        update = ema.apply()
    return Case(runs=[update, update, [v, w, ema.average(v), ema.average(w)]])

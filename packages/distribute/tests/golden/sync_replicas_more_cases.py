"""`tf.train.SyncReplicasOptimizer` in programs: queues, runners, tokens, hooks, other optimizers, and what its state is called."""
from golden_case import Case, raises


def model(tf, resource=False, dtype="float32"):
    with tf.variable_scope("", use_resource=resource):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), dtype=dtype)
        rows = tf.get_variable("rows", [4, 2], initializer=tf.zeros_initializer(), dtype=dtype)
    step = tf.train.get_or_create_global_step()
    return tf.reduce_sum(v * v) + tf.reduce_sum(tf.gather(rows, [0, 1, 1])), step, [v, rows]


MAKERS = {
    "sgd": lambda t: t.GradientDescentOptimizer(0.1), "momentum": lambda t: t.MomentumOptimizer(0.1, 0.9), "adam": lambda t: t.AdamOptimizer(0.1),
    "adagrad": lambda t: t.AdagradOptimizer(0.1), "ftrl": lambda t: t.FtrlOptimizer(0.1), "rmsprop": lambda t: t.RMSPropOptimizer(0.1),
}
for _name, _make in MAKERS.items():
    for _use in (False, True):
        def _case(tf, make=_make, use=_use):
            loss, step, variables = model(tf, use)
            optimizer = tf.train.SyncReplicasOptimizer(make(tf.train), 2, 3)
            train = optimizer.minimize(loss, global_step=step)
            hook = optimizer.make_session_run_hook(True)
            hook.begin()
            slots = [optimizer.get_slot(x, n) for n in optimizer.get_slot_names() for x in variables]
            facts = {"variables": [x.name for x in optimizer.variables()], "slots": [x.name for x in slots], "train": train.name, "name": optimizer.get_name(),
                     "local": [x.name for x in tf.local_variables()], "ready": optimizer.ready_for_local_init_op.name, "chief": optimizer.chief_init_op.name,
                     "step": optimizer.local_step_init_op.name, "queue": optimizer.get_chief_queue_runner().queue.name,
                     "enqueued": [x.name for x in optimizer.get_chief_queue_runner().enqueue_ops], "runners": len(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS))}
            return Case([train, facts], graph_only=True)
        globals()["case_%s_%s" % (_name, "resource" if _use else "ref")] = _case

for _tokens in (-1, 0, 1, 5):
    def _case(tf, tokens=_tokens):
        loss, step, _ = model(tf)
        optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 3, 2, use_locking=True, name="replicas")
        optimizer.minimize(loss, global_step=step)
        return {"op": raises(optimizer.get_init_tokens_op, tokens), "hook": raises(optimizer.make_session_run_hook(False, tokens).begin),
                "chief": raises(optimizer.make_session_run_hook(True, tokens).begin)}
    globals()["case_tokens_%s" % str(_tokens).replace("-", "m")] = _case


def case_double(tf):
    loss, step, _ = model(tf, dtype=tf.float64)
    return Case([tf.train.SyncReplicasOptimizer(tf.train.AdamOptimizer(), 2).minimize(loss, global_step=step)], graph_only=True)


def case_step_of_int32(tf):
    loss, _, _ = model(tf)
    step = tf.Variable(0, trainable=False, name="count")
    return Case([tf.train.SyncReplicasOptimizer(tf.train.AdamOptimizer(), 2).minimize(loss, global_step=step)], graph_only=True)


def case_resource_step(tf):
    with tf.variable_scope("", use_resource=True):
        loss, step, _ = model(tf, True)
    return Case([tf.train.SyncReplicasOptimizer(tf.train.AdamOptimizer(), 2).minimize(loss, global_step=step)], graph_only=True)


def case_within_scopes(tf):
    loss, step, _ = model(tf)
    with tf.variable_scope("outer"), tf.name_scope("inner"), tf.device("/cpu:0"):
        optimizer = tf.train.SyncReplicasOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 2)
        train = optimizer.minimize(loss, global_step=step, name="mine")
        optimizer.get_init_tokens_op(7)
    return Case([train], graph_only=True)


def case_twice(tf):
    loss, step, _ = model(tf)
    trains = [tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2).minimize(loss, global_step=step) for _ in range(2)]
    return Case(trains, graph_only=True)


def case_clipped(tf):
    loss, step, _ = model(tf)
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
    pairs = [(tf.clip_by_norm(g, 1.0), v) if isinstance(g, tf.Tensor) else (g, v) for g, v in optimizer.compute_gradients(loss)]
    return Case([optimizer.apply_gradients(pairs, step)], graph_only=True)


def case_averaged(tf):
    loss, step, variables = model(tf, True)
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.AdamOptimizer(), 2, variable_averages=tf.train.ExponentialMovingAverage(0.9), variables_to_average=variables)
    return Case([optimizer.minimize(loss, global_step=step)], graph_only=True)


def case_refused(tf):
    loss, step, (v, _) = model(tf)
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
    return [raises(optimizer.apply_gradients, [(object(), v)], step), raises(optimizer.apply_gradients, [(tf.constant([1.0, 1.0]), v)]),
            raises(optimizer.minimize, tf.constant(1.0), global_step=step), raises(tf.train.SyncReplicasOptimizer, tf.train.AdamOptimizer()),
            raises(optimizer.get_slot, v, "other"), raises(tf.train.SyncReplicasOptimizer(tf.train.AdamOptimizer(), 2).variables)]

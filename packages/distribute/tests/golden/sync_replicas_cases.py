"""`tf.train.SyncReplicasOptimizer`: the graphs that it builds, and what its errors are."""
from golden_case import Case


def _model(tf, resource=False):
    with tf.variable_scope("", use_resource=resource):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        rows = tf.get_variable("rows", [4, 2], initializer=tf.zeros_initializer())
        idle = tf.get_variable("idle", [1], initializer=tf.zeros_initializer())
    step = tf.train.get_or_create_global_step()
    loss = tf.reduce_sum(v * [1.0, 2.0]) + tf.reduce_sum(tf.gather(rows, [0, 1, 1]))
    return loss, step, [v, rows, idle]


def case_dense_and_sparse(tf):
    loss, step, _ = _model(tf)
    opt = tf.train.SyncReplicasOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 2, 2)
    pairs = opt.compute_gradients(loss)
    train = opt.apply_gradients(pairs, step)
    assert opt.get_slot_names() == ["momentum"]
    assert len(opt.variables()) == 2
    opt.make_session_run_hook(True, num_tokens=2).begin()
    opt.get_init_tokens_op()
    return Case([train], graph_only=True)


def case_resource(tf):
    loss, step, _ = _model(tf, resource=True)
    opt = tf.train.SyncReplicasOptimizer(tf.train.AdamOptimizer(0.1), 3, name="gather")
    train = opt.minimize(loss, global_step=step)
    opt.make_session_run_hook(False).begin()
    return Case([train], graph_only=True)


def case_averages(tf):
    loss, step, variables = _model(tf)
    averages = tf.train.ExponentialMovingAverage(0.9, step)
    opt = tf.train.SyncReplicasOptimizer(
        tf.train.GradientDescentOptimizer(0.1), 2, 3, variable_averages=averages, variables_to_average=variables)
    train = opt.minimize(loss, global_step=step)
    opt.get_init_tokens_op(0)
    return Case([train], graph_only=True)


def case_devices(tf):
    with tf.device("/job:ps/task:0"):
        loss, step, _ = _model(tf)
    with tf.device("/job:worker/task:1"):
        opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
        train = opt.minimize(loss, global_step=step)
    return Case([train], graph_only=True)


def case_no_gradients(tf):
    _, step, _ = _model(tf)
    tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2).apply_gradients([], step)


def case_no_step(tf):
    loss, _, _ = _model(tf)
    tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2).minimize(loss)


def case_tokens_too_early(tf):
    tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2).get_init_tokens_op()


def case_runner_too_early(tf):
    tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2).get_chief_queue_runner()


def case_hook_too_early(tf):
    tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2).make_session_run_hook(True).begin()


def case_too_few_tokens(tf):
    loss, step, _ = _model(tf)
    opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 4, 1)
    opt.minimize(loss, global_step=step)
    opt.get_init_tokens_op(2)

"""Programs around a model as people wrote them: queues, hooks, files, summaries, profiles, debugging and deployment."""
import os
import tempfile

import numpy as np
from golden_case import Case

RANDOM = np.random.RandomState(77)
X = RANDOM.uniform(-1, 1, (10, 4)).astype(np.float32)
Y = (X.sum(1) > 0).astype(np.float32)


def numbers(values):
    return np.array(values, np.float32)


def names(items):
    return [item.name for item in items]


def logistic(tf, x, y):
    w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    logits = tf.squeeze(tf.matmul(x, w) + b, 1, name="logits")
    return logits, tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits), name="loss")


def case_logistic_regression_from_a_queue(tf):
    queue = tf.FIFOQueue(20, [tf.float32, tf.float32], shapes=[[4], []], name="examples")
    fill = queue.enqueue_many([X, Y], name="fill")
    x, y = queue.dequeue_many(5, name="batch")
    step = tf.Variable(0, trainable=False, name="step")
    _, loss = logistic(tf, x, y)
    rate = tf.train.inverse_time_decay(0.5, step, 2, 0.5, staircase=True)
    train = tf.train.GradientDescentOptimizer(rate).minimize(loss, step)
    runner = tf.train.QueueRunner(queue, [fill])
    tf.train.add_queue_runner(runner)
    losses = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coordinator)
        try:
            while not coordinator.should_stop() and len(losses) < 5:
                losses.append(sess.run([loss, train])[0])
        finally:
            coordinator.request_stop()
            coordinator.join(threads)
        state = [sess.run(step), sess.run(rate)]
    return {"losses": numbers(losses), "state": numbers(state), "close": runner.close_op.name, "runners": len(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS))}


def case_hooks_of_a_monitored_session(tf):
    folder = tempfile.mkdtemp()
    seen = []

    class Watcher(tf.train.SessionRunHook):
        def begin(self):
            self.loss = tf.get_default_graph().get_tensor_by_name("loss:0")
            seen.append("begin")

        def after_create_session(self, session, coord):
            seen.append("created %d" % session.run(tf.train.get_global_step()))

        def before_run(self, run_context):
            return tf.train.SessionRunArgs({"loss": self.loss, "step": tf.train.get_global_step()})

        def after_run(self, run_context, run_values):
            seen.append("%.4f" % run_values.results["loss"])
            if run_values.results["step"] >= 4:
                run_context.request_stop()

        def end(self, session):
            seen.append("end %d" % session.run(tf.train.get_global_step()))

    for _ in range(2):
        with tf.Graph().as_default():
            step = tf.train.get_or_create_global_step()
            _, loss = logistic(tf, tf.constant(X), tf.constant(Y))
            tf.summary.scalar("loss", loss)
            train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
            hooks = [Watcher(), tf.train.NanTensorHook(loss), tf.train.StopAtStepHook(num_steps=3),
                     tf.train.StepCounterHook(every_n_steps=2, output_dir=folder)]
            scaffold = tf.train.Scaffold(saver=tf.train.Saver(max_to_keep=2))
            with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks, scaffold=scaffold,
                                                   save_checkpoint_steps=2, save_summaries_steps=1,
                                                   log_step_count_steps=None) as sess:
                while not sess.should_stop():
                    sess.run(train)
    files = sorted(name for name in os.listdir(folder) if "events" not in name)
    tags = []
    for name in sorted(os.listdir(folder)):
        if "events" in name:
            for event in tf.train.summary_iterator(os.path.join(folder, name)):
                tags += ["%s@%d" % (v.tag, event.step) for v in event.summary.value if "sec" not in v.tag]
    return {"seen": seen, "files": files, "tags": sorted(tags), "listed": str(tf.train.list_variables(folder)),
            "state": tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths[-1].split("/")[-1]}


def case_continued_from_a_meta_graph(tf):
    folder = tempfile.mkdtemp()
    with tf.Graph().as_default():
        x, y = tf.placeholder(tf.float32, [None, 4], "x"), tf.placeholder(tf.float32, [None], "y")
        logits, loss = logistic(tf, x, y)
        train = tf.train.MomentumOptimizer(0.2, 0.9).minimize(loss, name="train_op")
        tf.add_to_collection("fetches", loss)
        tf.add_to_collection("fetches", train)
        saver = tf.train.Saver(keep_checkpoint_every_n_hours=1)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            first = [sess.run([loss, train], {x: X, y: Y})[0] for _ in range(3)]
            path = saver.save(sess, os.path.join(folder, "model"), global_step=3)
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        saver = tf.train.import_meta_graph(path + ".meta")
        saver.restore(sess, tf.train.latest_checkpoint(folder))
        loss, train = tf.get_collection("fetches")
        more = tf.reduce_max(graph.get_tensor_by_name("logits:0"), name="more")
        second = [sess.run([loss, train], {"x:0": X, "y:0": Y})[0] for _ in range(3)]
        top = sess.run(more, {"x:0": X})
        known = names(tf.global_variables()) + names(tf.trainable_variables())
        ops = [op.name for op in graph.get_operations()]
        again = tf.train.export_meta_graph(clear_devices=True)
    with tf.Graph().as_default():
        tf.train.import_meta_graph(again, import_scope="copy")
        copied = names(tf.global_variables())
    return {"first": numbers(first), "second": numbers(second), "top": top, "known": known, "ops": ops,
            "copied": copied, "info": again.meta_info_def.stripped_op_list.op[0].name}


def case_profiled_run(tf):
    _, loss = logistic(tf, tf.constant(X), tf.constant(Y))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    metadata = tf.RunMetadata()
    folder = tempfile.mkdtemp()
    with tf.Session() as sess:
        writer = tf.summary.FileWriter(folder, sess.graph)
        sess.run(tf.global_variables_initializer())
        value, _ = sess.run([loss, train], options=options, run_metadata=metadata)
        writer.add_run_metadata(metadata, "step 1", 1)
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="by hand", simple_value=2.5)]), 1)
        writer.close()
    ran = {stats.node_name.split(":")[0] for device in metadata.step_stats.dev_stats for stats in device.node_stats}
    kinds = []
    for event in tf.train.summary_iterator(os.path.join(folder, os.listdir(folder)[0])):
        kinds.append((event.WhichOneof("what"), event.step))
    return {"loss": value, "matmul": "MatMul" in ran, "kinds": str(kinds), "some": len(ran) > 3}


def case_debugged_with_prints_and_assertions(tf):
    x = tf.placeholder(tf.float32, [None, 4], "x")
    shown = tf.Print(x, [tf.shape(x), x], "x: ", summarize=4, first_n=2)
    with tf.control_dependencies([tf.Assert(tf.reduce_all(tf.less(x, 2.0)), [x, "too large"], summarize=2),
                                  tf.assert_rank(x, 2), tf.assert_non_negative(x + 1.0, message="below -1")]):
        y = tf.check_numerics(tf.log(shown + 1.5), "logarithm")
    errors = []
    with tf.Session() as sess:
        for values in (X, X * 9, X - 5, X * np.nan):
            try:
                sess.run(y, {x: values})
                errors.append("fine")
            except tf.errors.InvalidArgumentError as error:
                errors.append(type(error).__name__ + " " + error.message[:9])
    return {"kinds": errors, "y": y.name}


def case_devices_of_a_cluster(tf):
    cluster = tf.train.ClusterSpec({"ps": ["a:1", "b:2"], "worker": ["c:3", "d:4"]})
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device="/job:worker/task:1")):
        step = tf.train.get_or_create_global_step()
        with tf.variable_scope("model", partitioner=tf.fixed_size_partitioner(2)):
            table = tf.get_variable("table", [6, 3])
        rows = tf.nn.embedding_lookup(table, tf.placeholder(tf.int64, [None], "ids"), partition_strategy="div")
        with tf.device(lambda op: "/cpu:0" if op.type == "MatMul" else op.device):
            out = tf.layers.dense(rows, 2, name="out")
        with tf.device("/gpu:1"), tf.device(None):
            loss = tf.reduce_mean(out)
        optimizer = tf.train.AdagradOptimizer(0.1)
        pairs = optimizer.compute_gradients(loss, colocate_gradients_with_ops=True)
        optimizer.apply_gradients(pairs, global_step=step)
    return Case({"devices": [v.device for v in tf.global_variables()], "loss": loss.device}, graph_only=True)


def case_partial_runs(tf):
    a, b, c = (tf.placeholder(tf.float32, [], name=name) for name in "abc")
    total = a + b
    result = total * c
    with tf.Session() as sess:
        handle = sess.partial_run_setup([total, result], [a, b, c])
        first = sess.partial_run(handle, total, {a: 1.0, b: 2.0})
        second = sess.partial_run(handle, result, {c: first * 10.0})
        call = sess.make_callable([total, result], [a, b, c])
        return {"first": first, "second": second, "called": numbers(call(1.0, 2.0, 3.0))}


def case_statistics_in_summaries(tf):
    with tf.name_scope("tower"):
        w = tf.get_variable("kernel", initializer=X[:3])
        mean = tf.reduce_mean(w)
        tf.summary.scalar("mean", mean)
        with tf.name_scope("spread"):
            deviation = tf.sqrt(tf.reduce_mean(tf.square(w - mean)))
        tf.summary.scalar("deviation", deviation, collections=["train"], family="spread")
        tf.summary.histogram("weights", w)
        tf.summary.image("image", tf.reshape(w, [1, 3, 4, 1]), max_outputs=1)
        tf.summary.text("note", tf.constant("some *text*"))
        tf.summary.audio("sound", tf.reshape(w, [1, 12]), 8000, max_outputs=1)
    merged, train = tf.summary.merge_all(), tf.summary.merge_all("train", name="train_summaries")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = [tf.Summary.FromString(item) for item in sess.run([merged, train])]
    kinds = [[(v.tag, v.WhichOneof("value")) for v in item.value] for item in found]
    histogram = [v.histo for v in found[0].value if v.WhichOneof("value") == "histo"][0]
    return {"kinds": str(kinds), "names": (merged.name, train.name),
            "histogram": numbers([histogram.min, histogram.max, histogram.num, histogram.sum, histogram.sum_squares]),
            "scalars": numbers([v.simple_value for item in found for v in item.value if v.simple_value])}


def case_straight_through_and_reversed(tf):
    """Binary units, a reversed gradient and a clipped one, each by another means."""
    @tf.custom_gradient
    def reversed_gradient(x):
        return tf.identity(x), lambda dy: -2.0 * dy

    @tf.RegisterGradient("PracticeClipped")
    def _(op, grad):
        return tf.clip_by_value(grad, -0.01, 0.01)

    @tf.RegisterGradient("PracticeStraightThrough")
    def _(op, grad):
        return grad

    x = tf.Variable(X, name="x")
    graph = tf.get_default_graph()
    with graph.gradient_override_map({"Round": "PracticeStraightThrough"}):
        bits = tf.round(tf.sigmoid(x), name="bits")
    with graph.gradient_override_map({"Identity": "PracticeClipped"}):
        clipped = tf.identity(x, name="clipped")
    binary = x + tf.stop_gradient(tf.sign(x) - x)
    loss = tf.reduce_sum(bits * 3.0) + tf.reduce_sum(tf.square(reversed_gradient(x))) + tf.reduce_sum(clipped) \
        + tf.reduce_sum(binary * tf.constant(X))
    slopes = tf.gradients(loss, x)[0]
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return Case(runs=[[loss, slopes], [train], [loss, slopes]])


def case_averaged_weights_swapped_in(tf):
    _, loss = logistic(tf, tf.constant(X), tf.constant(Y))
    variables = tf.trainable_variables()
    step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    averages = tf.train.ExponentialMovingAverage(0.8, zero_debias=True)
    with tf.control_dependencies([step]):
        train = averages.apply(variables)
    backup = [tf.Variable(v.initialized_value(), trainable=False, name=v.op.name + "/backup") for v in variables]
    with tf.control_dependencies([tf.group(*[b.assign(v) for b, v in zip(backup, variables)])]):
        swap = tf.group(*[v.assign(averages.average(v)) for v in variables], name="swap")
    restore = tf.group(*[v.assign(b) for v, b in zip(variables, backup)], name="restore")
    return Case(runs=[[train], [train], [loss], [swap], [loss], [restore], [loss]])


def case_expectation_maximisation(tf):
    points = tf.constant(np.concatenate([X[:, :2], X[:, 2:] + 2]))
    means = tf.Variable(points[:2], name="means")
    spreads = tf.Variable(tf.ones([2, 2]), name="spreads")
    shares = tf.Variable([0.5, 0.5], name="shares")
    away = tf.expand_dims(points, 1) - tf.expand_dims(means, 0)
    logs = -0.5 * tf.reduce_sum(tf.square(away) / spreads + tf.log(2 * np.pi * spreads), 2) + tf.log(shares)
    likelihood = tf.reduce_sum(tf.reduce_logsumexp(logs, 1))
    owned = tf.nn.softmax(logs)
    with tf.control_dependencies([likelihood]):
        totals = tf.reduce_sum(owned, 0)
        new_means = tf.matmul(owned, points, transpose_a=True) / tf.expand_dims(totals, 1)
        new_spreads = tf.einsum("nk,nkd->kd", owned, tf.square(points[:, None] - new_means[None])) / totals[:, None]
    with tf.control_dependencies([new_means, new_spreads, totals]):
        update = tf.group(means.assign(new_means), spreads.assign(new_spreads + 1e-3), shares.assign(totals / 20.0))
    return Case(runs=[[likelihood], [update], [likelihood], [update], [likelihood, means, shares]])


def case_cellular_automata(tf):
    """Life by a convolution, rain on a pond by steps of a differential equation, a set by a loop."""
    board = tf.Variable(np.resize([0, 1, 0, 0, 1, 1, 1], (6, 6)).astype(np.int32), trainable=False, name="board")
    kernel = tf.reshape(tf.constant([[1, 1, 1], [1, 0, 1], [1, 1, 1]], tf.float32), [3, 3, 1, 1])
    wide = tf.cast(tf.reshape(board, [1, 6, 6, 1]), tf.float32)
    around = tf.cast(tf.squeeze(tf.nn.conv2d(wide, kernel, [1, 1, 1, 1], "SAME")), tf.int32)
    lives = tf.logical_or(tf.equal(around, 3), tf.logical_and(tf.equal(board, 1), tf.equal(around, 2)))
    turn = board.assign(tf.where(lives, tf.ones_like(board), tf.zeros_like(board)))
    u, ut = tf.Variable(np.resize(X, (5, 5)), name="U"), tf.Variable(tf.zeros([5, 5]), name="Ut")
    stencil = tf.constant([[0.5, 1, 0.5], [1, -6, 1], [0.5, 1, 0.5]])[:, :, tf.newaxis, tf.newaxis]
    laplace = tf.nn.depthwise_conv2d(u[None, :, :, None], stencil, [1, 1, 1, 1], padding="SAME")[0, :, :, 0]
    u_, ut_ = u + 0.03 * ut, ut + 0.03 * (laplace - 0.04 * ut)
    with tf.control_dependencies([u_, ut_]):
        step = tf.group(u.assign(u_), ut.assign(ut_))
    grid = tf.constant(np.mgrid[-1:1:4j, -1:1:4j][0] + 1j * np.mgrid[-1:1:4j, -1:1:4j][1], tf.complex64)
    z, counts = tf.while_loop(
        lambda i, *_: i < 6,
        lambda i, z, n: (i + 1, z * z + grid, n + tf.to_int32(tf.abs(z * z + grid) < 4)),
        [0, grid, tf.zeros([4, 4], tf.int32)])[1:]
    return Case(runs=[[turn], [turn], [step], [step], [u, board, counts, tf.real(z[:1])]])


def case_boxes_of_a_detector(tf):
    image = tf.constant(np.resize(X, (1, 8, 8, 2)))
    features = tf.layers.conv2d(image, 6, 3, 2, "same", activation=tf.nn.relu)
    raw = tf.reshape(tf.layers.conv2d(features, 2 * 5, 1), [1, 16, 2, 5])
    centres, sizes, trust = tf.split(raw, [2, 2, 1], axis=-1)
    offsets = tf.to_float(tf.stack(tf.meshgrid(tf.range(4), tf.range(4)), axis=-1))
    centres = (tf.sigmoid(centres) + tf.reshape(offsets, [1, 16, 1, 2])) / 4.0
    sizes = tf.exp(tf.clip_by_value(sizes, -2.0, 1.0)) * [[0.2, 0.3], [0.4, 0.2]]
    boxes = tf.clip_by_value(tf.concat([centres - sizes / 2, centres + sizes / 2], -1), 0.0, 1.0)
    scores = tf.sigmoid(tf.reshape(trust, [-1]))
    kept = tf.gather(tf.reshape(boxes, [-1, 4]), tf.nn.top_k(scores, 5).indices)
    truth = tf.constant([[0.1, 0.1, 0.5, 0.6]])
    low, high = tf.maximum(boxes[..., :2], truth[:, :2]), tf.minimum(boxes[..., 2:], truth[:, 2:])
    shared = tf.reduce_prod(tf.maximum(high - low, 0.0), -1)
    area = tf.reduce_prod(boxes[..., 2:] - boxes[..., :2], -1)
    overlap = shared / (area + 0.2 - shared)
    good = tf.equal(overlap, tf.reduce_max(overlap, [1, 2], keepdims=True))
    loss = tf.losses.huber_loss(tf.boolean_mask(boxes, good) * 0 + truth, tf.boolean_mask(boxes, good)) \
        + tf.losses.log_loss(tf.to_float(good), tf.sigmoid(trust[..., 0]), weights=tf.where(
            good, tf.ones_like(overlap), 0.5 * tf.ones_like(overlap)))
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    return Case(runs=[[loss, kept], [train], [loss]])

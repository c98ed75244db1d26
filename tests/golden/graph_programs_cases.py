"""Programs about graphs: frozen and imported, restored under other names, shared between towers, looked through by name."""
import os
import tempfile
import threading

import numpy as np
from golden_case import Case

RANDOM = np.random.RandomState(23)
X = RANDOM.uniform(-1, 1, (12, 6)).astype(np.float32)
Y = RANDOM.randint(0, 3, 12)


def numbers(values):
    return np.array(values, np.float32)


def case_frozen_and_served(tf):
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.set_random_seed(1)
        x = tf.placeholder(tf.float32, [None, 6], name="input")
        keep = tf.placeholder_with_default(1.0, [], name="keep_prob")
        h = tf.nn.dropout(tf.layers.dense(x, 5, tf.nn.relu, name="hidden"), keep)
        tf.nn.softmax(tf.layers.dense(h, 3, name="logits"), name="output")
        sess.run(tf.global_variables_initializer())
        names = [n.name for n in graph.as_graph_def().node if n.op in ("Placeholder", "VariableV2", "Softmax")]
        before = sess.run("output:0", {"input:0": X})
        frozen = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ["output"])
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "frozen.pb")
    with tf.gfile.GFile(path, "wb") as file:
        file.write(frozen.SerializeToString())
    tf.train.write_graph(frozen, folder, "frozen.pbtxt", as_text=True)
    with tf.gfile.FastGFile(path, "rb") as file:
        loaded = tf.GraphDef()
        loaded.ParseFromString(file.read())
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(loaded, name="prefix")
        ops = [op.name for op in graph.get_operations()]
        x = graph.get_tensor_by_name("prefix/input:0")
        y = graph.get_tensor_by_name("prefix/output:0")
        with tf.Session(graph=graph) as sess:
            after = sess.run(y, feed_dict={x: X})
    with tf.Graph().as_default(), tf.Session() as sess:
        image = tf.placeholder(tf.float32, [None, 6])
        features, = tf.import_graph_def(loaded, input_map={"input:0": image * 2.0}, return_elements=["hidden/Relu:0"])
        tuned = tf.layers.dense(tf.stop_gradient(features), 2, name="tuned")
        sess.run(tf.global_variables_initializer())
        shape = sess.run(tuned, {image: X}).shape
        trainable = [v.name for v in tf.trainable_variables()]
    return {"same": bool(np.allclose(before, after)), "names": names, "ops": ops, "shape": shape,
            "trainable": trainable, "text": os.path.getsize(os.path.join(folder, "frozen.pbtxt")) > 1000}


def case_averages_restored_for_evaluation(tf):
    folder = tempfile.mkdtemp()

    def inference(x):
        with tf.variable_scope("layer1"):
            w = tf.get_variable("weights", [6, 4], initializer=tf.truncated_normal_initializer(stddev=0.1, seed=1))
            tf.add_to_collection("losses", tf.multiply(tf.nn.l2_loss(w), 0.01, name="weight_loss"))
            h = tf.nn.relu(tf.matmul(x, w) + tf.get_variable("biases", [4], initializer=tf.constant_initializer(0.1)))
        with tf.variable_scope("layer2"):
            w = tf.get_variable("weights", [4, 3], initializer=tf.truncated_normal_initializer(stddev=0.1, seed=2))
            return tf.matmul(h, w) + tf.get_variable("biases", [3], initializer=tf.constant_initializer(0.0))

    with tf.Graph().as_default():
        global_step = tf.Variable(0, trainable=False, name="global_step")
        averages = tf.train.ExponentialMovingAverage(0.9, global_step)
        averages_op = averages.apply(tf.trainable_variables())
        logits = inference(tf.constant(X))
        cross = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=Y)
        loss = tf.reduce_mean(cross) + tf.add_n(tf.get_collection("losses"))
        averages_op = averages.apply(tf.trainable_variables())
        rate = tf.train.exponential_decay(0.8, global_step, 4, 0.9)
        step = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)
        with tf.control_dependencies([step, averages_op]):
            train = tf.no_op(name="train")
        saver = tf.train.Saver()
        losses = []
        with tf.Session() as sess:
            tf.global_variables_initializer().run()
            for _ in range(6):
                losses.append(sess.run([train, loss])[1])
            saver.save(sess, os.path.join(folder, "model.ckpt"), global_step=global_step)
    with tf.Graph().as_default(), tf.Session() as sess:
        logits = inference(tf.constant(X))
        names = tf.train.ExponentialMovingAverage(0.9).variables_to_restore()
        state = tf.train.get_checkpoint_state(folder)
        tf.train.Saver(names).restore(sess, state.model_checkpoint_path)
        step = state.model_checkpoint_path.split("/")[-1].split("-")[-1]
        accuracy = tf.reduce_mean(tf.cast(tf.nn.in_top_k(logits, Y, 1), tf.float32))
        results = sess.run([logits, accuracy])
    listed = tf.train.list_variables(state.model_checkpoint_path)
    return {"losses": numbers(losses), "logits": results[0], "accuracy": numbers(results[1]), "step": step,
            "names": sorted(names), "listed": str(listed)}


def case_towers_with_averaged_gradients(tf):
    def tower(scope, x, y):
        with tf.variable_scope("fc"):
            h = tf.nn.relu(tf.matmul(x, tf.get_variable("w", [6, 5])) + tf.get_variable("b", [5]))
            logits = tf.matmul(h, tf.get_variable("w2", [5, 3]))
        entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        tf.add_to_collection("losses", tf.reduce_mean(entropy, name="cross_entropy"))
        return tf.add_n(tf.get_collection("losses", scope), name="total_loss")

    with tf.device("/cpu:0"):
        global_step = tf.get_variable("global_step", [], initializer=tf.constant_initializer(0), trainable=False)
        boundaries, values = [2, 4], [0.5, 0.1, 0.01]
        lr = tf.train.piecewise_constant(tf.cast(global_step, tf.int32), boundaries, values)
        optimizer = tf.train.MomentumOptimizer(lr, 0.9)
        grads = []
        with tf.variable_scope(tf.get_variable_scope()):
            for i in range(2):
                with tf.device("/cpu:%d" % 0), tf.name_scope("tower_%d" % i) as scope:
                    loss = tower(scope, tf.constant(X[i * 6:i * 6 + 6]), tf.constant(Y[i * 6:i * 6 + 6]))
                    tf.get_variable_scope().reuse_variables()
                    grads.append(optimizer.compute_gradients(loss))
        averaged = []
        for pairs in zip(*grads):
            grad = tf.reduce_mean(tf.concat([tf.expand_dims(g, 0) for g, _ in pairs], 0), 0)
            averaged.append((tf.clip_by_norm(grad, 1.0), pairs[0][1]))
        apply = optimizer.apply_gradients(averaged, global_step=global_step)
        averages = tf.train.ExponentialMovingAverage(0.99, global_step)
        train = tf.group(apply, averages.apply(tf.trainable_variables()))
    losses = []
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(config=config) as sess:
        sess.run(tf.global_variables_initializer())
        tf.get_default_graph().finalize()
        for _ in range(5):
            losses.append(sess.run([loss, lr, train])[:2])
    return {"losses": numbers(losses), "names": [v.op.name for v in tf.global_variables()]}


def case_python_in_the_graph(tf):
    seen = []

    def flip(image, label):
        seen.append(int(label))
        return image[::-1].copy(), np.int64(label + 1)

    @tf.custom_gradient
    def straight(x):
        return tf.round(x), lambda dy: tf.clip_by_value(dy, -0.1, 0.1)

    @tf.RegisterGradient("GraphProgramReversal")
    def reversal(op, grad):
        return -0.5 * grad

    label = tf.placeholder(tf.int64, [], name="label")
    image, more = tf.py_func(flip, [tf.constant(X[0]), label], [tf.float32, tf.int64], name="flip")
    image.set_shape([6])
    w = tf.get_variable("w", [6, 2], initializer=tf.random_normal_initializer(seed=4))
    h = straight(tf.matmul(tf.expand_dims(image, 0), w))
    with tf.get_default_graph().gradient_override_map({"Identity": "GraphProgramReversal"}):
        turned = tf.identity(h)
    turned = tf.Print(turned, [tf.shape(turned)], message="shape: ", first_n=1)
    loss = tf.reduce_sum(tf.square(turned - 1.0)) + tf.cast(more, tf.float32)
    grads = tf.gradients(loss, [w])
    opt = tf.train.GradientDescentOptimizer(0.1)
    train = opt.apply_gradients(zip(grads, [w]))
    results = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(3):
            results.append(sess.run([loss, tf.reduce_sum(grads[0]), train], {label: i})[:2])
    return Case({"results": numbers(results), "seen": seen})


def case_fed_by_a_thread(tf):
    queue = tf.FIFOQueue(capacity=20, dtypes=[tf.float32, tf.int32], shapes=[[6], []])
    x_in, y_in = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.int32, [None])
    enqueue = queue.enqueue_many([x_in, y_in])
    close = queue.close()
    x, y = queue.dequeue_many(4)
    logits = tf.layers.dense(x, 3)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    train = tf.train.AdamOptimizer(0.05).minimize(loss, tf.train.get_or_create_global_step())
    size = queue.size()
    losses = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())

        def feed():
            for _ in range(2):
                sess.run(enqueue, {x_in: X, y_in: Y})
            sess.run(close)

        thread = threading.Thread(target=feed)
        thread.start()
        thread.join(30)
        try:
            while True:
                losses.append(sess.run([train, loss])[1])
        except tf.errors.OutOfRangeError as error:
            text = "closed and has insufficient elements (requested 4, current size 0)" in error.message
        left = sess.run(size)
    return {"losses": numbers(losses), "left": int(left), "text": text}


def case_normalised_by_hand(tf):
    is_training = tf.placeholder(tf.bool, name="phase_train")

    def batch_norm(x, n_out, scope):
        with tf.variable_scope(scope):
            beta = tf.Variable(tf.constant(0.0, shape=[n_out]), name="beta", trainable=True)
            gamma = tf.Variable(tf.constant(1.0, shape=[n_out]), name="gamma", trainable=True)
            mean, var = tf.nn.moments(x, [0], name="moments")
            ema = tf.train.ExponentialMovingAverage(decay=0.5)

            def update():
                with tf.control_dependencies([ema.apply([mean, var])]):
                    return tf.identity(mean), tf.identity(var)

            mean, var = tf.cond(is_training, update, lambda: (ema.average(mean), ema.average(var)))
            return tf.nn.batch_normalization(x, mean, var, beta, gamma, 1e-3)

    x = tf.placeholder(tf.float32, [None, 6])
    h = tf.nn.relu(batch_norm(tf.layers.dense(x, 4, use_bias=False), 4, "bn1"))
    logits = batch_norm(tf.layers.dense(h, 3, use_bias=False), 3, "bn2")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=Y, logits=logits))
    train = tf.train.GradientDescentOptimizer(0.3).minimize(loss)
    results = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            value, _ = sess.run([loss, train], {x: X, is_training: True})
            results.append([value, sess.run(loss, {x: X, is_training: False})])
    return {"results": numbers(results), "names": [v.name for v in tf.global_variables()]}


def case_wide_and_deep_by_hand(tf):
    ids = tf.placeholder(tf.int64, [None, 2], name="ids")
    dense = tf.placeholder(tf.float32, [None, 6], name="dense")
    label = tf.placeholder(tf.float32, [None, 1], name="label")
    hashed = tf.string_to_hash_bucket_fast(tf.as_string(ids), 7)
    with tf.variable_scope("linear", partitioner=tf.fixed_size_partitioner(2)):
        wide_w = tf.get_variable("w", [7, 1], initializer=tf.zeros_initializer())
        crossed = tf.floormod(hashed[:, 0] * 7 + hashed[:, 1], 7)
        wide = tf.nn.embedding_lookup(wide_w, crossed) + tf.reduce_sum(tf.nn.embedding_lookup(wide_w, hashed), 1)
    with tf.variable_scope("dnn"):
        table = tf.get_variable("table", [7, 3], initializer=tf.random_normal_initializer(stddev=0.1))
        sparse = tf.SparseTensor(tf.where(tf.not_equal(hashed, 0)), tf.gather_nd(hashed, tf.where(tf.not_equal(hashed, 0))),
                                 tf.shape(hashed, out_type=tf.int64))
        pooled = tf.nn.embedding_lookup_sparse(table, sparse, None, combiner="mean")
        padded = tf.pad(pooled, [[0, tf.shape(hashed)[0] - tf.shape(pooled)[0]], [0, 0]])
        padded.set_shape([None, 3])
        net = tf.concat([padded, dense], 1)
        for i, units in enumerate([8, 4]):
            net = tf.layers.dense(net, units, tf.nn.relu, name="hiddenlayer_%d" % i)
        deep = tf.layers.dense(net, 1, name="logits")
    logits = wide + deep
    loss = tf.losses.sigmoid_cross_entropy(label, logits)
    linear, dnn = (tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope) for scope in ("linear", "dnn"))
    train = tf.group(tf.train.FtrlOptimizer(0.2, l1_regularization_strength=0.01).minimize(loss, var_list=linear),
                     tf.train.AdagradOptimizer(0.05).minimize(loss, var_list=dnn))
    auc, update = tf.metrics.auc(label, tf.sigmoid(logits), num_thresholds=20)
    losses = []
    feed = {ids: RANDOM.randint(0, 5, (12, 2)), dense: X, label: (Y > 0)[:, None]}
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for _ in range(4):
            losses.append(sess.run([loss, train, update], feed)[0])
        area = sess.run(auc)
    return {"losses": numbers(losses), "auc": numbers(area), "names": [v.name for v in tf.trainable_variables()]}


def case_looked_through_by_name(tf):
    with tf.name_scope("inputs"):
        x = tf.placeholder(tf.float32, [None, 6], "x")
    with tf.variable_scope("encoder", regularizer=lambda w: 0.1 * tf.reduce_sum(tf.abs(w)), reuse=tf.AUTO_REUSE):
        for _ in range(2):
            h = tf.layers.dense(x, 4, tf.tanh, name="fc")
    with tf.variable_scope("decoder"):
        out = tf.layers.dense(h, 6)
    loss = tf.losses.mean_squared_error(x, out) + tf.losses.get_regularization_loss()
    optimizer = tf.train.AdamOptimizer(0.01)
    pairs = optimizer.compute_gradients(loss, tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "encoder"))
    pairs = [(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in pairs if g is not None]
    train = optimizer.apply_gradients(pairs)
    graph = tf.get_default_graph()
    counts = {}
    for op in graph.get_operations():
        counts[op.type] = counts.get(op.type, 0) + 1
    parameters = sum(int(np.prod(v.get_shape().as_list())) for v in tf.trainable_variables())
    gradients = [op.name for op in graph.get_operations() if op.name.startswith("gradients/") and op.type == "MatMul"]
    slots = [(optimizer.get_slot(v, name).name) for _, v in pairs for name in optimizer.get_slot_names()]
    with tf.Session() as sess:
        sess.run(tf.variables_initializer(tf.global_variables()))
        unset = sess.run(tf.report_uninitialized_variables()).tolist()
        before = sess.run("encoder/fc/kernel:0")
        sess.run([train, loss], {"inputs/x:0": X})
        moved = np.abs(sess.run(graph.get_tensor_by_name("encoder/fc/kernel:0")) - before).max()
        consumers = [op.name for op in graph.get_tensor_by_name("encoder/fc/Tanh:0").consumers()]
    return {"counts": str(sorted(counts.items())), "parameters": parameters, "gradients": gradients, "slots": slots,
            "unset": unset, "moved": numbers(moved), "consumers": consumers}


def case_restored_under_other_names(tf):
    folder = tempfile.mkdtemp()
    with tf.Graph().as_default(), tf.Session() as sess:
        a = tf.get_variable("old/conv/w", initializer=tf.constant(X[:2]))
        b = tf.Variable(tf.zeros([3]), name="old/b")
        tf.get_variable("extra", [])
        sess.run([tf.global_variables_initializer(), b.initializer])
        sess.run(b.assign([1.0, 2.0, 3.0]))
        path = tf.train.Saver({"v1": a, "v2": b}).save(sess, os.path.join(folder, "named"), write_meta_graph=False)
    reader = tf.train.NewCheckpointReader(path)
    shapes = sorted(reader.get_variable_to_shape_map().items())
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.get_variable("new/w", [2, 6])
        b = tf.get_variable("new/b", [3])
        fresh = tf.get_variable("fresh", [2], initializer=tf.ones_initializer())
        tf.train.init_from_checkpoint(path, {"v1": w})
        tf.train.Saver({"v2": b}).restore(sess, path)
        sess.run(tf.variables_initializer([v for v in tf.global_variables() if v is not b]))
        found = sess.run([w, b, fresh])
        try:
            tf.train.Saver({"v3": fresh}).restore(sess, path)
        except tf.errors.NotFoundError as error:
            missing = "v3" in error.message
        try:
            tf.train.Saver({"v2": fresh}).restore(sess, path)
        except tf.errors.InvalidArgumentError as error:
            unfit = "Assign requires shapes of both tensors to match" in error.message
    return {"shapes": str(shapes), "w": found[0], "b": found[1], "fresh": found[2], "missing": missing, "unfit": unfit}


def case_restricted_boltzmann_machine(tf):
    v = tf.placeholder(tf.float32, [None, 6])
    w = tf.Variable(tf.random_normal([6, 4], stddev=0.1, seed=1))
    vb, hb = tf.Variable(tf.zeros([6])), tf.Variable(tf.zeros([4]))

    def sample(p, seed):
        return tf.nn.relu(tf.sign(p - tf.random_uniform(tf.shape(p), seed=seed)))

    h0 = sample(tf.nn.sigmoid(tf.matmul(v, w) + hb), 2)
    v1 = sample(tf.nn.sigmoid(tf.matmul(h0, tf.transpose(w)) + vb), 3)
    h1 = tf.nn.sigmoid(tf.matmul(v1, w) + hb)
    positive, negative = tf.matmul(tf.transpose(v), h0), tf.matmul(tf.transpose(v1), h1)
    updates = [w.assign_add(0.5 * (positive - negative) / tf.to_float(tf.shape(v)[0])),
               vb.assign_add(0.5 * tf.reduce_mean(v - v1, 0)), hb.assign_add(0.5 * tf.reduce_mean(h0 - h1, 0))]
    error = tf.reduce_mean(tf.square(v - v1))
    errors = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(4):
            errors.append(sess.run([error, updates], {v: (X > 0).astype(np.float32)})[0])
        weights = sess.run(w)
    return {"errors": numbers(errors), "weights": weights}

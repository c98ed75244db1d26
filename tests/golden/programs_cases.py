"""Whole small programs as people wrote them: the graph of training, and the losses of the first steps."""
import numpy as np
from golden_case import Case

RANDOM = np.random.RandomState(0)
X = RANDOM.uniform(-1, 1, (12, 6)).astype(np.float32)
Y = RANDOM.randint(0, 3, 12)
IMAGES = RANDOM.uniform(0, 1, (4, 8, 8, 1)).astype(np.float32)
SEQUENCES = RANDOM.uniform(-1, 1, (3, 5, 4)).astype(np.float32)
WORDS = RANDOM.randint(0, 20, (6, 3))


def case_linear_regression(tf):
    x, y = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.float32, [None])
    w, b = tf.Variable(tf.zeros([6, 1]), name="w"), tf.Variable(0.0, name="b")
    prediction = tf.squeeze(tf.matmul(x, w), 1) + b
    loss = tf.reduce_mean(tf.square(prediction - y))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return Case([loss, train], feeds={x: X, y: X.sum(1)}, steps=5)


def case_logistic_regression(tf):
    x, y = tf.placeholder(tf.float32, [None, 6], name="x"), tf.placeholder(tf.float32, [None, 3], name="y")
    W, b = tf.Variable(tf.zeros([6, 3])), tf.Variable(tf.zeros([3]))
    pred = tf.nn.softmax(tf.matmul(x, W) + b)
    cost = tf.reduce_mean(-tf.reduce_sum(y * tf.log(pred), reduction_indices=1))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(cost)
    correct = tf.equal(tf.argmax(pred, 1), tf.argmax(y, 1))
    return Case([cost, train, tf.reduce_mean(tf.cast(correct, tf.float32))], feeds={x: X, y: np.eye(3)[Y]}, steps=4)


def case_mlp(tf):
    x, y = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.int64, [None])
    h = x
    for i, size in enumerate([16, 8]):
        with tf.name_scope("hidden%d" % (i + 1)):
            weights = tf.Variable(tf.truncated_normal([h.shape[1].value, size], stddev=1.0 / np.sqrt(float(h.shape[1].value))), name="weights")
            biases = tf.Variable(tf.zeros([size]), name="biases")
            h = tf.nn.relu(tf.matmul(h, weights) + biases)
    with tf.name_scope("softmax_linear"):
        weights = tf.Variable(tf.truncated_normal([8, 3], stddev=0.3), name="weights")
        logits = tf.matmul(h, weights) + tf.Variable(tf.zeros([3]), name="biases")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits, name="xentropy"), name="mean")
    tf.summary.scalar("loss", loss)
    step = tf.Variable(0, name="global_step", trainable=False)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    return Case([loss, train, tf.reduce_sum(tf.cast(tf.nn.in_top_k(logits, y, 1), tf.int32))], feeds={x: X, y: Y}, steps=4)


def case_convolutional(tf):
    x, y, keep = tf.placeholder(tf.float32, [None, 8, 8, 1]), tf.placeholder(tf.int64, [None]), tf.placeholder(tf.float32)

    def weight(shape):
        return tf.Variable(tf.truncated_normal(shape, stddev=0.1))

    def bias(shape):
        return tf.Variable(tf.constant(0.1, shape=shape))
    h = tf.nn.relu(tf.nn.conv2d(x, weight([3, 3, 1, 4]), strides=[1, 1, 1, 1], padding="SAME") + bias([4]))
    h = tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    h = tf.nn.relu(tf.nn.conv2d(h, weight([3, 3, 4, 8]), strides=[1, 1, 1, 1], padding="SAME") + bias([8]))
    h = tf.reshape(tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME"), [-1, 2 * 2 * 8])
    h = tf.nn.dropout(tf.nn.relu(tf.matmul(h, weight([32, 16])) + bias([16])), keep)
    logits = tf.matmul(h, weight([16, 3])) + bias([3])
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    return Case([loss, train], feeds={x: IMAGES, y: Y[:4], keep: 0.5}, steps=4)


def case_layers_batch_norm(tf):
    x, y = tf.placeholder(tf.float32, [None, 8, 8, 1]), tf.placeholder(tf.int64, [None])
    training = tf.placeholder_with_default(True, [], name="training")
    h = tf.layers.conv2d(x, 4, 3, padding="same", use_bias=False)
    h = tf.nn.relu(tf.layers.batch_normalization(h, training=training))
    h = tf.layers.max_pooling2d(h, 2, 2)
    h = tf.layers.dropout(tf.layers.flatten(h), 0.3, training=training)
    logits = tf.layers.dense(h, 3, kernel_regularizer=lambda w: 0.01 * tf.nn.l2_loss(w))
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits) + tf.losses.get_regularization_loss()
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss, tf.train.get_or_create_global_step())
    return Case([loss, train], feeds={x: IMAGES, y: Y[:4]}, steps=4)


def case_autoencoder(tf):
    x = tf.placeholder(tf.float32, [None, 6])
    shapes = {"e1": [6, 4], "e2": [4, 2], "d1": [2, 4], "d2": [4, 6]}
    w = {name: tf.Variable(tf.random_normal(shape)) for name, shape in sorted(shapes.items())}
    h = x
    for name in ("e1", "e2", "d1", "d2"):
        h = tf.nn.sigmoid(tf.matmul(h, w[name]))
    cost = tf.reduce_mean(tf.pow(x - h, 2))
    return Case([cost, tf.train.RMSPropOptimizer(0.01).minimize(cost)], feeds={x: X}, steps=4)


def case_lstm_by_hand(tf):
    x, y = tf.placeholder(tf.float32, [None, 5, 4]), tf.placeholder(tf.float32, [None, 2])
    with tf.variable_scope("lstm"):
        w = tf.get_variable("w", [4 + 6, 4 * 6])
        b = tf.get_variable("b", [4 * 6], initializer=tf.zeros_initializer())
    c = h = tf.zeros([tf.shape(x)[0], 6])
    for step in tf.unstack(x, axis=1):
        i, j, f, o = tf.split(tf.matmul(tf.concat([step, h], 1), w) + b, 4, 1)
        c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        h = tf.tanh(c) * tf.sigmoid(o)
    loss = tf.losses.mean_squared_error(y, tf.layers.dense(h, 2))
    optimizer = tf.train.AdamOptimizer(0.01)
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    gradients, norm = tf.clip_by_global_norm(gradients, 0.1)
    return Case([loss, norm, optimizer.apply_gradients(zip(gradients, variables))], feeds={x: SEQUENCES, y: SEQUENCES[:, 0, :2]}, steps=4)


def case_dynamic_rnn(tf):
    x, n = tf.placeholder(tf.float32, [None, 5, 4]), tf.placeholder(tf.int32, [None])
    cell = tf.nn.rnn_cell.BasicLSTMCell(6)
    outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=n, dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(outputs)) + tf.reduce_mean(state.h)
    return Case([loss, tf.train.GradientDescentOptimizer(0.5).minimize(loss)], feeds={x: SEQUENCES, n: [5, 2, 0]}, steps=3)


def case_word2vec(tf):
    words, targets = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None, 1])
    embeddings = tf.Variable(tf.random_uniform([20, 8], -1.0, 1.0))
    embed = tf.nn.embedding_lookup(embeddings, words)
    weights, biases = tf.Variable(tf.truncated_normal([20, 8], stddev=0.3)), tf.Variable(tf.zeros([20]))
    loss = tf.reduce_mean(tf.nn.nce_loss(weights=weights, biases=biases, inputs=embed, labels=targets, num_sampled=4, num_classes=20))
    train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    normalized = embeddings / tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
    return Case(runs=[[loss], [train], [loss], [tf.matmul(tf.nn.embedding_lookup(normalized, [1]), normalized, transpose_b=True)]], feeds={words: WORDS[:, 0], targets: WORDS[:, 1:2]})


def case_matrix_factorisation(tf):
    users, items, ratings = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None])
    with tf.variable_scope("factors"):
        u = tf.get_variable("users", [20, 4], initializer=tf.truncated_normal_initializer(stddev=0.02))
        v = tf.get_variable("items", [20, 4], initializer=tf.truncated_normal_initializer(stddev=0.02))
    a, b = tf.nn.embedding_lookup(u, users), tf.nn.embedding_lookup(v, items)
    infer = tf.reduce_sum(a * b, 1)
    cost = tf.nn.l2_loss(infer - ratings) + 0.1 * (tf.nn.l2_loss(a) + tf.nn.l2_loss(b))
    train = tf.train.FtrlOptimizer(0.1).minimize(cost, global_step=tf.train.get_or_create_global_step())
    return Case([cost, train], feeds={users: WORDS[:, 0], items: WORDS[:, 1], ratings: WORDS[:, 2]}, steps=4)


def case_gan(tf):
    z, x = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 6])

    def generator(z):
        with tf.variable_scope("generator"):
            return tf.layers.dense(tf.layers.dense(z, 5, tf.nn.leaky_relu), 6, tf.tanh)

    def discriminator(x, reuse=None):
        with tf.variable_scope("discriminator", reuse=reuse):
            return tf.layers.dense(tf.layers.dense(x, 5, tf.nn.leaky_relu), 1)
    real, fake = discriminator(x), discriminator(generator(z), reuse=True)
    xent = tf.nn.sigmoid_cross_entropy_with_logits
    d_loss = tf.reduce_mean(xent(labels=tf.ones_like(real), logits=real)) + tf.reduce_mean(xent(labels=tf.zeros_like(fake), logits=fake))
    g_loss = tf.reduce_mean(xent(labels=tf.ones_like(fake), logits=fake))
    own = lambda name: [v for v in tf.trainable_variables() if v.name.startswith(name)]
    d_train = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(d_loss, var_list=own("discriminator"))
    g_train = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(g_loss, var_list=own("generator"))
    feeds = {z: X[:, :3], x: X}
    return Case(runs=[(d_loss, feeds), (d_train, feeds), (g_loss, feeds), (g_train, feeds), (d_loss, feeds), (g_loss, feeds)])


def case_vae(tf):
    x = tf.placeholder(tf.float32, [None, 6])
    h = tf.layers.dense(x, 5, tf.nn.elu, name="encoder")
    mean, log_variance = tf.split(tf.layers.dense(h, 4, name="latent"), 2, 1)
    z = mean + tf.exp(0.5 * log_variance) * tf.random_normal(tf.shape(mean))
    out = tf.layers.dense(tf.layers.dense(z, 5, tf.nn.elu, name="decoder"), 6, name="out")
    kl = -0.5 * tf.reduce_sum(1.0 + log_variance - tf.square(mean) - tf.exp(log_variance), 1)
    loss = tf.reduce_mean(tf.reduce_sum(tf.square(out - x), 1) + kl)
    return Case([loss, tf.train.AdamOptimizer(0.01).minimize(loss)], feeds={x: X}, steps=4)


def case_reinforce(tf):
    state, action, reward = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None])
    logits = tf.layers.dense(tf.layers.dense(state, 8, tf.tanh), 3)
    chosen = tf.gather_nd(tf.nn.log_softmax(logits), tf.stack([tf.range(tf.shape(action)[0]), action], 1))
    loss = -tf.reduce_mean(chosen * reward)
    return Case([loss, tf.train.AdamOptimizer(0.01).minimize(loss), tf.squeeze(tf.multinomial(logits, 1), 1)], feeds={state: X, action: Y, reward: X[:, 0]}, steps=3)


def case_attention(tf):
    x = tf.placeholder(tf.float32, [None, 5, 4])
    q, k, v = (tf.layers.dense(x, 6, use_bias=False, name=name) for name in "qkv")
    scores = tf.matmul(q, k, transpose_b=True) / np.sqrt(6.0)
    mask = tf.matrix_band_part(tf.ones([5, 5]), -1, 0)
    weights = tf.nn.softmax(scores * mask - 1e9 * (1.0 - mask))
    y = tf.matmul(tf.nn.dropout(weights, 0.9), v)
    mean, variance = tf.nn.moments(y, [-1], keep_dims=True)
    y = (y - mean) * tf.rsqrt(variance + 1e-6) * tf.get_variable("scale", [6], initializer=tf.ones_initializer())
    loss = tf.reduce_mean(tf.square(tf.einsum("btd,de->bte", y, tf.get_variable("out", [6, 4])) - x))
    return Case([loss, tf.train.AdamOptimizer(0.01).minimize(loss)], feeds={x: SEQUENCES}, steps=3)


def case_multi_task_shared(tf):
    x = tf.placeholder(tf.float32, [None, 6])
    shared = tf.layers.dense(x, 8, tf.nn.relu, name="shared")
    losses = [tf.reduce_mean(tf.square(tf.layers.dense(shared, 1, name="head%d" % i) - x[:, i:i + 1])) for i in range(3)]
    loss = tf.add_n(losses, name="total")
    step = tf.train.get_or_create_global_step()
    rate = tf.train.piecewise_constant(step, [2], [0.1, 0.01])
    train = tf.train.MomentumOptimizer(rate, 0.9, use_nesterov=True).minimize(loss, step)
    with tf.control_dependencies([train]):
        ema = tf.train.ExponentialMovingAverage(0.9, step)
        train = ema.apply(tf.trainable_variables())
    return Case([loss, train], feeds={x: X}, steps=4)


def case_gradient_accumulation(tf):
    x = tf.placeholder(tf.float32, [None, 6])
    loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 2)))
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    held = tf.trainable_variables()
    sums = [tf.Variable(tf.zeros_like(v.initialized_value()), trainable=False) for v in held]
    zero = [s.assign(tf.zeros_like(s)) for s in sums]
    pairs = optimizer.compute_gradients(loss, held)
    add = [s.assign_add(g) for s, (g, _) in zip(sums, pairs)]
    apply_ = optimizer.apply_gradients([(s, v) for s, (_, v) in zip(sums, pairs)])
    return Case(runs=[loss, add, add, apply_, zero, loss], feeds={x: X})


def case_towers(tf):
    x = tf.placeholder(tf.float32, [4, 6])
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    towers = []
    for i, part in enumerate(tf.split(x, 2)):
        with tf.device("/cpu:0"), tf.name_scope("tower_%d" % i), tf.variable_scope("net", reuse=tf.AUTO_REUSE):
            loss = tf.reduce_mean(tf.square(tf.matmul(part, tf.get_variable("w", [6, 2]))))
            towers.append(optimizer.compute_gradients(loss))
    averaged = []
    for pairs in zip(*towers):
        grads = tf.concat([tf.expand_dims(g, 0) for g, _ in pairs], 0)
        averaged.append((tf.reduce_mean(grads, 0), pairs[0][1]))
    return Case(runs=[optimizer.apply_gradients(averaged), loss], feeds={x: X[:4]})


def case_text_cnn(tf):
    words, y = tf.placeholder(tf.int32, [None, 3]), tf.placeholder(tf.int64, [None])
    with tf.device("/cpu:0"), tf.name_scope("embedding"):
        table = tf.Variable(tf.random_uniform([20, 5], -1.0, 1.0), name="W")
        chars = tf.expand_dims(tf.nn.embedding_lookup(table, words), -1)
    pooled = []
    for size in (1, 2):
        with tf.name_scope("conv-maxpool-%s" % size):
            W = tf.Variable(tf.truncated_normal([size, 5, 1, 4], stddev=0.1), name="W")
            b = tf.Variable(tf.constant(0.1, shape=[4]), name="b")
            h = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(chars, W, strides=[1, 1, 1, 1], padding="VALID", name="conv"), b), name="relu")
            pooled.append(tf.nn.max_pool(h, ksize=[1, 3 - size + 1, 1, 1], strides=[1, 1, 1, 1], padding="VALID", name="pool"))
    h = tf.nn.dropout(tf.reshape(tf.concat(pooled, 3), [-1, 8]), 0.5)
    W = tf.get_variable("W", shape=[8, 3])
    scores = tf.nn.xw_plus_b(h, W, tf.Variable(tf.constant(0.1, shape=[3]), name="b"), name="scores")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=scores, labels=y)) + 0.1 * tf.nn.l2_loss(W)
    step = tf.Variable(0, name="global_step", trainable=False)
    optimizer = tf.train.AdamOptimizer(1e-3)
    train = optimizer.apply_gradients(optimizer.compute_gradients(loss), global_step=step)
    return Case([loss, train], feeds={words: WORDS, y: Y[:6]}, steps=3)


def case_residual(tf):
    x = tf.placeholder(tf.float32, [None, 8, 8, 1])
    training = tf.placeholder(tf.bool, [])
    h = tf.layers.conv2d(x, 4, 3, padding="same", name="stem", kernel_initializer=tf.variance_scaling_initializer())
    for i in range(2):
        with tf.variable_scope("block_%d" % i):
            r = tf.nn.relu(tf.layers.batch_normalization(h, training=training, fused=True))
            r = tf.layers.conv2d(r, 4, 3, padding="same", use_bias=False)
            h = h + r
    pooled = tf.reduce_mean(h, [1, 2])
    loss = tf.reduce_mean(tf.square(tf.layers.dense(pooled, 2)))
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(updates):
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return Case([loss, train], feeds={x: IMAGES, training: True}, steps=3)


def case_k_means(tf):
    points = tf.constant(X[:, :2])
    centroids = tf.Variable(tf.slice(tf.random_shuffle(points), [0, 0], [3, -1]))
    distances = tf.reduce_sum(tf.square(tf.expand_dims(points, 0) - tf.expand_dims(centroids, 1)), 2)
    assignments = tf.argmin(distances, 0)
    means = tf.concat([tf.reduce_mean(tf.gather(points, tf.reshape(tf.where(tf.equal(assignments, c)), [1, -1])), 1) for c in range(3)], 0)
    return Case(runs=[centroids, tf.assign(centroids, means), assignments])


def case_mandelbrot(tf):
    y, x = np.mgrid[-1.3:1.3:0.4, -2:1:0.4]
    z0 = tf.constant((x + 1j * y).astype(np.complex64))
    zs, ns = tf.Variable(z0), tf.Variable(tf.zeros_like(z0, tf.float32))
    new = zs * zs + z0
    step = tf.group(zs.assign(new), ns.assign_add(tf.cast(tf.abs(new) < 4, tf.float32)))
    return Case(runs=[step, step, ns])


def case_metrics(tf):
    labels, predictions = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.int64, [None])
    accuracy, update = tf.metrics.accuracy(labels, predictions)
    mean, update_mean = tf.metrics.mean(tf.cast(predictions, tf.float32))
    feeds = {labels: [0, 1, 2], predictions: [0, 2, 2]}
    return Case(runs=[([update, update_mean], feeds), ([update, update_mean], {labels: [1], predictions: [1]}), [accuracy, mean]])


def case_custom_optimizer(tf):
    class Bounded(tf.train.Optimizer):
        """Steps of the size of the largest gradient so far, which fades."""

        def __init__(self, rate=0.1, name="Bounded"):
            super(Bounded, self).__init__(False, name)
            self._rate = rate

        def _prepare(self):
            self._rate_tensor = tf.convert_to_tensor(self._rate, name="rate")

        def _create_slots(self, var_list):
            for v in var_list:
                self._zeros_slot(v, "largest", self._name)
            self._create_non_slot_variable(0.0, "steps", colocate_with=var_list[0])

        def _apply_dense(self, grad, var):
            largest = self.get_slot(var, "largest")
            new = largest.assign(tf.maximum(0.9 * largest, tf.abs(grad)))
            return tf.group(tf.assign_sub(var, self._rate_tensor * tf.sign(grad) * new), new)

        def _resource_apply_dense(self, grad, var):
            return var.assign_sub(self._rate_tensor * grad)

        def _apply_sparse(self, grad, var):
            return tf.scatter_sub(var, grad.indices, self._rate_tensor * grad.values)

        def _finish(self, update_ops, name_scope):
            with tf.control_dependencies(update_ops):
                count = self._get_non_slot_variable("steps", tf.get_default_graph()).assign_add(1.0)
            return tf.group(*(update_ops + [count]), name=name_scope)

    v = tf.Variable([1.0, -2.0], name="v")
    rows = tf.Variable(np.ones((4, 2), np.float32), name="rows")
    r = tf.get_variable("r", initializer=[2.0], use_resource=True)
    loss = tf.reduce_sum(v * v) + tf.reduce_sum(tf.gather(rows, [1, 1, 3])) + tf.reduce_sum(r * r)
    optimizer = Bounded()
    train = optimizer.minimize(loss, gate_gradients=tf.train.Optimizer.GATE_GRAPH)
    names = [optimizer.get_slot_names(), [x.name for x in optimizer.variables()]]
    return Case(runs=[[train, names], [train], [loss, v, rows, r] + optimizer.variables()])


def case_char_rnn(tf):
    x, y = tf.placeholder(tf.int32, [2, 5]), tf.placeholder(tf.int32, [2, 5])
    keep = tf.placeholder_with_default(0.8, [])
    inputs = tf.nn.dropout(tf.nn.embedding_lookup(tf.get_variable("embedding", [7, 6]), x), keep)
    cell = tf.nn.rnn_cell.MultiRNNCell([
        tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.LSTMCell(6, use_peepholes=True), output_keep_prob=keep) for _ in range(2)])
    start = cell.zero_state(2, tf.float32)
    outputs, end = tf.nn.dynamic_rnn(cell, inputs, initial_state=start)
    logits = tf.layers.dense(tf.reshape(outputs, [-1, 6]), 7, name="logits")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reshape(y, [-1]), logits=logits))
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)
    variables = tf.trainable_variables()
    gradients, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), 1.0)
    train = tf.train.AdamOptimizer(rate).apply_gradients(zip(gradients, variables), global_step=step)
    text = RANDOM_TEXT
    return Case([loss, norm, end, rate, train], feeds={x: text[:, :-1], y: text[:, 1:]}, steps=3)


RANDOM_TEXT = np.random.RandomState(5).randint(0, 7, (2, 6))


def case_deep_q(tf):
    state, following = tf.placeholder(tf.float32, [None, 6], "state"), tf.placeholder(tf.float32, [None, 6], "following")
    action, reward, done = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])

    def network(x, scope):
        with tf.variable_scope(scope):
            h = tf.layers.dense(x, 8, tf.nn.relu, kernel_initializer=tf.random_normal_initializer(0.0, 0.3))
            value, advantage = tf.layers.dense(h, 1, name="value"), tf.layers.dense(h, 3, name="advantage")
            return value + (advantage - tf.reduce_mean(advantage, axis=1, keepdims=True))
    q, target_q = network(state, "eval"), network(following, "target")
    online, target = (tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=scope) for scope in ("eval", "target"))
    copies = tf.group(*[tf.assign(t, o) for t, o in zip(target, online)])
    soft = [tf.assign(t, 0.9 * t + 0.1 * o) for t, o in zip(target, online)]
    wanted = tf.stop_gradient(reward + 0.9 * (1 - done) * tf.reduce_max(target_q, axis=1))
    taken = tf.gather_nd(q, tf.stack([tf.range(tf.shape(action)[0]), action], axis=1))
    loss = tf.losses.huber_loss(wanted, taken)
    train = tf.train.RMSPropOptimizer(0.01).minimize(loss, var_list=online)
    feeds = {state: X[:4], following: X[4:8], action: [0, 1, 2, 1], reward: [1, 0, 0, 1], done: [0, 0, 1, 0]}
    return Case(runs=[([loss, train], feeds), ([copies], {}), ([loss, train], feeds), (soft, {}), ([loss, wanted], feeds)])


def case_ctc_speech(tf):
    x, lengths = tf.placeholder(tf.float32, [None, None, 4]), tf.placeholder(tf.int32, [None])
    labels = tf.sparse_placeholder(tf.int32)
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(6), x, lengths, dtype=tf.float32)
    w = tf.Variable(tf.truncated_normal([6, 5], stddev=0.3))
    logits = tf.transpose(tf.reshape(tf.matmul(tf.reshape(outputs, [-1, 6]), w), [tf.shape(x)[0], -1, 5]), (1, 0, 2))
    loss = tf.reduce_mean(tf.nn.ctc_loss(labels, logits, lengths))
    decoded, scores = tf.nn.ctc_greedy_decoder(logits, lengths)
    errors = tf.reduce_mean(tf.edit_distance(tf.cast(decoded[0], tf.int32), labels))
    train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
    spoken = tf.SparseTensorValue(np.array([[0, 0], [0, 1], [1, 0], [2, 0]]), np.array([1, 2, 3, 0], np.int32), np.array([3, 2]))
    return Case([loss, scores, errors, train], feeds={x: SEQUENCES, lengths: [5, 4, 3], labels: spoken}, steps=3)


def case_frozen_and_fed_from_a_tensor(tf):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="input")
        h = tf.layers.conv2d(x, 2, 3, activation=tf.nn.relu, kernel_initializer=tf.ones_initializer())
        h = tf.layers.flatten(tf.layers.batch_normalization(h, training=False))
        tf.nn.softmax(tf.layers.dense(h, 3, kernel_initializer=tf.constant_initializer(0.01)), name="output")
        session.run(tf.global_variables_initializer())
        frozen = tf.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ["output"])
    small = tf.graph_util.remove_training_nodes(frozen)
    images = tf.constant(IMAGES, name="images")
    output, = tf.import_graph_def(small, {"input": images}, ["output:0"], name="")
    return [output, [(node.name, node.op) for node in small.node]]

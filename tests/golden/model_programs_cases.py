"""Programs of later years: attention without recurrence, normalised spectra, metric learning, gated layers, sparse inputs."""
import numpy as np
from golden_case import Case

RANDOM = np.random.RandomState(29)
X = RANDOM.uniform(-1, 1, (6, 4)).astype(np.float32)
TOKENS = RANDOM.randint(1, 9, (3, 5))
Y = RANDOM.randint(0, 3, 6)
IMAGES = RANDOM.uniform(0, 1, (2, 6, 6, 2)).astype(np.float32)


def _layer_norm(tf, x, scope):
    with tf.variable_scope(scope):
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        beta = tf.get_variable("beta", x.get_shape()[-1:], initializer=tf.zeros_initializer())
        gamma = tf.get_variable("gamma", x.get_shape()[-1:], initializer=tf.ones_initializer())
        return gamma * ((x - mean) / ((variance + 1e-6) ** 0.5)) + beta


def case_transformer(tf):
    size, heads = 8, 2
    x = tf.placeholder(tf.int32, [None, None])
    table = tf.get_variable("table", [9, size], initializer=tf.glorot_normal_initializer())
    h = tf.nn.embedding_lookup(table, x) * size ** 0.5
    mask = tf.tile(tf.expand_dims(tf.to_float(tf.math.equal(x, 0)), 1), [heads, tf.shape(x)[1], 1])
    for i in range(2):
        with tf.variable_scope("block_%d" % i):
            q, k, v = [tf.concat(tf.split(tf.layers.dense(h, size), heads, axis=2), 0) for _ in range(3)]
            scores = tf.matmul(q, tf.transpose(k, [0, 2, 1])) / size ** 0.5 + mask * (-2 ** 32 + 1)
            if i:
                lower = tf.linalg.LinearOperatorLowerTriangular(tf.ones_like(scores[0])).to_dense()
                lower = tf.tile(tf.expand_dims(lower, 0), [tf.shape(scores)[0], 1, 1])
                scores = tf.where(tf.equal(lower, 0), tf.ones_like(lower) * (-2 ** 32 + 1), scores)
            weights = tf.layers.dropout(tf.nn.softmax(scores), 0.1, training=tf.convert_to_tensor(True), seed=5)
            h = _layer_norm(tf, tf.concat(tf.split(tf.matmul(weights, v), heads, axis=0), 2) + h, "attention")
            h = _layer_norm(tf, tf.layers.dense(tf.layers.dense(h, 12, tf.nn.relu), size) + h, "feed_forward")
    logits = tf.einsum("ntd,dk->ntk", h, tf.transpose(table))
    labels = 0.9 * tf.one_hot(x, 9) + 0.1 / 9
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=labels))
    step = tf.train.get_or_create_global_step()
    now = tf.cast(step + 1, tf.float32)
    rate = 0.1 * 10.0 ** 0.5 * tf.minimum(now * 10.0 ** -1.5, now ** -0.5)
    train = tf.train.AdamOptimizer(rate, beta2=0.98, epsilon=1e-9).minimize(loss, global_step=step)
    return Case([loss, train], feeds={x: TOKENS}, steps=3)


def case_spectral_norm(tf):
    kernel = tf.get_variable("kernel", [3, 3, 2, 4], initializer=tf.orthogonal_initializer(seed=3))
    matrix = tf.reshape(kernel, [-1, 4])
    u = tf.get_variable("u", [1, 4], initializer=tf.random_normal_initializer(seed=1), trainable=False)
    left = tf.nn.l2_normalize(tf.matmul(u, tf.transpose(matrix)))
    right = tf.nn.l2_normalize(tf.matmul(left, matrix))
    left, right = tf.stop_gradient(left), tf.stop_gradient(right)
    with tf.control_dependencies([u.assign(right)]):
        normal = tf.reshape(matrix / tf.matmul(tf.matmul(left, matrix), tf.transpose(right)), [3, 3, 2, 4])
    h = tf.nn.conv2d(tf.pad(IMAGES, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT"), normal, [1, 1, 1, 1], "VALID")
    mean, variance = tf.nn.moments(h, [1, 2], keep_dims=True)
    loss = tf.reduce_mean(tf.nn.relu(1 - (h - mean) / tf.sqrt(variance + 1e-5))) + tf.reduce_mean(tf.depth_to_space(h, 2))
    return Case([loss, tf.train.AdamOptimizer(0.01, 0.0, 0.9).minimize(loss)], steps=3)


def case_metric_learning(tf):
    x, other = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 4])
    alike = tf.placeholder(tf.float32, [None])
    with tf.variable_scope("twin") as scope:
        a = tf.layers.dense(x, 5, tf.nn.selu, name="code")
        scope.reuse_variables()
        b = tf.layers.dense(other, 5, tf.nn.selu, name="code")
    apart = tf.sqrt(tf.reduce_sum(tf.pow(a - b, 2), 1) + 1e-6)
    pairs = tf.reduce_mean(alike * apart ** 2 + (1 - alike) * tf.square(tf.maximum(1.0 - apart, 0)))
    norms = tf.reduce_sum(a ** 2, 1)
    distances = norms[:, None] - 2 * tf.matmul(a, a, transpose_b=True) + norms[None]
    same = tf.equal(tf.constant(Y)[:, None], tf.constant(Y)[None])
    others = tf.logical_and(same, tf.logical_not(tf.cast(tf.eye(6), tf.bool)))
    far = tf.reduce_max(tf.where(others, distances, tf.zeros_like(distances)), 1)
    near = tf.reduce_min(tf.where(same, tf.fill(tf.shape(distances), 1e9), distances), 1)
    noise = -tf.log(-tf.log(tf.random_uniform(tf.shape(a), 0, 1, seed=2) + 1e-20) + 1e-20)
    soft = tf.nn.softmax((a + noise) / 0.5)
    hard = tf.cast(tf.equal(soft, tf.reduce_max(soft, 1, keep_dims=True)), soft.dtype)
    chosen = tf.stop_gradient(hard - soft) + soft
    loss = pairs + tf.reduce_mean(tf.nn.softplus(far - near)) + tf.reduce_mean(chosen * tf.range(5, dtype=tf.float32))
    train = tf.train.AdadeltaOptimizer(1.0).minimize(loss)
    return Case([loss, train], feeds={x: X, other: X[::-1], alike: [1, 0, 1, 0, 1, 0]}, steps=3)


def case_gated_mixture(tf):
    x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 1])
    h = tf.layers.dense(x, 6)
    for i in range(2):
        with tf.variable_scope("highway_%d" % i):
            gate = tf.layers.dense(h, 6, tf.sigmoid, bias_initializer=tf.constant_initializer(-1.0), name="gate")
            h = gate * tf.layers.dense(h, 6, tf.nn.relu, name="way") + (1 - gate) * h
    weights, means, deviations = tf.split(tf.layers.dense(h, 9), [3, 3, 3], 1)
    deviations = tf.exp(deviations)
    terms = tf.log(tf.nn.softmax(weights) + 1e-9) - 0.5 * tf.square((y - means) / deviations) - tf.log(deviations)
    loss = -tf.reduce_mean(tf.reduce_logsumexp(terms, 1))
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.ProximalAdagradOptimizer(tf.train.cosine_decay(0.05, step, 10), l1_regularization_strength=0.001)
    train = optimizer.minimize(loss, step)
    jacobian = tf.stack([tf.gradients(mean, x)[0] for mean in tf.unstack(means, axis=1)], 1)
    return Case(runs=[[loss, train], [loss, train], jacobian], feeds={x: X, y: X[:, :1]})


def case_factorization_machine(tf):
    indices, values = tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.float32, [None])
    shape, y = tf.placeholder(tf.int64, [2]), tf.placeholder(tf.float32, [None, 1])
    inputs, squares = tf.SparseTensor(indices, values, shape), tf.SparseTensor(indices, tf.square(values), shape)
    w = tf.get_variable("w", [10, 1], initializer=tf.zeros_initializer(), regularizer=lambda w: 1e-3 * tf.nn.l2_loss(w))
    v = tf.get_variable("v", [10, 3], initializer=tf.truncated_normal_initializer(stddev=0.1, seed=5))
    crossed = tf.square(tf.sparse_tensor_dense_matmul(inputs, v)) - tf.sparse_tensor_dense_matmul(squares, tf.square(v))
    logits = tf.sparse_tensor_dense_matmul(inputs, w) + 0.5 * tf.reduce_sum(crossed, 1, keepdims=True)
    loss = tf.losses.hinge_loss(y, logits) + tf.losses.log_loss(y, tf.sigmoid(logits)) + tf.losses.get_regularization_loss()
    train = tf.group(tf.train.FtrlOptimizer(0.1).minimize(loss, var_list=[w]), tf.train.AdagradOptimizer(0.1).minimize(loss, var_list=[v]))
    feeds = {indices: [[0, 1], [0, 3], [1, 2], [2, 9], [3, 0]], values: [1, 1, 0.7, 1, 1], shape: [4, 10], y: [[1], [0], [1], [0]]}
    return Case([loss, train], feeds=feeds, steps=3)


def case_named_evaluation(tf):
    logits, labels = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32, [None])
    best = tf.nn.in_top_k(predictions=logits, targets=labels, k=2, name="top_2")
    last = tf.foldr(lambda later, row: row - later, tf.nn.softmax(logits))
    return Case([best, tf.metrics.mean(best), last], feeds={logits: X[:, :3], labels: Y})

"""Networks as people wrote them: image models, sequence models and agents, each with its own training loop."""
import os
import tempfile

import numpy as np
from golden_case import Case

RANDOM = np.random.RandomState(17)
IMAGES = RANDOM.uniform(-1, 1, (4, 16, 16, 3)).astype(np.float32)
LABELS = RANDOM.randint(0, 5, 4)
TOKENS = RANDOM.randint(2, 12, (4, 6)).astype(np.int32)
LENGTHS = np.array([6, 4, 5, 2], np.int32)


def numbers(values):
    return np.array(values, np.float32)


def trained(tf, train, loss, feed=None, steps=3, extra=()):
    """The losses of some steps in a session of its own."""
    losses = []
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for _ in range(steps):
            losses.append(sess.run([loss, train] + list(extra), feed)[0])
    return numbers(losses)


def case_densely_connected(tf):
    is_training = tf.placeholder_with_default(True, [], name="is_training")

    def block(x, layers, growth, name):
        with tf.variable_scope(name):
            for i in range(layers):
                with tf.variable_scope("layer%d" % i):
                    h = tf.nn.relu(tf.layers.batch_normalization(x, training=is_training, momentum=0.9))
                    h = tf.layers.conv2d(h, 4 * growth, 1, use_bias=False)
                    h = tf.nn.relu(tf.layers.batch_normalization(h, training=is_training))
                    h = tf.layers.conv2d(h, growth, [3, 3], padding="same", use_bias=False)
                    x = tf.concat([x, h], axis=3)
        return x

    x = tf.layers.conv2d(IMAGES, 8, 3, padding="SAME", kernel_initializer=tf.variance_scaling_initializer(2.0))
    x = block(x, 2, 4, "block1")
    x = tf.layers.average_pooling2d(tf.layers.conv2d(x, 8, 1, name="transition"), 2, 2)
    x = block(x, 2, 4, "block2")
    x = tf.reduce_mean(tf.nn.relu(x), axis=[1, 2])
    logits = tf.layers.dense(x, 5, kernel_regularizer=lambda w: 1e-3 * tf.nn.l2_loss(w))
    cross = tf.losses.sparse_softmax_cross_entropy(LABELS, logits)
    loss = tf.losses.get_total_loss()
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True).minimize(loss)
    return {"losses": trained(tf, train, loss), "cross": cross.name, "updates": len(tf.get_collection("update_ops"))}


def case_encoder_decoder_with_skips(tf):
    """U-Net: what goes down is joined to what comes up."""
    x = tf.placeholder(tf.float32, [None, 16, 16, 3])
    mask = tf.placeholder(tf.float32, [None, 16, 16, 1])

    def pair(h, filters, name):
        with tf.variable_scope(name):
            h = tf.layers.conv2d(h, filters, 3, activation=tf.nn.relu, padding="same", name="conv1")
            return tf.layers.conv2d(h, filters, 3, activation=tf.nn.relu, padding="same", name="conv2")

    down, kept = x, []
    for i, filters in enumerate([4, 8]):
        down = pair(down, filters, "down%d" % i)
        kept.append(down)
        down = tf.layers.max_pooling2d(down, 2, 2)
    up = pair(down, 16, "bottom")
    for i, filters in reversed(list(enumerate([4, 8]))):
        up = tf.layers.conv2d_transpose(up, filters, 2, strides=2, padding="same", name="up%d" % i)
        up = pair(tf.concat([kept[i], up], axis=-1), filters, "merge%d" % i)
    logits = tf.layers.conv2d(up, 1, 1, name="logits")
    prediction = tf.sigmoid(logits)
    overlap = tf.reduce_sum(prediction * mask, [1, 2, 3])
    dice = 2 * overlap / (tf.reduce_sum(prediction, [1, 2, 3]) + tf.reduce_sum(mask, [1, 2, 3]) + 1e-6)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=mask, logits=logits)) + 1 - tf.reduce_mean(dice)
    iou, update = tf.metrics.mean_iou(tf.cast(mask > 0.5, tf.int32), tf.cast(prediction > 0.5, tf.int32), 2)
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    feed = {x: IMAGES, mask: (IMAGES[..., :1] > 0).astype(np.float32)}
    return {"losses": trained(tf, train, loss, feed, extra=[update]), "shape": up.shape.as_list()}


def case_inception_modules(tf):
    def module(x, sizes, scope):
        with tf.variable_scope(scope):
            one = tf.layers.conv2d(x, sizes[0], 1, activation=tf.nn.relu, name="1x1")
            three = tf.layers.conv2d(x, sizes[1], 1, activation=tf.nn.relu, name="3x3_reduce")
            three = tf.layers.conv2d(three, sizes[2], 3, padding="same", activation=tf.nn.relu, name="3x3")
            five = tf.layers.separable_conv2d(x, sizes[3], 5, padding="same", activation=tf.nn.relu, name="5x5")
            pool = tf.layers.max_pooling2d(x, 3, 1, padding="same")
            pool = tf.layers.conv2d(pool, sizes[4], 1, activation=tf.nn.relu, name="pool_proj")
            return tf.concat([one, three, five, pool], 3)

    x = tf.nn.lrn(tf.layers.conv2d(IMAGES, 6, 5, strides=2, padding="same", activation=tf.nn.relu), 4, 1.0, 1e-4, 0.75)
    x = module(x, [3, 2, 4, 3, 2], "inception_3a")
    x = module(x, [4, 2, 4, 3, 2], "inception_3b")
    side = tf.layers.dense(tf.layers.flatten(tf.layers.average_pooling2d(x, 4, 4)), 5, name="side")
    main = tf.layers.dense(tf.nn.dropout(tf.reduce_mean(x, [1, 2]), 0.6, seed=9), 5, name="main")
    tf.losses.sparse_softmax_cross_entropy(LABELS, side, weights=0.3, scope="side_loss")
    tf.losses.sparse_softmax_cross_entropy(LABELS, main, scope="main_loss")
    loss = tf.losses.get_total_loss(add_regularization_losses=False)
    train = tf.train.RMSPropOptimizer(0.01, 0.9, momentum=0.9, epsilon=1.0).minimize(loss)
    return {"losses": trained(tf, train, loss), "parts": [t.name for t in tf.losses.get_losses()]}


def case_text_convolutions_in_a_class(tf):
    class TextCNN(object):
        def __init__(self, length, classes, vocabulary, size, filters, l2):
            self.input_x = tf.placeholder(tf.int32, [None, length], name="input_x")
            self.input_y = tf.placeholder(tf.float32, [None, classes], name="input_y")
            self.keep = tf.placeholder(tf.float32, name="dropout_keep_prob")
            l2_loss = tf.constant(0.0)
            with tf.device("/cpu:0"), tf.name_scope("embedding"):
                self.W = tf.Variable(tf.random_uniform([vocabulary, size], -1.0, 1.0), name="W")
                embedded = tf.expand_dims(tf.nn.embedding_lookup(self.W, self.input_x), -1)
            pooled = []
            for width in filters:
                with tf.name_scope("conv-maxpool-%s" % width):
                    w = tf.Variable(tf.truncated_normal([width, size, 1, 4], stddev=0.1), name="W")
                    b = tf.Variable(tf.constant(0.1, shape=[4]), name="b")
                    conv = tf.nn.conv2d(embedded, w, strides=[1, 1, 1, 1], padding="VALID", name="conv")
                    h = tf.nn.relu(tf.nn.bias_add(conv, b), name="relu")
                    pooled.append(tf.nn.max_pool(h, ksize=[1, length - width + 1, 1, 1], strides=[1, 1, 1, 1],
                                                 padding="VALID", name="pool"))
            total = 4 * len(filters)
            flat = tf.reshape(tf.concat(pooled, 3), [-1, total])
            with tf.name_scope("dropout"):
                dropped = tf.nn.dropout(flat, self.keep)
            with tf.name_scope("output"):
                w = tf.get_variable("W", shape=[total, classes], initializer=tf.glorot_uniform_initializer())
                b = tf.Variable(tf.constant(0.1, shape=[classes]), name="b")
                l2_loss += tf.nn.l2_loss(w)
                l2_loss += tf.nn.l2_loss(b)
                self.scores = tf.nn.xw_plus_b(dropped, w, b, name="scores")
                self.predictions = tf.argmax(self.scores, 1, name="predictions")
            with tf.name_scope("loss"):
                losses = tf.nn.softmax_cross_entropy_with_logits(logits=self.scores, labels=self.input_y)
                self.loss = tf.reduce_mean(losses) + l2 * l2_loss
            with tf.name_scope("accuracy"):
                right = tf.equal(self.predictions, tf.argmax(self.input_y, 1))
                self.accuracy = tf.reduce_mean(tf.cast(right, "float"), name="accuracy")

    config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False)
    sess = tf.Session(config=config)
    with sess.as_default():
        cnn = TextCNN(6, 3, 12, 5, [2, 3, 4], 0.1)
        global_step = tf.Variable(0, name="global_step", trainable=False)
        optimizer = tf.train.AdamOptimizer(1e-2)
        grads_and_vars = optimizer.compute_gradients(cnn.loss)
        train_op = optimizer.apply_gradients(grads_and_vars, global_step=global_step)
        summaries = []
        for g, v in grads_and_vars:
            if g is not None:
                summaries.append(tf.summary.histogram("{}/grad/hist".format(v.name), g))
                summaries.append(tf.summary.scalar("{}/grad/sparsity".format(v.name), tf.nn.zero_fraction(g)))
        merged = tf.summary.merge(summaries + [tf.summary.scalar("loss", cnn.loss)])
        folder = tempfile.mkdtemp()
        writer = tf.summary.FileWriter(folder, sess.graph)
        saver = tf.train.Saver(tf.global_variables(), max_to_keep=5)
        sess.run(tf.global_variables_initializer())
        feed = {cnn.input_x: TOKENS, cnn.input_y: np.eye(3)[[0, 1, 2, 1]], cnn.keep: 0.5}
        losses = []
        for _ in range(4):
            _, step, summary, loss, accuracy = sess.run([train_op, global_step, merged, cnn.loss, cnn.accuracy], feed)
            writer.add_summary(summary, step)
            losses.append(loss)
        path = saver.save(sess, os.path.join(folder, "model"), global_step=step)
        writer.close()
        tags = [value.tag for value in tf.Summary.FromString(summary).value]
    with tf.Graph().as_default(), tf.Session() as again:
        tf.train.import_meta_graph(path + ".meta").restore(again, path)
        graph = tf.get_default_graph()
        feed = {graph.get_operation_by_name("input_x").outputs[0]: TOKENS,
                graph.get_operation_by_name("dropout_keep_prob").outputs[0]: 1.0}
        predictions = again.run(graph.get_operation_by_name("output/predictions").outputs[0], feed)
    return {"losses": numbers(losses), "tags": tags, "shape": predictions.shape, "path": os.path.basename(path)}


def case_attention_written_by_hand(tf):
    """An encoder that runs both ways and a decoder of `raw_rnn` that attends to it."""
    vocabulary, size, units = 12, 6, 8
    source = tf.placeholder(tf.int32, [None, None], name="source")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    target = tf.placeholder(tf.int32, [None, None], name="target")
    embeddings = tf.get_variable("embeddings", [vocabulary, size], initializer=tf.random_uniform_initializer(-1, 1))
    forward, backward = tf.nn.rnn_cell.GRUCell(units), tf.nn.rnn_cell.GRUCell(units)
    (out_f, out_b), (last_f, last_b) = tf.nn.bidirectional_dynamic_rnn(
        forward, backward, tf.nn.embedding_lookup(embeddings, source), lengths, dtype=tf.float32)
    memory = tf.concat([out_f, out_b], 2)
    batch = tf.shape(source)[0]
    steps = tf.shape(target)[1]
    cell = tf.nn.rnn_cell.GRUCell(2 * units)
    w = tf.get_variable("attention", [2 * units, 2 * units])
    out_w, out_b = tf.get_variable("out_w", [4 * units, vocabulary]), tf.get_variable("out_b", [vocabulary])
    keys = tf.reshape(tf.matmul(tf.reshape(memory, [-1, 2 * units]), w), tf.shape(memory))
    mask = tf.sequence_mask(lengths, tf.shape(source)[1])

    def context(state):
        scores = tf.reduce_sum(keys * tf.expand_dims(state, 1), 2)
        scores = tf.where(mask, scores, tf.fill(tf.shape(scores), -1e9))
        return tf.reduce_sum(memory * tf.expand_dims(tf.nn.softmax(scores), 2), 1)

    def loop_fn(time, output, state, previous):
        if output is None:
            state = tf.concat([last_f, last_b], 1)
            start = tf.nn.embedding_lookup(embeddings, tf.ones([batch], tf.int32))
            return tf.zeros([batch], tf.bool), tf.concat([start, context(state)], 1), state, None, None
        tokens = tf.gather(tf.transpose(target), tf.minimum(time - 1, steps - 1))
        following = tf.nn.embedding_lookup(embeddings, tokens)
        attended = context(state)
        return (tf.tile([time >= steps], [batch]), tf.concat([following, attended], 1), state,
                output, None)

    outputs, _, _ = tf.nn.raw_rnn(cell, loop_fn)
    stacked = outputs.stack()
    flat = tf.reshape(stacked, [-1, 2 * units])
    logits = tf.matmul(tf.concat([flat, flat], 1), out_w) + out_b
    logits = tf.reshape(logits, [tf.shape(stacked)[0], batch, vocabulary])
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.transpose(target), logits=logits))
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    feed = {source: TOKENS, lengths: LENGTHS, target: TOKENS[:, ::-1]}
    return {"losses": trained(tf, train, loss, feed)}


def case_word_vectors_with_neighbours(tf):
    vocabulary, size = 30, 8
    random = np.random.RandomState(1)
    graph = tf.Graph()
    with graph.as_default(), tf.device("/cpu:0"):
        tf.set_random_seed(5)
        inputs = tf.placeholder(tf.int32, shape=[16])
        labels = tf.placeholder(tf.int32, shape=[16, 1])
        valid = tf.constant([1, 4, 7], dtype=tf.int32)
        embeddings = tf.Variable(tf.random_uniform([vocabulary, size], -1.0, 1.0))
        embed = tf.nn.embedding_lookup(embeddings, inputs)
        weights = tf.Variable(tf.truncated_normal([vocabulary, size], stddev=1.0 / np.sqrt(size)))
        biases = tf.Variable(tf.zeros([vocabulary]))
        loss = tf.reduce_mean(tf.nn.nce_loss(weights=weights, biases=biases, labels=labels, inputs=embed,
                                             num_sampled=6, num_classes=vocabulary))
        optimizer = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
        norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
        normalized = embeddings / norm
        similarity = tf.matmul(tf.nn.embedding_lookup(normalized, valid), normalized, transpose_b=True)
        init = tf.global_variables_initializer()
    losses = []
    with tf.Session(graph=graph) as session:
        init.run()
        for _ in range(5):
            feed = {inputs: random.randint(0, vocabulary, 16), labels: random.randint(0, vocabulary, (16, 1))}
            losses.append(session.run([optimizer, loss], feed)[1])
        nearest = (-similarity.eval()).argsort(axis=1)[:, 1:4].tolist()
    return {"losses": numbers(losses), "nearest": nearest}


def case_double_q_learning(tf):
    random = np.random.RandomState(2)

    def network(scope):
        with tf.variable_scope(scope):
            state = tf.placeholder(tf.float32, [None, 4], "state")
            h = tf.layers.dense(state, 16, tf.nn.relu, kernel_initializer=tf.random_normal_initializer(0.0, 0.3))
            value, advantage = tf.layers.dense(h, 1), tf.layers.dense(h, 3)
            return state, value + advantage - tf.reduce_mean(advantage, axis=1, keepdims=True)

    state, q = network("eval_net")
    following, q_next = network("target_net")
    t_params = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="target_net")
    e_params = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="eval_net")
    replace = [tf.assign(t, e) for t, e in zip(t_params, e_params)]
    target = tf.placeholder(tf.float32, [None, 3], name="Q_target")
    priorities = tf.placeholder(tf.float32, [None, 1])
    errors = tf.reduce_sum(tf.abs(target - q), axis=1)
    loss = tf.reduce_mean(priorities * tf.squared_difference(target, q))
    train = tf.train.RMSPropOptimizer(0.01).minimize(loss)
    memory = [(random.randn(4), random.randint(3), random.randn(), random.randn(4), random.rand() < 0.2)
              for _ in range(40)]
    losses, errors_seen = [], []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(6):
            if step % 3 == 0:
                sess.run(replace)
            batch = [memory[i] for i in random.choice(40, 8)]
            s, a, r, n, done = [np.array(column) for column in zip(*batch)]
            best = sess.run(q, {state: n}).argmax(1)
            q_target, later = sess.run([q, q_next], {state: s, following: n})
            q_target[np.arange(8), a] = r + 0.9 * (1 - done) * later[np.arange(8), best]
            feed = {state: s, target: q_target, priorities: np.ones((8, 1))}
            _, e, value = sess.run([train, errors, loss], feed)
            losses.append(value)
            errors_seen.append(e)
    return {"losses": numbers(losses), "errors": numbers(errors_seen), "names": [p.name for p in t_params + e_params]}


def case_clipped_policy(tf):
    """Proximal policy optimization: old and new policies with Gaussian actions."""
    state = tf.placeholder(tf.float32, [None, 3], "state")

    def policy(name, trainable):
        with tf.variable_scope(name):
            h = tf.layers.dense(state, 10, tf.nn.relu, trainable=trainable)
            mean = 2 * tf.layers.dense(h, 1, tf.nn.tanh, trainable=trainable)
            deviation = tf.layers.dense(h, 1, tf.nn.softplus, trainable=trainable) + 1e-3
        return mean, deviation, tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=name)

    def log_prob(mean, deviation, action):
        return -0.5 * tf.square((action - mean) / deviation) - tf.log(deviation) - 0.5 * np.log(2 * np.pi)

    with tf.variable_scope("critic"):
        value = tf.layers.dense(tf.layers.dense(state, 10, tf.nn.relu), 1)
        reward = tf.placeholder(tf.float32, [None, 1])
        critic_loss = tf.reduce_mean(tf.square(reward - value))
        train_critic = tf.train.AdamOptimizer(0.02).minimize(critic_loss)
    mean, deviation, params = policy("pi", True)
    old_mean, old_deviation, old_params = policy("oldpi", False)
    sample = tf.squeeze(mean + deviation * tf.random_normal(tf.shape(mean), seed=4), axis=0)
    update = [old.assign(p) for p, old in zip(params, old_params)]
    action, advantage = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 1])
    ratio = tf.exp(log_prob(mean, deviation, action) - log_prob(old_mean, old_deviation, action))
    clipped = tf.clip_by_value(ratio, 0.8, 1.2) * advantage
    loss = -tf.reduce_mean(tf.minimum(ratio * advantage, clipped))
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    random = np.random.RandomState(5)
    losses = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        taken = [float(sess.run(sample, {state: random.randn(1, 3)})[0]) for _ in range(3)]
        for _ in range(2):
            sess.run(update)
            s, a, r = random.randn(6, 3), random.randn(6, 1), random.randn(6, 1)
            adv = r - sess.run(value, {state: s})
            for _ in range(3):
                losses.append(sess.run([loss, train], {state: s, action: a, advantage: adv})[0])
            losses.append(sess.run([critic_loss, train_critic], {state: s, reward: r})[0])
    return {"losses": numbers(losses), "taken": numbers(taken), "trainable": [v.name for v in tf.trainable_variables()]}


def case_style_by_gram_matrices(tf):
    """The pixels are what is trained; the network is fixed."""
    content, style = IMAGES[:1], IMAGES[1:2]
    random = np.random.RandomState(3)
    kernels = [random.randn(3, 3, 3, 4).astype(np.float32) * 0.3, random.randn(3, 3, 4, 6).astype(np.float32) * 0.3]

    def layers(image):
        found = []
        for i, kernel in enumerate(kernels):
            image = tf.nn.relu(tf.nn.conv2d(image, tf.constant(kernel, name="W%d" % i), [1, 1, 1, 1], "SAME"))
            found.append(image)
            image = tf.nn.avg_pool(image, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
        return found

    def gram(x):
        height, width, channels = [d.value for d in x.get_shape()[1:]]
        flat = tf.reshape(x, (-1, channels))
        return tf.matmul(tf.transpose(flat), flat) / (height * width * channels)

    with tf.Session() as sess:
        wanted = sess.run(layers(tf.constant(content))[-1])
        grams = [sess.run(gram(x)) for x in layers(tf.constant(style))]
    image = tf.Variable(tf.random_normal(content.shape, seed=2) * 0.256)
    found = layers(image)
    content_loss = 5.0 * tf.nn.l2_loss(found[-1] - wanted) / wanted.size
    style_loss = sum(100.0 * tf.nn.l2_loss(gram(x) - g) / g.size for x, g in zip(found, grams))
    noise = tf.nn.l2_loss(image[:, 1:, :, :] - image[:, :15, :, :]) + tf.nn.l2_loss(image[:, :, 1:] - image[:, :, :-1])
    loss = content_loss + style_loss + 0.1 * noise / 720.0
    train = tf.train.AdamOptimizer(0.1, 0.9, 0.999, 1e-08).minimize(loss)
    return Case({"losses": trained(tf, train, loss, steps=4)}, graph=False)  # its constants are computed


def case_mixture_density(tf):
    x, y = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 1])
    h = tf.layers.dense(x, 10, tf.nn.tanh, kernel_initializer=tf.random_normal_initializer(stddev=0.5))
    pi, sigma, mu = tf.split(tf.layers.dense(h, 9), 3, 1)
    pi = tf.exp(pi - tf.reduce_max(pi, 1, keep_dims=True))
    pi = tf.multiply(tf.reciprocal(tf.reduce_sum(pi, 1, keep_dims=True)), pi)
    sigma = tf.exp(sigma)
    normal = tf.exp(-tf.square((y - mu) * tf.reciprocal(sigma)) / 2) * tf.reciprocal(sigma) / np.sqrt(2 * np.pi)
    loss = tf.reduce_mean(-tf.log(tf.reduce_sum(normal * pi, 1, keep_dims=True)))
    train = tf.train.AdamOptimizer().minimize(loss)
    random = np.random.RandomState(8)
    data = random.uniform(-1, 1, (20, 1))
    feed = {x: np.sin(3 * data) + 0.1 * random.randn(20, 1), y: data}
    return {"losses": trained(tf, train, loss, feed, 4)}


def case_contexts_of_siamese_images(tf):
    left, right = tf.placeholder(tf.float32, [None, 16, 16, 3]), tf.placeholder(tf.float32, [None, 16, 16, 3])
    alike = tf.placeholder(tf.float32, [None, 1])

    def tower(x, reuse=False):
        with tf.variable_scope("tower", reuse=reuse):
            for i, filters in enumerate([4, 8]):
                with tf.variable_scope("conv%d" % (i + 1)) as scope:
                    x = tf.layers.conv2d(x, filters, [3, 3], activation=tf.nn.relu, padding="SAME", reuse=reuse,
                                         kernel_initializer=tf.glorot_uniform_initializer(), name=scope)
                    x = tf.layers.max_pooling2d(x, [2, 2], 2, padding="SAME")
            return tf.layers.flatten(x)

    a, b = tower(left), tower(right, reuse=True)
    distance = tf.sqrt(tf.reduce_sum(tf.pow(a - b, 2), 1, keepdims=True) + 1e-8)
    near = tf.multiply(alike, tf.square(distance))
    far = tf.multiply(1 - alike, tf.square(tf.maximum(2.0 - distance, 0)))
    loss = tf.reduce_mean(near + far) / 2
    global_step = tf.Variable(0, trainable=False)
    rate = tf.train.exponential_decay(0.01, global_step, 2, 0.5, staircase=True)
    train = tf.train.MomentumOptimizer(rate, 0.99, use_nesterov=True).minimize(loss, global_step=global_step)
    feed = {left: IMAGES, right: IMAGES[::-1], alike: [[1], [0], [0], [1]]}
    return Case({"losses": trained(tf, train, loss, feed, 4), "names": [v.name for v in tf.trainable_variables()]})

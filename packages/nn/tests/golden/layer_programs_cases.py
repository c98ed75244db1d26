"""Small programs of layers, losses and metrics as users write them, with the losses of a few training steps."""
import numpy as np
from golden_case import Case

RANDOM = np.random.RandomState(7)
IMAGES = RANDOM.rand(8, 12, 12, 1).astype(np.float32)
DIGITS = np.arange(8) % 4
ROWS = RANDOM.rand(8, 6).astype(np.float32)
IDS = RANDOM.randint(0, 10, (8, 3))
TARGETS = RANDOM.rand(8, 1).astype(np.float32)
TEXT = RANDOM.randint(0, 20, (4, 7))


def case_convolutional_classifier(tf):
    def model(features, labels, training):
        x = tf.reshape(features, [-1, 12, 12, 1])
        x = tf.layers.conv2d(inputs=x, filters=8, kernel_size=[5, 5], padding="same", activation=tf.nn.relu)
        x = tf.layers.max_pooling2d(inputs=x, pool_size=[2, 2], strides=2)
        x = tf.layers.conv2d(inputs=x, filters=4, kernel_size=[3, 3], padding="same", activation=tf.nn.relu)
        x = tf.layers.max_pooling2d(inputs=x, pool_size=[2, 2], strides=2)
        x = tf.reshape(x, [-1, 3 * 3 * 4])
        x = tf.layers.dense(inputs=x, units=16, activation=tf.nn.relu)
        x = tf.layers.dropout(inputs=x, rate=0.4, training=training)
        logits = tf.layers.dense(inputs=x, units=4)
        return logits, tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)

    x, y = tf.placeholder(tf.float32, [None, 144]), tf.placeholder(tf.int32, [None])
    logits, loss = model(x, y, True)
    train = tf.train.GradientDescentOptimizer(learning_rate=0.05).minimize(loss=loss, global_step=tf.train.get_or_create_global_step())
    accuracy = tf.metrics.accuracy(labels=y, predictions=tf.argmax(logits, 1), name="acc_op")
    probabilities = tf.nn.softmax(logits, name="softmax_tensor")
    return Case([loss, train, accuracy[1], probabilities, tf.train.get_global_step()], feeds={x: IMAGES.reshape(8, 144), y: DIGITS}, steps=4, tolerance=1e-3)


def case_normalized_classifier(tf):
    x, y, training = tf.placeholder(tf.float32, [None, 12, 12, 1]), tf.placeholder(tf.int64, [None]), tf.placeholder_with_default(False, [], name="training")
    net = x
    for filters in (4, 8):
        net = tf.layers.conv2d(net, filters, 3, padding="same", use_bias=False, kernel_initializer=tf.variance_scaling_initializer())
        net = tf.layers.batch_normalization(net, training=training, momentum=0.9)
        net = tf.nn.relu(net)
        net = tf.layers.average_pooling2d(net, 2, 2)
    logits = tf.layers.dense(tf.layers.flatten(net), 4)
    loss = tf.losses.softmax_cross_entropy(tf.one_hot(y, 4), logits, label_smoothing=0.1)
    step = tf.train.get_or_create_global_step()
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.MomentumOptimizer(tf.train.exponential_decay(0.1, step, 2, 0.5), 0.9).minimize(loss, step)
    feeds = {x: IMAGES, y: DIGITS}
    return Case(None, runs=[([loss, train], dict(list(feeds.items()) + [(training, True)]))] * 3 + [(loss, feeds)], tolerance=2e-3)


def case_autoencoder(tf):
    x = tf.placeholder(tf.float32, [None, 6])
    regularizer = tf.keras.regularizers.l2(0.001)
    with tf.variable_scope("encoder"):
        h = tf.layers.dense(x, 4, tf.nn.elu, kernel_regularizer=regularizer, kernel_initializer=tf.initializers.he_normal())
        code = tf.layers.dense(h, 2, kernel_regularizer=regularizer, name="code")
    with tf.variable_scope("decoder"):
        h = tf.layers.dense(code, 4, tf.nn.elu, kernel_regularizer=regularizer)
        output = tf.layers.dense(h, 6, tf.sigmoid, name="output")
    reconstruction = tf.reduce_mean(tf.square(output - x))
    loss = tf.add_n([reconstruction] + tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    return Case([loss, reconstruction, train], feeds={x: ROWS}, steps=4, tolerance=1e-4)


def case_convolutional_autoencoder(tf):
    x = tf.placeholder(tf.float32, [None, 12, 12, 1])
    down = tf.layers.max_pooling2d(tf.layers.conv2d(x, 4, 3, padding="same", activation=tf.nn.relu), 2, 2, padding="same")
    up = tf.image.resize_nearest_neighbor(down, (12, 12)) if hasattr(tf.image, "nothing") else tf.layers.conv2d_transpose(down, 4, 3, strides=2, padding="same", activation=tf.nn.relu)
    logits = tf.layers.conv2d(up, 1, 3, padding="same", activation=None)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits))
    train = tf.train.RMSPropOptimizer(0.01).minimize(loss)
    return Case([loss, train], feeds={x: IMAGES}, steps=3, tolerance=1e-3)


def case_adversarial(tf):
    def generator(z, reuse=None):
        with tf.variable_scope("GAN/Generator", reuse=reuse):
            h = tf.layers.dense(z, 8, activation=tf.nn.leaky_relu)
            return tf.layers.dense(h, 6)

    def discriminator(x, reuse=None):
        with tf.variable_scope("GAN/Discriminator", reuse=reuse):
            h = tf.layers.dense(x, 8, activation=tf.nn.leaky_relu)
            h = tf.layers.dense(h, 4)
            return tf.layers.dense(h, 1), h

    x, z = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.float32, [None, 3])
    sample = generator(z)
    real, _ = discriminator(x)
    fake, _ = discriminator(sample, reuse=True)
    disc_loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=real, labels=tf.ones_like(real)) + tf.nn.sigmoid_cross_entropy_with_logits(logits=fake, labels=tf.zeros_like(fake)))
    gen_loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=fake, labels=tf.ones_like(fake)))
    gen_vars = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="GAN/Generator")
    disc_vars = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="GAN/Discriminator")
    gen_step = tf.train.RMSPropOptimizer(learning_rate=0.01).minimize(gen_loss, var_list=gen_vars)
    disc_step = tf.train.RMSPropOptimizer(learning_rate=0.01).minimize(disc_loss, var_list=disc_vars)
    feeds = {x: ROWS, z: ROWS[:, :3]}
    return Case(None, runs=[([disc_step, disc_loss], feeds), ([gen_step, gen_loss], feeds)] * 2, tolerance=1e-3)


def case_convolutional_adversarial(tf):
    def generator(z, training):
        with tf.variable_scope("generator", reuse=tf.AUTO_REUSE):
            h = tf.layers.dense(z, 3 * 3 * 4)
            h = tf.nn.relu(tf.layers.batch_normalization(tf.reshape(h, [-1, 3, 3, 4]), training=training))
            h = tf.layers.conv2d_transpose(h, 4, 5, strides=2, padding="same", use_bias=False)
            h = tf.nn.relu(tf.layers.batch_normalization(h, training=training))
            return tf.layers.conv2d_transpose(h, 1, 5, strides=(2, 2), padding="same", activation=tf.tanh)

    def discriminator(x):
        with tf.variable_scope("discriminator", reuse=tf.AUTO_REUSE):
            h = tf.nn.leaky_relu(tf.layers.conv2d(x, 4, 5, strides=2, padding="same"))
            return tf.layers.dense(tf.layers.flatten(h), 1)

    x, z = tf.placeholder(tf.float32, [None, 12, 12, 1]), tf.placeholder(tf.float32, [None, 3])
    made = generator(z, True)
    tested = generator(z, False)
    real, fake = discriminator(x), discriminator(made)
    d_loss = tf.losses.sigmoid_cross_entropy(tf.ones_like(real), real) + tf.losses.sigmoid_cross_entropy(tf.zeros_like(fake), fake)
    g_loss = tf.losses.sigmoid_cross_entropy(tf.ones_like(fake), fake)
    g_vars = [v for v in tf.trainable_variables() if v.name.startswith("generator")]
    d_vars = tf.trainable_variables("discriminator")
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS, scope="generator")):
        g_train = tf.train.AdamOptimizer(0.001, beta1=0.5).minimize(g_loss, var_list=g_vars)
    d_train = tf.train.AdamOptimizer(0.001, beta1=0.5).minimize(d_loss, var_list=d_vars)
    feeds = {x: IMAGES, z: ROWS[:, :3]}
    return Case(None, runs=[([d_loss, d_train], feeds), ([g_loss, g_train], feeds), (tf.reduce_sum(tested), feeds)], tolerance=5e-3)


def case_wide_and_deep(tf):
    ids, dense, labels = tf.placeholder(tf.int32, [None, 3]), tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.float32, [None, 1])
    with tf.variable_scope("deep", regularizer=lambda w: 1e-4 * tf.nn.l2_loss(w)):
        table = tf.get_variable("embeddings", [10, 4], initializer=tf.random_uniform_initializer(-1.0, 1.0))
        embedded = tf.reshape(tf.nn.embedding_lookup(table, ids), [-1, 12])
        net = tf.concat([embedded, dense], axis=1)
        for i, units in enumerate((8, 4)):
            net = tf.layers.dense(net, units, activation=tf.nn.relu, name="hidden_%d" % i)
            net = tf.layers.dropout(net, 0.1, training=True)
    with tf.variable_scope("wide"):
        wide = tf.layers.dense(tf.reduce_sum(tf.one_hot(ids, 10), 1), 1, use_bias=False, kernel_initializer=tf.zeros_initializer())
    logits = wide + tf.layers.dense(net, 1, name="logits")
    tf.losses.sigmoid_cross_entropy(tf.round(labels), logits)
    loss = tf.losses.get_total_loss()
    wide_vars, deep_vars = tf.trainable_variables("wide"), tf.trainable_variables("deep")
    train = tf.group(tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01).minimize(loss, var_list=wide_vars), tf.train.AdagradOptimizer(0.1).minimize(loss, var_list=deep_vars))
    auc = tf.metrics.auc(tf.round(labels), tf.sigmoid(logits))
    return Case([loss, train, auc[1]], feeds={ids: IDS, dense: ROWS, labels: TARGETS}, steps=3, tolerance=1e-3)


def case_word_vectors(tf):
    inputs, labels = tf.placeholder(tf.int32, [8]), tf.placeholder(tf.int32, [8, 1])
    with tf.name_scope("embeddings"):
        embeddings = tf.Variable(tf.random_uniform([20, 6], -1.0, 1.0))
        embed = tf.nn.embedding_lookup(embeddings, inputs)
    with tf.name_scope("weights"):
        weights = tf.Variable(tf.truncated_normal([20, 6], stddev=1.0 / np.sqrt(6)))
    with tf.name_scope("biases"):
        biases = tf.Variable(tf.zeros([20]))
    sampled = (tf.constant([1, 5, 9, 2], tf.int64), tf.fill([8, 1], 0.5), tf.fill([4], 0.25))
    loss = tf.reduce_mean(tf.nn.nce_loss(weights=weights, biases=biases, labels=labels, inputs=embed, num_sampled=4, num_classes=20, sampled_values=sampled))
    train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keepdims=True))
    normalized = embeddings / norm
    similarity = tf.matmul(tf.nn.embedding_lookup(normalized, [1, 2]), normalized, transpose_b=True)
    feeds = {inputs: TEXT.ravel()[:8], labels: TEXT.ravel()[1:9][:, None]}
    return Case(None, runs=[([loss, train], feeds)] * 3 + [(similarity, {})], tolerance=1e-4)


def case_text_classifier(tf):
    words, labels = tf.placeholder(tf.int32, [None, 7]), tf.placeholder(tf.float32, [None, 2])
    with tf.device("/cpu:0"), tf.name_scope("embedding"):
        table = tf.Variable(tf.random_uniform([20, 5], -1.0, 1.0), name="W")
        x = tf.nn.embedding_lookup(table, words)
    pooled = []
    for size in (2, 3):
        with tf.name_scope("conv-maxpool-%s" % size):
            conv = tf.layers.conv1d(x, 3, size, activation=tf.nn.relu, name="conv_%d" % size)
            pooled.append(tf.reduce_max(conv, axis=1))
    h = tf.nn.dropout(tf.concat(pooled, 1), keep_prob=0.8)
    logits = tf.layers.dense(h, 2, kernel_initializer=tf.glorot_uniform_initializer(), bias_initializer=tf.constant_initializer(0.1), name="output")
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=labels)) + 0.1 * (tf.nn.l2_loss(logits))
    optimizer = tf.train.AdamOptimizer(1e-2)
    grads = optimizer.compute_gradients(loss)
    clipped = [(tf.clip_by_norm(g, 1.0) if not isinstance(g, tf.IndexedSlices) else g, v) for g, v in grads if g is not None]
    return Case([loss, optimizer.apply_gradients(clipped)], feeds={words: TEXT, labels: np.eye(2)[[0, 1, 1, 0]]}, steps=3, tolerance=1e-3)


def case_residual_network(tf):
    def block(x, filters, training, name):
        with tf.variable_scope(name):
            shortcut = x
            if x.shape[-1].value != filters:
                shortcut = tf.layers.conv2d(x, filters, 1, strides=2, use_bias=False, name="shortcut")
            stride = 1 if shortcut is x else 2
            x = tf.layers.conv2d(x, filters, 3, strides=stride, padding="SAME", use_bias=False, name="conv1")
            x = tf.nn.relu(tf.layers.batch_normalization(x, training=training, name="bn1", fused=True))
            x = tf.layers.conv2d(x, filters, 3, padding="SAME", use_bias=False, name="conv2")
            return tf.nn.relu(tf.layers.batch_normalization(x, training=training, name="bn2") + shortcut)

    images, labels, training = tf.placeholder(tf.float32, [None, 12, 12, 1]), tf.placeholder(tf.int32, [None]), tf.placeholder(tf.bool)
    x = tf.layers.conv2d(images, 4, 3, padding="same")
    x = block(block(x, 4, training, "block1"), 8, training, "block2")
    logits = tf.layers.dense(tf.reduce_mean(x, [1, 2]), 4)
    cross_entropy = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    loss = cross_entropy + 1e-4 * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if "batch_normalization" not in v.name])
    train = tf.group(tf.train.MomentumOptimizer(0.01, 0.9, use_nesterov=True).minimize(loss), tf.get_collection(tf.GraphKeys.UPDATE_OPS))
    feeds = {images: IMAGES, labels: DIGITS}
    return Case(None, runs=[([loss, train], dict(list(feeds.items()) + [(training, True)]))] * 2 + [(loss, dict(list(feeds.items()) + [(training, False)]))], tolerance=5e-3)


def case_policy_gradient(tf):
    class Agent(object):
        def __init__(self, name):
            with tf.variable_scope(name):
                self.states = tf.placeholder(tf.float32, [None, 6], name="states")
                self.actions = tf.placeholder(tf.int32, [None], name="actions")
                self.returns = tf.placeholder(tf.float32, [None], name="returns")
                body = tf.layers.dense(self.states, 8, tf.nn.tanh, kernel_initializer=tf.random_normal_initializer(0.0, 0.3), name="body")
                self.policy = tf.layers.dense(body, 3, tf.nn.softmax, name="policy")
                self.value = tf.squeeze(tf.layers.dense(body, 1, name="value"), 1)
                chosen = tf.reduce_sum(self.policy * tf.one_hot(self.actions, 3), axis=1)
                advantage = tf.stop_gradient(self.returns - self.value)
                self.loss = -tf.reduce_mean(tf.log(chosen + 1e-8) * advantage) + 0.5 * tf.losses.mean_squared_error(self.returns, self.value)
                self.train = tf.train.AdamOptimizer(0.01).minimize(self.loss)

    main, target = Agent("main"), Agent("target")
    copy = [tf.assign(t, m) for m, t in zip(tf.trainable_variables("main"), tf.trainable_variables("target"))]
    feeds = {main.states: ROWS, main.actions: DIGITS % 3, main.returns: TARGETS[:, 0], target.states: ROWS}
    return Case(None, runs=[([main.loss, main.train], feeds), ([main.loss, main.train], feeds), (copy, {}), ([main.policy, target.policy], feeds)], tolerance=1e-3)


def case_evaluation_loop(tf):
    x, y = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.int64, [None])
    logits = tf.layers.dense(x, 4, kernel_initializer=tf.random_uniform_initializer(-1, 1, seed=3))
    predictions = tf.argmax(logits, 1)
    with tf.variable_scope("metrics"):
        metrics = {"accuracy": tf.metrics.accuracy(y, predictions), "per_class": tf.metrics.mean_per_class_accuracy(y, predictions, 4), "iou": tf.metrics.mean_iou(y, predictions, 4), "top2": tf.metrics.recall_at_k(y, logits, 2),
                   "loss": tf.metrics.mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))}
    reset = tf.variables_initializer(tf.get_collection(tf.GraphKeys.LOCAL_VARIABLES, scope="metrics"))
    updates = tf.group(*[metrics[key][1] for key in sorted(metrics)])
    values = {key: metrics[key][0] for key in sorted(metrics)}
    first, second = {x: ROWS[:4], y: DIGITS[:4]}, {x: ROWS[4:], y: DIGITS[4:]}
    return Case(None, runs=[(updates, first), (updates, second), (values, {}), (reset, {}), (updates, second), (values, {})])


def case_layer_objects_shared(tf):
    class Network(object):
        def __init__(self):
            self.hidden = tf.layers.Dense(5, activation=tf.nn.relu, name="hidden")
            self.norm = tf.layers.BatchNormalization(name="norm")
            self.drop = tf.layers.Dropout(0.5, seed=1)
            self.out = tf.layers.Dense(2, name="out")

        def __call__(self, x, training):
            return self.out(self.drop(self.norm(self.hidden(x), training=training), training=training))

        @property
        def variables(self):
            return self.hidden.variables + self.norm.variables + self.out.variables

    x = tf.placeholder(tf.float32, [None, 6])
    network = Network()
    train, test = network(x, True), network(x, False)
    loss = tf.losses.mean_squared_error(tf.constant(ROWS[:, :2]), train)
    with tf.control_dependencies(network.norm.updates):
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return Case(None, runs=[([loss, step], {x: ROWS}), ([loss, step], {x: ROWS}), ([test, [v.name for v in network.variables]], {x: ROWS})], tolerance=1e-3)


def case_towers(tf):
    x, y = tf.constant(ROWS), tf.constant(TARGETS)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    tower_grads, losses = [], []
    with tf.variable_scope(tf.get_variable_scope()):
        for i, (part, target) in enumerate(zip(tf.split(x, 2), tf.split(y, 2))):
            with tf.name_scope("tower_%d" % i) as scope:
                tf.losses.mean_squared_error(target, tf.layers.dense(part, 1, name="d"), scope="loss")
                losses.append(tf.add_n(tf.get_collection("losses", scope)))
                tf.get_variable_scope().reuse_variables()
                tower_grads.append(optimizer.compute_gradients(losses[-1]))
    averaged = [(tf.reduce_mean(tf.stack([g for g, _ in pair]), 0), pair[0][1]) for pair in zip(*tower_grads)]
    return Case([losses, optimizer.apply_gradients(averaged)], steps=3)


def case_template(tf):
    def net(x):
        return tf.layers.dense(tf.layers.dense(x, 3, tf.nn.relu), 1)

    shared = tf.make_template("shared", net)
    a, b = shared(tf.constant(ROWS)), shared(tf.constant(ROWS[:2]))
    return [a, b, [v.name for v in tf.global_variables()]]


def case_frozen_layers(tf):
    x = tf.constant(ROWS)
    base = tf.layers.dense(x, 4, tf.nn.relu, trainable=False, name="base")
    head = tf.layers.dense(tf.stop_gradient(base), 1, name="head")
    loss = tf.losses.huber_loss(TARGETS, head)
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    return Case([loss, train, [v.name for v in tf.trainable_variables()], tf.global_variables("base")], steps=3, tolerance=1e-4)

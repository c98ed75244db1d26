"""Programs of papers: gradients of gradients, search, routing, filters and flows, each trained or run by hand."""
import numpy as np
from golden_case import Case

RANDOM = np.random.RandomState(41)
X = RANDOM.uniform(-1, 1, (8, 5)).astype(np.float32)
Y = RANDOM.randint(0, 3, 8).astype(np.int32)
POINTS = RANDOM.normal(0, 1, (12, 2)).astype(np.float32)
STEPS = RANDOM.normal(0, 1, (3, 6, 4)).astype(np.float32)


def numbers(values):
    return np.array(values, np.float32)


def run_steps(tf, train, fetched, feed=None, steps=3):
    """What is fetched beside each of some steps of training."""
    found = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(steps):
            found.append(sess.run([fetched, train], feed(step) if callable(feed) else feed)[0])
    return numbers(found)


def case_critic_with_gradient_penalty(tf):
    """A Wasserstein GAN whose critic has slopes of one between the true and the false."""
    z = tf.placeholder(tf.float32, [None, 3], name="z")
    real = tf.placeholder(tf.float32, [None, 2], name="real")

    def generator(z):
        with tf.variable_scope("generator"):
            return tf.layers.dense(tf.layers.dense(z, 6, tf.nn.relu, name="h"), 2, name="out")

    def critic(x):
        with tf.variable_scope("critic", reuse=tf.AUTO_REUSE):
            return tf.layers.dense(tf.layers.dense(x, 6, tf.nn.leaky_relu, name="h"), 1, name="out")

    fake = generator(z)
    g_loss = -tf.reduce_mean(critic(fake))
    share = tf.random_uniform([tf.shape(real)[0], 1], seed=4)
    between = share * real + (1.0 - share) * fake
    slopes = tf.gradients(critic(between), [between])[0]
    norms = tf.sqrt(tf.reduce_sum(tf.square(slopes), reduction_indices=[1]))
    penalty = tf.reduce_mean((norms - 1.0) ** 2)
    d_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty
    d_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="critic")
    g_vars = [v for v in tf.trainable_variables() if v.name.startswith("generator")]
    d_train = tf.train.AdamOptimizer(1e-2, beta1=0.5, beta2=0.9).minimize(d_loss, var_list=d_vars)
    with tf.control_dependencies([d_train]):
        g_train = tf.train.AdamOptimizer(1e-2, 0.5, 0.9).minimize(g_loss, var_list=g_vars)
    feed = {z: X[:, :3], real: POINTS[:8]}
    return run_steps(tf, g_train, tf.stack([g_loss, d_loss, penalty]), feed)


def case_learning_to_learn(tf):
    """MAML: the loss after a step of gradient descent, differentiated through that step."""
    weights = {"w1": tf.Variable(tf.truncated_normal([1, 8], stddev=0.5, seed=1)), "b1": tf.Variable(tf.zeros([8])),
               "w2": tf.Variable(tf.truncated_normal([8, 1], stddev=0.5, seed=2)), "b2": tf.Variable(tf.zeros([1]))}

    def forward(x, weights):
        return tf.matmul(tf.nn.relu(tf.matmul(x, weights["w1"]) + weights["b1"]), weights["w2"]) + weights["b2"]

    def task(inputs):
        x, y, x_test, y_test = inputs
        fast = dict(weights)
        for _ in range(2):
            loss = tf.reduce_mean(tf.square(forward(x, fast) - y))
            slopes = dict(zip(sorted(fast), tf.gradients(loss, [fast[key] for key in sorted(fast)])))
            fast = {key: fast[key] - 0.1 * slopes[key] for key in sorted(fast)}
        return [loss, tf.reduce_mean(tf.square(forward(x_test, fast) - y_test))]

    data = [tf.constant(X.ravel()[8 * i:8 * i + 8].reshape(2, 4, 1)) for i in range(4)]
    before, after = tf.map_fn(task, data, dtype=[tf.float32, tf.float32])
    total = tf.reduce_mean(after)
    optimizer = tf.train.AdamOptimizer(0.01)
    pairs = [(tf.clip_by_value(g, -10, 10), v) for g, v in optimizer.compute_gradients(total)]
    return run_steps(tf, optimizer.apply_gradients(pairs), tf.stack([total, tf.reduce_mean(before)]))


def case_trust_region(tf):
    """TRPO: products of the Fisher matrix with vectors, conjugate gradients, and a step along a flat vector."""
    states, actions = tf.placeholder(tf.float32, [None, 5]), tf.placeholder(tf.int32, [None])
    advantages, old = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None, 3])
    logits = tf.layers.dense(tf.layers.dense(states, 4, tf.tanh), 3)
    policy = tf.nn.softmax(logits)
    variables = tf.trainable_variables()
    rows = tf.range(tf.shape(policy)[0])
    chosen = tf.gather_nd(policy, tf.stack([rows, actions], axis=1))
    chosen_before = tf.reduce_sum(old * tf.one_hot(actions, 3), 1)
    surrogate = -tf.reduce_mean(chosen / chosen_before * advantages)

    def flat(items):
        return tf.concat([tf.reshape(item, [-1]) for item in items], 0)

    slope = flat(tf.gradients(surrogate, variables))
    kl_self = tf.reduce_mean(tf.reduce_sum(tf.stop_gradient(policy) * tf.log((tf.stop_gradient(policy) + 1e-8)
                                                                             / (policy + 1e-8)), 1))
    kl_slopes = tf.gradients(kl_self, variables)

    def product(vector):
        start, parts = 0, []
        for v in variables:
            size = int(np.prod(v.shape.as_list()))
            parts.append(tf.reshape(vector[start:start + size], v.shape))
            start += size
        total = tf.add_n([tf.reduce_sum(g * p) for g, p in zip(kl_slopes, parts)])
        return flat(tf.gradients(total, variables)) + 0.1 * vector

    x, residual = tf.zeros_like(slope), slope
    direction = residual
    for _ in range(3):
        p = product(direction)
        step = tf.reduce_sum(residual ** 2) / tf.reduce_sum(direction * p)
        x, new = x + step * direction, residual - step * p
        direction = new + tf.reduce_sum(new ** 2) / tf.reduce_sum(residual ** 2) * direction
        residual = new
    theta = flat(variables) - 0.1 * x
    sizes = [int(np.prod(v.shape.as_list())) for v in variables]
    update = tf.group(*[v.assign(tf.reshape(part, v.shape)) for v, part in zip(variables, tf.split(theta, sizes))])
    feed = {states: X, actions: Y, advantages: X[:, 0], old: np.full((8, 3), 1 / 3, np.float32)}
    return run_steps(tf, update, tf.stack([surrogate, tf.norm(x), tf.norm(residual)]), feed, 2)


def case_deterministic_policy(tf):
    """DDPG: the critic's slope by the action becomes the gradient that the actor is given."""
    states, after = tf.placeholder(tf.float32, [None, 3], "s"), tf.placeholder(tf.float32, [None, 3], "s_")
    rewards = tf.placeholder(tf.float32, [None, 1], "r")

    def actor(s, scope, trainable):
        with tf.variable_scope(scope):
            net = tf.layers.dense(s, 5, activation=tf.nn.relu, name="l1", trainable=trainable)
            return tf.multiply(tf.layers.dense(net, 1, tf.nn.tanh, name="a", trainable=trainable), 2.0, name="scaled")

    def critic(s, a, scope, trainable):
        with tf.variable_scope(scope):
            w_s = tf.get_variable("w1_s", [3, 5], trainable=trainable)
            w_a = tf.get_variable("w1_a", [1, 5], trainable=trainable)
            net = tf.nn.relu(tf.matmul(s, w_s) + tf.matmul(a, w_a) + tf.get_variable("b1", [1, 5], trainable=trainable))
            return tf.layers.dense(net, 1, trainable=trainable)

    with tf.variable_scope("Actor"):
        a = actor(states, "eval", True)
        a_ = actor(after, "target", False)
    with tf.variable_scope("Critic"):
        q = critic(states, a, "eval", True)
        q_ = critic(after, a_, "target", False)
    parameters = {key: tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=key)
                  for key in ("Actor/eval", "Actor/target", "Critic/eval", "Critic/target")}
    error = tf.losses.mean_squared_error(labels=rewards + 0.9 * q_, predictions=q)
    slope = tf.gradients(q, a)[0]
    policy_slopes = tf.gradients(ys=a, xs=parameters["Actor/eval"], grad_ys=slope)
    with tf.control_dependencies(policy_slopes):
        train_critic = tf.train.AdamOptimizer(1e-2).minimize(error, var_list=parameters["Critic/eval"])
    with tf.variable_scope("A_train"):
        train_actor = tf.train.AdamOptimizer(-1e-2).apply_gradients(zip(policy_slopes, parameters["Actor/eval"]))
    with tf.control_dependencies([train_critic, train_actor]):
        soft = [tf.assign(t, 0.9 * t + 0.1 * e) for name in ("Actor", "Critic")
                for t, e in zip(parameters[name + "/target"], parameters[name + "/eval"])]
    feed = {states: X[:, :3], after: X[:, 1:4], rewards: X[:, 4:]}
    return run_steps(tf, soft, tf.stack([error, tf.reduce_mean(q)]), feed)


def case_beam_search(tf):
    """The likeliest sequences of a recurrent model, kept in TensorArrays by a loop."""
    beams, vocabulary, depth = 3, 6, 4
    embedding = tf.get_variable("embedding", [vocabulary, 5], initializer=tf.random_normal_initializer(seed=1))
    cell = tf.nn.rnn_cell.GRUCell(5)
    project = tf.get_variable("project", [5, vocabulary], initializer=tf.random_normal_initializer(seed=2))
    state = tf.zeros([beams, 5])
    start = tf.constant([0.0] + [-np.inf] * (beams - 1))
    tokens, parents = (tf.TensorArray(tf.int32, 0, dynamic_size=True, clear_after_read=False) for _ in range(2))

    def go_on(step, words, *_):
        return tf.logical_and(step < depth, tf.logical_not(tf.reduce_all(tf.equal(words, vocabulary - 1))))

    def body(step, words, state, scores, tokens, parents):
        output, new = cell(tf.nn.embedding_lookup(embedding, words), state)
        logs = tf.nn.log_softmax(tf.matmul(output, project))
        totals = tf.reshape(tf.expand_dims(scores, 1) + logs, [-1])
        scores, chosen = tf.nn.top_k(totals, beams)
        parent = chosen // vocabulary
        words = tf.mod(chosen, vocabulary)
        new = tf.gather(new, parent)
        return [step + 1, words, new, scores, tokens.write(step, words), parents.write(step, parent)]

    count, _, _, scores, tokens, parents = tf.while_loop(
        go_on, body, [0, tf.zeros([beams], tf.int32), state, start, tokens, parents], back_prop=False)

    def back(step, place, sequence):
        word = tf.gather(tokens.read(step), place)
        place = tf.gather(parents.read(step), place)
        return step - 1, place, tf.concat([tf.expand_dims(word, 1), sequence], 1)

    _, _, sequences = tf.while_loop(
        lambda step, *_: step >= 0, back, [count - 1, tf.range(beams), tf.zeros([beams, 0], tf.int32)],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([beams]), tf.TensorShape([beams, None])])
    return {"scores": scores, "sequences": sequences, "parents": parents.stack()}


def case_hidden_markov_model(tf):
    """Forward probabilities and the likeliest path by scans; the transitions learnt through the first."""
    transitions = tf.Variable(X[:3, :3], name="transitions")
    emissions = tf.Variable(X[3:6, :4], name="emissions")
    seen = tf.constant([0, 2, 3, 1, 1, 0], name="seen")
    log_t, log_e = tf.nn.log_softmax(transitions), tf.nn.log_softmax(emissions)
    first = tf.fill([3], -np.log(3.0).astype(np.float32)) + tf.gather(log_e, seen[0], axis=1)

    def forward(before, symbol):
        return tf.reduce_logsumexp(tf.expand_dims(before, 1) + log_t, 0) + tf.gather(log_e, symbol, axis=1)

    def best(state, symbol):
        scores = tf.expand_dims(state[0], 1) + log_t
        return tf.reduce_max(scores, 0) + tf.gather(log_e, symbol, axis=1), tf.argmax(scores, 0, output_type=tf.int32)

    alphas = tf.scan(forward, seen[1:], initializer=first)
    likelihood = tf.reduce_logsumexp(alphas[-1])
    scores, backs = tf.scan(best, seen[1:], initializer=(first, tf.zeros([3], tf.int32)))
    last = tf.argmax(scores[-1], output_type=tf.int32)
    path = tf.scan(lambda place, row: row[place], tf.reverse(backs, [0]), initializer=last)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(-likelihood)
    losses = run_steps(tf, train, likelihood)
    return Case({"losses": losses, "path": path, "likelihood": likelihood, "alphas": alphas})


def case_conditional_random_field(tf):
    lengths = tf.constant([6, 4, 3])
    tags = tf.constant(np.resize([0, 3, 1, 1, 2], (3, 6)), tf.int32)
    scores = tf.layers.dense(STEPS, 4, name="scores")
    transitions = tf.get_variable("transitions", [4, 4], initializer=tf.zeros_initializer())
    mask = tf.sequence_mask(lengths, 6, tf.float32)
    unary = tf.reduce_sum(tf.reduce_sum(scores * tf.one_hot(tags, 4), 2) * mask, 1)
    pairs = tf.gather(tf.reshape(transitions, [-1]), tags[:, :-1] * 4 + tags[:, 1:])
    total = unary + tf.reduce_sum(pairs * mask[:, 1:], 1)
    cells = tf.transpose(scores, [1, 0, 2])

    def step(state, inputs):
        score, keep = inputs
        new = tf.reduce_logsumexp(tf.expand_dims(state, 2) + tf.expand_dims(transitions, 0), [1]) + score
        return tf.where(keep, new, state)

    keeps = tf.transpose(tf.sequence_mask(lengths, 6))[1:]
    alphas = tf.foldl(step, (cells[1:], keeps), initializer=cells[0])
    loss = tf.reduce_mean(tf.reduce_logsumexp(alphas, 1) - total)
    return run_steps(tf, tf.train.RMSPropOptimizer(0.05).minimize(loss), loss)


def case_kalman_filter(tf):
    f = tf.constant([[1.0, 0.5], [0.0, 1.0]])
    h = tf.constant([[1.0, 0.0]])
    noise = tf.Variable(0.3, name="noise")
    q, r = tf.eye(2) * tf.square(noise), tf.eye(1) * 0.5

    def step(state, z):
        mean, cov, _ = state
        mean, cov = tf.matmul(f, mean), tf.matmul(tf.matmul(f, cov), f, transpose_b=True) + q
        s = tf.matmul(tf.matmul(h, cov), tf.transpose(h)) + r
        gain = tf.transpose(tf.matrix_solve(s, tf.matmul(h, cov)))
        off = tf.reshape(z, [1, 1]) - tf.matmul(h, mean)
        loss = 0.5 * tf.squeeze(tf.matmul(off, tf.matrix_inverse(s) * off) + tf.log(tf.matrix_determinant(s)))
        return mean + tf.matmul(gain, off), tf.matmul(tf.eye(2) - tf.matmul(gain, h), cov), loss

    means, covs, losses = tf.scan(step, tf.constant(POINTS[:, 0]), initializer=(tf.zeros([2, 1]), tf.eye(2), 0.0))
    loss = tf.reduce_sum(losses)
    trained = run_steps(tf, tf.train.AdagradOptimizer(0.1).minimize(loss), loss)
    return {"trained": trained, "mean": means[-1], "cov": covs[-1]}


def case_coupling_layers(tf):
    """RealNVP: an invertible network of affine couplings, trained by likelihood and turned around."""
    def scales(x, name):
        with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
            h = tf.layers.dense(x, 6, tf.nn.relu, name="h")
            s, t = tf.split(tf.layers.dense(h, 4, name="st", kernel_initializer=tf.random_normal_initializer(0, .1)),
                            2, axis=-1)
            return tf.tanh(s), t

    masks = [tf.constant([[1.0, 0.0]]), tf.constant([[0.0, 1.0]])]
    z, log_det = tf.constant(POINTS), tf.zeros([12])
    for i in range(4):
        b = masks[i % 2]
        s, t = scales(z * b, "layer_%d" % i)
        z = b * z + (1 - b) * (z * tf.exp(s) + t)
        log_det += tf.reduce_sum((1 - b) * s, axis=-1)
    prior = -0.5 * tf.reduce_sum(tf.square(z) + np.log(2 * np.pi), -1)
    loss = -tf.reduce_mean(prior + log_det)
    x = z
    for i in reversed(range(4)):
        b = masks[i % 2]
        s, t = scales(x * b, "layer_%d" % i)
        x = b * x + (1 - b) * ((x - t) * tf.exp(-s))
    wrong = tf.reduce_max(tf.abs(x - POINTS))
    trained = run_steps(tf, tf.train.AdamOptimizer(0.01).minimize(loss), loss)
    return {"trained": trained, "closed": tf.less(wrong, 1e-4)}


def case_dynamic_routing(tf):
    """Capsules that agree are joined; squashed to lengths below one."""
    def squash(s, axis=-1):
        norm = tf.reduce_sum(tf.square(s), axis, keep_dims=True)
        return norm / (1 + norm) * s / tf.sqrt(norm + 1e-9)

    image = tf.constant(np.resize(np.abs(X), (2, 8, 8, 1)))
    conv = tf.layers.conv2d(image, 8, 3, 2, "valid", activation=tf.nn.relu)
    primary = squash(tf.reshape(conv, [2, -1, 4]))
    count = primary.shape[1].value
    w = tf.get_variable("W", [1, count, 3, 6, 4], initializer=tf.truncated_normal_initializer(stddev=0.2))
    tiled = tf.tile(tf.expand_dims(tf.expand_dims(primary, -1), 2), [1, 1, 3, 1, 1])
    votes = tf.matmul(tf.tile(w, [2, 1, 1, 1, 1]), tiled)
    fixed = tf.stop_gradient(votes, name="stop")
    logits = tf.zeros([2, count, 3, 1, 1])
    for r in range(3):
        with tf.variable_scope("iter_" + str(r)):
            c = tf.nn.softmax(logits, dim=2)
            used = votes if r == 2 else fixed
            v = squash(tf.reduce_sum(c * used, axis=1, keep_dims=True), -2)
            if r < 2:
                logits += tf.matmul(fixed, tf.tile(v, [1, count, 1, 1, 1]), transpose_a=True)
    lengths = tf.sqrt(tf.reduce_sum(tf.square(tf.squeeze(v, [1, 4])), 2) + 1e-9)
    t = tf.one_hot([0, 2], 3)
    left, right = tf.square(tf.maximum(0., 0.9 - lengths)), tf.square(tf.maximum(0., lengths - 0.1))
    loss = tf.reduce_mean(tf.reduce_sum(t * left + 0.5 * (1 - t) * right, axis=1))
    return run_steps(tf, tf.train.AdamOptimizer().minimize(loss), loss)


def case_graph_convolution(tf):
    """Labels spread over a sparse neighbourhood that is fed, with dropout on the sparse features."""
    adjacency = tf.sparse_placeholder(tf.float32, name="adjacency")
    features = tf.sparse_placeholder(tf.float32, [8, 5], name="features")
    rate = tf.placeholder_with_default(0.0, [])

    def dense_of(x, size, name, sparse):
        with tf.variable_scope(name):
            w = tf.get_variable("w", [x.shape[1].value if not sparse else 5, size])
            if sparse:
                keep = tf.cast(tf.floor(1.0 - rate + tf.random_uniform(tf.shape(x.values), seed=3)), dtype=tf.bool)
                x = tf.sparse_retain(x, keep) * (1.0 / (1.0 - rate))
            made = tf.sparse_tensor_dense_matmul(x, w) if sparse else tf.matmul(x, w)
            return tf.sparse_tensor_dense_matmul(adjacency, made)

    hidden = tf.nn.relu(dense_of(features, 4, "first", True))
    logits = dense_of(hidden, 3, "second", False)
    mask = tf.constant([1, 1, 1, 1, 0, 0, 0, 0], tf.float32)
    loss = tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=tf.one_hot(Y, 3))
    loss = tf.reduce_mean(loss * mask / tf.reduce_mean(mask))
    loss += 5e-4 * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if "first" in v.name])
    ring = np.array([[i, j % 8] for i in range(8) for j in (i, i + 1)], np.int64)
    ring = ring[np.lexsort((ring[:, 1], ring[:, 0]))]
    places = np.argwhere(X > 0)
    feed = {adjacency: (ring, np.full(16, 0.5, np.float32), [8, 8]), rate: 0.5,
            features: tf.SparseTensorValue(places, X[X > 0], X.shape)}
    return run_steps(tf, tf.train.AdamOptimizer(0.02).minimize(loss), loss, feed)

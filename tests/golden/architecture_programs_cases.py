"""Programs around one idea of a paper each: pointers, memories, tapes, masks, flows, samplers and boxes, trained for a few steps."""
import numpy as np
from golden_case import Case

RANDOM = np.random.RandomState(23)
TOKENS = RANDOM.randint(1, 12, (3, 6)).astype(np.int32)
TARGETS = RANDOM.randint(1, 14, (3, 4)).astype(np.int32)
POINTS = RANDOM.normal(0, 1, (10, 4)).astype(np.float32)
IMAGES = RANDOM.uniform(0, 1, (2, 8, 8, 1)).astype(np.float32)
WAVE = np.sin(np.arange(40) * 0.3).astype(np.float32)


def trained(tf, train, fetched, feed=None, steps=4):
    """What is fetched before each of some steps, and the names of what was trained."""
    found = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            found.append(sess.run({"fetched": fetched}, feed)["fetched"])
            sess.run(train, feed)
    return {"steps": np.array(found, np.float32), "names": [v.name for v in tf.trainable_variables()]}


def case_pointer_generator(tf):
    """Summaries that copy words of the article: a distribution scattered over a vocabulary that each article extends."""
    vocabulary, hidden = 12, 5
    article = tf.placeholder(tf.int32, [3, None], name="article")
    lengths = tf.placeholder(tf.int32, [3], name="lengths")
    extended = tf.placeholder(tf.int32, [3, None], name="extended")
    unknown_words = tf.placeholder(tf.int32, [], name="unknown_words")
    target = tf.placeholder(tf.int32, [3, 4], name="target")
    small = tf.random_uniform_initializer(-0.2, 0.2, seed=1)
    embedding = tf.get_variable("embedding", [vocabulary, 4], initializer=small)
    with tf.variable_scope("encoder"):
        cells = [tf.nn.rnn_cell.LSTMCell(hidden, initializer=small) for _ in range(2)]
        outputs, (forward, _) = tf.nn.bidirectional_dynamic_rnn(
            *cells, inputs=tf.nn.embedding_lookup(embedding, article), sequence_length=lengths, dtype=tf.float32, swap_memory=True)
        states = tf.concat(axis=2, values=outputs)
    mask = tf.sequence_mask(lengths, tf.shape(article)[1], dtype=tf.float32)
    features = tf.layers.conv2d(tf.expand_dims(states, 2), 6, 1, use_bias=False, kernel_initializer=small, name="W_h")
    cell, state, coverage = tf.nn.rnn_cell.LSTMCell(hidden, initializer=small), forward, tf.zeros_like(mask)
    losses, coverage_losses = [], []
    known = tf.where(target < vocabulary, target, tf.zeros_like(target))
    for step, word in enumerate(tf.unstack(tf.nn.embedding_lookup(embedding, known), axis=1)):
        with tf.variable_scope("decoder", reuse=step > 0):
            output, state = cell(word, state)
            query = tf.layers.dense(output, 6, kernel_initializer=small, name="query")[:, None, None]
            covered = tf.layers.conv2d(coverage[:, :, None, None], 6, 1, use_bias=False, kernel_initializer=small, name="w_c")
            scores = tf.reduce_sum(tf.get_variable("v", [6], initializer=small) * tf.tanh(features + query + covered), [2, 3])
            attention = tf.nn.softmax(scores) * mask
            attention /= tf.reshape(tf.reduce_sum(attention, axis=1), [-1, 1])
            coverage_losses.append(tf.reduce_sum(tf.minimum(attention, coverage), [1]))
            coverage += attention
            context = tf.reduce_sum(tf.expand_dims(attention, -1) * states, 1)
            share = tf.layers.dense(tf.concat([context, state.c, state.h, word], 1), 1, tf.sigmoid, kernel_initializer=small, name="p_gen")
            words = share * tf.nn.softmax(tf.layers.dense(tf.concat([output, context], 1), vocabulary, kernel_initializer=small, name="words"))
            wide = tf.concat(axis=1, values=[words, tf.zeros((3, unknown_words))])
            rows = tf.tile(tf.expand_dims(tf.range(0, limit=3), 1), [1, tf.shape(extended)[1]])
            copied = tf.scatter_nd(tf.stack((rows, extended), axis=2), (1 - share) * attention, [3, vocabulary + unknown_words])
            losses.append(-tf.log(tf.gather_nd(wide + copied, tf.stack((tf.range(3), target[:, step]), axis=1)) + 1e-10))
    loss, covering = tf.reduce_mean(tf.add_n(losses)), tf.reduce_mean(sum(coverage_losses))
    variables = tf.trainable_variables()
    grads = tf.gradients(loss + covering, variables, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)
    grads, norm = tf.clip_by_global_norm(grads, 2.0)
    train = tf.train.AdagradOptimizer(0.15, initial_accumulator_value=0.1).apply_gradients(zip(grads, variables))
    feed = {article: TOKENS, lengths: [6, 4, 2], extended: np.where(TOKENS > 9, TOKENS + 2, TOKENS), unknown_words: 2, target: TARGETS}
    return trained(tf, train, tf.stack([loss, covering, norm]), feed)


def case_memory_network(tf):
    """Hops over a memory of sentences; the word of no meaning gets no gradient, the others get noise."""
    stories = tf.constant(TOKENS.reshape(3, 2, 3))
    queries = tf.constant(TOKENS[:, :3])
    answers = tf.one_hot(TARGETS[:, 0] % 12, 12)
    initial = tf.random_normal_initializer(stddev=0.1, seed=3)
    nothing = tf.zeros([1, 4])
    table = tf.concat(axis=0, values=[nothing, initial([11, 4])])
    first, hops = tf.Variable(table, name="A"), []
    for hop in range(2):
        with tf.variable_scope("hop_{}".format(hop)):
            hops.append(tf.Variable(table, name="C"))
    weights = tf.constant(np.linspace(0.5, 1.5, 12, dtype=np.float32).reshape(3, 4), name="encoding")
    state = [tf.reduce_sum(tf.nn.embedding_lookup(first, queries) * weights, 1)]
    for hop, out in enumerate(hops):
        keys = tf.reduce_sum(tf.nn.embedding_lookup(hops[hop - 1] if hop else first, stories) * weights, 2)
        share = tf.nn.softmax(tf.reduce_sum(keys * tf.transpose(tf.expand_dims(state[-1], -1), [0, 2, 1]), 2))
        values = tf.transpose(tf.reduce_sum(tf.nn.embedding_lookup(out, stories) * weights, 2), [0, 2, 1])
        state.append(state[-1] + tf.reduce_sum(values * tf.transpose(tf.expand_dims(share, -1), [0, 2, 1]), 2))
    loss = tf.reduce_sum(tf.nn.softmax_cross_entropy_with_logits(logits=tf.matmul(state[-1], hops[-1], transpose_b=True), labels=answers))
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    pairs = [(tf.clip_by_norm(g, 40.0), v) for g, v in optimizer.compute_gradients(loss, gate_gradients=optimizer.GATE_GRAPH)]
    pairs = [(tf.add(g, tf.random_normal(tf.shape(g), stddev=1e-2, seed=5)), v) for g, v in pairs]
    pairs = [(tf.concat(axis=0, values=[tf.zeros(tf.stack([1, tf.shape(g)[1]])), tf.slice(g, [1, 0], [-1, -1])]), v) for g, v in pairs]
    train = optimizer.apply_gradients(pairs, name="train_op")
    return trained(tf, train, tf.stack([loss, tf.to_float(tf.argmax(state[-1], 1)[0])]))


def case_turing_machine(tf):
    """A controller that reads and writes a tape: addresses by content, gate, shift and sharpening."""
    size, width = 5, 4
    inputs = tf.constant(POINTS[:6].reshape(2, 3, 4) > 0, tf.float32)
    cell = tf.nn.rnn_cell.BasicRNNCell(6)
    tape = tf.tile(tf.expand_dims(tf.get_variable("tape", [size, width], initializer=tf.random_uniform_initializer(-1, 1, seed=1)), 0), [2, 1, 1])
    start = tf.nn.softmax(tf.get_variable("start", [size], initializer=tf.random_normal_initializer(seed=2)))
    heads = [tf.tile(start[tf.newaxis], [2, 1])] * 2
    state, read, outputs = cell.zero_state(2, tf.float32), tf.zeros([2, width]), []

    def address(parameters, tape, before):
        key, strength = tf.tanh(parameters[:, :width]), tf.nn.softplus(parameters[:, width])
        gate, power = tf.sigmoid(parameters[:, width + 1, None]), tf.nn.softplus(parameters[:, -1, None]) + 1
        near = tf.nn.softmax(parameters[:, width + 2:width + 5])
        likeness = tf.squeeze(tf.matmul(tape, tf.expand_dims(key, 2)), 2) / (tf.norm(tape, axis=2) * tf.norm(key, axis=1, keep_dims=True) + 1e-8)
        chosen = gate * tf.nn.softmax(strength[:, None] * likeness) + (1 - gate) * before
        shift = tf.concat([near[:, :2], tf.zeros([near.get_shape()[0], size - 3]), near[:, -1:]], axis=1)
        turned = tf.concat([tf.reverse(shift, axis=[1])] * 2, axis=1)
        rows = tf.stack([turned[:, size - i - 1:size * 2 - i - 1] for i in range(size)], axis=1)
        sharp = tf.pow(tf.reduce_sum(tf.expand_dims(chosen, 1) * rows, axis=2), power)
        return sharp / tf.reduce_sum(sharp, axis=1, keep_dims=True)

    for step in range(6):
        x = inputs[:, step] if step < 3 else tf.zeros([2, 4])
        with tf.variable_scope("machine", reuse=step > 0, initializer=tf.random_normal_initializer(stddev=0.3, seed=4)):
            hidden, state = cell(tf.concat([x, read], axis=1), state)
            parts = tf.split(tf.layers.dense(hidden, 2 * (width + 6) + 2 * width, name="heads"), [width + 6, width + 6, width, width], axis=1)
            heads = [address(part, tape, before) for part, before in zip(parts, heads)]
            read = tf.reduce_sum(tf.expand_dims(heads[0], dim=2) * tape, axis=1)
            written = tf.expand_dims(heads[1], axis=2)
            tape = tape * (1 - tf.matmul(written, tf.sigmoid(parts[2])[:, None])) + tf.matmul(written, tf.tanh(parts[3])[:, None])
            outputs.append(tf.sigmoid(tf.layers.dense(tf.concat([hidden, read], 1), 4, name="out")))
    out = tf.stack(outputs[3:], axis=1)
    loss = -tf.reduce_mean(inputs * tf.log(out + 1e-8) + (1 - inputs) * tf.log(1 - out + 1e-8))
    optimizer = tf.train.RMSPropOptimizer(0.01, momentum=0.9, decay=0.95)
    pairs = [(tf.clip_by_value(g, -10.0, 10.0), v) for g, v in optimizer.compute_gradients(loss, gate_gradients=optimizer.GATE_GRAPH)]
    return trained(tf, optimizer.apply_gradients(pairs), tf.concat([[loss], heads[0][0]], 0))


def case_dilated_causal_convolutions(tf):
    """A WaveNet: sound as classes, convolutions that look back ever further, by batches of what lies apart."""
    classes = 8

    def causal(value, kernel, dilation):
        shape = tf.shape(value)
        rest = dilation - 1 - (shape[1] + dilation - 1) % dilation
        apart = tf.reshape(tf.pad(value, [[0, 0], [0, rest], [0, 0]]), [-1, dilation, shape[2]])
        apart = tf.reshape(tf.transpose(apart, perm=[1, 0, 2]), [shape[0] * dilation, -1, kernel.shape[1].value])
        found = tf.nn.conv1d(apart, kernel, stride=1, padding="VALID")
        found = tf.reshape(found, [dilation, -1, tf.shape(found)[2]])
        found = tf.reshape(tf.transpose(found, perm=[1, 0, 2]), [tf.div(tf.shape(apart)[0], dilation), -1, kernel.shape[2].value])
        return tf.slice(found, [0, 0, 0], [-1, shape[1] - (tf.shape(kernel)[0] - 1) * dilation, -1])

    sound = tf.placeholder(tf.float32, [None], name="sound")
    mu = tf.to_float(classes - 1)
    loud = tf.sign(sound) * tf.log1p(mu * tf.minimum(tf.abs(sound), 1.0)) / tf.log1p(mu)
    codes = tf.to_int32((loud + 1) / 2 * mu + 0.5)
    hot = tf.reshape(tf.one_hot(codes, depth=classes, dtype=tf.float32), [1, -1, classes])
    initial = tf.random_normal_initializer(stddev=0.3, seed=8)
    current, outputs = causal(hot, tf.get_variable("causal", [2, classes, 4], initializer=initial), 1), []
    for i, dilation in enumerate([1, 2]):
        with tf.variable_scope("layer%d" % i, initializer=initial):
            gated = tf.tanh(causal(current, tf.get_variable("filter", [2, 4, 3]), dilation)) * tf.sigmoid(causal(current, tf.get_variable("gate", [2, 4, 3]), dilation))
            outputs.append(tf.nn.conv1d(gated, tf.get_variable("skip", [1, 3, 5]), stride=1, padding="SAME"))
            cut = tf.shape(current)[1] - tf.shape(gated)[1]
            current = tf.slice(current, [0, cut, 0], [-1, -1, -1]) + tf.nn.conv1d(gated, tf.get_variable("dense", [1, 3, 4]), stride=1, padding="SAME")
    left = tf.shape(current)[1]
    total = sum([output[:, -left:] for output in outputs])
    raw = tf.nn.conv1d(tf.nn.relu(total), tf.get_variable("post", [1, 5, classes], initializer=initial), stride=1, padding="SAME")
    wanted = tf.slice(hot, [0, tf.shape(hot)[1] - left + 1, 0], [-1, -1, -1])
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=tf.reshape(raw[:, :-1], [-1, classes]), labels=tf.reshape(wanted, [-1, classes])))
    decay = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if "bias" not in v.name])
    train = tf.train.AdamOptimizer(0.02, epsilon=1e-4).minimize(loss + 1e-4 * decay, gate_gradients=tf.train.Optimizer.GATE_GRAPH)
    return trained(tf, train, tf.stack([loss, decay, tf.to_float(codes[3])]), {sound: WAVE})


def case_spatial_transformer(tf):
    """Images sampled between their points on a grid that is learnt."""
    images = tf.constant(IMAGES)
    theta = tf.get_variable("theta", initializer=np.tile(np.array([[1.0, 0.1, 0.0, 0.0, 0.9, 0.1]], "float32"), (2, 1)))
    across, down = tf.meshgrid(tf.linspace(-1.0, 1.0, 5), tf.linspace(-1.0, 1.0, 5))
    grid = tf.stack([tf.reshape(across, [-1]), tf.reshape(down, [-1]), tf.ones_like(tf.reshape(across, [-1]))])
    moved = tf.matmul(tf.reshape(theta, [-1, 2, 3]), tf.tile(tf.expand_dims(grid, 0), tf.stack([2, 1, 1])))
    zero = tf.zeros([], dtype="int32")

    def corner(values, size):
        at = 0.5 * ((values + 1.0) * (size - 1))
        low = tf.cast(tf.floor(at), "int32")
        return at, tf.clip_by_value(low, zero, size - 1), tf.clip_by_value(low + 1, zero, size - 1)

    x, x0, x1 = corner(tf.reshape(moved[:, 0], [2, 5, 5]), 8)
    y, y0, y1 = corner(tf.reshape(moved[:, 1], [2, 5, 5]), 8)
    batch = tf.tile(tf.reshape(tf.range(0, tf.shape(x)[0]), (tf.shape(x)[0], 1, 1)), (1, 5, 5))
    parts = []
    for cx, wx in ((x0, tf.to_float(x1) - x), (x1, x - tf.to_float(x0))):
        for cy, wy in ((y0, tf.to_float(y1) - y), (y1, y - tf.to_float(y0))):
            parts.append(tf.expand_dims(wx * wy, 3) * tf.gather_nd(images, tf.stack([batch, cy, cx], 3)))
    loss = tf.reduce_mean((tf.add_n(parts) - 0.5) ** 2)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, var_list=[theta])
    return trained(tf, train, tf.concat([[loss], theta[0]], 0))


def case_boxes_matched_in_a_loop(tf):
    """A detector's loss: boxes matched to anchors one after the other, the hardest of the others mined."""
    boxes = tf.placeholder(tf.float32, [None, 4], name="boxes")
    labels = tf.placeholder(tf.int64, [None], name="labels")
    anchors = tf.constant(np.abs(POINTS) / 4 + [0, 0, 0.5, 0.5], tf.float32)
    top, left, bottom, right = tf.unstack(anchors, axis=1)

    def overlap(box):
        height = tf.maximum(tf.minimum(bottom, box[2]) - tf.maximum(top, box[0]), 0.0)
        width = tf.maximum(tf.minimum(right, box[3]) - tf.maximum(left, box[1]), 0.0)
        both = height * width
        return tf.div(both, (bottom - top) * (right - left) - both + (box[2] - box[0]) * (box[3] - box[1]))

    def match(i, classes, scores, places):
        found = overlap(boxes[i])
        better = tf.logical_and(tf.greater(found, scores), scores > -0.5)
        whole, part = tf.cast(better, tf.int64), tf.cast(better, tf.float32)[:, None]
        return [i + 1, whole * labels[i] + (1 - whole) * classes, tf.where(better, found, scores), part * boxes[i] + (1 - part) * places]

    _, classes, scores, places = tf.while_loop(
        lambda i, *_: tf.less(i, tf.shape(labels))[0], match, [0, tf.zeros([10], tf.int64), tf.zeros([10]), tf.zeros([10, 4])])
    logits = tf.get_variable("logits", [10, 4], initializer=tf.random_normal_initializer(seed=4))
    offsets = tf.get_variable("offsets", [10, 4], initializer=tf.zeros_initializer())
    matched = scores > 0.3
    positive = tf.cast(matched, tf.float32)
    likely = tf.nn.softmax(logits)
    others = tf.logical_and(tf.logical_not(matched), scores > -0.5)
    hardness = tf.where(others, likely[:, 0], 1.0 - tf.cast(others, tf.float32))
    count = tf.minimum(tf.cast(3.0 * tf.reduce_sum(positive), tf.int32) + 2, tf.reduce_sum(tf.cast(others, tf.int32)))
    hardest, _ = tf.nn.top_k(-hardness, k=count)
    mined = tf.cast(tf.logical_and(others, hardness < -hardest[-1]), tf.float32)
    entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=classes)
    focal = tf.reduce_mean(tf.one_hot(classes, 4) * -tf.pow(1 - likely, 2.0) * tf.log(tf.clip_by_value(likely, 1e-8, 1.0)))
    huber = tf.losses.huber_loss(places, offsets, weights=positive[:, None])
    tf.losses.add_loss(tf.div(tf.reduce_sum(entropy * (positive + mined)), 10, name="value"))
    tf.losses.add_loss(focal)
    total = tf.losses.get_total_loss(name="all")
    train = tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True).minimize(total, gate_gradients=tf.train.Optimizer.GATE_GRAPH)
    feed = {boxes: [[0.1, 0.1, 0.6, 0.7], [0.4, 0.3, 0.9, 0.9]], labels: [1, 3]}
    return trained(tf, train, tf.concat([[total, focal, huber], scores, tf.to_float(classes)], 0), feed)


def case_flow_of_couplings_and_back(tf):
    """Normalisation, mixing and coupling with a tracked determinant; the way back gives the points again."""
    def step(i, z, logdet, back):
        with tf.variable_scope("step%d" % i, reuse=tf.AUTO_REUSE):
            shift = tf.get_variable("b", initializer=lambda: -tf.stop_gradient(tf.zeros([4])), trainable=True)
            logs = tf.get_variable("logs", [4], initializer=tf.constant_initializer(0.1))
            mixing = tf.get_variable("W", dtype=tf.float32, initializer=np.linalg.qr(np.random.RandomState(i).randn(4, 4))[0].astype("float32"))
            turned = tf.cast(tf.log(abs(tf.matrix_determinant(tf.cast(mixing, "float64")))), "float32")
            if not back:
                z, logdet = (z + shift) * tf.exp(logs), logdet + tf.reduce_sum(logs)
                z, logdet = tf.matmul(z, mixing), logdet + turned
            kept, changed = tf.split(z, 2, 1)
            hidden = tf.layers.dense(kept, 5, tf.nn.relu, name="f1", kernel_initializer=tf.random_normal_initializer(0, 0.5, seed=3))
            hidden = tf.layers.dense(hidden, 4, name="f2", kernel_initializer=tf.random_normal_initializer(0, 0.1, seed=4))
            scale = tf.nn.sigmoid(hidden[:, 1::2] + 2.0)
            if not back:
                return tf.concat([kept, (changed + hidden[:, 0::2]) * scale], 1), logdet + tf.reduce_sum(tf.log(scale), axis=[1])
            z = tf.concat([kept, changed / scale - hidden[:, 0::2]], 1)
            return tf.matmul(z, tf.matrix_inverse(mixing)) * tf.exp(-logs) - shift, logdet

    x = tf.placeholder_with_default(POINTS, [None, 4])
    z, logdet = x, tf.zeros_like(x, dtype="float32")[:, 0]
    for i in range(2):
        z, logdet = step(i, z, logdet, False)
    again = z
    for i in reversed(range(2)):
        again, _ = step(i, again, logdet, True)
    objective = logdet + tf.reduce_sum(-0.5 * (np.log(2 * np.pi) + z ** 2), 1)
    loss = -tf.reduce_mean(objective) / float(np.log(2.0))
    updates, count = [], tf.Variable(1.0, trainable=False, name="adam_t")
    for v, grad in zip(tf.trainable_variables(), tf.tuple(tf.gradients(loss, tf.trainable_variables()))):
        first = tf.Variable(tf.zeros(v.get_shape()), trainable=False, name=v.name[:-2] + "_m")
        largest = tf.Variable(tf.zeros(v.get_shape()), trainable=False, name=v.name.replace(":0", "") + "_u")
        mean, top = 0.9 * first + 0.1 * grad, tf.maximum(0.99 * largest, abs(grad))
        rate = 0.01 / (1.0 - tf.pow(0.9, count))
        updates.extend([first.assign(mean), largest.assign(top), v.assign(v - rate * mean / (top + 1e-8))])
    with tf.control_dependencies(updates):
        train = tf.group(count.assign_add(1))
    return trained(tf, train, tf.stack([loss, tf.reduce_mean(tf.abs(again - x)) * 100, z[0, 0]]))


def case_what_sessions_are_asked(tf):
    """Fetches and feeds as untidy programs write them; what comes back, or why nothing does."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.get_variable("w", initializer=[[1.0], [2.0]])
    y = tf.matmul(x, w, name="y")
    other = tf.Graph()
    with other.as_default():
        k = tf.constant([1, 2, 3], name="k")
    asked = [
        (("x:0", {"q": [w, "w:0"]}, (y,)), {"x:0": [[1.0, 1]]}), ([], {}), ((), None), ("y:0", {"x:0": [[3, 4]]}), (["y", "y:0"], {x: [[3, 4]]}),
        (y, None), (y, {x: [1, 2]}), (y, {x: [[1, 2, 3]]}), (k, None), (y, {k: 1}), (y, {"nope:0": 1}), ("nope:0", None), (y, {y: [[9.0]]}),
        ([w.op, w, w.initializer], None), ([[[y]]], {x: [[0, 0]]}), (y, {(x, w): ([[1, 1]], [[1], [1]])}), (y, {x: [["a", "b"]]}), (y, {x: None}),
        (y, {x: tf.zeros([1, 2])}), (w[0], None), (1, None), (None, None), (y, {x: np.zeros((0, 2))}), (x, {x: [[True, False]]}), (y.op, {x: [[1, 2]]}),
    ]
    found = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for fetches, feed in asked:
            try:
                found.append(str(np.array(sess.run(fetches, feed), dtype=object).tolist()).replace("array", ""))
            except Exception as error:
                found.append([type(error).__name__, str(error).split("\n")[0]])
        call = sess.make_callable(y, [x])
        found.append(call([[2, 2]]).tolist())
        try:
            call()
        except tf.errors.InvalidArgumentError as error:
            found.append(error.message.split("\n")[0])
    return Case({"found": found})

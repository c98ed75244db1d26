"""Programs with training loops of their own: feeding by hand, queues, threads, checkpoints, printed progress."""
import os
import tempfile
import threading

import numpy as np
from golden_case import Case

RANDOM = np.random.RandomState(7)
PIXELS = RANDOM.uniform(0, 1, (60, 64)).astype(np.float32)
CLASSES = RANDOM.randint(0, 10, 60)
ONE_HOT = np.eye(10, dtype=np.float32)[CLASSES]
TEXT = "the quick brown fox jumps over the lazy dog. the dog sleeps while the fox runs away from the barn. " * 3


def numbers(values):
    return np.array(values, np.float32)


def case_mnist_softmax(tf):
    x = tf.placeholder(tf.float32, [None, 64], name="x")
    w, b = tf.Variable(tf.zeros([64, 10])), tf.Variable(tf.zeros([10]))
    y = tf.nn.softmax(tf.matmul(x, w) + b)
    truth = tf.placeholder(tf.float32, [None, 10])
    entropy = tf.reduce_mean(-tf.reduce_sum(truth * tf.log(y), reduction_indices=[1]))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(entropy)
    correct = tf.equal(tf.argmax(y, 1), tf.argmax(truth, 1))
    accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
    sess = tf.InteractiveSession()
    tf.global_variables_initializer().run()
    printed = []
    for step in range(20):
        batch = slice(step * 20 % 60, step * 20 % 60 + 20)
        sess.run(train, feed_dict={x: PIXELS[batch], truth: ONE_HOT[batch]})
        if step % 5 == 0:
            printed.append("step %d, accuracy %.4f" % (step, accuracy.eval({x: PIXELS, truth: ONE_HOT})))
    loss = entropy.eval({x: PIXELS, truth: ONE_HOT})
    sess.close()
    return {"printed": printed, "loss": numbers(loss)}


def case_mnist_deep_with_dropout(tf):
    def weight(shape):
        return tf.Variable(tf.truncated_normal(shape, stddev=0.1))

    def bias(shape):
        return tf.Variable(tf.constant(0.1, shape=shape))

    x = tf.placeholder("float", shape=[None, 64])
    y_ = tf.placeholder("float", shape=[None, 10])
    keep = tf.placeholder("float")
    image = tf.reshape(x, [-1, 8, 8, 1])
    h = tf.nn.relu(tf.nn.conv2d(image, weight([3, 3, 1, 4]), strides=[1, 1, 1, 1], padding="SAME") + bias([4]))
    h = tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    h = tf.nn.relu(tf.nn.conv2d(h, weight([3, 3, 4, 8]), strides=[1, 1, 1, 1], padding="SAME") + bias([8]))
    h = tf.reshape(tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME"), [-1, 2 * 2 * 8])
    h = tf.nn.dropout(tf.nn.relu(tf.matmul(h, weight([32, 16])) + bias([16])), keep)
    logits = tf.matmul(h, weight([16, 10])) + bias([10])
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=logits))
    train = tf.train.AdamOptimizer(1e-2).minimize(loss)
    losses = []
    with tf.Session() as sess:
        sess.run(tf.initialize_all_variables())
        for _ in range(6):
            train.run(feed_dict={x: PIXELS, y_: ONE_HOT, keep: 0.5})
            losses.append(loss.eval(feed_dict={x: PIXELS, y_: ONE_HOT, keep: 1.0}))
    return {"losses": numbers(losses)}


def case_fully_connected_feed(tf):
    def inference(images, hidden1, hidden2):
        with tf.name_scope("hidden1"):
            weights = tf.Variable(tf.truncated_normal([64, hidden1], stddev=1.0 / np.sqrt(64.0)), name="weights")
            biases = tf.Variable(tf.zeros([hidden1]), name="biases")
            first = tf.nn.relu(tf.matmul(images, weights) + biases)
        with tf.name_scope("hidden2"):
            weights = tf.Variable(tf.truncated_normal([hidden1, hidden2], stddev=1.0 / np.sqrt(hidden1)), name="weights")
            biases = tf.Variable(tf.zeros([hidden2]), name="biases")
            second = tf.nn.relu(tf.matmul(first, weights) + biases)
        with tf.name_scope("softmax_linear"):
            weights = tf.Variable(tf.truncated_normal([hidden2, 10], stddev=1.0 / np.sqrt(hidden2)), name="weights")
            return tf.matmul(second, weights) + tf.Variable(tf.zeros([10]), name="biases")

    folder = tempfile.mkdtemp()
    with tf.Graph().as_default():
        images = tf.placeholder(tf.float32, shape=(20, 64))
        labels = tf.placeholder(tf.int32, shape=(20))
        logits = inference(images, 12, 8)
        loss = tf.losses.sparse_softmax_cross_entropy(labels=tf.to_int64(labels), logits=logits)
        tf.summary.scalar("loss", loss)
        global_step = tf.Variable(0, name="global_step", trainable=False)
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=global_step)
        correct = tf.reduce_sum(tf.cast(tf.nn.in_top_k(logits, labels, 1), tf.int32))
        summary = tf.summary.merge_all()
        init = tf.global_variables_initializer()
        saver = tf.train.Saver()
        sess = tf.Session()
        tf.set_random_seed(3)
        writer = tf.summary.FileWriter(folder, sess.graph)
        sess.run(init)
        losses, evaluations = [], []
        for step in range(9):
            part = slice(step % 3 * 20, step % 3 * 20 + 20)
            feed = {images: PIXELS[part], labels: CLASSES[part]}
            _, value = sess.run([train, loss], feed_dict=feed)
            losses.append(value)
            if step % 4 == 0:
                writer.add_summary(sess.run(summary, feed_dict=feed), step)
                writer.flush()
            if (step + 1) % 3 == 0:
                saver.save(sess, os.path.join(folder, "model.ckpt"), global_step=step)
                evaluations.append(int(sess.run(correct, feed_dict=feed)))
        writer.close()
        names = [v.name for v in tf.trainable_variables()]
    events = []
    for file in sorted(os.listdir(folder)):
        if "tfevents" in file:
            for event in tf.train.summary_iterator(os.path.join(folder, file)):
                events += [(event.step, value.tag) for value in event.summary.value]
    files = sorted(f for f in os.listdir(folder) if "tfevents" not in f)
    return {"first": numbers(losses[0]).shape, "names": names, "events": events, "files": files, "count": len(losses),
            "evaluations": len(evaluations)}


def case_char_rnn_sampled(tf):
    chars = sorted(set(TEXT))
    index = {c: i for i, c in enumerate(chars)}
    size, length, hidden = len(chars), 10, 16
    x = tf.placeholder(tf.int32, [None, length], name="x")
    y = tf.placeholder(tf.int32, [None, length], name="y")
    cells = [tf.nn.rnn_cell.BasicLSTMCell(hidden, state_is_tuple=True) for _ in range(2)]
    cell = tf.nn.rnn_cell.MultiRNNCell(cells, state_is_tuple=True)
    state = cell.zero_state(tf.shape(x)[0], tf.float32)
    with tf.variable_scope("rnnlm"):
        softmax_w = tf.get_variable("softmax_w", [hidden, size])
        softmax_b = tf.get_variable("softmax_b", [size])
        embedding = tf.get_variable("embedding", [size, hidden])
        inputs = tf.nn.embedding_lookup(embedding, x)
    outputs, last = tf.nn.dynamic_rnn(cell, inputs, initial_state=state)
    logits = tf.matmul(tf.reshape(outputs, [-1, hidden]), softmax_w) + softmax_b
    probs = tf.nn.softmax(logits)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=tf.reshape(y, [-1])))
    lr = tf.Variable(0.0, trainable=False)
    variables = tf.trainable_variables()
    grads, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    train = tf.train.AdamOptimizer(lr).apply_gradients(zip(grads, variables))
    data = np.array([index[c] for c in TEXT])
    losses, text = [], ""
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(tf.assign(lr, 0.02))
        now = sess.run(state, {x: data[:40].reshape(4, 10)})
        for step in range(6):
            at = step * 40
            feed = {x: data[at:at + 40].reshape(4, 10), y: data[at + 1:at + 41].reshape(4, 10)}
            for i, (c, h) in enumerate(state):
                feed[c], feed[h] = now[i].c, now[i].h
            value, now, _ = sess.run([loss, last, train], feed)
            losses.append(value)
        seed = data[:10]
        for _ in range(12):
            p = sess.run(probs, {x: seed[None]})
            text += chars[int(np.argmax(p[-1]))]
            seed = np.append(seed[1:], index[text[-1]])
    return {"losses": numbers(losses), "sampled": text}


def case_language_model_of_unrolled_lstm(tf):
    """The language model of the Penn Treebank tutorial: a training and an evaluation model that share variables."""
    batch, steps, vocabulary, size = 4, 5, 20, 8
    data = np.random.RandomState(3).randint(0, vocabulary, 90)

    class Model(object):
        def __init__(self, is_training, batch, steps):
            self.x = tf.placeholder(tf.int32, [batch, steps])
            self.y = tf.placeholder(tf.int32, [batch, steps])

            def make_cell():
                cell = tf.nn.rnn_cell.BasicLSTMCell(size, forget_bias=0.0, state_is_tuple=True)
                if is_training:
                    cell = tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=0.9, seed=3)
                return cell

            cell = tf.nn.rnn_cell.MultiRNNCell([make_cell() for _ in range(2)], state_is_tuple=True)
            self.initial_state = cell.zero_state(batch, tf.float32)
            with tf.device("/cpu:0"):
                embedding = tf.get_variable("embedding", [vocabulary, size])
                inputs = tf.nn.embedding_lookup(embedding, self.x)
            outputs, state = [], self.initial_state
            with tf.variable_scope("RNN"):
                for step in range(steps):
                    if step > 0:
                        tf.get_variable_scope().reuse_variables()
                    (output, state) = cell(inputs[:, step, :], state)
                    outputs.append(output)
            output = tf.reshape(tf.concat(axis=1, values=outputs), [-1, size])
            logits = tf.matmul(output, tf.get_variable("softmax_w", [size, vocabulary]))
            logits += tf.get_variable("softmax_b", [vocabulary])
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reshape(self.y, [-1]), logits=logits)
            self.cost = tf.reduce_sum(loss) / batch
            self.final_state = state
            if not is_training:
                return
            self.lr = tf.Variable(0.0, trainable=False)
            variables = tf.trainable_variables()
            grads, _ = tf.clip_by_global_norm(tf.gradients(self.cost, variables), 5)
            self.train = tf.train.GradientDescentOptimizer(self.lr).apply_gradients(
                zip(grads, variables), global_step=tf.train.get_or_create_global_step())
            self.new_lr = tf.placeholder(tf.float32, shape=[], name="new_learning_rate")
            self.lr_update = tf.assign(self.lr, self.new_lr)

    def epoch(sess, model, batch, steps, eval_op=None):
        rows = data[:len(data) // batch * batch].reshape(batch, -1)
        costs, count = 0.0, 0
        state = sess.run(model.initial_state)
        for i in range((rows.shape[1] - 1) // steps):
            feed = {model.x: rows[:, i * steps:(i + 1) * steps], model.y: rows[:, i * steps + 1:(i + 1) * steps + 1]}
            for j, (c, h) in enumerate(model.initial_state):
                feed[c], feed[h] = state[j].c, state[j].h
            fetches = {"cost": model.cost, "final_state": model.final_state}
            if eval_op is not None:
                fetches["eval_op"] = eval_op
            values = sess.run(fetches, feed)
            state = values["final_state"]
            costs += values["cost"]
            count += steps
        return np.exp(costs / count)

    initializer = tf.random_uniform_initializer(-0.1, 0.1)
    with tf.name_scope("Train"), tf.variable_scope("Model", reuse=None, initializer=initializer):
        training = Model(True, batch, steps)
    with tf.name_scope("Test"), tf.variable_scope("Model", reuse=True, initializer=initializer):
        testing = Model(False, 1, 1)
    perplexities = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(3):
            sess.run(training.lr_update, {training.new_lr: 0.5 ** max(i - 1, 0)})
            perplexities.append(epoch(sess, training, batch, steps, training.train))
        perplexities.append(epoch(sess, testing, 1, 1))
    return {"perplexities": numbers(perplexities), "names": [v.name for v in tf.global_variables()]}


def case_shuffle_batch_of_records(tf):
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "train.tfrecords")
    writer = tf.python_io.TFRecordWriter(path)
    for i in range(30):
        features = {
            "image_raw": tf.train.Feature(bytes_list=tf.train.BytesList(value=[(PIXELS[i] * 255).astype(np.uint8).tobytes()])),
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(CLASSES[i])]))}
        writer.write(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())
    writer.close()
    count = sum(1 for _ in tf.python_io.tf_record_iterator(path))
    name_queue = tf.train.string_input_producer(tf.train.match_filenames_once(os.path.join(folder, "*.tfrecords")),
                                                num_epochs=4)
    _, serialized = tf.TFRecordReader().read(name_queue)
    features = tf.parse_single_example(serialized, features={
        "image_raw": tf.FixedLenFeature([], tf.string), "label": tf.FixedLenFeature([], tf.int64)})
    image = tf.decode_raw(features["image_raw"], tf.uint8)
    image.set_shape([64])
    image = tf.cast(image, tf.float32) * (1.0 / 255) - 0.5
    label = tf.cast(features["label"], tf.int32)
    images, labels = tf.train.shuffle_batch([image, label], batch_size=10, num_threads=1, capacity=50,
                                            min_after_dequeue=12, seed=3, allow_smaller_final_batch=True)
    logits = tf.layers.dense(images, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train = tf.train.AdagradOptimizer(0.1).minimize(loss)
    steps, seen = 0, 0
    with tf.Session() as sess:
        sess.run(tf.group(tf.global_variables_initializer(), tf.local_variables_initializer()))
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        try:
            while not coord.should_stop():
                _, value, batch = sess.run([train, loss, labels])
                steps += 1
                seen += len(batch)
        except tf.errors.OutOfRangeError:
            finished = "Done training for %d epochs, %d steps." % (4, steps)
        finally:
            coord.request_stop()
        coord.join(threads)
    runners = [runner.name for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)]
    summaries = [s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)]
    return Case({"count": count, "finished": finished, "seen": seen, "finite": bool(np.isfinite(value)),
                 "runners": runners, "summaries": summaries}, graph=False)


def case_csv_reader_and_slices(tf):
    folder = tempfile.mkdtemp()
    for i in range(2):
        with open(os.path.join(folder, "part%d.csv" % i), "w") as file:
            file.write("a,b,name,label\n" + "".join("%d.5,%d,n%d,%d\n" % (j, i, j, j % 2) for j in range(6)))
    queue = tf.train.string_input_producer([os.path.join(folder, "part%d.csv" % i) for i in range(2)], shuffle=False)
    key, value = tf.TextLineReader(skip_header_lines=1).read(queue)
    a, b, name, label = tf.decode_csv(value, record_defaults=[[0.0], [0.0], ["?"], [0]])
    features = tf.stack([a, b])
    batch, names, labels = tf.train.batch([features, name, label], batch_size=4, capacity=12)
    index = tf.train.range_input_producer(5, shuffle=False).dequeue()
    sliced, number = tf.train.slice_input_producer([PIXELS[:5, :2], CLASSES[:5]], shuffle=False)
    rows = []
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        for _ in range(4):
            rows.append([r.tolist() for r in sess.run([batch, names, labels])] + [int(sess.run(index))])
            rows[-1].append(sess.run(sliced).tolist())
        coord.request_stop()
        coord.join(threads)
    del key, number
    return Case({"rows": str(rows)}, graph=False)


def case_threads_that_share_a_network(tf):
    """Asynchronous actor and critic: every worker has a copy that pulls from the shared network and pushes to it."""
    coord = tf.train.Coordinator()
    results = {}

    class Network(object):
        def __init__(self, scope, trainer=None):
            with tf.variable_scope(scope):
                self.inputs = tf.placeholder(tf.float32, [None, 4], name="inputs")
                hidden = tf.layers.dense(self.inputs, 8, tf.nn.relu, name="hidden")
                self.policy = tf.layers.dense(hidden, 2, tf.nn.softmax, name="policy")
                self.value = tf.layers.dense(hidden, 1, name="value")
                if scope == "global":
                    return
                self.actions = tf.placeholder(tf.int32, [None])
                self.target = tf.placeholder(tf.float32, [None])
                self.advantages = tf.placeholder(tf.float32, [None])
                chosen = tf.reduce_sum(self.policy * tf.one_hot(self.actions, 2, dtype=tf.float32), [1])
                self.value_loss = 0.5 * tf.reduce_sum(tf.square(self.target - tf.reshape(self.value, [-1])))
                self.entropy = -tf.reduce_sum(self.policy * tf.log(self.policy))
                self.policy_loss = -tf.reduce_sum(tf.log(chosen) * self.advantages)
                self.loss = 0.5 * self.value_loss + self.policy_loss - self.entropy * 0.01
                local = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope)
                shared = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "global")
                grads, self.norm = tf.clip_by_global_norm(tf.gradients(self.loss, local), 40.0)
                self.push = trainer.apply_gradients(zip(grads, shared))
                self.pull = [mine.assign(theirs) for mine, theirs in zip(local, shared)]

    Network("global")
    trainer = tf.train.RMSPropOptimizer(0.01, name="RMSPropA3C")
    workers = [Network("W_%d" % i, trainer) for i in range(2)]
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    lock = threading.Lock()

    def work(number):
        random = np.random.RandomState(1)
        network = workers[number]
        with coord.stop_on_exception():
            norms = []
            for _ in range(3):
                with lock:
                    sess.run(network.pull)
                    feed = {network.inputs: random.rand(5, 4), network.actions: random.randint(0, 2, 5),
                            network.target: random.rand(5), network.advantages: random.randn(5)}
                    norms.append(sess.run([network.loss, network.norm, network.push], feed)[:2])
            results[number] = norms

    for i in range(2):  # one after the other, so that the numbers are the same in every run
        thread = threading.Thread(target=work, args=(i,))
        thread.start()
        coord.join([thread])
    return {"norms": numbers([results[0], results[1]]), "names": [v.name for v in tf.global_variables()]}


def case_supervised_training_resumed(tf):
    folder = tempfile.mkdtemp()
    values = []
    for _ in range(2):
        with tf.Graph().as_default():
            tf.set_random_seed(11)
            global_step = tf.Variable(0, trainable=False, name="global_step")
            w = tf.Variable(tf.random_normal([64, 1]), name="w")
            loss = tf.reduce_mean(tf.square(tf.matmul(PIXELS, w) - CLASSES[:, None].astype(np.float32)))
            train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss, global_step=global_step)
            tf.summary.scalar("loss", loss)
            supervisor = tf.train.Supervisor(logdir=folder, save_model_secs=0, save_summaries_secs=0, global_step=global_step)
            with supervisor.managed_session() as sess:
                for _ in range(3):
                    if supervisor.should_stop():
                        break
                    _, value, step = sess.run([train, loss, global_step])
                    values.append((float(value), int(step)))
                supervisor.saver.save(sess, supervisor.save_path, global_step=global_step)
    state = tf.train.get_checkpoint_state(folder)
    files = [os.path.basename(path) for path in state.all_model_checkpoint_paths]
    return {"values": numbers([v for v, _ in values]), "files": files}


def case_flags_and_main(tf):
    flags = tf.app.flags
    taken = set(dir(flags.FLAGS))
    for name in ("sp_rate", "sp_steps", "sp_dir", "sp_fast"):
        if name in taken:
            delattr(flags.FLAGS, name)
    flags.DEFINE_float("sp_rate", 0.01, "Initial learning rate.")
    flags.DEFINE_integer("sp_steps", 4, "Number of steps.")
    flags.DEFINE_string("sp_dir", "/tmp/data", "Where the data is.")
    flags.DEFINE_boolean("sp_fast", False, "Whether to hurry.")
    parsed = flags.FLAGS
    log = []

    def main(argv):
        x = tf.Variable(5.0)
        step = tf.train.GradientDescentOptimizer(parsed.sp_rate).minimize(tf.square(x))
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for i in range(parsed.sp_steps):
                sess.run(step)
                log.append("%d: %.5f" % (i, sess.run(x)))
        log.append([argv[0], argv[1:], parsed.sp_dir, parsed.sp_fast])

    try:
        tf.app.run(main=main, argv=["prog", "--sp_rate=0.1", "--sp_fast", "--sp_steps", "3", "rest"])
    except SystemExit as stop:
        log.append(stop.code)
    return {"log": str(log)}

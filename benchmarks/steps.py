"""Times of training steps and other runs: Ossia beside the TensorFlows and PyTorchs named, in turn, so that all see
the same machine.

    python benchmarks/steps.py [--only TEXT] [--rounds N] [--threads N] [--torch INTERPRETER WITH PYTORCH]
                               [INTERPRETER WITH TENSORFLOW ...]

`OSSIA_ORACLES` names interpreters as well, separated by commas. Each contestant is a process of its own that stays
alive; in each round every one measures once. The table shows medians over the rounds of the mean time of a step; with
`--least`, the least processor time of any step, which other programs disturb less. PyTorch runs the models of
torch_models.py eagerly. Where memory is the limit, the last column says which share of the machine's copy bandwidth
Ossia reaches, counting the bytes that have to move.

With `--memory` each contestant says at its end how much it has used at most; `--only NAME --memory` compares one case.
"""
from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time

import bandwidth
import numpy as np

RANDOM = np.random.RandomState(0)


def floats(*shape):
    """Standard normal float32 numbers."""
    return RANDOM.randn(*shape).astype("f4")


def labels(count, classes):
    """Random class numbers."""
    return RANDOM.randint(0, classes, count).astype("i4")


def weights(tf, *shape):
    """A variable of small random numbers."""
    return tf.Variable((RANDOM.randn(*shape) * 0.05).astype("f4"))


def trained(tf, logits, x, y, images, classes, optimizer=None):
    """What trains a classifier: the fetches and the feeds."""
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = (optimizer or tf.train.AdamOptimizer(1e-3)).minimize(loss)
    return [train, loss], {x: images, y: labels(len(images), classes)}


def perceptron(tf, sizes, batch):
    """A classifier of dense layers."""
    x, y = tf.placeholder(tf.float32, [None, sizes[0]]), tf.placeholder(tf.int32, [None])
    h = x
    for i, (n, m) in enumerate(zip(sizes, sizes[1:])):
        h = tf.matmul(h, weights(tf, n, m)) + tf.Variable(np.zeros(m, "f4"))
        h = tf.nn.relu(h) if i < len(sizes) - 2 else h
    return trained(tf, h, x, y, floats(batch, sizes[0]), sizes[-1])


def logistic_regression(tf):
    """64 features, 10 classes, batch 32, gradient descent."""
    x, y = tf.placeholder(tf.float32, [None, 64]), tf.placeholder(tf.int32, [None])
    logits = tf.matmul(x, weights(tf, 64, 10)) + tf.Variable(np.zeros(10, "f4"))
    return trained(tf, logits, x, y, floats(32, 64), 10, tf.train.GradientDescentOptimizer(0.1))


def mlp_small(tf):
    """64-32-10, batch 32, Adam."""
    return perceptron(tf, [64, 32, 10], 32)


def deep_20x64(tf):
    """20 layers of 64, batch 32, Adam."""
    return perceptron(tf, [64] * 20 + [10], 32)


def mlp_large(tf):
    """784-512-10, batch 128, Adam."""
    return perceptron(tf, [784, 512, 10], 128)


def lenet(tf):
    """Two 5x5 convolutions (32, 64), 512 dense, batch 64, Adam."""
    x, y = tf.placeholder(tf.float32, [None, 28, 28, 1]), tf.placeholder(tf.int32, [None])
    h = x
    for n, m in ((1, 32), (32, 64)):
        h = tf.nn.relu(
            tf.nn.bias_add(
                tf.nn.conv2d(h, weights(tf, 5, 5, n, m), [1, 1, 1, 1], "SAME"), tf.Variable(np.zeros(m, "f4"))
            )
        )
        h = tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    h = tf.nn.relu(tf.matmul(tf.reshape(h, [-1, 7 * 7 * 64]), weights(tf, 7 * 7 * 64, 512)))
    return trained(tf, tf.matmul(h, weights(tf, 512, 10)), x, y, floats(64, 28, 28, 1), 10)


def resnet(tf, normalized=False):
    """A ResNet of 8 convolutions on 32x32 images (16, 32, 64 channels), batch 32, momentum."""
    def convolved(x, n, m, stride=1, size=3):
        y = tf.nn.conv2d(x, weights(tf, size, size, n, m), [1, stride, stride, 1], "SAME")
        offset = tf.Variable(np.zeros(m, "f4"))
        if normalized:
            return tf.nn.fused_batch_norm(y, tf.Variable(np.ones(m, "f4")), offset)[0]
        return tf.nn.bias_add(y, offset)

    x, y = tf.placeholder(tf.float32, [None, 32, 32, 3]), tf.placeholder(tf.int32, [None])
    h = tf.nn.relu(convolved(x, 3, 16))
    for n, m, stride in ((16, 16, 1), (16, 32, 2), (32, 64, 2)):
        shortcut = h if n == m else convolved(h, n, m, stride, 1)
        h = tf.nn.relu(convolved(tf.nn.relu(convolved(h, n, m, stride)), m, m) + shortcut)
    logits = tf.matmul(tf.reduce_mean(h, [1, 2]), weights(tf, 64, 10))
    return trained(tf, logits, x, y, floats(32, 32, 32, 3), 10, tf.train.MomentumOptimizer(0.01, 0.9))


def resnet_normalized(tf):
    """The same with batch normalization in place of biases."""
    return resnet(tf, normalized=True)


def recurrent(tf, last):
    """What trains a classifier of the last output of a recurrence over 50 steps of 32 rows of 64."""
    x, y = tf.placeholder(tf.float32, [32, 50, 64]), tf.placeholder(tf.int32, [32])
    logits = tf.matmul(last(x), weights(tf, 128, 10))
    return trained(tf, logits, x, y, floats(32, 50, 64), 10)


class Lstm:
    """An LSTM cell of 128, as `dynamic_rnn` takes it: TensorFlow 2.21 has no cells of its own beside Keras 3."""

    state_size, output_size = (128, 128), 128

    def __init__(self, tf):
        self._tf = tf
        self._kernel, self._bias = weights(tf, 64 + 128, 4 * 128), tf.Variable(np.zeros(4 * 128, "f4"))

    def zero_state(self, batch, dtype):
        """The state before the first step."""
        return self._tf.zeros([batch, 128], dtype), self._tf.zeros([batch, 128], dtype)

    def __call__(self, x, state, scope=None):
        """The output and the state after a step."""
        tf, (c, h) = self._tf, state
        a, j, f, o = tf.split(tf.matmul(tf.concat([x, h], 1), self._kernel) + self._bias, 4, 1)
        c = tf.sigmoid(f + 1.0) * c + tf.sigmoid(a) * tf.tanh(j)
        h = tf.sigmoid(o) * tf.tanh(c)
        return h, (c, h)


def lstm_dynamic_rnn(tf):
    """dynamic_rnn over an LSTM: 50 steps, hidden 128, batch 32, Adam."""
    return recurrent(tf, lambda x: tf.nn.dynamic_rnn(Lstm(tf), x, dtype=tf.float32)[0][:, -1])


def lstm_while_loop(tf):
    """The same LSTM in a while_loop written by hand."""
    def last(x):
        cell, steps = Lstm(tf), tf.TensorArray(tf.float32, 50).unstack(tf.transpose(x, [1, 0, 2]))

        def body(i, c, h):
            return (i + 1, *cell(steps.read(i), (c, h))[1])

        zeros = tf.zeros([32, 128])
        return tf.while_loop(lambda i, c, h: i < 50, body, [0, zeros, zeros])[2]

    return recurrent(tf, last)


def while_10000(tf):
    """A while_loop of 10,000 trivial iterations."""
    return [tf.while_loop(lambda i: i < 10_000, lambda i: i + 1, [tf.constant(0)])], {}


def word2vec(tf):
    """Skip-grams by noise contrast: tables of 1e6 rows of 64, batch 512, 64 negatives, gradient descent."""
    inputs, targets = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None])
    negatives = tf.placeholder(tf.int32, [None])
    table, context = (tf.Variable(np.full((1_000_000, 64), 0.01, "f4")) for _ in range(2))
    center = tf.nn.embedding_lookup(table, inputs)
    near = tf.reduce_sum(center * tf.nn.embedding_lookup(context, targets), 1)
    far = tf.matmul(center, tf.nn.embedding_lookup(context, negatives), transpose_b=True)
    loss = tf.reduce_mean(
        tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones_like(near), logits=near)
    ) + tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.zeros_like(far), logits=far))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return [train, loss], {
        inputs: labels(512, 1_000_000), targets: labels(512, 1_000_000), negatives: labels(64, 1_000_000)
    }  # fmt: skip


def sparse_adagrad(tf):
    """Adagrad on 1,024 rows of a table of 1e6 rows of 64."""
    rows = tf.placeholder(tf.int32, [None])
    table = tf.Variable(np.full((1_000_000, 64), 0.01, "f4"))
    loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, rows)))
    return [tf.train.AdagradOptimizer(0.1).minimize(loss)], {rows: labels(1024, 1_000_000)}


def wide_linear(tf):
    """20 features of 100,000 each looked up in a table of weights, batch 256, FTRL."""
    features, y = tf.placeholder(tf.int32, [None, 20]), tf.placeholder(tf.float32, [None])
    table = tf.Variable(np.zeros((100_000, 1), "f4"))
    logits = tf.reduce_sum(tf.nn.embedding_lookup(table, features), [1, 2])
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.FtrlOptimizer(0.1).minimize(loss)
    drawn = RANDOM.randint(0, 100_000, (256, 20)).astype("i4")
    return [train, loss], {features: drawn, y: (labels(256, 2)).astype("f4")}


def chain_fetched(tf):
    """Ten elementwise ops on 1e7 floats that are fed and fetched."""
    x = tf.placeholder(tf.float32, [None])
    y = x
    for _ in range(5):
        y = tf.maximum(y * 1.01 + 0.1, -1.0) if _ % 2 else (y - 0.2) * 0.99
    return [y], {x: np.linspace(-1, 1, 10_000_000).astype("f4")}


def dropout(tf):
    """Dropout of a million elements."""
    x = tf.placeholder(tf.float32, [None, 1000])
    return [tf.reduce_sum(tf.nn.dropout(x, rate=0.4))], {x: floats(1000, 1000)}


def elementwise_chain(tf):
    """Ten elementwise ops on 1e7 floats that stay in the session; the sum of a part is fetched."""
    x = tf.Variable(np.linspace(-1, 1, 10_000_000).astype("f4"))
    y, target = x, tf.Variable(np.zeros(10_000_000, "f4"))
    for _ in range(5):
        y = tf.maximum(y * 1.01 + 0.1, -1.0) if _ % 2 else (y - 0.2) * 0.99
    return [tf.assign(target, y).op], {}


def adam_10m(tf):
    """Adam on 10M floats whose gradient is the variable."""
    w = tf.Variable(np.zeros(10_000_000, "f4"))
    return [
        tf.train.AdamOptimizer(1e-3).apply_gradients(
            [(tf.Variable(np.ones(10_000_000, "f4"), trainable=False) + 0.0, w)]
        )
    ], {}


def small_ops(tf, count):
    """A chain of small ops on 16 floats."""
    x = tf.placeholder(tf.float32, [16])
    y = x
    for i in range(count):
        y = (y + 1.0, y * 0.5, tf.tanh(y), tf.maximum(y, 0.1))[i % 4]
    return [y], {x: np.ones(16, "f4")}


def ops_100(tf):
    """100 small ops."""
    return small_ops(tf, 100)


def ops_1000(tf):
    """1,000 small ops."""
    return small_ops(tf, 1000)


CASES = [
    logistic_regression,
    mlp_small,
    deep_20x64,
    mlp_large,
    lenet,
    resnet,
    resnet_normalized,
    lstm_dynamic_rnn,
    lstm_while_loop,
    while_10000,
    word2vec,
    sparse_adagrad,
    wide_linear,
    dropout,
    elementwise_chain,
    chain_fetched,
    adam_10m,
    ops_100,
    ops_1000,
]


def sessions(kind, threads):
    """What makes the step of a case for Ossia or TensorFlow, and what ends it."""
    if kind == "ossia":
        import ossia as tf
    else:
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
        import tensorflow as tf
        if tf.__version__.startswith("2"):
            tf = tf.compat.v1
            tf.disable_v2_behavior()
    cases = {case.__name__: case for case in CASES}

    def made(name):
        graph = tf.Graph()
        with graph.as_default():
            fetches, feeds = cases[name](tf)
            session = tf.Session(graph=graph, config=tf.ConfigProto(intra_op_parallelism_threads=threads))
            session.run(tf.global_variables_initializer())
        return (lambda: session.run(fetches, feeds)), session.close

    return made


def contestant(kind, threads):
    """Answers names of cases on standard input with seconds per run and the least processor time of one, or null for a
    case that it does not have."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if kind == "torch":
        import torch_models
        make = torch_models.steps(threads)
    else:
        make = sessions(kind, threads)
    running = {}
    for line in sys.stdin:
        name = line.strip()
        if name.startswith("-"):
            found = running.pop(name[1:])
            if found is not None:
                found[1]()
            print("null", file=out, flush=True)
            continue
        if name == "?":
            print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss), file=out, flush=True)
            continue
        if name not in running:
            RANDOM.seed(0)
            found = running[name] = make(name)
            for _ in range(3 if found is not None else 0):
                found[0]()
        if running[name] is None:
            print("null", file=out, flush=True)
            continue
        step = running[name][0]
        count, start, least = 0, time.perf_counter(), float("inf")
        while count < 3 or time.perf_counter() - start < 0.2:
            before = time.process_time()
            step()
            least = min(least, time.process_time() - before)
            count += 1
        print(json.dumps([(time.perf_counter() - start) / count, least]), file=out, flush=True)


def main():
    """Run the contestants and print the table."""
    parser = argparse.ArgumentParser(description="Time training steps beside TensorFlow.")
    parser.add_argument("oracles", nargs="*", default=[o for o in os.environ.get("OSSIA_ORACLES", "").split(",") if o])
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", action="store_true", help="say how much memory each used at most")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--torch", default="")
    parser.add_argument("--least", action="store_true")
    parser.add_argument("--contestant", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.contestant:
        contestant(args.contestant, args.threads)
        return
    environment = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    interpreters = {"Ossia": ("ossia", sys.executable), **{oracle: ("tf", oracle) for oracle in args.oracles}}
    if args.torch:
        interpreters["PyTorch"] = "torch", args.torch
    commands = {
        name: [interpreter, "-W", "ignore", __file__, "--contestant", kind, "--threads", str(args.threads)]
        for name, (kind, interpreter) in interpreters.items()
    }
    running = {
        name: subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        for name, command in commands.items()
    }

    def ask(process, question):
        process.stdin.write(question + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    print(f"{'microseconds per run':32}" + "".join(f"{name[-22:]:>24}" for name in running))
    for case in CASES:
        if args.only in case.__name__:
            times = {name: [] for name in running}
            copied = []
            for _ in range(args.rounds):
                if case.__name__ in bandwidth.BYTES:
                    copied.append(bandwidth.copy_bandwidth())
                for name, process in running.items():
                    times[name].append(ask(process, case.__name__))
            for process in running.values():
                ask(process, "-" + case.__name__)
            found, median = [], {}
            for label, measured in times.items():
                if None in measured:
                    found.append("-")
                    continue
                means, least = zip(*measured)
                median[label] = statistics.median(means)
                found.append(f"{(min(least) if args.least else median[label]) * 1e6:.1f}")
            share = ""
            if copied and copied[0]:
                speed = statistics.median(copied)
                reached = bandwidth.BYTES[case.__name__] / median["Ossia"] / speed
                share = f"  {reached:4.0%} of {speed / 1e9:.1f} GB/s"
            print(f"{case.__name__:32}" + "".join(f"{text:>24}" for text in found) + share, flush=True)
    if args.memory:
        print(f"{'peak memory, MiB':32}" + "".join(f"{ask(p, '?') / 1024:24.0f}" for p in running.values()))
    for process in running.values():
        process.stdin.close()
        process.wait()


if __name__ == "__main__":
    main()

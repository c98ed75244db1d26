"""Whole programs with loops that hold all kinds of nodes give over 50 steps what they give on NumPy."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf

from .conftest import needs_native

pytestmark = needs_native
BATCH, TIMES, WIDE, WORDS = 4, 7, 8, 12
RANDOM = np.random.RandomState(0)
VALUES = RANDOM.randn(BATCH, TIMES, WIDE).astype("f4")
IDS = RANDOM.randint(2, WORDS, [BATCH, TIMES]).astype("i4")
LENGTHS = np.array([3, 6, 5, 2], "i4")  # none is as long as there are frames


def weights(name, *shape):
    return tf.get_variable(name, initializer=np.random.RandomState(len(name)).randn(*shape).astype("f4") * 0.3)


def inputs():
    x, n = tf.placeholder(tf.float32, [None, None, WIDE]), tf.placeholder(tf.int32, [None])
    ids = tf.placeholder(tf.int32, [None, None])
    return x, n, ids, {x: VALUES, n: LENGTHS, ids: IDS}


def labelled(logits, ids):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=logits))


def aligned():
    x, n, _, feed = inputs()
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(WIDE), x, n, dtype=tf.float32)
    logits = tf.transpose(tf.tensordot(outputs, weights("w", WIDE, 5), [[2], [0]]), [1, 0, 2])
    labels = tf.SparseTensor([[0, 0], [1, 0], [1, 1], [2, 0], [3, 0]], [1, 2, 2, 0, 3], [BATCH, 2])
    return tf.reduce_mean(tf.nn.ctc_loss(labels, logits, n)), feed


def pointing():
    x, _, ids, feed = inputs()
    keys = tf.tensordot(x, weights("w", WIDE, WIDE), [[2], [0]])
    cell = tf.nn.rnn_cell.GRUCell(WIDE)

    def step(i, taken, state, scores, seen):
        output, state = cell(taken, state)
        score = tf.reduce_sum(tf.tanh(keys + tf.expand_dims(output, 1)), 2) - 5.0 * seen
        chosen = tf.argmax(score, 1, output_type=tf.int32)
        taken = tf.gather_nd(x, tf.stack([tf.range(BATCH), ids[:, i] % TIMES], 1))
        return i + 1, taken, state, scores.write(i, score), seen + tf.one_hot(chosen, TIMES)

    nothing = tf.zeros([BATCH, WIDE])
    start = [0, nothing, nothing, tf.TensorArray(tf.float32, TIMES), tf.zeros([BATCH, TIMES])]
    scores = tf.while_loop(lambda i, *_: i < TIMES, step, start)[3]
    loss = labelled(tf.transpose(scores.stack(), [1, 0, 2]), ids % TIMES)
    assert_finite = tf.Assert(tf.reduce_all(tf.is_finite(loss)), ["not finite", loss])
    with tf.control_dependencies([assert_finite]):
        return tf.identity(loss), feed


def attending():
    x, n, ids, feed = inputs()
    cell, w = tf.nn.rnn_cell.GRUCell(WIDE), weights("w", 2 * WIDE, WORDS)
    mask = tf.sequence_mask(n, tf.shape(x)[1], tf.float32)
    embedded = tf.transpose(tf.nn.embedding_lookup(weights("e", WORDS, WIDE), ids), [1, 0, 2])
    words = tf.TensorArray(tf.float32, tf.shape(ids)[1]).unstack(embedded)

    def step(i, state, outputs):
        output, state = cell(words.read(i), state)
        scores = tf.nn.softmax(tf.reduce_sum(x * tf.expand_dims(output, 1), 2) + (mask - 1) * 1e9)
        context = tf.reduce_sum(x * tf.expand_dims(scores, 2), 1)
        return i + 1, state, outputs.write(i, tf.matmul(tf.concat([context, output], 1), w))

    start = [0, tf.zeros([tf.shape(x)[0], WIDE]), tf.TensorArray(tf.float32, tf.shape(ids)[1])]
    logits = tf.while_loop(lambda i, *_: i < tf.shape(ids)[1], step, start)[2].stack()
    return labelled(tf.transpose(logits, [1, 0, 2]), ids), feed


def growing():
    """The array of outputs has as many elements as there were steps."""
    _, n, ids, feed = inputs()
    cell = tf.nn.rnn_cell.LSTMCell(WIDE)
    words = tf.TensorArray(tf.float32, tf.shape(ids)[1])
    words = words.unstack(tf.transpose(tf.nn.embedding_lookup(weights("e", WORDS, WIDE), ids), [1, 0, 2]))

    def step(time, output, state, loop_state):
        done = time >= n
        taken = tf.cond(tf.reduce_all(done), lambda: tf.zeros([BATCH, WIDE]), lambda: words.read(time))
        return done, taken, cell.zero_state(BATCH, tf.float32) if output is None else state, output, None

    outputs = tf.nn.raw_rnn(cell, step)[0].stack()
    return labelled(tf.transpose(tf.tensordot(outputs, weights("w", WIDE, WORDS), [[2], [0]]), [1, 0, 2]),
                    ids[:, : tf.shape(outputs)[0]]), feed


def in_chains():
    x, _, ids, feed = inputs()
    scores = tf.transpose(tf.tensordot(x, weights("w", WIDE, 4), [[2], [0]]), [1, 0, 2])
    steps = weights("s", 4, 4)
    total = tf.foldl(lambda a, b: tf.reduce_logsumexp(a[:, :, None] + steps, 1) + b, scores[1:], scores[0])
    chosen = tf.reduce_sum(tf.transpose(scores, [1, 0, 2]) * tf.one_hot(ids % 4, 4), [1, 2])
    return tf.reduce_mean(tf.reduce_logsumexp(total, 1) - chosen), feed


def sliced():
    """A slice that moves with the loop, whose gradient is a slice that moves back."""
    x, _, _, feed = inputs()
    w = weights("w", WIDE, WIDE)
    end = tf.while_loop(
        lambda i, a: i < TIMES, lambda i, a: (i + 1, tf.tanh(tf.matmul(a + x[:, i] * 0.5 + x[:, -1 - i], w))),
        [0, tf.zeros([BATCH, WIDE])],
    )[1]
    taken = tf.while_loop(lambda i, b: i < 3, lambda i, b: (i + 1, b + w[i] * w[:, i]), [0, tf.zeros([WIDE])])[1]
    return tf.reduce_sum(tf.square(end)) + tf.reduce_sum(taken), feed


PROGRAMS = [aligned, pointing, attending, growing, in_chains, sliced]


def dropped():
    """Noise is drawn anew in every step."""
    x, n, ids, feed = inputs()
    cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.LSTMCell(WIDE), output_keep_prob=0.5, seed=1)
    outputs, _ = tf.nn.dynamic_rnn(cell, x, n, dtype=tf.float32)
    return labelled(tf.tensordot(outputs, weights("w", WIDE, WORDS), [[2], [0]]), ids), feed


def scanned():
    x, _, _, feed = inputs()
    w = weights("w", WIDE, WIDE)
    states = tf.scan(lambda a, b: tf.tanh(tf.matmul(a, w) + b), tf.transpose(x, [1, 0, 2]))
    mapped = tf.map_fn(lambda a: tf.reduce_sum(a * w), tf.reshape(states, [-1, WIDE, 1]))
    return tf.reduce_mean(tf.square(states)) + tf.foldr(lambda a, b: a * 0.5 + b, mapped, 0.0), feed


PROGRAMS += [dropped, scanned]


@pytest.fixture(params=["v1", "v2"])
def control_flow(request):
    """Loops with TensorArrays and stacks, then with lists."""
    if request.param == "v2":
        tf.enable_control_flow_v2()
    yield
    tf.disable_control_flow_v2()


def losses(program, steps=50):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(3)
        loss, feed = program()
        train = tf.train.AdamOptimizer(0.01).minimize(loss)
        session.run(tf.global_variables_initializer())
        return [session.run([loss, train], feed)[0] for _ in range(steps)]


@pytest.mark.parametrize("program", PROGRAMS)
def test_losses_over_50_steps(program, control_flow, backend, compiled):
    backend("numpy")
    expected = losses(program)
    assert not compiled[0]
    backend("cffi")
    got = losses(program)
    assert compiled[0] >= 50
    np.testing.assert_allclose(got, expected, rtol=2e-4, atol=1e-5)


def beams():
    """Sequences become longer with every step."""
    x, _, _, feed = inputs()
    w, table, width = weights("w", WIDE, WORDS), weights("e", WORDS, WIDE), 3

    def step(i, words, state, totals, found, ended):
        state = tf.tanh(state + tf.nn.embedding_lookup(table, tf.reshape(words, [-1])))
        scores = tf.reshape(tf.nn.log_softmax(tf.matmul(state, w)), [BATCH, width, WORDS])
        scores = tf.where(
            tf.tile(ended[:, :, None], [1, 1, WORDS]), tf.one_hot(tf.ones([BATCH, width], tf.int32), WORDS, 0.0, -1e9),
            scores,
        )
        totals, best = tf.nn.top_k(tf.reshape(totals[:, :, None] + scores, [BATCH, -1]), width)
        rows = tf.reshape(best // WORDS + tf.range(BATCH)[:, None] * width, [-1])
        words = best % WORDS
        found = tf.concat([tf.reshape(tf.gather(found, rows), [BATCH * width, -1]), tf.reshape(words, [-1, 1])], 1)
        ended = tf.reshape(tf.gather(tf.reshape(ended, [-1]), rows), [BATCH, width]) | tf.equal(words, 1)
        return i + 1, words, tf.gather(state, rows), totals, found, ended

    start = [
        0, tf.zeros([BATCH, width], tf.int32), tf.reshape(tf.tile(x[:, :1], [1, width, 1]), [BATCH * width, WIDE]),
        tf.constant([[0.0, -9.0, -9.0]] * BATCH), tf.zeros([BATCH * width, 0], tf.int32),
        tf.zeros([BATCH, width], bool),
    ]
    shapes = [tensor.shape for tensor in map(tf.convert_to_tensor, start)]
    shapes[4] = tf.TensorShape([BATCH * width, None])
    return tf.while_loop(lambda i, *a: (i < 20) & ~tf.reduce_all(a[4]), step, start, shape_invariants=shapes)[3:], feed


def sampled():
    """An array of integers that grows while not all sequences have ended."""
    x, n, _, feed = inputs()
    w, table = weights("w", WIDE, WORDS), weights("e", WORDS, WIDE)

    def step(i, words, state, array):
        state = tf.tanh(state + tf.nn.embedding_lookup(table, words))
        words = tf.where(i >= n, tf.zeros_like(words), tf.argmax(tf.matmul(state, w), 1, output_type=tf.int32))
        return i + 1, words, state, array.write(i, words)

    start = [0, tf.zeros([BATCH], tf.int32), x[:, 0], tf.TensorArray(tf.int32, 0, dynamic_size=True)]
    array = tf.while_loop(lambda i, *_: i < tf.reduce_max(n), step, start)[3]
    return [array.stack(), array.size()], feed


@pytest.mark.parametrize("program", [beams, sampled])
def test_decoders(program, control_flow, backend, compiled):
    found = []
    for name in ("numpy", "cffi"):
        backend(name)
        with tf.Graph().as_default(), tf.Session() as session:
            fetches, feed = program()
            session.run(tf.global_variables_initializer())
            found.append([session.run(fetches, feed) for _ in range(3)])
    assert compiled[0]
    for expected, got in zip(*found, strict=True):
        for a, b in zip(expected, got, strict=True):
            np.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-6)

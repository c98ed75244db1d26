"""Recurrent networks, whose loops threads share by rows of the batch: as on NumPy, alike on any number of threads."""
from __future__ import annotations

import _thread
import signal
import threading

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.passes import row_loop_sharing
from ossia_backend_cffi.program.instructions import kernels_of
from ossia_backend_cffi.run import region_program

from .conftest import needs_native

pytestmark = needs_native


@pytest.fixture
def shared(monkeypatch):
    """How many loops of the programs made so far are shared by rows, and how many run as they are."""
    counts = [0, 0]
    make = region_program.Specialisation.__init__

    def counting(self, *args):
        make(self, *args)
        kernels = kernels_of(self._table)
        counts[0] += kernels.count("recurrence")
        counts[1] += kernels.count("loop")

    monkeypatch.setattr(region_program.Specialisation, "__init__", counting)
    # So little work would stay on one thread.
    monkeypatch.setattr(row_loop_sharing._SharedLoop, "_cost", lambda self: 20)
    return counts


def variable(random, *shape):
    return tf.Variable((random.randn(*shape) * 0.2).astype("f4"))


class Cell:
    """What `dynamic_rnn` takes as a cell."""

    def __init__(self, random, inputs, units):
        self.state_size, self.output_size = self.sizes(units), units
        self.make(random, inputs, units)


class Lstm(Cell):
    def sizes(self, units):
        return units, units

    def zero_state(self, batch, dtype):
        return tf.zeros([batch, self.output_size], dtype), tf.zeros([batch, self.output_size], dtype)

    def make(self, random, inputs, units):
        self.kernel, self.bias = variable(random, inputs + units, 4 * units), variable(random, 4 * units)

    def __call__(self, x, state, scope=None):
        c, h = state
        a, j, f, o = tf.split(tf.matmul(tf.concat([x, h], 1), self.kernel) + self.bias, 4, 1)
        c = tf.sigmoid(f + 1.0) * c + tf.sigmoid(a) * tf.tanh(j)
        h = tf.sigmoid(o) * tf.tanh(c)
        return h, (c, h)


class Gru(Cell):
    def sizes(self, units):
        return units

    def zero_state(self, batch, dtype):
        return tf.zeros([batch, self.output_size], dtype)

    def make(self, random, inputs, units):
        self.gates, self.offsets = variable(random, inputs + units, 2 * units), variable(random, 2 * units)
        self.candidate, self.offset = variable(random, inputs + units, units), variable(random, units)

    def __call__(self, x, h, scope=None):
        gates = tf.sigmoid(tf.nn.bias_add(tf.matmul(tf.concat([x, h], 1), self.gates), self.offsets))
        r, u = tf.split(gates, 2, 1)
        c = tf.tanh(tf.nn.bias_add(tf.matmul(tf.concat([x, r * h], 1), self.candidate), self.offset))
        h = u * h + (1.0 - u) * c
        return h, h


def lstm(random, x, lengths):
    return tf.nn.dynamic_rnn(Lstm(random, x.shape[2].value, 24), x, dtype=tf.float32)


def with_lengths(random, x, lengths):
    return tf.nn.dynamic_rnn(Lstm(random, x.shape[2].value, 24), x, lengths, dtype=tf.float32)


def time_major(random, x, lengths):
    cell = Gru(random, x.shape[2].value, 17)
    return tf.nn.dynamic_rnn(cell, tf.transpose(x, [1, 0, 2]), lengths, dtype=tf.float32, time_major=True)


def gru(random, x, lengths):
    return tf.nn.dynamic_rnn(Gru(random, x.shape[2].value, 33), x, dtype=tf.float32)


def two_layers(random, x, lengths):
    cells = [Lstm(random, x.shape[2].value, 16), Lstm(random, 16, 20)]

    class Stacked:
        state_size, output_size = tuple(cell.state_size for cell in cells), 20

        def zero_state(self, batch, dtype):
            return tuple(cell.zero_state(batch, dtype) for cell in cells)

        def __call__(self, x, states, scope=None):
            new = []
            for cell, state in zip(cells, states):
                x, state = cell(x, state)
                new.append(state)
            return x, tuple(new)

    return tf.nn.dynamic_rnn(Stacked(), x, dtype=tf.float32)


def both_ways(random, x, lengths):
    cells = [Lstm(random, x.shape[2].value, 16) for _ in range(2)]
    outputs, states = tf.nn.bidirectional_dynamic_rnn(*cells, x, lengths, dtype=tf.float32)
    return tf.concat(outputs, 2), states


def by_hand(random, x, lengths):
    """A loop that ends early, by what is fed."""
    batch, steps, size = x.shape.as_list()
    cell, rows = Lstm(random, size, 24), tf.TensorArray(tf.float32, steps).unstack(tf.transpose(x, [1, 0, 2]))

    def body(i, c, h):
        return (i + 1, *cell(rows.read(i), (c, h))[1])

    zeros = tf.zeros([batch, 24])
    _, c, h = tf.while_loop(lambda i, c, h: i < tf.minimum(lengths[0], steps), body, [0, zeros, zeros])
    return h, c


def plain(random, x, lengths):
    """No arrays, one product, a weight that is used turned."""
    w, h = variable(random, 24, 24), tf.matmul(x[:, 0], variable(random, x.shape[2].value, 24))

    def body(i, h):
        return i + 1, tf.tanh(tf.matmul(h, w, transpose_b=True))

    return tf.while_loop(lambda i, h: i < 7, body, [0, h])[1], h


def noted(random, x, lengths):
    """Writes to arrays what is computed and what all rows share, which is another value in every iteration."""
    batch, steps, size = x.shape.as_list()
    w, rows = variable(random, size, size), tf.TensorArray(tf.float32, steps).unstack(tf.transpose(x, [1, 0, 2]))
    scales = tf.TensorArray(tf.float32, steps).unstack(tf.cast(tf.range(steps), tf.float32) * 0.1)

    def body(i, h, notes, used):
        scale = scales.read(i)
        h = tf.nn.relu(tf.matmul(h, w) + rows.read(i) * scale)
        return i + 1, h, notes.write(i, h), used.write(i, scale)

    start = [0, tf.zeros([batch, size]), tf.TensorArray(tf.float32, steps), tf.TensorArray(tf.float32, steps)]
    _, h, notes, used = tf.while_loop(lambda i, *_: i < steps, body, start)
    return h, (notes.stack(), used.stack())


def chosen(random, x, lengths):
    """A body with a branch, which all rows take or none."""
    w, h = variable(random, 24, 24), tf.matmul(x[:, 0], variable(random, x.shape[2].value, 24))

    def body(i, h):
        product = tf.matmul(h, w)
        return i + 1, tf.cond(tf.equal(i % 3, 1), lambda: tf.tanh(product) + h, lambda: h * 0.5)

    return tf.while_loop(lambda i, h: i < 9, body, [0, h])[1], h


MODELS = [lstm, with_lengths, time_major, gru, two_layers, both_ways, by_hand, plain, noted, chosen]


def trained(model, threads, batch=19, steps=37, trained_for=3):
    """Outputs, losses and weights after a few steps of training."""
    random = np.random.RandomState(7)
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=threads)) as session:
        x = tf.placeholder(tf.float32, [batch, steps, 12])
        lengths = tf.placeholder(tf.int32, [batch])
        outputs, state = model(random, x, lengths)
        flat = [outputs, *tf.nest.flatten(state)]
        loss = tf.add_n([tf.reduce_mean(tf.square(y - 0.3)) for y in flat])
        train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        session.run(tf.global_variables_initializer())
        feeds = {x: random.randn(batch, steps, 12).astype("f4"), lengths: random.randint(0, steps + 1, batch)}
        found = []
        for turn in range(trained_for):
            feeds[lengths][0] = steps - 5 * turn
            found += session.run([loss, *flat, train], feeds)[:-1]
        return found + session.run(tf.trainable_variables())


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_as_on_numpy_on_any_number_of_threads(model, backend, shared):
    backend("numpy")
    expected = trained(model, 1)
    backend("cffi")
    alone = trained(model, 1)
    assert shared[0] >= 2 and not shared[1], "forward and backward"
    for x, y in zip(expected, alone, strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-4, atol=2e-5)
    for threads in (2, 3):
        for x, y in zip(alone, trained(model, threads), strict=True):
            np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("batch,steps", [(8, 1), (8, 200), (33, 16), (200, 17), (600, 3)])
def test_batches_of_many_sizes(batch, steps, backend, shared):
    backend("numpy")
    expected = trained(lstm, 1, batch, steps, 2)
    backend("cffi")
    alone = trained(lstm, 1, batch, steps, 2)
    assert shared == [2, 0]
    for x, y, z in zip(expected, alone, trained(lstm, 2, batch, steps, 2), strict=True):
        np.testing.assert_allclose(x, y, rtol=5e-4, atol=2e-5)
        np.testing.assert_array_equal(y, z)


@pytest.mark.parametrize("model", [with_lengths, noted, chosen], ids=lambda model: model.__name__)
def test_runs_side_by_side(model, shared):
    """One program, on tables of buffers of each run's own: every run goes through forward and backward loops."""
    random = np.random.RandomState(3)
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=3)) as session:
        x, lengths = tf.placeholder(tf.float32, [32, 21, 12]), tf.placeholder(tf.int32, [32])
        outputs, state = model(random, x, lengths)
        loss = tf.add_n([tf.reduce_mean(tf.square(y)) for y in [outputs, *tf.nest.flatten(state)]])
        fetches = [loss, *tf.gradients(loss, tf.trainable_variables())]
        session.run(tf.global_variables_initializer())
        feeds = [{x: random.randn(32, 21, 12).astype("f4"), lengths: random.randint(0, 22, 32)} for _ in range(4)]
        expected = [session.run(fetches, feed) for feed in feeds]
        assert shared == [2, 0]
        failures = []

        def work(number):
            try:
                for turn in range(20):
                    n = (number + turn) % len(feeds)
                    for left, right in zip(expected[n], session.run(fetches, feeds[n]), strict=True):
                        np.testing.assert_array_equal(left, right)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures


def looping(session):
    """A loop over rows whose number of iterations is fed, its result, and the gradient of what it begins with."""
    n, x, w = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [16, 32]), tf.Variable(np.eye(32, dtype="f4"))
    y = tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, tf.tanh(tf.matmul(h, w))), [0, x])[1]
    session.run(tf.global_variables_initializer())
    return n, x, y, tf.gradients(y, x)[0]


def test_no_iterations_and_many(shared):
    with tf.Graph().as_default(), tf.Session() as session:
        n, x, y, gradient = looping(session)
        feed = np.full((16, 32), 0.5, "f4")
        found = session.run([y, gradient], {n: 0, x: feed})
        np.testing.assert_array_equal(found[0], feed)
        np.testing.assert_array_equal(found[1], np.ones_like(feed))
        expected = feed
        for _ in range(100):
            expected = np.tanh(expected)
        np.testing.assert_allclose(session.run(y, {n: 100, x: feed}), expected, rtol=1e-4)
        assert shared[0]


def test_what_is_kept_for_gradients_is_bounded(monkeypatch, shared):
    monkeypatch.setattr(region_program, "stack_bytes", lambda: 1 << 17)
    with tf.Graph().as_default(), tf.Session() as session:
        n, x, y, gradient = looping(session)
        feed = np.zeros((16, 32), "f4")
        with pytest.raises(tf.errors.ResourceExhaustedError, match="loop"):
            session.run(gradient, {n: 1_000_000_000, x: feed})
        # Nearly as much as there is: room for fewer iterations than are run at a time.
        np.testing.assert_array_equal(session.run(gradient, {n: 30, x: feed}), np.ones_like(feed))
        assert shared[0]


def test_an_error_names_its_node(shared):
    with tf.Graph().as_default(), tf.Session() as session:
        n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [3, 16, 32])
        w = tf.Variable(np.eye(32, dtype="f4"))
        rows = tf.TensorArray(tf.float32, 3).unstack(x)

        def body(i, h):
            return i + 1, tf.matmul(h, w) + rows.read(i, name="taken")

        y = tf.while_loop(lambda i, h: i < n, body, [0, tf.zeros([16, 32])])[1]
        session.run(tf.global_variables_initializer())
        feed = np.ones((3, 16, 32), "f4")
        np.testing.assert_array_equal(session.run(y, {x: feed, n: 3}), np.full((16, 32), 3.0))
        assert shared[0]
        with pytest.raises(tf.errors.OpError, match="taken"):
            session.run(y, {x: feed, n: 5})


@pytest.fixture()
def interrupts():
    """Interrupts arrive, which shells leave out for what runs beside them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_shared_loop_can_be_interrupted(shared, interrupts):
    with tf.Graph().as_default(), tf.Session() as session:
        n, x, y, _ = looping(session)
        feed = np.zeros((16, 32), "f4")
        session.run(y, {n: 3, x: feed})
        assert shared[0]
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            session.run(y, {n: 2_000_000_000, x: feed})
        timer.join()
        np.testing.assert_array_equal(session.run(y, {n: 3, x: feed}), feed)


@pytest.mark.parametrize("rows", [1, 7])
def test_few_rows_are_left_alone(rows, shared):
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable(np.eye(32, dtype="f4") * 0.5)
        y = tf.while_loop(lambda i, h: i < 9, lambda i, h: (i + 1, tf.matmul(h, w)), [0, tf.ones([rows, 32])])[1]
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(y), np.full((rows, 32), 0.5**9))
        assert not shared[0]


def test_rows_that_meet_are_left_alone(shared, backend):
    """What one row has computed goes into the others."""
    def run():
        with tf.Graph().as_default(), tf.Session() as session:
            w, x = tf.Variable(np.eye(32, dtype="f4") * 0.5), np.random.RandomState(0).randn(16, 32).astype("f4")

            def body(i, h):
                h = tf.matmul(h, w)
                return i + 1, h - tf.reduce_mean(h, 0) + tf.transpose(h[:, :16])[:, :1]

            y = tf.while_loop(lambda i, h: i < 9, body, [0, x])[1]
            session.run(tf.global_variables_initializer())
            return session.run([y, tf.gradients(y, w)[0]])
    found = run()
    assert not shared[0]
    backend("numpy")
    for a, b in zip(run(), found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)

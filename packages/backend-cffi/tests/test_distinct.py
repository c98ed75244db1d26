"""Sparse gradients whose number of distinct rows differs from run to run are updates of one program."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native
from ossia_backend_cffi.run import region_program

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
BATCHES = [[1, 3, 1, 6], [2, 2, 2, 2], [0, 1, 2, 3], [6, 5, 6, 0], [4, 4, 1, 1], [5, 5, 5, 0]]


@pytest.fixture
def specialised(monkeypatch):
    """The number of specialisations made, in a list of one."""
    count = [0]
    make = region_program.Specialisation.__init__

    def counting(self, *args):
        make(self, *args)
        count[0] += 1

    monkeypatch.setattr(region_program.Specialisation, "__init__", counting)
    return count


def trained(optimizer, kind, width=3, fetch=None):
    """Variables after some steps, and what `fetch` of the step's graph gave."""
    with tf.Graph().as_default(), tf.Session() as session:
        start = np.random.RandomState(1).randn(7, width).astype("f4")
        w = tf.Variable(start)
        rows = tf.placeholder(kind, [None])
        loss = tf.reduce_sum(tf.square(tf.gather(w, rows) - 1.0))
        train = optimizer().minimize(loss)
        session.run(tf.global_variables_initializer())
        seen = []
        for batch in BATCHES:
            fetched = [o.outputs[0] for o in tf.get_default_graph().get_operations() if o.type == fetch]
            seen.append(session.run([train, *fetched], {rows: batch})[1:])
        return [session.run(v) for v in tf.global_variables()], seen


OPTIMIZERS = {
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
}


@pytest.mark.parametrize("kind", [tf.int32, tf.int64])
@pytest.mark.parametrize("width", [1, 3, 700])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_one_program_for_all(name, width, kind, backend, specialised):
    backend("numpy")
    expected, _ = trained(OPTIMIZERS[name], kind, width)
    backend("cffi")
    specialised[0] = 0
    got, _ = trained(OPTIMIZERS[name], kind, width)
    assert specialised[0] <= 3  # initial values, the step, slots
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


MORE = {
    **OPTIMIZERS,
    "adadelta": lambda: tf.train.AdadeltaOptimizer(0.1),
    "centred": lambda: tf.train.RMSPropOptimizer(0.1, centered=True),
    "descent": lambda: tf.train.GradientDescentOptimizer(0.1),
    "proximal": lambda: tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.01),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.3),
}


@pytest.mark.parametrize("count", [15, 40, 500])
@pytest.mark.parametrize("width", [1, 2, 16])
@pytest.mark.parametrize("name", MORE)
def test_many_rows_at_a_time(name, width, count, backend):
    """Rows of one number are as many as the scalars that they are updated with."""
    random = np.random.RandomState(3)
    start, batches = random.randn(300, width), [random.randint(0, 300, count) for _ in range(3)]
    found = []
    for each in ("numpy", "cffi"):
        backend(each)
        with tf.Graph().as_default(), tf.Session() as session:
            w, rows = tf.Variable(start, dtype=tf.float32), tf.placeholder(tf.int32, [None])
            train = MORE[name]().minimize(tf.reduce_sum(tf.square(tf.gather(w, rows) - 1.0)))
            session.run(tf.global_variables_initializer())
            for batch in batches:
                session.run(train, {rows: batch})
            found.append([session.run(v) for v in tf.global_variables()])
    for expected, got in zip(*found, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("fetch", ["Unique", "UnsortedSegmentSum", "StridedSlice"])
def test_the_number_of_rows_is_not_seen(fetch, backend):
    backend("numpy")
    expected = trained(OPTIMIZERS["adagrad"], tf.int32, fetch=fetch)
    backend("cffi")
    got = trained(OPTIMIZERS["adagrad"], tf.int32, fetch=fetch)
    for run, wanted in zip(got[1], expected[1], strict=True):
        assert [x.shape for x in run] == [x.shape for x in wanted]
        for a, b in zip(run, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("bad", [-1, 7, np.iinfo(np.int32).min, np.iinfo(np.int32).max])
def test_an_index_out_of_range_is_an_error(bad):
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable(np.ones((7, 2), "f4"))
        rows = tf.placeholder(tf.int32, [None])
        gradient = tf.IndexedSlices(tf.ones([4, 2]), rows, tf.constant([7, 2]))
        train = tf.train.AdagradOptimizer(0.1).apply_gradients([(gradient, w)])
        session.run(tf.global_variables_initializer())
        session.run(train, {rows: [1, 2, 3, 1]})
        before = session.run(w)
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(train, {rows: [1, 2, bad, 1]})
        np.testing.assert_array_equal(session.run(w), before)


def test_values_that_collide_in_the_table_are_found_all_the_same():
    inverse = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
    values = np.array([k * inverse % (1 << 64) for k in range(3000)], np.uint64).view(np.int64)
    with tf.Graph().as_default(), tf.Session() as session:
        rows = tf.placeholder(tf.int64, [None])
        w = tf.Variable(np.ones((7, 2), "f4"))
        gradient = tf.IndexedSlices(tf.ones([3000, 2]), rows, tf.constant([7, 2]))
        train = tf.train.AdagradOptimizer(0.1).apply_gradients([(gradient, w)])
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(train, {rows: values})


def with_many_counts(counts):
    """Variables after steps with so many rows each, beside dense variables whose shapes do not change."""
    random = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable(random.randn(90, 2).astype("f4"))
        layers = [tf.Variable(0.2 * random.randn(8, 8).astype("f4")) for _ in range(4)]
        x, rows, places = tf.ones([3, 8]), tf.placeholder(tf.int64, [None]), tf.placeholder(tf.float32, [None, 2])
        for layer in layers:
            x = tf.tanh(tf.matmul(x, layer))
        dense = tf.gradients(tf.reduce_sum(x), layers)
        sparse = tf.IndexedSlices(places * 0.5, rows, tf.constant([90, 2]))
        train = tf.train.AdagradOptimizer(0.1).apply_gradients([*zip(dense, layers, strict=True), (sparse, w)])
        session.run(tf.global_variables_initializer())
        for count in counts:
            session.run(train, {rows: random.randint(0, 90, count), places: random.randn(count, 2)})
        return [session.run(v) for v in tf.global_variables()]


def test_counts_that_never_come_again_leave_the_rest_compiled(backend, specialised, monkeypatch):
    parts = []
    run = region_program.Parts.run
    monkeypatch.setattr(
        region_program.Parts, "run", lambda self, *args: (parts.append(self), run(self, *args))[-1]
    )
    counts = list(range(1, 80))
    backend("numpy")
    expected = with_many_counts(counts)
    backend("cffi")
    specialised[0] = 0
    got = with_many_counts(counts)
    assert len(parts) >= 40 and len(set(map(id, parts))) == 1  # all from the first 28 on
    assert specialised[0] <= 12
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)

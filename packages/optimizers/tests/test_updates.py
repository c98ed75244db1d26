"""Update ops beyond golden values: block by block, in place, rows alone, and optimizers of other people."""

import tracemalloc

import numpy as np
import pytest

import ossia as tf
from ossia_optimizers import passes, updates
from ossia_optimizers.adam import updates as adam
from ossia_optimizers.momentum import updates as momentum
from ossia_optimizers.passes import noted


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def numpy_backend(monkeypatch):
    monkeypatch.setenv("OSSIA_BACKEND", "numpy")


def trained(make, gradient, size, steps=3):
    variable = tf.Variable(np.linspace(-1, 1, size, dtype=np.float32))
    optimizer = make()
    train = optimizer.apply_gradients([(gradient, variable)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            session.run(train)
        return session.run([variable, *[optimizer.get_slot(variable, name) for name in optimizer.get_slot_names()]])


OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adadelta": lambda: tf.train.AdadeltaOptimizer(1.0),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.1),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.5),
    "centered": lambda: tf.train.RMSPropOptimizer(0.1, centered=True),
    "proximal_adagrad": lambda: tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.1),
    "proximal_sgd": lambda: tf.train.ProximalGradientDescentOptimizer(0.1, l1_regularization_strength=0.1),
}
FORMULAS = {definition.type: (definition, values) for definition, values in updates.EXAMPLES}
DENSE = sorted(name for name in FORMULAS if name.startswith("ResourceApply"))


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("long", [8, 1000], ids=["noted", "as_written"])
def test_blocks_do_not_matter(name, long, numpy_backend, monkeypatch):
    gradient = np.sin(np.arange(50, dtype=np.float32))
    gradient[[3, 5, 7]] = np.nan, np.inf, -np.inf
    whole = trained(OPTIMIZERS[name], gradient, 50)
    monkeypatch.setattr(updates, "BLOCK", 28)
    monkeypatch.setattr(updates, "CACHE", 200)
    monkeypatch.setattr(updates, "LONG", long)
    for one, other in zip(whole, trained(OPTIMIZERS[name], gradient, 50)):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
def test_convergence(name, use_resource):
    x = tf.Variable(np.array([1.0, -2.0], np.float32), use_resource=use_resource)
    loss = tf.reduce_sum(tf.square(x))
    train = OPTIMIZERS[name]().minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(loss)
        for _ in range(30):
            session.run(train)
        assert session.run(loss) < before


def applied(name, size):
    """What three updates by an op make of its variables."""
    definition, values = FORMULAS[name]
    random = np.random.RandomState(1)
    gradient = random.randn(size).astype(np.float32)
    gradient[[3, 5, 7, 11]] = np.nan, np.inf, -np.inf, 0.0
    inputs, states = [], []
    for arg in definition.inputs:
        if arg.name in ("grad", "delta"):
            inputs.append(gradient)
        elif arg.name in values:
            inputs.append(np.array(values[arg.name], np.int64 if arg.name == "global_step" else np.float32))
        else:
            states.append(tf.Variable(random.rand(size).astype(np.float32) - 0.5 * (not states), use_resource=True))
            inputs.append(states[-1].handle)
    update = definition(*inputs)
    with tf.Session() as session:
        session.run([state.initializer for state in states])
        for _ in range(3):
            session.run(update)
        return session.run([state.read_value() for state in states])


@pytest.mark.parametrize("name", DENSE)
def test_formulas_are_noted(name, numpy_backend, monkeypatch):
    whole = applied(name, 50)
    found = []
    monkeypatch.setattr(updates, "LONG", 8)
    monkeypatch.setattr(updates, "BLOCK", 28)
    monkeypatch.setattr(updates, "CACHE", 200)
    monkeypatch.setattr(updates, "noted", lambda *args: found.append(noted(*args)) or found[-1])
    for one, other in zip(whole, applied(name, 50)):
        np.testing.assert_array_equal(one, other)
    assert found and None not in found


@pytest.mark.parametrize("name", DENSE)
def test_threads_do_not_matter(name, numpy_backend, monkeypatch):
    monkeypatch.setattr(passes, "_THREADS", 1)
    alone = applied(name, 100_000)
    monkeypatch.setattr(passes, "_THREADS", 3)
    monkeypatch.setattr(passes, "_SHARED", 1000)
    monkeypatch.setattr(updates, "CACHE", 50_000)
    for one, other in zip(alone, applied(name, 100_000)):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("offset", range(16))
def test_blocks_shorter_than_a_line_of_the_cache(offset):
    raw = np.zeros(256, np.uint8)
    start = -raw.ctypes.data % 64 // 4 + offset
    values = raw[: raw.size // 4 * 4].view(np.float32)[start : start + 30]
    values[...] = np.arange(30)

    def doubled_and_one_more(examples):
        (values,) = examples
        values[...] = (values + values) * np.float32(1) + np.float32(1)

    notes = passes.noted([values], doubled_and_one_more)
    passes.run_in_blocks(notes, [values], 10 * 4)
    np.testing.assert_array_equal(values, np.arange(30) * 2 + 1)


def test_what_fails_in_a_thread_fails_the_update(monkeypatch):
    monkeypatch.setattr(passes, "_SHARED", 1)
    monkeypatch.setattr(passes, "_THREADS", 2)

    def failing(values, out):
        if values.size > 1:
            raise ZeroDivisionError

    arrays = [np.ones(100)]
    notes = passes.noted(arrays, lambda examples: passes.notable(failing)(examples[0]))
    with pytest.raises(ZeroDivisionError):
        passes.run_in_blocks(notes, arrays, 160)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_no_temporaries_of_the_variables_size(name, numpy_backend):
    size = 2_000_000
    variable = tf.Variable(np.zeros(size, np.float32))
    gradient = tf.placeholder(tf.float32, [size])
    train = OPTIMIZERS[name]().apply_gradients([(gradient, variable)])
    value = np.ones(size, np.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train, {gradient: value})
        tracemalloc.start()
        session.run(train, {gradient: value})
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < size


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
def test_sparse_updates_touch_their_rows_alone(use_resource, numpy_backend):
    table = tf.Variable(np.zeros((100_000, 8), np.float32), use_resource=use_resource)
    rows = tf.IndexedSlices(
        tf.constant(np.ones((3, 8), np.float32)), tf.constant([5, 99_999, 5]), tf.constant([100_000, 8])
    )
    train = tf.train.AdagradOptimizer(1.0).apply_gradients([(rows, table)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        tracemalloc.start()
        session.run(train)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        changed = np.flatnonzero(session.run(table).any(axis=1))
    assert changed.tolist() == [5, 99_999]
    assert peak < 500_000


def test_ops_know_their_module():
    assert momentum.sparse.module == "ossia_optimizers.momentum"
    assert adam.sparse is None


def test_another_optimizer():
    class Sign(tf.train.Optimizer):
        def __init__(self, rate):
            super().__init__(False, "Sign")
            self._rate = rate

        def _apply_dense(self, grad, var):
            return tf.assign_sub(var, self._rate * tf.sign(grad)).op

    variable = tf.Variable([1.0, -1.0])
    train = Sign(0.25).minimize(tf.reduce_sum(tf.square(variable)))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        np.testing.assert_array_equal(session.run(variable), [0.75, -0.75])


def test_beta_of_ftrl_acts_as_l2():
    def final(**options):
        with tf.Graph().as_default():
            return trained(lambda: tf.train.FtrlOptimizer(0.5, **options), np.ones(4, np.float32), 4)[0]

    np.testing.assert_allclose(final(beta=2.0), final(l2_regularization_strength=2.0), rtol=1e-6)


def test_weighted_moving_average():
    from ossia_optimizers.moving_average import weighted_moving_average

    with tf.Graph().as_default(), tf.Session() as session:
        value, weight = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [])
        average = weighted_moving_average(value, 0.5, weight)
        assert average.name == "WeightedMovingAvg/WeightedMovingAvg:0" and not tf.trainable_variables()
        session.run(tf.global_variables_initializer())
        assert session.run(average, {value: [3.0, 1.0], weight: 2.0}).tolist() == [3.0, 1.0]
        # (0.5 * 3 + 0.5 * 9 * 2) / (0.5 * 1 + 0.5 * 2), halves of the sums before
        assert session.run(average, {value: [9.0, 1.0], weight: 2.0}).tolist() == [7.0, 1.0]


def test_variables_of_another_dtype_are_refused():
    variable, slot = tf.Variable([1.0, 2.0], use_resource=True), tf.Variable([0.0, 0.0], use_resource=True)
    handles = [tf.placeholder_with_default(v.handle, []) for v in (variable, slot)]
    values = [tf.constant(v, tf.float64) for v in (0.1, [1.0, 1.0], 0.9)]
    step = tf.raw_ops.ResourceApplyMomentum(
        var=handles[0], accum=handles[1], lr=values[0], grad=values[1], momentum=values[2]
    )
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="update variable with wrong dtype"):
            session.run(step)


@pytest.mark.parametrize("kind", ["Ftrl", "FtrlV2"])
def test_sparse_ftrl_divides_by_zero_where_nothing_has_been_summed(kind):
    shrinkage = {"l2_shrinkage": 0.0} if kind == "FtrlV2" else {}
    for sparse, expected in (("", 0.0), ("Sparse", np.nan)):
        with tf.Graph().as_default(), tf.Session() as session:
            var, accum, linear = (tf.Variable([[value] * 2], use_resource=True) for value in (0.5, 0.0, 0.0))
            rows = {"indices": [0]} if sparse else {}
            update = getattr(tf.raw_ops, f"Resource{sparse}Apply{kind}")(
                var=var.handle, accum=accum.handle, linear=linear.handle, grad=[[0.0, 1.0]], lr=0.1, l1=0.5, l2=0.0,
                lr_power=-0.5, **rows, **shrinkage)
            session.run(tf.global_variables_initializer())
            session.run(update)
            np.testing.assert_allclose(session.run(var), [[expected, 0.35]], rtol=1e-6)

"""Gradients that a chain makes and an update takes in: as on NumPy for every optimizer, form of chain and size, alike
on any number of threads, and no update is seen too early."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native
from ossia_backend_cffi.program.accesses import UPDATES
from ossia_backend_cffi.run import region_program

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")

OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda: tf.train.AdamOptimizer(0.01),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adadelta": lambda: tf.train.AdadeltaOptimizer(0.5),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.01, momentum=0.9),
    "centered": lambda: tf.train.RMSPropOptimizer(0.01, momentum=0.5, centered=True),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
    "shrinkage": lambda: tf.train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.1),
    "powers": lambda: tf.train.FtrlOptimizer(0.1, learning_rate_power=-0.3),
    "proximal": lambda: tf.train.ProximalGradientDescentOptimizer(0.1, l1_regularization_strength=0.01),
    "proximal_adagrad": lambda: tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.01),
}
CHAINS = {
    "copied": lambda g, w, s: g + 0.0,
    "scaled": lambda g, w, s: g * s,
    "clipped": lambda g, w, s: tf.clip_by_value(g, -0.5, 0.5),
    "decayed": lambda g, w, s: tf.add_n([g * s, 0.1 * w]),
    "lasso": lambda g, w, s: g / s + tf.sign(w) * 0.1,
    "squares": lambda g, w, s: (g - w) * (g - w) + tf.square(g + w) * g,
    "branches": lambda g, w, s: (g * s - w) * (g + w) / (tf.abs(g * w) + 1.0),
    "curved": lambda g, w, s: tf.tanh(g) * tf.exp(-tf.abs(w)),
    "chosen": lambda g, w, s: tf.where(w > 0.1, g * s, g - w),
    "features": lambda g, w, s: g * tf.range(tf.cast(tf.shape(g)[-1], tf.float32)) * 0.01 if g.shape.ndims else g * s,
    "integers": lambda g, w, s: g * tf.cast(tf.cast(g * 3.0, tf.int32), tf.float32),
}
SHAPES = [(), (1,), (7,), (16,), (17,), (127,), (128,), (513,), (2, 520), (3, 5, 683), (70_001,)]


@pytest.fixture
def taken(monkeypatch):
    """Counts the updates that have taken a chain in."""
    count = [0]
    take_in = region_program.gradients.take_in

    def counting(builder):
        take_in(builder)
        count[0] += sum(row.name in UPDATES and row.maker_steps > 0 for row in builder.rows)

    monkeypatch.setattr(region_program.gradients, "take_in", counting)
    return count


def trained(optimizer, chains, shape, resource, threads=0, fetched=False):
    """Variables and slots after three steps of an optimizer, whose gradients such chains make of what is fed."""
    random = np.random.RandomState(len(shape) + sum(shape))
    config = tf.ConfigProto(intra_op_parallelism_threads=threads)
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        scale = tf.placeholder(tf.float32, [])
        pairs, fed = [], {scale: 0.75}
        for chain in chains:
            w = tf.Variable(np.array(random.randn(*shape), "f4"), use_resource=resource)
            g = tf.placeholder(tf.float32, shape)
            fed[g] = np.array(random.randn(*shape), "f4")
            pairs.append((CHAINS[chain](g, w, scale), w))
        train = OPTIMIZERS[optimizer]().apply_gradients(pairs)
        session.run(tf.global_variables_initializer())
        fetches = [train, *[g for g, _ in pairs]] if fetched else train
        found = [value for _ in range(3) for value in (session.run(fetches, fed) or [None])[1:]]
        return [*found, *session.run(tf.global_variables())]


def assert_close(found, expected):
    for got, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_every_optimizer(optimizer, resource, backend, taken):
    for number, shape in enumerate(SHAPES):
        chains = [list(CHAINS)[(number + k) % len(CHAINS)] for k in range(3)]
        backend("numpy")
        expected = trained(optimizer, chains, shape, resource)
        backend("cffi")
        taken[0] = 0
        assert_close(trained(optimizer, chains, shape, resource), expected)
        if optimizer != "powers" and "integers" not in chains:  # which are loops of their own, and casts no chains
            assert taken[0] == 3


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("optimizer", ["adam", "momentum", "rmsprop"])
def test_every_chain(chain, optimizer, backend):
    for shape in SHAPES:
        backend("numpy")
        expected = trained(optimizer, [chain], shape, True)
        backend("cffi")
        got = trained(optimizer, [chain], shape, True, 1)
        assert_close(got, expected)
        for threads in (2, 3):
            for value, wanted in zip(trained(optimizer, [chain], shape, True, threads), got, strict=True):
                np.testing.assert_array_equal(value, wanted)


@pytest.mark.parametrize("optimizer", ["adam", "sgd"])
def test_a_gradient_that_is_fetched_too(optimizer, backend, taken):
    chains = ["scaled", "decayed", "curved"]
    backend("numpy")
    expected = trained(optimizer, chains, (1000,), False, 0, fetched=True)
    backend("cffi")
    assert_close(trained(optimizer, chains, (1000,), False, 0, fetched=True), expected)
    assert not taken[0]


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("shape", [(600,), (40, 50)])
def test_gradients_of_the_same_pass(shape, resource, backend, taken):
    """Clipped by their global norm and decayed, gradients of one shape are one pass, of which each update takes its
    part."""
    def values():
        random = np.random.RandomState(3)
        with tf.Graph().as_default(), tf.Session() as session:
            made = [tf.Variable(random.randn(*shape).astype("f4"), use_resource=resource) for _ in range(5)]
            loss = tf.add_n([tf.reduce_sum(tf.tanh(w) * float(k + 1)) for k, w in enumerate(made)])
            optimizer = tf.train.AdamOptimizer(0.01)
            clipped, norm = tf.clip_by_global_norm(tf.gradients(loss, made), 1.5)
            decayed = [g + 0.01 * w for g, w in zip(clipped, made, strict=True)]
            train = optimizer.apply_gradients(zip(decayed, made, strict=True))
            session.run(tf.global_variables_initializer())
            return [*[session.run([norm, train])[0] for _ in range(3)], *session.run(made)]

    backend("numpy")
    expected = values()
    backend("cffi")
    assert_close(values(), expected)
    assert taken[0] == 5


@pytest.mark.parametrize("optimizer", ["adam", "sgd", "adagrad"])
def test_no_update_is_seen_by_the_gradients_of_others(optimizer, backend):
    """What a gradient reads of another variable is the value before the step."""
    def values():
        random = np.random.RandomState(5)
        with tf.Graph().as_default(), tf.Session() as session:
            made = [tf.Variable(random.randn(3000).astype("f4"), use_resource=True) for _ in range(4)]
            read = [w.read_value() for w in made]
            with tf.control_dependencies(read):
                pairs = [(read[k - 1] * 0.5 + tf.reverse(read[k], [0]) + read[k], w) for k, w in enumerate(made)]
                train = OPTIMIZERS[optimizer]().apply_gradients(pairs)
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                session.run(train)
            return session.run(made)

    backend("numpy")
    expected = values()
    backend("cffi")
    assert_close(values(), expected)


@pytest.mark.parametrize("looped", [False, True])
def test_in_branches_and_behind_loops(looped, backend, taken):
    def values():
        random = np.random.RandomState(7)
        with tf.Graph().as_default(), tf.Session() as session:
            w = tf.Variable(random.randn(2000).astype("f4"), use_resource=True)
            g, on = tf.placeholder(tf.float32, [2000]), tf.placeholder(tf.bool, [])
            optimizer = tf.train.AdamOptimizer(0.01)
            optimizer.apply_gradients([(g, w)])  # which makes the slots
            if looped:
                total = tf.while_loop(lambda k, s: k < 5, lambda k, s: (k + 1, s * 0.5 + g), [0, g])[1]
                train = optimizer.apply_gradients([(total * 0.5 + 0.1 * w, w)])
            else:
                train = tf.cond(
                    on, lambda: tf.group(optimizer.apply_gradients([(g * 0.5 + 0.1 * w, w)])), lambda: tf.no_op()
                )
            session.run(tf.global_variables_initializer())
            for k in range(4):
                session.run(train, {g: random.randn(2000).astype("f4"), on: k % 2 == 0})
            return session.run(tf.global_variables())

    backend("numpy")
    expected = values()
    backend("cffi")
    assert_close(values(), expected)
    assert taken[0] or not looped

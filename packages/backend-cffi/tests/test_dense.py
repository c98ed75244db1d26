"""Matrix products of all forms, and networks of dense layers, whose instructions are shared out among threads by rows
and by chains: as on NumPy, and alike on any number of threads."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native
from ossia_backend_cffi.run import region_program

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")

SIZES = [  # m, n, k
    (1, 1, 1), (3, 70, 20), (5, 1, 40), (8, 20, 300), (16, 64, 200), (32, 192, 512), (31, 70, 513), (33, 195, 511),
    (28, 64, 65), (13, 33, 784), (64, 130, 257), (128, 10, 512), (128, 96, 784), (168, 100, 1025), (169, 100, 1025),
    (300, 40, 600), (257, 2060, 33), (40, 12, 70), (70, 5, 40), (48, 1030, 1021), (100, 2070, 520),
]  # fmt: skip


@pytest.mark.parametrize("ta", [False, True])
@pytest.mark.parametrize("tb", [False, True])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_products(size, ta, tb):
    m, n, k = size
    random = np.random.RandomState(m + n + k)
    a = random.randn(*((k, m) if ta else (m, k))).astype("f4")
    b = random.randn(*((n, k) if tb else (k, n))).astype("f4")
    expected = (a.T if ta else a).astype("f8") @ (b.T if tb else b).astype("f8")
    results = []
    for threads in (1, 2, 3, 8):
        config = tf.ConfigProto(intra_op_parallelism_threads=threads)
        with tf.Graph().as_default(), tf.Session(config=config) as session:
            x, y = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [None, None])
            # What is computed from the product makes a program of it.
            results.append(session.run(tf.matmul(x, y, ta, tb) + 0.0, {x: a, y: b}))
    np.testing.assert_allclose(results[0], expected, atol=1e-5 * k**0.5, rtol=1e-5)
    for got in results[1:]:
        np.testing.assert_array_equal(got, results[0])


OPTIMIZERS = [
    lambda: tf.train.AdamOptimizer(1e-3),
    lambda: tf.train.MomentumOptimizer(0.01, 0.9),
    lambda: tf.train.GradientDescentOptimizer(0.01),
    lambda: tf.train.AdagradOptimizer(0.01),
    lambda: tf.train.MomentumOptimizer(0.01, 0.9, use_nesterov=True),
]


def network(seed, threads):
    """What a few steps of training a network of dense layers, drawn at random, leave behind."""
    random = np.random.RandomState(seed)
    config = tf.ConfigProto(intra_op_parallelism_threads=threads)
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        batch, width = int(random.randint(16, 50)), int(random.choice([24, 33, 64]))
        x, y = tf.placeholder(tf.float32, [None, width]), tf.placeholder(tf.int32, [None])
        h, made, resource = x, [], bool(random.randint(2))
        for _ in range(random.randint(8, 16)):
            before, wide = h, int(random.choice([width, width, width, 17]))
            w = (random.randn(h.shape[1].value, wide) / h.shape[1].value**0.5).astype("f4")
            offset = tf.Variable(np.zeros(wide, "f4"), use_resource=resource)
            h = tf.matmul(h, tf.Variable(w, use_resource=resource)) + offset
            h = (tf.nn.relu, tf.tanh, lambda value: value)[random.randint(3)](h)
            if random.randint(3) == 0 and before.shape.as_list() == h.shape.as_list():
                h = h + before
            made.append(h)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=h))
        train = OPTIMIZERS[seed % 4]().minimize(loss)
        fed = {x: random.randn(batch, width).astype("f4"), y: random.randint(0, 17, batch)}
        session.run(tf.global_variables_initializer())
        fetched = [loss, train, *(made[:: random.randint(2, 5)] if random.randint(2) else [])]
        found = [value for _ in range(3) for value in session.run(fetched, fed) if value is not None]
        return [*found, *session.run(tf.global_variables())]


@pytest.fixture
def formed(monkeypatch):
    """Counts the groups and the chains that are formed."""
    count = {"images": 0, "together": 0}
    group = region_program.image_groups.group

    def counting(builder):
        group(builder)
        for row in builder.rows:
            if row.name in count:
                count[row.name] += 1

    monkeypatch.setattr(region_program.image_groups, "group", counting)
    return count


@pytest.mark.parametrize("seed", range(24))
def test_networks_as_on_numpy(seed, backend, formed):
    backend("numpy")
    expected = network(seed, 0)
    assert not any(formed.values())
    backend("cffi")
    got = network(seed, 0)
    assert formed["images"]
    for value, wanted in zip(got, expected, strict=True):
        np.testing.assert_allclose(value, wanted, rtol=2e-3, atol=2e-4 * max(1.0, np.abs(wanted).max(initial=0.0)))


@pytest.mark.parametrize("seed", range(8))
def test_networks_on_any_number_of_threads(seed):
    expected = network(seed, 1)
    for threads in (2, 3, 8):
        for got, wanted in zip(network(seed, threads), expected, strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_a_label_out_of_range_changes_nothing(formed):
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.placeholder(tf.float32, [None, 64]), tf.placeholder(tf.int32, [None])
        h = x
        for _ in range(40):  # as many as threads share
            h = tf.nn.relu(tf.matmul(h, tf.Variable(np.full((64, 64), 0.1, "f4"))))
        train = tf.train.AdamOptimizer(0.1).minimize(
            tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=h))
        )
        session.run(tf.global_variables_initializer())
        before = session.run(tf.global_variables())
        with pytest.raises(tf.errors.InvalidArgumentError, match="label"):
            session.run(train, {x: np.ones((32, 64), "f4"), y: np.full(32, 64, "i4")})
        assert formed == {"images": 2, "together": 1}
        for got, wanted in zip(session.run(tf.global_variables()), before, strict=True):
            np.testing.assert_array_equal(got, wanted)


def layers(rows, sizes, threads=0, optimizer=0):
    """What three steps leave of a network of such layers.

    Rows and units have signs, and a unit is open for the rows of its own sign: what is rectified lies far from zero, so
    that another order of sums opens no unit."""
    random = np.random.RandomState(rows)
    config = tf.ConfigProto(intra_op_parallelism_threads=threads)
    signs = [random.choice([-1, 1], n) for n in (rows, *sizes)]
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        x, y = tf.placeholder(tf.float32, [None, sizes[0]]), tf.placeholder(tf.int32, [None])
        h = x
        for n, m, of_inputs, of_units in zip(sizes, sizes[1:], signs[1:], signs[2:]):
            w = np.outer(of_inputs, of_units) * 2 / n + random.randn(n, m) * 0.1 / n**0.5
            h = tf.nn.relu(tf.matmul(h, tf.Variable(w.astype("f4"))) + tf.Variable(random.randn(m).astype("f4") * 0.1))
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=h))
        train = OPTIMIZERS[optimizer]().minimize(loss)
        session.run(tf.global_variables_initializer())
        values = np.outer(signs[0], signs[1]) + random.randn(rows, sizes[0]) * 0.5
        fed = {x: values.astype("f4"), y: random.randint(0, sizes[-1], rows)}
        found = [session.run([loss, train], fed)[0] for _ in range(3)]
        return [*found, *session.run(tf.trainable_variables())]


@pytest.fixture
def joined(monkeypatch):
    """Counts the products that something has joined."""
    count = {"bias": 0, "relu": 0, "gate": 0, "adam": 0, "momentum": 0, "sgd": 0}
    join = region_program.dense_layers.join

    def counting(builder):
        join(builder)
        for row in builder.rows:
            if row.name.startswith("dense_"):
                count[row.name[6:]] += 1
            elif row.name == "matmul":
                count["bias"] += row.bias >= 0
                count["relu"] += row.follows == 1
                count["gate"] += row.follows == 2

    monkeypatch.setattr(region_program.dense_layers, "join", counting)
    return count


@pytest.mark.parametrize("rows", [1, 5, 16, 33, 128])
@pytest.mark.parametrize("sizes", [(40, 33, 32), (100, 515, 32), (70, 64, 80, 48), (20, 300, 700, 32)], ids=str)
def test_layers_with_what_follows_them(rows, sizes, backend, joined):
    backend("numpy")
    expected = layers(rows, sizes)
    assert not any(joined.values())
    backend("cffi")
    got = layers(rows, sizes)
    if rows > 1:
        count = len(sizes) - 1
        assert joined == {"bias": count, "relu": count, "gate": count - 1, "adam": count, "momentum": 0, "sgd": 0}
    for value, wanted in zip(got, expected, strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-3, atol=5e-5)
    for threads in (1, 2, 3):
        for value, wanted in zip(layers(rows, sizes, threads), got, strict=True):
            np.testing.assert_array_equal(value, wanted)


@pytest.mark.parametrize("optimizer, name", [(1, "momentum"), (2, "sgd"), (4, "momentum")])
@pytest.mark.parametrize("rows, sizes", [(5, (40, 33, 32)), (33, (70, 64, 80, 48)), (128, (20, 300, 700, 32))], ids=str)
def test_updates_that_take_in_their_gradient(optimizer, name, rows, sizes, backend, joined):
    backend("numpy")
    expected = layers(rows, sizes, 0, optimizer)
    backend("cffi")
    got = layers(rows, sizes, 0, optimizer)
    assert joined[name] == len(sizes) - 1
    for value, wanted in zip(got, expected, strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-4, atol=1e-5)
    for value, wanted in zip(layers(rows, sizes, 2, optimizer), got, strict=True):
        np.testing.assert_array_equal(value, wanted)


@pytest.mark.parametrize("rows", [16, 32, 37, 200])
def test_layers_of_all_widths_in_stages(rows, backend):
    sizes = [64, 17, 64, 96, 33, 64, 64, 10, 128, 64, 65, 64, 48, 64, 128, 64, 64, 100, 64, 32]
    backend("numpy")
    expected = layers(rows, sizes)
    backend("cffi")
    got = layers(rows, sizes, 1)
    for value, wanted in zip(got, expected, strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-3, atol=1e-4)
    for threads in (2, 3, 7):
        for _ in range(3):
            for value, wanted in zip(layers(rows, sizes, threads), got, strict=True):
                np.testing.assert_array_equal(value, wanted)


def test_many_layers_on_any_number_of_threads(formed):
    expected = layers(32, [64] * 45, 1)
    assert formed["together"]
    for threads in (2, 5):
        for got, wanted in zip(layers(32, [64] * 45, threads), expected, strict=True):
            np.testing.assert_array_equal(got, wanted)

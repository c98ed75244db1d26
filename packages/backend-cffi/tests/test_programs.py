"""Whole programs give what they give on NumPy: losses over 50 steps, every optimizer, the semantics of variables."""
from __future__ import annotations

import threading
import tracemalloc

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
RANDOM = np.random.RandomState(0)
IMAGES = RANDOM.randn(16, 8, 8, 1).astype("f4")
LABELS = RANDOM.randint(0, 5, 16).astype("i4")


def variable(*shape, seed=1, **kwargs):
    return tf.Variable(np.random.RandomState(seed).randn(*shape).astype("f4") * 0.1, **kwargs)


def mlp(x):
    h = tf.nn.relu(tf.matmul(tf.reshape(x, [-1, 64]), variable(64, 32)) + variable(32))
    return tf.matmul(h, variable(32, 5)) + variable(5)


def conv_net(x):
    h = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, variable(3, 3, 1, 4), [1, 1, 1, 1], "SAME"), variable(4)))
    h = tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    h = tf.nn.conv2d(h, variable(3, 3, 4, 8), [1, 2, 2, 1], "VALID")
    h = tf.nn.avg_pool(tf.nn.tanh(h), [1, 2, 2, 1], [1, 1, 1, 1], "SAME")
    return tf.matmul(tf.reshape(h, [-1, 8]), variable(8, 5))


def losses(model, steps=50):
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.placeholder(tf.float32, [None, 8, 8, 1]), tf.placeholder(tf.int32, [None])
        logits = model(x)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.cast(y, tf.int64)), tf.float32))
        train = tf.train.AdamOptimizer(0.01).minimize(loss)
        session.run(tf.global_variables_initializer())
        return [session.run([loss, accuracy, train], {x: IMAGES, y: LABELS})[:2] for _ in range(steps)]


@pytest.mark.parametrize("model", [mlp, conv_net])
def test_losses_over_50_steps(model, backend, compiled):
    backend("numpy")
    expected = losses(model)
    assert not compiled[0]
    backend("cffi")
    got = losses(model)
    assert compiled[0] >= 50
    np.testing.assert_allclose(got, expected, rtol=2e-4, atol=1e-5)


OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adadelta": lambda: tf.train.AdadeltaOptimizer(1.0),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.5),
    "centered": lambda: tf.train.RMSPropOptimizer(0.1, centered=True),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
    "ftrl_power": lambda: tf.train.FtrlOptimizer(0.1, learning_rate_power=-0.4, l2_regularization_strength=0.1),
    "ftrl_shrinkage": lambda: tf.train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.1),
    "adagrad_da": lambda: tf.train.AdagradDAOptimizer(
        0.1, tf.train.get_or_create_global_step(), l1_regularization_strength=0.01
    ),
    "proximal": lambda: tf.train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.1),
    "proximal_adagrad": lambda: tf.train.ProximalAdagradOptimizer(0.1, 0.1, 0.01, 0.1),
}


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizer(name, sparse, resource, backend):
    def values():
        with tf.Graph().as_default(), tf.Session() as session:
            w = variable(7, 3, use_resource=resource)
            rows = tf.placeholder(tf.int32, [None])
            used = tf.gather(w, rows) if sparse else w * 2.0
            loss = tf.reduce_sum(tf.square(used - 1.0))
            optimizer = OPTIMIZERS[name]()
            train = optimizer.minimize(loss)
            session.run(tf.global_variables_initializer())
            for _ in range(10):
                session.run(train, {rows: [1, 3, 1, 6]})
            return [session.run(v) for v in tf.global_variables()]

    backend("numpy")
    expected = values()
    backend("cffi")
    for got, wanted in zip(values(), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-6)


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as found:
        yield found


@pytest.mark.parametrize("resource", [False, True])
def test_values_fetched_earlier_never_change(session, resource):
    w = variable(4, use_resource=resource)
    y = tf.tanh(w) * 2.0
    step = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(tf.square(w) * 3.0))
    session.run(w.initializer)
    fetched = [session.run([w, y]) for _ in range(5) if session.run(step) is None]
    copies = [[a.copy() for a in pair] for pair in fetched]
    for _ in range(5):
        session.run([step, y])
    for pair, copy in zip(fetched, copies, strict=True):
        for a, b in zip(pair, copy, strict=True):
            np.testing.assert_array_equal(a, b)
    assert len({tuple(pair[0]) for pair in fetched}) == 5


def test_parts_of_scalars_are_the_scalars(session):
    x = tf.placeholder(tf.float32, [])
    none = np.zeros(0, np.int32)
    parts = [tf.pad(x * 2.0, np.zeros((0, 2), np.int32)), tf.slice(x * 2.0, none, none), (x * 2.0)[...]]
    for _ in range(20):
        assert session.run([part + 1.0 for part in parts], {x: 3.0}) == [7.0, 7.0, 7.0]


def test_updates_are_seen_by_other_programs(session):
    w = variable(3)
    double, bump = tf.nn.relu(w * 2.0) + 0.0, tf.assign_add(w, tf.exp(w) * 0.0 + 1.0)
    session.run(w.initializer)
    before = session.run(double)
    session.run(bump)
    after = session.run(double)
    np.testing.assert_allclose(after, np.maximum(session.run(w) * 2, 0), rtol=1e-6)
    assert (after > before).all()


def test_what_is_computed_beside_a_new_value_can_be_used_after_it(session):
    v, m = variable(4), tf.Variable(tf.zeros([4]))
    grad = tf.abs(v * 2.0)
    kept = m.assign(tf.maximum(m * 0.9, grad))
    step = tf.assign_sub(v, tf.sign(grad) * kept)
    session.run([v.initializer, m.initializer])
    x = session.run(v)
    for _ in range(3):
        session.run(step)
        assert session.run(tf.reduce_all(m >= 0.0))
    largest = np.zeros(4, np.float32)
    for _ in range(3):
        grad_then = np.abs(x * 2)
        largest = np.maximum(largest * np.float32(0.9), grad_then)
        x = x - np.sign(grad_then) * largest
    np.testing.assert_allclose(session.run(v), x, rtol=1e-5)


def test_a_read_keeps_its_value_when_the_variable_changes(session):
    w = tf.Variable([1.0, 2.0], use_resource=True)
    read = tf.identity(w.read_value())
    with tf.control_dependencies([read]):
        changed = w.assign_add([10.0, 10.0])
    with tf.control_dependencies([changed]):
        old = tf.exp(tf.reshape(read, [2, 1])) * 1.0
        new = w.read_value() * 1.0
    session.run(w.initializer)
    got_old, got_new = session.run([old, new])
    np.testing.assert_allclose(got_old[:, 0], np.exp([1.0, 2.0]), rtol=1e-5)
    np.testing.assert_allclose(got_new, [11.0, 12.0])


@pytest.mark.parametrize("of_constant", [tf.identity, lambda c: c * 2.0, lambda c: tf.exp(c + tf.random.uniform([]))])
def test_what_waits_through_a_constant_does_not_run_too_early(of_constant, session, compiled):
    x, noted = tf.placeholder(tf.float32, [2]), []
    checked = tf.exp(tf.tanh(x * 2.0) + 1.0)
    with tf.control_dependencies([tf.Assert(tf.reduce_all(checked > 3.0), [checked])]):
        note = tf.py_func(noted.append, [of_constant(tf.constant(1.0))], [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
        session.run(note, {x: [0.0, 9.0]})
    assert not noted and compiled[0]
    session.run(note, {x: [9.0, 9.0]})
    assert len(noted) == 1


def test_uninitialised_then_initialised(session, compiled):
    w = variable(3)
    y = tf.exp(w) * 2.0
    for _ in range(3):
        with pytest.raises(tf.errors.FailedPreconditionError, match="ninitialized"):
            session.run(y)
    session.run(w.initializer)
    session.run(y)
    assert compiled[0]


def test_a_variable_may_change_its_shape(session):
    w = tf.Variable(np.ones(2, "f4"), validate_shape=False)
    given = tf.placeholder(tf.float32, None)
    change, y = tf.assign(w, given, validate_shape=False), tf.exp(w) * 2.0
    session.run(w.initializer)
    for size in (2, 3, 5, 3):
        session.run(change, {given: np.zeros(size, "f4")})
        for _ in range(2):
            assert session.run(y).shape == (size,)


def test_many_shapes(session):
    x = tf.placeholder(tf.float32, [None, None])
    y = tf.reduce_sum(tf.nn.relu(x) * 2.0 + 1.0, 1)
    for n in [*range(40), *range(40)]:
        value = RANDOM.randn(n, 3).astype("f4")
        np.testing.assert_allclose(session.run(y, {x: value}), (np.maximum(value, 0) * 2 + 1).sum(1), rtol=1e-5)


def test_results_belong_to_the_caller(session):
    x = tf.placeholder(tf.float32, [3])
    y = tf.exp(x) + 1.0
    first = session.run(y, {x: np.zeros(3)})
    part = session.run(y, {x: np.ones(3)})[1:]
    session.run(y, {x: np.full(3, 2.0)})
    first[:] = 7
    np.testing.assert_allclose(part, np.exp(1) + 1, rtol=1e-6)
    np.testing.assert_allclose(session.run(y, {x: np.zeros(3)}), 2.0)


def test_strided_and_read_only_feeds(session):
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.exp(x) + 1.0
    whole = np.arange(12, dtype="f4").reshape(2, 6).T[:, ::-1]
    np.testing.assert_allclose(session.run(y, {x: whole}), np.exp(whole) + 1, rtol=1e-5)
    fixed = np.zeros((2, 2), "f4")
    fixed.flags.writeable = False
    np.testing.assert_allclose(session.run(y, {x: fixed}), 2.0)
    shifted = np.frombuffer(b"x" + np.ones(4, "f4").tobytes(), "f4", 4, 1).reshape(2, 2)
    np.testing.assert_allclose(session.run(y, {x: shifted}), np.exp(1) + 1, rtol=1e-6)


def test_errors_name_their_node(session):
    w, rows = variable(4, 2), tf.placeholder(tf.int32, [None])
    y = tf.exp(tf.gather(w, rows, name="lookup")) * 2.0
    session.run(w.initializer)
    for _ in range(2):
        session.run(y, {rows: [0, 3]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="4 is not in") as caught:
            session.run(y, {rows: [1, 4]})
        assert caught.value.op.name == "lookup"


def test_closed_session():
    with tf.Graph().as_default():
        w = variable(3)
        y = tf.exp(w) * 2.0
        session = tf.Session()
        session.run(w.initializer)
        call = session.make_callable(y)
        call()
        session.close()
        with pytest.raises(RuntimeError, match="closed"):
            call()


def test_dropout_draws_the_same(backend, compiled):
    def values():
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(7)
            x = tf.placeholder(tf.float32, [None, 301])
            y = tf.nn.dropout(x, rate=0.4) * 2.0
            u = tf.random_uniform([1001, 3], -1, 5) + 0.0
            return [session.run([y, u], {x: np.ones((50, 301), "f4")}) for _ in range(3)]

    backend("numpy")
    expected = values()
    backend("cffi")
    got = values()
    assert compiled[0] >= 3
    for one, other in zip(expected, got, strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_normal_values_are_the_same_bit_for_bit(backend, compiled):
    def values(count):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(11)
            drawn = [tf.random_normal([count]) * 1.0, tf.truncated_normal([count]) * 1.0]
            return [session.run(drawn) for _ in range(2)]

    for count in (1, 5, 255, 4099, 100_003):
        backend("numpy")
        expected = values(count)
        backend("cffi")
        for one, other in zip(expected, values(count), strict=True):
            for a, b in zip(one, other, strict=True):
                np.testing.assert_array_equal(a.view("u4"), b.view("u4"))
    assert compiled[0] >= 5


@pytest.mark.parametrize(
    "name", ["erf", "erfc", "lgamma", "digamma", "expm1", "log1p", "sin", "cos", "nn.elu", "nn.softplus"]
)
def test_functions_over_their_range(name, backend, compiled):
    random = np.random.RandomState(2)
    special = [0.0, -0.0, 1.0, -1.0, 2.0, -2.5, np.inf, -np.inf, np.nan, 1e-30, 1e30, 88.0, -104.0, 1e5, 1.1e5]
    drawn = [random.randn(5000) * 5, random.randn(500) * 1e-3, random.randn(500) * 1e4]
    x = np.concatenate([special, *drawn]).astype("f4")

    def values():
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.placeholder(tf.float32, [None])
            function = getattr(tf.nn, name[3:]) if name.startswith("nn.") else getattr(tf, name)
            return session.run(function(v) + 0.0, {v: x})

    backend("numpy")
    expected = values()
    backend("cffi")
    np.testing.assert_allclose(values(), expected, rtol=1e-6, atol=1e-6 if name in ("sin", "cos", "digamma") else 2e-38)
    assert compiled[0]


def test_a_table_that_is_looked_up_outside_of_a_region_is_not_copied(backend, compiled):
    backend("cffi")
    with tf.Graph().as_default(), tf.Session() as session:
        table = tf.Variable(tf.fill([200_000, 64], 0.5))
        ids = tf.placeholder(tf.int32, [None])
        used, places = tf.unique(ids)
        rows = tf.gather(tf.nn.embedding_lookup(table, used), places) + 0.0
        session.run(tf.global_variables_initializer())
        session.run(rows, {ids: [1, 5, 1]})
        tracemalloc.start()
        session.run(rows, {ids: [1, 5, 1]})
        largest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert largest < 1 << 20
        mine = session.run(tf.identity(table.value()))
        mine[:] = 0
        assert session.run(rows, {ids: [7]}).min() == 0.5


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("size", [(7, 9, 1, 5, 3, 5), (16, 14, 6, 16, 3, 3), (5, 33, 3, 40, 2, 1), (4, 4, 8, 33, 4, 4)])
def test_convolution_and_its_gradients(size, padding, stride, backend, compiled):
    h, w, ci, co, kh, kw = size

    def values():
        random = np.random.RandomState(3)
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32, [None, h, w, ci])
            f = tf.constant(random.randn(kh, kw, ci, co).astype("f4"))
            y = tf.nn.conv2d(x, f, [1, stride, stride, 1], padding)
            dx, df = tf.gradients(tf.reduce_sum(tf.square(y)), [x, f])
            return session.run([y, dx, df], {x: random.randn(3, h, w, ci).astype("f4")})

    backend("numpy")
    expected = values()
    backend("cffi")
    got = values()
    assert compiled[0]
    for a, b in zip(expected, got, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-4 * np.abs(a).max())


@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize(
    "sizes",
    [(3, 70, 9), (2, 5, 300), (15, 33, 40), (29, 17, 700), (170, 600, 65), (200, 90, 130), (400, 520, 33),
     (500, 10, 70), (130, 1, 90), (65, 2, 40), (27, 33, 10000), (69, 50, 3000)],
)
def test_products(sizes, transposed, backend):
    m, n, k = sizes
    ta, tb = transposed
    random = np.random.RandomState(1)
    left = random.randn(*((k, m) if ta else (m, k))).astype("f4")
    right = random.randn(*((n, k) if tb else (k, n))).astype("f4")
    backend("cffi")
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [None, None])
        got = session.run(tf.matmul(a, b, ta, tb) + 0.0, {a: left, b: right})
    expected = (left.T if ta else left).astype("f8") @ (right.T if tb else right).astype("f8")
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("size", [100, 1_000_000])
def test_denormal_results_of_updates_become_zero_as_in_the_original(size, session, compiled):
    small = np.float32(1e-30)
    x, total = tf.placeholder(tf.float32, [None]), tf.Variable(np.ones(size, "f4"))
    session.run(total.initializer)
    session.run(tf.assign(total, tf.nn.relu(x * 1e-12 + 0.0)).op, {x: np.full(size, small)})
    assert compiled[0] and not session.run(total).any()
    assert small * np.float32(1e-12) > 0  # the thread's own arithmetic is as it was
    assert (session.run(tf.nn.relu(x * 1e-12 + 0.0), {x: np.full(size, small)}) > 0).all()


@pytest.mark.parametrize("channels_first", [False, True])
@pytest.mark.parametrize(
    ("image", "window", "filters", "stride", "padding"),
    [
        ((2, 7, 9, 3), (3, 3), 1, 1, "SAME"),
        ((2, 7, 9, 3), (3, 2), 2, 2, "VALID"),
        ((1, 12, 12, 70), (5, 3), 1, 1, "SAME"),
        ((1, 5, 5, 2), (3, 3), 2, 2, "SAME"),
    ],
)
def test_channels_by_themselves_and_first(backend, compiled, channels_first, image, window, filters, stride, padding):
    random = np.random.RandomState(5)
    x = random.randn(*image).astype("f4")
    x = x.transpose(0, 3, 1, 2) if channels_first else x
    form = "NCHW" if channels_first else "NHWC"

    def per_dimension(n):
        return [1, 1, n, n] if channels_first else [1, n, n, 1]

    def values():
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.placeholder(tf.float32, [None, *x.shape[1:]])
            own = tf.constant(np.random.RandomState(6).randn(*window, image[3], filters).astype("f4"))
            all_of = tf.constant(np.random.RandomState(7).randn(*window, image[3], 5).astype("f4"))
            steps = per_dimension(stride)
            results = [
                tf.nn.depthwise_conv2d_native(v, own, steps, padding, data_format=form),
                tf.nn.conv2d(v, all_of, steps, padding, data_format=form),
                tf.nn.max_pool(v, per_dimension(2), steps, padding, data_format=form),
                tf.nn.avg_pool(v, per_dimension(2), steps, padding, data_format=form),
            ]
            slopes = [tf.gradients(y * y, to)[0] for y in results for to in (v, own, all_of)]
            slopes = [slope for slope in slopes if slope is not None]
            return session.run([*results, *slopes], {v: x})

    backend("numpy")
    expected = values()
    backend("cffi")
    for one, other in zip(expected, values(), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-4, atol=1e-5 * np.abs(one).max())
    assert compiled[0]


@pytest.mark.parametrize("size", [1, 1000])
def test_a_variable_in_another_place_between_runs(size, compiled):
    with tf.Graph().as_default(), tf.Session() as session:
        v, w = (tf.Variable(np.full(size, n, "f4")) for n in (1.0, 2.0))
        changed = tf.assign_add(v, w * 2.0)
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(changed), np.full(size, 5.0))
        for number in range(5):  # freed arrays may leave their place, and their identity, to the next
            v.load(np.full(size, number, "f4"), session)
            np.testing.assert_array_equal(session.run(changed), np.full(size, number + 4.0))
            np.testing.assert_array_equal(session.run(changed), np.full(size, number + 8.0))
        assert compiled[0] >= 11
        session.run(v.initializer)
        np.testing.assert_array_equal(session.run(changed), np.full(size, 5.0))


def test_a_variable_that_gets_other_buffers_while_programs_run(compiled):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(np.zeros(1000, "f4"), name="v")
        result = tf.sqrt(tf.square(v) * 4.0) + 1.0
        session.run(tf.global_variables_initializer())
        state = session.state.find("", "v", "variable")

        def replace():
            for number in range(3000):
                state.value = np.full(1000, number, "f4")

        thread = threading.Thread(target=replace)
        thread.start()
        while thread.is_alive():
            found = session.run(result)
            assert (found == found[0]).all()
        thread.join()
        for number in (3.0, 5.0):
            state.value = np.full(1000, number, "f4")
            np.testing.assert_array_equal(session.run(result), np.full(1000, 2.0 * number + 1.0))
        assert compiled[0]

"""Networks over images, whose instructions run in groups: as on NumPy, whatever is fetched, and alike on any number of
threads."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native
from ossia_backend_cffi.run import region_program

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")


def variable(random, *shape):
    return tf.Variable((random.randn(*shape) * 0.3).astype("f4"))


def layer(random, h, made):
    """One more layer, drawn at random."""
    size, channels = min(h.shape[1].value, h.shape[2].value), h.shape[3].value
    kind = random.randint(9)
    strides = [1, *random.randint(1, 3, 2), 1]
    padding = ["SAME", "VALID"][random.randint(2)] if size > 5 else "SAME"
    if kind < 4:
        m = int(random.choice([3, 4, 16, 17, 33]))
        window = random.randint(1, 4, 2)
        dilations = [1, *random.randint(1, 3, 2), 1] if strides == [1, 1, 1, 1] else [1, 1, 1, 1]
        h = tf.nn.conv2d(h, variable(random, *window, channels, m), strides, padding, dilations=dilations)
        if random.randint(2):
            h = tf.nn.bias_add(h, variable(random, m))
        return tf.nn.relu(h) if random.randint(2) else h
    if kind == 4:
        return tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], padding)
    if kind == 5:
        pool = tf.nn.avg_pool if random.randint(2) else tf.nn.max_pool
        return pool(h, [1, *random.randint(1, 4, 2), 1], strides, padding)
    if kind == 6:
        same = [other for other in made if other.shape.as_list() == h.shape.as_list()]
        return tf.tanh(h * 0.5 + same[random.randint(len(same))])
    if kind == 7:
        h, _, _ = tf.nn.fused_batch_norm(h, variable(random, channels), variable(random, channels))
        return tf.nn.relu(h) if random.randint(2) else h
    return h - tf.reduce_mean(h, [0, 1, 2])


def network(seed, threads):
    """What a network and its gradients give, and a few steps of training it."""
    random = np.random.RandomState(seed)
    config = tf.ConfigProto(intra_op_parallelism_threads=threads)
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        batch = int(random.randint(8, 21))
        x = tf.placeholder(tf.float32, [None, *random.randint(9, 15, 2), int(random.choice([1, 3, 16]))])
        h, made = x, [x]
        for _ in range(random.randint(2, 8)):
            h = layer(random, h, made)
            made.append(h)
        loss = tf.reduce_mean(tf.square(h)) + (tf.reduce_sum(made[-2]) * 0.01 if random.randint(2) else 0.0)
        weights = tf.trainable_variables()
        gradients = [g for g in tf.gradients(loss, [x, *weights]) if g is not None]
        train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss) if weights else tf.no_op()
        fetched = [loss, *(made[1:] if random.randint(2) else []), *gradients]
        session.run(tf.global_variables_initializer())
        images = random.randn(batch, *x.shape.as_list()[1:]).astype("f4")
        found = session.run(fetched, {x: images})
        for _ in range(2):
            session.run(train, {x: images})
        return [*found, *session.run(weights)]


@pytest.fixture
def groups(monkeypatch):
    """Counts the groups that are formed."""
    count = [0]
    group = region_program.image_groups.group

    def counting(builder):
        group(builder)
        count[0] += sum(row.name == "images" for row in builder.rows)

    monkeypatch.setattr(region_program.image_groups, "group", counting)
    return count


@pytest.mark.parametrize("seed", range(40))
def test_as_on_numpy(seed, backend, groups):
    backend("numpy")
    expected = network(seed, 0)
    assert not groups[0]
    backend("cffi")
    for got, wanted in zip(network(seed, 0), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-3, atol=2e-4 * max(1.0, np.abs(wanted).max(initial=0.0)))


@pytest.mark.parametrize("seed", range(5))
def test_any_number_of_threads(seed, groups):
    expected = network(seed, 1)
    assert groups[0]
    for threads in (2, 3, 8):
        for got, wanted in zip(network(seed, threads), expected, strict=True):
            np.testing.assert_array_equal(got, wanted)


def gradients_of(build, threads=0):
    """What a function of images and weights gives, and its gradients."""
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=threads)) as session:
        random = np.random.RandomState(3)
        x, weights, y = build(random)
        change = tf.constant(random.randn(*y.shape.as_list()).astype("f4")) + 0.0
        session.run(tf.global_variables_initializer())
        return session.run([y, *tf.gradients(y * change, [x, *weights])])


def convolution(data_format, kind, size, stride, dilation, padding):
    def build(random):
        shape = [9, 12, 11, 3] if data_format == "NHWC" else [9, 3, 12, 11]
        at = slice(1, 3) if data_format == "NHWC" else slice(2, 4)
        x = tf.Variable(random.randn(*shape).astype("f4"))
        strides, dilations = [1] * 4, [1] * 4
        strides[at], dilations[at] = [stride, stride], [dilation, dilation + 1 if dilation > 1 else 1]
        if kind == "conv":
            w = variable(random, *size, 3, 5)
            h = tf.nn.conv2d(x, w, strides, padding, data_format=data_format, dilations=dilations)
            b = variable(random, 5)
            return x, [w, b], tf.nn.bias_add(h, b, data_format=data_format)
        if kind == "depthwise":
            w = variable(random, *size, 3, 1 + stride)
            h = tf.nn.depthwise_conv2d_native(x, w, strides, padding, data_format, dilations)
            return x, [w], h
        ksize = [1] * 4
        ksize[at] = size
        pool = tf.nn.max_pool if kind == "max" else tf.nn.avg_pool
        return x, [], pool(x * 1.0, ksize, strides, padding, data_format)
    return build


CASES = [
    (data_format, kind, size, stride, dilation, padding)
    for data_format in ("NHWC", "NCHW")
    for kind in ("conv", "depthwise", "max", "avg")
    for size, stride, dilation, padding in (
        ([3, 3], 1, 1, "SAME"), ([2, 3], 2, 1, "VALID"), ([3, 2], 3, 1, "SAME"), ([1, 1], 2, 1, "SAME"),
        ([3, 2], 1, 2, "SAME"), ([2, 3], 2, 2, "VALID"), ([3, 3], 2, 3, "SAME"), ([2, 2], 3, 2, "SAME"),
    )
    if dilation == 1 or kind in ("conv", "depthwise")
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_form_is_compiled(case, backend, monkeypatch):
    def declined(region, node):
        raise AssertionError(f"declined: {region.nodes[node].op.type}")

    build = convolution(*case)
    backend("numpy")
    expected = gradients_of(build)
    backend("cffi")
    monkeypatch.setattr(region_program, "Cut", declined)
    for threads in (1, 2):
        for got, wanted in zip(gradients_of(build, threads), expected, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4 * max(1.0, np.abs(wanted).max()))


@pytest.mark.parametrize("pads", [(0, 0, 3, 1), (20, 0, 0, 20), (1, 2, 0, 0)])
@pytest.mark.parametrize("stride", [1, 2, 19])
def test_explicit_padding(pads, stride, backend):
    def build(random):
        x, w = tf.Variable(random.randn(8, 6, 5, 2).astype("f4")), variable(random, 2, 3, 2, 4)
        return x, [w], tf.nn.conv2d(x, w, [1, stride, stride, 1], [[0, 0], pads[:2], pads[2:], [0, 0]])

    backend("numpy")
    expected = gradients_of(build)
    backend("cffi")
    for got, wanted in zip(gradients_of(build), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("batch", [2, 16])
@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("stride", [1, 2])
def test_the_border_of_a_gradient_meets_no_weights(batch, special, stride, backend, compiled, groups):
    # One weight that is not finite reaches those pixels that it belongs to, and no others.
    filters = np.full((3, 3, 2, 3), 0.5, "f4")
    filters[0, 2, 1] = special
    change = np.abs(np.random.RandomState(0).randn(batch, -(-6 // stride), -(-7 // stride), 3)).astype("f4") + 0.1

    def found():
        with tf.Graph().as_default(), tf.Session() as session:
            w, dy = tf.placeholder(tf.float32, filters.shape), tf.placeholder(tf.float32, change.shape)
            shape = [batch, 6, 7, 2]
            y = tf.nn.conv2d_backprop_input(shape, w * 1.0, tf.nn.relu(dy), [1, stride, stride, 1], "SAME")
            return session.run(tf.nn.relu(y) - tf.nn.relu(-y), {w: filters, dy: change})

    backend("numpy")
    expected = found()
    assert np.isfinite(expected[:, -1, :, :]).all()
    backend("cffi")
    count = compiled[0]
    np.testing.assert_allclose(found(), expected, rtol=1e-5)
    assert compiled[0] > count
    assert bool(groups[0]) is (batch == 16)


@pytest.mark.parametrize("shape", [(3, 8, 6, 16), (16, 10, 12, 32), (9, 7, 9, 48), (16, 8, 8, 20)], ids=str)
def test_pools_of_pairs(shape, backend, compiled):
    def pooled():
        random = np.random.RandomState(0)
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32, shape)
            y = tf.nn.max_pool(tf.abs(x), [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
            grad = tf.placeholder(tf.float32, y.shape)
            values = random.randint(-3, 3, shape).astype("f4")  # many are alike
            values[0, :2, :2, 0], values[1, 2, 3, 1], values[2, 0, 0] = np.nan, np.nan, -np.inf
            grads = random.randn(*y.shape.as_list()).astype("f4")
            return session.run([y, *tf.gradients(y, x, grad)], {x: values, grad: grads})

    backend("cffi")
    found = pooled()
    assert compiled[0]
    backend("numpy")
    for a, b in zip(found, pooled(), strict=True):
        np.testing.assert_array_equal(a, b)

"""The mixed-precision rewrite: who asks for it, what computes in half precision, and that nothing else changes."""

import numpy as np
import pytest

import ossia as tf
from ossia_core.names import logging as tf_logging
from ossia_core.proto import RewriterConfig
from ossia_optimizers.half_precision_lists import op_lists

HALF = {"auto_mixed_precision_cpu": "float16", "auto_mixed_precision_onednn_bfloat16": "bfloat16"}
experimental = tf.train.experimental


@pytest.fixture(autouse=True)
def graph(monkeypatch):
    monkeypatch.delenv("OSSIA_MIXED_PRECISION", raising=False)
    with tf.Graph().as_default() as graph:
        yield graph
    tf.config.optimizer.set_experimental_options({"auto_mixed_precision": False})


def config(**fields):
    options = RewriterConfig(**fields)
    return tf.ConfigProto(graph_options=tf.GraphOptions(rewrite_options=options))


def session(field="auto_mixed_precision_cpu"):
    """A session whose partition graphs have the nodes that could be folded."""
    return tf.Session(config=config(**{field: RewriterConfig.ON, "constant_folding": RewriterConfig.OFF}))


def nodes(opened, fetches, feeds=None):
    """What a run computes: op name -> NodeDef."""
    metadata = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    opened.run(fetches, feeds, options=options, run_metadata=metadata)
    (partition,) = metadata.partition_graphs
    return {node.name: node for node in partition.node}


def dtype_of(node, attr="T"):
    return tf.as_dtype(node.attr[attr].type).name


def beyond_float16():
    """2^20, by a product that float16 cannot hold."""
    out = tf.Variable([[1.0]], name="v") * 2.0**10
    return tf.reshape(tf.matmul(out, out), [])


def initialized(opened):
    opened.run(tf.global_variables_initializer())
    return opened


# -- who asks for it


def test_processors_are_left_alone_as_in_the_original():
    optimizer = experimental.enable_mixed_precision_graph_rewrite(tf.train.GradientDescentOptimizer(1.0), 123.0)
    assert isinstance(optimizer, experimental.MixedPrecisionLossScaleOptimizer)
    value = beyond_float16()
    for given in (None, config(auto_mixed_precision=RewriterConfig.ON)):
        with tf.Session(config=given) as opened:
            assert initialized(opened).run(value) == 2**20
            assert not any(node.op == "Cast" for node in nodes(opened, value).values())


def test_enabled_and_disabled_for_new_sessions(monkeypatch):
    monkeypatch.setenv("OSSIA_MIXED_PRECISION", "float16")
    value = beyond_float16()
    before = initialized(tf.Session())
    experimental.enable_mixed_precision_graph_rewrite(tf.train.GradientDescentOptimizer(1.0), 123.0)
    during = initialized(tf.Session())
    declined = initialized(tf.Session(config=config(auto_mixed_precision=RewriterConfig.OFF)))
    experimental.disable_mixed_precision_graph_rewrite()
    after = initialized(tf.Session())
    results = [opened.run(value) for opened in (before, during, declined, after)]
    assert results == [2**20, np.inf, 2**20, 2**20]


@pytest.mark.parametrize("name", ["TF_ENABLE_AUTO_MIXED_PRECISION", "TF_ENABLE_AUTO_MIXED_PRECISION_CPU"])
def test_environment(name, monkeypatch):
    monkeypatch.setenv(name, "1")
    monkeypatch.setenv("OSSIA_MIXED_PRECISION", "float16")
    value = beyond_float16()
    with tf.Session() as opened:
        assert initialized(opened).run(value) == np.inf


def test_unknown_half_type_is_refused(monkeypatch):
    monkeypatch.setenv("OSSIA_MIXED_PRECISION", "float8")
    value = tf.matmul([[1.0]], [[2.0]])
    with session("auto_mixed_precision") as opened, pytest.raises(tf.errors.InvalidArgumentError, match="float8"):
        opened.run(value)


def test_warnings_as_in_the_original(monkeypatch):
    seen = []
    monkeypatch.setattr(tf_logging, "warning", lambda text, *args: seen.append(text))
    tf.Session().close()
    experimental.enable_mixed_precision_graph_rewrite(tf.train.GradientDescentOptimizer(1.0))
    experimental.disable_mixed_precision_graph_rewrite()
    experimental.disable_mixed_precision_graph_rewrite()
    assert len(seen) == 2 and "exist already" in seen[0] and "was not on" in seen[1]


# -- what computes in half precision


@pytest.mark.parametrize(("field", "half"), HALF.items())
def test_layers_in_half_and_the_loss_in_single_precision(field, half):
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    w, b = tf.Variable(tf.ones([4, 3]), name="w"), tf.Variable(tf.ones([3]), name="b")
    hidden = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, w, name="first"), b, name="biased"), name="hidden")
    logits = tf.matmul(hidden, tf.Variable(tf.ones([3, 2]), name="u"), name="second")
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=[[1.0, 0.0]], logits=logits), name="loss")
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    with session(field) as opened:
        before = initialized(opened).graph_def
        found = nodes(opened, [loss, train], {x: np.ones((1, 4))})
        assert opened.graph_def == before
    slopes = ("gradients/second_grad/MatMul", "gradients/hidden_grad/ReluGrad")
    for name in ("first", "biased", "hidden", "second", *slopes):
        assert dtype_of(found[name]) == half, name
    for node in found.values():
        if node.op in ("VariableV2", "Const"):
            assert dtype_of(node, "dtype") in ("float32", "int32"), node.name
        if node.op in ("ApplyMomentum", "Mean", "SoftmaxCrossEntropyWithLogits"):
            assert dtype_of(node) == "float32", node.name
    short = {"float16": "Fp16", "bfloat16": "Bf16"}[half]
    cast = found[f"w/read-0-CastTo{short}-AutoMixedPrecision"]
    assert (dtype_of(cast, "SrcT"), dtype_of(cast, "DstT")) == ("float32", half)
    readers = [node.name for node in found.values() if cast.name in node.input]
    assert readers == ["first", "gradients/first_grad/MatMul"]


@pytest.mark.parametrize(("field", "half"), HALF.items())
@pytest.mark.parametrize("backend", ["numpy", ""])
def test_numbers_are_rounded_to_half(field, half, backend, monkeypatch):
    monkeypatch.setenv("OSSIA_BACKEND", backend)
    random = np.random.RandomState(0)
    a, b, c = (random.normal(size=(5, 5)).astype(np.float32) for _ in range(3))
    x = tf.placeholder(tf.float32, [5, 5])
    product = tf.identity(tf.matmul(tf.tanh(tf.matmul(x, b)), c))
    kind = tf.as_dtype(half).as_numpy_dtype
    exact = np.tanh(a @ b) @ c
    inner = np.tanh((a.astype(kind).astype(np.float32) @ b.astype(kind).astype(np.float32)).astype(kind).astype("f"))
    expected = (inner.astype(kind).astype("f") @ c.astype(kind).astype("f")).astype(kind).astype("f")
    with session(field) as opened:
        got = opened.run(product, {x: a})
    step = {"float16": 2.0**-10, "bfloat16": 2.0**-7}[half]
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, got.astype(kind).astype(np.float32))
    np.testing.assert_allclose(got, expected, rtol=2 * step, atol=4 * step)
    assert np.abs(got - exact).max() > step / 64


def test_what_is_fetched_or_fed_keeps_its_dtype():
    x = tf.placeholder(tf.float32, [1, 1], name="x")
    first = tf.matmul(x, [[1.0]], name="first")
    second = tf.matmul(tf.nn.relu(first), [[1.0]], name="second")
    third = tf.negative(tf.matmul(second, [[1.0]], name="third"))
    value = np.float32(1 + 2**-20)
    with session() as opened:
        found = nodes(opened, [third, second], {x: [[value]]})
        assert [dtype_of(found[name]) for name in ("first", "second", "third")] == ["float16", "float32", "float16"]
        assert opened.run(first, {x: [[value]]}) == value
        assert opened.run(third, {second: [[value]]}) == -1
        assert opened.run([second, third], {second: [[value]]}) == [value, -1]


def test_weights_keep_what_half_cannot_hold():
    w = tf.Variable([[1.0]], name="w")
    train = tf.train.GradientDescentOptimizer(2.0**-14).minimize(tf.reduce_sum(tf.matmul([[1.0]], w)))
    with session() as opened:
        initialized(opened)
        for _ in range(4):
            opened.run(train)
        assert opened.run(w) == 1 - 4 * 2.0**-14


def test_casts_whose_readers_are_half_and_half_tensors_of_the_program():
    ids = tf.placeholder(tf.int32, [2, 2])
    own = tf.matmul(tf.constant([[1.0]], tf.float16), tf.constant([[2.0]], tf.float16), name="own")
    product = tf.matmul(tf.cast(ids, tf.float32, name="cast"), tf.ones([2, 2]), name="m")
    total = tf.reduce_sum(product) + tf.cast(own, tf.float32)
    with session() as opened:
        found = nodes(opened, total, {ids: [[1, 2], [3, 4]]})
        assert opened.run(total, {ids: [[1, 2], [3, 4]]}) == 22
    assert dtype_of(found["cast"], "DstT") == dtype_of(found["m"]) == dtype_of(found["own"]) == "float16"
    assert list(found["m"].input)[0] == "cast"


@pytest.mark.parametrize("use_resource", [False, True])
def test_branches_and_loops(use_resource):
    w = tf.get_variable("w", initializer=np.full((3, 3), 1 / 3, np.float32), use_resource=use_resource)
    x, flag = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.bool, [])
    branch = tf.cond(flag, lambda: tf.matmul(x, w), lambda: tf.nn.relu(tf.matmul(-x, w)))
    looped = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, tf.tanh(tf.matmul(h, w))), [0, branch])[1]
    loss = tf.reduce_sum(tf.square(looped))
    slope = tf.gradients(loss, w)[0]
    value = np.linspace(-1, 1, 6).reshape(2, 3)
    with tf.Session() as exact, session() as opened:
        for run in (exact, opened):
            initialized(run)
        for taken in (True, False):
            expected, got = (run.run([branch, loss, slope], {x: value, flag: taken}) for run in (exact, opened))
            for a, b in zip(expected, got):
                np.testing.assert_allclose(a, b, rtol=2e-2, atol=2e-3)
            assert expected[2].tolist() != got[2].tolist()


def test_calls_of_functions():
    @tf.function
    def twice(x):
        return tf.matmul(tf.matmul(x, x), x)

    value = tf.reduce_sum(twice(tf.fill([1, 1], 64.0)))
    with session() as opened:
        assert opened.run(value) == np.inf
    with tf.Session() as opened:
        assert opened.run(value) == 64.0**3


# -- loss scales


@pytest.mark.parametrize("use_resource", [False, True])
def test_steps_that_overflow_are_left_out_and_the_scale_falls(use_resource, monkeypatch):
    monkeypatch.setenv("OSSIA_MIXED_PRECISION", "float16")
    w = tf.get_variable("w", initializer=[[0.5, -0.5]], use_resource=use_resource)
    x = tf.constant([[2.0]])
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    scale = experimental.DynamicLossScale(2.0**18, increment_period=3)
    step = tf.train.get_or_create_global_step()
    train = experimental.enable_mixed_precision_graph_rewrite(tf.train.GradientDescentOptimizer(0.1), scale).minimize(
        loss, global_step=step
    )
    seen = []
    with tf.Session() as opened:
        initialized(opened)
        for _ in range(6):
            opened.run(train)
            seen.append((*opened.run([step, scale()]), opened.run(w)[0, 0]))
    steps, scales, weights = zip(*seen)
    skipped = steps.count(0)
    assert 1 <= skipped < 6
    assert scales[skipped - 1] == 2.0**18 / 2**skipped
    assert weights[skipped - 1] == 0.5 and weights[skipped] == pytest.approx(0.3, abs=1e-3)


@pytest.mark.parametrize(("field", "half"), HALF.items())
def test_a_network_learns(field, half):
    random = np.random.RandomState(1)
    images = random.normal(size=(32, 8, 8, 1)).astype(np.float32)
    labels = (images.mean(axis=(1, 2, 3)) > 0).astype(np.int64)
    tf.set_random_seed(3)
    h = tf.layers.conv2d(images, 4, 3, activation=tf.nn.relu)
    h = tf.layers.max_pooling2d(tf.layers.batch_normalization(h, training=True), 2, 2)
    logits = tf.layers.dense(tf.layers.flatten(h), 2)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    optimizer = experimental.MixedPrecisionLossScaleOptimizer(tf.train.AdamOptimizer(0.02), "dynamic")
    train = optimizer.minimize(loss)
    with session(field) as opened:
        initialized(opened)
        before = opened.run(loss)
        for _ in range(30):
            opened.run(train)
        assert opened.run(loss) < before / 3
        assert {dtype_of(node) for node in nodes(opened, train).values() if node.op.startswith("Conv2D")} == {half}


# -- lists


def test_lists_follow_the_environment(monkeypatch):
    prefix = "TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_"
    value = tf.reduce_sum(tf.exp(tf.matmul([[1.0]], [[2.0]], name="m"), name="e"))
    with session() as opened:
        found = nodes(opened, value)
        assert (dtype_of(found["m"]), dtype_of(found["e"])) == ("float16", "float32")
    monkeypatch.setenv(prefix + "WHITELIST_REMOVE", "MatMul")
    monkeypatch.setenv(prefix + "DENYLIST_REMOVE", "Exp, Pow")
    monkeypatch.setenv(prefix + "ALLOWLIST_ADD", "Exp")
    with session() as opened:
        found = nodes(opened, value)
        assert (dtype_of(found["m"]), dtype_of(found["e"])) == ("float32", "float16")
    assert "Pow" not in op_lists()["deny"]
    monkeypatch.setenv(prefix + "CLEARLIST_ADD", "Exp")
    with session() as opened, pytest.raises(tf.errors.InvalidArgumentError, match="Exp is in two lists"):
        opened.run(value)


def test_what_follows_a_denied_node_stays_in_single_precision():
    x = tf.matmul([[1.0]], [[1.0]], name="m1")
    y = tf.add(tf.negative(tf.exp(x), name="neg"), 1.0, name="after")
    z = tf.reduce_sum(tf.matmul(tf.multiply(x, y, name="both"), [[1.0]], name="m2"))
    with session() as opened:
        found = nodes(opened, z)
    kinds = {name: dtype_of(found[name]) for name in ("m1", "neg", "after", "both", "m2")}
    assert kinds == {"m1": "float16", "neg": "float32", "after": "float32", "both": "float32", "m2": "float16"}

"""Kernels of single ops in C on larger arrays than samples have: as on NumPy."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.backend import DIRECT
from ossia_backend_cffi.kernels import table  # noqa: F401 - registers all makers
from ossia_backend_cffi.kernels.registry import MAKERS
from ossia_backend_cffi.loader import native
from ossia_testkit import watching

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
RANDOM = np.random.RandomState(0)


def both(make, *arrays, seed=None):
    """What `make(*placeholders)` gives on either backend."""
    found = []
    for backend in ("numpy", "cffi"):
        with watching.chosen(backend), tf.Graph().as_default(), tf.Session() as session:
            if seed is not None:
                tf.set_random_seed(seed)
            kinds = [tf.string if array.dtype == object else array.dtype for array in arrays]
            feeds = [tf.placeholder(kind, array.shape) for kind, array in zip(kinds, arrays, strict=True)]
            fetch = make(*feeds)
            found.append(session.run([fetch] * 2, dict(zip(feeds, arrays, strict=True)))[0])
    return found


def agree(make, *arrays, tolerance=2e-5):
    expected, got = both(make, *arrays)
    for left, right in zip(*(x if isinstance(x, (list, tuple)) else [x] for x in (expected, got)), strict=True):
        assert left.dtype == right.dtype
        np.testing.assert_allclose(right, left, rtol=tolerance, atol=tolerance)


def test_makers_are_those_that_the_backend_asks():
    assert set(MAKERS) == set(DIRECT)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8"])
@pytest.mark.parametrize("shape", [(500,), (500, 3), (500, 2, 17)])
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean"])
def test_segments(name, shape, dtype):
    if name == "mean" and dtype.startswith("i"):
        return
    data = (RANDOM.randn(*shape) * 3).astype(dtype)
    if dtype.startswith("f") and name in ("max", "min"):
        data.reshape(-1)[RANDOM.randint(0, data.size, 60)] = np.nan
    ids = np.sort(RANDOM.randint(0, 90, 500)).astype("i4")
    with np.errstate(all="ignore"):
        agree(getattr(tf, "segment_" + name), data, ids)
        if name != "mean":
            mixed = RANDOM.randint(-3, 90, 500).astype("i8")
            agree(lambda x, i: getattr(tf.math, "unsorted_segment_" + name)(x, i, 90), data, mixed)


@pytest.mark.parametrize("name", ["sum", "mean", "sqrt_n"])
def test_segments_of_chosen_rows(name):
    data, rows = RANDOM.randn(300, 9).astype("f4"), RANDOM.randint(0, 300, 800)
    ids = np.sort(RANDOM.randint(3, 200, 800)).astype("i4")
    agree(getattr(tf, "sparse_segment_" + name), data, rows, ids)
    rows[400] = 300
    for error in both_errors(getattr(tf, "sparse_segment_" + name), data, rows, ids):
        assert "indices[400] == 300 out of range" in error


def both_errors(make, *arrays):
    found = []
    for backend in ("numpy", "cffi"):
        with watching.chosen(backend), tf.Graph().as_default(), tf.Session() as session:
            feeds = [tf.placeholder(array.dtype, array.shape) for array in arrays]
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                session.run(make(*feeds), dict(zip(feeds, arrays, strict=True)))
            found.append(str(caught.value))
    return found


@pytest.mark.parametrize("bad", [[5, 4], [-2, 1], [0, 2**31 - 1]])
def test_segments_out_of_order_or_range(bad):
    data, ids = np.ones((400, 2), "f4"), np.zeros(400, "i4")
    ids[100:102] = bad
    left, right = both_errors(tf.segment_sum, data, ids)
    assert left == right
    left, right = both_errors(lambda x, i: tf.unsorted_segment_max(x, i, 5), data, np.where(ids < 0, 7, 5))
    assert left == right


@pytest.mark.parametrize("texts", [[b"x" * n for n in range(200)], [b""], [], [bytes(range(256)) * 9, b"ab\0c"] * 20])
def test_hashes(texts):
    words = np.array(texts, object)
    for make in (
        lambda x: tf.strings.to_hash_bucket_fast(x, 2**62 - 1),
        lambda x: tf.strings.to_hash_bucket_strong(x, 2**62 - 1, [12345, -7]),
        lambda x: tf.strings.to_hash_bucket(x, 2**62 - 1),
    ):
        expected, got = both(make, words)
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("count", [2, 3, 1000])
def test_shuffles_are_the_same(count):
    expected, got = both(lambda x: tf.random_shuffle(x, seed=5), RANDOM.randn(count, 3), seed=3)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_equations(dtype):
    a = (RANDOM.randn(3, 40, 40) + 6 * np.eye(40)).astype(dtype)
    agree(tf.linalg.lu, a, tolerance=1e-4)
    diagonals, rhs = RANDOM.randn(3, 3, 40).astype(dtype), RANDOM.randn(3, 40, 5).astype(dtype)
    agree(tf.linalg.tridiagonal_solve, diagonals, rhs, tolerance=1e-3)
    diagonals[:, 1] += 4
    agree(lambda d, b: tf.linalg.tridiagonal_solve(d, b, partial_pivoting=False), diagonals, rhs, tolerance=1e-4)
    for make, arrays in (
        (tf.linalg.lu, [np.zeros((1, 30, 30), dtype)]),
        (tf.linalg.tridiagonal_solve, [np.zeros((3, 40), dtype), rhs[0]]),
    ):
        left, right = both_errors(make, *arrays)
        assert left == right


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("window,step", [(2, 2), (3, 1), (3, 2), (7, 3)])
def test_maxima_with_places(window, step, padding):
    x = RANDOM.randint(0, 9, (2, 11, 8, 5)).astype("f4")
    for with_batch in (False, True):

        def make(x, with_batch=with_batch):
            return tf.raw_ops.MaxPoolWithArgmax(
                input=x, ksize=[1, window, window, 1], strides=[1, step, step, 1], padding=padding,
                include_batch_in_index=with_batch,
            )  # fmt: skip

        agree(make, x)
        agree(make, np.where(x == 3, np.float32(np.nan), x))


@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_comparisons_and_sums_of_integers_that_broadcast(dtype):
    long = (90, 700)
    for left, right in (((700,), long), ((90, 1), long), ((700,), (90, 1)), ((4, 1, 700), (1, 9, 1)), ((), (1300,))):
        x, y = (np.asarray(RANDOM.randint(-9, 9, shape)).astype(dtype) for shape in (left, right))
        agree(lambda x, y: [tf.less(x, y), tf.equal(x, y), x + y, x * y, tf.maximum(x, y), x // (y * y + 1)], x, y)


@pytest.mark.parametrize("axes", [[0, 2], [1, 3], [0, 3], [0, 1, 3], [0, 2, 4]])
@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod"])
def test_reductions_along_axes_apart(name, axes):
    agree(lambda x: getattr(tf, "reduce_" + name)(x + 0.0, axes) * 2.0, RANDOM.rand(3, 4, 5, 2, 6).astype("f4") + 0.5)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_gamma_slopes(dtype):
    a = np.exp(RANDOM.uniform(-6, 12, 2000)).astype(dtype)
    x = (a * np.exp(RANDOM.randn(2000))).astype(dtype)
    ends = np.array([0, 1, -1, np.inf, np.nan, 0.5, 1e5, 1e6], dtype)
    with np.errstate(all="ignore"):
        for first, second in ((a, x), (ends[:, None], ends), (a[:1].reshape(()), x), (a[:6].reshape(2, 3, 1), x[:4])):
            agree(lambda a, x: tf.raw_ops.IgammaGradA(a=a, x=x), first, second)
            agree(lambda a, x: tf.raw_ops.RandomGammaGrad(alpha=a, sample=x), first, second)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("of_indices", ["i4", "i8"])
@pytest.mark.parametrize("adjoint_a", [False, True])
@pytest.mark.parametrize("adjoint_b", [False, True])
def test_sparse_product(dtype, of_indices, adjoint_a, adjoint_b):
    shape = (70, 50)
    indices = np.stack([RANDOM.randint(0, n, 300) for n in shape], 1).astype(of_indices)
    b = RANDOM.randn(70 if adjoint_a else 50, 9).astype(dtype)
    b[3, 2] = np.inf

    def product(i, x, b):
        return tf.raw_ops.SparseTensorDenseMatMul(
            a_indices=i, a_values=x, a_shape=np.array(shape), b=b, adjoint_a=adjoint_a, adjoint_b=adjoint_b
        )

    values = RANDOM.rand(300).astype(dtype)
    agree(product, indices, values, b.T.copy() if adjoint_b else b)
    agree(product, indices[:0], values[:0], b.T.copy() if adjoint_b else b)
    for wrong in (-1, 50, 1 << 30):
        indices[7, 1] = wrong
        with pytest.raises(tf.errors.InvalidArgumentError, match="out of bounds"):
            both(lambda i, x, b: product(i, x, b), indices, values, b.T.copy() if adjoint_b else b)


def ctc(batch, times, classes, longest, **kwargs):
    counts = RANDOM.randint(1, longest + 1, batch)
    indices = np.array([(b, k) for b in range(batch) for k in range(counts[b])], "i8")
    values = RANDOM.randint(0, classes - 1, len(indices)).astype("i4")
    return lambda x, n: tf.raw_ops.CTCLoss(
        inputs=x, labels_indices=indices, labels_values=values, sequence_length=n, **kwargs
    )


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("collapse", [True, False])
def test_ctc_loss(dtype, merge, collapse):
    lengths = RANDOM.randint(1, 41, 33).astype("i4")
    for scale in (0.1, 3.0, 40.0, 400.0):
        logits = (RANDOM.randn(40, 33, 6) * scale).astype(dtype)
        make = ctc(33, 40, 6, 9, ctc_merge_repeated=merge, preprocess_collapse_repeated=collapse,
                   ignore_longer_outputs_than_inputs=True)
        agree(make, logits, lengths, tolerance=1e-4 if dtype == "f4" else 1e-9)


def test_ctc_loss_of_probabilities_below_all_numbers():
    logits = np.zeros((300, 2, 5), "f8")
    logits[:, :, 4] = 40.0
    agree(ctc(2, 300, 5, 60), logits, np.array([300, 250], "i4"), tolerance=1e-9)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_ctc_loss_of_what_is_no_number(value):
    logits = RANDOM.randn(8, 4, 5).astype("f4")
    logits[2, 0, 1] = logits[7, 1, 1] = value
    logits[0, 3] = value
    with np.errstate(all="ignore"):
        agree(ctc(4, 8, 5, 2), logits, np.array([8, 7, 5, 8], "i4"))


@pytest.mark.parametrize("wrong", ["order", "batch", "class", "length", "short", "negative"])
def test_ctc_loss_refuses_what_numpy_refuses(wrong):
    indices, values = np.array([[0, 0], [0, 1], [1, 0]], "i8"), np.array([1, 0, 2], "i4")
    lengths = np.array([4, 3], "i4")
    if wrong == "order":
        indices[[0, 1]] = indices[[1, 0]]
    elif wrong == "batch":
        indices[2, 0] = 1 << 40
    elif wrong == "class":
        values[0] = 7
    elif wrong == "negative":
        values[2] = -1
    else:
        lengths[0] = {"length": 1 << 30, "short": 1}[wrong]
    messages = []
    for backend in ("numpy", "cffi"):
        with watching.chosen(backend), tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32, [None, None, None])
            loss = tf.raw_ops.CTCLoss(inputs=x, labels_indices=indices, labels_values=values, sequence_length=lengths)
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                session.run(loss, {x: RANDOM.randn(4, 2, 4)})
            messages.append(str(caught.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("adjoint", [True, False])
def test_triangular_systems(dtype, lower, adjoint):
    for shape, columns in (((1, 1), 1), ((3, 5, 5), 1), ((2, 2, 17, 17), 9)):
        matrix = (RANDOM.randn(*shape) + 5 * np.eye(shape[-1])).astype(dtype)
        rhs = RANDOM.randn(*shape[:-1], columns).astype(dtype)
        agree(lambda m, r: tf.linalg.triangular_solve(m, r, lower, adjoint), matrix, rhs)
    matrix[1, 1, 3, 3] = 0
    for error in both_errors(lambda m, r: tf.linalg.triangular_solve(m, r, lower, adjoint), matrix, rhs):
        assert "not invertible" in error


@pytest.mark.parametrize("bits", [2, 8, 16])
@pytest.mark.parametrize("narrow", [True, False])
@pytest.mark.parametrize("low, high", [(-3.0, 3.0), (-1.0, 4.7), (0.5, 2.0), (0.0, 0.0), (-2.0, -1.0), (2.0, -1.0)])
def test_steps_of_quantization(bits, narrow, low, high):
    special = [np.nan, np.inf, -np.inf, -0.0]
    x = np.concatenate([RANDOM.randn(3000) * 4, special, np.arange(-999, 999) / 32]).astype("f4")
    bounds = [np.array(bound, np.float32) for bound in (low, high)]

    def of_variables(x, low, high):
        return tf.fake_quant_with_min_max_vars(x, low, high, bits, narrow)

    with np.errstate(all="ignore"):
        agree(of_variables, x, *bounds, tolerance=0)
        if low < high:
            agree(lambda x: tf.fake_quant_with_min_max_args(x, low, high, bits, narrow), x, tolerance=0)


@pytest.mark.parametrize("overlapping", [True, False])
@pytest.mark.parametrize("pseudo", [True, False])
@pytest.mark.parametrize("name", ["max", "avg"])
def test_pools_of_regions_of_differing_sizes(name, pseudo, overlapping):
    for shape in ((1, 5, 4, 1), (3, 17, 19, 5)):
        x = RANDOM.randn(*shape).astype("f4")
        if name == "max":
            x.reshape(-1)[RANDOM.randint(0, x.size, x.size // 3)] = RANDOM.choice([np.nan, -np.inf, 1.0])

        def make(x):
            pool = getattr(tf.nn, f"fractional_{name}_pool")
            y = pool(x, [1.0, 1.4, 1.7, 1.0], pseudo, overlapping, deterministic=True, seed=3, seed2=4)
            return [*y, *tf.gradients(y[0] * y[0], x)]

        expected, got = both(make, x)
        for left, right in zip(expected, got, strict=True):
            assert left.dtype == right.dtype
            np.testing.assert_array_equal(right, left)


def test_borders_of_regions_are_checked():
    x, y = np.ones((1, 4, 4, 1), "f4"), np.ones((1, 2, 2, 1), "f4")
    good = np.array([0, 2, 4])
    for wrong in ([0, 2, 5], [-1, 2, 4], [0, 4, 4], [3, 2, 4]):
        for rows, columns in ((good, np.array(wrong)), (np.array(wrong), good)):
            largest, mean = (lambda x, y, r, c: tf.raw_ops.FractionalMaxPoolGrad(
                orig_input=x, orig_output=y, out_backprop=y, row_pooling_sequence=r, col_pooling_sequence=c
            ), lambda x, y, r, c: tf.raw_ops.FractionalAvgPoolGrad(
                orig_input_tensor_shape=tf.shape(x, out_type=tf.int64), out_backprop=y, row_pooling_sequence=r,
                col_pooling_sequence=c,
            ))  # fmt: skip
            for make in (largest, mean):
                for error in both_errors(make, x, y, rows, columns):
                    assert "pooling_sequence must grow" in error


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8"])
@pytest.mark.parametrize("shape", [(7, 300), (3, 5, 31), (700,), (40, 9)])
@pytest.mark.parametrize("k", [2, 5, 9, 64])
def test_largest_of_rows(k, shape, dtype):
    """With many that are equal, and NaN among floats, whose order NumPy knows."""
    if k > shape[-1]:
        return
    data = (RANDOM.randn(*shape) * 3).round(1).astype(dtype)
    agree(lambda x: tf.nn.top_k(x, k), data, tolerance=0)
    if dtype.startswith("f"):
        data.reshape(-1)[RANDOM.randint(0, data.size, data.size // 9)] = np.nan
        data.reshape(-1)[RANDOM.randint(0, data.size, 9)] = -0.0
        agree(lambda x: tf.nn.top_k(x, k), data, tolerance=0)
        agree(lambda x: tf.nn.top_k(x, k), np.full(shape, np.nan, dtype), tolerance=0)
    agree(lambda x: tf.nn.top_k(x, k), np.sort(data), tolerance=0)


def test_largest_after_an_update():
    """NaN among what an updated variable holds: what the program has changed stays as it is."""
    state = tf.get_variable("state", initializer=tf.zeros([40]), use_resource=True)
    x = tf.placeholder(tf.float32, [40])
    with tf.control_dependencies([state.assign_add(x * 2.0 + 1.0)]):
        values, places = tf.nn.top_k(tf.reshape(state.read_value() * 3.0, [5, 8]), 3)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        fed = np.arange(40, dtype="f4")
        fed[[3, 9, 10]] = np.nan
        found, where = session.run([values, places + 0], {x: fed})
        kept = session.run(state)
    expected = tf.nn.top_k(tf.placeholder(tf.float32), 3)
    with tf.Session() as session:
        rows = (kept * 3).reshape(5, 8)
        wanted = session.run(expected, {expected.values.op.inputs[0]: rows})
    np.testing.assert_array_equal(kept, fed * 2 + 1)
    np.testing.assert_array_equal(found, wanted.values)
    np.testing.assert_array_equal(where, wanted.indices)


@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_truncated_quotients(dtype, monkeypatch):
    monkeypatch.setattr("ossia_core.session.compile.regions.MIN_NODES", 1)
    limits = np.iinfo(dtype)
    x = np.concatenate([RANDOM.randint(-50, 50, 997), [limits.min, limits.min, limits.max]]).astype(dtype)
    y = np.concatenate([RANDOM.randint(1, 9, 997) * RANDOM.choice([-1, 1], 997), [-1, limits.min, -1]]).astype(dtype)
    for divide in (tf.truncatediv, tf.truncatemod):
        agree(divide, x, y)
        agree(divide, x, y[-1:])
        agree(divide, x[:1], y)
        y[5] = 0
        assert all("division by zero" in error for error in both_errors(divide, x, y))
        y[5] = 1


@pytest.mark.parametrize("dtype", ["f4", "i4", "i8", "?"])
@pytest.mark.parametrize("kind", ["i4", "i8"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_elements_by_several_indices(depth, kind, dtype, monkeypatch):
    monkeypatch.setattr("ossia_core.session.compile.regions.MIN_NODES", 1)
    params = (RANDOM.randn(5, 7, 3) * 9).astype(dtype)
    indices = (RANDOM.rand(4, 6, depth) * params.shape[:depth]).astype(kind)
    agree(tf.gather_nd, params, indices)
    agree(tf.gather_nd, params, indices[:, :0])
    for wrong in (-1, params.shape[depth - 1]):
        indices[2, 3, depth - 1] = wrong
        assert all("indices[2,3] = " in error for error in both_errors(tf.gather_nd, params, indices))


@pytest.mark.parametrize("dtype", ["f4", "i4", "i8", "?"])
@pytest.mark.parametrize("shape, repeats", [
    ((5, 7), (2, 3)), ((5, 7), (1, 2)), ((5, 7), (2, 1)), ((4, 1, 3), (2, 5, 2)), ((2, 3, 4), (2, 2, 2)),
    ((2, 3, 2, 2), (2, 1, 2, 2)), ((6,), (4,)), ((3, 2), (0, 2)), ((0, 2), (3, 2)), ((1, 3), (4, 1)),
])  # fmt: skip
def test_tiles(shape, repeats, dtype, monkeypatch):
    monkeypatch.setattr("ossia_core.session.compile.regions.MIN_NODES", 1)
    agree(lambda x: tf.tile(x, repeats), (RANDOM.randn(*shape) * 3).astype(dtype), tolerance=0)
    found = both(lambda x: tf.tile(x, repeats), np.ones(shape, dtype))[1]
    np.testing.assert_array_equal(found, np.ones(np.multiply(shape, repeats)))

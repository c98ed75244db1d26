"""What `families.py` times: for each op family, the fetches of its cases at three sizes; and why some are slow.

Inputs are variables, so that nothing is fed and nothing is known when the graph is made. Runs on Python 3.7.
"""
from __future__ import annotations

import collections

import numpy as np

RANDOM = np.random.RandomState(0)
FAMILIES = collections.OrderedDict()
# Why a case, or a family, is more than three times slower than TensorFlow 1.15; the benchmark's table shows them.
_TEXT = "strings are Python objects: a call and an object for each"
_PASSES = "NumPy makes a pass over memory for each operation; the C backend fuses them where it compiles the op"
_DOUBLE = "computed in float64 by series, block by block; compiled by the C backend but for the derivative of igamma and Bessel functions"
REASONS = {
    "elementwise": _PASSES,
    "elementwise/selu": "written with expm1 on NumPy, not compiled",
    "broadcasting": _PASSES,
    "broadcasting/row gradient": "the product and its sum are two passes",
    "reductions": _PASSES,
    "reductions/confusion_matrix": "a scatter into a small matrix, one number at a time",
    "reductions/in_top_k": "two comparisons of all predictions and their sums; a pass each",
    "sorting/in_top_k": "two comparisons of all predictions and their sums; a pass each",
    "reductions/histogram_fixed_width": "bins in float64, as NumPy counts them; a pass for each step",
    "arrays": _PASSES,
    "arrays/edit_distance": "a recurrence over positions; each step is a NumPy call on a row",
    "arrays/tile gradient": "strided copies of parts; the C backend copies element by element",
    "arrays/sequence_mask": "comparisons of integers go through one scalar loop of the C backend",
    "arrays/matrix_band_part": "a mask and a choice, one pass each",
    "segments": "rows are taken place by place: each row is moved twice",
    "convolutions": "NumPy has no kernel for windows by channel: a product and a sum for each element of the filter; the C backend has",
    "convolutions NCHW": "NumPy has no kernel for windows by channel; the C backend has, and transposes images",
    "pools": "a pass for each element of the window",
    "pools/extract_image_patches gradient": "a product with a sparse matrix, as the original builds it: rows are gathered place by place",
    "pools/fractional_max_pool": "windows of differing sizes are taken one offset after the other",
    "pools/fractional_avg_pool": "windows of differing sizes are taken one offset after the other",
    "pools/fractional_max_pool gradient": "scattered by places that are computed first",
    "pools/fractional_avg_pool gradient": "scattered by places that are computed first",
    "normalization": "sums over channels in float64, so that differences of running sums stay exact; a pass for each step",
    "candidate sampling": "draws of distinct classes go through sorted sets of numbers; counts that are learned are summed anew",
    "embeddings": "NumPy makes a pass for each term of an update; the C backend has them in one",
    "sparse": "places are numbered, compared and gathered in several passes",
    "sparse/cross hashed": _TEXT,
    "strings": _TEXT,
    "strings/regex_full_match": "a machine in Python that reads byte by byte, so that time stays linear in the text (decision 5)",
    "strings/regex_replace": "matches are found by re, and put together in Python, one by one",
    "strings/regex of a class": "matches are found by re, and put together in Python, one by one",
    "strings/hash fast": "strings of one length are hashed together; each has to be sorted by length and joined first",
    "strings/hash strong": "strings of one length are hashed together; each has to be sorted by length and joined first",
    "strings/hash": "strings of one length are hashed together; each has to be sorted by length and joined first",
    "random": "Philox with ten rounds of several NumPy passes; compiled are uniform, normal and truncated values of float32",
    "random/normal double": "the C library's log, sin and cos, number by number, for the original's last bits",
    "random/gamma": "rejection in rounds over all values that are left, each from a stream of its own, in double precision",
    "random/poisson": "rejection in rounds over all values that are left, each from a stream of its own, in double precision",
    "random/poisson of a high rate": "rejection in rounds over all values that are left, each from a stream of its own, in double precision",
    "random/shuffle": "Fisher and Yates swap one after the other; no order of the original's swaps but this one",
    "ctc/ctc_loss": "NumPy steps along time, some ten calls a step for all sequences together",
    "ctc/ctc_beam_search_decoder": "beams are extended, merged and ranked in Python, step by step",
    "tables": "a Python dict: a look-up and an object for each key",
    "linear algebra": "LAPACK through NumPy, with a call and copies for each batch",
    "linear algebra/cholesky_solve": "two triangular solutions, by general ones of LAPACK through NumPy",
    "linear algebra/logm": "a Schur decomposition in Python: the algorithm is sequential, and NumPy has none",
    "linear algebra/sqrtm": "a Schur decomposition in Python: the algorithm is sequential, and NumPy has none",
    "linear algebra/lu": "pivots column by column, for all matrices of a batch together",
    "linear algebra/tridiagonal_solve": "elimination row by row, for all systems of a batch together",
    "linear algebra/tridiagonal_solve, pivots": "elimination row by row, for all systems of a batch together",
    "quantization": "computed in float64, a pass for each step of the rounding",
    "quantized products": "computed in whole numbers by NumPy, whose products of integers use no vectors",
    "special functions": _DOUBLE,
    "special functions/popcount": "bits are added in several passes",
    "signal": "NumPy's transforms compute in double precision",
    "rnn": "a step of a loop is some twenty NumPy calls; the C backend compiles the loop",
    "updates": "NumPy makes a pass for each term",
}


def family(name, *sizes):
    """Register a family: `f(tf, size)` yields (case, fetch)."""

    def register(function):
        FAMILIES[name] = function, sizes
        return function

    return register


def build(tf, name, size):
    """(case, fetch) of a family at size 0, 1 or 2."""
    function, sizes = FAMILIES[name]
    RANDOM.seed(0)
    return function(tf, sizes[size])


def held(tf, value, dtype=None):
    """A variable of a value."""
    return tf.Variable(value, trainable=False, dtype=dtype)


def floats(tf, *shape):
    """Standard normal float32 numbers."""
    return held(tf, RANDOM.randn(*shape).astype("f4"))


def positive(tf, *shape):
    """Numbers between 0.1 and 1.1."""
    return held(tf, (RANDOM.rand(*shape) + 0.1).astype("f4"))


def ints(tf, limit, *shape):
    """Random int32 numbers below a limit."""
    return held(tf, RANDOM.randint(0, limit, shape).astype("i4"))


def slope(tf, y, *xs):
    """The gradients of y."""
    return tf.gradients(y, list(xs))


@family("elementwise", 1_000, 100_000, 1_000_000)
def elementwise(tf, n):
    """Unary and binary ops on vectors."""
    x, y, p = floats(tf, n), floats(tf, n), positive(tf, n)
    i, j, b = ints(tf, 1000, n), held(tf, RANDOM.randint(1, 1000, n).astype("i4")), held(tf, RANDOM.rand(n) > 0.5)
    h, d = held(tf, RANDOM.randn(n).astype("f2")), held(tf, RANDOM.randn(n))
    for name in "add multiply subtract divide maximum squared_difference greater".split():
        yield name, getattr(tf, name)(x, y)
    for name in "exp tanh sigmoid sin cos square abs negative sign floor round is_nan erf atan".split():
        yield name, getattr(tf, name)(x)
    for name in "log sqrt rsqrt log1p reciprocal".split():
        yield name, getattr(tf, name)(p)
    for name in "relu relu6 elu selu softplus softsign leaky_relu".split():
        yield name, getattr(tf.nn, name)(x)
    yield "pow", tf.pow(p, y)
    yield "atan2", tf.atan2(x, y)
    yield "clip_by_value", tf.clip_by_value(x, -0.5, 0.5)
    yield "where", tf.where(b, x, y)
    yield "logical_and", tf.logical_and(b, b)
    yield "add_n", tf.add_n([x, y, p, x])
    yield "cast to int", tf.cast(x, tf.int32)
    yield "cast to half", tf.cast(x, tf.float16)
    yield "add int32", i + j
    yield "floordiv int32", i // j
    yield "floormod int32", i % j
    yield "bitwise_and", tf.bitwise.bitwise_and(i, j)
    yield "add half", h + h
    yield "exp double", tf.exp(d)
    yield "multiply complex64", tf.complex(x, y) * tf.complex(y, x)
    for name in "tanh sigmoid exp".split():
        yield name + " gradient", slope(tf, getattr(tf, name)(x), x)
    for name in "elu softplus relu".split():
        yield name + " gradient", slope(tf, getattr(tf.nn, name)(x), x)
    yield "divide gradient", slope(tf, x / p, x, p)
    yield "pow gradient", slope(tf, tf.pow(p, y), p, y)
    yield "maximum gradient", slope(tf, tf.maximum(x, y), x, y)


@family("broadcasting", 10, 300, 1000)
def broadcasting(tf, n):
    """Operands of different shapes."""
    x, row, column, cube = floats(tf, n, n), floats(tf, n), floats(tf, n, 1), floats(tf, 4, n, n)
    yield "matrix + row", x + row
    yield "matrix * column", x * column
    yield "row - column", row - column
    yield "cube + matrix", cube + x
    yield "matrix + scalar", x + 1.5
    yield "maximum with row", tf.maximum(x, row)
    yield "greater than column", tf.greater(x, column)
    yield "broadcast_to", tf.broadcast_to(row, [n, n])
    yield "row gradient", slope(tf, x * row, row)
    yield "column gradient", slope(tf, x * column, column)
    yield "bias_add", tf.nn.bias_add(x, row)
    yield "bias_add gradient", slope(tf, tf.nn.bias_add(x, row), row)


@family("reductions", 10, 300, 1000)
def reductions(tf, n):
    """Sums, extremes and what is made of them."""
    x, p, b = floats(tf, n, n), positive(tf, n, n), held(tf, RANDOM.rand(n, n) > 0.5)
    cube, i = floats(tf, max(n // 10, 1), 10, n), ints(tf, 100, n, n)
    for name in "sum mean max".split():
        reduce = getattr(tf, "reduce_" + name)
        yield name, reduce(x)
        yield name + " of columns", reduce(x, 0)
        yield name + " of rows", reduce(x, 1)
        yield name + " of the outer axes", reduce(cube, [0, 1])
        yield name + " of the first and last axis", reduce(cube, [0, 2])
        yield name + " gradient", slope(tf, reduce(x, 1), x)
    yield "min of rows", tf.reduce_min(x, 1)
    yield "prod of rows", tf.reduce_prod(p, 1)
    yield "prod gradient", slope(tf, tf.reduce_prod(p, 1), p)
    yield "all of rows", tf.reduce_all(b, 1)
    yield "any of columns", tf.reduce_any(b, 0)
    yield "sum int32", tf.reduce_sum(i, 1)
    yield "argmax of rows", tf.argmax(x, 1)
    yield "argmax of columns", tf.argmax(x, 0)
    yield "argmin of rows", tf.argmin(x, 1)
    yield "logsumexp", tf.reduce_logsumexp(x, 1)
    yield "count_nonzero", tf.count_nonzero(x)
    yield "moments", tf.nn.moments(x, [0])
    yield "l2_loss", tf.nn.l2_loss(x)
    yield "l2_normalize", tf.nn.l2_normalize(x, 1)
    yield "zero_fraction", tf.nn.zero_fraction(x)
    yield "clip_by_norm", tf.clip_by_norm(x, 1.0)
    yield "global_norm", tf.global_norm([x, p])
    yield "norm", tf.norm(x, axis=1)
    yield "bincount", tf.bincount(i)
    yield "histogram_fixed_width", tf.histogram_fixed_width(x, [-2.0, 2.0])
    yield "confusion_matrix", tf.confusion_matrix(tf.reshape(i, [-1]), tf.reshape(i, [-1]), 100)
    yield "in_top_k", tf.nn.in_top_k(x, tf.minimum(i[:, 0], n - 1), 5)


@family("cumulative", 10, 300, 1000)
def cumulative(tf, n):
    """Running sums and products."""
    x = positive(tf, n, n)
    yield "cumsum of columns", tf.cumsum(x, 0)
    yield "cumsum of rows", tf.cumsum(x, 1)
    yield "cumsum exclusive reverse", tf.cumsum(x, 1, exclusive=True, reverse=True)
    yield "cumprod", tf.cumprod(x, 1)
    yield "cumsum gradient", slope(tf, tf.cumsum(x, 1), x)
    yield "cumprod gradient", slope(tf, tf.cumprod(x, 1), x)


@family("matmul", 16, 128, 512)
def matmul(tf, n):
    """Matrix products."""
    x, y, d = floats(tf, n, n), floats(tf, n, n), held(tf, RANDOM.randn(n, n))
    batch, small, i = floats(tf, 8, n, n // 4), floats(tf, n * 4, 4, 4), ints(tf, 9, n, n)
    yield "matmul", tf.matmul(x, y)
    yield "transpose_b", tf.matmul(x, y, transpose_b=True)
    yield "matmul gradient", slope(tf, tf.matmul(x, y), x, y)
    yield "matmul double", tf.matmul(d, d)
    yield "matmul int32", tf.matmul(i, i)
    yield "matvec", tf.linalg.matvec(x, y[0])
    yield "batch", tf.matmul(batch, batch, transpose_b=True)
    yield "batch of 4x4", tf.matmul(small, small)
    yield "batch gradient", slope(tf, tf.matmul(batch, batch, transpose_a=True), batch)


@family("einsum", 8, 32, 96)
def einsum(tf, n):
    """Contractions."""
    x, y, z = floats(tf, n, n), floats(tf, n, n), floats(tf, n, 8, n)
    yield "einsum ij,jk->ik", tf.einsum("ij,jk->ik", x, y)
    yield "einsum bij,jk->bik", tf.einsum("bij,jk->bik", z, x)
    yield "einsum bij,bkj->bik", tf.einsum("bij,bkj->bik", z, z)
    yield "tensordot", tf.tensordot(z, x, 1)
    yield "tensordot of axes", tf.tensordot(z, z, [[1, 2], [1, 2]])
    yield "tensordot gradient", slope(tf, tf.tensordot(z, x, 1), z, x)


@family("arrays", 10, 300, 1000)
def arrays(tf, n):
    """Copies in other orders."""
    x, y, row = floats(tf, n, n), floats(tf, n, n), floats(tf, n)
    rows, image, places = ints(tf, n, n), floats(tf, 4, max(n // 4, 2), max(n // 4, 2), 4), ints(tf, n, n, 2)
    many = held(tf, RANDOM.randint(0, 1000, n * n).astype("i4"))
    b, shape = held(tf, RANDOM.rand(n, n) > 0.5), held(tf, np.array([n, n], "i4"))
    yield "concat of rows", tf.concat([x, y], 0)
    yield "concat of columns", tf.concat([x, y], 1)
    yield "stack", tf.stack([x, y])
    yield "stack of columns", tf.stack([x, y], 2)
    yield "unstack", tf.unstack(x, axis=0)[:5]
    yield "split", tf.split(x, 2, 1)
    yield "slice", tf.slice(x, [1, 1], [n // 2, n // 2])
    yield "strided_slice", x[::2, 1:-1:3]
    yield "strided_slice reversed", x[::-1, ::-2]
    yield "strided_slice gradient", slope(tf, x[::2, 1:-1:3], x)
    yield "gather", tf.gather(x, rows)
    yield "gather of columns", tf.gather(x, rows, axis=1)
    yield "gather gradient", slope(
        tf, tf.gather(x + 0.0, rows), x
    )
    yield "gather_nd", tf.gather_nd(x, places)
    yield "gather_nd rows", tf.gather_nd(x, rows[:, None])
    yield "gather_nd gradient", slope(tf, tf.gather_nd(x + 0.0, places), x)
    yield "batch_gather", tf.batch_gather(x, tf.tile(rows[None, :5], [n, 1]))
    yield "scatter_nd", tf.scatter_nd(places, row, [n, n])
    yield "scatter_nd of rows", tf.scatter_nd(rows[:, None], x, [n, n])
    yield "tensor_scatter_update", tf.tensor_scatter_update(x, places, row)
    yield "tensor_scatter_add", tf.tensor_scatter_add(x, places, row)
    yield "pad", tf.pad(x, [[1, 1], [2, 2]])
    yield "pad mirror", tf.pad(x, [[1, 1], [2, 2]], "REFLECT")
    yield "pad gradient", slope(tf, tf.pad(x, [[1, 1], [2, 2]]), x)
    yield "pad mirror gradient", slope(tf, tf.pad(x, [[1, 1], [2, 2]], "SYMMETRIC"), x)
    yield "tile", tf.tile(x, [2, 2])
    yield "tile gradient", slope(tf, tf.tile(x, [2, 2]), x)
    yield "reverse", tf.reverse(x, [0, 1])
    yield "reverse_sequence", tf.reverse_sequence(x, rows, seq_axis=1, batch_axis=0)
    yield "transpose", tf.transpose(x)
    yield "transpose of 4", tf.transpose(image, [0, 3, 1, 2])
    yield "one_hot", tf.one_hot(rows, n)
    yield "where", tf.where(b)
    yield "where of 3", tf.where(b, x, y)
    yield "boolean_mask", tf.boolean_mask(x, b)
    yield "unique", tf.unique(many)
    yield "unique_with_counts", tf.unique_with_counts(many)
    yield "setdiff1d", tf.setdiff1d(many, rows)
    yield "invert_permutation", tf.invert_permutation(tf.random_shuffle(tf.range(n)))
    yield "range", tf.range(shape[0] * 100)
    yield "fill", tf.fill(shape, 1.0)
    yield "zeros_like", tf.zeros_like(x)
    yield "eye", tf.eye(shape[0])
    yield "diag", tf.diag(row)
    yield "matrix_diag", tf.matrix_diag(x[:20])
    yield "matrix_band_part", tf.matrix_band_part(x, 3, 3)
    yield "sequence_mask", tf.sequence_mask(rows, n)
    yield "meshgrid", tf.meshgrid(row, row)
    yield "roll", tf.roll(x, [3], [1])
    yield "dynamic_partition", tf.dynamic_partition(x, tf.mod(rows, 4), 4)
    yield "dynamic_stitch", tf.dynamic_stitch([tf.range(n), rows], [x, y])
    yield "searchsorted", tf.searchsorted(tf.cumsum(tf.abs(x), 1), tf.abs(y))
    yield "bitcast", tf.bitcast(x, tf.int32)
    yield "expand and squeeze", tf.squeeze(tf.expand_dims(x, 0), 0)
    yield "edit_distance", tf.edit_distance(
        tf.SparseTensor(tf.constant([[0, i] for i in range(min(n, 50))], tf.int64), tf.cast(rows[: min(n, 50)], tf.int64), [1, 50]),
        tf.SparseTensor(tf.constant([[0, i] for i in range(min(n, 40))], tf.int64), tf.cast(rows[: min(n, 40)], tf.int64), [1, 50]),
    )


@family("sorting", 10, 300, 1000)
def sorting(tf, n):
    """Orders."""
    x, v, i = floats(tf, n, n), floats(tf, n * n), ints(tf, 10**6, n, n)
    yield "top_k 5 of rows", tf.nn.top_k(x, 5)
    yield "top_k 1", tf.nn.top_k(x, 1)
    yield "top_k of all", tf.nn.top_k(x, n)
    yield "top_k of a long row", tf.nn.top_k(v, 10)
    yield "top_k gradient", slope(tf, tf.nn.top_k(x, 5)[0], x)
    yield "top_k int32", tf.nn.top_k(i, 5)
    yield "sort", tf.sort(x)
    yield "argsort", tf.argsort(x)
    yield "sort descending", tf.sort(x, direction="DESCENDING")
    yield "nth_element", tf.raw_ops.NthElement(input=x, n=3)
    yield "in_top_k", tf.nn.in_top_k(x, tf.mod(i[:, 0], n), 5)


@family("segments", 100, 10_000, 100_000)
def segments(tf, n):
    """Sums and extremes of groups of rows."""
    x, flat = floats(tf, n, 16), floats(tf, n)
    ids = held(tf, np.sort(RANDOM.randint(0, n // 4 + 1, n)).astype("i4"))
    mixed, rows = ints(tf, n // 4, n), ints(tf, n, n)
    for name in "sum mean max prod".split():
        yield "segment_" + name, getattr(tf, "segment_" + name)(x, ids)
        yield "unsorted_segment_" + name, getattr(tf, "unsorted_segment_" + name)(x, mixed, n // 4)
    yield "unsorted_segment_sum of a vector", tf.unsorted_segment_sum(flat, mixed, n // 4)
    yield "segment_sum of a vector", tf.segment_sum(flat, ids)
    for name in "sum mean sqrt_n".split():
        yield "sparse_segment_" + name, getattr(tf, "sparse_segment_" + name)(x, rows, ids)
    yield "segment_sum gradient", slope(tf, tf.segment_sum(x, ids), x)
    yield "segment_max gradient", slope(tf, tf.segment_max(x, ids), x)
    yield "unsorted_segment_sum gradient", slope(tf, tf.unsorted_segment_sum(x, mixed, n // 4), x)
    yield "unsorted_segment_max gradient", slope(tf, tf.unsorted_segment_max(x, mixed, n // 4), x)
    yield "sparse_segment_mean gradient", slope(tf, tf.sparse_segment_mean(x + 0.0, rows, ids), x)


@family("convolutions", (1, 8, 3), (8, 28, 16), (16, 56, 32))
def convolutions(tf, size):
    """Convolutions of one to three dimensions and their gradients."""
    b, w, c = size
    x, k = floats(tf, b, w, w, c), floats(tf, 3, 3, c, 2 * c)
    k1, k5 = floats(tf, 1, 1, c, 2 * c), floats(tf, 5, 5, c, c)
    flipped = floats(tf, b, c, w, w)
    line, kl = floats(tf, b, w * 4, c), floats(tf, 3, c, 2 * c)
    deep, kd = floats(tf, b, w // 4, w // 2, w // 2, c), floats(tf, 3, 3, 3, c, c)
    d, point = floats(tf, 3, 3, c, 2), floats(tf, 1, 1, 2 * c, c)
    back = floats(tf, 3, 3, c, 2 * c)

    def both(name, y, *xs):
        yield name, y
        for label, of in zip(("input", "filter"), xs):
            yield name + " gradient, " + label, slope(tf, y, of)

    conv = tf.nn.conv2d
    for case in (
        both("conv2d 3x3", conv(x, k, [1, 1, 1, 1], "SAME"), x, k),
        both("conv2d 1x1", conv(x, k1, [1, 1, 1, 1], "SAME"), x, k1),
        both("conv2d 5x5 valid", conv(x, k5, [1, 1, 1, 1], "VALID"), x, k5),
        both("conv2d strides 2", conv(x, k, [1, 2, 2, 1], "SAME"), x, k),
        both("conv2d dilated", tf.nn.convolution(x, k, "SAME", dilation_rate=[2, 2]), x, k),
        both("atrous_conv2d", tf.nn.atrous_conv2d(x, k, 2, "VALID"), x, k),
        both("conv1d", tf.nn.conv1d(line, kl, 1, "SAME"), line, kl),
        both("conv3d", tf.nn.conv3d(deep, kd, [1] * 5, "SAME"), deep, kd),
        both("conv3d strides 2", tf.nn.conv3d(deep, kd, [1, 2, 2, 2, 1], "SAME"), deep, kd),
        both("depthwise", tf.nn.depthwise_conv2d(x, d, [1, 1, 1, 1], "SAME"), x, d),
        both("depthwise strides 2", tf.nn.depthwise_conv2d(x, d, [1, 2, 2, 1], "SAME"), x, d),
        both("separable", tf.nn.separable_conv2d(x, d, point, [1, 1, 1, 1], "SAME"), x, d),
        both("conv2d_transpose", tf.nn.conv2d_transpose(
            tf.identity(conv(x, k, [1, 2, 2, 1], "SAME")), back, [b, w, w, c], [1, 2, 2, 1]), x, back),
        both("conv3d_transpose", tf.nn.conv3d_transpose(
            deep, kd, [b, w // 4 * 2, w, w, c], [1, 2, 2, 2, 1], "SAME"), deep, kd),
    ):
        yield from case
    del flipped


@family("convolutions NCHW", (1, 8, 3), (8, 28, 16), (16, 56, 32))
def convolutions_nchw(tf, size):
    """Channels first. TensorFlow 1.15 has no such kernels on the CPU; the cases stand beside its NHWC ones."""
    b, w, c = size
    theirs = not hasattr(tf, "__file__") or "ossia" not in tf.__name__
    x, k, d = floats(tf, b, w, w, c) if theirs else floats(tf, b, c, w, w), floats(tf, 3, 3, c, 2 * c), floats(tf, 3, 3, c, 2)
    form = "NHWC" if theirs else "NCHW"

    def four(n):
        return [1, n, n, 1] if theirs else [1, 1, n, n]

    y = tf.nn.conv2d(x, k, four(1), "SAME", data_format=form)
    yield "conv2d", y
    yield "conv2d gradient, input", slope(tf, y, x)
    yield "conv2d gradient, filter", slope(tf, y, k)
    yield "conv2d strides 2", tf.nn.conv2d(x, k, four(2), "SAME", data_format=form)
    yield "max_pool", tf.nn.max_pool(x, four(2), four(2), "SAME", data_format=form)
    yield "avg_pool", tf.nn.avg_pool(x, four(2), four(2), "SAME", data_format=form)
    yield "depthwise", tf.nn.depthwise_conv2d(x, d, four(1), "SAME", data_format=form)
    scale = positive(tf, c)
    yield "fused_batch_norm", tf.nn.fused_batch_norm(x, scale, scale, data_format=form)[0]
    yield "bias_add", tf.nn.bias_add(x, scale, data_format=form)


@family("pools", (1, 8, 3), (8, 28, 16), (16, 56, 32))
def pools(tf, size):
    """Pooling and what works on windows."""
    b, w, c = size
    x, deep = floats(tf, b, w, w, c), floats(tf, b, w // 4, w // 2, w // 2, c)
    line = floats(tf, b, w * 4, c)
    kernel = floats(tf, 3, 3, c)
    for name in "max avg".split():
        pool = getattr(tf.nn, name + "_pool")
        y = pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
        yield name + "_pool 2x2", y
        yield name + "_pool 2x2 gradient", slope(tf, y, x)
        y = pool(x, [1, 3, 3, 1], [1, 1, 1, 1], "SAME")
        yield name + "_pool 3x3 by 1", y
        yield name + "_pool 3x3 by 1 gradient", slope(tf, y, x)
        y = getattr(tf.nn, name + "_pool3d")(deep, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "SAME")
        yield name + "_pool3d", y
        yield name + "_pool3d gradient", slope(tf, y, deep)
    yield "max_pool1d", tf.nn.max_pool1d(line, 2, 2, "SAME")
    y = tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    yield "max_pool_with_argmax", y
    yield "max_pool_with_argmax gradient", slope(tf, y[0], x)
    for name in "max avg".split():
        y = getattr(tf.nn, "fractional_%s_pool" % name)(x, [1.0, 1.4, 1.5, 1.0])[0]
        yield "fractional_%s_pool" % name, y
        yield "fractional_%s_pool gradient" % name, slope(tf, y, x)
    y = tf.nn.dilation2d(x, kernel, strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="SAME")
    yield "dilation2d", y
    yield "dilation2d gradient, input", slope(tf, y, x)
    yield "dilation2d gradient, filter", slope(tf, y, kernel)
    yield "erosion2d", tf.nn.erosion2d(x, kernel, [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
    y = tf.extract_image_patches(x, [1, 3, 3, 1], [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
    yield "extract_image_patches", y
    yield "extract_image_patches gradient", slope(tf, y, x)
    yield "space_to_depth", tf.space_to_depth(x, 2)
    yield "depth_to_space", tf.depth_to_space(tf.concat([x] * 4, 3), 2)
    yield "space_to_batch", tf.space_to_batch(x, [[0, 0], [0, 0]], 2)
    yield "batch_to_space", tf.batch_to_space(tf.concat([x] * 4, 0), [[0, 0], [0, 0]], 2)


@family("normalization", (1, 8, 4), (8, 28, 16), (16, 56, 32))
def normalization(tf, size):
    """Batch norm and local response."""
    b, w, c = size
    x, scale, shift, variance = floats(tf, b, w, w, c), positive(tf, c), floats(tf, c), positive(tf, c)
    y = tf.nn.fused_batch_norm(x, scale, shift)[0]
    yield "fused_batch_norm training", y
    yield "fused_batch_norm training gradient", slope(tf, y, x, scale, shift)
    y = tf.nn.fused_batch_norm(x, scale, shift, mean=shift, variance=variance, is_training=False)[0]
    yield "fused_batch_norm inference", y
    yield "fused_batch_norm inference gradient", slope(tf, y, x, scale, shift)
    mean, spread = tf.nn.moments(x, [0, 1, 2])
    y = tf.nn.batch_normalization(x, mean, spread, shift, scale, 1e-3)
    yield "batch_normalization", y
    yield "batch_normalization gradient", slope(tf, y, x)
    y = tf.nn.lrn(x)
    yield "lrn", y
    yield "lrn gradient", slope(tf, y, x)
    yield "moments", tf.nn.moments(x, [0, 1, 2])


@family("losses", (8, 10), (128, 100), (512, 1000))
def losses(tf, size):
    """Softmax and cross entropies."""
    n, m = size
    x, p, ids = floats(tf, n, m), positive(tf, n, m), ints(tf, m, n)
    yield "softmax", tf.nn.softmax(x)
    yield "softmax gradient", slope(tf, tf.nn.softmax(x), x)
    yield "log_softmax", tf.nn.log_softmax(x)
    yield "log_softmax gradient", slope(tf, tf.nn.log_softmax(x), x)
    y = tf.nn.softmax_cross_entropy_with_logits_v2(labels=p, logits=x)
    yield "softmax_cross_entropy", y
    yield "softmax_cross_entropy gradient", slope(tf, y, x)
    y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=x)
    yield "sparse_softmax_cross_entropy", y
    yield "sparse_softmax_cross_entropy gradient", slope(tf, y, x)
    y = tf.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=x)
    yield "sigmoid_cross_entropy", y
    yield "sigmoid_cross_entropy gradient", slope(tf, y, x)
    yield "weighted_cross_entropy", tf.nn.weighted_cross_entropy_with_logits(p, x, 2.0)
    yield "log_poisson_loss", tf.nn.log_poisson_loss(p, x)
    yield "dropout", tf.nn.dropout(x, rate=0.4)
    yield "dropout gradient", slope(tf, tf.nn.dropout(x, rate=0.4), x)


@family("ctc", (10, 2, 8), (50, 8, 30), (150, 16, 60))
def ctc(tf, size):
    """Connectionist temporal classification."""
    t, b, c = size
    x, lengths = floats(tf, t, b, c), held(tf, np.full(b, t, "i4"))
    count = t // 3
    places = np.array([[i, j] for i in range(b) for j in range(count)], "i8")
    labels = tf.SparseTensor(places, ints(tf, c - 1, b * count), [b, count])
    y = tf.nn.ctc_loss(labels, x, lengths, ctc_merge_repeated=True)
    yield "ctc_loss", y
    yield "ctc_loss gradient", slope(tf, y, x)
    decoded, scores = tf.nn.ctc_greedy_decoder(x, lengths)
    yield "ctc_greedy_decoder", [decoded[0].values, scores]
    decoded, scores = tf.nn.ctc_beam_search_decoder(x, lengths, beam_width=20)
    yield "ctc_beam_search_decoder", [decoded[0].values, scores]


@family("embeddings", (1000, 16), (50_000, 256), (1_000_000, 2048))
def embeddings(tf, size):
    """Rows of tables of 64 columns."""
    rows, n = size
    table = tf.Variable(tf.fill([rows, 64], 0.01))
    ids, few = ints(tf, rows, n), ints(tf, rows, n // 4 * 4)
    y = tf.nn.embedding_lookup(table, ids)
    yield "embedding_lookup", y
    grad = tf.gradients(tf.reduce_sum(tf.square(y)), table)[0]
    yield "embedding_lookup gradient", [grad.values, grad.indices]
    yield "gradient descent", tf.train.GradientDescentOptimizer(0.1).apply_gradients([(grad, table)])
    yield "Adagrad", tf.train.AdagradOptimizer(0.1).apply_gradients([(grad, table)])
    yield "momentum", tf.train.MomentumOptimizer(0.1, 0.9).apply_gradients([(grad, table)])
    yield "scatter_update", tf.scatter_update(table, ids, y).op
    yield "scatter_add", tf.scatter_add(table, ids, y).op
    parts = [tf.Variable(tf.fill([rows // 4, 64], 0.01)) for _ in range(4)]
    y = tf.nn.embedding_lookup(parts, ids)
    yield "embedding_lookup in 4 parts", y
    places = tf.stack([tf.cast(tf.range(n // 4 * 4) // 4, tf.int64), tf.cast(tf.range(n // 4 * 4) % 4, tf.int64)], 1)
    sparse = tf.SparseTensor(places, few, [n // 4, 4])
    y = tf.nn.embedding_lookup_sparse(table, sparse, None, combiner="mean")
    yield "embedding_lookup_sparse", y
    grad = tf.gradients(tf.reduce_sum(tf.square(y)), table)[0]
    yield "embedding_lookup_sparse gradient", [grad.values, grad.indices]
    weights = tf.SparseTensor(places, positive(tf, n // 4 * 4), [n // 4, 4])
    yield "embedding_lookup_sparse weighted", tf.nn.embedding_lookup_sparse(table, sparse, weights, combiner="sqrtn")
    yield "safe_embedding_lookup_sparse", tf.nn.safe_embedding_lookup_sparse([table], sparse)


@family("candidate sampling", (100, 8), (10_000, 64), (1_000_000, 512))
def candidate_sampling(tf, size):
    """Negatives."""
    classes, n = size
    true = held(tf, RANDOM.randint(0, classes, (n, 1)).astype("i8"))
    w, bias, h = tf.Variable(tf.fill([classes, 16], 0.1)), tf.Variable(tf.zeros([classes])), floats(tf, n, 16)
    for name in "log_uniform uniform learned_unigram".split():
        yield name, list(getattr(tf.nn if name != "log_uniform" else tf.random, name + "_candidate_sampler")(
            true, 1, n, True, classes
        ))
        yield name + " repeated", list(getattr(tf.nn if name != "log_uniform" else tf.random, name + "_candidate_sampler")(
            true, 1, n, False, classes
        ))
    yield "fixed_unigram", list(tf.nn.fixed_unigram_candidate_sampler(
        true % 50, 1, min(n, 20), True, 50, unigrams=[float(i + 1) for i in range(50)]
    ))
    ids = tf.random.log_uniform_candidate_sampler(true, 1, n, True, classes)[0]
    yield "compute_accidental_hits", list(tf.nn.compute_accidental_hits(true, ids, 1))
    yield "nce_loss", tf.nn.nce_loss(w, bias, true, h, n, classes)
    yield "nce_loss gradient", slope(tf, tf.nn.nce_loss(w, bias, true, h, n, classes), h)
    yield "sampled_softmax_loss", tf.nn.sampled_softmax_loss(w, bias, true, h, n, classes)
    yield "sampled_softmax_loss gradient", slope(tf, tf.nn.sampled_softmax_loss(w, bias, true, h, n, classes), h)


@family("sparse", 10, 200, 1000)
def sparse(tf, n):
    """Sparse tensors with a tenth of n x n entries."""
    count = n * n // 10
    places = np.sort(RANDOM.choice(n * n, count, replace=False))
    indices = np.stack([places // n, places % n], 1)
    mixed = RANDOM.permutation(count)
    a = tf.SparseTensor(held(tf, indices), floats(tf, count), [n, n])
    b = tf.SparseTensor(held(tf, indices[::2]), floats(tf, len(indices[::2])), [n, n])
    loose = tf.SparseTensor(held(tf, indices[mixed]), floats(tf, count), [n, n])
    dense, ids = floats(tf, n, n), tf.SparseTensor(a.indices, ints(tf, n, count), a.dense_shape)
    yield "to_dense", tf.sparse.to_dense(a)
    yield "sparse_to_dense", tf.sparse_to_dense(a.indices, [n, n], a.values)
    yield "from_dense", tf.sparse.from_dense(tf.nn.relu(dense)).values
    y = tf.sparse.matmul(a, dense)
    yield "matmul", y
    yield "matmul gradient", slope(tf, y, a.values, dense)
    yield "matmul adjoint", tf.sparse.matmul(a, dense, adjoint_a=True)
    yield "reorder", tf.sparse.reorder(loose).values
    yield "add", tf.sparse.add(a, b).values
    yield "add dense", tf.sparse.add(a, dense)
    yield "concat", tf.sparse.concat(1, [a, b]).values
    yield "split", [each.values for each in tf.sparse.split(sp_input=a, num_split=2, axis=1)]
    yield "slice", tf.sparse.slice(a, [1, 1], [n // 2, n // 2]).values
    yield "reshape", tf.sparse.reshape(a, [n * n]).indices
    yield "transpose", tf.sparse.transpose(a).values
    yield "softmax", tf.sparse.softmax(a).values
    yield "reduce_sum", tf.sparse.reduce_sum(a, 1)
    yield "reduce_max", tf.sparse.reduce_max(a, 1)
    yield "reduce_sum gradient", slope(tf, tf.sparse.reduce_sum(a, 1), a.values)
    yield "multiply dense", (a * dense).values
    yield "maximum", tf.sparse.maximum(a, b).values
    yield "retain", tf.sparse.retain(a, tf.greater(a.values, 0)).values
    yield "fill_empty_rows", tf.sparse.fill_empty_rows(a, 0.0)[0].values
    yield "to_indicator", tf.sparse.to_indicator(ids, n)
    yield "merge", tf.sparse.merge(ids, a, n).values
    yield "cross hashed", tf.sparse.cross_hashed([ids_as_int64(tf, ids, n)] * 2, 1000).values
    yield "set_intersection", tf.sets.intersection(
        tf.cast(tf.sort(tf.cast(dense * 100, tf.int32)[:, :20]), tf.int64), tf.cast(tf.cast(dense[:, :20] * 90, tf.int32), tf.int64)
    ).values
    yield "tensor_dense_matmul vector", tf.sparse.matmul(a, dense[:, :1])


def ids_as_int64(tf, ids, n):
    """The first rows of a sparse tensor, in int64."""
    few = tf.sparse.slice(ids, [0, 0], [min(n, 50), 20])
    return tf.SparseTensor(few.indices, tf.cast(few.values, tf.int64), few.dense_shape)


@family("strings", 10, 1000, 20_000)
def strings(tf, n):
    """Strings of a few words."""
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta-7", "eta_42"]
    texts = [" ".join(words[k] for k in RANDOM.randint(0, 7, 4)) + " %d" % i for i in range(n)]
    x = held(tf, np.array(texts, object), tf.string)
    numbers = held(tf, np.array(["%.4f" % v for v in RANDOM.randn(n)], object), tf.string)
    values, whole = floats(tf, n), ints(tf, 10**6, n)
    yield "string_split", tf.string_split(x, " ").values
    yield "strings.split", tf.strings.split(x).values
    yield "join", tf.strings.join([x, numbers], "-")
    yield "reduce_join", tf.reduce_join(tf.reshape(x, [-1, 10]), 1, separator=" ")
    yield "to_number", tf.string_to_number(numbers)
    yield "to_number int64", tf.string_to_number(tf.as_string(whole), tf.int64)
    yield "as_string float", tf.as_string(values)
    yield "as_string int", tf.as_string(whole)
    yield "hash fast", tf.string_to_hash_bucket_fast(x, 1000)
    yield "hash strong", tf.string_to_hash_bucket_strong(x, 1000, [1, 2])
    yield "hash", tf.string_to_hash_bucket(x, 1000)
    yield "substr", tf.strings.substr(x, 2, 5)
    yield "length", tf.strings.length(x)
    yield "length in characters", tf.strings.length(x, unit="UTF8_CHAR")
    yield "regex_replace", tf.strings.regex_replace(x, "a(l|m)", "<\\1>")
    yield "regex_full_match", tf.strings.regex_full_match(x, ".*beta.*[0-9]+")
    yield "regex of a class", tf.strings.regex_replace(x, "[^a-z ]", "")
    yield "strip", tf.strings.strip(x)
    yield "lower", tf.strings.lower(x)
    yield "upper", tf.strings.upper(x)
    yield "equal", tf.equal(x, numbers)
    yield "encode_base64", tf.encode_base64(x)
    yield "decode_base64", tf.decode_base64(tf.encode_base64(x))
    yield "decode_raw", tf.decode_raw(tf.fill([n], "12345678"), tf.float32)
    yield "unicode_decode", tf.strings.unicode_decode(x, "UTF-8").values
    yield "unicode_encode", tf.strings.unicode_encode(tf.strings.unicode_decode(x, "UTF-8"), "UTF-8")
    yield "unicode_transcode", tf.strings.unicode_transcode(x, "UTF-8", "UTF-16-BE")
    yield "bytes_split", tf.strings.bytes_split(x[: n // 10]).values
    yield "ngrams", tf.strings.ngrams(tf.strings.split(x, result_type="RaggedTensor"), 2).values
    yield "gather", tf.gather(x, tf.mod(whole, n))
    yield "unique", tf.unique(tf.strings.substr(x, 0, 4))


@family("random", 1_000, 100_000, 1_000_000)
def random(tf, n):
    """Distributions."""
    rows = floats(tf, max(n // 1000, 1), 100)
    rates = positive(tf, max(n // 1000, 1))
    data = floats(tf, n // 10, 10)
    yield "uniform", tf.random_uniform([n])
    yield "uniform int", tf.random_uniform([n], maxval=100, dtype=tf.int32)
    yield "uniform double", tf.random_uniform([n], dtype=tf.float64)
    yield "normal", tf.random_normal([n])
    yield "normal double", tf.random_normal([n], dtype=tf.float64)
    yield "normal half", tf.random_normal([n], dtype=tf.float16)
    yield "truncated_normal", tf.truncated_normal([n])
    yield "gamma", tf.random_gamma([n // max(n // 1000, 1)], rates)
    yield "poisson", tf.random_poisson(rates * 5, [n // max(n // 1000, 1)])
    yield "poisson of a high rate", tf.random_poisson(rates * 50, [n // max(n // 1000, 1)])
    yield "multinomial", tf.multinomial(rows, 10)
    yield "shuffle", tf.random_shuffle(data)
    yield "stateless uniform", tf.random.stateless_uniform([n], [1, 2])
    yield "stateless normal", tf.random.stateless_normal([n], [1, 2])
    yield "stateless truncated", tf.random.stateless_truncated_normal([n], [1, 2])
    yield "stateless multinomial", tf.random.stateless_categorical(rows, 10, [1, 2])
    yield "random_crop", tf.random_crop(data, [n // 20, 5])


@family("tables", 10, 1000, 50_000)
def tables(tf, n):
    """Lookup tables of n entries, asked for n keys."""
    keys = np.array(["key %d" % i for i in range(n)], object)
    asked, numbers = held(tf, RANDOM.permutation(keys), tf.string), held(tf, RANDOM.randint(0, 2 * n, n).astype("i8"))
    of_words = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(tf.constant(keys, tf.string), tf.range(n, dtype=tf.int64)), -1)
    of_numbers = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(tf.range(n, dtype=tf.int64), tf.range(n, dtype=tf.float32)), -1.0
    )
    more = tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(tf.constant(keys, tf.string), tf.range(n, dtype=tf.int64)), 5
    )
    yield "string to int64", of_words.lookup(asked)
    yield "int64 to float", of_numbers.lookup(numbers)
    yield "with buckets", more.lookup(asked)
    yield "size", of_words.size()


@family("linear algebra", (4, 3), (16, 16), (16, 96))
def linear_algebra(tf, size):
    """Batches of square matrices."""
    b, n = size
    raw = RANDOM.randn(b, n, n).astype("f4") + 3 * np.eye(n, dtype="f4")
    x, y = held(tf, raw), floats(tf, b, n, 4)
    s = held(tf, (raw @ raw.transpose(0, 2, 1) / n + np.eye(n, dtype="f4")).astype("f4"))
    low = held(tf, np.tril(raw))
    diagonals = floats(tf, b, 3, n)
    linalg = tf.linalg
    yield "svd", linalg.svd(x)
    yield "singular values", linalg.svd(x, compute_uv=False)
    yield "svd gradient", slope(tf, linalg.svd(x)[0], x)
    yield "qr", linalg.qr(x)
    yield "qr gradient", slope(tf, linalg.qr(x), x)
    yield "cholesky", linalg.cholesky(s)
    yield "cholesky gradient", slope(tf, linalg.cholesky(s), s)
    yield "cholesky_solve", linalg.cholesky_solve(low, y)
    yield "solve", linalg.solve(x, y)
    yield "solve gradient", slope(tf, linalg.solve(x, y), x)
    yield "lstsq", linalg.lstsq(x, y)
    yield "triangular_solve", linalg.triangular_solve(low, y)
    yield "inv", linalg.inv(x)
    yield "inv gradient", slope(tf, linalg.inv(x), x)
    yield "det", linalg.det(x)
    yield "det gradient", slope(tf, linalg.det(x), x)
    yield "slogdet", linalg.slogdet(x)
    yield "logdet", linalg.logdet(s)
    yield "eigh", linalg.eigh(s)
    yield "eigvalsh", linalg.eigvalsh(s)
    yield "eigh gradient", slope(tf, linalg.eigh(s)[0], s)
    yield "expm", linalg.expm(x * 0.1)
    yield "logm", linalg.logm(tf.cast(s[:2], tf.complex64))
    yield "sqrtm", linalg.sqrtm(s[:2])
    yield "lu", linalg.lu(x)
    yield "matrix_rank", linalg.matrix_rank(x)
    yield "tridiagonal_solve", linalg.tridiagonal_solve(diagonals, y, partial_pivoting=False)
    yield "tridiagonal_solve, pivots", linalg.tridiagonal_solve(diagonals, y)
    yield "tridiagonal_matmul", linalg.tridiagonal_matmul(diagonals, y)
    yield "trace", linalg.trace(x)
    yield "adjoint", linalg.adjoint(x)
    yield "diag_part", linalg.diag_part(x)
    yield "set_diag", linalg.set_diag(x, y[:, :, 0])
    yield "cross", linalg.cross(y[:, :, :3], y[:, :, 1:])


@family("signal", 64, 1000, 16_384)
def signal(tf, n):
    """Fourier transforms and audio."""
    x, z = floats(tf, 8, n), floats(tf, 4, 32, max(n // 32, 4))
    c = tf.complex(x, x)
    yield "fft", tf.signal.fft(c)
    yield "ifft", tf.signal.ifft(c)
    yield "fft2d", tf.signal.fft2d(tf.complex(z, z))
    yield "rfft", tf.signal.rfft(x)
    yield "irfft", tf.signal.irfft(c[:, : n // 2 + 1])
    yield "rfft gradient", slope(tf, tf.abs(tf.signal.rfft(x)), x)
    yield "stft", tf.signal.stft(x, 32, 16)
    yield "stft gradient", slope(tf, tf.abs(tf.signal.stft(x, 32, 16)), x)
    yield "inverse_stft", tf.signal.inverse_stft(tf.signal.stft(x, 32, 16), 32, 16)
    yield "dct", tf.signal.dct(x)
    yield "frame", tf.signal.frame(x, 32, 16)
    yield "overlap_and_add", tf.signal.overlap_and_add(tf.signal.frame(x, 32, 16), 16)
    yield "mfccs", tf.signal.mfccs_from_log_mel_spectrograms(tf.abs(tf.signal.stft(x, 64, 32)))
    yield "linear_to_mel_weight_matrix", tf.signal.linear_to_mel_weight_matrix(20, 129)
    yield "audio_spectrogram", tf.raw_ops.AudioSpectrogram(input=x[0][:, None], window_size=33, stride=16)
    yield "mfcc", tf.raw_ops.Mfcc(
        spectrogram=tf.raw_ops.AudioSpectrogram(input=x[0][:, None], window_size=33, stride=16), sample_rate=16000
    )


@family("quantization", 1_000, 100_000, 1_000_000)
def quantization(tf, n):
    """Quantized values."""
    x = floats(tf, n // 10, 10)
    low, high = held(tf, np.float32(-3.0)), held(tf, np.float32(3.0))
    lows, highs = held(tf, np.full(10, -3.0, "f4")), held(tf, np.full(10, 3.0, "f4"))
    q = tf.quantization.quantize(x, low, high, tf.quint8)
    yield "quantize", list(q)
    yield "quantize scaled", list(tf.quantization.quantize(x, low, high, tf.qint8, mode="SCALED"))
    yield "dequantize", tf.quantization.dequantize(q[0], q[1], q[2])
    y = tf.quantization.fake_quant_with_min_max_vars(x, low, high)
    yield "fake_quant", y
    yield "fake_quant gradient", slope(tf, y, x, low, high)
    yield "fake_quant per channel", tf.quantization.fake_quant_with_min_max_vars_per_channel(x, lows, highs)
    yield "quantize_and_dequantize", tf.quantization.quantize_and_dequantize(x, low, high)
    yield "quantized_concat", list(tf.quantization.quantized_concat(0, [q[0], q[0]], [low, low], [high, high]))


@family("quantized products", 8, 32, 128)
def quantized_products(tf, n):
    """Products of quantized numbers."""
    q = held(tf, RANDOM.randint(0, 255, (n, n)).astype("u1"))
    low, high = held(tf, np.float32(-3.0)), held(tf, np.float32(3.0))
    a = tf.bitcast(q, tf.quint8)
    yield "quantized matmul", list(tf.raw_ops.QuantizedMatMul(a=a, b=a, min_a=low, max_a=high, min_b=low, max_b=high))
    image = tf.reshape(a[: n // 8 * 8], [1, n, n // 4, 4])
    kernel = tf.bitcast(held(tf, RANDOM.randint(0, 255, (3, 3, 4, 8)).astype("u1")), tf.quint8)
    yield "quantized conv2d", list(tf.nn.quantized_conv2d(image, kernel, low, high, low, high, [1, 1, 1, 1], "SAME"))
    yield "quantized max_pool", list(tf.nn.quantized_max_pool(image, low, high, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"))


@family("special functions", 1_000, 30_000, 300_000)
def special_functions(tf, n):
    """Gamma, beta and zeta functions."""
    p, q, r = positive(tf, n), positive(tf, n), held(tf, RANDOM.rand(n).astype("f4"))
    order = held(tf, RANDOM.randint(1, 4, n).astype("f4"))
    yield "lgamma", tf.lgamma(p)
    yield "digamma", tf.digamma(p)
    yield "lgamma gradient", slope(tf, tf.lgamma(p), p)
    yield "digamma gradient", slope(tf, tf.digamma(p), p)
    yield "erf", tf.erf(p)
    yield "erfc", tf.erfc(p)
    yield "igamma", tf.igamma(p, q)
    yield "igammac", tf.igammac(p, q)
    yield "igamma gradient", slope(tf, tf.igamma(p, q), p, q)
    yield "betainc", tf.betainc(p, q, r)
    yield "zeta", tf.zeta(p + 1.1, q)
    yield "polygamma", tf.polygamma(order, p)
    yield "lbeta", tf.lbeta(tf.reshape(p, [-1, 10]))
    yield "bessel_i0e", tf.math.bessel_i0e(p)
    yield "bessel_i1e", tf.math.bessel_i1e(p)
    yield "acosh", tf.acosh(p + 1.0)
    yield "asinh", tf.asinh(p)
    yield "sinh", tf.sinh(p)
    yield "tan", tf.tan(p)
    yield "asin", tf.asin(r)
    yield "expm1", tf.expm1(p)
    yield "xlogy", tf.math.xlogy(p, q)
    yield "xdivy", tf.math.xdivy(p, q)
    yield "popcount", tf.raw_ops.PopulationCount(x=tf.cast(p * 1000, tf.int32))


@family("rnn", (4, 2, 8), (20, 16, 64), (50, 32, 128))
def rnn(tf, size):
    """Recurrent networks."""
    t, b, n = size
    x, lengths = floats(tf, b, t, n), ints(tf, t + 1, b)
    cell = tf.nn.rnn_cell
    for name, make in (
        ("basic rnn", cell.BasicRNNCell),
        ("LSTM", cell.LSTMCell),
        ("GRU", cell.GRUCell),
    ):
        y, _ = tf.nn.dynamic_rnn(make(n), x, dtype=tf.float32, scope=name.replace(" ", "_"))
        yield "dynamic_rnn " + name, y
        weights = tf.trainable_variables(name.replace(" ", "_"))
        yield "dynamic_rnn " + name + " gradient", tf.gradients(tf.reduce_sum(y), weights)
    y, _ = tf.nn.dynamic_rnn(cell.BasicLSTMCell(n), x, lengths, dtype=tf.float32, scope="lengths")
    yield "dynamic_rnn of lengths", y
    yield "dynamic_rnn of lengths gradient", tf.gradients(tf.reduce_sum(y), tf.trainable_variables("lengths"))
    y, _ = tf.nn.bidirectional_dynamic_rnn(cell.GRUCell(n), cell.GRUCell(n), x, dtype=tf.float32, scope="both")
    yield "bidirectional_dynamic_rnn", list(y)
    y, _ = tf.nn.static_rnn(cell.LSTMCell(n), tf.unstack(x, axis=1), dtype=tf.float32, scope="static")
    yield "static_rnn", y[-1]
    yield "static_rnn gradient", tf.gradients(tf.reduce_sum(y[-1]), tf.trainable_variables("static"))
    yield "map_fn", tf.map_fn(lambda row: row * 2.0, x[:, 0])
    yield "scan", tf.scan(lambda a, row: a * 0.5 + row, x[0])


@family("updates", 1_000, 100_000, 1_000_000)
def updates(tf, n):
    """Variables written by part."""
    v, rows = floats(tf, n // 10, 10), ints(tf, n // 10, n // 100)
    part, places = floats(tf, n // 100, 10), ints(tf, 10, n // 100, 2)
    values = floats(tf, n // 100)
    yield "assign", tf.assign(v, v * 0.5).op
    yield "assign_add", tf.assign_add(v, v).op
    for name in "update add sub mul max".split():
        yield "scatter_" + name, getattr(tf, "scatter_" + name)(v, rows, part).op
    yield "scatter_nd_update", tf.scatter_nd_update(v, places, values).op
    yield "scatter_nd_add", tf.scatter_nd_add(v, places, values).op
    yield "assign of a slice", v[1:5, ::2].assign(part[:4, :5]).op

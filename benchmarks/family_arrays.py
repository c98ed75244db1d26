"""Families on dense arrays: elementwise, sums, products, copies, orders, segments, parts of variables."""
from __future__ import annotations

import numpy as np
from family_registry import RANDOM, family, floats, held, ints, positive, slope


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

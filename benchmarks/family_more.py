"""Families of what the other modules leave out: rarer elementwise ops, ragged tensors, cells, parsing, losses and metrics, tables
that change, resources, integers that stand for floats."""
from __future__ import annotations

import numpy as np
from family_registry import RANDOM, family, floats, held, ints, positive, slope


@family("elementwise, rarer", 1_000, 100_000, 1_000_000)
def elementwise_rarer(tf, n):
    """Ops that few programs use."""
    x, y, p = floats(tf, n), floats(tf, n), positive(tf, n)
    i, j, b = ints(tf, 1000, n), ints(tf, 20, n), held(tf, RANDOM.rand(n) > 0.5)
    c = tf.complex(x, y)
    for name in "ceil cosh is_inf rint".split():
        yield name, getattr(tf.math, name)(x)
    yield "acos", tf.acos(p * 0.5)
    yield "atanh", tf.atanh(p * 0.5)
    yield "logical_not", tf.logical_not(b)
    yield "logical_or", tf.logical_or(b, tf.greater(x, 0.0))
    yield "bitwise_xor", tf.bitwise.bitwise_xor(i, j)
    yield "left_shift", tf.bitwise.left_shift(i, j)
    yield "invert", tf.bitwise.invert(i)
    yield "approximate_equal", tf.raw_ops.ApproximateEqual(x=x, y=y)
    yield "multiply_no_nan", tf.math.multiply_no_nan(x, y)
    yield "div_no_nan", tf.math.divide_no_nan(x, y)
    yield "truncatediv", tf.truncatediv(i, j + 1)
    yield "truncatemod", tf.truncatemod(i, j + 1)
    yield "mod of floats", tf.math.floormod(x, p)
    yield "nextafter", tf.math.nextafter(tf.cast(x, tf.float64), tf.cast(y, tf.float64))
    yield "conj", tf.math.conj(c)
    yield "angle", tf.math.angle(c)
    yield "imag", tf.math.imag(c)
    yield "complex abs", tf.abs(c)
    yield "ones_like", tf.ones_like(x)
    yield "raw ClipByValue", tf.raw_ops.ClipByValue(t=x, clip_value_min=-0.5, clip_value_max=0.5)
    for name in "selu softsign leaky_relu relu6".split():
        yield name + " gradient", slope(tf, getattr(tf.nn, name)(x), x)
    for name in "sqrt rsqrt reciprocal log".split():
        yield name + " gradient", slope(tf, getattr(tf.math, name)(p), p)
    yield "where of broadcast", tf.where_v2(b, x, 0.0)
    yield "bucketize", tf.raw_ops.Bucketize(input=x, boundaries=[-1.0, -0.5, 0.0, 0.5, 1.0])
    yield "compare_and_bitpack", tf.raw_ops.CompareAndBitpack(input=x[: n // 8 * 8], threshold=0.0)
    yield "cast to int8", tf.cast(i, tf.int8)
    yield "cast to bool", tf.cast(i, tf.bool)
    yield "cast to double", tf.cast(x, tf.float64)
    yield "maximum int32", tf.maximum(i, j)
    yield "equal int32", tf.equal(i, j)


@family("arrays, rarer", 10, 300, 1000)
def arrays_rarer(tf, n):
    """Copies and sums that few programs use."""
    x, rows, cube = floats(tf, n, n), ints(tf, n, n), floats(tf, 8, n, max(n // 8, 2))
    yield "tensor_diag_part", tf.diag_part(x)
    yield "euclidean_norm", tf.math.reduce_euclidean_norm(x, 1)
    yield "cumulative_logsumexp", tf.math.cumulative_logsumexp(x, 1)
    yield "einsum of three", tf.einsum("ij,jk,kl->il", x[:64], x[:, :64], x[:64])
    yield "matrix_transpose", tf.linalg.matrix_transpose(cube)
    yield "space_to_batch_nd", tf.space_to_batch_nd(cube[:, :, :, None], [1, 1], [[0, 0], [0, 0]])
    yield "unravel_index", tf.unravel_index(rows, [n, n])
    yield "unique of rows", tf.raw_ops.UniqueV2(x=rows[:, None] % 7 + tf.zeros([1, 4], tf.int32), axis=[0])
    yield "upper_bound", tf.searchsorted(tf.sort(x), x, side="right")
    yield "tensor_scatter_sub", tf.tensor_scatter_sub(x, rows[:, None], x)
    yield "pad with constant", tf.pad(x, [[1, 1], [2, 2]], constant_values=1.5)
    yield "segment_min", tf.segment_min(x, tf.sort(rows))
    yield "unsorted_segment_min", tf.math.unsorted_segment_min(x, rows, n)
    yield "inplace_update", tf.raw_ops.InplaceUpdate(x=x + 0.0, i=tf.range(n // 2), v=x[: n // 2])
    yield "sequence_mask of floats", tf.sequence_mask(rows, n, tf.float32)
    yield "reduce_any of columns", tf.reduce_any(tf.greater(x, 2.0), 0)
    yield "percentile by top_k", tf.nn.top_k(x, max(n // 2, 1))[0][:, -1]


@family("ragged", 10, 1000, 20_000)
def ragged(tf, n):
    """Rows of several lengths."""
    lengths = RANDOM.randint(0, 10, n)
    rows = tf.RaggedTensor.from_row_lengths(floats(tf, int(lengths.sum())), held(tf, lengths.astype("i8")))
    picked = ints(tf, n, n)
    yield "to_tensor", rows.to_tensor()
    yield "to_sparse", rows.to_sparse().values
    yield "gather", tf.gather(rows, picked).values
    yield "range", tf.ragged.range(held(tf, lengths.astype("i4"))).values
    yield "reduce_sum", tf.reduce_sum(rows, 1)
    yield "reduce_max", tf.reduce_max(rows, 1)
    yield "concat", tf.concat([rows, rows], 1).values
    yield "boolean_mask", tf.ragged.boolean_mask(rows, rows > 0.0).values
    yield "from_tensor", tf.RaggedTensor.from_tensor(floats(tf, n, 8)).values


@family("cells", (2, 8), (16, 64), (32, 256))
def cells(tf, size):
    """Recurrent cells of one op."""
    b, n = size
    x, h, c = floats(tf, b, n), floats(tf, b, n), floats(tf, b, n)
    w, peep, bias = floats(tf, 2 * n, 4 * n), floats(tf, n), floats(tf, 4 * n)
    yield "LSTMBlockCell", list(tf.raw_ops.LSTMBlockCell(x=x, cs_prev=c, h_prev=h, w=w, wci=peep, wcf=peep, wco=peep, b=bias))
    yield "GRUBlockCell", list(tf.raw_ops.GRUBlockCell(
        x=x, h_prev=h, w_ru=floats(tf, 2 * n, 2 * n), w_c=floats(tf, 2 * n, n), b_ru=floats(tf, 2 * n), b_c=floats(tf, n)))
    yield "BlockLSTM", list(tf.raw_ops.BlockLSTM(
        seq_len_max=tf.constant(10, tf.int64), x=floats(tf, 10, b, n), cs_prev=c, h_prev=h, w=w, wci=peep, wcf=peep, wco=peep, b=bias))


@family("losses and metrics", (8, 10), (128, 100), (512, 1000))
def losses_and_metrics(tf, size):
    """What training and evaluation compute."""
    n, m = size
    x, y, ids = floats(tf, n, m), positive(tf, n, m), ints(tf, m, n)
    for name in "absolute_difference mean_squared_error huber_loss hinge_loss".split():
        yield name, getattr(tf.losses, name)(tf.cast(tf.greater(y, 0.5), tf.float32), x)
    yield "log_loss", tf.losses.log_loss(tf.minimum(y, 1.0), tf.sigmoid(x))
    yield "cosine_distance", tf.losses.cosine_distance(y, x, axis=1)
    yield "mean_pairwise_squared_error", tf.losses.mean_pairwise_squared_error(y, x)
    guess = tf.sigmoid(x)
    truth = tf.greater(y, 0.5)
    for name, update in (
        ("accuracy", tf.metrics.accuracy(ids, tf.argmax(x, 1))[1]),
        ("mean", tf.metrics.mean(x)[1]),
        ("auc", tf.metrics.auc(truth, guess)[1]),
        ("precision", tf.metrics.precision(truth, tf.greater(guess, 0.5))[1]),
        ("recall_at_k", tf.metrics.recall_at_k(tf.cast(ids[:, None], tf.int64), x, 5)[1]),
        ("mean_iou", tf.metrics.mean_iou(ids, tf.argmax(x, 1), m)[1]),
    ):
        yield name, update


@family("parsing", 10, 300, 3000)
def parsing(tf, n):
    """Records of several forms."""
    example = tf.train.Example()
    example.features.feature["number"].float_list.value.extend([1.0] * 16)
    example.features.feature["id"].int64_list.value.append(7)
    example.features.feature["words"].bytes_list.value.extend([b"alpha", b"beta"])
    records = held(tf, np.array([example.SerializeToString()] * n, object), tf.string)
    parsed = tf.parse_example(records, {
        "number": tf.FixedLenFeature([16], tf.float32), "id": tf.FixedLenFeature([], tf.int64), "words": tf.VarLenFeature(tf.string)})
    yield "parse_example", [parsed["number"], parsed["id"], parsed["words"].values]
    lines = held(tf, np.array(["%d,%.3f,word %d" % (k, k / 7.0, k) for k in range(n)], object), tf.string)
    yield "decode_csv", list(tf.decode_csv(lines, [[0], [0.0], [""]]))
    numbers = floats(tf, n)
    yield "serialize and parse a tensor", tf.io.parse_tensor(tf.io.serialize_tensor(numbers), tf.float32)
    yield "string_format", tf.strings.format("{} of many", numbers)
    texts = held(tf, np.array(["number %d" % k for k in range(n)], object), tf.string)
    yield "unicode_script", tf.strings.unicode_script(ints(tf, 1000, n) + 64)
    yield "unicode_decode_with_offsets", tf.strings.unicode_decode_with_offsets(texts, "UTF-8")[1].values
    yield "fingerprint", tf.fingerprint(tf.reshape(texts, [-1, 1]))
    yield "unsorted_segment_join", tf.raw_ops.UnsortedSegmentJoin(inputs=texts, segment_ids=ints(tf, 10, n), num_segments=10)


@family("resources", 1_000, 100_000, 1_000_000)
def resources(tf, n):
    """Variables behind handles, and tables that change."""
    v = tf.Variable(RANDOM.randn(n // 10, 10).astype("f4"), use_resource=True)
    rows, part = ints(tf, n // 10, n // 100), floats(tf, n // 100, 10)
    delta = tf.IndexedSlices(part, rows)
    yield "gather", tf.gather(v, rows)
    for name in "update add sub max".split():
        yield "scatter_" + name, getattr(v, "scatter_" + name)(delta).op if name != "max" else tf.scatter_max(v, rows, part).op
    keys, values = held(tf, RANDOM.permutation(n // 100).astype("i8")), held(tf, RANDOM.randn(n // 100).astype("f4"))
    table = tf.raw_ops.MutableHashTableV2(key_dtype=tf.int64, value_dtype=tf.float32, shared_name="benchmark")
    filled = tf.raw_ops.LookupTableInsertV2(table_handle=table, keys=keys, values=values)
    yield "insert", filled
    yield "find", tf.raw_ops.LookupTableFindV2(table_handle=table, keys=keys, default_value=0.0)
    yield "stateless uniform int", tf.random.stateless_uniform([n], [1, 2], 0, 100, tf.int32)


@family("quantized layers", 8, 32, 96)
def quantized_layers(tf, n):
    """Integers that stand for floats."""
    q = tf.bitcast(held(tf, RANDOM.randint(0, 255, (4, n, n, 8)).astype("u1")), tf.quint8)
    low, high = held(tf, np.float32(-3.0)), held(tf, np.float32(3.0))
    raw = tf.raw_ops
    wide = tf.bitcast(ints(tf, 10**6, 4, n, n, 8), tf.qint32)
    yield "QuantizedAdd", list(raw.QuantizedAdd(x=q, y=q, min_x=low, max_x=high, min_y=low, max_y=high))
    yield "QuantizedMul", list(raw.QuantizedMul(x=q, y=q, min_x=low, max_x=high, min_y=low, max_y=high))
    yield "QuantizedRelu", list(raw.QuantizedRelu(features=q, min_features=low, max_features=high))
    yield "QuantizedAvgPool", list(raw.QuantizedAvgPool(
        input=q, min_input=low, max_input=high, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME"))
    yield "Requantize", list(raw.Requantize(
        input=wide, input_min=low, input_max=high, requested_output_min=low, requested_output_max=high, out_type=tf.quint8))
    yield "RequantizationRange", list(raw.RequantizationRange(input=wide, input_min=low, input_max=high))
    yield "QuantizeAndDequantizeV3", raw.QuantizeAndDequantizeV3(
        input=floats(tf, n * n, 8), input_min=low, input_max=high, num_bits=8)


@family("points", (100, 4), (2000, 16), (20_000, 32))
def of_points(tf, size):
    """Many points of few dimensions."""
    n, d = size
    points = floats(tf, n, d)
    yield "extract_volume_patches", tf.extract_volume_patches(
        floats(tf, 2, 8, 8, 8, d), [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "SAME")
    yield "lstsq fast", tf.linalg.lstsq(tf.reshape(points, [1, n, d]), floats(tf, 1, n, 2))
    yield "cholesky", tf.linalg.cholesky(tf.matmul(points, points, transpose_a=True) + 5.0 * tf.eye(d))

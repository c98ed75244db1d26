"""What is said of arguments that do not fit, while a graph is built and while it runs: the parts that tests look for."""
import numpy as np
from golden_case import Case, says


def refusals(tf, *rows):
    """Each row: a pattern, a function, and values that it is called with as placeholders of unknown shape."""
    def attempt(function, values):
        with tf.Graph().as_default() as graph:
            feeds = {}
            for value in values:
                array = np.asarray(value)
                kind = {"f": tf.float32, "i": tf.int32, "b": tf.bool}.get(array.dtype.kind, tf.string)
                feeds[tf.placeholder(kind)] = value
            result = function(*feeds)
            with tf.Session(graph=graph) as session:
                session.run(result, feeds)
    return Case([says(pattern, attempt, function, values) for pattern, function, *values in rows])


def case_slices(tf):
    m = np.zeros([2, 3])
    return refusals(
        tf,
        (r"slice index 5 of dimension 0 out of bounds", lambda x: x[5], [1, 2]),
        (r"slice index 5 of dimension 0 out of bounds", lambda: tf.constant([1, 2])[5]),
        (r"slice index -1 of dimension 0 out of bounds", lambda: tf.constant([1, 2])[-3]),
        (r"Index out of range using input dim 1; input has only 1 dims", lambda x: x[0, 0], [1, 2]),
        (r"Index out of range using input dim 1; input has only 1 dims", lambda: tf.constant([1])[0, 0]),
        (r"strides\[0\] must be non-zero", lambda x: x[::0], [1, 2]),
        (r"1D equal size tensors, but got shapes \[1\], \[2\], and \[1\]", lambda x, a, b: tf.strided_slice(x, a, b, [1]), [1], [0], [1, 2]),
        (r"both shapes must be equal, but are 1 and 2", lambda: tf.strided_slice([1, 2], [0], [1, 2], [1])),
        (r"Expected size\[0\] in \[0, 1\], but got 3", lambda x, a, b: tf.slice(x, a, b), m, [1, 0], [3, 1]),
        (r"both shapes must be equal", lambda: tf.slice(m, [0, 0], [1, 1, 1])),
        (r"Multiple ellipses", lambda: tf.constant(m)[..., 0, ...]),
        (r"squeeze_dims\[1\] not in \[-2,2\)", lambda: tf.squeeze(np.zeros([1, 1]), [0, 5])),
    )


def case_order(tf):
    m = np.zeros([1, 2])
    return refusals(
        tf,
        (r"transpose expects a vector of size 2. But input\(1\) is a vector of size 3", tf.transpose, m, [0, 1, 2]),
        (r"1 is missing from \{0,0\}", tf.transpose, m, [0, 0]),
        (r"2 is out of range \[0 .. 2\)", tf.transpose, m, [0, 2]),
        (r"-1 is out of range \[0 .. 2\)", tf.transpose, m, [0, -1]),
        (r"perm must be a vector, not \[1,2\]", tf.transpose, m, [[0, 1]]),
        (r"axis 0 specified more than once", tf.reverse, m, [0, -2]),
        (r"'axis'\[0\] = 2 is out of valid range \[0, 1", tf.reverse, m, [2]),
        (r"'dims' must be 1-dimension, not 0", tf.reverse, m, 0),
        (r"more than 8 dimensions", lambda: tf.reverse(np.zeros([1] * 9), [0])),
        (r"shift must be a scalar or a 1-D vector. Found: \[1,2\]", tf.roll, [1, 2], [[0, 1]], 0),
        (r"axis must be a scalar or a 1-D vector. Found: \[1,2\]", tf.roll, [1, 2], 1, [[0, 1]]),
    )


def case_joins(tf):
    return refusals(
        tf,
        (r"ConcatOp : Dimensions of inputs should match: shape\[0\] = \[4,3\] vs. shape\[1\] = \[4,4\]",
         lambda x, y: tf.concat([x, y], 0), np.zeros([4, 3]), np.zeros([4, 4])),
        (r"ConcatOp : Ranks of all input tensors should match: shape\[0\] = \[4,3\] vs. shape\[1\] = \[4\]",
         lambda x, y: tf.concat([x, y], 0), np.zeros([4, 3]), np.zeros([4])),
        (r"Dimension 0 in both shapes must be equal, but are 3 and 4. Shapes are \[3\] and \[4\]",
         lambda: tf.concat([np.zeros([4, 3]), np.zeros([4, 4])], 0)),
        (r"Dimension 1 in both shapes must be equal, but are 3 and 4. Shapes are \[2,3\] and \[2,4\]",
         lambda: tf.concat([np.zeros([2, 3, 1]), np.zeros([2, 4, 1])], 2)),
        (r"Shape must be rank 2 but is rank 1", lambda: tf.concat([np.zeros([4, 3]), np.zeros([4])], 0)),
        (r"Shape must be rank 0 but is rank 1", lambda: tf.concat([[1], [2]], [0])),
        (r"Concat dim tensor should be a scalar integer, but got shape \[1\]",
         lambda a: tf.raw_ops.ConcatOffset(concat_dim=a, shape=[[1], [1]]), [0]),
        (r"input 1 should contain 2 elements, but got 1",
         lambda x, y: tf.raw_ops.ConcatOffset(concat_dim=0, shape=[x, y]), [1, 2], [1]),
        (r"except 1 must match. Input 1 has shape \[2 7 10\] and doesn't match input 0 with shape \[2 3 5\]",
         lambda: tf.raw_ops.ConcatOffset(concat_dim=1, shape=[[2, 3, 5], [2, 7, 10]])),
    )


def case_rows(tf):
    m = np.zeros([2, 3])
    return refusals(
        tf,
        (r"indices\[0,0\] = 7 is not in \[0, 2\)", tf.gather, m, [[7]]),
        (r"axis must be scalar", lambda x, a: tf.gather(x, [0], axis=a), m, [1]),
        (r"Shape must be rank 0 but is rank 1", lambda: tf.gather(m, [0], axis=[1])),
        (r"Expected axis in the range \[-2, 2\), but got 2", lambda x, a: tf.gather(x, [0], axis=a), m, 2),
        (r"params must be at least 1 dimensional", lambda x: tf.gather(x, [0]), 3),
        (r"Expected batch_dims in the range \[-1, 1\), but got 2", lambda: tf.gather(np.zeros([2, 3, 4]), [1], batch_dims=2)),
        (r"Requested more than 0 entries, but params is empty.  Params shape: \[0,2\]", tf.gather_nd, np.zeros([0, 2]), [[0, 1]]),
        (r"Shape must be at least rank 1 but is rank 0", lambda: tf.gather_nd(m, 0)),
        (r"partitions\[0,1\] = 9 is not in \[0, 2\)", lambda x, y: tf.dynamic_partition(x, y, 2), np.zeros([2, 2]), [[0, 9], [0, 0]]),
        (r"partitions = 5 is not in \[0, 2\)", lambda x, y: tf.dynamic_partition(x, y, 2), 1.0, 5),
        (r"num_segments should be a scalar, not shape \[1\]", tf.unsorted_segment_sum, m, [0, 0], [2]),
        (r"Segment id -1 out of range \[0, 1\), possibly because 'segment_ids' input is not sorted", tf.sparse_segment_sum, m, [0, 1], [-1, 0]),
        (r"segment ids must be >= 0", tf.sparse_segment_sum, m, [0, 1], [-3, -2]),
        (r"segment ids are not increasing", tf.sparse_segment_mean, m, [0, 1], [1, 0]),
        (r"default_value should be a scalar", tf.sparse_to_dense, [[1]], [3], [1.0], [1.0, 2.0]),
        (r"depth must be non-negative, got: -1", tf.one_hot, [0], -1),
        (r"Shape must be rank 0 but is rank 1", lambda: tf.argmax([0.0], axis=[1])),
        (r"Reduction axis 0 is empty in shape \[0,4\]", lambda x: tf.argmax(x, 0), np.zeros([0, 4])),
    )


def case_sizes(tf):
    return refusals(
        tf,
        (r"paddings must be a matrix with 2 columns: \[3\]", tf.pad, [1, 2], [1, 2, 3]),
        (r"The first dimension of paddings must be the rank of inputs\[1,2\] \[1,2\]", tf.pad, [[1, 2]], [[2, 0]]),
        (r"Paddings must be non-negative: -1 0", tf.pad, [1, 2], [[-1, 0]]),
        (r"paddings must be less than the dimension size: 2, 0 not less than 2", lambda x, p: tf.pad(x, p, "REFLECT"), [1.0, 2.0], [[2, 0]]),
        (r"paddings must be no greater than the dimension size: 3, 0 greater than 2", lambda x, p: tf.pad(x, p, "SYMMETRIC"), [1.0, 2.0], [[3, 0]]),
        (r"Expected multiples to be 1-D, but got shape \[1,1\]", tf.tile, [1], [[1]]),
        (r"Rank of input \(2\) must be no greater than rank of output shape \(1\)", tf.broadcast_to, [[1, 2]], [2]),
        (r"In\[0\] must be a vector.\[1,1\]", lambda x: tf.raw_ops.BroadcastArgs(s0=x, s1=[1]), [[1]]),
        (r"at least a vector, but saw a scalar", lambda x: tf.raw_ops.CompareAndBitpack(input=x, threshold=0.0), 1.0),
        (r"must be a scalar, but saw shape: \[1\]", lambda x: tf.raw_ops.CompareAndBitpack(input=np.zeros([8], "f4"), threshold=x), [1.0]),
        (r"size \(-4\) must be non-negative", lambda: tf.raw_ops.Bincount(arr=[1], size=-4, weights=np.zeros([0], "i4"))),
        (r"Input tensor cannot be a resource variable handle", lambda: tf.raw_ops.GuaranteeConst(
            input=tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[]))),
        (r"Must provide as many biases as the last dimension of the input tensor: \[3\] vs. \[1,2\]", tf.nn.bias_add, [[1.0, 2.0]], [1.0, 2.0, 3.0]),
        (r"Tried to convert 'x' to a tensor and failed. Error: None values not supported.", lambda: tf.math.tanh(None)),
        (r"input shapes: \?, \[2\]", lambda x: tf.raw_ops.MatMul(a=x, b=[1.0, 2.0]), [[1.0]]),
        (r"Got a <dtype: 'int32'> tensor", lambda: tf.nn.dropout([1], 0.5)),
        (r"requested dtype float32 for Tensor with dtype int32: <tf.Tensor", lambda: tf.convert_to_tensor(tf.constant(1), tf.float32)),
        (r"Shape must be at least rank 1|dimensions of batch", lambda x: tf.raw_ops.TopKV2(input=1.0, k=x), 1),
        (r"must be non-negative but is -1", lambda: tf.nn.top_k([1.0], -1)),
    )


def case_layers(tf):
    x, w = np.zeros([1, 4, 4, 2], "f4"), np.zeros([2, 2, 2, 3], "f4")
    return refusals(
        tf,
        (r"dilations in the batch and depth dimensions", lambda: tf.nn.conv2d(x, w, 1, "SAME", dilations=[2, 1, 1, 1])),
        (r"strides in the batch and depth dimensions", lambda: tf.nn.conv2d(x, w, [2, 1, 1, 1], "SAME")),
        (r"it must be of size 4. Got padding of size: 1", lambda: tf.nn.conv2d(x, w, 1, [[0, 0]])),
        (r"input and out_backprop must have the same batch size",
         lambda a, g: tf.nn.conv2d_backprop_filter(a, [2, 2, 2, 3], g, [1, 1, 1, 1], "SAME"), x, np.zeros([2, 4, 4, 3])),
        (r"Rate is only supported across spatial dimensions", lambda: tf.nn.dilation2d(x, w[..., 0], [1, 1, 1, 1], [1, 1, 1, 2], "SAME")),
        (r"Invalid pattern: h_\[, error: missing \]: \[", lambda p: tf.regex_replace(["a"], p, ""), "h_["),
        (r"Invalid pattern: A\), error: missing \)", lambda p: tf.regex_replace(["a"], p, ""), "A)"),
        (r"sequence_length\(0\) <= 2", lambda n: tf.nn.ctc_greedy_decoder(np.zeros([2, 1, 3], "f4"), n)[1], [3]),
        (r"Cannot specify both 'dim' and 'axis'", lambda: tf.nn.softmax_cross_entropy_with_logits_v2([[1.0]], [[1.0]], axis=0, dim=0)),
    )


def case_arrays_into_convolutions(tf):
    x, w = np.arange(32, dtype="f4").reshape(1, 4, 4, 2), np.arange(8, dtype="f4").reshape(2, 2, 2, 1)
    return [tf.nn.convolution(x, w, "VALID"), tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 1]), tf.nn.atrous_conv2d(x, w, 2, "SAME")]


def case_sizes_of_slices_that_are_known_by_rank(tf):
    x, a = tf.placeholder(tf.int64), tf.placeholder(tf.int32)
    return Case([tf.slice(x, [0, 0], a), tf.slice(x, tf.placeholder(tf.int32, [3]), a), tf.slice(x, [0, 0], [1, -1])], graph_only=True)


def case_parts(tf):
    m = np.zeros([4, 6])
    return refusals(
        tf,
        (r"size_splits can only have one -1", lambda: tf.split(m, [-1, -1], 1)),
        (r"given by scalar input -3 must be in range \[-2, 2\)", lambda: tf.split(m, [2, 4], -3)),
        (r"can't split axis of size 6 into pieces of size \[1,3\]", lambda a: tf.split(m, [1, 3], a), 0),
        (r"From merging shape 0 with other shapes", lambda: tf.stack([tf.constant([[1]]), tf.constant([2])])),
        (r"shape attr must be fully defined", lambda x: tf.parallel_stack([x]), 1),
        (r"seq_lens\(2\) > input.dims\(1\)", lambda x, n: tf.reverse_sequence(x, n, seq_axis=1), np.zeros([3, 4]), [1, 2, 9]),
        (r"seq_lens\(1\) < 0", lambda x, n: tf.reverse_sequence(x, n, seq_axis=1), np.zeros([2, 4]), [1, -2]),
        (r"Cannot reshape a tensor with 24 elements to shape \[0,\?\] \(0 elements\)", lambda: tf.reshape(m, [0, -1])),
        (r"Invalid value in tensor used for shape: -2", lambda: tf.reshape(m, [-2, 2])),
        (r"Invalid value in tensor used for shape: -2", lambda: tf.slice(m, [0, 0], [1, -2])),
        (r"Shape must be rank 1 but is rank 0", lambda: tf.transpose(m, 2)),
        (r"block_shape must have rank 1", lambda b: tf.space_to_batch_nd(np.zeros([1, 4, 6, 2]), b, [[0, 0], [0, 0]]), [2, 2]),
        (r"Shapes are \[1,2\] and \[2,2\]", lambda: tf.space_to_batch_nd(np.zeros([1, 4, 6, 2]), [2, 2], [[0, 0]])),
        (r"at least 2-dim, received shape: \[1\]", lambda: tf.matrix_band_part([1.0], 0, 0)),
        (r"num_lower must be scalar, got shape \[1\]", lambda n: tf.matrix_band_part(m, n, 0), np.array([0])),
        (r"dimensions 0 and 1 do not match", tf.diag_part, np.zeros([2, 3])),
        (r"x should be a 1D vector", lambda x: tf.setdiff1d(x, [1.0])[0], [[1.0]]),
        (r"Input matrix must be square", tf.matrix_inverse, np.zeros([2, 3])),
        (r"Shape must be at most rank 1 but is rank 2", lambda: tf.reduce_sum(m, [[0, 1]])),
        (r"pos and len shapes must match", lambda: tf.strings.substr("ab", [1, 0], [1])),
        (r"Input should have rank >= 2, but received shape", lambda v: tf.sparse.softmax(tf.SparseTensor([[0]], v, [1])).values, [1.0]),
        (r"hypothesis_shape does not match truth_shape: 2 vs. 3", lambda: tf.edit_distance(
            tf.SparseTensor([[0, 0]], [1], [1, 1]), tf.SparseTensor([[0, 0, 0]], [1], [1, 1, 1]))),
        (r"StringToNumberOp could not correctly convert string: -infinity", tf.strings.to_number, ["-infinity"]),
        (r"num_rows and num_columns must be positive integer values", lambda: tf.eye(2.0)),
    )


def case_choices(tf):
    return refusals(
        tf,
        (r"Input must be >= 1-D, got shape \[\]", lambda x: tf.raw_ops.NthElement(input=x, n=0), 5.0),
        (r"Need k >= 0, got -7", lambda k: tf.nn.top_k([0.1, 0.2], k)[0], -7),
        (r"but (is|has) rank 1", lambda: tf.nn.top_k([0.1, 0.2], [1])),
        (r"must be non-negative but is -1", lambda: tf.raw_ops.NthElement(input=[[1.0, 2.0]], n=-1)),
        (r"Need n >= 0, got -3", lambda n: tf.raw_ops.NthElement(input=[[1.0, 2.0]], n=n), -3),
        (r"Input must have at least n\+1 columns", lambda n: tf.raw_ops.NthElement(input=[[1.0, 2.0]], n=n), 2),
        (r"k must be 0-D, got shape \[1\]", lambda k: tf.nn.in_top_k([[0.1, 0.2]], [0], k), [1]),
        (r"First dimension of predictions 1 must match length of targets 2", lambda x, t: tf.nn.in_top_k(x, t, 1), np.zeros([1, 2], "f4"), [0, 1]),
    )


def case_ranks_are_checked_in_turn(tf):
    scalar, vector, matrix = tf.zeros([]), tf.zeros([2]), tf.zeros([2, 3])
    return Case([
        says("Shape must be at least rank 2 but is rank 1", tf.nn.bias_add, vector, matrix),
        says("Shape must be rank 1 but is rank 2", tf.nn.bias_add, matrix, matrix),
        says("Can't concatenate scalars", tf.concat, [scalar, matrix], 0),
        says("Can't concatenate scalars", tf.concat, [scalar, scalar], 0),
        says("Shape must be rank 2 but is rank 0", tf.concat, [matrix, scalar], 0),
    ])


def case_matrices(tf):
    flat, wide, scalar = np.zeros([3]), np.ones([2, 3]), np.zeros([])
    return refusals(
        tf,
        (r"First input \(lhs\) must be a square matrix.", lambda x: tf.linalg.triangular_solve(x, tf.zeros([2, 1])), wide),
        (r"even and positive, got shape \[3\]", tf.linalg.tensor_diag_part, flat),
        (r"diagonal must be at least 1-dim, received shape: \[\]", lambda x: tf.raw_ops.MatrixDiag(diagonal=x), scalar),
        (r"input must be at least 2-dim, received shape: \[\]", lambda x: tf.linalg.set_diag(x, [x]), scalar),
        (r"diagonal must be at least 1-dim, received shape: \[\]", lambda x: tf.linalg.set_diag([[x]], x), scalar),
        (r"In\[0\] ndims must be >= 2: 1", tf.matmul, flat, wide),
        (r"Input must be at least 1D", tf.linalg.cross, scalar, scalar),
        (r"Input `a` must have at least 2 dimensions \(saw: 1\).", lambda: tf.linalg.pinv(tf.zeros([3]))),
        (r"currently disabled for complex128", lambda: tf.linalg.lstsq(tf.zeros([2, 2], tf.complex128), tf.zeros([2, 1], tf.complex128), 0.5)),
    )


def case_reductions_and_segments(tf):
    return refusals(
        tf,
        (r"ScanOp: axis must be a scalar, not \[1\]", lambda axis: tf.cumsum([0.5, 0.5], axis), [0]),
        (r"ScanOp: Expected scan axis in the range \[-1, 1\), but got -2", lambda axis: tf.cumsum([0.5, 0.5], axis), -3),
        (r"indices should be a vector", lambda i: tf.sparse.segment_sum([0.5, 0.5], i, [0]), [[0]]),
        (r"segment_ids should be a vector", lambda i: tf.sparse.segment_sum([0.5, 0.5], [0], i), [[0]]),
        (r"Shape must be at least rank 1 but is rank 0", lambda: tf.linalg.cross([1.0, 2.0, 3.0], 1.0)),
    )


def case_special_functions(tf):
    three, pair = np.ones([2, 3]), np.ones([2])
    return refusals(
        tf,
        (r"Incompatible shapes: \[2,3\] vs. \[2\]", tf.math.igamma, three, pair),
        (r"Incompatible shapes: \[2,3\] vs. \[2\]", tf.math.zeta, three, pair),
        (r"Shapes of a and b are inconsistent: \[2\] vs. \[3\]", tf.math.betainc, np.ones([2]), np.ones([3]), np.ones([])),
        (r"Shapes of b and x are inconsistent: \[3\] vs. \[2\]", tf.math.betainc, np.ones([]), np.ones([3]), np.ones([2])),
    )


def case_rows_in_place(tf):
    refused = [
        (f"Unsupported data type: {name}", function, value)
        for name, value in (("bool", [[True]]), ("string", [["a"]]))
        for function in (lambda x: tf.raw_ops.InplaceAdd(x=x, i=[0], v=x), lambda x: tf.raw_ops.InplaceSub(x=x, i=[0], v=x))
    ]
    return refusals(
        tf,
        *refused,
        (r"Expected list for 'data' argument to 'Print' Op, not Tensor\(\"Const.*:0\", shape=\(\), dtype=float32\)",
         lambda: tf.Print(tf.constant(1.0), tf.constant(1.0))),
    )


def case_sparse_products(tf):
    def product(values, shape, b, indices=((0, 0),)):
        return tf.raw_ops.SparseTensorDenseMatMul(
            a_indices=np.array(indices, np.int64), a_values=values, a_shape=tf.cast(shape, tf.int64), b=b
        )

    one, wide = [1.0], np.zeros([4, 2])
    return refusals(
        tf,
        (r"Tensor 'b' is not a matrix", product, one, [3, 4], np.zeros([4])),
        (r"Tensor 'a_shape' is not a vector", product, one, [[3, 4]], wide),
        (r"Tensor 'a_shape' must have 2 elements", product, one, [3], wide),
        (r"Tensor 'a_values' is not a vector", product, 1.0, [3, 4], wide),
        (r"Tensor 'a_values' is not a vector", product, [one], [3, 4], wide),
        (r"Number of rows of a_indices does not match number of entries in a_values", product, [1.0, 2.0], [3, 4], wide),
        (r"inner dimension does not match: 4 vs. 5.  Did you forget a transpose", product, one, [3, 4], np.zeros([5, 2])),
        (r"At least one input should be SparseTensor", lambda: tf.sparse.add(tf.constant(one), tf.constant(one))),
    )

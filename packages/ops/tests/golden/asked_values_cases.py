"""What refusals say of the values that a shape rule asked for, and the words of ops on sparse tensors and segments."""
import numpy as np
from golden_case import Case, says


def refusals(tf, *rows):
    """Each row: a pattern, and a function that makes what is refused, when the graph is built or when it runs."""
    def attempt(function):
        with tf.Graph().as_default() as graph:
            result = function()
            with tf.Session(graph=graph) as session:
                session.run(result)
    return Case([says(pattern, attempt, function) for pattern, function in rows])


def case_values(tf):
    m = np.zeros([2, 3], "f4")
    return refusals(
        tf,
        (r"^slice index 5 of dimension 0 out of bounds. for .* with input shapes: \[2,3\], \[2\], \[2\], \[2\] and with "
         r"computed input tensors: input\[1\] = <5 0>, input\[2\] = <6 1>, input\[3\] = <1 1>.$",
         lambda: tf.strided_slice(m, [5, 0], [6, 1], shrink_axis_mask=3)),
        (r"\[1\], \[1\] and with computed input tensors: input\[3\] = <0>.$", lambda: tf.ones([30])[4:5:0]),
        (r"are 3 and 2. .* \[2,3\], \[3,2\], \[\] and with computed input tensors: input\[2\] = <0>.$",
         lambda: tf.concat([m, m.T], 0)),
        (r"Paddings must be non-negative .* computed input tensors: input\[1\] = <\[-3 -4\]>.$",
         lambda: tf.pad([1.0, 2.0], [[-3, -4]])),
        (r"tensors: input\[0\] = <0>, input\[1\] = <5>, input\[2\] = <-1>.$", lambda: tf.range(0, 5, -1)),
        (r"^Invalid reduction dimension 2 .* input\[1\] = <0 1 2 3 4>.$", lambda: tf.reduce_sum(m, tf.range(5))),
        (r"^Shape must be at most rank 1 but is rank 2 .* input shapes: \[2,3\], \[1,1\].$",
         lambda: tf.reduce_sum(m, [[5]])),
        (r"by 2 but is 3 for .*: input\[1\] = <2 2>, input\[2\] = <\[0 0\]\[0 0\]>.$",
         lambda: tf.batch_to_space_nd(np.zeros([3, 1, 1, 1]), [2, 2], [[0, 0], [0, 0]])),
        (r"^block_shape must be positive for .*: input\[1\] = <0 2>",
         lambda: tf.space_to_batch_nd(np.zeros([1, 3, 3, 1]), [0, 2], [[0, 0], [0, 0]])),
        (r"^Dimension must be 2 but is 3 for .* \[2,3\], \[3\].$", lambda: tf.transpose(m, [0, 1, 2])),
        (r"^Dimension must be 2 but is 3 for ", lambda: tf.histogram_fixed_width([1.0], [0.0, 1.0, 2.0])),
        (r"^Shape must be rank 0 but is rank 1\n\t for 'stop' for 'LinSpace'", lambda: tf.linspace(0.0, [1.0], 3)),
        (r"^Dimensions must be equal, but are 2 and 5 for", lambda: tf.linalg.set_diag(m, np.ones([5], "f4"))),
        (r"must be equal, but are 3 and 2 for", lambda: tf.linalg.det(m)),
        (r"at least rank 3 but is rank 2 for .* input\[2\] = <2>.$", lambda: tf.gather(m, [[0]], axis=2, batch_dims=4)),
        (r"indices shape: \[2,1\] and params shape: \[\] ", lambda: tf.gather_nd(1.0, [[0], [1]])),
    )


def case_shapes(tf):
    m = np.zeros([2, 3], "f4")
    return refusals(
        tf,
        (r"\[2,3\], \[2\] and with input tensors computed as partial shapes: input\[1\] = \[4,\?\].$",
         lambda: tf.reshape(m, [4, -1])),
        (r"by 14 but is 6 .* input\[1\] = \[2,\?,7\].$", lambda: tf.reshape(m, [2, tf.placeholder(tf.int32, []), 7])),
        (r"computed as partial shapes: input\[1\] = \[0,5\],input\[2\] = \[2,\?\].$",
         lambda: tf.slice(m, [0, 5], [2, -1])),
        (r"input\[1\] = \[\?,4\].$", lambda: tf.reshape(m, tf.shape(tf.placeholder(tf.float32, [None, 4])))),
        (r"^Invalid value in tensor used for shape: -2$", lambda: tf.slice(m, [0, 0], [2, -2])),
        (r"^Invalid value in tensor used for shape: -2$", lambda: tf.fill([-2], 1.0)),
        (r"^Invalid value in tensor used for shape: -2$", lambda: tf.truncated_normal([-2])),
        (r"^Shape must be rank 1 but is rank 0 for 'Fill' .* input shapes: \[\], \[\].$", lambda: tf.fill(2, 3)),
        (r"^Shape must be rank 1 but is rank 2 for .* \[2,3\], \[1,2\].$", lambda: tf.reshape(m, [[4, 5]])),
        (r"but are 2 and 4 for .* input\[1\] = \[4,3\].$", lambda: tf.broadcast_to(m, [4, 3])),
        (r"output.shape=\[\?\] must match the inner 1 dimensions of updates.shape=\[1,2\]",
         lambda: tf.scatter_nd([[0]], [[1.0, 2.0]], [4])),
    )


def case_segments(tf):
    rows = np.zeros([3, 2], "f4")
    return refusals(
        tf,
        (r"^Bad: indices\[1\] == 4 out of range \[0, 3\)", lambda: tf.sparse_segment_sum(rows, [0, 4], [0, 1])),
        (r"^segment ids are not increasing", lambda: tf.sparse_segment_sum(rows, [0, 4, 1], [1, 1, 0])),
        (r"^Bad: indices\[0\] == -1 ", lambda: tf.sparse_segment_sum(rows, [-1, 1, 1], [0, 2, 1])),
        (r"^Segment id -1 out of range \[0, 3\), possibly because", lambda: tf.sparse_segment_sum(rows, [0, 9], [-1, 2])),
        (r"^segment ids must be < num_segments",
         lambda: tf.sparse.segment_sum(rows, [0, 1], [-1, 1], num_segments=0)),
        (r"^Cannot specify a negative value for num_segments for .* input\[3\] = <-1>.$",
         lambda: tf.sparse.segment_mean(rows, [0, 1], [0, 1], num_segments=-1)),
        (r"^segment_ids = 0 is out of range \[0, 0\)", lambda: tf.unsorted_segment_sum(rows, 0, 0)),
        (r"^segment_ids\[1,0\] = 7 is out of", lambda: tf.unsorted_segment_sum(rows, [[0, 1], [7, 2], [1, 1]], 3)),
        (r"^Dimensions must be equal, but are 3 and 2 for", lambda: tf.unsorted_segment_sum(rows, [0, 0], 1)),
        (r"^indices\[1\] = 3 is not in", lambda: tf.scatter_update(tf.Variable(rows, use_resource=False), [0, 3], 2.0)),
        (r"^batch_dims = -1 must be less than rank\(indices\) = 0$", lambda: tf.batch_gather(rows, 0)),
        (r"^batch_dims = 1 must be less than rank\(params\) = 1$", lambda: tf.batch_gather([1.0], [[0]])),
    )


def case_sparse(tf):
    def at(*places, shape=(2, 3)):
        return tf.SparseTensor(np.array(places, np.int64), np.ones(len(places), "f4"), shape)

    def some():
        return at([0, 1], [1, 2])

    def deep():
        return at([0, 1, 0], [1, 2, 1], shape=(2, 3, 2))

    def parts(x):
        return [x.indices, x.values, x.dense_shape]

    return refusals(
        tf,
        (r"to shape \[4, None\] \(4 elements\)", lambda: parts(tf.sparse.reshape(some(), [4, -1]))),
        (r"^size 1 must be non-negative, not -2", lambda: parts(tf.sparse.reshape(some(), [2, -2, 3]))),
        (r"^num_dim must be in the interval \[0, 2\)",
         lambda: parts(tf.sparse.split(sp_input=some(), num_split=2, axis=-1)[0])),
        (r"new_shape \(\[2 3\]\), sp_input.shape \(\[1 2\]\)", lambda: parts(tf.sparse.reset_shape(some(), [1, 2]))),
        (r"^Dimensions 2 and 1 are not compatible", lambda: parts(tf.sparse.retain(some(), [True]))),
        (r"^Two operands have different ranks; received: 2 and 1", lambda: tf.sparse.add(some(), [1.0, 2.0, 3.0])),
        (r"^Operands do not have the same ranks; got shapes: 2 3 and 2 3 2",
         lambda: parts(tf.sparse.maximum(some(), deep()))),
        (r"^Dimension must be 2 but is 3 for",
         lambda: parts(tf.sets.union(tf.cast(some(), tf.int32), tf.cast(deep(), tf.int32)))),
        (r"^Expected D2 of index to be 2 got 3 at position 1", lambda: parts(tf.sparse.cross([some(), deep()]))),
        (r"are not valid \(out of bounds\).  Shape: \[2,3\]",
         lambda: tf.sparse.to_dense(at([0, 1], [5, 2]), validate_indices=False)),
        (r"sparse ops require sorted indices.$|indices.\n", lambda: tf.sparse.to_dense(at([1, 1], [0, 1]))),
        (r"^indices\(1, 0\) is invalid: 5 >= 2",
         lambda: parts(tf.sparse.fill_empty_rows(at([0, 1], [5, 2]), 0.0)[0])),
        (r"^Provided indices are out-of-bounds w.r.t. dense side", lambda: parts(at([0, 1], [5, 2]) * np.ones([2, 3]))),
        (r"to sparse only; got incompatible shapes: \[2,3\] vs. \[4\]", lambda: parts(at([5, 1]) * np.ones([4]))),
        (r"invalid index on dimension 0; dense tensor shape: \[2,3\]",
         lambda: tf.sparse.add(at([5, 1]), np.ones([2, 3], "f4"))),
    )


def case_confusion(tf):
    def matrix(labels, predictions):
        return tf.math.confusion_matrix(tf.placeholder(tf.int64, labels), tf.placeholder(tf.int64, predictions))

    return refusals(
        tf,
        (r"^Shape \(2, 2, 3\) must have rank 2$", lambda: matrix([2, 3], [2, 3])),
        (r"^Can not squeeze dim\[1\], expected a dimension of 1, got 3", lambda: matrix([2, 3], [2])),
    )


def case_truth_of_tensors(tf):
    return refusals(tf, (r"not allowed in Graph execution. Use Eager execution or decorate", lambda: bool(tf.constant(1.0))))

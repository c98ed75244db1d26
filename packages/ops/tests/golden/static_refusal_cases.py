"""What is said of static shapes that do not fit, op by op, and what is known of those that do."""
import numpy as np
from golden_case import Case, says

WINDOW = dict(ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


def shapes(tf, op, *rows, **attrs):
    """Each row: a pattern, and the inputs by name; a list stands for the shape of a float placeholder, None for an
    unknown one, anything else for itself."""
    def attempt(inputs):
        with tf.Graph().as_default():
            values = {name: tf.placeholder(tf.float32, value) if value is None or isinstance(value, list) else value
                      for name, value in inputs.items()}
            getattr(tf.raw_ops, op)(**dict(values, **attrs))
    return [says(pattern, attempt, inputs) for pattern, inputs in rows]


def ints(tf, shape, dtype=None):
    """A function, so that the placeholder is made in the graph of the attempt."""
    return tf.placeholder(dtype or tf.int32, shape)


def refused(tf, *rows):
    """Each row: a pattern and a function that builds."""
    def attempt(function):
        with tf.Graph().as_default():
            function()
    return Case([says(pattern, attempt, function) for pattern, function in rows])


def case_pools(tf):
    return Case([
        shapes(tf, "MaxPoolGradGrad",
               (r"Shapes must be equal rank, but are 4 and 3",
                dict(orig_input=[2, 5, 5, 2], orig_output=[2, 3, 3, 2], grad=[5, 5, 2])),
               (r"Dimension 1 in both shapes must be equal, but are 0 and 5. Shapes are \[2,0,5,2\]",
                dict(orig_input=[2, 0, 5, 2], orig_output=[2, 3, 3, 2], grad=[2, 5, 5, 2])),
               **WINDOW),
        shapes(tf, "MaxPool3DGradGrad",
               (r"Dimension 1 in both shapes must be equal, but are 3 and 4",
                dict(orig_input=[2, 3, 4, 5, 2], orig_output=[2, 2, 2, 3, 2], grad=[2, 4, 4, 5, 2])),
               ksize=[1, 2, 2, 2, 1], strides=[1, 2, 2, 2, 1], padding="SAME"),
    ])


def case_shapes_in_tensors(tf):
    return refused(
        tf,
        (r"Shape must be rank 1 but is rank 0", lambda: tf.broadcast_to([1.0], ints(tf, []))),
        (r"Shape must be rank 1 but is rank 0", lambda: tf.transpose(tf.zeros([2, 3]), ints(tf, []))),
        (r"Shape must be rank 1 but is rank 0", lambda: tf.raw_ops.Empty(shape=ints(tf, []), dtype=tf.float32)),
        (r"Shape must be rank 1 but is rank 0", lambda: tf.sparse_to_dense([[0]], ints(tf, []), [1.0])),
        (r"Shape must be rank 1 but is rank 0",
         lambda: tf.raw_ops.AvgPoolGrad(orig_input_shape=ints(tf, []), grad=tf.zeros([1, 1, 1, 1]), **WINDOW)),
        (r"rank 0 but is rank 1\n\t for 'limit' for 'range", lambda: tf.range(ints(tf, [2]))),
        (r"Shape must be rank 1 but is rank 2", lambda: tf.ensure_shape(tf.zeros([2, 2]), [None])),
        (r"Negative dimension size caused by subtracting 3 from 0",
         lambda: tf.raw_ops.MirrorPadGrad(input=tf.zeros([1, 0]), paddings=[[0, 0], [2, 1]], mode="REFLECT")),
    )


def case_scalars_that_are_sizes(tf):
    return refused(
        tf,
        (r"Input must be scalar but has rank 1", lambda: tf.split(tf.zeros([2]), 2, [0])),
        (r"Input must be scalar but has rank 1", lambda: tf.split(tf.zeros([3]), [1, 2], [0])),
        (r"scalar input 1 must be in range \[-1, 1\)", lambda: tf.split(tf.zeros([2]), 2, 1)),
        (r"scalar input 0 must be in range \[-0, 0\)", lambda: tf.split(tf.zeros([]), 2)),
        (r"Input must be scalar but has rank 1", lambda: tf.one_hot([1], [3])),
        (r"given by scalar input 1, must be non-negative but is -1", lambda: tf.one_hot([1], -1)),
        (r"Input must be scalar but has rank 1", lambda: tf.contrib.nn.nth_element([3, 1], [0])
         if hasattr(tf, "contrib") else tf.raw_ops.NthElement(input=[3, 1], n=[0])),
        (r"given by scalar input 1, must be non-negative but is -2", lambda: tf.nn.top_k([1.0], -2)),
        (r"given by scalar input 2, must be non-negative but is -1",
         lambda: tf.math.unsorted_segment_sum([1.0], [0], -1)),
        (r"given by scalar input 1, must be non-negative but is -3",
         lambda: tf.random.multinomial(tf.zeros([1, 2]), -3)),
        (r"Dimension must be 2 but is 1",
         lambda: tf.raw_ops.StatelessMultinomial(logits=tf.zeros([1, 2]), num_samples=3, seed=[1])),
        (r"Cannot specify a negative value for output_dim0", lambda: tf.raw_ops.SparseSegmentSqrtNGrad(
            grad=tf.zeros([2, 2]), indices=[1], segment_ids=[0], output_dim0=-1)),
    )


def case_rows_and_ranks(tf):
    t = tf.raw_ops
    return refused(
        tf,
        (r"Dimensions must be equal, but are 1 and 2", lambda: tf.dynamic_partition(tf.zeros([1, 2]), [1, 1], 2)),
        (r"Dimensions must be equal, but are 2 and 1",
         lambda: tf.dynamic_stitch([ints(tf, [1])], [tf.zeros([2, 3])])),
        (r"Shape must be at least rank 2 but is rank 1", lambda: tf.strings.unsorted_segment_join(["a"], [[0]], 2)),
        (r"Shape must be rank 3 but is rank 2", lambda: tf.sets.intersection(ints(tf, [2, 2, 3]), [[1], [2]])),
        (r"Can't split scalars", lambda: tf.split(1.0, [1, 2], 0)),
        (r"Shape must be at least rank 1 but is rank 0", lambda: tf.bitcast(1.0, tf.int64)),
        (r"Tensor t0 of rank 1 does not match einsum reduction of length 2",
         lambda: tf.einsum("ij,jk->ik", tf.zeros([2]), tf.zeros([2, 3]))),
        (r"Unable to statically infer ellipsis axes",
         lambda: tf.einsum("i...,j->...", tf.placeholder(tf.float32), tf.zeros([2]))),
        (r"axis may only be negative if ndims is statically known",
         lambda: tf.repeat(tf.placeholder(tf.float32), 2, axis=-1)),
        (r"'dim' input must be a tensor with a single value for", lambda: tf.expand_dims([1], [0, 1])),
        (r"Shape must be rank 1 but is rank 2",
         lambda: t.SparseReshape(input_indices=[[0, 1]], input_shape=ints(tf, [2, 2], tf.int64), new_shape=[2])),
        (r"Expected list for 'strides' argument to 'conv2d' Op, not 1",
         lambda: t.Conv2D(input=tf.zeros([1, 2, 2, 1]), filter=tf.zeros([1, 1, 1, 1]), strides=1, padding="SAME")),
        (r"Can't convert Operation 'NoOp' to Tensor \(target dtype=None", lambda: tf.convert_to_tensor(tf.no_op())),
        (r"Cannot specify both 'preferred_dtype' and 'dtype_hint'",
         lambda: tf.convert_to_tensor(1, preferred_dtype=tf.int32, dtype_hint=tf.int32)),
        (r"Number of elements in index \(2\) and values \(1\) do not match", lambda: t.EditDistance(
            hypothesis_indices=[[0, 0], [0, 1]], hypothesis_values=[1], hypothesis_shape=[1, 2],
            truth_indices=[[0, 0]], truth_values=[1], truth_shape=[1, 2])),
        (r"Index rank \(2\) and shape rank \(1\) do not match", lambda: t.EditDistance(
            hypothesis_indices=[[0, 0]], hypothesis_values=[1], hypothesis_shape=[1],
            truth_indices=[[0, 0]], truth_values=[1], truth_shape=[1, 2])),
        (r"Shape must be rank 3 but is rank 2\n\t for 0th input and equation: iij,j->ji",
         lambda: t.Einsum(inputs=[tf.zeros([2, 2]), tf.zeros([2])], equation="iij,j->ji")),
        (r"Shape must be at least rank 2 but is rank 0\n\t for 0th input and equation",
         lambda: t.Einsum(inputs=[tf.zeros([]), tf.zeros([4])], equation="...ab,...->...a")),
        (r"Dimension 0 in both shapes must be equal, but are 1 and 2. Shapes are \[1\] and \[2\]",
         lambda: t.Select(condition=[True], x=[1, 2], y=[3, 4])),
        (r"Shape must be rank 0 but is rank 1", lambda: tf.strings.substr(["a", "b"], [0, 1], 1)),
        (r"Dimension must be 2 but is 3", lambda: tf.unstack(tf.zeros([3]), 2)),
        (r"Invalid axis: 0; must be in \[0,0\)", lambda: t.Unpack(value=1.0, num=2)),
        (r"Shape must be broadcasted with rank 2, but is rank 3",
         lambda: t.SoftmaxCrossEntropyWithLogits(features=tf.zeros([2, 2, 3]), labels=tf.zeros([2, 3]))),
        (r"Shape must be at least rank 1 but is rank 0", lambda: t.Cross(a=tf.zeros([3]), b=0.0)),
        (r"Shape must be rank 2 but is rank 1", lambda: t.SparseTensorDenseMatMul(
            a_indices=[0], a_values=[1.0], a_shape=[2, 2], b=tf.zeros([2, 1]))),
        (r"lower_diag_index is out of bound",
         lambda: t.MatrixDiagPartV2(input=tf.zeros([0, 3]), k=[-1, 1], padding_value=0.0)),
        (r"Shape must be rank 3 but is rank 2", lambda: t.MatrixSetDiagV2(
            input=tf.placeholder(tf.float32, [None] * 3), diagonal=tf.zeros([2, 2]), k=[0, 1])),
        (r"inner 1 dimensions of input.shape=\[2,3\] must match the inner 0 dimensions of updates.shape=\[2\]",
         lambda: t.ScatterNdNonAliasingAdd(input=tf.zeros([2, 3]), indices=[[0], [0]], updates=[1.0, 2.0])),
    )


def case_when_it_runs(tf):
    def fails(function, *values):
        with tf.Graph().as_default() as graph:
            result = function(*[tf.placeholder_with_default(value, None) for value in values])
            with tf.Session(graph=graph) as session:
                session.run(result)
    def select(c, x, y):
        return tf.raw_ops.Select(condition=c, x=x, y=y, name="choice")
    return Case([says(pattern, fails, *call) for pattern, *call in [
        (r"Inputs to operation sum of type AddN must", lambda x, y: tf.add_n([x, y], "sum"), [1], [1, 2]),
        (r"Inputs to operation choice of type Select .* Input 0: \[1,2\] != input 2: \[2,2\]", select,
         [[True, False]], [[1, 2]], [[1, 2], [3, 4]]),
        (r"Number of batches of 'then' must match size of 'cond', but saw: 3 vs. 2", select,
         [True, False], [[1], [2], [3]], [[1], [2], [3]]),
        (r"'then' must be at least a vector, but saw shape: \[\]", select, [True], 1, 2),
        (r"'then' and 'else' must have the same size.  but received: \[1\] vs. \[2\]", select, True, [1], [1, 2]),
        (r"WhereOp : Unhandled input dimensions: 9", tf.where, [[[[[[[[[True]]]]]]]]]),
        (r"There can only be one -1", lambda n: tf.split([1, 2], tf.reshape(n, [2])), [-1, -1]),
        (r"axis tensor should be a scalar integer, but got shape \[1\]", lambda n: tf.concat([[1], [2]], n), [0]),
        (r"batch_dim == seq_dim == 1", lambda x: tf.reverse_sequence(x, [1], seq_axis=1, batch_axis=1), [[1, 2]]),
        (r"len\(seq_lens\) != input.dims\(0\), \(2 vs. 1\)",
         lambda x: tf.reverse_sequence(x, [1, 1], seq_axis=1, batch_axis=0), [[1, 2]]),
        (r"3 is duplicated in the input", tf.invert_permutation, [3, 3, 0, 0]),
        (r"Expected begin\[1\] == 0 \(got 1\) and size\[1\] == 0 \(got -1\) when input.dim_size\(1\) == 0",
         lambda x: tf.slice(x, [0, 1], [1, -1]), np.zeros([2, 0])),
        (r"got split_dim 0 \(size = 3\)", lambda x: tf.split(x, 2, -1), [1, 2, 3]),
        (r"indices = \[7\] does not index into param shape \[2\]", lambda x: tf.gather_nd(x, [7]), [1, 2]),
        (r"Indices and updates specified for empty output shape",
         lambda x: tf.tensor_scatter_update(x, [[1]], np.zeros([1, 3])), np.zeros([0, 3])),
        (r"Cannot bitcast from 4 to 5", lambda x: tf.bitcast(x, tf.int16), np.zeros(3, np.uint8)),
        (r"cropped_shape\[0\]=-2 must be non-negative", lambda x: tf.batch_to_space_nd(x, [2], [[2, 2]]),
         np.zeros([4, 1, 1])),
        (r"x and y must be of the same shape. x shape: \[2\]. y shape: \[1\]",
         lambda x, y: tf.raw_ops.ApproximateEqual(x=x, y=y), [1.0, 2.0], [1.0]),
        (r"Cast string to float is not supported", lambda x: tf.cast(x, tf.float32), "a"),
        (r"Cast half to string is not supported", lambda x: tf.cast(tf.cast(x, tf.float16), tf.string), 1.0),
    ]])


def case_choices_of_the_second_version(tf):
    where = tf.compat.v2.where
    return [where([True, False], [1, 2], [3, 4]), where([[True], [False]], [1, 2], 5), where([False, True])]


def case_slices_with_a_shape_of_numbers(tf):
    return tf.convert_to_tensor(tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), [3, 2]))


def case_what_identities_take(tf):
    sparse = tf.SparseTensor([[0]], [1], [2])
    return Case([says("", tf.identity, sparse), tf.identity([1])])


def case_nothing_to_take(tf):
    """Rows that are empty: what there is to take does not matter, and nothing is told apart."""
    empty = [tf.placeholder_with_default(np.zeros(dims, np.float32), None) for dims in ([2, 0, 3], [0, 3], [4, 0])]
    unique = tf.raw_ops.UniqueWithCountsV2(x=empty[2], axis=[1])
    flat = [tf.reshape(x, [-1]) for x in unique]
    return Case([tf.gather(empty[0], [7], axis=2), tf.gather(empty[1], [7], axis=1), flat], graph=False)


def case_repeats_of_any_rank(tf):
    scalar, unknown = tf.placeholder_with_default(3, []), tf.placeholder_with_default([[1, 2]], None)
    return [tf.repeat(scalar, 2, axis=0), tf.repeat(unknown, 2, axis=1),
            tf.repeat(unknown, tf.placeholder_with_default([1, 2], None), axis=1)]

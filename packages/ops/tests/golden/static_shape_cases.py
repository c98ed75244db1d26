"""Static shapes and refusals where the graph is built, of raw ops whose inputs are known, partly known or unknown."""
import itertools

import numpy as np
from golden_case import Case, raises, says

SHAPES = (None, [None, None], [None, 3], [2, 3], [2, None], [3], [])
VECTORS = (None, [None], [3], [2], [])


def built(tf, op, **inputs):
    """The outputs of an op of placeholders and attributes, or how it is refused."""
    def build():
        kwargs = {}
        for name, value in inputs.items():
            kwargs[name] = tf.placeholder(*value) if isinstance(value, tuple) else value
        return getattr(tf.raw_ops, op)(**kwargs)

    try:
        result = build()
    except ValueError:
        return raises(build)
    return list(result) if isinstance(result, (list, tuple)) else result


def case_gather(tf):
    return Case([built(tf, "GatherV2", params=(tf.float32, p), indices=(tf.int32, i), axis=axis, batch_dims=batch)
                 for p, i, axis, batch in itertools.product((None, [None], [2, 3], [2, 3, 4]), (None, [], [2], [2, 3]), (0, 1, -1), (0, 1, -1, 2))], graph_only=True)


def case_scatter_nd(tf):
    return Case([built(tf, "ScatterNd", indices=(tf.int32, i), updates=(tf.float32, u), shape=(tf.int32, s))
                 for i, u, s in itertools.product((None, [None, 2], [2, 1]), (None, [2], []), (None, [1], [1, 1], []))], graph_only=True)


def case_scatter_nd_into_variables(tf):
    found = []
    for shape in ([], [4], [4, 3]):
        ref = tf.get_variable("v%d" % len(shape), shape, use_resource=False)
        for i, u in itertools.product((None, [None, 2], [2, 1], [2, None, None]), (None, [2], [2, 3])):
            found.append(built(tf, "ScatterNdAdd", ref=ref, indices=(tf.int32, i), updates=(tf.float32, u)))
    return Case(found, graph_only=True)


SPARSE = [(i, v, s) for i in (None, [3, 0], [3, 1], [3, 2], [None, 3]) for v in (None, [3], [2]) for s in (None, [None], [0], [1], [2], [3])]


def case_sparse_sets(tf):
    return Case([built(tf, "SparseToSparseSetOperation", set1_indices=(tf.int64, i), set1_values=(tf.int32, v), set1_shape=(tf.int64, s),
                       set2_indices=(tf.int64, [3, 2]), set2_values=(tf.int32, [3]), set2_shape=(tf.int64, [2]), set_operation="b-a")
                 for i, v, s in SPARSE], graph_only=True)


def case_dense_and_sparse_sets(tf):
    return Case([built(tf, "DenseToSparseSetOperation", set1=(tf.int32, d), set2_indices=(tf.int64, i), set2_values=(tf.int32, v),
                       set2_shape=(tf.int64, s), set_operation="b-a") for d in (None, [2, 2], [2]) for i, v, s in SPARSE], graph_only=True)


def case_pools(tf):
    found = [built(tf, "MaxPoolV2", input=(tf.float32, [2, 5, 5, 2]), ksize=(tf.int32, k), strides=(tf.int32, s), padding="SAME")
             for k, s in itertools.product((None, [4], [3], [1, 4]), (None, [4], [5], [2, None]))]
    found += [built(tf, "MaxPool", input=(tf.float32, shape), ksize=[1, 1, 2, 2], strides=[1, 1, 1, 1], padding="SAME", data_format=kind)
              for kind in ("NCHW", "NCHW_VECT_C", "NHWC") for shape in (None, [2, 5, 5, 4], [1, 2, 5, 5, 4])]
    return Case(found, graph_only=True)


def case_blocks(tf):
    found = []
    for op, margins in (("SpaceToBatchND", "paddings"), ("BatchToSpaceND", "crops")):
        for x, b, m in itertools.product((None, [4, 4, 4, 1], [4]), (None, [None], [2], [2, 2]), (None, [None, 2], [2, 2], [3, 2])):
            found.append(built(tf, op, input=(tf.float32, x), block_shape=(tf.int32, b), **{margins: (tf.int32, m)}))
    for op, margins in (("SpaceToBatch", "paddings"), ("BatchToSpace", "crops")):
        found += [built(tf, op, input=(tf.float32, [4, 2, 4, 4]), block_size=2, **{margins: (tf.int32, m)}) for m in (None, [2, 2], [2, 2, 2], [3, 2])]
    return Case(found, graph_only=True)


def case_others(tf):
    found = [built(tf, "TopKV2", input=(tf.float32, [2, 4]), k=k) for k in ((tf.int32, None), (tf.int32, [3]), np.array([0, 0]), 5, 2)]
    found += [built(tf, "MatrixSolveLs", matrix=(tf.float32, [2, 3]), rhs=(tf.float32, [2, 1]), l2_regularizer=(tf.float64, r)) for r in (None, [], [1])]
    found += [built(tf, "SparseTensorDenseMatMul", a_indices=(tf.int64, None), a_values=(tf.float32, v), a_shape=np.array([2, 2]), b=(tf.float32, None)) for v in (None, [2, 3])]
    return Case(found, graph_only=True)


def case_sdca_defaults(tf):
    f, i = tf.float32, tf.int64
    return Case([tf.raw_ops.SdcaOptimizer(
        sparse_example_indices=[tf.placeholder(i)], sparse_feature_indices=[tf.placeholder(i)], sparse_feature_values=[], dense_features=[],
        example_weights=tf.placeholder(f), example_labels=tf.placeholder(f), sparse_indices=[tf.placeholder(i)], sparse_weights=[tf.placeholder(f)],
        dense_weights=[], example_state_data=tf.placeholder(f), loss_type="hinge_loss", l1=0.0, l2=1.0, num_loss_partitions=1,
        num_inner_iterations=1)[0]], graph_only=True)


def case_gradient_of_gamma_of_a_long_shape(tf):
    alpha = tf.constant([1.0, 2.0])
    return Case([tf.gradients(tf.raw_ops.RandomGamma(shape=tf.constant([3], tf.int64), alpha=alpha, seed=1), alpha)], graph_only=True)


def case_unique_rows_of_strings(tf):
    x = tf.constant([["b", "a", "b"], ["c", "c", "c"], ["b", "a", "b"]])
    with tf.Session() as session:  # the original's static shapes are those of vectors
        found = [session.run(tf.raw_ops.UniqueWithCountsV2(x=x, axis=[axis])) for axis in (0, 1)]
    return Case([[part.astype(str).tolist() for part in parts] for parts in found], graph=False)


def case_logarithms_of_sums_with_nan(tf):
    x = tf.constant([[np.nan, 1.0], [2.0, np.inf]])
    nothing = tf.math.cumulative_logsumexp(tf.constant([-np.inf, -np.inf, 0.0, -np.inf]))
    return [nothing] + [tf.math.cumulative_logsumexp(x, axis=axis, reverse=reverse) for axis in (0, 1) for reverse in (False, True)]


def case_ensure_shape(tf):
    return Case([built(tf, "EnsureShape", input=(tf.float32, shape), shape=tf.TensorShape(wanted))
                 for shape, wanted in itertools.product(SHAPES, SHAPES)], graph_only=True)


def case_refused_in_words(tf):
    x, v = tf.zeros([2, 3]), tf.Variable([[1., 2.]], dtype=tf.float64)
    return Case([says(r"but are 4 and 2. Shapes are \[4,3\] and \[2,3\]", tf.ensure_shape, x, [4, 3]),
                 says("Shape must be rank 1 but is rank 2", tf.ensure_shape, x, [2]),
                 says(r"types \[float32, float64\] that don't all match", tf.concat, [x, v], 0),
                 says(r"types \[float64, float32\] that don't all match", tf.stack, [v, x]),
                 [op.name for op in tf.add(x, x).op.inputs[0].consumers()]], graph=False)

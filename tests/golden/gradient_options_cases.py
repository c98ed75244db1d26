"""Gradients that are given, of slices, on tapes, in branches, and of the gradients of batch normalization."""
import numpy as np
from golden_case import Case, raises

VECTOR = np.array([1.5, -2.0], np.float32)



def case_given_of_other_dtypes(tf):
    found = {}
    for of in ("float32", "bfloat16", "int32", "uint8", "complex64", "bool", "string"):
        for by in ("float32", "bfloat16", "int32", "uint8", "complex64", "bool", "string"):
            x = tf.placeholder(of, [2])
            found[of + " by " + by] = raises(tf.gradients, tf.identity(x), x, tf.placeholder(by, [2]))
    return found


def case_given_integers(tf):
    x = tf.constant(VECTOR)
    chosen = tf.gradients(tf.identity(x), x, tf.constant([2, 3]))
    return chosen, raises(tf.gradients, tf.square(x), x, tf.constant([2, 3])), raises(tf.gradients, x, x, "a")


def case_given_slices(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    slices = tf.IndexedSlices(tf.ones([2, 2]), tf.constant([1, 0]), tf.constant([2, 2]))
    loose = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([1]))
    return tf.gradients(tf.square(x), x, slices), tf.gradients(tf.identity(x), x, loose), \
        tf.gradients(tf.multiply(2.0, x), x, slices)


def case_given_in_order(tf):
    x = tf.placeholder_with_default(VECTOR, [2], name="x")
    y, z = tf.square(x), tf.exp(x, name="z")
    return tf.gradients([y, z, y], x, [[2.0, 1.0], np.float32([1, 2]), None], colocate_gradients_with_ops=True)


def case_tape_of_bfloat16(tf):
    x = tf.constant(VECTOR)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.cast(tf.square(tf.cast(x, tf.bfloat16)), tf.float32)
        z = tf.cumsum(tf.cast(x, tf.bfloat16))
    return tape.gradient(y, x), tape.gradient(z, x)


def case_tape_of_integers(tf):
    x = tf.placeholder_with_default(VECTOR, [2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        whole, best = tf.cast(x, tf.int32), tf.nn.top_k(x)
        places = tf.argmax(x)
    return [tape.gradient(item, x) for item in (whole, best.indices, places)], tape.gradient(best, x)


def case_tape_knows_no_overrides(tf):
    @tf.RegisterGradient("TapeKnowsNoOverrides")
    def _(op, grad):
        return 100.0 * grad

    x = tf.constant(VECTOR)
    with tf.GradientTape() as tape, tf.get_default_graph().gradient_override_map({"Square": "TapeKnowsNoOverrides"}):
        tape.watch(x)
        y = tf.square(x)
    return tape.gradient(y, x), tf.gradients(y, x)


def case_shapes_in_branches(tf):
    sizes, fixed = tf.constant([2, 3]), tf.identity(tf.constant([3, 2]))
    x = tf.placeholder(tf.float32, None, name="x")
    shapes = []

    def branch():
        found = [tf.reshape(x, sizes), tf.reshape(x, fixed), tf.reshape(x, tf.identity(sizes)),
                 tf.reshape(x, tf.stack([sizes[0], 3])), tf.reshape(x, tf.stack([tf.constant(2), 3])),
                 tf.pad(tf.reshape(x, sizes), tf.identity(tf.constant([[0, 1], [1, 0]])))]
        shapes.extend(item.shape for item in found)
        return [tf.reduce_sum(item) for item in found]

    tf.cond(tf.placeholder(tf.bool, []), branch, branch)
    tf.while_loop(lambda *_: True, lambda *_: branch(), [0.0] * 6)
    return Case(shapes, graph_only=True)


def case_shapes_of_gradients_in_loops(tf):
    x = tf.placeholder(tf.float32, [None, 4, None, 2])
    w = tf.placeholder(tf.float32, [2, 2, 2, 1])

    def body(i, total):
        return i + 1, total + tf.reduce_sum(tf.nn.depthwise_conv2d(x * total, w, [1, 1, 1, 1], "SAME"))

    total = tf.while_loop(lambda i, _: i < 2, body, [0, 1.0])[1]
    return Case(tf.gradients(total, [x, w]), graph_only=True)


def batch_norm(tf, kind, dtype, training, data_format, shape):
    images = np.random.RandomState(3).uniform(-1, 1, (2, 2, 3, 2)).astype(dtype)
    channels = np.float32([0.5, 1.5])
    dy, x = (tf.placeholder_with_default(values, shape) for values in (images[::-1], images))
    scale, mean, variance = (tf.constant(channels + extra) for extra in (0.0, 0.25, 0.5))
    kwargs = {} if kind != "FusedBatchNormGradV3" else {"reserve_space_3": tf.zeros([0])}
    made = getattr(tf.raw_ops, kind)(y_backprop=dy, x=x, scale=scale, reserve_space_1=mean, reserve_space_2=variance,
                                     is_training=training, data_format=data_format, **kwargs)
    given = [tf.ones_like(dy) * 0.5, tf.constant(channels), tf.constant(-channels)]
    found = tf.gradients(made[:3], [dy, x, scale], given) + tf.gradients(made[0], [dy, x, scale])
    return Case(found, graph_only=data_format == "NCHW")


for _kind, _dtype in (("FusedBatchNormGrad", "float32"), ("FusedBatchNormGradV2", "float16"),
                      ("FusedBatchNormGradV3", "float32"), ("FusedBatchNormGradV3", "float16")):
    for _training in (True, False):
        for _format in ("NHWC", "NCHW"):
            for _name, _shape in (("known", [2, 2, 3, 2]), ("rows", [None, 2, 3, 2]), ("unknown", None)):
                def _case(tf, args=(_kind, _dtype, _training, _format, _shape)):
                    return batch_norm(tf, *args)
                globals()["case_%s_%s_%s_%s_%s" % (
                    _kind, _dtype, "training" if _training else "inference", _format, _name)] = _case


def case_batch_norm_grad_shapes(tf):
    found = []
    for dy in (None, [2, 2, 3, 2], [None, None, 3, None]):
        for x in (None, [None, 2, None, 3], [2, 2, 3, 2]):
            args = [tf.placeholder(tf.float32, item) for item in (dy, x, None, None, None)]
            names = ("y_backprop", "x", "scale", "reserve_space_1", "reserve_space_2")
            if dy == [2, 2, 3, 2] and x == [None, 2, None, 3]:
                found.append(raises(tf.raw_ops.FusedBatchNormGrad, **dict(zip(names, args))))
            else:
                found.extend(item.shape for item in tf.raw_ops.FusedBatchNormGrad(**dict(zip(names, args))))
    return Case(found, graph_only=True)


def case_refused_at_build(tf):
    a = tf.constant([[0, 0]], tf.int64)
    product = tf.sparse.sparse_dense_matmul(tf.SparseTensor(a, tf.constant([1j]), [2, 2]), tf.constant([[1j], [2j]]))
    x = tf.placeholder(tf.float32)
    ranged = tf.raw_ops.FakeQuantWithMinMaxVarsPerChannel(inputs=tf.ones([2, 2]), min=[-1.0, 0.0], max=[1.0, 2.0])
    return [
        raises(tf.gradients, product, product.op.inputs[3], tf.constant([[1j], [1j]])),
        raises(tf.raw_ops.MatrixSolveLs, matrix=x, rhs=x, l2_regularizer=tf.zeros([1], tf.float64)),
        raises(tf.pad, x, [[1, 0], [-1, 2]]),
        raises(tf.raw_ops.Conv2D, input=tf.ones([1, 3, 3, 1]), filter=tf.ones([2, 2, 1, 1]), strides=[1, 1, 1, 1],
               padding="SAME", explicit_paddings=[0, 0, 1, 1, 1, 1, 0, 0]),
        raises(tf.gradients, ranged, ranged.op.inputs[1], 2.0),
        tf.linalg.solve(tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [2, None])).shape,
        tf.linalg.triangular_solve(tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, 1])).shape,
    ]


def case_segment_extremes_by_integers(tf):
    data, ids = tf.constant([[1.0, 2.0], [3.0, 1.0], [3.0, 4.0]], tf.float64), tf.constant([0, 0, 1])
    found = []
    for function in (tf.math.segment_max, tf.math.segment_min):
        y = function(data, ids)
        found += tf.gradients(y, data, tf.ones_like(y, tf.int32))
    return found


def case_product_of_slices(tf):
    x, y = tf.constant([[1.0, 2.0]]), tf.placeholder_with_default(np.float32([[2.0, 3.0]]), [None, 2])
    slices = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([1, 2]))
    return tf.gradients(x * 2.0, x, slices) + tf.gradients(y * x, [x, y], slices)

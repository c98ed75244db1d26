"""A loss given as a function: gradients as a tape plays them back, op for op."""
import numpy as np
from golden_case import Case, raises


def pair(tf, use=True):
    return (tf.Variable(np.array([1.0, 2.0], "float32"), name="v", use_resource=use), tf.Variable(np.array([3.0, 4.0], "float32"), name="w", use_resource=use))


X = np.array([[1.0, 2.0], [3.0, -4.0]], "float32")

LOSSES = {
    "square": lambda tf, v, w: v * v,
    "constant_factor": lambda tf, v, w: v * 3.0,
    "factor_first": lambda tf, v, w: 3.0 * v,
    "array_factor": lambda tf, v, w: tf.constant([2.0, 3.0]) * v,
    "broadcast_factor": lambda tf, v, w: tf.constant([[2.0, 3.0]]) * v,
    "add": lambda tf, v, w: v + 3.0,
    "add_broadcast": lambda tf, v, w: v + tf.constant([[1.0], [2.0]]),
    "constant_added": lambda tf, v, w: tf.constant([[1.0], [2.0]]) + v,
    "sub": lambda tf, v, w: v - 3.0,
    "sub_from": lambda tf, v, w: 3.0 - v,
    "sub_both": lambda tf, v, w: v - w,
    "div": lambda tf, v, w: v / 3.0,
    "div_by": lambda tf, v, w: 3.0 / v,
    "div_both": lambda tf, v, w: v / w,
    "pow": lambda tf, v, w: v ** 2.0,
    "pow_of": lambda tf, v, w: tf.constant([2.0, 3.0]) ** v,
    "pow_both": lambda tf, v, w: tf.pow(v, w),
    "matmul": lambda tf, v, w: tf.matmul(tf.constant(X), tf.reshape(v, [2, 1])),
    "matmul_first": lambda tf, v, w: tf.matmul(tf.reshape(v, [1, 2]), tf.constant(X)),
    "matmul_both": lambda tf, v, w: tf.matmul(tf.reshape(v, [1, 2]), tf.reshape(w, [2, 1])),
    "matmul_turned": lambda tf, v, w: tf.matmul(tf.constant(X), tf.reshape(v, [1, 2]), transpose_a=True, transpose_b=True),
    "batch_matmul": lambda tf, v, w: tf.matmul(tf.constant(X[None]), tf.reshape(v, [1, 2, 1])),
    "minimum": lambda tf, v, w: tf.minimum(v, 1.5),
    "maximum": lambda tf, v, w: tf.maximum(v, w),
    "squared_difference": lambda tf, v, w: tf.math.squared_difference(v, tf.constant([1.0, 1.0])),
    "mean": lambda tf, v, w: tf.reduce_mean(v * w),
    "sum_kept": lambda tf, v, w: tf.reduce_sum(v * w, 0, keepdims=True),
    "max": lambda tf, v, w: tf.reduce_max(v * w),
    "prod": lambda tf, v, w: tf.reduce_prod(v),
    "bias_add": lambda tf, v, w: tf.nn.bias_add(tf.constant(X), v),
    "relu": lambda tf, v, w: tf.nn.relu(v - 1.5),
    "tanh": lambda tf, v, w: tf.tanh(v) + tf.sigmoid(w),
    "exp_log": lambda tf, v, w: tf.exp(v) * tf.math.log(w),
    "softmax": lambda tf, v, w: tf.nn.softmax(v * w),
    "cross_entropy": lambda tf, v, w: tf.nn.softmax_cross_entropy_with_logits_v2(labels=[0.0, 1.0], logits=v),
    "sparse_cross_entropy": lambda tf, v, w: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=tf.reshape(v, [1, 2])),
    "sigmoid_cross_entropy": lambda tf, v, w: tf.nn.sigmoid_cross_entropy_with_logits(labels=[0.0, 1.0], logits=v),
    "lookup": lambda tf, v, w: tf.nn.embedding_lookup(v, [1, 1]),
    "lookup_added": lambda tf, v, w: tf.nn.embedding_lookup(v, [1, 1]) + v,
    "lookup_twice": lambda tf, v, w: tf.nn.embedding_lookup(v, [1, 1]) + tf.nn.embedding_lookup(v, [0, 1]),
    "gather": lambda tf, v, w: tf.gather(v * 1.0, [1, 1]),
    "concat": lambda tf, v, w: tf.concat([v, w, [1.0]], 0),
    "split": lambda tf, v, w: tf.split(v, 2)[0],
    "slice": lambda tf, v, w: v[1:] * w[:1],
    "transpose": lambda tf, v, w: tf.transpose(tf.reshape(v, [1, 2])),
    "tile": lambda tf, v, w: tf.tile(v, [2]),
    "pad": lambda tf, v, w: tf.pad(v, [[1, 1]]),
    "cast": lambda tf, v, w: tf.cast(v, tf.float64),
    "split_of_unknown_shape": lambda tf, v, w: tf.split(v * tf.placeholder_with_default([[1.0, 1.0]], [None, 2]), 2, 1)[1],
    "split_of_unknown_rank": lambda tf, v, w: tf.split(v * tf.placeholder_with_default([[1.0, 1.0]], None), 2, 1)[1],
    "unstacked": lambda tf, v, w: tf.unstack(v * w)[1],
    "unique": lambda tf, v, w: tf.unique_with_counts(v)[2] + 1,
    "meshgrid": lambda tf, v, w: tf.meshgrid(v, w)[0],
    "where": lambda tf, v, w: tf.where(tf.constant([True, False]), v, w),
    "stop": lambda tf, v, w: tf.stop_gradient(v) * w,
    "identity": lambda tf, v, w: tf.identity(v),
    "unused": lambda tf, v, w: (v * w, w * 2.0)[1],
    "none_of_them": lambda tf, v, w: tf.constant(1.0),
    "used_twice": lambda tf, v, w: (lambda y: y * y + y)(v * w),
    "thrice": lambda tf, v, w: v * w + v + v * 2.0,
    "top": lambda tf, v, w: tf.nn.top_k(v, 1)[0],
    "clip": lambda tf, v, w: tf.clip_by_value(v, 0.0, 1.5),
    "norm": lambda tf, v, w: tf.norm(v),
    "l2": lambda tf, v, w: tf.nn.l2_loss(v) + 0.1 * tf.nn.l2_loss(w),
    "add_n": lambda tf, v, w: tf.add_n([v, w, v]),
    "conv": lambda tf, v, w: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.reshape(v, [1, 2, 1, 1]), strides=[1, 1, 1, 1], padding="VALID"),
    "cumsum": lambda tf, v, w: tf.cumsum(v),
    "abs_sign": lambda tf, v, w: tf.abs(v) * tf.sign(w),
    "dropout": lambda tf, v, w: tf.nn.dropout(v, rate=0.0),
    "scoped": lambda tf, v, w: scoped(tf, v, w),
    "rsqrt": lambda tf, v, w: tf.math.rsqrt(v) + tf.sqrt(w) + tf.square(v) + tf.negative(w) + tf.math.reciprocal(v),
    "moments": lambda tf, v, w: tf.nn.moments(v * w, [0])[1],
    "read": lambda tf, v, w: v.read_value() * w.value(),
    "placeholder": lambda tf, v, w: v * tf.placeholder_with_default([1.0, 1.0], [None]),
    "unknown_shape": lambda tf, v, w: v * tf.placeholder_with_default([1.0, 1.0], None),
}


def scoped(tf, v, w):
    with tf.name_scope("model"):
        return tf.reduce_sum(v * w, name="total")


for _name, _loss in LOSSES.items():
    for _listed in (False, True):
        def _case(tf, loss=_loss, listed=_listed):
            v, w = pair(tf)
            pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(lambda: loss(tf, v, w), [v, w] if listed else None)
            return Case({"g": [g for g, _ in pairs if g is not None], "v": [x.name for _, x in pairs], "none": [g is None for g, _ in pairs]})
        globals()["case_%s%s" % (_name, "_listed" if _listed else "")] = _case


def case_minimize(tf):
    v, w = pair(tf)
    return Case(runs=[tf.train.MomentumOptimizer(0.1, 0.9).minimize(lambda: tf.reduce_sum(v * w) + 1.0), [v, w]])


def case_minimize_ref(tf):
    v, w = pair(tf, False)
    return raises(tf.train.MomentumOptimizer(0.1, 0.9).minimize, lambda: tf.reduce_sum(v * w))


def case_grad_loss(tf):
    v, w = pair(tf)
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(lambda: v * w, grad_loss=tf.constant([2.0, 3.0]))
    return [g for g, _ in pairs]


def case_of_a_tensor(tf):
    v, w = pair(tf)
    y = v * 2.0
    return raises(tf.train.GradientDescentOptimizer(0.1).compute_gradients, lambda: y * w, [y])


def case_built_outside(tf):
    v, w = pair(tf)
    y = v * 2.0
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(lambda: y * w)
    return {"g": [g for g, _ in pairs if g is not None], "v": [x.name for _, x in pairs]}


def case_variables_made_inside(tf):
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(lambda: tf.get_variable("made", initializer=[1.0, 2.0], use_resource=True) * 2.0)
    return Case(runs=[[g for g, _ in pairs if g is not None], [x.name for _, x in pairs]])


def case_not_trainable(tf):
    v = tf.Variable([1.0], trainable=False, use_resource=True)
    w = tf.Variable([1.0], use_resource=True)
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(lambda: v * w)
    return {"g": [g for g, _ in pairs if g is not None], "v": [x.name for _, x in pairs]}


def case_cond_of_a_tensor(tf):
    v, w = pair(tf)
    def loss():
        y = v * 1.0
        return tf.cond(tf.constant(True), lambda: y * 2.0, lambda: y)
    return raises(tf.train.GradientDescentOptimizer(0.1).compute_gradients, loss)


def case_while(tf):
    v, w = pair(tf)
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(lambda: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * v), [0, w * 1.0])[1])
    return {"g": [g for g, _ in pairs if g is not None], "v": [x.name for _, x in pairs]}


def case_gates_and_aggregation(tf):
    v, w = pair(tf)
    o = tf.train.GradientDescentOptimizer(0.1)
    return [[g for g, _ in o.compute_gradients(lambda: v * w + v, gate_gradients=gate, aggregation_method=how, colocate_gradients_with_ops=True)] for gate, how in ((0, None), (1, 2), (2, 1))]

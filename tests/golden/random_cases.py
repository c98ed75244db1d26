"""Random ops: the seeds that nodes get, and their values bit for bit."""
import numpy as np
from golden_case import Case, raises

OPS = {
    "uniform": lambda tf, **k: tf.random_uniform([3, 5], **k), "uniform_range": lambda tf, **k: tf.random_uniform([7], -2.0, 3.0, **k),
    "uniform_f64": lambda tf, **k: tf.random_uniform([9], dtype=tf.float64, **k), "uniform_f16": lambda tf, **k: tf.random_uniform([9], dtype=tf.float16, **k),
    "uniform_i32": lambda tf, **k: tf.random_uniform([9], 0, 100, tf.int32, **k), "uniform_i64": lambda tf, **k: tf.random_uniform([9], -5, 10 ** 12, tf.int64, **k),
    "uniform_bf16": lambda tf, **k: tf.random_uniform([9], dtype=tf.bfloat16, **k), "normal": lambda tf, **k: tf.random_normal([3, 5], **k), "normal_options": lambda tf, **k: tf.random_normal([7], 2.0, 3.0, **k),
    "normal_f64": lambda tf, **k: tf.random_normal([9], dtype=tf.float64, **k), "normal_f16": lambda tf, **k: tf.random_normal([9], dtype=tf.float16, **k), "truncated": lambda tf, **k: tf.truncated_normal([3, 5], **k),
    "truncated_f64": lambda tf, **k: tf.truncated_normal([40], 1.0, 2.0, tf.float64, **k), "truncated_f16": lambda tf, **k: tf.truncated_normal([9], dtype=tf.float16, **k), "shuffle": lambda tf, **k: tf.random_shuffle(tf.range(20), **k),
    "shuffle_rows": lambda tf, **k: tf.random_shuffle(tf.constant(np.arange(30).reshape(10, 3)), **k), "shuffle_strings": lambda tf, **k: tf.random_shuffle(tf.constant(["a", "b", "c", "d"]), **k),
    "shuffle_one": lambda tf, **k: tf.random_shuffle(tf.constant([3]), **k), "multinomial": lambda tf, **k: tf.multinomial(tf.log([[1.0, 2.0, 3.0], [5.0, 1.0, 1.0]]), 10, **k),
    "multinomial_i32": lambda tf, **k: tf.multinomial(tf.log([[1.0, 2.0, 3.0]]), 10, output_dtype=tf.int32, **k), "categorical": lambda tf, **k: tf.random.categorical(tf.log([[1.0, 2.0, 3.0]]), 10, **k),
    "multinomial_f64": lambda tf, **k: tf.multinomial(tf.constant([[0.1, 0.2]], tf.float64), 6, **k), "dropout": lambda tf, **k: tf.nn.dropout(tf.ones([4, 5]), 0.6, **k), "dropout_rate": lambda tf, **k: tf.nn.dropout(tf.ones([4, 5]), rate=0.25, **k),
    "dropout_noise_shape": lambda tf, **k: tf.nn.dropout(tf.ones([4, 5]), 0.5, noise_shape=[4, 1], **k), "gamma": lambda tf, **k: tf.random_gamma([5], [0.5, 2.0], **k), "gamma_beta": lambda tf, **k: tf.random_gamma([5], 3.0, 2.0, **k),
    "poisson": lambda tf, **k: tf.random_poisson([0.5, 20.0], [5], **k), "crop": lambda tf, **k: tf.random_crop(tf.constant(np.arange(24).reshape(4, 6)), [2, 3], **k), "empty": lambda tf, **k: tf.random_uniform([0, 3], **k),
    "scalar": lambda tf, **k: tf.random_normal([], **k), "large": lambda tf, **k: tf.random_normal([1000], **k), "large_uniform": lambda tf, **k: tf.random_uniform([1027], **k), "large_truncated": lambda tf, **k: tf.truncated_normal([1027], **k),
}
APPROXIMATE = ("normal", "truncated", "gamma", "poisson", "multinomial", "categorical", "scalar", "large")


def tolerance(name):
    """Only what passes through transcendental functions may differ, in its last bits."""
    return None if name.startswith(APPROXIMATE) else 0


for _name, _make in OPS.items():
    def _case(tf, make=_make, name=_name):
        return Case([make(tf), make(tf)], steps=2, tolerance=tolerance(name))
    globals()["case_graph_seed_" + _name] = _case

    def _case(tf, make=_make, name=_name):
        return Case([make(tf, seed=42), make(tf, seed=42)], steps=2, tolerance=tolerance(name))
    globals()["case_op_seed_" + _name] = _case

SEEDS = {"both": (5, 7), "zero_graph": (0, 7), "zero_op": (5, 0), "zeros": (0, 0), "negative": (-3, -8), "large": (2 ** 31 - 1, 2 ** 31 - 1), "no_graph": (None, 7), "large_op": (1, 2 ** 40), "numpy": (np.int64(9), np.int32(3))}
for _name, (_graph, _op) in SEEDS.items():
    def _case(tf, graph=_graph, op=_op):
        tf.set_random_seed(graph)
        x = tf.random_uniform([4], seed=op)
        return Case([x, {"seeds": [int(s) for s in tf.get_seed(op)]}], tolerance=0)
    globals()["case_seeds_" + _name] = _case


def case_seed_counts_ops(tf):
    a = tf.random_uniform([2])
    tf.constant(1)
    tf.Variable(tf.zeros([2]))
    b = tf.random_uniform([2])
    tf.matmul(tf.ones([1, 2]), tf.ones([2, 1]), name="m")
    c = tf.random_uniform([2])
    return Case({"values": [a, b, c], "seeds": [t.op.inputs[0].op.type for t in (a, b, c)]}, tolerance=0)


def case_seed_changed_midway(tf):
    a = tf.random_uniform([2])
    tf.set_random_seed(99)
    return Case([a, tf.random_uniform([2])], tolerance=0)


def case_get_seed(tf):
    facts = [list(tf.get_seed(None)), list(tf.get_seed(3))]
    tf.constant(1)
    return facts + [list(tf.get_seed(None)), list(tf.random.get_seed(0))]


def case_initializers(tf):
    makers = [tf.glorot_uniform_initializer(), tf.random_normal_initializer(), tf.truncated_normal_initializer(stddev=0.1), tf.random_uniform_initializer(-1, 1), tf.variance_scaling_initializer()]
    return [tf.get_variable("v%d" % i, [3, 4], initializer=make) for i, make in enumerate(makers)]


def case_layers(tf):
    x = tf.ones([1, 8, 8, 1])
    h = tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu)
    h = tf.layers.dropout(tf.layers.flatten(h), 0.5, training=True)
    return tf.layers.dense(h, 3)


def case_continues_between_runs(tf):
    return Case({"u": tf.random_uniform([3]), "n": tf.random_normal([300])}, steps=4)


def case_dynamic_shape(tf):
    shape = tf.placeholder(tf.int32, [None])
    return Case([tf.random_uniform(shape), tf.random_normal(shape), tf.truncated_normal(shape)], feeds=[{shape: [3]}, {shape: [2, 2]}, {shape: [1]}], steps=3)


def case_gradient_of_dropout(tf):
    x = tf.constant(np.linspace(-1, 1, 12).reshape(3, 4), tf.float32)
    y = tf.nn.dropout(x, 0.5)
    return Case([y, tf.gradients(y, x)], tolerance=0)


def case_stateless(tf):
    return Case([tf.random.stateless_uniform([5], [1, 2]), tf.random.stateless_normal([5], [3, 4]), tf.random.stateless_truncated_normal([5], [5, 6]), tf.random.stateless_uniform([5], [1, 2], 0, 10, tf.int32),
                 tf.random.stateless_multinomial(tf.log([[1.0, 2.0]]), 5, [1, 2])])


def case_refused(tf):
    return [raises(tf.random_uniform, [2], dtype=tf.int32), raises(tf.random_uniform, [2], 0, 1, tf.uint8), raises(tf.random_normal, [2], dtype=tf.int32), raises(tf.random_uniform, [2], seed="a"), raises(tf.random_uniform, [-1]),
            raises(tf.random_shuffle, "a", seed=1.5), raises(tf.multinomial, [1.0], 3), raises(tf.set_random_seed, "a")]


def case_uniform_int_empty_range(tf):
    return tf.random_uniform([2], 5, 5, tf.int32)


def case_after_gradients(tf):
    v = tf.Variable([[1.0, 2.0]])
    train = tf.train.AdamOptimizer().minimize(tf.reduce_sum(tf.tanh(tf.matmul(v, v, transpose_b=True))))
    return Case([tf.random_uniform([2]), train.name], tolerance=0)

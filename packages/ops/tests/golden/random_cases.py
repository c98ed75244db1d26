"""Random values: uniform, normal, shuffled, drawn from classes, gamma, Poisson, stateless."""
import numpy as np
from golden_case import Case, raises

SHAPES = ([], [0, 3], [1], [7], [2, 3], [5, 4, 3])


def case_uniform(tf):
    return Case({str(shape): tf.random_uniform(shape) for shape in SHAPES}, steps=3, tolerance=0)


def case_uniform_dtypes(tf):
    dtypes = tf.float16, tf.bfloat16, tf.float32, tf.float64
    return Case({d.name: tf.cast(tf.random_uniform([13], -2, 3, dtype=d), tf.float64) for d in dtypes}, steps=2, tolerance=0)


def case_uniform_int(tf):
    return Case([tf.random_uniform([9], 0, 10, dtype=tf.int32), tf.random_uniform([9], -2 ** 31, 2 ** 31 - 1, dtype=tf.int32),
                 tf.random_uniform([9], -2 ** 62, 2 ** 63 - 1, dtype=tf.int64), tf.random_uniform([9], maxval=3, dtype=tf.int64, seed=4)],
                steps=2)


def case_uniform_shapes(tf):
    known = tf.placeholder(tf.int32, [2])
    part = tf.placeholder(tf.int64, [])
    return Case([tf.random_uniform(known), tf.random_uniform([part, 3]), tf.random_uniform(tf.TensorShape([2, 2])),
                 tf.random_uniform([tf.Dimension(2), 2]), tf.random_uniform(np.array([2, 3])), tf.random_uniform((2,), name="named"),
                 tf.random_uniform([3], tf.constant(1.0), tf.constant([1., 2., 3.])), tf.random_uniform(tf.shape(tf.zeros([4, 1])))],
                feeds={known: [2, 3], part: 2}, tolerance=0)


def case_uniform_refused(tf):
    return [raises(tf.random_uniform, [2], dtype=tf.int32), raises(tf.random_uniform, [2], dtype=tf.uint8),
            raises(tf.random_uniform, [None, 2]), raises(tf.random_uniform, [2.5]), raises(tf.random_uniform, [-2]),
            raises(tf.random_uniform, [[2]]), raises(tf.random_uniform, [2], "a"), raises(tf.random_uniform, [2], [0, 1], 4, tf.int32)]


def case_uniform_no_room(tf):
    return tf.random_uniform([2], 5, 5, dtype=tf.int32)


def case_uniform_negative(tf):
    shape = tf.placeholder(tf.int32)
    return Case(tf.random_uniform(shape), feeds={shape: [-1, 2]})


def case_uniform_shape_rank(tf):
    shape = tf.placeholder(tf.int32)
    return Case(tf.random_uniform(shape), feeds={shape: [[1]]})


def case_normal(tf):
    return Case({str(shape): tf.random_normal(shape, 1.0, 2.0) for shape in SHAPES}, steps=3, tolerance=0)


def case_normal_many(tf):
    return Case([tf.reduce_sum(tf.bitcast(tf.random_normal([20000], seed=seed), tf.int32)) for seed in range(4)])


def case_normal_dtypes(tf):
    dtypes = tf.float16, tf.bfloat16, tf.float32, tf.float64
    return Case({d.name: tf.cast(tf.random_normal([13], dtype=d), tf.float64) for d in dtypes}, steps=2, tolerance=0)


def case_normal_tensors(tf):
    mean = tf.placeholder(tf.float32, [3])
    return Case(tf.random_normal([2, 3], mean, tf.constant(0.5), name="n"), feeds={mean: [1., 2., 3.]}, tolerance=0)


def case_truncated_normal(tf):
    return Case({str(shape): tf.truncated_normal(shape, 1.0, 2.0) for shape in SHAPES}, steps=3, tolerance=0)


def case_truncated_normal_dtypes(tf):
    dtypes = tf.float16, tf.bfloat16, tf.float32, tf.float64
    return Case({d.name: tf.cast(tf.truncated_normal([133], dtype=d), tf.float64) for d in dtypes}, steps=2, tolerance=0)


def case_seeds(tf):
    facts = [tf.get_seed(None), tf.get_seed(3), tf.get_seed(-1), tf.get_seed(2 ** 31), tf.random.get_seed(0)]
    tf.set_random_seed(0)
    facts.append(tf.get_seed(0))
    tf.random.set_random_seed(2 ** 40)
    facts.append(tf.get_seed(7))
    draws = [tf.random_uniform([2], seed=1), tf.random_uniform([2], seed=1), tf.random_uniform([2]), tf.random_uniform([2])]
    return Case([list(pair) for pair in facts] + draws, steps=2)


def case_seed_of_the_op_alone(tf):
    tf.get_default_graph().seed = None
    return Case([list(tf.get_seed(5)), list(tf.get_seed(None)), tf.random_uniform([3], seed=5)], steps=2)


def case_shuffle(tf):
    values = [np.arange(n) for n in (0, 1, 2, 3, 4, 5, 6, 9, 100)] + [np.arange(12).reshape(4, 3), np.zeros((3, 0)), 5.0]
    return Case([tf.random_shuffle(v) for v in values] + [tf.random.shuffle([b"a", b"b", b"c"], seed=3, name="words")], steps=3)


def case_crop(tf):
    image = np.arange(60.).reshape(5, 4, 3)
    return Case([tf.random_crop(image, [3, 2, 3]), tf.random_crop(tf.constant(image), tf.constant([5, 4, 3])),
                 tf.image.random_crop(image, [1, 1, 1], seed=2, name="crop")], steps=3)


def case_crop_too_large(tf):
    return tf.random_crop(tf.placeholder_with_default(np.zeros([2, 2]), None), [3, 2])


def case_multinomial(tf):
    logits = np.array([[0., 1., 2., -3.], [5., 0., 0., 0.], [-np.inf, 0., np.inf, np.nan]], np.float32)
    return Case([tf.multinomial(logits, n) for n in (0, 1, 2, 3, 5, 40)]
                + [tf.random.categorical(logits.astype(t), 9, dtype=tf.int32) for t in (np.float16, np.float64)]
                + [tf.random.multinomial(logits, tf.placeholder_with_default(4, []), seed=3, output_dtype=tf.int32)], steps=3)


def case_multinomial_many_rows(tf):
    logits = np.random.RandomState(0).randn(300, 20)
    return Case([tf.multinomial(logits, 1), tf.multinomial(logits, 7)], steps=2)


def case_multinomial_refused(tf):
    return [raises(tf.multinomial, [1., 2.], 3), raises(tf.multinomial, [[1., 2.]], -1), raises(tf.multinomial, [["a"]], 1)]


def case_multinomial_no_classes(tf):
    return tf.multinomial(np.zeros((2, 0), np.float32), 3)


def case_gamma(tf):
    alphas = 1.0, [0.1, 1.0, 2.5], [[0.5], [20.0]]
    return Case([tf.random_gamma(shape, alpha) for shape in ([], [4], [2, 3], [0]) for alpha in alphas], steps=2)


def case_gamma_dtypes(tf):
    return Case([tf.random_gamma([20], [0.3, 1.0, 7.0], dtype=d) for d in (tf.float16, tf.float32, tf.float64)], steps=2)


def case_gamma_beta(tf):
    return Case([tf.random_gamma([3], [1., 2.], beta=[[1.], [2.]], seed=2), tf.random.gamma([3], 2.0, 3.0, name="g")], steps=2)


def case_gamma_gradient(tf):
    alpha = tf.constant([0.2, 1.0, 3.0, 50.0])
    beta = tf.constant([[1.], [2.]])
    return Case(tf.gradients(tf.random_gamma([3], alpha, beta), [alpha, beta]), tolerance=1e-4)


def case_gamma_gradient_unknown_shape(tf):
    alpha = tf.placeholder(tf.float64)
    return Case(tf.gradients(tf.random_gamma(tf.placeholder_with_default([2, 3], None), alpha, dtype=tf.float64), [alpha]),
                feeds={alpha: [0.7, 4.0]}, tolerance=1e-4)


def case_poisson(tf):
    rates = 0.5, [0., 1., 9.9, 10., 35., 1000.], [[3], [12]]
    return Case([tf.random_poisson(rate, shape) for shape in ([], [4], [2, 3], [0]) for rate in rates]
                + [tf.compat.v2.random.poisson([5], [2., 20.], dtype=tf.int32, seed=1)], steps=2)


def case_poisson_dtypes(tf):
    return Case([tf.random_poisson([0.3, 3., 30.], [20], dtype=d) for d in (tf.float16, tf.float32, tf.float64, tf.int32, tf.int64)])


def case_stateless(tf):
    seed = [3, -4]
    return Case([tf.random.stateless_uniform([2, 3], seed), tf.random.stateless_uniform([7], seed, -5, 5, tf.int32),
                 tf.random.stateless_uniform([7], tf.constant(seed), 0, 2 ** 40, tf.int64),
                 tf.random.stateless_uniform([7], seed, 1., 2., tf.float16), tf.random.stateless_normal([7], seed, 1., 2.),
                 tf.random.stateless_normal([7], seed, dtype=tf.float64), tf.random.stateless_truncated_normal([2, 50], seed),
                 tf.random.stateless_categorical([[1., 2.], [3., 4.]], 9, seed),
                 tf.random.stateless_multinomial([[1., 2.], [3., 4.]], 9, seed, output_dtype=tf.int32)], steps=2, tolerance=0)


def case_stateless_refused(tf):
    return [raises(tf.random.stateless_uniform, [2], [1, 2, 3]), raises(tf.random.stateless_uniform, [2], 3),
            raises(tf.random.stateless_uniform, [2], [1, 2], dtype=tf.int32)]


def case_in_a_loop(tf):
    def body(i, total):
        return i + 1, total + tf.random_uniform([3])
    return Case(tf.while_loop(lambda i, _: i < 4, body, [0, tf.zeros([3])])[1], steps=2, graph=False, tolerance=0)

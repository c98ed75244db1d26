"""tf.random.experimental.Generator."""
import numpy as np
from golden_case import Case, raises


def generator(tf, state=(1, 2, 3)):
    return tf.random.experimental.Generator(state=list(state), alg=1)


def case_draws(tf):
    g = generator(tf)
    draws = []
    for draw in (lambda: g.uniform([2, 3]), lambda: g.uniform([5], 1, 10, tf.int32), lambda: g.normal([5], 1., 2.),
                 lambda: g.truncated_normal([50]), lambda: g.uniform_full_int([3]), lambda: g.uniform([0]),
                 lambda: g.make_seeds(2), lambda: g.normal([3], dtype=tf.float64, name="n")):
        with tf.control_dependencies(draws[-1:]):
            draws.append(draw())
    return Case([draws, g.algorithm], steps=2, tolerance=0)


def case_dtypes(tf):
    floats = tf.float16, tf.float32, tf.float64
    integers = tf.int32, tf.int64, tf.uint32, tf.uint64
    return Case([generator(tf, (i, 2, 3)).uniform([7], dtype=d) for i, d in enumerate(floats)]
                + [generator(tf, (i, 2, 3)).uniform_full_int([7], d) for i, d in enumerate(integers)]
                + [generator(tf, (i, -2, 3)).uniform([7], 3, 1000, d) for i, d in enumerate(integers)], tolerance=0)


def case_state(tf):
    g = generator(tf, (-3, -1, 5))
    draw = g.uniform([5])
    state = g.state.read_value()
    return Case(runs=[draw, state, draw, [state, g.key]], tolerance=0)


def case_skip(tf):
    g = generator(tf)
    g.skip(3)
    g.skip(tf.constant(-2, tf.int64))
    graph = tf.get_default_graph()
    first, second = graph.get_operation_by_name("RngSkip"), graph.get_operation_by_name("RngSkip_1")
    return Case(runs=[first, g.state.read_value(), second, g.state.read_value()])


def case_reset(tf):
    g = generator(tf)
    g.reset([7, 8, 9])
    g.reset_from_seed(2 ** 70)
    g.reset_from_key_counter(5, [1, 2])
    assigns = [op for op in tf.get_default_graph().get_operations() if op.type == "AssignVariableOp"][1:]
    state = g.state.read_value()
    return Case(runs=[item for assign in assigns for item in (assign, state)])


def case_made(tf):
    G = tf.random.experimental.Generator
    made = [G.from_seed(5), G.from_seed([1, 2], alg=1), G.from_state([1, 2, 3], 1), G.from_key_counter(3, [1, 2], 1),
            G(copy_from=G.from_seed(-9)), G.from_seed(4, alg=2)]
    return [g.state for g in made]


def case_non_deterministic(tf):
    g = tf.random.experimental.Generator.from_non_deterministic_state()
    return Case([g.uniform([2])], values=False)


def case_rng_state(tf):
    create = tf.random.experimental.create_rng_state
    seeds = 5, -5, 2 ** 63, 2 ** 64 - 1, 2 ** 70, -2 ** 70, 2 ** 200, [1, 2], [1, 2, 3, 4], np.array([5]), [2 ** 63], 0
    return [create(seed, alg).tolist() for seed in seeds for alg in (1, 2)]


def case_global(tf):
    e = tf.random.experimental
    g = generator(tf)
    e.set_global_generator(g)
    return [e.get_global_generator() is g, e.get_global_generator().uniform([2])]


def case_refused(tf):
    G = tf.random.experimental.Generator
    g = generator(tf)
    return [raises(G), raises(G, state=[1, 2, 3], alg=3), raises(G, state=[1, 2], alg=1), raises(g.uniform, [2], dtype=tf.int32),
            raises(tf.random.experimental.create_rng_state, 1.5, 1)]


def case_three_fry(tf):
    return tf.random.experimental.Generator(state=[1, 2], alg=2).uniform([2])


def case_unsigned(tf):
    g = generator(tf)
    found = []
    for dtype in (tf.uint32, tf.uint64):
        for count in (1, 4, 5):
            with tf.control_dependencies(found):
                drawn = g.uniform([count], minval=1, maxval=100, dtype=dtype)
            with tf.control_dependencies([drawn]):
                found += [drawn, g.state.read_value()]
    return Case(found, steps=2)

"""Seeds of random nodes in a graph that has no seed of its own."""
from golden_case import Case

SEED = None


def case_op_seed(tf):
    return Case([tf.random_uniform([3], seed=3), tf.random_normal([3], seed=5)], steps=2)


def case_no_seed(tf):
    return Case([tf.random_uniform([3]), tf.nn.dropout(tf.ones([3]), 0.5)], values=False)


def case_zero_seed(tf):
    return Case({"seed": list(tf.get_seed(0)), "x": tf.random_uniform([3], seed=0)})

"""What building a graph costs, the first run of it, and gradients, per op, as graphs grow.

`python benchmarks/graph_build.py --tf115 PYTHON --tf221 PYTHON`
"""

import time

import side_by_side

SIZES = {"ossia": (1000, 10000, 100000), "tensorflow": (1000, 10000)}


def chain(tf, size):
    """Seconds per op to build `a = a + f` and to run it first; seconds to build its gradient."""
    with tf.Graph().as_default():
        a = x = tf.placeholder(tf.float32, [])
        f = tf.constant(1.0)
        began = time.perf_counter()
        for _ in range(size):
            a = a + f
        built = time.perf_counter()
        with tf.Session() as session:
            session.run(a, {x: 1.0})
        ran = time.perf_counter()
    return (built - began) / size, (ran - built) / size


def gradients(tf, size):
    """Seconds to differentiate a chain of `size` ops."""
    with tf.Graph().as_default():
        a = x = tf.placeholder(tf.float32, [])
        for _ in range(size):
            a = tf.sin(a)
        began = time.perf_counter()
        tf.gradients(a, x)
        return time.perf_counter() - began


def layers(tf, size):
    """Seconds per layer of a network, with gradients and updates."""
    with tf.Graph().as_default():
        h = tf.placeholder(tf.float32, [None, 16])
        began = time.perf_counter()
        variables = []
        for _i in range(size):
            w, b = tf.Variable(tf.zeros([16, 16])), tf.Variable(tf.zeros([16]))
            variables += [w, b]
            h = tf.nn.relu(tf.matmul(h, w) + b)
        grads = tf.gradients(tf.reduce_mean(h), variables)
        tf.group(*[v.assign_sub(0.1 * g) for v, g in zip(variables, grads)])
        return (time.perf_counter() - began) / size


def measure(label):
    """Seconds by name."""
    tf = side_by_side.module(label)
    chain(tf, 10)
    found = {}
    for size in SIZES["ossia" if label == "ossia" else "tensorflow"]:
        found["build, per op, %d ops" % size], found["first run, per op, %d ops" % size] = chain(tf, size)
    found["gradients of 1000 ops, per op"] = gradients(tf, 1000) / 1000
    found["a dense layer, 50 of them"] = layers(tf, 50)
    return found


if __name__ == "__main__":
    side_by_side.main(
        measure,
        bounds={
            "build, per op, 10000 ops": 100e-6,
            "first run, per op, 10000 ops": 100e-6,
            "gradients of 1000 ops, per op": 300e-6,
        },
    )

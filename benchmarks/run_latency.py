"""What one `Session.run` of next to nothing costs: with and without feeds, as a callable, and a small training step.

`python benchmarks/run_latency.py --tf115 PYTHON --tf221 PYTHON`
"""
import time

import numpy as np
import side_by_side

REPEATS = 70  # of loops short enough that some are not interrupted by other work


def best(call, number):
    """Seconds that one call takes, the smallest of several loops."""
    call()
    smallest = float("inf")
    for _ in range(REPEATS):
        began = time.perf_counter()
        for _ in range(number):
            call()
        smallest = min(smallest, (time.perf_counter() - began) / number)
    return smallest


def measure(label):
    """Seconds by name."""
    tf = side_by_side.module(label)
    number = 200 if label == "ossia" else 30
    x = tf.placeholder(tf.float32, [])
    y = x + 1.0
    v = tf.Variable(1.0, use_resource=True)
    add = v.assign_add(1.0)
    wide, many = tf.placeholder(tf.float32, [None, 64]), [tf.placeholder(tf.float32, []) for _ in range(20)]
    chain = x
    for _ in range(20):
        chain = tf.sin(chain)
    total, row = tf.add_n(many), np.ones((32, 64), np.float32)
    feeds = dict.fromkeys(many, 1.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        constant = tf.constant(1.0)
        function, one = session.make_callable(y, [x]), np.float32(1.0)
        return {
            "run, one feed": best(lambda: session.run(y, {x: 1.0}), number),
            "run, no feed": best(lambda: session.run(constant), number),
            "run, a variable": best(lambda: session.run(v), number),
            "run, assign_add": best(lambda: session.run(add), number),
            "make_callable, one feed": best(lambda: function(one), number),
            "run, 20 feeds": best(lambda: session.run(total, feeds), number),
            "run, 20 ops": best(lambda: session.run(chain, {x: 1.0}), number),
            "run, dict of 3": best(lambda: session.run({"a": y, "b": [constant, v]}, {x: 1.0}), number),
            "run, 8 kB fed and fetched": best(lambda: session.run(wide, {wide: row}), number),
        }


if __name__ == "__main__":
    side_by_side.main(measure, bounds={"run, one feed": 10e-6, "run, no feed": 6e-6, "make_callable, one feed": 4e-6})

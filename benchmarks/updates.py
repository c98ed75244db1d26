"""Updates of variables by every optimizer: Ossia (also on NumPy alone) beside TensorFlow.

    python benchmarks/updates.py [--tf115 PYTHON] [--tf221 PYTHON] [--rounds N] [--json FILE] [--check]

Dense: 1e7 floats. Rows called "passes" hold the time over the least that it could be: that of the bytes that must move (every
variable read and written once, the gradient read once) at the bandwidth of the quickest of three plain passes, a copy and adding to
an array a number or another array. 1.25 is 80 % of the bandwidth. All processors take part in the plain passes; for the NumPy backend
they are NumPy's own, which run on one, and three passes are promised. Sparse: 1,024 rows, 16 of them repeated, of a table of 1e6 rows of 64.

`OSSIA_UPDATES` restricts the run to names that contain it.
"""
import concurrent.futures
import os
import time

import numpy as np
from side_by_side import main, module

DENSE = 10_000_000
ROWS, WIDTH, CHOSEN = 1_000_000, 64, 1024
OPTIMIZERS = {  # what makes it, and how many variables it updates
    "GradientDescent": (lambda t: t.GradientDescentOptimizer(0.01), 1),
    "Momentum": (lambda t: t.MomentumOptimizer(0.01, 0.9), 2),
    "Nesterov": (lambda t: t.MomentumOptimizer(0.01, 0.9, use_nesterov=True), 2),
    "Adagrad": (lambda t: t.AdagradOptimizer(0.01), 2),
    "Adadelta": (lambda t: t.AdadeltaOptimizer(0.01), 3),
    "Adam": (lambda t: t.AdamOptimizer(0.01), 3),
    "Ftrl": (lambda t: t.FtrlOptimizer(0.01, l1_regularization_strength=0.001), 3),
    "Ftrl shrinkage": (lambda t: t.FtrlOptimizer(0.01, l2_shrinkage_regularization_strength=0.1), 3),
    "RMSProp": (lambda t: t.RMSPropOptimizer(0.01, momentum=0.9), 3),
    "RMSProp centered": (lambda t: t.RMSPropOptimizer(0.01, momentum=0.9, centered=True), 4),
    "ProximalGradientDescent": (lambda t: t.ProximalGradientDescentOptimizer(0.01, l1_regularization_strength=0.001), 1),
    "ProximalAdagrad": (lambda t: t.ProximalAdagradOptimizer(0.01, l1_regularization_strength=0.001), 2),
    "AdagradDA": (None, 3),
}


def made(tf, name):
    """The optimizer of a name."""
    if name == "AdagradDA":
        step = tf.train.get_or_create_global_step()
        return tf.train.AdagradDAOptimizer(0.01, step, l1_regularization_strength=0.001)
    return OPTIMIZERS[name][0](tf.train)


def quickest(run, seconds, least=3):
    """The shortest time of a run within some seconds."""
    run()
    best, spent, count = float("inf"), 0.0, 0
    while spent < seconds or count < least:
        began = time.perf_counter()
        run()
        took = time.perf_counter() - began
        best, spent, count = min(best, took), spent + took, count + 1
    return best


def bandwidth(threads):
    """Bytes a second that plain passes over arrays move, at best, by so many threads."""
    size = 4 * DENSE // threads * threads
    arrays = [np.ones(size, np.float32) for _ in range(2)]
    parts = [[a[i : i + size // threads] for a in arrays] for i in range(0, size, size // threads)]

    def copied(a, b):
        np.copyto(a, b)

    def moved(a, b):
        np.add(a, np.float32(1), out=a)

    def added(a, b):
        np.add(a, b, out=a)

    def shared(work):
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            return quickest(lambda: list(pool.map(lambda part: work(*part), parts)), 0.5)

    return max(count * 4 * size / shared(work) for work, count in ((copied, 2), (moved, 2), (added, 3)))


def dense(tf, name):
    """Seconds of an update of 1e7 floats."""
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("w", [DENSE], initializer=tf.zeros_initializer())
        g = tf.get_variable("g", [DENSE], initializer=tf.constant_initializer(0.5), trainable=False)
        train = made(tf, name).apply_gradients([(g.read_value(), w)])
        session.run(tf.global_variables_initializer())
        return quickest(session.make_callable(train), 1.0)


def sparse(tf, name):
    """Seconds of an update of some rows of a large table."""
    random = np.random.RandomState(0)
    chosen = [random.permutation(ROWS)[:CHOSEN].astype(np.int32) for _ in range(8)]
    for rows in chosen:
        rows[:16] = rows[16:32]
    values = random.randn(CHOSEN, WIDTH).astype(np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        table = tf.get_variable("table", [ROWS, WIDTH], initializer=tf.constant_initializer(0.01))
        indices, rows = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None, WIDTH])
        slices = tf.IndexedSlices(rows, indices, tf.constant([ROWS, WIDTH]))
        train = made(tf, name).apply_gradients([(slices, table)])
        session.run(tf.global_variables_initializer())
        step = session.make_callable(train, [indices, rows])
        turn = iter(chosen * 100000)
        return quickest(lambda: step(next(turn), values), 0.5)  # Adam's take a second, as they decay all rows


def measure(label):
    """The times of all updates."""
    tf = module(label)
    found = {}
    only = os.environ.get("OSSIA_UPDATES", "")
    alone = os.environ.get("OSSIA_BACKEND") == "numpy"
    threads = 1 if alone else len(os.sched_getaffinity(0))
    full = 0.0
    for name in OPTIMIZERS:
        if only in "dense " + name:
            if label == "ossia":  # measured again and again, as other programs come and go
                full = max(full, bandwidth(threads))
            found["dense " + name] = dense(tf, name)
        if only in "sparse " + name:
            found["sparse " + name] = sparse(tf, name)
    if full:
        for name, (_, variables) in OPTIMIZERS.items():
            if "dense " + name in found:
                found["passes " + name] = 1e-3 * found["dense " + name] * full / ((2 * variables + 1) * 4 * DENSE)
    return found


if __name__ == "__main__":
    promised = {"passes " + name: 1.25e-3 for name in OPTIMIZERS}
    main(measure, unit="ms", rounds=2, bounds=promised, backends=["numpy"])

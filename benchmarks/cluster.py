"""Steps of a cluster of one parameter server and one worker, beside TensorFlow 1.15's servers.

    OSSIA_TF115_PYTHON=.../python python benchmarks/cluster.py [--engine in-process|ray] [--sizes 1000,1000000]

For each size: microseconds of a step that adds a vector of that many floats to a variable of the parameter server, of one that
also reads it, and of an empty remote call. The original's servers are in one process, as those of the engine `in-process` are.
"""
import argparse
import json
import os
import subprocess
import sys
import time

PROGRAM = r"""
import json, os, socket, sys, time
ours, sizes = sys.argv[1] == "ossia", [int(size) for size in sys.argv[2].split(",")]
if ours:
    import ossia as tf
else:
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf
import numpy as np
tf.logging.set_verbosity(tf.logging.ERROR)

def port():
    with socket.socket() as held:
        held.bind(("", 0))
        return held.getsockname()[1]

addresses = sys.argv[3:] or ["localhost:%d" % port() for _ in range(2)]
cluster = {"ps": addresses[:1], "worker": addresses[1:]}
if len(sys.argv) == 3:
    server = tf.train.Server(cluster, "ps", 0)
worker = tf.train.Server(cluster, "worker", 0)
found = {}
for size in sizes:
    with tf.Graph().as_default():
        with tf.device("/job:ps/task:0"):
            variable = tf.Variable(tf.zeros([size]), name="variable_%d" % size)
            small = tf.add(1, tf.placeholder(tf.int32, [], name="small"))
        with tf.device("/job:worker/task:0"):
            change = tf.ones([size]) * tf.placeholder(tf.float32, [], name="factor")
            both = variable * 0.5 + change
        add, back = variable.assign_add(change).op, variable.assign_add(both).op
        with tf.Session(worker.target) as session:
            session.run(variable.initializer)
            for name, fetch, feed in (("call", small, {"small:0": 1}), ("add", add, {"factor:0": 1.0}),
                                      ("read+add", back, {"factor:0": 1.0}), ("fetch", variable, {})):
                run = session.make_callable(fetch, list(feed))
                values = list(feed.values())
                for _ in range(3):
                    run(*values)
                times = []
                end = time.time() + 1.5
                while time.time() < end and len(times) < 2000:
                    began = time.perf_counter()
                    run(*values)
                    times.append(time.perf_counter() - began)
                found["%d %s" % (size, name)] = sorted(times)[len(times) // 2] * 1e6
print(json.dumps(found))
os._exit(0)
"""
SERVE = 'import sys, ossia as tf; tf.train.Server({"ps": [sys.argv[1]], "worker": [sys.argv[2]]}, "ps", 0).join()'


def measured(python, kind, sizes, addresses=()):
    """The figures of one program."""
    done = subprocess.run(
        [python, "-c", PROGRAM, kind, sizes, *addresses], stdout=subprocess.PIPE, text=True, check=True, timeout=500,
        stderr=subprocess.DEVNULL,
    )
    return json.loads(done.stdout.strip().splitlines()[-1])


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="in-process")
    parser.add_argument("--sizes", default="1000,1000000,10000000")
    options = parser.parse_args()
    addresses, server = (), None
    if options.engine != "in-process":
        os.environ["OSSIA_ENGINE"] = options.engine
        addresses = ["localhost:47311", "localhost:47312"]
        server = subprocess.Popen([sys.executable, "-c", SERVE, *addresses])
    began = time.perf_counter()
    try:
        ours = measured(sys.executable, "ossia", options.sizes, addresses)
        print(f"{options.engine}: {time.perf_counter() - began:.1f} s in all")
    finally:
        if server is not None:
            server.terminate()
            server.wait()
    oracle = os.environ.get("OSSIA_TF115_PYTHON")
    theirs = measured(oracle, "tensorflow", options.sizes) if oracle else {}
    print(f"{'floats, step':<22}{'ossia us':>12}{'1.15 us':>12}")
    for name, took in ours.items():
        print(f"{name:<22}{took:>12.0f}{theirs.get(name, float('nan')):>12.0f}")


if __name__ == "__main__":
    main()

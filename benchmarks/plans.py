"""What the first run of a graph costs: microseconds per node that the plan keeps after pruning.

    python benchmarks/plans.py [--rounds N] [--only TEXT]

Every round makes a new session, gives its variables values and times the first run less the least time of the runs
after it: making the plan, and compiling it. The table shows the least and the median of the rounds.
"""
from __future__ import annotations

import argparse
import gc
import statistics
import time

import steps

import ossia as tf
from ossia_core.session.compile import ordering


def chain(size):
    """What `a = a + f` makes of so many additions."""
    def made(tf):
        a = x = tf.placeholder(tf.float32, [])
        f = tf.constant(1.0)
        for _ in range(size):
            a = a + f
        return [a], {x: 1.0}
    made.__name__ = f"{size} additions"
    return made



CASES = [
    chain(1000), chain(10_000), steps.ops_1000, steps.mlp_small, steps.deep_20x64, steps.lenet, steps.resnet,
    steps.resnet_normalized, steps.lstm_dynamic_rnn, steps.lstm_while_loop,
]  # fmt: skip


def measure(case, rounds):
    """The nodes of a case's plan, and seconds of making it in each round."""
    with tf.Graph().as_default() as graph:
        fetches, feeds = case(tf)
        start = tf.global_variables_initializer()
        targets = {f if isinstance(f, tf.Operation) else f.op for f in fetches}
        nodes = len(ordering.needed(targets, set(feeds)))
        found = []
        for _ in range(rounds):
            with tf.Session(graph=graph) as session:
                session.run(start)
                gc.collect()
                times = []
                for _ in range(6):
                    began = time.perf_counter()
                    session.run(fetches, feeds)
                    times.append(time.perf_counter() - began)
                found.append(times[0] - min(times[1:]))
    return nodes, found


def main() -> None:
    """Run the cases and print the table."""
    parser = argparse.ArgumentParser(description="Time the making of plans.")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    print(f"{'us per node':22}{'nodes':>8}{'least':>8}{'median':>8}")
    for case in CASES:
        if args.only not in case.__name__:
            continue
        nodes, found = measure(case, args.rounds)
        print(f"{case.__name__:22}{nodes:8}{min(found) / nodes * 1e6:8.1f}{statistics.median(found) / nodes * 1e6:8.1f}")


if __name__ == "__main__":
    main()

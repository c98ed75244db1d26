"""Run samples of ops with TensorFlow 1.15; called by `python -m ossia_testkit.op_golden record`.

`python tools/record_ops.py SAMPLES.json RECORDS.json`: samples as `ossia_testkit.op_samples.transport` writes them.
They run in forked processes, several in each; those of a process that died run once more, each in a process of its own.
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from record_golden import isolated, recording

from ossia_testkit.op_transport import transport_case, workplace

TOGETHER = 30  # samples in one process
SECONDS = 20  # a sample may take


def record(tf, sent):
    """The record of one sample."""
    with workplace(sent.get("files")):
        return recording.record_case(tf, transport_case(sent), 1234)


def record_all(tf, samples):
    """The records of several samples by name."""
    return {name: record(tf, sent) for name, sent in samples}


def main(source, target):
    """Record all samples of a file."""
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    with open(source) as file:
        samples = json.load(file)
    records, waiting = {}, sorted(samples.items())
    while waiting:
        several, waiting = waiting[:TOGETHER], waiting[TOGETHER:]
        found = isolated(record_all, tf, several, seconds=2 * SECONDS)
        if set(found) != {name for name, _ in several}:
            found = {name: isolated(record, tf, sent, seconds=SECONDS) for name, sent in several}
        records.update(found)
    with open(target, "w") as file:
        json.dump({"tensorflow": tf.__version__, "cases": records}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Run samples of ops with TensorFlow 1.15; called by `python -m ossia_testkit.op_golden record`.

`python tools/record_ops.py SAMPLES.json RECORDS.json`: samples as `ossia_testkit.op_samples.transport` writes them.
Each runs in a process of its own.
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from record_golden import isolated, recording

from ossia_testkit.op_transport import transport_case, workplace


def record(tf, sent):
    """The record of one sample."""
    with workplace(sent.get("files")):
        return recording.record_case(tf, transport_case(sent), 1234)


def main(source, target):
    """Record all samples of a file."""
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    with open(source) as file:
        samples = json.load(file)
    records = {}
    for name, sent in sorted(samples.items()):
        records[name] = isolated(record, tf, sent)
    with open(target, "w") as file:
        json.dump({"tensorflow": tf.__version__, "cases": records}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])

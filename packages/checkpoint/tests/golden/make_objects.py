"""Writes `objects/`: object-based checkpoints of TensorFlow, and the nodes that save and restore them.

Run with TensorFlow 1.15.5, then with 2.21: `python make_objects.py tf115`, `python make_objects.py tf221`.
"""

import json
import os
import sys

import numpy as np
import tensorflow
from object_programs import ONLY_115, PROGRAMS

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "objects")


def fill(session):
    for index, variable in enumerate(sorted(tf.global_variables(), key=lambda v: v.name)):
        value = np.arange(int(np.prod(variable.shape.as_list()))).reshape(variable.shape.as_list()) + 10 * index
        variable.load(value.astype(variable.dtype.base_dtype.as_numpy_dtype), session)


def values(session):
    return {v.op.name: session.run(v).tolist() for v in tf.global_variables()}


def nodes(graph, start):
    return [
        [op.name, op.type, op.device, [i.name for i in op.inputs], sorted(c.name for c in op.control_inputs)]
        for op in graph.get_operations()[start:]
    ]


def main(folder):
    recorded = {}
    programs = {**PROGRAMS, **ONLY_115} if tensorflow.__version__.startswith("1.") else PROGRAMS
    for name, program in programs.items():
        with tf.Graph().as_default() as graph, tf.Session() as session:
            tf.set_random_seed(1)
            checkpoint = tf.train.Checkpoint(**program(tf))
            session.run(tf.global_variables_initializer())
            fill(session)
            start = len(graph.get_operations())
            path = checkpoint.save(os.path.join(HERE, folder, name), session=session)
            status = checkpoint.restore(path)
            status.assert_consumed().run_restore_ops(session)
            recorded[name] = {"values": values(session), "nodes": nodes(graph, start)}
    os.remove(os.path.join(HERE, folder, "checkpoint"))
    with open(os.path.join(HERE, folder + ".json"), "w") as stream:
        json.dump(recorded, stream, separators=(",", ":"), sort_keys=True)


if __name__ == "__main__":
    main(sys.argv[1])

"""Exact sums: what is summed in single precision is summed in double precision."""

import ossia as tf


def exact_sums(rewriting):
    """Sums and means of floats are computed in double precision, and rounded once.

    Args:
        rewriting: The nodes of a plan.
    """
    readers = {}
    for op in rewriting.ops:
        for position, tensor in enumerate(op.inputs):
            readers.setdefault(tensor, []).append((op, position))
    for op in list(rewriting.ops):
        if op.type not in ("Sum", "Mean") or op.inputs[0].dtype != tf.float32 or op in rewriting.kept:
            continue
        values, total = op.inputs[0], op.outputs[0]
        # `in_order` puts a new node behind the one that it is inserted after, and the sum comes later.
        double = rewriting.insert(values.op, "Cast", op.name + "/Double", [values], SrcT=tf.float32, DstT=tf.float64)
        rewriting.set_input(op, 0, double.outputs[0])
        rewriting.set_attrs(op, T=tf.float64)
        single = rewriting.insert(op, "Cast", op.name + "/Single", [total], SrcT=tf.float64, DstT=tf.float32)
        for reader, position in readers.get(total, ()):
            rewriting.set_input(reader, position, single.outputs[0])

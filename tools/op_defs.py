"""Write what TensorFlow 1.15 declares about its ops as JSON: the facts that Ossia's op registry is compared with.

Runs in a Python that has TensorFlow 1.15 (`python tools/op_defs.py`); writes `op_defs.json.xz` into the test kit.
"""
import json
import lzma
import os
import sys

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "packages", "testkit", "src", "ossia_testkit",
                      "op_defs.json.xz")


def type_name(number):
    """Name of a DataType number in signatures: `float`, `int32`, `string`."""
    from tensorflow.core.framework import types_pb2

    return types_pb2.DataType.Name(number)[len("DT_"):].lower()


def float_text(value):
    """Shortest text that names the float32 `value`."""
    import numpy as np

    return float(str(np.float32(value)))


def attr_value(value):
    """An AttrValue as JSON: types by name, shapes as lists (None for unknown rank, -1 for unknown sizes)."""
    kind = value.WhichOneof("value")
    if kind == "s":
        return value.s.decode("latin-1")
    if kind == "type":
        return type_name(value.type)
    if kind == "f":
        return float_text(value.f)
    if kind == "shape":
        return None if value.shape.unknown_rank else [d.size for d in value.shape.dim]
    if kind == "tensor":
        return tensor_value(value.tensor)
    if kind == "list":
        for field, convert in (("s", lambda s: s.decode("latin-1")), ("i", int), ("f", float_text), ("b", bool),
                               ("type", type_name), ("tensor", tensor_value),
                               ("shape", lambda p: None if p.unknown_rank else [d.size for d in p.dim])):
            items = getattr(value.list, field)
            if len(items):
                return [convert(item) for item in items]
        return []
    return getattr(value, kind)


def tensor_value(proto):
    """A TensorProto as JSON: dtype, shape, nested values."""
    from tensorflow.python.framework import tensor_util

    array = tensor_util.MakeNdarray(proto)
    return {"dtype": type_name(proto.dtype), "shape": list(array.shape), "values": array.tolist()}


def argument(arg):
    """Name and type of an argument in signature notation: `["values", "N * T"]`."""
    kind = arg.type_list_attr or arg.type_attr or type_name(arg.type)
    if arg.is_ref:
        kind = "Ref(%s)" % kind
    if arg.number_attr:
        kind = "%s * %s" % (arg.number_attr, kind)
    return [arg.name, kind]


def attribute(attr):
    """Name, type and, where given, minimum, allowed values and default of an attribute."""
    facts = {"name": attr.name, "type": attr.type}
    if attr.has_minimum:
        facts["minimum"] = attr.minimum
    if attr.HasField("allowed_values"):
        facts["allowed"] = attr_value(attr.allowed_values)
    if attr.HasField("default_value"):
        facts["default"] = attr_value(attr.default_value)
    return facts


def gradient_state(op_type):
    """`registered`, `NotDifferentiable` or `none`: what the gradient registry says of an op type."""
    from tensorflow.python.framework import ops

    registry = getattr(ops, "_gradient_registry", None) or ops.gradient_registry
    try:
        return "NotDifferentiable" if registry.lookup(op_type) is None else "registered"
    except LookupError:
        return "none"


def op_facts():
    """All op definitions with a Python wrapper in TensorFlow 1.15, by name, and those of the runtime beside them."""
    import tensorflow  # noqa: F401  (registers the gradients)
    from tensorflow.core.framework import op_def_pb2
    from tensorflow.python import pywrap_tensorflow
    from tensorflow.python.framework import op_def_registry

    public = op_def_registry.get_registered_ops()
    every = op_def_pb2.OpList()
    every.ParseFromString(pywrap_tensorflow.TF_GetBuffer(pywrap_tensorflow.TF_GetAllOpList()))
    facts = {}
    for op in every.op:
        entry = {
            "inputs": [argument(arg) for arg in op.input_arg],
            "outputs": [argument(arg) for arg in op.output_arg],
            "attrs": [attribute(attr) for attr in op.attr],
            "stateful": op.is_stateful,
            "commutative": op.is_commutative,
            "aggregate": op.is_aggregate,
            "uninitialized_input": op.allows_uninitialized_input,
            "gradient": gradient_state(op.name),
            "wrapped": op.name in public,
        }
        if op.HasField("deprecation"):
            entry["deprecated_at"] = op.deprecation.version
        facts[op.name] = entry
    return facts


def main():
    """Write the facts of all ops to the test kit."""
    facts = op_facts()
    data = json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()
    os.makedirs(os.path.dirname(TARGET), exist_ok=True)
    with lzma.open(TARGET, "wb", preset=9) as file:
        file.write(data)
    sys.stdout.write("%d ops, %d bytes\n" % (len(facts), os.path.getsize(TARGET)))


if __name__ == "__main__":
    main()

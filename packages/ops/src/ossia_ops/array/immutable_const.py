"""Constants whose bytes lie in a file, as graphs for small devices have them."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core import files
from ossia_core.declare.opdef import Steps, op, steps
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError

immutable_const_op = op("ImmutableConst() -> tensor: dtype", dtype="type", shape="shape", memory_region_name="string")
immutable_const_op.reads()


@immutable_const_op.shape
def _(*, shape):
    return shape


@immutable_const_op.kernel
def _(*, dtype, shape, memory_region_name):
    # The original takes a shape of unknown rank for that of a scalar.
    dims = shape.as_tuple() or ()
    if None in dims:
        raise InvalidArgumentError(None, None, f"Shape {shape} is not fully defined")
    kind = np.dtype(dtype.as_numpy_dtype)
    if kind.hasobject:
        raise InvalidArgumentError(None, None, f"A memory region cannot hold values of type {dtype.name}")
    needed, path = sizes.allocatable(dims, kind.itemsize) * kind.itemsize, memory_region_name.decode()
    with files.file_system(path).open(path, "rb") as file:
        data = file.read(needed)
    if len(data) < needed:
        raise InvalidArgumentError(
            None, None, f"Readonly memory region has wrong length ({len(data)}) when allocating {needed}"
        )
    return np.frombuffer(data, kind).reshape(dims).copy()


def _constant(dtype: str, shape: Any, name: str = "region") -> Steps:
    def story() -> Any:
        yield immutable_const_op(dtype=dtype, shape=shape, memory_region_name=name)

    return steps(story, files={"region": np.arange(8, dtype="<f4").tobytes()})


immutable_const_op.samples(
    floats=_constant("float", [2, 4]),
    part=_constant("float", [3]),
    integers=_constant("int64", [4]),
    flags=_constant("bool", [5]),
    scalar=_constant("float", []),
    empty=_constant("float", [0, 3]),
    refused_length=_constant("float", [3, 4]),
    refused_size=_constant("float", [None]),
    refused_missing=_constant("float", [1], "nowhere"),
)

"""Where values enter a graph: constants and placeholders."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge
from ossia_core.names import errors, shapes, sizes
from ossia_core.names.dtypes import DType, as_dtype, engine_name, resource, variant
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public

const_op = op("Const() -> output: dtype", value="tensor", dtype="type")


@const_op.shape
def _(*, value):
    if isinstance(value, np.ndarray):
        return value.shape
    from ossia_core.names.attr_proto import shape_from_proto
    return shape_from_proto(value.tensor_shape)


@const_op.kernel(alias=True)
def _(*, value, dtype):
    # Plans have the values of constants from their nodes: what comes here is what they cannot have so.
    if type(value) is np.ndarray:
        if value.nbytes > sizes.max_bytes:
            raise _no_memory(value.shape)
        return value
    if value.dtype == dtype.as_datatype_enum:
        if dtype not in (resource, variant):
            return _expanded(value)
        raise errors.InternalError(None, None, f"Tensorflow type {value.dtype} not convertible to numpy dtype.")
    found = engine_name(as_dtype(value.dtype))
    raise errors.InvalidArgumentError(
        None, None, f"Type mismatch between value ({found}) and dtype ({engine_name(dtype)})"
    )


def _expanded(value: Any) -> np.ndarray:
    """The array of a TensorProto that lists some of its values."""
    from ossia_core.names.tensor_proto import decode
    try:
        return decode(value)
    except (MemoryError, errors.ResourceExhaustedError):
        raise _no_memory([dim.size for dim in value.tensor_shape.dim]) from None


def _no_memory(dims: Sequence[int]) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(
        None, None, f"Cannot parse tensor from proto: there is no memory for its shape {errors.dims_text(dims)}"
    )


const_op.not_differentiable()
const_op.samples(vector=sample(value=np.array([1, 2], np.int32), dtype="int32"))


# A constant that the original keeps in the main memory; its shape rule says nothing.
host_const_op = op("HostConst() -> output: dtype", value="tensor", dtype="type")
host_const_op.shape(lambda: UNKNOWN_SHAPE)


@host_const_op.kernel(alias=True)
def _(*, value):
    return value if isinstance(value, np.ndarray) else _expanded(value)


host_const_op.samples(vector=sample(value=np.array([1, 2], np.int32), dtype="int32"))


placeholder_op = op("Placeholder() -> output: dtype", dtype="type", shape="shape = <unknown>")


_NO_UNKNOWN_SHAPES = 21  # up to this version of GraphDefs a placeholder of any shape says that it is a scalar


@placeholder_op.shape
def _(*, shape, node):
    return UNKNOWN_SHAPE if shape.ndims == 0 and node.graph._def_versions[0] <= _NO_UNKNOWN_SHAPES else shape


def no_value(name: str, dtype: DType, dims: TensorShape) -> errors.InvalidArgumentError:
    """What is raised where a tensor that has to be fed is not.

    Args:
      name: the name of its node.
      dtype: its dtype.
      dims: its static shape.
    """
    shape = f" and shape {_brackets(dims)}" if dims.ndims else ""
    return errors.InvalidArgumentError(
        None, None, f"You must feed a value for placeholder tensor '{name}' with dtype {engine_name(dtype)}{shape}"
    )


@placeholder_op.kernel
def _not_fed(*, node):
    raise no_value(node.name, node.attrs["dtype"], node.attrs["shape"])



placeholder_v2_op = op("PlaceholderV2() -> output: dtype", dtype="type", shape="shape")
placeholder_v2_op.shape(lambda *, shape: shape)
placeholder_v2_op.kernel(_not_fed)
placeholder_v2_op.removed(23, "Use Placeholder, which has come to do the same, instead")


def _brackets(shape: Any) -> str:
    return "[" + ",".join("?" if d is None else str(d) for d in shape.as_list()) + "]"


@public("placeholder")
def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Any:
    """A tensor whose value every run must feed.

    Args:
      dtype: dtype of the values.
      shape: their shape, as far as it is fixed; None accepts any.
      name: name of the node.

    Returns:
      The tensor. Running something that needs it without a feed raises InvalidArgumentError.
    """
    return placeholder_op(dtype=dtype, shape=UNKNOWN_SHAPE if shape is None else shape, name=name)


placeholder_with_default_op = op("PlaceholderWithDefault(input: dtype) -> output: dtype", dtype="type", shape="shape")
placeholder_with_default_op.forwards()


@placeholder_with_default_op.shape
def _(input, *, shape):
    merge(input.shape, shape)
    return shape


@placeholder_with_default_op.kernel(alias=True)
def _(input):
    return input


@placeholder_with_default_op.gradient
def _(node, grad):
    return grad


placeholder_with_default_op.samples(plain=sample(np.float32(2.0), shape=[]))


@public("placeholder_with_default")
def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Any:
    """A tensor that has the value of `input` unless a run feeds another one of the given `shape`."""
    return placeholder_with_default_op(input, shape=shapes.as_shape(shape), name=name)


no_op_op = op("NoOp()")


@no_op_op.kernel
def _():
    return ()


@public("no_op")
def no_op(name: str | None = None) -> Any:
    """An operation that does nothing, useful to hang control dependencies on."""
    return no_op_op(name=name)

"""The ops of TensorArray of old graphs: the first version, with handles by reference, and the second, with strings.

They do what those of the third version do; new graphs are built from these.
"""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names import errors
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_ops.control import tensor_array_ops as ops
from ossia_ops.control.tensor_array_ops import ArrayState

_SCALAR, _HANDLE = TensorShape([]), TensorShape([2])
_GRADIENTS = "ossia_ops.control.tensor_array"


class Reference:
    """A handle by reference: what takes a value gets the object behind it."""

    __slots__ = ("_target",)

    def __init__(self, target: Any) -> None:
        self._target = target

    def read(self) -> Any:
        """The object."""
        return self._target


def behind(handle: Any, kind: type) -> Any:
    """The object behind a handle; InvalidArgumentError if it is of another kind."""
    found = handle.read() if isinstance(handle, Reference) else handle
    if not isinstance(found, kind):
        raise errors.InvalidArgumentError(None, None, f"The handle is that of no {kind.__name__}.")
    return found


def _array(handle: Any) -> ArrayState:
    return behind(handle, ArrayState)


def _family(suffix: str, handle: str) -> None:
    """Declare the ops of one version."""
    by_reference = handle.startswith("Ref(")

    make = op(
        f"TensorArray{suffix}(size: int32) -> handle: {handle}", stateful=True,
        **(
            {
                "dtype": "type", "dynamic_size": "bool = false", "clear_after_read": "bool = true",
                "tensor_array_name": "string = ''", "element_shape": "shape = { unknown_rank: true }",
            }
            if by_reference
            else {
                "dtype": "type", "element_shape": "shape = { unknown_rank: true }", "dynamic_size": "bool = false",
                "clear_after_read": "bool = true", "tensor_array_name": "string = ''",
            }
        ),
    )
    # Of the first version the original knows no shapes.
    scalar = UNKNOWN_SHAPE if by_reference else _SCALAR

    @make.shape
    def _(size):
        if by_reference:
            return UNKNOWN_SHAPE
        with_rank(size, 0)
        return _HANDLE


    @make.kernel
    def _(size, *, node):
        a = node.attrs
        name = a["tensor_array_name"].decode() or node.name
        made = ArrayState(
            name, a["dtype"], operator.index(size), a["element_shape"], a["dynamic_size"], a["clear_after_read"], False
        )
        return Reference(made) if by_reference else made

    grad = op(
        f"TensorArrayGrad{suffix}(handle: string, flow_in: float) -> grad_handle: {handle}", stateful=True,
        source="string",
    )
    grad.shape(lambda handle, flow_in: UNKNOWN_SHAPE if by_reference else _HANDLE)

    @grad.kernel
    def _(handle, flow_in, *, source):
        made = _array(handle).gradient(source)
        return Reference(made) if by_reference else made

    read = op(f"TensorArrayRead{suffix}(handle: {handle}, index: int32, flow_in: float) -> value: dtype", dtype="type")

    @read.shape
    def _(handle, index, flow_in):
        if not by_reference:
            with_rank(index, 0)
        return UNKNOWN_SHAPE

    @read.kernel(alias=True)
    def _(handle, index, flow_in, *, dtype):
        return ops.tensor_array_read_v3_op.kernel_fn(_array(handle), index, flow_in, dtype=dtype)

    write = op(
        f"TensorArrayWrite{suffix}(handle: {handle}, index: int32, value: T, flow_in: float) -> flow_out: float",
        T="type",
    )

    @write.shape
    def _(handle, index, value, flow_in):
        if not by_reference:
            with_rank(index, 0)
        return scalar

    @write.kernel(alias=True)
    def _(handle, index, value, flow_in, *, T):
        return ops.tensor_array_write_v3_op.kernel_fn(_array(handle), index, value, flow_in, T=T)

    gather = op(
        f"TensorArrayGather{suffix}(handle: {handle}, indices: int32, flow_in: float) -> value: dtype", dtype="type",
        element_shape="shape = { unknown_rank: true }",
    )
    gather.shape(lambda handle, indices, flow_in: UNKNOWN_SHAPE)

    @gather.kernel
    def _(handle, indices, flow_in, *, dtype, element_shape):
        return ops.tensor_array_gather_v3_op.kernel_fn(
            _array(handle), indices, flow_in, dtype=dtype, element_shape=element_shape
        )

    scatter = op(
        f"TensorArrayScatter{suffix}(handle: {handle}, indices: int32, value: T, flow_in: float) -> flow_out: float",
        T="type",
    )

    @scatter.shape
    def _(handle, indices, value, flow_in):
        if not by_reference:
            with_rank(indices, 1)
        return scalar

    @scatter.kernel(alias=True)
    def _(handle, indices, value, flow_in, *, T):
        return ops.tensor_array_scatter_v3_op.kernel_fn(_array(handle), indices, value, flow_in, T=T)

    concat = op(
        f"TensorArrayConcat{suffix}(handle: {handle}, flow_in: float) -> value: dtype, lengths: int64", dtype="type",
        element_shape_except0="shape = { unknown_rank: true }",
    )
    concat.shape(lambda handle, flow_in: (UNKNOWN_SHAPE, UNKNOWN_SHAPE if by_reference else TensorShape([None])))

    @concat.kernel
    def _(handle, flow_in, *, dtype, element_shape_except0):
        return ops.tensor_array_concat_v3_op.kernel_fn(
            _array(handle), flow_in, dtype=dtype, element_shape_except0=element_shape_except0
        )

    split = op(
        f"TensorArraySplit{suffix}(handle: {handle}, value: T, lengths: int64, flow_in: float) -> flow_out: float",
        T="type",
    )

    @split.shape
    def _(handle, value, lengths, flow_in):
        if not by_reference:
            with_rank(lengths, 1)
        return scalar

    @split.kernel(alias=True)
    def _(handle, value, lengths, flow_in, *, T):
        return ops.tensor_array_split_v3_op.kernel_fn(_array(handle), value, lengths, flow_in, T=T)

    size = op(f"TensorArraySize{suffix}(handle: {handle}, flow_in: float) -> size: int32")
    size.shape(lambda handle, flow_in: scalar)

    @size.kernel
    def _(handle, flow_in):
        return np.int32(len(_array(handle).items))

    close = op(f"TensorArrayClose{suffix}(handle: {handle})")
    close.shape(lambda handle: ())

    @close.kernel
    def _(handle):
        ops.tensor_array_close_v3_op.kernel_fn(_array(handle))

    for definition in (make, grad, size, close):
        definition.not_differentiable()
    make.makes()
    for definition in (grad, read, write, gather, scatter, concat, split, close):
        definition.changes("handle")
    size.reads("handle")
    for definition in (make, grad, read, write, gather, scatter, concat, split, size, close):
        if not (suffix and definition is concat):  # TensorArrayConcatV2 is the one that the original forgot
            name = definition.type.removesuffix("V2")
            version = 26 if suffix else 19 if definition is scatter else 16
            definition.removed(version, f"Use {name}V3 instead")
    for definition in (read, write, gather, scatter, concat, split):
        definition.gradient_in(_GRADIENTS)


_family("", "Ref(string)")
_family("V2", "string")


tensor_array_pack_op = op(
    "TensorArrayPack(handle: Ref(string), flow_in: float) -> value: dtype", dtype="type",
    element_shape="shape = { unknown_rank: true }",
)
tensor_array_pack_op.changes("handle")  # what has been read may be cleared
tensor_array_pack_op.removed(16, "Use TensorArrayGatherV3 with a range of indices instead")


@tensor_array_pack_op.shape
def _(handle, flow_in):
    return UNKNOWN_SHAPE


@tensor_array_pack_op.kernel
def _(handle, flow_in, *, dtype, element_shape):
    array = _array(handle)
    indices = np.arange(len(array.items), dtype=np.int32)
    return ops.tensor_array_gather_v3_op.kernel_fn(array, indices, flow_in, dtype=dtype, element_shape=element_shape)


tensor_array_unpack_op = op(
    "TensorArrayUnpack(handle: Ref(string), value: T, flow_in: float) -> flow_out: float", T="type"
)
tensor_array_unpack_op.changes("handle")
tensor_array_unpack_op.removed(20, "Use TensorArrayScatterV3 with a range of indices instead")


@tensor_array_unpack_op.shape
def _(handle, value, flow_in):
    return UNKNOWN_SHAPE


@tensor_array_unpack_op.kernel(alias=True)
def _(handle, value, flow_in, *, T):
    array = _array(handle)
    if np.ndim(value) and not array.dynamic and len(value) != len(array.items):
        raise errors.InvalidArgumentError(
            None, None, "Input value must have first dimension equal to the array size "
                        f"({len(value)} vs. {len(array.items)})")
    indices = np.arange(len(value) if np.ndim(value) else 0, dtype=np.int32)
    return ops.tensor_array_scatter_v3_op.kernel_fn(_array(handle), indices, value, flow_in, T=T)


tensor_array_grad_with_shape_op = op(
    "TensorArrayGradWithShape(handle: resource, flow_in: float, shape_to_prepend: int32) -> grad_handle: resource, "
    "flow_out: float",
    stateful=True, source="string",
)
tensor_array_grad_with_shape_op.changes("handle")


@tensor_array_grad_with_shape_op.shape
def _(handle, flow_in, shape_to_prepend):
    return _HANDLE, _SCALAR


@tensor_array_grad_with_shape_op.kernel(alias=True)
def _(handle, flow_in, shape_to_prepend, *, source):
    array = _array(handle)
    known = source in array.gradients
    made = array.gradient(source)
    if not known:
        dims = [int(d) for d in np.asarray(shape_to_prepend).reshape(-1)]
        if any(d < 0 for d in dims):
            raise errors.InvalidArgumentError(None, None, f"Shape to prepend must be fully defined, got {dims}")
        made.shape = TensorShape(dims).concatenate(made.shape)
        made.shapes = [None if s is None else (*dims, *s) for s in made.shapes]
    return made, flow_in


tensor_array_grad_with_shape_op.not_differentiable()

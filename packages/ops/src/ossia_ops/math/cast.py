"""The same values as other element types."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import unchanged, with_rank_at_least
from ossia_core.graph.composites import IndexedSlices, SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType, engine_name
from ossia_core.names.errors import InvalidArgumentError, UnimplementedError
from ossia_core.plugins.api_table import public
from ossia_core.variables.resource import ResourceVariable

_FLOATING = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.complex64, dtypes.complex128)
_MANTISSA = {dtypes.float64: 52, dtypes.float32: 23, dtypes.float16: 10, dtypes.bfloat16: 7}


def plain(dtype: DType) -> np.dtype:
    """The NumPy dtype of arrays of a dtype; of a quantized one, that of its integers."""
    found = np.dtype(dtype.as_numpy_dtype)
    return found[0] if found.names else found


cast_op = op("Cast(x: SrcT) -> y: DstT", SrcT="type", DstT="type", Truncate="bool = false")


cast_op.by_element()
cast_op.shape(unchanged)


@cast_op.static_value
def _(node, index, known):
    value = known.computed(node, index)
    # A constant of rank 0 stays an array.
    return np.asarray(value) if value is not None and isinstance(known(node._inputs[0]), np.ndarray) else value


@cast_op.kernel_for
def _(node):
    source, target, truncate = (node.attrs[a] for a in ("SrcT", "DstT", "Truncate"))
    if not all(
        d.is_numpy_compatible and d not in (dtypes.string, dtypes.resource, dtypes.variant)
        for d in (source, target)
    ):
        raise UnimplementedError(None, node, f"Cast {engine_name(source)} to {engine_name(target)} is not supported")
    kind = plain(target)
    if source.is_complex and not target.is_complex:
        return lambda x: np.real(x).astype(kind)
    dropped = _MANTISSA.get(source, 0) - _MANTISSA.get(target, 64)
    if truncate and dropped > 0:
        bits = {8: np.uint64, 4: np.uint32, 2: np.uint16}[source.size]
        mask = bits(~((1 << dropped) - 1) & (2 ** (8 * source.size) - 1))
        return lambda x: (np.asarray(x).view(bits) & mask).view(source.as_numpy_dtype).astype(kind)
    if source is target:
        return lambda x: np.array(x)
    if source in _FLOATING and target is dtypes.uint32:
        # By way of more bits: how numbers out of range wrap around depends on the processor without.
        return lambda x: x.astype(np.int64).astype(kind)
    return lambda x: x.astype(kind)


@cast_op.gradient
def _(node, grad):
    source, target = node.inputs[0].dtype.base_dtype, grad.dtype.base_dtype
    return cast(grad, source) if source in _FLOATING and target in _FLOATING else None


cast_op.samples(
    truncated=sample([1.7, -1.7], DstT="int32"),
    nan=sample([np.nan, 1e20], DstT="int32"),
    bool=sample([0.0, 2.0], DstT="bool"),
    complex=sample([1 + 2j], DstT="float32"),
    wrapped=sample([300, -1], DstT="uint8"),
    half=sample([1e5, 1e-8], DstT="half"),
)


@public("cast", "dtypes.cast")
@dispatches
def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """`x` with its elements converted to `dtype`: `x` itself if it has that dtype.

    Args:
      x: a tensor, SparseTensor or IndexedSlices.
      dtype: dtype of the result. Floats are truncated to integers, of complex numbers the real part is taken.
      name: name of the result.
    """
    wanted = dtypes.as_dtype(dtype).base_dtype
    if isinstance(x, (Tensor, ResourceVariable)) and x.dtype is wanted:
        return x
    with name_scope(name, "Cast", [x]) as name:
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, cast(x.values, wanted, name=name), x.dense_shape)
        if isinstance(x, IndexedSlices):
            return IndexedSlices(cast(x.values, wanted, name=name), x.indices, x.dense_shape)
        x = convert_to_tensor(x, name="x")
        return x if x.dtype.base_dtype is wanted else cast_op(x, DstT=wanted, name=name)


@public("saturate_cast", "dtypes.saturate_cast")
@dispatches
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Like `cast`, but values out of range become the nearest end of the range of `dtype`."""
    with name_scope(name, "saturate_cast", [value]) as name:
        value = convert_to_tensor(value, name="value")
        dtype = dtypes.as_dtype(dtype).base_dtype
        if _python(value.dtype.min) < _python(dtype.min):
            value = lookup("Maximum")(value, convert_to_tensor(_python(dtype.min, value.dtype), value.dtype, "min"))
        if _python(value.dtype.max) > _python(dtype.max):
            value = lookup("Minimum")(value, convert_to_tensor(_python(dtype.max, value.dtype), value.dtype, "max"))
        return cast(value, dtype, name=name)


def _python(limit: Any, kind: dtypes.DType | None = None) -> Any:
    """An end of a range as a number of Python, a whole one for a kind of integers."""
    number = limit.item() if hasattr(limit, "item") else limit
    return int(number) if kind is not None and kind.is_integer else number


@public("to_float")
def to_float(x: Any, name: str = "ToFloat") -> Any:
    """`x` as float32."""
    return cast(x, dtypes.float32, name)


@public("to_double")
def to_double(x: Any, name: str = "ToDouble") -> Any:
    """`x` as float64."""
    return cast(x, dtypes.float64, name)


@public("to_int32")
def to_int32(x: Any, name: str = "ToInt32") -> Any:
    """`x` as int32."""
    return cast(x, dtypes.int32, name)


@public("to_int64")
def to_int64(x: Any, name: str = "ToInt64") -> Any:
    """`x` as int64."""
    return cast(x, dtypes.int64, name)


@public("to_bfloat16")
def to_bfloat16(x: Any, name: str = "ToBFloat16") -> Any:
    """`x` as bfloat16."""
    return cast(x, dtypes.bfloat16, name)


@public("to_complex64")
def to_complex64(x: Any, name: str = "ToComplex64") -> Any:
    """`x` as complex64."""
    return cast(x, dtypes.complex64, name)


@public("to_complex128")
def to_complex128(x: Any, name: str = "ToComplex128") -> Any:
    """`x` as complex128."""
    return cast(x, dtypes.complex128, name)


bitcast_op = op("Bitcast(input: T) -> output: type",
                T="{bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, "
                "complex64, complex128, qint8, quint8, qint16, quint16, qint32}",
                type="{bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, "
                "complex64, complex128, qint8, quint8, qint16, quint16, qint32}")


@bitcast_op.shape
def _(input, *, type):
    dims = input.shape.as_tuple()
    source, target = input.dtype.base_dtype.size, type.size
    if dims is None or source == target:
        return input.shape
    if source > target:
        return (*dims, source // target)
    with_rank_at_least(input, 1)
    if dims[-1] not in (None, target // source):
        raise ValueError(f"Cannot bitcast due to shape. {dims[-1]} does not match {target // source}")
    return dims[:-1]


@bitcast_op.kernel
def _(input, *, T, type):
    array = np.ascontiguousarray(input).reshape(np.shape(input))
    target = plain(type)
    source = array.dtype.itemsize
    if source == target.itemsize:
        return array.view(target).copy()
    if source > target.itemsize:
        return array.reshape(*array.shape, 1).view(target).copy()
    if not array.ndim or array.shape[-1] * source != target.itemsize:
        raise InvalidArgumentError(
            None, None, f"Cannot bitcast from {T.as_datatype_enum} to {type.as_datatype_enum}"
        )
    return array.view(target).reshape(array.shape[:-1]).copy()


bitcast_op.samples(same=sample([1., -2.], type="int32"), smaller=sample([1., -2.], type="uint8"),
                   larger=sample(np.array([[1, 2]], np.int32), type="int64"))


@public("bitcast")
def bitcast(input: Any, type: DType, name: str | None = None) -> Tensor:
    """The bits of `input` as another dtype; where the sizes differ a last dimension comes or goes."""
    return bitcast_op(input, type=type, name=name)

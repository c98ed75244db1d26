"""The element types of tensors: one immutable `DType` object per type, with precomputed attributes."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ossia_core.plugins.api_table import public, public_value

_BY_ENUM: dict[int, DType] = {}  # DataType enum value -> DType, references included
_CONVERT: dict[Any, DType] = {}  # what `as_dtype` takes besides a DType -> DType
_REF_OFFSET = 100  # a reference type's enum value is its base's plus this
_LAZY = frozenset({"as_numpy_dtype", "min", "max"})


@public("DType", "dtypes.DType")
class DType:
    """The type of the elements of a tensor.

    There is one object per type, so that types may be compared with `is`; `DType(1)` gives `float32`. Reference types
    (`float32_ref`) are those of reference variables' tensors.

    Attributes:
        name: the type's name, e.g. `"float32"`.
        as_datatype_enum: the number of the type in `types.proto`.
        as_numpy_dtype: the NumPy type of arrays that hold such elements; `resource` and `variant` have none.
        base_dtype: the type itself, or what a reference type refers to.
        real_dtype: the type of the parts of a complex number, the type itself otherwise.
        size: bytes per element.
        is_bool, is_integer, is_floating, is_complex, is_quantized, is_unsigned: the kind of number; quantized types
            are no integers.
        is_numpy_compatible: whether `as_numpy_dtype` exists.
        min, max: the range of a number type; a `TypeError` for other types.
    """

    __slots__ = (
        "_type_enum",
        "as_datatype_enum",
        "as_numpy_dtype",
        "_as_ref",
        "_is_ref_dtype",
        "base_dtype",
        "is_bool",
        "is_complex",
        "is_floating",
        "is_integer",
        "is_numpy_compatible",
        "is_quantized",
        "is_unsigned",
        "max",
        "min",
        "name",
        "real_dtype",
        "size",
        "__weakref__",
    )

    _type_enum: int
    as_datatype_enum: int
    as_numpy_dtype: Any
    _as_ref: DType
    _is_ref_dtype: builtins.bool
    base_dtype: DType
    is_bool: builtins.bool
    is_complex: builtins.bool
    is_floating: builtins.bool
    is_integer: builtins.bool
    is_numpy_compatible: builtins.bool
    is_quantized: builtins.bool
    is_unsigned: builtins.bool
    max: Any
    min: Any
    name: str
    real_dtype: DType
    size: int

    def __new__(cls, type_enum: int) -> DType:
        """Returns the type of a `types.proto` number.

        Raises:
            TypeError: where no type has the number.
        """
        found = _BY_ENUM.get(int(type_enum))
        if found is None:
            raise TypeError(f"type_enum is not a valid types_pb2.DataType: {type_enum}")
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"DType objects are immutable; cannot set {name!r}.")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        # Only slots that are still empty come here: what costs an import, and what some types lack.
        if name not in _LAZY:
            raise AttributeError(f"'DType' object has no attribute {name!r}")
        if self.base_dtype is bfloat16:
            _load_bfloat16()
            return getattr(self, name)
        if name == "as_numpy_dtype":
            raise KeyError(self._type_enum)
        raise TypeError(f"Cannot find {name}imum value of {self}.")

    @property
    def limits(self) -> tuple[Any, Any]:
        """The range of intensities in images of this type, as (minimum, maximum): (0, 1) for floats.

        Raises:
            KeyError: for a type that images do not have.
        """
        found = _IMAGE_MAXIMUM.get(self.base_dtype._type_enum)
        if found is None:
            raise KeyError(self.as_numpy_dtype)
        return 0, found

    def is_compatible_with(self, other: Any) -> builtins.bool:
        """Whether a tensor of type `other` may be used where this type is asked for.

        A type takes itself and its reference type; a reference type takes itself only.

        Raises:
            TypeError: if `other` is no type.
        """
        other = as_dtype(other)
        return self is other or self is other.base_dtype

    def __eq__(self, other: Any) -> builtins.bool:
        if self is other:
            return True
        if other is None or other.__class__ is DType:
            return False
        try:
            return self is as_dtype(other)
        except TypeError:
            return False

    def __ne__(self, other: Any) -> builtins.bool:
        return not self == other

    def __hash__(self) -> int:
        return self._type_enum

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    def __copy__(self) -> DType:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> DType:
        return self

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __repr__(self) -> str:
        return f"tf.{self.name}"


_fill = object.__setattr__


def _define(enum: int, name: str, numpy_type: Any, kind: str, size: int, *, real: DType | None = None) -> DType:
    """Makes a type and its reference type; `kind` is a letter as in NumPy, or `q` (quantized), `?` for none of them."""
    dtype, ref = object.__new__(DType), object.__new__(DType)
    limits = _limits(numpy_type, kind)
    for each, is_ref in (dtype, False), (ref, True):
        values = {
            "_type_enum": enum + _REF_OFFSET * is_ref,
            "as_datatype_enum": enum + _REF_OFFSET * is_ref,
            "name": name + "_ref" * is_ref,
            "_as_ref": ref,
            "_is_ref_dtype": is_ref,
            "base_dtype": dtype,
            "real_dtype": each if real is None else real,
            "size": size,
            "is_bool": kind == "b",
            "is_integer": kind in "iu",
            "is_unsigned": kind == "u",
            "is_floating": kind == "f",
            "is_complex": kind == "c",
            "is_quantized": kind == "q",
            "is_numpy_compatible": name not in ("resource", "variant"),
            **limits,
        }
        if numpy_type is not None:
            values["as_numpy_dtype"] = numpy_type
        for attribute, value in values.items():
            _fill(each, attribute, value)
        _BY_ENUM[enum + _REF_OFFSET * is_ref] = each
        _CONVERT[each._type_enum] = _CONVERT[each.name] = each
    return dtype


def _limits(numpy_type: Any, kind: str) -> dict[str, Any]:
    if numpy_type is None or kind not in "iuf":
        return {}
    info: Any = np.finfo(numpy_type) if kind == "f" else np.iinfo(numpy_type)
    return {"min": info.min, "max": info.max}


def _quantized(name: str, storage: Any) -> np.dtype:
    return np.dtype([(name, storage)])


float32 = _define(1, "float32", np.float32, "f", 4)
float64 = _define(2, "float64", np.float64, "f", 8)
int32 = _define(3, "int32", np.int32, "i", 4)
uint8 = _define(4, "uint8", np.uint8, "u", 1)
int16 = _define(5, "int16", np.int16, "i", 2)
int8 = _define(6, "int8", np.int8, "i", 1)
string = _define(7, "string", object, "?", 8)
complex64 = _define(8, "complex64", np.complex64, "c", 8, real=float32)
int64 = _define(9, "int64", np.int64, "i", 8)
bool = _define(10, "bool", np.bool_, "b", 1)
qint8 = _define(11, "qint8", _quantized("qint8", np.int8), "q", 1)
quint8 = _define(12, "quint8", _quantized("quint8", np.uint8), "q", 1)
qint32 = _define(13, "qint32", _quantized("qint32", np.int32), "q", 4)
bfloat16 = _define(14, "bfloat16", None, "f", 2)
qint16 = _define(15, "qint16", _quantized("qint16", np.int16), "q", 2)
quint16 = _define(16, "quint16", _quantized("quint16", np.uint16), "q", 2)
uint16 = _define(17, "uint16", np.uint16, "u", 2)
complex128 = _define(18, "complex128", np.complex128, "c", 16, real=float64)
float16 = _define(19, "float16", np.float16, "f", 2)
resource = _define(20, "resource", None, "?", 1)
variant = _define(21, "variant", None, "?", 1)
uint32 = _define(22, "uint32", np.uint32, "u", 4)
uint64 = _define(23, "uint64", np.uint64, "u", 8)

half, float, double = float16, float32, float64

float32_ref = float32._as_ref
float64_ref = float64._as_ref
int32_ref = int32._as_ref
uint8_ref = uint8._as_ref
int16_ref = int16._as_ref
int8_ref = int8._as_ref
string_ref = string._as_ref
complex64_ref = complex64._as_ref
int64_ref = int64._as_ref
bool_ref = bool._as_ref
qint8_ref = qint8._as_ref
quint8_ref = quint8._as_ref
qint32_ref = qint32._as_ref
bfloat16_ref = bfloat16._as_ref
qint16_ref = qint16._as_ref
quint16_ref = quint16._as_ref
uint16_ref = uint16._as_ref
complex128_ref = complex128._as_ref
float16_ref = float16._as_ref
resource_ref = resource._as_ref
variant_ref = variant._as_ref
uint32_ref = uint32._as_ref
uint64_ref = uint64._as_ref

QUANTIZED_DTYPES = frozenset(dtype for dtype in _BY_ENUM.values() if dtype.is_quantized)

for _dtype in list(_BY_ENUM.values()):
    if not _dtype._is_ref_dtype and _dtype.is_numpy_compatible and _dtype is not bfloat16:
        _numpy = np.dtype(_dtype.as_numpy_dtype)
        _CONVERT[_numpy] = _dtype
        if not _dtype.is_quantized:
            _CONVERT[_numpy.type] = _dtype
for _alias, _dtype in ("half", float16), ("float", float32), ("double", float64):
    _CONVERT[_alias], _CONVERT[_alias + "_ref"] = _dtype, _dtype._as_ref
_CONVERT |= {np.bytes_: string, np.str_: string, np.longlong: int64, np.ulonglong: uint64}
_CONVERT |= {builtins.float: float32, builtins.bool: bool, object: string}

_IMAGE_MAXIMUM = {
    dtype._type_enum: 1 if dtype.is_floating else dtype.max
    for dtype in (float32, float64, uint8, uint16, uint32, uint64, int8, int16, int32, int64)
}


def _load_bfloat16() -> None:
    """Imports the NumPy type of `bfloat16`, and completes the two types that need it."""
    import ml_dtypes

    info = ml_dtypes.finfo(ml_dtypes.bfloat16)
    for dtype in bfloat16, bfloat16_ref:
        for attribute, value in ("as_numpy_dtype", ml_dtypes.bfloat16), ("min", info.min), ("max", info.max):
            _fill(dtype, attribute, value)
    _CONVERT[ml_dtypes.bfloat16] = _CONVERT[np.dtype(ml_dtypes.bfloat16)] = bfloat16


@public("as_dtype", "dtypes.as_dtype")
def as_dtype(type_value: Any) -> DType:
    """Returns the type that a value names.

    Args:
        type_value: a `DType`, a NumPy type or dtype, the Python types `float`, `bool` and `object`, a name such as
            `"float32"`, or a number of `types.proto`.

    Raises:
        TypeError: where no type corresponds to the value.
    """
    if type_value.__class__ is DType:
        return type_value
    try:
        return _CONVERT[type_value]
    except KeyError:
        pass
    numpy_type = type_value.type if isinstance(type_value, np.dtype) else type_value
    if getattr(numpy_type, "__name__", None) == "bfloat16":
        _load_bfloat16()
    found = _CONVERT.get(numpy_type)
    if found is None or found.is_quantized:
        raise TypeError(f"Cannot convert value {type_value!r} to a TensorFlow DType.")
    return found


def engine_name(dtype: DType) -> str:
    """The name of a type in signatures of ops and in errors of a run: `float` where Python says `float32`."""
    return {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name)


for _name in (
    "bfloat16 bool complex128 complex64 double float16 float32 float64 half int16 int32 int64 int8 qint16 qint32 qint8 "
    "quint16 quint8 resource string uint16 uint32 uint64 uint8 variant QUANTIZED_DTYPES"
).split():
    public_value(_name, f"dtypes.{_name}", name=_name)

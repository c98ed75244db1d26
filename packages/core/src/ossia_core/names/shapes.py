"""Static shapes: `TensorShape`, a tuple of sizes that may be unknown, and the `Dimension` that its indexing gives."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from typing import Any

from ossia_core.names.errors import OperatorNotAllowedInGraphError
from ossia_core.plugins.api_table import public

_new = object.__new__
_UNKNOWN_SIZE = -1  # how a TensorShapeProto writes an unknown size
_gives_integers = False  # set by enable_v2_tensorshape


def _size(value: Any) -> int | None:
    """The size that a value means, `None` if unknown; raises TypeError or ValueError where it means none."""
    if value is None or (type(value) is int and value >= 0):
        return value
    if isinstance(value, Dimension):
        return value._value
    if type(value).__name__ == "DType":
        raise TypeError(f"Cannot convert {value} to Dimension")
    if getattr(value, "ndim", 0) and value.size == 1 and value.dtype.kind in "biuf":
        value = value.item()  # which newer NumPy does not take an array of one element for
    size = int(value)
    if not isinstance(value, (str, bytes)) and size != value:
        raise ValueError(f"Ambiguous dimension: {value}")
    if size < 0:
        raise ValueError(f"Dimension {size} must be >= 0")
    return size


def _with_size(method: Callable[[Dimension, int | None], Any]) -> Any:
    """A method of two dimensions from one that takes the size of the other; NotImplemented for what has none."""

    @functools.wraps(method)
    def taking(self: Dimension, other: Any) -> Any:
        try:
            size = _size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return method(self, size)

    return taking


def _arithmetic(compute: Callable[[int, int], int]) -> tuple[Any, Any]:
    """An operator's two methods, for a dimension on its left and on its right; unknown sizes give unknown results."""

    @_with_size
    def forward(self: Dimension, size: int | None) -> Dimension:
        return Dimension(None if self._value is None or size is None else compute(self._value, size))

    def backward(self: Dimension, other: Any) -> Dimension:
        value = _size(other)
        return Dimension(None if self._value is None or value is None else compute(value, self._value))

    return forward, backward


def _commutative(compute: Callable[[int, int], int]) -> tuple[Any, Any]:
    """The same, where the right one asks the operator for the dimension on its left."""
    return _arithmetic(compute)[0], lambda self, other: compute(self, other)


def _ordering(compute: Callable[[int, int], bool]) -> Any:
    def compare(self: Dimension, other: Any) -> bool | None:
        value = _size(other)
        return None if self._value is None or value is None else compute(self._value, value)

    return compare


@public("Dimension")
class Dimension:
    """The size of one dimension of a tensor, `None` where it is unknown.

    Sums, differences, products, `//` and `%` of dimensions (and integers) are dimensions, unknown where an operand is.
    Comparisons with an unknown dimension give `None`.
    """

    __slots__ = ("_value",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        """Makes a dimension.

        Args:
            value: a size, another dimension, or `None`.

        Raises:
            ValueError: for a negative or fractional size.
            TypeError: for what is no number.
        """
        self._value = _size(value)

    @property
    def value(self) -> int | None:
        """The size as an integer, `None` if unknown."""
        return self._value

    @_with_size
    def is_compatible_with(self, other: int | None) -> bool:
        """Whether both may stand for the same size: they are equal, or one is unknown."""
        return self._value is None or other is None or self._value == other

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless the dimension is compatible with `other`."""
        if self.is_compatible_with(other) is False:
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    @_with_size
    def merge_with(self, other: int | None) -> Dimension:
        """Returns the known one of two compatible dimensions; raises ValueError if they differ."""
        self.assert_is_compatible_with(other)
        return Dimension(other if self._value is None else self._value)

    @_with_size
    def __eq__(self, other: Any) -> Any:
        return None if self._value is None or other is None else self._value == other

    @_with_size
    def __ne__(self, other: Any) -> Any:
        return None if self._value is None or other is None else self._value != other

    __add__, __radd__ = _commutative(operator.add)
    __sub__, __rsub__ = _arithmetic(operator.sub)
    __mul__, __rmul__ = _commutative(operator.mul)
    __floordiv__, __rfloordiv__ = _arithmetic(operator.floordiv)
    __rmod__ = _arithmetic(operator.mod)[1]
    __lt__, __le__ = _ordering(operator.lt), _ordering(operator.le)
    __gt__, __ge__ = _ordering(operator.gt), _ordering(operator.ge)

    def __mod__(self, other: Any) -> Dimension:
        size = _size(other)
        return Dimension(None if self._value is None or size is None else self._value % size)

    def __div__(self, other: Any) -> Dimension:
        return self // other  # type: ignore[no-any-return]

    def __truediv__(self, other: Any) -> Any:
        raise TypeError(
            f"unsupported operand type(s) for /: 'Dimension' and '{type(other).__name__}', please use // instead"
        )

    def __rtruediv__(self, other: Any) -> Any:
        raise TypeError(
            f"unsupported operand type(s) for /: '{type(other).__name__}' and 'Dimension', please use // instead"
        )

    __rdiv__ = __rtruediv__

    def __int__(self) -> int:
        return self._value  # type: ignore[return-value]  # int() of an unknown one raises the TypeError

    __long__ = __int__

    def __index__(self) -> int:
        return self._value  # type: ignore[return-value]

    def __reduce__(self) -> tuple[Any, ...]:
        return Dimension, (self._value,)

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __repr__(self) -> str:
        return f"Dimension({self._value})"


@public("TensorShape")
class TensorShape:
    """The static shape of a tensor: all sizes known, some unknown, or not even their number.

    Indexing and iterating give `Dimension` objects; `as_tuple` and `as_list` give plain integers. Shapes are immutable.
    Two shapes are equal only if all their sizes are known and equal, or if both ranks are unknown; shapes with unknown
    sizes equal themselves alone.
    """

    __slots__ = ("_dims",)
    __hash__ = None  # type: ignore[assignment]

    _dims: tuple[int | None, ...] | None

    def __new__(cls, dims: Any) -> TensorShape:
        """Makes a shape.

        Args:
            dims: `None` for an unknown rank, a sequence of sizes (`None` where unknown), one size, a TensorShapeProto
                or another shape.

        Raises:
            ValueError: for a negative or fractional size.
            TypeError: for a string, a tensor, or what is no number.
        """
        if dims.__class__ is TensorShape:
            return dims
        if dims is None:
            return UNKNOWN_SHAPE
        if isinstance(dims, (str, bytes)):
            text = dims if isinstance(dims, str) else repr(dims)
            raise TypeError(f"A string has ambiguous TensorShape, please wrap in a list or convert to an int: {text}")
        if hasattr(dims, "unknown_rank"):
            return cls.from_tuple(
                None
                if dims.unknown_rank
                else tuple(None if d.size == _UNKNOWN_SIZE else _size(d.size) for d in dims.dim)
            )
        try:
            items = iter(dims)
        except OperatorNotAllowedInGraphError:
            raise
        except TypeError:
            return cls.from_tuple((_size(dims),))
        return cls.from_tuple(tuple(map(_size, items)))

    @classmethod
    def from_tuple(cls, dims: tuple[int | None, ...] | None) -> TensorShape:
        """Makes a shape, quickly, from a tuple of non-negative `int` and `None` that is taken unchecked."""
        shape = _new(cls)
        shape._dims = dims
        return shape

    def as_tuple(self) -> Any:
        """Returns the sizes as a tuple of `int` and `None`; `None` if the rank is unknown."""
        return self._dims

    @property
    def dims(self) -> list[Dimension] | None:
        """The sizes as a list of `Dimension`; `None` if the rank is unknown."""
        return None if self._dims is None else [Dimension(size) for size in self._dims]

    @property
    def rank(self) -> Any:
        """The number of dimensions, `None` if unknown."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    def __iter__(self) -> Iterator[Any]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._dims) if _gives_integers else map(Dimension, self._dims)

    def __getitem__(self, key: Any) -> Any:
        if self._dims is not None:
            if isinstance(key, slice):
                return TensorShape.from_tuple(self._dims[key])
            return self._dims[key] if _gives_integers else Dimension(self._dims[key])
        if not isinstance(key, slice):
            return None if _gives_integers else Dimension(None)
        if key.step is not None:
            raise ValueError("Steps are not yet handled")
        start, stop = 0 if key.start is None else key.start, key.stop
        if stop is None or start < 0 or stop < 0:
            return UNKNOWN_SHAPE
        return unknown_shape(max(int(stop) - int(start), 0))

    def num_elements(self) -> Any:
        """Returns the product of the sizes, `None` if one is unknown."""
        if not self.is_fully_defined():
            return None
        product = 1
        for size in self._dims:  # type: ignore[union-attr]
            product *= size  # type: ignore[operator]
        return product

    def merge_with(self, other: Any) -> TensorShape:
        """Returns the shape that knows all that either of two compatible shapes knows.

        Raises:
            ValueError: if the shapes are not compatible.
        """
        other = as_shape(other)
        if self._dims is None:
            return other
        if other._dims is None or other._dims == self._dims:
            return self
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        return TensorShape.from_tuple(
            tuple(theirs if ours is None else ours for ours, theirs in zip(self._dims, other._dims))
        )

    def concatenate(self, other: Any) -> TensorShape:
        """Returns the shape with the dimensions of `other` appended, of unknown rank if either is."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return UNKNOWN_SHAPE
        return TensorShape.from_tuple(self._dims + other._dims)

    __concat__ = __add__ = concatenate

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    def with_rank(self, rank: int | None) -> TensorShape:
        """Returns the shape if its rank is `rank` or `rank` is None, and `rank` unknown sizes if its rank is unknown.

        Raises:
            ValueError: if the rank is another.
        """
        if self._dims is None:
            return unknown_shape(rank)
        if rank is not None:
            self.assert_has_rank(rank)
        return self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Returns the shape itself; raises ValueError if it has fewer than `rank` dimensions."""
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """Returns the shape itself; raises ValueError if it has more than `rank` dimensions."""
        if self._dims is not None and len(self._dims) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """Raises ValueError if the shape is known to have another rank than `rank`."""
        if self._dims is not None and len(self._dims) != rank:
            raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other: Any) -> None:
        """Raises ValueError if the two shapes are known to have different ranks."""
        other = as_shape(other)
        if self._dims is not None and other._dims is not None and len(self._dims) != len(other._dims):
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some fully known shape fits both: ranks agree, and sizes where both are known."""
        ours, theirs = self._dims, as_shape(other)._dims
        if ours is None or theirs is None or ours == theirs:
            return True
        return len(ours) == len(theirs) and all(a == b or a is None or b is None for a, b in zip(ours, theirs))

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless the shape is compatible with `other`."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """Returns the shape that both shapes fit: sizes that differ are unknown in it, as is the rank if ranks do."""
        ours, theirs = self._dims, as_shape(other)._dims
        if ours is None or theirs is None or len(ours) != len(theirs):
            return UNKNOWN_SHAPE
        return TensorShape.from_tuple(tuple(a if a == b else None for a, b in zip(ours, theirs)))

    def is_fully_defined(self) -> bool:
        """Whether all sizes are known."""
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError if some size is unknown."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def as_list(self) -> list[Any]:
        """Returns the sizes as a list of `int` and `None`.

        Raises:
            ValueError: if the rank is unknown.
        """
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def as_proto(self) -> Any:
        """Returns the shape as a TensorShapeProto."""
        from ossia_core.proto import TensorShapeProto

        if self._dims is None:
            return TensorShapeProto(unknown_rank=True)
        sizes = (_UNKNOWN_SIZE if size is None else size for size in self._dims)
        return TensorShapeProto(dim=[TensorShapeProto.Dim(size=size) for size in sizes])

    def __eq__(self, other: Any) -> Any:
        if self is other:
            return True
        try:
            theirs = as_shape(other)._dims
        except TypeError:
            return NotImplemented
        return self._dims == theirs and (theirs is None or None not in theirs)

    def __ne__(self, other: Any) -> Any:
        try:
            theirs = as_shape(other)._dims
        except TypeError:
            return NotImplemented
        if self._dims is None or theirs is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return self is not other and (self._dims != theirs or None in theirs)

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self._dims,)

    def __copy__(self) -> TensorShape:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> TensorShape:
        return self

    def __str__(self) -> str:
        if self._dims is None:
            return "<unknown>"
        unknown = "None" if _gives_integers else "?"
        sizes = [unknown if size is None else str(size) for size in self._dims]
        return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"

    def __repr__(self) -> str:
        return f"TensorShape({None if self._dims is None else list(self)})"


UNKNOWN_SHAPE = TensorShape.from_tuple(None)


def as_shape(shape: Any) -> TensorShape:
    """Returns `shape` as a `TensorShape`; a shape is returned as it is."""
    return shape if shape.__class__ is TensorShape else TensorShape(shape)


def as_dimension(value: Any) -> Dimension:
    """Returns `value` as a `Dimension`; a dimension is returned as it is."""
    return value if isinstance(value, Dimension) else Dimension(value)


def unknown_shape(rank: int | None = None) -> TensorShape:
    """Returns a shape of `rank` unknown sizes, or of unknown rank."""
    return UNKNOWN_SHAPE if rank is None else TensorShape.from_tuple((None,) * rank)


@public("compat.dimension_value", "dimension_value")
def dimension_value(dimension: Any) -> Any:
    """Returns the size in a `Dimension`, and anything else as it is.

    For code that indexes shapes and has to work where indexing gives dimensions and where it gives integers.
    """
    return dimension._value if isinstance(dimension, Dimension) else dimension


@public("compat.dimension_at_index", "dimension_at_index")
def dimension_at_index(shape: TensorShape, index: int) -> Dimension:
    """Returns the dimension of a shape at an index, an unknown one if the rank is unknown.

    Raises:
        IndexError: if a known shape has no such dimension.
    """
    if not isinstance(shape, TensorShape):
        raise AssertionError(f"dimension_at_index takes a TensorShape, not {type(shape).__name__}.")
    return shape[index]


@public("enable_v2_tensorshape")
def enable_v2_tensorshape() -> None:
    """Makes indexing and iterating of shapes give integers and `None`, as TensorFlow 2 does."""
    global _gives_integers
    _gives_integers = True


@public("disable_v2_tensorshape")
def disable_v2_tensorshape() -> None:
    """Makes indexing and iterating of shapes give `Dimension` objects again."""
    global _gives_integers
    _gives_integers = False

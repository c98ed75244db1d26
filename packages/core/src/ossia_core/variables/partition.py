"""Variables in parts: how a partitioner's answer divides a shape, and the variable made of the parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import register_tensor_conversion_function
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.shapes import TensorShape
from ossia_core.primitives.identity import identity

Partitioner = Callable[..., Sequence[int]]


class PartitionInfo:
    """Which part of a variable an initializer is asked for.

    Args:
      full_shape: shape of the whole variable.
      var_offset: where the part begins in it.

    Raises:
      TypeError: an argument is no sequence of ints.
      ValueError: the offset lies outside the shape.
    """

    def __init__(self, full_shape: Sequence[int], var_offset: Sequence[int]) -> None:
        for name, value in (("full_shape", full_shape), ("var_offset", var_offset)):
            if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
                raise TypeError(f"`{name}` must be a sequence (like tuple or list) instead of {type(value).__name__}")
        if len(var_offset) != len(full_shape):
            raise ValueError(
                f"Expected equal length, but `var_offset` is of length {len(var_offset)} while full_shape is of length "
                f"{len(full_shape)}."
            )
        for offset, size in zip(var_offset, full_shape, strict=True):
            if not 0 <= offset < size:
                raise ValueError(
                    f"Expected 0 <= offset < shape but found offset={offset}, shape={size} for "
                    f"var_offset={var_offset}, full_shape={full_shape}"
                )
        self._full_shape, self._var_offset = full_shape, var_offset

    @property
    def full_shape(self) -> Sequence[int]:
        """Shape of the whole variable."""
        return self._full_shape

    @property
    def var_offset(self) -> Sequence[int]:
        """Where the part begins."""
        return self._var_offset

    def single_offset(self, shape: Sequence[int]) -> int:
        """Where a part of `shape` begins along the one axis that is divided; 0 if none is."""
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self._var_offset[axis]

    def single_slice_dim(self, shape: Sequence[int]) -> int | None:
        """The one axis along which a part of `shape` is smaller than the whole; None if it is the whole.

        Raises:
          TypeError: `shape` is no sequence.
          ValueError: it does not fit into the whole, or is smaller along several axes.
        """
        if not isinstance(shape, Sequence) or isinstance(shape, (str, bytes)):
            raise TypeError(f"`shape` must be a sequence (like tuple or list) instead of {type(shape).__name__}")
        if len(shape) != len(self._full_shape):
            raise ValueError(
                f"Expected equal length, but received shape={shape} of length {len(shape)} while self.full_shape="
                f"{self._full_shape} is of length {len(self._full_shape)}."
            )
        found = None
        for axis, (size, whole) in enumerate(zip(shape, self._full_shape, strict=True)):
            if self._var_offset[axis] + size > whole:
                raise ValueError(
                    f"With self.var_offset={self._var_offset}, a partition of shape={shape} would exceed "
                    f"self.full_shape={self._full_shape} in dimension {axis}."
                )
            if size != whole:
                if found is not None:
                    raise ValueError(
                        f"Cannot use single_slice_dim() with shape={shape} and self.full_shape={self._full_shape} "
                        f"since slice dim could be either dimension {axis} or {found}."
                    )
                found = axis
        return found


def call_partitioner(partitioner: Partitioner, shape: TensorShape, dtype: DType) -> Sequence[int]:
    """The number of parts along each axis.

    Raises:
      ValueError: the shape is not fully known, or the partitioner's answer does not fit it.
    """
    if not shape.is_fully_defined():
        raise ValueError(f"Shape of a new partitioned variable must be fully defined, but instead was {shape}.")
    if not shape.ndims:
        raise ValueError(f"A partitioned Variable must have rank at least 1, shape: {shape}")
    slicing = partitioner(shape=shape, dtype=dtype)
    if not isinstance(slicing, Sequence):
        raise ValueError(f"Partitioner must return a sequence, but saw: {slicing}")
    if len(slicing) != shape.ndims:
        raise ValueError(
            f"Partitioner returned a partition list that does not match the Variable's rank: {slicing} vs. {shape}"
        )
    if any(parts < 1 for parts in slicing):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {slicing}")
    if sum(parts > 1 for parts in slicing) > 1:
        raise ValueError(f"Can only slice a variable along one dimension: shape: {shape}, partitioning: {slicing}")
    return slicing


def divided_axis(slicing: Sequence[int]) -> tuple[int, int]:
    """The axis that is divided, and into how many parts."""
    for axis, parts in enumerate(slicing):
        if parts > 1:
            return axis, parts
    return 0, 1


def iter_parts(full_shape: list[int], parts: int, axis: int) -> Iterator[tuple[list[int], list[int]]]:
    """Offset and shape of each part; the first ones are larger if the axis does not divide evenly."""
    size, larger = divmod(full_shape[axis], parts)
    offset = [0] * len(full_shape)
    for i in range(parts):
        shape = list(full_shape)
        shape[axis] = size + (i < larger)
        yield list(offset), shape
        offset[axis] += shape[axis]


class PartitionedVariable:
    """A variable made of several, along one axis; iterating gives the parts.

    Args:
      name: name of the whole.
      shape: its shape.
      dtype: its dtype.
      variable_list: the parts, in order, each with its `SaveSliceInfo`.
      partitions: number of parts along each axis.

    Raises:
      TypeError: `variable_list` or `partitions` is of the wrong type.
      ValueError: a part has no `SaveSliceInfo`, or more than one axis is divided.
    """

    def __init__(
        self, name: str, shape: Any, dtype: Any, variable_list: Sequence[Any], partitions: Sequence[int]
    ) -> None:
        if not isinstance(variable_list, (list, tuple)):
            raise TypeError(f"variable_list is not a list or tuple: {variable_list}")
        if not isinstance(partitions, (list, tuple)):
            raise TypeError(f"partitions is not a list or tuple: {partitions}")
        if any(p < 1 for p in partitions):
            raise ValueError(f"partition values must be positive: {partitions}")
        if not variable_list:
            raise ValueError("variable_list may not be empty")
        for variable in variable_list:
            info = variable._get_save_slice_info()
            if info is None:
                raise ValueError(
                    f"All variables must have a save_slice_info available: {[v.name for v in variable_list]}"
                )
        self._name, self._shape, self._dtype = name, TensorShape(shape), dtypes.as_dtype(dtype)
        self._variable_list = sorted(variable_list, key=lambda v: v._get_save_slice_info().var_offset)
        self._partitions = partitions

    def __iter__(self) -> Iterator[Any]:
        return iter(self._variable_list)

    def __len__(self) -> int:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise ValueError(f"Cannot get a length for {len(axes)} > 1 partition axes")
        return len(self._variable_list)

    def _partition_axes(self) -> list[int]:
        axes = [i for i, parts in enumerate(self._partitions) if parts > 1]
        return axes or [0]

    @property
    def name(self) -> str:
        """Name of the whole."""
        return self._name

    @property
    def dtype(self) -> DType:
        """Dtype of the parts."""
        return self._dtype

    @property
    def shape(self) -> TensorShape:
        """Shape of the whole."""
        return self._shape

    def get_shape(self) -> TensorShape:
        """Shape of the whole."""
        return self._shape

    def _get_variable_list(self) -> list[Any]:
        return self._variable_list

    def _get_partitions(self) -> Sequence[int]:
        return self._partitions

    def _concat(self) -> Tensor:
        if len(self._variable_list) == 1:
            with name_scope(None):
                return identity(self._variable_list[0], name=self._name)
        axes = self._partition_axes()
        if len(axes) > 1:
            raise NotImplementedError(
                f"Cannot concatenate along more than one dimension: {axes}.  Multi-axis partition concat is not "
                "supported"
            )
        with name_scope(self._name + "/ConcatPartitions/"):
            joined = builder("concat")(self._variable_list, axes[0])
        with name_scope(None):
            return identity(joined, name=self._name)

    def as_tensor(self) -> Tensor:
        """The parts put together; outside of all loops, branches and control dependencies."""
        with control_dependencies(None), name_scope(None):
            return self._concat()

    @staticmethod
    def _TensorConversionFunction(
        v: PartitionedVariable,
        dtype: DType | None = None,
        name: str | None = None,
        as_ref: bool = False,
    ) -> Tensor:
        if dtype is not None and not dtype.is_compatible_with(v.dtype):
            raise ValueError(
                f"Incompatible type conversion requested to type '{dtype.name}' for variable of type '{v.dtype.name}'"
            )
        if as_ref:
            raise NotImplementedError("PartitionedVariable doesn't support being used as a reference.")
        return v.as_tensor()

    def _apply(self, change: Callable, value: Any) -> list[Any]:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise NotImplementedError(
                "Cannot do assign action along more than one dimension: {axes}.  Multi-axis partition assign action "
                "is not supported "
            )
        if isinstance(value, (list, PartitionedVariable)):
            if len(value) != len(self._variable_list):
                raise AssertionError(f"{len(value)} values for {len(self._variable_list)} parts")
            values = list(value)
        elif len(self._variable_list) == 1:
            values = [value]
        else:
            axis = axes[0]
            sizes = [variable.shape.as_list()[axis] for variable in self._variable_list]
            values = builder("split")(value, sizes, axis=axis)
        return [change(variable, part) for variable, part in zip(self._variable_list, values, strict=True)]

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Set all parts, from a tensor of the whole shape or a list with a tensor per part; a list of what the parts'
        `assign` returns."""
        return self._apply(
            lambda v, part: v.assign(part, use_locking=use_locking, name=name, read_value=read_value), value
        )

    def assign_add(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Add to all parts; takes and returns what `assign` does."""
        return self._apply(
            lambda v, part: v.assign_add(part, use_locking=use_locking, name=name, read_value=read_value), value
        )

    def assign_sub(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Subtract from all parts; takes and returns what `assign` does."""
        return self._apply(
            lambda v, part: v.assign_sub(part, use_locking=use_locking, name=name, read_value=read_value), value
        )


register_tensor_conversion_function(PartitionedVariable, PartitionedVariable._TensorConversionFunction)

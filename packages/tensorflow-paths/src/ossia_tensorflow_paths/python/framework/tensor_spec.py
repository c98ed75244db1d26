"""`tensor_spec.BoundedTensorSpec`: a TensorSpec that also says between what the values are."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf


class BoundedTensorSpec(tf.TensorSpec):
    """Shape and dtype of a tensor, and the least and the largest values that it may have.

    Args:
        shape: The shape.
        dtype: The dtype.
        minimum: The least values, of a shape that broadcasts to `shape`; they belong to the range.
        maximum: The largest values, likewise.
        name: A name for the tensor.

    Raises:
        ValueError: A bound is missing or does not broadcast to the shape.
    """

    __slots__ = ("_maximum", "_minimum")

    def __init__(self, shape: Any, dtype: Any, minimum: Any, maximum: Any, name: str | None = None) -> None:
        super().__init__(shape, dtype, name)
        self._minimum = self._bound("minimum", minimum)
        self._maximum = self._bound("maximum", maximum)

    def _bound(self, which: str, value: Any) -> np.ndarray:
        if value is None:
            raise ValueError(f"{which} can not be None")
        try:
            tf.broadcast_static_shape(tf.TensorShape(np.shape(value)), self.shape)
        except ValueError as error:
            raise ValueError(f"{which} is not compatible with shape. Message: {error!r}.") from None
        bound = np.array(value, dtype=self.dtype.as_numpy_dtype)
        bound.setflags(write=False)
        return bound

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> BoundedTensorSpec:
        """The spec with the parts of another one; without bounds there, those of its dtype."""
        dtype = tf.as_dtype(spec.dtype)
        return cls(
            spec.shape, dtype, getattr(spec, "minimum", dtype.min), getattr(spec, "maximum", dtype.max),
            name or spec.name,
        )

    @property
    def minimum(self) -> np.ndarray:
        """The least values, read-only."""
        return self._minimum

    @property
    def maximum(self) -> np.ndarray:
        """The largest values, read-only."""
        return self._maximum

    def __repr__(self) -> str:
        return (
            f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r}, "
            f"minimum={self.minimum!r}, maximum={self.maximum!r})"
        )

    def __eq__(self, other: object) -> bool:
        return (
            super().__eq__(other)
            and isinstance(other, BoundedTensorSpec)
            and np.allclose(self.minimum, other.minimum)
            and np.allclose(self.maximum, other.maximum)
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def __reduce__(self) -> tuple[Any, ...]:
        return BoundedTensorSpec, (self.shape, self.dtype, self.minimum, self.maximum, self.name)

"""Projections of variables that optimizers apply after updates: tf.keras.constraints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_nn.named_objects import restored, serialized
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import greater_equal
from ossia_ops.math.elementwise import sqrt, square
from ossia_ops.math.reduction import reduce_sum

_EPSILON = 1e-7


def _clipped(x: Any, least: float, most: float) -> Tensor:
    clip = builder("clip_by_value")
    return clip(x, convert_to_tensor(least, dtypes.float32), convert_to_tensor(most, dtypes.float32))


def _norms(w: Any, axis: Any) -> Tensor:
    """The lengths of the vectors of `w` along an axis."""
    return sqrt(_clipped(reduce_sum(square(w), axis=axis, keepdims=True), 0.0, np.inf))


@public("keras.constraints.Constraint")
class Constraint:
    """What constraints have in common: they are called with a variable and return its projection."""

    def __call__(self, w: Any) -> Any:
        """`w` as it is, unless a subclass says otherwise."""
        return w

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a constraint like this one."""
        return {}


@public("keras.constraints.MaxNorm", "keras.constraints.max_norm")
class MaxNorm(Constraint):
    """Scales down the vectors that are longer than `max_value`.

    Args:
      max_value: the largest length.
      axis: the dimension, or dimensions, along which the vectors run.
    """

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Tensor:
        norms = _norms(w, self.axis)
        desired = _clipped(norms, 0, self.max_value)
        return w * (desired / (_EPSILON + norms))

    def get_config(self) -> dict[str, Any]:
        return {"max_value": self.max_value, "axis": self.axis}


@public("keras.constraints.NonNeg", "keras.constraints.non_neg")
class NonNeg(Constraint):
    """Sets what is negative to zero."""

    def __call__(self, w: Any) -> Tensor:
        return w * cast(greater_equal(w, 0.0), dtypes.float32)


@public("keras.constraints.UnitNorm", "keras.constraints.unit_norm")
class UnitNorm(Constraint):
    """Scales vectors to length 1.

    Args:
      axis: the dimension, or dimensions, along which the vectors run.
    """

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Tensor:
        return w / (_EPSILON + _norms(w, self.axis))

    def get_config(self) -> dict[str, Any]:
        return {"axis": self.axis}


@public("keras.constraints.MinMaxNorm", "keras.constraints.min_max_norm")
class MinMaxNorm(Constraint):
    """Scales vectors towards lengths between two bounds.

    Args:
      min_value, max_value: the bounds.
      rate: how far: 1 all the way, less for a part of it.
      axis: the dimension, or dimensions, along which the vectors run.
    """

    def __init__(self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: Any) -> Tensor:
        norms = _norms(w, self.axis)
        desired = self.rate * _clipped(norms, self.min_value, self.max_value) + (1 - self.rate) * norms
        return w * (desired / (_EPSILON + norms))

    def get_config(self) -> dict[str, Any]:
        return {"min_value": self.min_value, "max_value": self.max_value, "rate": self.rate, "axis": self.axis}


@public("keras.constraints.RadialConstraint", "keras.constraints.radial_constraint")
class RadialConstraint(Constraint):
    """Makes the square kernels of convolutions the same along each ring around their middle: the value of a ring is
    that on the diagonal, below the middle."""

    def __call__(self, w: Any) -> Tensor:
        """`w`, of shape `[n, n, channels in, channels out]`, with rings of one value.

        Raises:
          ValueError: `w` is not of rank 4.
        """
        dims = w.shape
        if dims.rank is None or dims.rank != 4:
            raise ValueError(f"The weight tensor must be of rank 4, but is of shape: {dims}")
        height, width, channels, kernels = dims
        planes = builder("unstack")(builder("reshape")(w, (height, width, channels * kernels)), axis=-1)
        rings = builder("map_fn")(_rings, builder("stack")(planes, axis=0))
        joined = builder("stack")(builder("unstack")(rings, axis=0), axis=-1)
        return builder("reshape")(joined, (height, width, channels, kernels))


def _rings(kernel: Tensor) -> Tensor:
    """One square kernel, from its middle on padded with one ring after the other."""
    size = kernel.shape.as_list()[0]
    middle = size // 2
    centre = kernel[middle - 1:middle, middle - 1:middle]
    if size % 2 == 0:
        centre = centre + builder("zeros")((2, 2), dtype=kernel.dtype)
    for i in range(1 - size % 2, middle):
        centre = builder("pad")(centre, [[1, 1], [1, 1]], constant_values=kernel[middle + i, middle + i])
    return centre


_KNOWN = {kind.__name__: kind for kind in (Constraint, MaxNorm, NonNeg, RadialConstraint, UnitNorm, MinMaxNorm)}
_KNOWN |= {"max_norm": MaxNorm, "non_neg": NonNeg, "unit_norm": UnitNorm, "min_max_norm": MinMaxNorm}
_KNOWN |= {"nonneg": NonNeg, "unitnorm": UnitNorm, "radial_constraint": RadialConstraint}


@public("keras.constraints.serialize")
def serialize(constraint: Any) -> Any:
    """The name and configuration of a constraint, the name alone of a function."""
    return serialized(constraint)


@public("keras.constraints.deserialize")
def deserialize(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """The constraint that `serialize` described.

    Raises:
      ValueError: a configuration of another form, or an unknown name.
    """
    return restored(config, _KNOWN, "constraint", custom_objects)


@public("keras.constraints.get")
def get(identifier: Any) -> Any:
    """The constraint that `identifier` stands for: None, a name, a configuration, or a callable as it is.

    Raises:
      ValueError: it stands for none.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, (str, Mapping)):
        return deserialize(identifier)
    raise ValueError(f"Could not interpret constraint identifier: {identifier}")

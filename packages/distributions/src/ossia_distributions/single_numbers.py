"""What distributions of single numbers have in common."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.primitives.identity import identity
from ossia_distributions.checks import checked
from ossia_distributions.distribution import Distribution
from ossia_distributions.reparameterization import FULLY_REPARAMETERIZED
from ossia_ops.array.shape import shape
from ossia_ops.math.broadcast import broadcast_dynamic_shape, broadcast_static_shape


class NumberDistribution(Distribution):
    """A distribution whose values are single numbers, in a batch of the shape to which its parameters broadcast.

    Attributes:
      parameter_names: the arguments that draws of a given shape ask for.
      batch_names: the parameters whose shapes make the batch; the same, if there are none.
    """

    parameter_names: ClassVar[tuple[str, ...]]
    batch_names: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def _param_shapes(cls, sample_shape: Any) -> dict[str, Tensor]:
        sizes = convert_to_tensor(sample_shape, dtypes.int32)
        return dict.fromkeys(cls.parameter_names, sizes)

    def _batch_parts(self) -> list[Tensor]:
        return [getattr(self, name) for name in self.batch_names or self.parameter_names]

    def _batch_shape_tensor(self) -> Tensor:
        *others, last = map(shape, self._batch_parts())
        return functools.reduce(lambda sizes, part: broadcast_dynamic_shape(part, sizes), reversed(others), last)

    def _batch_shape(self) -> TensorShape:
        return functools.reduce(broadcast_static_shape, (part.get_shape() for part in self._batch_parts()))

    def _event_shape_tensor(self) -> Tensor:
        return convert_to_tensor([], dtypes.int32)

    def _event_shape(self) -> TensorShape:
        return TensorShape([])


class LocatedDistribution(NumberDistribution):
    """A distribution that is a standard one, scaled and moved.

    Args:
      loc: where the standard one's 0 comes to lie.
      scale: by how much it is stretched.
      validate_args: whether runs check that `scale` is positive.
      allow_nan_stats: whether statistics that are not defined are NaN.
      parameters: the arguments of the constructor.
      name: scope of its tensors.
    """

    parameter_names = ("loc", "scale")

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool, allow_nan_stats: bool, parameters: dict[str, Any], name: str
    ) -> None:
        with name_scope(name, values=[loc, scale]) as name:
            with control_dependencies([checked("assert_positive", scale)] if validate_args else []):
                self._loc = identity(loc, name="loc")
                self._scale = identity(scale, name="scale")
                checked("debugging.assert_same_float_dtype", [self._loc, self._scale])
        super().__init__(
            dtype=self._scale.dtype,
            reparameterization_type=FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._loc, self._scale],
            name=name,
        )

    @property
    def loc(self) -> Tensor:
        """The locations."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The scales."""
        return self._scale

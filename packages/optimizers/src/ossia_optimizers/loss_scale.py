"""Loss scales: factors that keep small gradients from vanishing in float16, fixed or adapted to the gradients seen."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_core.primitives.source import no_op
from ossia_core.variables.variable import VariableV1
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.comparison import is_finite
from ossia_ops.math.reduction import reduce_all


@public("train.experimental.LossScale", "compat.v2.train.experimental.LossScale")
class LossScale(abc.ABC):
    """Base class of loss scales.

    Example:
      class Halving(tf.train.experimental.LossScale):
          def __init__(self):
              super().__init__()
              self._scale = self._add_weight("scale", 1024.0, tf.float32)

          def __call__(self):
              return tf.convert_to_tensor(self._scale)

          def update(self, grads):
              return self._scale.assign(self._scale / 2).op, True

          def get_config(self):
              return {}
    """

    def __init__(self) -> None:
        self._weights: dict[Any, Any] = {}

    @abc.abstractmethod
    def __call__(self) -> Any:
        """The scale as a scalar float32 tensor."""

    @abc.abstractmethod
    def update(self, grads: Sequence[Any]) -> tuple[Any, Any]:
        """Adapt the scale to gradients (unscaled, None where there is none).

        Returns:
          The operation that does it, and whether the gradients should be applied: a bool or a boolean tensor.
        """

    @abc.abstractmethod
    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal scale."""

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LossScale:
        """The scale of a `get_config()`."""
        return cls(**config)

    @property
    def _checkpoint_dependencies(self) -> list[tuple[str, Any]]:
        """The variables by name, for object-based checkpoints."""
        graph = get_default_graph()
        return sorted((name, variable) for (name, own), variable in self._weights.items() if own is graph)

    def _add_weight(self, name: str, initial_value: Any, dtype: Any = None) -> Any:
        """A variable that the scale is kept in, which is not trained."""
        graph = get_default_graph()
        if (name, graph) in self._weights:
            raise RuntimeError(f"Duplicate variables detected. {name}")
        variable = VariableV1(initial_value, name=name, dtype=dtype, trainable=False, use_resource=True)
        self._weights[name, graph] = variable
        return variable


@public("train.experimental.FixedLossScale", "compat.v2.train.experimental.FixedLossScale")
class FixedLossScale(LossScale):
    """A loss scale that stays as it is.

    Args:
      loss_scale_value: the scale, a Python number not below 1.

    Raises:
      ValueError: it is no number, or below 1.
    """

    def __init__(self, loss_scale_value: float) -> None:
        super().__init__()
        if not isinstance(loss_scale_value, (int, float)):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._loss_scale_value = float(loss_scale_value)

    def __call__(self) -> Any:
        return convert_to_tensor(self._loss_scale_value)

    def update(self, grads: Sequence[Any]) -> tuple[Any, Any]:
        """Nothing changes; gradients are always applied."""
        return no_op(), True

    def __repr__(self) -> str:
        return f"FixedLossScale({self._loss_scale_value})"

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {"loss_scale_value": self._loss_scale_value}


@public("train.experimental.DynamicLossScale", "compat.v2.train.experimental.DynamicLossScale")
class DynamicLossScale(LossScale):
    """A loss scale that grows while gradients are finite, and falls when they are not, in which case they are not
    applied.

    Args:
      initial_loss_scale: where it starts.
      increment_period: number of steps with finite gradients after which it grows.
      multiplier: factor by which it grows or falls; it does not fall below 1.
    """

    def __init__(
        self, initial_loss_scale: float = 2**15, increment_period: int = 2000, multiplier: float = 2.0
    ) -> None:
        super().__init__()
        self._initial_loss_scale = float(initial_loss_scale)
        self._increment_period, self._multiplier = int(increment_period), float(multiplier)
        self._current_loss_scale = self._add_weight("current_loss_scale", self._initial_loss_scale, dtypes.float32)
        self._num_good_steps = self._add_weight("good_steps", 0, dtypes.int64)

    @property
    def initial_loss_scale(self) -> float:
        """Where the scale starts."""
        return self._initial_loss_scale

    @property
    def increment_period(self) -> int:
        """Number of good steps after which it grows."""
        return self._increment_period

    @property
    def multiplier(self) -> float:
        """Factor by which it grows or falls."""
        return self._multiplier

    def __call__(self) -> Any:
        return convert_to_tensor(self._current_loss_scale)

    def update(self, grads: Sequence[Any]) -> tuple[Any, Any]:
        """The operation that adapts the scale, and whether all gradients are finite."""
        finite = reduce_all([reduce_all(is_finite(g)) for g in grads if g is not None])
        return cond(finite, self._after_good_step, self._after_bad_step), finite

    def _after_good_step(self) -> Any:
        scale, steps = self._current_loss_scale, self._num_good_steps

        def grow() -> Any:
            grown = scale * self._multiplier
            assigned = cond(is_finite(grown), lambda: scale.assign(grown).op, no_op)
            return group(assigned, steps.assign(0))

        return cond(steps + 1 >= self._increment_period, grow, lambda: steps.assign_add(1).op)

    def _after_bad_step(self) -> Any:
        reduced = maximum(self._current_loss_scale / self._multiplier, 1)
        return group(self._num_good_steps.assign(0), self._current_loss_scale.assign(reduced))

    def __repr__(self) -> str:
        return (
            f"DynamicLossScale(initial_loss_scale={self._initial_loss_scale}, "
            f"increment_period={self._increment_period}, multiplier={self._multiplier})"
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {
            "initial_loss_scale": self._initial_loss_scale,
            "increment_period": self._increment_period,
            "multiplier": self._multiplier,
        }


def as_loss_scale(value: Any) -> LossScale | None:
    """The loss scale that a number, "dynamic", a LossScale or None stands for.

    Raises:
      ValueError: anything else.
    """
    if isinstance(value, (int, float)):
        return FixedLossScale(value)
    if value == "dynamic":
        return DynamicLossScale()
    if value is None or isinstance(value, LossScale):
        return value
    raise ValueError(f"Could not interpret loss scale identifier: {value}")

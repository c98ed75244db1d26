"""FTRL-proximal (McMahan et al. 2013): follow the regularised leader, with l1 for sparse weights, l2, and shrinkage."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import colocate_with
from ossia_core.plugins.api_table import provides
from ossia_ops.math.cast import cast
from ossia_optimizers.formula import GRADIENT, FormulaOptimizer
from ossia_optimizers.passes import kept, notable
from ossia_optimizers.updates import Updates, update_ops

_RANGES = {
    "lr": "positive",
    "l1": "non-negative",
    "l2": "non-negative",
    "l2_shrinkage": "non-negative",
    "lr_power": "non-positive",
}


def _follow(var, accum, linear, grad, square, lr, l1, l2, lr_power, keep_nan=False):
    """`grad` is added to `linear`, `square` to `accum`; then the weights that the two call for.

    What is not a number where a weight does not move, because `linear` or the divisor is none or the divisor is zero,
    becomes zero or, if `keep_nan`, stays.
    """
    before = _root(accum, lr_power)
    accum += square
    after = _root(accum, lr_power)
    linear += grad - (after - before) / lr * var
    quadratic = after / lr
    if l2:
        quadratic = quadratic + 2 * l2
    # Where a weight moves, at `linear` beyond l1, the nearer of the two is l1 with the sign of `linear`.
    pull = linear.clip(-l1, l1) - linear
    var[...] = _moved(pull, quadratic, linear, l1, keep_nan)


@notable
def _moved(pull, quadratic, linear, l1, keep_nan, out):
    """`pull / quadratic` where `linear` lies beyond l1, zero elsewhere."""
    np.divide(pull, quadratic, out=out)
    if not keep_nan and out.size and np.isnan(out.max()):  # else it is zero elsewhere, since `pull` is
        np.copyto(out, kept(out, np.abs(linear) > l1))


def _root(accum, lr_power):
    return np.sqrt(accum) if lr_power == -0.5 else np.power(accum, -lr_power)


def _rows(var, accum, linear, grad, lr, l1, l2, lr_power):
    _follow(var, accum, linear, grad, np.square(grad), lr, l1, l2, lr_power, keep_nan=True)


@update_ops("Ftrl", "grad lr l1 l2 lr_power", rows=_rows, ranges=_RANGES, whole_rows=True)
def updates(var, accum, linear, grad, lr, l1, l2, lr_power):
    """A step of follow the regularized leader."""
    _follow(var, accum, linear, grad, np.square(grad), lr, l1, l2, lr_power)


updates.samples(lr=0.1, l1=0.5, l2=0.2, lr_power=-0.5)


def _shrinking_rows(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power):
    _follow(var, accum, linear, grad + 2 * l2_shrinkage * var, np.square(grad), lr, l1, l2, lr_power, keep_nan=True)


@update_ops("FtrlV2", "grad lr l1 l2 l2_shrinkage lr_power", rows=_shrinking_rows, ranges=_RANGES, whole_rows=True)
def shrinking_updates(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power):
    """A step of follow the regularized leader with L2 shrinkage added to the gradient."""
    _follow(var, accum, linear, grad + 2 * l2_shrinkage * var, np.square(grad), lr, l1, l2, lr_power)


shrinking_updates.samples(lr=0.1, l1=0.5, l2=0.2, l2_shrinkage=0.3, lr_power=-0.7)


@provides("ossia_optimizers", "FtrlOptimizer")
class FtrlOptimizer(FormulaOptimizer):
    """FTRL-proximal.

    Args:
      learning_rate: a number, tensor, or function that returns one.
      learning_rate_power: how the rate falls with the sum of squares, not above 0.
      initial_accumulator_value: where the sums of squares start, not below 0.
      l1_regularization_strength: a number not below 0.
      l2_regularization_strength: a number not below 0.
      use_locking: whether updates hold locks.
      name: name of the optimizer.
      accum_name: name of the sums' slots, by default the optimizer's.
      linear_name: name of the linear terms' slots, by default the optimizer's.
      l2_shrinkage_regularization_strength: a number not below 0; it shrinks weights only where there is a gradient.
      beta: added to the root of the sums of squares, as published; None leaves it out.

    Raises:
      ValueError: a number is out of its range.
    """

    _state = ("accum", "linear")

    def __init__(
        self,
        learning_rate: Any,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float | None = None,
    ) -> None:
        super().__init__(use_locking, name)
        if learning_rate_power > 0.0:
            raise ValueError(f"learning_rate_power {learning_rate_power:f} needs to be negative or zero")
        for title, value in (
            ("initial_accumulator_value", initial_accumulator_value),
            ("l1_regularization_strength", l1_regularization_strength),
            ("l2_regularization_strength", l2_regularization_strength),
            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength),
        ):
            if value < 0.0:
                raise ValueError(f"{title} {value:f} needs to be positive or zero")
        self._learning_rate, self._learning_rate_power = learning_rate, learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength, self._l2_regularization_strength = (
            l1_regularization_strength,
            l2_regularization_strength,
        )
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._beta = beta
        self._accum_name, self._linear_name = accum_name, linear_name

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            with colocate_with(var):
                start = constant(self._initial_accumulator_value, dtype=var.dtype.base_dtype, shape=var.shape)
            self._get_or_make_slot(var, start, "accum", self._accum_name or self._name)
            self._zeros_slot(var, "linear", self._linear_name or self._name)

    def _prepare(self) -> None:
        def tensor(name: str) -> Any:
            return convert_to_tensor(self._call_if_callable(getattr(self, "_" + name)), name=name)

        self._learning_rate_tensor = tensor("learning_rate")
        self._l1_regularization_strength_tensor, self._l2_regularization_strength_tensor = (
            tensor("l1_regularization_strength"),
            tensor("l2_regularization_strength"),
        )
        if self._beta:
            self._l2_regularization_strength_tensor = self._l2_regularization_strength_tensor + self._beta / (
                2.0 * self._learning_rate_tensor
            )
        self._l2_shrinkage_regularization_strength_tensor = tensor("l2_shrinkage_regularization_strength")
        self._learning_rate_power_tensor = tensor("learning_rate_power")

    def _ops(self) -> Updates:
        return shrinking_updates if self._l2_shrinkage_regularization_strength > 0.0 else updates

    def _inputs(self, dtype: Any, form: str) -> list[Any]:
        shrinkage = (
            [self._l2_shrinkage_regularization_strength_tensor]
            if self._l2_shrinkage_regularization_strength > 0.0
            else []
        )
        values = [
            self._learning_rate_tensor,
            self._l1_regularization_strength_tensor,
            self._l2_regularization_strength_tensor,
            *shrinkage,
            self._learning_rate_power_tensor,
        ]
        return [GRADIENT, *[cast(value, dtype) for value in values]]

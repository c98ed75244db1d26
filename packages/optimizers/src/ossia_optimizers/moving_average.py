"""Exponential moving averages: `average -= (1 - decay) * (average - value)`, as shadows of variables or of tensors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import colocate_with, init_scope, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_core.variables.assignment import assign, assign_sub
from ossia_core.variables.listing import global_variables, moving_average_variables, trainable_variables
from ossia_core.variables.scope import get_variable, get_variable_scope
from ossia_core.variables.variable import Variable
from ossia_core.variables.variable_scope import variable_scope
from ossia_ops.math.arithmetic import minimum, pow
from ossia_ops.math.cast import cast
from ossia_ops.math.division import div as old_div
from ossia_ops.math.division import truediv as divide_as_floats
from ossia_optimizers import slots

_AVERAGED = (dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64)


def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """Move a variable towards `value` by `1 - decay`.

    Args:
      variable: the average.
      value: a tensor of its shape.
      decay: a number or scalar tensor, near 1.
      zero_debias: whether to correct for an average that starts at zero.
      name: name of the operation.

    Returns:
      What `assign` returns.
    """
    with name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        share = convert_to_tensor(1.0 - decay, name="decay")
        if share.dtype != variable.dtype.base_dtype:
            share = cast(share, variable.dtype.base_dtype)
        if zero_debias:
            return _assign_debiased(variable, value, share, scope)
        return assign_sub(variable, (variable - value) * share, name=scope)


def weighted_moving_average(
    value: Any, decay: Any, weight: Any, truediv: bool = True, collections: Any = None, name: str | None = None
) -> Tensor:
    """The moving average of `value`, in which every value counts by its weight.

    Args:
      value: a tensor of a known shape.
      decay: a number or scalar tensor, near 1.
      weight: how much the value counts, a tensor that broadcasts to it.
      truediv: whether integers are divided as floats.
      collections: where the two variables go: the averages of the product of value and weight, and of the weight.
      name: name of the variable scope.

    Returns:
      The quotient of the two averages.
    """
    collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections
    with variable_scope(name, "WeightedMovingAvg", [value, weight, decay]) as scope:
        products, weights = (
            get_variable(name, shape=like.shape, dtype=like.dtype, initializer=slots.all_zeros, trainable=False,
                         collections=collections)
            for name, like in (("value_x_weight", value), ("weight", weight))
        )
        above = assign_moving_average(products, value * weight, decay, zero_debias=False)
        below = assign_moving_average(weights, weight, decay, zero_debias=False)
        return divide_as_floats(above, below, name=scope.name) if truediv else old_div(above, below, name=scope.name)


def _assign_debiased(variable: Any, value: Any, share: Any, name: str) -> Any:
    """Keep the plain average aside, and divide it by the share of it that is no initial zero."""
    with variable_scope(variable.op.name, values=[variable, value, share]), colocate_with(variable):
        biased = get_variable(
            _unused("biased"), shape=variable.shape, dtype=variable.dtype, initializer=slots.all_zeros, trainable=False
        )
        steps = get_variable(
            _unused("local_step"), shape=[], dtype=variable.dtype, initializer=slots.all_zeros, trainable=False
        )
    moved = assign_sub(biased, (biased - value) * share)
    counted = steps.assign_add(1)
    factor = 1 - pow(1.0 - share, counted)
    return assign(variable, moved / factor, name=name)


def _unused(name: str) -> str:
    """`name`, with a number if the variable scope has a variable of that name."""
    scope = get_variable_scope()
    if scope.reuse:
        return name
    taken = {variable.op.name for variable in scope.global_variables()}
    full, number = f"{scope.name}/{name}", 0
    while (f"{full}_{number}" if number else full) in taken:
        number += 1
    return f"{name}_{number}" if number else name


@public("train.ExponentialMovingAverage", "compat.v2.train.ExponentialMovingAverage")
class ExponentialMovingAverage:
    """Keeps moving averages of variables, as shadow variables, or of tensors.

    Args:
      decay: a number or scalar tensor, near 1.
      num_updates: number of updates so far; the decay is then at most `(1 + num_updates) / (10 + num_updates)`.
      zero_debias: whether averages of tensors are corrected for starting at zero.
      name: suffix of the shadow variables' names.

    Example:
      ema = tf.train.ExponentialMovingAverage(0.999)
      with tf.control_dependencies([train_op]):
          train_op = ema.apply(tf.trainable_variables())
    """

    def __init__(
        self, decay: Any, num_updates: Any = None, zero_debias: bool = False, name: str = "ExponentialMovingAverage"
    ) -> None:
        self._decay, self._num_updates, self._zero_debias, self._name = decay, num_updates, zero_debias, name
        self._averages: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        """Suffix of the shadow variables' names."""
        return self._name

    def apply(self, var_list: Iterable[Any] | None = None) -> Any:
        """An operation that updates the averages, which are made at the first call.

        Args:
          var_list: variables or tensors of floats; the trainable variables if None.

        Raises:
          TypeError: an item holds no floats.
        """
        if var_list is None:
            var_list = trainable_variables()
        var_list = list(var_list)
        debiased = set()
        for var in var_list:
            if var.dtype.base_dtype not in _AVERAGED:
                raise TypeError(f"The variables must be half, float, or double: {var.name}")
            if var in self._averages:
                continue
            with init_scope():
                if isinstance(var, Variable):
                    average = slots.create_slot(var, var.initialized_value(), self.name)
                    get_default_graph().add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
                else:
                    is_variable = var.op.type in ("Variable", "VariableV2", "VarHandleOp")
                    average = slots.create_zeros_slot(var, self.name, colocate_with_primary=is_variable)
                    if self._zero_debias:
                        debiased.add(average)
            self._averages[var] = average
        with name_scope(self.name) as scope:
            decay = convert_to_tensor(self._decay, name="decay")
            if self._num_updates is not None:
                count = cast(self._num_updates, dtypes.float32, name="num_updates")
                decay = minimum(decay, (1.0 + count) / (10.0 + count))
            updates = [
                assign_moving_average(self._averages[var], var, decay, zero_debias=self._averages[var] in debiased)
                for var in var_list
            ]
            return group(*updates, name=scope)

    def average(self, var: Any) -> Any:
        """The variable with the average of `var`; None if there is none.

        Raises:
          AttributeError: `var` is no tensor and no variable.
        """
        return self._averages.get(var.experimental_ref().deref())

    def average_name(self, var: Any) -> str:
        """Name of the variable with the average of `var`, also before `apply` has made it."""
        if var in self._averages:
            return self._averages[var].op.name
        return get_default_graph().unique_name(f"{var.op.name}/{self.name}", mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables: Iterable[Any] | None = None) -> dict[str, Any]:
        """Names to restore from -> variables, so that a Saver gives variables the values of their averages.

        Args:
          moving_avg_variables: the variables that have averages; the trainable and averaged ones if None.
        """
        if moving_avg_variables is None:
            moving_avg_variables = trainable_variables() + moving_average_variables()
        averaged = list(dict.fromkeys(moving_avg_variables))
        found = {self.average_name(v): v for v in averaged}
        names = {v.name for v in averaged}
        for v in global_variables():
            if v.name not in names and v.op.name not in found:
                found[v.op.name] = v
        return found

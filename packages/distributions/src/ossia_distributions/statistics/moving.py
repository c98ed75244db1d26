"""Moving means and variances."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import colocate_with, control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.variables.assignment import assign_add, assign_sub
from ossia_core.variables.scope import get_variable
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.initializers import Zeros
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like
from ossia_ops.math.elementwise import square
from ossia_ops.math.exponential import log, log1p
from ossia_ops.math.statistics import reduce_logsumexp


@public("contrib.distributions.assign_moving_mean_variance")
def assign_moving_mean_variance(
    mean_var: Any, variance_var: Any, value: Any, decay: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Updates variables with an exponentially weighted mean and variance (Finch, 2009).

    Args:
      mean_var: the variable of the mean.
      variance_var: the variable of the variance.
      value: the new value, of their shape.
      decay: the weight of what was before, a number near 1.
      name: scope of the updates.

    Returns:
      Mean and variance after the update.

    Raises:
      TypeError: the variables or the value differ in dtype, or are no floats.
    """
    with name_scope(name, "assign_moving_mean_variance", [variance_var, mean_var, value, decay]):
        with colocate_with(variance_var), colocate_with(mean_var):
            base_dtype = mean_var.dtype.base_dtype
            if not base_dtype.is_floating:
                raise TypeError(f"mean_var.base_dtype({base_dtype.name}) does not have float type `dtype`.")
            if base_dtype != variance_var.dtype.base_dtype:
                raise TypeError(
                    f"mean_var.base_dtype({base_dtype.name}) != "
                    f"variance_var.base_dtype({variance_var.dtype.base_dtype.name})"
                )
            value = convert_to_tensor(value, dtype=base_dtype, name="value")
            delta = value - mean_var
            with control_dependencies([delta]):
                mean_var = assign_add(mean_var, (1.0 - decay) * delta)
            with control_dependencies([mean_var]):
                variance_var = assign_sub(
                    variance_var, (1.0 - decay) * (variance_var - decay * square(delta))
                )
            return mean_var, variance_var


@public("contrib.distributions.assign_log_moving_mean_exp")
def assign_log_moving_mean_exp(log_mean_exp_var: Any, log_value: Any, decay: Any, name: str | None = None) -> Tensor:
    """Updates a variable with the logarithm of an exponentially weighted mean of exponentials.

    Args:
      log_mean_exp_var: the variable.
      log_value: the logarithm of the new value, of its shape.
      decay: the weight of what was before, a number near 1.
      name: scope of the update.

    Returns:
      The variable after the update.
    """
    with name_scope(name, "assign_log_moving_mean_exp", [log_mean_exp_var, log_value, decay]):
        with colocate_with(log_mean_exp_var):
            base_dtype = log_mean_exp_var.dtype.base_dtype
            if not base_dtype.is_floating:
                raise TypeError(f"log_mean_exp_var.base_dtype({base_dtype.name}) does not have float type `dtype`.")
            log_value = convert_to_tensor(log_value, dtype=base_dtype, name="log_value")
            decay = convert_to_tensor(decay, dtype=base_dtype, name="decay")
            delta = (log_value - log_mean_exp_var)[None, ...]
            x = concat(
                [
                    log(decay) * ones_like(delta),
                    delta + log1p(-decay),
                ],
                axis=0,
            )
            return assign_add(log_mean_exp_var, reduce_logsumexp(x, axis=0))


@public("contrib.distributions.moving_mean_variance")
def moving_mean_variance(
    value: Any, decay: Any, collections: list[str] | None = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Makes variables of an exponentially weighted mean and variance, and updates them.

    Args:
      value: the new value.
      decay: the weight of what was before, a number near 1.
      collections: where the variables are listed; global variables if None.
      name: scope of the variables.

    Returns:
      Mean and variance after the update.
    """
    if collections is None:
        collections = [GraphKeys.GLOBAL_VARIABLES]
    with variable_scope(name, "moving_mean_variance", [value, decay]):
        value = convert_to_tensor(value, name="value")
        base_dtype = value.dtype.base_dtype
        if not base_dtype.is_floating:
            raise TypeError(f"value.base_dtype({base_dtype.name}) does not have float type `dtype`.")
        decay = convert_to_tensor(decay, dtype=base_dtype, name="decay")
        variance_var = get_variable(
            "moving_variance",
            shape=value.shape,
            dtype=value.dtype,
            initializer=Zeros(),
            trainable=False,
            collections=collections,
        )
        mean_var = get_variable(
            "moving_mean",
            shape=value.shape,
            dtype=value.dtype,
            initializer=Zeros(),
            trainable=False,
            collections=collections,
        )
        return assign_moving_mean_variance(mean_var, variance_var, value, decay)

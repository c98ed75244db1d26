"""Affine coupling layers (Dinh, Sohl-Dickstein and Bengio, "Density estimation using Real NVP", 2017)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions.bijectors.bijector import Bijector
from ossia_modules.template import make_template
from ossia_nn.layers.dense import dense
from ossia_ops.array.concat import concat
from ossia_ops.array.split import split
from ossia_ops.math.exponential import exp
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.nn.activation import relu


@public("contrib.distributions.bijectors.RealNVP")
class RealNVP(Bijector):
    """Vectors of which some components stay, and the others are moved and scaled as those say.

    Args:
      num_masked: how many components, from the first on, stay.
      shift_and_log_scale_fn: from these, and the number of the others, to what is added and the logarithm of what is
        multiplied, either of which may be None.
      is_constant_jacobian: whether there is no scaling.
      validate_args: whether arguments are checked.
      name: scope of its methods; "real_nvp" if None.

    Raises:
      ValueError: `num_masked` is negative.
    """

    def __init__(
        self,
        num_masked: int,
        shift_and_log_scale_fn: Callable,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        name = name or "real_nvp"
        if num_masked <= 0:
            raise ValueError("num_masked must be a positive integer.")
        self._num_masked = num_masked
        # What a run finds when it first sees a vector.
        self._input_depth: Any = None
        self._shift_and_log_scale_fn = shift_and_log_scale_fn
        super().__init__(
            forward_min_event_ndims=1,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name,
        )

    def _remember_depth(self, x: Tensor) -> None:
        if self._input_depth is None:
            self._input_depth = x.shape.with_rank_at_least(1).as_list()[-1]
            if self._input_depth is None:
                raise NotImplementedError("Rightmost dimension must be known prior to graph execution.")
            if self._num_masked >= self._input_depth:
                raise ValueError("Number of masked units must be smaller than the event size.")

    def _parts(self, x: Tensor, kwargs: dict) -> tuple[Tensor, Tensor, Any, Any]:
        self._remember_depth(x)
        kept, rest = x[:, :self._num_masked], x[:, self._num_masked:]
        shift, log_scale = self._shift_and_log_scale_fn(kept, self._input_depth - self._num_masked, **kwargs)
        return kept, rest, shift, log_scale

    def _forward(self, x: Tensor, **condition_kwargs: Any) -> Tensor:
        kept, y, shift, log_scale = self._parts(x, condition_kwargs)
        if log_scale is not None:
            y *= exp(log_scale)
        if shift is not None:
            y += shift
        return concat([kept, y], axis=-1)

    def _inverse(self, y: Tensor, **condition_kwargs: Any) -> Tensor:
        kept, x, shift, log_scale = self._parts(y, condition_kwargs)
        if shift is not None:
            x -= shift
        if log_scale is not None:
            x *= exp(-log_scale)
        return concat([kept, x], axis=-1)

    def _inverse_log_det_jacobian(self, y: Tensor, **condition_kwargs: Any) -> Tensor:
        self._remember_depth(y)
        kept = y[:, :self._num_masked]
        _, log_scale = self._shift_and_log_scale_fn(kept, self._input_depth - self._num_masked, **condition_kwargs)
        if log_scale is None:
            return constant(0.0, dtype=y.dtype, name="ildj")
        return -reduce_sum(log_scale, axis=-1)

    def _forward_log_det_jacobian(self, x: Tensor, **condition_kwargs: Any) -> Tensor:
        self._remember_depth(x)
        kept = x[:, :self._num_masked]
        _, log_scale = self._shift_and_log_scale_fn(kept, self._input_depth - self._num_masked, **condition_kwargs)
        if log_scale is None:
            return constant(0.0, dtype=x.dtype, name="fldj")
        return reduce_sum(log_scale, axis=-1)


@public("contrib.distributions.bijectors.real_nvp_default_template")
def real_nvp_default_template(
    hidden_layers: Sequence[int],
    shift_only: bool = False,
    activation: Callable = relu,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Callable:
    """A network of dense layers that says how RealNVP moves and scales.

    Args:
      hidden_layers: sizes of the hidden layers.
      shift_only: whether nothing is scaled.
      activation: activation of the hidden layers.
      name: scope of the variables.
      *args: further arguments of `tf.layers.dense`.
      **kwargs: the same, by name.

    Returns:
      A template: from vectors, and the number of components, to what is added and the logarithm of what is multiplied.
    """
    with name_scope(name, "real_nvp_default_template"):

        def _fn(x: Tensor, output_units: int, **condition_kwargs: Any) -> tuple[Tensor, Tensor | None]:
            if condition_kwargs:
                raise NotImplementedError("Conditioning not implemented in the default template.")
            is_vector = x.shape.ndims == 1
            x = x[None, ...] if is_vector else x
            for units in hidden_layers:
                x = dense(x, units, *args, activation=activation, **kwargs)  # type: ignore[misc]
            count = (1 if shift_only else 2) * output_units
            x = dense(x, count, *args, activation=None, **kwargs)  # type: ignore[misc]
            if shift_only:
                return (x[0] if is_vector else x), None
            shift, log_scale = split(x, 2, axis=-1)
            return (shift[0], log_scale[0]) if is_vector else (shift, log_scale)

        return make_template("real_nvp_default_template", _fn)

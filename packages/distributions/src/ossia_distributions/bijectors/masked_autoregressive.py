"""Masked autoregressive flows (Papamakarios, Pavlakou and Murray, 2017), with networks as in Germain et al., 2015."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.control.while_loop import while_loop
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import stop_gradient
from ossia_distributions.bijectors.bijector import Bijector
from ossia_modules.template import make_template
from ossia_nn.initializers import GlorotNormal
from ossia_nn.layers.dense import Dense
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros_like
from ossia_ops.array.shape import reshape
from ossia_ops.array.shape import shape as shape_op
from ossia_ops.array.stacking import unstack
from ossia_ops.math.clip import clip_by_value
from ossia_ops.math.exponential import exp
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.nn.activation import relu


@public("contrib.distributions.bijectors.MaskedAutoregressiveFlow")
class MaskedAutoregressiveFlow(Bijector):
    """Vectors of which each component is moved and scaled as the image's components before it say.

    Args:
      shift_and_log_scale_fn: from images to what is added and the logarithm of what is multiplied, of which component
        `i` depends on components before `i` alone.
      is_constant_jacobian: whether there is no scaling.
      validate_args: whether runs check arguments.
      unroll_loop: whether `forward` builds its steps one by one and no loop.
      name: scope of its methods; "masked_autoregressive_flow" if None.
    """

    def __init__(
        self,
        shift_and_log_scale_fn: Callable,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        unroll_loop: bool = False,
        name: str | None = None,
    ) -> None:
        self._shift_and_log_scale_fn = shift_and_log_scale_fn
        self._unroll_loop = unroll_loop
        super().__init__(
            forward_min_event_ndims=1,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name or "masked_autoregressive_flow",
        )

    def _step(self, x: Tensor, y0: Tensor) -> Tensor:
        """The image that follows if `y0` is taken for it."""
        shift, log_scale = self._shift_and_log_scale_fn(y0)
        y = x
        if log_scale is not None:
            y *= exp(log_scale)
        if shift is not None:
            y += shift
        return y

    def _forward(self, x: Tensor) -> Tensor:
        if self._unroll_loop:
            event_size = x.shape.with_rank_at_least(1).as_list()[-1]
            if event_size is None:
                raise ValueError(
                    "The final dimension of `x` must be known at graph construction time if `unroll_loop=True`. "
                    f"`x.shape: {x.shape!r}`"
                )
            y = zeros_like(x, name="y0")
            for _ in range(event_size):
                y = self._step(x, y)
            return y
        event_size = shape_op(x)[-1]
        y0 = zeros_like(x, name="y0")
        # Variables of a template have to exist before the loop.
        self._shift_and_log_scale_fn(y0)

        def body(index: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
            y = self._step(x, y)
            return index + 1, y

        return while_loop(
            cond=lambda index, _: index < event_size,
            body=body,
            loop_vars=(0, y0),
            maximum_iterations=x.shape.as_list()[-1] if x.shape.ndims else None,
        )[1]

    def _inverse(self, y: Tensor) -> Tensor:
        x = y
        shift, log_scale = self._shift_and_log_scale_fn(y)
        if shift is not None:
            x -= shift
        if log_scale is not None:
            x *= exp(-log_scale)
        return x

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        _, log_scale = self._shift_and_log_scale_fn(y)
        if log_scale is None:
            return constant(0.0, dtype=y.dtype, name="ildj")
        return -reduce_sum(log_scale, axis=-1)


def _mask(num_blocks: int, n_in: int, n_out: int, exclusive: bool) -> np.ndarray:
    """Which inputs each output may see: those of the blocks up to its own, or before it if `exclusive`."""
    mask = np.zeros([n_out, n_in], dtype=np.float32)
    d_in, d_out = n_in // num_blocks, n_out // num_blocks
    column, row = 0, d_out if exclusive else 0
    for _ in range(num_blocks):
        mask[row:, column:column + d_in] = 1
        column += d_in
        row += d_out
    return mask


@public("contrib.distributions.bijectors.masked_dense")
def masked_dense(
    inputs: Any,
    units: int,
    num_blocks: int | None = None,
    exclusive: bool = False,
    kernel_initializer: Any = None,
    reuse: bool | None = None,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Tensor:
    """A dense layer whose outputs see only inputs of earlier blocks.

    Args:
      inputs: vectors of shape [..., n].
      units: the number of outputs.
      num_blocks: into how many blocks inputs and outputs are divided.
      exclusive: whether outputs do not see the inputs of their own block.
      kernel_initializer: initializer of the weights; Glorot's normal one if None.
      reuse: whether variables are reused.
      name: name of the layer.
      *args: further arguments of the layer.
      **kwargs: the same, by name.

    Raises:
      NotImplementedError: the number of inputs is not known before a run.
    """
    input_depth = inputs.shape.with_rank_at_least(1).as_list()[-1]
    if input_depth is None:
        raise NotImplementedError("Rightmost dimension must be known prior to graph execution.")
    mask = _mask(num_blocks or input_depth, input_depth, units, exclusive).T
    if kernel_initializer is None:
        kernel_initializer = GlorotNormal()

    def masked_initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return mask * kernel_initializer(shape, dtype, partition_info)

    with name_scope(name, "masked_dense", [inputs, units, num_blocks]):
        layer = Dense(  # type: ignore[misc]
            units,
            *args,
            kernel_initializer=masked_initializer,
            kernel_constraint=lambda x: mask * x,
            name=name,
            dtype=inputs.dtype.base_dtype,
            _scope=name,
            _reuse=reuse,
            **kwargs,
        )
        return layer.apply(inputs)


@public("contrib.distributions.bijectors.masked_autoregressive_default_template")
def masked_autoregressive_default_template(
    hidden_layers: Sequence[int],
    shift_only: bool = False,
    activation: Callable = relu,
    log_scale_min_clip: float = -5.0,
    log_scale_max_clip: float = 3.0,
    log_scale_clip_gradient: bool = False,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Callable:
    """A network of masked dense layers that says how MaskedAutoregressiveFlow moves and scales.

    Args:
      hidden_layers: sizes of the hidden layers.
      shift_only: whether nothing is scaled.
      activation: activation of the hidden layers.
      log_scale_min_clip: the least logarithm of a scale.
      log_scale_max_clip: the largest.
      log_scale_clip_gradient: whether gradients are zero where it was clipped.
      name: scope of the variables.
      *args: further arguments of `masked_dense`.
      **kwargs: the same, by name.

    Returns:
      A template: from vectors to what is added and the logarithm of what is multiplied.
    """
    name = name or "masked_autoregressive_default_template"
    with name_scope(name, values=[log_scale_min_clip, log_scale_max_clip]):

        def _fn(x: Tensor) -> tuple[Tensor, Tensor | None]:
            input_depth = x.shape.with_rank_at_least(1).as_list()[-1]
            if input_depth is None:
                raise NotImplementedError("Rightmost dimension must be known prior to graph execution.")
            input_shape = x.shape.as_list() if x.shape.is_fully_defined() else shape_op(x)
            if x.shape.ndims == 1:
                x = x[None, ...]
            for place, units in enumerate(hidden_layers):
                x = masked_dense(  # type: ignore[misc]
                    inputs=x,
                    units=units,
                    num_blocks=input_depth,
                    exclusive=place == 0,
                    *args,  # noqa: B026
                    activation=activation,
                    **kwargs,
                )
            x = masked_dense(  # type: ignore[misc]
                inputs=x,
                units=(1 if shift_only else 2) * input_depth,
                num_blocks=input_depth,
                *args,  # noqa: B026
                activation=None,
                **kwargs,
            )
            if shift_only:
                return reshape(x, shape=input_shape), None
            x = reshape(x, shape=concat([input_shape, [2]], axis=0))
            shift, log_scale = unstack(x, num=2, axis=-1)
            clip = clip_by_value if log_scale_clip_gradient else _clip_by_value_preserve_grad
            return shift, clip(log_scale, log_scale_min_clip, log_scale_max_clip)

        return make_template(name, _fn)


def _clip_by_value_preserve_grad(x: Tensor, clip_value_min: Any, clip_value_max: Any) -> Tensor:
    """The clipped value, with the gradient of what was clipped."""
    with name_scope(None, "clip_by_value_preserve_grad", [x, clip_value_min, clip_value_max]):
        return x + stop_gradient(clip_by_value(x, clip_value_min, clip_value_max) - x)

"""Bijectors of vectors: onto the simplex, and from ordered ones."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import int32
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_greater, assert_positive
from ossia_distributions.bijectors.bijector import Bijector
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.padding import pad
from ossia_ops.array.shape import rank as rank_op
from ossia_ops.array.shape import squeeze
from ossia_ops.math.cumulative import cumsum
from ossia_ops.math.exponential import exp, log
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.statistics import reduce_logsumexp
from ossia_ops.nn.activation import softplus
from ossia_ops.nn.softmax import softmax


@public("contrib.distributions.bijectors.SoftmaxCentered")
class SoftmaxCentered(Bijector):
    """The softmax of vectors with a zero at their end: `[..., k]` to `[..., k + 1]`.

    Args:
      validate_args: whether runs check shapes.
      name: scope of its methods.
    """

    def __init__(self, validate_args: bool = False, name: str = "softmax_centered") -> None:
        self._graph_parents = []
        self._name = name
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        if input_shape.ndims is None or input_shape[-1] is None:
            return input_shape
        return TensorShape([input_shape[-1] + 1])

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return (input_shape[-1] + 1)[..., None]

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        if output_shape.ndims is None or output_shape[-1] is None:
            return output_shape
        if output_shape[-1] <= 1:
            raise ValueError(f"output_shape[-1] = {output_shape[-1]} <= 1")
        return TensorShape([output_shape[-1] - 1])

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        if self.validate_args:
            several = assert_greater(output_shape[-1], 1, message="Need last dimension greater than 1.")
            output_shape = with_dependencies([several], output_shape)
        return (output_shape[-1] - 1)[..., None]

    def _forward(self, x: Tensor) -> Tensor:
        # A zero beside the vector's components.
        y = with_zero_beside(x)
        # The static shape, as far as it is known.
        if x.shape.ndims is not None:
            sizes = x.shape.as_list()
            sizes[-1] = None if sizes[-1] is None else sizes[-1] + 1
            y.set_shape(sizes)
        return softmax(y)

    def _inverse(self, y: Tensor) -> Tensor:
        # The last component is divided out.
        sizes = None if y.shape.ndims is None else y.shape.as_list()
        x = log(y)
        log_normalization = -x[..., -1:]
        x = x[..., :-1] + log_normalization
        if sizes is not None:
            sizes[-1] = None if sizes[-1] is None else sizes[-1] - 1
            x.set_shape(sizes)
        return x

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        # WLOG, let y_{n+1} = 1 - sum(y): the determinant of the first n rows is the product of all components.
        return -reduce_sum(log(y), axis=-1)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        normalization = softplus(reduce_logsumexp(x, axis=-1, keep_dims=True))
        fldj = squeeze(
            -normalization + reduce_sum(x - normalization, axis=-1, keep_dims=True), axis=-1
        )
        return fldj


def with_zero_beside(x: Tensor) -> Tensor:
    """`x` with a zero behind the components of its last axis."""
    rank = x.shape.ndims
    ndims: Any = rank_op(x) if rank is None else rank
    paddings = (
        [[0, 0]] * (rank - 1) + [[0, 1]]
        if rank is not None
        else concat([zeros([ndims - 1, 2], int32), [[0, 1]]], 0)
    )
    return pad(x, paddings=paddings)


@public("contrib.distributions.bijectors.Ordered")
class Ordered(Bijector):
    """Ordered vectors to free ones: the first component, then the logarithms of the steps.

    Args:
      validate_args: whether runs check that arguments grow along the last axis.
      name: scope of its methods.
    """

    def __init__(self, validate_args: bool = False, name: str = "ordered") -> None:
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        if input_shape.ndims is None or input_shape[-1] is None:
            return input_shape
        return TensorShape([input_shape[-1]])

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return input_shape[-1][..., None]

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return self._forward_event_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        if self.validate_args:
            several = assert_greater(output_shape[-1], 1, message="Need last dimension greater than 1.")
            output_shape = with_dependencies([several], output_shape)
        return output_shape[-1][..., None]

    def _forward(self, x: Tensor) -> Tensor:
        x = self._checked(x)
        first = x[..., 0, None]
        steps = log(x[..., 1:] - x[..., :-1])
        return concat([first, steps], axis=-1)

    def _inverse(self, y: Tensor) -> Tensor:
        first = y[..., 0, None]
        steps = exp(y[..., 1:])
        return cumsum(concat([first, steps], axis=-1), axis=-1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return reduce_sum(y[..., 1:], axis=-1)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        x = self._checked(x)
        return -reduce_sum(log(x[..., 1:] - x[..., :-1]), axis=-1)

    def _checked(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        grows = assert_positive(
            x[..., 1:] - x[..., :-1], message="Forward transformation input must be strictly increasing."
        )
        return with_dependencies([grows], x)

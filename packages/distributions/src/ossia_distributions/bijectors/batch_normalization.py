"""Batch normalization, backwards (Papamakarios, Pavlakou and Murray, 2017)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions.bijectors.bijector import Bijector
from ossia_nn.layers.batch_normalization import BatchNormalization as BatchNormalizationType
from ossia_ops.array.shape import reshape
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import sqrt
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.nn.activation import relu
from ossia_ops.nn.normalization import moments


@public("contrib.distributions.bijectors.BatchNormalization")
class BatchNormalization(Bijector):
    """The map that batch normalization undoes: `inverse` normalizes a batch, `forward` gives back its scale and mean.

    Args:
      batchnorm_layer: a `tf.layers.BatchNormalization`; one whose scales are positive if None.
      training: whether `inverse` takes the moments of the batch, and not the moving ones.
      validate_args: whether arguments are checked.
      name: scope of its methods.

    Raises:
      ValueError: `batchnorm_layer` is no such layer, or renormalizes or has virtual batches.
    """

    def __init__(
        self,
        batchnorm_layer: Any = None,
        training: bool = True,
        validate_args: bool = False,
        name: str = "batch_normalization",
    ) -> None:
        self.batchnorm = batchnorm_layer or BatchNormalizationType(
            gamma_constraint=lambda x: relu(x) + 1e-6
        )
        if not isinstance(self.batchnorm, BatchNormalizationType):
            raise ValueError(
                f"batchnorm_layer must be an instance of tf.layers.BatchNormalization. Got {type(self.batchnorm)}"
            )
        if self.batchnorm.renorm:
            raise ValueError("BatchNorm Bijector does not support renormalization.")
        if self.batchnorm.virtual_batch_size:
            raise ValueError("BatchNorm Bijector does not support virtual batch sizes.")
        self._training = training
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _of_statistics(self, what: Any, sizes: Tensor) -> Tensor:
        """A statistic along the normalized axes, in a shape that broadcasts with the batch."""
        ndims = sizes.shape.ndims
        axes = self.batchnorm.axis if isinstance(self.batchnorm.axis, (list, tuple)) else [self.batchnorm.axis]
        wanted = [1] * ndims
        for axis in axes:
            wanted[axis] = sizes.shape.as_list()[axis]
        return reshape(what, wanted)

    def _inverse(self, y: Tensor) -> Tensor:
        return self.batchnorm.apply(y, training=self._training)

    def _forward(self, x: Tensor) -> Tensor:
        if not self.batchnorm.built:
            self.batchnorm.build(x.shape)
        layer = self.batchnorm
        x = x if layer.beta is None else x - self._of_statistics(layer.beta, x)
        x = x if layer.gamma is None else x / self._of_statistics(layer.gamma, x)
        deviation = sqrt(self._of_statistics(layer.moving_variance, x) + layer.epsilon)
        return x * deviation + self._of_statistics(layer.moving_mean, x)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        if not y.shape.is_fully_defined():
            raise ValueError("Input must have shape known at graph construction.")
        layer = self.batchnorm
        if not layer.built:
            layer.build(y.shape)
        if self._training:
            axes = layer.axis if isinstance(layer.axis, (list, tuple)) else [layer.axis]
            kept = {axis % y.shape.ndims for axis in axes}
            others = [axis for axis in range(y.shape.ndims) if axis not in kept]
            _, variance = moments(y, axes=others, keep_dims=True)
        else:
            variance = layer.moving_variance
        log_scale = -0.5 * log(variance + layer.epsilon)
        if layer.gamma is not None:
            log_scale += log(layer.gamma)
        # A vector of scales stands for all positions of an event.
        positions = np.prod(y.shape.as_list()[1:], dtype=np.int64) // np.prod(variance.shape.as_list(), dtype=np.int64)
        return cast(positions, y.dtype) * reduce_sum(log_scale)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return -self._inverse_log_det_jacobian(x)

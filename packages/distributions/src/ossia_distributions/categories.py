"""What distributions over categories have in common: probabilities in two forms, or how concentrated they are."""

from __future__ import annotations

from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_distributions.distribution import Distribution
from ossia_ops.array.diagonal import matrix_set_diag
from ossia_ops.array.shape import shape
from ossia_ops.linalg.matmul import matmul


class ProbabilitiesDistribution(Distribution):
    """A distribution that is given by probabilities, or by their log odds or logarithms."""

    _logits: Tensor
    _probs: Tensor

    @property
    def logits(self) -> Tensor:
        """The log odds, or the unnormalized logarithms of the probabilities."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probabilities."""
        return self._probs


class ConcentratedDistribution(Distribution):
    """A distribution whose values are vectors, with one parameter per component."""

    _concentration: Tensor
    _total_concentration: Tensor

    @property
    def concentration(self) -> Tensor:
        """The parameters, one per component."""
        return self._concentration

    @property
    def total_concentration(self) -> Tensor:
        """The sums of the parameters."""
        return self._total_concentration

    def _batch_shape_tensor(self) -> Tensor:
        return shape(self.total_concentration)

    def _batch_shape(self) -> TensorShape:
        return self.total_concentration.get_shape()

    def _event_shape_tensor(self) -> Tensor:
        return shape(self.concentration)[-1:]

    def _event_shape(self) -> TensorShape:
        return self.concentration.get_shape().with_rank_at_least(1)[-1:]

    def _covariance(self) -> Tensor:
        x = self._variance_scale_term() * self._mean()
        return matrix_set_diag(-matmul(x[..., None], x[..., None, :]), self._variance())

    def _variance_scale_term(self) -> Tensor:
        """By what the mean is multiplied in the covariances."""
        raise NotImplementedError(f"covariance is not implemented: {type(self).__name__}")

"""The categorical distribution over one-hot vectors."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import int32
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_near, assert_non_positive
from ossia_distributions.categories import ProbabilitiesDistribution
from ossia_distributions.checks import logits_and_probs
from ossia_distributions.distribution import given
from ossia_distributions.divergence import RegisterKL
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_set_diag
from ossia_ops.array.fill import ones_like, zeros
from ossia_ops.array.one_hot import one_hot
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.array.transposition import transpose
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.statistics import argmax, reduce_logsumexp
from ossia_ops.nn.cross_entropy import softmax_cross_entropy_with_logits
from ossia_ops.nn.softmax import log_softmax, softmax
from ossia_ops.random.choice import multinomial


class VectorOfProbabilities(ProbabilitiesDistribution):
    """A distribution over vectors with one component per category."""

    _batch_rank: Tensor
    _event_size: Tensor

    def _count_categories(self) -> None:
        known = self._logits.shape.with_rank_at_least(1)
        if known.ndims is not None:
            self._batch_rank = convert_to_tensor(known.ndims - 1, dtype=int32, name="batch_rank")
        else:
            with name_scope("batch_rank"):
                self._batch_rank = rank(self._logits) - 1
        with name_scope("event_size"):
            self._event_size = shape(self._logits)[-1]

    @property
    def event_size(self) -> Tensor:
        """The number of categories."""
        return self._event_size

    def _batch_shape_tensor(self) -> Tensor:
        return shape(self._logits)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self.logits.shape[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return shape(self.logits)[-1:]

    def _event_shape(self) -> TensorShape:
        return self.logits.shape.with_rank_at_least(1)[-1:]

    def _spread(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """`x` and the logits, of one shape."""
        logits = self.logits
        known = x.shape.is_fully_defined() and logits.shape.is_fully_defined()
        if not known or x.shape != logits.shape:
            logits = ones_like(x, dtype=logits.dtype) * logits
            x = ones_like(logits, dtype=x.dtype) * x
        return x, logits


@public("contrib.distributions.OneHotCategorical")
class OneHotCategorical(VectorOfProbabilities):
    """The categorical distribution over vectors with a 1 in one place.

    Args:
      logits: unnormalized logarithms of the probabilities, along the last axis; or
      probs: the probabilities.
      dtype: dtype of the values.
      validate_args: whether runs check that `probs` are probabilities.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.

    Raises:
      ValueError: both `logits` and `probs` are given, or neither.
    """

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "OneHotCategorical",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = logits_and_probs(
                logits, probs, multidimensional=True, validate_args=validate_args, name=name
            )
            self._count_categories()
        super().__init__(
            dtype=dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._logits, self._probs],
            name=name,
        )

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        sizes = concat([[n], shape(self.logits)], 0)
        logits = self.logits
        rows = logits if logits.shape.ndims == 2 else reshape(logits, [-1, self.event_size])
        draws = transpose(multinomial(rows, n, seed=seed))
        return reshape(one_hot(draws, self.event_size, dtype=self.dtype), sizes)

    def _log_prob(self, x: Tensor) -> Tensor:
        x, logits = self._spread(self._checked_value(x))
        sizes = shape(reduce_sum(logits, axis=-1))
        rows = reshape(logits, [-1, self.event_size])
        labels = reshape(x, [-1, self.event_size])
        lost = softmax_cross_entropy_with_logits(labels=labels, logits=rows)
        return reshape(-lost, sizes)

    def _entropy(self) -> Tensor:
        return -reduce_sum(log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Tensor:
        mode = one_hot(argmax(self.logits, axis=self._batch_rank), self.event_size, dtype=self.dtype)
        mode.set_shape(self.logits.shape)
        return mode

    def _covariance(self) -> Tensor:
        p = self.probs
        return matrix_set_diag(-matmul(p[..., None], p[..., None, :]), self._variance())

    def _variance(self) -> Tensor:
        return self.probs * (1.0 - self.probs)

    def _checked_value(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        asserted = [
            assert_non_positive(x),
            assert_near(zeros([], dtype=self.dtype), reduce_logsumexp(x, axis=[-1])),
        ]
        return with_dependencies(asserted, x)


@RegisterKL(OneHotCategorical, OneHotCategorical)
def _kl_categorical_categorical(
    a: OneHotCategorical, b: OneHotCategorical, name: str | None = None
) -> Tensor:
    with name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        probs = softmax(a.logits)
        return reduce_sum(probs * (log_softmax(a.logits) - log_softmax(b.logits)), axis=-1)

"""The multinomial distribution."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_distributions.categories import ProbabilitiesDistribution
from ossia_distributions.checks import checked, counts, logits_and_probs
from ossia_distributions.distribution import given
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_set_diag
from ossia_ops.array.fill import ones_like
from ossia_ops.array.one_hot import one_hot
from ossia_ops.array.shape import reshape, shape
from ossia_ops.array.transposition import transpose
from ossia_ops.control.functional import map_fn
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.cast import cast
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.special import lgamma
from ossia_ops.nn.softmax import log_softmax
from ossia_ops.random.choice import multinomial


def log_combinations(n: Any, counts: Any, name: str = "log_combinations") -> Tensor:
    """The logarithm of the number of ways to split `n` things into groups of sizes `counts`, along the last axis."""
    with name_scope(name, values=[n, counts]):
        n = convert_to_tensor(n, name="n")
        counts = convert_to_tensor(counts, name="counts")
        return lgamma(n + 1.0) - reduce_sum(lgamma(counts + 1.0), axis=[-1])


@public("distributions.Multinomial", "contrib.distributions.Multinomial")
class Multinomial(ProbabilitiesDistribution):
    """The multinomial distribution: how often each category comes in a number of draws.

    Args:
      total_count: numbers of draws, floats without a fraction.
      logits: unnormalized logarithms of the probabilities of categories, along the last axis; or
      probs: the probabilities.
      validate_args: whether runs check that counts are whole, not negative, and sum to `total_count`.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.

    Raises:
      ValueError: both `logits` and `probs` are given, or neither.
    """

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Multinomial",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = counts(self._total_count)
            self._logits, self._probs = logits_and_probs(
                logits, probs, multidimensional=True, validate_args=validate_args, name=name
            )
            self._mean_val = self._total_count[..., None] * self._probs
        super().__init__(
            dtype=self._probs.dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            name=name,
            graph_parents=[self._total_count, self._logits, self._probs],
        )

    @property
    def total_count(self) -> Tensor:
        """The numbers of draws."""
        return self._total_count

    def _batch_shape_tensor(self) -> Tensor:
        return shape(self._mean_val)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self._mean_val.get_shape().with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return shape(self._mean_val)[-1:]

    def _event_shape(self) -> TensorShape:
        return self._mean_val.get_shape().with_rank_at_least(1)[-1:]

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        draws = cast(self.total_count, dtypes.int32)
        categories = self.event_shape_tensor()[0]
        draws = ones_like(self.logits[..., 0], dtype=draws.dtype) * draws
        logits = ones_like(draws[..., None], dtype=self.logits.dtype) * self.logits

        def counts_of(row: tuple[Tensor, Tensor]) -> Tensor:
            found = multinomial(row[0][None, ...], row[1], seed=seed)
            found = reshape(found, [n, -1])
            return reduce_sum(one_hot(found, depth=categories), axis=-2)

        # One row of parameters after another: they differ in the number of draws.
        x = map_fn(counts_of, [reshape(logits, [-1, categories]), n * reshape(draws, [-1])], dtype=self.dtype)
        return reshape(transpose(x, [1, 0, 2]), concat([[n], self.batch_shape_tensor(), [categories]], 0))

    def _log_prob(self, counts: Tensor) -> Tensor:
        return self._log_unnormalized_prob(counts) - self._log_normalization(counts)

    def _log_unnormalized_prob(self, counts: Tensor) -> Tensor:
        return reduce_sum(self._checked_value(counts) * log_softmax(self.logits), -1)

    def _log_normalization(self, counts: Tensor) -> Tensor:
        return -log_combinations(self.total_count, self._checked_value(counts))

    def _mean(self) -> Tensor:
        return identity(self._mean_val)

    def _covariance(self) -> Tensor:
        p = self.probs * ones_like(self.total_count)[..., None]
        return matrix_set_diag(-matmul(self._mean_val[..., None], p[..., None, :]), self._variance())

    def _variance(self) -> Tensor:
        p = self.probs * ones_like(self.total_count)[..., None]
        return self._mean_val - self._mean_val * p

    def _checked_value(self, value: Tensor) -> Tensor:
        return (
            checked_counts(value, self.total_count, "counts must sum to `self.total_count`")
            if self.validate_args
            else value
        )


def checked_counts(value: Tensor, total_count: Tensor, message: str) -> Tensor:
    """`value`, which must hold counts that sum to `total_count` along the last axis, or runs fail with `message`."""
    value = counts(value)
    whole = checked("assert_equal", total_count, reduce_sum(value, -1), message=message)
    return with_dependencies([whole], value)

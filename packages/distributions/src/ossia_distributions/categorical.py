"""The categorical distribution."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_distributions.categories import ProbabilitiesDistribution
from ossia_distributions.checks import category_numbers, logits_and_probs
from ossia_distributions.distribution import given
from ossia_distributions.divergence import RegisterKL
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, ones_like, zeros_like
from ossia_ops.array.masking import sequence_mask
from ossia_ops.array.selection import where
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.array.transposition import transpose
from ossia_ops.math.cast import cast
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.statistics import argmax
from ossia_ops.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits
from ossia_ops.nn.softmax import log_softmax, softmax
from ossia_ops.random.choice import multinomial


@public("distributions.Categorical", "contrib.distributions.Categorical")
class Categorical(ProbabilitiesDistribution):
    """The categorical distribution over the numbers from 0 up to the number of categories.

    Args:
      logits: unnormalized logarithms of the probabilities, floats, along the last axis; or
      probs: the probabilities.
      dtype: dtype of the values.
      validate_args: whether runs check that `probs` are probabilities, and values categories.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
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
        name: str = "Categorical",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = logits_and_probs(
                logits, probs, multidimensional=True, validate_args=validate_args, name=name
            )
            known = self._logits.get_shape().with_rank_at_least(1)
            if known.ndims is not None:
                self._batch_rank = convert_to_tensor(known.ndims - 1, dtypes.int32, name="batch_rank")
            else:
                with name_scope("batch_rank"):
                    self._batch_rank = rank(self._logits) - 1
            logits_shape = shape(self._logits, name="logits_shape")
            categories = None if known.dims is None else known.dims[-1].value
            if categories is not None:
                self._event_size = convert_to_tensor(categories, dtypes.int32, name="event_size")
            else:
                with name_scope("event_size"):
                    self._event_size = logits_shape[self._batch_rank]
            if known[:-1].is_fully_defined():
                self._batch_shape_val = convert_to_tensor(known[:-1].as_list(), dtypes.int32, name="batch_shape")
            else:
                with name_scope("batch_shape"):
                    self._batch_shape_val = logits_shape[:-1]
        super().__init__(
            dtype=dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._logits, self._probs],
            name=name,
        )

    @property
    def event_size(self) -> Tensor:
        """The number of categories."""
        return self._event_size

    def _batch_shape_tensor(self) -> Tensor:
        return identity(self._batch_shape_val)

    def _batch_shape(self) -> TensorShape:
        return self.logits.get_shape()[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return convert_to_tensor([], dtypes.int32)

    def _event_shape(self) -> TensorShape:
        return TensorShape([])

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        rows = self.logits if self.logits.get_shape().ndims == 2 else reshape(self.logits, [-1, self.event_size])
        whole = dtypes.int64 if dtypes.as_dtype(self.dtype).size > 4 else dtypes.int32
        draws = transpose(multinomial(rows, n, seed=seed, output_dtype=whole))
        return cast(reshape(draws, concat([[n], self.batch_shape_tensor()], 0)), self.dtype)

    def _cdf(self, k: Tensor) -> Tensor:
        k = convert_to_tensor(k, name="k")
        if self.validate_args:
            k = category_numbers(k, None, dtypes.int32)
        k, probs = _spread(k, self.probs)
        rows = reshape(probs, [-1, self._event_size])
        below = sequence_mask(reshape(k, [-1]), self._event_size)
        shares = reduce_sum(where(below, rows, zeros_like(rows)), axis=-1)
        return reshape(shares, shape(k))

    def _log_prob(self, k: Tensor) -> Tensor:
        k = convert_to_tensor(k, name="k")
        if self.validate_args:
            k = category_numbers(k, None, dtypes.int32)
        k, logits = _spread(k, self.logits)
        return -sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _entropy(self) -> Tensor:
        return -reduce_sum(log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Tensor:
        likeliest = cast(argmax(self.logits, axis=self._batch_rank), self.dtype)
        likeliest.set_shape(self.batch_shape)
        return likeliest


def _spread(event: Tensor, params: Tensor) -> tuple[Tensor, Tensor]:
    """Categories and the rows that belong to them, of one batch shape."""
    rows, events = params.get_shape(), event.get_shape()
    agree = rows[:-1].is_fully_defined() and events.is_fully_defined() and rows[:-1] == events
    if not event.dtype.is_integer:
        event = cast(event, dtypes.int32)
    if not agree:
        params = params * ones_like(event[..., None], dtype=params.dtype)
        event = event * ones(shape(params)[:-1], dtype=event.dtype)
        if rows.ndims is not None:
            event.set_shape([None] * (params.get_shape().ndims - 1) if params.get_shape().ndims is not None else None)
    return event, params


@RegisterKL(Categorical, Categorical)
def _kl_categorical_categorical(a: Categorical, b: Categorical, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        lost = log_softmax(a.logits) - log_softmax(b.logits)
        return reduce_sum(softmax(a.logits) * lost, axis=-1)

"""What heads with one loss share."""
from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.primitives.identity import group
from ossia_estimator.heads.checks import check_loss_fn, check_reduction
from ossia_estimator.heads.keys import MetricKeys, named
from ossia_estimator.model_spec import EstimatorSpec
from ossia_estimator.modes import ModeKeys
from ossia_nn.losses import Reduction
from ossia_ops.array.fill import ones_like
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.sums import add_n
from ossia_ops.state.global_step import get_global_step
from ossia_summary.scalar import scalar


class LossSpec(NamedTuple):
    """What `create_loss` of a head returns; for several heads, all but the first by their names."""

    training_loss: Tensor
    unreduced_loss: Any
    weights: Any
    processed_labels: Any


class Head(abc.ABC):
    """What turns logits into an EstimatorSpec: predictions, a loss, metrics, a training operation, export outputs."""

    @property
    @abc.abstractmethod
    def name(self) -> str | None:
        """The name of the head, which becomes a part of the names of its metrics and summaries."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """The size of the last dimension of logits."""

    @abc.abstractmethod
    def create_loss(self, features: Mapping[str, Any], mode: str, logits: Tensor, labels: Any) -> LossSpec:
        """The loss of logits and labels.

        Args:
            features: Features by name; that of weights is one.
            mode: A mode of ModeKeys.
            logits: Logits of shape [D0, ..., DN, logits_dimension].
            labels: Labels, as the head takes them.
        """

    @abc.abstractmethod
    def create_estimator_spec(
        self, features: Mapping[str, Any], mode: str, logits: Tensor, labels: Any = None, optimizer: Any = None,
        train_op_fn: Callable[[Tensor], Any] | None = None, regularization_losses: Sequence[Tensor] | None = None,
    ) -> EstimatorSpec:
        """The EstimatorSpec of a model with this head.

        Args:
            features: Features by name.
            mode: A mode of ModeKeys.
            logits: Logits of shape [D0, ..., DN, logits_dimension].
            labels: Labels, needed to train and to evaluate.
            optimizer: What minimizes the loss.
            train_op_fn: Makes the training operation from the loss, instead of an optimizer.
            regularization_losses: Losses that are added for training.

        Raises:
            ValueError: Both or neither of `optimizer` and `train_op_fn` are given to train, or shapes do not fit.
        """


class SingleLossHead(Head):
    """A head with one loss, on weighted examples.

    Args:
        weight_column: Key or numeric column of weights.
        loss_reduction: How the losses of examples become one number.
        loss_fn: A loss to use instead of the head's own.
        name: The name of the head.
    """

    def __init__(
        self, weight_column: Any, loss_reduction: str, loss_fn: Callable | None, name: str | None
    ) -> None:
        check_reduction(loss_reduction)
        if loss_fn:
            check_loss_fn(loss_fn)
        self._weight_column = weight_column
        self._loss_reduction = loss_reduction
        self._loss_fn = loss_fn
        self._name = name

    @property
    def name(self) -> str | None:
        return self._name

    @abc.abstractmethod
    def _predictions(self, logits: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        """Checked logits, and predictions by name."""

    @abc.abstractmethod
    def _export_outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        """What an exported model returns, by the name of the signature."""

    @abc.abstractmethod
    def _metrics(
        self, labels: Any, spec: LossSpec, predictions: dict[str, Tensor], regularization_loss: Any
    ) -> dict[str, Any]:
        """Pairs of value and update by name; `labels` are as they were given."""

    def create_estimator_spec(
        self, features: Mapping[str, Any], mode: str, logits: Tensor, labels: Any = None, optimizer: Any = None,
        train_op_fn: Callable[[Tensor], Any] | None = None, regularization_losses: Sequence[Tensor] | None = None,
    ) -> EstimatorSpec:
        with name_scope(self._name, "head"):
            logits, predictions = self._predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions=predictions, export_outputs=self._export_outputs(predictions))
            spec = self.create_loss(features=features, mode=mode, logits=logits, labels=labels)
            regularization_loss = add_n(list(regularization_losses)) if regularization_losses else None
            loss = spec.training_loss
            if regularization_loss is not None:
                loss = add_n([loss, regularization_loss])
            if mode == ModeKeys.TRAIN:
                train_op = training_operation(loss, optimizer, train_op_fn)
                mean_loss = None
                if self._loss_reduction == Reduction.SUM:
                    mean_loss = spec.training_loss / reduce_sum(spec.weights * ones_like(spec.unreduced_loss))
        if mode == ModeKeys.EVAL:
            metrics = self._metrics(labels, spec, predictions, regularization_loss)
            return EstimatorSpec(mode, predictions=predictions, loss=loss, eval_metric_ops=metrics)
        with name_scope(""):
            for key, value in (
                (MetricKeys.LOSS, loss), (MetricKeys.LOSS_MEAN, mean_loss),
                (MetricKeys.LOSS_REGULARIZATION, regularization_loss),
            ):
                if value is not None:
                    scalar(named(self._name, key), value)
        return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=train_op)


def training_operation(loss: Tensor, optimizer: Any, train_op_fn: Callable[[Tensor], Any] | None) -> Any:
    """What makes a step, with the updates that the graph has collected.

    Raises:
        ValueError: Both ways to make it are given, or neither.
    """
    if optimizer is not None:
        if train_op_fn is not None:
            raise ValueError("train_op_fn and optimizer cannot both be set.")
        train_op = optimizer.minimize(loss, global_step=get_global_step())
    elif train_op_fn is not None:
        train_op = train_op_fn(loss)
    else:
        raise ValueError("train_op_fn and optimizer cannot both be None.")
    updates = get_collection(GraphKeys.UPDATE_OPS)
    return group(train_op, *updates) if updates else train_op

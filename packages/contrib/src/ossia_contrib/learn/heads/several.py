"""Several heads on one model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.learn.heads.head import Head, no_op_train_fn
from ossia_contrib.learn.modes import ModeKeys
from ossia_contrib.learn.specs import ModelFnOps
from ossia_core.plugins.api_table import public


@public("contrib.learn.multi_head", "contrib.learn.head.multi_head")
def multi_head(heads: Sequence[Head], loss_weights: Sequence[float] | None = None) -> Head:
    """A head of several, whose loss is the sum of theirs.

    Args:
      heads: heads that have names; logits are divided among them in this order.
      loss_weights: what their losses count.

    Raises:
      ValueError: a head has no name, or there are not as many weights.
    """
    if loss_weights and len(loss_weights) != len(heads):
        raise ValueError("heads and loss_weights must have same size")
    weights = list(loss_weights) if loss_weights else [1.0] * len(heads)

    def total(each: Sequence[Any]) -> tf.Tensor:
        return tf.add_n([loss if weight == 1 and not loss_weights else tf.multiply(loss, weight)
                         for loss, weight in zip(each, weights, strict=True)])

    return _MultiHead(heads, total)


class _MultiHead(Head):
    def __init__(self, heads: Sequence[Head], total: Callable) -> None:
        self._heads = tuple(heads)
        for head in self._heads:
            if not getattr(head, "head_name", None):
                raise ValueError("Members of MultiHead must have names.")
        self._total = total

    @property
    def logits_dimension(self) -> int:
        return sum(head.logits_dimension for head in self._heads)

    def create_model_fn_ops(
        self, features: Mapping[str, Any], mode: str, labels: Any = None, train_op_fn: Callable | None = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:
        ModeKeys.validate(mode)
        if logits is None and logits_input is None:
            raise ValueError("logits or logits_input must be set.")
        parts = [None] * len(self._heads) if logits is None else self._split(logits)
        made = [
            head.create_model_fn_ops(
                features=features, mode=mode, labels=labels, train_op_fn=no_op_train_fn, logits=part,
                logits_input=logits_input, scope=scope,
            )
            for head, part in zip(self._heads, parts, strict=True)
        ]
        if mode == ModeKeys.TRAIN:
            if train_op_fn is None:
                raise ValueError("train_op_fn can not be None in TRAIN mode.")
            return self._trained(made, train_op_fn)
        if mode == ModeKeys.INFER:
            return self._inferred(made)
        return self._evaluated(made)

    def _split(self, logits: Any) -> list[Any]:
        begin, parts = 0, []
        for head in self._heads:
            parts.append(tf.slice(logits, [0, begin], [-1, head.logits_dimension]))
            begin += head.logits_dimension
        return parts

    def _trained(self, made: Sequence[ModelFnOps], train_op_fn: Callable) -> ModelFnOps:
        loss = self._total([each.loss for each in made])
        steps = [each.train_op for each in made if each.train_op is not None]
        metrics = {key: value for each in made for key, value in each.eval_metric_ops.items()}
        step = train_op_fn(loss)
        return ModelFnOps(
            mode=ModeKeys.TRAIN, predictions=None, loss=loss, train_op=tf.group(*steps, step),
            eval_metric_ops=metrics, output_alternatives=None,
        )

    def _predictions(self, made: Sequence[ModelFnOps]) -> dict[tuple[Any, str], Any]:
        return {
            (head.head_name, key): value  # type: ignore[attr-defined]
            for head, each in zip(self._heads, made, strict=True) for key, value in each.predictions.items()
        }

    def _inferred(self, made: Sequence[ModelFnOps]) -> ModelFnOps:
        alternatives = {key: value for each in made for key, value in (each.output_alternatives or {}).items()}
        return ModelFnOps(
            mode=ModeKeys.INFER, predictions=self._predictions(made), loss=None, train_op=None, eval_metric_ops=None,
            output_alternatives=alternatives,
        )

    def _evaluated(self, made: Sequence[ModelFnOps]) -> ModelFnOps:
        metrics = {key: value for each in made for key, value in each.eval_metric_ops.items()}
        return ModelFnOps(
            mode=ModeKeys.EVAL, predictions=self._predictions(made), loss=self._total([each.loss for each in made]),
            train_op=None, eval_metric_ops=metrics, output_alternatives=None,
        )

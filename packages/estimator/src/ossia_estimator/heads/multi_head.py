"""Several heads over the logits of one model."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_op
from ossia_estimator.export_outputs import PredictOutput
from ossia_estimator.heads.head import Head, LossSpec, training_operation
from ossia_estimator.heads.keys import SERVING_PREDICT, MetricKeys, named
from ossia_estimator.model_spec import EstimatorSpec
from ossia_estimator.modes import ModeKeys
from ossia_nn.metrics import means
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like, zeros_like
from ossia_ops.array.part import slice_
from ossia_ops.array.shape import shape
from ossia_ops.math.arithmetic import multiply
from ossia_ops.math.sums import add_n
from ossia_summary.scalar import scalar


@public("contrib.estimator.multi_head")
def multi_head(heads: Sequence[Head], head_weights: Sequence[float] | None = None) -> MultiHead:
    """A head that holds others, each with labels, predictions and metrics of its own; their losses are added.

    Args:
        heads: The heads; each has a name.
        head_weights: Factors of their losses.

    Logits and labels come by the names of heads; logits may be one tensor, too, which is cut at their dimensions.

    Raises:
        ValueError: There are no heads, one has no name, or there are weights for more or fewer.
    """
    if not heads:
        raise ValueError(f"Must specify heads. Given: {heads}")
    if head_weights and len(head_weights) != len(heads):
        raise ValueError(
            f"heads and head_weights must have the same size. Given len(heads): {len(heads)}. Given "
            f"len(head_weights): {len(head_weights)}."
        )
    for head in heads:
        if not head.name:
            raise ValueError(f"All given heads must have name specified. Given: {head}")
    return MultiHead(heads, head_weights)


class MultiHead(Head):
    """Several heads; see `multi_head`."""

    def __init__(self, heads: Sequence[Head], head_weights: Sequence[float] | None = None) -> None:
        self._heads = tuple(heads)
        self._head_weights = tuple(head_weights or ())

    @property
    def name(self) -> str:
        return "_".join(str(head.name) for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        return sum(head.logits_dimension for head in self._heads)

    def create_loss(self, features: Mapping[str, Any], mode: str, logits: Any, labels: Any) -> LossSpec:
        by_head = self._by_head(logits)
        specs = {
            head.name: head.create_loss(
                features=features, mode=mode, logits=by_head[head.name], labels=labels[head.name]
            )
            for head in self._heads
        }
        return LossSpec(
            self._added([spec.training_loss for spec in specs.values()]),
            {name: spec.unreduced_loss for name, spec in specs.items()},
            {name: spec.weights for name, spec in specs.items()},
            {name: spec.processed_labels for name, spec in specs.items()},
        )

    def create_estimator_spec(  # type: ignore[override]  # the original takes no regularization losses here
        self, features: Mapping[str, Any], mode: str, logits: Any, labels: Any = None, optimizer: Any = None,
        train_op_fn: Callable[[Tensor], Any] | None = None,
    ) -> EstimatorSpec:
        by_head = self._by_head(logits)
        specs = [
            head.create_estimator_spec(
                features=features, mode=mode, logits=by_head[head.name],
                labels=labels[head.name] if labels else None, train_op_fn=lambda loss: no_op(),
            )
            for head in self._heads
        ]
        if mode == ModeKeys.PREDICT:
            return self._to_predict(specs)
        if mode == ModeKeys.EVAL:
            return self._to_evaluate(specs)
        if mode != ModeKeys.TRAIN:
            raise ValueError(f"mode={mode} unrecognized")
        loss = self._added([spec.loss for spec in specs])
        train_op = training_operation(loss, optimizer, train_op_fn)
        scalar(MetricKeys.LOSS, loss)
        return EstimatorSpec(mode, predictions=self._all_predictions(specs), loss=loss, train_op=train_op)

    def _by_head(self, logits: Any) -> dict[Any, Tensor]:
        if isinstance(logits, dict):
            return logits
        with name_scope(None, "split_logits", values=[logits]):
            logits = convert_to_tensor(logits)
            sizes = [head.logits_dimension for head in self._heads]
            last = logits.shape[-1].value if logits.shape.ndims else None
            if last is not None and last != sum(sizes):
                raise ValueError(
                    f"Could not split logits of shape {logits.shape} among the heads with individual logits "
                    f"dimensions: {sizes}. The last dimension of the logits tensor should equal {last} but is "
                    f"{sum(sizes)}."
                )
            batch = shape(logits, out_type=dtypes.int32)[:-1]
            zeros, all_of = zeros_like(batch), -1 * ones_like(batch)
            parts: dict[Any, Tensor] = {}
            begin = 0
            for head, size in zip(self._heads, sizes):
                parts[head.name] = slice_(logits, concat([zeros, [begin]], axis=0), concat([all_of, [size]], axis=0))
                begin += size
            return parts

    def _added(self, losses: Sequence[Tensor]) -> Tensor:
        with name_scope(None, "merge_losses", values=losses):
            if self._head_weights:
                losses = [multiply(loss, weight) for loss, weight in zip(losses, self._head_weights)]
            return add_n(losses)

    def _all_predictions(self, specs: Sequence[EstimatorSpec]) -> dict[Any, Any]:
        return {
            (head.name, key): value
            for head, spec in zip(self._heads, specs) for key, value in spec.predictions.items()
        }

    def _to_predict(self, specs: Sequence[EstimatorSpec]) -> EstimatorSpec:
        first: Any = specs[0].export_outputs
        outputs: dict[Any, Any] = {"serving_default": first["serving_default"]}
        together: dict[str, Any] = {}
        for head, spec in zip(self._heads, specs):
            exported: dict[str, Any] = spec.export_outputs or {}
            outputs[head.name] = exported["serving_default"]
            for key, output in exported.items():
                if key != "serving_default":
                    outputs[f"{head.name}/{key}"] = output
                if key == SERVING_PREDICT:
                    together.update({f"{head.name}/{part}": value for part, value in output.outputs.items()})
        outputs[SERVING_PREDICT] = PredictOutput(together)
        return EstimatorSpec(ModeKeys.PREDICT, predictions=self._all_predictions(specs), export_outputs=outputs)

    def _to_evaluate(self, specs: Sequence[EstimatorSpec]) -> EstimatorSpec:
        metrics: dict[str, Any] = {}
        with name_scope(None, "merge_eval"):
            for head, spec in zip(self._heads, specs):
                key = named(head.name, MetricKeys.LOSS)
                metrics[key] = means.mean(spec.loss, name=key)
                metrics.update(spec.eval_metric_ops or {})
            loss = self._added([spec.loss for spec in specs])
        return EstimatorSpec(
            ModeKeys.EVAL, predictions=self._all_predictions(specs), loss=loss, eval_metric_ops=metrics
        )

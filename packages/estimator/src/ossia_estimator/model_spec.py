"""`tf.estimator.EstimatorSpec`: what a model function returns."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ossia_checkpoint.saved_model.constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from ossia_core.declare.builders import builder
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import nest
from ossia_core.plugins.api_table import public
from ossia_estimator.export_outputs import ExportOutput, PredictOutput
from ossia_estimator.modes import ModeKeys
from ossia_session.run_hook import SessionRunHook
from ossia_session.scaffold import Scaffold


class _EstimatorSpec(NamedTuple):
    mode: str
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: dict[str, Any]
    export_outputs: dict[str, ExportOutput] | None
    training_chief_hooks: tuple
    training_hooks: tuple
    scaffold: Scaffold
    evaluation_hooks: tuple
    prediction_hooks: tuple


@public("estimator.EstimatorSpec", "compat.v2.estimator.EstimatorSpec")
class EstimatorSpec(_EstimatorSpec):
    """What a model function has built.

    Args:
        mode: The mode it was asked for.
        predictions: A tensor, or tensors by name; needed to predict.
        loss: A scalar tensor; needed to train and to evaluate.
        train_op: What makes a step; needed to train.
        eval_metric_ops: Pairs of value and update operation by name, or metric objects.
        export_outputs: ExportOutputs by the names of their signatures; by default the predictions.
        training_chief_hooks: SessionRunHooks for training on the chief.
        training_hooks: SessionRunHooks for training on every worker.
        scaffold: A Scaffold; a default one if None.
        evaluation_hooks: SessionRunHooks for evaluation.
        prediction_hooks: SessionRunHooks for prediction.

    Raises:
        ValueError: Something that the mode needs is missing, or is of another graph.
        TypeError: Something is of the wrong type.
    """

    __slots__ = ()

    def __new__(
        cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metric_ops: Mapping[str, Any] | None = None, export_outputs: Mapping[str, Any] | None = None,
        training_chief_hooks: Sequence | None = None, training_hooks: Sequence | None = None,
        scaffold: Scaffold | None = None, evaluation_hooks: Sequence | None = None,
        prediction_hooks: Sequence | None = None,
    ) -> EstimatorSpec:
        """Checks what was built; see the class."""
        train_op = _checked_train_op(train_op, mode)
        loss = _checked_loss(loss, mode)
        predictions = _checked_predictions(predictions, mode)
        outputs = _checked_outputs(export_outputs, predictions, mode)
        hooks = [
            _checked_hooks(given)
            for given in (training_chief_hooks, training_hooks, evaluation_hooks, prediction_hooks)
        ]
        if scaffold is not None and not isinstance(scaffold, Scaffold):
            raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
        return super().__new__(
            cls, mode, predictions, loss, train_op, _checked_metrics(eval_metric_ops), outputs, hooks[0], hooks[1],
            scaffold or Scaffold(), hooks[2], hooks[3],
        )


def _is_node(value: Any) -> bool:
    return isinstance(value, (Operation, Tensor)) or hasattr(value, "graph")


def _require_graph(value: Any, what: str) -> None:
    if value.graph is not get_default_graph():
        raise ValueError(
            f'{what} with "{value.name}" must be from the default graph: it was built in another graph, or in an '
            "earlier call of the model function."
        )


def _checked_train_op(train_op: Any, mode: str) -> Any:
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if not _is_node(train_op):
        raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
    _require_graph(train_op, "train_op")
    return train_op


def _checked_loss(loss: Any, mode: str) -> Any:
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    if not isinstance(loss, Tensor):
        raise TypeError(f"loss must be Tensor, given: {loss}")
    _require_graph(loss, "loss")
    if not loss.shape.is_compatible_with([]) and not loss.shape.is_compatible_with([1]):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    return loss if loss.shape.is_compatible_with([]) else builder("reshape")(loss, [])


def _checked_predictions(predictions: Any, mode: str) -> Any:
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    named = predictions.items() if isinstance(predictions, Mapping) else [(None, predictions)]
    for key, value in named:
        if not isinstance(value, Tensor) and not hasattr(value, "dense_shape"):
            label = "predictions" if key is None else f"predictions[{key}]"
            raise TypeError(f"{label} must be Tensor, given: {value}")
        if isinstance(value, Tensor):
            _require_graph(value, "prediction values")
    return predictions


def _checked_outputs(given: Any, predictions: Any, mode: str) -> dict[str, ExportOutput] | None:
    if mode != ModeKeys.PREDICT:
        return given
    outputs = {DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(predictions)} if given is None else given
    if not isinstance(outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {outputs}")
    for value in outputs.values():
        if not isinstance(value, ExportOutput):
            raise TypeError(f"Values in export_outputs must be ExportOutput objects. Given: {outputs}")
    if len(outputs) == 1:
        outputs = {**outputs, DEFAULT_SERVING_SIGNATURE_DEF_KEY: next(iter(outputs.values()))}
    if len(outputs) > 1 and DEFAULT_SERVING_SIGNATURE_DEF_KEY not in outputs:
        raise ValueError(
            "There are several export_outputs, and none is the default: name one of them "
            "tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY."
        )
    return outputs


def _checked_metrics(metrics: Any) -> dict[str, Any]:
    if metrics is None:
        return {}
    if not isinstance(metrics, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {metrics}")
    for key, pair in metrics.items():
        if hasattr(pair, "updates") and hasattr(pair, "result"):
            continue
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(
                f"Values of eval_metric_ops must be (metric_value, update_op) tuples, given: {pair} for key: {key}"
            )
        for node in nest.flatten(pair):
            _require_graph(node, "eval_metric_ops")
    return metrics


def _checked_hooks(hooks: Any) -> tuple:
    for hook in hooks or ():
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
    return tuple(hooks or ())

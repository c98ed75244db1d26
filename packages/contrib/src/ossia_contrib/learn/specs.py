"""What models, inputs, metrics and exports of the first estimators are made of."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import ossia as tf
from ossia_contrib.learn.modes import ModeKeys
from ossia_core.plugins.api_table import public


@public("contrib.learn.TaskType")
class TaskType:
    """What a process of a cluster does."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"


@public("contrib.learn.ProblemType")
class ProblemType:
    """What a model finds out."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3


@public("contrib.learn.PredictionKey")
class PredictionKey:
    """The names of what models with heads predict."""

    CLASSES = "classes"
    PROBABILITIES = "probabilities"
    LOGITS = "logits"
    LOGISTIC = "logistic"
    SCORES = "scores"
    TOP_K = "top_k"
    GENERIC = "output"


class _ModelFnOps(NamedTuple):
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Any
    output_alternatives: Any
    training_chief_hooks: Any
    training_hooks: Any
    scaffold: Any
    mode: Any


@public("contrib.learn.ModelFnOps")
class ModelFnOps(_ModelFnOps):
    """What a model function makes of its input.

    Args:
      mode: one of `ModeKeys`.
      predictions: a tensor or a dict of tensors.
      loss: a scalar.
      train_op: what makes a step of training.
      eval_metric_ops: metrics by name, pairs of a value and its update.
      output_alternatives: heads for serving, by name: a `ProblemType` and tensors.
      training_chief_hooks: hooks of the chief in training.
      training_hooks: hooks in training.
      scaffold: a `tf.train.Scaffold`.

    Raises:
      ValueError: what the mode needs is missing, or is something else.
    """

    __slots__ = ()

    def __new__(
        cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None, eval_metric_ops: Any = None,
        output_alternatives: Any = None, training_chief_hooks: Any = None, training_hooks: Any = None,
        scaffold: Any = None,
    ) -> ModelFnOps:
        ModeKeys.validate(mode)
        if train_op is None and mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        if isinstance(train_op, tf.Tensor):
            train_op = train_op.op
        if loss is None and mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        if predictions is None:
            if mode == ModeKeys.INFER:
                raise ValueError("Missing predictions.")
        elif isinstance(predictions, dict):
            predictions = {name: tf.convert_to_tensor_or_sparse_tensor(each) for name, each in predictions.items()}
        else:
            predictions = tf.convert_to_tensor_or_sparse_tensor(predictions)
        if loss is not None:
            loss = tf.convert_to_tensor(loss)
            if loss.shape.num_elements() not in (None, 1):
                raise ValueError(f"Loss must be scalar: {loss}")
            if loss.shape.ndims:
                loss = tf.reshape(loss, [])
        if eval_metric_ops is None:
            eval_metric_ops = {}
        elif not isinstance(eval_metric_ops, dict):
            raise ValueError("eval_metric_ops must be a dict.")
        hooks = [each or [] for each in (training_chief_hooks, training_hooks)]
        for hook in [*hooks[0], *hooks[1]]:
            if not isinstance(hook, tf.train.SessionRunHook):
                raise TypeError(f"Hooks must be tf.train.SessionRunHook instances, given: {hook}")
        return super().__new__(
            cls, predictions, loss, train_op, eval_metric_ops, output_alternatives, hooks[0], hooks[1], scaffold, mode
        )

    def estimator_spec(self, default_serving_output_alternative_key: str | None = None) -> Any:
        """The same as a `tf.estimator.EstimatorSpec`.

        Args:
          default_serving_output_alternative_key: which of several output alternatives is the default.
        """
        heads = self.output_alternatives or {}
        outputs = {name: _export_output(kind, tensors) for name, (kind, tensors) in heads.items()}
        if outputs:
            default = default_serving_output_alternative_key
            if default is None and len(outputs) == 1:
                (default,) = outputs
            if default not in outputs:
                raise ValueError(f"default_serving_output_alternative_key must be one of {list(outputs)}")
            key = tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
            named = {f"default_input_alternative:{name}": output for name, output in outputs.items()}
            outputs = {**named, key: outputs[default]}
        return tf.estimator.EstimatorSpec(
            mode=self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op,
            eval_metric_ops=_paired(self.eval_metric_ops), export_outputs=outputs or None,
            training_chief_hooks=self.training_chief_hooks, training_hooks=self.training_hooks, scaffold=self.scaffold,
        )


def _paired(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """Metrics that are single tensors are their own updates."""
    return {name: each if isinstance(each, tuple) else (each, tf.no_op()) for name, each in metrics.items()}


def _export_output(kind: Any, tensors: Any) -> Any:
    export = tf.estimator.export
    named = tensors if isinstance(tensors, dict) else {PredictionKey.GENERIC: tensors}
    if kind == ProblemType.LINEAR_REGRESSION and PredictionKey.SCORES in named:
        return export.RegressionOutput(named[PredictionKey.SCORES])
    if kind in (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION):
        classes = named.get(PredictionKey.CLASSES)
        text = classes if classes is not None and classes.dtype == tf.string else None
        scores = named.get(PredictionKey.SCORES, named.get(PredictionKey.PROBABILITIES))
        if scores is not None or text is not None:
            return export.ClassificationOutput(scores=scores, classes=text)
    return export.PredictOutput(named)


@public("contrib.learn.InputFnOps", "contrib.learn.utils.InputFnOps", "contrib.learn.utils.input_fn_utils.InputFnOps")
class InputFnOps(NamedTuple):
    """What an input function for serving returns: features, labels or None, and what is fed for them."""

    features: Any
    labels: Any
    default_inputs: Any


@public("contrib.learn.MetricSpec")
class MetricSpec:
    """A metric, and on which predictions, labels and weights it is computed.

    Args:
      metric_fn: a function of `predictions` and maybe `labels` and `weights`.
      prediction_key: which of the predictions.
      label_key: which of the labels.
      weight_key: which of the features has the weights.
    """

    def __init__(
        self, metric_fn: Callable, prediction_key: str | None = None, label_key: str | None = None,
        weight_key: str | None = None,
    ) -> None:
        self.metric_fn = metric_fn
        self.prediction_key = prediction_key
        self.label_key = label_key
        self.weight_key = weight_key

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """Calls the function.

        Args:
          inputs: features.
          labels: a tensor or a dict.
          predictions: a tensor or a dict.

        Returns:
          What the function returns, usually a value and its update.

        Raises:
          ValueError: there are several tensors to choose from and no key, or none of the key.
        """
        names = _argument_names(self.metric_fn) or ["predictions", "labels"]
        given = {}
        word = next((name for name in names if name in ("labels", "label", "targets", "target")), None)
        if word:
            given[word] = _chosen("label_key", self.label_key, labels)
        if self.weight_key:
            word = next((name for name in names if name in ("weights", "weight")), "weights")
            given[word] = _chosen("weight_key", self.weight_key, inputs)
        wanted = _chosen("prediction_key", self.prediction_key, predictions)
        word = next((name for name in names if name in ("predictions", "prediction", "outputs", "output")), None)
        return self.metric_fn(**given, **{word: wanted}) if word else self.metric_fn(wanted, **given)

    def __str__(self) -> str:
        name = getattr(self.metric_fn, "__name__", type(self.metric_fn).__name__)
        return (f"MetricSpec(metric_fn={name}, prediction_key={self.prediction_key}, label_key={self.label_key}, "
                f"weight_key={self.weight_key})")


def _argument_names(function: Callable) -> list[str] | None:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return None


def _chosen(what: str, key: str | None, values: Any) -> Any:
    if not isinstance(values, dict):
        if key is not None and what != "prediction_key" and values is not None:
            raise ValueError(f"MetricSpec with {what} {key!r} requires a dict, got a single tensor")
        return values
    if key is None:
        if len(values) == 1:
            return next(iter(values.values()))
        raise ValueError(f"MetricSpec without specified {what} requires a single tensor, got {sorted(values)}")
    if key not in values:
        raise ValueError(f"MetricSpec with {what} {key!r}: there are {sorted(values)}")
    return values[key]


class _ExportStrategy(NamedTuple):
    name: Any
    export_fn: Any
    strip_default_attrs: Any


@public("contrib.learn.ExportStrategy")
class ExportStrategy(_ExportStrategy):
    """How a model is exported.

    Args:
      name: the folder of the exports.
      export_fn: a function of an estimator, a folder, and maybe `checkpoint_path` and `eval_result`.
      strip_default_attrs: whether attributes that have their defaults are left out.
    """

    __slots__ = ()

    def __new__(cls, name: str, export_fn: Callable, strip_default_attrs: bool | None = None) -> ExportStrategy:
        return super().__new__(cls, name, export_fn, strip_default_attrs)

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str | None = None, eval_result: Any = None
    ) -> Any:
        """Exports.

        Args:
          estimator: what to export.
          export_path: where.
          checkpoint_path: which checkpoint; the last by default.
          eval_result: the metrics of its evaluation.

        Returns:
          Where it stands.
        """
        names = _argument_names(self.export_fn) or []
        given = {"checkpoint_path": checkpoint_path, "eval_result": eval_result}
        if self.strip_default_attrs is not None:
            given["strip_default_attrs"] = self.strip_default_attrs
        return self.export_fn(estimator, export_path, **{name: each for name, each in given.items() if name in names})

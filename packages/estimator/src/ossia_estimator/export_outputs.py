"""What signatures of exported models return: `tf.estimator.export.PredictOutput` and its like."""
from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

from ossia_checkpoint.saved_model.signatures import (
    build_signature_def,
    build_tensor_info,
    classification_signature_def,
    predict_signature_def,
    regression_signature_def,
)
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public

_SEPARATOR = "/"


@public("estimator.export.ExportOutput", "compat.v2.estimator.export.ExportOutput")
class ExportOutput(abc.ABC):
    """The outputs of one signature of an exported model."""

    @abc.abstractmethod
    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """The SignatureDef from the tensors that receive requests, by name, to these outputs."""
        raise NotImplementedError("as_signature_def")


def _one_string(receiver_tensors: Mapping[str, Any], what: str) -> Any:
    values = list(receiver_tensors.values())
    if len(values) != 1 or not isinstance(values[0], Tensor) or values[0].dtype.base_dtype != dtypes.string:
        raise ValueError(f"{what} input must be a single string Tensor; got {receiver_tensors}")
    return values[0]


@public("estimator.export.PredictOutput", "compat.v2.estimator.export.PredictOutput")
class PredictOutput(ExportOutput):
    """Any tensors, by name.

    Args:
        outputs: A tensor, which is called `output`, or tensors by name.

    Raises:
        ValueError: A name is no string, or a value no tensor.
    """

    def __init__(self, outputs: Any) -> None:
        given = outputs if isinstance(outputs, Mapping) else {"output": outputs}
        self._outputs: dict[str, Any] = {}
        for key, value in given.items():
            name = _SEPARATOR.join(key) if isinstance(key, tuple) else key
            if not isinstance(name, str):
                raise ValueError(f"Prediction output key must be a string; got {key}.")
            if not isinstance(value, (Tensor, SparseTensor)):
                raise ValueError(f"Prediction output value must be a Tensor; got {value}.")
            self._outputs[name] = value

    @property
    def outputs(self) -> dict[str, Any]:
        """The tensors by name."""
        return self._outputs

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """A signature for predictions."""
        return predict_signature_def(receiver_tensors, self.outputs)


@public("estimator.export.ClassificationOutput", "compat.v2.estimator.export.ClassificationOutput")
class ClassificationOutput(ExportOutput):
    """Classes, their scores, or both; its signature takes serialized examples.

    Args:
        scores: Scores of the classes, floats.
        classes: Names of the classes, strings.

    Raises:
        ValueError: Both are missing, or one is of another type.
    """

    def __init__(self, scores: Any = None, classes: Any = None) -> None:
        if scores is not None and not (isinstance(scores, Tensor) and scores.dtype.is_floating):
            raise ValueError(f"Classification scores must be a float32 Tensor; got {scores}")
        if classes is not None and not (isinstance(classes, Tensor) and classes.dtype.base_dtype == dtypes.string):
            raise ValueError(f"Classification classes must be a string Tensor; got {classes}")
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self._scores = scores
        self._classes = classes

    @property
    def scores(self) -> Any:
        """The scores."""
        return self._scores

    @property
    def classes(self) -> Any:
        """The names."""
        return self._classes

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """A signature for classification; raises ValueError where the input is not one tensor of strings."""
        examples = _one_string(receiver_tensors, "Classification")
        return classification_signature_def(examples, self.classes, self.scores)


@public("estimator.export.RegressionOutput", "compat.v2.estimator.export.RegressionOutput")
class RegressionOutput(ExportOutput):
    """One float for each example; its signature takes serialized examples.

    Args:
        value: The floats.

    Raises:
        ValueError: The tensor is of another type.
    """

    def __init__(self, value: Any) -> None:
        if not (isinstance(value, Tensor) and value.dtype.is_floating):
            raise ValueError(f"Regression output value must be a float32 Tensor; got {value}")
        self._value = value

    @property
    def value(self) -> Any:
        """The floats."""
        return self._value

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """A signature for regression; raises ValueError where the input is not one tensor of strings."""
        return regression_signature_def(_one_string(receiver_tensors, "Regression"), self.value)


class _SupervisedOutput(ExportOutput):
    """The loss, predictions and metrics of a model that is exported for training or evaluation.

    Args:
        loss: The loss, or losses by name.
        predictions: A tensor, or tensors by name.
        metrics: Pairs of value and update by name.

    Raises:
        ValueError: A name is no string, or a value no tensor.
    """

    method_name = ""

    def __init__(self, loss: Any = None, predictions: Any = None, metrics: Any = None) -> None:
        self._loss = _named("loss", loss)
        self._predictions = _named("predictions", predictions)
        self._metrics: dict[str, Any] = {}
        for key, (value, update) in (metrics or {}).items():
            name = _SEPARATOR.join(key) if isinstance(key, tuple) else key
            name = name if name.startswith("metrics") else f"metrics/{name}"
            self._metrics[f"{name}/value"] = value
            if not isinstance(update, Tensor):
                with control_dependencies([update]):
                    update = constant([], name="metric_op_wrapper")
            self._metrics[f"{name}/update_op"] = update

    @property
    def loss(self) -> dict[str, Any]:
        """The losses by name."""
        return self._loss

    @property
    def predictions(self) -> dict[str, Any]:
        """The predictions by name."""
        return self._predictions

    @property
    def metrics(self) -> dict[str, Any]:
        """The values and updates of metrics by name."""
        return self._metrics

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """A signature from features and labels to the loss, predictions and metrics."""
        outputs = {**self.loss, **self.predictions, **self.metrics}
        return build_signature_def(
            {name: build_tensor_info(tensor) for name, tensor in receiver_tensors.items()},
            {name: build_tensor_info(tensor) for name, tensor in outputs.items()}, self.method_name,
        )


class TrainOutput(_SupervisedOutput):
    """What a model that is exported for training returns."""

    method_name = "tensorflow/supervised/training"


class EvalOutput(_SupervisedOutput):
    """What a model that is exported for evaluation returns."""

    method_name = "tensorflow/supervised/eval"


def _named(kind: str, values: Any) -> dict[str, Any]:
    """Tensors under names that begin with their kind."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        values = {kind: values}
    made = {}
    for key, value in values.items():
        name = _SEPARATOR.join(key) if isinstance(key, tuple) else key
        if not isinstance(name, str):
            raise ValueError(f"{kind} output key must be a string; got {key}.")
        if not isinstance(value, (Tensor, SparseTensor)):
            raise ValueError(f"{kind} output value must be a Tensor; got {value}.")
        made[name if name.startswith(kind) else f"{kind}/{name}"] = value
    return made

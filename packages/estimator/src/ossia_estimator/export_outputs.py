"""What signatures of exported models return: `tf.estimator.export.PredictOutput` and its like."""
from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

from ossia_checkpoint.saved_model.signatures import (
    classification_signature_def,
    predict_signature_def,
    regression_signature_def,
)
from ossia_core.graph.composites import SparseTensor
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

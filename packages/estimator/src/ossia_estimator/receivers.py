"""Where exported models receive requests: `tf.estimator.export.ServingInputReceiver` and functions that make them."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import placeholder

_SINGLE_FEATURE = "feature"
_SINGLE_RECEIVER = "input"
_SINGLE_LABEL = "label"


class _Receiver(NamedTuple):
    features: Any
    receiver_tensors: dict[str, Any]
    receiver_tensors_alternatives: dict[str, Any] | None


def _checked(values: Any, single: str, what: str, plural: str) -> dict:
    """Tensors by name, of which a single one has the name `single`."""
    if values is None:
        raise ValueError(f"{plural} must be defined.")
    named = dict(values) if isinstance(values, Mapping) else {single: values}
    for name, value in named.items():
        if not isinstance(name, str) and (what != "feature" or not isinstance(name, (int, tuple))):
            raise ValueError(f"{what} keys must be strings: {name}.")
        if not isinstance(value, (Tensor, SparseTensor)):
            raise ValueError(f"{what} {name} must be a Tensor or SparseTensor.")
    return named


def _checked_alternatives(alternatives: Any) -> dict[str, Any] | None:
    if alternatives is None:
        return None
    if not isinstance(alternatives, dict):
        raise ValueError(f"receiver_tensors_alternatives must be a dict: {alternatives}.")
    return {
        name: _checked(values, _SINGLE_RECEIVER, "receiver_tensor", "receiver_tensors")
        for name, values in alternatives.items()
    }


@public("estimator.export.ServingInputReceiver", "compat.v2.estimator.export.ServingInputReceiver")
class ServingInputReceiver(_Receiver):
    """The tensors that requests are fed to, and the features that the model gets from them.

    Args:
        features: A tensor, which is called `feature`, or tensors by name.
        receiver_tensors: A tensor, which is called `input`, or tensors by name.
        receiver_tensors_alternatives: Other tensors that can be fed instead, by the prefix of their signatures.

    Raises:
        ValueError: A name is no string, or a value no tensor.
    """

    __slots__ = ()

    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> ServingInputReceiver:
        """Checks and names the tensors; see the class."""
        return super().__new__(
            cls,
            _checked(features, _SINGLE_FEATURE, "feature", "features"),
            _checked(receiver_tensors, _SINGLE_RECEIVER, "receiver_tensor", "receiver_tensors"),
            _checked_alternatives(receiver_tensors_alternatives),
        )


@public("estimator.export.TensorServingInputReceiver", "compat.v2.estimator.export.TensorServingInputReceiver")
class TensorServingInputReceiver(_Receiver):
    """A ServingInputReceiver for models whose features are one tensor without a name.

    Args:
        features: The tensor.
        receiver_tensors: As for ServingInputReceiver, as is the next.
        receiver_tensors_alternatives: Other tensors that can be fed instead.

    Raises:
        ValueError: `features` is no tensor, or as for ServingInputReceiver.
    """

    __slots__ = ()

    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> TensorServingInputReceiver:
        """Checks the tensors; see the class."""
        if features is None:
            raise ValueError("features must be defined.")
        if not isinstance(features, (Tensor, SparseTensor)):
            raise ValueError("feature must be a Tensor or SparseTensor.")
        made = ServingInputReceiver(features, receiver_tensors, receiver_tensors_alternatives)
        return super().__new__(cls, features, made.receiver_tensors, made.receiver_tensors_alternatives)


@public(
    "estimator.export.build_raw_serving_input_receiver_fn",
    "compat.v2.estimator.export.build_raw_serving_input_receiver_fn",
)
def build_raw_serving_input_receiver_fn(
    features: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """A function that makes a receiver whose requests are the features themselves.

    Args:
        features: Tensors by name, from which dtype, shape and name are taken.
        default_batch_size: The size of the first dimension; None for any.

    Returns:
        A function without arguments, which adds placeholders to the default graph.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        made = _placeholders(features, default_batch_size)
        return ServingInputReceiver(made, made)

    return serving_input_receiver_fn


def _placeholders(values: Any, batch_size: int | None) -> Any:
    """Placeholders for tensors like a given one, or like those of a dict."""
    if isinstance(values, Mapping):
        return {name: _placeholders(tensor, batch_size) for name, tensor in values.items()}
    shape = values.shape.as_list()
    if shape:
        shape[0] = batch_size
    else:
        shape = [batch_size]
    return placeholder(dtype=values.dtype.base_dtype, shape=shape, name=values.op.name)


class _SupervisedReceiver(NamedTuple):
    features: Any
    labels: Any
    receiver_tensors: dict[str, Any]


class SupervisedInputReceiver(_SupervisedReceiver):
    """The tensors that a model for training or evaluation is fed, with its features and labels.

    Args:
        features: A tensor, or tensors by name.
        labels: A tensor, or tensors by name.
        receiver_tensors: A tensor, which is called `input`, or tensors by name.

    Raises:
        ValueError: A name is no string, or a value no tensor.
    """

    __slots__ = ()

    def __new__(cls, features: Any, labels: Any, receiver_tensors: Any) -> SupervisedInputReceiver:
        """Checks the tensors; see the class."""
        for values, what, plural in ((features, "feature", "features"), (labels, "label", "labels")):
            _checked(values, what, what, plural)
        return super().__new__(
            cls, features, labels, _checked(receiver_tensors, _SINGLE_RECEIVER, "receiver_tensor", "receiver_tensors")
        )


@public(
    "estimator.experimental.build_raw_supervised_input_receiver_fn",
    "compat.v2.estimator.experimental.build_raw_supervised_input_receiver_fn",
    "contrib.estimator.build_raw_supervised_input_receiver_fn",
)
def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: int | None = None
) -> Callable[[], SupervisedInputReceiver]:
    """A function that makes a receiver of features and labels as they are, to export models for training with.

    Args:
        features: A tensor, or tensors by name, from which dtype, shape and name are taken.
        labels: A tensor, or tensors by name.
        default_batch_size: The size of the first dimension; None for any.

    Returns:
        A function without arguments, which adds placeholders to the default graph.

    Raises:
        ValueError: A feature has the name of a label.
    """
    named_features = features if isinstance(features, Mapping) else {_SINGLE_RECEIVER: features}
    named_labels = labels if isinstance(labels, Mapping) else {_SINGLE_LABEL: labels}
    both = set(named_features) & set(named_labels)
    if both:
        raise ValueError(f"Features and labels must have distinct keys. Found overlapping keys: {both}")

    def supervised_input_receiver_fn() -> SupervisedInputReceiver:
        fed_features = _placeholders(named_features, default_batch_size)
        fed_labels = _placeholders(named_labels, default_batch_size)
        return SupervisedInputReceiver(
            fed_features if isinstance(features, Mapping) else fed_features[_SINGLE_RECEIVER],
            fed_labels if isinstance(labels, Mapping) else fed_labels[_SINGLE_LABEL],
            {**fed_features, **fed_labels},
        )

    return supervised_input_receiver_fn


@public(
    "estimator.export.build_parsing_serving_input_receiver_fn",
    "compat.v2.estimator.export.build_parsing_serving_input_receiver_fn",
)
def build_parsing_serving_input_receiver_fn(
    feature_spec: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """A function that makes a receiver of serialized `tf.train.Example`s.

    Args:
        feature_spec: How to parse them, as for `tf.io.parse_example`.
        default_batch_size: How many come at once; None for any number.

    Returns:
        A function without arguments, which adds a placeholder and the parser to the default graph.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        from ossia_core.declare.builders import builder

        serialized = placeholder(dtypes.string, shape=[default_batch_size], name="input_example_tensor")
        return ServingInputReceiver(
            builder("parse_example")(serialized, feature_spec), {"examples": serialized}
        )

    return serving_input_receiver_fn

"""Dropout and flattening layers."""
from __future__ import annotations

import math
import weakref
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_nn.layers.arguments import format_name
from ossia_nn.layers.base import Layer
from ossia_nn.layers.input_spec import InputSpec
from ossia_ops.array.shape import reshape, shape

_phases: weakref.WeakKeyDictionary[Any, Tensor] = weakref.WeakKeyDictionary()


def learning_phase() -> Tensor:
    """The graph's placeholder for "this is training", False unless fed: what layers ask that are called with
    training=None."""
    graph = get_default_graph()
    if graph not in _phases:
        with graph.name_scope(None), control_dependencies(None):
            _phases[graph] = builder("placeholder_with_default")(False, shape=(), name="keras_learning_phase")
    return _phases[graph]


def decided(training: Any) -> Any:
    """`training` as a bool where that is known, else as a tensor."""
    if isinstance(training, Tensor):
        value = constant(training)
        return training if value is None else bool(value)
    if hasattr(training, "dtype") and hasattr(training, "initializer"):
        return training
    return bool(training)


def either(training: Any, true_fn: Any, false_fn: Any, name: str | None = None) -> Any:
    """`true_fn()` or `false_fn()` where `training` is known, else a `cond` of both."""
    training = decided(training)
    if isinstance(training, bool):
        return true_fn() if training else false_fn()
    return builder("cond")(training, true_fn=true_fn, false_fn=false_fn, name=name)


@public("layers.Dropout")
class Dropout(Layer):
    """In training, sets a random part of the inputs to zero and scales the others up.

    Args:
      rate: the part that is dropped.
      noise_shape: shape of the mask, None for sizes of the input; the mask is broadcast.
      seed: seed of the random numbers.
      name: name of the layer.
      **kwargs: as for `Layer`.
    """

    def __init__(
        self, rate: Any = 0.5, noise_shape: Any = None, seed: int | None = None, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(name=name, **kwargs)
        self.supports_masking = True
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs: Any, training: Any = False) -> Tensor:
        """Make the ops.

        Args:
          inputs: a tensor.
          training: a bool or a boolean tensor; None for the graph's learning phase.
        """
        if training is None:
            training = learning_phase()
        return either(
            training,
            lambda: builder("nn.dropout")(inputs, noise_shape=self._noise(inputs), seed=self.seed, rate=self.rate),
            lambda: builder("identity")(inputs),
        )

    def _noise(self, inputs: Any) -> Tensor | None:
        """The shape of the mask, sizes of the input where it says None."""
        if self.noise_shape is None:
            return None
        sizes = shape(inputs)
        return convert_to_tensor([sizes[i] if size is None else size for i, size in enumerate(self.noise_shape)])

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "rate": self.rate, "noise_shape": self.noise_shape, "seed": self.seed}


@public("layers.dropout")
def dropout(inputs: Any, rate: Any = 0.5, noise_shape: Any = None, seed: int | None = None, training: Any = False,
            name: str | None = None) -> Tensor:
    """Call a new `Dropout` layer on `inputs`."""
    return Dropout(rate, noise_shape, seed, name).apply(inputs, training=training)


@public("layers.Flatten")
class Flatten(Layer):
    """Makes [batch, everything else] of its inputs.

    Args:
      data_format: "channels_last" (the default), or "channels_first" to bring the channels last before.
      **kwargs: as for `Layer`.
    """

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = format_name(data_format)
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Tensor:
        rank = inputs.shape.ndims
        if self.data_format == "channels_first" and rank is not None and rank > 1:
            inputs = builder("transpose")(inputs, perm=[0, *range(2, rank), 1])
        batch = inputs.shape.as_tuple()[0]
        outputs = reshape(inputs, (batch or shape(inputs)[0], -1))
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        dims = TensorShape(input_shape).as_list()
        return TensorShape([dims[0], math.prod(dims[1:]) if all(dims[1:]) else None])

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "data_format": self.data_format}


@public("layers.flatten")
def flatten(inputs: Any, name: str | None = None, data_format: str = "channels_last") -> Tensor:
    """Call a new `Flatten` layer on `inputs`."""
    return Flatten(data_format=data_format, name=name).apply(inputs)

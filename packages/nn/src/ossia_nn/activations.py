"""Activation functions by the names that layers accept: tf.keras.activations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_nn.named_objects import restored
from ossia_ops.array.selection import where
from ossia_ops.math.arithmetic import multiply
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import greater
from ossia_ops.math.elementwise import negative
from ossia_ops.math.reduction import reduce_max, reduce_sum
from ossia_ops.nn.activation import elu as unit_elu
from ossia_ops.nn.activation import relu as plain_relu


def _like(value: float, x: Tensor) -> Tensor:
    return convert_to_tensor(value, dtype=x.dtype.base_dtype)


@public("keras.activations.linear")
def linear(x: Any) -> Any:
    """`x` itself."""
    return x


@public("keras.activations.softmax")
def softmax(x: Any, axis: int = -1) -> Tensor:
    """Exponentials of `x` that sum to 1 along `axis`.

    Args:
      x: a tensor of two dimensions or more.
      axis: the dimension; of a matrix, always the last.

    Raises:
      ValueError: `x` has fewer dimensions.
    """
    rank = x.shape.ndims
    if rank == 2:
        return builder("nn.softmax")(x)
    if rank is None or rank < 2:
        raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x}")
    powers = builder("math.exp")(x - reduce_max(x, axis=axis, keepdims=True))
    return powers / reduce_sum(powers, axis=axis, keepdims=True)


@public("keras.activations.elu")
def elu(x: Any, alpha: float = 1.0) -> Tensor:
    """`x` where it is positive, `alpha * (exp(x) - 1)` elsewhere."""
    found = unit_elu(x)
    return found if alpha == 1 else where(greater(x, 0), found, alpha * found)


@public("keras.activations.selu")
def selu(x: Any) -> Tensor:
    """The scaled exponential linear unit of `x` (Klambauer et al. 2017)."""
    return 1.0507009873554805 * elu(x, 1.6732632423543772)


@public("keras.activations.softplus")
def softplus(x: Any) -> Tensor:
    """`log(exp(x) + 1)`."""
    return builder("nn.softplus")(x)


@public("keras.activations.softsign")
def softsign(x: Any) -> Tensor:
    """`x / (abs(x) + 1)`."""
    return builder("nn.softsign")(x)


@public("keras.activations.relu")
def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0) -> Tensor:
    """`x` above the threshold, with a slope below it.

    Args:
      x: a tensor.
      alpha: the slope below the threshold.
      max_value: the largest output, None for no bound.
      threshold: where the slope changes; what is below it becomes `alpha * (x - threshold)`.
    """
    below: Tensor | None = None
    if alpha != 0:
        if max_value is None and threshold == 0:
            return builder("nn.leaky_relu")(x, alpha=alpha)
        below = plain_relu(-x + threshold) if threshold != 0 else plain_relu(negative(x))
    bounded = max_value is not None
    if threshold != 0:
        x = x * cast(greater(x, threshold), dtypes.float32)
    elif max_value == 6:
        x, bounded = builder("nn.relu6")(x), False
    else:
        x = plain_relu(x)
    if bounded:
        assert max_value is not None
        x = builder("clip_by_value")(x, _like(0.0, x), _like(max_value, x))
    return x if below is None else x - _like(alpha, below) * below


@public("keras.activations.tanh")
def tanh(x: Any) -> Tensor:
    """The hyperbolic tangent of `x`."""
    return builder("nn.tanh")(x)


@public("keras.activations.sigmoid")
def sigmoid(x: Any) -> Tensor:
    """`1 / (1 + exp(-x))`."""
    return builder("nn.sigmoid")(x)


@public("keras.activations.exponential")
def exponential(x: Any) -> Tensor:
    """`exp(x)`."""
    return builder("math.exp")(x)


@public("keras.activations.hard_sigmoid")
def hard_sigmoid(x: Any) -> Tensor:
    """`0.2 * x + 0.5`, cut off at 0 and 1."""
    slope, middle = _like(0.2, x), _like(0.5, x)
    x = builder("math.add")(multiply(x, slope), middle)
    return builder("clip_by_value")(x, 0.0, 1.0)


_KNOWN: dict[str, Callable] = {
    function.__name__: function
    for function in (
        linear, softmax, elu, selu, softplus, softsign, relu, tanh, sigmoid, exponential, hard_sigmoid,
    )
}


@public("keras.activations.serialize")
def serialize(activation: Any) -> str:
    """The name of an activation function."""
    return activation.__name__


@public("keras.activations.deserialize")
def deserialize(name: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """The activation function of that name.

    Args:
      name: the name.
      custom_objects: more functions by name.

    Raises:
      ValueError: the name is unknown.
    """
    return restored(name, _KNOWN, "activation function", custom_objects)


@public("keras.activations.get")
def get(identifier: Any) -> Any:
    """The function that an activation argument means: None is linear, a string names one, a function is itself.

    Raises:
      ValueError: an unknown name.
      TypeError: something else.
    """
    if identifier is None:
        return linear
    if isinstance(identifier, (str, Mapping)):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise TypeError(f"Could not interpret activation function identifier: {identifier!r}")

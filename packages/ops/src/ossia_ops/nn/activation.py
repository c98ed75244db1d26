"""Activation functions of neural networks, elementwise."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import OpDef, op, sample
from ossia_core.declare.shape_rules import merge, unchanged
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.math.choice import choose, in_blocks

FLOATS = "{half, bfloat16, float, double}"
_RELU = "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"
_SELU_SCALE = 1.0507009873554804934193349852946
_SELU_ALPHA = 1.6732632423543772848170429916717


def _unary(definition: OpDef) -> OpDef:
    definition.shape(unchanged)
    definition.samples(plain=sample(np.array([-3., -0.5, 0., 0.5, 7.], "f4")), empty=sample(np.zeros((0, 2), "f4")),
                       special=sample(np.array([np.nan, np.inf, -np.inf], "f4")))
    return definition


def _zeros(x: Tensor) -> Tensor:
    from ossia_ops.array.fill import zeros
    from ossia_ops.array.shape import shape
    return zeros(shape=shape(x), dtype=x.dtype)


def _of_equal_shapes(definition: OpDef) -> Callable[[Callable], None]:
    """A decorator of the kernel of a gradient and a value, which have one shape."""

    def register(kernel: Callable) -> None:
        @definition.kernel_for
        def _(node):
            options = {name: node.attrs[name] for name in definition.attrs if name != "T"}
            blocks = in_blocks(functools.partial(kernel, **options))

            def checked(gradients, values):
                if gradients.shape != values.shape:
                    first, second = (str(list(v.shape)).replace(" ", "") for v in (gradients, values))
                    raise InvalidArgumentError(
                        None,
                        None,
                        f"Inputs to operation {node.name} of type {definition.type} must have the same size and "
                        f"shape.  Input 0: {first} != input 1: {second}",
                    )
                return blocks(gradients, values)

            return checked

    return register


def _pair(definition: OpDef) -> OpDef:
    definition.shape(merge)
    definition.samples(plain=sample(np.array([1., -2., 3.], "f4"), np.array([-1., 0.5, 7.], "f4")))
    return definition


relu_op = _unary(op("Relu(features: T) -> activations: T", T=_RELU[:-1] + ", qint8}"))


@relu_op.kernel
def _(features):
    return np.maximum(features, features.dtype.type(0))


relu_grad_op = _pair(op("ReluGrad(gradients: T, features: T) -> backprops: T", T=_RELU))


@_of_equal_shapes(relu_grad_op)
def _(gradients, features):
    return gradients * (features > 0)


@relu_op.gradient
def _(node, grad):
    return relu_grad_op(grad, node.outputs[0])


@relu_grad_op.gradient
def _(node, grad):
    x = node.inputs[1]
    return relu_grad_op(grad, x), _zeros(x)


@public("nn.relu")
def relu(features: Any, name: str | None = None) -> Tensor:
    """max(features, 0), elementwise."""
    return relu_op(features, name=name)


relu6_op = _unary(op("Relu6(features: T) -> activations: T", T=_RELU))


@relu6_op.kernel
def _(features):
    kind = features.dtype.type
    return np.minimum(np.maximum(features, kind(0)), kind(6))


relu6_grad_op = _pair(op("Relu6Grad(gradients: T, features: T) -> backprops: T", T=_RELU))


@_of_equal_shapes(relu6_grad_op)
def _(gradients, features):
    return gradients * ((features > 0) & (features < 6))


@relu6_op.gradient
def _(node, grad):
    return relu6_grad_op(grad, node.outputs[0])


@relu6_grad_op.gradient
def _(node, grad):
    x = node.inputs[1]
    return relu6_grad_op(grad, x), _zeros(x)


@public("nn.relu6")
def relu6(features: Any, name: str | None = None) -> Tensor:
    """min(max(features, 0), 6), elementwise (Krizhevsky 2010)."""
    with name_scope(name, "Relu6", [features]) as name:
        return relu6_op(convert_to_tensor(features, name="features"), name=name)


elu_op = _unary(op("Elu(features: T) -> activations: T", T=FLOATS))


@elu_op.kernel
@in_blocks
def _(features):
    return choose(features < 0, np.expm1(np.minimum(features, features.dtype.type(0))), features)


elu_grad_op = _pair(op("EluGrad(gradients: T, outputs: T) -> backprops: T", T=FLOATS))


@_of_equal_shapes(elu_grad_op)
def _(gradients, outputs):
    return choose(outputs < 0, (outputs + outputs.dtype.type(1)) * gradients, gradients)


@elu_op.gradient
def _(node, grad):
    return elu_grad_op(grad, node.outputs[0])


@elu_grad_op.gradient
def _(node, grad):
    from ossia_ops.array.fill import zeros_like
    from ossia_ops.array.selection import where
    elu_x = node.inputs[1]
    return elu_grad_op(grad, elu_x), where(elu_x < 0, grad * node.inputs[0], zeros_like(elu_x))


@public("nn.elu")
def elu(features: Any, name: str | None = None) -> Tensor:
    """features where positive, exp(features) - 1 elsewhere (Clevert et al. 2015)."""
    return elu_op(features, name=name)


selu_op = _unary(op("Selu(features: T) -> activations: T", T=FLOATS))


@selu_op.kernel
@in_blocks
def _(features):
    kind = features.dtype.type
    return choose(
        features < 0,
        kind(_SELU_SCALE * _SELU_ALPHA) * np.expm1(np.minimum(features, kind(0))),
        kind(_SELU_SCALE) * features,
    )


selu_grad_op = _pair(op("SeluGrad(gradients: T, outputs: T) -> backprops: T", T=FLOATS))


@_of_equal_shapes(selu_grad_op)
def _(gradients, outputs):
    kind = outputs.dtype.type
    slope = kind(_SELU_SCALE)
    return choose(outputs < 0, gradients * (outputs + kind(_SELU_SCALE * _SELU_ALPHA)), gradients * slope)


@selu_op.gradient
def _(node, grad):
    return selu_grad_op(grad, node.outputs[0])


@selu_grad_op.gradient
def _(node, grad):
    from ossia_ops.array.fill import zeros_like
    from ossia_ops.array.selection import where
    selu_x = node.inputs[1]
    return selu_grad_op(grad, selu_x), where(selu_x < 0., grad * node.inputs[0], zeros_like(selu_x))


@public("nn.selu")
def selu(features: Any, name: str | None = None) -> Tensor:
    """The scaled exponential linear unit (Klambauer et al. 2017)."""
    return selu_op(features, name=name)


leaky_relu_op = _unary(op("LeakyRelu(features: T) -> activations: T", alpha="float = 0.2", T=FLOATS + " = DT_FLOAT"))


@leaky_relu_op.kernel_for
def _(node):
    alpha = node.attrs["alpha"]
    if alpha and alpha <= 1:
        return in_blocks(lambda features: np.maximum(features, features * features.dtype.type(alpha)))
    return in_blocks(lambda features: choose(features > 0, features, features * features.dtype.type(alpha)))


leaky_relu_grad_op = _pair(
    op("LeakyReluGrad(gradients: T, features: T) -> backprops: T", alpha="float = 0.2", T=FLOATS + " = DT_FLOAT")
)


@_of_equal_shapes(leaky_relu_grad_op)
def _(gradients, features, *, alpha):
    return choose(features > 0, gradients, gradients * features.dtype.type(alpha))


@leaky_relu_op.gradient
def _(node, grad):
    return leaky_relu_grad_op(grad, node.inputs[0], alpha=node.get_attr("alpha"))


@leaky_relu_grad_op.gradient
def _(node, grad):
    x = node.inputs[1]
    return leaky_relu_grad_op(grad, x, alpha=node.get_attr("alpha")), _zeros(x)


@public("nn.leaky_relu")
def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Tensor:
    """features where positive, alpha * features elsewhere (Maas et al. 2013).

    Args:
      features: a tensor; integers are converted to float32.
      alpha: slope for negative values, a number or tensor.
      name: name of the result.
    """
    with name_scope(name, "LeakyRelu", [features, alpha]) as name:
        features = convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            from ossia_ops.math.cast import cast
            features = cast(features, "float32")
        if isinstance(alpha, np.ndarray):
            alpha = alpha.item()
        return leaky_relu_op(features, alpha=alpha, name=name)


softplus_op = _unary(op("Softplus(features: T) -> activations: T", T=FLOATS))


@softplus_op.kernel
@in_blocks
def _(features):
    kind = features.dtype.type
    return np.maximum(features, kind(0)) + np.log1p(np.exp(-np.abs(features)))


softplus_grad_op = _pair(op("SoftplusGrad(gradients: T, features: T) -> backprops: T", T=FLOATS))


@_of_equal_shapes(softplus_grad_op)
def _(gradients, features):
    return gradients / (np.exp(-features) + features.dtype.type(1))


@softplus_op.gradient
def _(node, grad):
    from ossia_ops.math.exponential import sigmoid
    return grad * sigmoid(node.inputs[0])


@softplus_grad_op.gradient
def _(node, grad):
    from ossia_ops.math.exponential import exp
    dy, x = node.inputs
    with control_dependencies([grad]):
        ddy = softplus_grad_op(grad, x)
        d2x = grad * dy / (exp(-x) + 2.0 + exp(x))
        return ddy, d2x


@public("nn.softplus", "math.softplus")
def softplus(features: Any, name: str | None = None) -> Tensor:
    """log(exp(features) + 1), elementwise, without overflow."""
    return softplus_op(features, name=name)


softsign_op = _unary(op("Softsign(features: T) -> activations: T", T=FLOATS))


@softsign_op.kernel
@in_blocks
def _(features):
    return features / (np.abs(features) + features.dtype.type(1))


softsign_grad_op = _pair(op("SoftsignGrad(gradients: T, features: T) -> backprops: T", T=FLOATS))


@_of_equal_shapes(softsign_grad_op)
def _(gradients, features):
    return gradients / np.square(np.abs(features) + features.dtype.type(1))


@softsign_op.gradient
def _(node, grad):
    return softsign_grad_op(grad, node.inputs[0])


@public("nn.softsign", "math.softsign")
def softsign(features: Any, name: str | None = None) -> Tensor:
    """features / (abs(features) + 1), elementwise."""
    return softsign_op(features, name=name)


@public("nn.crelu")
def crelu(features: Any, name: str | None = None, axis: int = -1) -> Tensor:
    """The positive and the negative part of `features`, one after the other along `axis` (Shang et al. 2016)."""
    with name_scope(name, "CRelu", [features]) as name:
        features = convert_to_tensor(features, name="features")
        return relu(builder("concat")([features, -features], axis, name=name))


@public("nn.swish")
def swish(features: Any) -> Tensor:
    """`features * sigmoid(features)` (Ramachandran et al. 2017); the gradient computes the sigmoid again instead of
    keeping it."""
    from ossia_ops.math.exponential import sigmoid

    def value(features: Any) -> tuple[Tensor, Any]:
        x = convert_to_tensor(features, name="features")

        def gradient(grad: Tensor) -> Tensor:
            with control_dependencies([grad]):
                probability = sigmoid(x)
            return grad * (probability * (1.0 + x * (1.0 - probability)))
        return x * sigmoid(x), gradient
    return builder("custom_gradient")(value)(features)

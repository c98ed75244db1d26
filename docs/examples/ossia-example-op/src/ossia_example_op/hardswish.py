"""Hardswish: a swish that is made of straight lines."""

import numpy as np

import ossia as tf
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import unchanged

hardswish_op = op("Hardswish(features: T) -> activations: T", T="{half, float, double}", width="float = 3.0")


@hardswish_op.shape
def shape(features):
    """The shape of the output."""
    return unchanged(features)


@hardswish_op.kernel
def kernel(features, *, width):
    """The value, an array of the dtype of the input."""
    gate = np.clip(features + width, 0, 2 * width) / (2 * width)
    return (features * gate).astype(features.dtype)


@hardswish_op.gradient
def gradient(node, grad):
    """The gradient of the input, from that of the output."""
    (x,), width = node.inputs, node.get_attr("width")
    inside = (2 * x + width) / (2 * width)
    slope = tf.where(x >= width, tf.ones_like(x), tf.where(x <= -width, tf.zeros_like(x), inside))
    return grad * slope


hardswish_op.samples(
    regions=[[-4.0, -1.0, 0.0], [1.0, 2.0, 5.0]],
    width=sample([-1.5, 0.25, 0.75], width=1.0),
    half=np.array([-1.0, 2.0], np.float16),
    scalar=1.5,
    empty=np.zeros((0, 2), np.float32),
    nan=[[np.nan, np.inf, -np.inf]],
    refused_dtype=np.array([1], np.int32),
)


def hardswish(features, width=3.0, name=None):
    """`x * clip(x + width, 0, 2 * width) / (2 * width)` (Howard et al., 2019, "Searching for MobileNetV3").

    Args:
        features: A tensor of half, float or double.
        width: Half of the range in which it bends, a positive float.
        name: A name for the op.

    Returns:
        A tensor of the same shape and dtype.
    """
    return hardswish_op(features, width=width, name=name)

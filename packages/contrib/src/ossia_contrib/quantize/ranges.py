"""Fake quantization of a tensor, with the range it takes from what passes by.

The scheme is that of "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference"
(Jacob et al., 2018).
"""

from __future__ import annotations

import dataclasses
from typing import Any

import ossia as tf
from ossia_optimizers.moving_average import assign_moving_average

_STEP = "fake_quantization_step"
_DECAY = 0.999


@dataclasses.dataclass(frozen=True)
class Quantizing:
    """How the tensors of a graph are quantized: in training or not, in how many bits, and from which step on."""

    is_training: bool
    weight_bits: int
    activation_bits: int
    symmetric: bool
    quant_delay: int | None
    scope: str | None


def quantization_step() -> Any:
    """The count of steps of the default graph, which goes up whenever it is read; made when first asked for."""
    graph = tf.get_default_graph()
    try:
        return graph.get_tensor_by_name(f"{_STEP}/Identity:0")
    except KeyError:
        pass
    root = tf.VariableScope(reuse=tf.AUTO_REUSE)
    with graph.name_scope(None), tf.variable_scope(root, auxiliary_name_scope=False):
        step = tf.get_variable(
            _STEP, shape=[], dtype=tf.int64, initializer=tf.zeros_initializer(), trainable=False,
            collections=[tf.GraphKeys.GLOBAL_VARIABLES],
        )
        with graph.name_scope(step.op.name + "/"):
            return tf.identity(tf.assign_add(step, 1))


def _range(batch_min: Any, batch_max: Any, bits: int, narrow: bool, symmetric: bool) -> tuple[Any, Any]:
    if not symmetric:
        return tf.minimum(batch_min, 0.0), tf.maximum(batch_max, 0.0)
    ratio = -1.0 if narrow else -((1 << bits) - 2) / (1 << bits)
    return tf.minimum(batch_min, batch_max / ratio), tf.maximum(batch_max, batch_min * ratio)


def _bound(name: str, value: float) -> Any:
    return tf.get_variable(
        name, shape=[], initializer=tf.constant_initializer(value), trainable=False,
        collections=[tf.GraphKeys.GLOBAL_VARIABLES],
    )


def quantized(
    tensor: Any, name: str, how: Quantizing, weights: bool, low: float = -6.0, high: float = 6.0
) -> Any:
    """A tensor rounded as `how` says.

    Args:
      tensor: the tensor.
      name: name of the scope of the new variables and operations.
      how: the manner of quantization.
      weights: whether the range is that of the last step and narrow, as is that of weights; otherwise it is averaged.
      low: the lower bound at first.
      high: the upper bound at first.

    Returns:
      A tensor of the same shape.
    """
    bits = how.weight_bits if weights else how.activation_bits
    with tf.variable_scope(None, default_name=name, values=[tensor]):
        bounds: Any = (_bound("min", low), _bound("max", high))
        if how.is_training:
            taken = tf.reduce_min(tensor, name="BatchMin"), tf.reduce_max(tensor, name="BatchMax")
            now = _range(*taken, bits, weights, how.symmetric)
            if weights:
                updates = [
                    tf.assign(bound, value, name=f"Assign{end}Last")
                    for bound, value, end in zip(bounds, now, ("Min", "Max"), strict=True)
                ]
            else:
                updates = [
                    assign_moving_average(bound, value, _DECAY, name=f"Assign{end}Ema")
                    for bound, value, end in zip(bounds, now, ("Min", "Max"), strict=True)
                ]
            bounds = updates
        output = tf.fake_quant_with_min_max_vars(tensor, bounds[0], bounds[1], num_bits=bits, narrow_range=weights)
        if how.quant_delay and how.quant_delay > 0:
            active = tf.greater_equal(quantization_step(), how.quant_delay, name="activate_quant")
            output = tf.cond(active, lambda: output, lambda: tensor, name="delayed_quant")
    return output

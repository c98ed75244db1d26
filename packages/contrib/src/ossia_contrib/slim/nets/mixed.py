"""Modules of Inception networks: branches side by side, and what all versions share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf

slim = tf.contrib.slim
arg_scope = slim.arg_scope

Layer = tuple
"""A pool, `("max" or "avg", name, options)`, or a convolution, `(depth, name, options)`; names end with the size."""


def layered(net: Any, layers: Sequence[Any]) -> Any:
    """Layers one behind the other; a list of layers in the place of one gives their outputs side by side."""
    for layer in layers:
        if isinstance(layer, list):
            net = tf.concat([layered(net, [each]) for each in layer], 3)
            continue
        what, name, options = (*layer, {})[:3]
        size = [int(number) for number in re.findall(r"\d+", name.rpartition("_")[2])]
        if what in ("max", "avg"):
            pool = slim.max_pool2d if what == "max" else slim.avg_pool2d
            net = pool(net, size, scope=f"{what.capitalize()}Pool_{name}", **options)
        else:
            scope = name if name.startswith("Conv") else f"Conv2d_{name}"
            net = slim.conv2d(net, what, options.get("kernel_size", size), scope=scope, **{
                key: value for key, value in options.items() if key != "kernel_size"
            })
    return net


def branched(net: Any, branches: Sequence[Sequence[Any]]) -> Any:
    """The outputs of branches, each in a scope of its own, side by side."""
    outputs = []
    for number, layers in enumerate(branches):
        with tf.variable_scope(f"Branch_{number}"):
            outputs.append(layered(net, layers))
    return tf.concat(outputs, 3)


def build(net: Any, modules: dict[str, Any], final_endpoint: str, end_points: dict[str, Any]) -> tuple[Any, bool]:
    """Builds modules up to one, and notes the output of each.

    Args:
      net: images or features.
      modules: for each name what makes its output of the input, or its branches.
      final_endpoint: the last that is built.
      end_points: where outputs are noted.

    Returns:
      The last output, and whether `final_endpoint` was met.
    """
    for name, module in modules.items():
        if callable(module):
            net = module(net, name)
        else:
            with tf.variable_scope(name):
                net = branched(net, module)
        end_points[name] = net
        if name == final_endpoint:
            return net, True
    return net, False


def single(what: Any, size: Any, **options: Any) -> Callable[[Any, str], Any]:
    """A convolution of a depth, or a pool, under the name of its end point."""

    def layer(net: Any, name: str) -> Any:
        if what == "max":
            return slim.max_pool2d(net, size, scope=name, **options)
        return slim.conv2d(net, what, size, scope=name, **options)

    return layer


def depth_of(min_depth: int, depth_multiplier: float) -> Callable[[int], int]:
    """The number of channels in a network that is scaled.

    Raises:
      ValueError: the multiplier is not positive.
    """
    if depth_multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    return lambda depth: max(int(depth * depth_multiplier), min_depth)


def reduced_kernel(net: Any, size: list[int]) -> list[int]:
    """A kernel no larger than the images, where their size is known."""
    shape = net.get_shape().as_list()
    if shape[1] is None or shape[2] is None:
        return size
    return [min(shape[1], size[0]), min(shape[2], size[1])]


def classified(
    net: Any, num_classes: int, spatial_squeeze: bool, name: str, prediction_fn: Any, end_points: dict[str, Any],
    dropout: tuple[float, str], keep_features: bool = False,
) -> Callable[[], tuple[Any, dict[str, Any]]]:
    """The logits of pooled features; what is returned adds the predictions, outside of the scope "Logits"."""
    net = slim.dropout(net, dropout[0], scope=dropout[1])
    if keep_features:
        end_points["PreLogits"] = net
    logits = slim.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope=name)
    if spatial_squeeze:
        logits = tf.squeeze(logits, [1, 2], name="SpatialSqueeze")

    def predicted() -> tuple[Any, dict[str, Any]]:
        end_points["Logits"] = logits
        end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
        return logits, end_points

    return predicted


def inception_scope(
    weight_decay: float, norm: dict[str, Any], batch_norm_var_collection: str, use_batch_norm: bool = True
) -> Any:
    """The scope of defaults: normalized convolutions with relu, and a penalty on the weights."""
    params = {
        **norm,
        "variables_collections": {
            "beta": None, "gamma": None, "moving_mean": [batch_norm_var_collection],
            "moving_variance": [batch_norm_var_collection],
        },
    }
    with arg_scope(
        [slim.conv2d, slim.fully_connected], weights_regularizer=slim.l2_regularizer(weight_decay)
    ), arg_scope(
        [slim.conv2d], weights_initializer=slim.variance_scaling_initializer(), activation_fn=tf.nn.relu,
        normalizer_fn=slim.batch_norm if use_batch_norm else None,
        normalizer_params=params if use_batch_norm else {},
    ) as scope:
        return scope


STATISTICS = {"decay": 0.9997, "epsilon": 0.001, "updates_collections": tf.GraphKeys.UPDATE_OPS}

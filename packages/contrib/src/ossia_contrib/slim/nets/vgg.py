"""VGG (Simonyan & Zisserman 2014): stacks of 3 by 3 convolutions, with the dense layers as convolutions."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.slim.nets.stacked import classified, dense_as_convolutions
from ossia_core.plugins.api_table import public_module

slim = tf.contrib.slim
arg_scope = slim.arg_scope
public_module("contrib.slim.nets.vgg", "contrib.slim.python.slim.nets.vgg")


def vgg_arg_scope(weight_decay: float = 0.0005) -> Any:
    """The scope of defaults: relu, zeros as biases, padded convolutions, and a penalty on the weights."""
    with arg_scope(
        [slim.conv2d, slim.fully_connected], activation_fn=tf.nn.relu,
        weights_regularizer=slim.l2_regularizer(weight_decay), biases_initializer=tf.zeros_initializer(),
    ), arg_scope([slim.conv2d], padding="SAME") as scope:
        return scope


def _vgg(
    default_scope: str, repeats: tuple[int, ...], inputs: Any, num_classes: int, is_training: Any,
    dropout_keep_prob: float, spatial_squeeze: bool, scope: Any,
) -> tuple[Any, dict[str, Any]]:
    with tf.variable_scope(scope, default_scope, [inputs]) as opened:
        collection = opened.original_name_scope + "_end_points"
        with arg_scope(
            [slim.conv2d, slim.fully_connected, slim.max_pool2d], outputs_collections=collection
        ):
            net = inputs
            for number, (repeat, depth) in enumerate(zip(repeats, (64, 128, 256, 512, 512)), start=1):
                net = slim.repeat(net, repeat, slim.conv2d, depth, [3, 3], scope=f"conv{number}")
                net = slim.max_pool2d(net, [2, 2], scope=f"pool{number}")
            net = dense_as_convolutions(net, (4096, 4096), [7, 7], is_training, dropout_keep_prob)
            net = slim.conv2d(
                net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8"
            )
            return classified(net, collection, spatial_squeeze, opened)


def vgg_a(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = "vgg_a",
) -> tuple[Any, dict[str, Any]]:
    """VGG with 11 layers (configuration A).

    Args:
      inputs: images `[batch, 224, 224, channels]`; other sizes give a map of logits.
      num_classes: how many classes there are.
      is_training: whether dropout drops.
      dropout_keep_prob: how much it keeps.
      spatial_squeeze: whether the logits lose their dimensions of space, which have to be 1.
      scope: variable scope.

    Returns:
      Logits `[batch, num_classes]`, and the outputs of all layers by name.
    """
    return _vgg(
        "vgg_a", (1, 1, 2, 2, 2), inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope
    )


def vgg_16(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = "vgg_16",
) -> tuple[Any, dict[str, Any]]:
    """VGG with 16 layers (configuration D); arguments as for `vgg_a`."""
    return _vgg(
        "vgg_16", (2, 2, 3, 3, 3), inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope
    )


def vgg_19(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = "vgg_19",
) -> tuple[Any, dict[str, Any]]:
    """VGG with 19 layers (configuration E); arguments as for `vgg_a`."""
    return _vgg(
        "vgg_19", (2, 2, 4, 4, 4), inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope
    )


for _net in (vgg_a, vgg_16, vgg_19):
    _net.default_image_size = 224  # type: ignore[attr-defined]
vgg_d = vgg_16
vgg_e = vgg_19

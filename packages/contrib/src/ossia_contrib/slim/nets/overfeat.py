"""OverFeat (Sermanet et al. 2013), with the dense layers as convolutions."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.slim.nets.stacked import classified, dense_as_convolutions, trunc_normal
from ossia_core.plugins.api_table import public_module

slim = tf.contrib.slim
arg_scope = slim.arg_scope
public_module("contrib.slim.nets.overfeat", "contrib.slim.python.slim.nets.overfeat")


def overfeat_arg_scope(weight_decay: float = 0.0005) -> Any:
    """The scope of defaults: relu, zeros as biases, padded convolutions, and a penalty on the weights."""
    with arg_scope(
        [slim.conv2d, slim.fully_connected], activation_fn=tf.nn.relu,
        weights_regularizer=slim.l2_regularizer(weight_decay), biases_initializer=tf.zeros_initializer(),
    ), arg_scope([slim.conv2d], padding="SAME"), arg_scope([slim.max_pool2d], padding="VALID") as scope:
        return scope


def overfeat(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = "overfeat",
) -> tuple[Any, dict[str, Any]]:
    """OverFeat.

    Args:
      inputs: images `[batch, 231, 231, channels]`; other sizes give a map of logits.
      num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope: as for `vgg.vgg_a`.

    Returns:
      Logits `[batch, num_classes]`, and the outputs of all layers by name.
    """
    with tf.variable_scope(scope, "overfeat", [inputs]) as opened:
        collection = opened.original_name_scope + "_end_points"
        with arg_scope(
            [slim.conv2d, slim.fully_connected, slim.max_pool2d], outputs_collections=collection
        ):
            net = slim.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = slim.max_pool2d(net, [2, 2], scope="pool1")
            net = slim.conv2d(net, 256, [5, 5], padding="VALID", scope="conv2")
            net = slim.max_pool2d(net, [2, 2], scope="pool2")
            net = slim.conv2d(net, 512, [3, 3], scope="conv3")
            net = slim.conv2d(net, 1024, [3, 3], scope="conv4")
            net = slim.conv2d(net, 1024, [3, 3], scope="conv5")
            net = slim.max_pool2d(net, [2, 2], scope="pool5")
            with arg_scope(
                [slim.conv2d], weights_initializer=trunc_normal(0.005),
                biases_initializer=tf.constant_initializer(0.1),
            ):
                net = dense_as_convolutions(net, (3072, 4096), [6, 6], is_training, dropout_keep_prob)
                net = slim.conv2d(
                    net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
                    biases_initializer=tf.zeros_initializer(), scope="fc8",
                )
            return classified(net, collection, spatial_squeeze, opened)


overfeat.default_image_size = 231  # type: ignore[attr-defined]

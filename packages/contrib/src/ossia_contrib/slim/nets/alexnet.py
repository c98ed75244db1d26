"""AlexNet in its second form (Krizhevsky 2014), with the dense layers as convolutions."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.slim.nets.stacked import classified, dense_as_convolutions, trunc_normal
from ossia_core.plugins.api_table import public_module

slim = tf.contrib.slim
arg_scope = slim.arg_scope
public_module("contrib.slim.nets.alexnet", "contrib.slim.python.slim.nets.alexnet")


def alexnet_v2_arg_scope(weight_decay: float = 0.0005) -> Any:
    """The scope of defaults: relu, biases of 0.1, padded convolutions, and a penalty on the weights."""
    with arg_scope(
        [slim.conv2d, slim.fully_connected], activation_fn=tf.nn.relu,
        biases_initializer=tf.constant_initializer(0.1), weights_regularizer=slim.l2_regularizer(weight_decay),
    ), arg_scope([slim.conv2d], padding="SAME"), arg_scope([slim.max_pool2d], padding="VALID") as scope:
        return scope


def alexnet_v2(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: Any = "alexnet_v2",
) -> tuple[Any, dict[str, Any]]:
    """AlexNet.

    Args:
      inputs: images `[batch, 224, 224, channels]`; other sizes give a map of logits.
      num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope: as for `vgg.vgg_a`.

    Returns:
      Logits `[batch, num_classes]`, and the outputs of all layers by name.
    """
    with tf.variable_scope(scope, "alexnet_v2", [inputs]) as opened:
        collection = opened.original_name_scope + "_end_points"
        with arg_scope(
            [slim.conv2d, slim.fully_connected, slim.max_pool2d], outputs_collections=[collection]
        ):
            net = slim.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = slim.max_pool2d(net, [3, 3], 2, scope="pool1")
            net = slim.conv2d(net, 192, [5, 5], scope="conv2")
            net = slim.max_pool2d(net, [3, 3], 2, scope="pool2")
            net = slim.conv2d(net, 384, [3, 3], scope="conv3")
            net = slim.conv2d(net, 384, [3, 3], scope="conv4")
            net = slim.conv2d(net, 256, [3, 3], scope="conv5")
            net = slim.max_pool2d(net, [3, 3], 2, scope="pool5")
            with arg_scope(
                [slim.conv2d], weights_initializer=trunc_normal(0.005),
                biases_initializer=tf.constant_initializer(0.1),
            ):
                net = dense_as_convolutions(net, (4096, 4096), [5, 5], is_training, dropout_keep_prob)
                net = slim.conv2d(
                    net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
                    biases_initializer=tf.zeros_initializer(), scope="fc8",
                )
            return classified(net, collection, spatial_squeeze, opened)


alexnet_v2.default_image_size = 224  # type: ignore[attr-defined]

"""What plain stacks of layers share: dense layers as convolutions, and the end of the network."""

from __future__ import annotations

from typing import Any

import ossia as tf

slim = tf.contrib.slim


def trunc_normal(stddev: float) -> Any:
    """Normal initial weights, cut off at two standard deviations."""
    return tf.truncated_normal_initializer(0.0, stddev)


def dense_as_convolutions(
    net: Any, depths: tuple[int, int], kernel_size: list[int], is_training: Any, keep_prob: float
) -> Any:
    """Two dense layers with dropout, the first over the whole map of features."""
    net = slim.conv2d(net, depths[0], kernel_size, padding="VALID", scope="fc6")
    net = slim.dropout(net, keep_prob, is_training=is_training, scope="dropout6")
    net = slim.conv2d(net, depths[1], [1, 1], scope="fc7")
    return slim.dropout(net, keep_prob, is_training=is_training, scope="dropout7")


def classified(net: Any, collection: str, spatial_squeeze: bool, opened: Any) -> tuple[Any, dict[str, Any]]:
    """The logits and the end points of a network whose last layer is "fc8"."""
    end_points = slim.utils.convert_collection_to_dict(collection)
    if spatial_squeeze:
        net = tf.squeeze(net, [1, 2], name="fc8/squeezed")
        end_points[opened.name + "/fc8"] = net
    return net, end_points

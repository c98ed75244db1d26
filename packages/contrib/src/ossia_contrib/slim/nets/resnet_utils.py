"""Blocks of residual networks, at any density of their features."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public_module

slim = tf.contrib.slim
add_arg_scope, arg_scope = slim.add_arg_scope, slim.arg_scope
public_module("contrib.slim.nets.resnet_utils", "contrib.slim.python.slim.nets.resnet_utils")


class Block(collections.namedtuple("Block", ["scope", "unit_fn", "args"])):
    """A block: its scope, the function that makes a unit, and the arguments of each unit as a dict."""

    __slots__ = ()


def subsample(inputs: Any, factor: int, scope: Any = None) -> Any:
    """Every `factor`-th pixel of images."""
    return inputs if factor == 1 else slim.max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(
    inputs: Any, num_outputs: int, kernel_size: int, stride: int, rate: int = 1, scope: Any = None
) -> Any:
    """A convolution whose padding does not depend on the size of the images.

    Args:
      inputs: images.
      num_outputs: number of output channels.
      kernel_size: size of the kernel.
      stride: step of the kernel.
      rate: distance of the inputs that the kernel sees.
      scope: variable scope.
    """
    if stride == 1:
        return slim.conv2d(inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME", scope=scope)
    total = kernel_size + (kernel_size - 1) * (rate - 1) - 1
    before = total // 2
    after = total - before
    inputs = tf.pad(inputs, [[0, 0], [before, after], [before, after], [0, 0]])
    return slim.conv2d(inputs, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID", scope=scope)


@add_arg_scope
def stack_blocks_dense(
    net: Any, blocks: Sequence[Block], output_stride: float | None = None, outputs_collections: Any = None
) -> Any:
    """Blocks one behind the other; once the features are `output_stride` apart, dilation takes the place of strides.

    Args:
      net: images or features.
      blocks: the blocks.
      output_stride: how far apart features become at most; None for the strides as they are.
      outputs_collections: collections for the output of each block.

    Raises:
      ValueError: strides do not multiply to `output_stride`.
    """
    stride = rate = 1
    for block in blocks:
        with tf.variable_scope(block.scope, "block", [net]) as opened:
            for number, unit in enumerate(block.args, start=1):
                if output_stride is not None and stride > output_stride:
                    raise ValueError("The target output_stride cannot be reached.")
                with tf.variable_scope(f"unit_{number}", values=[net]):
                    if output_stride is not None and stride == output_stride:
                        net = block.unit_fn(net, rate=rate, **dict(unit, stride=1))
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        stride *= unit.get("stride", 1)
            net = slim.utils.collect_named_outputs(outputs_collections, opened.name, net)
    if output_stride is not None and stride != output_stride:
        raise ValueError("The target output_stride cannot be reached.")
    return net


def resnet_arg_scope(
    weight_decay: float = 0.0001, batch_norm_decay: float = 0.997, batch_norm_epsilon: float = 1e-5,
    batch_norm_scale: bool = True,
) -> Any:
    """The scope of defaults: normalized convolutions with relu, and a penalty on the weights.

    Args:
      weight_decay: weight of the penalty.
      batch_norm_decay, batch_norm_epsilon, batch_norm_scale: as for `batch_norm`.
    """
    norm = {
        "decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "scale": batch_norm_scale,
        "updates_collections": tf.GraphKeys.UPDATE_OPS, "fused": None,
    }
    with arg_scope(
        [slim.conv2d], weights_regularizer=slim.l2_regularizer(weight_decay),
        weights_initializer=slim.variance_scaling_initializer(), activation_fn=tf.nn.relu,
        normalizer_fn=slim.batch_norm, normalizer_params=norm,
    ), arg_scope([slim.batch_norm], **norm), arg_scope([slim.max_pool2d], padding="SAME") as scope:
        return scope


def root_block(net: Any, output_stride: float | None) -> tuple[Any, float | None]:
    """The first convolution and pool, and the output stride that is left.

    Raises:
      ValueError: the output stride is no multiple of 4.
    """
    if output_stride is not None:
        if output_stride % 4 != 0:
            raise ValueError("The output_stride needs to be a multiple of 4.")
        output_stride /= 4
    return conv2d_same(net, 64, 7, stride=2, scope="conv1"), output_stride


def ending(net: Any, num_classes: int | None, global_pool: bool, collection: str) -> tuple[Any, dict[str, Any]]:
    """The features pooled and classified as asked, and all end points."""
    if global_pool:
        net = tf.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
    if num_classes is not None:
        net = slim.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits")
    end_points = slim.utils.convert_collection_to_dict(collection)
    if num_classes is not None:
        end_points["predictions"] = slim.softmax(net, scope="predictions")
    return net, end_points


def units(scope: str, unit_fn: Any, base_depth: int, num_units: int, stride: int) -> Block:
    """A block of bottlenecks of which the last has the stride."""
    unit = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
    return Block(scope, unit_fn, [dict(unit, stride=1)] * (num_units - 1) + [dict(unit, stride=stride)])

"""Residual networks with full preactivation (He et al. 2016): normalized before each convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_contrib.slim.nets import resnet_utils
from ossia_core.plugins.api_table import public_module

slim = tf.contrib.slim
add_arg_scope, arg_scope = slim.add_arg_scope, slim.arg_scope
resnet_arg_scope = resnet_utils.resnet_arg_scope
public_module("contrib.slim.nets.resnet_v2", "contrib.slim.python.slim.nets.resnet_v2")


@add_arg_scope
def bottleneck(
    inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1, outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """A unit: a shortcut, and three convolutions of which the middle one is narrow.

    Args:
      inputs: images or features.
      depth: channels of the output.
      depth_bottleneck: channels of the narrow convolutions.
      stride: step of the middle convolution.
      rate: its dilation.
      outputs_collections: collections for the output.
      scope: variable scope.
    """
    with tf.variable_scope(scope, "bottleneck_v2", [inputs]) as opened:
        depth_in = slim.utils.last_dimension(inputs.get_shape(), min_rank=4)
        preact = slim.batch_norm(inputs, activation_fn=tf.nn.relu, scope="preact")
        plain = {"normalizer_fn": None, "activation_fn": None}
        if depth == depth_in:
            shortcut = resnet_utils.subsample(inputs, stride, "shortcut")
        else:
            shortcut = slim.conv2d(preact, depth, [1, 1], stride=stride, scope="shortcut", **plain)
        residual = slim.conv2d(preact, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = resnet_utils.conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = slim.conv2d(residual, depth, [1, 1], stride=1, scope="conv3", **plain)
        output = shortcut + residual
        return slim.utils.collect_named_outputs(outputs_collections, opened.name, output)


def resnet_v2(
    inputs: Any, blocks: Sequence[resnet_utils.Block], num_classes: int | None = None, is_training: Any = True,
    global_pool: bool = True, output_stride: float | None = None, include_root_block: bool = True,
    reuse: bool | None = None, scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """A network of blocks.

    Args:
      inputs: images `[batch, height, width, channels]`.
      blocks: the blocks.
      num_classes: how many classes there are; None leaves the features.
      is_training: whether batches are normalized by their own statistics; None leaves it to scopes.
      global_pool: whether the features are averaged over the image.
      output_stride: how far apart features become at most, a multiple of 4.
      include_root_block: whether a convolution and a pool stand before the blocks.
      reuse: whether to use variables that exist.
      scope: variable scope.

    Returns:
      Logits or features, and the outputs of all layers by name.

    Raises:
      ValueError: the output stride cannot be reached.
    """
    with tf.variable_scope(scope, "resnet_v2", [inputs], reuse=reuse) as opened:
        collection = opened.original_name_scope + "_end_points"
        with arg_scope(
            [slim.conv2d, bottleneck, resnet_utils.stack_blocks_dense], outputs_collections=collection
        ), arg_scope([slim.batch_norm], is_training=is_training):
            net = inputs
            if include_root_block:
                with arg_scope([slim.conv2d], activation_fn=None, normalizer_fn=None):
                    net, output_stride = resnet_utils.root_block(net, output_stride)
                net = slim.max_pool2d(net, [3, 3], stride=2, scope="pool1")
            net = resnet_utils.stack_blocks_dense(net, blocks, output_stride)
            net = slim.batch_norm(net, activation_fn=tf.nn.relu, scope="postnorm")
            return resnet_utils.ending(net, num_classes, global_pool, collection)


resnet_v2.default_image_size = 224  # type: ignore[attr-defined]


def resnet_v2_block(scope: str, base_depth: int, num_units: int, stride: int) -> resnet_utils.Block:
    """A block of `num_units` bottlenecks with `4 * base_depth` channels, the last with a stride."""
    return resnet_utils.units(scope, bottleneck, base_depth, num_units, stride)


def _of_units(numbers: tuple[int, int, int, int]) -> list[resnet_utils.Block]:
    sizes = zip((64, 128, 256, 512), numbers, (2, 2, 2, 1))
    return [resnet_v2_block(f"block{place}", *size) for place, size in enumerate(sizes, start=1)]


def resnet_v2_50(
    inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: bool | None = None, scope: Any = "resnet_v2_50",
) -> tuple[Any, dict[str, Any]]:
    """`resnet_v2` with 50 layers."""
    blocks = _of_units((3, 4, 6, 3))
    return resnet_v2(
        inputs, blocks, num_classes, is_training, global_pool=global_pool, output_stride=output_stride,
        include_root_block=True, reuse=reuse, scope=scope,
    )


def resnet_v2_101(
    inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: bool | None = None, scope: Any = "resnet_v2_101",
) -> tuple[Any, dict[str, Any]]:
    """`resnet_v2` with 101 layers."""
    blocks = _of_units((3, 4, 23, 3))
    return resnet_v2(
        inputs, blocks, num_classes, is_training, global_pool=global_pool, output_stride=output_stride,
        include_root_block=True, reuse=reuse, scope=scope,
    )


def resnet_v2_152(
    inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: bool | None = None, scope: Any = "resnet_v2_152",
) -> tuple[Any, dict[str, Any]]:
    """`resnet_v2` with 152 layers."""
    blocks = _of_units((3, 8, 36, 3))
    return resnet_v2(
        inputs, blocks, num_classes, is_training, global_pool=global_pool, output_stride=output_stride,
        include_root_block=True, reuse=reuse, scope=scope,
    )


def resnet_v2_200(
    inputs: Any, num_classes: int | None = None, is_training: Any = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: bool | None = None, scope: Any = "resnet_v2_200",
) -> tuple[Any, dict[str, Any]]:
    """`resnet_v2` with 200 layers."""
    blocks = _of_units((3, 24, 36, 3))
    return resnet_v2(
        inputs, blocks, num_classes, is_training, global_pool=global_pool, output_stride=output_stride,
        include_root_block=True, reuse=reuse, scope=scope,
    )

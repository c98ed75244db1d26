"""Inception v2 (Ioffe & Szegedy 2015)."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.layers.shaping import softmax
from ossia_contrib.slim.nets import mixed
from ossia_contrib.slim.nets.mixed import single
from ossia_contrib.slim.nets.stacked import trunc_normal
from ossia_core.plugins.api_table import public, public_module

slim = tf.contrib.slim
arg_scope = slim.arg_scope
_WHERE = ("contrib.slim.nets.inception", "contrib.slim.python.slim.nets.inception")
public_module("contrib.slim.nets.inception_v2", "contrib.slim.python.slim.nets.inception_v2")


def _modules(depth: Any) -> dict[str, Any]:
    def near(stddev: float) -> dict[str, Any]:
        return {"weights_initializer": trunc_normal(stddev)}

    def module(
        one: int, three: tuple[int, int], double: tuple[int, int], pooled: int, pool: str = "avg"
    ) -> list[list[Any]]:
        return [
            [(depth(one), "0a_1x1")],
            [(depth(three[0]), "0a_1x1", near(0.09)), (depth(three[1]), "0b_3x3")],
            [(depth(double[0]), "0a_1x1", near(0.09)), (depth(double[1]), "0b_3x3"), (depth(double[1]), "0c_3x3")],
            [(pool, "0a_3x3"), (depth(pooled), "0b_1x1", near(0.1))],
        ]

    def reduction(three: tuple[int, int], double: tuple[int, int]) -> list[list[Any]]:
        return [
            [(depth(three[0]), "0a_1x1", near(0.09)), (depth(three[1]), "1a_3x3", {"stride": 2})],
            [
                (depth(double[0]), "0a_1x1", near(0.09)), (depth(double[1]), "0b_3x3"),
                (depth(double[1]), "1a_3x3", {"stride": 2}),
            ],
            [("max", "1a_3x3", {"stride": 2})],
        ]

    def first(net: Any, name: str) -> Any:
        return slim.separable_conv2d(
            net, depth(64), [7, 7], depth_multiplier=min(int(depth(64) / 3), 8), stride=2,
            weights_initializer=trunc_normal(1.0), scope=name,
        )

    return {
        "Conv2d_1a_7x7": first,
        "MaxPool_2a_3x3": single("max", [3, 3], stride=2),
        "Conv2d_2b_1x1": single(depth(64), [1, 1], **near(0.1)),
        "Conv2d_2c_3x3": single(depth(192), [3, 3]),
        "MaxPool_3a_3x3": single("max", [3, 3], stride=2),
        "Mixed_3b": module(64, (64, 64), (64, 96), 32),
        "Mixed_3c": module(64, (64, 96), (64, 96), 64),
        "Mixed_4a": reduction((128, 160), (64, 96)),
        "Mixed_4b": module(224, (64, 96), (96, 128), 128),
        "Mixed_4c": module(192, (96, 128), (96, 128), 128),
        "Mixed_4d": module(160, (128, 160), (128, 160), 96),
        "Mixed_4e": module(96, (128, 192), (160, 192), 96),
        "Mixed_5a": reduction((128, 192), (192, 256)),
        "Mixed_5b": module(352, (192, 320), (160, 224), 128),
        "Mixed_5c": module(352, (192, 320), (192, 224), 128, pool="max"),
    }


@public(*(f"{where}.inception_v2_base" for where in _WHERE))
def inception_v2_base(
    inputs: Any, final_endpoint: str = "Mixed_5c", min_depth: int = 16, depth_multiplier: float = 1.0,
    scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """The features, up to an end point.

    Args:
      inputs: images `[batch, height, width, channels]`.
      final_endpoint: the last module that is built.
      min_depth: fewest channels of a convolution.
      depth_multiplier: factor of the numbers of channels.
      scope: variable scope.

    Returns:
      The output of the last module, and those of all by name.

    Raises:
      ValueError: there is no such end point, or the factor is not positive.
    """
    modules = _modules(mixed.depth_of(min_depth, depth_multiplier))
    end_points: dict[str, Any] = {}
    with tf.variable_scope(scope, "InceptionV2", [inputs]), arg_scope(
        [slim.conv2d, slim.max_pool2d, slim.avg_pool2d], stride=1, padding="SAME"
    ):
        net, found = mixed.build(inputs, modules, final_endpoint, end_points)
    if not found:
        raise ValueError(f"Unknown final endpoint {final_endpoint}")
    return net, end_points


@public(*(f"{where}.inception_v2" for where in _WHERE))
def inception_v2(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
    min_depth: int = 16, depth_multiplier: float = 1.0, prediction_fn: Any = softmax,
    spatial_squeeze: bool = True, reuse: bool | None = None, scope: Any = "InceptionV2",
) -> tuple[Any, dict[str, Any]]:
    """The classifier; arguments as for `inception_v1`, and as for `inception_v2_base`."""
    if depth_multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    with tf.variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as opened, arg_scope(
        [slim.batch_norm, slim.dropout], is_training=is_training
    ):
        net, end_points = inception_v2_base(
            inputs, scope=opened, min_depth=min_depth, depth_multiplier=depth_multiplier
        )
        with tf.variable_scope("Logits"):
            size = mixed.reduced_kernel(net, [7, 7])
            net = slim.avg_pool2d(net, size, padding="VALID", scope=f"AvgPool_1a_{size[0]}x{size[1]}")
            finish = mixed.classified(
                net, num_classes, spatial_squeeze, "Conv2d_1c_1x1", prediction_fn, end_points,
                (dropout_keep_prob, "Dropout_1b"),
            )
        return finish()


inception_v2.default_image_size = 224  # type: ignore[attr-defined]


@public(*(f"{where}.inception_v2_arg_scope" for where in _WHERE))
def inception_v2_arg_scope(weight_decay: float = 0.00004, batch_norm_var_collection: str = "moving_vars") -> Any:
    """The scope of defaults; arguments as for `inception_v1_arg_scope`."""
    return mixed.inception_scope(weight_decay, mixed.STATISTICS, batch_norm_var_collection)

"""Inception v3 (Szegedy et al. 2015)."""

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
public_module("contrib.slim.nets.inception_v3", "contrib.slim.python.slim.nets.inception_v3")
_HALF = {"stride": 2, "padding": "VALID"}


def _stem(depth: Any) -> dict[str, Any]:
    return {
        "Conv2d_1a_3x3": single(depth(32), [3, 3], stride=2),
        "Conv2d_2a_3x3": single(depth(32), [3, 3]),
        "Conv2d_2b_3x3": single(depth(64), [3, 3], padding="SAME"),
        "MaxPool_3a_3x3": single("max", [3, 3], stride=2),
        "Conv2d_3b_1x1": single(depth(80), [1, 1]),
        "Conv2d_4a_3x3": single(depth(192), [3, 3]),
        "MaxPool_5a_3x3": single("max", [3, 3], stride=2),
    }


def _modules(depth: Any) -> dict[str, Any]:
    def large(pooled: int, names: tuple[str, str] = ("0a_1x1", "0b_5x5")) -> list[list[Any]]:
        return [
            [(depth(64), "0a_1x1")],
            [(depth(48), names[0]), (depth(64), names[1])],
            [(depth(64), "0a_1x1"), (depth(96), "0b_3x3"), (depth(96), "0c_3x3")],
            [("avg", "0a_3x3"), (depth(pooled), "0b_1x1")],
        ]

    def long(inner: int) -> list[list[Any]]:
        return [
            [(depth(192), "0a_1x1")],
            [(depth(inner), "0a_1x1"), (depth(inner), "0b_1x7"), (depth(192), "0c_7x1")],
            [
                (depth(inner), "0a_1x1"), (depth(inner), "0b_7x1"), (depth(inner), "0c_1x7"),
                (depth(inner), "0d_7x1"), (depth(192), "0e_1x7"),
            ],
            [("avg", "0a_3x3"), (depth(192), "0b_1x1")],
        ]

    def wide(second: str) -> list[list[Any]]:
        return [
            [(depth(320), "0a_1x1")],
            [(depth(384), "0a_1x1"), [(depth(384), "0b_1x3"), (depth(384), second)]],
            [
                (depth(448), "0a_1x1"), (depth(384), "0b_3x3"),
                [(depth(384), "0c_1x3"), (depth(384), "0d_3x1")],
            ],
            [("avg", "0a_3x3"), (depth(192), "0b_1x1")],
        ]

    three = {**_HALF, "kernel_size": [3, 3]}  # under a name that says 1 by 1
    return {
        "Mixed_5b": large(32),
        "Mixed_5c": large(64, ("0b_1x1", "Conv_1_0c_5x5")),
        "Mixed_5d": large(64),
        "Mixed_6a": [
            [(depth(384), "1a_1x1", three)],
            [(depth(64), "0a_1x1"), (depth(96), "0b_3x3"), (depth(96), "1a_1x1", three)],
            [("max", "1a_3x3", _HALF)],
        ],
        "Mixed_6b": long(128),
        "Mixed_6c": long(160),
        "Mixed_6d": long(160),
        "Mixed_6e": long(192),
        "Mixed_7a": [
            [(depth(192), "0a_1x1"), (depth(320), "1a_3x3", _HALF)],
            [
                (depth(192), "0a_1x1"), (depth(192), "0b_1x7"), (depth(192), "0c_7x1"),
                (depth(192), "1a_3x3", _HALF),
            ],
            [("max", "1a_3x3", _HALF)],
        ],
        "Mixed_7b": wide("0b_3x1"),
        "Mixed_7c": wide("0c_3x1"),
    }


@public(*(f"{where}.inception_v3_base" for where in _WHERE))
def inception_v3_base(
    inputs: Any, final_endpoint: str = "Mixed_7c", min_depth: int = 16, depth_multiplier: float = 1.0,
    scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """The features, up to an end point; arguments as for `inception_v2_base`.

    Returns:
      The output of the last module, and those of all by name.

    Raises:
      ValueError: there is no such end point, or the factor is not positive.
    """
    depth = mixed.depth_of(min_depth, depth_multiplier)
    end_points: dict[str, Any] = {}
    layers = [slim.conv2d, slim.max_pool2d, slim.avg_pool2d]
    with tf.variable_scope(scope, "InceptionV3", [inputs]):
        with arg_scope(layers, stride=1, padding="VALID"):
            net, found = mixed.build(inputs, _stem(depth), final_endpoint, end_points)
        if not found:
            with arg_scope(layers, stride=1, padding="SAME"):
                net, found = mixed.build(net, _modules(depth), final_endpoint, end_points)
    if not found:
        raise ValueError(f"Unknown final endpoint {final_endpoint}")
    return net, end_points


def _auxiliary(net: Any, num_classes: int, spatial_squeeze: bool, depth: Any) -> Any:
    """The logits of a head that helps training, from features halfway."""
    with arg_scope(
        [slim.conv2d, slim.max_pool2d, slim.avg_pool2d], stride=1, padding="SAME"
    ), tf.variable_scope("AuxLogits"):
        net = slim.avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = slim.conv2d(net, depth(128), [1, 1], scope="Conv2d_1b_1x1")
        size = mixed.reduced_kernel(net, [5, 5])
        net = slim.conv2d(
            net, depth(768), size, weights_initializer=trunc_normal(0.01), padding="VALID",
            scope=f"Conv2d_2a_{size[0]}x{size[1]}",
        )
        net = slim.conv2d(
            net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
            weights_initializer=trunc_normal(0.001), scope="Conv2d_2b_1x1",
        )
        return tf.squeeze(net, [1, 2], name="SpatialSqueeze") if spatial_squeeze else net


@public(*(f"{where}.inception_v3" for where in _WHERE))
def inception_v3(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
    min_depth: int = 16, depth_multiplier: float = 1.0, prediction_fn: Any = softmax,
    spatial_squeeze: bool = True, reuse: bool | None = None, scope: Any = "InceptionV3",
) -> tuple[Any, dict[str, Any]]:
    """The classifier of images `[batch, 299, 299, channels]`; arguments as for `inception_v2`."""
    depth = mixed.depth_of(min_depth, depth_multiplier)
    with tf.variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as opened, arg_scope(
        [slim.batch_norm, slim.dropout], is_training=is_training
    ):
        net, end_points = inception_v3_base(
            inputs, scope=opened, min_depth=min_depth, depth_multiplier=depth_multiplier
        )
        end_points["AuxLogits"] = _auxiliary(end_points["Mixed_6e"], num_classes, spatial_squeeze, depth)
        with tf.variable_scope("Logits"):
            size = mixed.reduced_kernel(net, [8, 8])
            net = slim.avg_pool2d(net, size, padding="VALID", scope=f"AvgPool_1a_{size[0]}x{size[1]}")
            finish = mixed.classified(
                net, num_classes, spatial_squeeze, "Conv2d_1c_1x1", prediction_fn, end_points,
                (dropout_keep_prob, "Dropout_1b"), keep_features=True,
            )
        return finish()


inception_v3.default_image_size = 299  # type: ignore[attr-defined]


@public(*(f"{where}.inception_v3_arg_scope" for where in _WHERE))
def inception_v3_arg_scope(
    weight_decay: float = 0.00004, batch_norm_var_collection: str = "moving_vars", batch_norm_decay: float = 0.9997,
    batch_norm_epsilon: float = 0.001, updates_collections: Any = tf.GraphKeys.UPDATE_OPS,
    use_fused_batchnorm: bool | None = True,
) -> Any:
    """The scope of defaults.

    Args:
      weight_decay: weight of the penalty on weights.
      batch_norm_var_collection: collection for the moving statistics.
      batch_norm_decay, batch_norm_epsilon, updates_collections: as for `batch_norm`.
      use_fused_batchnorm: its `fused`.
    """
    norm = {
        "decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "updates_collections": updates_collections,
        "fused": use_fused_batchnorm,
    }
    return mixed.inception_scope(weight_decay, norm, batch_norm_var_collection)

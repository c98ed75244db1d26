"""Inception v1, GoogLeNet (Szegedy et al. 2014)."""

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
public_module("contrib.slim.nets.inception_v1", "contrib.slim.python.slim.nets.inception_v1")


def _module(one: int, three: tuple[int, int], five: tuple[int, int], pooled: int, last: str = "0b_3x3") -> Any:
    return [
        [(one, "0a_1x1")], [(three[0], "0a_1x1"), (three[1], "0b_3x3")], [(five[0], "0a_1x1"), (five[1], last)],
        [("max", "0a_3x3"), (pooled, "0b_1x1")],
    ]


@public(*(f"{where}.inception_v1_base" for where in _WHERE))
def inception_v1_base(
    inputs: Any, final_endpoint: str = "Mixed_5c", scope: Any = "InceptionV1"
) -> tuple[Any, dict[str, Any]]:
    """The features, up to an end point.

    Args:
      inputs: images `[batch, height, width, channels]`.
      final_endpoint: the last module that is built.
      scope: variable scope.

    Returns:
      The output of the last module, and those of all by name.

    Raises:
      ValueError: there is no such end point.
    """
    modules = {
        "Conv2d_1a_7x7": single(64, [7, 7], stride=2),
        "MaxPool_2a_3x3": single("max", [3, 3], stride=2),
        "Conv2d_2b_1x1": single(64, [1, 1]),
        "Conv2d_2c_3x3": single(192, [3, 3]),
        "MaxPool_3a_3x3": single("max", [3, 3], stride=2),
        "Mixed_3b": _module(64, (96, 128), (16, 32), 32),
        "Mixed_3c": _module(128, (128, 192), (32, 96), 64),
        "MaxPool_4a_3x3": single("max", [3, 3], stride=2),
        "Mixed_4b": _module(192, (96, 208), (16, 48), 64),
        "Mixed_4c": _module(160, (112, 224), (24, 64), 64),
        "Mixed_4d": _module(128, (128, 256), (24, 64), 64),
        "Mixed_4e": _module(112, (144, 288), (32, 64), 64),
        "Mixed_4f": _module(256, (160, 320), (32, 128), 128),
        "MaxPool_5a_2x2": single("max", [2, 2], stride=2),
        "Mixed_5b": _module(256, (160, 320), (32, 128), 128, last="0a_3x3"),
        "Mixed_5c": _module(384, (192, 384), (48, 128), 128),
    }
    end_points: dict[str, Any] = {}
    with tf.variable_scope(scope, "InceptionV1", [inputs]), arg_scope(
        [slim.conv2d, slim.fully_connected], weights_initializer=trunc_normal(0.01)
    ), arg_scope([slim.conv2d, slim.max_pool2d], stride=1, padding="SAME"):
        net, found = mixed.build(inputs, modules, final_endpoint, end_points)
    if not found:
        raise ValueError(f"Unknown final endpoint {final_endpoint}")
    return net, end_points


@public(*(f"{where}.inception_v1" for where in _WHERE))
def inception_v1(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
    prediction_fn: Any = softmax, spatial_squeeze: bool = True, reuse: bool | None = None,
    scope: Any = "InceptionV1",
) -> tuple[Any, dict[str, Any]]:
    """The classifier.

    Args:
      inputs: images `[batch, 224, 224, channels]`.
      num_classes: how many classes there are.
      is_training: whether it is trained.
      dropout_keep_prob: how much dropout keeps.
      prediction_fn: what makes predictions of logits.
      spatial_squeeze: whether the logits lose their dimensions of space.
      reuse: whether to use variables that exist.
      scope: variable scope.

    Returns:
      The logits, and the outputs of all modules by name.
    """
    with tf.variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as opened, arg_scope(
        [slim.batch_norm, slim.dropout], is_training=is_training
    ):
        net, end_points = inception_v1_base(inputs, scope=opened)
        with tf.variable_scope("Logits"):
            net = slim.avg_pool2d(net, [7, 7], stride=1, scope="MaxPool_0a_7x7")
            finish = mixed.classified(
                net, num_classes, spatial_squeeze, "Conv2d_0c_1x1", prediction_fn, end_points,
                (dropout_keep_prob, "Dropout_0b"),
            )
            return finish()


inception_v1.default_image_size = 224  # type: ignore[attr-defined]


@public(*(f"{where}.inception_v1_arg_scope" for where in _WHERE))
def inception_v1_arg_scope(
    weight_decay: float = 0.00004, use_batch_norm: bool = True, batch_norm_var_collection: str = "moving_vars"
) -> Any:
    """The scope of defaults.

    Args:
      weight_decay: weight of the penalty on weights.
      use_batch_norm: whether convolutions are normalized.
      batch_norm_var_collection: collection for the moving statistics.
    """
    return mixed.inception_scope(weight_decay, mixed.STATISTICS, batch_norm_var_collection, use_batch_norm)

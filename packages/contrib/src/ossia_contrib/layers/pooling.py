"""Pooling of images and volumes."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_contrib.layers.convolution import channels_name
from ossia_contrib.layers.names import of_layers
from ossia_contrib.layers.outputs import collect_named_outputs
from ossia_core.plugins.api_table import public


def _pooled(
    kind: Any, default_scope: str, formats: tuple[str, str], inputs: Any, kernel_size: Any, stride: Any,
    padding: str, data_format: str, outputs_collections: Any, scope: str | None,
) -> tf.Tensor:
    if data_format not in formats:
        raise ValueError(f"data_format has to be either {formats[0]} or {formats[1]}.")
    with tf.name_scope(scope, default_scope, [inputs]) as opened:
        inputs = tf.convert_to_tensor(inputs)
        layer = kind(
            pool_size=kernel_size, strides=stride, padding=padding, data_format=channels_name(data_format),
            _scope=opened,
        )
        return collect_named_outputs(outputs_collections, opened, layer.apply(inputs))


@public(*of_layers("max_pool2d"))
@add_arg_scope
def max_pool2d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID", data_format: str = "NHWC",
    outputs_collections: Any = None, scope: str | None = None,
) -> tf.Tensor:
    """The largest values in windows of images.

    Args:
      inputs: images.
      kernel_size: height and width of the windows, or one number for both.
      stride: distance of the windows.
      padding: "VALID" or "SAME".
      data_format: "NHWC" or "NCHW".
      outputs_collections: collections for the output.
      scope: name scope.

    Raises:
      ValueError: the format is unknown.
    """
    return _pooled(
        tf.layers.MaxPooling2D, "MaxPool2D", ("NCHW", "NHWC"), inputs, kernel_size, stride, padding, data_format,
        outputs_collections, scope,
    )


@public(*of_layers("avg_pool2d"))
@add_arg_scope
def avg_pool2d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID", data_format: str = "NHWC",
    outputs_collections: Any = None, scope: str | None = None,
) -> tf.Tensor:
    """The means of windows of images; arguments as for `max_pool2d`.

    Raises:
      ValueError: the format is unknown.
    """
    return _pooled(
        tf.layers.AveragePooling2D, "AvgPool2D", ("NCHW", "NHWC"), inputs, kernel_size, stride, padding, data_format,
        outputs_collections, scope,
    )


@public(*of_layers("max_pool3d"))
@add_arg_scope
def max_pool3d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID", data_format: str = "NDHWC",
    outputs_collections: Any = None, scope: str | None = None,
) -> tf.Tensor:
    """The largest values in windows of volumes; arguments as for `max_pool2d`.

    Raises:
      ValueError: the format is neither "NDHWC" nor "NCDHW".
    """
    return _pooled(
        tf.layers.MaxPooling3D, "MaxPool3D", ("NCDHW", "NDHWC"), inputs, kernel_size, stride, padding, data_format,
        outputs_collections, scope,
    )


@public(*of_layers("avg_pool3d"))
@add_arg_scope
def avg_pool3d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID", data_format: str = "NDHWC",
    outputs_collections: Any = None, scope: str | None = None,
) -> tf.Tensor:
    """The means of windows of volumes; arguments as for `max_pool2d`.

    Raises:
      ValueError: the format is neither "NDHWC" nor "NCDHW".
    """
    return _pooled(
        tf.layers.AveragePooling3D, "AvgPool3D", ("NCDHW", "NDHWC"), inputs, kernel_size, stride, padding,
        data_format, outputs_collections, scope,
    )

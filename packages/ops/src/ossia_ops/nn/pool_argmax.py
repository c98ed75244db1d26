"""Maximum pooling that tells where the maxima were, and its gradients."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge, with_rank
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.nn.pool import REALS, WINDOW, check_rank, one_of_two, pooled_shape, pooling_of, window_attrs

_X = (np.arange(2 * 5 * 5 * 2, dtype="f4") * 7 % 13).reshape(2, 5, 5, 2)
_Y = np.ones((2, 3, 3, 2), "f4")
_ARGS: dict[str, Any] = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1]}

max_pool_with_argmax_op = op(
    "MaxPoolWithArgmax(input: T) -> output: T, argmax: Targmax",
    ksize=WINDOW["ksize"],
    strides=WINDOW["strides"],
    Targmax="{int32, int64} = DT_INT64",
    padding=WINDOW["padding"],
    include_batch_in_index="bool = false",
    T=REALS,
)


@max_pool_with_argmax_op.shape
def _(input, *, ksize, strides, padding):
    pooled = pooled_shape(input, ksize, strides, padding, b"NHWC", True)
    return pooled, pooled


@max_pool_with_argmax_op.kernel_for
def _(node):
    pooling = pooling_of(node)
    kind, with_batch = node.attrs["Targmax"].as_numpy_dtype, node.attrs["include_batch_in_index"]

    def kernel(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        check_rank(x, 4)
        places = np.arange(x.size if with_batch else x[:1].size, dtype=kind).reshape(
            x.shape if with_batch else x[:1].shape
        )
        return pooling.at_maximum(x, x), pooling.at_maximum(x, np.broadcast_to(places, x.shape))
    return kernel


@max_pool_with_argmax_op.gradient
def _(node, grad, unused_argmax_grad):
    return max_pool_grad_with_argmax_op(node.inputs[0], grad, node.outputs[1],
                                        **window_attrs(node, "include_batch_in_index"))


max_pool_with_argmax_op.samples(
    same=sample(_X, padding="SAME", **_ARGS),
    batch=sample(_X, padding="VALID", include_batch_in_index=True, **_ARGS),
    nan=sample(np.where(_X < 8, np.float32(np.nan), _X), padding="SAME", **_ARGS),
)

max_pool_grad_with_argmax_op = op("MaxPoolGradWithArgmax(input: T, grad: T, argmax: Targmax) -> output: T",
                                  **WINDOW, include_batch_in_index="bool = false", Targmax="{int32, int64}", T=REALS)


@max_pool_grad_with_argmax_op.shape
def _(input, grad, argmax):
    return with_rank(input, 4)


def _places(x: np.ndarray, argmax: np.ndarray, with_batch: bool) -> np.ndarray:
    places = argmax.astype(np.int64)
    if not with_batch:
        image = x[:1].size
        places = places + np.arange(0, x.shape[0] * image, image or 1).reshape(-1, 1, 1, 1)
    if places.size and (places.min() < 0 or places.max() >= x.size):
        raise InvalidArgumentError(None, None, f"Invalid index in argmax: it must be in [0, {x.size})")
    return places


@max_pool_grad_with_argmax_op.kernel
def _(input, grad, argmax, *, include_batch_in_index):
    check_rank(input, 4)
    if grad.shape != argmax.shape:
        raise InvalidArgumentError(
            None, None,
            f"grad and argmax must have the same shape: {dims_text(grad.shape)} vs. {dims_text(argmax.shape)}"
        )
    result = np.zeros(input.shape, grad.dtype)
    np.add.at(result.reshape(-1), _places(input, argmax, include_batch_in_index).reshape(-1), grad.reshape(-1))
    return result


max_pool_grad_with_argmax_op.samples(
    plain=sample(_X, _Y, np.arange(36).reshape(2, 3, 3, 2) % 18, padding="SAME", **_ARGS)
)

max_pool_grad_grad_with_argmax_op = op(
    "MaxPoolGradGradWithArgmax(input: T, grad: T, argmax: Targmax) -> output: T",
    **WINDOW,
    include_batch_in_index="bool = false",
    Targmax="{int32, int64}",
    T=REALS,
)


@max_pool_grad_grad_with_argmax_op.shape
def _(input, grad, argmax, *, ksize, strides, padding):
    pooled = pooled_shape(input, ksize, strides, padding, b"NHWC", True)
    merge(input, grad), merge(argmax, pooled)
    return pooled


@max_pool_grad_grad_with_argmax_op.kernel
def _(input, grad, argmax, *, include_batch_in_index):
    check_rank(input, 4)
    if grad.shape != input.shape:
        raise InvalidArgumentError(
            None, None, f"Expected grad shape to be {dims_text(input.shape)}, but got {dims_text(grad.shape)}"
        )
    return grad.reshape(-1)[_places(input, argmax, include_batch_in_index)]


max_pool_grad_grad_with_argmax_op.samples(
    plain=sample(_X, _X, np.arange(36).reshape(2, 3, 3, 2) % 18, padding="SAME", **_ARGS)
)


@public("nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    Targmax: Any = None,
    name: str | None = None,
    output_dtype: Any = None,
    include_batch_in_index: bool = False,
) -> Any:
    """The largest element of each window and its place, `(y * width + x) * channels + c`.

    Args:
      input: [batch, height, width, channels].
      ksize: window sizes, four integers.
      strides: steps, four integers.
      padding: "SAME" or "VALID".
      data_format: "NHWC".
      Targmax: the old name of `output_dtype`.
      name: name of the result.
      output_dtype: int32 or int64 (the default), dtype of the places.
      include_batch_in_index: count places over the whole batch, instead of per image.

    Returns:
      A pair: output, argmax.

    Raises:
      ValueError: another data format, or both names of the dtype.
    """
    if data_format != "NHWC":
        raise ValueError("Data formats other than 'NHWC' are not yet supported")
    kind = one_of_two(output_dtype, Targmax, "output_dtype", "Targmax")
    return max_pool_with_argmax_op(
        input,
        ksize=ksize,
        strides=strides,
        padding=padding,
        Targmax=dtypes.int64 if kind is None else kind,
        include_batch_in_index=include_batch_in_index,
        name=name,
    )

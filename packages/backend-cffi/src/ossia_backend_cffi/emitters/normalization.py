"""Batch normalization, forward and backward."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_backend_cffi.emitters.registry import F32, emits, require_float
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.instructions import (
    BatchGradient,
    BatchMoments,
    BatchNorm,
    BatchNormGrad,
    BatchProducts,
    BatchScale,
)

_BLOCK, _MOST = 8192, 256  # elements of a block that are wanted at least, blocks at most
_IMAGES, _PIXELS = 8, 16   # so many images, of so many pixels, are worked on one by one


def _layout(c: Any, node: Any, x: Value, *vectors: Value) -> dict[str, int]:
    """How images are normalized in blocks of rows; the scratch for them is set aside."""
    require_float(x, *vectors)
    if len(x.shape) != 4 or not x.size:
        raise Declined("images of another rank, or none")
    if node.attrs["data_format"] == b"NHWC":
        outer, channels, inner = math.prod(x.shape[:3]), x.shape[3], 1
        rows = max(-(-_BLOCK // channels), -(-outer // _MOST))
    else:
        outer, channels, inner, rows = x.shape[0], x.shape[1], math.prod(x.shape[2:]), 1
        if inner == 1:
            rows = max(-(-_BLOCK // channels), -(-outer // _MOST))
    if any(v.shape != (channels,) for v in vectors):
        raise Declined("vectors that do not fit the channels")
    blocks = -(-outer // rows)
    c.builder.scratch = max(c.builder.scratch, (2 * blocks + 3) * channels * 4)
    training = bool(node.attrs["is_training"])
    return {
        "outer": outer, "channels": channels, "inner": inner, "rows": rows, "blocks": blocks, "training": training,
    }  # fmt: skip


def _by_image(c: Any, node: Any, x: Value) -> dict[str, int] | None:
    """Images, channels and pixels where a node is computed image by image; the scratch is set aside."""
    n, h, w, channels = x.shape
    if not node.attrs["is_training"] or node.attrs["data_format"] != b"NHWC" or n < _IMAGES or h * w < _PIXELS:
        return None
    c.builder.scratch = max(c.builder.scratch, 2 * n * channels * 4)
    return {"n": n, "channels": channels, "pixels": h * w}


def _give_empty(c: Any, out: int, size: int = 0) -> None:
    c.give(out, Value(F32, (size,), constant=np.zeros(size, F32)))


@emits("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3", refuses=True)
def _batch_norm(c, node, ins, outs):
    x, scale, offset, *given = ins
    training = node.attrs["is_training"]
    require_float(*given)
    if training and any(v.shape != (0,) for v in given):
        raise Declined("training with estimates")
    layout = _layout(c, node, x, scale, offset, *([] if training else given))
    x, scale, offset = c.ready(x), c.ready(scale), c.ready(offset)
    given_mean, given_variance = (scale, scale) if training else (c.ready(given[0]), c.ready(given[1]))
    y = c.result(outs[0], F32, x.shape)
    mean, variance, kept_mean, kept_variance = [c.result(out, F32, scale.shape) for out in outs[1:5]]
    by_image, epsilon = _by_image(c, node, x), node.attrs["epsilon"]
    if by_image is not None:
        factors = c.inner(F32, (2, scale.size))
        c.emit(
            BatchMoments(
                mean=mean, variance=variance, kept_mean=kept_mean, kept_variance=kept_variance, factors=factors, x=x,
                scale=scale, **by_image, epsilon=epsilon,
            )
        )  # fmt: skip
        c.emit(BatchScale(y=y, x=x, factors=factors, offset=offset, **by_image))
    else:
        c.emit(
            BatchNorm(
                y=y, mean=mean, variance=variance, kept_mean=kept_mean, kept_variance=kept_variance, x=x, scale=scale,
                offset=offset, given_mean=given_mean, given_variance=given_variance, **layout, epsilon=epsilon,
            )
        )  # fmt: skip
    for out in outs[5:]:
        c.give(out, Value(F32, (), constant=np.zeros((), F32)))


@emits("FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3")
def _batch_norm_grad(c, node, ins, outs):
    grad, x, scale, mean, variance = ins[:5]
    require_float(grad)
    if grad.shape != x.shape:
        raise Declined("a gradient of another shape")
    layout = _layout(c, node, x, scale, mean, variance)
    grad, x, scale, mean, variance = [c.ready(v) for v in (grad, x, scale, mean, variance)]
    dx = c.result(outs[0], F32, x.shape)
    dscale, doffset = [c.result(out, F32, scale.shape) for out in outs[1:3]]
    by_image, epsilon = _by_image(c, node, x), node.attrs["epsilon"]
    if by_image is not None:
        factors = c.inner(F32, (3, scale.size))
        c.emit(
            BatchProducts(
                dscale=dscale, doffset=doffset, factors=factors, grad=grad, x=x, scale=scale, mean=mean,
                variance=variance, **by_image, epsilon=epsilon,
            )
        )  # fmt: skip
        c.emit(BatchGradient(dx=dx, grad=grad, x=x, factors=factors, mean=mean, **by_image))
    else:
        c.emit(
            BatchNormGrad(
                dx=dx, dscale=dscale, doffset=doffset, grad=grad, x=x, scale=scale, mean=mean, variance=variance,
                **layout, epsilon=epsilon,
            )
        )  # fmt: skip
    for out in outs[3:]:
        _give_empty(c, out, 0 if node.attrs["is_training"] else scale.size)

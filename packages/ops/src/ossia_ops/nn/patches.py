"""Patches of images and volumes, laid out along the channels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, OutOfRangeError, UnimplementedError, dims_text
from ossia_core.names.sizes import allocatable
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones
from ossia_ops.array.shape import expand_dims, one_of, reshape, shape
from ossia_ops.array.transposition import transpose
from ossia_ops.element_types import REALS
from ossia_ops.math.sequence import range as range_of
from ossia_ops.nn.windows import padded, padding_amounts, windows
from ossia_ops.sparse.dense import sparse_tensor_dense_matmul
from ossia_ops.sparse.shape import sparse_slice


def _count(size: int | None, window: int, stride: int, rate: int, padding: bytes) -> int | None:
    """How many patches fit along one dimension.

    Raises:
      ValueError: less than none, or the stride is not positive.
    """
    if stride <= 0:
        raise ValueError(f"Stride must be > 0, but got {stride}")
    if size is None:
        return None
    if padding == b"SAME":
        return -(-size // stride)
    effective = (window - 1) * rate + 1
    count = int((size - effective + stride) / stride)
    if count < 0:
        raise ValueError(
            f"Computed output size would be negative: {count} [input_size: {size}, "
            f"effective_filter_size: {effective}, stride: {stride}]"
        )
    return count


def _patches_shape(
    x: Tensor, ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: bytes
) -> Any:
    dims = with_rank(x, len(ksizes)).as_list() if x.shape.ndims is not None else [None] * len(ksizes)
    depth = None if dims[-1] is None else dims[-1] * math.prod(ksizes[1:-1])
    if depth is not None and depth < 0:
        raise ValueError(f"Negative dimension size caused by windows of sizes {dims_text(ksizes)}")
    counts = [_count(*parts, padding) for parts in zip(dims[1:-1], ksizes[1:-1], strides[1:-1], rates[1:-1])]
    return (dims[0], *([None] * len(counts) if None in counts else counts), depth)


def _patches(x: Any, ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: bytes) -> Any:
    for name, values in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
        if values[0] != 1 or values[-1] != 1:
            raise UnimplementedError(None, None, f"Only support {name} across space.")
        if min(values) < 1:
            raise OutOfRangeError(None, None, f"{name} is out of range.")
    if x.ndim != len(ksizes):
        raise InvalidArgumentError(None, None, f"input must be {len(ksizes)}-dimensional: {dims_text(x.shape)}")
    spatial, window = x.shape[1:-1], ksizes[1:-1]
    try:
        out = [_count(*parts, padding) for parts in zip(spatial, window, strides[1:-1], rates[1:-1])]
    except ValueError as e:
        raise InvalidArgumentError(None, None, str(e)) from None
    result = (x.shape[0], *out, math.prod(window) * x.shape[-1])
    allocatable(result, x.dtype.itemsize)
    if 0 in result:
        return np.zeros(result, x.dtype)
    pads = padding_amounts(spatial, window, strides[1:-1], rates[1:-1], padding)
    return windows(padded(x, pads), window, strides[1:-1], rates[1:-1], out).reshape(result)  # type: ignore[arg-type]


def _patches_gradient(
    indices: Any, window: Sequence[int], grad: Tensor, sizes: Sequence, counts: Any, batch: Any, channels: Any
) -> Tensor:
    """The gradient of patches, by a sparse matrix of the positions of the inputs' elements in the patches.

    Args:
      indices: from a tensor of numbers to its patches.
      window: the size of the patches.
      grad: the gradient.
      sizes: the spatial sizes of the input.
      counts: gives the numbers of patches along them.
      batch: the batch size.
      channels: the number of channels.
    """
    count = 1 + math.prod(sizes[1:], start=sizes[0])
    numbers = indices(reshape(range_of(1, count, dtype=dtypes.int64), (1, *sizes, 1)))
    out = counts()
    positions = math.prod((*out[1:], *window), start=out[0])
    places = reshape(range_of(positions, dtype=dtypes.int64), (1, *out, math.prod(window)))
    pairs = reshape(concat([expand_dims(numbers, axis=-1), expand_dims(places, axis=-1)], axis=-1), (-1, 2))
    matrix = SparseTensor(pairs, ones([positions], dtype=grad.dtype), (count, positions))
    # Number 0 is the padding.
    matrix = sparse_slice(matrix, (1, 0), (count - 1, positions))
    rank = 2 * len(window)
    parts = transpose(reshape(grad, (batch, *out, *window, channels)), (*range(1, rank + 1), 0, rank + 1))
    total = sparse_tensor_dense_matmul(matrix, reshape(parts, (-1, batch * channels)))
    rank = len(window)
    return transpose(reshape(total, (*sizes, batch, channels)), (rank, *range(rank), rank + 1))


extract_image_patches_op = op(
    "ExtractImagePatches(images: T) -> patches: T",
    ksizes="list(int32) >= 4",
    strides="list(int32) >= 4",
    rates="list(int32) >= 4",
    T=REALS,
    padding="{'SAME', 'VALID'}",
)


@extract_image_patches_op.shape
def _(images, *, ksizes, strides, rates, padding):
    with_rank(images, 4)
    for name, values in (("ksizes", ksizes), ("stride", strides), ("rates", rates)):
        if len(values) != 4:
            raise ValueError(
                f"ExtractImagePatches requires the {name} attribute to contain 4 values, but got: {len(values)}"
            )
    return _patches_shape(images, ksizes, strides, rates, padding)


@extract_image_patches_op.kernel
def _(images, *, ksizes, strides, rates, padding):
    return _patches(images, ksizes, strides, rates, padding)


@extract_image_patches_op.gradient
def _(node, grad):
    x = shape(node.inputs[0], out_type=dtypes.int64)
    batch, rows, columns, channels = x[0], x[1], x[2], x[3]
    ksizes = node.get_attr("ksizes")

    def indices(numbers: Tensor) -> Tensor:
        attrs = {name: node.get_attr(name) for name in ("ksizes", "strides", "rates", "padding")}
        return extract_image_patches_op(numbers, **attrs)

    def out() -> list[Tensor]:
        y = shape(node.outputs[0], out_type=dtypes.int64)
        return [y[1], y[2]]

    return _patches_gradient(indices, ksizes[1:3], grad, [rows, columns], out, batch, channels)


_IMAGE = np.arange(60, dtype=np.float32).reshape(2, 5, 3, 2)
extract_image_patches_op.samples(
    same=sample(_IMAGE, ksizes=[1, 3, 2, 1], strides=[1, 2, 1, 1], rates=[1, 1, 1, 1], padding="SAME"),
    valid=sample(_IMAGE, ksizes=[1, 2, 2, 1], strides=[1, 1, 1, 1], rates=[1, 2, 1, 1], padding="VALID"),
    none=sample(_IMAGE, ksizes=[1, 6, 2, 1], strides=[1, 2, 1, 1], rates=[1, 1, 1, 1], padding="VALID"),
)


@public("image.extract_image_patches", "extract_image_patches")
def extract_image_patches(
    images: Any,
    ksizes: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    sizes: Any = None,
) -> Tensor:
    """The patches of images, each laid out along the channels.

    Args:
      images: a tensor of shape [batch, rows, columns, channels].
      ksizes: the old name of `sizes`.
      strides: how far the patches are apart, as [1, rows, columns, 1].
      rates: how far the elements of a patch are apart, in the same form.
      padding: "VALID", or "SAME" for patches that start anywhere, with zeros around the image.
      name: name of the result.
      sizes: the sizes of the patches, in the same form.

    Returns:
      A tensor of shape [batch, rows, columns, sizes[1] * sizes[2] * channels].

    Raises:
      ValueError: both `ksizes` and `sizes` are given.
    """
    sizes = one_of("sizes", sizes, "ksizes", ksizes)
    return extract_image_patches_op(images, ksizes=sizes, strides=strides, rates=rates, padding=padding, name=name)


@public("image.extract_patches")
def extract_patches(images: Any, sizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None) -> Tensor:
    """The patches of images, each laid out along the channels: as `extract_image_patches`."""
    return extract_image_patches_op(images, ksizes=sizes, strides=strides, rates=rates, padding=padding, name=name)


extract_volume_patches_op = op(
    "ExtractVolumePatches(input: T) -> patches: T",
    ksizes="list(int32) >= 5",
    strides="list(int32) >= 5",
    T=REALS,
    padding="{'SAME', 'VALID'}",
)


@extract_volume_patches_op.shape
def _(input, *, ksizes, strides, padding):
    with_rank(input, 5)
    for name, values in (("ksizes", ksizes), ("strides", strides)):
        if len(values) != 5:
            raise ValueError(
                f"ExtractVolumePatches requires the {name} attribute to contain 5 values, but got: {len(values)}"
            )
    return _patches_shape(input, ksizes, strides, [1] * 5, padding)


@extract_volume_patches_op.kernel
def _(input, *, ksizes, strides, padding):
    return _patches(input, ksizes, strides, [1] * 5, padding)


@extract_volume_patches_op.gradient
def _(node, grad):
    source, target = node.inputs[0], node.outputs[0]
    known = [tensor.shape[1:4] for tensor in (source, target)]
    fixed = all(dims.is_fully_defined() for dims in known)
    x = shape(source, out_type=dtypes.int32 if fixed else dtypes.int64)
    batch, channels = x[0], x[4]
    ksizes = node.get_attr("ksizes")
    sizes = known[0].as_list() if fixed else [x[1], x[2], x[3]]

    def counts() -> list:
        if fixed:
            return known[1].as_list()
        y = shape(target, out_type=dtypes.int64)
        return [y[1], y[2], y[3]]

    def indices(numbers: Tensor) -> Tensor:
        return extract_volume_patches_op(
            numbers, ksizes=ksizes, strides=node.get_attr("strides"), padding=node.get_attr("padding")
        )

    return _patches_gradient(indices, ksizes[1:4], grad, sizes, counts, batch, channels)


_VOLUME = np.arange(48, dtype=np.float32).reshape(1, 2, 4, 3, 2)
extract_volume_patches_op.samples(
    same=sample(_VOLUME, ksizes=[1, 2, 3, 1, 1], strides=[1, 1, 2, 1, 1], padding="SAME"),
    valid=sample(_VOLUME, ksizes=[1, 2, 2, 2, 1], strides=[1, 1, 1, 1, 1], padding="VALID"),
)


@public("extract_volume_patches")
def extract_volume_patches(input: Any, ksizes: Any, strides: Any, padding: str, name: str | None = None) -> Tensor:
    """The patches of volumes, each laid out along the channels.

    Args:
      input: a tensor of shape [batch, planes, rows, columns, channels].
      ksizes: the sizes of the patches, as [1, planes, rows, columns, 1].
      strides: how far they are apart, in the same form.
      padding: "VALID", or "SAME" for patches that start anywhere, with zeros around the volume.
      name: name of the result.
    """
    return extract_volume_patches_op(input, ksizes=ksizes, strides=strides, padding=padding, name=name)

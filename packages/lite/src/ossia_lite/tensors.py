"""What is known of a tensor before a model runs, and the values of its constants."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ossia_lite.operators import TENSOR_TYPES, numpy_dtype
from ossia_lite.schema import Record
from ossia_lite.sparsity import dense


@dataclass
class TensorInfo:
    """A tensor of a subgraph: its type, shape and quantization."""

    index: int
    name: str
    type: str
    dtype: Any
    shape: tuple[int, ...]
    signature: tuple[int, ...]
    """The shape with -1 for sizes that may be changed."""
    scales: np.ndarray
    zero_points: np.ndarray
    axis: int
    """The dimension that has a scale per index, if there is more than one scale."""
    is_variable: bool

    @property
    def quantized(self) -> bool:
        """Whether elements stand for real numbers, `(element - zero_point) * scale`."""
        return self.scales.size > 0 and np.dtype(self.dtype).kind in "iu" and self.type not in ("INT32", "INT64")

    @property
    def scale(self) -> float:
        """The scale, or the first one."""
        return float(self.scales[0]) if self.scales.size else 0.0

    @property
    def zero_point(self) -> int:
        """The zero point, or the first one."""
        return int(self.zero_points[0]) if self.zero_points.size else 0


def tensor_info(index: int, tensor: Record) -> TensorInfo:
    """What a record of the table `Tensor` says.

    Args:
        index: Its place in the subgraph.
        tensor: The record.
    """
    quantization = tensor.quantization
    scales = np.asarray(quantization.scale or [] if quantization else [], np.float32)
    zero_points = np.asarray(quantization.zero_point or [] if quantization else [], np.int64)
    if scales.size and not zero_points.size:
        zero_points = np.zeros(scales.size, np.int64)
    shape = tuple(tensor.shape)
    kind = TENSOR_TYPES[tensor.type]
    dtype = np.int32 if kind == "VARIANT" else numpy_dtype(tensor.type)
    return TensorInfo(
        index,
        tensor.name or "",
        kind,
        dtype,
        shape,
        tuple(tensor.shape_signature or shape),
        scales,
        zero_points,
        quantization.quantized_dimension if quantization else 0,
        bool(tensor.is_variable),
    )


def constant_value(model: Record, tensor: Record) -> np.ndarray | None:
    """The value of a constant tensor, which must not be written to; None if it is not constant.

    Args:
        model: The model, for its buffers.
        tensor: A record of the table `Tensor`.

    Raises:
        ValueError: The buffer does not hold such a value.
    """
    data = model.buffers[tensor.buffer].data if tensor.buffer < len(model.buffers) else None
    if data is None or not len(data):
        return None
    kind = TENSOR_TYPES[tensor.type]
    if tensor.sparsity is not None:
        return dense(_sparse_values(data, tensor), tuple(tensor.shape), tensor.sparsity)
    if kind == "STRING":
        return _strings(data.tobytes()).reshape(tensor.shape)
    if kind == "INT4":
        pairs = data.view(np.int8)
        unpacked = np.stack([pairs << 4 >> 4, pairs >> 4], axis=-1).reshape(-1)
        return unpacked[: math.prod(tensor.shape)].reshape(tensor.shape)
    return np.frombuffer(data, numpy_dtype(tensor.type)).reshape(tensor.shape)


def _sparse_values(data: np.ndarray, tensor: Record) -> np.ndarray:
    dtype = np.dtype(numpy_dtype(tensor.type))
    if dtype.kind == "S" or len(data) % dtype.itemsize:
        raise ValueError(f"The sparse constant {tensor.name!r} has {len(data)} bytes.")
    return np.frombuffer(data, dtype)


def _strings(data: bytes) -> np.ndarray:
    """The strings of a buffer: their number, where each begins and the last one ends, then the bytes."""
    count = int.from_bytes(data[:4], "little")
    if len(data) < 8 + 4 * count:
        raise ValueError(f"A buffer of {len(data)} bytes cannot hold {count} strings.")
    bounds = np.frombuffer(data, "<i4", count + 1, 4).tolist()
    if any(not 0 <= start <= end <= len(data) for start, end in zip(bounds, bounds[1:], strict=False)):
        raise ValueError("Strings of a buffer do not lie within it.")
    found = np.empty(count, object)
    found[:] = [data[start:end] for start, end in zip(bounds, bounds[1:], strict=False)]
    return found

"""What a model holds, as rows of tables."""

from __future__ import annotations

import collections
from typing import Any, NamedTuple

from ossia_lite.checks import operator_name
from ossia_lite.operators import TENSOR_TYPES
from ossia_lite.schema import Record
from ossia_lite.tensors import tensor_info


class TensorRow(NamedTuple):
    """A tensor: its place, name, type, shape and quantization."""

    place: int
    name: str
    type: str
    shape: list[int]
    quantization: str


class OperatorRow(NamedTuple):
    """A kind of operator: how many there are, its version, and the bytes of the constants that only it uses."""

    operator: str
    number: int
    version: int
    bytes: int


def tensor_rows(model: Record, subgraph: int, indices: list[int]) -> list[TensorRow]:
    """Rows of tensors.

    Args:
        model: A record of the table `Model`.
        subgraph: Which subgraph.
        indices: Which of its tensors.
    """
    tensors = model.subgraphs[subgraph].tensors
    found = [tensor_info(index, tensors[index]) for index in indices if index >= 0]
    return [TensorRow(i.index, i.name, i.type, list(i.signature), _quantization(i)) for i in found]


def _quantization(info: Any) -> str:
    if not info.scales.size:
        return ""
    if info.scales.size > 1:
        return f"{info.scales.size} scales, dimension {info.axis}"
    return f"{info.scale:.6g} * (q - {info.zero_point})" if info.zero_point else f"{info.scale:.6g} * q"


def operator_rows(model: Record) -> list[OperatorRow]:
    """Rows of operators, the most frequent first, over all subgraphs.

    Args:
        model: A record of the table `Model`.
    """
    count: collections.Counter[int] = collections.Counter()
    size: collections.Counter[int] = collections.Counter()
    seen: set[int] = set()
    for graph in model.subgraphs:
        for operator in graph.operators:
            count[operator.opcode_index] += 1
            for index in operator.inputs:
                place = graph.tensors[index].buffer if index >= 0 else 0
                if place and place not in seen:
                    seen.add(place)
                    size[operator.opcode_index] += buffer_size(model, place)
    codes = model.operator_codes
    return [OperatorRow(operator_name(codes[i]), n, codes[i].version, size[i]) for i, n in count.most_common()]


def buffer_size(model: Record, index: int) -> int:
    """The bytes of a buffer.

    Args:
        model: A record of the table `Model`.
        index: Which buffer.
    """
    data = model.buffers[index].data if index < len(model.buffers) else None
    return 0 if data is None else len(data)


def type_sizes(model: Record) -> dict[str, int]:
    """The bytes of constants by tensor type.

    Args:
        model: A record of the table `Model`.
    """
    sizes: collections.Counter[str] = collections.Counter()
    seen: set[int] = set()
    for graph in model.subgraphs:
        for tensor in graph.tensors:
            if tensor.buffer and tensor.buffer not in seen:
                seen.add(tensor.buffer)
                sizes[TENSOR_TYPES[tensor.type]] += buffer_size(model, tensor.buffer)
    return {kind: size for kind, size in sizes.most_common() if size}

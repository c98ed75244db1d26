"""What a model says, checked before it is used: indices, shapes, sizes of constants, quantization, cycles of
subgraphs."""

from __future__ import annotations

import math

import numpy as np

from ossia_lite.operators import OPERATOR_NAMES, TENSOR_TYPES, numpy_dtype
from ossia_lite.schema import Record

_MAX_BYTES = 1 << 40
_SUBGRAPH_FIELDS = (
    "then_subgraph_index",
    "else_subgraph_index",
    "cond_subgraph_index",
    "body_subgraph_index",
    "init_subgraph_index",
    "subgraph",
)


def check_model(model: Record) -> None:
    """Checks everything in a model that is an index or a size, and its lists, which are never None afterwards.

    Args:
        model: A record of the table `Model`; missing lists become empty.

    Raises:
        ValueError: What it says cannot be.
    """
    if model.version != 3:
        raise ValueError(f"The model has schema version {model.version}; only version 3 is known.")
    for name in ("operator_codes", "subgraphs", "buffers", "metadata", "signature_defs"):
        setattr(model, name, getattr(model, name) or [])
    if not model.subgraphs:
        raise ValueError("The model has no subgraph.")
    for code in model.operator_codes:
        if not 0 <= code.builtin_code < 1 << 15:
            raise ValueError(f"The operator code {code.builtin_code} cannot be.")
    for index, subgraph in enumerate(model.subgraphs):
        _check_subgraph(model, subgraph, f"Subgraph {index}")
    for signature in model.signature_defs:
        if signature.subgraph_index >= len(model.subgraphs):
            raise ValueError(f"Signature {signature.signature_key!r}: there is no subgraph {signature.subgraph_index}.")
        tensors = model.subgraphs[signature.subgraph_index].tensors
        for entry in (*(signature.inputs or ()), *(signature.outputs or ())):
            if entry.tensor_index >= len(tensors):
                raise ValueError(f"Signature {signature.signature_key!r}: there is no tensor {entry.tensor_index}.")
    _check_cycles(model)


def operator_name(code: Record) -> str:
    """The name of an operator: a builtin's, such as `CONV_2D`, or that of a custom one.

    Args:
        code: A record of the table `OperatorCode`.
    """
    known = (
        OPERATOR_NAMES[code.builtin_code]
        if code.builtin_code < len(OPERATOR_NAMES)
        else f"operator {code.builtin_code}"
    )
    return code.custom_code or known if known == "CUSTOM" else known


def _check_subgraph(model: Record, subgraph: Record, what: str) -> None:
    for name in ("tensors", "inputs", "outputs", "operators"):
        setattr(subgraph, name, getattr(subgraph, name) or [])
    for index, tensor in enumerate(subgraph.tensors):
        _check_tensor(model, tensor, f"{what}, tensor {index}")
    count = len(subgraph.tensors)
    for indices in (subgraph.inputs, subgraph.outputs):
        _check_indices(indices, count, what)
    for index, operator in enumerate(subgraph.operators):
        if operator.opcode_index >= len(model.operator_codes):
            raise ValueError(f"{what}, operator {index}: there is no operator code {operator.opcode_index}.")
        operator.inputs, operator.outputs = operator.inputs or [], operator.outputs or []
        for indices in (operator.inputs, operator.outputs, operator.intermediates or []):
            _check_indices(indices, count, f"{what}, operator {index}")


def _check_indices(indices: list[int], count: int, what: str) -> None:
    for index in indices:
        if not -1 <= index < count:
            raise ValueError(f"{what}: there is no tensor {index}.")


def _check_tensor(model: Record, tensor: Record, what: str) -> None:
    tensor.shape = tensor.shape or []
    if not 0 <= tensor.type < len(TENSOR_TYPES):
        raise ValueError(f"{what}: there is no tensor type {tensor.type}.")
    if any(size < 0 for size in tensor.shape) or len(tensor.shape) > 32:
        raise ValueError(f"{what}: {tensor.shape} is not a shape.")
    if tensor.buffer >= max(len(model.buffers), 1):
        raise ValueError(f"{what}: there is no buffer {tensor.buffer}.")
    size = math.prod(tensor.shape)
    kind = TENSOR_TYPES[tensor.type]
    if size * 16 > _MAX_BYTES:
        raise ValueError(f"{what}: a tensor of shape {tensor.shape} is too large.")
    data = model.buffers[tensor.buffer].data if model.buffers else None
    if data is not None and len(data) and kind not in ("STRING", "RESOURCE", "VARIANT") and tensor.sparsity is None:
        wanted = (size + 1) // 2 if kind == "INT4" else size * np.dtype(numpy_dtype(tensor.type)).itemsize
        if len(data) != wanted:
            raise ValueError(f"{what}: its buffer has {len(data)} bytes where its shape {tensor.shape} takes {wanted}.")
    _check_quantization(tensor, what)


def _check_quantization(tensor: Record, what: str) -> None:
    quantization = tensor.quantization
    if quantization is None:
        return
    scales, zero_points = quantization.scale or [], quantization.zero_point or []
    axis = quantization.quantized_dimension
    if len(scales) > 1:
        if not 0 <= axis < len(tensor.shape) or tensor.shape[axis] != len(scales):
            raise ValueError(f"{what}: {len(scales)} scales do not fit dimension {axis} of shape {tensor.shape}.")
    if zero_points and len(zero_points) not in (1, len(scales)):
        raise ValueError(f"{what}: {len(scales)} scales and {len(zero_points)} zero points.")


def _check_cycles(model: Record) -> None:
    calls: list[set[int]] = []
    for subgraph in model.subgraphs:
        called = set()
        for operator in subgraph.operators:
            for name in _SUBGRAPH_FIELDS:
                index = getattr(operator.builtin_options, name, None)
                if index is None:
                    continue
                if not 0 <= index < len(model.subgraphs):
                    raise ValueError(f"There is no subgraph {index}.")
                called.add(index)
        calls.append(called)
    done: set[int] = set()
    while len(done) < len(calls):
        ready = {index for index, called in enumerate(calls) if index not in done and called <= done}
        if not ready:
            raise ValueError("Subgraphs call each other in a cycle.")
        done |= ready

"""Models back to graphs: the operators of a `.tflite` file as ops on real numbers, to be run, inspected or
trained on."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from ossia_core import files
from ossia_core.graph.graph import Graph
from ossia_lite.checks import operator_name
from ossia_lite.convert.graph_ops import BUILDERS, Operator, tf
from ossia_lite.fixed_point import limits
from ossia_lite.reader import read_model
from ossia_lite.tensors import TensorInfo, constant_value, tensor_info


def to_graph(model: bytes | str | os.PathLike[str]) -> Any:
    """A GraphDef that computes what a model does.

    Quantized constants become real ones, and what operators compute in integers is followed by fake quantization with
    the same scale. Inputs are placeholders, and outputs identities, of the names of the model's tensors.

    Args:
        model: The content of a `.tflite` file, or its path.

    Returns:
        The GraphDef.

    Raises:
        ValueError: The model is damaged, or cannot be read.
        NotImplementedError: It has operators that have no op; the message names all of them.
    """
    if not isinstance(model, bytes):
        path = os.fsdecode(model)
        with files.file_system(path).open(path, "rb") as stream:
            model = stream.read()
    record = read_model(model)
    subgraph = record.subgraphs[0]
    names = [operator_name(record.operator_codes[operator.opcode_index]) for operator in subgraph.operators]
    missing = sorted(set(names) - set(BUILDERS))
    if missing:
        raise NotImplementedError(f"ossia_lite.to_graph of the operators {', '.join(missing)}.")
    infos = [tensor_info(index, tensor) for index, tensor in enumerate(subgraph.tensors)]
    with Graph().as_default() as graph:  # operators in a scope of their own leave the names of outputs free
        values = _leaves(record, subgraph, infos)
        for name, operator in zip(names, subgraph.operators, strict=True):
            inputs = [values[index] if index >= 0 else None for index in operator.inputs]
            results = [infos[index] for index in operator.outputs]
            with tf.name_scope(f"operators/{_plain(results[0].name) if results else name}"):
                made = BUILDERS[name](Operator(name, operator.builtin_options, results), *inputs)
                for index, value in zip(operator.outputs, made if isinstance(made, list) else [made], strict=True):
                    values[index] = _rounded(value, infos[index])
        for index in subgraph.outputs:
            tf.identity(values[index], name=_plain(infos[index].name))
    return graph.as_graph_def()


def _leaves(record: Any, subgraph: Any, infos: list[TensorInfo]) -> dict[int, Any]:
    """Placeholders of inputs, and constants."""
    values: dict[int, Any] = {}
    for index in subgraph.inputs:
        info = infos[index]
        dtype = np.float32 if info.quantized else info.dtype
        signature = [None if size < 0 else size for size in info.signature]
        values[index] = tf.placeholder(dtype, signature, _plain(info.name))
    for index, tensor in enumerate(subgraph.tensors):
        value = constant_value(record, tensor)
        if value is not None and index not in values:
            values[index] = _real(value, infos[index])
    return values


def _real(value: np.ndarray, info: TensorInfo) -> np.ndarray:
    """Constants as arrays: builders take their values apart."""
    if value.dtype == np.float16:
        return value.astype(np.float32)
    if not info.scales.size or value.dtype.kind not in "iu":
        return value
    shape = [1] * value.ndim
    if info.scales.size > 1:
        shape[info.axis] = -1
    scales, zeros = info.scales.reshape(shape), np.broadcast_to(info.zero_points, info.scales.shape).reshape(shape)
    return ((value.astype(np.int64) - zeros) * scales.astype(np.float64)).astype(np.float32)


def _rounded(value: Any, info: TensorInfo) -> Any:
    if not info.quantized or info.scales.size != 1 or np.dtype(info.dtype).itemsize != 1:
        return value
    low, high = ((bound - info.zero_point) * info.scale for bound in limits(info.dtype))
    return tf.quantization.fake_quant_with_min_max_args(value, low, high)


def _plain(name: str) -> str:
    """A name that an op may have."""
    found = re.sub(r"[^A-Za-z0-9.\\-_/]", "_", name.partition(";")[0].removesuffix(":0")).strip("/")
    return found if found[:1].isalnum() else f"t{found}"

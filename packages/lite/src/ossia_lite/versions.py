"""Versions of operators: the lowest that has what an operator uses, so that old runtimes can load what they can run.

Source: what LiteRT and TensorFlow 1.15 accept, tried with models of single operators.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ossia_lite.operators import TYPE_CODES
from ossia_lite.schema import Record

_FLOAT, _INT8, _UINT8, _INT16 = (TYPE_CODES[name] for name in ("FLOAT32", "INT8", "UINT8", "INT16"))
# The version in which an operator takes int8.
_INT8_VERSIONS = {
    "ADD": 2,
    "AVERAGE_POOL_2D": 2,
    "CONCATENATION": 2,
    "CONV_2D": 3,
    "DEPTHWISE_CONV_2D": 3,
    "DEPTH_TO_SPACE": 1,
    "DEQUANTIZE": 2,
    "EQUAL": 2,
    "FULLY_CONNECTED": 4,
    "GATHER": 2,
    "GREATER": 2,
    "GREATER_EQUAL": 2,
    "HARD_SWISH": 1,
    "L2_NORMALIZATION": 2,
    "LEAKY_RELU": 2,
    "LESS": 2,
    "LESS_EQUAL": 2,
    "LOGISTIC": 2,
    "LOG_SOFTMAX": 2,
    "MAXIMUM": 2,
    "MAX_POOL_2D": 2,
    "MEAN": 2,
    "MINIMUM": 2,
    "MUL": 2,
    "NOT_EQUAL": 2,
    "PACK": 2,
    "PAD": 2,
    "PADV2": 2,
    "PRELU": 1,
    "QUANTIZE": 1,
    "REDUCE_MAX": 2,
    "REDUCE_MIN": 2,
    "RELU": 2,
    "RELU6": 2,
    "RESIZE_BILINEAR": 2,
    "RESIZE_NEAREST_NEIGHBOR": 2,
    "SELECT": 2,
    "SLICE": 2,
    "SOFTMAX": 2,
    "SPACE_TO_DEPTH": 2,
    "SPACE_TO_BATCH_ND": 2,
    "BATCH_TO_SPACE_ND": 2,
    "SPLIT": 2,
    "SPLIT_V": 2,
    "STRIDED_SLICE": 2,
    "SUB": 2,
    "SUM": 2,
    "TANH": 2,
    "TRANSPOSE": 2,
    "TRANSPOSE_CONV": 2,
    "UNPACK": 2,
    "ARG_MAX": 2,
    "ARG_MIN": 2,
    "TOPK_V2": 2,
    "BATCH_MATMUL": 2,
    "SQUEEZE": 1,
    "RESHAPE": 1,
    "EXPAND_DIMS": 1,
}
_RUNTIMES = {  # the first release of the runtime with a version of an operator
    ("CONV_2D", 1): "1.5.0",
    ("CONV_2D", 2): "1.14.0",
    ("CONV_2D", 3): "1.14.0",
    ("CONV_2D", 5): "2.4.0",
    ("DEPTHWISE_CONV_2D", 2): "1.12.0",
    ("DEPTHWISE_CONV_2D", 3): "1.14.0",
    ("FULLY_CONNECTED", 2): "1.10.0",
    ("FULLY_CONNECTED", 3): "1.14.0",
    ("FULLY_CONNECTED", 4): "1.14.0",
    ("FULLY_CONNECTED", 5): "2.0.0",
    ("BATCH_MATMUL", 1): "2.3.0",
    ("HARD_SWISH", 1): "1.15.0",
    ("QUANTIZE", 1): "1.14.0",
    ("RESIZE_BILINEAR", 3): "2.2.0",
    ("RESIZE_NEAREST_NEIGHBOR", 3): "2.3.0",
    ("TRANSPOSE_CONV", 2): "2.2.0",
    ("TRANSPOSE_CONV", 3): "2.3.0",
    ("DEQUANTIZE", 3): "1.15.0",
    ("STRIDED_SLICE", 4): "2.1.0",
    ("ELU", 1): "1.14.0",
    ("MIRROR_PAD", 1): "1.13.1",
}


def operator_version(name: str, operator: Record, tensors: Sequence[Record]) -> int:
    """The lowest version that has what an operator uses.

    Args:
        name: The name of its kind.
        operator: The operator.
        tensors: The tensors of its subgraph.
    """
    options = operator.builtin_options
    types = [tensors[index].type if index >= 0 else None for index in (*operator.inputs, *operator.outputs)]
    version = _INT8_VERSIONS.get(name, 1) if _INT8 in types[: -len(operator.outputs) or None] or _INT8 in types else 1
    hybrid = len(types) > 1 and types[0] == _FLOAT and types[1] == _INT8
    if name in ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED") and hybrid:
        per_channel = len(tensors[operator.inputs[1]].quantization.scale) > 1
        version = {
            "CONV_2D": 5 if per_channel else 2,
            "DEPTHWISE_CONV_2D": 6 if per_channel else 4,
            "FULLY_CONNECTED": 12 if per_channel else 3,
        }[name]
    if name == "FULLY_CONNECTED":
        if options is not None and options.keep_num_dims:
            version = max(version, 5)
        if len(operator.inputs) < 3 or operator.inputs[2] < 0:
            version = max(version, 6)
    if (
        name == "DEPTHWISE_CONV_2D"
        and options is not None
        and (options.dilation_w_factor, options.dilation_h_factor) != (1, 1)
    ):
        version = max(version, 2)
    if name in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR") and getattr(options, "half_pixel_centers", False):
        version = max(version, 3)
    if name == "TRANSPOSE_CONV" and len(operator.inputs) > 3 and operator.inputs[3] >= 0:
        version = max(version, 3)
    if name == "BROADCAST_TO":
        version = 2
    if name == "GATHER" and options is not None and options.batch_dims:
        version = max(version, 5)
    return version


def runtime_version(operators: Iterable[Any]) -> str:
    """The first release of the runtime that has all operators, as the metadata of a file name it.

    Args:
        operators: Names and versions.
    """
    found = [_RUNTIMES.get(entry, "1.5.0") for entry in operators]
    return max(found, key=lambda release: [int(part) for part in release.split(".")], default="1.5.0")

"""Kernels of the builtin operators: one function each, found by the operator's name in the module of its family.

A kernel gets a `Call` and one array per input, None for an input that is left out, and returns one array, or a tuple
of them. It changes no
input but those that the file declares as variables.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ossia_lite import custom_operators
from ossia_lite.tensors import TensorInfo

FAMILIES = {
    "convolution": "CONV_2D DEPTHWISE_CONV_2D TRANSPOSE_CONV",
    "matrix": "FULLY_CONNECTED BATCH_MATMUL",
    "pool": "AVERAGE_POOL_2D MAX_POOL_2D L2_POOL_2D",
    "arithmetic": (
        "ADD SUB MUL DIV MAXIMUM MINIMUM POW FLOOR_DIV FLOOR_MOD SQUARED_DIFFERENCE ADD_N NEG ABS EXP LOG SQRT "
        "RSQRT SQUARE SIN COS FLOOR CEIL ROUND SIGN ATAN2 CUMSUM"
    ),
    "activation": (
        "RELU RELU6 RELU_N1_TO_1 RELU_0_TO_1 TANH LOGISTIC LEAKY_RELU PRELU HARD_SWISH ELU GELU SOFTMAX "
        "LOG_SOFTMAX L2_NORMALIZATION LOCAL_RESPONSE_NORMALIZATION"
    ),
    "shape": (
        "RESHAPE SQUEEZE EXPAND_DIMS TRANSPOSE SHAPE RANK PACK UNPACK SPLIT SPLIT_V CONCATENATION TILE "
        "BROADCAST_TO BROADCAST_ARGS FILL ZEROS_LIKE RANGE REVERSE_V2 SPACE_TO_DEPTH DEPTH_TO_SPACE "
        "SPACE_TO_BATCH_ND BATCH_TO_SPACE_ND"
    ),
    "slice": (
        "SLICE STRIDED_SLICE GATHER GATHER_ND SCATTER_ND PAD PADV2 MIRROR_PAD ONE_HOT EMBEDDING_LOOKUP "
        "DYNAMIC_UPDATE_SLICE"
    ),
    "reduce": "MEAN SUM REDUCE_PROD REDUCE_MAX REDUCE_MIN REDUCE_ANY REDUCE_ALL ARG_MAX ARG_MIN TOPK_V2",
    "compare": (
        "EQUAL NOT_EQUAL LESS LESS_EQUAL GREATER GREATER_EQUAL LOGICAL_AND LOGICAL_OR LOGICAL_NOT SELECT SELECT_V2 "
        "WHERE"
    ),
    "resize": "RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR",
    "quantize": "QUANTIZE DEQUANTIZE CAST FAKE_QUANT",
    "recurrent": (
        "UNIDIRECTIONAL_SEQUENCE_LSTM BIDIRECTIONAL_SEQUENCE_LSTM LSTM RNN UNIDIRECTIONAL_SEQUENCE_RNN "
        "BIDIRECTIONAL_SEQUENCE_RNN SVDF"
    ),
    "resources": (
        "HASHTABLE HASHTABLE_IMPORT HASHTABLE_FIND HASHTABLE_SIZE HASHTABLE_LOOKUP VAR_HANDLE ASSIGN_VARIABLE "
        "READ_VARIABLE"
    ),
    "segments": (
        "SEGMENT_SUM UNSORTED_SEGMENT_SUM UNSORTED_SEGMENT_PROD UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_MIN "
        "EMBEDDING_LOOKUP_SPARSE"
    ),
    "spectrum": "RFFT2D REAL IMAG COMPLEX_ABS AudioSpectrogram Mfcc",
    "sparse": (
        "DENSIFY SPARSE_TO_DENSE MATRIX_DIAG MATRIX_SET_DIAG UNIQUE REVERSE_SEQUENCE BUCKETIZE BITCAST BITWISE_XOR "
        "RIGHT_SHIFT"
    ),
    "suppression": "NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5",
    "random": "RANDOM_UNIFORM RANDOM_STANDARD_NORMAL MULTINOMIAL",
    "volume": "CONV_3D CONV_3D_TRANSPOSE",
    "subgraph": "IF WHILE CALL_ONCE",
    "detection": "TFLite_Detection_PostProcess",
}
ACTIVATION_BOUNDS = {0: (-np.inf, np.inf), 1: (0.0, np.inf), 2: (-1.0, 1.0), 3: (0.0, 6.0)}
"""Between which numbers a fused activation keeps results, for those that only clamp."""
_MODULES = {name: module for module, names in FAMILIES.items() for name in names.split()}


@dataclass
class Call:
    """An operator of a subgraph, as its kernel sees it."""

    name: str
    options: Any
    inputs: list[Any]
    outputs: list[TensorInfo]
    custom_options: bytes
    run_subgraph: Callable[[int, list[np.ndarray]], list[np.ndarray]]
    """Runs another subgraph of the model: its index and its inputs; returns its outputs."""
    constant: list[bool]
    """For each input, whether it is the same in every run."""
    resources: dict[Any, Any] = field(default_factory=dict)
    """Tables and variables of the whole model, by handle."""
    intermediates: list[TensorInfo] = field(default_factory=list)
    """Tensors that say how what is computed between is quantized."""
    packed: dict[str, Any] = field(default_factory=dict)
    """What a kernel keeps from one run to the next: constants in the form in which it needs them."""

    def option(self, name: str) -> Any:
        """A field of the options, or its default if the file has no options."""
        return getattr(self.options, name, 0)

    def keep(self, name: str, index: int, make: Callable[[], Any]) -> Any:
        """What `make` returns; made only once if input `index` is constant."""
        return self.keep_always(name, make) if self.constant[index] else make()

    def keep_always(self, name: str, make: Callable[[], Any]) -> Any:
        """What `make` returns; made only once."""
        if name not in self.packed:
            self.packed[name] = make()
        return self.packed[name]


Kernel = Callable[..., Any]


def find(name: str) -> Kernel:
    """The kernel of an operator.

    Args:
        name: The operator's name, such as `CONV_2D`.

    Raises:
        NotImplementedError: There is none.
    """
    module = _MODULES.get(name)
    if module is None:
        kernel = custom_operators.registered(name)
        if kernel is None:
            raise NotImplementedError(f"The operator {name} has no kernel.")
        return kernel
    return vars(importlib.import_module(f"ossia_lite.kernels.{module}"))[name.lower()]


def activate(x: np.ndarray, activation: int) -> np.ndarray:
    """Real numbers after a fused activation.

    Args:
        x: The result; it may be changed.
        activation: The number of the activation.

    Raises:
        NotImplementedError: The activation is not known.
    """
    if activation == 0:
        return x
    if activation == 1:
        return np.maximum(x, 0, out=x)
    if activation == 2:
        return np.clip(x, -1, 1, out=x)
    if activation == 3:
        return np.clip(x, 0, 6, out=x)
    if activation == 4:
        return np.tanh(x, out=x)
    raise NotImplementedError(f"The fused activation {activation}.")

"""Names and numbers of the builtin operators, tensor types and activations of a `.tflite` file (its published schema,
version 3)."""

from __future__ import annotations

import numpy as np

OPERATOR_NAMES = tuple(
    """
ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE EMBEDDING_LOOKUP FLOOR
FULLY_CONNECTED
HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D LOCAL_RESPONSE_NORMALIZATION LOGISTIC LSH_PROJECTION LSTM MAX_POOL_2D MUL
RELU
RELU_N1_TO_1 RELU6 RESHAPE RESIZE_BILINEAR RNN SOFTMAX SPACE_TO_DEPTH SVDF TANH CONCAT_EMBEDDINGS
SKIP_GRAM CALL CUSTOM EMBEDDING_LOOKUP_SPARSE PAD UNIDIRECTIONAL_SEQUENCE_RNN GATHER BATCH_TO_SPACE_ND
SPACE_TO_BATCH_ND TRANSPOSE
MEAN SUB DIV SQUEEZE UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE BIDIRECTIONAL_SEQUENCE_RNN EXP TOPK_V2 SPLIT
LOG_SOFTMAX DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM CAST PRELU MAXIMUM ARG_MAX MINIMUM LESS NEG
PADV2 GREATER GREATER_EQUAL LESS_EQUAL SELECT SLICE SIN TRANSPOSE_CONV SPARSE_TO_DENSE TILE
EXPAND_DIMS EQUAL NOT_EQUAL LOG SUM SQRT RSQRT SHAPE POW ARG_MIN
FAKE_QUANT REDUCE_PROD REDUCE_MAX PACK LOGICAL_OR ONE_HOT LOGICAL_AND LOGICAL_NOT UNPACK REDUCE_MIN
FLOOR_DIV REDUCE_ANY SQUARE ZEROS_LIKE FILL FLOOR_MOD RANGE RESIZE_NEAREST_NEIGHBOR LEAKY_RELU SQUARED_DIFFERENCE
MIRROR_PAD ABS SPLIT_V UNIQUE CEIL REVERSE_V2 ADD_N GATHER_ND COS WHERE
RANK ELU REVERSE_SEQUENCE MATRIX_DIAG QUANTIZE MATRIX_SET_DIAG ROUND HARD_SWISH IF WHILE
NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 SCATTER_ND SELECT_V2 DENSIFY SEGMENT_SUM BATCH_MATMUL
PLACEHOLDER_FOR_GREATER_OP_CODES
CUMSUM CALL_ONCE BROADCAST_TO RFFT2D CONV_3D IMAG REAL COMPLEX_ABS HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT
HASHTABLE_SIZE
REDUCE_ALL CONV_3D_TRANSPOSE VAR_HANDLE READ_VARIABLE ASSIGN_VARIABLE BROADCAST_ARGS RANDOM_STANDARD_NORMAL BUCKETIZE
RANDOM_UNIFORM MULTINOMIAL GELU DYNAMIC_UPDATE_SLICE RELU_0_TO_1 UNSORTED_SEGMENT_PROD UNSORTED_SEGMENT_MAX
UNSORTED_SEGMENT_SUM
ATAN2 UNSORTED_SEGMENT_MIN SIGN BITCAST BITWISE_XOR RIGHT_SHIFT
""".split()
)
OPERATOR_CODES = {name: code for code, name in enumerate(OPERATOR_NAMES)}
CUSTOM = OPERATOR_CODES["CUSTOM"]
GREATER_CODES = 127  # the old one-byte field holds this for operators whose code does not fit

TENSOR_TYPES = (
    "FLOAT32",
    "FLOAT16",
    "INT32",
    "UINT8",
    "INT64",
    "STRING",
    "BOOL",
    "INT16",
    "COMPLEX64",
    "INT8",
    "FLOAT64",
    "COMPLEX128",
    "UINT64",
    "RESOURCE",
    "VARIANT",
    "UINT32",
    "UINT16",
    "INT4",
    "BFLOAT16",
    "INT2",
    "UINT4",
    "FLOAT8_E4M3FN",
    "FLOAT8_E5M2",
)
TYPE_CODES = {name: code for code, name in enumerate(TENSOR_TYPES)}
# How a tensor of each type is held in memory; int4 is unpacked to int8, handles of resources are int32.
TYPE_DTYPES = {
    "FLOAT32": np.float32,
    "FLOAT16": np.float16,
    "INT32": np.int32,
    "UINT8": np.uint8,
    "INT64": np.int64,
    "STRING": np.bytes_,
    "BOOL": np.bool_,
    "INT16": np.int16,
    "COMPLEX64": np.complex64,
    "INT8": np.int8,
    "FLOAT64": np.float64,
    "COMPLEX128": np.complex128,
    "UINT64": np.uint64,
    "RESOURCE": np.int32,
    "UINT32": np.uint32,
    "UINT16": np.uint16,
    "INT4": np.int8,
}

ACTIVATIONS = ("NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT")
SAME, VALID = 0, 1


def numpy_dtype(type_code: int) -> type:
    """The NumPy type of a tensor type's elements.

    Args:
        type_code: A tensor type, as a file has it.

    Raises:
        ValueError: There is no such type, or it has no elements in memory.
    """
    name = TENSOR_TYPES[type_code] if 0 <= type_code < len(TENSOR_TYPES) else str(type_code)
    if name not in TYPE_DTYPES:
        raise ValueError(f"Tensors of type {name} cannot be held.")
    return TYPE_DTYPES[name]


def type_code(dtype: np.dtype | type) -> int:
    """The tensor type whose elements have a NumPy type.

    Args:
        dtype: A NumPy type.

    Raises:
        ValueError: No tensor type has it.
    """
    wanted = np.dtype(dtype)
    if wanted.kind in "SOU":
        return TYPE_CODES["STRING"]
    for name, held in TYPE_DTYPES.items():
        if np.dtype(held) == wanted:
            return TYPE_CODES[name]
    raise ValueError(f"A .tflite file has no tensor type for {wanted}.")

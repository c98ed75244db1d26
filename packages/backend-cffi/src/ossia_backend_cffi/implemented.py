"""What the backend implements, by type of op, beside the emitters and kernels that register themselves: tables for what
is asked before these are loaded. What an op means stands on its declaration."""
from __future__ import annotations

from typing import Any

from ossia_core.names import dtypes

# Whose emitters take floats only, integers only, or give float32 only.
OF_FLOATS = frozenset(
    (
        "MatMul",
        "AddN",
        "BiasAdd",
        "BiasAddGrad",
        "Sum",
        "Mean",
        "Max",
        "Min",
        "Prod",
        "ArgMax",
        "ArgMin",
        "Neg",
        "Abs",
        "Sign",
        "Square",
        "Pow",
        "RealDiv",
        "Div",
        "SquaredDifference",
        "L2Loss",
        "Conv2D",
        "MaxPool",
        "AvgPool",
        "UnsortedSegmentSum",
        *("Erf", "Erfc", "Lgamma", "Digamma", "Igamma", "Igammac", "Zeta", "Polygamma", "Betainc"),
    )
)
_PLAIN_DRAWS = frozenset(("RandomUniform", "RandomStandardNormal", "TruncatedNormal"))
OF_INTEGERS = frozenset(("FloorDiv", "FloorMod", "TruncateDiv", "TruncateMod"))
# What is done sooner on single numbers than a native call is set up.
_LIGHT = frozenset(
    (
        *("Identity", "ReadVariableOp", "AddV2", "Add", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Neg", "Square"),
        *("Assign", "AssignAdd", "AssignSub", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"),
    )
)
# What has a kernel of its own, for arrays whose shapes are known when it is called.
DIRECT = frozenset(
    (
        *("SegmentSum", "SegmentMean", "SegmentProd", "SegmentMax", "SegmentMin"),
        *("SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"),
        *("UnsortedSegmentSum", "UnsortedSegmentProd", "UnsortedSegmentMax", "UnsortedSegmentMin"),
        *("InTopK", "InTopKV2", "MaxPoolWithArgmax", "RandomShuffle", "Lu", "TridiagonalSolve", "CTCLoss"),
        "CTCBeamSearchDecoder",
        *("SparseTensorDenseMatMul", "TopK", "TopKV2", "RandomUniformInt"),
        *("MatrixTriangularSolve", "FakeQuantWithMinMaxArgs", "FakeQuantWithMinMaxVars"),
        *("FractionalMaxPool", "FractionalAvgPool", "FractionalMaxPoolGrad", "FractionalAvgPoolGrad"),
        *("StringToHashBucketFast", "StringToHashBucketStrong", "StringToHashBucket", "Fingerprint", "StringLength"),
        *("Substr", "StringJoin", "ReduceJoin", "UnsortedSegmentJoin", "StringNGrams", "EncodeBase64", "DecodeBase64"),
        *("StringToNumber", "DecodeRaw", "DecodeCSV", "ParseExample", "ParseSequenceExample"),
        *("RandomGamma", "RandomPoisson", "RandomPoissonV2", "IgammaGradA", "RandomGammaGrad"),
        *("RandomUniform", "RandomStandardNormal", "TruncatedNormal"),
    )
)
# What a program may call where it has no instruction for it: what computes values from values, and draws.
CALLED = frozenset(
    (
        *("All", "Any", "IsFinite", "IsNan", "IsInf", "OneHot", "TopK", "TopKV2", "InTopK", "InTopKV2", "CTCLoss"),
        *("Assert", "Sum", "Prod", "Max", "Min", "Mean", "ArgMax", "ArgMin", "Cumsum", "Cumprod", "Bincount", "Cast"),
        *("Range", "GatherNd", "ScatterNd", "ReverseV2", "ReverseSequence", "Roll", "InvertPermutation", "Bucketize"),
        *("Tile", "MatrixBandPart", "MatrixDiag", "MatrixDiagPart", "MatrixSetDiag", "Diag", "DiagPart"),
        *("BatchMatMul", "BatchMatMulV2", "Cholesky", "CholeskyGrad", "MatrixInverse", "MatrixDeterminant"),
        *("MatrixTriangularSolve", "MatrixSolve", "Cross", "SparseTensorDenseMatMul", "SparseToDense"),
        *("SelfAdjointEigV2", "LogMatrixDeterminant", "Atan2", "Conv3D", "ResizeBilinear", "ResizeBilinearGrad"),
        *("ResizeNearestNeighbor", "CropAndResize", "LRN", "LRNGrad", "SpaceToDepth", "DepthToSpace"),
        *("SpaceToBatchND", "BatchToSpaceND", "ExtractImagePatches", "MirrorPad", "StridedSlice", "StridedSliceGrad"),
        *("Slice", "Select", "SelectV2", "Fill", "Pad", "PadV2", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Invert"),
        *("LeftShift", "RightShift", "TruncateDiv", "TruncateMod"),
    )
)
DRAWS = frozenset(("RandomUniform", "RandomStandardNormal", "TruncatedNormal", "RandomUniformInt", "Multinomial"))
_LENGTHS = frozenset(("TensorArraySizeV3",))  # known once shapes are
_POPS = frozenset(("StackPopV2",))
_BY_ROW = frozenset(("Mul", "RealDiv", "Neg", "Square", "Identity"))


def takes_dtypes(node: Any) -> bool:
    """Whether the emitter of a node takes the dtypes of its inputs, if these are compiled at all."""
    kind = node.type
    if kind in _PLAIN_DRAWS and node.outputs[0].dtype != dtypes.float32:
        return False
    if kind in OF_INTEGERS:
        return node._inputs[0].dtype.base_dtype in (dtypes.int32, dtypes.int64)
    return kind not in OF_FLOATS or node._inputs[0].dtype.base_dtype is dtypes.float32


def is_light(node: Any) -> bool:
    """Whether a node does next to nothing with single numbers."""
    return node.type in _LIGHT


def has_kernel(node: Any) -> bool:
    """Whether a node may have a kernel of its own in C."""
    return node.type in DIRECT


def is_called(node: Any) -> bool:
    """Whether programs may call the step of a node."""
    return node.type in CALLED or node.type in DRAWS


def gives_length(node: Any) -> bool:
    """Whether a node gives the length of an array, which a program knows."""
    return node.definition.describes_shape or node.type in _LENGTHS


def pops(node: Any) -> bool:
    """Whether a node takes a value from a stack of a forward loop."""
    return node.type in _POPS


def works_by_row(node: Any) -> bool:
    """Whether a node computes each row of its result from one row of its input."""
    return node.type in _BY_ROW


def cuts_shape(node: Any) -> bool:
    """Whether a node takes numbers out of a shape."""
    return node.type == "StridedSlice"


def sums_by_segment(node: Any) -> bool:
    """Whether a node adds up the rows of each segment."""
    return node.type == "UnsortedSegmentSum"

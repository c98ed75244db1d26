"""Which ops the mixed-precision rewrite computes in half precision, which it leaves alone, and which follow others."""

from __future__ import annotations

import os

from ossia_core.names.errors import InvalidArgumentError

# Worth it, and safe: products, which add up in float32.
ALLOW = """
    BatchMatMul BatchMatMulV2 BlockLSTM BlockLSTMGrad BlockLSTMGradV2 BlockLSTMV2 Conv2D Conv2DBackpropFilter
    Conv2DBackpropInput Conv3D Conv3DBackpropFilter Conv3DBackpropFilterV2 Conv3DBackpropInput Conv3DBackpropInputV2
    CudnnRNN CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3 CudnnRNNV2 CudnnRNNV3 GRUBlockCell GRUBlockCellGrad
    LSTMBlockCell LSTMBlockCellGrad MatMul
"""
# Safe between ops of ALLOW, not worth a cast of their own.
INFER = """
    Add AddN AddV2 AvgPool AvgPool3D AvgPool3DGrad AvgPoolGrad BiasAdd BiasAddGrad BiasAddV1 Elu EluGrad Erf Erfc
    FloorDiv FusedBatchNormGradV2 FusedBatchNormGradV3 FusedBatchNormV2 FusedBatchNormV3 Inv LeakyRelu LeakyReluGrad Log
    Log1p LogSoftmax Mul Prod RealDiv Reciprocal Sigmoid SigmoidGrad Softmax Softplus SoftplusGrad Sqrt Sub Tanh
    TanhGrad
"""
# Sums of many numbers, and functions that leave the range of float16; what follows them is no better.
DENY = """
    Exp Expm1 L2Loss Mean Pow SaveV2 SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits Sum
"""
# Values pass unchanged, or there is nothing to round.
CLEAR = """
    Abs ArgMax ArgMin BatchToSpace BatchToSpaceND BroadcastTo Ceil CheckNumerics ClipByValue Concat ConcatV2
    DepthToSpace DynamicPartition DynamicStitch Enter EnsureShape Equal Exit ExpandDims Fill Floor Gather GatherNd
    GatherV2 Greater GreaterEqual Identity IdentityN IsFinite IsInf IsNan Less LessEqual Max MaxPool MaxPool3D
    MaxPool3DGrad MaxPool3DGradGrad MaxPoolGrad MaxPoolGradGrad MaxPoolGradGradV2 MaxPoolGradV2 MaxPoolV2 Maximum Merge
    Min Minimum MirrorPad MirrorPadGrad Neg NextIteration NotEqual OneHot OnesLike Pack Pad PadV2 PreventGradient Rank
    Relu Relu6 Relu6Grad ReluGrad Reshape ResizeNearestNeighbor ResizeNearestNeighborGrad Reverse ReverseSequence
    ReverseV2 Round Select Shape ShapeN Sign Size Slice Snapshot SpaceToBatch SpaceToBatchND SpaceToDepth Split SplitV
    Squeeze StopGradient StridedSlice StridedSliceGrad Switch Tile TopK TopKV2 Transpose Unpack Where ZerosLike
"""
_VARIABLE = "TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_{}_{}"
_NAMES = {  # of each list in environment variables, of 1.15 and of later versions
    "allow": ("WHITELIST", "ALLOWLIST"),
    "infer": ("GRAYLIST", "INFERLIST"),
    "deny": ("BLACKLIST", "DENYLIST"),
    "clear": ("CLEARLIST",),
}


def op_lists() -> dict[str, frozenset[str]]:
    """The lists "allow", "infer", "deny" and "clear", changed as environment variables say.

    `TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_WHITELIST_ADD` holds op types, separated by commas, that join the list, and
    `..._REMOVE` those that leave it; GRAYLIST, BLACKLIST and CLEARLIST are the other lists; ALLOWLIST, INFERLIST and
    DENYLIST stand for the first three as well.

    Raises:
      InvalidArgumentError: an op type is in two lists.
    """
    lists = {}
    for key, text in (("allow", ALLOW), ("infer", INFER), ("deny", DENY), ("clear", CLEAR)):
        found = set(text.split())
        for name in _NAMES[key]:
            found |= _listed(_VARIABLE.format(name, "ADD"))
            found -= _listed(_VARIABLE.format(name, "REMOVE"))
        lists[key] = frozenset(found)
    taken: dict[str, str] = {}
    for key, types in lists.items():
        for op_type in sorted(types):
            other = taken.setdefault(op_type, key)
            if other != key:
                raise InvalidArgumentError(
                    None, None, f"Op type {op_type} is in two lists of the mixed-precision rewrite: {other} and {key}"
                )
    return lists


def _listed(variable: str) -> set[str]:
    return {item.strip() for item in os.environ.get(variable, "").split(",") if item.strip()}

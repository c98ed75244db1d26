"""What ossia-lite registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_lite._tables import API, OPS

_LOWERINGS = {
    "elementwise:simple": (
        "Add AddV2 BiasAdd Sub Mul RealDiv Div Maximum Minimum Pow FloorDiv FloorMod AddN SquaredDifference Equal "
        "NotEqual Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr LogicalNot Select SelectV2 Where Relu "
        "Relu6 Elu Tanh Sigmoid Exp Log Sqrt Rsqrt Square Neg Abs Floor Ceil Round Sin Cos LogSoftmax ZerosLike"
    ),
    "elementwise:identity": (
        "Identity StopGradient PreventGradient CheckNumerics PlaceholderWithDefault Snapshot"
    ),
    "elementwise:softmax": "Softmax",
    "elementwise:leaky_relu": "LeakyRelu",
    "elementwise:cast": "Cast",
    "elementwise:reciprocal": "Reciprocal",
    "elementwise:softplus": "Softplus",
    "elementwise:fake_quant": "FakeQuantWithMinMaxVars FakeQuantWithMinMaxArgs",
    "network:conv_2d": "Conv2D",
    "network:depthwise_conv_2d": "DepthwiseConv2dNative",
    "network:transpose_conv": "Conv2DBackpropInput",
    "network:matmul": "MatMul",
    "network:batch_matmul": "BatchMatMul BatchMatMulV2",
    "network:pool": "AvgPool MaxPool",
    "network:batch_norm": "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3",
    "network:local_response": "LRN",
    "network:resize": "ResizeBilinear ResizeNearestNeighbor",
    "array:simple": (
        "Slice Tile Fill Range ReverseV2 GatherNd ScatterNd TopKV2 Pad PadV2 SpaceToBatchND BatchToSpaceND Rank "
        "Split SplitV Pack Unpack OneHot SpaceToDepth DepthToSpace Cumsum Mean Sum Prod Max Min Any All "
        "StridedSlice"
    ),
    "array:reshape": "Reshape",
    "array:squeeze": "Squeeze",
    "array:expand_dims": "ExpandDims",
    "array:transpose": "Transpose",
    "array:concat": "ConcatV2",
    "array:gather": "Gather GatherV2",
    "array:mirror_pad": "MirrorPad",
    "array:shape": "Shape",
    "array:arg_extreme": "ArgMax ArgMin",
}


@hookimpl
def ossia_api():
    return API


@hookimpl
def ossia_ops():
    return OPS


@hookimpl
def ossia_lite_lowerings():
    return {
        kind: f"ossia_lite.convert.lowerings.{target}" for target, kinds in _LOWERINGS.items() for kind in kinds.split()
    }

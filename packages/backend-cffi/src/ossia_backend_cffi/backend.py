"""The backend: which nodes it claims, and what it makes of regions of them."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ossia_backend_cffi.claims import COMPILED, CONDITIONS, is_compiled
from ossia_core.backend import Backend
from ossia_core.declare.language import ENTER, MERGE
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import provides

if TYPE_CHECKING:
    from ossia_core.backend import Region

_FEW = 3  # nodes
_LIGHT = frozenset(
    (
        *("Identity", "ReadVariableOp", "AddV2", "Add", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Neg", "Square"),
        *("Assign", "AssignAdd", "AssignSub", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"),
    )
)
# What is worth a program by itself, unless it is known to be small: on NumPy it takes several passes, or one thread.
_HEAVY = frozenset(
    (
        *("Softmax", "LogSoftmax", "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"),
        *("Transpose", "ArgMax", "ArgMin", "BatchMatMul", "BatchMatMulV2", "Tanh", "Sigmoid", "Erf", "Pow"),
        *("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter", "DepthwiseConv2dNative", "FusedBatchNorm"),
        *("DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter", "FusedBatchNormV3"),
        *("MaxPool", "AvgPool", "MaxPoolGrad", "AvgPoolGrad"),
    )
)
_SMALL = 4096  # elements
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
        *("ResizeBilinear", "ResizeBilinearGrad", "ResizeBicubic", "ResizeBicubicGrad", "ResizeArea"),
        *("RGBToHSV", "HSVToRGB", "AdjustHue", "AdjustSaturation", "CropAndResize"),
        *("NonMaxSuppression", "NonMaxSuppressionV2", "NonMaxSuppressionV3", "NonMaxSuppressionV4"),
        *("NonMaxSuppressionV5", "CombinedNonMaxSuppression"),
    )
)


@provides("ossia_backends", "cffi")
class CffiBackend(Backend):
    """Compiles regions of float32 graphs into programs of native instructions."""

    name = "cffi"
    priority = 100
    compiles = True
    control_flow = lists = True

    def claims(self, node: Any) -> bool:
        """Whether there is an emitter for the node's type, and it computes with dtypes that are compiled."""
        emitters = emitters_by_type()
        if emitters is None:
            return False
        kind = node.type
        if any(t.dtype is dtypes.variant for t in (*node._inputs, *node.outputs)):
            from ossia_backend_cffi.emitters import tensor_lists

            return tensor_lists.claims(node)
        if _is_control(node):
            return all(t.dtype._type_enum in COMPILED for t in node.outputs)
        if kind in emitters and is_compiled(kind, node):
            return True
        from ossia_backend_cffi.compile.shape_values import follows_from_shapes

        return follows_from_shapes(node)

    def claims_alike(self, node: Any) -> bool:
        """Whether the node is claimed for its type and dtypes, not for what surrounds it."""
        emitters = emitters_by_type()
        if emitters is None:
            return True
        kind = node.type
        return kind in emitters and not _is_control(node) and kind not in CONDITIONS and is_compiled(kind, node)

    def calls(self, node: Any) -> bool:
        """Whether a program may call the node's own step."""
        from ossia_backend_cffi.compile.calls import may_be_called

        return may_be_called(node)

    def compiles_alone(self, node: Any) -> bool:
        """Whether it is an op of large arrays that one thread, or several passes of NumPy, take longer for."""
        if node.type not in _HEAVY:
            return False
        elements = node._inputs[0].shape.num_elements()
        return elements is None or elements >= _SMALL

    def kernel(self, node: Any, session: Any) -> Any:
        """The kernel of an op in C that takes arrays of any shape."""
        if node.type not in DIRECT:
            return None
        from ossia_backend_cffi.kernels.table import direct_kernel

        return direct_kernel(node, session)

    def routine(self, name: str) -> Any:
        """A routine in C for records, orders of elements or models of integers."""
        from ossia_backend_cffi.loader import native

        if native() is None:
            return None
        from ossia_backend_cffi.kernels.routines import ROUTINES

        return ROUTINES.get(name)

    def uses(self) -> str:
        """oneDNN, where its extra is installed."""
        from ossia_backend_cffi.loader import native

        if native() is None:
            return ""
        from ossia_backend_cffi.passes.onednn import in_use

        return in_use()

    def compile(self, region: Region, input_shapes: Any) -> Any:
        """A program that specialises itself on the shapes that it is called with; None for a few ops on single
        numbers, which are done sooner than a native call is set up."""
        if len(region.nodes) <= _FEW and all(_is_light(node) for node in region.nodes):
            return None
        from ossia_backend_cffi.run.region_program import RegionProgram

        return RegionProgram(region)


@functools.cache
def emitters_by_type() -> Any:
    """What makes instructions of nodes, by type; None without the native module. Loaded when it is first asked for: a
    program of a few nodes does without."""
    from ossia_backend_cffi.loader import native

    if native() is None:
        return None
    from ossia_backend_cffi.emitters.table import EMITTERS

    return EMITTERS


def _is_control(node: Any) -> bool:
    """Whether a node merges values, or stands for a loop, which goes by the name of its first Enter."""
    definition = node.definition
    return definition.role is ENTER or (definition.role is MERGE and not definition.has_ref_input)


def _is_light(node: Any) -> bool:
    """Whether a node of a region takes and gives single numbers, and does next to nothing with them."""
    if node.op is None:
        return True
    if node.op.type not in _LIGHT or node.guard:
        return False
    return all(t.shape.num_elements() == 1 for t in (*node.op._inputs, *node.op.outputs))

"""The backend: which nodes it claims, and what it makes of regions of them."""
from __future__ import annotations

import functools
from typing import Any

from ossia_core.backend import Backend
from ossia_core.names import dtypes
from ossia_core.session.compile.regions import Region

_COMPILED = (dtypes.float32, dtypes.int32, dtypes.int64, dtypes.bool, dtypes.resource)
_TYPES = frozenset(number for t in _COMPILED for number in (t._type_enum, t._as_ref._type_enum))
_OF_FLOATS = frozenset(
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
_DRAWS = frozenset(("RandomUniform", "RandomStandardNormal", "TruncatedNormal"))
_OF_INTEGERS = frozenset(("FloorDiv", "FloorMod", "TruncateDiv", "TruncateMod"))
_FEW = 3  # nodes
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
_CONTROL = frozenset(("Enter", "RefEnter", "Merge"))  # loops go by the name of their first Enter



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
            from ossia_backend_cffi import lists

            return lists.claims(node)
        if kind in _CONTROL:
            return all(t.dtype._type_enum in _TYPES for t in node.outputs)
        if kind in emitters and is_compiled(kind, node):
            return True
        from ossia_backend_cffi.from_shapes import follows_from_shapes

        return follows_from_shapes(node)

    def claims_alike(self, node: Any) -> bool:
        """Whether the node is claimed for its type and dtypes, not for what surrounds it."""
        emitters = emitters_by_type()
        if emitters is None:
            return True
        kind = node.type
        return kind in emitters and kind not in _CONTROL and kind != "Unique" and is_compiled(kind, node)

    def calls(self, node: Any) -> bool:
        """Whether a program may call the node's own step."""
        from ossia_backend_cffi.calls import may_be_called

        return may_be_called(node)

    def kernel(self, node: Any, session: Any) -> Any:
        """The kernel of an op in C that takes arrays of any shape."""
        if node.type not in DIRECT:
            return None
        from ossia_backend_cffi.direct import direct_kernel

        return direct_kernel(node, session)

    def uses(self) -> str:
        """oneDNN, where its extra is installed."""
        from ossia_backend_cffi.loader import native

        if native() is None:
            return ""
        from ossia_backend_cffi.onednn import in_use

        return in_use()

    def compile(self, region: Region, input_shapes: Any) -> Any:
        """A program that specialises itself on the shapes that it is called with; None for a few ops on single
        numbers, which are done sooner than a native call is set up."""
        if len(region.nodes) <= _FEW and all(_is_light(node) for node in region.nodes):
            return None
        from ossia_backend_cffi.region_program import RegionProgram

        return RegionProgram(region)


@functools.cache
def emitters_by_type() -> Any:
    """What makes instructions of nodes, by type; None without the native module. Loaded when it is first asked for: a
    program of a few nodes does without."""
    from ossia_backend_cffi.loader import native

    if native() is None:
        return None
    from ossia_backend_cffi import (  # noqa: F401 - registers its emitters
        arrays,
        distinct,
        elementwise,
        integers,
        lists,
        movement,
        norm,
        products,
        random_draws,
        selection,
        special,
        updates,
        windows,
    )
    from ossia_backend_cffi.emitters import EMITTERS

    return EMITTERS


def _is_light(node: Any) -> bool:
    """Whether a node of a region takes and gives single numbers, and does next to nothing with them."""
    if node.op is None:
        return True
    if node.op.type not in _LIGHT or node.guard:
        return False
    return all(t.shape.num_elements() == 1 for t in (*node.op._inputs, *node.op.outputs))


def is_compiled(kind: str, node: Any) -> bool:
    """Whether the emitter of a type takes the dtypes of a node."""
    if kind == "Unique":
        from ossia_backend_cffi.distinct import may_be_padded

        return may_be_padded(node)
    if kind in _DRAWS and node.outputs[0].dtype != dtypes.float32:
        return False
    for tensor in node._inputs:
        if tensor.dtype._type_enum not in _TYPES:
            return False
    for tensor in node.outputs:
        if tensor.dtype._type_enum not in _TYPES:
            return False
    if kind in _OF_INTEGERS:
        return node._inputs[0].dtype.base_dtype in (dtypes.int32, dtypes.int64)
    return kind not in _OF_FLOATS or node._inputs[0].dtype.base_dtype is dtypes.float32

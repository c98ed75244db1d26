"""Nodes of a program that their own steps compute: the program calls back, and goes on with what they have left.

So a loop is compiled as a whole though a few of its nodes have no instruction. Only what computes values from values
may be called, if the shapes of its results follow from those of its inputs: a program that fails is run again on NumPy.
Draws may be called too: those of a run that has failed are lost.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_backend_cffi.compile.shape_checks import inferred
from ossia_backend_cffi.loader import native
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.instructions import Call
from ossia_core.declare.language import CONST
from ossia_core.names import dtypes

if TYPE_CHECKING:
    from ossia_backend_cffi.emitters.emission import Emission

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
_REFUSED, _STOPPED = 3, 5  # as in c/program/program.h


def may_be_called(node: Any) -> bool:
    """Whether a program may call the step of a node."""
    if (node.type not in CALLED and node.type not in DRAWS) or native() is None:
        return False
    for tensor in node._inputs:
        if not _is_number(tensor.dtype) and not (tensor.dtype is dtypes.string and tensor.op.definition.role is CONST):
            return False
    return all(_is_number(tensor.dtype) for tensor in node.outputs)


def _is_number(dtype: Any) -> bool:
    return not dtype._is_ref_dtype and (dtype.is_floating or dtype.is_integer or dtype.is_bool)


def call(c: Emission, node: Any, ins: Sequence[Value]) -> None:
    """Emit the call of a node's step.

    Raises:
      Declined: the shapes of its results are not known.
    """
    op = node.op
    shapes = inferred(op, ins) if op.outputs else []
    if shapes is None or not all(shape.is_fully_defined() for shape in shapes):
        raise Declined(f"shapes that {op.type} does not tell")
    builder = c.builder
    given = [(slot, value.constant, _Place(c.ready(value))) for slot, value in zip(node.ins, ins, strict=True)]
    made = []
    for slot, shape, tensor in zip(node.outs, shapes, op.outputs, strict=True):
        dtype = np.dtype(tensor.dtype.as_numpy_dtype)
        if dtype.kind not in "biuf":
            raise Declined(f"a result of {dtype}")
        made.append((slot, _Place(c.result(slot, dtype, shape.as_tuple()))))
    builder.touch([place.buffer for _, constant, place in given if constant is None])
    builder.touch([place.buffer for _, place in made])
    builder.emit(Call(number=len(builder.calls)))
    builder.calls.append(NodeCall(node, given, made))
    builder.controlled = True


class _Place:
    """Where a value lies, in the table of buffers."""

    __slots__ = ("buffer", "dtype", "nbytes", "shape")

    def __init__(self, value: Value) -> None:
        self.buffer, self.dtype, self.shape = value.buffer, value.dtype, value.shape
        self.nbytes = value.size * value.dtype.itemsize

    def array(self, ffi: Any, buffers: Any) -> np.ndarray:
        """The value, where it lies."""
        if not self.nbytes:
            return np.empty(self.shape, self.dtype)
        return np.frombuffer(ffi.buffer(buffers[self.buffer], self.nbytes), self.dtype).reshape(self.shape)


class NodeCall:
    """A node whose step a program calls."""

    __slots__ = ("_given", "_made", "_work")

    def __init__(self, work: Any, given: list[tuple[int, Any, _Place]], made: list[tuple[int, _Place]]) -> None:
        self._work, self._given, self._made = work, given, made

    def __call__(self, ffi: Any, buffers: Any, context: Any) -> int:
        """Compute the node from what is in the buffers, into them: 0, or the error that its instruction reports."""
        slots: Any = {0: context}
        for slot, constant, place in self._given:
            slots[slot] = place.array(ffi, buffers) if constant is None else constant
        step = self._work.step
        with np.errstate(all="ignore"):
            step(slots)
        for slot, place in self._made:
            value = np.asarray(slots[slot])
            if value.shape != place.shape or value.dtype != place.dtype:
                return _REFUSED
            place.array(ffi, buffers)[...] = value
        return 0


class Watch:
    """What the instructions of one run ask of Python: whether it must end, and the steps of nodes.

    Attributes:
      error: what ended the run: its deadline, an interrupt by the user.
      failure: what a step raised.
    """

    __slots__ = ("_calls", "_context", "_ffi", "error", "failure")

    def __init__(self, context: Any, ffi: Any, calls: Sequence[NodeCall]) -> None:
        self._context, self._ffi, self._calls = context, ffi, calls
        self.error: BaseException | None = None
        self.failure: Exception | None = None

    def poll(self) -> int:
        """1 if the run must end: then `error` says why."""
        try:
            self._context.check()
        except BaseException as error:  # an interrupt by the user as well: it is raised when the program has returned
            self.error = error
            return 1
        return 0

    def call(self, number: int, buffers: Any) -> int:
        """Run the step of a node; what it returns is the result of the instruction."""
        try:
            return self._calls[number](self._ffi, buffers, self._context)
        except Exception as failure:
            self.failure = failure
            return _REFUSED
        except BaseException as error:
            self.error = error
            return _STOPPED

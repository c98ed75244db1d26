"""Where ops are not as the checks of the op tables want it, with the reason: the original has it otherwise."""

from __future__ import annotations

# Op types, or samples of them (`"Type-reason"`), whose gradient, which is the original's, is not the derivative.
OTHER_GRADIENTS = {
    "Betainc": "there is one for x only",
    "Cholesky": "the input counts as symmetric",
    "FractionalAvgPool": "where windows overlap, elements count once",
    "LogMatrixDeterminant-singular": "it needs the inverse",
    "MatrixDeterminant-singular": "it needs the inverse",
    "MatrixDiagPartV2": "k counts as 0",
    "MatrixDiagV2": "k counts as 0",
    "MatrixInverse-adjoint": "it is that of the inverse",
    "MatrixSolveLs": "there is none for the regularizer",
    "MaxPool3DGradGrad": "its op takes no double",
    "PadV2": "there is none for the padding value",
    "QuantizeAndDequantize": "it passes straight through",
    "QuantizeAndDequantizeV2": "it passes straight through",
    "QuantizeAndDequantizeV3": "it passes straight through",
    "SoftmaxCrossEntropyWithLogits": "labels are not broadcast, nor do they change the second output",
    "SparseAdd": "how many elements there are changes with the values",
    "SparseDenseCwiseDiv-scalar": "it is refused",
    "SparseDenseCwiseMul-scalar": "it is refused",
    "SparseSoftmax-unsorted": "elements count as sorted",
    "SparseSoftmaxCrossEntropyWithLogits": "the second output counts as a constant",
    "SparseSparseMaximum": "it is refused",
    "SparseSparseMinimum": "it is refused",
    "Zeta": "there is one for q only",
}

_RANK = "as in the original, an unknown rank counts as a vector of unknown sizes, and runs as -1"
# Samples that are not tried at all.
UNTRIED = {
    "TensorListElementShape-any": _RANK,
    "TensorListFromTensor-any": _RANK,
    "TensorListPushBack-any_shape": _RANK,
    "TensorListPushBack-scalar": _RANK,
    "TensorListReserve-any": _RANK,
}

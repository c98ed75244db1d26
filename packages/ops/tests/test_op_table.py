"""Every op of this package: its definition beside the original's, and the checks of its samples."""
from ossia_testkit.op_definitions import op_definition_tests
from ossia_testkit.op_table import op_table_tests

test_definitions = op_definition_tests("ossia_ops")
TestOps = op_table_tests(
    "ossia_ops",
    other_gradients={
        "Betainc": "there is one for x only",
        "Cholesky": "the input counts as symmetric",
        "FractionalAvgPool": "where windows overlap, elements count once",
        "LogMatrixDeterminant-singular": "it needs the inverse",
        "MatrixDeterminant-singular": "it needs the inverse",
        "MatrixDiagPartV2": "k counts as 0",
        "MatrixDiagV2": "k counts as 0",
        "MatrixSolveLs": "there is none for the regularizer",
        "MatrixInverse-adjoint": "it is that of the inverse",
        "MaxPool3DGradGrad": "its op takes no double",
        "PadV2": "there is none for the padding value",
        "SoftmaxCrossEntropyWithLogits": "labels are not broadcast, nor do they change the second output",
        "SparseAdd": "how many elements there are changes with the values",
        "SparseDenseCwiseDiv-scalar": "it is refused",
        "SparseDenseCwiseMul-scalar": "it is refused",
        "SparseSoftmax-unsorted": "elements count as sorted",
        "SparseSoftmaxCrossEntropyWithLogits": "the second output counts as a constant",
        "SparseSparseMaximum": "it is refused",
        "SparseSparseMinimum": "it is refused",
        "Zeta": "there is one for q only",
    },
)

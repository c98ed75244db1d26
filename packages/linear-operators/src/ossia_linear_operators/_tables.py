"""Public names and ops of ossia_linear_operators. Written by `python -m ossia_core.api_table packages/linear-operators`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_linear_operators", """
.adjoint: compat.v2.linalg.LinearOperatorAdjoint linalg.LinearOperatorAdjoint
.block_diag: compat.v2.linalg.LinearOperatorBlockDiag linalg.LinearOperatorBlockDiag
.circulant: compat.v2.linalg.LinearOperatorCirculant linalg.LinearOperatorCirculant
.circulant_2d: compat.v2.linalg.LinearOperatorCirculant2D linalg.LinearOperatorCirculant2D
.circulant_3d: compat.v2.linalg.LinearOperatorCirculant3D linalg.LinearOperatorCirculant3D
.composition: compat.v2.linalg.LinearOperatorComposition linalg.LinearOperatorComposition
.diag: compat.v2.linalg.LinearOperatorDiag linalg.LinearOperatorDiag
.full_matrix: compat.v2.linalg.LinearOperatorFullMatrix linalg.LinearOperatorFullMatrix
.householder: compat.v2.linalg.LinearOperatorHouseholder linalg.LinearOperatorHouseholder
.identity: compat.v2.linalg.LinearOperatorIdentity linalg.LinearOperatorIdentity
.inversion: compat.v2.linalg.LinearOperatorInversion linalg.LinearOperatorInversion
.kronecker: compat.v2.linalg.LinearOperatorKronecker linalg.LinearOperatorKronecker
.low_rank_update: compat.v2.linalg.LinearOperatorLowRankUpdate linalg.LinearOperatorLowRankUpdate
.lower_triangular: compat.v2.linalg.LinearOperatorLowerTriangular linalg.LinearOperatorLowerTriangular
.operator: compat.v2.linalg.LinearOperator linalg.LinearOperator
.scaled_identity: compat.v2.linalg.LinearOperatorScaledIdentity linalg.LinearOperatorScaledIdentity
.toeplitz: compat.v2.linalg.LinearOperatorToeplitz linalg.LinearOperatorToeplitz
.zeros: compat.v2.linalg.LinearOperatorZeros linalg.LinearOperatorZeros
""")

"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_linear_operators.adjoint import LinearOperatorAdjoint as LinearOperatorAdjoint
from ossia_linear_operators.block_diag import LinearOperatorBlockDiag as LinearOperatorBlockDiag
from ossia_linear_operators.circulant import LinearOperatorCirculant as LinearOperatorCirculant
from ossia_linear_operators.circulant_2d import LinearOperatorCirculant2D as LinearOperatorCirculant2D
from ossia_linear_operators.circulant_3d import LinearOperatorCirculant3D as LinearOperatorCirculant3D
from ossia_linear_operators.composition import LinearOperatorComposition as LinearOperatorComposition
from ossia_linear_operators.diag import LinearOperatorDiag as LinearOperatorDiag
from ossia_linear_operators.full_matrix import LinearOperatorFullMatrix as LinearOperatorFullMatrix
from ossia_linear_operators.householder import LinearOperatorHouseholder as LinearOperatorHouseholder
from ossia_linear_operators.identity import LinearOperatorIdentity as LinearOperatorIdentity
from ossia_linear_operators.inversion import LinearOperatorInversion as LinearOperatorInversion
from ossia_linear_operators.kronecker import LinearOperatorKronecker as LinearOperatorKronecker
from ossia_linear_operators.low_rank_update import LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate
from ossia_linear_operators.lower_triangular import LinearOperatorLowerTriangular as LinearOperatorLowerTriangular
from ossia_linear_operators.operator import LinearOperator as LinearOperator
from ossia_linear_operators.scaled_identity import LinearOperatorScaledIdentity as LinearOperatorScaledIdentity
from ossia_linear_operators.toeplitz import LinearOperatorToeplitz as LinearOperatorToeplitz
from ossia_linear_operators.zeros import LinearOperatorZeros as LinearOperatorZeros
from ossia_ops.determinant import matrix_determinant as _det, logdet as logdet, slogdet as slogdet
from ossia_ops.eye import eye as eye
from ossia_ops.factorization import (
 cholesky as cholesky, self_adjoint_eig as _eigh, self_adjoint_eigvals as _eigvalsh, qr as qr
)
from ossia_ops.least_squares import matrix_solve_ls as _lstsq, pinv as pinv
from ossia_ops.lu import lu as lu
from ossia_ops.matrix_exponential import matrix_exponential as _expm
from ossia_ops.matrix_functions import matrix_logarithm as _logm, matrix_square_root as _sqrtm
from ossia_ops.matrix_rank import matrix_rank as matrix_rank
from ossia_ops.norms import normalize as normalize
from ossia_ops.solving import (
 cholesky_solve as cholesky_solve, matrix_inverse as _inv, matrix_solve as _solve,
 matrix_triangular_solve as _triangular_solve
)
from ossia_ops.tridiagonal import tridiagonal_matmul as tridiagonal_matmul, tridiagonal_solve as tridiagonal_solve
det = _det
eigh = _eigh
eigvalsh = _eigvalsh
expm = _expm
inv = _inv
logm = _logm
lstsq = _lstsq
solve = _solve
sqrtm = _sqrtm
triangular_solve = _triangular_solve

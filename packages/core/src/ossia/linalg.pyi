# Written by tools/api_stubs.py; do not edit.
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
from ossia_linear_operators.lu import lu as lu
from ossia_linear_operators.matrix_exponential import matrix_exponential as _expm
from ossia_linear_operators.matrix_functions import matrix_logarithm as _logm, matrix_square_root as _sqrtm
from ossia_linear_operators.matrix_rank import matrix_rank as matrix_rank
from ossia_linear_operators.operator import LinearOperator as LinearOperator
from ossia_linear_operators.scaled_identity import LinearOperatorScaledIdentity as LinearOperatorScaledIdentity
from ossia_linear_operators.toeplitz import LinearOperatorToeplitz as LinearOperatorToeplitz
from ossia_linear_operators.tridiagonal import (
 tridiagonal_matmul as tridiagonal_matmul, tridiagonal_solve as tridiagonal_solve
)
from ossia_linear_operators.zeros import LinearOperatorZeros as LinearOperatorZeros
from ossia_ops.array.diagonal import (
 matrix_band_part as _band_part, matrix_diag as _diag, matrix_diag_part as _diag_part, matrix_set_diag as _set_diag,
 diag as _tensor_diag, diag_part as _tensor_diag_part, trace as trace
)
from ossia_ops.array.eye import eye as eye
from ossia_ops.array.transposition import (
 adjoint as adjoint, matrix_transpose as matrix_transpose, matrix_transpose as _transpose
)
from ossia_ops.linalg.contraction import einsum as einsum, tensordot as tensordot
from ossia_ops.linalg.determinant import matrix_determinant as _det, logdet as logdet, slogdet as slogdet
from ossia_ops.linalg.factorization import (
 cholesky as cholesky, self_adjoint_eig as _eigh, self_adjoint_eigvals as _eigvalsh, qr as qr
)
from ossia_ops.linalg.least_squares import matrix_solve_ls as _lstsq, pinv as pinv
from ossia_ops.linalg.matmul import matmul as matmul, matvec as matvec
from ossia_ops.linalg.norms import norm as norm, normalize as normalize
from ossia_ops.linalg.solving import (
 cholesky_solve as cholesky_solve, matrix_inverse as _inv, matrix_solve as _solve,
 matrix_triangular_solve as _triangular_solve
)
from ossia_ops.linalg.svd import svd as svd
from ossia_ops.math.arithmetic import cross as cross
from ossia_ops.math.clip import global_norm as global_norm
from ossia_ops.nn.normalization import l2_normalize as l2_normalize
band_part = _band_part
det = _det
diag = _diag
diag_part = _diag_part
eigh = _eigh
eigvalsh = _eigvalsh
expm = _expm
inv = _inv
logm = _logm
lstsq = _lstsq
set_diag = _set_diag
solve = _solve
sqrtm = _sqrtm
tensor_diag = _tensor_diag
tensor_diag_part = _tensor_diag_part
transpose = _transpose
triangular_solve = _triangular_solve

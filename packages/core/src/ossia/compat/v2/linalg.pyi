# Written by tools/api_stubs.py; do not edit.
from ossia.linalg import (
 LinearOperator as LinearOperator, LinearOperatorAdjoint as LinearOperatorAdjoint,
 LinearOperatorBlockDiag as LinearOperatorBlockDiag, LinearOperatorCirculant as LinearOperatorCirculant,
 LinearOperatorCirculant2D as LinearOperatorCirculant2D, LinearOperatorCirculant3D as LinearOperatorCirculant3D,
 LinearOperatorComposition as LinearOperatorComposition, LinearOperatorDiag as LinearOperatorDiag,
 LinearOperatorFullMatrix as LinearOperatorFullMatrix, LinearOperatorHouseholder as LinearOperatorHouseholder,
 LinearOperatorIdentity as LinearOperatorIdentity, LinearOperatorInversion as LinearOperatorInversion,
 LinearOperatorKronecker as LinearOperatorKronecker, LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate,
 LinearOperatorLowerTriangular as LinearOperatorLowerTriangular,
 LinearOperatorScaledIdentity as LinearOperatorScaledIdentity, LinearOperatorToeplitz as LinearOperatorToeplitz,
 LinearOperatorZeros as LinearOperatorZeros, cholesky as cholesky, cholesky_solve as cholesky_solve, det as det,
 eigh as eigh, eigvalsh as eigvalsh, expm as expm, eye as eye, inv as inv, logdet as logdet, logm as logm,
 lstsq as lstsq, lu as lu, matrix_rank as matrix_rank, normalize as normalize, pinv as pinv, qr as qr,
 slogdet as slogdet, solve as solve, sqrtm as sqrtm, triangular_solve as triangular_solve,
 tridiagonal_matmul as tridiagonal_matmul, tridiagonal_solve as tridiagonal_solve
)

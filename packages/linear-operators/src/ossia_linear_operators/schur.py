"""Schur decompositions of complex matrices, and square roots and logarithms of triangular ones.

The decomposition is the QR algorithm with single shifts, on a Hessenberg matrix that is deflated from its end: Golub
and Van Loan, "Matrix Computations", chapter 7. The square root is the recurrence of Björck and Hammarling over the
columns; the logarithm is inverse scaling and squaring with a Gauss-Legendre form of the Padé approximant: Higham,
"Functions of Matrices", chapters 6 and 11.
"""
from __future__ import annotations

from typing import Any

import numpy as np

_SWEEPS_PER_VALUE = 40


def _hessenberg(matrix: Any) -> tuple[Any, Any]:
    size = len(matrix)
    reduced, basis = matrix.astype(np.complex128), np.eye(size, dtype=np.complex128)
    for k in range(size - 2):
        mirror = reduced[k + 1:, k].copy()
        if not mirror[1:].any():
            continue
        length = np.linalg.norm(mirror)
        mirror[0] += length * (mirror[0] / abs(mirror[0]) if mirror[0] else 1)
        mirror /= np.linalg.norm(mirror)
        reduced[k + 1:] -= 2 * np.outer(mirror, mirror.conj() @ reduced[k + 1:])
        reduced[:, k + 1:] -= 2 * np.outer(reduced[:, k + 1:] @ mirror, mirror.conj())
        basis[:, k + 1:] -= 2 * np.outer(basis[:, k + 1:] @ mirror, mirror.conj())
        reduced[k + 2:, k] = 0
    return reduced, basis


def _shift(block: Any, sweep: int) -> Any:
    """The eigenvalue of the last 2 x 2 block that is nearer to its last element; now and then another value, so that no
    cycle lasts."""
    if sweep % 10 == 9:
        return abs(block[1, 0]) + abs(block[0, 0])
    mean = (block[0, 0] + block[1, 1]) / 2
    half = (block[0, 0] - block[1, 1]) / 2
    root = np.sqrt(half * half + block[0, 1] * block[1, 0])
    return min(mean + root, mean - root, key=lambda value: abs(value - block[1, 1]))


def _sweep(reduced: Any, basis: Any, first: int, last: int, shift: Any) -> None:
    """One step of the algorithm on the rows and columns `first` to `last`."""
    turns = []
    reduced[range(first, last + 1), range(first, last + 1)] -= shift
    for k in range(first, last):
        a, b = reduced[k, k], reduced[k + 1, k]
        length = np.hypot(abs(a), abs(b))
        turn = np.array([[a.conj(), b.conj()], [-b, a]]) / length if length else np.eye(2, dtype=np.complex128)
        reduced[k:k + 2, k:] = turn @ reduced[k:k + 2, k:]
        reduced[k + 1, k] = 0
        turns.append(turn.conj().T)
    for k, turn in zip(range(first, last), turns, strict=True):
        reduced[:k + 2, k:k + 2] = reduced[:k + 2, k:k + 2] @ turn
        basis[:, k:k + 2] = basis[:, k:k + 2] @ turn
    reduced[range(first, last + 1), range(first, last + 1)] += shift


def schur(matrix: Any) -> tuple[Any, Any] | None:
    """A unitary `basis` and an upper triangular matrix with `matrix = basis @ triangular @ adjoint(basis)`.

    Args:
      matrix: a finite square matrix.

    Returns:
      A tuple (triangular, basis) of complex128; None if the algorithm does not come to an end.
    """
    reduced, basis = _hessenberg(matrix)
    last, sweep = len(matrix) - 1, 0
    smallest = np.finfo(np.float64).tiny
    while last > 0:
        first = last
        while first > 0:
            around = abs(reduced[first, first]) + abs(reduced[first - 1, first - 1])
            if abs(reduced[first, first - 1]) <= max(np.finfo(np.float64).eps * around, smallest):
                reduced[first, first - 1] = 0
                break
            first -= 1
        if first == last:
            last, sweep = last - 1, 0
            continue
        if sweep == _SWEEPS_PER_VALUE:
            return None
        # Only the coupled rows decide on the turns, but all columns to the right and rows above take part in them.
        _sweep(reduced, basis, first, last, _shift(reduced[last - 1:last + 1, last - 1:last + 1], sweep))
        sweep += 1
    return np.triu(reduced), basis


def triangular_square_root(triangular: Any) -> Any:
    """The upper triangular matrix whose square is `triangular`: not finite where there is none."""
    size = len(triangular)
    root = np.diag(np.sqrt(np.diagonal(triangular)))
    for j in range(1, size):
        for i in range(j - 1, -1, -1):
            rest = triangular[i, j] - root[i, i + 1:j] @ root[i + 1:j, j]
            root[i, j] = rest / (root[i, i] + root[j, j])
    return root


def triangular_logarithm(triangular: Any) -> Any:
    """The upper triangular matrix whose exponential is `triangular`: not finite where there is none."""
    size, values = len(triangular), np.diagonal(triangular)
    identity = np.eye(size)
    root, squarings = triangular, 0
    while np.linalg.norm(root - identity, 1) > 0.25 and squarings < 100:
        root, squarings = triangular_square_root(root), squarings + 1
        if not np.isfinite(root).all():
            return np.full_like(triangular, np.nan)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    part = root - identity
    result = np.zeros_like(triangular)
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        result += weight * np.linalg.solve(identity + node * part, part)
    result *= 2.0 ** squarings
    result[range(size), range(size)] = np.log(values)
    return np.triu(result)

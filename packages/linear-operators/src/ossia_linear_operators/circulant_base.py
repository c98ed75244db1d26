"""What circulant operators of one, two and three levels share."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import Dimension, TensorShape
from ossia_linear_operators.assertions import no_imaginary_parts, no_zeros
from ossia_linear_operators.batches import broadcast_batches, turned
from ossia_linear_operators.operator import LinearOperator
from ossia_linear_operators.rotation import rotate_transpose
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, zeros_like
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.math.cast import cast
from ossia_ops.math.complex_numbers import complex as complex_of
from ossia_ops.math.complex_numbers import conj, imag, real
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_prod, reduce_sum
from ossia_ops.math.sequence import range as sequence
from ossia_signal.fourier import fft, fft2d, fft3d, ifft, ifft2d, ifft3d

_TRANSFORMS: dict[int, tuple[Callable, Callable]] = {1: (fft, ifft), 2: (fft2d, ifft2d), 3: (fft3d, ifft3d)}


def as_complex(x: Any) -> Any:
    """`x` as a complex tensor of the same precision."""
    return cast(x, dtypes.complex128 if x.dtype.name in ("float64", "complex128") else dtypes.complex64)


class Circulant(LinearOperator):
    """Circulant matrices, made of blocks that are circulant themselves with more than one level: the discrete Fourier
    transform makes them diagonal."""

    def __init__(self, spectrum: Any, block_depth: int, input_output_dtype: Any, is_non_singular: bool | None,
                 is_self_adjoint: bool | None, is_positive_definite: bool | None, is_square: bool | None,
                 name: str) -> None:
        self._block_depth = block_depth
        with name_scope(name, values=[spectrum]):
            self._spectrum = convert_to_tensor(spectrum, name="spectrum")
            ndims = self._spectrum.shape.ndims
            if ndims is not None and ndims < block_depth:
                raise ValueError(f"Argument spectrum must have at least {block_depth} dimensions. "
                                 f"Found: {self._spectrum}")
            if not self._spectrum.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real spectrum always corresponds to a self-adjoint operator.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("A [[nested] block] circulant operator is always square.")
            super().__init__(dtype=dtypes.as_dtype(input_output_dtype), graph_parents=[self._spectrum],
                             is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
                             is_positive_definite=is_positive_definite, is_square=True, name=name)
            self._block_shape_tensor = shape(self._spectrum)[-block_depth:]
            self._eigenvalues = as_complex(self._spectrum)
            self._magnitudes = absolute(self._spectrum)
            self._conjugates = conj(self._eigenvalues)

    @property
    def block_depth(self) -> int:
        """The number of levels: 1, 2 or 3."""
        return self._block_depth

    def block_shape_tensor(self) -> Tensor:
        """The sizes of the levels as an int32 tensor."""
        return self._block_shape_tensor

    @property
    def block_shape(self) -> TensorShape:
        """The sizes of the levels, as far as they are known."""
        return self.spectrum.shape[-self.block_depth:]

    @property
    def spectrum(self) -> Tensor:
        """The eigenvalues."""
        return self._spectrum

    def _blocks(self, x: Any) -> Tensor:
        """The columns of `x`, each in the shape of the levels."""
        vectors = rotate_transpose(x, shift=1)
        if vectors.shape.is_fully_defined() and self.block_shape.is_fully_defined():
            whole: Any = vectors.shape[:-1].concatenate(self.block_shape)
        else:
            whole = concat((shape(vectors)[:-1], self.block_shape_tensor()), 0)
        return reshape(vectors, whole)

    def _columns(self, blocks: Tensor) -> Tensor:
        """The opposite of `_blocks`."""
        depth = self.block_depth
        if blocks.shape.is_fully_defined():
            dims = blocks.shape.as_list()
            vectors = reshape(blocks, [*dims[:-depth], int(np.prod(dims[-depth:]))])
        else:
            whole = shape(blocks)
            vectors = reshape(blocks, concat((whole[:-depth], [reduce_prod(whole[-depth:])]), 0))
        return rotate_transpose(vectors, shift=-1)

    def _fft(self, x: Any) -> Tensor:
        return _TRANSFORMS[self.block_depth][0](as_complex(x))

    def _ifft(self, x: Any) -> Tensor:
        return _TRANSFORMS[self.block_depth][1](as_complex(x))

    def convolution_kernel(self, name: str = "convolution_kernel") -> Tensor:
        """The first columns of the matrices in the shape of the levels: the kernels of the convolutions that the
        operator does."""
        with self._scope(name):
            return cast(self._ifft(self._eigenvalues), self.dtype)

    def _shape(self):
        dims = self._spectrum.shape
        if dims.ndims is None:
            return TensorShape(None)
        sizes = dims[-self.block_depth:]
        size = Dimension(sizes.num_elements() if sizes.is_fully_defined() else None)
        return dims[:-self.block_depth].concatenate([size, size])

    def _shape_tensor(self):
        whole = shape(self.spectrum)
        batch = whole[:-self.block_depth]
        size = reduce_prod(whole[-self.block_depth:])
        return concat((batch, [size, size]), 0)

    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> Any:
        """An operation that fails with InvalidArgumentError where the convolution kernel is not real."""
        eps = np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps
        with self._scope(name):
            largest = eps * cast(self.domain_dimension_tensor(), self.dtype.real_dtype)
            imaginary = imag(self._ifft(self._eigenvalues))
            return builder("debugging.assert_less")(absolute(imaginary), cast(largest, imaginary.dtype),
                                                    message="Spectrum was not Hermitian")

    def _assert_non_singular(self):
        return no_zeros(self.spectrum, "Singular operator:  Spectrum contained zero values.")

    def _assert_positive_definite(self):
        message = "Not positive definite:  Real part of spectrum was not all positive."
        return builder("debugging.assert_positive")(real(self.spectrum), message=message)

    def _assert_self_adjoint(self):
        return no_imaginary_parts(self.spectrum, "Not self-adjoint:  The spectrum contained non-zero imaginary part.")

    def _broadcast(self, x: Any, eigenvalues: Any) -> tuple[Tensor, Tensor]:
        """Both of a common batch shape."""
        eigenvalues = reshape(eigenvalues, concat((self.batch_shape_tensor(), [-1, 1]), 0))
        x, eigenvalues = broadcast_batches((x, eigenvalues))  # type: ignore[arg-type]
        return x, reshape(eigenvalues, concat((shape(x)[:-2], self.block_shape_tensor()), 0))

    def _in_eigenbasis(self, x: Any, adjoint: bool, apply: Callable) -> Tensor:
        """`x` with `apply` done to it and the eigenvalues in the basis in which the operator is diagonal."""
        x, eigenvalues = self._broadcast(x, self._conjugates if adjoint else self._eigenvalues)
        changed = self._ifft(apply(eigenvalues, self._fft(self._blocks(x))))
        return cast(self._columns(changed), self.dtype)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = cast(turned(x, adjoint_arg), self._eigenvalues.dtype)
        return self._in_eigenbasis(x, adjoint, lambda eigenvalues, y: eigenvalues * y)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = turned(rhs, adjoint_arg)
        return self._in_eigenbasis(rhs, adjoint, lambda eigenvalues, y: y / eigenvalues)

    def _determinant(self):
        axes = [-(i + 1) for i in range(self.block_depth)]
        return cast(reduce_prod(self.spectrum, axis=axes), self.dtype)

    def _log_abs_determinant(self):
        axes = [-(i + 1) for i in range(self.block_depth)]
        return cast(reduce_sum(log(self._magnitudes), axis=axes), self.dtype)

    def _diag_part(self):
        if self.shape.is_fully_defined():
            whole: Any = self.shape[:-1]
            size: Any = self.domain_dimension.value
        else:
            whole = self.shape_tensor()[:-1]
            size = self.domain_dimension_tensor()
        units = ones(whole, dtype=self.dtype)
        value = self.trace() / cast(size, self.dtype)
        return value[..., None] * units

    def _trace(self):
        # The sum of the eigenvalues.
        if self.spectrum.shape.is_fully_defined():
            ndims: Any = self.spectrum.shape.ndims
            axes: Any = np.arange(ndims - self.block_depth, ndims, dtype=np.int32)
        else:
            ndims = rank(self.spectrum)
            axes = sequence(ndims - self.block_depth, ndims)
        total = reduce_sum(real(self.spectrum), axis=axes)
        if not self.dtype.is_complex:
            return cast(total, self.dtype)
        if self.spectrum.dtype.is_complex and not self.is_self_adjoint:  # whose eigenvalues are real
            rest = reduce_sum(imag(self.spectrum), axis=axes)
        else:
            rest = zeros_like(total)
        return cast(complex_of(total, rest), self.dtype)

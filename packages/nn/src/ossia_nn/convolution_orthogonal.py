"""Kernels of convolutions that keep the norm of what they are applied to.

The construction is that of Kautsky and Turcajová ("A matrix approach to discrete wavelets", 1994), used as in Xiao et
al. ("Dynamical isometry and a mean field theory of CNNs", 2018): kernels of size two made of projections are convolved
with each other until they have the wanted size.
"""

from __future__ import annotations

import itertools
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.shapes import TensorShape
from ossia_nn.initializers import Initializer, floating_dtype
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import expand_dims
from ossia_ops.array.stacking import stack
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.cast import cast
from ossia_ops.random.normal import random_normal

_Kernel = dict[tuple[int, ...], Tensor]
"""Of every position in a window, the square matrix that stands there."""

_NUMBERS = {3: "three", 4: "four", 5: "five"}


class ConvolutionOrthogonal(Initializer):
    """The base class of initializers of convolutions that keep norms up to a factor.

    Args:
      gain: the factor.
      seed: see `set_random_seed`; every matrix that is drawn raises it by one.
      dtype: the dtype of the kernel, floating.

    Raises:
      ValueError: `dtype` is not floating.
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.gain, self.seed = gain, seed
        self.dtype = floating_dtype(dtypes.as_dtype(dtype))

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain, "seed": self.seed, "dtype": self.dtype.name}

    def _normal(self, shape: list[int], dtype: DType) -> Tensor:
        values = random_normal(shape, dtype=dtype, seed=self.seed)
        if self.seed:
            self.seed += 1
        return values

    def _orthogonal_matrix(self, size: int) -> Tensor:
        q, r = lookup("Qr")(self._normal([size, size], self.dtype))
        return q * builder("sign")(builder("diag_part")(r))

    def _symmetric_projection(self, size: int) -> Tensor:
        """The projection to a random subspace of random dimension."""
        q = self._orthogonal_matrix(size)
        chosen = builder("multiply")(q, cast(self._normal([size], dtypes.float32) > 0.0, self.dtype))
        return matmul(chosen, builder("matrix_transpose")(chosen))


class ConvolutionDeltaOrthogonal(Initializer):
    """An orthogonal matrix in the middle of the window, zeros around it.

    Args:
      gain: the factor by which the convolution changes norms.
      seed: see `set_random_seed`.
      dtype: the dtype of the kernel, floating.

    Raises:
      ValueError: `dtype` is not floating.
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.gain, self.seed = gain, seed
        self.dtype = floating_dtype(dtypes.as_dtype(dtype))

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        dtype = self.dtype if dtype is None else dtype
        if not 3 <= len(shape) <= 5:
            raise ValueError("The tensor to initialize must be at least three-dimensional and at most five-dimensional")
        if shape[-2] > shape[-1]:
            raise ValueError("In_filters cannot be greater than out_filters.")
        q, r = lookup("Qr")(random_normal([shape[-1], shape[-1]], dtype=dtype, seed=self.seed))
        q *= builder("sign")(builder("diag_part")(r))
        weight = q[: shape[-2], :] * cast(self.gain, dtype)
        middle = [(size - 1) // 2 for size in TensorShape(shape).as_list()[:-2]]
        return builder("scatter_nd")([middle], expand_dims(weight, 0), shape)

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain, "seed": self.seed, "dtype": self.dtype.name}


class _ConvolutionOrthogonalND(ConvolutionOrthogonal):
    """What the initializers for one, two and three dimensions have in common."""

    _dimensions: int

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        dtype = self.dtype if dtype is None else dtype
        rank = self._dimensions + 2
        if len(shape) != rank:
            raise ValueError(f"The tensor to initialize must be {_NUMBERS[rank]}-dimensional")
        *window, inputs, outputs = TensorShape(shape).as_list()
        if inputs > outputs:
            raise ValueError("In_filters cannot be greater than out_filters.")
        if len(set(window)) > 1:
            raise ValueError("Kernel sizes must be equal.")
        return self._kernel(window[0], inputs, outputs) * cast(self.gain, dtype)

    def _kernel(self, size: int, inputs: int, outputs: int) -> Tensor:
        first = self._orthogonal_matrix(outputs)[0:inputs, :]
        if size == 1:
            for _ in range(self._dimensions):
                first = expand_dims(first, 0)
            return first
        kernel = self._block(outputs)
        for _ in range(size - 2):
            kernel = _convolved(kernel, self._block(outputs), self._dimensions)
        positions = itertools.product(range(size), repeat=self._dimensions)
        return _stacked({position: matmul(first, kernel[position]) for position in positions}, size, self._dimensions)

    def _block(self, channels: int) -> _Kernel:
        """An orthogonal kernel of size two: in every dimension, a projection and what it leaves out."""
        raise NotImplementedError


class ConvolutionOrthogonal1D(_ConvolutionOrthogonalND):
    """Kernels `[width, inputs, outputs]` of convolutions that keep norms up to a factor."""

    _dimensions = 1

    def _block(self, channels: int) -> _Kernel:
        projection = self._symmetric_projection(channels)
        identity = builder("eye")(channels, dtype=self.dtype)
        return {(0,): projection, (1,): identity - projection}


class ConvolutionOrthogonal2D(_ConvolutionOrthogonalND):
    """Kernels `[height, width, inputs, outputs]` of convolutions that keep norms up to a factor."""

    _dimensions = 2

    def _block(self, channels: int) -> _Kernel:
        p, q = self._symmetric_projection(channels), self._symmetric_projection(channels)
        identity = builder("eye")(channels, dtype=self.dtype)
        return {
            (0, 0): matmul(p, q),
            (0, 1): matmul(p, identity - q),
            (1, 0): matmul(identity - p, q),
            (1, 1): matmul(identity - p, identity - q),
        }


class ConvolutionOrthogonal3D(_ConvolutionOrthogonalND):
    """Kernels `[depth, height, width, inputs, outputs]` of convolutions that keep norms up to a factor."""

    _dimensions = 3

    def _block(self, channels: int) -> _Kernel:
        projections = [self._symmetric_projection(channels) for _ in range(3)]
        identity = builder("eye")(channels, dtype=self.dtype)
        kernel = {}
        for position in itertools.product((0, 1), repeat=3):
            # As the original builds it: what is not taken is there too, times zero.
            a, b, c = (
                float(taken) * p + float(1 - taken) * (identity - p)
                for taken, p in zip(position, projections, strict=True)
            )
            kernel[position] = matmul(matmul(a, b), c)
        return kernel


def _convolved(kernel: _Kernel, block: _Kernel, dimensions: int) -> _Kernel:
    """A kernel of size n, convolved with one of size two: a kernel of size n + 1."""
    size = max(position[0] for position in kernel) + 1
    result = {}
    for position in itertools.product(range(size + 1), repeat=dimensions):
        channels = block[(0,) * dimensions].shape.as_list()[0]
        total = zeros([channels, channels], block[(0,) * dimensions].dtype)
        reach = [range(min(index + 1, size)) for index in position]
        for taken in itertools.product(*reach):
            rest = tuple(index - done for index, done in zip(position, taken, strict=True))
            if max(rest) < 2:
                total += matmul(kernel[taken], block[rest])
        result[position] = total
    return result


def _stacked(kernel: _Kernel, size: int, dimensions: int, at: tuple[int, ...] = ()) -> Tensor:
    if len(at) == dimensions:
        return kernel[at]
    return stack([_stacked(kernel, size, dimensions, (*at, index)) for index in range(size)])

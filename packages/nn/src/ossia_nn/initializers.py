"""Initializers: callables that build the first value of a variable from its shape."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import constant
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import ones, zeros
from ossia_ops.array.shape import reshape
from ossia_ops.random.normal import random_normal, truncated_normal
from ossia_ops.random.uniform import random_uniform


@public("keras.initializers.Initializer")
class Initializer:
    """The base class of initializers: a callable with a configuration."""

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        """The initial value of a variable.

        Args:
          shape: its shape.
          dtype: its dtype; that of the initializer if None.
          partition_info: of a piece of a partitioned variable, its `full_shape` and where the piece is (`var_offset`).
        """
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal initializer, as plain values."""
        return {}

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Initializer:
        """The initializer with these arguments."""
        return cls(**config)


def floating_dtype(dtype: DType) -> DType:
    """The same dtype.

    Raises:
      ValueError: it is not floating.
    """
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


def _whole_shape(shape: Any, partition_info: Any) -> Any:
    return shape if partition_info is None else partition_info.full_shape


@public("zeros_initializer", "initializers.zeros", "keras.initializers.Zeros", "keras.initializers.zeros")
class Zeros(Initializer):
    """Zeros."""

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return zeros(shape, self.dtype if dtype is None else dtype)

    def get_config(self) -> dict[str, Any]:
        return {"dtype": self.dtype.name}


@public("ones_initializer", "initializers.ones", "keras.initializers.Ones", "keras.initializers.ones")
class Ones(Initializer):
    """Ones."""

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return ones(shape, self.dtype if dtype is None else dtype)

    def get_config(self) -> dict[str, Any]:
        return {"dtype": self.dtype.name}


@public("constant_initializer", "initializers.constant", "keras.initializers.Constant", "keras.initializers.constant")
class Constant(Initializer):
    """Given values.

    Args:
      value: a number, list or array, taken in row-major order; where it holds too few values, the last one is repeated.
      dtype: the dtype if the call gives none.
      verify_shape: refuse a variable of another shape than `value`.
    """

    def __init__(self, value: Any = 0, dtype: Any = dtypes.float32, verify_shape: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of values, or "
                "numpy.ndarray)."
            )
        self.value = value
        self.dtype = dtypes.as_dtype(dtype)
        self._verify_shape = verify_shape

    def __call__(
        self, shape: Any, dtype: Any = None, partition_info: Any = None, verify_shape: bool | None = None
    ) -> Tensor:
        return constant(
            self.value,
            self.dtype if dtype is None else dtype,
            shape,
            verify_shape=self._verify_shape if verify_shape is None else verify_shape,
        )

    def get_config(self) -> dict[str, Any]:
        return {"value": self.value, "dtype": self.dtype.name}


@public("random_uniform_initializer", "initializers.random_uniform")
class RandomUniform(Initializer):
    """Values that are all equally likely, from `minval` up to, but without, `maxval` (1 if None; integers need it)."""

    def __init__(
        self, minval: Any = 0, maxval: Any = None, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return random_uniform(shape, self.minval, self.maxval, self.dtype if dtype is None else dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed, "dtype": self.dtype.name}


@public("random_normal_initializer", "initializers.random_normal")
class RandomNormal(Initializer):
    """Normally distributed values."""

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed
        self.dtype = floating_dtype(dtypes.as_dtype(dtype))

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return random_normal(shape, self.mean, self.stddev, self.dtype if dtype is None else dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed, "dtype": self.dtype.name}


@public("truncated_normal_initializer", "initializers.truncated_normal")
class TruncatedNormal(Initializer):
    """Normally distributed values, those further than two standard deviations from the mean drawn again."""

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed
        self.dtype = floating_dtype(dtypes.as_dtype(dtype))

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return truncated_normal(shape, self.mean, self.stddev, self.dtype if dtype is None else dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed, "dtype": self.dtype.name}


@public("uniform_unit_scaling_initializer", "initializers.uniform_unit_scaling")
class UniformUnitScaling(Initializer):
    """Uniform values within `factor * sqrt(3 / n)` of zero, `n` the product of all dimensions but the last.

    A product with such a matrix keeps the variance of its input (Sussillo and Abbott, "Random walk initialization for
    training very deep feedforward networks", 2014); `factor` makes up for what an activation takes away.
    """

    def __init__(self, factor: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.factor, self.seed = factor, seed
        self.dtype = floating_dtype(dtypes.as_dtype(dtype))

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        inputs = 1.0
        for size in _whole_shape(shape, partition_info)[:-1]:
            inputs *= float(size)
        limit = math.sqrt(3 / max(inputs, 1.0)) * self.factor
        return random_uniform(shape, -limit, limit, self.dtype if dtype is None else dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"factor": self.factor, "seed": self.seed, "dtype": self.dtype.name}


@public("variance_scaling_initializer", "initializers.variance_scaling", "keras.initializers.VarianceScaling")
class VarianceScaling(Initializer):
    """Values around zero with variance `scale / n`.

    Args:
      scale: positive.
      mode: what `n` is: "fan_in", the number of inputs of a unit; "fan_out", of outputs; "fan_avg", the mean of both.
        A kernel has shape `[..., inputs, outputs]`, the sizes before being those of its window.
      distribution: "truncated_normal" (or "normal"), "untruncated_normal" or "uniform".
      seed: see `set_random_seed`.
      dtype: the dtype if the call gives none, floating.

    Raises:
      ValueError: an argument is none of those.
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError("Invalid `mode` argument:", mode)
        distribution = distribution.lower()
        if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError("Invalid `distribution` argument:", distribution)
        self.scale, self.mode, self.distribution, self.seed = scale, mode, distribution, seed
        self.dtype = floating_dtype(dtypes.as_dtype(dtype))

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        dtype = self.dtype if dtype is None else dtype
        fan_in, fan_out = fans(_whole_shape(shape, partition_info))
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return random_uniform(shape, -limit, limit, dtype, seed=self.seed)
        if self.distribution == "untruncated_normal":
            return random_normal(shape, 0.0, math.sqrt(variance), dtype, seed=self.seed)
        return truncated_normal(shape, 0.0, math.sqrt(variance) / TRUNCATED_STDDEV, dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {
            "scale": self.scale,
            "mode": self.mode,
            "distribution": self.distribution,
            "seed": self.seed,
            "dtype": self.dtype.name,
        }


TRUNCATED_STDDEV = 0.87962566103423978  # of a standard normal variable truncated at two


def fans(shape: Any) -> tuple[float, float]:
    """The numbers of inputs and of outputs of a unit with a kernel of this shape."""
    sizes = shape.as_list() if isinstance(shape, TensorShape) else [int(size) for size in shape]
    if len(sizes) < 2:
        fan = sizes[0] if sizes else 1
        return fan, fan
    window = math.prod(sizes[:-2])
    return sizes[-2] * window, sizes[-1] * window


@public("glorot_uniform_initializer", "initializers.glorot_uniform", "keras.initializers.glorot_uniform")
class GlorotUniform(VarianceScaling):
    """Uniform values of variance `2 / (inputs + outputs)` (Glorot and Bengio, 2010).

    `dtype` has no effect, as in the original: the dtype is that of the call, or float32.
    """

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed)

    def get_config(self) -> dict[str, Any]:
        return {"seed": self.seed, "dtype": self.dtype.name}


@public("glorot_normal_initializer", "initializers.glorot_normal", "keras.initializers.glorot_normal")
class GlorotNormal(VarianceScaling):
    """Truncated normal values of variance `2 / (inputs + outputs)` (Glorot and Bengio, 2010).

    `dtype` has no effect, as in the original: the dtype is that of the call, or float32.
    """

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed)

    def get_config(self) -> dict[str, Any]:
        return {"seed": self.seed, "dtype": self.dtype.name}


@public("initializers.he_normal", "keras.initializers.he_normal")
def he_normal(seed: int | None = None) -> VarianceScaling:
    """An initializer with truncated normal values of variance `2 / inputs` (He et al., 2015)."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


@public("initializers.he_uniform", "keras.initializers.he_uniform")
def he_uniform(seed: int | None = None) -> VarianceScaling:
    """An initializer with uniform values of variance `2 / inputs` (He et al., 2015)."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed)


@public("initializers.lecun_normal", "keras.initializers.lecun_normal")
def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """An initializer with truncated normal values of variance `1 / inputs` (LeCun et al., 1998)."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


@public("initializers.lecun_uniform", "keras.initializers.lecun_uniform")
def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """An initializer with uniform values of variance `1 / inputs` (LeCun et al., 1998)."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


@public(
    "orthogonal_initializer",
    "initializers.orthogonal",
    "keras.initializers.Orthogonal",
    "keras.initializers.orthogonal",
)
class Orthogonal(Initializer):
    """A matrix with orthonormal rows or columns, whichever are fewer, times `gain` (Saxe et al., 2014).

    A shape of more than two dimensions is that of a matrix whose rows are all but the last of them.
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.gain, self.seed = gain, seed
        self.dtype = floating_dtype(dtypes.as_dtype(dtype))

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        sizes = TensorShape(shape).as_list()
        rows, columns = math.prod(sizes[:-1]), sizes[-1]
        normal = random_normal(
            (max(rows, columns), min(rows, columns)), dtype=self.dtype if dtype is None else dtype, seed=self.seed
        )
        q, r = lookup("Qr")(normal, full_matrices=False)
        q *= builder("sign")(builder("diag_part")(r))  # so that all orthogonal matrices are equally likely
        if rows < columns:
            q = builder("matrix_transpose")(q)
        return self.gain * reshape(q, shape)

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain, "seed": self.seed, "dtype": self.dtype.name}


@public("initializers.identity", "keras.initializers.Identity", "keras.initializers.identity")
class Identity(Initializer):
    """The identity matrix times `gain`; of a matrix that is not square, ones on the diagonal."""

    def __init__(self, gain: float = 1.0, dtype: Any = dtypes.float32) -> None:
        self.gain = gain
        self.dtype = floating_dtype(dtypes.as_dtype(dtype))

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        whole = _whole_shape(shape, partition_info)
        if len(whole) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        value = builder("eye")(*whole, dtype=self.dtype if dtype is None else dtype)
        if partition_info is not None:
            value = builder("slice")(value, partition_info.var_offset, shape)
        return self.gain * value

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain, "dtype": self.dtype.name}

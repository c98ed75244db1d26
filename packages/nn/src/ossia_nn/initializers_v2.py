"""The initializers of `tf.compat.v2`: the dtype comes with the call, and a seed alone decides the values."""

from __future__ import annotations

import math
from collections.abc import Callable
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
from ossia_nn import initializers
from ossia_nn.initializers import TRUNCATED_STDDEV, fans, floating_dtype
from ossia_ops.array.fill import ones, zeros
from ossia_ops.array.shape import reshape
from ossia_ops.random.normal import random_normal, truncated_normal
from ossia_ops.random.stateless import stateless_random_normal, stateless_random_uniform, stateless_truncated_normal
from ossia_ops.random.uniform import random_uniform


@public("compat.v2.initializers.Initializer")
class Initializer:
    """The base class of initializers: a callable with a configuration."""

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """The initial value of a variable.

        Args:
          shape: its shape.
          dtype: its dtype.
        """
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal initializer, as plain values."""
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """The initializer with these arguments; a `dtype` among them, which older ones had, is left out."""
        config.pop("dtype", None)
        return cls(**config)


def _floating(dtype: Any) -> DType:
    return floating_dtype(dtypes.as_dtype(dtype))


def _drawn(stateful: Callable, stateless: Callable, shape: Any, a: float, b: float, dtype: Any, seed: Any) -> Tensor:
    """Random values: those of an op with state where there is no seed."""
    if seed is not None:
        return stateless(shape, [seed, 0], a, b, dtype)
    return stateful(shape, a, b, dtype)


@public(
    "compat.v2.zeros_initializer",
    "compat.v2.initializers.Zeros",
    "compat.v2.initializers.zeros",
)
class Zeros(Initializer):
    """Zeros."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        return zeros(shape, dtypes.as_dtype(dtype))


@public("compat.v2.ones_initializer", "compat.v2.initializers.Ones", "compat.v2.initializers.ones")
class Ones(Initializer):
    """Ones."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_numpy_compatible or dtype == dtypes.string:
            raise ValueError(f"Expected numeric or boolean dtype, got {dtype}.")
        return ones(shape, dtype)


@public(
    "compat.v2.constant_initializer",
    "compat.v2.initializers.Constant",
    "compat.v2.initializers.constant",
)
class Constant(Initializer):
    """Given values: a number for all, or a list or array of the variable's size.

    Raises:
      TypeError: `value` is something else.
    """

    def __init__(self, value: Any = 0) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of values, or "
                "numpy.ndarray)."
            )
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        if dtype is not None:
            dtype = dtypes.as_dtype(dtype)
        given = np.shape(self.value)
        wanted = TensorShape(shape)
        if given and wanted.is_fully_defined() and math.prod(given) not in (1, wanted.num_elements()):
            raise TypeError(f"Expected Tensor's shape: {wanted}, got {TensorShape(given)}.")
        return constant(self.value, dtype, shape)

    def get_config(self) -> dict[str, Any]:
        return {"value": self.value}


@public("compat.v2.random_uniform_initializer", "compat.v2.initializers.RandomUniform")
class RandomUniform(Initializer):
    """Values that are all equally likely, from `minval` up to, but without, `maxval`."""

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = dtypes.as_dtype(dtype)
        if not (dtype.is_floating or dtype.is_integer):
            raise ValueError(f"Expected float or integer dtype, got {dtype}.")
        return _drawn(random_uniform, stateless_random_uniform, shape, self.minval, self.maxval, dtype, self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed}


@public("compat.v2.random_normal_initializer", "compat.v2.initializers.RandomNormal")
class RandomNormal(Initializer):
    """Normally distributed values."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = _floating(dtype)
        return _drawn(random_normal, stateless_random_normal, shape, self.mean, self.stddev, dtype, self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}


@public("compat.v2.initializers.TruncatedNormal")
class TruncatedNormal(Initializer):
    """Normally distributed values, those further than two standard deviations from the mean drawn again."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = _floating(dtype)
        return _drawn(truncated_normal, stateless_truncated_normal, shape, self.mean, self.stddev, dtype, self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}


@public("compat.v2.initializers.VarianceScaling")
class VarianceScaling(Initializer):
    """Values around zero with variance `scale / n`; the arguments are those of `tf.variance_scaling_initializer`."""

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ) -> None:
        plain = initializers.VarianceScaling(scale, mode, distribution, seed)  # which checks them
        self.scale, self.mode, self.seed = scale, mode, seed
        self.distribution = "truncated_normal" if plain.distribution == "normal" else plain.distribution

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = _floating(dtype)
        fan_in, fan_out = fans(shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return _drawn(random_uniform, stateless_random_uniform, shape, -limit, limit, dtype, self.seed)
        if self.distribution == "untruncated_normal":
            stddev = math.sqrt(variance)
            return _drawn(random_normal, stateless_random_normal, shape, 0.0, stddev, dtype, self.seed)
        stddev = math.sqrt(variance) / TRUNCATED_STDDEV
        return _drawn(truncated_normal, stateless_truncated_normal, shape, 0.0, stddev, dtype, self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"scale": self.scale, "mode": self.mode, "distribution": self.distribution, "seed": self.seed}


@public("compat.v2.initializers.GlorotUniform", "compat.v2.initializers.glorot_uniform")
class GlorotUniform(VarianceScaling):
    """Uniform values of variance `2 / (inputs + outputs)` (Glorot and Bengio, 2010)."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed)

    def get_config(self) -> dict[str, Any]:
        return {"seed": self.seed}


@public("compat.v2.initializers.GlorotNormal", "compat.v2.initializers.glorot_normal")
class GlorotNormal(VarianceScaling):
    """Truncated normal values of variance `2 / (inputs + outputs)` (Glorot and Bengio, 2010)."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed)

    def get_config(self) -> dict[str, Any]:
        return {"seed": self.seed}


@public("compat.v2.initializers.he_normal")
def he_normal(seed: int | None = None) -> VarianceScaling:
    """An initializer with truncated normal values of variance `2 / inputs` (He et al., 2015)."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


@public("compat.v2.initializers.he_uniform")
def he_uniform(seed: int | None = None) -> VarianceScaling:
    """An initializer with uniform values of variance `2 / inputs` (He et al., 2015)."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed)


@public("compat.v2.initializers.lecun_normal")
def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """An initializer with truncated normal values of variance `1 / inputs` (LeCun et al., 1998)."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


@public("compat.v2.initializers.lecun_uniform")
def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """An initializer with uniform values of variance `1 / inputs` (LeCun et al., 1998)."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


@public("compat.v2.initializers.Orthogonal", "compat.v2.initializers.orthogonal")
class Orthogonal(Initializer):
    """A matrix with orthonormal rows or columns, whichever are fewer, times `gain` (Saxe et al., 2014).

    A shape of more than two dimensions is that of a matrix whose rows are all but the last of them.
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        self.gain, self.seed = gain, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = _floating(dtype)
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        sizes = TensorShape(shape).as_list()
        rows, columns = math.prod(sizes[:-1]), sizes[-1]
        flat = (max(columns, rows), min(columns, rows))
        q, r = lookup("Qr")(
            _drawn(random_normal, stateless_random_normal, flat, 0.0, 1.0, dtype, self.seed), full_matrices=False
        )
        q *= builder("sign")(builder("diag_part")(r))  # so that all orthogonal matrices are equally likely
        if rows < columns:
            q = builder("matrix_transpose")(q)
        return self.gain * reshape(q, shape)

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain, "seed": self.seed}


@public("compat.v2.initializers.Identity", "compat.v2.initializers.identity")
class Identity(Initializer):
    """The identity matrix times `gain`; of a matrix that is not square, ones on the diagonal."""

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = _floating(dtype)
        if len(shape) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        return self.gain * builder("eye")(*shape, dtype=dtype)

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain}

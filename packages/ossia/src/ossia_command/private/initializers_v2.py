"""`init_ops_v2`: initializers that take the dtype with the shape; with a seed, they draw the same numbers again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import ossia as tf
from ossia_nn import initializers as v1


class Initializer(v1.Initializer):
    """Makes the first value of a variable of a shape and a dtype."""

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Initializer:
        """The initializer of a configuration."""
        return cls(**{key: value for key, value in config.items() if key != "dtype"})


def _floating(dtype: Any) -> Any:
    dtype = tf.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


class _Drawing(Initializer):
    """An initializer that draws numbers."""

    seed: int | None

    def draw(self, distribution: str, shape: Any, first: Any, second: Any, dtype: Any) -> Any:
        """Numbers of a distribution with two parameters."""
        if self.seed is None:
            return getattr(tf.random, distribution)(shape, first, second, dtype)
        return getattr(tf.random, f"stateless_{distribution}")(shape, [self.seed, 0], first, second, dtype)


class Zeros(Initializer):
    """Zeros, or empty strings."""

    def __call__(self, shape: Any, dtype: Any = tf.float32) -> Any:  # type: ignore[override]
        """A tensor of the shape."""
        return tf.zeros(shape, tf.as_dtype(dtype))


class Ones(Initializer):
    """Ones."""

    def __call__(self, shape: Any, dtype: Any = tf.float32) -> Any:  # type: ignore[override]
        """A tensor of the shape.

        Raises:
            ValueError: The dtype is none of numbers or booleans.
        """
        dtype = tf.as_dtype(dtype)
        if not dtype.is_numpy_compatible or dtype == tf.string:
            raise ValueError(f"Expected numeric or boolean dtype, got {dtype}.")
        return tf.ones(shape, dtype)


class Constant(Initializer):
    """A number, or a list of as many as there are elements.

    Raises:
        TypeError: The value is neither.
    """

    def __init__(self, value: Any = 0) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of "
                            "values, or numpy.ndarray).")
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Any:  # type: ignore[override]
        """A tensor of the shape, of the value's dtype if none is given.

        Raises:
            TypeError: A list has another number of elements than the shape.
        """
        wanted = tf.TensorShape(shape)
        if np.size(self.value) not in (1, wanted.num_elements()):
            raise TypeError(f"Expected Tensor's shape: {tuple(wanted.as_list())}, got {np.shape(self.value)}.")
        return tf.constant(self.value, None if dtype is None else tf.as_dtype(dtype), shape)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"value": self.value}


class RandomUniform(_Drawing):
    """Numbers between two bounds."""

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = tf.float32) -> Any:  # type: ignore[override]
        """A tensor of the shape.

        Raises:
            ValueError: The dtype is none of real numbers.
        """
        dtype = tf.as_dtype(dtype)
        if not dtype.is_floating and not dtype.is_integer:
            raise ValueError(f"Expected float or integer dtype, got {dtype}.")
        return self.draw("uniform", shape, self.minval, self.maxval, dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed}


class RandomNormal(_Drawing):
    """Normal numbers."""

    _kind = "normal"

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = tf.float32) -> Any:  # type: ignore[override]
        """A tensor of the shape."""
        return self.draw(self._kind, shape, self.mean, self.stddev, _floating(dtype))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}


class TruncatedNormal(RandomNormal):
    """Normal numbers that lie within two standard deviations."""

    _kind = "truncated_normal"


class _Scaling(_Drawing):
    """An initializer that is made and called as the first version is, without its dtype."""

    def __call__(self, shape: Any, dtype: Any = tf.float32) -> Any:  # type: ignore[override]
        """A tensor of the shape."""
        return super().__call__(shape, _floating(dtype))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {key: value for key, value in super().get_config().items() if key != "dtype"}


class VarianceScaling(_Scaling, v1.VarianceScaling):  # type: ignore[misc]
    """Numbers whose spread follows from the shape."""

    def __init__(
        self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal", seed: int | None = None
    ) -> None:
        v1.VarianceScaling.__init__(self, scale, mode, distribution, seed)


class Orthogonal(_Scaling, v1.Orthogonal):  # type: ignore[misc]
    """Matrices with orthonormal rows or columns."""

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        v1.Orthogonal.__init__(self, gain, seed)


class Identity(_Scaling, v1.Identity):  # type: ignore[misc]
    """Identity matrices."""

    def __init__(self, gain: float = 1.0) -> None:
        v1.Identity.__init__(self, gain)


class GlorotUniform(VarianceScaling):
    """Uniform numbers, scaled by inputs and outputs."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"seed": self.seed}


class GlorotNormal(GlorotUniform):
    """Normal numbers, scaled by inputs and outputs."""

    def __init__(self, seed: int | None = None) -> None:
        VarianceScaling.__init__(self, 1.0, "fan_avg", "truncated_normal", seed)


def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """Normal numbers of variance one over the inputs."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform numbers of variance one over the inputs."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


def he_normal(seed: int | None = None) -> VarianceScaling:
    """Normal numbers of variance two over the inputs."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform numbers of variance two over the inputs."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed)


zero = zeros_initializer = Zeros
one = ones_initializer = Ones
constant = constant_initializer = Constant
uniform = random_uniform = random_uniform_initializer = RandomUniform
normal = random_normal = random_normal_initializer = RandomNormal
truncated_normal = truncated_normal_initializer = TruncatedNormal
variance_scaling = variance_scaling_initializer = VarianceScaling
orthogonal = orthogonal_initializer = Orthogonal
identity = Identity
glorot_uniform, glorot_normal = GlorotUniform, GlorotNormal

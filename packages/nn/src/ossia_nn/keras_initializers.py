"""What tf.keras.initializers has beside the initializers of tf.initializers: other defaults, and names for all."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_nn import initializers
from ossia_nn.named_objects import restored, serialized


@public("keras.initializers.RandomNormal", "keras.initializers.normal", "keras.initializers.random_normal")
class RandomNormal(initializers.RandomNormal):
    """Normally distributed values, by default within a few hundredths of zero."""

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        super().__init__(mean, stddev, seed, dtype)


@public("keras.initializers.RandomUniform", "keras.initializers.uniform", "keras.initializers.random_uniform")
class RandomUniform(initializers.RandomUniform):
    """Values that are all equally likely, by default within 0.05 of zero."""

    def __init__(
        self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        super().__init__(minval, maxval, seed, dtype)


@public("keras.initializers.TruncatedNormal", "keras.initializers.truncated_normal")
class TruncatedNormal(initializers.TruncatedNormal):
    """Truncated normal values, by default within a tenth of zero."""

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        super().__init__(mean, stddev, seed, dtype)


_BY_NAME: dict[str, Callable] = {
    kind.__name__: kind
    for kind in vars(initializers).values()
    if inspect.isclass(kind) and issubclass(kind, initializers.Initializer)
}
_BY_NAME |= {kind.__name__: kind for kind in (RandomNormal, RandomUniform, TruncatedNormal)}
_BY_NAME |= {
    "zeros": initializers.Zeros,
    "ones": initializers.Ones,
    "constant": initializers.Constant,
    "uniform": RandomUniform,
    "normal": RandomNormal,
    "random_uniform": RandomUniform,
    "random_normal": RandomNormal,
    "truncated_normal": TruncatedNormal,
    "identity": initializers.Identity,
    "orthogonal": initializers.Orthogonal,
    "glorot_uniform": initializers.GlorotUniform,
    "glorot_normal": initializers.GlorotNormal,
    "he_normal": initializers.he_normal,
    "he_uniform": initializers.he_uniform,
    "lecun_normal": initializers.lecun_normal,
    "lecun_uniform": initializers.lecun_uniform,
}


_MAKERS = ("he_normal", "he_uniform", "lecun_normal", "lecun_uniform")


@public("keras.initializers.serialize")
def serialize(initializer: Any) -> Any:
    """The name and configuration of an initializer, the name alone of a function."""
    return serialized(initializer)


@public("keras.initializers.deserialize")
def deserialize(config: Mapping[str, Any] | str, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """The initializer that `serialize` described.

    Args:
      config: a name, or a dict of `class_name` and `config`.
      custom_objects: further classes and functions by name.

    Raises:
      ValueError: a dict of another form, or an unknown name.
    """
    return restored(config, _BY_NAME, "initializer", custom_objects)


@public("keras.initializers.get")
def get(identifier: Any) -> Any:
    """The initializer that `identifier` stands for: None, a name, a configuration, a class, or a callable as it is.

    Raises:
      ValueError: it stands for none.
    """
    if identifier is None:
        return None
    if isinstance(identifier, str) and identifier in _MAKERS:
        return _BY_NAME[identifier]()
    if isinstance(identifier, (str, Mapping)):
        return deserialize(identifier)
    if callable(identifier):
        return identifier() if inspect.isclass(identifier) else identifier
    raise ValueError(f"Could not interpret initializer identifier: {identifier}")

"""Functions of variables that make a loss of them, by name or with parameters: tf.keras.regularizers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ossia_core.graph.convert import constant
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_nn.named_objects import restored, serialized
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.elementwise import square
from ossia_ops.math.reduction import reduce_sum


@public("keras.regularizers.Regularizer")
class Regularizer:
    """What regularizers have in common: they are called with a variable, and made again from their configuration."""

    def __call__(self, x: Any) -> Any:
        """The loss of `x`: 0, unless a subclass says otherwise."""
        return 0.0

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Any:
        """The regularizer of the arguments that `get_config` gave."""
        return cls(**config)


@public("keras.regularizers.L1L2")
class L1L2(Regularizer):
    """`l1 * sum(abs(x)) + l2 * sum(x**2)`.

    Args:
      l1, l2: factors; a part with factor 0 is left out.
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = np.asarray(l1, np.float32), np.asarray(l2, np.float32)

    def __call__(self, x: Any) -> Tensor:
        if not self.l1 and not self.l2:
            return constant(0.0)
        loss: Any = 0.0
        if self.l1:
            loss += self.l1 * reduce_sum(absolute(x))
        if self.l2:
            loss += self.l2 * reduce_sum(square(x))
        return loss

    def get_config(self) -> dict[str, float]:
        """The factors."""
        return {"l1": float(self.l1), "l2": float(self.l2)}


@public("keras.regularizers.l1")
def l1(l: float = 0.01) -> L1L2:
    """`l * sum(abs(x))`."""
    return L1L2(l1=l)


@public("keras.regularizers.l2")
def l2(l: float = 0.01) -> L1L2:
    """`l * sum(x**2)`."""
    return L1L2(l2=l)


@public("keras.regularizers.l1_l2")
def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """`l1 * sum(abs(x)) + l2 * sum(x**2)`."""
    return L1L2(l1=l1, l2=l2)


_KNOWN: dict[str, Callable] = {"Regularizer": Regularizer, "L1L2": L1L2, "l1": l1, "l2": l2, "l1_l2": l1_l2}


@public("keras.regularizers.serialize")
def serialize(regularizer: Any) -> Any:
    """The name and configuration of a regularizer, the name alone of a function."""
    return serialized(regularizer)


@public("keras.regularizers.deserialize")
def deserialize(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """The regularizer that `serialize` described.

    Raises:
      ValueError: a configuration of another form, or an unknown name.
    """
    return restored(config, _KNOWN, "regularizer", custom_objects)


@public("keras.regularizers.get")
def get(identifier: Any) -> Any:
    """The regularizer that `identifier` stands for: None, a name, a configuration, or a callable as it is.

    Raises:
      ValueError: it stands for none.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str):
        return deserialize(_configured(identifier))
    if isinstance(identifier, Mapping):
        return deserialize(identifier)
    raise ValueError("Could not interpret regularizer identifier:", identifier)


def _configured(name: str) -> Any:
    """The name with a configuration, where it is that of a function that makes a regularizer."""
    return {"class_name": name, "config": {}} if name in ("l1", "l2", "l1_l2") else name

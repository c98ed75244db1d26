"""What every decay does with its first argument."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor


def initial_rate(learning_rate: Any) -> Tensor:
    """The learning rate as a tensor; its dtype is that of the decay."""
    return convert_to_tensor(learning_rate, name="initial_learning_rate")

"""What every decay does with its first two arguments."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor


def required_step(step: Any, decay: str) -> None:
    """Refuses a step of None.

    Raises:
        ValueError: `step` is None.
    """
    if step is None:
        raise ValueError(f"global_step is required for {decay}.")


def initial_rate(learning_rate: Any) -> Tensor:
    """The learning rate as a tensor; its dtype is that of the decay."""
    return convert_to_tensor(learning_rate, name="initial_learning_rate")

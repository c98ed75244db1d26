"""How hooks read the global step."""
from __future__ import annotations

from typing import Any

from ossia_ops.state.global_step import get_or_create_global_step_read


def global_step_read(hook: str) -> Any:
    """The tensor through which a hook reads the global step of the default graph.

    Args:
        hook: The name of the hook, for the error.

    Raises:
        RuntimeError: The graph has no global step.
    """
    step = get_or_create_global_step_read()
    if step is None:
        raise RuntimeError(f"Global step should be created to use {hook}.")
    return step

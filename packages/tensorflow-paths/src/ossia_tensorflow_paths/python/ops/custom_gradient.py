"""What `custom_gradient` and its neighbours know of the handles of variables."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.primitives.variable_ops import handle_data


def copy_handle_data(source_t: Any, target_t: Any) -> None:
    """Tells a handle the shape and dtype of what another one stands for."""
    if target_t.dtype in (tf.resource, tf.variant):
        data = handle_data(source_t)
        if data is not None:
            target_t._handle_data = data


def get_variable_by_name(var_name: str) -> Any:
    """The variable of the default graph that has a name.

    Raises:
        ValueError: There is none, or there are several.
    """
    found = [v for v in tf.global_variables() if v.op.name == var_name]
    if len(found) != 1:
        raise ValueError(f"{'Unsuccessful at finding' if not found else 'More than one'} variable {var_name}.")
    return found[0]

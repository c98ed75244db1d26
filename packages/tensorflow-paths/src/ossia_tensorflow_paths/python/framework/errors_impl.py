"""`framework.errors_impl`: errors of codes, and what is raised for tensors of other graphs."""

from __future__ import annotations

import warnings
from typing import Any

from ossia_core.names.errors import InaccessibleTensorError, OperatorNotAllowedInGraphError, OpError
from ossia_core.names.errors import exception_type_from_error_code as class_of

__all__ = ["InaccessibleTensorError", "OperatorNotAllowedInGraphError"]


def _make_specific_exception(node_def: Any, op: Any, message: str, error_code: int) -> OpError:
    try:
        return class_of(error_code)(node_def, op, message)
    except KeyError:
        warnings.warn(f"Unknown error code: {error_code}", stacklevel=2)
        return OpError(node_def, op, message, error_code)

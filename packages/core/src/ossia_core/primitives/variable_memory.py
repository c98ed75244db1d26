"""The buffers of variables: who else refers to one, and what may be changed in place."""
from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ossia_core.names import errors
from ossia_core.names.dtypes import DType, engine_name
from ossia_core.primitives.state import VariableState


def owned(value: Any, dtype: DType | None = None) -> np.ndarray:
    """A contiguous copy of `value`, to be a variable's buffer."""
    return np.array(value, dtype=None if dtype is None else dtype.as_numpy_dtype, order="C", copy=True)


class _Holder:
    __slots__ = ("value",)
    value: Any


def _references(holder: Any) -> int:
    return sys.getrefcount(holder.value)


def _references_of_unshared() -> int:
    holder = _Holder()
    holder.value = np.zeros(1)
    return _references(holder)


# What `sys.getrefcount` says of a buffer that only its variable refers to; it differs between Python versions.
_UNSHARED = _references_of_unshared()


def is_shared(state: VariableState) -> bool:
    """Whether anything but the variable itself (an earlier read, a view) refers to its buffer."""
    return _references(state) > _UNSHARED


def check_dtype(state: VariableState, dtype: DType, doing: str) -> None:
    """InvalidArgumentError for reading, assigning or updating a resource variable as one of another dtype."""
    if state.dtype is not dtype:
        expected, got = (dtype, state.dtype) if doing == "read" else (state.dtype, dtype)
        raise errors.InvalidArgumentError(
            None, None,
            f"Trying to {doing} variable with wrong dtype. Expected {engine_name(expected)} got {engine_name(got)}",
        )


def writable(state: VariableState, dtype: DType) -> np.ndarray:
    """The buffer of a resource variable, to be changed in place: a fresh copy if an earlier read still refers to the
    present one.

    The caller holds `state.lock`.

    Raises:
      NotFoundError: the variable is not initialised.
      InvalidArgumentError: it is not of `dtype`.
    """
    if state.value is None:
        raise missing(state)
    check_dtype(state, dtype, "update")
    if _references(state) > _UNSHARED:
        state.value = state.value.copy()
    return state.value


def missing(state: VariableState) -> errors.NotFoundError:
    """The error of an op that changes a resource variable without a value."""
    return errors.NotFoundError(None, None, f"Resource localhost/{state.name}/N10tensorflow3VarE does not exist.")


def read_resource(state: VariableState) -> np.ndarray:
    """The buffer of a resource variable.

    Raises:
      FailedPreconditionError: it has no value.
    """
    with state.lock:  # an update in place that began before anybody else referred to the buffer must be over
        value = state.value
    if value is None:
        raise errors.FailedPreconditionError(
            None,
            None,
            f"Error while reading resource variable {state.name} from Container: localhost. This could mean that the "
            f"variable was uninitialized. Not found: Resource localhost/{state.name}/N10tensorflow3VarE does not "
            "exist.",
        )
    return value

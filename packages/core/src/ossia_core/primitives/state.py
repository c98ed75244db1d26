"""What a session keeps between runs: variables and other resources by name, and the private state of nodes."""
from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.forks import forgetful, renewed
from ossia_core.names import errors
from ossia_core.names.dtypes import DType, engine_name


class _Moves:
    """Tells whether any variable has got another buffer: `last` is a new object after each time, and None meanwhile."""

    __slots__ = ("__weakref__", "_lock", "last")

    def __init__(self) -> None:
        self._lock = renewed(threading.RLock())
        self.last: object = object()
        forgetful(self)

    def after_fork(self) -> None:
        """Let no move be under way whose thread the child does not have."""
        self.last = object()

    def __enter__(self) -> None:
        self._lock.acquire()
        self.last = None

    def __exit__(self, *exc: object) -> None:
        self.last = object()
        self._lock.release()


moves = _Moves()


class VariableState:
    """The buffer of one variable. It is updated in place; `value` is None until it is initialised.

    Programs that keep the addresses of buffers look at `moves.last` before they take `value`, and again afterwards: as
    long as it is the object that it was when they found the addresses, no variable has another buffer.

    Who changes the buffer in place holds `lock`; the variables of a session that are read by handle share one.
    """

    __slots__ = ("dtype", "lock", "name", "shape", "value")

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "value":
            with moves:
                object.__setattr__(self, name, value)
        else:
            object.__setattr__(self, name, value)

    def __init__(self, name: str, dtype: DType, shape: Any, lock: Any = None) -> None:
        self.name, self.dtype, self.shape = name, dtype, shape
        self.value: np.ndarray | None = None
        self.lock = renewed(threading.RLock()) if lock is None else lock

    def read(self) -> np.ndarray:
        """The buffer itself; FailedPreconditionError if the variable is not initialised."""
        value = self.value
        if value is None:
            raise errors.FailedPreconditionError(None, None, f"Attempting to use uninitialized value {self.name}")
        return value


class SessionState:
    """The resources of a session, by container and name, and per-node state such as random generators.

    Attributes:
      closed: set when the session is closed.
      threads: how many threads may share the work of one op; 0 leaves it to the backend.
      device: how the names of its devices begin.
      lost: of a server's that was reset, what to say of it; empty else.
      served: whether it is a server's, whose errors say from which task they come.
      updates: held while the buffers of variables that are read by handle are changed in place.
    """

    def __init__(self) -> None:
        self.threads = 0
        self.updates = renewed(threading.RLock())
        self.device = "/job:localhost/replica:0/task:0"
        self._lock = renewed(threading.RLock())
        self._containers: dict[str, dict[tuple[str, str], Any]] = {}
        self._node_state: dict[str, Any] = {}
        self._shared = self.served = False
        self.lost = ""
        self.closed = renewed(threading.Event())

    def view(self) -> SessionState:
        """The same resources for a session of its own: it can be closed, and its nodes' private state is its own."""
        made = SessionState()
        made.threads, made.updates, made.device = self.threads, self.updates, self.device
        made._lock, made._containers, made._shared = self._lock, self._containers, True
        return made

    def resource(self, container: str | bytes, name: str | bytes, kind: str, make: Callable[[], Any]) -> Any:
        """The resource of that kind and name, made by `make()` if it does not exist yet."""
        container = container.decode(errors="backslashreplace") if isinstance(container, bytes) else container
        name = name.decode() if isinstance(name, bytes) else name
        key = (kind, name)
        known = self._containers.get(container)
        if known is not None:
            resource = known.get(key)
            if resource is not None:
                return resource
        with self._lock:
            found = self._containers.setdefault(container, {})
            if key not in found:
                found[key] = make()
            return found[key]

    def find(self, container: str, name: str, kind: str) -> Any:
        """The resource, or None."""
        with self._lock:
            return self._containers.get(container, {}).get((kind, name))

    def delete(self, resource: Any) -> bool:
        """Forget a resource; whether it was there."""
        with self._lock:
            for found in self._containers.values():
                for key, value in list(found.items()):
                    if value is resource:
                        del found[key]
                        return True
        return False

    def node_state(self, name: str, make: Callable[[], Any]) -> Any:
        """The private state of the node `name`, made once per session."""
        with self._lock:
            if name not in self._node_state:
                self._node_state[name] = make()
            return self._node_state[name]

    def reset(self, containers: Any = None) -> None:
        """Drop the resources of the containers named, of all if none is."""
        with self._lock:
            for name in list(self._containers) if not containers else containers:
                dropped = self._containers.pop(name, {})
                for resource in dropped.values():
                    _close(resource)

    def close(self) -> None:
        """Cancel what waits and drop all resources; of a view, what waits in it."""
        self.closed.set()
        if not self._shared:
            self.reset()
        with self._lock:
            self._node_state.clear()


def _close(resource: Any) -> None:
    cancel = getattr(resource, "cancel_all", None)
    if cancel is not None:
        cancel()
    elif isinstance(resource, VariableState):
        resource.value = None


def resource_name(node: Any) -> str:
    """The name under which a stateful node keeps its resource: `shared_name`, or its own."""
    shared = node.attrs.get("shared_name") or b""
    return shared.decode(errors="backslashreplace") if shared else node.name


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

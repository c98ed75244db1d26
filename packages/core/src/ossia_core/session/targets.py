"""Which store a session's target names: "" is a store of the session's own, a server's target is the server's."""
from __future__ import annotations

import threading

from ossia_core import errors
from ossia_core.session.state import SessionState

_lock = threading.Lock()
_servers: dict[bytes, SessionState] = {}


def local_state(target: bytes) -> SessionState:
    """The store behind a target.

    Raises:
      NotFoundError: no engine runs under that target in this process.
    """
    if not target:
        return SessionState()
    with _lock:
        state = _servers.get(target)
    if state is None:
        raise errors.NotFoundError(
            None, None, f'No session factory registered for the given session options: {{target: "{target.decode()}"}}'
        )
    return state


def register_target(target: bytes, state: SessionState) -> None:
    """Let sessions of this process share `state` under `target`."""
    with _lock:
        _servers[target] = state


def unregister_target(target: bytes) -> None:
    """Take `target` back."""
    with _lock:
        _servers.pop(target, None)

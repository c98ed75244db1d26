"""Which store a session's target names, where it names one: a server's target is the server's store."""
from __future__ import annotations

import threading

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.primitives.state import SessionState

_lock = renewed(threading.Lock())
_servers: dict[bytes, SessionState] = {}


def local_state(target: bytes) -> SessionState:
    """The store behind a target.

    Raises:
      NotFoundError: no kind of engine has such targets.
      InvalidArgumentError: the target of a server is no host and port.
      UnavailableError: no server of this process has that address; those of other processes are not reached.
    """
    with _lock:
        state = _servers.get(target)
    if state is not None:
        return state
    text = target.decode(errors="replace")
    if not text.startswith("grpc://"):
        raise errors.NotFoundError(
            None, None, f'No session factory registered for the given session options: {{target: "{text}"}} '
            "Registered factories are {DIRECT_SESSION, GRPC_SESSION}."
        )
    address = text.removeprefix("grpc://")
    host, _, port = address.rpartition(":")
    if not (host and port.isdecimal() and int(port) < 65536):
        raise errors.InvalidArgumentError(None, None, f'Could not interpret "{address}" as a host-port pair.')
    raise errors.UnavailableError(None, None, f"no server of this process has the address {address}")


def register_target(target: bytes, state: SessionState) -> None:
    """Let sessions of this process share `state` under `target` from now on."""
    with _lock:
        _servers[target] = state

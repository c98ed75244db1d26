"""What a session's target names: a server of this process, or a task that an engine reaches."""
from __future__ import annotations

import threading
from typing import Any

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.plugins import manager
from ossia_core.session.run.context import Connection, Target

_lock = renewed(threading.Lock())
_servers: dict[bytes, Target] = {}


def connection(target: bytes, config: Any) -> Connection:
    """The connection of a session with this target.

    Raises:
      NotFoundError: no kind of engine has such targets.
      InvalidArgumentError: the target of a server is no host and port.
      UnavailableError: no server has that address.
    """
    with _lock:
        found = _servers.get(target)
    if found is not None:
        return found.connect(config)
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
    for engine in manager.load_all("ossia_engines").values():
        reached = engine().target(address)
        if reached is not None:
            return reached.connect(config)
    raise errors.UnavailableError(None, None, f"no server is reached at the address {address}")


def register_target(target: bytes, server: Target) -> None:
    """Let sessions of this process connect to `server` under `target` from now on."""
    with _lock:
        _servers[target] = server


def forget_target(target: bytes) -> None:
    """Undo `register_target`."""
    with _lock:
        _servers.pop(target, None)

"""What a session's target names: nothing, a server of this process, or a task that an engine reaches."""
from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.plugins import manager
from ossia_core.primitives.state import SessionState

if TYPE_CHECKING:
    from ossia_core.backend import Backend
    from ossia_core.graph.operation import Operation
    from ossia_core.graph.tensor import Tensor
    from ossia_core.session.compile.plan import Plan

_lock = renewed(threading.Lock())
_servers: dict[bytes, Target] = {}


class Connection:
    """A session's connection to a task: the store that it uses, and what it may run where. This one runs all of it in
    this process; a cluster's also makes plans and names devices.

    Attributes:
      state: what the task keeps between runs.
      timeout_ms: how long a run takes at most, unless it says so itself; 0 for as long as it needs.
      cpus: how many CPU devices the task has; None for as many as the session's ConfigProto says.
    """

    timeout_ms = 0
    cpus: int | None = None

    def __init__(self, state: SessionState) -> None:
        self.state = state

    def plan(
        self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], make: Callable[[], Plan], config: Any
    ) -> Any:
        """The plan of a run: an object with what sessions use of `ossia_core.session.compile.plan.Plan`.

        Args:
          fetches, feeds: what is fetched and fed.
          make: makes the plan that runs all of it here.
          config: the session's ConfigProto, or None.
        """
        return make()

    def check_partial(self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor]) -> None:
        """Refuse a run in parts that is not of this process.

        Raises:
          UnimplementedError: other tasks take part.
        """

    def devices(self, config: Any) -> list[Any]:
        """The devices that the session can name."""
        from ossia_core.session.report.devices import local_devices
        return local_devices(config, self.state.device, self.cpus)

    def places(self, config: Any, backends: Sequence[Backend]) -> Any:
        """The `ossia_core.session.report.placement.Devices` that nodes can be placed on."""
        from ossia_core.session.report.placement import Devices
        soft = config is not None and config.allow_soft_placement
        return Devices(self.state.device, len(self.devices(config)), backends, soft)

    def reset(self, containers: Any) -> None:
        """Drop the resources of the containers named, of all if none is."""
        self.state.reset(containers)

    def close(self) -> None:
        """Give up what the session holds at other tasks."""


class Target:
    """What stands behind a target: it connects sessions."""

    def connect(self, config: Any) -> Connection:
        """The connection of a new session with this ConfigProto, which may be None.

        Raises:
          tf.errors.OpError: there is none.
        """
        raise NotImplementedError(f"{type(self).__name__}.connect")


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

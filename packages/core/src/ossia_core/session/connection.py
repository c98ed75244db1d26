"""How a session reaches what runs its graph: this process, or a task of a cluster."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ossia_core.primitives.state import SessionState

if TYPE_CHECKING:
    from ossia_core.backend import Backend
    from ossia_core.graph.operation import Operation
    from ossia_core.graph.tensor import Tensor
    from ossia_core.session.compile.plan import Plan


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

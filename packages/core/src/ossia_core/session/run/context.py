"""The context of one run, handed to the kernels that ask for it, and how a session reaches what runs its graph."""
from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ossia_core.names import errors
from ossia_core.primitives.state import SessionState

if TYPE_CHECKING:
    from ossia_core.backend import Backend
    from ossia_core.graph.operation import Operation
    from ossia_core.graph.tensor import Tensor
    from ossia_core.session.compile.plan import Plan


class Held:
    """A value of a run that others may wait for, such as a lock; a run that fails gives it back."""

    __slots__ = ()

    def release(self) -> None:
        """Give it back; does nothing the second time."""


def release_held(slots: list) -> None:
    """Give back what a run that failed holds."""
    for value in slots:
        if isinstance(value, Held):
            value.release()


def cancelled_instead(error: Exception, context: RunContext) -> Exception:
    """The error of a run that failed: in a session that was closed meanwhile it was cancelled, whatever it missed."""
    state = context.session_state
    if state.closed.is_set():
        if state.lost:
            return errors.AbortedError(None, None, state.lost)
        if state.served:
            return errors.CancelledError(None, None, "Step was cancelled by an explicit call to `Session::Close()`.")
        if not isinstance(error, errors.CancelledError):
            return errors.CancelledError(None, None, "Session has been closed.")
    elif state.served and isinstance(error, errors.OpError):
        error.from_task(state.device)
    return error


class RunContext:
    """One call of `Session.run`: its deadline, and the session's state."""

    __slots__ = ("deadline", "failed", "session_state")

    def __init__(self, session_state: SessionState, timeout_ms: int = 0) -> None:
        self.session_state = session_state
        self.deadline = time.monotonic() + timeout_ms / 1000 if timeout_ms > 0 else None
        self.failed = False

    @property
    def cancellation(self) -> threading.Event:
        """Set when the session is closed."""
        return self.session_state.closed

    def remaining(self) -> float | None:
        """Seconds until the deadline, None if there is none."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    def check(self) -> None:
        """Raise if the run must end.

        Raises:
          DeadlineExceededError: the deadline of RunOptions has passed.
          CancelledError: the session was closed, or another step of the run failed.
        """
        if self.session_state.closed.is_set():
            raise errors.CancelledError(None, None, "Session has been closed.")
        if self.failed:
            raise errors.CancelledError(None, None, "Step was cancelled by an error in another operation of the run.")
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise errors.DeadlineExceededError(None, None, "Timed out waiting for notification").of_run()

    def wait(self, condition: threading.Condition, ready: Callable[[], bool]) -> None:
        """Wait on `condition` (held by the caller) until `ready()`; raises as `check` does."""
        while not ready():
            self.check()
            left = self.remaining()
            condition.wait(0.05 if left is None else max(0.0, min(0.05, left)))


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

"""The contract of an engine: how the tasks of a cluster are found and called."""
from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ossia_core.session.run.context import Target
    from ossia_distribute.task import TaskRuntime


class Task(ABC):
    """A task of a cluster as others see it.

    Attributes:
      address: its host and port.
      here: whether it is in this process, and calls cost nothing.
    """

    address: str
    here = False

    @abstractmethod
    def submit(self, method: str, *args: Any, blocking: bool = False) -> Future:
        """Call a method of the task's `ossia_distribute.task.TaskRuntime`.

        Args:
          method, *args: the method, and its arguments.
          blocking: whether it may wait for other calls.

        Returns:
          A future of what the method returns. Its exception is what the method raises, or an UnavailableError: the
          task cannot be reached, or has died.
        """

    def call(self, method: str, *args: Any, timeout: float | None = None) -> Any:
        """What the method returns.

        Raises:
          TimeoutError: it did not within so many seconds.
        """
        return self.submit(method, *args).result(timeout)


class Engine(ABC):
    """Finds and calls tasks. An instance is what the hook `ossia_engines` names; it starts nothing by itself.

    Attributes:
      name: as in the hook's mapping.
    """

    name: str

    @abstractmethod
    def serve(self, address: str, runtime: TaskRuntime, joined: bool = False) -> None:
        """Let others find `runtime` at `address`; doing so again changes nothing.

        Args:
          address: host and port, "localhost" for this machine.
          runtime: the task.
          joined: whether the process that calls does nothing else from now on.

        Raises:
          tf.errors.UnknownError: another task has the address.
        """

    @abstractmethod
    def find(self, address: str) -> Task | None:
        """The task with this address, if it is there now."""

    def attend(self, address: str) -> Future:
        """A future that ends when a task that this process serves does."""
        return Future()

    @abstractmethod
    def withdraw(self, address: str) -> None:
        """End what `serve` did. Calls that wait end with UnavailableError at their callers."""

    def available(self) -> str | None:
        """None if the engine can be used, else what to do about it, in words."""
        return None

    def target(self, address: str) -> Target | None:
        """What sessions connect to whose target is `grpc://address`, if the task is there."""
        from ossia_distribute.connection import ClusterTarget
        task = self.find(local_address(address))
        return None if task is None else ClusterTarget(lambda: task, self.find)


def local_address(address: str) -> str:
    """The address, with one name for this machine."""
    import socket
    host, _, port = address.rpartition(":")
    local = host.strip("[]") in ("", "localhost", "::1", "0.0.0.0") or host.startswith("127.")
    return f"localhost:{port}" if local or host == socket.gethostname() else address


def is_local(address: str) -> bool:
    """Whether the address is of this machine by its name."""
    return local_address(address).startswith("localhost:")

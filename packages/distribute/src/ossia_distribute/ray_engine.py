"""The engine for tasks in several processes, or on several machines: Ray's named actors."""
from __future__ import annotations

import atexit
import importlib.util
import logging
import os
import threading
from concurrent.futures import Future
from typing import Any

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.plugins.api_table import provides
from ossia_distribute.engine import Engine, Task, is_local
from ossia_distribute.in_process import in_process, submitted
from ossia_distribute.ray_head import ENVIRONMENT, head_address, join_members
from ossia_distribute.task import TaskRuntime

_NAMESPACE = "ossia"
_CONTROL = frozenset(("cancel", "close", "cluster", "describe", "open", "reset"))
_DIRECT_JOBS = frozenset(("ps",))  # whose processes only serve


class RayTask(Task):
    """A task in another process."""

    def __init__(self, address: str, actor: Any, forget: Any) -> None:
        self.address, self._forget = address, forget
        self._groups = {
            group: actor.handle.options(concurrency_group=group) for group in ("compute", "blocking", "control")
        }

    def submit(self, method: str, *args: Any, blocking: bool = False) -> Future:
        """Call the method, in a thread of the group of its kind."""
        group = "control" if method in _CONTROL else "blocking" if blocking else "compute"
        answer: Future = Future()
        try:
            reply = self._groups[group].remote(method, args).future()
        except Exception as error:
            answer.set_exception(self._explained(error))
            return answer
        reply.add_done_callback(lambda done: self._settle(answer, done))
        return answer

    def _settle(self, answer: Future, done: Future) -> None:
        error = done.exception()
        if error is not None:
            answer.set_exception(self._explained(error))
            return
        fine, value = done.result()
        if fine:
            answer.set_result(value)
        else:
            answer.set_exception(value)

    def _explained(self, error: BaseException) -> BaseException:
        import ray.exceptions as failures
        lost = (failures.RayActorError, failures.ObjectLostError, failures.NodeDiedError, failures.RaySystemError)
        if isinstance(error, lost) or "disconnected" in str(error):
            self._forget(self.address)
            return errors.UnavailableError(None, None, f"The task at {self.address} is gone: {type(error).__name__}")
        return errors.InternalError(None, None, f"{type(error).__name__}: {error}")


class RayEngine(Engine):
    """Each task is an actor whose name is its address; it ends with the process of its server."""

    name = "ray"

    def __init__(self) -> None:
        self._lock = renewed(threading.RLock())
        self._connected = False
        self._tasks: dict[str, RayTask] = {}
        self._served: dict[str, Any] = {}

    def available(self) -> str | None:
        """Whether Ray is installed."""
        if importlib.util.find_spec("ray") is None:
            return "pip install 'ossia-distribute[ray]'"
        return None

    def _connect(self) -> Any:
        """Ray, connected to the cluster of this machine, or to the one that the environment names."""
        with self._lock:
            chosen = os.environ.get("OSSIA_ENGINE", "")
            address = chosen if chosen.startswith("ray://") else os.environ.get("RAY_ADDRESS", "")
            if not self._connected:
                if address:
                    address = address.removeprefix("ray://")
                else:
                    os.environ.update(ENVIRONMENT)
                    join_members()
                    address = head_address()
            import ray
            logging.getLogger("ray").setLevel(logging.ERROR)
            if not self._connected or not ray.is_initialized():
                ray.init(
                    address=address or head_address(), namespace=_NAMESPACE, log_to_driver=False,
                    configure_logging=False, ignore_reinit_error=True,
                )
                if not self._connected:
                    atexit.register(ray.shutdown)
                self._connected = True
            return ray

    def serve(self, address: str, runtime: TaskRuntime, joined: bool = False) -> None:
        """Start the actor of a task: it runs the task itself if the process only serves, else hands calls on to it."""
        with self._lock:
            if address in self._served:
                return
            ray = self._connect()
            if not is_local(address) and not os.environ.get("RAY_ADDRESS") and "://" not in os.environ.get(
                "OSSIA_ENGINE", ""
            ):
                raise errors.FailedPreconditionError(
                    None, None, f"{address} is on another machine: start Ray on each (`ray start`), and set RAY_ADDRESS"
                )
            from ossia_distribute.ray_actors import relay_actor, task_actor
            direct = joined or runtime.name.split("/")[1].partition(":")[2] in _DIRECT_JOBS
            try:
                if direct:
                    actor = task_actor(ray, address, runtime.arguments)
                    in_process().forget(address)
                else:
                    actor = relay_actor(ray, address, runtime)
            except ValueError as error:
                raise errors.UnknownError(None, None, f"Could not start gRPC server: {address}: {error}") from None
            self._served[address] = actor

    def find(self, address: str) -> Task | None:
        """The task, if an actor has its address as a name."""
        found = self._tasks.get(address)
        if found is None and self.available() is None:
            if not self._connected and not self._may_connect():
                return None
            ray = self._connect()
            try:
                actor = ray.get_actor(address, namespace=_NAMESPACE)
            except ValueError:
                return None
            found = self._tasks[address] = RayTask(address, actor, self._forgotten)
        return found

    def _may_connect(self) -> bool:
        return bool(
            os.environ.get("RAY_ADDRESS") or "://" in os.environ.get("OSSIA_ENGINE", "") or self._served
            or head_address(start=False)
        )

    def attend(self, address: str) -> Future:
        """A future that ends when the actor of a task that this process serves does."""
        actor = self._served[address]
        return submitted(lambda: self._connect().get(actor.attend.options(concurrency_group="control").remote()))

    def tasks(self) -> list[tuple[str, str]]:
        """The addresses of the tasks that Ray knows, each with the name of the task, or why it does not answer."""
        ray = self._connect()
        found = []
        for actor in ray.util.list_named_actors(all_namespaces=True):
            if actor["namespace"] == _NAMESPACE:
                task = self.find(actor["name"])
                try:
                    found.append((actor["name"], task.call("describe", timeout=5.0)[0] if task else "gone"))
                except (errors.OpError, TimeoutError) as error:
                    found.append((actor["name"], f"no answer ({type(error).__name__})"))
        return sorted(found)

    def _forgotten(self, address: str) -> None:
        self._tasks.pop(address, None)

    def withdraw(self, address: str) -> None:
        """End the actor of a task that this process serves."""
        actor = self._served.pop(address, None)
        if actor is not None:
            self._connect().kill(actor)


_engine = RayEngine()


@provides("ossia_engines", "ray")
def ray_engine() -> RayEngine:
    """The engine."""
    return _engine

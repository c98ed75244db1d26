"""`tf.train.Server`: a task of a cluster, whose variables outlive its sessions."""
from __future__ import annotations

import socket
import threading
import weakref
from typing import Any

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.plugins.api_table import public
from ossia_core.proto import ServerDef
from ossia_core.session.targets import forget_target, register_target
from ossia_distribute.cluster import ClusterSpec
from ossia_distribute.connection import ClusterTarget
from ossia_distribute.engine import local_address
from ossia_distribute.membership import Membership
from ossia_distribute.task import TaskRuntime


@public("train.Server", "distribute.Server")
class Server:
    """A task of a cluster: sessions whose target is `server.target`, and those of other tasks that place nodes on it,
    share its variables, queues and tables.

    Tasks of one process reach each other by themselves, those of several through an engine (`ossia-distribute[ray]`).
    The server holds its address, so that no other one takes it; it does not listen there.

    Args:
      server_or_cluster_def: a ServerDef, a ClusterDef, a ClusterSpec, or what makes one.
      job_name: the job of this server, if the definition names none and the cluster has several.
      task_index: its task, if the job has several.
      protocol: "grpc", which is also the default.
      config: a ConfigProto for its sessions.
      start: whether to start it at once.

    Raises:
      TypeError: the definition is none.
      ValueError: the job or the task is not given, or the cluster has no such job.
      tf.errors.NotFoundError: there is no such protocol.
      tf.errors.InvalidArgumentError: the job has no such task, or its address is no host and port.
      tf.errors.UnknownError: the address is taken.
    """

    def __init__(
        self,
        server_or_cluster_def: Any,
        job_name: str | None = None,
        task_index: int | None = None,
        protocol: str | None = None,
        config: Any = None,
        start: bool = True,
    ) -> None:
        self._server_def = server_def_of(server_or_cluster_def, job_name, task_index, protocol, config)
        self._lock = renewed(threading.Lock())
        self._started = False
        self._membership: Membership | None = None
        host, port = _address(self._server_def)
        self._port = _held(host, port)
        self._unstarted = weakref.finalize(self, self._port.close)
        self._target = f"grpc://{host}:{self._port.getsockname()[1]}"
        if start:
            self.start()

    def start(self) -> None:
        """Starts the server; starting it again does nothing."""
        with self._lock:
            if self._started:
                return
            self._started = True
            definition = self._server_def
            name = f"/job:{definition.job_name}/replica:0/task:{definition.task_index}"
            runtime = TaskRuntime(name, definition.default_session_config, definition.cluster.SerializeToString())
            address = local_address(self._target.removeprefix("grpc://"))
            cluster = ClusterSpec(definition.cluster)
            self._membership = Membership(address, runtime, cluster, self._port)
            self._unstarted.detach()  # others find the task as long as the process lives, with or without this object
            register_target(
                self._target.encode(), ClusterTarget(self._membership.task, self._membership.find, cluster)
            )

    def join(self) -> None:
        """Waits until the server is shut down, which is for ever.

        Raises:
          tf.errors.FailedPreconditionError: other processes cannot reach it.
        """
        if self._membership is None:
            threading.Event().wait()
        else:
            self._membership.join()

    def _stop(self) -> None:
        """End the server as the end of its process would: for tests of what others do then."""
        if self._membership is not None:
            forget_target(self._target.encode())
            self._membership.leave()
        self._unstarted()

    @property
    def server_def(self) -> ServerDef:
        """The definition of the server."""
        return self._server_def

    @property
    def target(self) -> str:
        """What a session takes as its target."""
        return self._target

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """A server of a cluster of its own, at an address that is free.

        Args:
          config: a ConfigProto for its sessions.
          start: whether to start it at once.
        """
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)


def server_def_of(
    given: Any, job_name: str | None, task_index: int | None, protocol: str | None, config: Any
) -> ServerDef:
    """The definition with what was given beside it, and what follows where there is no choice."""
    made = ServerDef()
    if isinstance(given, ServerDef):
        made.CopyFrom(given)
        job_name = job_name or made.job_name
        task_index = made.task_index if task_index is None else task_index
        protocol = protocol or made.protocol
        cluster = ClusterSpec(made.cluster)
    else:
        try:
            cluster = ClusterSpec(given)
        except TypeError:
            raise TypeError(
                "Could not convert `server_or_cluster_def` to a `tf.train.ServerDef` or `tf.train.ClusterSpec`."
            ) from None
        if job_name is None:
            if len(cluster.jobs) != 1:
                raise ValueError("Must specify an explicit `job_name`.")
            job_name = cluster.jobs[0]
        if task_index is None:
            numbers = cluster.task_indices(job_name)
            if len(numbers) != 1:
                raise ValueError("Must specify an explicit `task_index`.")
            task_index = numbers[0]
        made.cluster.CopyFrom(cluster.as_cluster_def())
        protocol = protocol or "grpc"
    made.job_name, made.task_index, made.protocol = job_name, task_index, protocol
    if config is not None:
        made.default_session_config.MergeFrom(config)
    if protocol != "grpc":
        raise errors.NotFoundError(
            None, None, f"No server factory registered for the given ServerDef: {made}\n"
            "The available server factories are: [ GRPC_SERVER ]"
        )
    if made.job_name not in cluster.jobs:
        raise errors.InternalError(None, None, f'Job "{made.job_name}" was not defined in cluster')
    if made.task_index not in cluster.task_indices(made.job_name):
        raise errors.InvalidArgumentError(
            None, None, f'Task {made.task_index} was not defined in job "{made.job_name}"'
        )
    return made


def _address(definition: ServerDef) -> tuple[str, int]:
    cluster = ClusterSpec(definition.cluster)
    address = cluster.task_address(definition.job_name, definition.task_index)
    host, _, port = address.rpartition(":")
    if not (port.isdecimal() and int(port) < 65536):
        raise errors.InvalidArgumentError(None, None, f'Could not parse port for local server from "{address}".')
    return host or "localhost", int(port)


def _held(host: str, port: int) -> socket.socket:
    """A socket that holds the port and does not listen."""
    held = socket.socket()
    try:
        held.bind(("", port))
    except OSError as error:
        held.close()
        raise errors.UnknownError(None, None, f"Could not start gRPC server: {host}:{port}: {error}") from None
    return held


"""Who takes part in a cluster: as it is given, as `TF_CONFIG` says, or as several tell."""

from __future__ import annotations

import json
import os
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


def _address(task: str | None, rpc_layer: str | None) -> str:
    return f"{rpc_layer}://{task}" if task and rpc_layer else task or ""


@public("contrib.cluster_resolver.ClusterResolver", "distribute.cluster_resolver.ClusterResolver")
class ClusterResolver:
    """Says who takes part in a cluster; subclasses define `cluster_spec` and `master`."""

    task_type: str | None = None
    task_id: int | None = None
    rpc_layer: str | None = None

    def cluster_spec(self) -> Any:
        """The `tf.train.ClusterSpec`."""
        raise NotImplementedError("cluster_spec is not implemented.")

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The address of a task."""
        raise NotImplementedError("master is not implemented.")

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """How many accelerators a task has, by kind."""
        return {}

    @property
    def environment(self) -> str:
        """Where the cluster is: `google`, or empty."""
        return ""


@public("contrib.cluster_resolver.SimpleClusterResolver", "distribute.cluster_resolver.SimpleClusterResolver")
class SimpleClusterResolver(ClusterResolver):
    """A cluster as it is given.

    Args:
      cluster_spec: a `tf.train.ClusterSpec`.
      master: the address of the engine.
      task_type: what this process is.
      task_id: which of them.
      environment: where the cluster is.
      num_accelerators: how many accelerators a task has, by kind.
      rpc_layer: the protocol, for example `grpc`.

    Raises:
      TypeError: `cluster_spec` is something else.
    """

    def __init__(
        self, cluster_spec: Any, master: str = "", task_type: str | None = None, task_id: int | None = None,
        environment: str = "", num_accelerators: dict[str, int] | None = None, rpc_layer: str | None = None,
    ) -> None:
        if not isinstance(cluster_spec, tf.train.ClusterSpec):
            raise TypeError("cluster_spec must be a ClusterSpec.")
        self._cluster_spec = cluster_spec
        self._master = master
        self.task_type = task_type
        self.task_id = task_id
        self._environment = environment
        self._num_accelerators = num_accelerators
        self.rpc_layer = rpc_layer

    def cluster_spec(self) -> Any:
        """The cluster."""
        return self._cluster_spec

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The address of a task, or of the engine if no task is named."""
        if task_type is not None and task_id is not None:
            return _address(self._cluster_spec.task_address(task_type, task_id), rpc_layer or self.rpc_layer)
        return _address(self._master, rpc_layer or self.rpc_layer) if self._master else (
            f"{rpc_layer or self.rpc_layer}://" if rpc_layer or self.rpc_layer else ""
        )

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """How many accelerators a task has, as it was given."""
        return dict(self._num_accelerators or {})

    @property
    def environment(self) -> str:
        """Where the cluster is."""
        return self._environment


@public("contrib.cluster_resolver.TFConfigClusterResolver", "distribute.cluster_resolver.TFConfigClusterResolver")
class TFConfigClusterResolver(ClusterResolver):
    """The cluster that the environment variable `TF_CONFIG` describes.

    Args:
      task_type: what this process is, in the place of what the variable says.
      task_id: which of them.
      rpc_layer: the protocol.
      environment: where the cluster is.
    """

    def __init__(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
        environment: str | None = None,
    ) -> None:
        config = self._config()
        task = config.get("task", {})
        self.task_type = task_type if task_type is not None else task.get("type")
        index = task_id if task_id is not None else task.get("index")
        self.task_id = None if index is None else int(index)
        self.rpc_layer = rpc_layer or config.get("rpc_layer")
        self._environment = environment

    @staticmethod
    def _config() -> dict[str, Any]:
        return json.loads(os.environ.get("TF_CONFIG", "{}"))

    @property
    def environment(self) -> str:
        """Where the cluster is."""
        return self._environment  # type: ignore[return-value]

    def cluster_spec(self) -> Any:
        """The cluster."""
        return tf.train.ClusterSpec(self._config().get("cluster", {}))

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The address of a task, by default of this one; empty in a cluster of one."""
        spec = self.cluster_spec()
        tasks = [address for job in spec.jobs for address in spec.job_tasks(job)]
        if len(tasks) <= 1:
            return ""
        kind = task_type if task_type is not None else self.task_type
        index = task_id if task_id is not None else self.task_id
        if kind is None or index is None:
            return ""
        return _address(spec.task_address(kind, index), rpc_layer or self.rpc_layer)


@public("contrib.cluster_resolver.UnionClusterResolver", "distribute.cluster_resolver.UnionResolver")
class UnionClusterResolver(ClusterResolver):
    """All that several resolvers tell; the first says what the engine and this process are.

    Args:
      *args: the resolvers.
      **kwargs: `task_type`, `task_id` and `rpc_layer` in the place of the first one's.

    Raises:
      ValueError: there is none.
      TypeError: one is something else.
    """

    def __init__(self, *args: ClusterResolver, **kwargs: Any) -> None:
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        if not all(isinstance(each, ClusterResolver) for each in args):
            raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        self._resolvers = args
        self.task_type = kwargs.get("task_type", args[0].task_type)
        self.task_id = kwargs.get("task_id", args[0].task_id)
        self.rpc_layer = kwargs.get("rpc_layer", args[0].rpc_layer)

    def cluster_spec(self) -> Any:
        """The jobs of all; those of one name are put together.

        Raises:
          KeyError: two resolvers give one task two addresses.
        """
        specs = [each.cluster_spec() for each in self._resolvers]
        found: dict[str, Any] = {}
        for job in dict.fromkeys(job for spec in specs for job in spec.jobs):
            parts = [spec.as_dict()[job] for spec in specs if job in spec.jobs]
            if any(isinstance(part, dict) for part in parts):
                together: dict[int, str] = {}
                for part in parts:
                    for index, address in (part if isinstance(part, dict) else dict(enumerate(part))).items():
                        if index in together:
                            raise KeyError(f"Duplicate key detected when merging two ClusterSpecs: {index}")
                        together[index] = address
                found[job] = together
            else:
                found[job] = list(dict.fromkeys(address for part in parts for address in part))
        return tf.train.ClusterSpec(found)

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The address of a task, or of the engine of the first resolver."""
        if task_type is not None and task_id is not None:
            address = self.cluster_spec().task_address(task_type, task_id)
            return _address(address, rpc_layer or self.rpc_layer)
        return self._resolvers[0].master(rpc_layer=rpc_layer)

    @property
    def environment(self) -> str:
        """Where the first cluster is."""
        return self._resolvers[0].environment


@public("contrib.cluster_resolver.TPUClusterResolver", "distribute.cluster_resolver.TPUClusterResolver")
class TPUClusterResolver(ClusterResolver):
    """The address of a TPU. A name of one, which Google's cloud would have to be asked about, is refused.

    Args:
      tpu: an address, `grpc://...`; `local` and the empty text stand for this process.
      zone: the zone of a name.
      project: the project of a name.
      job_name: what the tasks are called.
      coordinator_name: a job for this process.
      coordinator_address: its address.
      credentials: of the cloud.
      service: of the cloud.
      discovery_url: of the cloud.

    Raises:
      ValueError: there is no `tpu`.
      NotImplementedError: it is a name.
    """

    def __init__(
        self, tpu: Any = None, zone: str | None = None, project: str | None = None, job_name: str = "worker",
        coordinator_name: str | None = None, coordinator_address: str | None = None, credentials: Any = "default",
        service: Any = None, discovery_url: str | None = None,
    ) -> None:
        tpu = tpu[0] if isinstance(tpu, list) else tpu
        if tpu is None:
            tpu = os.environ.get("TPU_NAME", os.environ.get("KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS"))
        if tpu is None:
            raise ValueError("Please provide a TPU Name to connect to.")
        self._tpu = tf.compat.as_text(tpu)
        if self._tpu not in ("", "local") and "://" not in self._tpu:
            raise NotImplementedError(
                f"TPUClusterResolver({self._tpu!r}): Ossia asks no cloud where a TPU is, and there is no TPU here; "
                "give an address, or train with use_tpu=False and no resolver"
            )
        self.task_id = 0
        self._job_name = job_name
        self._coordinator = coordinator_name, coordinator_address

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The address of the TPU."""
        return self._tpu

    def get_master(self) -> str:
        """As `master`."""
        return self.master()

    def get_job_name(self) -> str | None:
        """What its tasks are called, if a cloud was asked: None."""
        return None

    def cluster_spec(self) -> Any:
        """A cluster of its address; None for this process."""
        if "://" not in self._tpu:
            return None
        jobs = {self._job_name: [self._tpu.partition("://")[2]]}
        name, address = self._coordinator
        if address:
            jobs[name or "coordinator"] = [address]
        return tf.train.ClusterSpec(jobs)

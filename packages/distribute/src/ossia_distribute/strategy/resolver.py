"""Cluster resolvers: where a program learns of its cluster."""
from __future__ import annotations

import json
import os
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_distribute.cluster import ClusterSpec


def master_address(address: str, rpc_layer: str | None) -> str:
    """The target of a session."""
    return f"{rpc_layer}://{address}" if rpc_layer else address


@public("distribute.cluster_resolver.ClusterResolver", "compat.v2.distribute.cluster_resolver.ClusterResolver")
class ClusterResolver:
    """The base class: says which cluster there is, and which of its tasks this process is.

    Attributes:
      task_type, task_id: the job and number of this process's task.
      rpc_layer: how targets begin.
      environment: what kind of machines it is.
    """

    task_type: str | None = None
    task_id: int | None = None
    rpc_layer: str | None = None
    environment = ""

    def cluster_spec(self) -> ClusterSpec:
        """The cluster."""
        raise NotImplementedError("cluster_spec")

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The target of a task, by default of the one whose sessions this process makes."""
        raise NotImplementedError("master")

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """How many accelerators a task has, by their type."""
        return {}


@public(
    "distribute.cluster_resolver.SimpleClusterResolver", "compat.v2.distribute.cluster_resolver.SimpleClusterResolver"
)
class SimpleClusterResolver(ClusterResolver):
    """A resolver of what it is given.

    Args:
      cluster_spec: the ClusterSpec.
      master: the target.
      task_type, task_id, environment, rpc_layer: as the attributes.
      num_accelerators: what `num_accelerators` returns.

    Raises:
      TypeError: `cluster_spec` is no ClusterSpec.
    """

    def __init__(
        self, cluster_spec: ClusterSpec, master: str = "", task_type: str | None = None, task_id: int | None = None,
        environment: str = "", num_accelerators: dict[str, int] | None = None, rpc_layer: str | None = None,
    ) -> None:
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError("cluster_spec must be a `tf.train.ClusterSpec`.")
        if not isinstance(master, str):
            raise TypeError("Master must be a string.")
        self._cluster, self._master, self._accelerators = cluster_spec, master, num_accelerators
        self.task_type, self.task_id, self.environment, self.rpc_layer = task_type, task_id, environment, rpc_layer

    def cluster_spec(self) -> ClusterSpec:
        """The cluster."""
        return self._cluster

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The target of a task, or the one that was given."""
        layer = rpc_layer or self.rpc_layer
        if task_type is not None and task_id is not None:
            return master_address(self._cluster.task_address(task_type, task_id), layer)
        return master_address(self._master, layer)

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """What was given."""
        return self._accelerators or {}


@public(
    "distribute.cluster_resolver.TFConfigClusterResolver",
    "compat.v2.distribute.cluster_resolver.TFConfigClusterResolver",
)
class TFConfigClusterResolver(ClusterResolver):
    """A resolver of the environment variable TF_CONFIG.

    Args:
      task_type, task_id, rpc_layer, environment: instead of what TF_CONFIG says.
    """

    def __init__(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None,
        environment: str | None = None,
    ) -> None:
        self._given = {"task_type": task_type, "task_id": task_id, "rpc_layer": rpc_layer, "environment": environment}

    @staticmethod
    def _config() -> dict[str, Any]:
        return json.loads(os.environ.get("TF_CONFIG") or "{}")

    def _found(self, name: str, told: Any) -> Any:
        given = self._given[name]
        return told if given is None else given

    @property
    def task_type(self) -> str | None:  # type: ignore[override]
        """The job of this process."""
        found = self._found("task_type", self._config().get("task", {}).get("type"))
        return None if found is None else str(found)

    @property
    def task_id(self) -> int | None:  # type: ignore[override]
        """The number of this process's task."""
        found = self._found("task_id", self._config().get("task", {}).get("index"))
        return None if found is None else int(found)

    @property
    def rpc_layer(self) -> str | None:  # type: ignore[override]
        """How targets begin."""
        return self._found("rpc_layer", self._config().get("rpc_layer"))

    @property
    def environment(self) -> str:  # type: ignore[override]
        """What kind of machines it is."""
        return self._found("environment", self._config().get("environment", "")) or ""

    def cluster_spec(self) -> ClusterSpec:
        """The cluster; empty if TF_CONFIG has none."""
        return ClusterSpec(self._config().get("cluster", {}))

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The target of a task, by default of this process's; empty without a cluster."""
        cluster = self.cluster_spec()
        if not cluster.as_dict() or len(cluster.as_dict()) == 1 and len(cluster.job_tasks(cluster.jobs[0])) == 1:
            return ""
        job = self.task_type if task_type is None else task_type
        index: Any = self.task_id if task_id is None else task_id
        return master_address(cluster.task_address(job, index), rpc_layer or self.rpc_layer)


@public("distribute.cluster_resolver.UnionResolver", "compat.v2.distribute.cluster_resolver.UnionResolver")
class UnionClusterResolver(ClusterResolver):
    """A resolver of what several resolvers know; the first one decides what is of one task.

    Args:
      *args: the resolvers.
      rpc_layer, task_type, task_id: instead of the first one's.

    Raises:
      ValueError: there is no resolver.
      TypeError: one is none.
    """

    def __init__(self, *args: ClusterResolver, **kwargs: Any) -> None:
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        if not all(isinstance(resolver, ClusterResolver) for resolver in args):
            raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        self._resolvers = args
        self.rpc_layer = kwargs.pop("rpc_layer", None) or args[0].rpc_layer
        self.task_type = kwargs.pop("task_type", args[0].task_type)
        self.task_id = kwargs.pop("task_id", args[0].task_id)
        self.environment = args[0].environment
        if kwargs:
            raise ValueError(f"Unexpected kwargs provided {kwargs!r}")

    def cluster_spec(self) -> ClusterSpec:
        """All jobs with all tasks.

        Raises:
          KeyError: two resolvers number the same task.
        """
        jobs: dict[str, dict[int, str]] = {}
        for resolver in self._resolvers:
            spec = resolver.cluster_spec()
            for job in spec.jobs:
                tasks = jobs.setdefault(job, {})
                numbered = isinstance(spec.as_dict()[job], dict)
                for index in spec.task_indices(job):
                    place = index if numbered else len(tasks)
                    if place in tasks:
                        raise KeyError(f"Duplicate keys detected for job {job}: task {place}")
                    tasks[place] = spec.task_address(job, index)
        return ClusterSpec(ClusterSpec(jobs).as_dict())

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The target of a task; without one, what the first resolver says."""
        if task_type is not None and task_id is not None:
            return master_address(self.cluster_spec().task_address(task_type, task_id), rpc_layer or self.rpc_layer)
        return self._resolvers[0].master(rpc_layer=rpc_layer)

"""Strategies of several processes: variables on parameter servers, each worker a replica of its own."""
from __future__ import annotations

import enum
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_distribute.cluster import ClusterSpec
from ossia_distribute.device_setter import replica_device_setter
from ossia_distribute.strategy.resolver import TFConfigClusterResolver
from ossia_distribute.strategy.strategy import Strategy, StrategyExtended, local_devices


class _Extended(StrategyExtended):
    """Variables take turns among the parameter servers of a cluster."""

    def __init__(self, strategy: Any, resolver: Any) -> None:
        super().__init__(strategy, local_devices(None), ["/device:CPU:0"])
        self.configure(resolver.cluster_spec(), resolver.task_type, resolver.task_id)

    def configure(self, cluster: ClusterSpec, task_type: str | None, task_id: int | None) -> None:
        """Take the cluster, and the place of this process in it."""
        self._setter: Any = None
        self._task_type = task_type
        self._task_id = task_id or 0
        if cluster and task_type:
            worker = f"/job:{task_type}/task:{self._task_id}"
            self.worker_devices = (f"/job:{task_type}/replica:0/task:{self._task_id}/device:CPU:0",)
            self._setter = replica_device_setter(worker_device=worker, cluster=cluster)
            servers = cluster.num_tasks("ps") if "ps" in cluster.jobs else 0
            self.parameter_devices = tuple(f"/job:ps/task:{i}" for i in range(servers)) or ("/device:CPU:0",)

    @property
    def experimental_between_graph(self) -> bool:  # type: ignore[override]
        """Whether each worker builds a graph of its own: in a cluster."""
        return self._setter is not None

    @property
    def _is_chief(self) -> bool:
        return self._task_type in (None, "chief") or self._task_type == "worker" and self._task_id == 0

    experimental_should_init = should_checkpoint = should_save_summary = _is_chief  # type: ignore[assignment]

    def place(self, op: Any) -> str:
        """The device of a variable."""
        return self.parameter_devices[0] if self._setter is None else self._setter(op)


@public(
    "distribute.experimental.ParameterServerStrategy", "compat.v2.distribute.experimental.ParameterServerStrategy"
)
class ParameterServerStrategy(Strategy):
    """Variables on the parameter servers of a cluster by turns, computing on the worker that this process is.

    Args:
      cluster_resolver: a ClusterResolver, by default that of TF_CONFIG.
    """

    def __init__(self, cluster_resolver: Any = None) -> None:
        super().__init__(_Extended(self, cluster_resolver or TFConfigClusterResolver()))

    def configure(
        self, session_config: Any = None, cluster_spec: Any = None, task_type: Any = None, task_id: Any = None
    ) -> None:
        """Take the cluster, and let sessions reach the parameter servers and this worker only."""
        if cluster_spec:
            self._extended.configure(ClusterSpec(cluster_spec), task_type, task_id)  # type: ignore[attr-defined]
        super().configure(session_config)

    def update_config_proto(self, config_proto: Any) -> Any:
        """A ConfigProto whose sessions reach the parameter servers and this worker only."""
        made = super().update_config_proto(config_proto)
        extended: Any = self._extended
        if extended.experimental_between_graph:
            made.isolate_session_state = False
            del made.device_filters[:]
            made.device_filters.extend([f"/job:{extended._task_type}/task:{extended._task_id}", "/job:ps"])
        return made


@public("distribute.experimental.CollectiveCommunication", "compat.v2.distribute.experimental.CollectiveCommunication")
class CollectiveCommunication(enum.Enum):
    """How workers would reduce tensors."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


@public(
    "distribute.experimental.MultiWorkerMirroredStrategy",
    "compat.v2.distribute.experimental.MultiWorkerMirroredStrategy",
)
class MultiWorkerMirroredStrategy(Strategy):
    """A replica in each worker; with one worker, a replica on the CPU.

    Args:
      communication: how workers reduce tensors; without effect.

    Raises:
      NotImplementedError: TF_CONFIG names several workers: collective operations between processes.
    """

    def __init__(self, communication: CollectiveCommunication = CollectiveCommunication.AUTO) -> None:
        cluster = TFConfigClusterResolver().cluster_spec()
        if sum(cluster.num_tasks(job) for job in cluster.jobs if job in ("chief", "worker")) > 1:
            raise NotImplementedError("MultiWorkerMirroredStrategy with several workers")
        super().__init__(StrategyExtended(self, local_devices(None)))


@public("distribute.experimental.TPUStrategy", "compat.v2.distribute.experimental.TPUStrategy")
class TPUStrategy(Strategy):
    """Replicas on the cores of a TPU, which this machine does not have.

    Args:
      tpu_cluster_resolver, steps_per_run, device_assignment: as for a TPU.

    Raises:
      NotImplementedError: always.
    """

    def __init__(self, tpu_cluster_resolver: Any = None, steps_per_run: Any = None, device_assignment: Any = None) -> None:
        raise NotImplementedError("TPUStrategy needs TPU hardware")

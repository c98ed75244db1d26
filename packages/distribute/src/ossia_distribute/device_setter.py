"""`tf.train.replica_device_setter`: variables on the parameter servers by turns, all else on the worker."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.names.device import DeviceSpec
from ossia_core.plugins.api_table import public
from ossia_distribute.cluster import ClusterSpec

STANDARD_PS_OPS = (
    "Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2",
    "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable", "MutableDenseHashTableV2",
    "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp", "BoostedTreesQuantileStreamResourceHandleOp",
    "ResourceConditionalAccumulator",
)


class _ByTurns:
    """Gives each node the next task, and after the last one the first again."""

    def __init__(self, tasks: int) -> None:
        self._tasks, self._next = tasks, 0

    def __call__(self, unused_op: Any) -> int:
        task = self._next
        self._next = (task + 1) % self._tasks
        return task


class _DeviceSetter:
    """The device function: what `tf.device` asks for each node."""

    def __init__(
        self, ps_device: Any, worker_device: Any, merge_devices: bool, ps_ops: Sequence[str],
        ps_strategy: Callable[[Any], Any],
    ) -> None:
        self._ps_device, self._worker_device, self._merge_devices = ps_device, worker_device, merge_devices
        self._ps_ops, self._ps_strategy = ps_ops, ps_strategy

    def __call__(self, op: Any) -> str:
        if not self._merge_devices and op.device:
            return op.device
        asked = DeviceSpec.from_string(op.device or "")
        # Of a NodeDef, `op` is the type; operations have it as `type`.
        kind = op.type if hasattr(op, "type") else op.op
        if self._ps_device and kind in self._ps_ops:
            device = DeviceSpec.from_string(self._ps_device)
            if device.job and asked.job in (None, device.job):  # a node of another job has no task here
                task = self._ps_strategy(op)
                device.task = None if task is None else int(task)
        else:
            device = DeviceSpec.from_string(self._worker_device or "")
        device.merge_from(asked)
        return device.to_string()


@public("train.replica_device_setter")
def replica_device_setter(
    ps_tasks: int = 0,
    ps_device: str | None = "/job:ps",
    worker_device: str | None = "/job:worker",
    merge_devices: bool = True,
    cluster: Any = None,
    ps_ops: Sequence[str] | None = None,
    ps_strategy: Callable[[Any], Any] | None = None,
) -> Callable[[Any], str] | None:
    """A device function for `tf.device`: variables and tables go to the tasks of a job by turns, all else elsewhere.

    Args:
      ps_tasks: how many tasks the job of `ps_device` has; without meaning if `cluster` is given.
      ps_device: the device of variables and tables, whose task is put in.
      worker_device: the device of all other nodes.
      merge_devices: whether what an inner `tf.device` leaves open is filled in; if not, its device stays as it is.
      cluster: a ClusterSpec, or what makes one.
      ps_ops: op types that go to `ps_device`, instead of those of variables and tables.
      ps_strategy: takes an operation and returns its task; by default the tasks take turns.

    Returns:
      The function; None if there are no such tasks.

    Raises:
      TypeError: `cluster` is no cluster, or `ps_strategy` cannot be called.
    """
    if cluster is not None:
        jobs = ClusterSpec(cluster).as_dict()
        ps_tasks = len(jobs.get(DeviceSpec.from_string(ps_device).job, ()))
    if ps_tasks == 0:
        return None
    if ps_strategy is None:
        ps_strategy = _ByTurns(ps_tasks)
    elif not callable(ps_strategy):
        raise TypeError("ps_strategy must be callable")
    return _DeviceSetter(
        ps_device, worker_device, merge_devices, STANDARD_PS_OPS if ps_ops is None else ps_ops, ps_strategy
    )

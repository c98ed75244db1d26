"""The devices that a session can name."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ossia_core import errors
from ossia_core.backend import Backend
from ossia_core.device import DeviceSpec
from ossia_core.graph.operation import Operation

_INCARNATION = 1  # one process, one device: nothing that could be mistaken


class DeviceAttributes(NamedTuple):
    """A device: its name, type, memory limit in bytes, and incarnation number."""

    name: str
    device_type: str
    memory_limit_bytes: int
    incarnation: int = _INCARNATION

    @property
    def memory_limit(self) -> int:
        """The memory limit in bytes."""
        return self.memory_limit_bytes


def local_devices(config: Any, prefix: str = "/job:localhost/replica:0/task:0") -> list[DeviceAttributes]:
    """The CPU devices that a ConfigProto asks for, one by default; their names begin with `prefix`."""
    count = int(config.device_count.get("CPU", 1)) if config is not None and "CPU" in config.device_count else 1
    return [
        DeviceAttributes(f"{prefix}/device:CPU:{i}", "CPU", 256 << 20)
        for i in range(max(count, 1))
    ]


def check_placement(ops: Iterable[Operation], backends: Sequence[Backend], cpus: int, task: str, soft: bool) -> None:
    """InvalidArgumentError for the first node that asks for a device which is not there.

    Args:
      ops: the nodes of a run.
      backends: what computes.
      cpus: how many CPU devices there are.
      task: the name of the task, as names of its devices begin.
      soft: whether a device of another type or number does as well; one of another task never does.
    """
    here = DeviceSpec.from_string(task)
    seen: set[str] = set()
    if {op.device for op in ops} == {""}:
        return
    for op in ops:
        if not op.device or op.device in seen:
            continue
        seen.add(op.device)
        asked = DeviceSpec.from_string(op.device)
        kind = asked.device_type
        elsewhere = (
            asked.job not in (None, here.job)
            or asked.replica not in (None, here.replica)
            or asked.task not in (None, here.task)
        )
        missing = (
            kind == "CPU"
            and (asked.device_index or 0) >= cpus
            or kind not in (None, "CPU")
            and not any(b.supports_device(kind) for b in backends)
        )
        if elsewhere or missing and not soft:
            there = ", ".join(f"{task}/device:CPU:{i}" for i in range(cpus))
            raise errors.InvalidArgumentError(
                None,
                op,
                f"Cannot assign a device for operation {op.name}: node {op.name} was explicitly assigned to "
                f"{op.device} but available devices are [ {there} ]. Make sure the device specification refers to a "
                "valid device.",
            )

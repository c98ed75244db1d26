"""The devices that a session can name."""
from __future__ import annotations

from typing import Any, NamedTuple

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

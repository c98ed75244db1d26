"""The devices that a session can name."""
from __future__ import annotations

from typing import Any

from ossia_core.names.device import canonical_name

_INCARNATION = 1  # one process, one device: nothing that could be mistaken


class DeviceAttributes:
    """A device: its name in full, type, memory limit in bytes, and incarnation number.

    Raises:
      ValueError: the name is no device's.
    """

    __slots__ = ("_device_type", "_incarnation", "_memory_limit_bytes", "_name")

    def __init__(
        self, name: str, device_type: str, memory_limit_bytes: int, incarnation: int = _INCARNATION
    ) -> None:
        self._name = canonical_name(name)
        self._device_type = device_type
        self._memory_limit_bytes = memory_limit_bytes
        self._incarnation = incarnation

    @property
    def name(self) -> str:
        """The name, with the type and index of the device."""
        return self._name

    @property
    def device_type(self) -> str:
        """The type, as "CPU"."""
        return self._device_type

    @property
    def memory_limit_bytes(self) -> int:
        """The memory limit in bytes."""
        return self._memory_limit_bytes

    memory_limit = memory_limit_bytes

    @property
    def incarnation(self) -> int:
        """A number that tells a device from the one that had its name before."""
        return self._incarnation

    def __repr__(self) -> str:
        return f"_DeviceAttributes({self.name}, {self.device_type}, {self.memory_limit_bytes}, {self.incarnation})"


def local_devices(
    config: Any, prefix: str = "/job:localhost/replica:0/task:0", count: int | None = None
) -> list[DeviceAttributes]:
    """The CPU devices that a ConfigProto asks for, one by default, or `count` of them; their names begin with
    `prefix`."""
    if count is None:
        count = int(config.device_count.get("CPU", 1)) if config is not None and "CPU" in config.device_count else 1
    return [
        DeviceAttributes(f"{prefix}/device:CPU:{i}", "CPU", 256 << 20)
        for i in range(max(count, 1))
    ]

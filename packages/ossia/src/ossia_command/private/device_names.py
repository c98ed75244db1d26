"""`framework.device`: names of devices, and the functions that `tf.device` takes."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.device import canonical_name, check_valid, merge_device

__all__ = ["DeviceSpecV2", "canonical_name", "check_valid", "is_device_spec", "merge_device"]


def is_device_spec(obj: Any) -> bool:
    """Whether a value is a DeviceSpec."""
    return isinstance(obj, tf.DeviceSpec)


_PARTS: dict[str, Any] = {name: part for name, part in vars(tf.DeviceSpec).items() if isinstance(part, property)}


class DeviceSpecV2(tf.DeviceSpec):
    """The name of a device that does not change; arguments as for `tf.DeviceSpec`."""

    __slots__ = ()

    def __init__(
        self, job: str | None = None, replica: int | None = None, task: int | None = None,
        device_type: str | None = None, device_index: int | None = None,
    ) -> None:
        parts = {"job": job, "replica": replica, "task": task, "device_type": device_type, "device_index": device_index}
        for name, part in parts.items():
            _PARTS[name].fset(self, part)

    job = property(_PARTS["job"].fget)
    replica = property(_PARTS["replica"].fget)
    task = property(_PARTS["task"].fget)
    device_type = property(_PARTS["device_type"].fget)
    device_index = property(_PARTS["device_index"].fget)

    def parse_from_string(self, spec: str | None) -> DeviceSpecV2:
        """The name that `spec` says."""
        return self.from_string(spec)

    @classmethod
    def from_string(cls, spec: str | None) -> DeviceSpecV2:
        """The name that `spec` says.

        Raises:
            ValueError: `spec` is no name of a device.
        """
        found = tf.DeviceSpec.from_string(spec)
        return cls(found.job, found.replica, found.task, found.device_type, found.device_index)

    def make_merged_spec(self, dev: Any) -> DeviceSpecV2:
        """This name with the parts of `dev` in the place of its own where `dev` has them."""
        return self.from_string(tf.DeviceSpec.from_string(self.to_string()).make_merged_spec(dev).to_string())

    def replace(self, **kwargs: Any) -> DeviceSpecV2:
        """This name with some of its parts replaced."""
        names = ("job", "replica", "task", "device_type", "device_index")
        return type(self)(**{**{name: getattr(self, name) for name in names}, **kwargs})

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, DeviceSpecV2) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

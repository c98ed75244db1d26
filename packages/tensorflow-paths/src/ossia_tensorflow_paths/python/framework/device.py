"""`framework.device`: names of devices, and the functions that `tf.device` takes."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.names.device import canonical_name, check_valid, merge_device

__all__ = ["DeviceSpecV2", "MergeDevice", "canonical_name", "check_valid", "is_device_spec", "merge_device"]

_PARTS = ("job", "replica", "task", "device_type", "device_index")
MergeDevice = type(merge_device(""))


class DeviceSpecV2(tf.DeviceSpec):
    """The name of a device, perhaps a partial one, that does not change."""

    __slots__ = ("_made",)

    def __init__(self, *parts: Any, **named_parts: Any) -> None:
        super().__init__(*parts, **named_parts)
        self._made = True

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(self, "_made"):
            raise AttributeError("can't set attribute")
        super().__setattr__(name, value)

    @classmethod
    def from_string(cls, spec: str | None) -> DeviceSpecV2:
        """The device that a string names, such as "/job:ps/task:1/cpu:0".

        Raises:
            ValueError: The string is no such name.
        """
        return cls(*_parts(tf.DeviceSpec.from_string(spec)))

    def parse_from_string(self, spec: str | None) -> DeviceSpecV2:
        """`from_string`."""
        return self.from_string(spec)

    def make_merged_spec(self, dev: tf.DeviceSpec) -> DeviceSpecV2:
        """This name, with the parts that `dev` has in the place of its own."""
        return type(self)(*(own if other is None else other for own, other in zip(_parts(self), _parts(dev))))

    def replace(self, **parts: Any) -> DeviceSpecV2:
        """This name with other parts."""
        return type(self)(**{**dict(zip(_PARTS, _parts(self))), **parts})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpecV2) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())


def _parts(spec: tf.DeviceSpec) -> tuple[Any, ...]:
    return tuple(getattr(spec, part) for part in _PARTS)


def is_device_spec(obj: Any) -> bool:
    """Whether a value is a DeviceSpec."""
    return isinstance(obj, tf.DeviceSpec)

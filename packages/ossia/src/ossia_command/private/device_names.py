"""`framework.device`: names of devices, and the functions that `tf.device` takes."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.device import canonical_name, check_valid, merge_device

__all__ = ["canonical_name", "check_valid", "is_device_spec", "merge_device"]


def is_device_spec(obj: Any) -> bool:
    """Whether a value is a DeviceSpec."""
    return isinstance(obj, tf.DeviceSpec)

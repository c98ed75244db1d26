"""Whether the placement of ops on devices is logged."""

from __future__ import annotations

from ossia_core.plugins.api_table import public

_enabled = False


@public("debugging.get_log_device_placement", "compat.v2.debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """Whether device placement is to be logged."""
    return _enabled


@public("debugging.set_log_device_placement", "compat.v2.debugging.set_log_device_placement")
def set_log_device_placement(enabled: bool) -> None:
    """Sets whether device placement is to be logged."""
    global _enabled
    _enabled = bool(enabled)

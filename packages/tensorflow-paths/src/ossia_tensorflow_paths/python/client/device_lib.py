"""`device_lib`: the devices of this machine."""

from __future__ import annotations

from typing import Any

import ossia as tf


def list_local_devices(session_config: Any = None) -> list[Any]:
    """The devices as `DeviceAttributes` protos.

    Args:
        session_config: A ConfigProto, which may ask for several devices.
    """
    from ossia_core.proto import DeviceAttributes

    with tf.Session(graph=tf.Graph(), config=session_config) as session:
        return [
            DeviceAttributes(
                name=device.name.replace("/job:localhost/replica:0/task:0", ""),
                device_type=device.device_type,
                memory_limit=device.memory_limit_bytes,
                incarnation=device.incarnation,
            )
            for device in session.list_devices()
        ]

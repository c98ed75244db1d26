"""Where variables are: on parameter servers in turn."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.framework.VariableDeviceChooser")
class VariableDeviceChooser:
    """A device function that gives each variable the next task of a job.

    Args:
      num_tasks: how many tasks there are; 0 for none.
      job_name: name of the job.
      device_type, device_index: the device of each task.
      replica: number of the replica.
    """

    def __init__(
        self, num_tasks: int = 0, job_name: str = "ps", device_type: str = "CPU", device_index: int = 0,
        replica: int | None = None,
    ) -> None:
        self._job_name = job_name
        self._device_type = device_type
        self._device_index = device_index
        self._replica = replica
        self._num_tasks = num_tasks
        self._next_task_id = 0

    def __call__(self, op: Any) -> str:
        spec = tf.DeviceSpec(
            replica=self._replica, device_type=self._device_type, device_index=self._device_index
        )
        if self._num_tasks > 0:
            task = self._next_task_id
            self._next_task_id = (task + 1) % self._num_tasks
            spec.job = self._job_name
            spec.task = task
        return spec.to_string()

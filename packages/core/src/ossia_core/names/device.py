"""Names of devices: parsing, writing, and merging as nested `tf.device` scopes do."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ossia_core.plugins.api_table import public

_FIELDS = ("job", "replica", "task", "device_type", "device_index")
_SHORT_TYPES = ("CPU", "GPU")  # those that may stand without `device:`


def _integer(value: Any) -> int | None:
    return None if value is None else int(value)


@public("DeviceSpec")
class DeviceSpec:
    """The name of a device, perhaps a partial one: job, replica, task, type and index, each of them possibly `None`.

    `DeviceSpec(job="ps", device_type="CPU", device_index=0).to_string()` is `"/job:ps/device:CPU:0"`.
    """

    __slots__ = ("_job", "_replica", "_task", "_device_type", "_device_index")

    def __init__(
        self,
        job: str | None = None,
        replica: int | None = None,
        task: int | None = None,
        device_type: str | None = None,
        device_index: int | None = None,
    ) -> None:
        """Makes a name of the parts that are given.

        Raises:
            ValueError: if a number is none.
        """
        self.job = job
        self.replica = replica
        self.task = task
        self.device_type = device_type
        self.device_index = device_index

    @property
    def job(self) -> str | None:
        """The job's name."""
        return self._job

    @job.setter
    def job(self, job: str | None) -> None:
        self._job = None if job is None else str(job)

    @property
    def replica(self) -> int | None:
        """The replica's number."""
        return self._replica

    @replica.setter
    def replica(self, replica: int | None) -> None:
        self._replica = _integer(replica)

    @property
    def task(self) -> int | None:
        """The task's number in the job."""
        return self._task

    @task.setter
    def task(self, task: int | None) -> None:
        self._task = _integer(task)

    @property
    def device_type(self) -> str | None:
        """The kind of device, e.g. `"GPU"`; "cpu" and "gpu" become capitals."""
        return self._device_type

    @device_type.setter
    def device_type(self, device_type: str | None) -> None:
        self._device_type = device_type.upper() if device_type in ("cpu", "gpu") else device_type

    @property
    def device_index(self) -> int | None:
        """The number of the device among those of its type, `None` for any."""
        return self._device_index

    @device_index.setter
    def device_index(self, device_index: int | None) -> None:
        self._device_index = _integer(device_index)

    @classmethod
    def from_string(cls, spec: str | None) -> DeviceSpec:
        """Returns the device that a string names, e.g. `"/job:ps/task:1/cpu:0"` or `"/device:GPU:*"`.

        Raises:
            ValueError: if the string is no such name.
        """
        return cls().parse_from_string(spec)

    def parse_from_string(self, spec: str | None) -> DeviceSpec:
        """Replaces all parts by those of a string, as `from_string` reads it; returns the name itself."""
        parts: dict[str, Any] = dict.fromkeys(_FIELDS)
        for part in spec.split("/") if spec else ():
            kind, *values = part.split(":")
            if kind in ("job", "replica", "task") and len(values) == 1:
                parts[kind] = values[0]
                continue
            if kind.upper() in _SHORT_TYPES and len(values) <= 1:
                device_type, index = kind.upper(), values[0] if values else "*"
            elif kind == "device" and len(values) == 2:
                device_type, index = values
            elif kind:
                raise ValueError(f"Unknown attribute: '{kind}' in '{spec}'")
            else:
                continue
            if parts["device_type"] is not None:
                raise ValueError(f"Cannot specify multiple device types: {spec}")
            parts["device_type"], parts["device_index"] = device_type, None if index == "*" else index
        for field, value in parts.items():
            setattr(self, field, value)
        return self

    def to_string(self) -> str:
        """Returns the name as a string; a device of a type but without an index is written with `*`."""
        text = "".join(
            f"/{field}:{value}"
            for field, value in (("job", self._job), ("replica", self._replica), ("task", self._task))
            if value is not None
        )
        if self._device_type is not None:
            text += f"/device:{self._device_type}:{'*' if self._device_index is None else self._device_index}"
        return text

    def merge_from(self, dev: DeviceSpec) -> None:
        """Replaces the parts that another name has."""
        for field in _FIELDS:
            value = getattr(dev, field)
            if value is not None:
                setattr(self, field, value)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """Returns the name with the parts that another one has replaced by those."""
        merged = self.replace()
        merged.merge_from(dev)
        return merged

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """Returns the name with some parts replaced; keywords are those of the constructor."""
        return type(self)(**({field: getattr(self, field) for field in _FIELDS} | kwargs))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __repr__(self) -> str:
        return f"DeviceSpec.from_string({self.to_string()!r})"


@lru_cache(maxsize=512)
def _canonical(spec: str) -> str:
    return DeviceSpec.from_string(spec).to_string()


@lru_cache(maxsize=512)
def _merged(outer: str, inner: str) -> str:
    return DeviceSpec.from_string(outer).make_merged_spec(DeviceSpec.from_string(inner)).to_string()


def canonical_name(device: str | DeviceSpec | None) -> str:
    """Returns the full form of a device's name, e.g. `"/device:CPU:0"` for `"/cpu:0"`; `""` for `None`.

    Raises:
        ValueError: if the string is no device's name.
    """
    if device is None:
        return ""
    return device.to_string() if isinstance(device, DeviceSpec) else _canonical(device)


def check_valid(spec: str) -> None:
    """Raises ValueError if a string is no device's name."""
    _canonical(spec)


def merge_device(spec: str | DeviceSpec | None) -> Callable[[Any], str]:
    """Returns the device function of a `tf.device` scope that is given by a name.

    The function takes an operation and returns its device with the parts that are missing taken from the scope: scopes
    are applied from the innermost outwards.

    Raises:
        ValueError: if the string is no device's name.
    """
    outer = canonical_name(spec)

    def device_of(op: Any) -> str:
        return _merged(outer, canonical_name(op.device))

    return device_of

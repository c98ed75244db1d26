"""`tf.config`: devices, threads and graph rewriting, as far as they mean something here."""
from __future__ import annotations

import collections
import contextlib
from collections.abc import Iterator
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_core.session.compile import rewrites

PhysicalDevice = collections.namedtuple("PhysicalDevice", ["name", "device_type"])
LogicalDevice = collections.namedtuple("LogicalDevice", ["name", "device_type"])

_threads = {"inter": 0, "intra": 0}
_flags = {"soft_placement": False, "jit": False}
_OPTIONS = frozenset(
    (
        "layout_optimizer", "constant_folding", "shape_optimization", "remapping", "arithmetic_optimization",
        "dependency_optimization", "loop_optimization", "function_optimization", "debug_stripper",
        "disable_model_pruning", "scoped_allocator_optimization", "pin_to_host_optimization", "implementation_selector",
        "auto_mixed_precision", "auto_mixed_precision_mkl", "auto_mixed_precision_cpu",
        "auto_mixed_precision_onednn_bfloat16", "disable_meta_optimizer", "min_graph_nodes",
    )
)
_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_virtual: list[Any] | None = None
_DEVICE_POLICIES = (None, "explicit", "warn", "silent", "silent_for_int32")
_eager: dict[str, Any] = {"device_policy": "silent", "synchronous": True}


@public("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """Threads that run operations beside each other, as set; 0 leaves the choice to the runtime."""
    return _threads["inter"]


@public("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Ask for that many threads for operations; a hint, which plans may ignore."""
    _threads["inter"] = num_threads


@public("config.threading.get_intra_op_parallelism_threads")
def get_intra_op_parallelism_threads() -> int:
    """Threads inside of one operation, as set; 0 leaves the choice to the runtime."""
    return _threads["intra"]


@public("config.threading.set_intra_op_parallelism_threads")
def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Ask for that many threads inside of an operation; a hint, which backends may ignore."""
    _threads["intra"] = num_threads


@public("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """Whether soft placement was asked for."""
    return _flags["soft_placement"]


@public("config.set_soft_device_placement")
def set_soft_device_placement(enabled: bool) -> None:
    """Ask for soft placement. Sessions follow their ConfigProto."""
    _flags["soft_placement"] = bool(enabled)


@public("config.optimizer.get_jit")
def get_jit() -> bool:
    """Whether compilation was asked for."""
    return _flags["jit"]


@public("config.optimizer.set_jit")
def set_jit(enabled: bool) -> None:
    """Ask for compilation; installed backends compile what they can in any case."""
    _flags["jit"] = bool(enabled)


@public("config.optimizer.get_experimental_options")
def get_experimental_options() -> dict[str, Any]:
    """The options of graph rewriting, as set."""
    return {"disable_model_pruning": False, "disable_meta_optimizer": False, **rewrites.options}


@public("config.optimizer.set_experimental_options")
def set_experimental_options(options: dict[str, Any]) -> None:
    """Set options of graph rewriting for sessions made from now on; unknown ones are ignored.

    Those that name a rewrite of plans (`ossia_core.hookspecs.ossia_plan_rewrites`) switch it; the others say nothing.
    """
    rewrites.options.update({key: value for key, value in options.items() if key in _OPTIONS})


@public("config.experimental.list_physical_devices")
def list_physical_devices(device_type: str | None = None) -> list[Any]:
    """The devices of the machine that may be used: its processor."""
    return [_CPU] if device_type in (None, "CPU") else []


@public("config.experimental.list_logical_devices")
def list_logical_devices(device_type: str | None = None) -> list[Any]:
    """The devices that programs see."""
    if device_type not in (None, "CPU"):
        return []
    return [
        LogicalDevice(f"/job:localhost/replica:0/task:0/device:CPU:{i}", "CPU") for i in range(len(_virtual or [None]))
    ]


@public("config.experimental_list_devices")
def list_devices() -> list[str]:
    """The names of the devices that programs see."""
    return [device.name for device in list_logical_devices()]


@public("config.experimental.get_visible_devices")
def get_visible_devices(device_type: str | None = None) -> list[Any]:
    """The devices in use."""
    return list_physical_devices(device_type)


@public("config.experimental.set_visible_devices")
def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Choose the devices to use.

    Raises:
      ValueError: a device that there is not, or of another type than `device_type`.
    """
    chosen = devices if isinstance(devices, (list, tuple)) else [] if devices is None else [devices]
    for device in chosen:
        _check_device(device)
        if device_type is not None and device.device_type != device_type:
            raise ValueError(f"Unrecognized device: {device!r} for the type {device_type}")


def _check_device(device: Any) -> None:
    if device not in list_physical_devices():
        raise ValueError(f"Unrecognized device: {device!r}")


@public("config.experimental.get_memory_growth")
def get_memory_growth(device: Any) -> bool:
    """Whether memory grows as needed; only GPUs have such a setting.

    Raises:
      ValueError: the device is no GPU.
    """
    _check_device(device)
    raise ValueError("Cannot get memory growth on non-GPU devices")


@public("config.experimental.set_memory_growth")
def set_memory_growth(device: Any, enable: bool) -> None:
    """Let memory grow as needed; only GPUs have such a setting.

    Raises:
      ValueError: the device is no GPU.
    """
    _check_device(device)
    raise ValueError("Cannot set memory growth on non-GPU devices")


@public("config.experimental.VirtualDeviceConfiguration")
class VirtualDeviceConfiguration(collections.namedtuple("VirtualDeviceConfiguration", ["memory_limit"])):
    """One virtual device of a physical one.

    Args:
      memory_limit: megabytes it may use; only for GPUs.
    """

    __slots__ = ()

    def __new__(cls, memory_limit: int | None = None) -> VirtualDeviceConfiguration:
        return super().__new__(cls, memory_limit)


@public("config.experimental.get_virtual_device_configuration")
def get_virtual_device_configuration(device: Any) -> list[Any] | None:
    """The virtual devices of a physical one, as set.

    Raises:
      ValueError: there is no such device.
    """
    _check_device(device)
    return _virtual


@public("config.experimental.set_virtual_device_configuration")
def set_virtual_device_configuration(device: Any, virtual_devices: Any) -> None:
    """Split a physical device into virtual ones.

    Raises:
      ValueError: there is no such device, or a memory limit for a CPU.
    """
    global _virtual
    _check_device(device)
    for virtual in virtual_devices:
        if virtual.memory_limit is not None:
            raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    _virtual = list(virtual_devices)


# -- what eager execution would look at: remembered, without effect ---------------------------------------


@public("config.experimental.get_device_policy")
def get_device_policy() -> str:
    """What eager execution would do with inputs that are on another device, as set."""
    return _eager["device_policy"]


@public("config.experimental.set_device_policy")
def set_device_policy(device_policy: str | None) -> None:
    """Choose "explicit", "warn", "silent" or "silent_for_int32"; None is "silent".

    Raises:
      ValueError: another policy.
    """
    if device_policy not in _DEVICE_POLICIES:
        raise ValueError(f"Not a valid device policy: {device_policy!r}")
    _eager["device_policy"] = device_policy or "silent"


@public("config.experimental.get_synchronous_execution")
def get_synchronous_execution() -> bool:
    """Whether eager execution would wait for each op, as set."""
    return _eager["synchronous"]


@public("config.experimental.set_synchronous_execution")
def set_synchronous_execution(enable: bool | None) -> None:
    """Choose whether eager execution would wait for each op; None is True."""
    _eager["synchronous"] = enable is None or bool(enable)


@public("experimental.function_executor_type")
@contextlib.contextmanager
def function_executor_type(executor_type: str | None) -> Iterator[None]:
    """A context in which eager functions would run by an executor of that name; graphs run as they do without."""
    yield

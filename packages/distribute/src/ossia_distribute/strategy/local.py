"""Strategies for the devices of one process: replicas on several, on one, variables on one of them."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_distribute.strategy.strategy import Strategy, StrategyExtended, local_devices


@public("distribute.MirroredStrategy", "compat.v2.distribute.MirroredStrategy")
class MirroredStrategy(Strategy):
    """A replica on each device; a step uses the sum of their gradients.

    Args:
      devices: the devices, by default the CPU.
      cross_device_ops: how tensors are reduced over devices; without effect, as they share their memory.

    Raises:
      ValueError: a device stands there twice.
    """

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        super().__init__(StrategyExtended(self, local_devices(devices)))


@public("distribute.OneDeviceStrategy", "compat.v2.distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """One replica, all of it on one device.

    Args:
      device: the device.
    """

    def __init__(self, device: str) -> None:
        super().__init__(StrategyExtended(self, local_devices([device])))


@public("distribute.experimental.CentralStorageStrategy", "compat.v2.distribute.experimental.CentralStorageStrategy")
class CentralStorageStrategy(Strategy):
    """A replica on each device, all variables on one.

    Args:
      compute_devices: the devices of the replicas, by default the CPU.
      parameter_device: the device of the variables, by default the CPU.
    """

    def __init__(self, compute_devices: Sequence[str] | None = None, parameter_device: str | None = None) -> None:
        super().__init__(StrategyExtended(self, local_devices(compute_devices), [parameter_device or "/device:CPU:0"]))


class _Reduction:
    """How tensors are reduced over devices: without effect here, where devices share their memory."""


@public("distribute.CrossDeviceOps", "compat.v2.distribute.CrossDeviceOps")
class CrossDeviceOps(_Reduction):
    """The base class of ways to reduce tensors over devices."""


@public("distribute.ReductionToOneDevice", "compat.v2.distribute.ReductionToOneDevice")
class ReductionToOneDevice(CrossDeviceOps):
    """Reduces on one device.

    Args:
      reduce_to_device, accumulation_fn: where, and with what; without effect.
    """

    def __init__(self, reduce_to_device: str | None = None, accumulation_fn: Any = None) -> None:
        self.reduce_to_device, self.accumulation_fn = reduce_to_device, accumulation_fn


@public("distribute.HierarchicalCopyAllReduce", "compat.v2.distribute.HierarchicalCopyAllReduce")
class HierarchicalCopyAllReduce(CrossDeviceOps):
    """Reduces in a hierarchy of devices.

    Args:
      num_packs: in how many packs tensors travel; without effect.
    """

    def __init__(self, num_packs: int = 1) -> None:
        if num_packs < 0:
            raise ValueError(f"NCCL all-reduce requires num_packs >= 0, but {num_packs} is specified")
        self.num_packs = num_packs


@public("distribute.NcclAllReduce", "compat.v2.distribute.NcclAllReduce")
class NcclAllReduce(HierarchicalCopyAllReduce):
    """Reduces over GPUs; on other devices it is like any other way."""

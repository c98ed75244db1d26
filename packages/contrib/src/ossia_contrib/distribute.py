"""`tf.contrib.distribute`: strategies of `tf.distribute` with the arguments that they had."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.distribute.MirroredStrategy")
class MirroredStrategy(tf.distribute.MirroredStrategy):
    """Replicas of a model on several devices.

    Args:
      devices: their names.
      num_gpus: how many GPUs, in the place of names; 0 stands for the CPU.
      num_gpus_per_worker: the same.
      cross_device_ops: how gradients are put together.
      auto_shard_dataset: not used.
      cross_tower_ops: the older name of `cross_device_ops`.

    Raises:
      ValueError: both devices and numbers of them are given.
    """

    def __init__(
        self, devices: Sequence[str] | None = None, num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None, cross_device_ops: Any = None, auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
    ) -> None:
        if num_gpus is not None and num_gpus_per_worker is not None:
            raise ValueError("You cannot specify both `num_gpus` and `num_gpus_per_worker`.")
        count = num_gpus if num_gpus is not None else num_gpus_per_worker
        if devices is not None and count is not None:
            raise ValueError("Must only specify one of `devices` and `num_gpus`.")
        if devices is None and count is not None:
            devices = [f"/device:GPU:{index}" for index in range(count)] or ["/device:CPU:0"]
        super().__init__(devices, cross_device_ops or cross_tower_ops)  # type: ignore[arg-type]


class _DistributeConfig(NamedTuple):
    train_distribute: Any
    eval_distribute: Any
    remote_cluster: Any


@public("contrib.distribute.DistributeConfig")
class DistributeConfig(_DistributeConfig):
    """Which strategies an estimator trains and evaluates with.

    Args:
      train_distribute: the strategy of training.
      eval_distribute: the strategy of evaluation.
      remote_cluster: the cluster.
    """

    __slots__ = ()

    def __new__(
        cls, train_distribute: Any = None, eval_distribute: Any = None, remote_cluster: Any = None
    ) -> DistributeConfig:
        return super().__new__(cls, train_distribute, eval_distribute, remote_cluster)

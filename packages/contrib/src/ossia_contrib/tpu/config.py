"""How `TPUEstimator` runs."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.tpu.InputPipelineConfig", "estimator.tpu.InputPipelineConfig")
class InputPipelineConfig:
    """Where the input of a training is made: for each shard, or for each host, with queues or with datasets."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


class _TPUConfig(NamedTuple):
    iterations_per_loop: Any
    num_shards: Any
    num_cores_per_replica: Any
    per_host_input_for_training: Any
    tpu_job_name: Any
    initial_infeed_sleep_secs: Any
    input_partition_dims: Any
    eval_training_input_configuration: Any
    experimental_host_call_every_n_steps: Any


@public("contrib.tpu.TPUConfig", "estimator.tpu.TPUConfig")
class TPUConfig(_TPUConfig):
    """What only matters on a TPU; elsewhere it is checked, and kept.

    Args:
      iterations_per_loop: how many steps a call of the device makes, or for how long, `"10s"`.
      num_shards: how many shards a model is trained on.
      num_cores_per_replica: how many cores a replica takes.
      per_host_input_for_training: one of `InputPipelineConfig`, or whether each host has an input of its own.
      tpu_job_name: the name of the job.
      initial_infeed_sleep_secs: how long to wait before the first input.
      input_partition_dims: how inputs are divided among the cores of a replica.
      eval_training_input_configuration: the same as `per_host_input_for_training`, in evaluations.
      experimental_host_call_every_n_steps: how often the host is called.

    Raises:
      ValueError: a value is out of range.
    """

    __slots__ = ()

    def __new__(
        cls, iterations_per_loop: Any = 2, num_shards: int | None = None, num_cores_per_replica: int | None = None,
        per_host_input_for_training: Any = True, tpu_job_name: str | None = None,
        initial_infeed_sleep_secs: int | None = None, input_partition_dims: Any = None,
        eval_training_input_configuration: int = InputPipelineConfig.PER_HOST_V1,
        experimental_host_call_every_n_steps: int = 1,
    ) -> TPUConfig:
        if not _is_positive(iterations_per_loop) and not _is_duration(iterations_per_loop):
            raise ValueError(
                "Invalid TPUConfig `iterations_per_loop` value. Value must be positive integer value or time-based "
                "value `<N><s|m|h>` where <N> is anypositive integer and `s`, `m`, `h` are unit of time in seconds, "
                f"minutes, hours. Given {iterations_per_loop}"
            )
        for name, value in (
            ("num_shards", num_shards), ("initial_infeed_sleep_secs", initial_infeed_sleep_secs)
        ):
            if value is not None and not _is_positive(value):
                raise ValueError(f"TPUConfig {name} must be positive, got {value}")
        if per_host_input_for_training is True:
            per_host_input_for_training = InputPipelineConfig.PER_HOST_V1
        elif per_host_input_for_training is False:
            per_host_input_for_training = InputPipelineConfig.PER_SHARD_V1
        if input_partition_dims is not None:
            if len(input_partition_dims) not in (1, 2):
                raise ValueError("input_partition_dims must be a list/tuple with one or two elements.")
            if per_host_input_for_training is not InputPipelineConfig.PER_HOST_V2:
                raise ValueError("input_partition_dims is only supported in PER_HOST_V2 mode.")
        if num_cores_per_replica is not None and num_cores_per_replica not in (1, 2, 4, 8, 16, 32, 64, 128):
            raise ValueError(
                f"num_cores_per_replica must be 1, 2, 4, 8, 16, 32, 64, 128; got {num_cores_per_replica}"
            )
        if eval_training_input_configuration not in (InputPipelineConfig.PER_HOST_V1, InputPipelineConfig.SLICED):
            raise ValueError("eval_training_input_configuration must be PER_HOST_V1 or SLICED.")
        return super().__new__(
            cls, iterations_per_loop, num_shards, num_cores_per_replica, per_host_input_for_training, tpu_job_name,
            initial_infeed_sleep_secs, input_partition_dims, eval_training_input_configuration,
            experimental_host_call_every_n_steps,
        )


def _is_positive(value: Any) -> bool:
    return isinstance(value, int) and value >= 1


def _is_duration(value: Any) -> bool:
    return isinstance(value, str) and value[-1:] in ("s", "m", "h") and value[:-1].isdigit() and int(value[:-1]) > 0


@public("contrib.tpu.RunConfig", "estimator.tpu.RunConfig")
class RunConfig(tf.estimator.RunConfig):
    """A `tf.estimator.RunConfig` with what only matters on a TPU.

    Args:
      tpu_config: a `TPUConfig`.
      evaluation_master: the engine of evaluations, by default `master`.
      master: the engine.
      cluster: a `ClusterResolver`, which says what the engine is.
      **kwargs: the arguments of `tf.estimator.RunConfig`.

    Raises:
      ValueError: both `master` and `cluster` are given.
    """

    def __init__(
        self, tpu_config: TPUConfig | None = None, evaluation_master: str | None = None, master: str | None = None,
        cluster: Any = None, **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._tpu_config = tpu_config or TPUConfig()
        self._cluster = cluster
        if cluster is not None:
            if master is not None:
                raise ValueError("Both master and cluster are set.")
            master = cluster.get_master() if hasattr(cluster, "get_master") else cluster.master()
        if master is not None:
            self._master = master
        elif self._master == "" and "TF_CONFIG" in os.environ:
            self._master = json.loads(os.environ["TF_CONFIG"]).get("session_master", "")
        if evaluation_master is not None:
            self._evaluation_master = evaluation_master
        elif not self._evaluation_master and self.task_type != "evaluator":
            self._evaluation_master = self._master

    @property
    def tpu_config(self) -> TPUConfig:
        """What only matters on a TPU."""
        return self._tpu_config

    @property
    def cluster(self) -> Any:
        """The `ClusterResolver`, or None."""
        return self._cluster

    def replace(self, **kwargs: Any) -> RunConfig:
        """A copy with other values; `tpu_config` is one of the names."""
        if "tpu_config" not in kwargs:
            return super().replace(**kwargs)  # type: ignore[return-value]
        tpu_config = kwargs.pop("tpu_config")
        other = super().replace(**kwargs)
        other._tpu_config = tpu_config  # type: ignore[attr-defined]
        return other  # type: ignore[return-value]

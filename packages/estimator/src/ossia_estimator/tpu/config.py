"""How estimators run on TPUs: `tf.estimator.tpu.TPUConfig`, `RunConfig`."""
from __future__ import annotations

import re
from typing import Any, NamedTuple, cast

from ossia_core.plugins.api_table import public
from ossia_estimator.run_config import RunConfig as BaseConfig


@public("estimator.tpu.InputPipelineConfig", "contrib.tpu.InputPipelineConfig")
class InputPipelineConfig:
    """Where input pipelines run: values of `per_host_input_for_training`."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


class _TPUConfig(NamedTuple):
    iterations_per_loop: Any
    num_shards: int | None
    num_cores_per_replica: int | None
    per_host_input_for_training: Any
    tpu_job_name: str | None
    initial_infeed_sleep_secs: int | None
    input_partition_dims: Any
    eval_training_input_configuration: int
    experimental_host_call_every_n_steps: int


@public("estimator.tpu.TPUConfig", "contrib.tpu.TPUConfig")
class TPUConfig(_TPUConfig):
    """How a TPU is used; without one, nothing of it has an effect.

    Args:
        iterations_per_loop: Steps between two returns to the host, or a time such as "30s".
        num_shards: How many copies of the model there are.
        num_cores_per_replica: Over how many cores one is spread.
        per_host_input_for_training: A value of InputPipelineConfig; True for PER_HOST_V1, False for PER_SHARD_V1.
        tpu_job_name: The job of the workers.
        initial_infeed_sleep_secs: How long the input waits at first.
        input_partition_dims: How inputs are cut over cores.
        eval_training_input_configuration: Where the input of evaluations runs.
        experimental_host_call_every_n_steps: Steps between two calls of the host.

    Raises:
        ValueError: The number of steps is not positive, or no time.
    """

    __slots__ = ()

    def __new__(
        cls, iterations_per_loop: Any = 2, num_shards: int | None = None, num_cores_per_replica: int | None = None,
        per_host_input_for_training: Any = True, tpu_job_name: str | None = None,
        initial_infeed_sleep_secs: int | None = None, input_partition_dims: Any = None,
        eval_training_input_configuration: int = InputPipelineConfig.PER_HOST_V1,
        experimental_host_call_every_n_steps: int = 1,
    ) -> TPUConfig:
        """Checks the values; see the class."""
        text = str(iterations_per_loop)
        if not re.fullmatch(r"[1-9]\d*[smh]?", text):
            raise ValueError(
                "Invalid TPUConfig `iterations_per_loop` value. Value must be positive integer value or time-based "
                f"value `<N><s|m|h>` where <N> is any positive integer. Given: {iterations_per_loop}"
            )
        if per_host_input_for_training is True:
            per_host_input_for_training = InputPipelineConfig.PER_HOST_V1
        elif per_host_input_for_training is False:
            per_host_input_for_training = InputPipelineConfig.PER_SHARD_V1
        return super().__new__(
            cls, iterations_per_loop, num_shards, num_cores_per_replica, per_host_input_for_training, tpu_job_name,
            initial_infeed_sleep_secs, input_partition_dims, eval_training_input_configuration,
            experimental_host_call_every_n_steps,
        )


@public("estimator.tpu.RunConfig", "contrib.tpu.RunConfig")
class RunConfig(BaseConfig):
    """A RunConfig with a TPUConfig.

    Args:
        tpu_config: The TPUConfig.
        evaluation_master: The engine for evaluation, by default the same.
        master: The engine.
        cluster: A cluster resolver; None without a TPU.
        **kwargs: As for `tf.estimator.RunConfig`.

    Raises:
        ValueError: Both a cluster and a master are given.
        NotImplementedError: A cluster is given.
    """

    def __init__(
        self, tpu_config: TPUConfig | None = None, evaluation_master: str | None = None, master: str | None = None,
        cluster: Any = None, **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if cluster is not None:
            if master is not None:
                raise ValueError("You cannot provide both a ClusterResolver and session master.")
            raise NotImplementedError("tf.estimator.tpu.RunConfig with a cluster of TPUs")
        self._tpu_config = tpu_config or TPUConfig()
        if master is not None:
            self._master = master
        if evaluation_master is not None or master is not None:
            self._evaluation_master = self._master if evaluation_master is None else evaluation_master

    @property
    def tpu_config(self) -> TPUConfig:
        """The TPUConfig."""
        return self._tpu_config

    def replace(self, **kwargs: Any) -> RunConfig:
        """A copy with other values, of which `tpu_config` may be one; see `tf.estimator.RunConfig.replace`."""
        tpu_config = kwargs.pop("tpu_config", self._tpu_config)
        made = cast("RunConfig", super().replace(**kwargs))
        made._tpu_config = tpu_config
        return made

"""How the first estimators run."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.learn.RunConfig")
class RunConfig(tf.estimator.RunConfig):
    """A `tf.estimator.RunConfig` with the arguments that it had in `tf.contrib.learn`.

    Args:
      master: the engine.
      num_cores: how many threads a run has; 0 leaves it to the engine.
      log_device_placement: whether to log where ops run.
      gpu_memory_fraction: the part of a GPU's memory to take.
      tf_random_seed: the seed of graphs.
      save_summary_steps: how often summaries are written.
      save_checkpoints_secs: how often checkpoints are written, 600 by default.
      save_checkpoints_steps: the same in steps.
      keep_checkpoint_max: how many checkpoints are kept.
      keep_checkpoint_every_n_hours: how often one is kept for good.
      log_step_count_steps: how often steps per second are logged.
      protocol: of the cluster.
      evaluation_master: the engine of evaluations.
      model_dir: where the model is kept.
      session_config: the `ConfigProto` of sessions.
      session_creation_timeout_secs: how long to wait for a session.

    Raises:
      NotImplementedError: `TF_CONFIG` describes a cluster.
    """

    _USE_DEFAULT = 0

    def __init__(
        self, master: str | None = None, num_cores: int = 0, log_device_placement: bool = False,
        gpu_memory_fraction: float = 1, tf_random_seed: int | None = None, save_summary_steps: int | None = 100,
        save_checkpoints_secs: int | None = _USE_DEFAULT, save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int = 5, keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int | None = 100, protocol: str | None = None, evaluation_master: str = "",
        model_dir: str | None = None, session_config: Any = None, session_creation_timeout_secs: int = 7200,
    ) -> None:
        if save_checkpoints_secs == self._USE_DEFAULT:
            save_checkpoints_secs = 600 if save_checkpoints_steps is None else None
        intervals: dict[str, Any] = {
            "save_checkpoints_secs": save_checkpoints_secs, "save_checkpoints_steps": save_checkpoints_steps
        }
        if any(value is not None for value in intervals.values()):
            intervals = {name: value for name, value in intervals.items() if value is not None}
        super().__init__(
            model_dir=model_dir, tf_random_seed=tf_random_seed, save_summary_steps=save_summary_steps,
            session_config=session_config, keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours, log_step_count_steps=log_step_count_steps,
            protocol=protocol, session_creation_timeout_secs=session_creation_timeout_secs,
            **intervals,
        )
        if self.num_ps_replicas or self.num_worker_replicas > 1:
            raise NotImplementedError("tf.contrib.learn in a cluster that TF_CONFIG describes")
        self._master = master if master is not None else self._master
        self._evaluation_master = evaluation_master
        self._tf_config = tf.ConfigProto(
            log_device_placement=log_device_placement, inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores,
            gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction),
        )

    @property
    def environment(self) -> str:
        """Where the program runs: `local`."""
        return "local"

    @property
    def tf_config(self) -> Any:
        """The `ConfigProto` of sessions, unless `session_config` is given."""
        return self._tf_config

    def uid(self, whitelist: Any = None) -> str:
        """A text that says what the configuration is, but for how often it is saved and summarised.

        Args:
          whitelist: names to leave out instead.
        """
        left_out = whitelist if whitelist is not None else [
            "tf_random_seed", "save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs",
            "session_config", "keep_checkpoint_max", "keep_checkpoint_every_n_hours", "log_step_count_steps",
        ]
        state = {name: value for name, value in vars(self).items() if name.lstrip("_") not in left_out}
        return ", ".join(f"{name}={value!r}" for name, value in sorted(state.items()))

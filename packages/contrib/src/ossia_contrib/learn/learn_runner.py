"""Runs an experiment as a schedule says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.learn.experiment import Experiment
from ossia_core.plugins.api_table import public


@public("contrib.learn.learn_runner.run")
def run(
    experiment_fn: Callable, output_dir: str | None = None, schedule: str | None = None, run_config: Any = None,
    hparams: Any = None,
) -> Any:
    """Makes an experiment and calls one of its methods.

    Args:
      experiment_fn: a function that makes an `Experiment`: of `output_dir`, or of `run_config` and `hparams`.
      output_dir: the folder of the model.
      schedule: the method; by default `train_and_evaluate`.
      run_config: a `RunConfig` with `model_dir`, in the place of `output_dir`.
      hparams: hyperparameters.

    Returns:
      What the method returns.

    Raises:
      TypeError: `experiment_fn` is no function, or makes something else.
      ValueError: arguments exclude each other, or there is no such method.
    """
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if not output_dir and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if not callable(experiment_fn):
        raise TypeError(f'Experiment builder "{experiment_fn}" is not callable.')
    if run_config is None:
        experiment = experiment_fn(output_dir=output_dir)
    else:
        if not run_config.model_dir:
            raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
        experiment = experiment_fn(run_config=run_config, hparams=hparams)
    if not isinstance(experiment, Experiment):
        raise TypeError(f"Experiment builder did not return an Experiment instance, got {type(experiment)} instead.")
    schedule = schedule or _default_schedule(experiment.estimator.config)
    task = getattr(experiment, schedule, None)
    if task is None or not callable(task):
        tasks = [name for name in dir(experiment) if not name.startswith("_") and callable(getattr(experiment, name))]
        tf.logging.error("Schedule references non-existent task %s", schedule)
        tf.logging.error("Allowed values for this experiment are: %s", tasks)
        raise ValueError(f"Schedule references non-existent task {schedule}")
    return task()


def _default_schedule(config: Any) -> str:
    """What a process of a cluster does."""
    task = config.task_type if config.cluster_spec and config.cluster_spec.jobs else None
    return {"ps": "run_std_server", "master": "train_and_evaluate", "worker": "train"}.get(
        task or "", "train_and_evaluate"
    )


@public("contrib.learn.learn_runner.tune")
def tune(experiment_fn: Callable, tuner: Any) -> None:
    """Tries out what a tuner suggests, until it has no more.

    Args:
      experiment_fn: a function of `run_config` and `hparams` that makes an `Experiment`.
      tuner: has `next_trial`, `run_experiment`.
    """
    while tuner.next_trial():
        tuner.run_experiment(experiment_fn)

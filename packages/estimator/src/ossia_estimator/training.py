"""`tf.estimator.train_and_evaluate`: training with evaluations and exports between."""
from __future__ import annotations

from typing import Any

from ossia_core.names import logging
from ossia_core.plugins.api_table import public
from ossia_estimator import cluster_training as cluster
from ossia_estimator.checkpoint_evaluation import Evaluator
from ossia_estimator.estimator import Estimator
from ossia_estimator.specs import EvalSpec, TrainSpec
from ossia_session.hooks.checkpoint_saver import CheckpointSaverListener
from ossia_session.hooks.timer import SecondOrStepTimer


@public("estimator.train_and_evaluate", "compat.v2.estimator.train_and_evaluate")
def train_and_evaluate(estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec) -> tuple[Any, Any] | None:
    """Trains a model, and evaluates and exports it after each checkpoint.

    Args:
        estimator: The estimator.
        train_spec: What to train on.
        eval_spec: What to evaluate on.

    Returns:
        The metrics of the last evaluation, and the list of what its exporters returned; None and None without one. None
        where `TF_CONFIG` describes a cluster: this process does what its task is, and another one evaluates.

    Raises:
        TypeError: An argument is something else.
        ValueError: `TF_CONFIG` gives the task a type that there is not.
    """
    for name, value, kind in (
        ("estimator", estimator, Estimator), ("train_spec", train_spec, TrainSpec), ("eval_spec", eval_spec, EvalSpec)
    ):
        if not isinstance(value, kind):
            raise TypeError(f"`{name}` must have type `tf.estimator.{kind.__name__}`. Got: {type(value)}")
    config = estimator.config
    logging.info("Not using Distribute Coordinator.")
    if config.cluster_spec or config.task_type == cluster.EVALUATOR:
        cluster.run_task(estimator, train_spec, eval_spec)
        return None
    logging.info("Running training and evaluation locally (non-distributed).")
    logging.info(
        "Start train and evaluate loop. The evaluate will happen after every checkpoint. Checkpoint frequency is "
        "determined based on RunConfig arguments: save_checkpoints_steps %s or save_checkpoints_secs %s.",
        config.save_checkpoints_steps, config.save_checkpoints_secs,
    )
    listener = _EvaluatingListener(estimator, eval_spec, train_spec.max_steps)
    estimator.train(
        train_spec.input_fn, hooks=train_spec.hooks, max_steps=train_spec.max_steps, saving_listeners=[listener]
    )
    return listener.results


class _EvaluatingListener(CheckpointSaverListener):
    """Evaluates new checkpoints, but the first, and not too often."""

    def __init__(self, estimator: Estimator, spec: EvalSpec, max_steps: int | None) -> None:
        self._evaluator = Evaluator(estimator, spec, max_steps)
        self._throttle_secs = spec.throttle_secs

    @property
    def results(self) -> tuple[Any, Any]:
        """The metrics of the last evaluation, and what exporters returned."""
        return self._evaluator.metrics, self._evaluator.exports

    def begin(self) -> None:
        self._timer = SecondOrStepTimer(every_secs=self._throttle_secs)
        self._is_first = True

    def after_save(self, session: Any, global_step_value: int) -> None:
        if self._is_first:
            self._is_first = False
        elif self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
        else:
            logging.info("Skip the current checkpoint eval due to throttle secs (%s secs).", self._throttle_secs)

    def end(self, session: Any, global_step_value: int) -> None:
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step: int) -> None:
        self._timer.update_last_triggered_step(step)
        if self._evaluator.evaluate() is None:
            logging.warning("There is no new checkpoint to evaluate at step %s.", step)

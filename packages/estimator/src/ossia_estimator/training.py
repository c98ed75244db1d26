"""`tf.estimator.train_and_evaluate`: training with evaluations and exports between."""
from __future__ import annotations

import os
from typing import Any

from ossia_core.graph.collections import GraphKeys
from ossia_core.names import logging
from ossia_core.plugins.api_table import public
from ossia_estimator.estimator import Estimator
from ossia_estimator.specs import EvalSpec, TrainSpec
from ossia_session.hooks.checkpoint_saver import CheckpointSaverListener
from ossia_session.hooks.timer import SecondOrStepTimer


@public("estimator.train_and_evaluate", "compat.v2.estimator.train_and_evaluate")
def train_and_evaluate(estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec) -> tuple[Any, Any]:
    """Trains a model, and evaluates and exports it after each checkpoint.

    Args:
        estimator: The estimator.
        train_spec: What to train on.
        eval_spec: What to evaluate on.

    Returns:
        The metrics of the last evaluation, and the list of what its exporters returned; None and None without one.

    Raises:
        TypeError: An argument is something else.
        NotImplementedError: `TF_CONFIG` describes a cluster.
    """
    for name, value, kind in (
        ("estimator", estimator, Estimator), ("train_spec", train_spec, TrainSpec), ("eval_spec", eval_spec, EvalSpec)
    ):
        if not isinstance(value, kind):
            raise TypeError(f"`{name}` must have type `tf.estimator.{kind.__name__}`. Got: {type(value)}")
    config = estimator.config
    logging.info("Not using Distribute Coordinator.")
    if config.cluster_spec or config.task_type != "worker":
        raise NotImplementedError("tf.estimator.train_and_evaluate in a cluster that TF_CONFIG describes")
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
    return listener.metrics, listener.exports


class _EvaluatingListener(CheckpointSaverListener):
    """Evaluates new checkpoints, but the first, and not too often."""

    def __init__(self, estimator: Estimator, spec: EvalSpec, max_steps: int | None) -> None:
        self.metrics: Any = None
        self.exports: Any = None
        self._estimator = estimator
        self._spec = spec
        self._max_steps = max_steps
        self._evaluated: str | None = None

    def begin(self) -> None:
        self._timer = SecondOrStepTimer(every_secs=self._spec.throttle_secs)
        self._is_first = True

    def after_save(self, session: Any, global_step_value: int) -> None:
        if self._is_first:
            self._is_first = False
        elif self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
        else:
            logging.info(
                "Skip the current checkpoint eval due to throttle secs (%s secs).", self._spec.throttle_secs
            )

    def end(self, session: Any, global_step_value: int) -> None:
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step: int) -> None:
        self._timer.update_last_triggered_step(step)
        checkpoint = self._estimator.latest_checkpoint()
        if not checkpoint or checkpoint == self._evaluated:
            logging.warning("There is no new checkpoint to evaluate at step %s.", step)
            return
        spec = self._spec
        self.metrics = self._estimator.evaluate(
            spec.input_fn, steps=spec.steps, name=spec.name, checkpoint_path=checkpoint, hooks=spec.hooks
        )
        self._evaluated = checkpoint
        final = bool(self._max_steps) and self.metrics[GraphKeys.GLOBAL_STEP] >= self._max_steps
        base = os.path.join(self._estimator.model_dir, "export")
        self.exports = [
            exporter.export(
                estimator=self._estimator, export_path=os.path.join(base, exporter.name), checkpoint_path=checkpoint,
                eval_result=self.metrics, is_the_final_export=final,
            )
            for exporter in spec.exporters
        ]

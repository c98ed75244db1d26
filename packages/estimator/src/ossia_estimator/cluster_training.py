"""What the tasks of a cluster do in `tf.estimator.train_and_evaluate`: train, serve variables, or evaluate."""
from __future__ import annotations

import time
from typing import Any

from ossia_core.names import logging
from ossia_estimator.checkpoint_evaluation import Evaluator
from ossia_estimator.run_config import RunConfig
from ossia_estimator.specs import EvalSpec, TrainSpec

EVALUATOR = "evaluator"
_DELAY_SECS_PER_WORKER = 5
_MAX_DELAY_SECS = 60
_SECS_BETWEEN_WARNINGS = 300
_SHORTEST_WAIT = 0.2  # seconds between two looks at the directory


def run_task(estimator: Any, train_spec: TrainSpec, eval_spec: EvalSpec) -> None:
    """Does what `TF_CONFIG` says that this process is for.

    Args:
        estimator: The estimator.
        train_spec: What to train on.
        eval_spec: What to evaluate on.

    Raises:
        ValueError: There is no such task.
    """
    config = estimator.config
    if config.task_type == "ps":
        _server(config).join()
    elif config.task_type == EVALUATOR:
        _evaluate(estimator, train_spec, eval_spec)
    elif config.task_type in ("chief", "worker", "master"):
        _train(estimator, train_spec)
    else:
        raise ValueError(
            f"Task type {config.task_type} is not supported. Supported task types are ['chief', 'evaluator', 'ps', "
            "'worker']"
        )


def _server(config: RunConfig) -> Any:
    """The server of the task, started."""
    from ossia_distribute.server import Server

    logging.info("Start Tensorflow server.")
    return Server(
        config.cluster_spec, job_name=config.task_type, task_index=config.task_id, config=config.session_config,
        protocol=config.protocol,
    )


def _train(estimator: Any, train_spec: TrainSpec) -> None:
    config = estimator.config
    server = _server(config)
    if config.task_type == "worker":
        # One after the other: the first steps of a model are those that fail when several are made at once.
        longest = config.experimental_max_worker_delay_secs
        delay = min(
            _MAX_DELAY_SECS if longest is None else longest, (config.task_id + 1) * _DELAY_SECS_PER_WORKER
        )
        if delay > 0:
            logging.info("Waiting %d secs before starting training.", delay)
            time.sleep(delay)
    estimator.train(train_spec.input_fn, hooks=train_spec.hooks, max_steps=train_spec.max_steps)
    del server


def _evaluate(estimator: Any, train_spec: TrainSpec, eval_spec: EvalSpec) -> None:
    """Evaluates each new checkpoint, until one is of the last step."""
    if eval_spec.start_delay_secs:
        logging.info("Waiting %f secs before starting eval.", eval_spec.start_delay_secs)
        time.sleep(eval_spec.start_delay_secs)
    evaluator = Evaluator(estimator, eval_spec, train_spec.max_steps)
    warned = -float(_SECS_BETWEEN_WARNINGS)
    while not evaluator.is_final:
        start = time.monotonic()
        if evaluator.evaluate() is None and start - warned >= _SECS_BETWEEN_WARNINGS:
            warned = start
            logging.warning(
                "No new checkpoint ready for evaluation." if estimator.latest_checkpoint() else
                "Estimator is not trained yet. Will start an evaluation when a checkpoint is ready."
            )
            if not eval_spec.throttle_secs:
                logging.warning(
                    "EvalSpec.throttle_secs is set as 0. This might overload the job before finding (next) new "
                    "checkpoint. Please consider to increase it."
                )
        rest = (eval_spec.throttle_secs or _SHORTEST_WAIT) - (time.monotonic() - start)
        if rest > 0 and not evaluator.is_final:
            if eval_spec.throttle_secs:
                logging.info("Waiting %f secs before starting next eval run.", rest)
            time.sleep(rest)
    logging.info(
        "Exiting evaluation, global_step=%s >= train max_steps=%s", evaluator.metrics["global_step"],
        train_spec.max_steps,
    )

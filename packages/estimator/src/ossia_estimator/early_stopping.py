"""Hooks that end training when evaluations say so, such as `tf.estimator.experimental.stop_if_no_decrease_hook`."""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys
from ossia_core.names import dtypes, logging
from ossia_core.plugins.api_table import public
from ossia_core.variables.assignment import assign
from ossia_core.variables.scope import get_variable
from ossia_core.variables.variable_scope import variable_scope
from ossia_estimator.estimator import Estimator
from ossia_estimator.event_metrics import read_eval_metrics
from ossia_ops.state.global_step import get_global_step
from ossia_session.hooks.timer import SecondOrStepTimer
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


@public(
    "estimator.experimental.make_early_stopping_hook", "compat.v2.estimator.experimental.make_early_stopping_hook",
    "contrib.estimator.make_early_stopping_hook",
)
def make_early_stopping_hook(
    estimator: Any, should_stop_fn: Callable[[], bool], run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> SessionRunHook:
    """A hook for training that stops, on every worker, when a function says so.

    Args:
        estimator: The estimator.
        should_stop_fn: The function, without arguments.
        run_every_secs: Seconds between two calls of it.
        run_every_steps: Steps between two calls; exactly one of both is given.

    Raises:
        TypeError: `estimator` is none, or the function cannot be called.
        ValueError: Both intervals are given, or none.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
    if not callable(should_stop_fn):
        raise TypeError("`should_stop_fn` must be callable.")
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    if estimator.config.is_chief:
        return _StopOnPredicate(should_stop_fn, run_every_secs, run_every_steps)
    return _StopWithChief()


def _stop_variable() -> Any:
    with variable_scope("signal_early_stopping", values=[], reuse=builder("AUTO_REUSE")):
        return get_variable(
            "STOP", shape=[], dtype=dtypes.bool, initializer=builder("constant_initializer")(False),
            collections=[GraphKeys.GLOBAL_VARIABLES], trainable=False,
        )


class _StopOnPredicate(SessionRunHook):
    def __init__(self, should_stop_fn: Callable[[], bool], secs: float | None, steps: int | None) -> None:
        self._should_stop_fn = should_stop_fn
        self._timer = SecondOrStepTimer(every_secs=secs, every_steps=steps)

    def begin(self) -> None:
        self._step = get_global_step()
        self._stop = assign(_stop_variable(), True)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        step = run_values.results
        if not self._timer.should_trigger_for_step(step):
            return
        self._timer.update_last_triggered_step(step)
        if self._should_stop_fn():
            logging.info("Requesting early stopping at global step %d", step)
            run_context.session.run(self._stop)
            run_context.request_stop()


class _StopWithChief(SessionRunHook):
    def begin(self) -> None:
        self._stopped = _stop_variable()

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._stopped)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if run_values.results:
            logging.info("Early stopping requested, suspending run.")
            run_context.request_stop()


@public(
    "estimator.experimental.stop_if_higher_hook", "compat.v2.estimator.experimental.stop_if_higher_hook",
    "contrib.estimator.stop_if_higher_hook",
)
def stop_if_higher_hook(
    estimator: Any, metric_name: str, threshold: float, eval_dir: str | None = None, min_steps: int = 0,
    run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:
    """A hook that stops training when an evaluation gave a metric above a threshold.

    Args:
        estimator: The estimator.
        metric_name: The metric.
        threshold: The threshold.
        eval_dir: Directory of the event files of evaluations, by default that of evaluations without a name.
        min_steps: Evaluations before this global step do not count.
        run_every_secs: As for `make_early_stopping_hook`, as is the next.
        run_every_steps: Steps between two looks.
    """
    passed = _passes(estimator, metric_name, threshold, operator.gt, "higher than", eval_dir, min_steps)
    return make_early_stopping_hook(estimator, passed, run_every_secs, run_every_steps)


@public(
    "estimator.experimental.stop_if_lower_hook", "compat.v2.estimator.experimental.stop_if_lower_hook",
    "contrib.estimator.stop_if_lower_hook",
)
def stop_if_lower_hook(
    estimator: Any, metric_name: str, threshold: float, eval_dir: str | None = None, min_steps: int = 0,
    run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:
    """A hook that stops training when an evaluation gave a metric below a threshold.

    Args:
        estimator: As for `stop_if_higher_hook`, as are the next.
        metric_name: The metric.
        threshold: The threshold.
        eval_dir: Directory of the event files.
        min_steps: The first step that counts.
        run_every_secs: Seconds between two looks.
        run_every_steps: Steps between two looks.
    """
    passed = _passes(estimator, metric_name, threshold, operator.lt, "lower than", eval_dir, min_steps)
    return make_early_stopping_hook(estimator, passed, run_every_secs, run_every_steps)


@public(
    "estimator.experimental.stop_if_no_increase_hook", "compat.v2.estimator.experimental.stop_if_no_increase_hook",
    "contrib.estimator.stop_if_no_increase_hook",
)
def stop_if_no_increase_hook(
    estimator: Any, metric_name: str, max_steps_without_increase: int, eval_dir: str | None = None,
    min_steps: int = 0, run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:
    """A hook that stops training when a metric has not grown for so many steps.

    Args:
        estimator: As for `stop_if_higher_hook`, as are the next but the third.
        metric_name: The metric.
        max_steps_without_increase: The number of steps.
        eval_dir: Directory of the event files.
        min_steps: The first step that counts.
        run_every_secs: Seconds between two looks.
        run_every_steps: Steps between two looks.
    """
    stuck = _stuck(
        estimator, metric_name, max_steps_without_increase, operator.gt, "increase", eval_dir, min_steps
    )
    return make_early_stopping_hook(estimator, stuck, run_every_secs, run_every_steps)


@public(
    "estimator.experimental.stop_if_no_decrease_hook", "compat.v2.estimator.experimental.stop_if_no_decrease_hook",
    "contrib.estimator.stop_if_no_decrease_hook",
)
def stop_if_no_decrease_hook(
    estimator: Any, metric_name: str, max_steps_without_decrease: int, eval_dir: str | None = None,
    min_steps: int = 0, run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:
    """A hook that stops training when a metric has not fallen for so many steps.

    Args:
        estimator: As for `stop_if_higher_hook`, as are the next but the third.
        metric_name: The metric.
        max_steps_without_decrease: The number of steps.
        eval_dir: Directory of the event files.
        min_steps: The first step that counts.
        run_every_secs: Seconds between two looks.
        run_every_steps: Steps between two looks.
    """
    stuck = _stuck(
        estimator, metric_name, max_steps_without_decrease, operator.lt, "decrease", eval_dir, min_steps
    )
    return make_early_stopping_hook(estimator, stuck, run_every_secs, run_every_steps)


def _evaluated(estimator: Any, eval_dir: str | None, min_steps: int, metric: str) -> list[tuple[int, float]]:
    """Global steps of evaluations, and the metric."""
    found = read_eval_metrics(eval_dir or estimator.eval_dir())
    return [(step, metrics[metric]) for step, metrics in found.items() if step >= min_steps]


def _passes(
    estimator: Any, metric: str, threshold: float, better: Callable, words: str, eval_dir: str | None, min_steps: int
) -> Callable[[], bool]:
    def passed() -> bool:
        for step, value in _evaluated(estimator, eval_dir, min_steps, metric):
            if better(value, threshold):
                logging.info(
                    'At step %s, metric "%s" has value %s which is %s the configured threshold (%s) for early '
                    "stopping.", step, metric, value, words, threshold,
                )
                return True
        return False

    return passed


def _stuck(
    estimator: Any, metric: str, steps: int, better: Callable, words: str, eval_dir: str | None, min_steps: int
) -> Callable[[], bool]:
    def stuck() -> bool:
        best, best_step = None, 0
        for step, value in _evaluated(estimator, eval_dir, min_steps, metric):
            if best is None or better(value, best):
                best, best_step = value, step
            if step - best_step >= steps:
                logging.info(
                    'No %s in metric "%s" for %s steps, which is greater than or equal to max steps (%s) configured '
                    "for early stopping.", words, metric, step - best_step, steps,
                )
                return True
        return False

    return stuck

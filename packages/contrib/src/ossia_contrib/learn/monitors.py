"""Monitors: what watched a training before there were session hooks. They run as hooks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ossia as tf
from ossia_core.plugins.api_table import public, public_value

NanLossDuringTrainingError = tf.train.NanLossDuringTrainingError
public_value(
    "contrib.learn.NanLossDuringTrainingError", "contrib.learn.monitors.NanLossDuringTrainingError",
    name="NanLossDuringTrainingError",
)


@public("contrib.learn.monitors.BaseMonitor")
class BaseMonitor:
    """What a monitor may do, at the begin and the end of a training, an epoch and a step."""

    def __init__(self) -> None:
        self._estimator: Any = None
        self._max_steps: int | None = None

    @property
    def run_on_all_workers(self) -> bool:
        """Whether workers other than the chief run it."""
        return False

    def set_estimator(self, estimator: Any) -> None:
        """Says which estimator trains."""
        self._estimator = estimator

    def begin(self, max_steps: int | None = None) -> None:
        """Before the training."""
        self._max_steps = max_steps

    def end(self, session: Any = None) -> None:
        """After the training."""

    def epoch_begin(self, epoch: int) -> None:
        """Before an epoch."""

    def epoch_end(self, epoch: int) -> None:
        """After an epoch."""

    def step_begin(self, step: int) -> list[Any]:
        """Before a step: the tensors, or names of tensors, to fetch in it."""
        return []

    def step_end(self, step: int, output: Any) -> bool:
        """After a step: whether to stop."""
        return False

    def post_step(self, step: int, session: Any) -> None:
        """After a step and all `step_end`s."""


@public("contrib.learn.monitors.EveryN")
class EveryN(BaseMonitor):
    """A monitor of every n-th step; subclasses define `every_n_step_begin`, `every_n_step_end`, `every_n_post_step`.

    Args:
      every_n_steps: how many steps lie between.
      first_n_steps: how many steps at the beginning are watched, too.
    """

    def __init__(self, every_n_steps: int = 100, first_n_steps: int = 1) -> None:
        super().__init__()
        self._every_n_steps = every_n_steps
        self._first_n_steps = first_n_steps
        self._last_successful_step: int | None = None
        self._last_active_step = 0
        self._every_n_step_begin_called = False

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Before a watched step: what to fetch."""
        return []

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        """After a watched step: whether to stop."""
        return False

    def every_n_post_step(self, step: int, session: Any) -> None:
        """After a watched step and all `step_end`s."""

    def step_begin(self, step: int) -> list[Any]:
        """Before a step."""
        if (
            step <= self._first_n_steps or step >= self._every_n_steps + self._last_active_step
            or step == self._max_steps
        ):
            self._every_n_step_begin_called = True
            return self.every_n_step_begin(step)
        self._every_n_step_begin_called = False
        return []

    def step_end(self, step: int, output: Any) -> bool:
        """After a step."""
        return self.every_n_step_end(step, output) if self._every_n_step_begin_called else False

    def post_step(self, step: int, session: Any) -> None:
        """After a step and all `step_end`s."""
        if self._every_n_step_begin_called:
            self.every_n_post_step(step, session)
            self._last_active_step = step
        self._last_successful_step = step

    def end(self, session: Any = None) -> None:
        """Watches the last step."""
        if self._last_successful_step != self._last_active_step and self._last_successful_step is not None:
            self.every_n_post_step(self._last_successful_step, session)


@public("contrib.learn.monitors.StopAtStep")
class StopAtStep(BaseMonitor):
    """Stops after so many steps, or at a step.

    Args:
      num_steps: how many.
      last_step: the step.

    Raises:
      ValueError: both or none are given.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        super().__init__()
        if (num_steps is None) == (last_step is None):
            raise ValueError("One of num_steps or last_step must be specified.")
        self._num_steps = num_steps
        self._last_step = last_step

    @property
    def run_on_all_workers(self) -> bool:
        """Each worker stops."""
        return True

    def step_begin(self, step: int) -> list[Any]:
        """Notes where it began."""
        if self._last_step is None:
            self._last_step = step + (self._num_steps or 0) - 1
        return []

    def step_end(self, step: int, output: Any) -> bool:
        """Whether the step is reached."""
        return step >= (self._last_step or 0)


@public("contrib.learn.monitors.PrintTensor")
class PrintTensor(EveryN):
    """Logs the values of tensors.

    Args:
      tensor_names: their names, or a dict with what to call them.
      every_n: how many steps lie between.
      first_n: how many steps at the beginning are logged, too.
    """

    def __init__(self, tensor_names: Any, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._names = tensor_names if isinstance(tensor_names, dict) else {name: name for name in tensor_names}

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Fetches them."""
        return list(self._names.values())

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        """Logs them."""
        known = {key: outputs[each] for key, each in self._names.items() if each in outputs}
        tf.logging.info("Step %d: %s", step, ", ".join(f"{key} = {value}" for key, value in known.items()))
        return False


@public("contrib.learn.monitors.CaptureVariable")
class CaptureVariable(EveryN):
    """Keeps the values of a variable.

    Args:
      var_name: its name.
      every_n: how many steps lie between.
      first_n: how many steps at the beginning are kept, too.
    """

    def __init__(self, var_name: str, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._var_name = var_name
        self._values: dict[int, Any] = {}

    @property
    def values(self) -> dict[int, Any]:
        """The values by step."""
        return self._values

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Fetches it."""
        return [self._var_name]

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        """Keeps it."""
        self._values[step] = outputs[self._var_name]
        return False


@public("contrib.learn.monitors.NanLoss")
class NanLoss(EveryN):
    """Stops when the loss is no number.

    Args:
      loss_tensor: the loss.
      every_n_steps: how many steps lie between.
      fail_on_nan_loss: whether to raise an error.

    Raises:
      NanLossDuringTrainingError: from a step, if it is to be raised.
    """

    def __init__(self, loss_tensor: Any, every_n_steps: int = 100, fail_on_nan_loss: bool = True) -> None:
        super().__init__(every_n_steps=every_n_steps)
        self._loss_tensor = loss_tensor
        self._fail_on_nan_loss = fail_on_nan_loss

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Fetches the loss."""
        return [self._loss_tensor]

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        """Whether it is no number."""
        if not np.isnan(outputs[_name(self._loss_tensor)]):
            return False
        message = "Model diverged with loss = NaN."
        if self._fail_on_nan_loss:
            tf.logging.error(message)
            raise NanLossDuringTrainingError
        tf.logging.warning(message)
        return True


@public("contrib.learn.monitors.SummarySaver")
class SummarySaver(EveryN):
    """Writes summaries.

    Args:
      summary_op: a tensor of a serialized summary, or several.
      save_steps: how many steps lie between.
      output_dir: the folder; that of the estimator by default.
      summary_writer: a writer in its place.
      scaffold: where the summary is found without `summary_op`.
    """

    def __init__(
        self, summary_op: Any, save_steps: int = 100, output_dir: str | None = None, summary_writer: Any = None,
        scaffold: Any = None,
    ) -> None:
        super().__init__(every_n_steps=save_steps)
        self._summary_op = summary_op
        self._writer: Any = summary_writer or (tf.summary.FileWriterCache.get(output_dir) if output_dir else None)
        self._scaffold = scaffold

    def set_estimator(self, estimator: Any) -> None:
        """Takes the folder of the estimator, if there is no other."""
        super().set_estimator(estimator)
        if self._writer is None:
            self._writer = tf.summary.FileWriterCache.get(estimator.model_dir)

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Fetches the summaries."""
        op = self._summary_op if self._summary_op is not None else self._scaffold and self._scaffold.summary_op
        self._fetched = [] if op is None else list(op) if isinstance(op, (list, tuple)) else [op]
        return self._fetched

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        """Writes them."""
        for each in self._fetched:
            self._writer.add_summary(outputs[_name(each)], step)
        return False

    def end(self, session: Any = None) -> None:
        """Flushes the file."""
        super().end(session)
        if self._writer:
            self._writer.flush()


@public("contrib.learn.monitors.ValidationMonitor")
class ValidationMonitor(EveryN):
    """Evaluates new checkpoints during a training, and may stop it when a metric does not get better.

    Args:
      x: features, see `Estimator.evaluate`.
      y: labels.
      input_fn: a function that makes both, in their place.
      batch_size: how many rows of `x` a batch has.
      eval_steps: how many batches.
      every_n_steps: how many steps lie between.
      metrics: more metrics.
      hooks: hooks of the evaluation.
      early_stopping_rounds: after how many steps without a better value to stop; never by default.
      early_stopping_metric: of which metric.
      early_stopping_metric_minimize: whether less is better.
      name: of the evaluation.
      check_interval_secs: how many seconds lie between looking for a checkpoint.

    Raises:
      ValueError: there is no input.
    """

    def __init__(
        self, x: Any = None, y: Any = None, input_fn: Callable | None = None, batch_size: int | None = None,
        eval_steps: int | None = None, every_n_steps: int = 100, metrics: Any = None, hooks: Any = None,
        early_stopping_rounds: int | None = None, early_stopping_metric: str = "loss",
        early_stopping_metric_minimize: bool = True, name: str | None = None, check_interval_secs: float = 5,
    ) -> None:
        super().__init__(every_n_steps=every_n_steps, first_n_steps=-1)
        if x is None and input_fn is None:
            raise ValueError("Either x or input_fn should be provided.")
        self._evaluation = {
            "x": x, "y": y, "input_fn": input_fn, "batch_size": batch_size, "steps": eval_steps, "metrics": metrics,
            "hooks": hooks, "name": name,
        }
        self._rounds = early_stopping_rounds
        self._metric = early_stopping_metric
        self._minimize = early_stopping_metric_minimize
        self._check_interval_secs = check_interval_secs
        self._checked_at: float | None = None
        self._checkpoint: str | None = None
        self._best_value_step: int | None = None
        self._best_value: Any = None
        self._best_metrics: Any = None
        self._early_stopped = False

    @property
    def early_stopped(self) -> bool:
        """Whether it stopped the training."""
        return self._early_stopped

    @property
    def best_step(self) -> int | None:
        """The step of the best value."""
        return self._best_value_step

    @property
    def best_value(self) -> Any:
        """The best value."""
        return self._best_value

    @property
    def best_metrics(self) -> Any:
        """All metrics of the best step."""
        return self._best_metrics

    def every_n_step_end(self, step: int, outputs: Any) -> bool:
        """Evaluates, if there is a new checkpoint."""
        super().every_n_step_end(step, outputs)
        if self._estimator is None:
            raise ValueError("Missing call to set_estimator.")
        now = time.time()
        if self._checked_at is not None and now - self._checked_at < self._check_interval_secs:
            return False
        self._checked_at = now
        latest = tf.train.latest_checkpoint(self._estimator.model_dir)
        if latest is None:
            tf.logging.debug("Skipping evaluation since model has not been saved yet at step %d.", step)
            return False
        if latest == self._checkpoint:
            tf.logging.debug("Skipping evaluation due to same checkpoint %s.", latest)
            return False
        self._checkpoint = latest
        results = self._estimator.evaluate(**self._evaluation)
        tf.logging.info(
            "Validation (step %d): %s", step, ", ".join(f"{name} = {value!s}" for name, value in results.items())
        )
        if self._rounds is None:
            return False
        value = results.get(self._metric)
        if value is None:
            raise ValueError(f"Metric {self._metric} missing from outputs {sorted(results)}.")
        if self._best_value is None or (value < self._best_value if self._minimize else value > self._best_value):
            self._best_value, self._best_value_step, self._best_metrics = value, step, dict(results)
        stop = step - (self._best_value_step or 0) >= self._rounds
        if stop:
            tf.logging.info(
                "Stopping. Best step: %s with %s = %s.", self._best_value_step, self._metric, self._best_value
            )
            self._early_stopped = True
        return stop


@public("contrib.learn.monitors.RunHookAdapterForMonitors")
class RunHookAdapterForMonitors(tf.train.SessionRunHook):
    """Monitors as a session hook.

    Args:
      monitors: the monitors.
    """

    def __init__(self, monitors: Sequence[BaseMonitor]) -> None:
        self._monitors = monitors

    def begin(self) -> None:
        self._last_step: int | None = None
        self._global_step_tensor = tf.train.get_global_step()
        for monitor in self._monitors:
            monitor.begin(max_steps=None)

    def before_run(self, run_context: Any) -> Any:
        if self._last_step is None:
            self._last_step = run_context.session.run(self._global_step_tensor) + 1
        wanted = [each for monitor in self._monitors for each in monitor.step_begin(self._last_step) or []]
        graph = tf.get_default_graph()
        fetched = {_name(each): graph.as_graph_element(each) for each in wanted}
        return tf.train.SessionRunArgs({**fetched, self._global_step_tensor.name: self._global_step_tensor})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        results = run_values.results
        step = results[self._global_step_tensor.name]
        stop = False
        for monitor in self._monitors:
            stop = bool(monitor.step_end(self._last_step or 0, results)) or stop
        if stop:
            run_context.request_stop()
        for monitor in self._monitors:
            monitor.post_step(self._last_step or 0, run_context.session)
        self._last_step = step + 1

    def end(self, session: Any) -> None:
        self._last_step = None
        for monitor in self._monitors:
            monitor.end(session=session)


def _name(fetch: Any) -> str:
    return fetch if isinstance(fetch, str) else fetch.name


@public("contrib.learn.monitors.replace_monitors_with_hooks")
def replace_monitors_with_hooks(monitors_or_hooks: Any, estimator: Any) -> list[Any]:
    """Hooks as they are, and monitors as one hook.

    Args:
      monitors_or_hooks: a list of both.
      estimator: what the monitors watch.
    """
    each = list(monitors_or_hooks or [])
    hooks = [hook for hook in each if isinstance(hook, tf.train.SessionRunHook)]
    watching = [monitor for monitor in each if not isinstance(monitor, tf.train.SessionRunHook)]
    for monitor in watching:
        monitor.set_estimator(estimator)
    return [*hooks, RunHookAdapterForMonitors(watching)] if watching else hooks


@public("contrib.learn.monitors.get_default_monitors")
def get_default_monitors(
    loss_op: Any = None, summary_op: Any = None, save_summary_steps: int = 100, output_dir: str | None = None,
    summary_writer: Any = None,
) -> list[BaseMonitor]:
    """Monitors that log the loss and write summaries, as far as these are given."""
    found: list[BaseMonitor] = []
    if loss_op is not None:
        found.append(PrintTensor(tensor_names={"loss": loss_op.name}))
    if summary_op is not None:
        found.append(SummarySaver(summary_op, save_summary_steps, output_dir, summary_writer))
    return found

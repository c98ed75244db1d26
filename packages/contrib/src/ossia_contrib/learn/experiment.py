"""An estimator with its inputs: what to train, evaluate and export."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.learn import monitors as monitors_lib
from ossia_contrib.learn.base import Evaluable
from ossia_core.plugins.api_table import public


@public("contrib.learn.Experiment")
class Experiment:
    """An estimator, what to train it on, and what to evaluate it on.

    Args:
      estimator: an `Estimator`, or one of `tf.estimator`.
      train_input_fn: makes the input of training.
      eval_input_fn: makes the input of evaluation.
      eval_metrics: more metrics, `MetricSpec`s by name; only for estimators of `tf.contrib.learn`.
      train_steps: the step to train to; without an end by default.
      eval_steps: how many batches an evaluation has; all by default None.
      train_monitors: hooks and monitors of training.
      eval_hooks: hooks of evaluation.
      local_eval_frequency: the older name of `min_eval_frequency`.
      eval_delay_secs: how many seconds to wait before the first evaluation.
      continuous_eval_throttle_secs: how many seconds lie between evaluations.
      min_eval_frequency: how many steps lie between evaluations during training; 0 for none.
      delay_workers_by_global_step: not used.
      export_strategies: how to export, an `ExportStrategy` or several.
      train_steps_per_iteration: how many steps `continuous_train_and_eval` trains at a time.
      checkpoint_and_export: whether to export at each checkpoint.
      saving_listeners: listeners of checkpoints, for estimators of `tf.estimator`.
      check_interval_secs: how many seconds lie between looking for a checkpoint.

    Raises:
      ValueError: an argument is something else.
    """

    def __init__(
        self, estimator: Any, train_input_fn: Callable, eval_input_fn: Callable, eval_metrics: Any = None,
        train_steps: int | None = None, eval_steps: int | None = 100, train_monitors: Any = None,
        eval_hooks: Any = None, local_eval_frequency: int | None = None, eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60, min_eval_frequency: int | None = None,
        delay_workers_by_global_step: bool = False, export_strategies: Any = None,
        train_steps_per_iteration: int | None = None, checkpoint_and_export: bool = False, saving_listeners: Any = None,
        check_interval_secs: float = 5,
    ) -> None:
        self._is_core = isinstance(estimator, tf.estimator.Estimator)
        if not self._is_core and not isinstance(estimator, Evaluable):
            raise ValueError(
                "`estimator` must implement `tf.contrib.learn.Evaluable` or `tf.estimator.`Estimator`. "
                f"{type(estimator)}"
            )
        if self._is_core and eval_metrics is not None:
            raise ValueError("`eval_metrics` must be `None` with `tf.estimator.Estimator`")
        self._estimator = estimator
        self._train_input_fn = train_input_fn
        self._eval_input_fn = eval_input_fn
        self._eval_metrics = eval_metrics
        self._train_steps = train_steps
        self._eval_steps = eval_steps
        self._train_monitors = list(train_monitors or [])
        self._eval_hooks = list(eval_hooks or [])
        self._eval_delay_secs = eval_delay_secs
        self._throttle_secs = continuous_eval_throttle_secs
        frequency = local_eval_frequency if local_eval_frequency is not None else min_eval_frequency
        self._min_eval_frequency = 1 if frequency is None else frequency
        self._train_steps_per_iteration = train_steps_per_iteration
        if train_steps_per_iteration is not None and not isinstance(train_steps_per_iteration, int):
            raise ValueError("`train_steps_per_iteration` must be an integer.")
        self._saving_listeners = saving_listeners
        self._check_interval_secs = check_interval_secs
        self._checkpoint_and_export = checkpoint_and_export
        self._set_export_strategies(export_strategies)

    def _set_export_strategies(self, given: Any) -> None:
        each = [] if given is None else list(given) if isinstance(given, Sequence) and not hasattr(
            given, "export_fn") else [given]
        names = [strategy.name for strategy in each]
        if len(set(names)) != len(names):
            raise ValueError(f"`export_strategies` must have unique names. Got: {names}.")
        self._export_strategies = each

    @property
    def estimator(self) -> Any:
        """The estimator."""
        return self._estimator

    @property
    def eval_metrics(self) -> Any:
        """The metrics that were added."""
        return self._eval_metrics

    @property
    def train_steps(self) -> int | None:
        """The step to train to."""
        return self._train_steps

    @property
    def eval_steps(self) -> int | None:
        """How many batches an evaluation has."""
        return self._eval_steps

    def extend_train_hooks(self, additional_hooks: Any) -> None:
        """Adds hooks to the training."""
        self._train_monitors.extend(additional_hooks)

    def reset_export_strategies(self, new_export_strategies: Any = None) -> Any:
        """Puts others in the place of the export strategies, and returns those that were."""
        before = self._export_strategies
        self._set_export_strategies(new_export_strategies)
        return before

    def train(self, delay_secs: float | None = None) -> Any:
        """Trains.

        Args:
          delay_secs: how many seconds to wait before.

        Returns:
          The estimator.
        """
        if delay_secs:
            time.sleep(delay_secs)
        return self._train_to(self._train_steps)

    def _train_to(self, max_steps: int | None, hooks: Any = ()) -> Any:
        hooks = [*self._train_monitors, *hooks]
        if self._is_core:
            found = monitors_lib.replace_monitors_with_hooks(hooks, self._estimator)
            return self._estimator.train(
                self._train_input_fn, max_steps=max_steps, hooks=found, saving_listeners=self._saving_listeners
            )
        return self._estimator.fit(input_fn=self._train_input_fn, max_steps=max_steps, monitors=hooks)

    def evaluate(self, delay_secs: float | None = None, name: str | None = None) -> Any:
        """Evaluates the last checkpoint.

        Args:
          delay_secs: how many seconds to wait before.
          name: of the evaluation.

        Returns:
          Metrics by name.
        """
        if delay_secs is None:
            delay_secs = self._eval_delay_secs
        if delay_secs:
            tf.logging.info("Waiting %d secs before starting eval.", delay_secs)
            time.sleep(delay_secs)
        return self._evaluate(name=name or "one_pass")

    def _evaluate(
        self, name: str | None = None, input_fn: Callable | None = None, steps: int | None = None,
        checkpoint_path: str | None = None,
    ) -> Any:
        options: dict[str, Any] = {
            "input_fn": input_fn or self._eval_input_fn, "steps": steps if steps is not None else self._eval_steps,
            "name": name, "checkpoint_path": checkpoint_path, "hooks": self._eval_hooks,
        }
        if not self._is_core:
            options["metrics"] = self._eval_metrics
        return self._estimator.evaluate(**options)

    def local_run(self) -> Any:
        """As `train_and_evaluate`."""
        return self.train_and_evaluate()

    def train_and_evaluate(self) -> tuple[Any, Any]:
        """Trains, evaluates new checkpoints meanwhile, and evaluates and exports at the end.

        Returns:
          The metrics of the last evaluation, and what the export strategies returned.
        """
        hooks = []
        if self._min_eval_frequency:
            watching = monitors_lib.ValidationMonitor(
                input_fn=self._eval_input_fn, eval_steps=self._eval_steps, metrics=self._eval_metrics,
                every_n_steps=self._min_eval_frequency, hooks=self._eval_hooks,
                check_interval_secs=self._check_interval_secs,
            )
            if self._is_core:
                watching._evaluation = {
                    "input_fn": self._eval_input_fn, "steps": self._eval_steps, "hooks": self._eval_hooks
                }
            hooks = [watching]
        self._train_to(self._train_steps, hooks)
        result = self._evaluate()
        return result, self._export(result)

    def _export(self, result: Any, checkpoint_path: str | None = None) -> list[Any]:
        base = os.path.join(tf.compat.as_str(self._estimator.model_dir), "export")
        return [
            strategy.export(
                self._estimator, os.path.join(base, strategy.name), checkpoint_path=checkpoint_path,
                eval_result=result,
            )
            for strategy in self._export_strategies
        ]

    def continuous_eval(
        self, delay_secs: float | None = None, throttle_delay_secs: float | None = None,
        evaluate_checkpoint_only_once: bool = True, continuous_eval_predicate_fn: Callable | None = None,
        name: str = "continuous",
    ) -> tuple[Any, Any]:
        """Evaluates each new checkpoint, until the last step of training or the predicate ends it.

        Args:
          delay_secs: how many seconds to wait before.
          throttle_delay_secs: how many seconds lie between evaluations.
          evaluate_checkpoint_only_once: whether a checkpoint is evaluated once only.
          continuous_eval_predicate_fn: a function of the last metrics that says whether to go on.
          name: of the evaluation.

        Returns:
          The last metrics, and what the last export returned.

        Raises:
          ValueError: the predicate is no function.
        """
        return self._continuous(
            self._eval_input_fn, name, delay_secs, throttle_delay_secs, evaluate_checkpoint_only_once,
            continuous_eval_predicate_fn, export=True,
        )

    def continuous_eval_on_train_data(
        self, delay_secs: float | None = None, throttle_delay_secs: float | None = None,
        continuous_eval_predicate_fn: Callable | None = None, name: str = "continuous_on_train_data",
    ) -> tuple[Any, Any]:
        """As `continuous_eval`, on what the model is trained on, and nothing is exported."""
        return self._continuous(
            self._train_input_fn, name, delay_secs, throttle_delay_secs, True, continuous_eval_predicate_fn,
            export=False,
        )

    def _continuous(
        self, input_fn: Callable, name: str, delay_secs: float | None, throttle_secs: float | None, only_once: bool,
        predicate: Callable | None, export: bool,
    ) -> tuple[Any, Any]:
        if predicate is not None and not callable(predicate):
            raise ValueError("`continuous_eval_predicate_fn` must be a callable, or None.")
        time.sleep(self._eval_delay_secs if delay_secs is None else delay_secs)
        throttle = self._throttle_secs if throttle_secs is None else throttle_secs
        evaluated: str | None = None
        result: Any = None
        exports: Any = None
        while not predicate or predicate(result):
            begun = time.time()
            latest = tf.train.latest_checkpoint(tf.compat.as_str(self._estimator.model_dir))
            if latest and not (only_once and latest == evaluated):
                result = self._evaluate(name=name, input_fn=input_fn, checkpoint_path=latest)
                evaluated = latest
                exports = self._export(result, latest) if export else None
                if self._train_steps and result["global_step"] >= self._train_steps:
                    tf.logging.info("Exiting continuous eval, global_step=%s >= train_step=%s", result["global_step"],
                                    self._train_steps)
                    break
            elif not latest:
                tf.logging.warning("Estimator is not fitted yet, skipping evaluation.")
            time.sleep(max(0.0, throttle - (time.time() - begun)))
        return result, exports

    def continuous_train_and_eval(self, continuous_eval_predicate_fn: Callable | None = None) -> tuple[Any, Any]:
        """Trains some steps, evaluates, and so on by turns.

        Args:
          continuous_eval_predicate_fn: a function of the last metrics that says whether to go on.

        Returns:
          The last metrics, and what the last export returned.

        Raises:
          ValueError: the predicate is no function.
        """
        if continuous_eval_predicate_fn is not None and not callable(continuous_eval_predicate_fn):
            raise ValueError("`continuous_eval_predicate_fn` must be a callable, or None.")
        result: Any = None
        exports: Any = []
        each = self._train_steps_per_iteration or (self._train_steps or 1000) // 10 or 1
        done = 0
        while not continuous_eval_predicate_fn or continuous_eval_predicate_fn(result):
            done = min(done + each, self._train_steps) if self._train_steps else done + each
            self._train_to(done)
            result = self._evaluate()
            exports = self._export(result)
            if self._train_steps and done >= self._train_steps:
                break
        return result, exports

    def run_std_server(self) -> None:
        """Starts a server of the cluster and waits.

        Raises:
          ValueError: the configuration names no cluster.
        """
        config = self._estimator.config
        if not config.cluster_spec or not config.cluster_spec.jobs or not config.master:
            raise ValueError(
                "Could not start server; be sure to specify cluster_spec, task_type, and task in RunConfig"
            )
        tf.train.Server(
            config.cluster_spec, job_name=config.task_type, task_index=config.task_id, config=config.session_config
        ).join()

    def test(self) -> Any:
        """One step of training and one of evaluation."""
        if self._is_core:
            self._estimator.train(self._train_input_fn, steps=1, hooks=self._train_monitors)
        else:
            self._estimator.fit(input_fn=self._train_input_fn, steps=1, monitors=self._train_monitors)
        return self._evaluate(name="one_pass", steps=1)

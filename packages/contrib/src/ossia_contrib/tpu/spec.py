"""What a model function for `TPUEstimator` returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import ossia as tf
from ossia_core.plugins.api_table import public


class _TPUEstimatorSpec(NamedTuple):
    mode: Any
    predictions: Any
    loss: Any
    train_op: Any
    eval_metrics: Any
    export_outputs: Any
    scaffold_fn: Any
    host_call: Any
    training_hooks: Any
    evaluation_hooks: Any
    prediction_hooks: Any


@public("contrib.tpu.TPUEstimatorSpec", "estimator.tpu.TPUEstimatorSpec")
class TPUEstimatorSpec(_TPUEstimatorSpec):
    """What a model function makes of its input.

    Args:
      mode: one of `tf.estimator.ModeKeys`.
      predictions: a tensor or a dict of tensors.
      loss: a scalar.
      train_op: what makes a step of training.
      eval_metrics: a function that makes metrics, and what it takes: a list or a dict of tensors.
      export_outputs: outputs for serving, by name.
      scaffold_fn: a function that makes a `tf.train.Scaffold`.
      host_call: a function that the host calls each step, and what it takes.
      training_hooks: hooks in training.
      evaluation_hooks: hooks in evaluation.
      prediction_hooks: hooks in prediction.

    Raises:
      ValueError: what the mode needs is missing, or is something else.
      TypeError: a function is none.
    """

    __slots__ = ()

    def __new__(
        cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None, eval_metrics: Any = None,
        export_outputs: Any = None, scaffold_fn: Callable | None = None, host_call: Any = None,
        training_hooks: Sequence[Any] | None = None, evaluation_hooks: Sequence[Any] | None = None,
        prediction_hooks: Sequence[Any] | None = None,
    ) -> TPUEstimatorSpec:
        for name, call in (("eval_metrics", eval_metrics), ("host_call", host_call)):
            if call is not None:
                _check_call(name, call)
        groups = tuple(tuple(hooks or ()) for hooks in (training_hooks, evaluation_hooks, prediction_hooks))
        core = tf.estimator.EstimatorSpec(
            mode=mode, predictions=predictions, loss=loss, train_op=train_op, export_outputs=export_outputs,
            training_hooks=groups[0], evaluation_hooks=groups[1], prediction_hooks=groups[2],
        )
        return super().__new__(
            cls, mode, core.predictions, core.loss, core.train_op, eval_metrics, core.export_outputs, scaffold_fn,
            host_call, *groups,
        )

    def as_estimator_spec(self) -> Any:
        """The same as a `tf.estimator.EstimatorSpec`, for other devices than TPUs."""
        metrics = _called(self.eval_metrics) if self.eval_metrics is not None else None
        hooks: tuple[Any, ...] = ()
        if self.host_call is not None:
            hooks = (_HostCallHook(_called(self.host_call)),)
        scaffold = self.scaffold_fn() if self.scaffold_fn else None
        return tf.estimator.EstimatorSpec(
            mode=self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op,
            eval_metric_ops=metrics, export_outputs=self.export_outputs, scaffold=scaffold,
            training_hooks=[*self.training_hooks, *hooks], evaluation_hooks=[*self.evaluation_hooks, *hooks],
            prediction_hooks=[*self.prediction_hooks, *hooks],
        )


def _check_call(name: str, call: Any) -> None:
    if not isinstance(call, (list, tuple)):
        raise ValueError(f"{name} should be tuple or list")
    if len(call) != 2:
        raise ValueError(f"{name} should have two elements.")
    if not callable(call[0]):
        raise TypeError(f"{name}[0] should be callable.")
    if not isinstance(call[1], (list, tuple, dict)):
        raise ValueError(f"{name}[1] should be tuple or list, or dict.")


def _called(call: Any) -> Any:
    function, arguments = call
    return function(**arguments) if isinstance(arguments, dict) else function(*arguments)


class _HostCallHook(tf.train.SessionRunHook):
    """Runs, in each step, what the function of the host has made."""

    def __init__(self, made: Any) -> None:
        self._made = made

    def before_run(self, run_context: Any) -> Any:
        return tf.train.SessionRunArgs(self._made)

"""What model functions for TPUs return: `tf.estimator.tpu.TPUEstimatorSpec`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ossia_core.plugins.api_table import public
from ossia_estimator.model_spec import EstimatorSpec
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook


class _TPUEstimatorSpec(NamedTuple):
    mode: str
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


@public("estimator.tpu.TPUEstimatorSpec", "contrib.tpu.TPUEstimatorSpec")
class TPUEstimatorSpec(_TPUEstimatorSpec):
    """What a model function for a TPU has built; metrics come as functions, which run on the host.

    Args:
        mode: The mode it was asked for.
        predictions: As for `tf.estimator.EstimatorSpec`, as are those that are not told here.
        loss: The loss.
        train_op: What makes a step.
        eval_metrics: A pair of a function that returns metrics and its arguments, in a list or by name.
        export_outputs: ExportOutputs by name.
        scaffold_fn: Makes the Scaffold.
        host_call: A pair of a function and its arguments; what it returns runs with each step.
        training_hooks: Hooks for training.
        evaluation_hooks: Hooks for evaluation.
        prediction_hooks: Hooks for prediction.

    Raises:
        ValueError: A pair is something else.
    """

    __slots__ = ()

    def __new__(
        cls, mode: str, predictions: Any = None, loss: Any = None, train_op: Any = None, eval_metrics: Any = None,
        export_outputs: Any = None, scaffold_fn: Callable | None = None, host_call: Any = None,
        training_hooks: Any = None, evaluation_hooks: Any = None, prediction_hooks: Any = None,
    ) -> TPUEstimatorSpec:
        """Checks the pairs; see the class."""
        for name, pair in (("eval_metrics", eval_metrics), ("host_call", host_call)):
            if pair is None:
                continue
            if not isinstance(pair, (tuple, list)):
                raise ValueError(f"{name} should be tuple or list")
            if len(pair) != 2:
                raise ValueError(f"{name} should have two elements.")
            if not callable(pair[0]):
                raise TypeError(f"{name}[0] should be callable.")
            if not isinstance(pair[1], (tuple, list, dict)):
                raise ValueError(f"{name}[1] should be tuple or list, or dict.")
        return super().__new__(
            cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn, host_call,
            tuple(training_hooks or ()), tuple(evaluation_hooks or ()), tuple(prediction_hooks or ()),
        )

    def as_estimator_spec(self) -> EstimatorSpec:
        """The same for a CPU: calls the functions."""
        metrics = _called(self.eval_metrics) if self.eval_metrics else None
        host: tuple[SessionRunHook, ...] = ()
        if self.host_call:
            host = (_HostCallHook(_called(self.host_call)),)
        scaffold = self.scaffold_fn() if self.scaffold_fn else None
        return EstimatorSpec(
            mode=self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op,
            eval_metric_ops=metrics, export_outputs=self.export_outputs, scaffold=scaffold,
            training_hooks=self.training_hooks + host, evaluation_hooks=self.evaluation_hooks + host,
            prediction_hooks=self.prediction_hooks + host,
        )


def _called(pair: Any) -> Any:
    function, values = pair
    return function(**values) if isinstance(values, dict) else function(*values)


class _HostCallHook(SessionRunHook):
    """Runs what a host call returned with each step."""

    def __init__(self, fetches: Any) -> None:
        self._fetches = fetches

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._fetches)

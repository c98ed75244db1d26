"""One evaluation of a model: its loop, and what it leaves in the event file."""
from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.scopes import control_dependencies
from ossia_core.names import dtypes, logging, nest
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_core.variables.scope import get_variable
from ossia_nn.metrics.means import mean
from ossia_ops.state.global_step import get_global_step
from ossia_session.creators import ChiefSessionCreator
from ossia_session.hooks.final_ops import FinalOpsHook
from ossia_session.monitored import MonitoredSession
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues

_EVAL_STEP = "eval_step"
LOSS = "loss"
_FEW = 20  # so many evaluations are logged one by one


class StopAfterEvaluations(SessionRunHook):
    """Stops after so many batches, and logs how far it is.

    Args:
        batches: How many.
    """

    def __init__(self, batches: int) -> None:
        self._batches = batches
        self._log_every = 1 if batches < _FEW else math.floor(batches / 10)
        self.completed: Any = None

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs({"completed": self.completed})

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        completed = int(run_values.results["completed"])
        if completed % self._log_every == 0 or completed == self._batches:
            logging.info("Evaluation [%d/%d]", completed, self._batches)
        if completed >= self._batches:
            run_context.request_stop()


def evaluation_ops(spec: Any) -> tuple[Any, dict[str, Any]]:
    """What updates all metrics of an EstimatorSpec, and their values by name, with the loss and the global step.

    Raises:
        ValueError: A metric has the name of the loss or the global step.
    """
    metrics = dict(spec.eval_metric_ops)
    if LOSS in metrics:
        raise ValueError(f'Metric with name "{LOSS}" is not allowed, because Estimator defines a default metric with '
                         "the same name.")
    metrics[LOSS] = mean(spec.loss)
    values, updates = {}, []
    for name, pair in sorted(metrics.items()):
        if hasattr(pair, "updates") and hasattr(pair, "result"):
            values[name] = pair.result()
            updates.extend(pair.updates)
        else:
            values[name] = pair[0]
            updates.extend(nest.flatten(pair[1]))
    update = group(*updates)
    if GraphKeys.GLOBAL_STEP in values:
        raise ValueError(f'Metric with name "{GraphKeys.GLOBAL_STEP}" is not allowed, because Estimator defines a '
                         "default metric with the same name.")
    values[GraphKeys.GLOBAL_STEP] = get_global_step()
    return update, values


def evaluate_once(
    scaffold: Any, update: Any, values: Mapping[str, Any], hooks: Sequence[SessionRunHook], checkpoint_path: str | None,
    master: str = "", config: Any = None,
) -> dict[str, Any]:
    """Runs the updates until the input or a hook ends it, and returns the values.

    Args:
        scaffold: The parts of the graph.
        update: What to run for each batch.
        values: What to compute at the end.
        hooks: SessionRunHooks.
        checkpoint_path: The checkpoint to restore; None for an initialised model.
        master: The engine.
        config: The ConfigProto of the session.
    """
    read = get_collection(_EVAL_STEP)
    step = read[0] if read else get_variable(
        _EVAL_STEP, shape=[], dtype=dtypes.int64, initializer=builder("zeros_initializer")(), trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, _EVAL_STEP],
    )
    counted = builder("assign_add")(step, 1, use_locking=True)
    with control_dependencies([update, counted]):
        completed = builder("identity")(step.read_value())
    for hook in hooks:
        if isinstance(hook, StopAfterEvaluations):
            hook.completed = completed
    logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    last = FinalOpsHook(values)
    creator = ChiefSessionCreator(
        scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path, master=master, config=config
    )
    with MonitoredSession(session_creator=creator, hooks=[*hooks, last]) as session:
        while not session.should_stop():
            session.run({"update": update, "step": counted})
    logging.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
    return last.final_ops_values


def write_results(directory: str, results: Mapping[str, Any], step: int) -> None:
    """Logs the values of metrics, and writes them as one event.

    Args:
        directory: Directory of the event file.
        results: Values by name.
        step: The global step.
    """
    from ossia_core.proto import Summary

    text = ", ".join(f"{name} = {value!s}" for name, value in sorted(results.items()) if not isinstance(value, bytes))
    logging.info("Saving dict for global step %d: %s", step, text)
    summary = Summary()
    for name, value in results.items():
        if value is None or name == GraphKeys.GLOBAL_STEP:
            continue
        if isinstance(value, (float, int, np.floating, np.integer)):
            summary.value.add(tag=name, simple_value=float(value))
        elif isinstance(value, bytes):
            parsed = Summary.FromString(value)
            for number, item in enumerate(parsed.value):
                item.tag = f"{name}/{number}"
            summary.value.extend(parsed.value)
        elif isinstance(value, np.ndarray):
            item = summary.value.add(tag=name, node_name=name)
            item.tensor.CopyFrom(builder("make_tensor_proto")(value))
            logging.info("The array %s is in the event file, but TensorBoard shows it only with a plugin.", name)
        else:
            logging.warning("Skipping summary for %s: it is no number, array or serialized Summary.", name)
    _add(directory, summary, step)


def write_checkpoint_path(directory: str, checkpoint_path: str, step: int) -> None:
    """Logs and writes which checkpoint was evaluated.

    Args:
        directory: Directory of the event file.
        checkpoint_path: The checkpoint.
        step: The global step.
    """
    from ossia_core.proto import Summary

    logging.info("Saving 'checkpoint_path' summary for global step %d: %s", step, checkpoint_path)
    summary = Summary()
    summary.value.add(tag="checkpoint_path").tensor.CopyFrom(builder("make_tensor_proto")(checkpoint_path))
    _add(directory, summary, step)


def _add(directory: str, summary: Any, step: int) -> None:
    from ossia_summary.writer import FileWriterCache

    writer = FileWriterCache.get(directory)
    writer.add_summary(summary, step)
    writer.flush()


@public("estimator.add_metrics", "compat.v2.estimator.add_metrics", "contrib.estimator.add_metrics")
def add_metrics(estimator: Any, metric_fn: Any) -> Any:
    """An estimator for the same model that computes more metrics.

    Args:
        estimator: The estimator.
        metric_fn: A function that takes those of `features`, `labels`, `predictions` and `config` that it needs, and
            returns metrics as for `EstimatorSpec`.

    Raises:
        ValueError: The function takes other arguments.
    """
    from ossia_estimator.estimator import Estimator
    from ossia_estimator.input_results import arguments

    names = arguments(metric_fn)
    unknown = set(names) - {"features", "labels", "predictions", "config"}
    if unknown:
        raise ValueError(f"metric_fn ({metric_fn}) has following not expected args: {sorted(unknown)}")

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != "eval":
            return spec
        offered = dict(features=features, labels=labels, predictions=spec.predictions, config=config)
        more = metric_fn(**{name: offered[name] for name in names})
        return spec._replace(eval_metric_ops={**spec.eval_metric_ops, **more})

    return Estimator(model_fn=model_fn, model_dir=estimator.model_dir, config=estimator.config)

"""What programs import from modules of estimators that have no public names for it."""
from __future__ import annotations

from collections.abc import Callable

from ossia_estimator import evaluation, event_metrics, exporters, exporting, input_results, run_config

LOSS_METRIC_KEY = evaluation.LOSS
get_default_session_config = run_config.default_session_config
get_timestamped_export_dir = exporting.unused_directory
read_eval_metrics = event_metrics.read_eval_metrics
_loss_smaller = exporters.loss_smaller
_DatasetInitializerHook = input_results.DatasetInitializerHook
parse_input_fn_result = input_results.features_and_labels


class TaskType:
    """Names of the tasks of a cluster."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"


def fn_args(fn: Callable) -> tuple[str, ...]:
    """The names of the arguments of a function, of a `functools.partial`, or of an object that is called."""
    return tuple(input_results.arguments(fn))

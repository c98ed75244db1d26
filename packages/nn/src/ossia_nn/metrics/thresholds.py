"""Metrics of predicted probabilities at several thresholds: counts, precision and recall, areas under curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, logging
from ossia_core.plugins.api_table import public
from ossia_core.variables.assignment import assign_add
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.metrics.accumulation import Pair, aligned, collected, metric_variable
from ossia_nn.weights import broadcast_weights
from ossia_ops.array.fill import ones_like
from ossia_ops.array.selection import where
from ossia_ops.array.shape import expand_dims, reshape, shape
from ossia_ops.math.arithmetic import maximum, minimum, multiply
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, greater
from ossia_ops.math.division import div, div_no_nan
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.exponential import log
from ossia_ops.math.logical import logical_and, logical_not
from ossia_ops.math.reduction import reduce_min, reduce_sum

_EPSILON = 1e-7
_NAMES = {"tp": "true_positives", "fn": "false_negatives", "tn": "true_negatives", "fp": "false_positives"}


def decision_counts(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    includes: Sequence[str] = tuple(_NAMES),
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Per kind of decision: the variable with its counts per threshold, and the op that updates it."""
    least, most = builder("debugging.assert_greater_equal"), builder("debugging.assert_less_equal")
    message = "predictions must be in [0, 1]"
    with control_dependencies(
        [
            least(predictions, cast(0.0, dtype=predictions.dtype), message=message),
            most(predictions, cast(1.0, dtype=predictions.dtype), message=message),
        ]
    ):
        predictions, labels, weights = aligned(cast(predictions, dtypes.float32), cast(labels, dtypes.bool), weights)
    tile, number = builder("tile"), len(thresholds)
    column = reshape(predictions, [-1, 1])
    row = reshape(cast(labels, dtypes.bool), [1, -1])
    size = column.shape.as_list()[0]
    if size is None:
        size = shape(column)[0]
    limits = tile(expand_dims(constant(thresholds), [1]), builder("stack")([1, size]))
    taken = {True: greater(tile(builder("transpose")(column), [number, 1]), limits)}
    if "fn" in includes or "tn" in includes:
        taken[False] = logical_not(taken[True])
    true = {True: tile(row, [number, 1])}
    if "fp" in includes or "tn" in includes:
        true[False] = logical_not(true[True])
    tiled = None
    if weights is not None:
        weights = broadcast_weights(cast(weights, dtypes.float32), predictions)
        tiled = tile(reshape(weights, [1, -1]), [number, 1])
        limits.shape.assert_is_compatible_with(tiled.shape)
    values, updates = {}, {}
    for kind, (is_true, is_taken) in {
        "tp": (True, True),
        "fn": (True, False),
        "tn": (False, False),
        "fp": (False, True),
    }.items():
        if kind not in includes:
            continue
        variable = metric_variable([number], dtypes.float32, name=_NAMES[kind])
        chosen = cast(logical_and(true[is_true], taken[is_taken]), dtypes.float32)
        if tiled is not None:
            chosen *= tiled
        updates[kind] = assign_add(variable, reduce_sum(chosen, 1))
        values[kind] = variable
    return values, updates


def _at_thresholds(
    kind: str,
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any,
    metrics_collections: Any,
    updates_collections: Any,
    name: str | None,
) -> Pair:
    with variable_scope(name, _NAMES[kind], (predictions, labels, weights)):
        values, updates = decision_counts(labels, predictions, thresholds, weights, (kind,))
        result = collected(builder("identity")(values[kind]), metrics_collections)
        return result, collected(updates[kind], updates_collections)


@public("metrics.true_positives_at_thresholds")
def true_positives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many are rightly taken for positive at each threshold.

    Args:
      labels: a tensor, taken as booleans.
      predictions: probabilities, float32, of the same shape.
      thresholds: numbers in [0, 1].
      weights: numbers that broadcast to `labels`.
      metrics_collections, updates_collections: names of collections that result and update join.
      name: name of the variable scope.

    Returns:
      A pair: the counts so far, one per threshold, and an op that takes in a batch and gives the counts after.
    """
    return _at_thresholds(
        "tp", labels, predictions, thresholds, weights, metrics_collections, updates_collections, name
    )


@public("metrics.true_negatives_at_thresholds")
def true_negatives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many are rightly taken for negative; arguments and results as for `true_positives_at_thresholds`."""
    return _at_thresholds(
        "tn", labels, predictions, thresholds, weights, metrics_collections, updates_collections, name
    )


@public("metrics.false_positives_at_thresholds")
def false_positives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many are wrongly taken for positive; arguments and results as for `true_positives_at_thresholds`."""
    return _at_thresholds(
        "fp", labels, predictions, thresholds, weights, metrics_collections, updates_collections, name
    )


@public("metrics.false_negatives_at_thresholds")
def false_negatives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many are wrongly taken for negative; arguments and results as for `true_positives_at_thresholds`."""
    return _at_thresholds(
        "fn", labels, predictions, thresholds, weights, metrics_collections, updates_collections, name
    )


@public("metrics.precision_at_thresholds")
def precision_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The precision at each threshold; arguments and results as for `true_positives_at_thresholds`."""
    with variable_scope(name, "precision_at_thresholds", (predictions, labels, weights)):
        values, updates = decision_counts(labels, predictions, thresholds, weights, ("tp", "fp"))

        def compute(tp: Any, fp: Any, name: str) -> Tensor:
            return div(tp, _EPSILON + tp + fp, name="precision_" + name)

        result = collected(compute(values["tp"], values["fp"], "value"), metrics_collections)
        return result, collected(compute(updates["tp"], updates["fp"], "update_op"), updates_collections)


@public("metrics.recall_at_thresholds")
def recall_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The recall at each threshold; arguments and results as for `true_positives_at_thresholds`."""
    with variable_scope(name, "recall_at_thresholds", (predictions, labels, weights)):
        values, updates = decision_counts(labels, predictions, thresholds, weights, ("tp", "fn"))

        def compute(tp: Any, fn: Any, name: str) -> Tensor:
            return div(tp, _EPSILON + tp + fn, name="recall_" + name)

        result = collected(compute(values["tp"], values["fn"], "value"), metrics_collections)
        return result, collected(compute(updates["tp"], updates["fn"], "update_op"), updates_collections)


def even_thresholds(number: int, last: float) -> list[float]:
    """Thresholds over [0, 1], the first a little lower, the last as given."""
    return [0.0 - _EPSILON, *((i + 1) * 1.0 / (number - 1) for i in range(number - 2)), last]


def _increments(tp: Any, fp: Any, fn: Any, number: int) -> Tensor:
    """The area under the precision-recall curve, interpolated by counts (Davis & Goadrich 2006)."""
    gain = tp[: number - 1] - tp[1:]
    p = tp + fp
    slope = div_no_nan(gain, maximum(p[: number - 1] - p[1:], 0), name="prec_slope")
    intercept = tp[1:] - multiply(slope, p[1:])
    safe = where(
        logical_and(p[: number - 1] > 0, p[1:] > 0),
        div_no_nan(p[: number - 1], maximum(p[1:], 0), name="recall_relative_ratio"),
        ones_like(p[1:]),
    )
    increments = div_no_nan(
        slope * (gain + intercept * log(safe)), maximum(tp[1:] + fn[1:], 0), name="pr_auc_increment"
    )
    return reduce_sum(increments, name="interpolate_pr_auc")


@public("metrics.auc")
def auc(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
    thresholds: Sequence[float] | None = None,
) -> Pair:
    """The area under the curve of true over false positives, or of precision over recall.

    Args:
      labels, predictions, weights: as for `true_positives_at_thresholds`.
      num_thresholds: how many points of the curve are used.
      metrics_collections, updates_collections: names of collections that result and update join.
      curve: "ROC" or "PR".
      name: name of the variable scope.
      summation_method: "trapezoidal", "careful_interpolation", "minoring" or "majoring".
      thresholds: the points, instead of `num_thresholds`.

    Returns:
      A pair: the area so far, and an op that takes in a batch and gives the area after.

    Raises:
      ValueError: an unknown curve or method.
    """
    with variable_scope(name, "auc", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        if thresholds is not None:
            points = [0.0 - _EPSILON, *sorted(thresholds), 1.0 + _EPSILON]
        else:
            points = even_thresholds(num_thresholds, 1.0 + _EPSILON)
        number = len(points)
        values, updates = decision_counts(labels, predictions, points, weights)
        epsilon = 1.0e-6

        def compute(tp: Any, fn: Any, tn: Any, fp: Any, name: str) -> Tensor:
            if curve == "PR":
                if summation_method == "trapezoidal":
                    logging.warning(
                        "Trapezoidal rule is known to produce incorrect PR-AUCs; please switch to "
                        '"careful_interpolation" instead.'
                    )
                elif summation_method == "careful_interpolation":
                    return _increments(tp, fp, fn, number)
            recall = div(tp + epsilon, tp + fn + epsilon)
            if curve == "ROC":
                x, y = div(fp, fp + tn + epsilon), recall
            else:
                x, y = recall, div(tp + epsilon, tp + fp + epsilon)
            if summation_method in ("trapezoidal", "careful_interpolation"):
                return reduce_sum(multiply(x[: number - 1] - x[1:], (y[: number - 1] + y[1:]) / 2.0), name=name)
            if summation_method == "minoring":
                return reduce_sum(multiply(x[: number - 1] - x[1:], minimum(y[: number - 1], y[1:])), name=name)
            if summation_method == "majoring":
                return reduce_sum(multiply(x[: number - 1] - x[1:], maximum(y[: number - 1], y[1:])), name=name)
            raise ValueError(f"Invalid summation_method: {summation_method}")

        result = collected(
            compute(values["tp"], values["fn"], values["tn"], values["fp"], "value"), metrics_collections
        )
        return result, collected(
            compute(updates["tp"], updates["fn"], updates["tn"], updates["fp"], "update_op"), updates_collections
        )


@public("metrics.sensitivity_at_specificity")
def sensitivity_at_specificity(
    labels: Any,
    predictions: Any,
    specificity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The sensitivity at the threshold whose specificity is closest to the one given.

    Args:
      labels, predictions, weights: as for `true_positives_at_thresholds`.
      specificity: a number in [0, 1].
      num_thresholds: how many thresholds are tried.
      metrics_collections, updates_collections: names of collections that result and update join.
      name: name of the variable scope.

    Raises:
      ValueError: the specificity is outside [0, 1].
    """
    if specificity < 0 or specificity > 1:
        raise ValueError("`specificity` must be in the range [0, 1].")
    with variable_scope(name, "sensitivity_at_specificity", (predictions, labels, weights)):
        values, updates = decision_counts(labels, predictions, even_thresholds(num_thresholds, 1.0 + _EPSILON), weights)

        def compute(tp: Any, tn: Any, fp: Any, fn: Any, name: str) -> Tensor:
            found = div(tn, tn + fp + _EPSILON)
            index = cast(builder("argmin")(absolute(found - specificity), 0), dtypes.int32)
            return div(tp[index], tp[index] + fn[index] + _EPSILON, name)

        result = collected(
            compute(values["tp"], values["tn"], values["fp"], values["fn"], "value"), metrics_collections
        )
        return result, collected(
            compute(updates["tp"], updates["tn"], updates["fp"], updates["fn"], "update_op"), updates_collections
        )


@public("metrics.specificity_at_sensitivity")
def specificity_at_sensitivity(
    labels: Any,
    predictions: Any,
    sensitivity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The specificity where sensitivity is closest to the one given; else as `sensitivity_at_specificity`."""
    if sensitivity < 0 or sensitivity > 1:
        raise ValueError("`sensitivity` must be in the range [0, 1].")
    with variable_scope(name, "specificity_at_sensitivity", (predictions, labels, weights)):
        values, updates = decision_counts(labels, predictions, even_thresholds(num_thresholds, 1.0 - _EPSILON), weights)

        def compute(tp: Any, tn: Any, fp: Any, fn: Any, name: str) -> Tensor:
            found = div(tp, tp + fn + _EPSILON)
            least = reduce_min(absolute(found - sensitivity))
            closest = cast(equal(absolute(found - sensitivity), least), dtypes.int64)
            index = cast(builder("argmax")(builder("cumsum")(closest), 0), dtypes.int32)
            return div(tn[index], tn[index] + fp[index] + _EPSILON, name)

        result = collected(
            compute(values["tp"], values["tn"], values["fp"], values["fn"], "value"), metrics_collections
        )
        return result, collected(
            compute(updates["tp"], updates["tn"], updates["fp"], updates["fn"], "update_op"), updates_collections
        )

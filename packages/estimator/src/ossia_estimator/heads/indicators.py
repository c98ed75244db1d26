"""Labels of several classes at once: ids or names of any number become one indicator for each class."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_debugging.comparisons import assert_less, assert_non_negative
from ossia_debugging.kinds import assert_integer
from ossia_estimator.heads import checks, classes
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, zeros
from ossia_ops.array.part import slice_
from ossia_ops.array.shape import rank
from ossia_ops.math.cast import to_int64
from ossia_ops.sparse.values import sparse_to_indicator


def check_options(
    n_classes: int, thresholds: Sequence[float], label_vocabulary: Any, measured: Sequence[Any]
) -> tuple[int, ...]:
    """The ids of the classes that have metrics of their own.

    Raises:
        ValueError: An argument of a head of several labels is out of range.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for multi-label classification. Given: {n_classes}")
    for limit in thresholds:
        if limit <= 0.0 or limit >= 1.0:
            raise ValueError(f"thresholds must be in (0, 1) range. Given: {limit}")
    if label_vocabulary is not None:
        if not isinstance(label_vocabulary, (list, tuple)):
            raise ValueError(f"label_vocabulary must be a list or tuple. Given type: {type(label_vocabulary)}")
        if len(label_vocabulary) != n_classes:
            raise ValueError(f"Length of label_vocabulary must be n_classes ({n_classes}). Given: "
                             f"{len(label_vocabulary)}")
    ids = []
    for chosen in measured:
        if isinstance(chosen, str):
            if not label_vocabulary:
                raise ValueError("label_vocabulary must be provided when classes_for_class_based_metrics are strings.")
            ids.append(list(label_vocabulary).index(chosen))
        elif 0 <= chosen < n_classes:
            ids.append(chosen)
        else:
            raise ValueError(f"All classes_for_class_based_metrics must be in range [0, {n_classes - 1}]. "
                             f"Given: {chosen}")
    return tuple(ids)


def indicators(labels: Any, n_classes: int, label_vocabulary: Any) -> Tensor:
    """Indicators of shape [batch, n_classes], of sparse ids or names, or of dense indicators.

    Raises:
        ValueError: There are no labels.
        TypeError: Sparse labels are neither integers nor names.
    """
    if labels is None:
        raise ValueError(checks.LABELS_MISSING)
    if not isinstance(labels, SparseTensor):
        message = "labels must be an integer indicator Tensor with values in [0, 1]"
        return checks.checked_range(convert_to_tensor(labels), 2, message)
    if labels.dtype == dtypes.string:
        named_ids = classes.ids_of_names(label_vocabulary).lookup(labels)
        return to_int64(sparse_to_indicator(named_ids, n_classes))
    message = f"labels must be an integer SparseTensor with values in [0, {n_classes})"
    whole = assert_integer(labels.values, message=message)
    small = assert_less(
        labels.values, convert_to_tensor(n_classes, dtype=labels.dtype), message=message
    )
    positive = assert_non_negative(labels.values, message=message)
    with control_dependencies([whole, small, positive]):
        return to_int64(sparse_to_indicator(labels, n_classes))


def of_class(class_id: int, *values: Tensor) -> tuple[Tensor, ...]:
    """The parts of values, all of one rank, that are of one class: one number of the last dimension."""
    others = rank(values[0]) - 1
    begin = concat([zeros([others], dtype=dtypes.int32), [class_id]], axis=0)
    sizes = concat([-1 * ones([others], dtype=dtypes.int32), [1]], axis=0)
    return tuple(slice_(value, begin=begin, size=sizes) for value in values)

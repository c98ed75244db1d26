"""What heads check: their arguments, and the shapes and dtypes of logits, labels and weights."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.primitives.identity import identity
from ossia_core.primitives.source import no_op
from ossia_debugging.comparisons import assert_equal, assert_greater, assert_less_equal, assert_non_negative
from ossia_debugging.ranks import assert_rank_at_least
from ossia_estimator.input_results import arguments
from ossia_feature_column.numeric import NumericColumn, numeric_column
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_nn.losses import Reduction
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import expand_dims, shape
from ossia_ops.control.assertion import Assert
from ossia_ops.math.cast import to_float
from ossia_ops.math.comparison import equal
from ossia_ops.math.reduction import reduce_all, reduce_any

LABELS_MISSING = (
    "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that your data contain your "
    "label feature. Check that your input_fn properly parses and returns labels."
)
_OTHER_DIMENSION = (
    "Mismatched label shape. Expected labels dimension={}.  Received {}. Suggested Fix: a classifier takes ids of "
    "classes, not one-hot vectors; look at the argument `n_classes` and at the shape of the labels."
)


def check_classes(n_classes: int) -> None:
    """Raises ValueError where a head of several classes has two or less."""
    if n_classes is None or n_classes <= 2:
        raise ValueError(f"n_classes must be > 2: {n_classes}.")
    more = assert_greater(convert_to_tensor(n_classes), 2, message="n_classes must be greater than 2")
    with control_dependencies([more]):
        no_op()


def check_reduction(loss_reduction: str) -> None:
    """Raises ValueError where losses are not reduced to one number."""
    if loss_reduction not in Reduction.all() or loss_reduction == Reduction.NONE:
        raise ValueError(f"Invalid loss_reduction: {loss_reduction}")


def check_vocabulary(label_vocabulary: Any) -> None:
    """Raises ValueError where names of classes come in something else than a list."""
    if label_vocabulary is not None and not isinstance(label_vocabulary, (list, tuple)):
        raise ValueError(f"label_vocabulary should be a list or a tuple. Given type: {type(label_vocabulary)}")


def check_loss_fn(loss_fn: Callable) -> None:
    """Raises ValueError where a loss does not take what it will be given."""
    names = arguments(loss_fn)
    for needed in ("labels", "logits"):
        if needed not in names:
            raise ValueError(f"loss_fn must contain argument: {needed}. Given arguments: {tuple(names)}")
    others = sorted(set(names) - {"labels", "logits", "features"})
    if others:
        raise ValueError(f"loss_fn has unexpected args: {others}")


def checked_logits(logits: Any, dimension: int) -> Tensor:
    """Logits of shape [D0, ..., DN, dimension], as floats.

    Raises:
        ValueError: The last dimension is another.
    """
    with name_scope("logits", values=(logits,)) as scope:
        logits = to_float(logits)
        logits_shape = shape(logits)
        ranked = assert_rank_at_least(
            logits, 2, data=[logits_shape], message="logits shape must be [D0, D1, ... DN, logits_dimension]"
        )
        with control_dependencies([ranked]):
            known = logits.shape
            if known.ndims is not None and known[-1].value is not None:
                if known[-1].value != dimension:
                    raise ValueError(f"logits shape must be [D0, D1, ... DN, logits_dimension], got {known}.")
                return logits
            same = assert_equal(
                dimension, logits_shape[-1], data=[logits_shape],
                message="logits shape must be [D0, D1, ... DN, logits_dimension]",
            )
            with control_dependencies([same]):
                return identity(logits, name=scope)


def checked_labels(labels: Any, logits: Tensor, dimension: int) -> Tensor:
    """Labels of shape [D0, ..., DN, dimension], where logits have shape [D0, ..., DN, ...].

    Raises:
        ValueError: They are missing, sparse or of another shape.
    """
    if labels is None:
        raise ValueError(LABELS_MISSING)
    with name_scope("labels", values=(labels, logits)) as scope:
        if not isinstance(labels, SparseTensor):
            labels = convert_to_tensor(labels)
        if isinstance(labels, SparseTensor):
            raise ValueError(
                f"SparseTensor labels are not supported. Labels must be a Tensor of shape [D0, D1, ..., DN, "
                f"{dimension}], e.g. [batch_size, {dimension}]. Suggested Fix (1): Check the label feature in your "
                "data. Each example must contain n values. If not, your choice of label was probably incorrect. "
                "Suggested Fix (2): In your input_fn, use tf.sparse_tensor_to_dense() to turn labels into a Tensor."
            )
        if labels.shape.ndims is not None and logits.shape.ndims is not None:
            if labels.shape.ndims == logits.shape.ndims - 1:
                labels = expand_dims(labels, -1)
        labels_shape = shape(labels)
        logits_shape = shape(logits)
        # Messages are constants of the graph, and so are the original's.
        expected = (
            f"labels shape must be [D0, D1, ... DN, {dimension}]. Suggested Fix: check your n_classes argument to the "
            "estimator and/or the shape of your label."
        )
        ranked = assert_rank_at_least(labels, 2, message=expected)
        with control_dependencies([ranked]):
            known = labels.shape
            if known.ndims is not None and known[-1].value not in (None, dimension):
                raise ValueError(_OTHER_DIMENSION.format(dimension, known[-1].value))
            wanted = concat([logits_shape[:-1], [dimension]], axis=0)
            same = assert_equal(
                wanted, labels_shape, message=expected,
                data=["expected_labels_shape: ", wanted, "labels_shape: ", labels_shape],
            )
            with control_dependencies([same]):
                return identity(labels, name=scope)


def checked_range(labels: Tensor, n_classes: int, message: str | None = None) -> Tensor:
    """Labels that a run finds to be ids of classes.

    Raises:
        InvalidArgumentError: When it runs: a label is negative or too large.
    """
    with name_scope(None, "assert_range", (labels,)):
        small = assert_less_equal(
            labels, convert_to_tensor(n_classes - 1, dtype=labels.dtype),
            message=message or "Labels must <= n_classes - 1",
        )
        positive = assert_non_negative(labels, message=message or "Labels must >= 0")
        with control_dependencies((small, positive)):
            return identity(labels)


def column_of_weights(weight_column: Any) -> Any:
    """The numeric column of weights, by its key or as it is.

    Raises:
        TypeError: It is something else.
    """
    if isinstance(weight_column, str):
        return numeric_column(weight_column, shape=(1,))
    if not isinstance(weight_column, NumericColumn):
        raise TypeError(
            f"Weight column must be either a string or _NumericColumn. Given type: {type(weight_column)}."
        )
    return weight_column


def checked_weights(
    features: Mapping[str, Any], weight_column: Any, logits: Tensor, allow_per_logit_weights: bool = False
) -> Any:
    """Weights of the examples, of shape [D0, ..., DN, 1], or that of the logits; 1 where there are none.

    Raises:
        ValueError: They are no numbers.
        TypeError: The column is something else.
    """
    message = "weights shape must be [D0, D1, ... DN] or [D0, D1, ... DN, 1]"
    if allow_per_logit_weights:
        message = (
            "weights shape must be [D0, D1, ... DN], [D0, D1, ... DN, 1] or [D0, D1, ... DN, logits_dimension]"
        )
    with name_scope("weights", values=(*features.values(), logits)) as scope:
        if weight_column is None:
            return 1.0
        column = column_of_weights(weight_column)
        weights = column.get_dense_tensor(FeatureTransformationCache(dict(features)), None)
        if not (weights.dtype.is_floating or weights.dtype.is_integer):
            raise ValueError(f"Weight column should be castable to float. Given dtype: {weights.dtype}")
        weights = to_float(weights, name="weights")
        weights_shape = shape(weights, name="weights_shape")
        logits_shape = shape(logits, name="logits_shape")
        told = ["logits_shape: ", logits_shape, "weights_shape: ", weights_shape]
        if weights.shape.ndims is not None and logits.shape.ndims is not None:
            if weights.shape.ndims == logits.shape.ndims - 1:
                same = assert_equal(logits_shape[:-1], weights_shape, message=message, data=told)
                with control_dependencies([same]):
                    return expand_dims(weights, -1, name=scope)
        wanted = concat([logits_shape[:-1], [1]], axis=0)
        if allow_per_logit_weights:
            condition = reduce_any(
                [reduce_all(equal(logits_shape, weights_shape)), reduce_all(equal(wanted, weights_shape))]
            )
            same = Assert(condition=condition, data=[message, *told])
        else:
            same = assert_equal(wanted, weights_shape, message=message, data=told)
        with control_dependencies([same]):
            return identity(weights, name=scope)


def called_loss(loss_fn: Callable, labels: Any, logits: Any, features: Mapping[str, Any], dimension: int = 1) -> Tensor:
    """What a given loss makes of labels and logits: losses of shape [D0, ..., DN, dimension].

    Raises:
        InvalidArgumentError: When it runs: the losses have another shape.
    """
    more = {"features": features} if "features" in arguments(loss_fn) else {}
    with name_scope("call_loss_fn", values=[labels, logits, *features.values()]):
        losses = loss_fn(labels=labels, logits=logits, **more)
        logits_shape = shape(logits, name="logits_shape")
        wanted = concat([logits_shape[:-1], [dimension]], axis=0, name="expected_loss_shape")
        loss_shape = shape(losses, name="loss_shape")
        same = Assert(
            reduce_all(equal(loss_shape, wanted)),
            data=[
                f"loss_fn must return Tensor of shape [D0, D1, ... DN, {dimension}]. ", "logits_shape: ", logits_shape,
                "loss_shape: ", loss_shape,
            ],
            name="check_loss_shape",
        )
        with control_dependencies([same]):
            return identity(losses)

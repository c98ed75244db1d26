"""Losses of predictions against labels: weighted, reduced to a number, and collected."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys, add_to_collection, get_collection
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_nn.weights import assert_broadcastable, broadcast_weights, squeezed_weights
from ossia_ops.array.fill import ones_like, zeros_like
from ossia_ops.array.selection import where
from ossia_ops.array.shape import one_of, rank, shape, size
from ossia_ops.math.arithmetic import add, maximum, minimum, multiply, squared_difference, subtract
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal
from ossia_ops.math.division import div_no_nan
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.elementwise import square
from ossia_ops.math.exponential import log
from ossia_ops.math.histogram import remove_squeezable_dimensions
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.sums import add_n
from ossia_ops.nn.activation import relu
from ossia_ops.nn.cross_entropy import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)


@public("losses.Reduction")
class Reduction:
    """How the weighted losses of all elements become one.

    NONE: not at all. SUM: their sum. MEAN: the sum divided by the sum of the weights. SUM_OVER_BATCH_SIZE: the sum
        divided by
    the number of elements. SUM_BY_NONZERO_WEIGHTS (SUM_OVER_NONZERO_WEIGHTS): divided by the number of weights that are
    not 0.
    """

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All values."""
        return (
            cls.NONE,
            cls.SUM,
            cls.MEAN,
            cls.SUM_OVER_BATCH_SIZE,
            cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError unless `key` is one of the values."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


_DEFAULT = Reduction.SUM_BY_NONZERO_WEIGHTS


def safe_mean(losses: Tensor, count: Tensor) -> Tensor:
    """The sum of the losses through a count; 0 if that is 0."""
    return div_no_nan(reduce_sum(losses), count, name="value")


def num_present(losses: Tensor, weights: Any, per_batch: bool = False) -> Tensor:
    """The number of elements whose weight is not 0, in all or per example."""
    if isinstance(weights, float) and weights != 0.0:
        return num_elements(losses)
    with name_scope(None, "num_present", (losses, weights)) as scope:
        weights = cast(weights, dtypes.float32)
        present = where(equal(weights, 0.0), zeros_like(weights), ones_like(weights))
        present = broadcast_weights(present, losses)
        if per_batch:
            return reduce_sum(present, axis=builder("range")(1, rank(present)), keepdims=True, name=scope)
        return reduce_sum(present, name=scope)


def num_elements(losses: Tensor) -> Tensor:
    """The number of elements, in the dtype of the losses."""
    with name_scope(None, "num_elements", [losses]) as scope:
        return cast(size(losses, name=scope), losses.dtype)


@public("losses.compute_weighted_loss")
def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _DEFAULT,
) -> Tensor:
    """The losses of elements, weighted and reduced.

    Args:
      losses: a tensor of losses per element.
      weights: numbers that broadcast to `losses`; 0 leaves an element out.
      scope: name of the scope.
      loss_collection: collection that the result joins, or None.
      reduction: one of `Reduction`.

    Raises:
      ValueError: weights that do not broadcast, or an unknown reduction.
    """
    Reduction.validate(reduction)
    with (
        name_scope(scope, "weighted_loss", (losses, weights)),
        control_dependencies((assert_broadcastable(weights, losses),)),
    ):
        losses = convert_to_tensor(losses)
        kind = losses.dtype
        losses = cast(losses, dtypes.float32)
        weights = cast(weights, dtypes.float32)
        loss = multiply(losses, weights)
        if reduction != Reduction.NONE:
            loss = reduce_sum(loss)
            if reduction == Reduction.MEAN:
                loss = safe_mean(loss, reduce_sum(ones_like(losses) * weights))
            elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
                loss = safe_mean(loss, num_present(losses, weights))
            elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
                loss = safe_mean(loss, num_elements(losses))
        loss = cast(loss, kind)
        add_loss(loss, loss_collection)
        return loss


def _given(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value is None:
            raise ValueError(f"{name} must not be None.")


def _floats(predictions: Any, labels: Any) -> tuple[Tensor, Tensor]:
    """Both as float32, of shapes that must be compatible."""
    predictions = cast(predictions, dtypes.float32)
    labels = cast(labels, dtypes.float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return predictions, labels


@public("losses.absolute_difference")
def absolute_difference(labels: Any, predictions: Any, weights: Any = 1.0, scope: str | None = None,
                        loss_collection: str | None = GraphKeys.LOSSES, reduction: str = _DEFAULT) -> Tensor:
    """`abs(predictions - labels)`; the other arguments as for `compute_weighted_loss`."""
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "absolute_difference", (predictions, labels, weights)) as scope:
        predictions, labels = _floats(predictions, labels)
        losses = absolute(subtract(predictions, labels))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@public("losses.cosine_distance")
def cosine_distance(
    labels: Any, predictions: Any, axis: int | None = None, weights: Any = 1.0, scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES, reduction: str = _DEFAULT, dim: int | None = None,
) -> Tensor:
    """1 less the sum along `axis` of `predictions * labels`, both of length 1; the other arguments as for
    `compute_weighted_loss`."""
    axis = one_of("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "cosine_distance_loss", (predictions, labels, weights)) as scope:
        predictions, labels = _floats(predictions, labels)
        losses = 1 - reduce_sum(multiply(predictions, labels), axis=(axis,), keepdims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@public("losses.hinge_loss")
def hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _DEFAULT,
) -> Tensor:
    """`max(0, 1 - (2 * labels - 1) * logits)` for labels 0 and 1; the other arguments as for
    `compute_weighted_loss`."""
    _given(labels=labels, logits=logits)
    with name_scope(scope, "hinge_loss", (logits, labels, weights)) as scope:
        logits, labels = _floats(logits, labels)
        ones = ones_like(labels)
        signs = subtract(2 * labels, ones)
        losses = relu(subtract(ones, multiply(signs, logits)))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@public("losses.huber_loss")
def huber_loss(labels: Any, predictions: Any, weights: Any = 1.0, delta: float = 1.0, scope: str | None = None,
               loss_collection: str | None = GraphKeys.LOSSES, reduction: str = _DEFAULT) -> Tensor:
    """Half the squared error up to `delta`, linear beyond; the other arguments as for `compute_weighted_loss`."""
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "huber_loss", (predictions, labels, weights)) as scope:
        predictions, labels = _floats(predictions, labels)
        error = absolute(subtract(predictions, labels))
        quadratic = minimum(error, delta)
        linear = subtract(error, quadratic)
        half = convert_to_tensor(0.5, dtype=quadratic.dtype)
        losses = add(multiply(half, multiply(quadratic, quadratic)), multiply(delta, linear))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@public("losses.log_loss")
def log_loss(labels: Any, predictions: Any, weights: Any = 1.0, epsilon: float = 1e-7, scope: str | None = None,
             loss_collection: str | None = GraphKeys.LOSSES, reduction: str = _DEFAULT) -> Tensor:
    """The cross entropy of labels and predicted probabilities; the other arguments as for `compute_weighted_loss`."""
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "log_loss", (predictions, labels, weights)) as scope:
        predictions, labels = _floats(predictions, labels)
        losses = -multiply(labels, log(predictions + epsilon)) - multiply((1 - labels), log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@public("losses.mean_squared_error")
def mean_squared_error(labels: Any, predictions: Any, weights: Any = 1.0, scope: str | None = None,
                       loss_collection: str | None = GraphKeys.LOSSES, reduction: str = _DEFAULT) -> Tensor:
    """`(predictions - labels)**2`; the other arguments as for `compute_weighted_loss`."""
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "mean_squared_error", (predictions, labels, weights)) as scope:
        predictions, labels = _floats(predictions, labels)
        losses = squared_difference(predictions, labels)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@public("losses.mean_pairwise_squared_error")
def mean_pairwise_squared_error(labels: Any, predictions: Any, weights: Any = 1.0, scope: str | None = None,
                                loss_collection: str | None = GraphKeys.LOSSES) -> Tensor:
    """The squared differences between the errors of each pair of elements of an example, averaged over pairs.

    Args:
      labels, predictions: tensors of one shape, the batch first.
      weights: one number, or one per example.
      scope: name of the scope.
      loss_collection: collection that the result joins, or None.
    """
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "mean_pairwise_squared_error", (predictions, labels, weights)) as scope:
        weights = cast(weights, dtypes.float32)
        labels = cast(labels, dtypes.float32)
        with control_dependencies((assert_broadcastable(weights, labels),)):
            predictions = cast(predictions, dtypes.float32)
            predictions.shape.assert_is_compatible_with(labels.shape)
            errors = subtract(predictions, labels)
            axes = builder("range")(1, rank(errors))
            squares = reduce_sum(square(errors), axis=axes, keepdims=True)
            count = num_present(errors, weights, per_batch=True)
            term1 = 2.0 * div_no_nan(squares, maximum(count - 1, 0), name="value")
            sums = reduce_sum(errors, axis=axes, keepdims=True)
            term2 = 2.0 * div_no_nan(square(sums), maximum(multiply(count, count - 1), 0), name="value")
            loss = reduce_sum(multiply(term1 - term2, weights))
            mean = where(reduce_sum(count) > 0, loss, zeros_like(loss), name="value")
            add_loss(mean, loss_collection)
            return mean


@public("losses.sigmoid_cross_entropy")
def sigmoid_cross_entropy(
    multi_class_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES, reduction: str = _DEFAULT,
) -> Tensor:
    """`sigmoid_cross_entropy_with_logits`, with labels drawn to 0.5 by `label_smoothing`; else as
    `compute_weighted_loss`."""
    _given(multi_class_labels=multi_class_labels, logits=logits)
    with name_scope(scope, "sigmoid_cross_entropy_loss", (logits, multi_class_labels, weights)) as scope:
        logits = convert_to_tensor(logits)
        labels = cast(multi_class_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@public("losses.softmax_cross_entropy")
def softmax_cross_entropy(
    onehot_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES, reduction: str = _DEFAULT,
) -> Tensor:
    """`softmax_cross_entropy_with_logits`, with labels drawn to 1 / classes by `label_smoothing`; else as
    `compute_weighted_loss`."""
    _given(onehot_labels=onehot_labels, logits=logits)
    with name_scope(scope, "softmax_cross_entropy_loss", (logits, onehot_labels, weights)) as scope:
        logits = convert_to_tensor(logits)
        labels = cast(onehot_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            classes = cast(shape(labels)[-1], logits.dtype)
            least = label_smoothing / classes
            labels = labels * (1 - label_smoothing) + least
        labels = builder("stop_gradient")(labels, name="labels_stop_gradient")
        losses = softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@public("losses.sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(labels: Any, logits: Any, weights: Any = 1.0, scope: str | None = None,
                                 loss_collection: str | None = GraphKeys.LOSSES, reduction: str = _DEFAULT) -> Tensor:
    """`sparse_softmax_cross_entropy_with_logits`; the other arguments as for `compute_weighted_loss`."""
    _given(labels=labels, logits=logits)
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", (logits, labels, weights)) as scope:
        labels, logits = remove_squeezable_dimensions(labels, logits, expected_rank_diff=1)
        if weights is not None:
            weights = squeezed_weights(weights, labels)
        losses = sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@public("losses.add_loss")
def add_loss(loss: Any, loss_collection: str | None = GraphKeys.LOSSES) -> None:
    """Add a loss to the collection, unless that is None."""
    if loss_collection:
        add_to_collection(loss_collection, loss)


@public("losses.get_losses")
def get_losses(scope: str | None = None, loss_collection: str = GraphKeys.LOSSES) -> list[Any]:
    """The losses in the collection whose names begin with `scope`."""
    return get_collection(loss_collection, scope)


@public("losses.get_regularization_losses")
def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The regularization losses whose names begin with `scope`."""
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


@public("losses.get_regularization_loss")
def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Tensor:
    """The sum of the regularization losses, 0 if there are none."""
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else constant(0.0)


@public("losses.get_total_loss")
def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Tensor:
    """The sum of all losses, regularization losses among them if `add_regularization_losses`.

    Raises:
      ValueError: there are none.
    """
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses = losses + get_regularization_losses(scope=scope)
    return add_n(losses, name=name)

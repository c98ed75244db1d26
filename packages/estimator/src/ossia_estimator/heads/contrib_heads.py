"""Heads of `tf.contrib.estimator` for one class, one of several, and numbers; their losses are means over the batch."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_estimator.heads import multi_class, regression
from ossia_estimator.heads.binary import BinaryHead, binary_head
from ossia_estimator.heads.checks import checked_range
from ossia_nn.losses import Reduction
from ossia_ops.math.exponential import exp, sigmoid
from ossia_ops.nn.cross_entropy import log_poisson_loss, sigmoid_cross_entropy_with_logits


@public("contrib.estimator.binary_classification_head")
def binary_classification_head(
    weight_column: Any = None, thresholds: Sequence[float] | None = None,
    label_vocabulary: Sequence[str] | None = None, loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable | None = None, name: str | None = None,
) -> BinaryHead:
    """A head for one of two classes, with one logit.

    Args:
        weight_column: Key or numeric column of weights of examples.
        thresholds: Probabilities at which to measure accuracy, precision and recall.
        label_vocabulary: Names of the two classes, where labels are strings.
        loss_reduction: How the losses of examples become one number, a value of `tf.losses.Reduction`.
        loss_fn: A loss to use instead of cross-entropy, with arguments `labels`, `logits` and, if wanted, `features`.
        name: The name of the head.

    Raises:
        ValueError: An argument is out of range.
    """
    return binary_head(weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name)


@public("contrib.estimator.multi_class_head")
def multi_class_head(
    n_classes: int, weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, loss_fn: Callable | None = None, name: str | None = None,
) -> multi_class.MultiClassHead:
    """A head for one of more than two classes.

    Args:
        n_classes: How many classes there are.
        weight_column: As for `binary_classification_head`, as are the others.
        label_vocabulary: Names of the classes, where labels are strings.
        loss_reduction: How the losses of examples become one number.
        loss_fn: A loss to use instead of cross-entropy.
        name: The name of the head.

    Raises:
        ValueError: An argument is out of range.
    """
    return multi_class.multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


@public("contrib.estimator.regression_head")
def regression_head(
    weight_column: Any = None, label_dimension: int = 1, loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable | None = None, inverse_link_fn: Callable | None = None, name: str | None = None,
) -> regression.RegressionHead:
    """A head for one or more numbers.

    Args:
        weight_column: As for `binary_classification_head`, as are those that are not told here.
        label_dimension: How many numbers an example has.
        loss_reduction: How the losses of examples become one number.
        loss_fn: A loss to use instead of the squared error.
        inverse_link_fn: Makes predictions from logits.
        name: The name of the head.

    Raises:
        ValueError: An argument is out of range.
    """
    return regression.regression_head(weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name)


@public("contrib.estimator.poisson_regression_head")
def poisson_regression_head(
    weight_column: Any = None, label_dimension: int = 1, loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
    compute_full_loss: bool = True, name: str | None = None,
) -> regression.RegressionHead:
    """A head for counts: predictions are the exponentials of logits, the loss that of a Poisson distribution.

    Args:
        weight_column: As for `regression_head`, as are those that are not told here.
        label_dimension: How many counts an example has.
        loss_reduction: How the losses of examples become one number.
        compute_full_loss: Whether the part that depends on labels alone is included.
        name: The name of the head.
    """

    def loss_fn(labels: Tensor, logits: Tensor) -> Tensor:
        return log_poisson_loss(targets=labels, log_input=logits, compute_full_loss=compute_full_loss)

    return regression.regression_head(weight_column, label_dimension, loss_reduction, loss_fn, exp, name)


@public("contrib.estimator.logistic_regression_head")
def logistic_regression_head(
    weight_column: Any = None, loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, name: str | None = None
) -> regression.RegressionHead:
    """A head for a probability: predictions are sigmoids of logits, labels lie from 0 to 1.

    Args:
        weight_column: As for `regression_head`, as are the others.
        loss_reduction: How the losses of examples become one number.
        name: The name of the head.
    """

    def loss_fn(labels: Tensor, logits: Tensor) -> Tensor:
        labels = checked_range(labels, 2, "Labels must be in range [0, 1]")
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    return regression.regression_head(weight_column, 1, loss_reduction, loss_fn, sigmoid, name)

"""Models that ignore features, to compare others with: `tf.estimator.BaselineClassifier`, and its like."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.variables.scope import get_variable
from ossia_core.variables.variable_scope import variable_scope
from ossia_debugging.comparisons import assert_equal
from ossia_estimator.canned.choice_of_head import check_features, classifier_head
from ossia_estimator.canned.optimizers import optimizer_of
from ossia_estimator.estimator import Estimator
from ossia_estimator.heads.regression import regression_head
from ossia_nn.initializers import Zeros
from ossia_nn.losses import Reduction
from ossia_ops.array.fill import ones
from ossia_ops.array.shape import shape
from ossia_ops.math.arithmetic import multiply
from ossia_ops.state.global_step import get_global_step

_LEARNING_RATE = 0.3


def _logits(features: dict[str, Any], units: int) -> Tensor:
    """A bias for each logit, the same for all examples."""
    batch_size, checks = None, []
    for feature in features.values():
        rows = shape(feature)[0]
        if batch_size is None:
            batch_size = rows
        else:
            checks.append(assert_equal(batch_size, rows))
    with control_dependencies(checks), variable_scope("baseline"):
        bias = get_variable("bias", shape=[units], initializer=Zeros())
        return multiply(bias, ones(shape=[batch_size, units]))


class _Baseline(Estimator):
    """What the three have in common: a head, a directory and an optimizer."""

    def _start(self, head: Any, model_dir: Any, optimizer: Any, config: Any) -> None:
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            check_features(features)
            logits = _logits(features, head.logits_dimension)

            def train_op_fn(loss: Tensor) -> Any:
                made = optimizer_of(optimizer, _LEARNING_RATE)
                return made.minimize(loss, global_step=get_global_step())

            return head.create_estimator_spec(
                features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train_op_fn
            )

        Estimator.__init__(self, model_fn, model_dir, config)


@public("estimator.BaselineClassifier")
class BaselineClassifier(_Baseline):
    """Predicts how common each class is.

    Args:
        model_dir: Directory of checkpoints and event files.
        n_classes: How many classes there are.
        weight_column: Key or numeric column of weights of examples.
        label_vocabulary: Names of the classes, where labels are strings.
        optimizer: An optimizer, its name, or a function that makes it.
        config: A RunConfig.
        loss_reduction: How the losses of examples become one number, a value of `tf.losses.Reduction`.

    Raises:
        ValueError: An argument is out of range.
    """

    def __init__(
        self, model_dir: str | None = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None, optimizer: Any = "Ftrl", config: Any = None,
        loss_reduction: str = Reduction.SUM,
    ) -> None:
        head = classifier_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        self._start(head, model_dir, optimizer, config)


@public("estimator.BaselineRegressor")
class BaselineRegressor(_Baseline):
    """Predicts the mean.

    Args:
        model_dir: As for BaselineClassifier, as are those that are not told here.
        label_dimension: How many numbers an example has.
        weight_column: Key or numeric column of weights of examples.
        optimizer: An optimizer, its name, or a function that makes it.
        config: A RunConfig.
        loss_reduction: How the losses of examples become one number.
    """

    def __init__(
        self, model_dir: str | None = None, label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = "Ftrl", config: Any = None, loss_reduction: str = Reduction.SUM,
    ) -> None:
        head = regression_head(weight_column, label_dimension, loss_reduction)
        self._start(head, model_dir, optimizer, config)


@public("estimator.BaselineEstimator")
class BaselineEstimator(_Baseline):
    """Predicts what is best for a given head without features.

    Args:
        head: The head.
        model_dir: As for BaselineClassifier, as are the others.
        optimizer: An optimizer, its name, or a function that makes it.
        config: A RunConfig.
    """

    def __init__(self, head: Any, model_dir: str | None = None, optimizer: Any = "Ftrl", config: Any = None) -> None:
        self._start(head, model_dir, optimizer, config)

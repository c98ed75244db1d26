"""Linear models over columns: `tf.estimator.LinearClassifier`, `LinearRegressor`, `LinearEstimator`."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_estimator.canned.choice_of_head import classifier_head
from ossia_estimator.canned.linear_model import linear_model_fn
from ossia_estimator.estimator import Estimator
from ossia_estimator.heads.regression import regression_head
from ossia_nn.losses import Reduction


class _Linear(Estimator):
    """What the three have in common: a head, a directory, and options of the model function."""

    def _start(self, head: Any, model_dir: Any, config: Any, warm_start_from: Any, **options: Any) -> None:
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            return linear_model_fn(features, labels, mode, head, config=config, **options)

        Estimator.__init__(self, model_fn, model_dir, config, warm_start_from=warm_start_from)


@public("estimator.LinearClassifier")
class LinearClassifier(_Linear):
    """A linear model for classes.

    Args:
        feature_columns: Categorical or dense columns.
        model_dir: Directory of checkpoints and event files.
        n_classes: How many classes there are.
        weight_column: Key or numeric column of weights of examples.
        label_vocabulary: Names of the classes, where labels are strings.
        optimizer: An optimizer, its name ("Adagrad", "Adam", "Ftrl", "RMSProp", "SGD"), or a function that makes it.
        config: A RunConfig.
        partitioner: Cuts variables.
        warm_start_from: A checkpoint to begin with, or WarmStartSettings.
        loss_reduction: How the losses of examples become one number, a value of `tf.losses.Reduction`.
        sparse_combiner: How the weights of one categorical column are combined: "sum", "mean" or "sqrtn".

    Raises:
        ValueError: An argument is out of range.
    """

    def __init__(
        self, feature_columns: Any, model_dir: str | None = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None, optimizer: Any = "Ftrl", config: Any = None,
        partitioner: Callable | None = None, warm_start_from: Any = None, loss_reduction: str = Reduction.SUM,
        sparse_combiner: str = "sum",
    ) -> None:
        self._start(
            classifier_head(n_classes, weight_column, label_vocabulary, loss_reduction), model_dir, config,
            warm_start_from, feature_columns=tuple(feature_columns or []), optimizer=optimizer,
            partitioner=partitioner, sparse_combiner=sparse_combiner,
        )


@public("estimator.LinearRegressor")
class LinearRegressor(_Linear):
    """A linear model for numbers.

    Args:
        feature_columns: As for LinearClassifier, as are those that are not told here.
        model_dir: Directory of checkpoints and event files.
        label_dimension: How many numbers an example has.
        weight_column: Key or numeric column of weights of examples.
        optimizer: An optimizer, its name, or a function that makes it.
        config: A RunConfig.
        partitioner: Cuts variables.
        warm_start_from: A checkpoint to begin with, or WarmStartSettings.
        loss_reduction: How the losses of examples become one number.
        sparse_combiner: How the weights of one categorical column are combined.
    """

    def __init__(
        self, feature_columns: Any, model_dir: str | None = None, label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = "Ftrl", config: Any = None, partitioner: Callable | None = None, warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM, sparse_combiner: str = "sum",
    ) -> None:
        self._start(
            regression_head(weight_column, label_dimension, loss_reduction), model_dir, config, warm_start_from,
            feature_columns=tuple(feature_columns or []), optimizer=optimizer, partitioner=partitioner,
            sparse_combiner=sparse_combiner,
        )


@public("estimator.LinearEstimator")
class LinearEstimator(_Linear):
    """A linear model with a given head.

    Args:
        head: The head.
        feature_columns: As for LinearClassifier, as are the others.
        model_dir: Directory of checkpoints and event files.
        optimizer: An optimizer, its name, or a function that makes it.
        config: A RunConfig.
        partitioner: Cuts variables.
        sparse_combiner: How the weights of one categorical column are combined.
    """

    def __init__(
        self, head: Any, feature_columns: Any, model_dir: str | None = None, optimizer: Any = "Ftrl",
        config: Any = None, partitioner: Callable | None = None, sparse_combiner: str = "sum",
    ) -> None:
        self._start(
            head, model_dir, config, None, feature_columns=tuple(feature_columns or []), optimizer=optimizer,
            partitioner=partitioner, sparse_combiner=sparse_combiner,
        )

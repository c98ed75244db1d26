"""`tf.estimator.BoostedTreesClassifier`, `BoostedTreesRegressor` and, for other heads, `BoostedTreesEstimator`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.proto import TreeEnsemble, TreePath
from ossia_core.variables.creation import enable_resource_variables
from ossia_estimator.boosted_trees.columns import column_of_feature, sorted_columns
from ossia_estimator.boosted_trees.growers import TreeOptions
from ossia_estimator.boosted_trees.importances import contributions, importances
from ossia_estimator.boosted_trees.model import PATHS, boosted_trees_model_fn
from ossia_estimator.canned.choice_of_head import classifier_head
from ossia_estimator.estimator import Estimator
from ossia_estimator.heads.checks import checked_labels
from ossia_estimator.heads.regression import regression_head
from ossia_nn.losses import Reduction

_REDUCTION = Reduction.SUM_OVER_BATCH_SIZE
_GIVEN_NONE = object()


class BoostedTrees(Estimator):
    """What the three have in common.

    Args:
        head: What makes logits into a loss.
        feature_columns: Columns that trees can split.
        options: How trees are to grow.
        model_dir: Directory of checkpoints and event files.
        config: A RunConfig.
        **training: Further options of the model function.
    """

    def __init__(
        self, head: Any, feature_columns: Sequence[Any], options: TreeOptions, model_dir: str | None, config: Any,
        **training: Any,
    ) -> None:
        enable_resource_variables()  # as in the original: conditionals as functions take no references
        self._sorted_columns = columns = sorted_columns(feature_columns)
        self._head, self._options = head, options

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            return boosted_trees_model_fn(features, labels, mode, head, columns, options, config=config, **training)

        super().__init__(model_fn, model_dir, config)

    def experimental_feature_importances(self, normalize: bool = False) -> OrderedDict[str, float]:
        """The sum of the gains of each column's splits, by the column's name, the greatest first.

        Args:
            normalize: Whether the sums are to add up to 1.

        Raises:
            ValueError: Nothing has been trained, or a sum is negative and they are to add up to 1.
        """
        serialized = self.get_variable_value("boosted_trees:0_serialized")
        if not serialized:
            raise ValueError("Found empty serialized string for TreeEnsemble."
                             "You should only call this method after training.")
        ensemble = TreeEnsemble.FromString(bytes(serialized))
        return importances(ensemble, column_of_feature(self._sorted_columns), normalize)

    def experimental_predict_with_explanations(
        self, input_fn: Callable, predict_keys: Any = None, hooks: Any = None, checkpoint_path: str | None = None
    ) -> Iterator[dict[str, Any]]:
        """Predictions, each with `bias`, what is predicted of all, and `dfc`, what each column adds to it.

        Args:
            input_fn, predict_keys, hooks, checkpoint_path: As for `predict`.

        Raises:
            ValueError: The bias was not centered in training, or none of `predict_keys` is predicted.
        """
        if not self._options.center_bias:
            raise ValueError("center_bias must be enabled during estimator instantiation when using "
                             "experimental_predict_with_explanations.")

        def model_fn(features: Any, mode: str, config: Any) -> Any:
            return boosted_trees_model_fn(
                features, None, mode, self._head, self._sorted_columns, self._options, n_batches=1, config=config,
                explained=True,
            )

        explained = Estimator(model_fn, self.model_dir, self.config)
        columns = column_of_feature(self._sorted_columns)
        for prediction in explained.predict(input_fn, hooks=hooks, checkpoint_path=checkpoint_path):
            path = TreePath.FromString(prediction.pop(PATHS))
            prediction["bias"], prediction["dfc"] = contributions(path, columns, self._activation)
            if predict_keys is not None:
                prediction = {key: value for key, value in prediction.items() if key in predict_keys}
                if not prediction:
                    raise ValueError(f"None of {predict_keys} is predicted.")
            yield prediction

    @staticmethod
    def _activation(logits: np.ndarray) -> np.ndarray:
        return logits


def _options(locals_: dict[str, Any]) -> TreeOptions:
    return TreeOptions(
        locals_["n_trees"], locals_["max_depth"], locals_["learning_rate"], locals_["l1_regularization"],
        locals_["l2_regularization"], locals_["tree_complexity"], locals_["min_node_weight"], locals_["center_bias"],
        locals_["pruning_mode"], locals_["quantile_sketch_epsilon"],
    )


def _of_logistic_loss(logits: Tensor, labels: Any) -> tuple[Tensor, Tensor]:
    """Gradients and hessians of the mean of logistic losses."""
    probabilities = builder("reciprocal")(builder("exp")(-logits) + 1.0)
    share = builder("reciprocal")(builder("cast")(builder("size")(labels), logits.dtype))
    labels = checked_labels(builder("cast")(labels, logits.dtype), logits, 1)
    return (probabilities - labels) * share, probabilities * (1.0 - probabilities) * share


@public("estimator.BoostedTreesClassifier")
class BoostedTreesClassifier(BoostedTrees):
    """Boosted trees for two classes.

    Args:
        feature_columns: Numeric, bucketized and indicator columns.
        n_batches_per_layer: How many batches a layer takes; all of the data, for the best trees.
        model_dir: Directory of checkpoints and event files.
        n_classes: How many classes there are; two.
        weight_column: Key or numeric column of the weights of examples.
        label_vocabulary: Names of the classes, where labels are strings.
        n_trees: How many trees there are to be.
        max_depth: How many layers a tree has.
        learning_rate: How much of what a layer says is believed.
        l1_regularization, l2_regularization: How much weights of leaves cost.
        tree_complexity: How much better a split must be.
        min_node_weight: How much hessian a node must have to be split.
        config: A RunConfig.
        center_bias: Whether the first tree begins with the mean of the labels.
        pruning_mode: "none", "pre" (splits without gain are not made) or "post" (they are taken back in the end).
        quantile_sketch_epsilon: Error of the quantiles of numeric columns, and one by their number.
        train_in_memory: Whether each step has all examples, in the same order; trains faster.

    Raises:
        ValueError: There are more classes.

    Example:
        >>> trees = tf.estimator.BoostedTreesClassifier(columns, n_batches_per_layer=1, n_trees=50)  # doctest: +SKIP
        >>> trees.train(input_fn, max_steps=500)  # doctest: +SKIP
    """

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int, model_dir: str | None = None,
        n_classes: Any = _GIVEN_NONE, weight_column: Any = None, label_vocabulary: Any = None, n_trees: int = 100,
        max_depth: int = 6, learning_rate: float = 0.1, l1_regularization: float = 0.0,
        l2_regularization: float = 0.0, tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None,
        center_bias: bool = False, pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01,
        train_in_memory: bool = False,
    ) -> None:
        options = _options(locals())
        n_classes = 2 if n_classes is _GIVEN_NONE else n_classes
        if n_classes > 2:
            raise ValueError("For now pruning is not supported with multi class.")
        closed = weight_column is None and label_vocabulary is None
        super().__init__(
            classifier_head(n_classes, weight_column, label_vocabulary, _REDUCTION), feature_columns, options,
            model_dir, config, n_batches=n_batches_per_layer, weight_column=weight_column,
            in_memory=train_in_memory, derivatives=_of_logistic_loss if closed else None,
        )

    @staticmethod
    def _activation(logits: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-logits))


@public("estimator.BoostedTreesRegressor")
class BoostedTreesRegressor(BoostedTrees):
    """Boosted trees for one number.

    Args:
        feature_columns: As for BoostedTreesClassifier, as are those that are not told here.
        n_batches_per_layer: How many batches a layer takes.
        model_dir: Directory of checkpoints and event files.
        label_dimension: How many numbers an example has; one.
        weight_column: Key or numeric column of the weights of examples.
        n_trees, max_depth, learning_rate, l1_regularization, l2_regularization, tree_complexity, min_node_weight,
            config, center_bias, pruning_mode, quantile_sketch_epsilon, train_in_memory: As there.

    Raises:
        ValueError: There are more numbers.
    """

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int, model_dir: str | None = None,
        label_dimension: Any = _GIVEN_NONE, weight_column: Any = None, n_trees: int = 100, max_depth: int = 6,
        learning_rate: float = 0.1, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
        tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False,
        pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01, train_in_memory: bool = False,
    ) -> None:
        options = _options(locals())
        label_dimension = 1 if label_dimension is _GIVEN_NONE else label_dimension
        if label_dimension > 1:
            raise ValueError("For now pruning is not supported with multi-dimensionregression.")
        super().__init__(
            regression_head(label_dimension=label_dimension, weight_column=weight_column, loss_reduction=_REDUCTION),
            feature_columns, options, model_dir, config, n_batches=n_batches_per_layer, weight_column=weight_column,
            in_memory=train_in_memory,
        )


@public("estimator.experimental.BoostedTreesEstimator")
class BoostedTreesEstimator(BoostedTrees):
    """Boosted trees for a head of one logit; its loss has to have second derivatives.

    Args:
        feature_columns: As for BoostedTreesClassifier, as are those that are not told here.
        n_batches_per_layer: How many batches a layer takes.
        head: What makes logits into a loss.
        model_dir: Directory of checkpoints and event files.
        weight_column: Key or numeric column of the weights of examples.
        n_trees, max_depth, learning_rate, l1_regularization, l2_regularization, tree_complexity, min_node_weight,
            config, center_bias, pruning_mode, quantile_sketch_epsilon: As there.
    """

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int, head: Any, model_dir: str | None = None,
        weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False, pruning_mode: str = "none",
        quantile_sketch_epsilon: float = 0.01,
    ) -> None:
        super().__init__(
            head, feature_columns, _options(locals()), model_dir, config, n_batches=n_batches_per_layer,
            weight_column=weight_column,
        )

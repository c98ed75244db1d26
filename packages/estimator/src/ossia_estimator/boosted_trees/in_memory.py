"""Boosted trees of `tf.contrib.estimator` that keep one batch, all examples, in memory while they grow."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_estimator.boosted_trees.estimators import BoostedTreesClassifier, BoostedTreesRegressor


def _once_and_again(input_fn: Callable) -> Callable:
    """The first batch of an input function, without end."""
    return lambda: input_fn().take(1).cache().repeat()


@public("contrib.estimator.boosted_trees_classifier_train_in_memory")
def boosted_trees_classifier_train_in_memory(
    train_input_fn: Callable, feature_columns: Any, model_dir: str | None = None, n_classes: int = 2,
    weight_column: Any = None, label_vocabulary: Sequence[str] | None = None, n_trees: int = 100, max_depth: int = 6,
    learning_rate: float = 0.1, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
    tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None,
    center_bias: bool = False, pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01,
) -> BoostedTreesClassifier:
    """A trained BoostedTreesClassifier; each layer of its trees grows from one batch that holds all examples.

    Args:
        train_input_fn: Returns a dataset of one batch.
        train_hooks: SessionRunHooks of the training.
        feature_columns, model_dir, n_classes, weight_column, label_vocabulary, n_trees, max_depth, learning_rate,
            l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, center_bias, pruning_mode,
            quantile_sketch_epsilon: As for `BoostedTreesClassifier`.
    """
    trees = BoostedTreesClassifier(
        feature_columns, 1, model_dir, n_classes, weight_column, label_vocabulary, n_trees, max_depth, learning_rate,
        l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, center_bias, pruning_mode,
        quantile_sketch_epsilon, train_in_memory=True,
    )
    trees.train(_once_and_again(train_input_fn), hooks=train_hooks)
    return trees


@public("contrib.estimator.boosted_trees_regressor_train_in_memory")
def boosted_trees_regressor_train_in_memory(
    train_input_fn: Callable, feature_columns: Any, model_dir: str | None = None, label_dimension: int = 1,
    weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
    l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
    min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None, center_bias: bool = False,
    pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01,
) -> BoostedTreesRegressor:
    """A trained BoostedTreesRegressor; each layer of its trees grows from one batch that holds all examples.

    Args:
        train_input_fn: Returns a dataset of one batch.
        train_hooks: SessionRunHooks of the training.
        feature_columns, model_dir, label_dimension, weight_column, n_trees, max_depth, learning_rate,
            l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, center_bias, pruning_mode,
            quantile_sketch_epsilon: As for `BoostedTreesRegressor`.
    """
    trees = BoostedTreesRegressor(
        feature_columns, 1, model_dir, label_dimension, weight_column, n_trees, max_depth, learning_rate,
        l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, center_bias, pruning_mode,
        quantile_sketch_epsilon, train_in_memory=True,
    )
    trees.train(_once_and_again(train_input_fn), hooks=train_hooks)
    return trees

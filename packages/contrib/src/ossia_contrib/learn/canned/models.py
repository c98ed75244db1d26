"""Linear models and networks of feature columns, as the first estimators build them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers import dense, shaping
from ossia_contrib.layers.columns import inputs
from ossia_contrib.layers.columns.base import FeatureColumn
from ossia_contrib.learn.modes import ModeKeys

DNN_LEARNING_RATE = 0.05
LINEAR_LEARNING_RATE = 0.2
MIN_SLICE_SIZE = 64 << 20


def feature_dict(features: Any) -> dict[str, Any]:
    """Features by name; a single tensor has the empty name."""
    return dict(features) if isinstance(features, dict) else {"": features}


def partitioner_of(config: Any, min_slice_size: int | None = None) -> Any:
    """Divides large variables among the parameter servers of a configuration."""
    replicas = config.num_ps_replicas if config else 0
    options = {} if min_slice_size is None else {"min_slice_size": min_slice_size}
    return tf.min_max_variable_partitioner(max_partitions=replicas, **options)


def optimizer_of(optimizer: Any) -> Any:
    """An optimizer or its name; a function makes one."""
    return optimizer() if callable(optimizer) else optimizer


def linear_learning_rate(columns: int) -> float:
    """The learning rate of a linear model of so many columns."""
    return min(LINEAR_LEARNING_RATE, 1.0 / math.sqrt(columns))


def _of_old(columns: Sequence[Any]) -> bool:
    return all(isinstance(column, FeatureColumn) for column in columns)


def summarise_layer(values: Any, tag: str, separator: str = "/") -> None:
    """How many of the values are 0, and a histogram of them."""
    tf.summary.scalar(f"{tag}{separator}fraction_of_zero_values", tf.nn.zero_fraction(values))
    tf.summary.histogram(f"{tag}{separator}activation", values)


def dnn_logits(
    features: dict[str, Any], columns: Sequence[Any], hidden_units: Sequence[int], logits_dimension: int, mode: str,
    activation_fn: Any, dropout: float | None, partitioner: Any, separator: str = "/",
) -> tuple[tf.Tensor, str]:
    """A network, in the current variable scope.

    Args:
      features: features by name.
      columns: what the first layer is made of.
      hidden_units: the sizes of hidden layers.
      logits_dimension: the size of the last.
      mode: one of `ModeKeys`.
      activation_fn: of hidden layers.
      dropout: the part of values that are dropped in training, or None.
      partitioner: of the variables of columns.
      separator: stands in the tags of summaries behind the name of a layer.

    Returns:
      The logits, and the name of the scope of the columns.
    """
    values = tuple(features.values())
    with tf.variable_scope("input_from_feature_columns", values=values, partitioner=partitioner) as input_scope:
        if _of_old(columns):
            net = inputs.input_from_feature_columns(
                features, columns, weight_collections=["dnn"], scope=input_scope
            )
        else:
            net = tf.feature_column.input_layer(
                features=features, feature_columns=columns, weight_collections=["dnn"]
            )
    for layer, units in enumerate(hidden_units):
        with tf.variable_scope(f"hiddenlayer_{layer}", values=(net,)) as scope:
            net = dense.fully_connected(
                net, units, activation_fn=activation_fn, variables_collections=["dnn"], scope=scope
            )
            if dropout is not None and mode == ModeKeys.TRAIN:
                net = shaping.dropout(net, keep_prob=1.0 - dropout)
        summarise_layer(net, scope.name, separator)
    with tf.variable_scope("logits", values=(net,)) as scope:
        logits = dense.fully_connected(
            net, logits_dimension, activation_fn=None, variables_collections=["dnn"], scope=scope
        )
    summarise_layer(logits, scope.name, separator)
    return logits, input_scope.name


def linear_logits(
    features: dict[str, Any], columns: Sequence[Any], logits_dimension: int, joint_weights: bool, scope: Any
) -> tf.Tensor:
    """A linear model, in a variable scope.

    Args:
      features: features by name.
      columns: the columns.
      logits_dimension: how many results an example has.
      joint_weights: whether all weights are one variable.
      scope: the variable scope.
    """
    if not _of_old(columns):
        return tf.feature_column.linear_model(
            features=features, feature_columns=columns, units=logits_dimension, weight_collections=["linear"]
        )
    layer: Callable = (
        inputs.joint_weighted_sum_from_feature_columns if joint_weights else inputs.weighted_sum_from_feature_columns
    )
    logits, _, _ = layer(
        columns_to_tensors=features, feature_columns=columns, num_outputs=logits_dimension,
        weight_collections=["linear"], scope=scope,
    )
    return logits


def embedding_multipliers(multipliers: Mapping[Any, float] | None, scope: str) -> Any:
    """What gradients of the embeddings of columns are multiplied with, by variable.

    Args:
      multipliers: factors by column.
      scope: the name of the scope of the columns.
    """
    if not multipliers:
        return None
    found = {}
    for column, factor in multipliers.items():
        if not (isinstance(column, FeatureColumn) and hasattr(column, "dimension")):
            raise ValueError(
                f"learning rate multipler can only be defined for embedding columns. It is defined for {column}"
            )
        for variable in tf.get_collection("dnn", f"{scope}/{column.name}"):
            found[variable] = factor
    return found

"""The optimizer that linear estimators take for training by dual coordinate ascent."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.linear_optimizer.model import SdcaModel, SparseFeatureColumn
from ossia_core.plugins.api_table import public


@public("contrib.linear_optimizer.SDCAOptimizer")
class SDCAOptimizer:
    """Stochastic dual coordinate ascent for linear estimators.

    Args:
      example_id_column: the feature with a text for each example that no other has.
      num_loss_partitions: how many parts of the examples are trained at once.
      num_table_shards: how many tables the state of examples is divided among.
      symmetric_l1_regularization: the penalty of absolute weights.
      symmetric_l2_regularization: that of squared weights.
      adaptive: whether examples that are predicted badly come more often.
      partitioner: divides the variables of weights.
    """

    def __init__(
        self, example_id_column: str, num_loss_partitions: int = 1, num_table_shards: int | None = None,
        symmetric_l1_regularization: float = 0.0, symmetric_l2_regularization: float = 1.0, adaptive: bool = True,
        partitioner: Any = None,
    ) -> None:
        self._example_id_column = example_id_column
        self._num_loss_partitions = num_loss_partitions
        self._num_table_shards = num_table_shards
        self._symmetric_l1_regularization = symmetric_l1_regularization
        self._symmetric_l2_regularization = symmetric_l2_regularization
        self._adaptive = adaptive
        self._partitioner = partitioner

    def get_name(self) -> str:
        """`SDCAOptimizer`."""
        return "SDCAOptimizer"

    @property
    def example_id_column(self) -> str:
        """The feature with the ids of examples."""
        return self._example_id_column

    @property
    def num_loss_partitions(self) -> int:
        """How many parts of the examples are trained at once."""
        return self._num_loss_partitions

    @property
    def num_table_shards(self) -> int | None:
        """How many tables the state of examples is divided among."""
        return self._num_table_shards

    @property
    def symmetric_l1_regularization(self) -> float:
        """The penalty of absolute weights."""
        return self._symmetric_l1_regularization

    @property
    def symmetric_l2_regularization(self) -> float:
        """The penalty of squared weights."""
        return self._symmetric_l2_regularization

    @property
    def adaptive(self) -> bool:
        """Whether examples that are predicted badly come more often."""
        return self._adaptive

    @property
    def partitioner(self) -> Any:
        """What divides the variables of weights."""
        return self._partitioner

    def get_train_step(
        self, columns_to_variables: dict[Any, Any], weight_column_name: str | None, loss_type: str,
        features: dict[Any, Any], targets: Any, global_step: Any,
    ) -> tuple[SdcaModel, tf.Operation]:
        """The model of a linear estimator, and the op of a step of its training.

        Args:
          columns_to_variables: the weights of each column, a list of variables; that of the bias has the key None.
          weight_column_name: the feature with the weights of examples.
          loss_type: the loss.
          features: features by name, and what columns made of them.
          targets: labels.
          global_step: a variable that is increased.

        Raises:
          ValueError: a column cannot be trained so.
        """
        found: dict[str, list[Any]] = {"sparse": [], "dense": [], "sparse_weights": [], "dense_weights": []}
        for column in sorted(set(columns_to_variables), key=lambda each: each.key):
            _add(column, columns_to_variables[column], features[column], found)
        if weight_column_name:
            weights = tf.reshape(features[weight_column_name], shape=[-1])
        else:
            rows = targets.shape[0].value
            weights = tf.ones([tf.shape(targets)[0] if rows is None else rows])
        examples = {
            "sparse_features": found["sparse"], "dense_features": found["dense"],
            "example_labels": tf.cast(tf.reshape(targets, shape=[-1]), tf.float32),
            "example_weights": weights, "example_ids": features[self._example_id_column],
        }
        variables = {
            "sparse_features_weights": found["sparse_weights"], "dense_features_weights": found["dense_weights"]
        }
        model = SdcaModel(examples=examples, variables=variables, options={
            "symmetric_l1_regularization": self._symmetric_l1_regularization,
            "symmetric_l2_regularization": self._symmetric_l2_regularization, "adaptive": self._adaptive,
            "num_loss_partitions": self._num_loss_partitions, "num_table_shards": self._num_table_shards,
            "loss_type": loss_type,
        })
        return model, model.minimize(global_step=global_step)


def _add(column: Any, variables: list[Any], values: Any, found: dict[str, list[Any]]) -> None:
    """Puts what a column made of features, and its weights, where they belong."""
    kind = type(column).__name__
    if kind == "_BucketizedColumn":
        found["sparse"].append(_ones_of(column._to_dnn_input_layer(values)))
        found["sparse_weights"].append(variables[0])
    elif kind == "_RealValuedColumn":
        found["dense"].append(_matrix(values))
        found["dense_weights"].append(variables[0])
    elif kind in ("_CrossedColumn", "_SparseColumn", "_SparseColumnHashed", "_SparseColumnIntegerized",
                  "_SparseColumnKeys", "_SparseColumnVocabulary"):
        weights = tf.ones([tf.shape(values.indices)[0]], tf.float32)
        found["sparse"].append(_merged(values.indices, values.values, weights))
        found["sparse_weights"].append(variables)
    elif kind == "_WeightedSparseColumn":
        ids, weights = column.id_tensor(values), column.weight_tensor(values)
        found["sparse"].append(_merged(ids.indices, ids.values, tf.reshape(weights.values, [-1])))
        found["sparse_weights"].append(variables)
    else:
        raise ValueError(f"SDCAOptimizer does not support column type {kind}.")


def _ones_of(dense: tf.Tensor) -> SparseFeatureColumn:
    """The values of a matrix that are not 0."""
    indices = tf.where(tf.not_equal(dense, tf.cast(0.0, dense.dtype)))
    values = tf.gather_nd(dense, indices)
    examples = tf.reshape(tf.split(value=indices, num_or_size_splits=2, axis=1)[0], [-1])
    features = tf.reshape(tf.split(value=indices, num_or_size_splits=2, axis=1)[1], [-1])
    return SparseFeatureColumn(examples, features, tf.reshape(values, [-1]))


def _matrix(values: tf.Tensor) -> tf.Tensor:
    ranked = tf.Assert(tf.less_equal(tf.rank(values), 2), ["transformed_tensor should have rank at most 2."])
    with tf.control_dependencies([ranked]):
        return tf.reshape(values, [tf.shape(values)[0], -1])


def _merged(indices: tf.Tensor, ids: tf.Tensor, weights: tf.Tensor) -> SparseFeatureColumn:
    """A sparse column in which an example has an id once, with the sum of its weights; ids below 0 are left out."""
    examples, ids = tf.reshape(indices[:, 0], [-1]), tf.reshape(ids, [-1])
    known = tf.greater_equal(ids, 0)
    ids, examples, weights = (tf.boolean_mask(each, known) for each in (ids, examples, weights))
    stride = tf.reduce_max(ids) + 1
    unique, positions = tf.unique(stride * examples + ids)
    first = tf.math.unsorted_segment_min(examples, positions, tf.shape(unique)[0])
    ids = unique - stride * first
    total = tf.math.unsorted_segment_sum(weights, positions, tf.shape(unique)[0])
    return SparseFeatureColumn(first, ids, tf.reshape(total, [-1]))

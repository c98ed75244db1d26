"""A linear model that is trained by stochastic dual coordinate ascent (Shalev-Shwartz and Zhang, Stochastic Dual
Coordinate Ascent Methods for Regularized Loss Minimization, 2013)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.linear_optimizer.tables import ShardedTable
from ossia_core.plugins.api_table import public

LOSSES = ("logistic_loss", "poisson_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss")
EXAMPLE_PARTS = (
    "example_labels", "example_weights", "example_ids", "sparse_features", "dense_features",
)


@public("contrib.linear_optimizer.SparseFeatureColumn")
class SparseFeatureColumn:
    """A column of features that most examples do not have.

    Args:
      example_indices: which example each value belongs to `[values]`.
      feature_indices: which feature it is `[values]`.
      feature_values: the values `[values]`; 1 by default.
    """

    def __init__(self, example_indices: Any, feature_indices: Any, feature_values: Any) -> None:
        with tf.name_scope(None, "SparseFeatureColumn", [example_indices, feature_indices]):
            self._example_indices = tf.convert_to_tensor(example_indices, name="example_indices", dtype=tf.int64)
            self._feature_indices = tf.convert_to_tensor(feature_indices, name="feature_indices", dtype=tf.int64)
        self._feature_values = None
        if feature_values is not None:
            with tf.name_scope(None, "SparseFeatureColumn", [feature_values]):
                self._feature_values = tf.convert_to_tensor(feature_values, name="feature_values", dtype=tf.float32)

    @property
    def example_indices(self) -> tf.Tensor:
        """Which example each value belongs to."""
        return self._example_indices

    @property
    def feature_indices(self) -> tf.Tensor:
        """Which feature each value belongs to."""
        return self._feature_indices

    @property
    def feature_values(self) -> tf.Tensor | None:
        """The values, or None if all are 1."""
        return self._feature_values


@public("contrib.linear_optimizer.SdcaModel")
class SdcaModel:
    """A linear model, and its training by dual coordinate ascent.

    Args:
      examples: `sparse_features` (a list of `SparseFeatureColumn`s), `dense_features` (a list of matrices
        `[examples, numbers]`), `example_labels`, `example_weights` and `example_ids`, all `[examples]`.
      variables: `sparse_features_weights` and `dense_features_weights`, a list of variables each, in the order of the
        features; a variable that is divided is a list.
      options: `loss_type`, `symmetric_l1_regularization`, `symmetric_l2_regularization`, and maybe
        `num_loss_partitions` (how many parts of the examples are trained at once), `num_table_shards` and `adaptive`.

    Raises:
      ValueError: an argument is missing, or not allowed.
    """

    def __init__(
        self, examples: Mapping[str, Any] | None, variables: Mapping[str, Any] | None, options: Mapping[str, Any] | None
    ) -> None:
        if not examples or not variables or not options:
            raise ValueError("examples, variables and options must all be specified.")
        if options["loss_type"] not in LOSSES:
            raise ValueError("Unsupported loss_type: ", options["loss_type"])
        _check(examples, EXAMPLE_PARTS, "examples")
        _check(variables, ("sparse_features_weights", "dense_features_weights"), "variables")
        _check(options, ("loss_type", "symmetric_l2_regularization", "symmetric_l1_regularization"), "options")
        for name in ("symmetric_l1_regularization", "symmetric_l2_regularization"):
            value = options[name]
            if value < 0.0:
                raise ValueError(f"{name} should be non-negative. Found ({value})")
        self._examples, self._variables, self._options = examples, variables, options
        self._unshrunk = self._make_unshrunk()
        self._table = ShardedTable(
            key_dtype=tf.int64, value_dtype=tf.float32, num_shards=self._table_shards(),
            default_value=[0.0, 0.0, 0.0, 0.0], empty_key=[0, 0], deleted_key=[1, 1],
        )
        tf.summary.scalar("approximate_duality_gap", self.approximate_duality_gap())
        tf.summary.scalar("examples_seen", self._table.size())

    def _l1(self) -> float:
        return float(self._options["symmetric_l1_regularization"])

    def _l2(self) -> float:
        return max(float(self._options["symmetric_l2_regularization"]), 1.0)  # the ascent needs this much

    def _partitions(self) -> int:
        return self._options.get("num_loss_partitions") or 1

    def _table_shards(self) -> int:
        return self._options.get("num_table_shards") or 1

    def _make_unshrunk(self) -> dict[str, list[Any]]:
        """Weights before those of little use are made 0."""
        made: dict[str, list[Any]] = {}
        for name in ("sparse_features_weights", "dense_features_weights"):
            made[name] = []
            for variable in self._variables[name]:
                if isinstance(variable, (list, tuple)) and len(variable) > 1:
                    parts = [_slot_beside(part) for part in variable]
                else:
                    parts = [_slot(part) for part in _parts(variable)]
                made[name].append(parts if len(parts) > 1 else parts[0])
        return made

    def _l1_loss(self) -> tf.Tensor:
        with tf.name_scope("sdca/l1_loss"):
            sums = [
                tf.reduce_sum(tf.abs(tf.cast(weights, tf.float64)))
                for name in ("sparse_features_weights", "dense_features_weights") for weights in self._each(name)
            ]
            return self._l1() * tf.add_n(sums)

    def _l2_loss(self) -> tf.Tensor:
        with tf.name_scope("sdca/l2_loss"):
            sums = [
                tf.reduce_sum(tf.square(tf.cast(weights, tf.float64)))
                for name in ("sparse_features_weights", "dense_features_weights") for weights in self._each(name)
            ]
            return self._l2() * tf.add_n(sums) / 2.0

    def _each(self, name: str) -> list[Any]:
        return [part for variable in self._variables[name] for part in _parts(variable)]

    def _linear_predictions(self, examples: Mapping[str, Any]) -> tf.Tensor:
        with tf.name_scope("sdca/prediction"):
            result: Any = 0.0
            for column, weights in zip(
                examples["sparse_features"], self._variables["sparse_features_weights"], strict=True
            ):
                chosen = _lookup(weights, column.feature_indices)
                if column.feature_values is not None:
                    chosen = tf.multiply(chosen, column.feature_values)
                result += tf.math.segment_sum(chosen, column.example_indices)
            sparse = result
            result = 0.0
            for features, weights in zip(
                examples["dense_features"], self._variables["dense_features_weights"], strict=True
            ):
                result += tf.matmul(features, tf.expand_dims(weights, -1))
        return tf.reshape(result, [-1]) + sparse

    def predictions(self, examples: Mapping[str, Any]) -> tf.Tensor:
        """What the model gives for examples: probabilities if the loss is logistic, rates if it is Poisson's.

        Args:
          examples: as for the model; weights, labels and ids are not needed.
        """
        _check(examples, ("example_weights", "sparse_features", "dense_features"), "examples")
        result = self._linear_predictions(examples)
        if self._options["loss_type"] == "logistic_loss":
            with tf.name_scope("sdca/logistic_prediction"):
                return tf.sigmoid(result)
        if self._options["loss_type"] == "poisson_loss":
            with tf.name_scope("sdca/poisson_prediction"):
                return tf.exp(result)
        return result

    def minimize(self, global_step: Any = None, name: str | None = None) -> tf.Operation:
        """The op that trains on the examples once.

        Args:
          global_step: a variable that is increased.
          name: name scope.
        """
        with tf.name_scope(name, "sdca/minimize"):
            keys = tf.train.sdca_fprint(tf.convert_to_tensor(self._examples["example_ids"]))
            state = self._table.lookup(keys)
            looked_up = self._looked_up()
            columns = [part["column"] for part in looked_up]
            changes = tf.raw_ops.SdcaOptimizerV2(
                sparse_example_indices=[column.example_indices for column in columns],
                sparse_feature_indices=[column.feature_indices for column in columns],
                sparse_feature_values=[
                    column.feature_values for column in columns if column.feature_values is not None
                ],
                dense_features=[tf.convert_to_tensor(each) for each in self._examples["dense_features"]],
                example_weights=tf.convert_to_tensor(self._examples["example_weights"]),
                example_labels=tf.convert_to_tensor(self._examples["example_labels"]),
                sparse_indices=[part["indices"] for part in looked_up],
                sparse_weights=[part["values"] for part in looked_up],
                dense_weights=[tf.convert_to_tensor(each) for each in self._each_unshrunk("dense_features_weights")],
                example_state_data=state, loss_type=self._options["loss_type"], l1=self._l1(), l2=self._l2(),
                num_loss_partitions=self._partitions(), num_inner_iterations=1,
                adaptive=self._options.get("adaptive", True),
            )
            with tf.control_dependencies([changes[0]]):
                inserted = self._table.insert(keys, changes[0])
                updates = [inserted, *self._updates(looked_up, changes)]
            if global_step is None:
                return tf.group(*updates)
            with tf.control_dependencies(updates):
                return tf.assign_add(global_step, 1).op

    def _looked_up(self) -> list[dict[str, Any]]:
        """The weights that the examples need, of each sparse column."""
        found = []
        for column, weights in zip(
            self._examples["sparse_features"], self._unshrunk["sparse_features_weights"], strict=True
        ):
            unique, _ = tf.unique(tf.cast(column.feature_indices, tf.int32))
            indices = tf.cast(unique, tf.int64)
            part = {"column": column, "indices": indices, "weights": weights}
            if isinstance(weights, list):
                part["places"], part["ids"] = _places(indices, weights)
                gathered = []
                for each, ids in zip(weights, part["ids"][1], strict=True):
                    with tf.colocate_with(each):
                        gathered.append(tf.gather(each, ids))
                count = tf.range(tf.shape(part["ids"][0])[0])
                part["values"] = tf.dynamic_stitch(
                    tf.dynamic_partition(count, part["places"], len(weights)), gathered
                )
            else:
                part["values"] = tf.gather(weights, indices)
            found.append(part)
        return found

    def _updates(self, looked_up: list[dict[str, Any]], changes: Any) -> list[Any]:
        """The ops that change weights before those of little use are made 0."""
        updates = []
        for part, delta in zip(looked_up, changes[1], strict=True):
            if isinstance(part["weights"], list):
                deltas = tf.dynamic_partition(delta, part["places"], len(part["weights"]))
                for weights, ids, each in zip(part["weights"], part["ids"][1], deltas, strict=True):
                    updates.append(tf.scatter_add(weights, ids, each))
            else:
                updates.append(tf.scatter_add(part["weights"], part["indices"], delta))
        for variable, delta in zip(self._each_unshrunk("dense_features_weights"), changes[2], strict=True):
            updates.append(tf.assign_add(variable, delta))
        return updates

    def update_weights(self, train_op: Any) -> tf.Operation:
        """The op that gives the model what was trained, with small weights made 0.

        Args:
          train_op: runs first.
        """
        with tf.control_dependencies([train_op]):
            assigned = [
                weights.assign(trained)
                for name in ("sparse_features_weights", "dense_features_weights")
                for weights, trained in zip(self._each(name), self._each_unshrunk(name), strict=True)
            ]
        with tf.control_dependencies(assigned):
            shrunk = [
                tf.train.sdca_shrink_l1([weights], l1=self._l1(), l2=self._l2())
                for name in ("sparse_features_weights", "dense_features_weights") for weights in self._each(name)
            ]
        return tf.group(*assigned, *shrunk)

    def _each_unshrunk(self, name: str) -> list[Any]:
        return [part for variable in self._unshrunk[name] for part in _parts(variable)]

    def approximate_duality_gap(self) -> tf.Tensor:
        """How far the loss is from its lower bound, over the examples that were seen; it is not exact."""
        with tf.name_scope("sdca/approximate_duality_gap"):
            sums: list[Any] = []
            for values in self._table.values():
                with tf.control_dependencies(sums):
                    sums.append(tf.reduce_sum(tf.cast(values, tf.float64), 0))
            total = tf.add_n(sums)
            primal, dual, weights = total[1], total[2], total[3]
            gap = primal + dual + self._l1_loss() + 2.0 * self._l2_loss()
            return gap / weights

    def unregularized_loss(self, examples: Mapping[str, Any]) -> tf.Tensor:
        """The weighted mean of the loss of examples.

        Args:
          examples: as for the model.
        """
        _check(
            examples, ("example_labels", "example_weights", "sparse_features", "dense_features"), "examples"
        )
        with tf.name_scope("sdca/unregularized_loss"):
            predictions = tf.cast(self._linear_predictions(examples), tf.float64)
            labels = tf.cast(tf.convert_to_tensor(examples["example_labels"]), tf.float64)
            weights = tf.cast(tf.convert_to_tensor(examples["example_weights"]), tf.float64)
            kind = self._options["loss_type"]
            if kind == "logistic_loss":
                losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=predictions)
            elif kind == "poisson_loss":
                losses = tf.nn.log_poisson_loss(targets=labels, log_input=predictions)
            elif kind in ("hinge_loss", "smooth_hinge_loss"):
                ones = tf.ones_like(labels)
                signs = tf.subtract(2 * labels, ones)
                losses = tf.nn.relu(tf.subtract(ones, tf.multiply(signs, predictions)))
            else:
                squares = tf.square(tf.subtract(labels, predictions))
                return tf.reduce_sum(tf.multiply(squares, weights)) / (2.0 * tf.reduce_sum(weights))
            return tf.reduce_sum(tf.multiply(losses, weights)) / tf.reduce_sum(weights)

    def regularized_loss(self, examples: Mapping[str, Any]) -> tf.Tensor:
        """`unregularized_loss` and the penalties of weights.

        Args:
          examples: as for the model.
        """
        _check(
            examples, ("example_labels", "example_weights", "sparse_features", "dense_features"), "examples"
        )
        with tf.name_scope("sdca/regularized_loss"):
            weights = tf.convert_to_tensor(examples["example_weights"])
            penalty = (self._l1_loss() + self._l2_loss()) / tf.reduce_sum(tf.cast(weights, tf.float64))
            return penalty + self.unregularized_loss(examples)


def _slot(variable: Any) -> tf.Variable:
    zeros = tf.zeros_like(variable.initialized_value(), tf.float32)
    return tf.Variable(zeros, name=f"{variable.op.name}_unshrinked/SDCAOptimizer")


def _slot_beside(variable: Any) -> tf.Variable:
    with tf.colocate_with(variable):
        return _slot(variable)


def _check(values: Mapping[str, Any], names: Sequence[str], what: str) -> None:
    for name in names:
        if name not in values or values[name] is None:
            raise ValueError(f"{name} must be specified in {what}.")


def _parts(variable: Any) -> list[Any]:
    return list(variable) if isinstance(variable, (list, tuple)) else [variable]


def _lookup(weights: Any, indices: tf.Tensor) -> tf.Tensor:
    parts = _parts(weights)
    return tf.gather(parts[0] if len(parts) == 1 else tf.concat(parts, 0), indices)


def _places(ids: tf.Tensor, weights: Sequence[Any]) -> tuple[tf.Tensor, tuple[tf.Tensor, list[tf.Tensor]]]:
    """In which part of divided weights ids are, their positions in the parts, and these part by part."""
    flat = tf.reshape(ids, [-1])
    total = tf.constant(sum(part.shape[0].value for part in weights), flat.dtype)
    size, larger = total // len(weights), total % len(weights)
    places = tf.maximum(flat // (size + 1), (flat - larger) // size)
    within = tf.where(tf.less(places, larger), flat % (size + 1), (flat - larger) % size)
    places = tf.cast(places, tf.int32)
    return places, (within, tf.dynamic_partition(within, places, len(weights)))

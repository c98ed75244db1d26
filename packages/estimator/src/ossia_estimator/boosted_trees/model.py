"""The model function of boosted trees.

Each step predicts what the trees have grown since the last one, and sums gradients and hessians of the loss by node,
feature and bucket; the best splits become the next layer (Friedman 2001; Ponomareva et al. 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_boosted_trees.predictions import example_debug_outputs_op, predict_op, training_predict_op
from ossia_boosted_trees.quantile_accumulator import QuantileAccumulator
from ossia_boosted_trees.statistics import make_stats_summary_op
from ossia_boosted_trees.tree_ensemble import TreeEnsemble
from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.identity import group
from ossia_estimator.boosted_trees.columns import (
    buckets_of,
    categories,
    features_by_buckets,
    float_columns,
    numbers,
    size_of,
    transformed,
)
from ossia_estimator.boosted_trees.conditions import one_of, values_of_one
from ossia_estimator.boosted_trees.growers import AtOnce, TreeOptions, WhenAccumulated
from ossia_estimator.boosted_trees.hooks import RunsWhenCreated, StopsWhenGrown
from ossia_estimator.boosted_trees.states import KeptStates, start, variable
from ossia_estimator.heads.checks import column_of_weights
from ossia_estimator.modes import ModeKeys
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_ops.state.global_step import get_or_create_global_step
from ossia_summary.scalar import scalar

PATHS = "paths"  # of examples through trees, among predictions


class Training:
    """The parts of a graph that trains trees.

    Args:
        features, labels: As the input function gives them.
        head: What makes logits into a loss.
        columns: The columns in order.
        options: How trees are to grow.
        n_batches: How many batches a layer takes.
        config: A RunConfig.
        derivatives: Function of logits and labels that gives gradients and hessians; None takes them from the loss.
        weight_column: Key or numeric column of the weights of examples.
        in_memory: Whether each step has all examples.
    """

    def __init__(
        self, features: dict[str, Any], labels: Any, head: Any, columns: Sequence[Any], options: TreeOptions,
        n_batches: int, config: Any, derivatives: Callable | None, weight_column: Any, in_memory: bool,
    ) -> None:
        self._features, self._labels, self._head, self._columns = features, labels, head, columns
        self._options, self._n_batches, self._config = options, n_batches, config
        self._derivatives, self._weight_column, self._in_memory = derivatives, weight_column, in_memory
        self._buckets, self._feature_ids = features_by_buckets(columns, options.num_quantiles)

    def prepare(self, ensemble: TreeEnsemble, quantiles: Any, boundaries: dict[Any, list[Tensor]]) -> None:
        """Makes what a step begins with, up to the logits."""
        self._quantiles = quantiles
        builder("no_op")()
        self._ready = variable(False, "are_boundaries_ready")
        if self._in_memory:
            batch = builder("shape")(self._labels)[0]
            self._vectors = self._kept_features(boundaries, batch)
            self._kept: Any = KeptStates(batch, self._head.logits_dimension)
            trees, nodes, logits = self._kept.lookup()
        else:
            self._vectors = transformed(self._features, self._columns, boundaries)
            self._kept = None
            trees, nodes, logits = start(builder("shape")(self._labels)[0], self._head.logits_dimension)
        with control_dependencies([builder("no_op")()]):
            states = ensemble.get_states()
            stamp, num_trees, self._finished, self._attempted, self._nodes_range = states
            partial, self._trees, self._nodes = training_predict_op(
                ensemble.resource_handle, trees, nodes, self._vectors, logits_dimension=self._head.logits_dimension,
                name="BoostedTreesTrainingPredict",
            )
        self._logits = logits + partial
        common = ensemble, quantiles, self._options, self._feature_ids
        if self._in_memory:
            self._grower: Any = AtOnce(*common)
        else:
            self._grower = WhenAccumulated(*common, stamp, self._n_batches, self._buckets, self._config.is_chief)
        scalar("ensemble/num_trees", num_trees)
        scalar("ensemble/num_finalized_trees", self._finished)
        scalar("ensemble/num_attempted_layers", self._attempted)
        self._needed = variable(bool(self._options.center_bias), "center_bias_needed")
        self._weights = example_weights(self._weight_column, self._features)

    def spec(self) -> Any:
        """The EstimatorSpec of the training."""
        made = self._head.create_estimator_spec(
            features=self._features, mode=ModeKeys.TRAIN, labels=self._labels, logits=self._logits,
            train_op_fn=self._train_op,
        )
        hooks = [
            RunsWhenCreated(self._grower.chief_init_op()),
            StopsWhenGrown(self._finished, self._attempted, self._options.n_trees, self._options.max_depth),
        ]
        return made._replace(training_hooks=(*hooks, *made.training_hooks))

    def _train_op(self, loss: Tensor) -> Any:
        if self._quantiles is None:
            return self._grow(loss)
        return one_of(self._ready, lambda: self._grow(loss), self._update_quantiles)

    def _update_quantiles(self) -> Any:
        with name_scope("UpdateQuantile"):
            vectors = numbers(self._features, float_columns(self._columns))
            return self._grower.accumulate_quantiles(vectors, self._weights, self._ready)

    def _grow(self, loss: Tensor) -> Any:
        gradients, hessians = self._gradients(loss)
        sizes = [
            buckets_of(column, self._options.num_quantiles) for column in self._columns for _ in range(size_of(column))
        ]
        summaries = [[
            builder("squeeze")(make_stats_summary_op(
                self._nodes, gradients, hessians, [self._vectors[feature]], max_splits=self._options.max_splits,
                num_buckets=sizes[feature], name="BoostedTreesMakeStatsSummary",
            ), axis=0) for feature in features
        ] for features in self._feature_ids]
        steps = [get_or_create_global_step().assign_add(1).op]
        if self._options.center_bias:
            steps.append(one_of(
                self._needed, lambda: self._grower.center_bias(self._needed, gradients, hessians),
                lambda: self._grower.grow_tree(summaries, self._nodes_range),
            ))
        else:
            steps.append(self._grower.grow_tree(summaries, self._nodes_range))
        if self._kept is not None:
            kept, states = self._kept, (self._trees, self._nodes, self._logits)
            steps.append(one_of(self._needed, lambda: builder("no_op")(), lambda: kept.insert(*states)))
        return group(*steps, name="grow_op")

    def _gradients(self, loss: Tensor) -> tuple[Tensor, Tensor]:
        if self._derivatives is not None:
            return self._derivatives(self._logits, self._labels)
        derived = builder("gradients")
        gradients = derived(loss, self._logits, name="Gradients")[0]
        return gradients, derived(gradients, self._logits, name="Hessians")[0]

    def _kept_features(self, boundaries: dict[Any, list[Tensor]], batch: Any) -> list[Tensor]:
        kept = [
            variable(builder("zeros")([batch], dtype=dtypes.int32), f"cached_feature_{i}")
            for i in range(sum(map(size_of, self._columns)))
        ]
        done = variable(False, "are_features_cached")
        given = categories(self._features, self._columns)

        def now() -> list[Tensor]:
            return transformed(self._features, self._columns, boundaries, given)

        def from_now() -> list[Tensor]:
            vectors = now()
            with control_dependencies([each.assign(vector) for each, vector in zip(kept, vectors)]):
                with control_dependencies([done.assign(True)]):
                    return [each.read_value() for each in kept]

        def vectors() -> list[Tensor]:
            return values_of_one(done, lambda: [each.read_value() for each in kept], from_now)

        if self._quantiles is None:
            return vectors()
        return values_of_one(self._ready, vectors, now)


def example_weights(weight_column: Any, features: dict[str, Any]) -> Tensor:
    """The weights of examples as a vector; one that holds for all where there is no column of them."""
    if weight_column is None:
        return builder("constant")([1.0])
    column = column_of_weights(weight_column)
    weights = column.get_dense_tensor(FeatureTransformationCache(features), None)
    return builder("reshape")(builder("to_float")(weights), [-1])


def boosted_trees_model_fn(
    features: dict[str, Any], labels: Any, mode: str, head: Any, columns: Sequence[Any], options: TreeOptions,
    n_batches: int, config: Any, derivatives: Callable | None = None, weight_column: Any = None,
    in_memory: bool = False, explained: bool = False, name: str = "boosted_trees",
) -> Any:
    """The EstimatorSpec of boosted trees; arguments as for `Training`, and whether predictions are `explained`.

    Raises:
        ValueError: A column is none that trees can split.
    """
    with name_scope(name) as scope:
        ensemble = TreeEnsemble(name=scope)
        floats = float_columns(columns)
        quantiles, boundaries = None, {}
        if floats:
            quantiles = QuantileAccumulator(
                options.quantile_sketch_epsilon, sum(map(size_of, floats)), options.num_quantiles,
                name="QuantileAccumulator",
            )
            found = list(quantiles.get_bucket_boundaries())
            for column in floats:
                boundaries[column], found = found[:size_of(column)], found[size_of(column):]
        if mode != ModeKeys.TRAIN:
            vectors = transformed(features, columns, boundaries)
            logits = predict_op(
                ensemble.resource_handle, vectors, logits_dimension=head.logits_dimension, name="BoostedTreesPredict"
            )
            spec = head.create_estimator_spec(features=features, mode=mode, labels=labels, logits=logits)
            if not explained:
                return spec
            paths = example_debug_outputs_op(
                ensemble.resource_handle, vectors, logits_dimension=1, name="BoostedTreesExampleDebugOutputs"
            )
            return spec._replace(predictions={**spec.predictions, PATHS: paths})
        training = Training(features, labels, head, columns, options, n_batches, config, derivatives, weight_column,
                            in_memory)
        training.prepare(ensemble, quantiles, boundaries)
    return training.spec()

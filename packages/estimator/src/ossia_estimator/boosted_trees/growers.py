"""What makes trees grow by a layer: at once, from examples that are all there, or when enough batches have come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ossia_boosted_trees.growth import center_bias_op, update_ensemble_op
from ossia_boosted_trees.quantile_accumulator import QuantileAccumulator
from ossia_boosted_trees.splits import calculate_best_gains_per_feature_op
from ossia_boosted_trees.tree_ensemble import PruningMode, TreeEnsemble
from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.identity import group
from ossia_core.primitives.source import no_op
from ossia_estimator.boosted_trees.conditions import one_of


class TreeOptions(NamedTuple):
    """How trees are to grow."""

    n_trees: int
    max_depth: int
    learning_rate: float
    l1: float
    l2: float
    tree_complexity: float
    min_node_weight: float
    center_bias: bool
    pruning_mode: str
    quantile_sketch_epsilon: float

    @property
    def max_splits(self) -> int:
        """How many nodes of a tree may be split."""
        return (1 << self.max_depth) - 1

    @property
    def num_quantiles(self) -> int:
        """How many buckets of quantiles a float column has."""
        return int(1.0 / self.quantile_sketch_epsilon)


class Grower:
    """What all growers do.

    Args:
        ensemble: The trees.
        quantiles: The quantiles of float columns; None if there are none.
        options: How the trees are to grow.
        feature_ids: The ids of features, in groups of as many buckets.
    """

    def __init__(
        self, ensemble: TreeEnsemble, quantiles: QuantileAccumulator | None, options: TreeOptions,
        feature_ids: Sequence[Sequence[int]],
    ) -> None:
        self._ensemble, self._quantiles, self._options, self._feature_ids = ensemble, quantiles, options, feature_ids

    def chief_init_op(self) -> Any:
        """An operation that the chief runs when a session has been made."""
        return no_op()

    def accumulate_quantiles(self, columns: Sequence[Tensor], weights: Any, ready: Any) -> Any:
        """An operation that takes the values of a batch, and makes buckets when there are enough.

        Args:
            columns: A float vector for each feature.
            weights: The weights of the examples.
            ready: A variable that says whether there are buckets.
        """
        raise NotImplementedError("accumulate_quantiles of a grower")

    def center_bias(self, needed: Any, gradients: Tensor, hessians: Tensor) -> Any:
        """An operation that brings the first tree nearer to the mean of the labels.

        Args:
            needed: A variable that says whether it is not near yet.
            gradients, hessians: Of the examples.
        """
        raise NotImplementedError("center_bias of a grower")

    def grow_tree(self, summaries: Sequence[Sequence[Tensor]], nodes_range: Tensor) -> Any:
        """An operation that grows a layer.

        Args:
            summaries: For each group of features, the sums of gradients and hessians of each.
            nodes_range: The first of the nodes to split, and the one behind the last.
        """
        raise NotImplementedError("grow_tree of a grower")

    def _centered(self, needed: Any, gradients: Tensor, hessians: Tensor) -> Any:
        go_on = center_bias_op(
            self._ensemble.resource_handle, mean_gradients=gradients, mean_hessians=hessians, l1=self._options.l1,
            l2=self._options.l2, name="BoostedTreesCenterBias",
        )
        return needed.assign(go_on)

    def _grown(self, summaries: Sequence[Sequence[Tensor]], nodes_range: Tensor) -> Any:
        options = self._options
        found: list[list[Tensor]] = [[], [], [], [], []]
        for group_of in summaries:
            best = calculate_best_gains_per_feature_op(
                nodes_range, list(group_of), l1=options.l1, l2=options.l2, tree_complexity=options.tree_complexity,
                min_node_weight=options.min_node_weight, max_splits=options.max_splits,
                name="BoostedTreesCalculateBestGainsPerFeature",
            )
            for column, tensors in zip(found, best):
                column.extend(tensors)
        ids = [feature for features in self._feature_ids for feature in features]
        return update_ensemble_op(
            self._ensemble.resource_handle, ids, *found, max_depth=options.max_depth,
            learning_rate=options.learning_rate, pruning_mode=PruningMode.from_str(options.pruning_mode),
            name="BoostedTreesUpdateEnsemble",
        )


class AtOnce(Grower):
    """Grows a layer in every step: each has all examples."""

    def accumulate_quantiles(self, columns: Sequence[Tensor], weights: Any, ready: Any) -> Any:
        """As `Grower.accumulate_quantiles`; one batch is enough."""
        with control_dependencies([self._quantiles.add_summaries(columns, weights)]):  # type: ignore[union-attr]
            flush = self._quantiles.flush()  # type: ignore[union-attr]
            with control_dependencies([flush]):
                return ready.assign(True).op

    def center_bias(self, needed: Any, gradients: Tensor, hessians: Tensor) -> Any:
        """As `Grower.center_bias`."""
        mean = builder("reduce_mean")
        return self._centered(
            needed, builder("expand_dims")(mean(gradients, 0), 0), builder("expand_dims")(mean(hessians, 0), 0)
        )

    def grow_tree(self, summaries: Sequence[Sequence[Tensor]], nodes_range: Tensor) -> Any:
        """As `Grower.grow_tree`."""
        return self._grown(summaries, nodes_range)


class WhenAccumulated(Grower):
    """Grows a layer when so many batches have come.

    Args:
        ensemble, quantiles, options, feature_ids: As for `Grower`.
        stamp: The stamp of the trees; what was computed with trees of before does not count.
        n_batches: How many batches a layer takes.
        buckets: How many buckets the features of each group have.
        is_chief: Whether this process makes the trees grow.
    """

    def __init__(
        self, ensemble: TreeEnsemble, quantiles: QuantileAccumulator | None, options: TreeOptions,
        feature_ids: Sequence[Sequence[int]], stamp: Tensor, n_batches: int, buckets: Sequence[int], is_chief: bool,
    ) -> None:
        super().__init__(ensemble, quantiles, options, feature_ids)
        self._stamp, self._n_batches, self._is_chief = stamp, n_batches, is_chief
        self._set: list[Any] = []
        self._accumulators = []
        for i, (features, count) in enumerate(zip(feature_ids, buckets)):
            shape = [len(features), options.max_splits, count, 2]
            self._accumulators.append(self._accumulator(shape, f"numeric_stats_summary_accumulator_{i}"))
        self._bias: Any = self._accumulator([2, 1], "bias_accumulator") if options.center_bias else None

    def _accumulator(self, shape: list[int], name: str) -> Any:
        made = builder("ConditionalAccumulator")(dtypes.float32, shape=shape, shared_name=name)
        self._set.append(made.set_global_step(self._stamp))
        return made

    def chief_init_op(self) -> Any:
        """An operation that lets nothing count that trees of before have made."""
        return group(*self._set)

    def accumulate_quantiles(self, columns: Sequence[Tensor], weights: Any, ready: Any) -> Any:
        """As `Grower.accumulate_quantiles`."""
        add = self._quantiles.add_summaries(columns, weights)  # type: ignore[union-attr]
        count = builder("ConditionalAccumulator")(dtypes.float32, shape=[], shared_name="quantile_summary_accum")
        steps = [count.set_global_step(self._stamp), count.apply_grad(builder("constant")(0.0), self._stamp), add]
        with control_dependencies([group(*steps)]):
            if not self._is_chief:
                return no_op()
            enough = count.num_accumulated() >= self._n_batches

        def made() -> Any:
            taken = count.take_grad(1)
            return group(self._quantiles.flush(), taken, ready.assign(True))  # type: ignore[union-attr]

        return one_of(enough, made, no_op, name="wait_until_quaniles_accumulated")

    def center_bias(self, needed: Any, gradients: Tensor, hessians: Tensor) -> Any:
        """As `Grower.center_bias`."""
        stack, mean = builder("stack"), builder("reduce_mean")
        both = mean(stack([gradients, hessians]), axis=1)
        with control_dependencies([self._bias.apply_grad(both, self._stamp)]):
            if not self._is_chief:
                return no_op()
            enough = self._bias.num_accumulated() >= self._n_batches

        def made() -> Any:
            sums = builder("unstack")(self._bias.take_grad(1))
            expanded = [builder("expand_dims")(each, 0) for each in sums]
            with control_dependencies([self._centered(needed, *expanded)]):
                return one_of(needed, no_op, self._begin)

        return one_of(enough, made, no_op, name="wait_until_n_batches_for_bias_accumulated")

    def _begin(self) -> Any:
        return group(*[each.set_global_step(self._stamp + 1) for each in self._accumulators])

    def grow_tree(self, summaries: Sequence[Sequence[Tensor]], nodes_range: Tensor) -> Any:
        """As `Grower.grow_tree`."""
        stack, unstack = builder("stack"), builder("unstack")
        steps = [
            accumulator.apply_grad(stack(list(each)), self._stamp)
            for accumulator, each in zip(self._accumulators, summaries)
        ]
        with control_dependencies(steps):
            if not self._is_chief:
                return no_op()
            counts = stack([accumulator.num_accumulated() for accumulator in self._accumulators])
            enough = builder("reduce_min")(counts) >= self._n_batches

        def made() -> Any:
            return self._grown([unstack(each.take_grad(1)) for each in self._accumulators], nodes_range)

        return one_of(enough, made, no_op, name="wait_until_n_batches_accumulated")

"""The quantiles of features in a graph: streams made when a session starts, their boundaries saved and restored."""

from __future__ import annotations

from typing import Any

from ossia_boosted_trees.quantile_ops import (
    add_summaries_op,
    create_stream_op,
    deserialize_op,
    flush_op,
    get_boundaries_op,
    is_stream_initialized_op,
    make_summaries_op,
    stream_handle_op,
)
from ossia_boosted_trees.tree_ensemble import Resource
from ossia_checkpoint.saveables import SaveableObject, SaveSpec
from ossia_core.graph.collections import GraphKeys, add_to_collection
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor


class QuantileAccumulator:
    """Streams of values, one for each feature, and the boundaries of their buckets.

    Args:
        epsilon: How far ranks may be off, a part of the whole weight.
        num_streams: How many features there are.
        num_quantiles: How many buckets there are to be.
        name: Name of the handle.
        max_elements: How many values come at most.
    """

    def __init__(
        self, epsilon: float, num_streams: int, num_quantiles: int, name: str | None = None,
        max_elements: int | None = None,
    ) -> None:
        self._epsilon, self._num_streams, self._num_quantiles = epsilon, num_streams, num_quantiles
        options = {} if max_elements is None else {"max_elements": max_elements}
        with name_scope(name, "QuantileAccumulator") as scope:
            self.resource_handle = stream_handle_op(container="", shared_name=scope, name=scope)
            self.initializer = create_stream_op(
                self.resource_handle, epsilon, num_streams, name="BoostedTreesCreateQuantileStreamResource", **options
            )
            self._is_initialized = is_stream_initialized_op(
                self.resource_handle, name="IsBoostedTreesQuantileStreamResourceInitialized"
            )
        add_to_collection(
            GraphKeys.RESOURCES, Resource(self.resource_handle, self.initializer, self._is_initialized)
        )
        self.saveable = AccumulatorSaveable(self)
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self.saveable)

    def is_initialized(self) -> Tensor:
        """Whether the streams have been made."""
        return self._is_initialized

    def add_summaries(self, float_columns: Any, example_weights: Any) -> Any:
        """An operation that takes the values of a batch, one vector for each feature, and their weights."""
        summaries = make_summaries_op(
            list(float_columns), example_weights, self._epsilon, name="BoostedTreesMakeQuantileSummaries"
        )
        return add_summaries_op(
            self.resource_handle, summaries, name="BoostedTreesQuantileStreamResourceAddSummaries"
        )

    def flush(self) -> Any:
        """An operation that makes boundaries of what has come, and begins anew."""
        return flush_op(self.resource_handle, self._num_quantiles, name="BoostedTreesQuantileStreamResourceFlush")

    def get_bucket_boundaries(self) -> list[Tensor]:
        """The boundaries of each feature's buckets."""
        return get_boundaries_op(
            self.resource_handle, num_features=self._num_streams,
            name="BoostedTreesQuantileStreamResourceGetBucketBoundaries",
        )


class AccumulatorSaveable(SaveableObject):
    """The boundaries as a saver sees them."""

    def __init__(self, accumulator: QuantileAccumulator) -> None:
        self._accumulator = accumulator
        name = accumulator.resource_handle.name
        specs = [
            SaveSpec(tensor, "", f"{name}_bucket_boundaries_{i}")
            for i, tensor in enumerate(accumulator.get_bucket_boundaries())
        ]
        super().__init__(accumulator.resource_handle, specs, name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Any:
        """An operation that takes the boundaries of a checkpoint."""
        with control_dependencies([self._accumulator.initializer]):
            return deserialize_op(
                self._accumulator.resource_handle, list(restored_tensors),
                name="BoostedTreesQuantileStreamResourceDeserialize",
            )

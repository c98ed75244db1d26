"""Input of strategies: datasets whose batches go to replicas."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import control_dependencies
from ossia_core.names import nest
from ossia_core.plugins.api_table import public
from ossia_distribute.strategy.values import regrouped


@public("distribute.InputContext", "compat.v2.distribute.InputContext")
class InputContext:
    """What an input function knows of its pipeline.

    Args:
      num_input_pipelines: how many pipelines there are.
      input_pipeline_id: the number of this one.
      num_replicas_in_sync: how many replicas take from them.
    """

    def __init__(
        self, num_input_pipelines: int = 1, input_pipeline_id: int = 0, num_replicas_in_sync: int = 1
    ) -> None:
        self._pipelines, self._pipeline, self._replicas = num_input_pipelines, input_pipeline_id, num_replicas_in_sync

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas take from the pipelines."""
        return self._replicas

    @property
    def input_pipeline_id(self) -> int:
        """The number of this pipeline."""
        return self._pipeline

    @property
    def num_input_pipelines(self) -> int:
        """How many pipelines there are."""
        return self._pipelines

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The batch size of a replica.

        Raises:
          ValueError: the replicas cannot share the batch evenly.
        """
        if global_batch_size % self._replicas:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size!r} is not divisible by `num_replicas_in_sync` "
                f"{self._replicas!r} "
            )
        return global_batch_size // self._replicas

    def __str__(self) -> str:
        return f"tf.distribute.InputContext(input pipeline id {self._pipeline}, total: {self._pipelines})"


def input_context(strategy: Any) -> InputContext:
    """The context of the only pipeline of a process."""
    return InputContext(1, 0, strategy.num_replicas_in_sync)


class DatasetIterator:
    """An iterator whose values are batches divided among replicas."""

    def __init__(self, strategy: Any, dataset: Any, one_shot: bool = False) -> None:
        self._count = strategy.num_replicas_in_sync
        make = builder("data.make_one_shot_iterator" if one_shot else "data.make_initializable_iterator")
        self._iterator = make(dataset)
        self._one_shot = one_shot

    def initialize(self) -> Any:
        """The operation that starts the iterator."""
        return self._iterator.initializer

    @property
    def initializer(self) -> Any:
        """The operation that starts the iterator."""
        return self._iterator.initializer

    @property
    def output_shapes(self) -> Any:
        """The shapes of the dataset's elements."""
        return builder("data.get_output_shapes")(self._iterator)

    @property
    def output_types(self) -> Any:
        """The dtypes of the dataset's elements."""
        return builder("data.get_output_types")(self._iterator)

    def get_next(self) -> Any:
        """The next batch, divided."""
        batch = self._iterator.get_next()
        return batch if self._count == 1 else regrouped([self._part(batch, i) for i in range(self._count)])

    def _part(self, batch: Any, replica: int) -> Any:
        def part(tensor: Any) -> Any:
            size = builder("shape")(tensor)[0]
            each = (size + self._count - 1) // self._count
            return tensor[replica * each:(replica + 1) * each]
        return nest.map_structure(part, batch)


class InputFnIterator(DatasetIterator):
    """An iterator of which each replica takes one value after the other."""

    def get_next(self) -> Any:
        """A value for each replica."""
        values: list[Any] = []
        for _ in range(self._count):
            with control_dependencies([t for value in values for t in nest.flatten(value)]):
                values.append(self._iterator.get_next())
        return regrouped(values)


class DistributedDataset:
    """A dataset for replicas.

    Args:
      strategy: the strategy.
      dataset: the dataset.
      divided: whether each batch is divided among the replicas, or goes to one.
    """

    def __init__(self, strategy: Any, dataset: Any, divided: bool = True) -> None:
        self._strategy, self._dataset = strategy, dataset
        self._kind: Callable[..., DatasetIterator] = DatasetIterator if divided else InputFnIterator

    def make_initializable_iterator(self) -> DatasetIterator:
        """An iterator that has to be initialized."""
        return self._kind(self._strategy, self._dataset)

    def make_one_shot_iterator(self) -> DatasetIterator:
        """An iterator that begins by itself."""
        return self._kind(self._strategy, self._dataset, one_shot=True)

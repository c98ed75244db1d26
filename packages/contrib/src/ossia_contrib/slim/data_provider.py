"""What gives the tensors of one example after another."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

from ossia_contrib.slim import parallel_reader
from ossia_core.plugins.api_table import public


@public("contrib.slim.data_provider.DataProvider")
class DataProvider(metaclass=abc.ABCMeta):  # noqa: B024 (abstract in the original, and subclassed as such)
    """Named items, each a tensor of one example.

    Args:
      items_to_tensors: the items.
      num_samples: how many examples there are.
    """

    def __init__(self, items_to_tensors: dict[str, Any], num_samples: Any) -> None:
        self._items_to_tensors = items_to_tensors
        self._num_samples = num_samples

    def get(self, items: Sequence[str]) -> list[Any]:
        """The tensors of some items.

        Raises:
          ValueError: an item is unknown.
        """
        self._validate_items(items)
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> Any:
        """The names of all items."""
        return self._items_to_tensors.keys()

    def num_samples(self) -> Any:
        """How many examples there are."""
        return self._num_samples

    def _validate_items(self, items: Sequence[str]) -> None:
        if not isinstance(items, (list, tuple)):
            raise ValueError("items must be a list or tuple")
        valid = self.list_items()
        for item in items:
            if item not in valid:
                raise ValueError(f"Item [{item}] is invalid. Valid entries include: {valid}")


@public("contrib.slim.dataset_data_provider.DatasetDataProvider")
class DatasetDataProvider(DataProvider):
    """The examples of a dataset, read by several readers into one queue.

    Args:
      dataset: a `Dataset`.
      num_readers: how many readers there are.
      reader_kwargs: arguments of the reader class.
      shuffle: whether files and examples are shuffled.
      num_epochs: how often each example is given; None for no end.
      common_queue_capacity: how many records the queue holds.
      common_queue_min: how many it holds at least, for shuffling.
      record_key: name of the item that is the key of the record.
      seed: seed of the shuffling.
      scope: name scope.

    Raises:
      ValueError: the decoder has an item of the name `record_key`.
    """

    def __init__(
        self, dataset: Any, num_readers: int = 1, reader_kwargs: dict | None = None, shuffle: bool = True,
        num_epochs: int | None = None, common_queue_capacity: int = 256, common_queue_min: int = 128,
        record_key: str = "record_key", seed: int | None = None, scope: str | None = None,
    ) -> None:
        key, data = parallel_reader.parallel_read(
            dataset.data_sources, reader_class=dataset.reader, num_epochs=num_epochs, num_readers=num_readers,
            reader_kwargs=reader_kwargs, shuffle=shuffle, capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min, seed=seed, scope=scope,
        )
        items = dataset.decoder.list_items()
        tensors = dataset.decoder.decode(data, items)
        if record_key in items:
            raise ValueError(
                f"The item name used for `record_key` cannot also be used for a dataset item: {record_key}"
            )
        items_to_tensors = dict(zip([*items, record_key], [*tensors, key]))
        super().__init__(items_to_tensors=items_to_tensors, num_samples=dataset.num_samples)

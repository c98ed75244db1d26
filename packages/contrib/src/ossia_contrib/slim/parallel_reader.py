"""Records of many files, read by several readers at once."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.slim.parallel_reader.ParallelReader")
class ParallelReader(tf.ReaderBase):
    """Several readers that fill one queue, each with a thread of its own.

    Args:
      reader_class: class of the readers.
      common_queue: the queue of pairs (key, record).
      num_readers: how many readers there are.
      reader_kwargs: arguments of the class.

    Raises:
      TypeError: the queue does not hold two strings.
    """

    def __init__(
        self, reader_class: Any, common_queue: Any, num_readers: int = 4, reader_kwargs: dict | None = None
    ) -> None:
        if len(common_queue.dtypes) != 2:
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        for dtype in common_queue.dtypes:
            if not dtype.is_compatible_with(tf.string):
                raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self) -> int:
        """How many readers there are."""
        return len(self._readers)

    @property
    def common_queue(self) -> Any:
        """The queue that the readers fill."""
        return self._common_queue

    def read(self, queue: Any, name: str | None = None) -> Any:
        """The next pair (key, record) of the common queue, which the readers fill from the files of `queue`."""
        enqueue_ops = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        tf.train.add_queue_runner(tf.train.QueueRunner(self._common_queue, enqueue_ops))
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue: Any, num_records: int, name: str | None = None) -> Any:
        """The next pairs (keys, records) of the common queue, up to `num_records` of them."""
        enqueue_ops = [
            self._common_queue.enqueue_many(reader.read_up_to(queue, num_records)) for reader in self._readers
        ]
        tf.train.add_queue_runner(tf.train.QueueRunner(self._common_queue, enqueue_ops))
        return self._common_queue.dequeue_up_to(num_records, name=name)

    def num_records_produced(self, name: str | None = None) -> Any:
        """How many records all readers have read."""
        return tf.add_n([reader.num_records_produced() for reader in self._readers], name=name)

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """How many files all readers have read."""
        return tf.add_n([reader.num_work_units_completed() for reader in self._readers], name=name)


@public("contrib.slim.parallel_reader.parallel_read")
def parallel_read(
    data_sources: Any, reader_class: Any, num_epochs: int | None = None, num_readers: int = 4,
    reader_kwargs: dict | None = None, shuffle: bool = True, dtypes: Any = None, capacity: int = 256,
    min_after_dequeue: int = 128, seed: int | None = None, scope: str | None = None,
) -> Any:
    """The next key and record of many files, read by several readers.

    Args:
      data_sources: paths or patterns of files.
      reader_class: class of the readers.
      num_epochs: how often each file is read; None for no end.
      num_readers: how many readers there are.
      reader_kwargs: arguments of the class.
      shuffle: whether files and records are shuffled.
      dtypes: dtypes of key and record; strings by default.
      capacity: how many records the queue holds.
      min_after_dequeue: how many it holds at least, for shuffling.
      seed: seed of the shuffling.
      scope: name scope.

    Returns:
      Key and record, two string tensors.

    Raises:
      ValueError: there are no such files.
    """
    data_files = get_data_files(data_sources)
    with tf.name_scope(scope, "parallel_read"):
        filename_queue = tf.train.string_input_producer(
            data_files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames"
        )
        dtypes = dtypes or [tf.string, tf.string]
        if shuffle:
            common_queue: Any = tf.RandomShuffleQueue(
                capacity=capacity, min_after_dequeue=min_after_dequeue, dtypes=dtypes, seed=seed, name="common_queue"
            )
        else:
            common_queue = tf.FIFOQueue(capacity=capacity, dtypes=dtypes, name="common_queue")
        tf.summary.scalar(
            f"fraction_of_{capacity}_full", tf.cast(common_queue.size(), tf.float32) * (1.0 / capacity)
        )
        return ParallelReader(
            reader_class, common_queue, num_readers=num_readers, reader_kwargs=reader_kwargs
        ).read(filename_queue)


@public("contrib.slim.parallel_reader.single_pass_read")
def single_pass_read(
    data_sources: Any, reader_class: Any, reader_kwargs: dict | None = None, scope: str | None = None
) -> Any:
    """The next key and record of files, each read once, in their order; arguments as for `parallel_read`."""
    data_files = get_data_files(data_sources)
    with tf.name_scope(scope, "single_pass_read"):
        filename_queue = tf.train.string_input_producer(
            data_files, num_epochs=1, shuffle=False, capacity=1, name="filenames"
        )
        return reader_class(**(reader_kwargs or {})).read(filename_queue)


@public("contrib.slim.parallel_reader.get_data_files")
def get_data_files(data_sources: Any) -> list[str]:
    """The paths that paths and patterns stand for.

    Raises:
      ValueError: there are none.
    """
    if isinstance(data_sources, (list, tuple)):
        files = [path for source in data_sources for path in get_data_files(source)]
    elif "*" in data_sources or "?" in data_sources or "[" in data_sources:
        files = tf.gfile.Glob(data_sources)
    else:
        files = [data_sources]
    if not files:
        raise ValueError(f"No data files found in {data_sources}")
    return files

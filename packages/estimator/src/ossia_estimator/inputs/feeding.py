"""Queues that threads fill with the rows of arrays."""
from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_coordination.queue_runner import QueueRunner, add_queue_runner
from ossia_core.forks import renewed
from ossia_core.graph.scopes import name_scope
from ossia_core.names import dtypes, errors, logging
from ossia_core.primitives.source import placeholder
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.cast import cast
from ossia_queues.fifo import FIFOQueue
from ossia_queues.shuffle import RandomShuffleQueue
from ossia_summary.scalar import scalar


class RowFeeder:
    """Batches of rows, one after another, for the placeholders of one thread.

    Args:
        placeholders: The placeholders.
        arrays: An array for each, all with as many rows.
        batch_size: How many rows a batch has; the last may have fewer.
        num_epochs: How often each row comes; None for no end.
        start: The row to begin with.
    """

    def __init__(
        self, placeholders: list[Any], arrays: list[np.ndarray], batch_size: int, num_epochs: int | None, start: int = 0
    ) -> None:
        self._placeholders = placeholders
        self._arrays = arrays
        self._batch_size = batch_size
        self._rows = len(arrays[0])
        self._next = start
        self._end = None if num_epochs is None else start + self._rows * num_epochs
        self._lock = renewed(threading.Lock())

    def __call__(self) -> dict[Any, np.ndarray]:
        """What to feed for the next batch; raises OutOfRangeError where there is none."""
        with self._lock:
            first = self._next
            last = first + self._batch_size if self._end is None else min(first + self._batch_size, self._end)
            if first >= last:
                raise errors.OutOfRangeError(None, None, "Already emitted all the epochs.")
            self._next = last
        rows = np.arange(first, last) % self._rows
        return {tensor: array[rows] for tensor, array in zip(self._placeholders, self._arrays)}


class FeedingQueueRunner(QueueRunner):
    """A QueueRunner whose enqueue operations are fed.

    Args:
        queue: The queue.
        enqueue_ops: The operations, each run in a thread.
        feeders: For each a function that returns what to feed.
    """

    def __init__(self, queue: Any, enqueue_ops: list[Any], feeders: list[Callable[[], dict]]) -> None:
        super().__init__(
            queue, enqueue_ops, queue_closed_exception_types=(errors.OutOfRangeError, errors.CancelledError)
        )
        self._feeders = dict(zip(enqueue_ops, feeders))

    def enqueuer(self, sess: Any, enqueue_op: Any) -> Callable[[], Any]:
        """Enqueues the next rows."""
        feeder = self._feeders[enqueue_op]
        return lambda: sess.run(enqueue_op, feed_dict=feeder())


def enqueue_arrays(
    arrays: list[np.ndarray], capacity: int, shuffle: bool, num_threads: int, batch_size: int, num_epochs: int | None,
    numbered: bool = True,
) -> Any:
    """A queue of the rows of arrays, with a runner that fills it in the collection of runners.

    Args:
        arrays: The arrays; the first components of the queue's elements are the numbers of the rows.
        capacity: How many rows the queue holds.
        shuffle: Whether it returns them in random order.
        num_threads: How many threads fill it.
        batch_size: How many rows are enqueued at once.
        num_epochs: How often each row comes; None for no end.
        numbered: Whether to put the numbers before the arrays.
    """
    if numbered:
        arrays = [np.arange(len(arrays[0]), dtype=np.int64), *arrays]
    arrays = [array if array.dtype != object else array.astype(str).astype(object) for array in arrays]
    types = [dtypes.string if a.dtype == object else dtypes.as_dtype(a.dtype) for a in arrays]
    shapes = [array.shape[1:] for array in arrays]
    with name_scope("enqueue_input"):
        kept = capacity // 4 if shuffle else 0
        _warn_of_threads(shuffle, num_threads, num_epochs)
        queue: Any
        if shuffle:
            queue = RandomShuffleQueue(capacity, kept, types, shapes)
        else:
            queue = FIFOQueue(capacity, types, shapes)
        ops: list[Any] = []
        feeders: list[Callable[[], dict]] = []
        for _ in range(num_threads):
            placeholders = [placeholder(kind) for kind in types]
            ops.append(queue.enqueue_many(placeholders))
            start = int(np.random.default_rng().integers(len(arrays[0]))) if shuffle else 0
            feeders.append(RowFeeder(placeholders, arrays, batch_size, num_epochs, start))
        add_queue_runner(FeedingQueueRunner(queue, ops, feeders))
        room = cast(maximum(0, queue.size() - kept), dtypes.float32) * (1.0 / (capacity - kept))
        scalar(f"queue/{queue.name}fraction_over_{kept}_of_{capacity - kept}_full", room)
    return queue


def _warn_of_threads(shuffle: bool, num_threads: int, num_epochs: int | None) -> None:
    if num_threads == 1:
        return
    if num_epochs is not None:
        logging.warning("Each of the %d threads counts epochs by itself, so rows come more often.", num_threads)
    if not shuffle:
        logging.warning("Each of the %d threads reads all rows in order; one thread keeps the order.", num_threads)

"""Batches that are made ahead, in a queue."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.slim.prefetch_queue.prefetch_queue")
def prefetch_queue(
    tensors: Any, capacity: int = 8, num_threads: int = 1, dynamic_pad: bool = False, shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """A queue of tensors that threads fill.

    Args:
      tensors: a list or dict of tensors; of a dict, `dequeue` gives dicts.
      capacity: how many elements it holds.
      num_threads: how many threads fill it.
      dynamic_pad: whether shapes may vary.
      shared_name: name under which sessions share it.
      name: name scope.

    Returns:
      The queue.
    """
    names = None
    if isinstance(tensors, dict):
        names = sorted(tensors.keys())
        values = [tensors[key] for key in names]
    else:
        values = list(tensors)
    with tf.name_scope(name, "prefetch_queue", values):
        dtypes, shapes = [value.dtype for value in values], [value.get_shape() for value in values]
        kind = tf.PaddingFIFOQueue if dynamic_pad else tf.FIFOQueue
        queue = kind(capacity=capacity, dtypes=dtypes, shapes=shapes, names=names, shared_name=shared_name)
        enqueue = queue.enqueue(tensors)
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [enqueue] * num_threads))
        tf.summary.scalar(f"fraction_of_{capacity}_full", tf.cast(queue.size(), tf.float32) * (1.0 / capacity))
        return queue

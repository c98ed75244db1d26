"""Batches of elements of one kind: each goes through the queue of its bucket."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_contrib.framework.conditions import smart_cond
from ossia_core.plugins.api_table import public
from ossia_queues.batching import restored_sparse, stored_sparse

_ENDS = (tf.errors.OutOfRangeError, tf.errors.CancelledError)


def _listed(tensors: Any) -> list[Any]:
    if isinstance(tensors, dict):
        return [tensors[key] for key in sorted(tensors)]
    return list(tensors)


def _per_bucket(value: Any, num_buckets: int, refusal: str) -> list[Any]:
    values = list(value) if isinstance(value, (list, tuple)) else [value] * num_buckets
    if len(values) != num_buckets:
        raise ValueError(refusal)
    return values


def _static(size: Any) -> Any:
    size = tf.convert_to_tensor(size, dtype=tf.int32, name="batch_size")
    known = tf.get_static_value(size)
    return size if known is None else known


@public("contrib.training.bucket")
def bucket(
    tensors: Any, which_bucket: Any, batch_size: Any, num_buckets: int, num_threads: int = 1, capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None, shapes: Any = None, dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False, keep_input: Any = True, shared_name: str | None = None,
    name: str | None = None,
) -> tuple[tf.Tensor, Any]:
    """Batches of elements that are in one bucket, filled by threads.

    Args:
      tensors: a list or dict of tensors, an element.
      which_bucket: the number of its bucket, an int32 scalar.
      batch_size: size of the batches, or one for each bucket.
      num_buckets: how many buckets there are.
      num_threads: how many threads put elements in.
      capacity: how many batches wait at most.
      bucket_capacities: how many elements wait at most in each bucket.
      shapes: shapes of the tensors, if they are not known.
      dynamic_pad: whether elements of one batch are padded to one size.
      allow_smaller_final_batch: whether the last batches may be smaller.
      keep_input: whether the element is taken, a bool.
      shared_name: name under which sessions share the queues.
      name: name scope.

    Returns:
      The number of the bucket, and the batch in the form of `tensors`; of a list of one, the tensor itself.

    Raises:
      ValueError: there are no tensors, or sizes are not as many as buckets.
    """
    sizes = _per_bucket(batch_size, num_buckets, "If batch_size is a list it must have num_buckets elements")
    refusal = f"The list bucket_capacities ({bucket_capacities}) must have exactly {num_buckets} elements."
    capacities = _per_bucket(capacity if bucket_capacities is None else bucket_capacities, num_buckets, refusal)
    given = _listed(tensors)
    if not given:
        raise ValueError("Expected at least one tensor in bucket().")
    with tf.name_scope(name, "bucket", given):
        given = [each if isinstance(each, tf.SparseTensor) else tf.convert_to_tensor(each) for each in given]
        keep_input = tf.convert_to_tensor(keep_input)
        [stored], sparse = stored_sparse([given], enqueue_many=False, keep_input=keep_input)
        sizes = [_static(size) for size in sizes]
        types = [each.dtype for each in stored]
        known = [each.get_shape() for each in stored] if shapes is None else [tf.TensorShape(each) for each in shapes]
        which_bucket = tf.convert_to_tensor(which_bucket, dtype=tf.int32, name="which_bucket")
        kind = tf.PaddingFIFOQueue if dynamic_pad else tf.FIFOQueue
        queues = [
            kind(
                capacity=capacities[number], dtypes=types, shapes=known, name=f"bucket_queue_{number}",
                shared_name=None if shared_name is None else f"{shared_name}_{number}",
            )
            for number in range(num_buckets)
        ]
        same = not allow_smaller_final_batch and all(size is sizes[0] or _equal(size, sizes[0]) for size in sizes)
        first = tf.TensorShape([sizes[0] if same and not isinstance(sizes[0], tf.Tensor) else None])
        top = tf.PaddingFIFOQueue(
            capacity=capacity, dtypes=[tf.int32, *types],
            shapes=[tf.TensorShape([]), *(first.concatenate(each) for each in known)], shared_name=shared_name,
            name="top_queue",
        )

        def enqueued() -> Any:
            into = [
                tf.cond(tf.equal(which_bucket, number), functools.partial(queue.enqueue, stored), tf.no_op)
                for number, queue in enumerate(queues)
            ]
            return tf.group(*into, name="group_enqueues")

        enqueue = smart_cond(keep_input, enqueued, tf.no_op)
        onward = []
        for number, (queue, size) in enumerate(zip(queues, sizes, strict=True)):
            read = queue.dequeue_up_to if allow_smaller_final_batch else queue.dequeue_many
            place = tf.constant(number)
            batch = read(size, name=f"read_bucket_{number}")
            batch = list(batch) if isinstance(batch, (list, tuple)) else [batch]
            onward.append(top.enqueue([place, *batch], name=f"enqueue_from_bucket_{number}"))
        tf.train.add_queue_runner(tf.train.QueueRunner(
            queues[0], onward, close_op=top.close(), cancel_op=top.close(cancel_pending_enqueues=True),
            queue_closed_exception_types=_ENDS,
        ))
        tf.train.add_queue_runner(tf.train.QueueRunner(
            top, [enqueue] * num_threads, close_op=tf.group(*[queue.close() for queue in queues]),
            cancel_op=tf.group(*[queue.close(cancel_pending_enqueues=True) for queue in queues]),
            queue_closed_exception_types=_ENDS,
        ))
        for queue in queues:
            tf.summary.scalar(f"bucket/{queue.name}/size", tf.cast(top.size(), tf.float32))
        tf.summary.scalar(
            f"bucket/{top.name}/fraction_of_{capacity}_full", tf.cast(top.size(), tf.float32) * (1.0 / capacity)
        )
        number, *batch = top.dequeue(name="dequeue_top")
        batch = restored_sparse(batch[0] if len(batch) == 1 else batch, sparse)
        if isinstance(tensors, dict):
            values = batch if isinstance(batch, (list, tuple)) else [batch]
            return number, dict(zip(sorted(tensors), values, strict=True))
        return number, batch


def _equal(first: Any, second: Any) -> bool:
    return not isinstance(first, tf.Tensor) and not isinstance(second, tf.Tensor) and first == second


@public("contrib.training.bucket_by_sequence_length")
def bucket_by_sequence_length(
    input_length: Any, tensors: Any, batch_size: Any, bucket_boundaries: Sequence[int], num_threads: int = 1,
    capacity: int = 32, bucket_capacities: Sequence[int] | None = None, shapes: Any = None, dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False, keep_input: Any = True, shared_name: str | None = None,
    name: str | None = None,
) -> tuple[tf.Tensor, Any]:
    """`bucket` by the length of a sequence.

    Args:
      input_length: the length, an int32 scalar.
      bucket_boundaries: lengths where buckets begin, ascending ints.
      tensors, batch_size, num_threads, capacity, bucket_capacities, shapes, dynamic_pad, allow_smaller_final_batch,
          keep_input, shared_name, name: as for `bucket`.

    Returns:
      The lengths of the batch, and the batch in the form of `tensors`.

    Raises:
      TypeError: the boundaries are no list or tuple of ints.
      ValueError: there are none, they do not ascend, or sizes are not as many as buckets.
    """
    given = _listed(tensors)
    if not isinstance(bucket_boundaries, (list, tuple)):
        raise TypeError(f"bucket_boundaries must be a list or tuple, but received: {bucket_boundaries}")
    if not bucket_boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for before, after in zip(bucket_boundaries[:-1], bucket_boundaries[1:]):
        if not isinstance(before, int) or not isinstance(after, int):
            raise TypeError(f"bucket boundaries must be integers, but saw: {before} and {after}")
        if before >= after:
            raise ValueError(
                f"Buckets must contain sequential increasing lengths, but saw: {before} before {after}"
            )
    with tf.name_scope(name, "bucket_by_sequence_length", [input_length, *given]):
        input_length = tf.convert_to_tensor(input_length, dtype=tf.int32, name="input_length")
        lower = [tf.int32.min, *bucket_boundaries]
        upper = [*bucket_boundaries, tf.int32.max]
        inside = tf.logical_and(tf.less_equal(lower, input_length), tf.less(input_length, upper))
        which = tf.cast(tf.reduce_min(tf.where(inside)), tf.int32)
        which.set_shape([])
        _, found = bucket(
            [input_length, *given], which_bucket=which, batch_size=batch_size,
            num_buckets=len(bucket_boundaries) + 1, num_threads=num_threads, capacity=capacity,
            bucket_capacities=bucket_capacities, shapes=None if shapes is None else [tf.TensorShape([]), *shapes],
            dynamic_pad=dynamic_pad, allow_smaller_final_batch=allow_smaller_final_batch, keep_input=keep_input,
            shared_name=shared_name,
        )
        if isinstance(tensors, dict):
            return found[0], dict(zip(sorted(tensors), found[1:], strict=True))
        return found[0], found[1:]

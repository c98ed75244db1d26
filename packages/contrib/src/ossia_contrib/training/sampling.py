"""Batches of elements that are taken or left at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies

_ROUNDING = 1e-6  # how far a sum of probabilities may be from 1


@public("contrib.training.rejection_sample")
def rejection_sample(
    tensors: Sequence[Any], accept_prob_fn: Callable, batch_size: int, queue_threads: int = 1,
    enqueue_many: bool = False, prebatch_capacity: int = 16, prebatch_threads: int = 1, runtime_checks: bool = False,
    name: str | None = None,
) -> list[tf.Tensor]:
    """Batches of elements, each of which is taken with a probability of its own.

    Args:
      tensors: tensors of an element, or, with `enqueue_many`, of a batch.
      accept_prob_fn: a function of the list of tensors of an element, which returns its probability, a scalar.
      batch_size: size of the batches.
      queue_threads: how many threads put elements in.
      enqueue_many: whether the tensors hold several elements.
      prebatch_capacity: how many elements of a batch wait, with `enqueue_many`.
      prebatch_threads: how many threads take batches apart, with `enqueue_many`.
      runtime_checks: whether it is checked that probabilities are in `[0, 1]`.
      name: name scope.

    Returns:
      The tensors of a batch.
    """
    with tf.name_scope(name, "rejection_sample", list(tensors)):
        tensors = [tf.convert_to_tensor(each) for each in tensors]
        if enqueue_many:
            tensors = _one_by_one(tensors, prebatch_threads, prebatch_capacity)
        probability = tf.convert_to_tensor(accept_prob_fn(tensors))
        probability.get_shape().assert_has_rank(0)
        if runtime_checks:
            checks = [tf.assert_less_equal(0.0, probability), tf.assert_less_equal(probability, 1.0)]
            probability = tf.identity(with_dependencies(checks, probability), name="prob_with_checks")
        return _batches_of_kept(tensors, _drawn(probability), batch_size, queue_threads)


@public("contrib.training.stratified_sample")
def stratified_sample(
    tensors: Sequence[Any], labels: Any, target_probs: Any, batch_size: int, init_probs: Any = None,
    enqueue_many: bool = False, queue_capacity: int = 16, threads_per_queue: int = 1, name: str | None = None,
) -> tuple[list[tf.Tensor], tf.Tensor]:
    """Batches in which the classes are as frequent as wanted: elements of too frequent classes are left out.

    Args:
      tensors: tensors of an element, or, with `enqueue_many`, of a batch.
      labels: the class of the element, or the classes of the batch.
      target_probs: how frequent each class is to be, `[classes]`.
      batch_size: size of the batches.
      init_probs: how frequent each class is, `[classes]`; by default it is counted.
      enqueue_many: whether the tensors hold several elements.
      queue_capacity: how many elements wait before the choice.
      threads_per_queue: how many threads fill each queue.
      name: name scope.

    Returns:
      The tensors of a batch, and its labels.

    Raises:
      ValueError: probabilities, labels or tensors do not fit each other.
    """
    with tf.name_scope(name, "stratified_sample", [*tensors, labels]):
        tensors = [tf.convert_to_tensor(each) for each in tensors]
        labels = tf.convert_to_tensor(labels)
        target_probs = tf.convert_to_tensor(target_probs, dtype=tf.float32)
        if not enqueue_many:
            tensors = [tf.expand_dims(each, 0) for each in tensors]
            labels = tf.expand_dims(labels, 0)
        if init_probs is None:
            init_probs = _counted_frequencies(target_probs.shape.num_elements(), labels)
        else:
            init_probs = tf.convert_to_tensor(init_probs, dtype=tf.float32)
        tensors, labels, (init_probs, target_probs) = _verified(tensors, labels, [init_probs, target_probs])
        accepted = _acceptance(init_probs, target_probs)
        *one, label = _one_by_one([*tensors, labels], threads_per_queue, queue_capacity)
        keep = _drawn(tf.gather(accepted, label))
        *batch, batch_labels = _batches_of_kept([*one, label], keep, batch_size, threads_per_queue)
        return batch, batch_labels


def _listed(tensors: Any) -> list[tf.Tensor]:
    return tensors if isinstance(tensors, list) else [tensors]


def _one_by_one(tensors: Sequence[tf.Tensor], threads: int, capacity: int) -> list[tf.Tensor]:
    rows = tf.train.batch(list(tensors), batch_size=1, num_threads=threads, capacity=capacity, enqueue_many=True)
    return [tf.squeeze(each, [0]) for each in _listed(rows)]


def _drawn(probability: tf.Tensor) -> tf.Tensor:
    return tf.less(tf.random_uniform([]), probability)


def _batches_of_kept(tensors: Sequence[tf.Tensor], keep: tf.Tensor, size: int, threads: int) -> list[tf.Tensor]:
    return _listed(tf.train.maybe_batch(list(tensors), keep, batch_size=size, num_threads=threads))


def _counted_frequencies(num_classes: int, labels: tf.Tensor) -> tf.Tensor:
    """How frequent each class was up to now, counted in a variable."""
    start = [10] * num_classes  # so that the first labels do not weigh too much
    counts = tf.Variable(start, trainable=False, name="class_count", dtype=tf.int64)
    seen = tf.reduce_sum(tf.one_hot(labels, num_classes, dtype=tf.int64), 0)
    total = tf.assign_add(counts, seen) + 0
    return tf.cast(total / tf.reduce_sum(total), tf.float32)


def _verified(tensors: Any, labels: tf.Tensor, probabilities: list[tf.Tensor]) -> tuple[list, tf.Tensor, list]:
    classes = []
    for index, each in enumerate(probabilities):
        each.get_shape().assert_has_rank(1)
        each.get_shape().assert_is_fully_defined()
        total = tf.reduce_sum(each)
        not_negative = tf.assert_non_negative(each)
        sums = [tf.assert_less(total, 1.0 + _ROUNDING), tf.assert_less(1.0 - _ROUNDING, total)]
        probabilities[index] = with_dependencies([not_negative, *sums], each)
        classes.append(each.shape[0].value)
    if len(set(classes)) > 1:
        raise ValueError(f"Dimensions of init_probs and target_probs must match, but they have {classes} classes")
    labels.get_shape().assert_has_rank(1)
    rows = tf.shape(labels)[0]
    positive = tf.assert_positive(rows)
    labels = with_dependencies([positive], labels)
    tensors = [with_dependencies([positive, tf.assert_equal(tf.shape(each)[0], rows)], each) for each in tensors]
    labels = with_dependencies([
        tf.assert_integer(labels), tf.assert_non_negative(labels),
        tf.assert_less(labels, tf.cast(classes[0], labels.dtype)),
    ], labels)
    return tensors, labels, probabilities


def _acceptance(init_probs: tf.Tensor, target_probs: tf.Tensor) -> tf.Tensor:
    """With which probability an element of each class is taken: the ratio of the frequencies, up to 1."""
    reachable = tf.reduce_all(tf.logical_or(tf.not_equal(init_probs, 0.0), tf.equal(target_probs, 0.0)))
    init_probs = with_dependencies([tf.Assert(reachable, [
        "All classes with zero initial probability must also have zero target probability: ", init_probs, target_probs,
    ])], init_probs)
    ratio = target_probs / init_probs
    ratio = tf.where_v2(tf.is_nan(ratio), tf.zeros_like(ratio), ratio)
    accepted = ratio / tf.reduce_max(ratio)
    rejected = tf.reduce_sum((1.0 - accepted) * init_probs)
    return tf.cond(
        tf.less(rejected, 0.5), lambda: accepted,
        lambda: tf.Print(accepted, [accepted], "Proportion of examples rejected by sampler is high.", first_n=10),
    )

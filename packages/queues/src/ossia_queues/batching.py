"""Where input pipelines end: elements of one or more threads, collected to batches in a queue."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ossia_coordination.queue_runner import QueueRunner, add_queue_runner
from ossia_core.declare.builders import builder
from ossia_core.declare.shape_rules import constant
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import colocate_with, name_scope
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_core.primitives.source import no_op
from ossia_queues import sparse_store
from ossia_queues.fifo import FIFOQueue
from ossia_queues.padding import PaddingFIFOQueue
from ossia_queues.producers import summarise_fullness
from ossia_queues.queue_base import QueueBase
from ossia_queues.shuffle import RandomShuffleQueue

# -- what is put in -----------------------------------------------------------------------------------------


def _as_list(tensors: Any) -> Any:
    """The tensors of a dict in the order of their keys."""
    return [tensors[key] for key in sorted(tensors, key=str)] if isinstance(tensors, dict) else tensors


def _as_lists(tensors_list: Any) -> list:
    if not tensors_list:
        raise ValueError("Expected at least one set of tensors")
    if isinstance(tensors_list[0], dict):
        keys = set(tensors_list[0])
        if any(set(tensors) != keys for tensors in tensors_list[1:]):
            raise ValueError("All dictionaries in tensors_list must have the same keys")
    return [_as_list(tensors) for tensors in tensors_list]


def _like(original: Any, tensors: Any) -> Any:
    """What was taken out, in the form of what was put in."""
    if isinstance(original, dict):
        if len(original) == 1:
            return {next(iter(original)): tensors}
        return dict(zip(sorted(original, key=str), tensors, strict=True))
    return tensors


def _converted(tensors: Any) -> list:
    return [t if isinstance(t, SparseTensor) else convert_to_tensor(t) for t in tensors]


def _checked_keep(keep_input: Any, enqueue_many: bool) -> Any:
    keep_input = convert_to_tensor(keep_input)
    if keep_input.shape.ndims is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if not enqueue_many and keep_input.shape.ndims == 1:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if keep_input.shape.ndims > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep_input


def _if_kept(keep_input: Any, kept: Callable[[], Any], dropped: Callable[[], Any]) -> Any:
    """`tf.cond`, decided now where `keep_input` is known."""
    known = constant(keep_input)
    if known is None:
        return builder("cond")(keep_input, kept, dropped)
    return kept() if known else dropped()


class SparseComponent:
    """How a component that is a sparse tensor passes through the queue."""

    def __init__(self, tensor: SparseTensor, enqueue_many: bool) -> None:
        rank = tensor.dense_shape.shape.with_rank(1)[0]
        self.dtype = tensor.dtype
        self.rank = None if rank.value is None else rank.value + (0 if enqueue_many else 1)
        self.map_op: Any = None


def stored_sparse(
    lists: list[list], enqueue_many: bool, keep_input: Any
) -> tuple[list[list], list[SparseComponent | None]]:
    """The lists with the numbers of sparse tensors in their place, and which components these are."""
    if not any(isinstance(t, SparseTensor) for tensors in lists for t in tensors):
        return lists, [None] * len(lists[0])
    for tensors in lists:
        if [isinstance(t, SparseTensor) for t in tensors] != [isinstance(t, SparseTensor) for t in lists[0]]:
            raise ValueError(f"Inconsistent SparseTensors list: {lists[0]} vs. {tensors}")
    infos = [SparseComponent(t, enqueue_many) if isinstance(t, SparseTensor) else None for t in lists[0]]
    return [
        [_numbers(t, info, enqueue_many, keep_input) for t, info in zip(tensors, infos)] for tensors in lists
    ], infos


def _numbers(tensor: Any, info: SparseComponent | None, enqueue_many: bool, keep_input: Any) -> Any:
    if info is None:
        return tensor
    store = (
        sparse_store.add_many_sparse_to_tensors_map_op if enqueue_many else sparse_store.add_sparse_to_tensors_map_op
    )
    # The numbers of all threads come from one table, that of the first op.
    shared = info.map_op.name if info.map_op is not None else ""

    def number(tensor: SparseTensor) -> Any:
        made = store(tensor.indices, tensor.values, tensor.dense_shape, shared_name=shared)
        if info.map_op is None:
            info.map_op = made.op
        return made

    if keep_input.shape.ndims == 1:
        numbers = number(_kept_rows(tensor, keep_input))
    else:
        nothing = [-1] if enqueue_many else -1
        numbers = _if_kept(keep_input, lambda: number(tensor), lambda: builder("constant")(nothing, dtype=dtypes.int64))
    return builder("expand_dims")(numbers, [-1])


def _kept_rows(tensor: SparseTensor, keep: Any) -> SparseTensor:
    """A sparse tensor whose rows are empty where `keep` is false; the queue then drops these rows."""
    gather = builder("gather")
    kept = builder("reshape")(builder("where")(gather(keep, tensor.indices[:, 0])), [-1])
    return SparseTensor(
        gather(tensor.indices, kept), gather(tensor.values, kept), builder("identity")(tensor.dense_shape)
    )


def restored_sparse(tensors: Any, infos: list[SparseComponent | None]) -> Any:
    """What was taken out with the sparse tensors in the place of their numbers."""
    if not any(infos):
        return tensors
    taken = tensors if isinstance(tensors, list) else [tensors]
    parts = [[t] if info is None else _taken(t, info) for t, info in zip(taken, infos, strict=True)]
    flat = [t for part in parts for t in part]
    ops = list(dict.fromkeys(t.op for t in flat))
    # All are there before any is used, so that none is left behind.
    together = [with_dependencies([other for other in ops if other is not t.op], t) for t in flat]
    # One sparse tensor alone is complete as it is.
    found = iter(flat if len(parts) == 1 else together)
    made = []
    for part, info in zip(parts, infos):
        tensors = [next(found) for _ in part]
        if info is None:
            made.append(tensors[0])
        else:
            sparse = SparseTensor(*tensors)
            if info.rank is not None:
                sparse.indices.set_shape([None, info.rank])
                sparse.dense_shape.set_shape([info.rank])
            made.append(sparse)
    return made[0] if len(made) == 1 else made


def _taken(numbers: Any, info: SparseComponent) -> list:
    numbers = builder("squeeze")(numbers, [1])
    with colocate_with(info.map_op):
        taken = sparse_store.take_many_sparse_from_tensors_map_op(
            numbers, dtype=info.dtype, shared_name=info.map_op.get_attr("shared_name") or info.map_op.name
        )
    if info.rank is not None:
        taken[0].set_shape([None, info.rank])
        taken[2].set_shape([info.rank])
    return list(taken)


def _types(lists: list[list]) -> list:
    types = [t.dtype for t in lists[0]]
    for tensors in lists[1:]:
        others = [t.dtype for t in tensors]
        if others != types:
            raise TypeError(
                f"Expected types to be consistent: {', '.join(t.name for t in types)} vs. "
                f"{', '.join(t.name for t in others)}."
            )
    return types


def _shapes(lists: list[list], shapes: Any, enqueue_many: bool) -> Any:
    """The shapes of the components: those of the first list, which the others' have to be compatible with."""
    if shapes is not None:
        return shapes
    found = []
    for i in range(len(lists[0])):
        candidates = [tensors[i].shape for tensors in lists]
        if any(shape.ndims is None for shape in candidates):
            unknown = next(tensors[i] for tensors in lists if tensors[i].shape.ndims is None)
            raise ValueError(f"Cannot infer Tensor's rank: {unknown}")
        if enqueue_many:
            candidates = [shape.with_rank_at_least(1)[1:] for shape in candidates]
        for shape in candidates[1:]:
            candidates[0].merge_with(shape)
        found.append(candidates[0])
    return found


def _enqueue(queue: QueueBase, lists: list[list], threads: int, enqueue_many: bool, keep_input: Any) -> None:
    """Adds a QueueRunner with one thread for each list, or several for one."""
    put = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep_input.shape.ndims == 1:
        ops = [put(_selected(tensors, keep_input)) for tensors in lists]
    else:
        ops = [_if_kept(keep_input, functools.partial(put, tensors), no_op) for tensors in lists]
    add_queue_runner(QueueRunner(queue, ops * threads))


def _selected(tensors: list, keep_input: Any) -> list:
    """The rows for which `keep_input` is true."""
    parts = builder("cast")(keep_input, dtypes.int32)
    return [builder("dynamic_partition")(tensor, parts, num_partitions=2)[1] for tensor in tensors]


class _Pipeline:
    """What all batching functions do with their queue."""

    def __init__(self, lists: list[list], keep_input: Any, enqueue_many: bool) -> None:
        self.lists = [_converted(tensors) for tensors in lists]
        if not self.lists[0]:
            raise ValueError("Expected at least one tensor in batch().")
        self.enqueue_many = enqueue_many
        self.keep_input = _checked_keep(keep_input, enqueue_many)
        self.lists, self.infos = stored_sparse(self.lists, enqueue_many, self.keep_input)

    def queue(self, dynamic_pad: bool, capacity: int, shapes: Any, shared_name: str | None) -> QueueBase:
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        types = _types(self.lists)
        return kind(
            capacity=capacity,
            dtypes=types,
            shapes=_shapes(self.lists, shapes, self.enqueue_many),
            shared_name=shared_name,
        )

    def shuffle_queue(
        self, capacity: int, least: int, seed: int | None, shapes: Any, shared_name: str | None
    ) -> QueueBase:
        types = _types(self.lists)
        return RandomShuffleQueue(
            capacity=capacity,
            min_after_dequeue=least,
            seed=seed,
            dtypes=types,
            shapes=_shapes(self.lists, shapes, self.enqueue_many),
            shared_name=shared_name,
        )

    def fill(self, queue: QueueBase, threads: int = 1) -> None:
        _enqueue(queue, self.lists, threads, self.enqueue_many, self.keep_input)

    def taken(self, queue: QueueBase, batch_size: Any, allow_smaller: bool, name: str) -> Any:
        take = queue.dequeue_up_to if allow_smaller else queue.dequeue_many
        return restored_sparse(take(batch_size, name=name), self.infos)


def _batch(
    lists: list[list], scope_name: str | None, default_name: str, keep_input: Any, batch_size: Any, threads: int,
    capacity: int, enqueue_many: bool, shapes: Any, dynamic_pad: bool, allow_smaller_final_batch: bool,
    shared_name: str | None,
) -> Any:
    with name_scope(scope_name, default_name, [t for tensors in lists for t in tensors] + [keep_input]) as scope:
        pipeline = _Pipeline(lists, keep_input, enqueue_many)
        queue = pipeline.queue(dynamic_pad, capacity, shapes, shared_name)
        pipeline.fill(queue, threads)
        summarise_fullness(f"fraction_of_{capacity}_full", queue.size(), capacity)
        return pipeline.taken(queue, batch_size, allow_smaller_final_batch, scope)


def _shuffle_batch(
    lists: list[list], scope_name: str | None, default_name: str, keep_input: Any, batch_size: Any, threads: int,
    capacity: int, min_after_dequeue: int, seed: int | None, enqueue_many: bool, shapes: Any,
    allow_smaller_final_batch: bool, shared_name: str | None,
) -> Any:
    with name_scope(scope_name, default_name, [t for tensors in lists for t in tensors] + [keep_input]) as scope:
        if capacity <= min_after_dequeue:
            raise ValueError(f"capacity {capacity} must be bigger than min_after_dequeue {min_after_dequeue}.")
        pipeline = _Pipeline(lists, keep_input, enqueue_many)
        queue = pipeline.shuffle_queue(capacity, min_after_dequeue, seed, shapes, shared_name)
        pipeline.fill(queue, threads)
        spare = capacity - min_after_dequeue
        above = builder("maximum")(0, queue.size() - min_after_dequeue)
        summarise_fullness(f"fraction_over_{min_after_dequeue}_of_{spare}_full", above, spare)
        return pipeline.taken(queue, batch_size, allow_smaller_final_batch, scope)


# -- the public functions -----------------------------------------------------------------------------------


@public("train.batch")
def batch(
    tensors: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Batches of elements, which threads of a QueueRunner compute and put into a queue.

    Args:
        tensors: The components of an element: a list or dict of tensors.
        batch_size: How many elements make a batch.
        num_threads: How many threads compute elements.
        capacity: How many elements the queue holds at most.
        enqueue_many: Whether the tensors are several elements, stacked.
        shapes: The shapes of the components of an element, where they are not known.
        dynamic_pad: Whether elements may differ in size; a batch is filled up with zeros.
        allow_smaller_final_batch: Whether what is left at the end is a batch, too.
        shared_name: Of the queue.
        name: Name scope.

    Returns:
        The components of a batch in the form of `tensors`; of a list of one, the tensor itself. Running it raises
        OutOfRangeError at the end of the input.

    Raises:
        ValueError: There are no tensors, or a shape is not known.
    """
    return maybe_batch(
        tensors, True, batch_size, num_threads, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch,
        shared_name, name,
    )  # fmt: skip


@public("train.maybe_batch")
def maybe_batch(
    tensors: Any, keep_input: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Like `batch`, of those elements for which `keep_input` is true.

    Args:
        tensors: As the other arguments, for `batch`.
        keep_input: A boolean scalar, or, with `enqueue_many`, a vector of one per element.

    Raises:
        ValueError: `keep_input` is something else; and as `batch` does.
    """
    taken = _batch(
        [_as_list(tensors)], name, "batch", keep_input, batch_size, num_threads, capacity, enqueue_many, shapes,
        dynamic_pad, allow_smaller_final_batch, shared_name,
    )  # fmt: skip
    return _like(tensors, taken)


@public("train.batch_join")
def batch_join(
    tensors_list: Any, batch_size: Any, capacity: int = 32, enqueue_many: bool = False, shapes: Any = None,
    dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Like `batch`, of the elements of several inputs, each computed in a thread of its own.

    Args:
        tensors_list: A list of what `batch` takes as `tensors`, one for each thread.
        batch_size: As the other arguments, for `batch`.

    Raises:
        ValueError, TypeError: The inputs do not agree in their keys, shapes or types; and as `batch` does.
    """
    return maybe_batch_join(
        tensors_list, True, batch_size, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch,
        shared_name, name,
    )


@public("train.maybe_batch_join")
def maybe_batch_join(
    tensors_list: Any, keep_input: Any, batch_size: Any, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Like `batch_join`, of those elements for which `keep_input` is true; see `maybe_batch`."""
    taken = _batch(
        _as_lists(tensors_list), name, "batch_join", keep_input, batch_size, 1, capacity, enqueue_many, shapes,
        dynamic_pad, allow_smaller_final_batch, shared_name,
    )  # fmt: skip
    return _like(tensors_list[0], taken)


@public("train.shuffle_batch")
def shuffle_batch(
    tensors: Any, batch_size: Any, capacity: int, min_after_dequeue: int, num_threads: int = 1, seed: int | None = None,
    enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Like `batch`, of elements in random order.

    Args:
        tensors: As the other arguments, for `batch`.
        batch_size: How many elements make a batch.
        capacity: How many elements the queue holds at most.
        min_after_dequeue: How many stay in the queue, to choose from.
        seed: A seed for the order.

    Raises:
        ValueError: `capacity` is not larger than `min_after_dequeue`; and as `batch` does.
    """
    return maybe_shuffle_batch(
        tensors, batch_size, capacity, min_after_dequeue, True, num_threads, seed, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@public("train.maybe_shuffle_batch")
def maybe_shuffle_batch(
    tensors: Any, batch_size: Any, capacity: int, min_after_dequeue: int, keep_input: Any, num_threads: int = 1,
    seed: int | None = None, enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Like `shuffle_batch`, of those elements for which `keep_input` is true; see `maybe_batch`."""
    taken = _shuffle_batch(
        [_as_list(tensors)], name, "shuffle_batch", keep_input, batch_size, num_threads, capacity, min_after_dequeue,
        seed, enqueue_many, shapes, allow_smaller_final_batch, shared_name,
    )  # fmt: skip
    return _like(tensors, taken)


@public("train.shuffle_batch_join")
def shuffle_batch_join(
    tensors_list: Any, batch_size: Any, capacity: int, min_after_dequeue: int, seed: int | None = None,
    enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Like `batch_join`, of elements in random order; see `shuffle_batch`."""
    return maybe_shuffle_batch_join(
        tensors_list, batch_size, capacity, min_after_dequeue, True, seed, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@public("train.maybe_shuffle_batch_join")
def maybe_shuffle_batch_join(
    tensors_list: Any, batch_size: Any, capacity: int, min_after_dequeue: int, keep_input: Any, seed: int | None = None,
    enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Like `shuffle_batch_join`, of those elements for which `keep_input` is true; see `maybe_batch`."""
    taken = _shuffle_batch(
        _as_lists(tensors_list), name, "shuffle_batch_join", keep_input, batch_size, 1, capacity, min_after_dequeue,
        seed, enqueue_many, shapes, allow_smaller_final_batch, shared_name,
    )  # fmt: skip
    return _like(tensors_list[0], taken)

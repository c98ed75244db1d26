"""`training.input`: sparse tensors on their way through the queue of a batch."""

from __future__ import annotations

from typing import Any

from ossia_queues import batching

_restore_sparse_tensors = batching.restored_sparse


def _store_sparse_tensors(
    tensor_list: list[Any], enqueue_many: bool, keep_input: Any, shared_map_ops: Any = None
) -> tuple[list[Any], list[Any]]:
    """The tensors with numbers in the place of sparse ones, and what is needed to get those back."""
    lists, infos = batching.stored_sparse([tensor_list], enqueue_many, keep_input)
    return lists[0], infos


def _store_sparse_tensors_join(
    tensor_list_list: list[list[Any]], enqueue_many: bool, keep_input: Any
) -> tuple[list[list[Any]], list[Any]]:
    """`_store_sparse_tensors` of several lists whose sparse tensors share tables."""
    return batching.stored_sparse(tensor_list_list, enqueue_many, keep_input)

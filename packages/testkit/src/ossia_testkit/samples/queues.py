"""Samples of the ops on queues: each makes a queue, fills it and takes from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, steps


class _Queue:
    """A queue in one of the two forms, and the ops on it by name: `EnqueueMany(...)`."""

    def __init__(self, by_handle: bool, kind: str = "FIFOQueue", types: Any = ("float",), **options: Any) -> None:
        import ossia as tf

        self.ops, self.suffix, self.types = tf.raw_ops, "V2" if by_handle else "", list(types)
        taken = {} if kind == "PriorityQueue" else {"component_types": self.types}
        self.handle = getattr(self.ops, kind + self.suffix)(**taken, **options)
        if kind == "PriorityQueue":
            self.types = ["int64", *self.types]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def build(**inputs: Any) -> Any:
            if name.startswith("Dequeue"):
                inputs["component_types"] = self.types
            return getattr(self.ops, f"Queue{name}{self.suffix}")(handle=self.handle, **inputs)

        return build


def _in_both(name: str, **table: Callable[..., Any]) -> None:
    """Adds stories that take the form (by handle or not) to both forms of an op."""
    for by_handle, suffix in ((False, ""), (True, "V2")):
        lookup(name + suffix).samples(**{reason: _story(make, by_handle) for reason, make in table.items()})


def _story(make: Callable[..., Any], by_handle: bool) -> Steps:
    if make.__code__.co_argcount == 1:
        return steps(lambda: make(by_handle))
    return steps(lambda given: make(by_handle, given))


_THREE = np.array([1, 2, 3], np.float32)


# -- one by one ---------------------------------------------------------------------------------------------


def _in_order(by_handle: bool, given: Any) -> Any:
    queue = _Queue(by_handle, types=["float", "string"], shapes=[[2], []], capacity=3)
    yield queue.Enqueue(components=[given(np.array([1, 2], np.float32)), given(b"first")])
    yield queue.Enqueue(components=[given(np.array([3, 4], np.float32)), given(b"second")])
    yield queue.Size()
    yield queue.Close()
    for _ in range(3):  # the third finds nothing
        yield queue.Dequeue()


def _any_shape(by_handle: bool, given: Any) -> Any:
    queue = _Queue(by_handle, types=["int32"])
    yield queue.Enqueue(components=[given(np.array([[1, 2]], np.int32))])
    yield queue.Enqueue(components=[given(np.int32(3))])
    yield queue.Close()
    yield from (queue.Dequeue(), queue.Dequeue())


def _enqueued(value: Any, shapes: Any = ((2,),), many: bool = False, types: Any = ("float",)) -> Callable[..., Any]:
    def enqueued(by_handle: bool, given: Any) -> Any:
        queue = _Queue(by_handle, types=types, shapes=shapes, capacity=4)
        values = [given(item) for item in (value if isinstance(value, list) else [value])]
        yield queue.EnqueueMany(components=values) if many else queue.Enqueue(components=values)
        yield queue.Size()

    return enqueued


def _enqueued_after_close(by_handle: bool, given: Any) -> Any:
    queue = _Queue(by_handle)
    yield queue.Close()
    yield queue.Enqueue(components=[given(np.float32(1))])


def _too_late(by_handle: bool) -> Any:
    queue = _Queue(by_handle, capacity=1)
    yield queue.Enqueue(components=[1.0])
    yield queue.Enqueue(components=[2.0], timeout_ms=50)


def _dequeued_other_types(by_handle: bool) -> Any:
    queue = _Queue(by_handle)
    yield queue.Enqueue(components=[1.0])
    queue.types = ["int32"]
    yield queue.Dequeue()


def _dequeued_too_many_types(by_handle: bool) -> Any:
    queue = _Queue(by_handle)
    yield queue.Enqueue(components=[1.0])
    queue.types = ["float", "float"]
    yield queue.Dequeue()


_in_both(
    "QueueDequeue",
    refused_end=_in_order,
    any_shape=_any_shape,
    refused_types=_dequeued_other_types,
    refused_count=_dequeued_too_many_types,
)
_in_both(
    "QueueEnqueue",
    fits=_enqueued(np.array([1, 2], np.float32)),
    refused_shape=_enqueued(_THREE),
    refused_rank=_enqueued(np.float32(1)),
    refused_type=_enqueued(np.array([1, 2], np.int32)),
    refused_count=_enqueued([np.ones(2, np.float32), np.ones(2, np.float32)]),
    refused_closed=_enqueued_after_close,
    refused_timeout=_too_late,
)


# -- several at once ----------------------------------------------------------------------------------------


def _many(by_handle: bool, given: Any) -> Any:
    queue = _Queue(by_handle, types=["float", "int64"], shapes=[[], [2]])
    yield queue.EnqueueMany(components=[given(_THREE), given(np.arange(6).reshape(3, 2))])
    yield queue.Size()
    yield queue.DequeueMany(n=2)
    yield queue.DequeueMany(n=0)
    yield queue.Close()
    yield queue.DequeueUpTo(n=4)
    yield queue.DequeueUpTo(n=4)


def _dequeued(what: str, n: Any, shapes: Any = ((),), left: int = 3) -> Callable[..., Any]:
    def dequeued(by_handle: bool, given: Any) -> Any:
        queue = _Queue(by_handle, shapes=shapes)
        if left:
            yield queue.EnqueueMany(components=[_THREE[:left]])
        yield queue.Close()
        yield getattr(queue, what)(n=given(np.array(n, np.int32)))
        yield queue.Size()

    return dequeued


_in_both(
    "QueueEnqueueMany",
    refused_end=_many,
    none=_enqueued(np.zeros((0, 2), np.float32), many=True),
    refused_scalar=_enqueued(np.float32(1), shapes=[[]], many=True),
    refused_shape=_enqueued(np.ones((2, 3), np.float32), many=True),
    refused_lengths=_enqueued(
        [np.ones((2, 2), np.float32), np.ones((3, 2), np.float32)], [[2], [2]], True, ["float", "float"]
    ),
    refused_type=_enqueued(np.ones((2, 2), np.float64), many=True),
)
for _what in ("DequeueMany", "DequeueUpTo"):
    _in_both(
        f"Queue{_what}",
        some=_dequeued(_what, 2),
        none=_dequeued(_what, 0),
        refused_negative=_dequeued(_what, -1),
        vector=_dequeued(_what, [1]),
        refused_closed=_dequeued(_what, 1, left=0),
        refused_shapeless=_dequeued(_what, 1, shapes=[], left=0),
    )
_in_both("QueueDequeueMany", refused_few=_dequeued("DequeueMany", 5), refused_huge=_dequeued("DequeueMany", 2**31 - 1))
_in_both("QueueDequeueUpTo", few=_dequeued("DequeueUpTo", 5), huge=_dequeued("DequeueUpTo", 2**31 - 1))


# -- closing, and what a queue is ---------------------------------------------------------------------------


def _closed(cancel: bool) -> Callable[..., Any]:
    def closed(by_handle: bool) -> Any:
        queue = _Queue(by_handle)
        yield queue.IsClosed()
        yield queue.Enqueue(components=[1.0])
        yield queue.Close(cancel_pending_enqueues=cancel)
        yield [queue.IsClosed(), queue.Size()]
        yield queue.Close(cancel_pending_enqueues=True)
        yield queue.Dequeue()

    return closed


_in_both("QueueClose", once=_closed(False), cancelling=_closed(True))


def _shared(**other: Any) -> Callable[..., Any]:
    """Two makers of one shared queue; the second wants another one."""

    def shared(by_handle: bool) -> Any:
        options: dict[str, Any] = {"types": ["float"], "shapes": [[2]], "capacity": 3, "shared_name": "shared"}
        yield _Queue(by_handle, **options).Size()
        yield _Queue(by_handle, **{**options, **other}).Size()

    return shared


_in_both(
    "FIFOQueue",
    shared=_shared(),
    refused_types=_shared(types=["int32"]),
    refused_shape=_shared(shapes=[[3]]),
    refused_capacity=_shared(capacity=4),
    refused_kind=_shared(kind="PaddingFIFOQueue"),
    refused_shapes=_shared(shapes=[[2], [2]]),
)
_in_both("QueueSize", no_capacity=lambda by_handle: iter([_Queue(by_handle, capacity=0).Size()]))


# -- the other kinds ----------------------------------------------------------------------------------------


def _padded(by_handle: bool, given: Any) -> Any:
    queue = _Queue(by_handle, "PaddingFIFOQueue", ["int32", "string"], shapes=[[None], [None, 1]])
    yield queue.Enqueue(components=[given(np.array([1, 2], np.int32)), given([[b"a"]])])
    yield queue.Enqueue(components=[given(np.array([], np.int32)), given([[b"b"], [b"cc"]])])
    yield queue.EnqueueMany(components=[given(np.array([[7, 8, 9]], np.int32)), given([[[b"x"]]])])
    yield queue.Close()
    yield queue.DequeueMany(n=2)
    yield queue.DequeueUpTo(n=3)


def _padded_wrongly(by_handle: bool, given: Any) -> Any:
    queue = _Queue(by_handle, "PaddingFIFOQueue", ["int32"], shapes=[[None, 2]])
    yield queue.Enqueue(components=[given(np.array([[1, 2, 3]], np.int32))])


def _by_priority(by_handle: bool, given: Any) -> Any:
    queue = _Queue(by_handle, "PriorityQueue", ["string"], shapes=[[]])
    yield queue.EnqueueMany(components=[given(np.array([3, -1, 2, -1])), given([b"c", b"a", b"b", b"a2"])])
    yield queue.Enqueue(components=[given(np.int64(0)), given(b"zero")])
    yield queue.Close()
    yield queue.DequeueMany(n=3)
    yield queue.Dequeue()
    yield queue.DequeueUpTo(n=9)


def _bad_priority(priority: Any) -> Callable[..., Any]:
    def bad(by_handle: bool, given: Any) -> Any:
        queue = _Queue(by_handle, "PriorityQueue", ["string"], shapes=[[]])
        yield queue.Enqueue(components=[given(priority), given(b"a")])

    return bad


def _shuffled(by_handle: bool) -> Any:
    queue = _Queue(
        by_handle, "RandomShuffleQueue", ["int32"], shapes=[[]], seed=3, seed2=5, min_after_dequeue=2, capacity=10
    )
    yield queue.EnqueueMany(components=[np.arange(8, dtype=np.int32)])
    yield queue.Dequeue()
    yield queue.DequeueMany(n=4)
    yield queue.Size()
    yield queue.Close()
    yield queue.DequeueUpTo(n=9)
    yield queue.Dequeue()


_in_both("PaddingFIFOQueue", padded=_padded, refused_inner=_padded_wrongly)
_in_both(
    "PriorityQueue",
    refused_end=_by_priority,
    refused_type=_bad_priority(np.int32(1)),
    refused_vector=_bad_priority(np.array([1])),
)
_in_both("RandomShuffleQueue", refused_end=_shuffled)
lookup("RandomShuffleQueueV2").samples(
    refused_minimum=steps(lambda: iter([_Queue(True, "RandomShuffleQueue", capacity=2, min_after_dequeue=5).Size()]))
)
lookup("QueueIsClosed").samples(once=lookup("QueueClose").sample_table["once"])


def _by_reference() -> Any:
    import ossia as tf

    queue = _Queue(True, shapes=[[]], capacity=3)
    handle = tf.raw_ops.FakeQueue(resource=queue.handle)
    yield tf.raw_ops.QueueEnqueue(handle=handle, components=[tf.constant(1.0)])
    yield [tf.raw_ops.QueueSize(handle=handle), queue.Size()]
    yield tf.raw_ops.QueueDequeue(handle=handle, component_types=["float"])


lookup("FakeQueue").samples(by_reference=steps(_by_reference))

"""`tf.RandomShuffleQueue`: elements in random order."""
from __future__ import annotations

import hashlib
from typing import Any

from ossia_core.declare.opdef import op, sample
from ossia_core.graph.seeds import get_seed
from ossia_core.names import errors
from ossia_core.plugins.api_table import public
from ossia_ops.random.samplers.philox import Philox, WordReader
from ossia_queues.queue_base import QueueBase, name_list, shape_list, type_list
from ossia_queues.queue_ops import declare_maker, shared_queue
from ossia_queues.waiting import BlockingQueue, Element


class Shuffled(BlockingQueue):
    """Elements taken out at random; `min_after_dequeue` of them stay, to choose from, until the queue is closed."""

    kind = "RandomShuffleQueue"

    def __init__(self, *args: Any, min_after_dequeue: int, seed: int, seed2: int) -> None:
        super().__init__(*args)
        self._elements: list[Element] = []
        self._min_after_dequeue = min_after_dequeue
        self._seeds = seed, seed2
        self._words = WordReader(Philox.from_seeds(seed, seed2))

    def stored(self) -> int:
        return len(self._elements)

    def takeable(self) -> int:
        return len(self._elements) - (0 if self.closed else self._min_after_dequeue)

    def push(self, element: Element) -> None:
        self._elements.append(element)

    def pop(self) -> Element:
        return self.pop_several(1)[0]

    def pop_several(self, count: int) -> list[Element]:
        elements, found = self._elements, []
        for word in self._words.take(count).tolist():
            chosen = word % len(elements)
            elements[chosen], elements[-1] = elements[-1], elements[chosen]
            found.append(elements.pop())
        return found

    def give_back(self, elements: list[Element]) -> None:
        self._elements.extend(reversed(elements))

    def check_same(self, other: Any, op_type: str) -> None:
        super().check_same(other, op_type)
        for what, mine, asked, theirs in (
            ("min_after_dequeue", self._min_after_dequeue, "min_after_dequeue was", other._min_after_dequeue),
            ("random seeds", self._seeds, "seeds are", other._seeds),
        ):
            if mine != theirs and theirs != (0, 0):
                raise errors.InvalidArgumentError(
                    None, None, f"Shared queue '{self.name}' has {what} {mine} but requested {asked} {theirs}."
                )


_ATTRS = {
    "component_types": "list(type) >= 1",
    "shapes": "list(shape) >= 0 = []",
    "capacity": "int32 = -1",
    "min_after_dequeue": "int32 = 0",
    "seed": "int = 0",
    "seed2": "int = 0",
    "container": "string = ''",
    "shared_name": "string = ''",
}
random_shuffle_queue_op = op("RandomShuffleQueue() -> handle: Ref(string)", stateful=True, **_ATTRS)
random_shuffle_queue_v2_op = op("RandomShuffleQueueV2() -> handle: resource", stateful=True, **_ATTRS)


def _make(node: Any, session: Any) -> BlockingQueue:
    attrs = node.attrs
    capacity, least = attrs["capacity"], attrs["min_after_dequeue"]
    if least < 0:
        raise errors.InvalidArgumentError(None, node, f"min_after_dequeue {least} must be >= 0")
    if 0 <= capacity <= least:
        raise errors.InvalidArgumentError(None, node, f"min_after_dequeue {least} must be < capacity {capacity}")
    return shared_queue(
        lambda name: Shuffled(
            capacity,
            attrs["component_types"],
            attrs["shapes"] or None,
            name,
            min_after_dequeue=least,
            seed=attrs["seed"],
            seed2=attrs["seed2"],
        ),
        node,
        session,
    )


declare_maker(
    random_shuffle_queue_op,
    random_shuffle_queue_v2_op,
    _make,
    sample(component_types=["float"], capacity=2, seed=1, seed2=2, shared_name="shared"),
)


@public("RandomShuffleQueue", "io.RandomShuffleQueue", "queue.RandomShuffleQueue")
class RandomShuffleQueue(QueueBase):
    """A queue that gives elements in random order.

    Args:
        capacity: How many elements it holds at most.
        min_after_dequeue: How many stay in the queue, to choose from; the more, the better it shuffles.
        dtypes: The type of the component, or a list of the types of the components.
        shapes: Their shapes, fully known; without them elements may have any shape, and `dequeue_many` does not work.
        names: Their names; elements then go in and come out as dicts.
        seed: A seed for the order.
        shared_name: A name under which other nodes of the session share the queue.
        name: Name of the node.

    Raises:
        ValueError, TypeError: The shapes or names do not fit the types.
    """

    def __init__(
        self,
        capacity: int,
        min_after_dequeue: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        seed: int | None = None,
        shared_name: str | None = None,
        name: str = "random_shuffle_queue",
    ) -> None:
        types = type_list(dtypes)
        shapes = shape_list(shapes)
        names = name_list(names, types)
        seed1, seed2 = get_seed(seed)
        if seed1 is None and seed2 is None:
            seed1, seed2 = 0, 0
        elif seed is None and shared_name is not None:
            # All nodes that share the queue need the same seeds, wherever in the graph they stand.
            seed2 = int(hashlib.md5(f"{seed1}{shared_name}".encode()).hexdigest()[:8], 16) & 0x7FFFFFFF
        handle = random_shuffle_queue_v2_op(
            component_types=types,
            shapes=shapes or [],
            capacity=capacity,
            min_after_dequeue=min_after_dequeue,
            seed=seed1,
            seed2=seed2,
            shared_name=shared_name or "",
            name=name,
        )
        super().__init__(types, shapes, names, handle)

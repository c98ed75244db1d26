"""`tf.FIFOQueue`: first in, first out."""
from __future__ import annotations

from collections import deque
from typing import Any

from ossia_core.declare.opdef import op, sample
from ossia_core.plugins.api_table import public
from ossia_queues.queue_base import QueueBase, name_list, shape_list, type_list
from ossia_queues.queue_ops import declare_maker, shared_queue
from ossia_queues.waiting import BlockingQueue, Element


class Fifo(BlockingQueue):
    """Elements in the order in which they came."""

    kind = "FIFOQueue"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._elements: deque[Element] = deque()

    def stored(self) -> int:
        return len(self._elements)

    def push(self, element: Element) -> None:
        self._elements.append(element)

    def pop(self) -> Element:
        return self._elements.popleft()

    def pop_several(self, count: int) -> list[Element]:
        elements = self._elements
        return [elements.popleft() for _ in range(count)]

    def give_back(self, elements: list[Element]) -> None:
        self._elements.extendleft(reversed(elements))


_ATTRS = {
    "component_types": "list(type) >= 1",
    "shapes": "list(shape) >= 0 = []",
    "capacity": "int32 = -1",
    "container": "string = ''",
    "shared_name": "string = ''",
}
fifo_queue_op = op("FIFOQueue() -> handle: Ref(string)", stateful=True, **_ATTRS)
fifo_queue_v2_op = op("FIFOQueueV2() -> handle: resource", stateful=True, **_ATTRS)


def _make(node: Any, session: Any) -> BlockingQueue:
    attrs = node.attrs
    return shared_queue(
        lambda name: Fifo(attrs["capacity"], attrs["component_types"], attrs["shapes"] or None, name), node, session
    )


declare_maker(
    fifo_queue_op, fifo_queue_v2_op, _make, sample(component_types=["float"], capacity=2, shared_name="shared")
)


@public("FIFOQueue", "queue.FIFOQueue")
class FIFOQueue(QueueBase):
    """A queue that gives elements in the order in which they were put in.

    Args:
        capacity: How many elements it holds at most.
        dtypes: The type of the component, or a list of the types of the components.
        shapes: Their shapes, fully known; without them elements may have any shape, and `dequeue_many` does not work.
        names: Their names; elements then go in and come out as dicts.
        shared_name: A name under which other nodes of the session share the queue.
        name: Name of the node.

    Raises:
        ValueError, TypeError: The shapes or names do not fit the types.

    Example:
        queue = tf.FIFOQueue(3, tf.float32, shapes=[[]])
        put, three = queue.enqueue_many([[1.0, 2.0, 3.0]]), queue.dequeue_many(3)
    """

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None,
        name: str | None = "fifo_queue",
    ) -> None:
        types = type_list(dtypes)
        shapes = shape_list(shapes)
        names = name_list(names, types)
        handle = fifo_queue_v2_op(
            component_types=types, shapes=shapes or [], capacity=capacity, shared_name=shared_name or "", name=name
        )
        super().__init__(types, shapes, names, handle)

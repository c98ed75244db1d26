"""`tf.PriorityQueue`: the smallest priority first."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import op, sample
from ossia_core.names import dtypes as core_dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_queues.queue_base import QueueBase, name_list, shape_list, type_list
from ossia_queues.queue_ops import declare_maker, shared_queue
from ossia_queues.waiting import BlockingQueue, Element


class Prioritized(BlockingQueue):
    """A binary heap of elements, whose first component is their priority.

    Among equal priorities the order follows from how the heap is kept: a new element rises past larger ones only, and
    the last one fills the gap that the first one leaves, by way of the bottom.
    """

    kind = "PriorityQueue"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._heap: list[tuple[int, Element]] = []

    def stored(self) -> int:
        return len(self._heap)

    def push(self, element: Element) -> None:
        self._heap.append((int(element[0]), element))
        self._rise(len(self._heap) - 1, self._heap[-1])

    def pop(self) -> Element:
        heap = self._heap
        first, last = heap[0], heap.pop()
        if heap:
            gap, child = 0, 2
            while child < len(heap):
                if heap[child][0] > heap[child - 1][0]:
                    child -= 1
                heap[gap] = heap[child]
                gap, child = child, 2 * child + 2
            if child == len(heap):
                heap[gap] = heap[child - 1]
                gap = child - 1
            self._rise(gap, last)
        return first[1]

    def _rise(self, gap: int, item: tuple[int, Element]) -> None:
        """Puts an item into a gap or as far above as there are larger ones."""
        heap = self._heap
        while gap and heap[(gap - 1) // 2][0] > item[0]:
            heap[gap] = heap[(gap - 1) // 2]
            gap = (gap - 1) // 2
        heap[gap] = item

    def give_back(self, elements: list[Element]) -> None:
        for element in elements:
            self.push(element)


_ATTRS = {
    "component_types": "list(type) >= 0 = []",
    "shapes": "list(shape) >= 0",
    "capacity": "int32 = -1",
    "container": "string = ''",
    "shared_name": "string = ''",
}
priority_queue_op = op("PriorityQueue() -> handle: Ref(string)", stateful=True, **_ATTRS)
priority_queue_v2_op = op("PriorityQueueV2() -> handle: resource", stateful=True, **_ATTRS)


def _make(node: Any, session: Any) -> BlockingQueue:
    attrs = node.attrs
    types = [core_dtypes.int64, *attrs["component_types"]]
    shapes = [TensorShape([]), *attrs["shapes"]]
    return shared_queue(lambda name: Prioritized(attrs["capacity"], types, shapes, name), node, session)


declare_maker(
    priority_queue_op,
    priority_queue_v2_op,
    _make,
    sample(component_types=["float"], shapes=[TensorShape([])], capacity=2, shared_name="shared"),
)


@public("PriorityQueue", "io.PriorityQueue", "queue.PriorityQueue")
class PriorityQueue(QueueBase):
    """A queue that gives the element with the smallest priority first.

    The first component of each element is its priority, an int64 scalar; the others are as given here.

    Args:
        capacity: How many elements it holds at most.
        types: The type of the other component, or a list of the types of the others.
        shapes: A list of their shapes, fully known.
        names: Names of all components, with that of the priority first; elements then go in and come out as dicts.
        shared_name: A name under which other nodes of the session share the queue.
        name: Name of the node.

    Raises:
        ValueError, TypeError: The shapes or names do not fit the types.
    """

    def __init__(
        self,
        capacity: int,
        types: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "priority_queue",
    ) -> None:
        types = type_list(types)
        shapes = shape_list(shapes)
        handle = priority_queue_v2_op(
            component_types=types, shapes=shapes, capacity=capacity, shared_name=shared_name or "", name=name
        )
        all_types = [core_dtypes.int64, *types]
        all_shapes = None if shapes is None else [TensorShape([]), *shapes]
        super().__init__(all_types, all_shapes, name_list(names, all_types), handle)

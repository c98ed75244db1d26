"""`tf.PaddingFIFOQueue`: first in, first out, with elements of different sizes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.names import errors
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_queues.fifo import Fifo
from ossia_queues.queue_base import QueueBase, name_list, shape_list, type_list
from ossia_queues.queue_ops import declare_maker, shared_queue
from ossia_queues.waiting import BlockingQueue, Element


class PaddingFifo(Fifo):
    """Elements in the order in which they came, filled up with zeros where they are stacked."""

    kind = "PaddingFIFOQueue"

    def batch_shape(self, i: int, rows: list[Any]) -> tuple[int, ...]:
        sizes = [np.shape(row) for row in rows] or [tuple(d or 0 for d in self.shapes[i].as_list())]
        return tuple(max(each) for each in zip(*sizes, strict=True))

    def batch(self, elements: list[Element]) -> list[np.ndarray]:
        stacked = []
        for i, dtype in enumerate(self.dtypes):
            rows = [element[i] for element in elements]
            shape = (len(rows), *self.batch_shape(i, rows))
            made = np.zeros(shape, dtype.as_numpy_dtype)
            if made.dtype == object:
                made.fill(b"")
            for j, row in enumerate(rows):
                place: Any = (j, *[slice(size) for size in np.shape(row)], ...)  # an array, also where it is a scalar
                made[place] = row
            stacked.append(made)
        return stacked


_ATTRS = {
    "component_types": "list(type) >= 1",
    "shapes": "list(shape) >= 0 = []",
    "capacity": "int32 = -1",
    "container": "string = ''",
    "shared_name": "string = ''",
}
padding_fifo_queue_op = op("PaddingFIFOQueue() -> handle: Ref(string)", stateful=True, **_ATTRS)
padding_fifo_queue_v2_op = op("PaddingFIFOQueueV2() -> handle: resource", stateful=True, **_ATTRS)


def _make(node: Any, session: Any) -> BlockingQueue:
    attrs = node.attrs
    if len(attrs["shapes"]) != len(attrs["component_types"]):
        raise errors.InvalidArgumentError(None, node, "Different number of component types and shapes.")
    return shared_queue(
        lambda name: PaddingFifo(attrs["capacity"], attrs["component_types"], attrs["shapes"], name), node, session
    )


declare_maker(
    padding_fifo_queue_op,
    padding_fifo_queue_v2_op,
    _make,
    sample(component_types=["float"], shapes=[TensorShape([None])], capacity=2, shared_name="shared"),
)


@public("PaddingFIFOQueue", "io.PaddingFIFOQueue", "queue.PaddingFIFOQueue")
class PaddingFIFOQueue(QueueBase):
    """A FIFOQueue whose elements may differ in size; `dequeue_many` fills them up with zeros (or empty strings).

    Args:
        capacity: How many elements it holds at most.
        dtypes: The type of the component, or a list of the types of the components.
        shapes: A list of their shapes, of known rank; sizes that differ are None.
        names: Their names; elements then go in and come out as dicts.
        shared_name: A name under which other nodes of the session share the queue.
        name: Name of the node.

    Raises:
        ValueError: A rank is unknown, or there is another number of shapes or names than of types.
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "padding_fifo_queue",
    ) -> None:
        types = type_list(dtypes)
        if shapes is None:
            raise ValueError("When providing partial shapes, a list of shapes must be provided.")
        shapes = shape_list(shapes, partial=True)
        names = name_list(names, types)
        if len(types) != len(shapes):
            raise ValueError(
                "Shapes must be provided for all components, "
                f"but received {len(types)} dtypes and {len(shapes)} shapes."
            )
        handle = padding_fifo_queue_v2_op(
            component_types=types, shapes=shapes, capacity=capacity, shared_name=shared_name or "", name=name
        )
        super().__init__(types, shapes, names, handle)

"""`tf.QueueBase`: what all queues can do."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import OpDef
from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.names import dtypes as core_dtypes
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public
from ossia_queues.queue_ops import (
    queue_close_op,
    queue_close_v2_op,
    queue_dequeue_many_op,
    queue_dequeue_many_v2_op,
    queue_dequeue_op,
    queue_dequeue_up_to_op,
    queue_dequeue_up_to_v2_op,
    queue_dequeue_v2_op,
    queue_enqueue_many_op,
    queue_enqueue_many_v2_op,
    queue_enqueue_op,
    queue_enqueue_v2_op,
    queue_is_closed_op,
    queue_is_closed_v2_op,
    queue_size_op,
    queue_size_v2_op,
)


@public("QueueBase", "io.QueueBase", "queue.QueueBase")
class QueueBase:
    """A queue of elements with one or more components; made by its subclasses.

    Args:
        dtypes: Types of the components.
        shapes: Their shapes, or None.
        names: Their names, if elements go in and come out as dicts.
        queue_ref: The tensor with the handle.

    Raises:
        ValueError: There is another number of shapes or names than of types.
    """

    def __init__(self, dtypes: Any, shapes: Any, names: Any, queue_ref: Any) -> None:
        self._dtypes = dtypes
        if shapes is None:
            self._shapes = [UNKNOWN_SHAPE] * len(dtypes)
        elif len(shapes) != len(dtypes):
            raise ValueError("Queue shapes must have the same length as dtypes")
        else:
            self._shapes = [TensorShape(shape) for shape in shapes]
        if names is not None and len(names) != len(dtypes):
            raise ValueError("Queue names must have the same length as dtypes")
        self._names = names
        self._queue_ref = queue_ref
        self._name = queue_ref.op.name.rpartition("/")[2]

    @staticmethod
    def from_list(index: Any, queues: Sequence[QueueBase]) -> QueueBase:
        """A queue that is the one of `queues` that `index`, an int32 scalar, says when it is run.

        Raises:
            TypeError: `queues` is no list of queues, or they have other types or names.
        """
        if not queues or not isinstance(queues, list) or not all(isinstance(q, QueueBase) for q in queues):
            raise TypeError("A list of queues expected")
        types, names = queues[0].dtypes, queues[0].names
        if any(types != q.dtypes for q in queues[1:]):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(names != q.names for q in queues[1:]):
            raise TypeError("Queues do not have matching component names.")
        shapes = [_common(each) for each in zip(*[q.shapes for q in queues], strict=True)]
        handles = builder("stack")([q.queue_ref for q in queues])
        return QueueBase(dtypes=types, shapes=shapes, names=names, queue_ref=builder("gather")(handles, index))

    @property
    def queue_ref(self) -> Any:
        """The tensor with the handle."""
        return self._queue_ref

    @property
    def name(self) -> str:
        """The name of the node that makes the queue."""
        return self._queue_ref.op.name

    @property
    def dtypes(self) -> list:
        """Types of the components."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """Shapes of the components."""
        return self._shapes

    @property
    def names(self) -> list[str] | None:
        """Names of the components; None if elements are no dicts."""
        return self._names

    def _components(self, vals: Any) -> list:
        """The tensors for what is to be put in, in the order of the components."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names, key=str) != sorted(vals, key=str):
                raise ValueError(
                    "Keys in dictionary to enqueue do not match names of Queue.  "
                    f"Dictionary: ({sorted(vals)}), Queue: ({sorted(self._names)})"
                )
            vals = [vals[name] for name in self._names]
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        elif not isinstance(vals, (list, tuple)):
            vals = [vals]
        return [
            convert_to_tensor(value, dtype=dtype, name=f"component_{i}")
            for i, (value, dtype) in enumerate(zip(vals, self._dtypes))
        ]

    def _op(self, by_reference: OpDef, by_handle: OpDef) -> OpDef:
        return by_handle if self._queue_ref.dtype == core_dtypes.resource else by_reference

    def enqueue(self, vals: Any, name: str | None = None) -> Any:
        """An operation that puts in one element, waiting while the queue is full.

        Args:
            vals: The component, a list of the components, or, in a queue with names, a dict of them.
            name: Name of the operation.

        Raises:
            ValueError: A component does not fit the queue. Running the operation raises CancelledError once the queue
                is closed.
        """
        with name_scope(name, f"{self._name}_enqueue", components(vals)) as scope:
            tensors = self._components(vals)
            for tensor, shape in zip(tensors, self._shapes):
                tensor.shape.assert_is_compatible_with(shape)
            return self._op(queue_enqueue_op, queue_enqueue_v2_op)(self._queue_ref, tensors, name=scope)

    def enqueue_many(self, vals: Any, name: str | None = None) -> Any:
        """An operation that puts in several elements; like `enqueue`, with components that are stacked."""
        with name_scope(name, f"{self._name}_EnqueueMany", components(vals)) as scope:
            tensors = self._components(vals)
            count = tensors[0].shape.with_rank_at_least(1)[0]
            for tensor, shape in zip(tensors, self._shapes):
                count = count.merge_with(tensor.shape.with_rank_at_least(1)[0])
                tensor.shape[1:].assert_is_compatible_with(shape)
            return self._op(queue_enqueue_many_op, queue_enqueue_many_v2_op)(self._queue_ref, tensors, name=scope)

    def _result(self, tensors: Any) -> Any:
        if self._names:
            return dict(zip(self._names, tensors, strict=True))
        return tensors[0] if len(tensors) == 1 else tensors

    def dequeue(self, name: str | None = None) -> Any:
        """An element, taken out when it is run; waits while the queue is empty.

        Args:
            name: Name of the operation.

        Returns:
            The component, a list of the components, or a dict of them. Running it raises OutOfRangeError once the queue
            is closed and empty.
        """
        made = self._op(queue_dequeue_op, queue_dequeue_v2_op)(
            self._queue_ref, component_types=self._dtypes, name=f"{self._name}_Dequeue" if name is None else name
        )
        return self._with_shapes(made, TensorShape([]))

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """`n` elements stacked; like `dequeue`. Running it raises OutOfRangeError once the queue is closed and holds
        fewer."""
        made = self._op(queue_dequeue_many_op, queue_dequeue_many_v2_op)(
            self._queue_ref, n, component_types=self._dtypes, name=f"{self._name}_DequeueMany" if name is None else name
        )
        known = constant(made[0].op.inputs[1])
        return self._with_shapes(made, TensorShape([None if known is None else int(known)]))

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """`n` elements stacked, or, once the queue is closed, as many as there are; like `dequeue_many`."""
        made = self._op(queue_dequeue_up_to_op, queue_dequeue_up_to_v2_op)(
            self._queue_ref, n, component_types=self._dtypes, name=f"{self._name}_DequeueUpTo" if name is None else name
        )
        return self._with_shapes(made, TensorShape([None]))

    def _with_shapes(self, made: Any, leading: TensorShape) -> Any:
        for tensor, shape in zip(made, self._shapes, strict=True):
            tensor.set_shape(leading.concatenate(shape))
        return self._result(made)

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """An operation after which nothing can be put in; what is in can be taken out.

        Args:
            cancel_pending_enqueues: Whether operations that wait to put something in fail; else it waits for them.
            name: Name of the operation.
        """
        return self._op(queue_close_op, queue_close_v2_op)(
            self._queue_ref,
            cancel_pending_enqueues=cancel_pending_enqueues,
            name=f"{self._name}_Close" if name is None else name,
        )

    def is_closed(self, name: str | None = None) -> Any:
        """Whether the queue is closed, a boolean scalar."""
        return self._op(queue_is_closed_op, queue_is_closed_v2_op)(
            self._queue_ref, name=f"{self._name}_Is_Closed" if name is None else name
        )

    def size(self, name: str | None = None) -> Any:
        """How many elements are in the queue, an int32 scalar."""
        return self._op(queue_size_op, queue_size_v2_op)(
            self._queue_ref, name=f"{self._name}_Size" if name is None else name
        )


def components(vals: Any) -> list:
    """The values of an element: those of a dict, a list, or the one."""
    if isinstance(vals, dict):
        return list(vals.values())
    return list(vals) if isinstance(vals, (list, tuple)) else [vals]


def _common(shapes: Sequence[TensorShape]) -> TensorShape:
    """The most specific shape that all are compatible with."""
    common = shapes[0]
    for shape in shapes[1:]:
        if common.ndims is None or shape.ndims is None or common.ndims != shape.ndims:
            return UNKNOWN_SHAPE
        pairs = zip(common.as_list(), shape.as_list(), strict=True)
        common = TensorShape([a if a == b else None for a, b in pairs])
    return common


# -- the arguments of the subclasses ----------------------------------------------------------------------


def type_list(types: Any) -> list:
    """The types that one type or a list of them stands for."""
    return [core_dtypes.as_dtype(t) for t in (types if isinstance(types, (list, tuple)) else [types])]


def shape_list(shapes: Any, partial: bool = False) -> list[TensorShape] | None:
    """The shapes that a queue is given.

    Args:
        shapes: A shape, or a list of shapes, or None.
        partial: Whether sizes may be unknown; then the shapes must be given.

    Raises:
        TypeError: They are no shapes.
        ValueError: A size is unknown, or, with `partial`, a rank.
    """
    if shapes is None:
        return None
    shapes = [shapes] if isinstance(shapes, TensorShape) else shapes
    if not isinstance(shapes, (list, tuple)):
        raise TypeError("shapes must be a TensorShape or a list or tuple of TensorShapes.")
    if not any(isinstance(s, (TensorShape, list, tuple)) for s in shapes):
        if partial:
            raise ValueError("When providing partial shapes, a list of shapes must be provided.")
        shapes = [shapes]
    made = [TensorShape(shape) for shape in shapes]
    if partial:
        if any(shape.ndims is None for shape in made):
            raise ValueError(f"All shapes must have a defined rank: {made}")
    elif not all(shape.is_fully_defined() for shape in made):
        raise ValueError(f"All shapes must be fully defined: {made}")
    return made


def name_list(names: Any, types: list) -> list[str] | None:
    """The names that one name or a list of them stands for.

    Raises:
        ValueError: There is another number of names than of types.
    """
    if names is None:
        return None
    names = list(names) if isinstance(names, (list, tuple)) else [names]
    if len(names) != len(types):
        raise ValueError("List of names must have the same length as the list of dtypes")
    return names

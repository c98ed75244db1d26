"""Barriers: elements whose components come one by one, under a key, and which leave when they are complete."""
from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant, with_rank
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.forks import renewed
from ossia_core.names import dtypes as core_dtypes
from ossia_core.names import errors
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_queues.priority import Prioritized
from ossia_queues.queue_base import shape_list, type_list
from ossia_queues.waiting import Shared, check_types, private_name

_FIRST = np.iinfo(np.int64).min


class KeyedStore(Shared):
    """The elements of a barrier: incomplete ones by key, complete ones in the order in which their keys came."""

    def __init__(self, dtypes: list, shapes: list, name: str) -> None:
        self.dtypes, self.shapes, self.name = dtypes, shapes, name
        scalar = TensorShape([])
        all_shapes = [scalar, scalar, *shapes]
        self.ready = Prioritized(
            -1, [core_dtypes.int64, core_dtypes.string, *dtypes], all_shapes, f"{name}_queue"
        )
        self._lock = renewed(threading.Lock())
        self._incomplete: dict[bytes, list] = {}
        self._inserts = 0
        self._closed = self._cancelled = False

    def insert(self, component: int, keys: list[bytes], values: np.ndarray, context: Any) -> None:
        """Adds a component to the elements of the keys; an element that has all its components can be taken.

        Shapes are compared as elements become complete, as in the original: what was complete by then is lost.
        """
        with self._lock:
            self._check(component, keys, values)
            index = _FIRST + self._inserts
            complete, has_new = [], False
            for key, value in zip(keys, values):
                has_new = has_new or key not in self._incomplete
                element = self._incomplete.setdefault(key, [np.int64(index), key, *[None] * len(self.dtypes)])
                if element[component + 2] is not None:  # what was inserted by then stays
                    shown = key.decode(errors="replace")
                    raise _invalid(f"Key {shown} already has a value for component {component} in barrier {self.name}")
                element[component + 2] = np.array(value, dtype=values.dtype)
                if all(part is not None for part in element[2:]):
                    complete.append(tuple(self._incomplete.pop(key)))
                    self._check_shapes(complete[-1])
            self._inserts += has_new
            if complete:
                self.ready.enqueue(complete, context)
            if self._closed and not self._incomplete and not self.ready.closed:
                self.ready.close(True, context)

    def _check(self, component: int, keys: list[bytes], values: np.ndarray) -> None:
        if not 0 <= component < len(self.dtypes):
            raise _invalid(f"The component ID is out of range {component} > num_components (= {len(self.dtypes)})")
        if not values.ndim or len(values) != len(keys):
            raise _invalid(f"There are {len(keys)} keys and values of shape {dims_text(values.shape)}")
        if keys and 0 in values.shape[1:]:
            raise _invalid(
                f"Tensors with no elements are not supported {self.name}: received shape {dims_text(values.shape)}"
            )
        new = 0
        for key in keys:
            element = self._incomplete.get(key)
            if element is None:
                new += 1
                if self._closed and not self._cancelled and self._incomplete:
                    raise self._refusal(
                        f", but attempted to insert a brand new key: {key.decode(errors='replace')}.", 0
                    )
            elif self._closed and element[component + 2] is not None:
                shown = key.decode(errors="replace")
                raise _invalid(f"Key {shown} already has a value for component {component} in barrier {self.name}")
        if self._closed and (self._cancelled or (new and not self._incomplete)):
            raise self._refusal(".", new)

    def _check_shapes(self, element: tuple) -> None:
        for i, (shape, part) in enumerate(zip(self.shapes, element[2:]), 2):
            if shape.as_tuple() != part.shape:
                raise _invalid(
                    f"Shape mismatch in tuple component {i}. Expected {dims_text(shape.as_list())}, got "
                    f"{dims_text(part.shape)}"
                )

    def _refusal(self, what: str, new: int) -> errors.CancelledError:
        return errors.CancelledError(
            None,
            None,
            f"Barrier {self.name} is closed{what}  Pending enqueues cancelled: {int(self._cancelled)}.  "
            f"Number of new insertions: {new}.  Number of incomplete keys: {len(self._incomplete)}.",
        )

    def close(self, cancel: bool, context: Any) -> None:
        """Takes no new keys, and with `cancel` no components either, whose elements are dropped."""
        with self._lock:
            if self._closed and (self._cancelled or not cancel):
                raise errors.CancelledError(None, None, f"Barrier '{self.name}' is already closed.")
            self._closed, self._cancelled = True, cancel
            if cancel:
                self._incomplete.clear()
            if not self._incomplete and not self.ready.closed:
                self.ready.close(True, context)

    def incomplete(self) -> int:
        """How many elements lack a component."""
        with self._lock:
            return len(self._incomplete)

    def cancel_all(self) -> None:
        """Wakes all that wait, as the session closes."""
        self.ready.cancel_all()


def _invalid(message: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, message)


barrier_op = op(
    "Barrier() -> handle: Ref(string)",
    stateful=True,
    component_types="list(type) >= 1",
    shapes="list(shape) >= 0 = []",
    capacity="int32 = -1",
    container="string = ''",
    shared_name="string = ''",
)
barrier_op.shape(lambda: TensorShape([2]))


@barrier_op.resource
def _(node, session):
    attrs = node.attrs
    shared = attrs["shared_name"].decode(errors="backslashreplace")
    if len(attrs["shapes"]) != len(attrs["component_types"]):
        raise _invalid("All of the component shapes must be specified")
    # Where a shape says nothing, the components are scalars.
    shapes = [TensorShape([]) if shape.ndims is None else shape for shape in attrs["shapes"]]
    for shape in shapes:
        if not shape.is_fully_defined():
            raise _invalid(f"Shape {dims_text(shape.as_list())} is not fully defined")
    if attrs["capacity"] != -1:
        raise _invalid("Barrier takes no other capacity than -1. A queue in front of it can limit what it holds.")
    types = attrs["component_types"]
    found = session.resource(
        attrs["container"],
        shared or f"_{node.name}",
        "barrier",
        lambda: KeyedStore(types, shapes, shared or private_name(node.name)),
    )
    if found.dtypes != types:
        known, asked = [", ".join(dtype.name for dtype in kinds) for kinds in (found.dtypes, types)]
        raise _invalid(
            f"Shared barrier '{shared}' has component types {known} but requested component types were {asked}"
        )
    if found.shapes != shapes:
        known, asked = [", ".join(dims_text(shape.as_list()) for shape in dims) for dims in (found.shapes, shapes)]
        raise _invalid(
            f"Shared barrier '{shared}' has component shapes [{known}] but requested component shapes were [{asked}]"
        )
    return found


barrier_op.samples(
    plain=sample(component_types=["float"], shapes=[[2]], shared_name="shared"),
    unknown=sample(component_types=["float"], shapes=[None], shared_name="shared"),
    refused_shapeless=sample(component_types=["float"]),
    refused_partial=sample(component_types=["float"], shapes=[[None]]),
)

barrier_insert_many_op = op(
    "BarrierInsertMany(handle: Ref(string), keys: string, values: T)", T="type", component_index="int"
)
barrier_insert_many_op.changes("handle")


@barrier_insert_many_op.shape
def _(handle, keys, values):
    keys, values = with_rank(keys, 1), values.shape
    if values.ndims is not None:
        keys.merge_with(values.with_rank_at_least(1)[:1])
    return ()


@barrier_insert_many_op.kernel
def _(handle, keys, values, *, component_index, T, context):
    if 0 <= component_index < len(handle.dtypes):
        check_types([T], [handle.dtypes[component_index]])
    handle.insert(component_index, np.ravel(keys).tolist(), np.asarray(values), context)


barrier_take_many_op = op(
    "BarrierTakeMany(handle: Ref(string), num_elements: int32) -> indices: int64, keys: string, values: "
    "component_types",
    component_types="list(type) >= 1",
    allow_small_batch="bool = false",
    wait_for_incomplete="bool = false",
    timeout_ms="int = -1",
)
barrier_take_many_op.changes("handle")


@barrier_take_many_op.shape
def _(handle, num_elements, *, component_types):
    with_rank(num_elements, 0)
    return UNKNOWN_SHAPE, UNKNOWN_SHAPE, [UNKNOWN_SHAPE] * len(component_types)


@barrier_take_many_op.kernel(blocking=True)
def _(handle, num_elements, *, allow_small_batch, timeout_ms, component_types, context):
    check_types(component_types, handle.dtypes)
    if timeout_ms != -1:
        raise _invalid("Timeout not supported yet.")
    if num_elements < 0:
        raise _invalid(f"Taking {num_elements} < 0 elements")
    if not handle.ready.can_batch:
        raise _invalid("Taking elements requires the components to have specified shapes.")
    taken = handle.ready.dequeue(int(num_elements), context, up_to=allow_small_batch)
    indices, keys, *values = handle.ready.batch(taken)
    return indices, keys, values


barrier_close_op = op("BarrierClose(handle: Ref(string))", cancel_pending_enqueues="bool = false")
barrier_close_op.changes("handle")


@barrier_close_op.kernel
def _(handle, *, cancel_pending_enqueues, context):
    handle.close(cancel_pending_enqueues, context)


barrier_ready_size_op = op("BarrierReadySize(handle: Ref(string)) -> size: int32")
barrier_ready_size_op.reads("handle")
barrier_ready_size_op.shape(scalar_shape)


@barrier_ready_size_op.kernel
def _(handle):
    return np.int32(handle.ready.size())


barrier_incomplete_size_op = op("BarrierIncompleteSize(handle: Ref(string)) -> size: int32")
barrier_incomplete_size_op.reads("handle")
barrier_incomplete_size_op.shape(scalar_shape)


@barrier_incomplete_size_op.kernel
def _(handle):
    return np.int32(handle.incomplete())


def _fresh() -> Any:
    return barrier_op(component_types=["float", "float"], shapes=[[], []], name="fresh")


barrier_insert_many_op.samples(
    two=sample(_fresh, np.array([b"a", b"b"], object), np.array([1, 2], np.float32), component_index=0)
)
barrier_close_op.samples(empty=(_fresh,))
barrier_ready_size_op.samples(empty=(_fresh,))
barrier_incomplete_size_op.samples(empty=(_fresh,))


class Barrier:
    """A store of elements whose components are put in one by one; an element can be taken once it has all of them.

    Args:
        types: The type of the component, or a list of the types of the components.
        shapes: Their shapes, fully known and without empty sizes; scalars if there are none.
        shared_name: A name under which other nodes of the session share the barrier.
        name: Name of the node.

    Raises:
        ValueError: A shape is not known or empty.
    """

    def __init__(self, types: Any, shapes: Any = None, shared_name: str | None = None, name: str = "barrier") -> None:
        self._types = type_list(types)
        shapes = shape_list(shapes)
        if shapes is None:
            self._shapes = [UNKNOWN_SHAPE] * len(self._types)
        else:
            for i, shape in enumerate(shapes):
                if shape.num_elements() == 0:
                    raise ValueError(f"Empty tensors are not supported, but received shape '{shape}' at index {i}")
            self._shapes = shapes
        self._barrier_ref = barrier_op(
            component_types=self._types, shapes=self._shapes, shared_name=shared_name or "", name=name
        )
        self._name = self._barrier_ref.op.name.rpartition("/")[2]

    @property
    def barrier_ref(self) -> Any:
        """The tensor with the handle."""
        return self._barrier_ref

    @property
    def name(self) -> str:
        """The name of the node that makes the barrier."""
        return self._barrier_ref.op.name

    def insert_many(self, component_index: int, keys: Any, values: Any, name: str | None = None) -> Any:
        """An operation that adds a component to the elements of some keys.

        Args:
            component_index: Which component.
            keys: Strings, [n].
            values: The components, [n, ...].
            name: Name of the operation.
        """
        return barrier_insert_many_op(
            self._barrier_ref,
            keys,
            values,
            component_index=component_index,
            name=f"{self._name}_BarrierInsertMany" if name is None else name,
        )

    def take_many(
        self, num_elements: Any, allow_small_batch: bool = False, timeout: int | None = None, name: str | None = None
    ) -> Any:
        """`num_elements` complete elements, taken out when it is run; waits until there are as many.

        Args:
            num_elements: How many.
            allow_small_batch: Whether fewer will do once the barrier is closed.
            timeout: Accepted for compatibility.
            name: Name of the operation.

        Returns:
            A named tuple of `indices`, `keys` and the list `values`.
        """
        taken = barrier_take_many_op(
            self._barrier_ref,
            num_elements,
            component_types=self._types,
            allow_small_batch=allow_small_batch,
            name=f"{self._name}_BarrierTakeMany" if name is None else name,
        )
        known = None if allow_small_batch else constant(taken.indices.op.inputs[1])
        count = TensorShape([None if known is None else int(known)])
        taken.indices.set_shape(count)
        taken.keys.set_shape(count)
        for tensor, shape in zip(taken.values, self._shapes):
            tensor.set_shape(count.concatenate(shape))
        return taken

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """An operation after which no new keys go in, and, with `cancel_pending_enqueues`, no components either."""
        return barrier_close_op(
            self._barrier_ref,
            cancel_pending_enqueues=cancel_pending_enqueues,
            name=f"{self._name}_BarrierClose" if name is None else name,
        )

    def ready_size(self, name: str | None = None) -> Any:
        """How many complete elements there are, an int32 scalar."""
        return barrier_ready_size_op(self._barrier_ref, name=f"{self._name}_BarrierReadySize" if name is None else name)

    def incomplete_size(self, name: str | None = None) -> Any:
        """How many elements lack a component, an int32 scalar."""
        return barrier_incomplete_size_op(
            self._barrier_ref, name=f"{self._name}_BarrierIncompleteSize" if name is None else name
        )

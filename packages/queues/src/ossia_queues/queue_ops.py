"""The ops on queues, each in its form by reference (V1) and by handle (V2), and how a node finds its queue."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, lookup, op, sample
from ossia_core.declare.shape_rules import constant
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.names import errors
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.names.sizes import number_in
from ossia_queues.waiting import BlockingQueue, check_types, private_name


def _both(signature: str, **attrs: str) -> tuple[OpDef, OpDef]:
    """Declares an op on a queue in both forms; the signature leaves the handle out."""
    name, _, rest = signature.partition("(")
    rest = rest if rest.startswith(")") else ", " + rest
    return (
        op(f"{name}(handle: Ref(string){rest}", **attrs),
        op(f"{name}V2(handle: resource{rest}", stateful=True, **attrs),
    )


_TIMEOUT = "int = -1"
queue_enqueue_op, queue_enqueue_v2_op = _both(
    "QueueEnqueue(components: Tcomponents)", Tcomponents="list(type) >= 1", timeout_ms=_TIMEOUT
)
queue_enqueue_many_op, queue_enqueue_many_v2_op = _both(
    "QueueEnqueueMany(components: Tcomponents)", Tcomponents="list(type) >= 1", timeout_ms=_TIMEOUT
)
queue_dequeue_op, queue_dequeue_v2_op = _both(
    "QueueDequeue() -> components: component_types", component_types="list(type) >= 1", timeout_ms=_TIMEOUT
)
queue_dequeue_many_op, queue_dequeue_many_v2_op = _both(
    "QueueDequeueMany(n: int32) -> components: component_types", component_types="list(type) >= 1", timeout_ms=_TIMEOUT
)
queue_dequeue_up_to_op, queue_dequeue_up_to_v2_op = _both(
    "QueueDequeueUpTo(n: int32) -> components: component_types", component_types="list(type) >= 1", timeout_ms=_TIMEOUT
)
queue_close_op, queue_close_v2_op = _both("QueueClose()", cancel_pending_enqueues="bool = false")
queue_is_closed_op, queue_is_closed_v2_op = _both("QueueIsClosed() -> is_closed: bool")
queue_size_op, queue_size_v2_op = _both("QueueSize() -> size: int32")


def queue_of(handle: Any) -> BlockingQueue:
    """The queue behind a handle, which may have been picked out of a stack of handles."""
    found = handle.item() if isinstance(handle, np.ndarray) else handle
    if not isinstance(found, BlockingQueue):
        raise errors.InvalidArgumentError(None, None, f"The handle belongs to a {type(found).__name__}, not to a queue")
    return found


def _check_timeout(timeout_ms: int) -> None:
    if timeout_ms != -1:
        raise errors.InvalidArgumentError(None, None, "Timeout not supported yet.")


def _enqueue(handle, components, *, timeout_ms, Tcomponents, context):
    _check_timeout(timeout_ms)
    queue = queue_of(handle)
    check_types(Tcomponents, queue.dtypes)
    queue.check(components, many=False)
    queue.enqueue([tuple(_kept(c) for c in components)], context)


def _enqueue_many(handle, components, *, timeout_ms, Tcomponents, context):
    _check_timeout(timeout_ms)
    queue = queue_of(handle)
    check_types(Tcomponents, queue.dtypes)
    queue.check(components, many=True)
    kept = [_kept(c) for c in components]
    queue.enqueue([*zip(*map(_slices, kept), strict=True)], context)


def _slices(values: np.ndarray) -> list[Any]:
    """The slices along the first dimension, as arrays or numbers."""
    return [values[i, ...] for i in range(len(values))] if values.dtype.hasobject else list(values)


def _kept(value: Any) -> np.ndarray:
    # What goes into a queue outlives the run, so it is copied.
    return np.array(value, dtype=object if isinstance(value, (bytes, str)) else None)


def _dequeue(handle, *, timeout_ms, component_types, context):
    _check_timeout(timeout_ms)
    queue = queue_of(handle)
    check_types(component_types, queue.dtypes)
    return list(queue.dequeue(1, context)[0])


def _dequeue_several(handle: Any, n: Any, types: list, context: Any, op_name: str, up_to: bool) -> list:
    queue = queue_of(handle)
    check_types(types, queue.dtypes)
    wanted = number_in(n, "The number of elements")
    if wanted < 0:
        raise errors.InvalidArgumentError(None, None, f"{op_name} requested {wanted} < 0 elements")
    if not queue.can_batch:
        raise errors.InvalidArgumentError(
            None, None, f"{queue.kind}'s DequeueMany and DequeueUpTo require the components to have specified shapes."
        )
    return queue.batch(queue.dequeue(wanted, context, up_to=up_to))


def _dequeue_many(handle, n, *, timeout_ms, component_types, context):
    _check_timeout(timeout_ms)
    return _dequeue_several(handle, n, component_types, context, "DequeueManyOp", up_to=False)


def _dequeue_up_to(handle, n, *, timeout_ms, component_types, context):
    _check_timeout(timeout_ms)
    return _dequeue_several(handle, n, component_types, context, "DequeueUpToOp", up_to=True)


def _close(handle, *, cancel_pending_enqueues, context):
    queue_of(handle).close(cancel_pending_enqueues, context)


def _is_closed(handle):
    return np.bool_(queue_of(handle).closed)


def _size(handle):
    return np.int32(queue_of(handle).size())


def _dequeue_shape(handle, *, component_types):
    return [UNKNOWN_SHAPE] * len(component_types)


def _dequeue_many_shape(handle, n, *, component_types):
    return [UNKNOWN_SHAPE] * len(component_types)


def _dequeue_many_checked_shape(handle, n, *, component_types):
    count = constant(n)
    if count is not None and np.ndim(count) == 0 and count < 0:
        raise ValueError(f"Input 'n' must be >= 0, but is {count}")
    return [UNKNOWN_SHAPE] * len(component_types)


_KERNELS = (
    ((queue_enqueue_op, queue_enqueue_v2_op), _enqueue, True),
    ((queue_enqueue_many_op, queue_enqueue_many_v2_op), _enqueue_many, True),
    ((queue_dequeue_op, queue_dequeue_v2_op), _dequeue, True),
    ((queue_dequeue_many_op, queue_dequeue_many_v2_op), _dequeue_many, True),
    ((queue_dequeue_up_to_op, queue_dequeue_up_to_v2_op), _dequeue_up_to, True),
    ((queue_close_op, queue_close_v2_op), _close, True),
    ((queue_is_closed_op, queue_is_closed_v2_op), _is_closed, False),
    ((queue_size_op, queue_size_v2_op), _size, False),
)
for _forms, _kernel, _blocking in _KERNELS:
    for _definition in _forms:
        _definition.kernel(blocking=_blocking)(_kernel)
        _definition.reads("handle") if _kernel in (_is_closed, _size) else _definition.changes("handle")
    if _kernel is not _is_closed:
        _forms[0].not_differentiable()
for _definition in (queue_dequeue_op, queue_dequeue_v2_op):
    _definition.shape(_dequeue_shape)
for _definition in (queue_dequeue_many_op, queue_dequeue_up_to_op, queue_dequeue_up_to_v2_op):
    _definition.shape(_dequeue_many_shape)
queue_dequeue_many_v2_op.shape(_dequeue_many_checked_shape)
for _definition in (queue_is_closed_op, queue_is_closed_v2_op, queue_size_op, queue_size_v2_op):
    _definition.shape(scalar_shape)


fake_queue_op = op("FakeQueue(resource: resource) -> handle: Ref(string)", stateful=True)
fake_queue_op.reads("resource")
fake_queue_op.shape(lambda resource: TensorShape([2]))


@fake_queue_op.kernel(alias=True)
def _(resource):
    # The ops by reference then work on a queue that was made by handle.
    queue_of(resource)
    return resource


def _fresh() -> Any:
    return lookup("FIFOQueueV2")(component_types=["float"], shapes=[[]], capacity=2, name="fresh")


queue_enqueue_v2_op.samples(one=(_fresh, [np.float32(1)]))
queue_enqueue_many_v2_op.samples(
    two=(_fresh, [np.array([1, 2], np.float32)]), none=(_fresh, [np.array([], np.float32)])
)
queue_close_v2_op.samples(plain=(_fresh,), cancelling=sample(_fresh, cancel_pending_enqueues=True))
queue_is_closed_v2_op.samples(open=(_fresh,))
queue_size_v2_op.samples(empty=(_fresh,))


def declare_maker(by_reference: OpDef, by_handle: OpDef, make: Any, example: Any) -> None:
    """Completes the two forms of an op that makes a queue.

    Args:
        by_reference: The op whose handle is a reference to strings.
        by_handle: The op whose handle is a resource.
        make: Finds or makes the queue, from a node and the state of a session.
        example: A sample of the op.
    """
    by_reference.shape(lambda: TensorShape([2]))
    by_handle.shape(scalar_shape)
    for definition in (by_reference, by_handle):
        definition.resource(make)
        definition.samples(plain=example)


def shared_queue(make: Any, node: Any, session: Any) -> BlockingQueue:
    """The queue of a node that makes one: its own, or the one that other nodes of its shared name use.

    Args:
        make: Makes a queue that errors call by the name it is given.
        node: The node.
        session: The state of the session.

    Raises:
        InvalidArgumentError: The shared queue is of another kind, capacity or type.
    """
    shared = node.attrs["shared_name"].decode(errors="backslashreplace")
    if not shared:
        return session.resource(
            node.attrs["container"], f"_{node.name}", "queue", lambda: make(private_name(node.name))
        )
    wanted = make(shared)
    found = session.resource(node.attrs["container"], shared, "queue", lambda: wanted)
    try:
        found.check_same(wanted, node.type)
    except errors.OpError as error:
        raise error.attach(node) from None
    return found

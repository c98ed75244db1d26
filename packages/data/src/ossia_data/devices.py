"""Datasets whose elements are wanted on a device, and iterators of several devices."""
from __future__ import annotations

import collections
import threading
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import SCALAR
from ossia_core.forks import renewed
from ossia_core.graph.scopes import device as on_device
from ossia_core.names import dtypes, errors
from ossia_core.plugins.api_table import public
from ossia_core.primitives.state import SessionState, resource_name
from ossia_data import structure
from ossia_data.elements import OUTPUTS, Element, Elements, Iteration
from ossia_data.experimental import Transformation

_KIND = "multi_device_iterator"


@public("data.experimental.copy_to_device", "contrib.data.copy_to_device", "compat.v2.data.experimental.copy_to_device")
def copy_to_device(target_device: Any, source_device: Any = "/cpu:0") -> Transformation:
    """The elements on a device. Where a run computes, devices share their memory: there is nothing to copy.

    Args:
        target_device: The device on which elements are wanted.
        source_device: The device on which they are made.
    """
    def apply(dataset: Any) -> Any:
        with on_device(target_device):
            wrapped = lookup("WrapDatasetVariant")(dataset._variant_tensor)
            return dataset._like(lookup("UnwrapDatasetVariant")(wrapped), dataset.element_spec, dataset.options())

    return apply


@public(
    "data.experimental.prefetch_to_device", "contrib.data.prefetch_to_device",
    "compat.v2.data.experimental.prefetch_to_device",
)
def prefetch_to_device(device: Any, buffer_size: Any = None) -> Transformation:
    """The elements, made ahead on a device; the last transformation of a dataset.

    Args:
        device: The device.
        buffer_size: How many; as many as are useful if None.
    """
    return lambda dataset: dataset.apply(copy_to_device(target_device=device)).prefetch(buffer_size)


class HeldDealer:
    """Gives the elements of a dataset to several devices in turn.

    Attributes:
        handle: Its container and name, as bytes.
    """

    def __init__(self, session: SessionState, container: bytes, name: str, count: int) -> None:
        self._session, self._count = session, count
        self.handle = container + b"\0" + name.encode()
        self._lock = renewed(threading.Lock())
        self._incarnation = 0
        self._source: Any = None
        self._dealt: list[Any] = []

    def begin(self, dataset: Elements) -> int:
        """Start a pass; its number."""
        with self._lock:
            self._source = dataset.start(Iteration(self._session))
            self._dealt = [collections.deque() for _ in range(self._count)]
            self._incarnation += 1
            return self._incarnation

    def take(self, device: int, incarnation: int) -> Element:
        """The next element of a device.

        Raises:
            InvalidArgumentError: Another pass has begun since.
            OutOfRangeError: There is none.
        """
        with self._lock:
            if incarnation != self._incarnation:
                raise errors.InvalidArgumentError(
                    None, None,
                    f"Invalid incarnation id. Provided: {incarnation}; Expected: {self._incarnation}",
                )
            waiting = self._dealt
            while not waiting[device]:
                for one in waiting:
                    try:
                        one.append(next(self._source))
                    except StopIteration:
                        if waiting[device]:
                            break
                        raise errors.OutOfRangeError(None, None, "End of sequence") from None
            return waiting[device].popleft()


def _dealer(node: Any, session: SessionState) -> HeldDealer:
    container, name = node.attrs.get("container", b""), resource_name(node)
    count = len(node.attrs["devices"])
    return session.resource(container, name, _KIND, lambda: HeldDealer(session, container, name, count))


multi_device_iterator_op = op(
    "MultiDeviceIterator() -> handle: resource", stateful=True, devices="list(string) >= 1", shared_name="string",
    container="string", **OUTPUTS,
)
anonymous_multi_device_iterator_op = op(
    "AnonymousMultiDeviceIterator() -> handle: resource, deleter: variant", stateful=True,
    devices="list(string) >= 1", **OUTPUTS,
)
multi_device_iterator_op.makes()
multi_device_iterator_op.shape(lambda: SCALAR)
multi_device_iterator_op.resource(_dealer)
anonymous_multi_device_iterator_op.shape(lambda: (SCALAR, SCALAR))


@anonymous_multi_device_iterator_op.kernel_for
def _(node: Any, *, session: SessionState) -> Any:
    return lambda: (HeldDealer(session, b"", node.name, len(node.attrs["devices"])), None)


multi_device_iterator_init_op = op(
    "MultiDeviceIteratorInit(dataset: variant, multi_device_iterator: resource, max_buffer_size: int64) "
    "-> incarnation_id: int64", stateful=True,
)
multi_device_iterator_init_op.changes("multi_device_iterator")
multi_device_iterator_init_op.shape(lambda dataset, multi_device_iterator, max_buffer_size: SCALAR)
multi_device_iterator_init_op.kernel(lambda dataset, dealer, size: np.int64(dealer.begin(dataset)))

multi_device_iterator_get_next_op = op(
    "MultiDeviceIteratorGetNextFromShard(multi_device_iterator: resource, shard_num: int32, incarnation_id: int64) "
    "-> components: output_types", stateful=True, **OUTPUTS,
)
multi_device_iterator_get_next_op.changes("multi_device_iterator")
multi_device_iterator_get_next_op.shape(
    lambda multi_device_iterator, shard_num, incarnation_id, *, output_shapes: output_shapes
)
multi_device_iterator_get_next_op.kernel(lambda dealer, shard, number: dealer.take(int(shard), int(number)))

multi_device_iterator_to_string_handle_op = op(
    "MultiDeviceIteratorToStringHandle(multi_device_iterator: resource) -> string_handle: string", stateful=True
)
multi_device_iterator_to_string_handle_op.reads("multi_device_iterator")
multi_device_iterator_to_string_handle_op.shape(lambda multi_device_iterator: SCALAR)
multi_device_iterator_to_string_handle_op.kernel(lambda dealer: dealer.handle)

multi_device_iterator_from_string_handle_op = op(
    "MultiDeviceIteratorFromStringHandle(string_handle: string) -> multi_device_iterator: resource", stateful=True,
    output_types="list(type) >= 0 = []", output_shapes="list(shape) >= 0 = []",
)
multi_device_iterator_from_string_handle_op.shape(lambda string_handle: SCALAR)


@multi_device_iterator_from_string_handle_op.kernel
def _(string_handle, *, session):
    container, _, name = np.asarray(string_handle, object).item().partition(b"\0")
    found = session.find(container.decode(), name.decode(), _KIND)
    if found is None:
        raise errors.InvalidArgumentError(None, None, "The string handle is none of an iterator of this session")
    return found


delete_multi_device_iterator_op = op(
    "DeleteMultiDeviceIterator(multi_device_iterator: resource, iterators: N * resource, deleter: variant)",
    stateful=True, N="int >= 0",
)
delete_multi_device_iterator_op.changes("multi_device_iterator", "iterators")
delete_multi_device_iterator_op.kernel(lambda dealer, iterators, deleter: None)
for _made in (
    multi_device_iterator_op, anonymous_multi_device_iterator_op, multi_device_iterator_init_op,
    multi_device_iterator_get_next_op, multi_device_iterator_to_string_handle_op,
    multi_device_iterator_from_string_handle_op, delete_multi_device_iterator_op,
):
    _made.not_differentiable()


class MultiDeviceIterator:
    """Gives the elements of a dataset to several devices in turn.

    Args:
        dataset: The dataset.
        devices: The names of the devices.
        max_buffer_size: Accepted; elements are made when they are asked for.
        prefetch_buffer_size: Accepted.
        source_device: Where the elements are made.
    """

    def __init__(
        self, dataset: Any, devices: Any, max_buffer_size: Any = 1, prefetch_buffer_size: Any = 1,
        source_device: Any = "/cpu:0",
    ) -> None:
        self._devices, self._spec = list(devices), dataset.element_spec
        variant = dataset._with_defaults()
        with on_device(source_device):
            self._resource = lookup("MultiDeviceIterator")(
                devices=self._devices, shared_name="", container="", **structure.outputs(self._spec)
            )
            self._incarnation = lookup("MultiDeviceIteratorInit")(variant, self._resource, max_buffer_size)
            self._number = lookup("VarHandleOp")(dtype=dtypes.int64, shape=[])
            self._initializer = lookup("AssignVariableOp")(self._number, self._incarnation)

    def get_next(self, device: Any = None) -> Any:
        """The next elements, one for each device, or that of one device."""
        if device is not None:
            return self._of(self._devices.index(device))
        return [self._of(number) for number in range(len(self._devices))]

    def _of(self, number: int) -> Any:
        with on_device(self._devices[number]):
            incarnation = lookup("ReadVariableOp")(self._number, dtype=dtypes.int64)
            found = lookup("MultiDeviceIteratorGetNextFromShard")(
                self._resource, number, incarnation, **structure.outputs(self._spec)
            )
        return structure.from_tensor_list(self._spec, found)

    def get_next_as_optional(self) -> Any:
        """Not there.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("MultiDeviceIterator.get_next_as_optional()")

    @property
    def initializer(self) -> Any:
        """The operation that starts the iterator."""
        return self._initializer

    @property
    def element_spec(self) -> Any:
        """The specs of the elements."""
        return self._spec

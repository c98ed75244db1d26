"""The ops of iterators: what holds them, what starts them, what takes their elements."""
from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import SCALAR
from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.primitives.state import SessionState, resource_name
from ossia_data.elements import OUTPUTS, Body, Element, Elements, Iteration
from ossia_data.passing import Passed
from ossia_data.positions import Position, Unsaved, go_to, keep
from ossia_functions.optional import Optional

_KIND = "iterator"
_TAKEN = "taken"  # how many elements of a dataset that does not tell its position


class HeldIterator:
    """An iterator of a session: nothing, until it is started with a dataset.

    Attributes:
        handle: Its container and name, as bytes.
    """

    def __init__(self, session: SessionState, container: bytes, name: str, factory: Body | None = None) -> None:
        self._session, self._factory = session, factory
        self.handle = container + b"\0" + name.encode()
        self._elements: Iterator[Element] | None = None
        self._iteration: Iteration | None = None
        self._dataset: Elements | None = None
        self._at, self._taken, self._ended = "Iterator", 0, False
        self._lock = renewed(threading.RLock())

    def begin(self, dataset: Elements) -> None:
        """Start a pass over a dataset."""
        with self._lock:
            self._end()
            self._iteration = Iteration(self._session)
            self._dataset, self._at, self._taken, self._ended = dataset, "Iterator", 0, False
            while isinstance(dataset, Passed):
                self._at, dataset = f"{self._at}::{dataset.place}" if dataset.place else self._at, dataset.input
            self._elements = self._dataset.start(self._iteration)

    def _end(self) -> None:
        if self._iteration is not None:
            self._iteration.close()
        self._elements = self._iteration = None

    def cancel_all(self) -> None:
        """End the threads of the pass; called when the session is closed."""
        iteration = self._iteration
        if iteration is not None:
            iteration.close()

    def save(self) -> Any:
        """The position, as the proto of a variant.

        Raises:
            FailedPreconditionError: The iterator was not started.
        """
        with self._lock:
            if self._elements is None or self._dataset is None:
                raise errors.FailedPreconditionError(
                    None, None, "Save() failed because the iterator has not been initialized. Ensure that you have run "
                    "the initializer operation for this iterator before saving it."
                )
            position = Position()
            try:
                keep(self._elements, position, self._at)
            except Unsaved:
                position = Position()
                position.put(self._at, _TAKEN, self._taken)
            return position.proto()

    def restore(self, proto: Any) -> None:
        """Go to a position.

        Raises:
            FailedPreconditionError: The iterator was not started.
            NotFoundError: The position is one of another dataset.
        """
        with self._lock:
            if self._dataset is None:
                raise errors.FailedPreconditionError(
                    None, None, "Restore() failed because the iterator has not been initialized. Ensure that you have "
                    "run the initializer operation for this iterator before restoring it."
                )
            position = Position.of(proto)
            self.begin(self._dataset)
            if position.has(self._at, _TAKEN):
                for _ in range(position.number(self._at, _TAKEN)):
                    self._pass_over()
            else:
                try:
                    go_to(self._elements, position, self._at)
                except Unsaved:
                    raise errors.UnimplementedError(
                        None, None, f"{type(self._elements).__name__} cannot go to a position that names its parts."
                    ) from None

    def _pass_over(self) -> None:
        self._taken += 1
        try:
            next(self._elements, None)  # type: ignore[arg-type]
        except errors.OpError:
            return  # it failed the first time, too

    def take(self) -> Element:
        """The next element.

        Raises:
            FailedPreconditionError: The iterator was not started.
            OutOfRangeError: There is none.
        """
        with self._lock:
            if self._elements is None:
                if self._factory is None:
                    raise errors.FailedPreconditionError(
                        None, None,
                        "GetNext() failed because the iterator has not been initialized. Ensure that you have run the "
                        "initializer operation for this iterator before getting the next element.",
                    )
                self.begin(self._factory.instance()([])[0])
            self._taken += 1
            if not self._ended:
                try:
                    return next(self._elements)  # type: ignore[arg-type]
                except StopIteration:
                    self._ended = True
            raise errors.OutOfRangeError(None, None, "End of sequence")


def _held(node: Any, session: SessionState) -> HeldIterator:
    container, name = node.attrs["container"], resource_name(node)
    return session.resource(container, name, _KIND, lambda: HeldIterator(session, container, name))


for _type in ("Iterator", "IteratorV2"):
    _made = op(
        f"{_type}() -> handle: resource", stateful=True, shared_name="string", container="string", **OUTPUTS
    )
    _made.makes()
    _made.shape(lambda: SCALAR)
    _made.resource(_held)
    _made.not_differentiable()

one_shot_iterator_op = op(
    "OneShotIterator() -> handle: resource", stateful=True, dataset_factory="func", **OUTPUTS,
    container="string = ''", shared_name="string = ''",
)
one_shot_iterator_op.makes()
one_shot_iterator_op.shape(lambda: SCALAR)
one_shot_iterator_op.not_differentiable()


@one_shot_iterator_op.resource
def _(node: Any, session: SessionState) -> HeldIterator:
    container, name = node.attrs["container"], resource_name(node)
    return session.resource(
        container, name, _KIND,
        lambda: HeldIterator(session, container, name, Body(node, node.attrs["dataset_factory"], session)),
    )


for _type, _more in (("AnonymousIterator", ""), ("AnonymousIteratorV2", ", deleter: variant")):
    _made = op(f"{_type}() -> handle: resource{_more}", stateful=True, **OUTPUTS)
    _made.shape(lambda more=_more: (SCALAR, SCALAR) if more else SCALAR)
    _made.not_differentiable()

    @_made.kernel_for
    def _(node: Any, *, session: SessionState, more: str = _more) -> Any:
        numbers = itertools.count()

        def kernel() -> Any:
            name = f"{node.name}/anonymous_{next(numbers)}"
            held = session.resource("", name, _KIND, lambda: HeldIterator(session, b"", name))
            return (held, None) if more else held

        return kernel


delete_iterator_op = op("DeleteIterator(handle: resource, deleter: variant)", stateful=True)
delete_iterator_op.changes("handle")
delete_iterator_op.not_differentiable()


@delete_iterator_op.kernel
def _(handle, deleter, *, session):
    session.delete(handle)


for _prefix in ("", "Experimental"):
    _made = op(f"{_prefix}IteratorGetDevice(resource: resource) -> device: string", stateful=True)
    _made.reads("resource")
    _made.shape(lambda resource: SCALAR)
    _made.not_differentiable()

    @_made.kernel
    def _(resource, *, session):
        return np.array(f"{session.device}/device:CPU:0".encode(), object)


make_iterator_op = op("MakeIterator(dataset: variant, iterator: resource)", stateful=True)
make_iterator_op.changes("iterator")
make_iterator_op.not_differentiable()


@make_iterator_op.kernel
def _(dataset, iterator):
    iterator.begin(dataset)


def _declared_shapes(iterator: Any, *, output_shapes: Any) -> Any:
    return output_shapes


for _type in ("IteratorGetNext", "IteratorGetNextSync"):
    _made = op(f"{_type}(iterator: resource) -> components: output_types", stateful=True, **OUTPUTS)
    _made.changes("iterator")
    _made.shape(_declared_shapes)
    _made.kernel(lambda iterator: iterator.take())
    _made.not_differentiable()
    _made.quiet = True  # the functions of a dataset run as plans of their own

iterator_get_next_as_optional_op = op(
    "IteratorGetNextAsOptional(iterator: resource) -> optional: variant", stateful=True, **OUTPUTS
)
iterator_get_next_as_optional_op.changes("iterator")
iterator_get_next_as_optional_op.shape(lambda iterator: SCALAR)
iterator_get_next_as_optional_op.not_differentiable()


@iterator_get_next_as_optional_op.kernel
def _(iterator):
    try:
        return Optional(iterator.take())
    except errors.OutOfRangeError:
        return Optional(None)


iterator_to_string_handle_op = op(
    "IteratorToStringHandle(resource_handle: resource) -> string_handle: string", stateful=True
)
iterator_to_string_handle_op.reads("resource_handle")
iterator_to_string_handle_op.shape(lambda resource_handle: SCALAR)
iterator_to_string_handle_op.kernel(lambda iterator: iterator.handle)
iterator_to_string_handle_op.not_differentiable()

for _type in ("IteratorFromStringHandle", "IteratorFromStringHandleV2"):
    _made = op(
        f"{_type}(string_handle: string) -> resource_handle: resource", stateful=True,
        output_types="list(type) >= 0 = []", output_shapes="list(shape) >= 0 = []",
    )
    _made.shape(lambda string_handle: SCALAR)
    _made.not_differentiable()

    @_made.kernel
    def _(string_handle, *, session):
        handle = string_handle if isinstance(string_handle, bytes) else string_handle.item()
        handle = handle.encode() if isinstance(handle, str) else handle
        container, _, name = handle.partition(b"\0")
        found = session.find(container.decode(), name.decode(), _KIND)
        if found is None:
            raise errors.InvalidArgumentError(None, None, "The string handle is none of an iterator of this session")
        return found


serialize_iterator_op = op("SerializeIterator(resource_handle: resource) -> serialized: variant", stateful=True)
serialize_iterator_op.reads("resource_handle")
serialize_iterator_op.shape(lambda resource_handle: SCALAR)
serialize_iterator_op.kernel(lambda iterator: iterator.save())
serialize_iterator_op.not_differentiable()
deserialize_iterator_op = op("DeserializeIterator(resource_handle: resource, serialized: variant)", stateful=True)
deserialize_iterator_op.changes("resource_handle")
deserialize_iterator_op.not_differentiable()


@deserialize_iterator_op.kernel
def _(resource_handle, serialized):
    resource_handle.restore(serialized.item() if isinstance(serialized, np.ndarray) else serialized)


single_element_op = op(
    "DatasetToSingleElement(dataset: variant) -> components: output_types", stateful=True, **OUTPUTS
)
single_element_op.not_differentiable()


@single_element_op.shape
def _(dataset, *, output_shapes):
    return output_shapes


@single_element_op.kernel
def _(dataset, *, session):
    iteration = Iteration(session)
    try:
        found = dataset.start(iteration)
        element = next(found, None)
        if element is None:
            raise errors.InvalidArgumentError(None, None, "Dataset was empty.")
        if next(found, None) is not None:
            raise errors.InvalidArgumentError(None, None, "Dataset had more than one element.")
        return element
    finally:
        iteration.close()

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
from ossia_functions.optional import Optional

_KIND = "iterator"


class HeldIterator:
    """An iterator of a session: nothing, until it is started with a dataset.

    Attributes:
        handle: Its container and name, as bytes.
    """

    def __init__(self, session: SessionState, container: bytes, name: str, factory: Body | None = None) -> None:
        self._session, self._factory = session, factory
        self.handle = container + b"\0" + name.encode()
        self._elements: Iterator[Element] | None = None
        self._lock = renewed(threading.RLock())

    def begin(self, dataset: Elements) -> None:
        """Start a pass over a dataset."""
        with self._lock:
            self._elements = dataset.start(Iteration(self._session))

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
            try:
                return next(self._elements)  # type: ignore[arg-type]
            except StopIteration:
                self._elements = iter(())
                raise errors.OutOfRangeError(None, None, "End of sequence") from None


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


single_element_op = op(
    "DatasetToSingleElement(dataset: variant) -> components: output_types", stateful=True, **OUTPUTS
)
single_element_op.not_differentiable()


@single_element_op.shape
def _(dataset, *, output_shapes):
    return output_shapes


@single_element_op.kernel
def _(dataset, *, session):
    found = dataset.start(Iteration(session))
    element = next(found, None)
    if element is None:
        raise errors.InvalidArgumentError(None, None, "Dataset was empty.")
    if next(found, None) is not None:
        raise errors.InvalidArgumentError(None, None, "Dataset had more than one element.")
    return element

"""What datasets are in a run: objects that start iterations, and the functions that these call."""
from __future__ import annotations

import os
import sys
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ossia_core.backend import Backend, installed_backends
from ossia_core.declare.opdef import OpDef, op
from ossia_core.declare.shape_rules import SCALAR
from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.primitives.state import SessionState
from ossia_core.session.compile.plan import Plan
from ossia_core.session.run.context import RunContext
from ossia_functions import library

Element = list  # the values of the tensors in which an element travels
ENDLESS, UNKNOWN = -1, -2  # numbers of elements that are no numbers
OUTPUTS = {"output_types": "list(type) >= 1", "output_shapes": "list(shape) >= 1"}


class Elements(ABC):
    """A dataset in a run."""

    inputs: tuple[Elements, ...] = ()

    @abstractmethod
    def start(self, iteration: Iteration) -> Iterator[Element]:
        """A new pass over the elements. An error of one element leaves what is returned usable for the next ones."""

    def cardinality(self) -> int:
        """How many elements there are: `ENDLESS`, `UNKNOWN`, or their number."""
        return UNKNOWN

    def with_inputs(self, inputs: tuple[Elements, ...]) -> Elements:
        """The same of other inputs."""
        import copy
        made = copy.copy(self)
        made.inputs = inputs
        return made

    @property
    def input(self) -> Elements:
        """The only input."""
        return self.inputs[0]


class _FunctionState(SessionState):
    """A session's state as nodes in functions see it: resources are the session's, what nodes keep is their own."""

    def __init__(self, session: SessionState) -> None:
        super().__init__()
        self._session = session
        self.threads, self.device, self.updates, self.closed = (
            session.threads, session.device, session.updates, session.closed
        )

    def resource(self, container: str | bytes, name: str | bytes, kind: str, make: Callable[[], Any]) -> Any:
        return self._session.resource(container, name, kind, make)

    def find(self, container: str, name: str, kind: str) -> Any:
        return self._session.find(container, name, kind)

    def delete(self, resource: Any) -> bool:
        return self._session.delete(resource)


class Body:
    """A function that a dataset calls, with the values that it captured.

    Args:
        node: The node of the dataset.
        reference: Which function of its graph's library.
        session: The session's state.
    """

    def __init__(self, node: Any, reference: Any, session: SessionState) -> None:
        self._node, self._reference, self._session = node, reference, session

    def graph(self) -> Any:
        """The function's nodes."""
        return library.find(self._node.graph, self._reference).body(self._node.graph, dict(self._reference.attr))

    def instance(self, backends: Sequence[Backend] = ()) -> Callable[[list], list]:
        """What calls the function, from values to values; its nodes keep their state as long as it lives. `backends`
        compute it, or the installed ones."""
        graph = self.graph()
        state = _FunctionState(self._session)
        plan = Plan([*graph.outputs, *graph.control_outputs], graph.inputs, state, backends or installed_backends())

        def call(arguments: list) -> list:
            context = RunContext(state)
            context.check()
            return plan.run(context, [_fed(argument) for argument in arguments])

        return call


def _fed(value: Any) -> Any:
    """A value as plans take it: an array, unless it is a resource or a dataset."""
    if isinstance(value, np.generic):
        return np.asarray(value)
    if isinstance(value, (bytes, str)):
        return np.array(value, object)
    return value


class Iteration:
    """What lasts from the start of an iterator to its end: instances of the functions that datasets call."""

    def __init__(self, session: SessionState) -> None:
        self.session = session
        self.statistics: Any = None  # what gathers them, and two prefixes of their names
        self._instances: dict[Any, Callable[[list], list]] = {}
        self._things: Any = weakref.WeakSet()
        self._pool: ThreadPoolExecutor | None = None
        self._lock = renewed(threading.Lock())

    def function(self, body: Body, *backends: Backend) -> Callable[[list], list]:
        """The instance of a function that these backends compute, or the installed ones."""
        found = self._instances.get((body, backends))
        if found is None:
            found = self._instances[body, backends] = body.instance(backends)
        return found

    def pool(self) -> ThreadPoolExecutor:
        """Threads for the calls of functions."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(os.cpu_count() or 1, "ossia-data")
            return self._pool

    def closes(self, thing: Any) -> None:
        """Let `thing.close()` be called when the iteration ends, if there still is such a thing."""
        self._things.add(thing)

    def close(self) -> None:
        """End all threads that make elements ahead."""
        for thing in list(self._things):
            thing.close()
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def check(self) -> None:
        """CancelledError if the session was closed."""
        if self.session.closed.is_set():
            raise errors.CancelledError(None, None, "Session has been closed.")


class Calling(Elements):
    """A dataset that calls a function on the elements of another."""

    def __init__(self, source: Elements, body: Body, captured: list, **options: Any) -> None:
        self.inputs, self._body, self._captured = (source,), body, list(captured)
        self.__dict__.update(options)

    def _bound(self, iteration: Iteration, *backends: Backend) -> Callable[[list], list]:
        function, captured = iteration.function(self._body, *backends), self._captured
        return (lambda element: function([*element, *captured])) if captured else function


def dataset_op(signature: str, *, stateful: Any = False, outputs: Any = True, **attrs: Any) -> OpDef:
    """Declare an op that makes a dataset, see `op`; `outputs` adds the attributes of its elements."""
    definition = op(signature, stateful=stateful, **attrs, **(OUTPUTS if outputs else {}))
    definition.module = sys._getframe(1).f_globals["__name__"]  # the module that declares it, not this one
    definition.shape(lambda *_: SCALAR)
    definition.foldable = False
    definition.not_differentiable()
    return definition


def scalar(value: Any, name: str) -> int:
    """The number in a scalar input.

    Raises:
        InvalidArgumentError: It is no scalar.
    """
    if np.ndim(value):
        raise errors.InvalidArgumentError(None, None, f"{name} must be a scalar")
    return int(value)

"""`tf.CriticalSection`: functions that only one run at a time executes."""
from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from ossia_core.declare.opdef import op
from ossia_core.forks import forgetful, renewed
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.graph import Graph
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import colocate_with, control_dependencies, init_scope, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors, nest
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group, identity, with_dependencies
from ossia_core.primitives.source import no_op
from ossia_core.primitives.state import resource_name
from ossia_core.session.run.context import Held

CRITICAL_SECTIONS, CRITICAL_SECTION_EXECUTIONS = "critical_sections", "critical_section_executions"


class _Mutex:
    """What one run at a time may hold."""

    def __init__(self) -> None:
        self.condition = renewed(threading.Condition())
        self.held = False
        forgetful(self)

    def after_fork(self) -> None:
        """Take the right to run from a run that the child does not have."""
        self.held = False

    def release(self) -> None:
        with self.condition:
            self.held = False
            self.condition.notify_all()


class _Lock(Held):
    """The right to run, held until it is consumed or nothing refers to it."""

    __slots__ = ("_mutex",)

    def __init__(self, mutex: _Mutex) -> None:
        self._mutex: _Mutex | None = mutex

    def release(self) -> None:
        """Give the right back."""
        mutex, self._mutex = self._mutex, None
        if mutex is not None:
            mutex.release()

    def __del__(self) -> None:
        self.release()


mutex_v2_op = op("MutexV2() -> resource: resource", stateful=True, container="string = ''", shared_name="string = ''")
mutex_v2_op.in_any_order()


@mutex_v2_op.shape
def _():
    return TensorShape([])


@mutex_v2_op.resource(any_container=True)
def _(node, session):
    return session.resource(node.attrs["container"], resource_name(node), "mutex", _Mutex)


mutex_lock_op = op("MutexLock(mutex: resource) -> mutex_lock: variant", stateful=True)
mutex_lock_op.locks("mutex")


@mutex_lock_op.shape
def _(mutex):
    return TensorShape([])


@mutex_lock_op.kernel(blocking=True)
def _(mutex, *, context):
    if not isinstance(mutex, _Mutex):
        raise errors.InvalidArgumentError(None, None, "The resource is no mutex.")
    with mutex.condition:
        context.wait(mutex.condition, lambda: not mutex.held)
        mutex.held = True
    return _Lock(mutex)


consume_mutex_lock_op = op("ConsumeMutexLock(mutex_lock: variant)", stateful=True)
consume_mutex_lock_op.unlocks("mutex_lock")


@consume_mutex_lock_op.shape
def _(mutex_lock):
    return ()


@consume_mutex_lock_op.kernel
def _(mutex_lock):
    if not isinstance(mutex_lock, _Lock):
        raise errors.InvalidArgumentError(None, None, "Expected input to be a mutex lock.")
    mutex_lock.release()


def _together(items: list) -> list:
    """The items, each available once all of them are; variables are read after that."""
    present = [item for item in items if item is not None]
    if not present:
        return items
    with name_scope(None, "tuple", present):
        items = [item if item is None or hasattr(item, "op") or isinstance(item, (Operation, IndexedSlices))
                 else convert_to_tensor(item) for item in items]
        gate = group(*dict.fromkeys(getattr(item, "op", item) for item in items if item is not None))
        return [
            None if item is None else group(gate, item) if isinstance(item, Operation)
            else with_dependencies([gate], item) for item in items
        ]


def _passed_on(item: Any) -> Any:
    """An operation, or what an item gives, as a node of its own."""
    return group(item) if isinstance(item, Operation) else identity(item)


class _ExecutionSignature:
    """One call of `execute`: which section, which resources."""

    def __init__(self, op: Any, handle: Tensor, resources: list[Tensor], exclusive: bool) -> None:
        self.op, self.handle, self.resources, self.exclusive_resource_access = op, handle, resources, exclusive


@public("CriticalSection")
class CriticalSection:
    """A lock around functions: of those that it executes, one runs at a time.

    Args:
      name: name of the lock.
      shared_name: the name under which sessions share the lock; made of its name if None.
      critical_section_def: not supported.
      import_scope: not supported.

    Raises:
      ValueError: `critical_section_def` is given.
    """

    def __init__(self, name: str | None = None, shared_name: str | None = None, critical_section_def: Any = None,
                 import_scope: str | None = None) -> None:
        if critical_section_def and name is not None:
            raise ValueError("critical_section_def and shared_name are mutually exclusive.")
        if critical_section_def:
            raise ValueError("critical_section_def is not yet supported.")
        with init_scope(), name_scope(name, "CriticalSection", []) as scope:
            graph = get_default_graph()
            self._handle: Tensor = mutex_v2_op(
                shared_name=scope if shared_name is None else shared_name, container=graph._container, name=scope
            )
            self._graph: Graph = graph
        graph.add_to_collection(CRITICAL_SECTIONS, self)

    @property
    def name(self) -> str:
        """The name of the lock."""
        return self._handle.op.name

    def execute(self, fn: Callable[[], Any], exclusive_resource_access: bool = True, name: str | None = None) -> Any:
        """What `fn()` returns, computed while no other function of the section runs.

        Args:
          fn: builds what is to run.
          exclusive_resource_access: whether no other section may use the resources that `fn` uses.
          name: name scope of the ops made.

        Returns:
          The tensors that `fn` returned, in their structure.

        Raises:
          ValueError: `fn` uses the section itself, or a resource that belongs to another section.
        """
        with name_scope(name, "critical_section_execute", []):
            graph = get_default_graph()
            lock = mutex_lock_op(self._handle)
            before = graph._next_id
            with control_dependencies([lock]):
                result = fn()
            made = [node for node in graph._operations if node._id > before]
            resources = list(dict.fromkeys(t for node in made for t in node._inputs if t.dtype is dtypes.resource))
            if any(self._is_own(t) for t in resources):
                raise ValueError(
                    "The function fn attempts to directly access the CriticalSection in which it would be running. "
                    "This is illegal and would cause deadlocks."
                )
            self._check_access(resources, exclusive_resource_access)
            inner = {lock.op, *made}
            outside = list(dict.fromkeys(
                source for node in made for source in (*(t.op for t in node._inputs), *node._control_inputs)
                if source not in inner
            ))
            if outside:
                # Locking waits for what the function needs, so that no lock is held meanwhile.
                with control_dependencies(None), control_dependencies(outside):
                    lock.op._add_control_input(no_op(name="group_deps"))
            flat = nest.flatten(result)
            copies = [_passed_on(item) for item in flat if item is not None]
            with control_dependencies(copies):
                with colocate_with(self._handle):
                    released = consume_mutex_lock_op(lock)
                together = _together(flat)
            with control_dependencies([released]):
                outputs = [None if item is None else _passed_on(item) for item in together]
            signature = _ExecutionSignature(lock.op, self._handle, resources, exclusive_resource_access)
            graph.add_to_collection(CRITICAL_SECTION_EXECUTIONS, signature)
            return nest.pack_sequence_as(result, outputs)

    def _is_own(self, handle: Tensor) -> bool:
        """Whether a handle is that of the section's lock, which sections of one shared name have together."""
        node, own = handle.op, self._handle.op
        return node.definition is mutex_v2_op and node.attrs["shared_name"] == own.attrs["shared_name"]

    def _check_access(self, resources: Iterable[Tensor], exclusive: bool) -> None:
        """ValueError if an execution of another section uses one of the resources, and either wants it alone."""
        for other in self._graph.get_collection(CRITICAL_SECTION_EXECUTIONS):
            if self._is_own(other.handle) or not (other.exclusive_resource_access or exclusive):
                continue
            common = [t.name for t in resources if t in other.resources]
            if common:
                raise ValueError(
                    f"This execution would access resources: {common}. Either this lock (CriticalSection: "
                    f"{self._handle.name}) or lock '{other.handle.name}' requested exclusive resource access of this "
                    "resource."
                )

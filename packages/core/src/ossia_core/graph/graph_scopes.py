"""The scopes of a graph, for the nodes built inside: names, control inputs, devices, colocation, attributes."""
from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import DeviceScope, Frames, Operation, user_frames
from ossia_core.graph.tensor import Tensor

VALID_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-/]*\Z")
VALID_SCOPE = re.compile(r"[A-Za-z0-9_.\-/]*\Z")


class _ControlScope:
    """One `control_dependencies` block: what it asks for, and the ops built inside, which already follow it."""

    __slots__ = ("graph", "inputs", "new_stack", "old_context", "old_stack", "seen")

    def __init__(self, graph: GraphScopes, inputs: list[Operation], new_stack: bool) -> None:
        self.graph, self.inputs, self.new_stack = graph, inputs, new_stack
        self.seen: set[Operation] = set()

    @property
    def control_inputs(self) -> list[Operation]:
        return self.inputs

    def __enter__(self) -> None:
        graph = self.graph
        if self.new_stack:
            # An empty stack also leaves the control-flow context, as ops built here belong to neither.
            self.old_stack, graph._in_force.controls = graph._in_force.controls, []
            self.old_context, graph._control_flow_context = graph._control_flow_context, None
        graph._in_force.controls.append(self)

    def __exit__(self, *exc: Any) -> None:
        graph = self.graph
        controls = graph._in_force.controls
        if not controls or controls[-1] is not self:
            raise AssertionError("control_dependencies blocks must be left in the reverse order of entering")
        controls.pop()
        if self.new_stack:
            graph._in_force.controls, graph._control_flow_context = self.old_stack, self.old_context


class _NameScope:
    """One `name_scope` block."""

    __slots__ = ("_graph", "_name", "_old")

    def __init__(self, graph: GraphScopes, name: str | None) -> None:
        self._graph, self._name = graph, name

    def __enter__(self) -> str:
        graph = self._graph
        new = graph._scope_named(self._name)
        self._old, graph._name_stack = graph._name_stack, new
        return new + "/" if new else ""

    def __exit__(self, *exc: Any) -> None:
        self._graph._name_stack = self._old


class _Scopes:
    """The blocks in force that say what new nodes follow and where they are placed, the innermost last."""

    def __init__(self) -> None:
        self.controls: list[_ControlScope] = []
        self.devices: list[DeviceScope] = []
        self.outer_devices = self.devices  # those outside of all colocations
        self.colocations: list[tuple[Operation, Frames]] = []


class _ScopesOfThreads(threading.local):
    """The same, for each thread by itself: it begins inside of what held for all threads, but for control inputs."""

    def __init__(self, before: _Scopes) -> None:
        self.controls = before.controls[:1]
        self.devices = self.outer_devices = list(before.devices)
        self.colocations = list(before.colocations)


class _NameStack(threading.local):
    """The name scope that a thread is in."""

    scope = ""


class GraphScopes:
    """What of a graph decides how the next node is named, placed and ordered."""

    def __init__(self) -> None:
        self._names_in_use: dict[str, int] = {}
        self._names_of_threads = _NameStack()
        self._in_force: _Scopes | _ScopesOfThreads = _Scopes()
        self._control_flow_context: Any = None
        self._attr_scope_map: dict[str, Any] = {}
        self._kernel_labels: dict[str, str] = {}
        self._gradient_override: dict[str, str] = {}
        self._container = ""
        self._default_original_op: Operation | None = None

    @property
    def _name_stack(self) -> str:
        """The name scope of this thread; the other scopes hold for all threads, until `switch_to_thread_local`."""
        return self._names_of_threads.scope

    @_name_stack.setter
    def _name_stack(self, scope: str) -> None:
        self._names_of_threads.scope = scope

    def switch_to_thread_local(self) -> None:
        """From now on, scopes of control inputs, devices and colocation hold in the thread that enters them."""
        if isinstance(self._in_force, _Scopes):
            self._in_force = _ScopesOfThreads(self._in_force)

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` under the current name scope, with a number appended if it is taken (whatever the case of its
        letters)."""
        scope = self._names_of_threads.scope
        if scope:
            name = f"{scope}/{name}"
        used = self._names_in_use
        key = name.lower()
        count = used.get(key, 0)
        if mark_as_used:
            used[key] = count + 1
        if count:
            base = key
            while key in used:
                key = f"{base}_{count}"
                count += 1
            if mark_as_used:
                used[key] = 1
            name = f"{name}_{count - 1}"
        return name

    def get_name_scope(self) -> str:
        """The current name scope, without a final slash."""
        return self._name_stack

    def name_scope(self, name: str | None) -> _NameScope:
        """Nodes made inside get names under `name`; "" or None returns to the root, a final "/" re-enters a scope as it
        is."""
        return _NameScope(self, name)

    def _scope_named(self, name: str | None) -> str:
        """The name stack of a scope that is entered now."""
        if not name:
            return ""
        if isinstance(name, bytes):
            name = name.decode()
        if not (VALID_SCOPE if self._name_stack else VALID_NAME).match(name):
            raise ValueError(f"'{name}' is not a valid scope name")
        return name[:-1] if name[-1] == "/" else self.unique_name(name)

    def control_dependencies(self, control_inputs: Any) -> _ControlScope:
        """Nodes made inside run after `control_inputs`; None drops the dependencies in force.

        Raises:
          TypeError: an item is neither an operation nor a tensor.
        """
        if control_inputs is None:
            return _ControlScope(self, [], True)
        found: dict[Operation, None] = {}
        for item in control_inputs:
            if not isinstance(item, (Tensor, Operation)):
                # Of an IndexedSlices its op counts, of a resource variable its handle; a SparseTensor is neither.
                if getattr(item, "waits_for_op", False) or hasattr(item, "_handle"):
                    item = getattr(item, "op", item)
                item = self.as_graph_element(item)  # type: ignore[attr-defined]  # a method of the whole graph
            elif item.graph is not self:
                raise ValueError(f"{type(item).__name__} {item} is not an element of this graph.")
            found[item.op if isinstance(item, Tensor) else item] = None
        return _ControlScope(self, list(found), False)

    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:
        """Nodes made inside get this device, merged with the outer ones; None clears them, a function decides per
        node."""
        choose = device_name_or_function
        if choose is not None and not callable(choose):
            from ossia_core.names import device
            choose = device.merge_device(choose)
        return self._device(DeviceScope(choose, device_name_or_function, user_frames(1)))

    @contextlib.contextmanager
    def _device(self, scope: DeviceScope) -> Iterator[None]:
        devices = self._in_force.devices
        devices.append(scope)
        try:
            yield
        finally:
            devices = self._in_force.devices
            if not devices or devices[-1] is not scope:
                raise RuntimeError("Exiting device scope without proper scope nesting")
            devices.pop()

    @contextlib.contextmanager
    def _with_devices(self, devices: list[DeviceScope]) -> Iterator[None]:
        """Nodes made inside are in these device scopes, and in no others."""
        in_force = self._in_force
        saved, in_force.devices = in_force.devices, devices
        try:
            yield
        finally:
            in_force.devices = saved

    def _apply_devices(self, op: Operation) -> None:
        scopes = self._in_force.devices[::-1]
        op.device_scopes = scopes
        for scope in scopes:
            if scope.choose is None:
                break
            op._set_device(scope.choose(op) or "")

    def colocate_with(self, op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:
        """Nodes made inside are placed with `op`; `ignore_existing` drops the colocations in force."""
        return self._colocate_with(op, ignore_existing, user_frames(1))

    @contextlib.contextmanager
    def _colocate_with(self, op: Any, ignore_existing: bool, frames: Frames) -> Iterator[None]:
        if op is None and not ignore_existing:
            raise ValueError("Trying to reset colocation (op is None) but ignore_existing is not True")
        op = _colocation_op(op)
        in_force = self._in_force
        saved, old = in_force.devices, in_force.colocations
        # The device of the colocated op wins over the device scopes in force.
        in_force.devices = []
        if ignore_existing:
            in_force.colocations = []
        if op is not None:
            in_force.colocations = [*in_force.colocations, (op, frames)]
        try:
            yield
        finally:
            in_force.devices, in_force.colocations = saved, old

    def _colocate_with_for_gradient(self, op: Any, gradient_uid: Any, ignore_existing: bool = False) -> Any:
        return self.colocate_with(op, ignore_existing)

    @contextlib.contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Stateful nodes made inside keep their state in the resource container of that name."""
        old, self._container = self._container, container_name
        try:
            yield self._container
        finally:
            self._container = old

    @contextlib.contextmanager
    def gradient_override_map(self, op_type_map: dict[str, str]) -> Iterator[None]:
        """Nodes made inside of the types given use the gradient registered under the name given."""
        if not isinstance(op_type_map, dict):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        with self._string_map("_gradient_override", op_type_map, "op_type_map"):
            yield

    @contextlib.contextmanager
    def _kernel_label_map(self, op_to_kernel_label_map: dict[str, str]) -> Iterator[None]:
        if not isinstance(op_to_kernel_label_map, dict):
            raise TypeError("op_to_kernel_label_map must be a dictionary mapping strings to strings")
        with self._string_map("_kernel_labels", op_to_kernel_label_map, "op_to_kernel_label_map"):
            yield

    @contextlib.contextmanager
    def _string_map(self, attribute: str, added: dict[str, str], what: str) -> Iterator[None]:
        for key, value in added.items():
            if not (isinstance(key, str) and isinstance(value, str)):
                raise TypeError(f"{what} must be a dictionary mapping strings to strings")
        old = getattr(self, attribute)
        setattr(self, attribute, {**old, **added})
        try:
            yield
        finally:
            setattr(self, attribute, old)

    def _attr_scope(self, attr_map: dict[str, Any]) -> AbstractContextManager[None]:
        message = "attr_map must be a dictionary mapping strings to AttrValue protocol buffers"
        if not isinstance(attr_map, dict):
            raise TypeError(message)
        for name, value in attr_map.items():
            is_proto = getattr(getattr(value, "DESCRIPTOR", None), "name", "") == "AttrValue"
            if not (isinstance(name, str) and (value is None or callable(value) or is_proto)):
                raise TypeError(f"{message} or callables that emit AttrValue protocol buffers")
        return self._with_attributes(attr_map)

    @contextlib.contextmanager
    def _with_attributes(self, attr_map: dict[str, Any]) -> Iterator[None]:
        """Nodes made inside get these attributes, where they have no others of these names; None takes one back."""
        old = self._attr_scope_map
        self._attr_scope_map = {k: v for k, v in {**old, **attr_map}.items() if v is not None}
        try:
            yield
        finally:
            self._attr_scope_map = old

    @contextlib.contextmanager
    def _original_op(self, op: Operation) -> Iterator[None]:
        old, self._default_original_op = self._default_original_op, op
        try:
            yield
        finally:
            self._default_original_op = old

    def _get_control_flow_context(self) -> Any:
        return self._control_flow_context

    def _set_control_flow_context(self, context: Any) -> None:
        self._control_flow_context = context

    # -- what they ask of a node -------------------------------------------------------------------------

    def _apply_scopes(self, op: Operation, compute_device: bool) -> None:
        for key, value in self._attr_scope_map.items():
            if key not in op.attrs:
                value = value(op.node_def) if callable(value) else value
                if value is not None:
                    op._set_attr(key, value)
        if self._kernel_labels and op.type in self._kernel_labels:
            op.attrs["_kernel"] = self._kernel_labels[op.type].encode()
        if self._gradient_override and op.type in self._gradient_override:
            op.attrs["_gradient_op_type"] = self._gradient_override[op.type].encode()
        for scope in self._in_force.controls:
            scope.seen.add(op)
        op.original_op = self._default_original_op
        if compute_device and self._in_force.devices:
            self._apply_devices(op)
        if self._in_force.colocations:
            groups: set[bytes] = set()
            op.colocation_frames = {other.name: frames for other, frames in self._in_force.colocations}
            for other, _ in reversed(self._in_force.colocations):
                groups.update(other.colocation_groups())
                if other.device:
                    op._set_device(other.device)
            op.attrs["_class"] = sorted(groups)
        if (
            self._container
            and op.definition.stateful
            and "container" in op.definition.attrs
            and not op.attrs.get("container")
        ):
            op.attrs["container"] = self._container.encode()

    def _controls_for(self, inputs: tuple[Tensor, ...]) -> list[Operation]:
        input_ops = [t.op for t in inputs]
        found: dict[Operation, None] = {}
        for scope in self._in_force.controls:
            # An input built inside the block already waits for it.
            if not any(op in scope.seen for op in input_ops):
                for control in scope.inputs:
                    if control not in input_ops:
                        found[control] = None
        return list(found)

    def _control_dependencies_for_inputs(self, input_ops: list[Operation]) -> list[Operation]:
        return self._controls_for(tuple(op.outputs[0] for op in input_ops if op.outputs))

    def _current_control_dependencies(self) -> set[Operation]:
        return {op for scope in self._in_force.controls for op in scope.inputs}


def _colocation_op(item: Any) -> Operation | None:
    if item is None or isinstance(item, Operation):
        return item
    if isinstance(item, Tensor):
        return item.op
    handle = getattr(item, "handle", None)
    if isinstance(handle, Tensor):
        return handle.op
    element = getattr(item, "_as_graph_element", None)
    if element is not None:
        return element().op
    op = getattr(item, "op", None)
    if isinstance(op, Operation):
        return op
    return convert_to_tensor(item).op

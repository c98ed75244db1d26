"""Graph: the nodes a program builds, their names, and the scopes in force while it builds."""
from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ossia_core.api_table import public
from ossia_core.graph import stack
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor

if TYPE_CHECKING:
    from ossia_core.dtypes import DType
    from ossia_core.opdef import OpDef

VALID_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-/]*\Z")
VALID_SCOPE = re.compile(r"[A-Za-z0-9_.\-/]*\Z")
_FRAME_BORDERS = frozenset(
    (
        "Enter",
        "RefEnter",
        "Exit",
        "RefExit",
        "Switch",
        "RefSwitch",
        "Merge",
        "RefMerge",
        "NextIteration",
        "RefNextIteration",
        "ControlTrigger",
    )
)
PRODUCER_VERSION = 134  # the GraphDef version that TensorFlow 1.15 writes


class _ControlScope:
    """One `control_dependencies` block: what it asks for, and the ops built inside, which already follow it."""

    __slots__ = ("graph", "inputs", "new_stack", "old_context", "old_stack", "seen")

    def __init__(self, graph: Graph, inputs: list[Operation], new_stack: bool) -> None:
        self.graph, self.inputs, self.new_stack = graph, inputs, new_stack
        self.seen: set[Operation] = set()

    @property
    def control_inputs(self) -> list[Operation]:
        return self.inputs

    def __enter__(self) -> None:
        graph = self.graph
        if self.new_stack:
            # An empty stack also leaves the control-flow context, as ops built here belong to neither.
            self.old_stack, graph._control_scopes = graph._control_scopes, []
            self.old_context, graph._control_flow_context = graph._control_flow_context, None
        graph._control_scopes.append(self)

    def __exit__(self, *exc: Any) -> None:
        graph = self.graph
        if not graph._control_scopes or graph._control_scopes[-1] is not self:
            raise AssertionError("control_dependencies blocks must be left in the reverse order of entering")
        graph._control_scopes.pop()
        if self.new_stack:
            graph._control_scopes, graph._control_flow_context = self.old_stack, self.old_context


class _NameScope:
    """One `name_scope` block."""

    __slots__ = ("_graph", "_name", "_old")

    def __init__(self, graph: Graph, name: str | None) -> None:
        self._graph, self._name = graph, name

    def __enter__(self) -> str:
        graph = self._graph
        new = graph._scope_named(self._name)
        self._old, graph._name_stack = graph._name_stack, new
        return new + "/" if new else ""

    def __exit__(self, *exc: Any) -> None:
        self._graph._name_stack = self._old


@public("Graph")
class Graph:
    """A dataflow graph: operations as nodes, tensors as edges. Not safe for building from several threads at once."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._operations: list[Operation] = []
        self._by_name: dict[str, Operation] = {}
        self._names_in_use: dict[str, int] = {}
        self._name_stack = ""
        self._next_id = 0
        self._version = 0
        self._modifications = 0
        self._control_scopes: list[_ControlScope] = []
        self._control_flow_context: Any = None
        self._device_stack: list[Any] = []
        self._outer_devices = self._device_stack  # the device scopes outside of all colocations
        self._colocation_stack: list[Operation] = []
        self._attr_scope_map: dict[str, Any] = {}
        self._kernel_label_map: dict[str, str] = {}
        self._gradient_override: dict[str, str] = {}
        self._collections: dict[Any, list] = {}
        self._container = ""
        self._seed: int | None = None
        self._finalized = False
        self._unfeedable: set[Tensor] = set()
        self._unfetchable: set[Operation] = set()
        self._functions: dict[str, Any] = {}
        self._function_gradients: dict[str, str] = {}
        self._original_op: Operation | None = None
        self._colocation_code = None
        self._graph_key = f"grap-key-{id(self)}/"
        self._last_loss_reduction: Any = None
        self._building_function = False
        self._scopes: dict[Any, Any] = {}
        self._reads_seen: list[dict[Any, None]] = []

    # -- nodes --------------------------------------------------------------------------------------

    def next_id(self) -> int:
        """Number of the node about to be made."""
        self._check_not_finalized()
        self._next_id += 1
        return self._next_id

    @property
    def _last_id(self) -> int:
        return self._next_id

    @property
    def version(self) -> int:
        """Grows with every node."""
        return self._version

    @property
    def modifications(self) -> int:
        """Grows with every change of an existing node's edges; plans made before it are stale."""
        return self._modifications

    def modified(self) -> None:
        """Note that an existing node's edges changed."""
        self._modifications += 1

    @property
    def graph_def_versions(self) -> Any:
        """The VersionDef of the GraphDef this graph exports."""
        from ossia_core.proto import VersionDef
        return VersionDef(producer=PRODUCER_VERSION)

    def add_node(self, definition: OpDef, name: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any],
                 output_types: list[DType], *, compute_device: bool = True) -> Operation:
        """Make a node with resolved inputs and attributes, under the scopes in force. `name` ends in "/" if it is
        final."""
        name = name[:-1] if name[-1:] == "/" else self.unique_name(name)
        if not VALID_NAME.match(name):
            raise ValueError(f"'{name}' is not a valid node name")
        if name in self._by_name:
            raise ValueError(f"Duplicate node name in graph: '{name}'")
        context = self._control_flow_context
        for tensor in inputs:
            own = tensor.op._control_flow_context
            if own is not None and own is not context and definition.type not in _FRAME_BORDERS:
                own.check_use(name, context, tensor)
        controls = self._controls_for(inputs) if self._control_scopes else []
        op = Operation(self, definition, name, inputs, attrs, output_types, controls)
        self._operations.append(op)
        self._by_name[name] = op
        self._version = op._id
        if context is not None:
            context.AddOp(op)
        if (
            self._device_stack
            or self._colocation_stack
            or self._control_scopes
            or self._attr_scope_map
            or self._original_op is not None
            or self._gradient_override
            or self._kernel_label_map
            or self._container
        ):
            self._apply_scopes(op, compute_device)
        return op

    def _apply_scopes(self, op: Operation, compute_device: bool) -> None:
        for key, value in self._attr_scope_map.items():
            if key not in op.attrs:
                value = value(op.node_def) if callable(value) else value
                if value is not None:
                    op._set_attr(key, value)
        if self._kernel_label_map and op.type in self._kernel_label_map:
            op.attrs["_kernel"] = self._kernel_label_map[op.type].encode()
        if self._gradient_override and op.type in self._gradient_override:
            op.attrs["_gradient_op_type"] = self._gradient_override[op.type].encode()
        for scope in self._control_scopes:
            scope.seen.add(op)
        op.original_op = self._original_op
        if compute_device and self._device_stack:
            self._apply_devices(op)
        if self._colocation_stack:
            groups: set[bytes] = set()
            for other in self._colocation_stack:
                groups.update(other.colocation_groups())
                if other.device and not op.device:
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
        for scope in self._control_scopes:
            # An input built inside the block already waits for it.
            if not any(op in scope.seen for op in input_ops):
                for control in scope.inputs:
                    if control not in input_ops:
                        found[control] = None
        return list(found)

    def _control_dependencies_for_inputs(self, input_ops: list[Operation]) -> list[Operation]:
        return self._controls_for(tuple(op.outputs[0] for op in input_ops if op.outputs))

    def _current_control_dependencies(self) -> set[Operation]:
        return {op for scope in self._control_scopes for op in scope.inputs}

    def create_op(self, op_type: str, inputs: list, dtypes: list | None = None, input_types: list | None = None,
                  name: str | None = None, attrs: dict | None = None, op_def: Any = None, compute_shapes: bool = True,
                  compute_device: bool = True) -> Operation:
        """Make a node from a type name, input tensors and attributes (AttrValue protos or Python values)."""
        from ossia_core.graph.build import add_raw
        for t in inputs:
            if not isinstance(t, Tensor):
                raise TypeError(f"Input #{inputs.index(t)} is not a tensor: {t}")
        return add_raw(self, op_type, tuple(inputs), attrs or {}, name or op_type, compute_device)

    def get_operations(self) -> list[Operation]:
        """All nodes, in the order of creation."""
        return list(self._operations)

    def get_operation_by_name(self, name: str) -> Operation:
        """The node of that name; KeyError if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor of that name (`"op:0"`); KeyError if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The tensor or operation of this graph that `obj` names, is, or converts to.

        Raises:
          TypeError: `obj` cannot stand for a graph element of the kinds allowed.
          ValueError: it belongs to another graph, or its name is malformed.
          KeyError: no element has that name.
        """
        kinds = " or ".join(
            ([Tensor.__name__] if allow_tensor else []) + ([Operation.__name__] if allow_operation else [])
        )
        if not kinds:
            raise ValueError("allow_tensor and allow_operation can't both be False.")
        convert = getattr(obj, "_as_graph_element", None)
        if convert is not None:
            element = convert()
            obj = obj if element is None else element
        if isinstance(obj, bytes):
            obj = obj.decode()
        if isinstance(obj, str):
            return self._named_element(obj, allow_tensor, allow_operation)
        if (isinstance(obj, Tensor) and allow_tensor) or (isinstance(obj, Operation) and allow_operation):
            if obj.graph is not self:
                raise ValueError(f"{type(obj).__name__} {obj!r} is not an element of this graph.")
            return obj
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {kinds}.")

    def _named_element(self, name: str, allow_tensor: bool, allow_operation: bool) -> Any:
        if ":" in name and allow_tensor:
            op_name, _, index_text = name.rpartition(":")
            if not op_name or ":" in op_name or not index_text.isdigit():
                raise ValueError(
                    f"The name {name!r} looks a like a Tensor name, but is not a valid one. Tensor names must be of "
                    "the form "
                    '"<op_name>:<output_index>".'
                )
            op = self._by_name.get(op_name)
            if op is None:
                raise KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, does not "
                    "exist in the graph."
                )
            index = int(index_text)
            if index >= len(op.outputs):
                raise KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, exists "
                    f"but only has {len(op.outputs)} outputs."
                )
            return op.outputs[index]
        if ":" in name:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation.")
        op = self._by_name.get(name)
        if not allow_operation:
            if op is not None:
                raise ValueError(
                    f"The name {name!r} refers to an Operation, not a Tensor. Tensor names must be of the form "
                    '"<op_name>:<output_index>".'
                )
            raise ValueError(
                f"The name {name!r} looks like an (invalid) Operation name, not a Tensor. Tensor names must be of the "
                "form "
                '"<op_name>:<output_index>".'
            )
        if op is None:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
        return op

    # -- names ----------------------------------------------------------------------------------------

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` under the current name scope, with a number appended if it is taken (whatever the case of its
        letters)."""
        if self._name_stack:
            name = f"{self._name_stack}/{name}"
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

    # -- scopes ---------------------------------------------------------------------------------------

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
                # Of an IndexedSlices its op counts, of a resource variable its handle.
                if not hasattr(item, "_as_graph_element") or hasattr(item, "_handle"):
                    item = getattr(item, "op", item)
                item = self.as_graph_element(item)
            elif item.graph is not self:
                raise ValueError(f"{type(item).__name__} {item!r} is not an element of this graph.")
            found[item.op if isinstance(item, Tensor) else item] = None
        return _ControlScope(self, list(found), False)

    @contextlib.contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        """Nodes made inside get this device, merged with the outer ones; None clears them, a function decides per
        node."""
        from ossia_core import device
        entry = device_name_or_function
        if entry is not None and not callable(entry):
            entry = device.merge_device(entry)
        self._device_stack.append(entry)
        try:
            yield
        finally:
            if not self._device_stack or self._device_stack.pop() is not entry:
                raise RuntimeError("Exiting device scope without proper scope nesting")

    @contextlib.contextmanager
    def _devices_of_outside(self) -> Iterator[None]:
        """Where a colocation with an op that has no device hides the device scopes around it, they hold again."""
        saved = self._device_stack
        if not saved:
            self._device_stack = self._outer_devices
        try:
            yield
        finally:
            self._device_stack = saved

    def _apply_devices(self, op: Operation) -> None:
        for entry in reversed(self._device_stack):
            if entry is None:
                break
            op._set_device(entry(op) or "")

    @contextlib.contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """Nodes made inside are placed with `op`; `ignore_existing` drops the colocations in force."""
        if op is None and not ignore_existing:
            raise ValueError("Trying to reset colocation (op is None) but ignore_existing is not True")
        op = _colocation_op(op)
        saved = self._device_stack
        # The device of the colocated op wins over the device scopes in force.
        self._device_stack = []
        old = self._colocation_stack
        if ignore_existing:
            self._colocation_stack = []
        if op is not None:
            self._device_stack = [lambda _: op.device] if op.device else []
            self._colocation_stack = [*self._colocation_stack, op]
        try:
            yield
        finally:
            self._device_stack, self._colocation_stack = saved, old

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
    def _kernel_label(self, op_to_kernel_label_map: dict[str, str]) -> Iterator[None]:
        if not isinstance(op_to_kernel_label_map, dict):
            raise TypeError("op_to_kernel_label_map must be a dictionary mapping strings to strings")
        with self._string_map("_kernel_label_map", op_to_kernel_label_map, "op_to_kernel_label_map"):
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

    @contextlib.contextmanager
    def _attr_scope(self, attr_map: dict[str, Any]) -> Iterator[None]:
        old = self._attr_scope_map
        self._attr_scope_map = {k: v for k, v in {**old, **attr_map}.items() if v is not None}
        try:
            yield
        finally:
            self._attr_scope_map = old

    @contextlib.contextmanager
    def _original(self, op: Operation) -> Iterator[None]:
        old, self._original_op = self._original_op, op
        try:
            yield
        finally:
            self._original_op = old

    def _get_control_flow_context(self) -> Any:
        return self._control_flow_context

    def _set_control_flow_context(self, context: Any) -> None:
        self._control_flow_context = context

    def as_default(self) -> Any:
        """A context manager in which this is the thread's default graph."""
        return stack.graphs.push(self)

    # -- collections ------------------------------------------------------------------------------------

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Append `value` to a collection."""
        self._check_not_finalized()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Append `value` to each collection once, even if a name is repeated."""
        for name in (names,) if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection(self, name: Any, scope: str | None = None) -> list:
        """Items of a collection; with `scope`, those whose `name` matches that regular expression."""
        items = self._collections.get(name, [])
        if scope is None:
            return list(items)
        pattern = re.compile(scope)
        return [item for item in items if hasattr(item, "name") and pattern.match(item.name)]

    def get_collection_ref(self, name: Any) -> list:
        """The collection itself."""
        return self._collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list:
        """Names of the collections that hold something."""
        return [key for key in self._collections if isinstance(key, str)]

    @property
    def collections(self) -> list:
        """Names of all collections."""
        return self.get_all_collection_keys()

    def clear_collection(self, name: Any) -> None:
        """Empty a collection."""
        self._check_not_finalized()
        self._collections.pop(name, None)

    # -- state --------------------------------------------------------------------------------------------

    @property
    def seed(self) -> int | None:
        """The graph-level seed."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        self._seed = seed

    @property
    def finalized(self) -> bool:
        """Whether the graph is read-only."""
        return self._finalized

    def finalize(self) -> None:
        """Make the graph read-only."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        self._finalized = False

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    @property
    def building_function(self) -> bool:
        """Whether this graph is the body of a function."""
        return self._building_function

    def prevent_feeding(self, tensor: Tensor) -> None:
        """Refuse feeds of `tensor`."""
        self._unfeedable.add(tensor)

    def is_feedable(self, tensor: Tensor) -> bool:
        """Whether `tensor` may be fed."""
        return tensor not in self._unfeedable

    def prevent_fetching(self, op: Operation) -> None:
        """Refuse fetches of `op`."""
        self._unfetchable.add(op)

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether a tensor or operation may be fetched."""
        return (tensor_or_op.op if isinstance(tensor_or_op, Tensor) else tensor_or_op) not in self._unfetchable

    def switch_to_thread_local(self) -> None:
        """Accepted for compatibility: scopes are the graph's own."""

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """The GraphDef proto of this graph.

        Args:
          from_version: ignored, as in TensorFlow 1.15: the GraphDef has all nodes.
          add_shapes: whether to add the static shapes as `_output_shapes`.
        """
        from ossia_core.graph.export import graph_def
        return graph_def(self, add_shapes)

    def __enter__(self) -> Graph:
        self._entered = getattr(self, "_entered", [])
        self._entered.append(self.as_default())
        return self._entered[-1].__enter__()

    def __exit__(self, *exc: Any) -> None:
        self._entered.pop().__exit__(*exc)


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
    from ossia_core.graph.convert import convert_to_tensor
    return convert_to_tensor(item).op


def graph_of(items: Any, graph: Graph | None = None) -> Graph:
    """The graph that tensors, operations and composites in `items` share, the default graph if there are none.

    Raises:
      ValueError: they come from several graphs.
    """
    default = stack.get_default_graph()
    if default.building_function:
        return default
    first = None
    for item in items:
        own = getattr(item, "graph", None)
        if not isinstance(own, Graph):
            continue
        if graph is None:
            graph, first = own, item
        elif own is not graph:
            if first is None:
                raise ValueError(f"{item} is not from the passed-in graph.")
            raise ValueError(f"{item} must be from the same graph as {first}.")
    return graph or default


"""GraphDefs in: `import_graph_def`, which checks everything before it changes the graph."""
from __future__ import annotations

import contextlib
from typing import Any

from ossia_core.declare.builders import functional
from ossia_core.declare.language import ENTER, NEXT
from ossia_core.declare.opdef import MISSING, OpDef
from ossia_core.graph import collector
from ossia_core.graph.build import check_inputs
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.graph import Graph
from ossia_core.graph.graph_scopes import VALID_NAME, VALID_SCOPE
from ossia_core.graph.import_arguments import (
    as_graph_def,
    check_tensor_names,
    check_versions,
    checked_map,
    checked_names,
    in_this_graph,
)
from ossia_core.graph.inference import infer_shapes, output_types
from ossia_core.graph.loop_shapes import restore_loop_shapes
from ossia_core.graph.node_defs import CheckedNode, Declared, reference
from ossia_core.graph.operation import Operation, user_frames
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.names.device import DeviceSpec
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public

_DEFAULT = "import"


@public("import_graph_def", "graph_util.import_graph_def")
def import_graph_def(
    graph_def: Any,
    input_map: Any = None,
    return_elements: Any = None,
    name: str | None = None,
    op_dict: Any = None,
    producer_op_list: Any = None,
) -> list | None:
    """Add the nodes of a GraphDef to the default graph.

    Args:
      graph_def: a GraphDef proto (Ossia's, TensorFlow's, or its bytes).
      input_map: tensors to use in place of tensors of the GraphDef, by their names in it.
      return_elements: names in the GraphDef of operations and tensors to return.
      name: prefix of the names; "import" if None, none if "".
      op_dict: ignored, as in TensorFlow 1.15.
      producer_op_list: OpList of the program that wrote the GraphDef; attributes unknown here that have its default are
          dropped.

    Returns:
      The operations and tensors of `return_elements`, in order; None if it is None.

    Raises:
      TypeError: arguments of the wrong type.
      NotFoundError: an op type that no installed package declares.
      UnimplementedError: an op type that graphs of the GraphDef's version (`versions.producer`) do not have any more.
      ValueError: invalid nodes, inputs that do not exist or do not fit, a name of `input_map` or `return_elements` not
          found.
    """
    proto = as_graph_def(graph_def)
    mapped = checked_map(input_map)
    wanted = checked_names(return_elements)
    graph = get_default_graph()
    with contextlib.ExitStack() as scopes:
        prefix = _DEFAULT if name is None else name
        if prefix and not (VALID_SCOPE if graph._name_stack else VALID_NAME).match(prefix):
            raise ValueError(f"'{prefix}' is not a valid scope name")
        is_new = bool(prefix) and not prefix.endswith("/")
        prefix = graph.unique_name(prefix) if is_new else prefix.removesuffix("/")
        if not all(isinstance(v, Tensor) for v in mapped.values()):
            if not prefix:
                raise ValueError(
                    "tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor values: they "
                    "become constants in the scope of that name. Convert them with tf.convert_to_tensor() instead."
                )
            scopes.enter_context(graph.name_scope(f"{prefix}/"))
            with graph.name_scope("_inputs"):
                mapped = {k: convert_to_tensor(v) for k, v in mapped.items()}
        mapped = {key: in_this_graph(graph, key, tensor) for key, tensor in mapped.items()}
        check_tensor_names(wanted or [])
        with collector.paused():
            return _Import(graph, proto, prefix, is_new, mapped, producer_op_list).run(wanted)


def import_nodes(graph: Graph, graph_def: Any) -> None:
    """Add the nodes of a GraphDef, whose names are free, to `graph` as they are."""
    with collector.paused():
        _Import(graph, graph_def, "", True, {}, None).run(None)


def _difference(inferred: TensorShape, stated: TensorShape) -> str:
    """In words, why a static shape cannot be another one."""
    one, other = (str(list(shape.as_tuple())).replace("None", "?").replace(" ", "") for shape in (inferred, stated))
    if inferred.ndims != stated.ndims:
        return f"Shapes must be equal rank, but are {inferred.ndims} and {stated.ndims}"
    i, a, b = next((i, a, b) for i, (a, b) in enumerate(zip(inferred.as_tuple(), stated.as_tuple(), strict=True))
                   if None not in (a, b) and a != b)
    return f"Dimension {i} in both shapes must be equal, but are {a} and {b}. Shapes are {one} and {other}."


class _Import:
    """One import: nodes are made in an order in which inputs come first; edges that close loops are set at the end."""

    def __init__(
        self, graph: Graph, proto: Any, prefix: str, is_new: bool, mapped: dict[str, Tensor], producer_op_list: Any
    ) -> None:
        check_versions(proto.versions)
        self._proto, self._versions = proto, proto.versions
        self._graph, self._prefix, self._mapped = graph, prefix, mapped
        self._normal_map = {self._normal(k): v for k, v in mapped.items()}
        producer = (
            {
                op.name: {a.name: a.default_value for a in op.attr if a.HasField("default_value")}
                for op in producer_op_list.op
            }
            if producer_op_list is not None
            else {}
        )
        self._known_functions = dict(graph._functions), dict(graph._function_gradients)
        try:
            self._add_functions(proto.library)
            self._read_nodes(proto, producer)
        except BaseException:
            self._undo_functions()
            raise
        self._renamed = {} if is_new or not graph._by_name else self._in_graph()
        self._map_used: set[str] = set()
        self._frames = user_frames()
        self._scopes = graph._in_force
        self._colocated: dict[Operation, list[str]] = {}
        self._controls = tuple(dict.fromkeys(op for scope in graph._in_force.controls for op in scope.inputs))

    def _add_functions(self, library: Any) -> None:
        """Take the functions of the GraphDef into the graph's library.

        Raises:
          ValueError: two different functions of one name, or gradients of functions that depend on each other.
        """
        for definition in library.function:
            try:
                functional("import")(self._graph, definition)
            except errors.InvalidArgumentError as error:
                raise ValueError(error.message) from None
        gradients = self._graph._function_gradients
        for entry in library.gradient:
            if gradients.setdefault(entry.function_name, entry.gradient_func) != entry.gradient_func:
                raise ValueError(
                    f"Cannot assign gradient function '{entry.gradient_func}' to '{entry.function_name}' because it "
                    f"already has gradient function '{gradients[entry.function_name]}'"
                )
        settled: set[str] = set()
        for name in gradients:
            path: set[str] = set()
            while name in gradients and name not in settled:
                if name in path:
                    raise ValueError(f"There is a cyclic-dependency between functions. ``{name}`` is its own gradient")
                path.add(name)
                name = gradients[name]
            settled.update(path)

    def _undo_functions(self) -> None:
        for current, before in zip(
            (self._graph._functions, self._graph._function_gradients), self._known_functions, strict=True
        ):
            current.clear()
            current.update(before)

    def _read_nodes(self, proto: Any, producer: dict[str, Any]) -> None:
        graph, nodes = self._graph, {}
        known: dict[str, Declared] = {}
        self._sorted = True  # whether inputs come first, as in most GraphDefs
        for node_proto in proto.node:
            node = CheckedNode(node_proto, producer, graph, self._prefix, known)
            if node.definition.deprecation is not None:
                removal = node.definition.removal(self._versions.producer)
                if removal is not None:
                    raise errors.UnimplementedError(None, None, removal)
            for name, _ in node.references:
                if name not in nodes:
                    self._sorted = False
            if node.name in nodes:
                raise ValueError(f"Node '{node.name}' is not unique")
            nodes[node.name] = node
        self._nodes: dict[str, Any] = nodes  # a CheckedNode each, and then the operation made of it

    def _in_graph(self) -> dict[str, str]:
        """The nodes whose names are taken in the graph, with the names that they get instead."""
        prefix = f"{self._prefix}/" if self._prefix else ""
        taken = set(self._graph._by_name)
        for name in self._graph._by_name:
            while "/" in name:
                name = name.rpartition("/")[0]
                taken.add(name)
        found = {}
        for name in self._nodes:
            unique, number = name, 1
            while prefix + unique in taken or (unique != name and unique in self._nodes):
                unique, number = f"{name}_{number}", number + 1
            if unique != name:
                found[name] = prefix + unique
        return found

    def _name_of(self, name: str) -> str:
        """The name that a node of the GraphDef has in the graph."""
        return self._renamed.get(name) or self._full_name(name)

    def run(self, wanted: list[str] | None) -> list | None:
        nodes = self._nodes.values()
        for i, node in enumerate(() if self._sorted else nodes):
            for position, (name, index) in enumerate(node.references):
                key = f"^{name}" if index < 0 else f"{name}:{index}"
                if name not in self._nodes and key not in self._normal_map:
                    self._undo_functions()
                    text = self._proto.node[i].input[position]
                    raise ValueError(f"Node '{node.name}': Unknown input node '{text}'")
        start, versions = len(self._graph._operations), self._graph._def_versions
        self._graph.join_versions(self._versions)  # the bodies of its functions are as old
        try:
            late: list[tuple[Operation, int, str, int]] = []
            for node in nodes if self._sorted else self._in_order():
                self._make(node, late)
            for op, position, name, index in late:
                self._close_loop(op, position, self._nodes[name], index)
            result = None if wanted is None else [self._element(name) for name in wanted]
            unused = [key for key in self._mapped if self._normal(key) not in self._map_used]
            unused = [
                key
                for key in unused
                if self._normal(key).lstrip("^").split(":")[0] not in self._nodes or not self._exists(key)
            ]
            if unused:
                for key in unused:
                    if key.count(":") > 1:
                        raise ValueError(f"Cannot convert {key!r} to a tensor name.")
                missing = ", ".join(key if ":" in key or key.startswith("^") else f"{key}:0" for key in unused)
                raise ValueError(f"Attempted to map inputs that were not found in graph_def: [{missing}]")
        except BaseException:
            self._undo(start)
            self._graph._def_versions = versions
            raise
        self._place_colocated()
        self._restore_contexts()
        return result

    def _place_colocated(self) -> None:
        """Put nodes that are colocated with others where the first of those with a device is."""
        for op, others in self._colocated.items():
            op.device = next(filter(None, (self._graph._by_name[name].device for name in others)), "")

    def _restore_contexts(self) -> None:
        if any(op.definition.role is ENTER for op in self._nodes.values()):
            restore_loop_shapes(list(self._nodes.values()))

    def _undo(self, start: int) -> None:
        self._undo_functions()
        graph, made = self._graph, {op for op in self._nodes.values() if isinstance(op, Operation)}
        graph._operations[start:] = [op for op in graph._operations[start:] if op not in made]
        for op in made:
            graph._by_name.pop(op.name, None)
        for tensor in {t for op in made for t in op._inputs if t.op not in made}:
            tensor._consumers[:] = [consumer for consumer in tensor._consumers if consumer not in made]

    @staticmethod
    def _normal(key: str) -> str:
        if key.startswith("^"):
            return key
        name, index = reference(key)
        return f"{name}:{index}"

    def _exists(self, key: str) -> bool:
        name, index = reference(self._normal(key))
        op = self._made(name)
        return op is not None and (index < 0 or index < len(op.outputs))

    def _made(self, name: str) -> Operation | None:
        """What a node of the GraphDef has become."""
        found = self._nodes.get(name)
        return found if isinstance(found, Operation) else None

    def _in_order(self) -> list[CheckedNode]:
        """Nodes after their inputs, otherwise in the order of the GraphDef.

        Raises:
          ValueError: the edges form a cycle outside of any loop.
        """
        normal = self._normal_map
        waiting: dict[str, int] = {}
        followers: dict[str, list[str]] = {}
        for node in self._nodes.values():
            before = set()
            for name, index in node.references:
                key = f"^{name}" if index < 0 else f"{name}:{index}"
                if key in normal:
                    continue
                if self._nodes[name].definition.role is NEXT and index >= 0:
                    continue
                before.add(name)
            waiting[node.name] = len(before)
            for name in before:
                followers.setdefault(name, []).append(node.name)
        import heapq
        position = {name: i for i, name in enumerate(self._nodes)}
        ready = [position[name] for name, count in waiting.items() if not count]
        heapq.heapify(ready)
        nodes = list(self._nodes.values())
        ordered = []
        while ready:
            node = nodes[heapq.heappop(ready)]
            ordered.append(node)
            for follower in followers.get(node.name, ()):
                waiting[follower] -= 1
                if not waiting[follower]:
                    heapq.heappush(ready, position[follower])
        if len(ordered) < len(nodes):
            raise ValueError(f"{len(nodes) - len(ordered)} nodes in a cycle")
        return ordered

    def _full_name(self, name: str) -> str:
        return f"{self._prefix}/{name}" if self._prefix else name

    def _make(self, node: CheckedNode, late: list) -> None:
        normal, nodes = self._normal_map, self._nodes
        source: Any
        inputs: list[Tensor] = []
        controls: list[Operation] = []
        before = len(late)
        for position, (name, index) in enumerate(node.references):
            if normal:
                key = f"^{name}" if index < 0 else f"{name}:{index}"
                if key in normal:
                    self._map_used.add(key)
                    if index < 0:
                        controls.append(normal[key].op)
                    else:
                        inputs.append(normal[key])
                    continue
            source = nodes[name]
            if index < 0:
                controls.append(source)
                continue
            if type(source) is CheckedNode:
                # The value that comes around a loop: stands in until its node exists.
                late.append((node, position, name, index))
                inputs.append(inputs[0] if inputs else None)  # type: ignore[arg-type]
                continue
            if index >= len(source.outputs):
                raise ValueError(
                    f"Node '{node.name}': Connecting to invalid output {index} of source node {name} which has "
                    f"{len(source.outputs)} outputs."
                )
            inputs.append(source.outputs[index])
        if len(late) > before and any(t is None for t in inputs):
            raise ValueError(f"Node '{node.name}': a loop must be entered before it is closed")
        attrs = node.attrs
        definition = node.definition
        for attr in definition.attrs.values():
            if attr.name not in attrs:
                if attr.default is MISSING:
                    raise ValueError(
                        f"NodeDef missing attr '{attr.name}' from {definition!r}; NodeDef: {{{{node "
                        f"{self._full_name(node.name)}}}}}"
                    )
                attrs[attr.name] = attr.default
        given = tuple(inputs)
        check_inputs(definition, given, attrs, self._full_name(node.name))
        self._prefix_colocation(node.name, attrs)
        op = self._add(definition, self._name_of(node.name), given, attrs, node.device)
        if controls and len(controls) + len(op._control_inputs) == 1:
            op._control_inputs = controls
        elif controls:
            own = sorted(controls, key=lambda control: control.name)
            op._control_inputs = list(dict.fromkeys((*own, *op._control_inputs)))
        nodes[node.name] = op
        infer_shapes(op)
        for i in range(before, len(late)):
            late[i] = (op, *late[i][1:])
            # What comes around the loop may have any shape, as far as is known here.
            op.outputs[0]._shape = UNKNOWN_SHAPE
        self._apply_output_shapes(op)

    def _add(
        self, definition: OpDef, name: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any], device: str
    ) -> Operation:
        graph = self._graph
        device = DeviceSpec.from_string(device).to_string() if device else ""
        types = output_types(definition, attrs)
        op = Operation.made(graph, definition, name, inputs, attrs, types, self._controls, self._frames)
        graph._operations.append(op)
        graph._by_name[name] = op
        small = name.lower()
        graph._names_in_use.setdefault(name if small == name else small, 1)
        graph._version = op._id
        op.device = device
        for scope in self._scopes.controls:
            scope.seen.add(op)
        if op._control_flow_context is not None:
            op._control_flow_context.AddOp(op)
        names = [g[5:].decode() for g in attrs.get("_class") or () if g.startswith(b"loc:@")]
        if names and any(other != name for other in names):
            op.device = ""
            self._colocated[op] = names
        elif self._scopes.devices:
            own = op.device
            graph._apply_devices(op)
            op.device = op.device or own
        return op

    def _prefix_colocation(self, node: str, attrs: dict[str, Any]) -> None:
        groups = attrs.get("_class")
        if not groups:
            return
        prefixed = []
        for group in groups:
            if group.startswith(b"loc:@"):
                name = group[5:].decode(errors="replace")
                if name in self._nodes:
                    group = f"loc:@{self._name_of(name)}".encode()
                else:
                    raise ValueError(f"Node '{node}' expects to be colocated with unknown node '{name}'")
            prefixed.append(group)
        attrs["_class"] = prefixed

    @staticmethod
    def _apply_output_shapes(op: Operation) -> None:
        shapes = op.attrs.pop("_output_shapes", None)
        if not isinstance(shapes, list) or len(shapes) != len(op.outputs):
            return
        for i, (tensor, shape) in enumerate(zip(op.outputs, shapes, strict=True)):
            if not isinstance(shape, TensorShape):
                continue
            if not tensor.shape.is_compatible_with(shape):
                raise ValueError(
                    f"Node '{op.name}' has an _output_shapes attribute inconsistent with the GraphDef for output #{i}: "
                    f"{_difference(tensor.shape, shape)}"
                )
            tensor._shape = tensor.shape.merge_with(shape)

    @staticmethod
    def _close_loop(op: Operation, position: int, source: Operation, index: int) -> None:
        if index >= len(source.outputs):
            raise ValueError(f"Node '{op.name}': Connecting to invalid output {index} of source node {source.name}")
        tensor = source.outputs[index]
        if tensor.dtype.base_dtype is not op._inputs[position].dtype.base_dtype:
            raise ValueError(
                f"Input {position} of node {op.name} was passed {dtypes.engine_name(tensor.dtype)} from {tensor.name} "
                f"incompatible with expected {dtypes.engine_name(op._inputs[position].dtype)}."
            )
        op._update_input(position, tensor)

    def _element(self, text: str) -> Any:
        if ":" in text:
            name, index = reference(text)
            key = f"{name}:{index}"
            if key in self._normal_map:
                self._map_used.add(key)
                return self._normal_map[key]
            op = self._made(name)
            if op is None or not text.rpartition(":")[2].isdigit():
                raise ValueError(f"Requested return tensor {text!r} not found in graph def")
            if index >= len(op.outputs):
                raise ValueError(
                    f"Invalid return output {index} of node {name!r}, which has {len(op.outputs)} output(s)"
                )
            return op.outputs[index]
        op = self._made(text)
        if op is None:
            raise ValueError(f"Requested return node {text!r} not found in graph def")
        return op

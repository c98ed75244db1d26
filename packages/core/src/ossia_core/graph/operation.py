"""Operation: one node of a graph."""
from __future__ import annotations

import linecache
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from ossia_core.declare.builders import builder
from ossia_core.graph.tensor import Tensor, eval_session
from ossia_core.names.dtypes import DType
from ossia_core.names.errors import InvalidArgumentError, OutOfRangeError, dims_text
from ossia_core.plugins.api_table import public

if TYPE_CHECKING:
    from ossia_core.declare.opdef import OpDef
    from ossia_core.graph.graph import Graph

_internal: dict[Any, bool] = {}


def _is_internal(code: Any) -> bool:
    """Whether a code object belongs to an Ossia package, found from its module path."""
    parts = code.co_filename.replace("\\", "/").rsplit("/", 4)[:-1]
    known = any(part == "ossia" or part.startswith("ossia_") for part in parts)
    _internal[code] = known
    return known


Frames = tuple[tuple[Any, int], ...]
"""(code, instruction) pairs of a program's frames, innermost first."""


def user_frames(limit: int = 10) -> Frames:
    """(code, instruction) pairs of the calling program's innermost frames; lines are looked up when asked for."""
    frame: Any = sys._getframe(2)
    internal = _internal
    while frame is not None:
        code = frame.f_code
        if not (internal[code] if code in internal else _is_internal(code)):
            break
        frame = frame.f_back
    found: list[tuple] = []
    while frame is not None and len(found) < limit:
        found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(found)


def line_of(code: Any, instruction: int) -> int:
    """The line of the source that an instruction belongs to."""
    for start, stop, line in code.co_lines():
        if start <= instruction < stop and line is not None:
            return line
    return code.co_firstlineno


class Place(NamedTuple):
    """What was asked for, as text (None for colocations), and the line of the program that did."""

    obj: str | None
    filename: str | None
    lineno: int | None


class DeviceScope:
    """One `device` block.

    Attributes:
      choose: gives the device of a node; None clears the devices around the block.
      asked: the argument of `device`.
      frames: the frame of the program that entered it.
    """

    __slots__ = ("choose", "asked", "frames")

    def __init__(self, choose: Any, asked: Any, frames: Frames) -> None:
        self.choose, self.asked, self.frames = choose, asked, frames


def device_places(scopes: Iterable[DeviceScope]) -> list[Place]:
    """What `device` blocks asked for, and where."""
    return [_place(_text(scope.asked), scope.frames) for scope in scopes]


def colocation_places(frames: dict[str, Frames]) -> dict[str, Place]:
    """Where a program asked for colocation with the nodes of these names."""
    return {name: _place(None, own) for name, own in frames.items()}


def _place(text: str | None, frames: Frames) -> Place:
    if not frames:
        return Place(text, None, None)
    code, instruction = frames[0]
    return Place(text, code.co_filename, line_of(code, instruction))


def _text(asked: Any) -> str:
    if not callable(asked) or hasattr(asked, "to_string"):
        return str(asked)
    name = getattr(asked, "__name__", None) or str(type(asked))
    code = getattr(asked, "__code__", None) or getattr(type(asked).__call__, "__code__", None)
    return f"{name}<{code.co_filename}, {code.co_firstlineno}>" if code else f"{name}<unknown, -1>"


@public("Operation")
class Operation:
    """A node: its type, inputs, control inputs, attributes and outputs.

    Args:
      node_def: NodeDef with name, type, attributes and device. What it says of inputs is not read.
      g: the graph that gets the node; the scopes in force there do not matter.
      inputs: list of the input tensors.
      output_types: not needed, they follow from the op.
      control_inputs: operations or tensors that the node follows.
      input_types: list of the dtypes that the inputs must have, if given.
      original_op: the operation that this one stands for.
      op_def: not needed, it follows from the type.

    Raises:
      TypeError: an argument is of another kind, or inputs are not of `input_types`.
      ValueError: the name is malformed or taken, or inputs and attributes do not fit the op.
      NotFoundError: unknown op type.
    """

    __slots__ = (  # a third less memory than in a dictionary; what only few nodes have is in that
        "__dict__", "__weakref__", "_control_flow_context", "_control_inputs", "_id", "_input_list", "_inputs", "attrs",
        "definition", "device", "frames", "graph", "name", "original_op", "outputs", "type",
    )
    original_op: Operation | None
    device_scopes: Sequence[DeviceScope] = ()
    """The `device` blocks that it was made in, the innermost first."""
    colocation_frames: dict[str, Frames] = {}
    """The nodes that the program asked to place it with, and where it did."""

    def __init__(
        self,
        node_def: Any,
        g: Any,
        inputs: list[Tensor] | None = None,
        output_types: list[DType] | None = None,
        control_inputs: Sequence[Any] | None = None,
        input_types: Sequence[DType] | None = None,
        original_op: Operation | None = None,
        op_def: Any = None,
    ) -> None:
        builder("Graph").describe(self, node_def, g, inputs, control_inputs, input_types)
        if original_op is not None:
            self.original_op = original_op

    @classmethod
    def made(cls, graph: Graph, definition: OpDef, name: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any],
             output_types: list[DType], control_inputs: Sequence[Operation], frames: Frames | None = None) -> Operation:
        """A node of what has been checked; `frames` say where the program made it, by default here and now."""
        self = cls.__new__(cls)
        self._fill(graph, definition, name, inputs, attrs, output_types, control_inputs, frames)
        return self

    def _fill(self, graph: Graph, definition: OpDef, name: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any],
              output_types: list[DType], control_inputs: Sequence[Operation], frames: Frames | None = None) -> None:
        self.graph = graph
        self.definition = definition
        self.type = definition.type
        self.name = name
        self._inputs = inputs
        self._input_list: InputList | None = None
        self.attrs = attrs
        self._control_inputs: Sequence[Operation] = control_inputs or ()
        self.device = ""
        self._id = graph.next_id()
        self._control_flow_context = graph._control_flow_context
        self.frames = user_frames() if frames is None else frames
        self.original_op = None
        self.outputs = [graph.tensor_type(self, i, dtype) for i, dtype in enumerate(output_types)]
        for tensor in inputs:
            tensor._consumers.append(self)

    @property
    def inputs(self) -> InputList:
        """The input tensors, in order."""
        found = self._input_list
        if found is None or found._inputs is not self._inputs:
            found = self._input_list = InputList(self._inputs)
        return found

    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that must have run before this one."""
        return list(self._control_inputs)

    @property
    def _control_outputs(self) -> list[Operation]:
        return [op for op in self.graph._operations if self in op._control_inputs]

    @property
    def node_def(self) -> Any:
        """The NodeDef proto of this node."""
        from ossia_core.graph.export import node_def
        return node_def(self, by_name=False)

    @property
    def op_def(self) -> Any:
        """The OpDef proto of this node's type."""
        from ossia_core.graph.export import op_def
        return op_def(self.definition)

    @property
    def traceback(self) -> list[tuple[str, int, str, str | None]]:
        """Where the program made this node: (file, line number, function, source line), outermost first."""
        rows = []
        for code, instruction in reversed(self.frames):
            line = line_of(code, instruction)
            rows.append(
                (code.co_filename, line, code.co_name, linecache.getline(code.co_filename, line).strip() or None)
            )
        return rows

    @property
    def traceback_with_start_lines(self) -> list[tuple[str, int, str, str | None, int]]:
        """The same, with the first line of each function."""
        return [(*row, code.co_firstlineno) for row, (code, _) in zip(self.traceback, reversed(self.frames))]

    @property
    def _device_assignments(self) -> list[Place]:
        return device_places(self.device_scopes)

    @property
    def _colocation_dict(self) -> dict[str, Place]:
        return colocation_places(self.colocation_frames)

    def colocation_groups(self) -> list[bytes]:
        """The colocation groups of this node, its own group if it has none."""
        groups = self.attrs.get("_class")
        own = [f"loc:@{self.name}".encode()]
        if not groups:
            return own
        found = [name for name in groups if name.startswith(b"loc:@")]
        return found or own

    def values(self) -> tuple[Tensor, ...]:
        """The outputs."""
        return tuple(self.outputs)

    def get_attr(self, name: str) -> Any:
        """Value of an attribute; ValueError if there is none."""
        try:
            value = self.attrs[name]
        except KeyError:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.") from None
        attr = self.definition.attrs.get(name)
        if attr is not None and attr.kind in ("shape", "tensor", "func", "list(shape)", "list(tensor)", "list(func)"):
            from ossia_core.graph.export import attr_for_user
            return attr_for_user(value, attr.kind)
        return list(value) if isinstance(value, list) else value

    def _set_attr(self, name: str, value: Any) -> None:
        if hasattr(value, "DESCRIPTOR"):
            from ossia_core.names.attr_proto import from_attr_value
            value = from_attr_value(value)
        self.attrs[name] = value

    def _clear_attr(self, name: str) -> None:
        self.attrs.pop(name, None)

    @property
    def _input_types(self) -> list[DType]:
        return [tensor.dtype for tensor in self._inputs]

    @property
    def _output_types(self) -> list[int]:
        return [tensor.dtype.as_datatype_enum for tensor in self.outputs]

    @property
    def _node_def(self) -> Any:
        return self.node_def

    @property
    def _op_def(self) -> Any:
        return self.op_def

    @property
    def _is_stateful(self) -> bool:
        return self.definition.stateful

    @property
    def _id_value(self) -> int:
        return self._id

    def _set_device(self, device: Any) -> None:
        self.device = device if isinstance(device, str) else device.to_string()

    def _add_control_input(self, op: Operation) -> None:
        self._add_control_inputs([op])

    def _add_control_inputs(self, ops: Sequence[Operation]) -> None:
        for op in ops:
            if not isinstance(op, Operation):
                raise TypeError(f"op must be an Operation: {op}")
        self._control_inputs = list(dict.fromkeys((*self._control_inputs, *ops)))
        self.graph.modified()

    def _remove_all_control_inputs(self) -> None:
        self._control_inputs = ()
        self.graph.modified()

    def _update_input(self, index: int, tensor: Tensor) -> None:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"tensor must be a Tensor: {tensor}")
        if tensor.graph is not self.graph:
            raise ValueError(f"{tensor} must be from the same graph as {self}.")
        if not 0 <= index < len(self._inputs):
            raise OutOfRangeError(
                None, None, f"Cannot update edge. Input index [{index}] is greater than the number of total inputs "
                f"[{len(self._inputs)}]."
            )
        old = self._inputs[index]
        if not tensor.shape.is_compatible_with(old.shape):
            raise InvalidArgumentError(
                None, None, f"Cannot update edge, incompatible shapes: {dims_text(tensor.shape.as_list())} and "
                f"{dims_text(old.shape.as_list())}."
            )
        mistyped = self.graph.mistyped
        expected = mistyped.pop((self, index), old.dtype.base_dtype)
        if tensor.dtype.base_dtype != expected:
            mistyped[self, index] = expected
        self.__dict__.pop("_varies", None)  # what constant folding has noted
        old._consumers.remove(self)
        self._inputs = (*self._inputs[:index], tensor, *self._inputs[index + 1:])
        tensor._consumers.append(self)
        self.graph.modified()

    def _get_control_flow_context(self) -> Any:
        return self._control_flow_context

    def _set_control_flow_context(self, context: Any) -> None:
        self._control_flow_context = context

    @property
    def _original_op(self) -> Operation | None:
        return self.original_op

    @_original_op.setter
    def _original_op(self, op: Operation | None) -> None:
        self.original_op = op

    def run(self, feed_dict: dict | None = None, session: Any = None) -> None:
        """Run this node in `session` or the default session."""
        eval_session(session, self.graph, "execute operation", "run(session=sess)").run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"

    def __str__(self) -> str:
        # Sorted, so that the text of a node is the same in every process.
        from google.protobuf import text_format
        return text_format.MessageToString(self.node_def)


class InputList:
    """The inputs of an operation, to be counted, indexed and iterated over; slices are lists."""

    __slots__ = ("_inputs",)

    def __init__(self, inputs: tuple[Tensor, ...]) -> None:
        self._inputs = inputs

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self._inputs)

    def __len__(self) -> int:
        return len(self._inputs)

    @overload
    def __getitem__(self, index: int) -> Tensor: ...

    @overload
    def __getitem__(self, index: slice) -> list[Tensor]: ...

    def __getitem__(self, index: int | slice) -> Tensor | list[Tensor]:
        found = self._inputs[index]
        return list(found) if isinstance(found, tuple) else found

"""The functions of a graph's library: their definitions, their op types, and the bodies made from them."""
from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ossia_core.declare import opdef
from ossia_core.declare.opdef import MISSING, Arg, OpDef
from ossia_core.graph.graph import Graph
from ossia_core.names import errors
from ossia_core.names.attr_proto import from_attr_value, to_attr_value
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import provides

if TYPE_CHECKING:
    from ossia_functions.func_graph import FuncGraph

_ARGUMENT = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
_NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.\-/>]*\Z")
_BODIES = 64  # bodies kept per function, by attributes and shapes
_numbers = itertools.count()


def unique_name(name: str) -> str:
    """A name for a new function, which no other function of this process has."""
    return f"{name}_{next(_numbers)}".replace("/", "_")


class Function:
    """One function of a library.

    Attributes:
      name: its name.
      definition: the FunctionDef.
      gradient: a Python function `f(op, *grads)` that differentiates calls; None for the gradient of the body.
    """

    def __init__(self, definition: Any, body: FuncGraph | None = None) -> None:
        self.name: str = definition.signature.name
        self.definition = definition
        self.gradient: Callable | None = None
        self._traced = body
        self._bodies: dict[Any, FuncGraph] = {}
        self._op: OpDef | None = None
        self.derived: dict[Any, Any] = {}  # functions made from this one, such as its gradient

    @property
    def op(self) -> OpDef:
        """The op type of calls by the function's name.

        Raises:
          ValueError: the signature is malformed.
        """
        if self._op is None:
            self._op = _op_definition(self)
        return self._op

    def body(self, graph: Graph, attrs: dict[str, Any], shapes: Sequence[TensorShape] | None = None) -> FuncGraph:
        """The body as a graph; it is shared, and must not be changed.

        Args:
          graph: the graph whose library the function is in.
          attrs: AttrValues of the call.
          shapes: static shapes of the arguments.

        Raises:
          ValueError, NotFoundError: the definition is malformed, see `body_graph`.
        """
        from ossia_functions.function_def import body_graph
        if self._traced is not None and shapes is None:
            return self._traced
        key = (
            tuple((k, v.SerializeToString(deterministic=True)) for k, v in sorted(attrs.items()) if k[:1] != "_"),
            None if shapes is None else tuple(str(shape) for shape in shapes),
        )
        found = self._bodies.get(key)
        if found is None:
            if len(self._bodies) >= _BODIES:
                self._bodies.clear()
            found = self._bodies[key] = body_graph(self.definition, attrs, graph, shapes)
        return found


def add(graph: Graph, function: Function) -> None:
    """Put a function into the library of a graph.

    Raises:
      InvalidArgumentError: the library has another function of that name.
      ValueError: an op has that name.
    """
    known = graph._functions.get(function.name)
    if known is None:
        if opdef.find(function.name) is not None:
            raise ValueError(f"Cannot add function '{function.name}' because an op with the same name already exists.")
        graph._functions[function.name] = function
    elif known is not function and known.definition != function.definition:
        raise errors.InvalidArgumentError(
            None, None,
            f"Cannot add function '{function.name}' because a different function with the same name already exists.",
        )


@provides("ossia_functions", "import")
def take(graph: Graph, definition: Any) -> None:
    """Put a function of a GraphDef into the library of a graph; errors as of `add`."""
    add(graph, Function(definition))


def find(graph: Graph, reference: Any) -> Function:
    """The function that a NameAttrList (or a name) refers to.

    Raises:
      InvalidArgumentError: the library has no function of that name.
    """
    name = reference if isinstance(reference, str) else reference.name
    function = graph._functions.get(name)
    if function is None:
        raise errors.InvalidArgumentError(None, None, f'Failed to find function "{name}" in the function library')
    return function


def reference(name: str) -> Any:
    """The value of a `func` attribute."""
    from ossia_core.proto import NameAttrList
    return NameAttrList(name=name)


def call_attrs(node: Any) -> dict[str, Any]:
    """AttrValues that a node, whose op type is a function, calls it with."""
    kinds = node.definition.attrs
    return {
        key: to_attr_value(value, kinds[key].kind if key in kinds else None) for key, value in node.attrs.items()
    }


def _op_definition(function: Function) -> OpDef:
    """The declaration of the op type of a function."""
    signature = function.definition.signature
    if not _NAME.match(function.name):
        raise ValueError(f"{function.name[:200]!r} is not a valid node name")
    specs: dict[str, str] = {}
    for attr in signature.attr:
        if not _ARGUMENT.match(attr.name):
            raise ValueError(f"Function '{function.name}' has an attribute with the invalid name {attr.name!r}")
        specs[attr.name] = attr.type if attr.type in _KINDS else "string"
    arguments = []
    for side in (signature.input_arg, signature.output_arg):
        parts = []
        for arg in side:
            if not _ARGUMENT.match(arg.name):
                raise ValueError(f"Function '{function.name}' has an argument with the invalid name {arg.name!r}")
            parts.append(f"{arg.name}: float")
        arguments.append(", ".join(parts))
    made = OpDef(
        f"{function.name}({arguments[0]}) -> {arguments[1]}", signature.is_stateful, specs, "the function library"
    )
    made._parse()
    for attr in signature.attr:
        if attr.HasField("default_value"):
            made.attrs[attr.name].default = from_attr_value(attr.default_value, made.attrs[attr.name].kind)
    for side, parsed in ((signature.input_arg, made.inputs), (signature.output_arg, made.outputs)):
        for arg, target in zip(side, parsed, strict=True):
            _set_type(target, arg, made, function.name)
    made.has_list_input = any(arg.is_list for arg in made.inputs)
    made.simple_outputs = not any(arg.is_list for arg in made.outputs)
    only = made.outputs[0] if len(made.outputs) == 1 else None
    made.only_type_attr = only.type_attr if only is not None and not only.is_list else None
    inferred = {a for arg in made.inputs for a in (arg.type_attr, arg.number_attr, arg.type_list_attr) if a}
    made.inferred_attrs = inferred
    made.explicit_attrs = sorted(
        (a for a in made.attrs.values() if a.name not in inferred), key=lambda a: a.default is not MISSING
    )
    from ossia_functions import ops
    ops.declare_call(made, function)
    return made


_KINDS = frozenset(
    f"{left}{kind}{right}"
    for kind in ("type", "int", "float", "bool", "string", "shape", "tensor", "func")
    for left, right in (("", ""), ("list(", ")"))
)


def _set_type(target: Arg, arg: Any, made: OpDef, function: str) -> None:
    from ossia_core.names import dtypes
    target.type = None
    for key, kind in (("type_attr", "type"), ("number_attr", "int"), ("type_list_attr", "list(type)")):
        name = getattr(arg, key) or None
        if name is not None and (name not in made.attrs or made.attrs[name].kind != kind):
            raise ValueError(f"Argument '{arg.name}' of function '{function}' needs the attribute '{name}' ({kind})")
        setattr(target, key, name)
    if not (target.type_attr or target.type_list_attr):
        try:
            target.type = dtypes.as_dtype(arg.type)
        except TypeError:
            raise ValueError(f"Argument '{arg.name}' of function '{function}' has no valid type") from None
    target.is_list = bool(target.number_attr or target.type_list_attr)
    target.is_ref = arg.is_ref

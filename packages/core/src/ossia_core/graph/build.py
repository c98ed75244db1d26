"""Building a node: inputs to tensors, attributes checked and inferred, output dtypes and static shapes."""
from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from ossia_core.declare import opdef
from ossia_core.declare.kernels import grouped
from ossia_core.declare.opdef import MISSING, Arg, OpDef
from ossia_core.graph.attributes import checked_attr, converted, explicit_attrs, function_name
from ossia_core.graph.convert import convert, convert_n
from ossia_core.graph.graph_scopes import GraphScopes
from ossia_core.graph.inference import infer_shapes, output_types
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph, graphs
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.names.dtypes import DType
from ossia_core.names.literals import cut

if TYPE_CHECKING:
    from ossia_core.graph.graph import Graph


@opdef.adds_nodes
def build(definition: OpDef, args: tuple, keywords: dict[str, Any], name: str | None) -> Any:
    """Add a node of the type to the graph of its inputs and return its outputs.

    Raises:
      TypeError: an input or attribute of the wrong type.
      ValueError: inputs of several graphs, wrong shapes, values not allowed.
      NotImplementedError: graphs of this version do not have the type any more.
    """
    names = definition.input_names
    if len(args) < len(names) or keywords:
        args, keywords = _bind(definition, args, keywords)
    elif len(args) > len(names):
        raise TypeError(f"{definition.type} takes {len(names)} inputs, {len(args)} were given")
    graph = get_default_graph()
    for arg in args:
        if type(arg) is not Tensor or arg.op.graph is not graph:
            owner = graph_of(_flatten(args))
            if owner is not graph:
                with graphs.push(owner):
                    return _build(owner, definition, args, keywords, name)
            break
    return _build(graph, definition, args, keywords, name)


def _flatten(args: Any) -> list:
    found = []
    for arg in args:
        if isinstance(arg, (list, tuple)):
            found.extend(_flatten(arg))
        else:
            found.append(arg)
    return found


def _bind(definition: OpDef, args: tuple, keywords: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    names = definition.input_names
    if len(args) > len(names):
        raise TypeError(f"{definition.type} takes {len(names)} inputs, {len(args)} were given")
    bound = list(args)
    for input_name in names[len(args):]:
        if input_name not in keywords:
            raise TypeError(f"No argument for input {input_name}")
        bound.append(keywords.pop(input_name))
    for key in keywords:
        if key not in definition.attrs:
            raise TypeError(f"apply_op() got unexpected keyword arguments: {key}")
    return tuple(bound), keywords


def _build(graph: Graph, definition: OpDef, args: tuple, keywords: dict[str, Any], name: str | None) -> Any:
    if definition.deprecation is not None:
        removal = definition.removal(graph._def_versions[0])
        if removal is not None:
            raise NotImplementedError(removal)
    graph._check_not_finalized()
    if keywords:
        keywords = converted(definition, keywords)
    # An empty name is refused with the node, after its inputs.
    scope = graph.unique_name(definition.type) if name is None else graph._scope_named(name)
    saved, graph._name_stack = graph._name_stack, scope
    try:
        attrs: dict[str, Any] = {}
        inputs: list[Tensor] = []
        for arg, value in zip(definition.inputs, args):
            if arg.is_list:
                _list_input(definition, arg, value, attrs, keywords, inputs)
            else:
                inputs.append(_input(definition, arg, value, attrs, keywords))
        if keywords or len(attrs) < len(definition.attrs):
            explicit_attrs(definition, attrs, keywords)
        # What control flow adds around the node (Switch, Enter) is named under it.
        if definition.has_ref_input:
            op = _placed_with_references(graph, definition, scope, inputs, attrs)
        else:
            op = graph.add_node(definition, scope + "/", tuple(inputs), attrs, output_types(definition, attrs))
    finally:
        graph._name_stack = saved
    infer_shapes(op, inputs)
    outputs: Any = op.outputs
    if definition.simple_outputs:
        if len(outputs) == 1:
            return outputs[0]
        if not outputs:
            return op
        return definition.output_tuple._make(outputs)
    return _structured(definition, attrs, op)


def _placed_with_references(
    graph: Graph, definition: OpDef, scope: str, inputs: list[Tensor], attrs: dict[str, Any]
) -> Operation:
    """A node that changes variables is placed with them."""
    with contextlib.ExitStack() as placement:
        for arg, group in zip(definition.inputs, grouped(definition.inputs, attrs, inputs), strict=True):
            if arg.is_ref:
                # Of a list the first one decides.
                for tensor in group[:1] if arg.is_list else [group]:
                    placement.enter_context(graph.colocate_with(tensor.op))
        return graph.add_node(definition, scope + "/", tuple(inputs), attrs, output_types(definition, attrs))


def _input(definition: OpDef, arg: Arg, value: Any, attrs: dict[str, Any], keywords: dict[str, Any]) -> Tensor:
    type_attr = arg.type_attr
    preferred = None
    if type_attr is None:
        dtype = arg.type
    elif type_attr in attrs:
        dtype = attrs[type_attr]
    elif type_attr in keywords and keywords[type_attr] is not None:
        dtype = dtypes.as_dtype(keywords[type_attr])
    else:
        dtype = None
        default = definition.attrs[type_attr].default
        if default is not MISSING:
            preferred = default
    if type(value) is Tensor:
        tensor = value
        found = tensor.dtype
        if found._is_ref_dtype:
            found = found.base_dtype
        if dtype is not None and dtype is not found and dtype.base_dtype is not found:
            raise TypeError(_type_mismatch(definition, arg, found, dtype, attrs))
    else:
        try:
            tensor = convert(value, dtype, arg.name, arg.is_ref, preferred)
        except TypeError as e:
            if dtype is None:
                raise
            raise TypeError(
                f"Expected {dtype.name} passed to parameter '{arg.name}' of op '{definition.type}', got "
                f"{cut(repr(value))} of type '{type(value).__name__}' instead. Error: {e}"
            ) from None
        except ValueError as e:
            # A tensor-like value of another dtype: say which argument set the dtype.
            observed = getattr(value, "dtype", None)
            if dtype is None or observed is None:
                raise ValueError(f"Tried to convert '{arg.name}' to a tensor and failed. Error: {e}") from None
            raise TypeError(
                _type_mismatch(definition, arg, dtypes.as_dtype(observed).base_dtype, dtype, attrs)
            ) from None
        found = tensor.dtype.base_dtype
    if arg.is_ref and not tensor.dtype._is_ref_dtype:
        raise TypeError(
            f"'{definition.type}' Op requires that input '{arg.name}' be a mutable tensor (e.g.: a tf.Variable)"
        )
    if type_attr is not None and type_attr not in attrs:
        allowed = definition.attrs[type_attr].allowed
        if allowed is not None and found not in allowed:
            raise TypeError(
                f"Value passed to parameter '{arg.name}' has DataType {found.name} not in list of allowed values: "
                f"{', '.join(d.name for d in allowed)}"
            )
        attrs[type_attr] = found
    return tensor


def _type_mismatch(definition: OpDef, arg: Arg, found: DType, dtype: DType, attrs: dict[str, Any]) -> str:
    text = f"Input '{arg.name}' of '{definition.type}' Op has type {found.name} that does not match "
    if arg.type_attr is None:
        return text + f"expected type of {dtype.name}."
    source = next((a.name for a in definition.inputs if a.type_attr == arg.type_attr), "?")
    return text + f"type {dtype.base_dtype.name} of argument '{source}'."


def _list_input(
    definition: OpDef, arg: Arg, values: Any, attrs: dict[str, Any], keywords: dict[str, Any], inputs: list[Tensor]
) -> None:
    if not isinstance(values, (list, tuple)):
        name = function_name(definition.type) if arg.number_attr else definition.type
        raise TypeError(f"Expected list for '{arg.name}' argument to '{name}' Op, not {cut(str(values))}.")
    dtype = preferred = None
    if arg.type_attr is not None:
        if arg.type_attr in attrs:
            dtype = attrs[arg.type_attr]
        elif keywords.get(arg.type_attr) is not None:
            dtype = dtypes.as_dtype(keywords[arg.type_attr])
        else:
            first = next((v for v in values if isinstance(v, Tensor) or hasattr(v, "_as_graph_element")), None)
            if first is not None:
                dtype = first.dtype.base_dtype
            elif definition.attrs[arg.type_attr].default is not MISSING:
                preferred = definition.attrs[arg.type_attr].default
    elif arg.type is not None:
        dtype = arg.type
    tensors: list[Tensor] = []
    try:
        tensors = convert_n(values, None if arg.is_ref else dtype, arg.name, arg.is_ref, preferred)
        if arg.number_attr and arg.type is None and len({t.dtype.base_dtype for t in tensors}) > 1:
            raise TypeError
    except (TypeError, ValueError):
        found = []
        for value in tensors or values:
            try:
                found.append(convert(value).dtype.name)
            except (TypeError, ValueError):
                found.append("<NOT CONVERTIBLE TO TENSOR>")
        prefix = f"Tensors in list passed to '{arg.name}' of '{definition.type}' Op have types "
        types = "[" + ", ".join(found) + "]"
        if arg.number_attr and dtype is not None and arg.type is not None:
            raise TypeError(f"{prefix}{types} that do not match expected type {dtype.name}.") from None
        if dtype is not None and arg.type_attr in attrs:
            raise TypeError(
                f"{prefix}{types} that do not match type {dtype.name} inferred from earlier arguments."
            ) from None
        if not arg.number_attr:
            raise TypeError(f"{prefix}{types} that are invalid. Tensors: {list(values)}") from None
        raise TypeError(f"{prefix}{types} that don't all match.") from None
    if arg.number_attr:
        count = attrs.get(arg.number_attr)
        if count is not None and len(tensors) != count:
            first_name = next(a.name for a in definition.inputs if a.number_attr == arg.number_attr)
            raise ValueError(
                f"List argument '{arg.name}' to '{definition.type}' Op with length {len(tensors)} must match length "
                f"{count} of argument '{first_name}'."
            )
        minimum = definition.attrs[arg.number_attr].minimum
        if minimum is not None and len(tensors) < minimum:
            raise ValueError(
                f"List argument '{arg.name}' to '{definition.type}' Op with length {len(tensors)} shorter than "
                f"minimum length {minimum}."
            )
        attrs[arg.number_attr] = len(tensors)
        if arg.type_attr and arg.type_attr not in attrs:
            attr = definition.attrs[arg.type_attr]
            if tensors:
                found_type = tensors[0].dtype.base_dtype
                if attr.allowed is not None and found_type not in attr.allowed:
                    raise TypeError(
                        f"Value passed to parameter '{arg.name}' has DataType {found_type.name} not in list of "
                        f"allowed values: {', '.join(d.name for d in attr.allowed)}"
                    )
                attrs[arg.type_attr] = found_type
            elif attr.default is not MISSING:
                attrs[arg.type_attr] = attr.default
            elif keywords.get(arg.type_attr) is not None:
                attrs[arg.type_attr] = dtypes.as_dtype(keywords[arg.type_attr])
            else:
                raise TypeError(
                    f"Don't know how to infer type variable from empty input list passed to input '{arg.name}' of "
                    f"'{definition.type}' Op."
                )
    else:
        types_found = [t.dtype.base_dtype for t in tensors]
        known = attrs.get(arg.type_list_attr)  # type: ignore[arg-type]
        if known is not None and known != types_found:
            first_name = next(a.name for a in definition.inputs if a.type_list_attr == arg.type_list_attr)
            raise TypeError(
                f"Input '{arg.name}' of '{definition.type}' Op has type list of "
                f"{', '.join(t.name for t in types_found)} that does not match type list "
                f"{', '.join(t.name for t in known)} of argument '{first_name}'."
            )
        attr = definition.attrs[arg.type_list_attr]  # type: ignore[index]
        for t in types_found:
            if attr.allowed is not None and t not in attr.allowed:
                raise TypeError(
                    f"Value passed to parameter '{arg.name}' has DataType {t.name} not in list of allowed values: "
                    f"{', '.join(d.name for d in attr.allowed)}"
                )
        if attr.minimum is not None and len(types_found) < attr.minimum:
            raise ValueError(
                f"Attr '{arg.type_list_attr}' of '{definition.type}' Op passed list of length {len(types_found)} less "
                f"than minimum {attr.minimum}."
            )
        attrs[arg.type_list_attr] = types_found  # type: ignore[index]
    if arg.is_ref and not all(t.dtype._is_ref_dtype for t in tensors):
        raise TypeError(
            f"'{definition.type}' Op requires that input '{arg.name}' be a mutable tensor (e.g.: a tf.Variable)"
        )
    inputs.extend(tensors)


def _structured(definition: OpDef, attrs: dict[str, Any], op: Operation) -> Any:
    groups = grouped(definition.outputs, attrs, op.outputs)
    if len(groups) == 1:
        # Of a call without results there is only the node; what is not stateful gives the empty list all the same.
        return op if definition.stateful and isinstance(groups[0], list) and not groups[0] else groups[0]
    return definition.output_tuple._make(groups)


def add_raw(
    graph: Graph,
    op_type: str,
    inputs: tuple[Tensor, ...],
    attrs: dict[str, Any],
    name: str,
    compute_device: bool = True,
) -> Operation:
    """Add a node from complete inputs and given attributes, as `complete` has them."""
    definition, values = complete(graph, op_type, inputs, attrs, name)
    op = graph.add_node(
        definition, name, inputs, values, output_types(definition, values), compute_device=compute_device
    )
    infer_shapes(op, inputs)
    return op


def complete(
    graph: Graph, op_type: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any], name: str
) -> tuple[OpDef, dict[str, Any]]:
    """The definition of an op type and the attributes of a node, defaults filled in, with the inputs checked.

    Raises:
      NotFoundError: unknown op type.
      UnimplementedError: graphs of this version do not have the type any more.
      ValueError: an attribute is missing or inputs do not fit the op.
    """
    function = graph._functions.get(op_type)
    definition = function.op if function is not None else opdef.lookup(op_type)
    removal = definition.removal(graph._def_versions[0])
    if removal is not None:
        raise errors.UnimplementedError(None, None, removal)
    values: dict[str, Any] = {}
    for key, value in attrs.items():
        if hasattr(value, "DESCRIPTOR"):
            from ossia_core.names.attr_proto import from_attr_value
            attr = definition.attrs.get(key)
            value = from_attr_value(value, attr.kind if attr else None)
        elif key in definition.attrs:
            value = checked_attr(definition, definition.attrs[key], value)
        values[key] = value
    infer_attrs(definition, inputs, values)
    for attr in definition.attrs.values():
        if attr.name not in values:
            if attr.default is MISSING:
                raise ValueError(
                    f"NodeDef missing attr '{attr.name}' from {definition!r}; NodeDef: {{{{node {name}}}}}"
                )
            values[attr.name] = attr.default
    check_inputs(definition, inputs, values, name)
    return definition, values


def infer_attrs(definition: OpDef, inputs: tuple[Tensor, ...], attrs: dict[str, Any]) -> None:
    """Fill in type and count attributes that follow from the inputs."""
    i = 0
    for arg in definition.inputs:
        if not arg.is_list:
            if arg.type_attr and arg.type_attr not in attrs and i < len(inputs):
                attrs[arg.type_attr] = inputs[i].dtype.base_dtype
            i += 1
            continue
        rest = len(inputs) - i - sum(1 for a in definition.inputs[definition.inputs.index(arg) + 1:] if not a.is_list)
        if arg.number_attr:
            count = attrs.setdefault(arg.number_attr, rest)
            if arg.type_attr and arg.type_attr not in attrs and count and i < len(inputs):
                attrs[arg.type_attr] = inputs[i].dtype.base_dtype
            i += count
        else:
            known = attrs.setdefault(arg.type_list_attr, [t.dtype.base_dtype for t in inputs[i : i + rest]])  # type: ignore[arg-type]
            i += len(known)


def check_inputs(definition: OpDef, inputs: tuple[Tensor, ...], attrs: dict[str, Any], name: str) -> None:
    """ValueError unless number and dtypes of the inputs are what the attributes say."""
    if not definition.has_list_input and len(definition.inputs) == len(inputs):
        for arg, tensor in zip(definition.inputs, inputs):
            if arg.is_ref or tensor.dtype is not (attrs[arg.type_attr] if arg.type_attr is not None else arg.type):
                break
        else:
            return  # the plain case of large graphs, without a list of what is wanted
    wanted: list[tuple[Any, bool]] = []
    for arg in definition.inputs:
        if arg.type_list_attr is not None:
            wanted.extend((t, arg.is_ref) for t in attrs[arg.type_list_attr])
        else:
            dtype = attrs[arg.type_attr] if arg.type_attr is not None else arg.type
            # No more than there could be: a hostile count must not be followed.
            count = min(attrs[arg.number_attr], len(inputs) + 1) if arg.number_attr else 1
            wanted.extend([(dtype, arg.is_ref)] * count)
    if len(wanted) != len(inputs):
        expected = ", ".join(dtypes.engine_name(dtype) for dtype, _ in wanted)
        raise ValueError(
            f"NodeDef expected inputs '{expected}' do not match {len(inputs)} inputs specified; {definition!r}; "
            f"NodeDef: {{{{node {name}}}}}"
        )
    for i, ((dtype, is_ref), tensor) in enumerate(zip(wanted, inputs, strict=True)):
        if tensor.dtype.base_dtype != dtype or (is_ref and not tensor.dtype._is_ref_dtype):
            raise ValueError(
                f"Input {i} of node {name} was passed {dtypes.engine_name(tensor.dtype)} from {tensor.name} "
                f"incompatible with expected {dtypes.engine_name(dtype)}{'_ref' if is_ref else ''}."
            )


def graph_of(items: Any, graph: Graph | None = None) -> Graph:
    """The graph that tensors, operations and composites in `items` share, the default graph if there are none.

    Raises:
      ValueError: they come from several graphs.
    """
    default = get_default_graph()
    if default.building_function:
        return default
    first = None
    for item in items:
        own: Any = getattr(item, "graph", None)
        if not isinstance(own, GraphScopes):
            continue
        if graph is None:
            graph, first = own, item  # type: ignore[assignment]  # a graph is the one GraphScopes there is
        elif own is not graph:
            if first is None:
                raise ValueError(f"{item} is not from the passed-in graph.")
            raise ValueError(f"{item} must be from the same graph as {first}.")
    return graph or default

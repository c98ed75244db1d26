"""Control-flow contexts as protos, so that a graph that was read from a meta graph can still be differentiated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ossia_core.control.cond_context import CondContext
from ossia_core.control.context import ControlFlowContext
from ossia_core.control.while_context import WhileContext
from ossia_core.graph.stack import get_default_graph

_PROTOS = {CondContext: "cond_ctxt", WhileContext: "while_ctxt"}


def prepend_name_scope(name: str, scope: str | None) -> str:
    """A name with a scope in front; an empty name stays empty."""
    return f"{scope.rstrip('/')}/{name}" if scope and name else name


def strip_name_scope(name: str, scope: str | None) -> str:
    """A name without the scope in front."""
    return name.removeprefix(scope.rstrip("/") + "/") if scope else name


def to_proto(context: Any, export_scope: str | None = None) -> Any:
    """A CondContextDef or WhileContextDef.

    Args:
        context: the context.
        export_scope: a name scope to strip from all names.

    Returns:
        The proto; None where the context lies outside of `export_scope`.
    """
    if export_scope and not context.name.startswith(export_scope):
        return None
    return (_cond_to_proto if isinstance(context, CondContext) else _while_to_proto)(context, export_scope)


def _cond_to_proto(context: Any, scope: str | None) -> Any:
    from ossia_core.proto import CondContextDef

    made = CondContextDef(
        context_name=strip_name_scope(context.name, scope),
        pred_name=strip_name_scope(context.pred.name, scope),
        pivot_name=strip_name_scope(context.pivot.name, scope),
        branch=context.branch,
    )
    _describe_inside(made, context, scope)
    return made


def _while_to_proto(context: Any, scope: str | None) -> Any:
    from ossia_core.proto import WhileContextDef

    def name(tensor: Any) -> str:
        return "" if tensor is None else strip_name_scope(tensor.name, scope)

    made = WhileContextDef(
        context_name=strip_name_scope(context.name, scope),
        parallel_iterations=context.parallel_iterations,
        back_prop=context.back_prop,
        swap_memory=context.swap_memory,
        pivot_name=name(context.pivot),
        pivot_for_pred_name=name(context._pivot_for_pred),
        pivot_for_body_name=name(context._pivot_for_body),
        loop_exit_names=map(name, context.loop_exits),
        loop_enter_names=map(name, context.loop_enters),
    )
    if hasattr(context.maximum_iterations, "name"):
        made.maximum_iterations_name = name(context.maximum_iterations)
    _describe_inside(made, context, scope)
    return made


def _describe_inside(made: Any, context: Any, scope: str | None) -> None:
    made.values_def.values.extend(strip_name_scope(name, scope) for name in sorted(context._values))
    for outside, inside in context._external_values.items():
        made.values_def.external_values[strip_name_scope(outside, scope)] = strip_name_scope(inside.name, scope)
    for nested in _nested(context):
        proto = to_proto(nested, scope)
        if proto is not None:
            getattr(made.nested_contexts.add(), _PROTOS[type(nested)]).CopyFrom(proto)


def _nested(context: Any) -> Iterator[Any]:
    """The contexts directly inside of one, in the order of their first nodes."""
    seen = set()
    for op in context.graph.get_operations():
        inner = op._control_flow_context
        while inner is not None and inner.outer_context is not context:
            inner = inner.outer_context
        if inner is not None and id(inner) not in seen:
            seen.add(id(inner))
            yield inner


def from_proto(proto: Any, import_scope: str | None = None) -> ControlFlowContext:
    """The context of a CondContextDef or WhileContextDef whose nodes are in the default graph.

    Args:
        proto: the proto.
        import_scope: the name scope that the nodes were imported into.

    Raises:
        KeyError: a node that the proto names is missing.
    """
    context = (_cond_from_proto if proto.DESCRIPTOR.name == "CondContextDef" else _while_from_proto)(
        proto, import_scope
    )
    graph = get_default_graph()
    values = proto.values_def
    context._values = {prepend_name_scope(name, import_scope) for name in values.values}
    context._external_values = {
        prepend_name_scope(outside, import_scope): graph.get_tensor_by_name(prepend_name_scope(inside, import_scope))
        for outside, inside in values.external_values.items()
    }
    outside = set(context._external_values)
    frame = _frame(context)
    for name in sorted({name.partition(":")[0] for name in context._values - outside}):
        op = graph.get_operation_by_name(name)
        op._set_control_flow_context(context)
        if frame and op.attrs.get("frame_name") == frame:
            op._set_attr("frame_name", context.name.encode())  # the frame has the name of the context
    with context:
        for nested in proto.nested_contexts:
            from_proto(getattr(nested, nested.WhichOneof("ctxt")), import_scope)
    return context


def _frame(context: ControlFlowContext) -> bytes | None:
    """The name of a loop's frame in the graph that it comes from; an export may have cut the context's name."""
    enters = context._loop_enters if isinstance(context, WhileContext) else ()
    return next((enter.op.attrs.get("frame_name") for enter in enters), None)


def _cond_from_proto(proto: Any, scope: str | None) -> CondContext:
    graph = get_default_graph()
    context = CondContext()
    context._name = prepend_name_scope(proto.context_name, scope)
    context._pred = graph.get_tensor_by_name(prepend_name_scope(proto.pred_name, scope))
    context._pivot = graph.get_tensor_by_name(prepend_name_scope(proto.pivot_name, scope))
    context._branch = proto.branch
    return context


def _while_from_proto(proto: Any, scope: str | None) -> WhileContext:
    graph = get_default_graph()

    def tensor(name: str) -> Any:
        return graph.get_tensor_by_name(prepend_name_scope(name, scope)) if name else None

    context = WhileContext(
        maximum_iterations=tensor(proto.maximum_iterations_name),
        parallel_iterations=proto.parallel_iterations,
        back_prop=proto.back_prop,
        swap_memory=proto.swap_memory,
    )
    context._name = prepend_name_scope(proto.context_name, scope)
    context._pivot_for_pred = tensor(proto.pivot_for_pred_name)
    context._pivot_for_body = tensor(proto.pivot_for_body_name)
    context._pivot = tensor(proto.pivot_name)
    context._loop_enters = [tensor(name) for name in proto.loop_enter_names]
    context._loop_exits = [tensor(name) for name in proto.loop_exit_names]
    return context

"""The NumPy kernel of a node: attributes bound, values grouped by the arguments of its op."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ossia_core.declare.opdef import Arg, OpDef, keyword_only

if TYPE_CHECKING:
    from ossia_core.graph.operation import Operation
    from ossia_core.primitives.state import SessionState

Kernel = Callable[..., Any]


def numpy_kernel(node: Operation, session: SessionState | None = None) -> Kernel | None:
    """The NumPy kernel of a node with its attributes bound, or None if its op has none."""
    definition = node.definition
    factory = definition.kernel_factory
    if factory is not None:
        return factory(node, session=session) if _asks_for_session(definition) else factory(node)
    fn = definition.kernel_fn
    if fn is None:
        return None
    wanted = _wanted(definition)
    if not wanted:
        return fn
    bound = {
        name: node if name == "node" else session if name == "session" else node.attrs[name]
        for name in wanted
        if name != "context"
    }
    if "context" in wanted:
        return _with_context(fn, bound)
    return functools.partial(fn, **bound)


def _asks_for_session(definition: OpDef) -> bool:
    found = definition.__dict__.get("factory_asks_for_session")
    if found is None:
        found = definition.__dict__["factory_asks_for_session"] = "session" in keyword_only(definition.kernel_factory)  # type: ignore[arg-type]
    return found


def _wanted(definition: OpDef) -> tuple[str, ...]:
    found = definition.__dict__.get("kernel_attrs")
    if found is None:
        found = definition.__dict__["kernel_attrs"] = keyword_only(definition.kernel_fn)  # type: ignore[arg-type]
    return found


def _with_context(fn: Kernel, bound: dict[str, Any]) -> Kernel:
    def kernel(context: Any, *inputs: Any) -> Any:
        return fn(*inputs, context=context, **bound)
    kernel.needs_context = True  # type: ignore[attr-defined]
    return kernel


def grouped(args: tuple[Arg, ...], attrs: dict[str, Any], items: Any) -> list:
    """`items`, one per tensor, grouped by the arguments of the op: a list for a list argument."""
    groups: list[Any] = []
    start = 0
    for arg in args:
        if arg.is_list:
            count = attrs[arg.number_attr] if arg.number_attr else len(attrs[arg.type_list_attr])  # type: ignore[index]
            groups.append(list(items[start:start + count]))
            start += count
        else:
            groups.append(items[start])
            start += 1
    return groups

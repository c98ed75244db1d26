"""The scope functions of the public API, on the default graph."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ossia_core.graph.build import graph_of
from ossia_core.graph.stack import get_default_graph, outer_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public


@public("name_scope", "keras.backend.name_scope")
class name_scope:
    """A context manager for the ops a function makes: their names start with `name`, or `default_name` if it is None.

    Args:
      name: the scope's name, or None.
      default_name: what to use if `name` is None.
      values: tensors that the function takes; their graph becomes the default inside.

    Raises:
      ValueError: both names are None while values are given.
      TypeError: a name is not a string.
    """

    def __init__(self, name: str | None, default_name: str | None = None, values: Any = None) -> None:
        if not (default_name is None or isinstance(default_name, str)):
            raise TypeError(
                f"`default_name` type ({type(default_name)}) is not a string type. You likely meant to pass this into "
                "the `values` kwarg."
            )
        self._name = default_name if name is None else name
        self._has_default = default_name is not None
        self._values = values
        self._given = name

    @property
    def name(self) -> str | None:
        """The name asked for."""
        return self._name

    def __enter__(self) -> str:
        if self._given is None and self._values is not None and self._name is None:
            raise ValueError(f"At least one of name ({self._given}) and default_name (None) must be provided.")
        default = get_default_graph()
        graph = default
        for value in self._values or ():
            if type(value) is not Tensor or value.op.graph is not default:
                graph = graph_of(_flat(self._values))
                break
        new = graph._scope_named(self._name)
        self._pushed = None
        if graph is not default:
            self._pushed = graph.as_default()
            self._pushed.__enter__()
        self._graph, self._old, graph._name_stack = graph, graph._name_stack, new
        return new + "/" if new else ""

    def __exit__(self, *exc: Any) -> None:
        self._graph._name_stack = self._old
        if self._pushed is not None:
            self._pushed.__exit__(*exc)


def _flat(values: Any) -> list:
    found = []
    for value in values:
        if isinstance(value, (list, tuple)):
            found.extend(_flat(value))
        else:
            found.append(value)
    return found


@public("control_dependencies")
def control_dependencies(control_inputs: Any) -> Any:
    """Nodes made inside run after `control_inputs` (operations or tensors); None drops the dependencies in force."""
    return get_default_graph().control_dependencies(control_inputs)


@public("device")
def device(device_name_or_function: Any) -> Any:
    """Nodes made inside get this device, e.g. "/cpu:0"; a function maps a node to its device; None clears it."""
    return get_default_graph().device(device_name_or_function)


@public("container")
def container(container_name: str) -> Any:
    """Stateful nodes made inside keep their state in the container of that name."""
    return get_default_graph().container(container_name)


@public("colocate_with", "graph_util.colocate_with")
def colocate_with(op: Any, ignore_existing: bool = False) -> Any:
    """Nodes made inside are placed with `op`."""
    return get_default_graph().colocate_with(op, ignore_existing)


@contextlib.contextmanager
def maybe_colocate_with(op: Any, colocate: bool = True) -> Iterator[None]:
    """`colocate_with(op)` if `colocate`, else nothing."""
    if colocate:
        with get_default_graph().colocate_with(op):
            yield
    else:
        yield


@public("init_scope")
@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Lift what is built inside out of control-flow contexts and control dependencies, keeping the name scope."""
    graph = get_default_graph()
    scope = graph.get_name_scope()
    devices = graph._in_force.devices or graph._in_force.outer_devices  # a colocation hides those outside of it
    with contextlib.ExitStack() as scopes:
        if graph.building_function:
            # What is built inside belongs to no call of the function.
            while graph.building_function:
                graph = outer_graph(graph)
                devices = devices or graph._in_force.outer_devices
            scopes.enter_context(graph.as_default())
        scopes.enter_context(graph.name_scope(scope + "/" if scope else None))
        scopes.enter_context(graph.control_dependencies(None))
        scopes.enter_context(graph._with_devices(devices))
        yield


@public("op_scope")
@contextlib.contextmanager
def op_scope(values: Any, name: str | None, default_name: str | None = None) -> Iterator[str]:
    """The old argument order of `name_scope`."""
    with name_scope(name, default_name, values) as scope:
        yield scope


def gradients_scope(name: str) -> str | None:
    """The scope of a call of `gradients` that a name is in, the innermost; None if there is none."""
    tokens = name.split("/")
    positions = [i for i, token in enumerate(tokens) if token.startswith("gradients")]
    return "/".join(tokens[:positions[-1] + 1]) if positions else None


_PREFIXES = ("^", "loc:@", "")  # of control edges, colocations and plain names


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """`name` as it is called inside `import_scope`; a control edge (`^name`) and a colocation (`loc:@name`) keep their
    prefix."""
    if not import_scope:
        return name
    prefix = next(p for p in _PREFIXES if name.startswith(p))
    return f"{prefix}{import_scope.rstrip('/')}/{name[len(prefix) :]}"


def strip_name_scope(name: str, export_scope: str | None) -> str:
    """`name` as it is called outside `export_scope`; a name that is not inside stays as it is."""
    if not export_scope:
        return name
    prefix = next(p for p in _PREFIXES if name.startswith(p))
    return prefix + name[len(prefix) :].removeprefix(export_scope.rstrip("/") + "/")

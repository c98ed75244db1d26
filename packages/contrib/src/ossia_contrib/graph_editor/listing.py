"""Lists of operations and tensors, what is around them, and names of placeholders in their stead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


def of_editor(module: str, *names: str) -> list[str]:
    """Public names of a function: in `tf.contrib.graph_editor`, and in the module of it that has the function."""
    return [f"contrib.graph_editor{part}.{name}" for part in ("", f".{module}") for name in names]


def _refused(expected: tuple[type, ...], found: Any) -> TypeError:
    text = ", ".join(map(repr, expected))
    return TypeError(f"Expected a type in ({text}), got: {type(found)}")


def flattened(values: Any, *kinds: type) -> list[Any]:
    """All that is in nested lists, each of one of some kinds.

    Raises:
      TypeError: something is of another kind.
    """
    if isinstance(values, (list, tuple, set, frozenset)):
        return [each for value in values for each in flattened(value, *kinds)]
    if not isinstance(values, kinds):
        raise _refused(kinds, values)
    return [values]


def one_graph(values: Iterable[Any]) -> tf.Graph:
    """The graph of all of some operations and tensors.

    Raises:
      ValueError: they are of several graphs, or there are none.
    """
    graphs = {each.graph for each in values}
    if len(graphs) != 1:
        raise ValueError("They must be of one graph." if graphs else "Nothing is given to be of a graph.")
    return graphs.pop()


def _listed(values: Any, kind: type, other: type, check_graph: bool, allow_graph: bool, ignore: bool) -> list[Any]:
    if isinstance(values, tf.Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return get_tensors(values) if kind is tf.Tensor else values.get_operations()
    if not isinstance(values, (list, tuple, set, frozenset)):
        values = [values]
    values = list(values)
    if not values:
        return []
    if check_graph:
        for each in values:
            if not isinstance(each, (kind, other) if ignore else (kind,)):
                raise _refused((kind,), each)
        one_graph(values)
    return [each for each in values if isinstance(each, kind)]


@public(*of_editor("util", "make_list_of_op"))
def make_list_of_op(ops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False) -> list[Any]:
    """Operations as a list.

    Args:
      ops: an operation, several, or a graph.
      check_graph: whether types and the graph are checked.
      allow_graph: whether `ops` may be a graph.
      ignore_ts: whether tensors among them are left out, not refused.

    Raises:
      TypeError: something is no operation.
      ValueError: they are of several graphs.
    """
    return _listed(ops, tf.Operation, tf.Tensor, check_graph, allow_graph, ignore_ts)


@public(*of_editor("util", "make_list_of_t"))
def make_list_of_t(ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False) -> list[Any]:
    """Tensors as a list; arguments as of `make_list_of_op`.

    Raises:
      TypeError: something is no tensor.
      ValueError: they are of several graphs.
    """
    return _listed(ts, tf.Tensor, tf.Operation, check_graph, allow_graph, ignore_ops)


@public(*of_editor("util", "get_tensors"))
def get_tensors(graph: tf.Graph) -> list[Any]:
    """All tensors of a graph."""
    if not isinstance(graph, tf.Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [tensor for op in graph.get_operations() for tensor in op.outputs]


def unique(values: Iterable[Any]) -> list[Any]:
    """Values without repetitions, in their order."""
    return list(dict.fromkeys(values))


@public(*of_editor("util", "get_generating_ops"))
def get_generating_ops(ts: Any) -> list[Any]:
    """The operations that make tensors."""
    return [tensor.op for tensor in make_list_of_t(ts, allow_graph=False)]


@public(*of_editor("util", "get_consuming_ops"))
def get_consuming_ops(ts: Any) -> list[Any]:
    """The operations that take tensors, each once."""
    return unique(op for tensor in make_list_of_t(ts, allow_graph=False) for op in tensor.consumers())


@public(*of_editor("util", "ControlOutputs"))
class ControlOutputs:
    """For each operation of a graph those that wait for it.

    Args:
      graph: the graph.

    Raises:
      TypeError: it is no graph.
    """

    def __init__(self, graph: tf.Graph) -> None:
        if not isinstance(graph, tf.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        self._control_outputs: dict[Any, list[Any]] = {}
        self._graph = graph
        self._version: int | None = None
        self._build()

    def update(self) -> ControlOutputs:
        """Look at the graph again, if it has changed."""
        if self._version != self._graph.version:
            self._build()
        return self

    def _build(self) -> None:
        self._control_outputs.clear()
        for op in self._graph.get_operations():
            for before in op.control_inputs:
                waiting = self._control_outputs.setdefault(before, [])
                if op not in waiting:
                    waiting.append(op)
        self._version = self._graph.version

    def get_all(self) -> dict[Any, list[Any]]:
        """The operations that others wait for, with those."""
        return self._control_outputs

    def get(self, op: Any) -> list[Any]:
        """The operations that wait for `op`."""
        return self._control_outputs.get(op, [])

    @property
    def graph(self) -> tf.Graph:
        """The graph."""
        return self._graph


@public(*of_editor("select", "check_cios"))
def check_cios(
    control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None
) -> tuple[bool, ControlOutputs | None]:
    """Whether control inputs count, and the control outputs that do.

    Args:
      control_inputs: whether control inputs count.
      control_outputs: control outputs, if they count.
      control_ios: control outputs, if both count.

    Raises:
      TypeError: control outputs are something else.
      ValueError: `control_ios` is given beside the others.
    """
    if control_ios is not None:
        if not isinstance(control_ios, ControlOutputs):
            raise TypeError(f"Expected a util.ControlOutputs, got: {type(control_ios)}")
        if control_outputs is not None:
            raise ValueError("control_outputs should be None when using control_ios.")
        return True, control_ios
    if control_outputs is not None and not isinstance(control_outputs, ControlOutputs):
        raise TypeError(f"Expected a util.ControlOutputs, got: {type(control_outputs)}")
    if control_outputs is not None:
        control_outputs.update()
    return bool(control_inputs), control_outputs


@public(*of_editor("util", "placeholder_name"))
def placeholder_name(t: Any = None, scope: str | None = None, prefix: str = "geph") -> str:
    """The name of a placeholder that stands for a tensor.

    Args:
      t: the tensor, None for any.
      scope: a scope for the name, the tensor's by default.
      prefix: how it starts.

    Raises:
      TypeError: `t` is no tensor.
    """
    if scope is not None and scope and not scope.endswith("/"):
        scope += "/"
    if t is None:
        return (scope or "") + prefix
    if not isinstance(t, tf.Tensor):
        raise TypeError(f"Expected a tf.Tensor, got: {type(t)}")
    path, _, base = t.op.name.rpartition("/")
    if scope is None:
        scope = f"{path}/" if path else ""
    return f"{scope}{prefix}__{base}_{t.value_index}"


@public(*of_editor("util", "make_placeholder_from_tensor"))
def make_placeholder_from_tensor(t: Any, scope: str | None = None, prefix: str = "geph") -> Any:
    """A placeholder of dtype and shape of a tensor; arguments as of `placeholder_name`."""
    return tf.placeholder(dtype=t.dtype, shape=t.shape, name=placeholder_name(t, scope, prefix))


@public(*of_editor("util", "make_placeholder_from_dtype_and_shape"), "contrib.graph_editor.ph")
def make_placeholder_from_dtype_and_shape(
    dtype: Any, shape: Any = None, scope: str | None = None, prefix: str = "geph"
) -> Any:
    """A placeholder that stands for any tensor."""
    return tf.placeholder(dtype=dtype, shape=shape, name=placeholder_name(None, scope, prefix))

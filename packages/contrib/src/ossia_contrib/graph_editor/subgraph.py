"""A part of a graph, with the tensors that it takes and gives in an order of one's own."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_contrib.graph_editor import select
from ossia_contrib.graph_editor.listing import get_consuming_ops, make_list_of_op, make_list_of_t, of_editor, unique
from ossia_core.plugins.api_table import public


def _chosen(indices: Any, tensors: list[Any]) -> list[Any]:
    """Tensors by index.

    Raises:
      ValueError: there is no tensor of an index.
    """
    for index in indices:
        if not 0 <= index < len(tensors):
            raise ValueError(f"Out of [0, {len(tensors)}[ range: {index}")
    return [tensors[index] for index in indices]


@public(*of_editor("subgraph", "SubGraphView"))
class SubGraphView:
    """Operations of a graph, with inputs and outputs; the graph stays as it is.

    Args:
      inside_ops: the operations.
      passthrough_ts: tensors that are input and output both.
    """

    def __init__(self, inside_ops: Any = (), passthrough_ts: Any = ()) -> None:
        self._ops: list[Any] = unique(make_list_of_op(inside_ops))
        passed = unique(make_list_of_t(passthrough_ts))
        inputs, outputs, insides = select.compute_boundary_ts(self._ops)
        every = set(inputs) | set(outputs) | set(insides)
        self._passthrough_ts: list[Any] = [tensor for tensor in passed if tensor not in every]
        self._input_ts: list[Any] = inputs + self._passthrough_ts
        self._output_ts: list[Any] = outputs + self._passthrough_ts

    def __copy__(self) -> SubGraphView:
        other = SubGraphView.__new__(SubGraphView)
        for name in ("_ops", "_passthrough_ts", "_input_ts", "_output_ts"):
            setattr(other, name, list(getattr(self, name)))
        return other

    def copy(self) -> SubGraphView:
        """Another view of the same."""
        return copy.copy(self)

    def _assign_from(self, other: SubGraphView) -> None:
        for name in ("_ops", "_passthrough_ts", "_input_ts", "_output_ts"):
            setattr(self, name, list(getattr(other, name)))

    def _remapped(self, inputs: list[Any] | None = None, outputs: list[Any] | None = None) -> SubGraphView:
        other = self.copy()
        other._input_ts = other._input_ts if inputs is None else inputs
        other._output_ts = other._output_ts if outputs is None else outputs
        return other

    def remap_inputs(self, new_input_indices: Sequence[int]) -> SubGraphView:
        """A view with the inputs of some indices, in their order."""
        return self._remapped(_chosen(new_input_indices, self._input_ts))

    def remap_outputs(self, new_output_indices: Sequence[int]) -> SubGraphView:
        """A view with the outputs of some indices, in their order."""
        return self._remapped(outputs=_chosen(new_output_indices, self._output_ts))

    def remap(self, new_input_indices: Any = None, new_output_indices: Any = None) -> SubGraphView:
        """A view with inputs and outputs of some indices; None leaves them."""
        view = self if new_input_indices is None else self.remap_inputs(new_input_indices)
        return view.copy() if new_output_indices is None else view.remap_outputs(new_output_indices)

    def remap_default(self, remove_input_map: bool = True, remove_output_map: bool = True) -> SubGraphView:
        """A view with the inputs and outputs that it had at first."""
        first = SubGraphView(self._ops, self._passthrough_ts)
        return self._remapped(
            first._input_ts if remove_input_map else None, first._output_ts if remove_output_map else None
        )

    def remap_outputs_make_unique(self) -> SubGraphView:
        """A view with each output once."""
        return self._remapped(outputs=unique(self._output_ts))

    def remap_outputs_to_consumers(self) -> SubGraphView:
        """A view with each output once for each operation that takes it."""
        repeated = [tensor for tensor in unique(self._output_ts) for _ in tensor.consumers()]
        return self._remapped(outputs=repeated)

    @property
    def ops(self) -> list[Any]:
        """The operations."""
        return self._ops

    @property
    def inputs(self) -> list[Any]:
        """The inputs."""
        return list(self._input_ts)

    @property
    def outputs(self) -> list[Any]:
        """The outputs."""
        return list(self._output_ts)

    @property
    def passthroughs(self) -> list[Any]:
        """What is input and output both."""
        return list(self._passthrough_ts)

    @property
    def connected_inputs(self) -> list[Any]:
        """The inputs that an operation of the part takes."""
        return [tensor for tensor in self._input_ts if tensor not in self._passthrough_ts]

    @property
    def connected_outputs(self) -> list[Any]:
        """The outputs that an operation of the part makes."""
        return [tensor for tensor in self._output_ts if tensor not in self._passthrough_ts]

    @property
    def graph(self) -> Any:
        """The graph, None for nothing of one."""
        every = [*self._ops, *self._input_ts, *self._output_ts]
        return every[0].graph if every else None

    def op(self, op_id: int) -> Any:
        """The operation of an index."""
        return self._ops[op_id]

    def is_passthrough(self, t: Any) -> bool:
        """Whether a tensor is input and output both."""
        return t in self._passthrough_ts

    def __bool__(self) -> bool:
        return self.graph is not None

    def find_op_by_name(self, op_name: str) -> Any:
        """The operation of a name.

        Raises:
          ValueError: there is none.
        """
        for op in self._ops:
            if op.name == op_name:
                return op
        raise ValueError(f"{op_name} not found in subgraph.")

    def input_index(self, t: Any) -> int:
        """The index of an input.

        Raises:
          ValueError: it is none.
        """
        return self._index(t, self._input_ts, "input")

    def output_index(self, t: Any) -> int:
        """The index of an output.

        Raises:
          ValueError: it is none.
        """
        return self._index(t, self._output_ts, "output")

    def _index(self, t: Any, tensors: list[Any], what: str) -> int:
        if t not in tensors:
            raise ValueError(f"Can't find {t.name} in the {what}s of the subgraph.")
        return tensors.index(t)

    def consumers(self) -> list[Any]:
        """The operations outside that take an output."""
        inside = set(self._ops)
        return [op for op in get_consuming_ops(self._output_ts) if op not in inside]

    def __str__(self) -> str:
        if not self:
            return "SubGraphView: empty"
        lines = [f"SubGraphView (graphid={id(self.graph)}):"]
        for name, values in (("ops", self._ops), ("inputs", self._input_ts), ("outputs", self._output_ts)):
            lines += [f"** {name}[{len(values)}]:", *(f"  {each.name}" for each in values)]
        return "\n".join([*lines, ""])


@public(*of_editor("subgraph", "make_view"), "contrib.graph_editor.sgv")
def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """A view of what `select_ops_and_ts` chooses; a view stays what it is.

    Args:
      *args: a view, or as of `select_ops_and_ts`.
      **kwargs: as there.
    """
    if len(args) == 1 and isinstance(args[0], SubGraphView):
        if kwargs:
            raise ValueError(f"Wrong keywords argument: {next(iter(kwargs))}.")
        return args[0]
    ops, tensors = select.select_ops_and_ts(*args, **kwargs)
    return SubGraphView(ops, tensors)


@public(*of_editor("subgraph", "make_view_from_scope"), "contrib.graph_editor.sgv_scope")
def make_view_from_scope(scope: str, graph: tf.Graph) -> SubGraphView:
    """A view of the operations of a scope."""
    return SubGraphView(select.get_name_scope_ops(graph, scope))

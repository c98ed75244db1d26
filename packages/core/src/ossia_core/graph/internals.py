"""Names of Graph that the original keeps for itself, but that its unit tests and programs use."""
from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ossia_core.graph.operation import Operation
    from ossia_core.graph.tensor import Tensor


class GraphInternals:
    """What a graph holds, under the original's private names."""

    if TYPE_CHECKING:
        _operations: list[Operation]
        _by_name: dict[str, Operation]
        _next_id: int
        _functions: dict[str, Any]
        _unfeedable: set[Tensor]
        _unfetchable: set[Operation]
        _gradient_override: dict[str, str]
        _kernel_labels: dict[str, str]

    @property
    def _nodes_by_id(self) -> dict[int, Operation]:
        return {op._id: op for op in self._operations}

    @property
    def _nodes_by_name(self) -> dict[str, Operation]:
        return dict(self._by_name)

    @property
    def _next_id_counter(self) -> int:
        return self._next_id

    @property
    def _unfeedable_tensors(self) -> set[Tensor]:
        return self._unfeedable

    @property
    def _unfetchable_ops(self) -> set[Operation]:
        return self._unfetchable

    @property
    def _graph_def_versions(self: Any) -> Any:
        return self.graph_def_versions

    @property
    def _gradient_override_map(self) -> dict[str, str]:
        return self._gradient_override

    @property
    def _op_to_kernel_label_map(self) -> dict[str, str]:
        return self._kernel_labels

    def _get_operation_by_name_unsafe(self, name: str) -> Operation:
        return self._by_name[name]

    def _is_function(self, name: Any) -> bool:
        return (name.decode() if isinstance(name, bytes) else name) in self._functions

    def _get_function(self, name: Any) -> Any:
        return self._functions.get(name.decode() if isinstance(name, bytes) else name)

    def _add_function(self, function: Any) -> None:
        function.add_to_graph(self)

    @property
    def _pending(self) -> list[Any]:
        return self.__dict__.setdefault("_pending_nodes", [])

    def _create_op_from_tf_operation(self, c_op: Any, compute_device: bool = True) -> Operation:
        from ossia_core.graph.pending import taken
        return taken(self, c_op, compute_device, in_scopes=False)

    def _add_new_tf_operations(self, compute_devices: bool = True) -> list[Operation]:
        from ossia_core.graph.pending import taken
        return [taken(self, node, compute_devices, in_scopes=True) for node in list(self._pending)]

    def _as_graph_def(self: Any, from_version: int | None = None, add_shapes: bool = False) -> tuple[Any, int]:
        return self.as_graph_def(from_version, add_shapes), self.version

    def _variable_creator_scope(self, creator: Any, priority: int = 100) -> AbstractContextManager[None]:
        from ossia_core.variables.creation import variable_creator_scope
        return variable_creator_scope(creator)

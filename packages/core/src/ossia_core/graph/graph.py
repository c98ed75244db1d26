"""Graph: the nodes that a program builds, the collections it keeps, and what it refuses."""
from __future__ import annotations

import re
import threading
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from ossia_core.declare.builders import builder
from ossia_core.declare.language import BORDERS
from ossia_core.forks import renewed
from ossia_core.graph import stack
from ossia_core.graph.build import add_raw
from ossia_core.graph.graph_scopes import VALID_NAME, GraphScopes
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public

if TYPE_CHECKING:
    from ossia_core.declare.opdef import OpDef
    from ossia_core.names.dtypes import DType

PRODUCER_VERSION = 134  # the GraphDef version that TensorFlow 1.15 writes


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

    @staticmethod
    def describe(op: Operation, *description: Any) -> None:
        """Make `op` what the arguments of `tf.Operation` describe."""
        from ossia_core.graph.by_hand import fill
        fill(op, *description)

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
        scope: AbstractContextManager[None] = builder("variable_creator_scope")(creator)
        return scope


@public("Graph")
class Graph(GraphScopes, GraphInternals):
    """A dataflow graph: operations as nodes, tensors as edges. Not safe for building from several threads at once."""

    tensor_type: type[Tensor] = Tensor
    """The class of what its nodes make; a graph of another kind may have another."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = renewed(threading.RLock())
        self._operations: list[Operation] = []
        self._by_name: dict[str, Operation] = {}
        self._next_id = 0
        self._version = 0
        self._modifications = 0
        self.mistyped: dict[tuple[Operation, int], DType] = {}
        """The inputs that were replaced by tensors of other dtypes, by node and number, with the dtypes expected."""
        self.changes = 0  # grows with every node and with every change of one
        self._def_versions = PRODUCER_VERSION, 0, frozenset[int]()
        self._collections: dict[Any, list] = {}
        self._seed: int | None = None
        self._finalized = False
        self._unfeedable: set[Tensor] = set()
        self._unfetchable: set[Operation] = set()
        self._functions: dict[str, Any] = {}
        self._function_gradients: dict[str, str] = {}
        self._colocation_code = None
        self._graph_key = f"grap-key-{id(self)}/"
        self._last_loss_reduction: Any = None
        self._building_function = False
        self._scopes: dict[Any, Any] = {}
        self._reads_seen: list[dict[Any, None]] = []

    # -- nodes --------------------------------------------------------------------------------------

    def next_id(self) -> int:
        """Number of the node about to be made."""
        self._check_not_finalized()
        self._next_id += 1
        self.changes += 1
        return self._next_id

    @property
    def _last_id(self) -> int:
        return self._next_id

    @property
    def version(self) -> int:
        """Grows with every node."""
        return self._version

    @property
    def modifications(self) -> int:
        """Grows with every change of an existing node's edges; plans made before it are stale."""
        return self._modifications

    def modified(self) -> None:
        """Note that an existing node's edges changed."""
        self._modifications += 1
        self.changes += 1

    @property
    def graph_def_versions(self) -> Any:
        """The VersionDef of the GraphDef this graph exports: its ops have the meaning that they had in that version."""
        from ossia_core.proto import VersionDef
        producer, consumer, bad = self._def_versions
        return VersionDef(producer=producer, min_consumer=consumer, bad_consumers=sorted(bad))

    def join_versions(self, versions: Any) -> None:
        """Take over what the VersionDef of an imported GraphDef demands: the older producer, the newer consumer."""
        producer, consumer, bad = self._def_versions
        self._def_versions = (
            min(producer, versions.producer), max(consumer, versions.min_consumer), bad.union(versions.bad_consumers)
        )

    def add_node(self, definition: OpDef, name: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any],
                 output_types: list[DType], *, compute_device: bool = True) -> Operation:
        """Make a node with resolved inputs and attributes, under the scopes in force. `name` ends in "/" if it is
        final."""
        self._check_not_finalized()  # before the name counts as taken
        name = name[:-1] if name[-1:] == "/" else self.unique_name(name)
        if not VALID_NAME.match(name):
            raise ValueError(f"'{name}' is not a valid node name")
        if name in self._by_name:
            raise ValueError(f"Duplicate node name in graph: '{name}'")
        context = self._control_flow_context
        for tensor in inputs:
            own = tensor.op._control_flow_context
            if own is not None and own is not context and definition.role not in BORDERS:
                own.check_use(name, context, tensor)
        scopes = self._in_force
        controls = self._controls_for(inputs) if scopes.controls else []
        op = Operation.made(self, definition, name, inputs, attrs, output_types, controls)
        self._operations.append(op)
        self._by_name[name] = op
        self._version = op._id
        if context is not None:
            context.AddOp(op)
        if (
            scopes.devices
            or scopes.colocations
            or scopes.controls
            or self._attr_scope_map
            or self._default_original_op is not None
            or self._gradient_override
            or self._kernel_labels
            or self._container
        ):
            self._apply_scopes(op, compute_device)
        return op

    def create_op(self, op_type: str, inputs: list, dtypes: list | None = None, input_types: list | None = None,
                  name: str | None = None, attrs: dict | None = None, op_def: Any = None, compute_shapes: bool = True,
                  compute_device: bool = True) -> Operation:
        """Make a node from a type name, input tensors and attributes (AttrValue protos or Python values)."""
        for t in inputs:
            if not isinstance(t, Tensor):
                raise TypeError(f"Input #{inputs.index(t)} is not a tensor: {t}")
        return add_raw(self, op_type, tuple(inputs), attrs or {}, op_type if name is None else name, compute_device)

    def get_operations(self) -> list[Operation]:
        """All nodes, in the order of creation."""
        return list(self._operations)

    def get_operation_by_name(self, name: str) -> Operation:
        """The node of that name; KeyError if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor of that name (`"op:0"`); KeyError if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The tensor or operation of this graph that `obj` names, is, or converts to.

        Raises:
          TypeError: `obj` cannot stand for a graph element of the kinds allowed.
          ValueError: it belongs to another graph, or its name is malformed.
          KeyError: no element has that name.
        """
        return _element(self, obj, allow_tensor, allow_operation)

    def as_default(self) -> Any:
        """A context manager in which this is the thread's default graph."""
        return stack.graphs.push(self)

    def __enter__(self) -> Graph:
        self._entered = getattr(self, "_entered", [])
        self._entered.append(self.as_default())
        return self._entered[-1].__enter__()

    def __exit__(self, *exc: Any) -> None:
        self._entered.pop().__exit__(*exc)

    # -- collections ------------------------------------------------------------------------------------

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Append `value` to a collection."""
        self._check_not_finalized()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Append `value` to each collection once, even if a name is repeated."""
        for name in (names,) if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection(self, name: Any, scope: str | None = None) -> list:
        """Items of a collection; with `scope`, those whose `name` matches that regular expression."""
        items = self._collections.get(name, [])
        if scope is None:
            return list(items)
        pattern = re.compile(scope)
        return [item for item in items if hasattr(item, "name") and pattern.match(item.name)]

    def get_collection_ref(self, name: Any) -> list:
        """The collection itself."""
        return self._collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list:
        """The collections whose names are strings."""
        return [key for key in self._collections if isinstance(key, str)]

    @property
    def collections(self) -> list:
        """Names of all collections, whatever they are."""
        return list(self._collections)

    def clear_collection(self, name: Any) -> None:
        """Empty a collection."""
        self._check_not_finalized()
        self._collections.pop(name, None)

    # -- state --------------------------------------------------------------------------------------------

    @property
    def seed(self) -> int | None:
        """The graph-level seed."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        self._seed = seed

    @property
    def finalized(self) -> bool:
        """Whether the graph is read-only."""
        return self._finalized

    def finalize(self) -> None:
        """Make the graph read-only."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        self._finalized = False

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    @property
    def building_function(self) -> bool:
        """Whether this graph is the body of a function."""
        return self._building_function

    def prevent_feeding(self, tensor: Tensor) -> None:
        """Refuse feeds of `tensor`."""
        self._unfeedable.add(tensor)

    def is_feedable(self, tensor: Tensor) -> bool:
        """Whether `tensor` may be fed."""
        return tensor not in self._unfeedable

    def prevent_fetching(self, op: Operation) -> None:
        """Refuse fetches of `op`."""
        self._unfetchable.add(op)
        self.modified()  # plans that fetch it are stale

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether a tensor or operation may be fetched."""
        return (tensor_or_op.op if isinstance(tensor_or_op, Tensor) else tensor_or_op) not in self._unfetchable

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """The GraphDef proto of this graph.

        Args:
          from_version: ignored, as in TensorFlow 1.15: the GraphDef has all nodes.
          add_shapes: whether to add the static shapes as `_output_shapes`.
        """
        from ossia_core.graph.export import graph_def
        return graph_def(self, add_shapes)


def _element(graph: Any, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
    """The tensor or operation of a graph that `obj` names, is, or converts to.

    Raises:
      TypeError: `obj` cannot stand for a graph element of the kinds allowed.
      ValueError: it belongs to another graph, or its name is malformed.
      KeyError: no element has that name.
    """
    kinds = " or ".join(
        ([Tensor.__name__] if allow_tensor else []) + ([Operation.__name__] if allow_operation else [])
    )
    if not kinds:
        raise ValueError("allow_tensor and allow_operation can't both be False.")
    convert = getattr(obj, "_as_graph_element", None)
    if convert is not None:
        element = convert()
        obj = obj if element is None else element
    if isinstance(obj, bytes):
        obj = obj.decode()
    if isinstance(obj, str):
        return _named(graph._by_name, obj, allow_tensor, allow_operation)
    if (isinstance(obj, Tensor) and allow_tensor) or (isinstance(obj, Operation) and allow_operation):
        if obj.graph is not graph:
            raise ValueError(f"{type(obj).__name__} {obj} is not an element of this graph.")
        return obj
    raise TypeError(f"Can not convert a {type(obj).__name__} into a {kinds}.")


def _named(by_name: dict[str, Operation], name: str, allow_tensor: bool, allow_operation: bool) -> Any:
    if ":" in name and allow_tensor:
        op_name, _, index_text = name.rpartition(":")
        if ":" in op_name or not index_text.isdigit():
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. Tensor names must be of "
                "the form "
                '"<op_name>:<output_index>".'
            )
        op = by_name.get(op_name)
        if op is None:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, does not "
                "exist in the graph."
            )
        index = int(index_text)
        if index >= len(op.outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, exists "
                f"but only has {len(op.outputs)} outputs."
            )
        return op.outputs[index]
    if ":" in name:
        raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation.")
    op = by_name.get(name)
    if not allow_operation:
        if op is not None:
            raise ValueError(
                f"The name {name!r} refers to an Operation, not a Tensor. Tensor names must be of the form "
                '"<op_name>:<output_index>".'
            )
        raise ValueError(
            f"The name {name!r} looks like an (invalid) Operation name, not a Tensor. Tensor names must be of the "
            "form "
            '"<op_name>:<output_index>".'
        )
    if op is None:
        raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
    return op

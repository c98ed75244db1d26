"""Resource variables: a handle, and ops that read and change what it stands for; a read is a value of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor, register_tensor_conversion_function
from ossia_core.graph.scopes import init_scope, name_scope, prepend_name_scope, strip_name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor, eval_session
from ossia_core.names.dtypes import DType
from ossia_core.names.shapes import TensorShape, as_shape
from ossia_core.primitives.identity import identity
from ossia_core.primitives.variable_ops import (
    assign_add_variable_op,
    assign_sub_variable_op,
    assign_variable_op,
    read_variable_op,
    var_handle_op,
    var_is_initialized_op,
)
from ossia_core.variables.initial_values import guarded
from ossia_core.variables.options import checked_options
from ossia_core.variables.save_slices import SaveSliceInfo
from ossia_core.variables.variable import (
    VariableV1,
    as_base_dtype,
    checked_collections,
    checked_name,
    rows,
)


class ResourceVariable(VariableV1):
    """A variable behind a handle: every use reads it, at a point in the run that control dependencies can fix."""

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        dtype: Any = None,
        variable_def: Any = None,
        import_scope: str | None = None,
        constraint: Callable | None = None,
        distribute_strategy: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ) -> None:
        self._save_slice_info: Any = None
        self._initial_value: Any = None
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._init_from_proto(variable_def, import_scope)
        else:
            self._init_from_args(
                initial_value,
                trainable,
                collections,
                caching_device,
                name,
                as_base_dtype(dtype),
                constraint,
                synchronization,
                aggregation,
                shape,
            )

    def _init_from_args(
        self,
        initial_value: Any,
        trainable: bool | None,
        collections: Any,
        caching_device: Any,
        name: str | None,
        dtype: DType | None,
        constraint: Callable | None,
        synchronization: Any,
        aggregation: Any,
        shape: Any,
    ) -> None:
        self._synchronization, self._aggregation, self._trainable = checked_options(
            synchronization, aggregation, trainable, name
        )
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        from_function = callable(initial_value)
        collections = checked_collections(collections, self._trainable)
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self._constraint = constraint
        with init_scope(), name_scope(name, "Variable", [] if from_function else [initial_value]) as scope:
            graph = get_default_graph()
            self._graph_key = graph._graph_key
            own_name = checked_name(scope)
            self._handle_name = own_name + ":0"
            with graph._with_attributes({"_class": [f"loc:@{own_name}".encode()]}):
                with graph.name_scope("Initializer"), graph.device(None):
                    value = convert_to_tensor(
                        initial_value() if from_function else initial_value, name="initial_value", dtype=dtype
                    )
                self._shape = value.shape if shape is None else as_shape(shape)
                self._dtype = value.dtype.base_dtype
                self._handle = var_handle_op(shape=self._shape, dtype=self._dtype, shared_name=own_name, name=scope)
            if value.op._control_flow_context is not None:
                raise ValueError(
                    f"Initializer for variable {scope} is from inside a control-flow construct, such as a loop or "
                    "conditional. When creating a variable inside a loop or conditional, use a lambda as the "
                    "initializer."
                )
            self._unique_id = own_name
            self._initial_value = value
            with graph.name_scope("IsInitialized"):
                self._is_initialized_op = var_is_initialized_op(self._handle)
            with (
                graph.name_scope("Assign") as assign_scope,
                graph.colocate_with(None, ignore_existing=True),
                graph.device(self._handle.device),
            ):
                self._initializer_op = assign_variable_op(self._handle, guarded(scope, value), name=assign_scope)
            with graph.name_scope("Read"):
                with graph.device(self._handle.device):
                    self._graph_element = self._read()
                self._cached_value = None
                if caching_device is not None:
                    with graph.colocate_with(None, ignore_existing=True), graph.device(caching_device):
                        self._cached_value = identity(self._graph_element)
        graph.add_to_collections(collections, self)
        self._caching_device = caching_device

    def _init_from_proto(self, variable_def: Any, import_scope: str | None) -> None:
        if not variable_def.is_resource:
            raise ValueError("Trying to restore Variable as ResourceVariable.")
        graph = get_default_graph()

        def element(name: str) -> Any:
            return graph.as_graph_element(prepend_name_scope(name, import_scope))

        self._handle = element(variable_def.variable_name)
        self._handle_name, self._unique_id = self._handle.name, self._handle.op.name
        self._shape = as_shape(self._handle.op.attrs["shape"])
        self._dtype = self._handle.op.attrs["dtype"]
        self._initializer_op = element(variable_def.initializer_name)
        self._initial_value = element(variable_def.initial_value_name) if variable_def.initial_value_name else None
        self._synchronization, self._aggregation, self._trainable = checked_options(
            variable_def.synchronization, variable_def.aggregation, variable_def.trainable, variable_def.variable_name
        )
        self._cached_value = self._is_initialized_op = None
        if variable_def.snapshot_name:
            snapshot = self._graph_element = element(variable_def.snapshot_name)
            if snapshot.op.definition is not read_variable_op:
                self._cached_value = snapshot
                while self._graph_element.op.definition is not read_variable_op and self._graph_element.op.inputs:
                    self._graph_element = self._graph_element.op.inputs[0]
        else:
            self._graph_element = graph.get_tensor_by_name(self._handle.op.name + "/Read/ReadVariableOp:0")
        if variable_def.HasField("save_slice_info_def"):
            self._save_slice_info = SaveSliceInfo(
                save_slice_info_def=variable_def.save_slice_info_def, import_scope=import_scope
            )
        self._caching_device = self._constraint = None
        self._graph_key = graph._graph_key

    @staticmethod
    def from_proto(variable_def: Any, import_scope: str | None = None) -> ResourceVariable:
        """The variable that a VariableDef describes, found in the default graph."""
        return ResourceVariable(variable_def=variable_def, import_scope=import_scope)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The VariableDef; None if the variable lies outside `export_scope`."""
        from ossia_core.proto import VariableDef

        if export_scope is not None and not self.handle.name.startswith(export_scope):
            return None
        snapshot = self._graph_element if self._cached_value is None else self._cached_value
        proto = VariableDef(
            variable_name=strip_name_scope(self.handle.name, export_scope),
            initializer_name=strip_name_scope(self.initializer.name, export_scope),
            snapshot_name=strip_name_scope(snapshot.name, export_scope),
            is_resource=True,
            trainable=self._trainable,
            synchronization=self._synchronization.value,
            aggregation=self._aggregation.value,
        )
        if self._initial_value is not None:
            proto.initial_value_name = strip_name_scope(self._initial_value.name, export_scope)
        if self._save_slice_info:
            proto.save_slice_info_def.MergeFrom(self._save_slice_info.to_proto(export_scope))
        return proto

    # -- what it is ---------------------------------------------------------------------------------------

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the variable, in the form of a tensor's."""
        return self._handle_name

    @property
    def handle(self) -> Tensor:
        """The resource tensor that ops take."""
        return self._handle

    @property
    def op(self) -> Any:  # type: ignore[override]
        """The VarHandleOp node."""
        return self._handle.op

    @property
    def graph(self) -> Any:  # type: ignore[override]
        """The graph it is in."""
        return self._handle.graph

    @property
    def device(self) -> str:  # type: ignore[override]
        """Its device."""
        return self._handle.device

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """Its dtype."""
        return self._dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """Not possible for resource variables."""
        raise NotImplementedError("ResourceVariable does not implement set_shape()")

    @property
    def create(self) -> Any:
        """The operation that sets the initial value."""
        return self._initializer_op

    @property
    def initializer(self) -> Any:  # type: ignore[override]
        """The operation that sets the initial value."""
        return self._initializer_op

    @property
    def initial_value(self) -> Any:  # type: ignore[override]
        """The tensor it is initialised with."""
        return self._initial_value

    def is_initialized(self, name: str | None = None) -> Tensor:
        """A boolean tensor: whether it has a value."""
        return var_is_initialized_op(self._handle, name=name)

    # -- reading ------------------------------------------------------------------------------------------

    def _note_read(self) -> None:
        """Let tapes, and functions with a gradient of their own, know that they use the variable."""
        if self._trainable:
            graph: Any = get_default_graph()
            while graph is not None:
                for seen in graph._reads_seen:
                    seen[self] = None
                graph = getattr(graph, "outer_graph", None)

    def _read(self) -> Tensor:
        self._note_read()
        value = read_variable_op(self._handle, dtype=self._dtype)
        if value.shape.ndims is None or not value.shape.is_fully_defined():
            value.set_shape(self._shape)
        return value

    def value(self) -> Tensor:
        """A new tensor of its value, or the one kept on the caching device."""
        if self._cached_value is not None:
            return self._cached_value
        graph = get_default_graph()
        with graph.colocate_with(None, ignore_existing=True), graph.device(self._handle.device):
            return self._read()

    def read_value(self) -> Tensor:
        """A new tensor of its value, read after the control dependencies in force."""
        graph = get_default_graph()
        with graph.name_scope("Read"), graph.device(self._handle.device):
            value = self._read()
        return identity(value)

    def _as_graph_element(self) -> Tensor:
        return self._graph_element

    def eval(self, session: Any = None) -> np.ndarray:
        """The value in `session`, or in the default session."""
        return eval_session(session, self.graph, "evaluate tensor", "eval(session=sess)").run(self._graph_element)

    def numpy(self) -> np.ndarray:
        """Not possible: there is no eager execution."""
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    def __bool__(self) -> bool:
        return bool(self.read_value())

    __nonzero__ = __bool__

    def __int__(self) -> int:
        if not self.dtype.is_integer:
            raise TypeError("Non-integer variable can't be converted to integer.")
        return int(self.read_value())  # type: ignore[call-overload]

    def __copy__(self) -> ResourceVariable:
        return self

    def _dense_var_to_tensor(self, dtype: DType | None = None, name: str | None = None, as_ref: bool = False) -> Tensor:
        if dtype is not None and not dtype.is_compatible_with(self.dtype):
            raise ValueError(
                f"Incompatible type conversion requested to type '{dtype.name}' for variable of type "
                f"'{self.dtype.name}'"
            )
        return self.value()

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """The rows `indices`, read without reading the rest."""
        with name_scope(name, "Gather") as scope:
            self._note_read()
            value = lookup("ResourceGather")(self._handle, indices, dtype=self._dtype, name=scope)
        return identity(value)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """The slices `indices`, read without reading the rest."""
        with name_scope(name, "GatherNd") as scope:
            self._note_read()
            value = lookup("ResourceGatherNd")(self._handle, indices, dtype=self._dtype, name=scope)
        return identity(value)

    # -- changing -----------------------------------------------------------------------------------------

    def _lazy_read(self, op: Any) -> _UnreadVariable:
        self._note_read()
        return _UnreadVariable(self, op)

    def assign(
        self, value: Any, use_locking: bool | None = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Set the variable to `value`; the variable as it is afterwards, or the operation if `read_value` is False.

        Raises:
          ValueError: the shapes cannot agree.
        """
        tensor = convert_to_tensor(value, dtype=self.dtype)
        self._shape.assert_is_compatible_with(tensor.shape)
        op = assign_variable_op(self._handle, tensor, name=name)
        return self._lazy_read(op) if read_value else op

    def assign_add(
        self, delta: Any, use_locking: bool | None = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Add `delta`; the variable as it is afterwards, or the operation if `read_value` is False."""
        op = assign_add_variable_op(self._handle, convert_to_tensor(delta, dtype=self.dtype), name=name)
        return self._lazy_read(op) if read_value else op

    def assign_sub(
        self, delta: Any, use_locking: bool | None = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtract `delta`; the variable as it is afterwards, or the operation if `read_value` is False."""
        op = assign_sub_variable_op(self._handle, convert_to_tensor(delta, dtype=self.dtype), name=name)
        return self._lazy_read(op) if read_value else op

    def _scatter(self, kind: str, sparse_delta: Any, use_locking: bool, name: str | None) -> Any:
        delta = rows(sparse_delta)
        values = convert_to_tensor(delta.values, self.dtype)
        op = lookup("ResourceScatter" + kind.capitalize())(self._handle, delta.indices, values, name=name)
        return self._lazy_read(op)

    def batch_scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Set rows of each entry of a batch: `sparse_delta` has one more leading axis than for `scatter_update`."""
        return self._lazy_read(
            builder("batch_scatter_update")(
                self, sparse_delta.indices, sparse_delta.values, use_locking=use_locking, name=name
            ).op
        )

    def _scatter_nd(self, kind: str, indices: Any, updates: Any, name: str | None) -> Any:
        values = convert_to_tensor(updates, self.dtype)
        op = lookup("ResourceScatterNd" + kind.capitalize())(self._handle, indices, values, name=name)
        return self._lazy_read(op)

    def _strided_slice_assign(
        self, begin: Any, end: Any, strides: Any, value: Any, name: str | None, **masks: int
    ) -> Any:
        op = lookup("ResourceStridedSliceAssign")(
            self._handle, begin, end, strides, convert_to_tensor(value, dtype=self.dtype), name=name, **masks
        )
        return self._lazy_read(op)


class _UnreadVariable(ResourceVariable):
    """A resource variable as an update leaves it: every read waits for the update."""

    def __init__(self, variable: ResourceVariable, parent_op: Any) -> None:
        for attribute in (
            "_handle",
            "_handle_name",
            "_shape",
            "_dtype",
            "_trainable",
            "_synchronization",
            "_aggregation",
            "_initial_value",
            "_initializer_op",
            "_is_initialized_op",
            "_constraint",
            "_save_slice_info",
            "_unique_id",
            "_graph_key",
            "_caching_device",
        ):
            setattr(self, attribute, getattr(variable, attribute))
        self._cached_value = None
        self._variable = variable
        self._parent_op = parent_op
        # A body has no use for what stands for the variable in fetches and feeds.
        self._graph_element = None if parent_op.graph.building_function else self.value()  # type: ignore[assignment]

    def _note_read(self) -> None:
        self._variable._note_read()

    def _as_graph_element(self) -> Any:  # type: ignore[override]
        return self._parent_op if self._graph_element is None else self._graph_element

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the update."""
        return self._parent_op.name

    @property
    def op(self) -> Any:  # type: ignore[override]
        """The update."""
        return self._parent_op

    def value(self) -> Tensor:
        """The value after the update."""
        with self._parent_op.graph.control_dependencies([self._parent_op]):
            return self._read()

    def read_value(self) -> Tensor:
        """The value after the update."""
        with self._parent_op.graph.control_dependencies([self._parent_op]):
            return self._read()


def _no_in_place(symbol: str, method: str) -> Callable:
    def refuse(self: ResourceVariable, other: Any) -> Any:
        raise RuntimeError(
            f"Variable {symbol}= value not supported. Use {method} to modify the variable value and variable = "
            f"variable {symbol} value to get a new Tensor object."
        )

    return refuse


for _name, _symbol, _method in (
    ("iadd", "+", "variable.assign_add(value)"),
    ("isub", "-", "variable.assign_sub(value)"),
    ("imul", "*", "`var.assign(var * value)`"),
    ("idiv", "/", "`var.assign(var / value)`"),
    ("itruediv", "/", "`var.assign(var / value)`"),
    ("irealdiv", "/", "`var.assign(var / value)`"),
    ("ipow", "**", "`var.assign(var ** value)`"),
):
    setattr(ResourceVariable, f"__{_name}__", _no_in_place(_symbol, _method))

register_tensor_conversion_function(ResourceVariable, ResourceVariable._dense_var_to_tensor)

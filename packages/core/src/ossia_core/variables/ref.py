"""Reference variables: a VariableV2 node, its Assign and the Identity that reads it."""

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
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape, as_shape
from ossia_core.primitives.identity import identity
from ossia_core.primitives.variable_ops import assign_add_op, assign_op, assign_sub_op, variable_v2_op
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


class RefVariable(VariableV1):
    """A variable that ops take by reference, so that reads of one run may see its updates."""

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Callable | None = None,
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
                validate_shape,
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
        validate_shape: bool,
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
        collections = checked_collections(collections, self._trainable)
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self._constraint = constraint
        graph = get_default_graph()
        self._graph_key = graph._graph_key
        from_function = callable(initial_value)
        with init_scope(), name_scope(name, "Variable", [] if from_function else [initial_value]) as scope:
            own_name = checked_name(scope)
            graph = get_default_graph()
            if from_function:
                with graph._with_attributes({"_class": [f"loc:@{own_name}".encode()]}):
                    with graph.name_scope("Initializer"), graph.device(None):
                        value = convert_to_tensor(initial_value(), name="initial_value", dtype=dtype)
                    self._variable = self._storage(value, validate_shape, shape, scope)
            else:
                value = convert_to_tensor(initial_value, name="initial_value", dtype=dtype)
                if value.op._control_flow_context is not None:
                    raise ValueError(
                        f"Initializer for variable {scope} is from inside a control-flow construct, such as a loop or "
                        "conditional. When creating a variable inside a loop or conditional, use a lambda as the "
                        "initializer."
                    )
                self._variable = self._storage(value, validate_shape, shape, scope)
            self._initial_value = value
            if validate_shape and not value.shape.is_fully_defined():
                raise ValueError(f"initial_value must have a shape specified: {value}")
            self._initializer_op = assign_op(self._variable, guarded(scope, value), validate_shape=validate_shape).op
            placed = graph.colocate_with(self._variable.op) if caching_device is None else graph.device(caching_device)
            with placed:
                self._snapshot = identity(self._variable, name="read")
        graph.add_to_collections(collections, self)
        self._caching_device = caching_device

    @staticmethod
    def _storage(value: Tensor, validate_shape: bool, shape: Any, scope: str) -> Tensor:
        if shape is None:
            shape = value.shape if validate_shape else UNKNOWN_SHAPE
        return variable_v2_op(shape=as_shape(shape), dtype=value.dtype.base_dtype, name=scope)

    def _init_from_proto(self, variable_def: Any, import_scope: str | None) -> None:
        graph = get_default_graph()

        def element(name: str) -> Any:
            return graph.as_graph_element(prepend_name_scope(name, import_scope))

        self._variable = element(variable_def.variable_name)
        self._initializer_op = element(variable_def.initializer_name)
        self._initial_value = element(variable_def.initial_value_name) if variable_def.initial_value_name else None
        self._synchronization, self._aggregation, self._trainable = checked_options(
            variable_def.synchronization, variable_def.aggregation, variable_def.trainable, variable_def.variable_name
        )
        self._snapshot = element(variable_def.snapshot_name)
        if variable_def.HasField("save_slice_info_def"):
            self._save_slice_info = SaveSliceInfo(
                save_slice_info_def=variable_def.save_slice_info_def, import_scope=import_scope
            )
        self._caching_device = self._constraint = None
        self._graph_key = graph._graph_key

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The VariableDef; None if the variable lies outside `export_scope`."""
        from ossia_core.proto import VariableDef

        if export_scope is not None and not self._variable.name.startswith(export_scope):
            return None
        proto = VariableDef(
            variable_name=strip_name_scope(self._variable.name, export_scope),
            initializer_name=strip_name_scope(self.initializer.name, export_scope),
            snapshot_name=strip_name_scope(self._snapshot.name, export_scope),
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
        """Name of the tensor that the variable is."""
        return self._variable.name

    @property
    def op(self) -> Any:  # type: ignore[override]
        """The VariableV2 node."""
        return self._variable.op

    @property
    def graph(self) -> Any:  # type: ignore[override]
        """The graph it is in."""
        return self._variable.graph

    @property
    def device(self) -> str:  # type: ignore[override]
        """Its device."""
        return self._variable.device

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """Its reference dtype."""
        return self._variable.dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return self._variable.shape

    def set_shape(self, shape: Any) -> None:
        """Merge `shape` into the static shape of the variable and of its value."""
        self._variable.set_shape(shape)
        self._snapshot.set_shape(shape)

    @property
    def initializer(self) -> Any:  # type: ignore[override]
        """The operation that sets the initial value."""
        return self._initializer_op

    @property
    def initial_value(self) -> Any:  # type: ignore[override]
        """The tensor it is initialised with."""
        return self._initial_value

    # -- reading ------------------------------------------------------------------------------------------

    def value(self) -> Tensor:
        """The tensor of its value."""
        return self._snapshot

    def read_value(self) -> Tensor:
        """A new tensor of its value, read after the control dependencies in force."""
        return identity(self._variable, name="read")

    def _ref(self) -> Tensor:
        return self._variable

    def _as_graph_element(self) -> Tensor:
        return self._variable

    def eval(self, session: Any = None) -> np.ndarray:
        """The value in `session`, or in the default session."""
        return eval_session(session, self.graph, "evaluate tensor", "eval(session=sess)").run(self._variable)

    @staticmethod
    def _TensorConversionFunction(
        v: RefVariable,
        dtype: DType | None = None,
        name: str | None = None,
        as_ref: bool = False,
    ) -> Tensor:
        if dtype is not None and not dtype.is_compatible_with(v.dtype):
            raise ValueError(
                f"Incompatible type conversion requested to type '{dtype.name}' for variable of type '{v.dtype.name}'"
            )
        return v._ref() if as_ref else v.value()

    @property
    def sparse_read(self) -> Any:  # type: ignore[override]
        """Resource variables alone have it."""
        raise AttributeError("A reference variable has no sparse_read")

    @property
    def gather_nd(self) -> Any:  # type: ignore[override]
        """Resource variables alone have it."""
        raise AttributeError("A reference variable has no gather_nd")

    # -- changing -----------------------------------------------------------------------------------------

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Set the variable to `value`; a reference to its new value, or the operation if `read_value` is False."""
        return _result(assign_op(self._variable, value, use_locking=use_locking, name=name), read_value)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Add `delta`; a reference to the new value, or the operation if `read_value` is False."""
        return _result(assign_add_op(self._variable, delta, use_locking=use_locking, name=name), read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtract `delta`; a reference to the new value, or the operation if `read_value` is False."""
        return _result(assign_sub_op(self._variable, delta, use_locking=use_locking, name=name), read_value)

    def _scatter(self, kind: str, sparse_delta: Any, use_locking: bool, name: str | None) -> Any:
        delta = rows(sparse_delta)
        return builder("scatter_" + kind)(self, delta.indices, delta.values, use_locking=use_locking, name=name)

    def _scatter_nd(self, kind: str, indices: Any, updates: Any, name: str | None) -> Any:
        return builder("scatter_nd_" + kind)(self._variable, indices, updates, use_locking=True, name=name)

    def batch_scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Set rows of each entry of a batch: `sparse_delta` has one more leading axis than for `scatter_update`."""
        return builder("batch_scatter_update")(
            self, sparse_delta.indices, sparse_delta.values, use_locking=use_locking, name=name
        )

    def _strided_slice_assign(
        self, begin: Any, end: Any, strides: Any, value: Any, name: str | None, **masks: int
    ) -> Any:
        return lookup("StridedSliceAssign")(self._variable, begin, end, strides, value, name=name, **masks)


def _result(reference: Tensor, read_value: bool) -> Any:
    return reference if read_value else reference.op


def _in_place(operator: str, symbol: str, method: str) -> Callable:
    """`v += x` and the like: they work, as `v + x`, with a warning."""

    def apply(self: RefVariable, other: Any) -> Any:
        from ossia_core.names import logging

        logging.log_first_n(
            logging.WARN,
            f"Variable {symbol}= will be deprecated. Use {method} if you want assignment to the variable value or "
            f"'x = x {symbol} y' if you want a new python Tensor object.",
            1,
        )
        return getattr(self, operator)(other)

    return apply


for _name, _operator, _symbol, _method in (
    ("iadd", "__add__", "+", "variable.assign_add"),
    ("isub", "__sub__", "-", "variable.assign_sub"),
    ("imul", "__mul__", "*", "`var.assign(var * other)`"),
    ("idiv", "__div__", "/", "`var.assign(var / other)`"),
    ("itruediv", "__truediv__", "/", "`var.assign(var / other)`"),
    ("irealdiv", "__truediv__", "/", "`var.assign(var / other)`"),
    ("ipow", "__pow__", "**", "`var.assign(var ** other)`"),
):
    setattr(RefVariable, f"__{_name}__", _in_place(_operator, _symbol, _method))

register_tensor_conversion_function(RefVariable, RefVariable._TensorConversionFunction)

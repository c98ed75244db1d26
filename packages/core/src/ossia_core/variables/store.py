"""The variables that `get_variable` made in a graph, by full name: returned again, or made with initializer and
regularizer."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import colocate_with, init_scope, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.shapes import TensorShape, as_shape
from ossia_core.variables.creation import resource_variables_enabled
from ossia_core.variables.options import VariableAggregation, VariableSynchronization, checked_options
from ossia_core.variables.resource import ResourceVariable
from ossia_core.variables.save_slices import SaveSliceInfo
from ossia_core.variables.variable import VariableV1

if TYPE_CHECKING:
    from ossia_core.variables.partition import PartitionedVariable, PartitionInfo


class VariableStore:
    """The variables of one graph that are shared by name."""

    def __init__(self) -> None:
        self._vars: dict[str, Any] = {}
        self._partitioned_vars: dict[str, PartitionedVariable] = {}

    def get_variable(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        regularizer: Callable | None = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Callable | None = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        custom_getter: Callable | None = None,
        constraint: Callable | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        """The variable of that full name; the arguments are those of `tf.get_variable`."""
        if custom_getter is not None and not callable(custom_getter):
            raise ValueError(f"Passed a custom_getter which is not callable: {custom_getter}")
        dtype = getattr(dtype, "base_dtype", dtype)
        synchronization, aggregation, trainable = checked_options(synchronization, aggregation, trainable, name)
        arguments = {
            "name": name,
            "shape": shape,
            "dtype": dtype,
            "initializer": initializer,
            "regularizer": regularizer,
            "reuse": reuse,
            "trainable": trainable,
            "collections": collections,
            "caching_device": caching_device,
            "partitioner": partitioner,
            "validate_shape": validate_shape,
            "use_resource": use_resource,
            "synchronization": synchronization,
            "aggregation": aggregation,
        }
        if custom_getter is None:
            return self._get(constraint=constraint, **arguments)
        # Getters from before the argument existed do without it.
        if _takes(custom_getter, "constraint"):
            arguments["constraint"] = constraint
        return custom_getter(getter=self._get, **arguments)

    def _get(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        regularizer: Callable | None = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Callable | None = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        constraint: Callable | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        rest = {
            "shape": shape,
            "dtype": dtype,
            "initializer": initializer,
            "regularizer": regularizer,
            "reuse": reuse,
            "trainable": trainable,
            "collections": collections,
            "caching_device": caching_device,
            "validate_shape": validate_shape,
            "use_resource": use_resource,
            "constraint": constraint,
            "synchronization": synchronization,
            "aggregation": aggregation,
        }
        is_scalar = shape is not None and isinstance(shape, Sequence) and not shape
        if partitioner is not None and not is_scalar:
            if not callable(partitioner):
                raise ValueError(f"Partitioner must be callable, but received: {partitioner}")
            with name_scope(None):
                return self._get_partitioned_variable(name, partitioner=partitioner, **rest)
        if reuse is True and partitioner is None and name in self._partitioned_vars:
            return self._get_partitioned_variable(name, partitioner=None, **rest)
        if f"{name}/part_0" in self._vars:
            raise ValueError(
                f"No partitioner was provided, but a partitioned version of the variable was found: {name}/part_0. "
                "Perhaps a variable of the same name was already created with partitioning?"
            )
        return self._get_single_variable(name, **rest)

    def _get_partitioned_variable(
        self,
        name: str,
        partitioner: Callable | None,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        reuse: Any = None,
        **rest: Any,
    ) -> PartitionedVariable:
        from ossia_core.variables.partition import (
            PartitionedVariable,
            PartitionInfo,
            call_partitioner,
            divided_axis,
            iter_parts,
        )
        if name in self._vars:
            raise ValueError(
                f"A partitioner was provided, but an unpartitioned version of the variable was found: {name}.  "
                "Perhaps a variable of the same name was already created without partitioning?"
            )
        full_shape = as_shape(shape)
        if isinstance(initializer, Tensor):
            full_shape = full_shape.merge_with(initializer.shape)
        dtype = dtypes.as_dtype(dtype)
        partitions: Any = None
        if not reuse or partitioner:
            partitions = call_partitioner(partitioner, full_shape, dtype)  # type: ignore[arg-type]
        if name in self._partitioned_vars:
            return self._existing_partitioned(name, full_shape, dtype, partitions, reuse)
        if reuse is True:
            raise ValueError(
                f"PartitionedVariable {name} does not exist, or was not created with tf.get_variable(). Did you mean "
                "to set reuse=False or reuse=tf.AUTO_REUSE in VarScope?"
            )
        axis, parts = divided_axis(partitions)  # type: ignore[arg-type]
        self._check_parts(name, parts)
        dims: Any = full_shape.as_list()
        variables = []
        for i, (offset, part_shape) in enumerate(iter_parts(dims, parts, axis)):
            info = PartitionInfo(dims, offset)
            part_name = f"{name}/part_{i}"
            init, init_shape = initializer, part_shape
            with name_scope(part_name + "/PartitionedInitializer"):
                if initializer is None:
                    init = default_initializer(name, dtype)
                elif not callable(initializer):
                    whole = (
                        initializer if isinstance(initializer, Tensor) else convert_to_tensor(initializer, dtype=dtype)
                    )
                    init, init_shape = builder("slice")(whole, offset, part_shape), None  # type: ignore[assignment]
                    dtype = init.dtype.base_dtype
            with name_scope(None):
                variable = self._get_single_variable(
                    part_name, shape=init_shape, dtype=dtype, initializer=init, partition_info=info, reuse=reuse, **rest
                )
            variable._set_save_slice_info(SaveSliceInfo(name, dims, offset, part_shape))
            variables.append(variable)
        whole_variable = PartitionedVariable(
            name=name, shape=full_shape, dtype=dtype, variable_list=variables, partitions=partitions
        )
        self._partitioned_vars[name] = whole_variable
        return whole_variable

    def _existing_partitioned(
        self, name: str, shape: TensorShape, dtype: DType, partitions: Any, reuse: Any
    ) -> PartitionedVariable:
        if reuse is False:
            raise ValueError(
                f"Partitioned variable with name {name} already exists. Did you mean to set reuse=True or "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
        found = self._partitioned_vars[name]
        start = f"Trying to reuse partitioned variable {name}, but specified"
        if not shape.is_compatible_with(found.shape):
            raise ValueError(f"{start} shape {shape} and found shape {found.shape}.")
        if not dtype.is_compatible_with(found.dtype):
            raise ValueError(f"{start} dtype {dtype.name} and found dtype {found.dtype.name}.")
        if partitions is not None and found._get_partitions() != partitions:
            raise ValueError(f"{start} partitions {partitions} and found partitions {found._get_partitions()}.")
        return found

    def _check_parts(self, name: str, parts: int) -> None:
        """Parts that exist already must be as many."""
        if f"{name}/part_0" not in self._vars:
            return
        start = (
            "Partitioner returned a different partitioning than what was already found.  Partitioner returned "
            f"{parts} shards, and shard {name}/part_0 was found, but"
        )
        if f"{name}/part_{parts - 1}" not in self._vars:
            raise ValueError(f"{start} {name}/part_{parts - 1} was not.")
        if f"{name}/part_{parts}" in self._vars:
            raise ValueError(f"{start} so was the extra shard {name}/part_{parts}.")

    def _get_single_variable(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        regularizer: Callable | None = None,
        partition_info: PartitionInfo | None = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        constraint: Callable | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
    ) -> Any:
        from_value = initializer is not None and not callable(initializer)
        if shape is not None and from_value:
            raise ValueError("If initializer is a constant, do not specify shape.")
        dtype = dtypes.as_dtype(dtype)
        if shape is not None:
            shape = as_shape(shape)
        if name in self._vars:
            return self._existing(name, shape, dtype, reuse)
        if reuse is True:
            raise ValueError(
                f"Variable {name} does not exist, or was not created with tf.get_variable(). Did you mean to set "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
        if initializer is None:
            initializer = default_initializer(name, dtype)
        with init_scope():
            initial_value, variable_dtype = (
                (initializer, None) if from_value else _bound(initializer, shape, dtype, partition_info)
            )
        if use_resource is None:
            use_resource = resource_variables_enabled()
        variable = VariableV1(
            initial_value=initial_value,
            name=name,
            trainable=trainable,
            collections=collections,
            caching_device=caching_device,
            dtype=variable_dtype,
            validate_shape=validate_shape,
            constraint=constraint,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
        )
        self._vars[name] = variable
        if regularizer:
            with colocate_with(variable), name_scope(name + "/Regularizer/"), init_scope():
                loss = regularizer(variable)
            if loss is not None:
                get_default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
        return variable

    def _existing(self, name: str, shape: TensorShape | None, dtype: DType, reuse: Any) -> Any:
        found = self._vars[name]
        if reuse is False:
            message = (
                f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
            if isinstance(found, ResourceVariable):
                raise ValueError(message)
            where = "".join(traceback.format_list(found.op.traceback[::-1][:5]))
            raise ValueError(f"{message} Originally defined at:\n\n{where}")
        if shape is not None and not shape.is_compatible_with(found.shape):
            raise ValueError(
                f"Trying to share variable {name}, but specified shape {shape} and found shape {found.shape}."
            )
        if not dtype.is_compatible_with(found.dtype):
            raise ValueError(
                f"Trying to share variable {name}, but specified dtype {dtype.name} and found dtype {found.dtype.name}."
            )
        return found


def default_initializer(name: str, dtype: DType) -> Any:
    """What initialises a variable without an initializer: glorot uniform for floats, zeros for integers, booleans and
    strings.

    Raises:
      ValueError: any other dtype.
    """
    if dtype.is_floating:
        return builder("glorot_uniform_initializer")()
    if dtype.is_integer or dtype.is_bool or dtype is dtypes.string:
        return builder("zeros_initializer")()
    raise ValueError(f"An initializer for variable {name} of {dtype.base_dtype} is required")


def _bound(
    initializer: Any, shape: TensorShape | None, dtype: DType, partition_info: PartitionInfo | None
) -> tuple[Callable, DType | None]:
    """An initializer as a function without arguments, and the dtype that its result is to have."""
    if inspect.isclass(initializer):
        initializer = initializer()
    if shape is not None and shape.is_fully_defined():
        dims = shape.as_list()
        if _takes(initializer, "partition_info"):
            return lambda: initializer(dims, dtype=dtype, partition_info=partition_info), dtype.base_dtype
        return lambda: initializer(dims, dtype=dtype), dtype.base_dtype
    if all(
        p.default is not p.empty
        for p in _parameters(initializer).values()
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ):
        return initializer, None
    raise ValueError(
        "The initializer passed is not valid. It should be a callable with no arguments and the shape should not be "
        "provided or an instance of `tf.keras.initializers.*' and `shape` should be fully defined."
    )


def _parameters(function: Any) -> Any:
    return inspect.signature(function).parameters


def _takes(function: Any, name: str) -> bool:
    parameters = _parameters(function)
    return name in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())

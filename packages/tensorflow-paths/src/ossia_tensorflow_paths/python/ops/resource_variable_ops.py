"""Resource variables without an initial value, and what is known of handles, as `resource_variable_ops` has them."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.primitives import variable_ops
from ossia_core.variables.options import checked_options
from ossia_core.variables.resource import ResourceVariable

BaseResourceVariable = ResourceVariable


class UninitializedVariable(ResourceVariable):
    """A resource variable that nothing initializes before it is assigned to.

    Args:
        trainable: Whether optimizers train it.
        caching_device: Not used.
        name: Its name, in the scopes that are open.
        shape: Its shape.
        dtype: Its dtype.
        constraint: What is done to its value after an update.
        synchronization: How copies of it are kept alike.
        aggregation: How updates of copies of it are put together.
        extra_handle_data: Not used.
        **unused: Not used.
    """

    def __init__(
        self,
        trainable: bool | None = None,
        caching_device: Any = None,
        name: str | None = None,
        shape: Any = None,
        dtype: Any = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        extra_handle_data: Any = None,
        **unused: Any,
    ) -> None:
        self._synchronization, self._aggregation, self._trainable = checked_options(
            synchronization, aggregation, trainable, name
        )
        self._constraint, self._shape, self._dtype = constraint, tf.TensorShape(shape), tf.as_dtype(dtype)
        self._initial_value = self._initializer_op = self._is_initialized_op = None
        self._cached_value = self._caching_device = self._save_slice_info = None
        with tf.init_scope(), tf.name_scope(name, "Variable") as scope:
            graph = tf.get_default_graph()
            self._graph_key, self._unique_id = graph._graph_key, scope[:-1]
            self._handle_name = f"{self._unique_id}:0"
            self._handle = tf.raw_ops.VarHandleOp(
                shape=self._shape, dtype=self._dtype, shared_name=self._unique_id, name=scope
            )
            with tf.name_scope("Read"), tf.device(self._handle.device):
                self._graph_element = self._read()
        graph.add_to_collection(tf.GraphKeys.GLOBAL_VARIABLES, self)


def copy_to_graph_uninitialized(var: ResourceVariable) -> UninitializedVariable:
    """A variable of the default graph that is like one of another graph, but has no value yet."""
    return UninitializedVariable(
        trainable=var.trainable,
        constraint=var._constraint,
        shape=var.shape,
        dtype=var.dtype,
        name=var._unique_id,
        synchronization=var.synchronization,
        aggregation=var.aggregation,
    )


def get_resource_handle_data(graph_op: Any) -> Any:
    """Dtype and shape of what a resource tensor is the handle of, as a HandleData proto."""
    from ossia_core.proto import CppShapeInferenceResult

    known = variable_ops.handle_data(graph_op)
    if known is None:
        return CppShapeInferenceResult.HandleData()
    dtype, shape = known
    about = CppShapeInferenceResult.HandleShapeAndType(dtype=dtype.as_datatype_enum, shape=shape.as_proto())
    return CppShapeInferenceResult.HandleData(is_set=True, shape_and_type=[about])


get_eager_safe_handle_data = get_resource_handle_data


def variable_shape(handle: Any, out_type: Any = tf.int32) -> Any:
    """The shape of the variable of a handle, as a tensor; a constant where it is known."""
    known = variable_ops.handle_data(handle)
    if known is None or not known[1].is_fully_defined():
        return tf.raw_ops.VariableShape(input=handle, out_type=out_type)
    return tf.constant(known[1].as_list(), dtype=out_type)


def shape_safe_assign_variable_handle(handle: Any, shape: Any, value: Any, name: str | None = None) -> Any:
    """An op that assigns a value to the variable of a handle.

    Raises:
        ValueError: The value does not fit the shape of the variable.
    """
    value = tf.convert_to_tensor(value)
    shape.assert_is_compatible_with(value.shape)
    return tf.raw_ops.AssignVariableOp(resource=handle, value=value, name=name)

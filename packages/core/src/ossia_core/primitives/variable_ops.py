"""Variables as ops, by reference and by handle: assignment, initialisation, reading."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.language import FRAMES
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge, scalar, unchanged, vector
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.names.dtypes import DType, engine_name
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.primitives.state import (
    VariableState,
    check_dtype,
    is_shared,
    missing,
    owned,
    read_resource,
    resource_name,
)

NUMBERS = (
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, "
    "complex128, half, uint32, uint64}"
)


# -- by reference ---------------------------------------------------------------------------------------

variable_v2_op = op(
    "VariableV2() -> ref: Ref(dtype)",
    stateful=True,
    shape="shape",
    dtype="type",
    container="string = ''",
    shared_name="string = ''",
)


@variable_v2_op.shape
def _(*, shape):
    return shape


def _variable(node: Any, session: Any) -> VariableState:
    name, shape = resource_name(node), node.attrs["shape"]
    if shape.ndims is not None and not shape.is_fully_defined():
        raise errors.InvalidArgumentError(None, node, f"Shape {shape} is not fully defined")

    def make() -> VariableState:
        state = VariableState(node.name, node.attrs["dtype"], shape)
        if shape.is_fully_defined() and not shape.num_elements():  # nothing is there to be initialised
            state.value = np.zeros(shape.as_list(), state.dtype.as_numpy_dtype)
        return state

    return session.resource(node.attrs["container"], name, "variable", make)


variable_v2_op.resource(_variable)
variable_v2_op.samples(unset=sample(shape=[2], dtype="float"))

variable_op = op(
    "Variable() -> ref: Ref(dtype)",
    stateful=True,
    shape="shape",
    dtype="type",
    container="string = ''",
    shared_name="string = ''",
)


@variable_op.shape
def _(*, shape):
    # Graphs of old meant an unknown shape by a scalar one.
    return shape if shape.ndims else UNKNOWN_SHAPE


variable_op.resource(_variable)
variable_op.samples(unset=sample(shape=[2], dtype="float"))

temporary_variable_op = op(
    "TemporaryVariable() -> ref: Ref(dtype)", stateful=True, shape="shape", dtype="type", var_name="string = ''"
)
temporary_variable_op.makes()


@temporary_variable_op.shape
def _(*, shape):
    return shape


@temporary_variable_op.kernel
def _(*, shape, dtype, var_name, node):
    state = VariableState(var_name.decode() or node.name, dtype, shape)
    if not shape.is_fully_defined():
        raise errors.InvalidArgumentError(None, None, f"The shape {shape} of a temporary variable is not fully defined")
    state.value = np.zeros(shape.as_list(), dtype.as_numpy_dtype)
    return state


destroy_temporary_variable_op = op("DestroyTemporaryVariable(ref: Ref(T)) -> value: T", T="type", var_name="string")
destroy_temporary_variable_op.changes("ref")
destroy_temporary_variable_op.shape(unchanged)


@destroy_temporary_variable_op.kernel
def _(ref, *, var_name):
    if ref.name != var_name.decode():
        raise errors.NotFoundError(
            None, None, f"Resource {var_name.decode()} does not exist: there is no such temporary variable"
        )
    value, ref.value = ref.read(), None
    return value


assign_op = op(
    "Assign(ref: Ref(T), value: T) -> output_ref: Ref(T)",
    T="type",
    validate_shape="bool = true",
    use_locking="bool = true",
)
assign_op.assigns("ref")


@assign_op.shape
def _(ref, value, *, validate_shape):
    return merge(ref, value) if validate_shape else value.shape


@assign_op.kernel(alias=True)
def _(ref, value, *, validate_shape):
    with ref.lock:
        old = ref.value
        shape = np.shape(value)
        if validate_shape:
            # A variable of unknown shape starts as a scalar.
            wanted = old.shape if old is not None else ref.shape.as_tuple() or ()
            if wanted != shape:
                raise errors.InvalidArgumentError(
                    None,
                    None,
                    "Assign requires shapes of both tensors to match. lhs shape= "
                    f"{dims_text(wanted)} rhs shape= {dims_text(shape)}",
                )
        if old is not None and old.shape == shape:
            np.copyto(old, value)
        else:
            ref.value = owned(value, ref.dtype)
    return ref


assign_op.not_differentiable()


def _updated_shape(ref: Any, value: Any) -> TensorShape:
    return merge(ref, value)


def update_in_place(ref: VariableState, value: Any, ufunc: Any) -> VariableState:
    """Apply `ufunc(buffer, value)` to a reference variable's buffer."""
    with ref.lock:
        buffer = ref.read()
        if buffer.shape != np.shape(value):
            raise errors.InvalidArgumentError(None, None, "Parameters and update must be the same size")
        ufunc(buffer, value, out=buffer)
    return ref


assign_add_op = op("AssignAdd(ref: Ref(T), value: T) -> output_ref: Ref(T)", T=NUMBERS, use_locking="bool = false")
assign_add_op.updates("ref")
assign_add_op.shape(_updated_shape)


@assign_add_op.kernel(alias=True)
def _(ref, value):
    return update_in_place(ref, value, np.add)


assign_add_op.not_differentiable()

assign_sub_op = op("AssignSub(ref: Ref(T), value: T) -> output_ref: Ref(T)", T=NUMBERS, use_locking="bool = false")
assign_sub_op.updates("ref")
assign_sub_op.shape(_updated_shape)


@assign_sub_op.kernel(alias=True)
def _(ref, value):
    return update_in_place(ref, value, np.subtract)


assign_sub_op.not_differentiable()

is_variable_initialized_op = op("IsVariableInitialized(ref: Ref(dtype)) -> is_initialized: bool", dtype="type")
is_variable_initialized_op.reads("ref")
is_variable_initialized_op.shape(scalar)


@is_variable_initialized_op.kernel
def _(ref):
    return np.bool_(ref.value is not None)


# -- by handle ------------------------------------------------------------------------------------------


def handle_data(handle: Tensor) -> tuple[DType, TensorShape] | None:
    """Dtype and shape of the variable that a resource tensor is the handle of; None if that is unknown."""
    seen = 0
    while True:
        known = getattr(handle, "_handle_data", None) or getattr(handle, "_inferred_handle_data", None)
        if known is not None:
            return known
        node = handle.op
        if node.definition is var_handle_op:
            return node.attrs["dtype"], node.attrs["shape"]
        seen += 1
        definition = node.definition
        loops = definition.calls == "loop"
        passes_on = definition.role in FRAMES or (definition.role is None and definition.forwards_input)
        if seen > 1000 or not (loops or passes_on):
            return None
        handle = node._inputs[handle.value_index if loops else 0]


def checked_handle_shape(handle: Tensor, dtype: DType) -> TensorShape:
    """The shape of a handle's variable.

    Raises:
      ValueError: the variable is of another dtype.
    """
    known = handle_data(handle)
    if known is None:
        return UNKNOWN_SHAPE
    if known[0] != dtype:
        raise ValueError(
            f"Trying to read variable with wrong dtype. Expected {engine_name(known[0])} got {engine_name(dtype)}"
        )
    return known[1]


var_handle_op = op(
    "VarHandleOp() -> resource: resource",
    stateful=True,
    container="string = ''",
    shared_name="string = ''",
    dtype="type",
    shape="shape",
)
var_handle_op.in_any_order()
var_handle_op.shape(scalar)


@var_handle_op.resource(any_container=True)
def _(node, session):
    name = resource_name(node)
    return session.resource(
        node.attrs["container"],
        name,
        "resource variable",
        lambda: VariableState(name, node.attrs["dtype"], node.attrs["shape"], session.updates),
    )


var_handle_op.samples(unset=sample(dtype="float", shape=[2]))

read_variable_op = op("ReadVariableOp(resource: resource) -> value: dtype", stateful=True, dtype="type")
read_variable_op.reads("resource")


@read_variable_op.shape
def _(resource, *, dtype):
    return checked_handle_shape(resource, dtype)


@read_variable_op.kernel(alias=True)
def _(resource, *, dtype):
    value = read_resource(resource)
    check_dtype(resource, dtype, "read")
    return value


@read_variable_op.gradient
def _(node, grad):
    return grad


assign_variable_op = op("AssignVariableOp(resource: resource, value: dtype)", stateful=True, dtype="type")
assign_variable_op.assigns("resource")


@assign_variable_op.shape
def _(resource, value, *, dtype):
    merge(checked_handle_shape(resource, dtype), value)


@assign_variable_op.kernel
def _(resource, value, *, dtype):
    check_dtype(resource, dtype, "assign")
    if dtype is dtypes.variant:
        resource.value = value
        return ()
    with resource.lock:
        # A read of the same run, or of another thread's, must keep the value that it saw.
        if resource.value is not None and resource.value.shape == np.shape(value) and not is_shared(resource):
            np.copyto(resource.value, value)
        else:
            resource.value = owned(value, resource.dtype)
    return ()


def update_handle_in_place(resource: VariableState, value: Any, dtype: DType, ufunc: Any) -> tuple:
    """Apply `ufunc(buffer, value)` to a resource variable of this dtype."""
    with resource.lock:
        if resource.value is None:
            raise missing(resource)
        check_dtype(resource, dtype, "update")
        if resource.value.shape != np.shape(value):
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Cannot update variable with shape {dims_text(resource.value.shape)} using a Tensor "
                f"with shape {dims_text(np.shape(value))}, shapes must be equal.",
            )
        if is_shared(resource):
            resource.value = np.asarray(ufunc(resource.value, value))
        else:
            ufunc(resource.value, value, out=resource.value)
    return ()


assign_add_variable_op = op("AssignAddVariableOp(resource: resource, value: dtype)", stateful=True, dtype="type")
assign_add_variable_op.updates("resource")


@assign_add_variable_op.shape
def _(resource, value, *, dtype):
    merge(checked_handle_shape(resource, dtype), value)


@assign_add_variable_op.kernel
def _(resource, value, *, dtype):
    return update_handle_in_place(resource, value, dtype, np.add)


assign_sub_variable_op = op("AssignSubVariableOp(resource: resource, value: dtype)", stateful=True, dtype="type")
assign_sub_variable_op.updates("resource")


@assign_sub_variable_op.shape
def _(resource, value, *, dtype):
    merge(checked_handle_shape(resource, dtype), value)


@assign_sub_variable_op.kernel
def _(resource, value, *, dtype):
    return update_handle_in_place(resource, value, dtype, np.subtract)


var_is_initialized_op = op("VarIsInitializedOp(resource: resource) -> is_initialized: bool", stateful=True)
var_is_initialized_op.reads("resource")
var_is_initialized_op.shape(scalar)


@var_is_initialized_op.kernel
def _(resource):
    return np.bool_(resource.value is not None)


var_is_initialized_op.not_differentiable()

variable_shape_op = op(
    "VariableShape(input: resource) -> output: out_type", stateful=True, out_type="{int32, int64} = DT_INT32"
)
variable_shape_op.reads("input")


@variable_shape_op.shape
def _(input):
    known = handle_data(input)
    return vector(None if known is None else known[1].ndims)


@variable_shape_op.kernel
def _(input, *, out_type):
    value = input.value
    if value is None:
        raise missing(input)
    return np.array(value.shape, out_type.as_numpy_dtype)


variable_shape_op.not_differentiable()

destroy_resource_op = op("DestroyResourceOp(resource: resource)", stateful=True, ignore_lookup_error="bool = true")
destroy_resource_op.changes("resource")


@destroy_resource_op.shape
def _(resource):
    return None


@destroy_resource_op.kernel
def _(resource, *, ignore_lookup_error, context):
    if isinstance(resource, VariableState):
        found = resource.value is not None
        resource.value = None
    else:
        found = context.session_state.delete(resource)
    if not found and not ignore_lookup_error:
        raise errors.NotFoundError(
            None, None, f"Resource localhost/{getattr(resource, 'name', '')}/<unknown> does not exist."
        )
    return ()


disable_copy_on_read_op = op("DisableCopyOnRead(resource: resource)", stateful=True)
disable_copy_on_read_op.reads("resource")


@disable_copy_on_read_op.shape
def _(resource):
    return None


@disable_copy_on_read_op.kernel
def _(resource):
    """TensorFlow 2 puts it before reads of variables that it saves; here reads copy where they must."""
    return ()


disable_copy_on_read_op.not_differentiable()

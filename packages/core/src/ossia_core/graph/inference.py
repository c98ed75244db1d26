"""What comes out of a node: output dtypes from its attributes, static shapes by the rule of its op."""
from __future__ import annotations

from contextlib import suppress
from typing import Any

from ossia_core.declare import requirements as asked
from ossia_core.declare.kernels import grouped
from ossia_core.declare.opdef import OpDef
from ossia_core.graph.attributes import beyond_int32
from ossia_core.graph.operation import Operation
from ossia_core.names import errors, shapes
from ossia_core.names.dtypes import DType
from ossia_core.names.shapes import TensorShape

_MAX_OUTPUTS = 1 << 24  # of one node


def output_types(definition: OpDef, attrs: dict[str, Any]) -> list[DType]:
    """The dtypes of a node's outputs, from its attributes."""
    if definition.only_type_attr is not None:
        return [attrs[definition.only_type_attr]]
    found: list[DType] = []
    for arg in definition.outputs:
        if arg.type_list_attr is not None:
            types = list(attrs[arg.type_list_attr])
        else:
            dtype = attrs[arg.type_attr] if arg.type_attr is not None else arg.type
            count = attrs[arg.number_attr] if arg.number_attr else 1
            if count > _MAX_OUTPUTS:
                raise ValueError(f"{definition.type} would have {count} outputs; {_MAX_OUTPUTS} are the most")
            types = [dtype] * count
        found.extend([t._as_ref for t in types] if arg.is_ref else types)
    return found


def infer_shapes(op: Operation, given: Any = None) -> None:
    """Set the static shapes of a node's outputs by its shape rule.

    Args:
      op: the node.
      given: the tensors that it was made of, which tell more than its inputs where control flow came between.

    Raises:
      ValueError: the inputs' shapes do not go together.
    """
    outputs = op.outputs
    inputs = op._inputs if given is None else given
    if not outputs:
        if op.definition.shape_fn is not None:
            _call_rule(op, inputs)
        return
    if op.definition.shape_fn is None:
        raise RuntimeError(f"op {op.type} has no shape rule")
    result = _call_rule(op, inputs)
    if len(op.definition.outputs) == 1 and not op.definition.outputs[0].is_list:
        outputs[0]._shape = _as_shape(result)
        return
    for tensor, shape in zip(outputs, _flat_shapes(op, result), strict=result is not None):
        tensor._shape = shape


def _flat_shapes(op: Operation, result: Any) -> list[TensorShape]:
    """What a shape rule returned, as one shape per output."""
    if result is None:
        return []
    flat: list[Any] = []
    if len(op.definition.outputs) == 1:
        result = (result,)
    for arg, item in zip(op.definition.outputs, result, strict=True):
        if arg.is_list:
            flat.extend(item)
        else:
            flat.append(item)
    return [_as_shape(shape) for shape in flat]


def inferred_shapes(op: Operation) -> list[TensorShape] | None:
    """The static shapes that the rule gives for a node's outputs; None where it refuses its inputs."""
    if op.definition.shape_fn is None:
        return None
    try:
        return _flat_shapes(op, _rule_result(op, op._inputs))
    except (ValueError, errors.OpError):
        return None


def _as_shape(shape: Any) -> TensorShape:
    if type(shape) is TensorShape:
        return shape
    return shapes.UNKNOWN_SHAPE if shape is None else TensorShape(shape)


def _rule_result(op: Operation, inputs: Any) -> Any:
    definition = op.definition
    if definition.has_list_input:
        inputs = grouped(definition.inputs, op.attrs, inputs)
    wanted = definition.shape_attrs
    if not wanted:
        return definition.shape_fn(*inputs)  # type: ignore[misc]
    if definition.int32_attrs:
        refused = beyond_int32(op.attrs, [name for name in definition.int32_attrs if name in wanted])
        if refused is not None:
            raise ValueError(refused)
    return definition.shape_fn(*inputs, **{a: op if a == "node" else op.attrs[a] for a in wanted})  # type: ignore[misc]


def _call_rule(op: Operation, inputs: Any) -> Any:
    try:
        return _rule_result(op, inputs)
    except ValueError as e:
        message = _refusal(op, inputs, e)
        remove(op)
        raise ValueError(message) from None


def _refusal(op: Operation, inputs: Any, error: ValueError) -> str:
    """Why a shape rule refuses its inputs.

    As in the original, a rule first sees no values, and the values that it asks for at the second go: the text names
    them only if it was they that mattered.
    """
    text = ", ".join(_shape_text(t.shape) for t in op._inputs)
    start = f" for '{op.name}' (op: '{op.type}') with input shapes: {text}"
    try:
        with asked.watching(hides=True):
            _rule_result(op, inputs)
    except ValueError as e:
        return f"{e}{start}."
    with asked.watching() as watch, suppress(ValueError):
        _rule_result(op, inputs)
    if watch.without_shape:
        return str(error)
    values, held = watch.known(inputs)
    if values:
        start += " and with computed input tensors: "
        from ossia_core.names import tensor_text
        start += ", ".join(f"input[{i}] = <{tensor_text.summary(value, 256)}>" for i, value in values)
    if held:
        start += " and with input tensors computed as partial shapes: "
        start += ",".join(f"input[{i}] = {_shape_text(shape)}" for i, shape in held)
    return f"{error}{start}."


def _shape_text(shape: TensorShape) -> str:
    return "?" if shape.ndims is None else errors.dims_text(shape.as_list())


def remove(op: Operation) -> None:
    """Take back a node that turned out to be invalid; its number and name stay used."""
    graph = op.graph
    graph._operations.remove(op)
    graph._by_name.pop(op.name, None)
    for tensor in op._inputs:
        tensor._consumers.remove(op)

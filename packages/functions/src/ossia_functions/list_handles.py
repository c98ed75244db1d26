"""What the ops of lists share: what is known of a list from the node that made it, and what handles and shapes hold."""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ossia_core.declare.language import MERGE, NEXT
from ossia_core.declare.opdef import OpDef
from ossia_core.declare.shape_rules import constant_shape, merge
from ossia_core.graph.convert import constant
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.names.dtypes import engine_name
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_functions.tensor_list import TensorList


def maker(handle: Tensor) -> Any:
    """The node that made a list; None if that is not known."""
    node = handle.op
    for _ in range(1000):
        definition = node.definition
        if _makes_lists(definition):
            return node
        if definition.calls == "loop" and handle.value_index < len(node._inputs):
            handle = node._inputs[handle.value_index]
        elif _keeps_elements(definition) and not handle.value_index:
            handle = node._inputs[0]
        else:
            break
        node = handle.op
    return None


@functools.cache
def _makes_lists(definition: OpDef) -> bool:
    """Whether nodes make lists of elements of a shape that they are given."""
    return _SHAPE in definition.input_names and _gives_list(definition) and not _takes_list(definition)


@functools.cache
def _keeps_elements(definition: OpDef) -> bool:
    """Whether what nodes give first has elements as those of the first input, if this is a list."""
    if not definition.inputs or not definition.outputs or definition.role in (MERGE, NEXT):
        return False
    first, given = definition.inputs[0], definition.outputs[0]
    same = given.type_attr is not None and given.type_attr == first.type_attr and not given.is_list
    return same or (_takes_list(definition) and _gives_list(definition))


def _takes_list(definition: OpDef) -> bool:
    return definition.inputs[0].type is dtypes.variant


def _gives_list(definition: OpDef) -> bool:
    return bool(definition.outputs) and definition.outputs[0].type is dtypes.variant


_SHAPE = "element_shape"
_READ = "Trying to read from list with wrong element dtype. List has type {0} but expected type {1}"


def elements_of(handle: Tensor, dtype: Any = None, wrong: str = _READ) -> TensorShape:
    """The shape of a list's elements, as far as its maker says so; ValueError if they are not of `dtype`."""
    node = maker(handle)
    if node is None:
        return UNKNOWN_SHAPE
    if dtype is not None and node.attrs["element_dtype"] is not dtype:
        raise ValueError(wrong.format(engine_name(node.attrs["element_dtype"]), engine_name(dtype)))
    return constant_shape(node._inputs[node.definition.input_names.index(_SHAPE)], scalars=True)


def element_of(handle: Tensor, shape: Any, dtype: Any, wrong: str = _READ) -> TensorShape:
    """The shape of an element of a list; ValueError if the two contradict each other, or for another dtype."""
    return merge(elements_of(handle, dtype, wrong), constant_shape(shape, scalars=True))


def shape_argument(shape: TensorShape) -> Any:
    """A shape as list ops take it: -1 for an unknown rank, -1 in it for an unknown size."""
    dims = shape.as_tuple()
    if dims is None:
        return -1
    sizes = np.array([-1 if d is None else d for d in dims], np.int32)
    return sizes if dims else constant(sizes)  # that of a scalar is a node beside the list's, as in the original


def shape_in(value: Any) -> TensorShape:
    """The shape that a shape tensor holds: -1 alone for an unknown rank, -1 in it for an unknown size."""
    dims = np.asarray(value)
    if dims.ndim == 0:
        if int(dims) != -1:
            raise errors.InvalidArgumentError(
                None, None, "The only valid scalar shape tensor is the fully unknown shape specified as -1."
            )
        return UNKNOWN_SHAPE
    if dims.ndim != 1:
        raise errors.InvalidArgumentError(None, None, f"{dims_text(dims)} is not a shape")
    if (dims < -1).any():
        raise errors.InvalidArgumentError(None, None, f"Dimension {dims[dims < -1][0]} must be >= -1")
    return TensorShape([None if d < 0 else d for d in dims.tolist()])


def list_in(handle: Any) -> TensorList:
    """The list that a handle holds; InvalidArgumentError if it holds something else."""
    if isinstance(handle, np.ndarray) and handle.ndim == 0:
        handle = handle.item()
    if not isinstance(handle, TensorList):
        raise errors.InvalidArgumentError(None, None, "Input handle is not a list.")
    return handle


def typed_list_in(handle: Any, dtype: Any) -> TensorList:
    """The list that a handle holds; InvalidArgumentError if its elements are not of `dtype`."""
    found = list_in(handle)
    if found.dtype is not dtype:
        raise errors.InvalidArgumentError(
            None, None,
            f"Invalid data types; op elements {engine_name(dtype)} but list elements {engine_name(found.dtype)}",
        )
    return found

"""Loop variables: as tensors, with the shapes that they keep, and from one iteration to the next."""
from __future__ import annotations

from typing import Any

from ossia_core.control.control_ops import (
    next_iteration,
)
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert, convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import nest
from ossia_core.names.shapes import TensorShape
from ossia_core.names.structures import CompositeTensor


def convert_leaf(value: Any) -> Any:
    """A loop variable as a tensor or composite; a TensorArray is its flow."""
    value = getattr(value, "flow", value)
    return value if isinstance(value, CompositeTensor) else convert(value)


def loop_limit(maximum_iterations: Any) -> Tensor | None:
    """The most iterations of a loop as a tensor.

    Raises:
      ValueError: it is no scalar.
    """
    if maximum_iterations is None:
        return None
    limit = convert_to_tensor(maximum_iterations, name="maximum_iterations")
    if limit.shape.ndims != 0:
        raise ValueError(f"maximum_iterations must be a scalar, saw shape: {limit.shape}")
    return limit


def pack(structure: Any, tensors: list[Tensor]) -> Any:
    """`tensors` in the structure given; where it holds a TensorArray, one with the new flow."""
    leaves = nest.flatten(structure, expand_composites=True)
    items = [leaf.with_flow(t) if hasattr(leaf, "with_flow") else t for leaf, t in zip(leaves, tensors, strict=True)]
    return nest.pack_sequence_as(structure, items, expand_composites=True)


def flat_invariants(variables: list, shape_invariants: Any) -> list[TensorShape | None]:
    """One shape per tensor of the loop variables: given, or None for the tensor's own."""
    if shape_invariants is None:
        return [shape for v in variables for shape in own_invariants(v)]
    found: list[TensorShape | None] = []
    given = (
        nest.flatten_up_to(variables, nest.flatten(shape_invariants))
        if not isinstance(shape_invariants, list)
        else nest.flatten(shape_invariants)
    )
    for variable, shape in zip(variables, given, strict=True):
        if isinstance(variable, Tensor):
            shape = shape.shape if isinstance(shape, TensorSpec) else shape
            found.append(shape if shape is None or isinstance(shape, TensorShape) else TensorShape(shape))
        else:
            found.extend(composite_invariants(variable, shape))
    return found


def check_invariants(loop_vars: Any, shape_invariants: Any) -> None:
    """Refuse shapes that no SparseTensor or IndexedSlices among the loop variables can have.

    Raises:
      ValueError: there is one.
    """
    variables = nest.flatten(loop_vars, expand_composites=False)
    for variable, shape in zip(variables, nest.flatten_up_to(loop_vars, shape_invariants), strict=True):
        if isinstance(variable, CompositeTensor):
            composite_invariants(variable, shape)


def composite_invariants(variable: Any, shape: Any) -> list[TensorShape | None]:
    """Shapes of the parts of a SparseTensor, of whose vector of sizes `shape` is the shape, or of an IndexedSlices, of
    whose values it is."""
    wanted = TensorShape(shape)
    own = variable.loop_invariants(wanted)
    if own is not None:
        return list(own)
    if isinstance(variable, SparseTensor):
        if wanted.ndims not in (1, None):
            raise ValueError("Expected a shape with 1 dimension")
        rank = None if wanted.ndims is None else wanted.as_list()[0]
        return [TensorShape([None, rank]), TensorShape([None]), TensorShape([rank])]
    rows = TensorShape([None if wanted.ndims is None else wanted.as_list()[0]])
    every: list[TensorShape | None] = [wanted, rows, TensorShape([wanted.ndims])]
    return every[: len(variable.components())]


def own_invariants(variable: Any) -> list[TensorShape | None]:
    """Shapes of the parts of a loop variable for which none is given: a SparseTensor may change its number of elements.
    """
    if isinstance(variable, SparseTensor):
        return composite_invariants(variable, variable.dense_shape.shape)
    own = variable.loop_invariants() if isinstance(variable, CompositeTensor) else None
    return own if own is not None else [None] * len(nest.flatten(variable, expand_composites=True))


def less_specific(shape: TensorShape, than: TensorShape) -> bool:
    """Whether every shape that fits `shape` fits `than`."""
    wide, narrow = than.as_tuple(), shape.as_tuple()
    if wide is None:
        return True
    if narrow is None or len(narrow) != len(wide):
        return False
    return all(w is None or w == n for w, n in zip(wide, narrow, strict=True))


def enforce_shape(merged: Tensor, following: Tensor) -> None:
    """ValueError if a loop variable comes out of an iteration with a shape that it may not have."""
    if not less_specific(following.shape, merged.shape):
        source = merged.op._inputs[0].op
        raise ValueError(
            f"Input tensor '{source._inputs[0].name}' enters the loop with shape {merged.shape}, but has shape "
            f"{following.shape} after one iteration. To allow the shape to vary across iterations, use the "
            "`shape_invariants` argument of tf.while_loop to specify a less-specific shape."
        )


def add_back_edge(merged: Tensor, value: Any, check_shape: bool = True) -> Tensor:
    """Let `value` be the loop variable in the next iteration."""
    following = next_iteration(convert_to_tensor(value))
    if check_shape:
        enforce_shape(merged, following)
    merged.op._update_input(1, following)
    return following

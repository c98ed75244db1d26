"""The larger and the smaller of two sparse tensors, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op
from ossia_core.declare.shape_rules import vector, with_rank
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.scopes import name_scope
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import NUMBERS, REALS
from ossia_ops.math.choice import choose
from ossia_ops.sparse.sum import merged_operands


def _extreme(name: str, kinds: str, taken: Callable) -> OpDef:
    definition = op(
        f"{name}(a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64) -> "
        "output_indices: int64, output_values: T",
        T=kinds,
    )

    @definition.shape
    def _(a_indices, a_values, a_shape, b_indices, b_values, b_shape):
        for indices, values, shape in ((a_indices, a_values, a_shape), (b_indices, b_values, b_shape)):
            with_rank(indices, 2), with_rank(values, 1), with_rank(shape, 1)
        return TensorShape((None, None)), vector(None)

    @definition.kernel
    def _(a_indices, a_values, a_shape, b_indices, b_values, b_shape):
        of_a, of_b = merged_operands(a_indices, a_values, a_shape, b_indices, b_values, b_shape)
        first = np.where(of_a < 0, of_b + len(a_values), of_a)
        indices = np.concatenate([a_indices, b_indices]).take(first, axis=0)
        # An element that only one of them holds is compared with 0, which stands at the place -1.
        zero = np.zeros(1, a_values.dtype)
        return indices, taken(np.concatenate([a_values, zero])[of_a], np.concatenate([b_values, zero])[of_b])

    none = (np.zeros((0, 1), np.int64), np.zeros(0, np.float32), [3])
    some = ([[0], [2]], np.array([-1.0, 2.0], "f4"), [3])
    definition.samples(
        plain=(*some, [[1], [2]], np.array([3.0, -4.0], "f4"), [3]),
        empty=(*some, *none),
        refused_values=([[0], [2]], np.array([[-1.0], [2.0]], "f4"), [3], *none),
    )
    return definition


# Written as comparisons, so that a comparison with NaN, which does not hold, gives what it gives in the original.
sparse_sparse_maximum_op = _extreme("SparseSparseMaximum", REALS, lambda a, b: choose(np.less(a, b), b, a))
sparse_sparse_minimum_op = _extreme("SparseSparseMinimum", NUMBERS, lambda a, b: choose(np.less(b, a), b, a))


class UnfinishedGradient(NotImplementedError, TypeError):
    """There is no gradient; the original registers one that fails with a TypeError."""


@sparse_sparse_maximum_op.gradient
@sparse_sparse_minimum_op.gradient
def _(node, *grads):
    raise UnfinishedGradient(f"The gradient of {node.type} ({node.name}) is not implemented, as in the original.")


@public("sparse.maximum", "sparse_maximum", "compat.v2.sparse.maximum")
def sparse_maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The larger of two sparse tensors of one shape, element by element; what is not there counts as 0.

    Args:
      sp_a, sp_b: SparseTensors with their indices in row-major order.
      name: name of the op.

    Returns:
      A SparseTensor with every element that `sp_a` or `sp_b` has.
    """
    return _of_both(sparse_sparse_maximum_op, sp_a, sp_b, name)


@public("sparse.minimum", "sparse_minimum", "compat.v2.sparse.minimum")
def sparse_minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The smaller of two sparse tensors of one shape, element by element; else as `sparse_maximum`."""
    return _of_both(sparse_sparse_minimum_op, sp_a, sp_b, name)


def _of_both(definition: OpDef, a: Any, b: Any, name: str | None) -> SparseTensor:
    with name_scope(name, definition.type, [a.indices, a.values, b.indices, b.values]) as scope:
        indices, values = definition(
            a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, name=scope
        )
    return SparseTensor(indices, values, a.dense_shape)

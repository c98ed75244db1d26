"""`tf.SparseConditionalAccumulator`: gradients of some rows, added up until there are enough."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.names import dtypes as core_dtypes
from ossia_core.names import errors
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.sparse.rows import merged
from ossia_queues.accumulator import (
    MAKER,
    NUMBERS,
    Accumulator,
    ConditionalAccumulatorBase,
    divided,
    shared_accumulator,
)
from ossia_queues.waiting import check_types


class Sparse(Accumulator):
    """An accumulator of rows; each row is divided by how many gradients have it."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._indices = self._counts = np.zeros(0, np.int64)
        self._values = np.zeros(0, self.dtype.as_numpy_dtype)

    def add(self, indices: np.ndarray, values: np.ndarray, shape: np.ndarray, has_known_shape: bool) -> None:
        self._check(indices, values, shape, has_known_shape)
        if not self.count:
            self._indices, self._values, self._counts = indices.copy(), values.copy(), np.ones_like(indices)
            return
        # As in the original, rows meet where both gradients have them in order; others stay apart.
        own, other = merged(self._indices, indices)
        old, new, counts = own >= 0, other >= 0, np.zeros(len(own), np.int64)
        joined, rows = np.empty(len(own), np.int64), np.zeros((len(own), *values.shape[1:]), values.dtype)
        joined[new], joined[old] = indices[other[new]], self._indices[own[old]]
        rows[old], counts[old] = self._values[own[old]], self._counts[own[old]]
        rows[new & ~old] = values[other[new & ~old]]
        rows[new & old] += values[other[new & old]]
        counts[new] += 1
        self._indices, self._values, self._counts = joined, rows, counts

    def _check(self, indices: np.ndarray, values: np.ndarray, shape: np.ndarray, has_known_shape: bool) -> None:
        if indices.ndim != 1:
            dims = ",".join(map(str, indices.shape))
            raise _invalid(f"Input indices should be vector but received shape: [{dims}]")
        if not values.ndim:
            raise _invalid("Values cannot be 0-dimensional.")
        if len(values) != len(indices):
            raise _invalid(f"Expected {len(indices)} non-empty input values, got {len(values)}")
        known = self.shape.as_list() if self.shape.ndims is not None else None
        if known and known[0] is not None and len(indices) and indices.max() >= known[0]:
            slot = int(np.argmax(indices >= known[0]))
            raise _invalid(f"Shape mismatch: index of slice {slot} exceeded limits of shape; index is {indices[slot]} "
                           f"exceeded {known[0]}")
        if known is not None and has_known_shape:
            if len(shape) < len(known):
                raise _invalid(f"Shape mismatch: expected shape rank at least {len(known)}, got {len(shape)}")
            for i, (expected, got) in enumerate(zip(known, shape.tolist())):
                if expected not in (None, got):
                    raise _invalid(f"Shape mismatch: expected shape dim {i} to be {expected}, got {got}")
        rows = list(self._values.shape[1:]) if self.count else (known or [])[1:]
        if len(rows) > values.ndim - 1 or (self.count and len(rows) != values.ndim - 1):
            raise _invalid(f"Shape mismatch: expected values rank {len(rows) + 1}, got {values.ndim}")
        for i, (expected, got) in enumerate(zip(rows, values.shape[1:]), start=1):
            if expected not in (None, got):
                raise _invalid(f"Shape mismatch: expected values dim {i} to be {expected}, got {got}")

    def result(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        indices, values = self._indices, self._values
        if self.mean and len(indices):
            values = divided(values, self._counts.reshape(-1, *[1] * (values.ndim - 1)))
        first = self.shape[0].value if self.shape.ndims else None
        return indices, values, np.array([-1 if first is None else first, *values.shape[1:]], np.int64)


def _invalid(message: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, message)


sparse_conditional_accumulator_op = op("SparseConditionalAccumulator() -> handle: Ref(string)", stateful=True, **MAKER)
sparse_conditional_accumulator_op.shape(lambda: TensorShape([2]))
sparse_conditional_accumulator_op.resource(lambda node, session: shared_accumulator(Sparse, node, session))
sparse_conditional_accumulator_op.samples(plain=sample(dtype="float", shape=TensorShape([2, 2]), shared_name="shared"))

sparse_accumulator_apply_gradient_op = op(
    "SparseAccumulatorApplyGradient(handle: Ref(string), local_step: int64, gradient_indices: int64, gradient_values: "
    "dtype, gradient_shape: int64)",
    dtype=NUMBERS,
    has_known_shape="bool",
)
sparse_accumulator_apply_gradient_op.changes("handle")


@sparse_accumulator_apply_gradient_op.shape
def _(handle, local_step, gradient_indices, gradient_values, gradient_shape):
    with_rank(local_step, 0)
    return ()


@sparse_accumulator_apply_gradient_op.kernel
def _(handle, local_step, gradient_indices, gradient_values, gradient_shape, *, has_known_shape, dtype):
    check_types([dtype], [handle.dtype])
    handle.apply(
        operator.index(local_step),
        np.asarray(gradient_indices),
        np.asarray(gradient_values),
        np.asarray(gradient_shape),
        has_known_shape,
    )


sparse_accumulator_take_gradient_op = op(
    "SparseAccumulatorTakeGradient(handle: Ref(string), num_required: int32) -> indices: int64, values: dtype, shape: "
    "int64",
    dtype=NUMBERS,
)
sparse_accumulator_take_gradient_op.changes("handle")


@sparse_accumulator_take_gradient_op.shape
def _(handle, num_required):
    with_rank(num_required, 0)
    return UNKNOWN_SHAPE, UNKNOWN_SHAPE, UNKNOWN_SHAPE


@sparse_accumulator_take_gradient_op.kernel(blocking=True)
def _(handle, num_required, *, dtype, context):
    check_types([dtype], [handle.dtype])
    return handle.take(operator.index(num_required), context)


@public("SparseConditionalAccumulator", "sparse.SparseConditionalAccumulator")
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Adds up gradients of some rows until enough workers have given theirs; those of earlier steps are dropped.

    Args:
        dtype: Type of the gradients.
        shape: The shape of the whole, as far as it is known.
        shared_name: A name under which other nodes of the session share the accumulator.
        name: Name of the node.
        reduction_type: "MEAN" or "SUM".

    Raises:
        ValueError: Another `reduction_type`.
    """

    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str = "sparse_conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        dtype = core_dtypes.as_dtype(dtype)
        handle = sparse_conditional_accumulator_op(
            dtype=dtype,
            shape=UNKNOWN_SHAPE if shape is None else shape,
            shared_name=shared_name or "",
            reduction_type=reduction_type,
            name=name,
        )
        super().__init__(dtype, shape, handle)

    def apply_indexed_slices_grad(self, grad: IndexedSlices, local_step: Any = 0, name: str | None = None) -> Any:
        """An operation that adds a gradient given as IndexedSlices; see `apply_grad`."""
        return self.apply_grad(
            grad_indices=grad.indices,
            grad_values=grad.values,
            grad_shape=grad.dense_shape,
            local_step=local_step,
            name=name,
        )

    def apply_grad(
        self, grad_indices: Any, grad_values: Any, grad_shape: Any = None, local_step: Any = 0, name: str | None = None
    ) -> Any:
        """An operation that adds a gradient.

        Args:
            grad_indices: The rows, int64 [n].
            grad_values: Their gradients, [n, ...].
            grad_shape: The shape of the whole; None or [] if it is not known.
            local_step: The step at which it was computed; it is dropped where that is before the accumulator's own.
            name: Name of the operation.
        """
        cast = builder("cast")
        step = cast(convert_to_tensor(local_step), core_dtypes.int64)
        return sparse_accumulator_apply_gradient_op(
            self._accumulator_ref,
            step,
            cast(grad_indices, core_dtypes.int64),
            grad_values,
            cast([] if grad_shape is None else grad_shape, core_dtypes.int64),
            has_known_shape=grad_shape is not None,
            name=name,
        )

    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """The mean (or sum) of the gradients; running it waits until there are `num_required`, and starts anew.

        Returns:
            A named tuple of `indices`, `values` and `shape`.
        """
        return sparse_accumulator_take_gradient_op(
            self._accumulator_ref, num_required, dtype=self._dtype, name=name
        )

    def take_indexed_slices_grad(self, num_required: Any, name: str | None = None) -> IndexedSlices:
        """Like `take_grad`, as IndexedSlices."""
        taken = self.take_grad(num_required, name=name)
        return IndexedSlices(indices=taken.indices, values=taken.values, dense_shape=taken.shape)

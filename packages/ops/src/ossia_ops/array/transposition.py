"""Dimensions in another order."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import with_rank, with_value
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import as_dtype
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import rank_op
from ossia_ops.element_types import INDEX_32

invert_permutation_op = op("InvertPermutation(x: T) -> y: T", T=INDEX_32)


@invert_permutation_op.shape
def _(x):
    return with_rank(x, 1)


@invert_permutation_op.kernel
def _(x):
    if x.ndim != 1:
        raise InvalidArgumentError(None, None, "invert_permutation expects a 1D vector.")
    result = np.full_like(x, -1)
    outside = (x < 0) | (x >= len(x))
    if not outside.any():
        result[x] = np.arange(len(x), dtype=x.dtype)
        if (result >= 0).all():
            return result
    seen: set[int] = set()
    for value in x.tolist():  # the first place where something is wrong counts
        if not 0 <= value < len(x):
            raise InvalidArgumentError(None, None, f"{value} is not between 0 and {len(x)}")
        if value in seen:
            raise InvalidArgumentError(None, None, f"{value} is duplicated in the input.")
        seen.add(value)
    return result


invert_permutation_op.not_differentiable()
invert_permutation_op.samples(plain=[2, 0, 1], empty=np.zeros(0, np.int32))


@public("invert_permutation", "math.invert_permutation")
def invert_permutation(x: Any, name: str | None = None) -> Tensor:
    """The permutation that undoes `x`: `result[x[i]] == i`."""
    return invert_permutation_op(x, name=name)


def _transposed_shape(x, perm):
    dims, order = x.shape.as_tuple(), constant_value(perm)
    if dims is None:
        known = perm.shape.as_tuple()
        count = order.size if order is not None else with_rank(perm, 1).as_tuple()[0] if known else None
        # Fewer than two dimensions stay as they are, and the original says no more of them.
        if count is None or count < 2:
            return None
        dims = (None,) * count
    with_value(with_rank(perm, 1).as_tuple()[0], len(dims))
    if order is None:
        return (None,) * len(dims)
    for axis in order.tolist():
        if not -len(dims) <= axis < len(dims):
            raise ValueError(f"perm dim {axis} is out of range of input rank {len(dims)}")
    return tuple(dims[axis] for axis in order.tolist())


def _transposed(x: Any, perm: Any) -> Any:
    if np.ndim(perm) != 1:
        raise InvalidArgumentError(None, None, f"perm must be a vector, not {dims_text(np.shape(perm))}")
    order = perm.tolist()
    if len(order) != x.ndim:
        raise InvalidArgumentError(
            None, None,
            f"transpose expects a vector of size {x.ndim}. But input(1) is a vector of size {len(order)}"
        )
    for axis in order:
        if not 0 <= axis < x.ndim:
            raise InvalidArgumentError(None, None, f"{axis} is out of range [0 .. {x.ndim})")
    for axis in range(x.ndim):
        if axis not in order:
            raise InvalidArgumentError(
                None, None, f"{axis} is missing from {{{','.join(map(str, order))}}}."
            )
    return np.ascontiguousarray(np.transpose(x, order)) if x.ndim else np.array(x)


transpose_op = op("Transpose(x: T, perm: Tperm) -> y: T", T="type", Tperm=INDEX_32)


transpose_op.shape(_transposed_shape)


@transpose_op.kernel(alias=True)
def _(x, perm):
    return _transposed(x, perm)


@transpose_op.gradient
def _(node, grad):
    return [transpose(grad, invert_permutation(node.inputs[1])), None]


transpose_op.samples(
    matrix=([[1.0, 2.0], [3.0, 4.0]], [1, 0]),
    empty=(np.zeros((0, 2), "f4"), [1, 0]),
    three=(np.arange(6.0).reshape(1, 2, 3), [2, 0, 1]),
)


conjugate_transpose_op = op("ConjugateTranspose(x: T, perm: Tperm) -> y: T", T="type", Tperm=INDEX_32)


conjugate_transpose_op.shape(_transposed_shape)


@conjugate_transpose_op.kernel
def _(x, perm):
    turned = _transposed(x, perm)
    return np.conjugate(turned) if x.dtype.kind == "c" else turned


@conjugate_transpose_op.gradient
def _(node, grad):
    return [transpose(grad, invert_permutation(node.inputs[1]), conjugate=True), None]


conjugate_transpose_op.samples(matrix=([[1j, 2.], [3., 4.]], [1, 0]))


@public("transpose")
def transpose(a: Any, perm: Any = None, name: str = "transpose", conjugate: bool = False) -> Tensor:
    """A tensor whose dimension `i` is dimension `perm[i]` of `a`; the dimensions in reverse order if `perm` is None.

    Args:
      a: a tensor.
      perm: a permutation of its dimensions.
      name: name of the result.
      conjugate: conjugate complex numbers, too.
    """
    with name_scope(name, "transpose", [a]) as name:
        if conjugate and not hasattr(a, "dtype"):
            a = convert_to_tensor(a, name="a")
        conjugated = conjugate and as_dtype(a.dtype).is_complex
        if perm is None:
            a = convert_to_tensor(a, name="a")
            count = a.shape.ndims
            if not count:  # a known rank of 0 is asked for, too
                count = rank_op(a)
                perm = (count - 1) - lookup("Range")(0, count, 1)
            else:
                perm = np.arange(count - 1, -1, -1, dtype=np.int32)
        return (conjugate_transpose_op if conjugated else transpose_op)(a, perm, name=name)


@public("matrix_transpose", "linalg.matrix_transpose", "linalg.transpose")
def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """The transposes of the matrices in the last two dimensions of `a`.

    Raises:
      ValueError: `a` is known to have less than two dimensions.
    """
    with name_scope(name, values=[a]):
        a = convert_to_tensor(a, name="a")
        count = a.shape.ndims
        if count is not None:
            if count < 2:
                raise ValueError(f"Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: {a.shape}")
            perm: Any = [*range(count - 2), count - 1, count - 2]
        else:
            dynamic = rank_op(a)
            perm = lookup("ConcatV2")(
                [lookup("Range")(0, dynamic - 2, 1), [dynamic - 1, dynamic - 2]], 0, name="concat"
            )
        return transpose(a, perm, conjugate=conjugate)


@public("linalg.adjoint")
@dispatches
def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """The transposed conjugates of the matrices in the last two dimensions."""
    with name_scope(name, "adjoint", [matrix]):
        matrix = convert_to_tensor(matrix, name="matrix")
        return matrix_transpose(matrix, conjugate=True)

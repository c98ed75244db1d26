"""Matrix products, of single matrices and of batches."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import broadcast, merge, merge_dim, with_rank, with_rank_at_least
from ossia_core.differentiate.autodiff import unwanted
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import expand_dims, reshape, shape, squeeze
from ossia_ops.array.transposition import transpose
from ossia_ops.element_types import SIGNED
from ossia_ops.linalg.integer_products import product_of_integers
from ossia_ops.math.broadcast import broadcast_gradient_args_op
from ossia_ops.math.cast import cast
from ossia_ops.math.complex_numbers import conj

_WORTH = 1 << 15  # products of integers from which on floats are worth while


def product(a: Any, b: Any) -> Any:
    """`a @ b`, of 16-bit floats summed in 32 bits; shapes that do not fit are an InvalidArgumentError."""
    if a.shape[-1] != b.shape[-2]:
        raise InvalidArgumentError(
            None, None, f"Matrix size-incompatible: In[0]: {str(list(a.shape)).replace(' ', '')}, "
            f"In[1]: {str(list(b.shape)).replace(' ', '')}"
        )
    if a.dtype.itemsize == 2 and a.dtype.kind not in "iu":
        return np.matmul(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
    if a.dtype.kind in "iu" and a.size * b.shape[-1] >= _WORTH and b.size:
        return product_of_integers(a, b, a.dtype)
    return np.matmul(a, b)


def _matrix(x: Any) -> Any:
    if x.ndim != 2:
        raise InvalidArgumentError(None, None, f"In[{0}] is not a matrix. Instead it has shape {dims_text(x.shape)}")
    return x


mat_mul_op = op("MatMul(a: T, b: T) -> product: T", transpose_a="bool = false", transpose_b="bool = false", T=SIGNED)


@mat_mul_op.shape
def _matmul_shape(a, b, *, transpose_a, transpose_b):
    rows, inner = with_rank(a, 2).as_tuple()
    second, columns = with_rank(b, 2).as_tuple()
    if transpose_a:
        rows, inner = inner, rows
    if transpose_b:
        second, columns = columns, second
    merge_dim(inner, second)
    return rows, columns


@mat_mul_op.kernel
def _(a, b, *, transpose_a, transpose_b):
    a, b = _matrix(a), _matrix(b)
    return product(a.T if transpose_a else a, b.T if transpose_b else b)


@mat_mul_op.gradient
def _(node, grad):
    t_a, t_b = node.get_attr("transpose_a"), node.get_attr("transpose_b")
    skipped = unwanted(node)
    a = None if 1 in skipped else conj(node.inputs[0])
    b = None if 0 in skipped else conj(node.inputs[1])
    a_grad = b_grad = None
    if b is not None:
        first, second = (b, grad) if t_a else (grad, b)
        a_grad = mat_mul_op(first, second, transpose_a=t_a and t_b, transpose_b=t_a or not t_b)
    if a is not None:
        first, second = (grad, a) if t_b else (a, grad)
        b_grad = mat_mul_op(first, second, transpose_a=t_b or not t_a, transpose_b=t_a and t_b)
    return a_grad, b_grad


mat_mul_op.samples(
    plain=([[1.0, 2.0]], [[3.0], [4.0]]),
    transposed=sample([[1.0], [2.0]], [[3.0, 4.0]], transpose_a=True, transpose_b=True),
    empty=(np.zeros((0, 2), "f4"), np.ones((2, 3), "f4")),
    inner=(np.zeros((2, 0), "f4"), np.zeros((0, 3), "f4")),
    ints=([[1, 2]], [[3], [4]]),
)


def _batch_shape(x: TensorShape, y: TensorShape, adj_x: bool, adj_y: bool, batch: Any) -> Any:
    a, b = x.as_tuple(), y.as_tuple()
    if a is None or b is None:
        return None
    rows, inner = (a[-1], a[-2]) if adj_x else a[-2:]
    second, columns = (b[-1], b[-2]) if adj_y else b[-2:]
    merge_dim(inner, second)
    dims = batch(TensorShape(a[:-2]), TensorShape(b[:-2])).as_tuple()
    return (*dims, rows, columns)


def _batch_product(x: Any, y: Any, adj_x: bool, adj_y: bool) -> Any:
    if x.ndim < 2 or y.ndim < 2:
        low = int(x.ndim >= 2)
        raise InvalidArgumentError(None, None, f"In[{low}] ndims must be >= 2: {(x, y)[low].ndim}")
    given = x, y
    x, y = (np.conj(m).swapaxes(-1, -2) if adjoint and m.dtype.kind == "c" else m.swapaxes(-1, -2) if adjoint else m
            for m, adjoint in ((x, adj_x), (y, adj_y)))
    if x.shape[-1] != y.shape[-2]:
        texts = [str(list(m.shape)).replace(" ", "") for m in given]
        raise InvalidArgumentError(
            None,
            None,
            f"In[0] mismatch In[1] shape: {x.shape[-1]} vs. {y.shape[-2]}: {texts[0]} {texts[1]} {adj_x:d} {adj_y:d}",
        )
    try:
        return product(x, y)
    except ValueError:
        texts = [str(list(m.shape)).replace(" ", "") for m in given]
        raise InvalidArgumentError(
            None, None, f"In[0] and In[1] must have compatible batch dimensions: {texts[0]} vs. {texts[1]}"
        ) from None


def _batch_gradient(node: Any, grad: Any) -> tuple[Tensor, Tensor]:
    x, y = node.inputs
    if not node.get_attr("adj_x"):
        if not node.get_attr("adj_y"):
            return matmul(grad, y, adjoint_b=True), matmul(x, grad, adjoint_a=True)
        return matmul(grad, y), matmul(grad, x, adjoint_a=True)
    if not node.get_attr("adj_y"):
        return matmul(y, grad, adjoint_b=True), matmul(x, grad)
    return matmul(y, grad, adjoint_a=True, adjoint_b=True), matmul(grad, x, adjoint_a=True, adjoint_b=True)


batch_mat_mul_op = op("BatchMatMul(x: T, y: T) -> output: T", T=SIGNED, adj_x="bool = false", adj_y="bool = false")


@batch_mat_mul_op.shape
def _(x, y, *, adj_x, adj_y):
    a, b = with_rank_at_least(x, 2).as_tuple(), with_rank_at_least(y, 2).as_tuple()
    if a is None and b is None:
        return None
    # The batches are equal, so one side alone says how many dimensions there are.
    a = (None,) * len(b) if a is None else a
    b = (None,) * len(a) if b is None else b
    return _batch_shape(TensorShape.from_tuple(a), TensorShape.from_tuple(b), adj_x, adj_y, merge)


@batch_mat_mul_op.kernel
def _(x, y, *, adj_x, adj_y):
    if x.shape[:-2] != y.shape[:-2]:
        raise InvalidArgumentError(
            None, None,
            f"In[0] and In[1] must have compatible batch dimensions: {dims_text(x.shape)} vs. {dims_text(y.shape)}"
        )
    return _batch_product(x, y, adj_x, adj_y)


batch_mat_mul_op.gradient(_batch_gradient)
batch_mat_mul_op.samples(plain=([[[1., 2.]]], [[[3.], [4.]]]))


batch_mat_mul_v2_op = op("BatchMatMulV2(x: T, y: T) -> output: T", T=SIGNED, adj_x="bool = false",
                         adj_y="bool = false")


@batch_mat_mul_v2_op.shape
def _(x, y, *, adj_x, adj_y):
    with_rank_at_least(x, 2), with_rank_at_least(y, 2)
    return _batch_shape(x.shape, y.shape, adj_x, adj_y, broadcast)


@batch_mat_mul_v2_op.kernel
def _(x, y, *, adj_x, adj_y):
    return _batch_product(x, y, adj_x, adj_y)


@batch_mat_mul_v2_op.gradient
def _(node, grad):
    x, y = node.inputs
    x_grad, y_grad = _batch_gradient(node, grad)
    if x.shape.is_fully_defined() and x.shape.as_tuple() == y.shape.as_tuple():
        return x_grad, y_grad
    x_shape, y_shape = shape(x), shape(y)
    x_axes, y_axes = broadcast_gradient_args_op(x_shape[:-2], y_shape[:-2])
    from ossia_ops.math.reduction import reduce_sum
    x_grad = reshape(reduce_sum(x_grad, x_axes), x_shape)
    return x_grad, reshape(reduce_sum(y_grad, y_axes), y_shape)


batch_mat_mul_v2_op.samples(
    plain=([[[1.0, 2.0]]], [[[3.0], [4.0]]]),
    broadcast=(np.ones((2, 1, 3), "f4"), np.ones((3, 2), "f4")),
    adjoint=sample([[[1 + 1j], [2.0]]], [[[3.0], [4.0]]], adj_x=True),
)


sparse_mat_mul_op = op("SparseMatMul(a: Ta, b: Tb) -> product: float", transpose_a="bool = false",
                       transpose_b="bool = false", a_is_sparse="bool = false", b_is_sparse="bool = false",
                       Ta="{float, bfloat16} = DT_FLOAT", Tb="{float, bfloat16} = DT_FLOAT")


sparse_mat_mul_op.shape(_matmul_shape)


@sparse_mat_mul_op.kernel
def _(a, b, *, transpose_a, transpose_b):
    a, b = _matrix(a).astype(np.float32), _matrix(b).astype(np.float32)
    return product(a.T if transpose_a else a, b.T if transpose_b else b)


@sparse_mat_mul_op.gradient
def _(node, grad):
    a, b = node.inputs
    sparse = {a: node.get_attr("a_is_sparse"), b: node.get_attr("b_is_sparse"), grad: grad.op.type == "ReluGrad"}

    def multiply(x, y, dtype, transpose_a=False, transpose_b=False):
        x_sparse, y_sparse = sparse[x], sparse[y]
        if transpose_b:
            y = transpose(y)
        return cast(matmul(x, y, transpose_a=transpose_a, a_is_sparse=x_sparse, b_is_sparse=y_sparse), dtype)
    t_a, t_b = node.get_attr("transpose_a"), node.get_attr("transpose_b")
    if not t_a and not t_b:
        return multiply(grad, b, a.dtype, transpose_b=True), multiply(a, grad, b.dtype, transpose_a=True)
    if not t_a:
        return multiply(grad, b, a.dtype), multiply(grad, a, b.dtype, transpose_a=True)
    if not t_b:
        return multiply(b, grad, a.dtype, transpose_b=True), multiply(a, grad, b.dtype)
    return multiply(b, grad, a.dtype, True, True), multiply(grad, a, b.dtype, True, True)


sparse_mat_mul_op.samples(plain=([[1., 0.]], [[3.], [4.]]))


@public("sparse_matmul")
def sparse_matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """`a @ b` as float32, for matrices of float32 or bfloat16 that may hold many zeros."""
    return sparse_mat_mul_op(
        a,
        b,
        transpose_a=transpose_a,
        transpose_b=transpose_b,
        a_is_sparse=a_is_sparse,
        b_is_sparse=b_is_sparse,
        name=name,
    )


@public("matmul", "linalg.matmul")
@dispatches
def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Products of the matrices in the last two dimensions of `a` and `b`; leading dimensions are broadcast.

    Args:
      a: a tensor of rank 2 or more.
      b: a tensor of the dtype of `a`.
      transpose_a: transpose the matrices of `a` first.
      transpose_b: transpose those of `b`.
      adjoint_a: transpose and conjugate those of `a`.
      adjoint_b: transpose and conjugate those of `b`.
      a_is_sparse: a hint that a matrix `a` has many zeros.
      b_is_sparse: the same for `b`.
      name: name of the result.

    Raises:
      ValueError: a matrix is to be both transposed and adjoint, or shapes do not fit.
    """
    with name_scope(name, "MatMul", [a, b]) as name:
        if transpose_a and adjoint_a:
            raise ValueError("Only one of transpose_a and adjoint_a can be True.")
        if transpose_b and adjoint_b:
            raise ValueError("Only one of transpose_b and adjoint_b can be True.")
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, name="b")
        if (
            not a_is_sparse
            and not b_is_sparse
            and (a.shape.ndims is None or a.shape.ndims > 2 or b.shape.ndims is None or b.shape.ndims > 2)
        ):
            if transpose_a:
                a, adjoint_a = conj(a), True
            if transpose_b:
                b, adjoint_b = conj(b), True
            return batch_mat_mul_v2_op(a, b, adj_x=adjoint_a, adj_y=adjoint_b, name=name)
        if adjoint_a:
            a, transpose_a = conj(a), True
        if adjoint_b:
            b, transpose_b = conj(b), True
        types = dtypes.bfloat16, dtypes.float32
        if ((a_is_sparse or b_is_sparse) and a.dtype in types and b.dtype in types) or (
            dtypes.bfloat16 in (a.dtype, b.dtype) and a.dtype != b.dtype
        ):
            result = sparse_mat_mul_op(
                a,
                b,
                transpose_a=transpose_a,
                transpose_b=transpose_b,
                a_is_sparse=a_is_sparse,
                b_is_sparse=b_is_sparse,
                name=name,
            )
            return cast(result, dtypes.bfloat16) if a.dtype == b.dtype == dtypes.bfloat16 else result
        return mat_mul_op(a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=name)


@public("linalg.matvec")
def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Products of the matrices in the last two dimensions of `a` and the vectors in the last dimension of `b`; see
    `matmul`."""
    with name_scope(name, "MatVec", [a, b]):
        result = matmul(
            a,
            expand_dims(b, axis=-1),
            transpose_a=transpose_a,
            adjoint_a=adjoint_a,
            a_is_sparse=a_is_sparse,
            b_is_sparse=b_is_sparse,
        )
        return squeeze(result, axis=-1)

"""Names that functions had before TensorFlow 1.0."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_ops.array import concat, selection, split, stacking, unique
from ossia_ops.linalg import matmul
from ossia_ops.math import arithmetic, elementwise


@public("mul")
def mul(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`tf.multiply` under its first name."""
    return arithmetic.multiply(x, y, name)


@public("sub")
def sub(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`tf.subtract` under its first name."""
    return arithmetic.subtract(x, y, name)


@public("neg")
def neg(x: Any, name: str | None = None) -> Tensor:
    """`tf.negative` under its first name."""
    return elementwise.negative(x, name)


@public("inv")
def inv(x: Any, name: str | None = None) -> Tensor:
    """`tf.reciprocal` under its first name."""
    return elementwise.reciprocal(x, name)


@public("complex_abs")
def complex_abs(x: Any, name: str | None = None) -> Tensor:
    """`tf.abs` of complex numbers, under its first name."""
    return elementwise.abs(x, name)


@public("pack")
def pack(values: Any, axis: int = 0, name: str = "pack") -> Tensor:
    """`tf.stack` under its first name."""
    return stacking.stack(values, axis, name)


@public("unpack")
def unpack(value: Any, num: int | None = None, axis: int = 0, name: str = "unpack") -> list[Tensor]:
    """`tf.unstack` under its first name."""
    return stacking.unstack(value, num, axis, name)


@public("concat_v2")
def concat_v2(values: Any, axis: Any, name: str = "concat_v2") -> Tensor:
    """`tf.concat` under the name that it had while `tf.concat` took the axis first."""
    return concat.concat(values, axis, name)


@public("split_v")
def split_v(
    value: Any, size_splits: Any, split_dim: Any = 0, num: int | None = None, name: str = "split_v"
) -> list[Tensor]:
    """`tf.split` by sizes, under the name that it had while `tf.split` took the axis first."""
    return split.split(value, size_splits, split_dim, num, name)


@public("select")
def select(condition: Any, t: Any, e: Any, name: str | None = None) -> Tensor:
    """`tf.where` with three arguments, under its first name."""
    return selection.where(condition, t, e, name)


@public("batch_matmul")
def batch_matmul(x: Any, y: Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None) -> Tensor:
    """`tf.matmul` of tensors of rank 3 or more, under its first name."""
    return matmul.matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y, name=name)


@public("listdiff")
def listdiff(x: Any, y: Any, out_idx: Any = None, name: str | None = None) -> Any:
    """`tf.setdiff1d` under its first name."""
    return unique.setdiff1d(x, y, name=name) if out_idx is None else unique.setdiff1d(x, y, out_idx, name)

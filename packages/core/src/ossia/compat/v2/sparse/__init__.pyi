"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.sparse_shape import sparse_fill_empty_rows as _fill_empty_rows
fill_empty_rows = _fill_empty_rows
from ossia_ops.sparse_order import sparse_reorder as _reorder
reorder = _reorder
from ossia_ops.sparse_shape import sparse_reshape as _reshape
reshape = _reshape
from ossia_ops.sparse_shape import sparse_retain as _retain
retain = _retain
from ossia_ops.sparse_shape import sparse_slice as _slice
slice = _slice
from ossia_ops.sparse_dense import sparse_tensor_dense_matmul as _sparse_dense_matmul
sparse_dense_matmul = _sparse_dense_matmul
from ossia_ops.sparse_dense import sparse_tensor_to_dense as _to_dense
to_dense = _to_dense
from ossia_ops.sparse_shape import sparse_transpose as _transpose
transpose = _transpose

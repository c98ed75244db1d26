"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_queues.sparse_accumulator import SparseConditionalAccumulator as SparseConditionalAccumulator
from ossia_core.graph.composites import SparseTensor as SparseTensor
from ossia_ops.sparse_sum import sparse_add as _add
add = _add
from ossia_ops.sparse_shape import sparse_concat as _concat
concat = _concat
from ossia_ops.sparse_cross import sparse_cross as _cross
cross = _cross
from ossia_ops.sparse_cross import sparse_cross_hashed as _cross_hashed
cross_hashed = _cross_hashed
from ossia_ops.sparse_values import sparse_expand_dims as _expand_dims
expand_dims = _expand_dims
from ossia_ops.sparse_values import sparse_eye as _eye
eye = _eye
from ossia_ops.sparse_shape import sparse_fill_empty_rows as _fill_empty_rows
fill_empty_rows = _fill_empty_rows
from ossia_ops.sparse_values import from_dense as from_dense
from ossia_ops.sparse_values import sparse_mask as _mask
mask = _mask
from ossia_ops.sparse_dense import sparse_tensor_dense_matmul as _matmul
matmul = _matmul
from ossia_ops.sparse_extremes import sparse_maximum as _maximum
maximum = _maximum
from ossia_ops.sparse_order import sparse_merge as _merge
merge = _merge
from ossia_ops.sparse_extremes import sparse_minimum as _minimum
minimum = _minimum
from ossia_core.primitives.sparse_placeholder import sparse_placeholder as _placeholder
placeholder = _placeholder
from ossia_ops.sparse_reduction import sparse_reduce_max as _reduce_max
reduce_max = _reduce_max
from ossia_ops.sparse_reduction import sparse_reduce_max_sparse as _reduce_max_sparse
reduce_max_sparse = _reduce_max_sparse
from ossia_ops.sparse_reduction import sparse_reduce_sum as _reduce_sum
reduce_sum = _reduce_sum
from ossia_ops.sparse_reduction import sparse_reduce_sum_sparse as _reduce_sum_sparse
reduce_sum_sparse = _reduce_sum_sparse
from ossia_ops.sparse_order import sparse_reorder as _reorder
reorder = _reorder
from ossia_ops.sparse_values import sparse_reset_shape as _reset_shape
reset_shape = _reset_shape
from ossia_ops.sparse_shape import sparse_reshape as _reshape
reshape = _reshape
from ossia_ops.sparse_shape import sparse_retain as _retain
retain = _retain
from ossia_ops.sparse_segment import sparse_segment_mean as _segment_mean
segment_mean = _segment_mean
from ossia_ops.sparse_segment import sparse_segment_sqrt_n as _segment_sqrt_n
segment_sqrt_n = _segment_sqrt_n
from ossia_ops.sparse_segment import sparse_segment_sum as _segment_sum
segment_sum = _segment_sum
from ossia_ops.sparse_shape import sparse_slice as _slice
slice = _slice
from ossia_ops.sparse_softmax import sparse_softmax as _softmax
softmax = _softmax
from ossia_ops.sparse_dense import sparse_tensor_dense_matmul as _sparse_dense_matmul
sparse_dense_matmul = _sparse_dense_matmul
from ossia_ops.sparse_split import sparse_split as _split
split = _split
from ossia_ops.sparse_dense import sparse_tensor_to_dense as _to_dense
to_dense = _to_dense
from ossia_ops.sparse_values import sparse_to_indicator as _to_indicator
to_indicator = _to_indicator
from ossia_ops.sparse_shape import sparse_transpose as _transpose
transpose = _transpose

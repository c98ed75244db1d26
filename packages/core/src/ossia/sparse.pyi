# Written by tools/api_stubs.py; do not edit.
from ossia_core.graph.composites import SparseTensor as SparseTensor
from ossia_ops.sparse.cross import sparse_cross as _cross, sparse_cross_hashed as _cross_hashed
from ossia_ops.sparse.dense import (
 sparse_tensor_dense_matmul as _matmul, sparse_tensor_dense_matmul as _sparse_dense_matmul,
 sparse_tensor_to_dense as _to_dense
)
from ossia_ops.sparse.extremes import sparse_maximum as _maximum, sparse_minimum as _minimum
from ossia_ops.sparse.order import sparse_merge as _merge, sparse_reorder as _reorder
from ossia_ops.sparse.placeholder import sparse_placeholder as _placeholder
from ossia_ops.sparse.reduction import (
 sparse_reduce_max as _reduce_max, sparse_reduce_max_sparse as _reduce_max_sparse, sparse_reduce_sum as _reduce_sum,
 sparse_reduce_sum_sparse as _reduce_sum_sparse
)
from ossia_ops.sparse.segment import (
 sparse_segment_mean as _segment_mean, sparse_segment_sqrt_n as _segment_sqrt_n, sparse_segment_sum as _segment_sum
)
from ossia_ops.sparse.shape import (
 sparse_concat as _concat, sparse_fill_empty_rows as _fill_empty_rows, sparse_reshape as _reshape,
 sparse_retain as _retain, sparse_slice as _slice, sparse_transpose as _transpose
)
from ossia_ops.sparse.softmax import sparse_softmax as _softmax
from ossia_ops.sparse.split import sparse_split as _split
from ossia_ops.sparse.sum import sparse_add as _add
from ossia_ops.sparse.values import (
 sparse_expand_dims as _expand_dims, sparse_eye as _eye, from_dense as from_dense, sparse_mask as _mask,
 sparse_reset_shape as _reset_shape, sparse_to_indicator as _to_indicator
)
from ossia_queues.sparse_accumulator import SparseConditionalAccumulator as SparseConditionalAccumulator
add = _add
concat = _concat
cross = _cross
cross_hashed = _cross_hashed
expand_dims = _expand_dims
eye = _eye
fill_empty_rows = _fill_empty_rows
mask = _mask
matmul = _matmul
maximum = _maximum
merge = _merge
minimum = _minimum
placeholder = _placeholder
reduce_max = _reduce_max
reduce_max_sparse = _reduce_max_sparse
reduce_sum = _reduce_sum
reduce_sum_sparse = _reduce_sum_sparse
reorder = _reorder
reset_shape = _reset_shape
reshape = _reshape
retain = _retain
segment_mean = _segment_mean
segment_sqrt_n = _segment_sqrt_n
segment_sum = _segment_sum
slice = _slice
softmax = _softmax
sparse_dense_matmul = _sparse_dense_matmul
split = _split
to_dense = _to_dense
to_indicator = _to_indicator
transpose = _transpose

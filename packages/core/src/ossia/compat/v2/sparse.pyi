# Written by tools/api_stubs.py; do not edit.
from ossia.sparse import (
 cross as cross, cross_hashed as cross_hashed, expand_dims as expand_dims, eye as eye,
 fill_empty_rows as fill_empty_rows, from_dense as from_dense, mask as mask, maximum as maximum, minimum as minimum,
 reorder as reorder, reset_shape as reset_shape, reshape as reshape, retain as retain, slice as slice,
 softmax as softmax, sparse_dense_matmul as sparse_dense_matmul, to_dense as to_dense, to_indicator as to_indicator,
 transpose as transpose
)
from ossia_ops.sparse.reduction import sparse_reduce_max_v2 as _reduce_max, sparse_reduce_sum_v2 as _reduce_sum
from ossia_ops.sparse.segment import (
 sparse_segment_mean_v2 as _segment_mean, sparse_segment_sqrt_n_v2 as _segment_sqrt_n,
 sparse_segment_sum_v2 as _segment_sum
)
from ossia_ops.sparse.shape import sparse_concat_v2 as _concat
from ossia_ops.sparse.split import sparse_split_v2 as _split
from ossia_ops.sparse.sum import sparse_add_v2 as _add
add = _add
concat = _concat
reduce_max = _reduce_max
reduce_sum = _reduce_sum
segment_mean = _segment_mean
segment_sqrt_n = _segment_sqrt_n
segment_sum = _segment_sum
split = _split

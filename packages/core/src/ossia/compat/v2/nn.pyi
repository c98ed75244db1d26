# Written by tools/api_stubs.py; do not edit.
from ossia.nn import (
 collapse_repeated as collapse_repeated, compute_average_loss as compute_average_loss,
 ctc_unique_labels as ctc_unique_labels, scale_regularization_loss as scale_regularization_loss
)
from ossia_nn.sampled_losses import nce_loss_v2 as _nce_loss, sampled_softmax_loss_v2 as _sampled_softmax_loss
from ossia_ops.nn.ctc import ctc_beam_search_decoder_v2 as _ctc_beam_search_decoder
from ossia_ops.nn.ctc_dense import ctc_loss_v2 as _ctc_loss
from ossia_ops.nn.dropout import dropout_v2 as _dropout
from ossia_ops.nn.embedding import (
 embedding_lookup_v2 as _embedding_lookup, embedding_lookup_sparse_v2 as _embedding_lookup_sparse,
 safe_embedding_lookup_sparse_v2 as _safe_embedding_lookup_sparse
)
from ossia_ops.nn.fractional_pool import (
 fractional_avg_pool_v2 as _fractional_avg_pool, fractional_max_pool_v2 as _fractional_max_pool
)
ctc_beam_search_decoder = _ctc_beam_search_decoder
ctc_loss = _ctc_loss
dropout = _dropout
embedding_lookup = _embedding_lookup
embedding_lookup_sparse = _embedding_lookup_sparse
fractional_avg_pool = _fractional_avg_pool
fractional_max_pool = _fractional_max_pool
nce_loss = _nce_loss
safe_embedding_lookup_sparse = _safe_embedding_lookup_sparse
sampled_softmax_loss = _sampled_softmax_loss

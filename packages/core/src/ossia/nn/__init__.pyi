# Written by tools/api_stubs.py; do not edit.
from . import rnn_cell as rnn_cell
from ossia.linalg import l2_normalize as l2_normalize
from ossia.math import (
 in_top_k as in_top_k, log_softmax as log_softmax, sigmoid as sigmoid, softmax as softmax, softplus as softplus,
 softsign as softsign, tanh as tanh, top_k as top_k, zero_fraction as zero_fraction
)
from ossia_nn.average_losses import (
 compute_average_loss as compute_average_loss, scale_regularization_loss as scale_regularization_loss
)
from ossia_nn.rnn.bidirectional import bidirectional_dynamic_rnn as bidirectional_dynamic_rnn
from ossia_nn.rnn.dynamic import dynamic_rnn as dynamic_rnn
from ossia_nn.rnn.raw import raw_rnn as raw_rnn
from ossia_nn.rnn.static import (
 static_bidirectional_rnn as static_bidirectional_rnn, static_rnn as static_rnn,
 static_state_saving_rnn as static_state_saving_rnn
)
from ossia_nn.sampled_losses import nce_loss as nce_loss, sampled_softmax_loss as sampled_softmax_loss
from ossia_ops.array.space_to_batch import space_to_batch as space_to_batch
from ossia_ops.array.space_to_depth import depth_to_space as depth_to_space, space_to_depth as space_to_depth
from ossia_ops.nn.activation import (
 crelu as crelu, elu as elu, leaky_relu as leaky_relu, relu as relu, relu6 as relu6, selu as selu, swish as swish
)
from ossia_ops.nn.bias import bias_add as bias_add, relu_layer as relu_layer, xw_plus_b as xw_plus_b
from ossia_ops.nn.candidate_sampling import (
 all_candidate_sampler as all_candidate_sampler, compute_accidental_hits as compute_accidental_hits,
 fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler,
 learned_unigram_candidate_sampler as learned_unigram_candidate_sampler,
 log_uniform_candidate_sampler as log_uniform_candidate_sampler, uniform_candidate_sampler as uniform_candidate_sampler
)
from ossia_ops.nn.conv import (
 conv1d as conv1d, conv2d as conv2d, conv2d_backprop_filter as conv2d_backprop_filter,
 conv2d_backprop_input as conv2d_backprop_input
)
from ossia_ops.nn.conv3d import (
 conv3d as conv3d, conv3d_backprop_filter as conv3d_backprop_filter,
 conv3d_backprop_filter as _conv3d_backprop_filter_v2
)
from ossia_ops.nn.conv_transposed import (
 atrous_conv2d_transpose as atrous_conv2d_transpose, conv1d_transpose as conv1d_transpose,
 conv2d_transpose as conv2d_transpose, conv3d_transpose as conv3d_transpose, conv_transpose as conv_transpose
)
from ossia_ops.nn.convolution import (
 atrous_conv2d as atrous_conv2d, convolution as convolution, pool as pool, with_space_to_batch as with_space_to_batch
)
from ossia_ops.nn.cross_entropy import (
 l2_loss as l2_loss, log_poisson_loss as log_poisson_loss,
 sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
 softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
 softmax_cross_entropy_with_logits_v2 as softmax_cross_entropy_with_logits_v2,
 sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
 weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
)
from ossia_ops.nn.ctc import (
 ctc_beam_search_decoder as ctc_beam_search_decoder, ctc_beam_search_decoder_v2 as ctc_beam_search_decoder_v2,
 ctc_greedy_decoder as ctc_greedy_decoder, ctc_loss as ctc_loss
)
from ossia_ops.nn.ctc_dense import (
 collapse_repeated as collapse_repeated, ctc_loss_v2 as ctc_loss_v2, ctc_unique_labels as ctc_unique_labels
)
from ossia_ops.nn.depthwise import (
 depthwise_conv2d as depthwise_conv2d, depthwise_conv2d_backprop_filter as depthwise_conv2d_backprop_filter,
 depthwise_conv2d_backprop_input as depthwise_conv2d_backprop_input, depthwise_conv2d_native as depthwise_conv2d_native,
 depthwise_conv2d_backprop_filter as _depthwise_conv2d_native_backprop_filter,
 depthwise_conv2d_backprop_input as _depthwise_conv2d_native_backprop_input, separable_conv2d as separable_conv2d
)
from ossia_ops.nn.dilation import dilation2d as dilation2d, erosion2d as erosion2d
from ossia_ops.nn.dropout import dropout as dropout
from ossia_ops.nn.embedding import (
 embedding_lookup as embedding_lookup, embedding_lookup_sparse as embedding_lookup_sparse,
 safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
)
from ossia_ops.nn.fractional_pool import (
 fractional_avg_pool as fractional_avg_pool, fractional_max_pool as fractional_max_pool
)
from ossia_ops.nn.fused_batch_norm import fused_batch_norm as fused_batch_norm
from ossia_ops.nn.lrn import lrn as _local_response_normalization, lrn as lrn
from ossia_ops.nn.normalization import (
 batch_norm_with_global_normalization as batch_norm_with_global_normalization,
 batch_normalization as batch_normalization, moments as moments, normalize_moments as normalize_moments,
 sufficient_statistics as sufficient_statistics, weighted_moments as weighted_moments
)
from ossia_ops.nn.pool import (
 avg_pool as avg_pool, avg_pool1d as avg_pool1d, avg_pool as _avg_pool2d, avg_pool_v2 as avg_pool_v2,
 max_pool as max_pool, max_pool1d as max_pool1d, max_pool2d as max_pool2d, max_pool_v2 as max_pool_v2
)
from ossia_ops.nn.pool3d import avg_pool3d as avg_pool3d, max_pool3d as max_pool3d
from ossia_ops.nn.pool_argmax import max_pool_with_argmax as max_pool_with_argmax
from ossia_quantization.quantized_nn import (
 quantized_avg_pool as quantized_avg_pool, quantized_conv2d as quantized_conv2d,
 quantized_max_pool as quantized_max_pool, quantized_relu_x as quantized_relu_x
)
avg_pool2d = _avg_pool2d
conv3d_backprop_filter_v2 = _conv3d_backprop_filter_v2
depthwise_conv2d_native_backprop_filter = _depthwise_conv2d_native_backprop_filter
depthwise_conv2d_native_backprop_input = _depthwise_conv2d_native_backprop_input
local_response_normalization = _local_response_normalization

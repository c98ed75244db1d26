# Written by tools/api_stubs.py; do not edit.
from . import python as python
from ossia_contrib.layers.batch_norm import batch_norm as batch_norm
from ossia_contrib.layers.columns.crosses import (
 SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY as SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
)
from ossia_contrib.layers.columns.dense import (
 bucketized_column as bucketized_column, infer_real_valued_columns as infer_real_valued_columns,
 real_valued_column as real_valued_column
)
from ossia_contrib.layers.columns.embedded import (
 embedding_column as embedding_column, one_hot_column as one_hot_column,
 scattered_embedding_column as scattered_embedding_column, shared_embedding_columns as shared_embedding_columns
)
from ossia_contrib.layers.columns.inputs import (
 check_feature_columns as check_feature_columns, create_feature_spec_for_parsing as create_feature_spec_for_parsing,
 input_from_feature_columns as input_from_feature_columns,
 joint_weighted_sum_from_feature_columns as joint_weighted_sum_from_feature_columns,
 make_place_holder_tensors_for_base_features as make_place_holder_tensors_for_base_features,
 parse_feature_columns_from_examples as parse_feature_columns_from_examples,
 parse_feature_columns_from_sequence_examples as parse_feature_columns_from_sequence_examples,
 sequence_input_from_feature_columns as sequence_input_from_feature_columns, transform_features as transform_features,
 weighted_sum_from_feature_columns as weighted_sum_from_feature_columns
)
from ossia_contrib.layers.columns.sparse import (
 crossed_column as crossed_column, sparse_column_with_hash_bucket as sparse_column_with_hash_bucket,
 sparse_column_with_integerized_feature as sparse_column_with_integerized_feature,
 sparse_column_with_keys as sparse_column_with_keys,
 sparse_column_with_vocabulary_file as sparse_column_with_vocabulary_file,
 weighted_sparse_column as weighted_sparse_column
)
from ossia_contrib.layers.convolution import (
 convolution1d as _conv1d, convolution2d as _conv2d, convolution2d_transpose as _conv2d_transpose,
 convolution3d as _conv3d, convolution3d_transpose as _conv3d_transpose, convolution as convolution,
 convolution1d as convolution1d, convolution2d as convolution2d, convolution2d_transpose as convolution2d_transpose,
 convolution3d as convolution3d, convolution3d_transpose as convolution3d_transpose,
 separable_convolution2d as _separable_conv2d, separable_convolution2d as separable_convolution2d
)
from ossia_contrib.layers.dense import (
 elu as elu, fully_connected as fully_connected, linear as linear, relu as relu, relu6 as relu6
)
from ossia_contrib.layers.embedding import (
 embed_sequence as embed_sequence, embedding_lookup_unique as embedding_lookup_unique
)
from ossia_contrib.layers.encoders import (
 bow_encoder as bow_encoder, safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
)
from ossia_contrib.layers.gdn import GDN as GDN, gdn as gdn
from ossia_contrib.layers.group_norm import group_norm as group_norm
from ossia_contrib.layers.in_plane import (
 convolution2d_in_plane as _conv2d_in_plane, convolution2d_in_plane as convolution2d_in_plane,
 images_to_sequence as images_to_sequence, scale_gradient as scale_gradient, sequence_to_images as sequence_to_images,
 spatial_softmax as spatial_softmax
)
from ossia_contrib.layers.initializers import (
 variance_scaling_initializer as variance_scaling_initializer, xavier_initializer as xavier_initializer,
 xavier_initializer as _xavier_initializer_conv2d
)
from ossia_contrib.layers.legacy import (
 legacy_fully_connected as legacy_fully_connected, legacy_linear as legacy_linear, legacy_relu as legacy_relu
)
from ossia_contrib.layers.normalization import instance_norm as instance_norm, layer_norm as layer_norm
from ossia_contrib.layers.optimizers import (
 OPTIMIZER_CLS_NAMES as OPTIMIZER_CLS_NAMES, OPTIMIZER_SUMMARIES as OPTIMIZER_SUMMARIES, optimize_loss as optimize_loss
)
from ossia_contrib.layers.pooling import (
 avg_pool2d as avg_pool2d, avg_pool3d as avg_pool3d, max_pool2d as max_pool2d, max_pool3d as max_pool3d
)
from ossia_contrib.layers.regularizers import (
 apply_regularization as apply_regularization, l1_l2_regularizer as l1_l2_regularizer, l1_regularizer as l1_regularizer,
 l2_regularizer as l2_regularizer, sum_regularizer as sum_regularizer
)
from ossia_contrib.layers.rev_block import (
 RevBlock as RevBlock, recompute_grad as recompute_grad, rev_block as rev_block
)
from ossia_contrib.layers.shaping import (
 bias_add as bias_add, dense_to_sparse as dense_to_sparse, dropout as dropout, flatten as flatten, maxout as maxout,
 one_hot_encoding as one_hot_encoding, repeat as repeat, softmax as softmax, stack as stack, unit_norm as unit_norm
)
from ossia_contrib.layers.summaries import (
 summarize_activation as summarize_activation, summarize_activations as summarize_activations,
 summarize_collection as summarize_collection, summarize_tensor as summarize_tensor,
 summarize_tensors as summarize_tensors
)
conv1d = _conv1d
conv2d = _conv2d
conv2d_in_plane = _conv2d_in_plane
conv2d_transpose = _conv2d_transpose
conv3d = _conv3d
conv3d_transpose = _conv3d_transpose
separable_conv2d = _separable_conv2d
xavier_initializer_conv2d = _xavier_initializer_conv2d

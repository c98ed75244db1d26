# Written by tools/api_stubs.py; do not edit.
from . import (
 data_decoder as data_decoder, data_provider as data_provider, dataset as dataset,
 dataset_data_provider as dataset_data_provider, evaluation as evaluation, initializers as initializers,
 layers as layers, learning as learning, losses as losses, metrics as metrics, model_analyzer as model_analyzer,
 nets as nets, parallel_reader as parallel_reader, prefetch_queue as prefetch_queue, python as python, queues as queues,
 regularizers as regularizers, summaries as summaries, tfexample_decoder as tfexample_decoder
)
from ossia.contrib.framework import (
 add_arg_scope as add_arg_scope, add_model_variable as add_model_variable, arg_scope as arg_scope,
 arg_scoped_arguments as arg_scoped_arguments, assert_global_step as assert_global_step,
 assert_or_get_global_step as assert_or_get_global_step, assign_from_checkpoint as assign_from_checkpoint,
 assign_from_checkpoint_fn as assign_from_checkpoint_fn, assign_from_values as assign_from_values,
 assign_from_values_fn as assign_from_values_fn, create_global_step as create_global_step,
 current_arg_scope as current_arg_scope, filter_variables as filter_variables, get_global_step as get_global_step,
 get_local_variables as get_local_variables, get_model_variables as get_model_variables,
 get_or_create_global_step as get_or_create_global_step, get_trainable_variables as get_trainable_variables,
 get_unique_variable as get_unique_variable, get_variable_full_name as get_variable_full_name,
 get_variables as get_variables, get_variables_by_name as get_variables_by_name,
 get_variables_by_suffix as get_variables_by_suffix, get_variables_to_restore as get_variables_to_restore,
 global_variable as global_variable, has_arg_scope as has_arg_scope, local_variable as local_variable,
 model_variable as model_variable, variable as variable
)
from ossia.contrib.layers import (
 OPTIMIZER_CLS_NAMES as OPTIMIZER_CLS_NAMES, OPTIMIZER_SUMMARIES as OPTIMIZER_SUMMARIES,
 SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY as SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY,
 apply_regularization as apply_regularization, avg_pool2d as avg_pool2d, avg_pool3d as avg_pool3d,
 batch_norm as batch_norm, bias_add as bias_add, bow_encoder as bow_encoder, bucketized_column as bucketized_column,
 check_feature_columns as check_feature_columns, conv1d as conv1d, conv2d as conv2d, conv2d_in_plane as conv2d_in_plane,
 conv2d_transpose as conv2d_transpose, conv3d as conv3d, conv3d_transpose as conv3d_transpose,
 convolution as convolution, convolution1d as convolution1d, convolution2d as convolution2d,
 convolution2d_in_plane as convolution2d_in_plane, convolution2d_transpose as convolution2d_transpose,
 convolution3d as convolution3d, convolution3d_transpose as convolution3d_transpose,
 create_feature_spec_for_parsing as create_feature_spec_for_parsing, crossed_column as crossed_column,
 dense_to_sparse as dense_to_sparse, dropout as dropout, elu as elu, embed_sequence as embed_sequence,
 embedding_column as embedding_column, embedding_lookup_unique as embedding_lookup_unique, flatten as flatten,
 fully_connected as fully_connected, group_norm as group_norm, images_to_sequence as images_to_sequence,
 infer_real_valued_columns as infer_real_valued_columns, input_from_feature_columns as input_from_feature_columns,
 instance_norm as instance_norm, joint_weighted_sum_from_feature_columns as joint_weighted_sum_from_feature_columns,
 l1_l2_regularizer as l1_l2_regularizer, l1_regularizer as l1_regularizer, l2_regularizer as l2_regularizer,
 layer_norm as layer_norm, legacy_fully_connected as legacy_fully_connected, legacy_linear as legacy_linear,
 legacy_relu as legacy_relu, linear as linear,
 make_place_holder_tensors_for_base_features as make_place_holder_tensors_for_base_features, max_pool2d as max_pool2d,
 max_pool3d as max_pool3d, maxout as maxout, one_hot_column as one_hot_column, one_hot_encoding as one_hot_encoding,
 optimize_loss as optimize_loss, parse_feature_columns_from_examples as parse_feature_columns_from_examples,
 parse_feature_columns_from_sequence_examples as parse_feature_columns_from_sequence_examples,
 real_valued_column as real_valued_column, relu as relu, relu6 as relu6, repeat as repeat,
 safe_embedding_lookup_sparse as safe_embedding_lookup_sparse, scale_gradient as scale_gradient,
 scattered_embedding_column as scattered_embedding_column, separable_conv2d as separable_conv2d,
 separable_convolution2d as separable_convolution2d,
 sequence_input_from_feature_columns as sequence_input_from_feature_columns, sequence_to_images as sequence_to_images,
 shared_embedding_columns as shared_embedding_columns, softmax as softmax,
 sparse_column_with_hash_bucket as sparse_column_with_hash_bucket,
 sparse_column_with_integerized_feature as sparse_column_with_integerized_feature,
 sparse_column_with_keys as sparse_column_with_keys,
 sparse_column_with_vocabulary_file as sparse_column_with_vocabulary_file, spatial_softmax as spatial_softmax,
 stack as stack, sum_regularizer as sum_regularizer, summarize_activation as summarize_activation,
 summarize_activations as summarize_activations, summarize_collection as summarize_collection,
 summarize_tensor as summarize_tensor, summarize_tensors as summarize_tensors, transform_features as transform_features,
 unit_norm as unit_norm, variance_scaling_initializer as variance_scaling_initializer,
 weighted_sparse_column as weighted_sparse_column,
 weighted_sum_from_feature_columns as weighted_sum_from_feature_columns, xavier_initializer as xavier_initializer,
 xavier_initializer_conv2d as xavier_initializer_conv2d
)
from ossia.contrib.layers.python.layers import utils as utils
from ossia_contrib.framework.arg_scope import arg_scope_func_key as arg_scope_func_key
from ossia_contrib.layers.summaries import (
 summarize_biases as summarize_biases, summarize_variables as summarize_variables,
 summarize_weights as summarize_weights
)

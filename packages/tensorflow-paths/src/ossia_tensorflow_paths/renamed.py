"""Members of private modules of TensorFlow 1.15 that are public under another name."""

from __future__ import annotations

import functools

# A line is a module below `tensorflow.python` and its members, each with its public name below `tf`; a line that begins
# with a space goes on with the module of the one before.
_TABLE = """
eager.function: defun=function
feature_column.feature_column: _bucketized_column=feature_column.bucketized_column
 _categorical_column_with_hash_bucket=feature_column.categorical_column_with_hash_bucket
 _categorical_column_with_identity=feature_column.categorical_column_with_identity
 _categorical_column_with_vocabulary_file=feature_column.categorical_column_with_vocabulary_file
 _categorical_column_with_vocabulary_list=feature_column.categorical_column_with_vocabulary_list
 _crossed_column=feature_column.crossed_column _embedding_column=feature_column.embedding_column
 _indicator_column=feature_column.indicator_column _numeric_column=feature_column.numeric_column
 _weighted_categorical_column=feature_column.weighted_categorical_column
feature_column.feature_column_lib:
 categorical_column_with_vocabulary_file_v2=compat.v2.feature_column.categorical_column_with_vocabulary_file
 shared_embedding_columns_v2=compat.v2.feature_column.shared_embeddings
 make_parse_example_spec_v2=compat.v2.feature_column.make_parse_example_spec
feature_column.feature_column_v2:
 categorical_column_with_vocabulary_file_v2=compat.v2.feature_column.categorical_column_with_vocabulary_file
 shared_embedding_columns_v2=compat.v2.feature_column.shared_embeddings
 make_parse_example_spec_v2=compat.v2.feature_column.make_parse_example_spec
framework.config: get_optimizer_jit=config.optimizer.get_jit set_optimizer_jit=config.optimizer.set_jit
 get_optimizer_experimental_options=config.optimizer.get_experimental_options
 set_optimizer_experimental_options=config.optimizer.set_experimental_options
framework.constant_op: constant_v1=constant
framework.device_spec: DeviceSpecV1=DeviceSpec
framework.random_seed: set_seed=compat.v2.random.set_seed
data.ops.dataset_ops: DatasetV1=data.Dataset DatasetV1Adapter=data.Dataset DatasetV2=compat.v2.data.Dataset
 get_legacy_output_types=data.get_output_types get_legacy_output_shapes=data.get_output_shapes
 get_legacy_output_classes=data.get_output_classes get_structure=data.experimental.get_structure
 DatasetStructure=data.DatasetSpec
data.ops.readers: TFRecordDatasetV1=data.TFRecordDataset TFRecordDatasetV2=compat.v2.data.TFRecordDataset
 TextLineDatasetV1=data.TextLineDataset TextLineDatasetV2=compat.v2.data.TextLineDataset
 FixedLengthRecordDatasetV1=data.FixedLengthRecordDataset
 FixedLengthRecordDatasetV2=compat.v2.data.FixedLengthRecordDataset
data.experimental.ops.counter: CounterV1=data.experimental.Counter CounterV2=compat.v2.data.experimental.Counter
data.experimental.ops.random_ops: RandomDatasetV1=data.experimental.RandomDataset
 RandomDatasetV2=compat.v2.data.experimental.RandomDataset
data.experimental.ops.readers: CsvDatasetV1=data.experimental.CsvDataset
 CsvDatasetV2=compat.v2.data.experimental.CsvDataset SqlDatasetV1=data.experimental.SqlDataset
 SqlDatasetV2=compat.v2.data.experimental.SqlDataset make_csv_dataset_v1=data.experimental.make_csv_dataset
 make_csv_dataset_v2=data.experimental.make_csv_dataset
 make_batched_features_dataset_v1=data.experimental.make_batched_features_dataset
 make_batched_features_dataset_v2=data.experimental.make_batched_features_dataset
data.experimental.ops.interleave_ops: sample_from_datasets_v1=data.experimental.sample_from_datasets
 sample_from_datasets_v2=data.experimental.sample_from_datasets
 choose_from_datasets_v1=data.experimental.choose_from_datasets
 choose_from_datasets_v2=data.experimental.choose_from_datasets
data.experimental.ops.stats_aggregator: StatsAggregatorV1=data.experimental.StatsAggregator
 StatsAggregatorV2=compat.v2.data.experimental.StatsAggregator
framework.versions: __version__=VERSION __git_version__=GIT_VERSION __compiler_version__=COMPILER_VERSION
 __cxx11_abi_flag__=sysconfig.CXX11_ABI_FLAG __monolithic_build__=sysconfig.MONOLITHIC_BUILD
layers.base: set_keras_style=layers.experimental.set_keras_style
 keras_style_scope=layers.experimental.keras_style_scope
layers.convolutional: Convolution1D=layers.Conv1D Convolution2D=layers.Conv2D Convolution3D=layers.Conv3D
 SeparableConvolution2D=layers.SeparableConv2D Convolution2DTranspose=layers.Conv2DTranspose
 Deconvolution2D=layers.Conv2DTranspose Deconv2D=layers.Conv2DTranspose Convolution3DTranspose=layers.Conv3DTranspose
 Deconvolution3D=layers.Conv3DTranspose Deconv3D=layers.Conv3DTranspose convolution1d=layers.conv1d
 convolution2d=layers.conv2d convolution3d=layers.conv3d separable_convolution2d=layers.separable_conv2d
 convolution2d_transpose=layers.conv2d_transpose deconvolution2d=layers.conv2d_transpose
 deconv2d=layers.conv2d_transpose convolution3d_transpose=layers.conv3d_transpose
 deconvolution3d=layers.conv3d_transpose deconv3d=layers.conv3d_transpose
layers.core: FullyConnected=layers.Dense fully_connected=layers.dense
layers.normalization: BatchNorm=layers.BatchNormalization batch_norm=layers.batch_normalization
layers.pooling: AvgPool2D=layers.AveragePooling2D MaxPool2D=layers.MaxPooling2D max_pool2d=layers.max_pooling2d
 avg_pool2d=layers.average_pooling2d
lib.io.file_io: file_exists_v2=io.gfile.exists delete_file_v2=io.gfile.remove get_matching_files_v2=io.gfile.glob
 create_dir_v2=io.gfile.mkdir recursive_create_dir_v2=io.gfile.makedirs copy_v2=io.gfile.copy
 rename_v2=io.gfile.rename delete_recursively_v2=io.gfile.rmtree is_directory_v2=io.gfile.isdir
 list_directory_v2=io.gfile.listdir walk_v2=io.gfile.walk stat_v2=io.gfile.stat
ops.batch_ops: batch_function=nondifferentiable_batch_function
ops.check_ops: assert_negative_v2=compat.v2.debugging.assert_negative
 assert_positive_v2=compat.v2.debugging.assert_positive assert_non_negative_v2=compat.v2.debugging.assert_non_negative
 assert_non_positive_v2=compat.v2.debugging.assert_non_positive assert_equal_v2=compat.v2.debugging.assert_equal
 assert_none_equal_v2=compat.v2.debugging.assert_none_equal assert_near_v2=compat.v2.debugging.assert_near
 assert_less_v2=compat.v2.debugging.assert_less assert_less_equal_v2=compat.v2.debugging.assert_less_equal
 assert_greater_v2=compat.v2.debugging.assert_greater assert_greater_equal_v2=compat.v2.debugging.assert_greater_equal
 assert_rank_v2=compat.v2.debugging.assert_rank assert_rank_at_least_v2=compat.v2.debugging.assert_rank_at_least
 assert_rank_in_v2=compat.v2.debugging.assert_rank_in assert_integer_v2=compat.v2.debugging.assert_integer
 assert_type_v2=compat.v2.debugging.assert_type assert_shapes_v2=compat.v2.debugging.assert_shapes
 assert_scalar_v2=compat.v2.debugging.assert_scalar
ops.confusion_matrix: confusion_matrix_v1=math.confusion_matrix
ops.embedding_ops: embedding_lookup_v2=compat.v2.nn.embedding_lookup
 embedding_lookup_sparse_v2=compat.v2.nn.embedding_lookup_sparse
 safe_embedding_lookup_sparse_v2=compat.v2.nn.safe_embedding_lookup_sparse
ops.init_ops: identity_initializer=initializers.identity
ops.linalg.linalg_impl: matrix_exponential=linalg.expm
ops.logging_ops: print_v2=print
ops.lookup_ops: StaticHashTableV1=lookup.StaticHashTable StaticVocabularyTableV1=lookup.StaticVocabularyTable
ops.math_ops: reduce_mean_v1=math.reduce_mean matvec=linalg.matvec bincount_v1=math.bincount
 sparse_segment_sum_v2=compat.v2.sparse.segment_sum sparse_segment_mean_v2=compat.v2.sparse.segment_mean
 sparse_segment_sqrt_n_v2=compat.v2.sparse.segment_sqrt_n
ops.nn_impl: normalize=linalg.normalize nce_loss_v2=compat.v2.nn.nce_loss
 sampled_softmax_loss_v2=compat.v2.nn.sampled_softmax_loss
ops.nn_ops: dilation2d_v1=nn.dilation2d conv3d_v1=nn.conv3d max_pool_with_argmax_v1=nn.max_pool_with_argmax
 dropout_v2=compat.v2.nn.dropout fractional_max_pool_v2=compat.v2.nn.fractional_max_pool
 fractional_avg_pool_v2=compat.v2.nn.fractional_avg_pool
ops.numerics: verify_tensor_all_finite_v2=compat.v2.debugging.assert_all_finite
ops.parsing_ops: decode_raw_v1=io.decode_raw decode_raw=compat.v2.io.decode_raw
 parse_example_v2=compat.v2.io.parse_example decode_csv_v2=compat.v2.io.decode_csv
 parse_single_example_v2_unoptimized=compat.v2.io.parse_single_example
ops.ragged.ragged_string_ops: string_bytes_split=strings.bytes_split string_split_v2=compat.v2.strings.split
 strings_split_v1=strings.split
ops.random_ops: random_poisson_v2=compat.v2.random.poisson
ops.script_ops: eager_py_func=py_function
ops.sparse_ops: sparse_cross=sparse.cross sparse_expand_dims=sparse.expand_dims sparse_eye=sparse.eye
 sparse_concat_v2=compat.v2.sparse.concat sparse_add_v2=compat.v2.sparse.add sparse_cross_hashed=sparse.cross_hashed
 sparse_split_v2=compat.v2.sparse.split sparse_reduce_max_v2=compat.v2.sparse.reduce_max
 sparse_reduce_sum_v2=compat.v2.sparse.reduce_sum serialize_sparse_v2=compat.v2.io.serialize_sparse
 serialize_many_sparse_v2=compat.v2.io.serialize_many_sparse
ops.standard_ops: Variable=compat.v2.Variable stateless_random_uniform=random.stateless_uniform
 stateless_random_normal=random.stateless_normal stateless_truncated_normal=random.stateless_truncated_normal
 sparse_cross=sparse.cross string_to_hash_bucket=strings.to_hash_bucket string_to_number=strings.to_number
ops.stateless_random_ops: stateless_random_uniform=random.stateless_uniform
 stateless_random_normal=random.stateless_normal stateless_truncated_normal=random.stateless_truncated_normal
 stateless_categorical=random.stateless_categorical
ops.string_ops: string_format=strings.format string_to_number_v1=strings.to_number
 string_to_hash_bucket_v1=strings.to_hash_bucket
ops.variables: Variable=compat.v2.Variable VariableAggregationV2=compat.v2.VariableAggregation
platform.benchmark: TensorFlowBenchmark=test.Benchmark
platform.tf_logging: get_logger=get_logger
training.summary_io: SummaryWriterCache=summary.FileWriterCache
pywrap_tensorflow: IsGoogleCudaEnabled=test.is_built_with_cuda
training.experimental.mixed_precision:
 enable_mixed_precision_graph_rewrite_v1=train.experimental.enable_mixed_precision_graph_rewrite
 disable_mixed_precision_graph_rewrite_v1=train.experimental.disable_mixed_precision_graph_rewrite
"""


@functools.cache
def _renamed() -> dict[str, str]:
    found = {}
    module = ""
    for line in _TABLE.splitlines():
        start, _, words = line.partition(" ")
        module = start.rstrip(":") or module
        for word in words.split():
            name, _, target = word.partition("=")
            found[f"python.{module}.{name}"] = target
    return found


def public_name(inner: str) -> str | None:
    """The public name of the member `tensorflow.<inner>`; None if it is not renamed."""
    return _renamed().get(inner)

"""Which package has which public names, for the message when it is not installed. Written by `python -m ossia_core.api_stubs packages`; do not edit."""

NAMES: dict[str, str] = {
    "ossia-checkpoint": """
compat.v2.train.checkpoints_iterator compat.v2.train.get_checkpoint_state compat.v2.train.latest_checkpoint
compat.v2.train.list_variables compat.v2.train.load_checkpoint compat.v2.train.load_variable
pywrap_tensorflow.NewCheckpointReader train.NewCheckpointReader train.Saver train.VocabInfo train.checkpoint_exists
train.checkpoints_iterator train.export_meta_graph train.generate_checkpoint_state_proto train.get_checkpoint_mtimes
train.get_checkpoint_state train.import_meta_graph train.init_from_checkpoint train.latest_checkpoint
train.list_variables train.load_checkpoint train.load_variable train.remove_checkpoint train.update_checkpoint_state
train.warm_start
""",
    "ossia-debugging": """
add_check_numerics_ops assert_equal assert_greater assert_greater_equal assert_integer assert_less assert_less_equal
assert_near assert_negative assert_non_negative assert_non_positive assert_none_equal assert_positive
assert_proper_iterable assert_rank assert_rank_at_least assert_rank_in assert_same_float_dtype assert_scalar assert_type
check_numerics compat.v2.assert_equal compat.v2.assert_greater compat.v2.assert_less compat.v2.assert_rank
compat.v2.debugging.assert_all_finite compat.v2.debugging.assert_equal compat.v2.debugging.assert_greater
compat.v2.debugging.assert_greater_equal compat.v2.debugging.assert_integer compat.v2.debugging.assert_less
compat.v2.debugging.assert_less_equal compat.v2.debugging.assert_near compat.v2.debugging.assert_negative
compat.v2.debugging.assert_non_negative compat.v2.debugging.assert_non_positive compat.v2.debugging.assert_none_equal
compat.v2.debugging.assert_positive compat.v2.debugging.assert_proper_iterable compat.v2.debugging.assert_rank
compat.v2.debugging.assert_rank_at_least compat.v2.debugging.assert_rank_in compat.v2.debugging.assert_same_float_dtype
compat.v2.debugging.assert_scalar compat.v2.debugging.assert_shapes compat.v2.debugging.assert_type
compat.v2.debugging.check_numerics compat.v2.debugging.get_log_device_placement compat.v2.debugging.is_numeric_tensor
compat.v2.debugging.set_log_device_placement compat.v2.math.is_non_decreasing compat.v2.math.is_strictly_increasing
debugging.assert_all_finite debugging.assert_equal debugging.assert_greater debugging.assert_greater_equal
debugging.assert_integer debugging.assert_less debugging.assert_less_equal debugging.assert_near
debugging.assert_negative debugging.assert_non_negative debugging.assert_non_positive debugging.assert_none_equal
debugging.assert_positive debugging.assert_proper_iterable debugging.assert_rank debugging.assert_rank_at_least
debugging.assert_rank_in debugging.assert_same_float_dtype debugging.assert_scalar debugging.assert_shapes
debugging.assert_type debugging.check_numerics debugging.get_log_device_placement debugging.is_non_decreasing
debugging.is_numeric_tensor debugging.is_strictly_increasing debugging.set_log_device_placement is_non_decreasing
is_numeric_tensor is_strictly_increasing math.is_non_decreasing math.is_strictly_increasing verify_tensor_all_finite
""",
    "ossia-distribute": """
train.SyncReplicasOptimizer
""",
    "ossia-io": """
FixedLenFeature FixedLenSequenceFeature SparseFeature VarLenFeature audio.decode_wav audio.encode_wav
compat.v2.audio.decode_wav compat.v2.audio.encode_wav compat.v2.io.FixedLenFeature compat.v2.io.FixedLenSequenceFeature
compat.v2.io.SparseFeature compat.v2.io.TFRecordOptions compat.v2.io.TFRecordWriter compat.v2.io.VarLenFeature
compat.v2.io.decode_base64 compat.v2.io.decode_compressed compat.v2.io.decode_csv compat.v2.io.decode_json_example
compat.v2.io.decode_proto compat.v2.io.decode_raw compat.v2.io.deserialize_many_sparse compat.v2.io.encode_base64
compat.v2.io.encode_proto compat.v2.io.gfile.GFile compat.v2.io.gfile.copy compat.v2.io.gfile.exists
compat.v2.io.gfile.glob compat.v2.io.gfile.isdir compat.v2.io.gfile.listdir compat.v2.io.gfile.makedirs
compat.v2.io.gfile.mkdir compat.v2.io.gfile.remove compat.v2.io.gfile.rename compat.v2.io.gfile.rmtree
compat.v2.io.gfile.stat compat.v2.io.gfile.walk compat.v2.io.matching_files compat.v2.io.parse_example
compat.v2.io.parse_sequence_example compat.v2.io.parse_single_example compat.v2.io.parse_single_sequence_example
compat.v2.io.parse_tensor compat.v2.io.read_file compat.v2.io.serialize_many_sparse compat.v2.io.serialize_sparse
compat.v2.io.serialize_tensor compat.v2.io.write_file compat.v2.io.write_graph decode_base64 decode_compressed
decode_csv decode_json_example decode_raw deserialize_many_sparse encode_base64 gfile.Copy gfile.DeleteRecursively
gfile.Exists gfile.FastGFile gfile.GFile gfile.Glob gfile.IsDirectory gfile.ListDirectory gfile.MakeDirs gfile.MkDir
gfile.Open gfile.Remove gfile.Rename gfile.Stat gfile.Walk io.FixedLenFeature io.FixedLenSequenceFeature
io.SparseFeature io.TFRecordCompressionType io.TFRecordOptions io.TFRecordWriter io.VarLenFeature io.decode_base64
io.decode_compressed io.decode_csv io.decode_json_example io.decode_proto io.decode_raw io.deserialize_many_sparse
io.encode_base64 io.encode_proto io.gfile.GFile io.gfile.copy io.gfile.exists io.gfile.glob io.gfile.isdir
io.gfile.listdir io.gfile.makedirs io.gfile.mkdir io.gfile.remove io.gfile.rename io.gfile.rmtree io.gfile.stat
io.gfile.walk io.matching_files io.parse_example io.parse_sequence_example io.parse_single_example
io.parse_single_sequence_example io.parse_tensor io.read_file io.serialize_many_sparse io.serialize_sparse
io.serialize_tensor io.tf_record_iterator io.write_file io.write_graph matching_files parse_example parse_single_example
parse_single_sequence_example parse_tensor python_io.TFRecordCompressionType python_io.TFRecordOptions
python_io.TFRecordWriter python_io.tf_record_iterator read_file serialize_many_sparse serialize_sparse serialize_tensor
train.write_graph write_file
""",
    "ossia-nn": """
compat.v2.nn.compute_average_loss compat.v2.nn.nce_loss compat.v2.nn.sampled_softmax_loss
compat.v2.nn.scale_regularization_loss constant_initializer glorot_normal_initializer glorot_uniform_initializer
initializers.constant initializers.glorot_normal initializers.glorot_uniform initializers.he_normal
initializers.he_uniform initializers.identity initializers.lecun_normal initializers.lecun_uniform initializers.ones
initializers.orthogonal initializers.random_normal initializers.random_uniform initializers.truncated_normal
initializers.uniform_unit_scaling initializers.variance_scaling initializers.zeros keras.activations.deserialize
keras.activations.elu keras.activations.exponential keras.activations.get keras.activations.hard_sigmoid
keras.activations.linear keras.activations.relu keras.activations.selu keras.activations.serialize
keras.activations.sigmoid keras.activations.softmax keras.activations.softplus keras.activations.softsign
keras.activations.tanh keras.constraints.Constraint keras.constraints.MaxNorm keras.constraints.MinMaxNorm
keras.constraints.NonNeg keras.constraints.RadialConstraint keras.constraints.UnitNorm keras.constraints.deserialize
keras.constraints.get keras.constraints.max_norm keras.constraints.min_max_norm keras.constraints.non_neg
keras.constraints.radial_constraint keras.constraints.serialize keras.constraints.unit_norm keras.initializers.Constant
keras.initializers.Identity keras.initializers.Initializer keras.initializers.Ones keras.initializers.Orthogonal
keras.initializers.RandomNormal keras.initializers.RandomUniform keras.initializers.TruncatedNormal
keras.initializers.VarianceScaling keras.initializers.Zeros keras.initializers.constant keras.initializers.deserialize
keras.initializers.get keras.initializers.glorot_normal keras.initializers.glorot_uniform keras.initializers.he_normal
keras.initializers.he_uniform keras.initializers.identity keras.initializers.lecun_normal
keras.initializers.lecun_uniform keras.initializers.normal keras.initializers.ones keras.initializers.orthogonal
keras.initializers.random_normal keras.initializers.random_uniform keras.initializers.serialize
keras.initializers.truncated_normal keras.initializers.uniform keras.initializers.zeros keras.regularizers.L1L2
keras.regularizers.Regularizer keras.regularizers.deserialize keras.regularizers.get keras.regularizers.l1
keras.regularizers.l1_l2 keras.regularizers.l2 keras.regularizers.serialize layers.AveragePooling1D
layers.AveragePooling2D layers.AveragePooling3D layers.BatchNormalization layers.Conv1D layers.Conv2D
layers.Conv2DTranspose layers.Conv3D layers.Conv3DTranspose layers.Dense layers.Dropout layers.Flatten layers.InputSpec
layers.Layer layers.MaxPooling1D layers.MaxPooling2D layers.MaxPooling3D layers.SeparableConv1D layers.SeparableConv2D
layers.average_pooling1d layers.average_pooling2d layers.average_pooling3d layers.batch_normalization layers.conv1d
layers.conv2d layers.conv2d_transpose layers.conv3d layers.conv3d_transpose layers.dense layers.dropout
layers.experimental.keras_style_scope layers.experimental.set_keras_style layers.flatten layers.max_pooling1d
layers.max_pooling2d layers.max_pooling3d layers.separable_conv1d layers.separable_conv2d losses.Reduction
losses.absolute_difference losses.add_loss losses.compute_weighted_loss losses.cosine_distance losses.get_losses
losses.get_regularization_loss losses.get_regularization_losses losses.get_total_loss losses.hinge_loss
losses.huber_loss losses.log_loss losses.mean_pairwise_squared_error losses.mean_squared_error
losses.sigmoid_cross_entropy losses.softmax_cross_entropy losses.sparse_softmax_cross_entropy metrics.accuracy
metrics.auc metrics.average_precision_at_k metrics.false_negatives metrics.false_negatives_at_thresholds
metrics.false_positives metrics.false_positives_at_thresholds metrics.mean metrics.mean_absolute_error
metrics.mean_cosine_distance metrics.mean_iou metrics.mean_per_class_accuracy metrics.mean_relative_error
metrics.mean_squared_error metrics.mean_tensor metrics.percentage_below metrics.precision metrics.precision_at_k
metrics.precision_at_thresholds metrics.precision_at_top_k metrics.recall metrics.recall_at_k
metrics.recall_at_thresholds metrics.recall_at_top_k metrics.root_mean_squared_error metrics.sensitivity_at_specificity
metrics.sparse_average_precision_at_k metrics.sparse_precision_at_k metrics.specificity_at_sensitivity
metrics.true_negatives metrics.true_negatives_at_thresholds metrics.true_positives metrics.true_positives_at_thresholds
nn.bidirectional_dynamic_rnn nn.compute_average_loss nn.dynamic_rnn nn.nce_loss nn.raw_rnn nn.rnn_cell.BasicLSTMCell
nn.rnn_cell.BasicRNNCell nn.rnn_cell.DeviceWrapper nn.rnn_cell.DropoutWrapper nn.rnn_cell.GRUCell nn.rnn_cell.LSTMCell
nn.rnn_cell.LSTMStateTuple nn.rnn_cell.MultiRNNCell nn.rnn_cell.RNNCell nn.rnn_cell.ResidualWrapper
nn.sampled_softmax_loss nn.scale_regularization_loss nn.static_bidirectional_rnn nn.static_rnn
nn.static_state_saving_rnn ones_initializer orthogonal_initializer random_normal_initializer random_uniform_initializer
truncated_normal_initializer uniform_unit_scaling_initializer variance_scaling_initializer zeros_initializer
""",
    "ossia-ops": """
Print RaggedTensor RaggedTensorSpec _operators _sparse_operators abs accumulate_n acos acosh add add_n angle arg_max
arg_min argmax argmin argsort as_string asin asinh atan atan2 atanh batch_gather batch_matmul batch_scatter_update
batch_to_space batch_to_space_nd betainc bincount bitcast bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor
bitwise.invert bitwise.left_shift bitwise.right_shift boolean_mask broadcast_dynamic_shape broadcast_static_shape
broadcast_to cast ceil cholesky cholesky_solve clip_by_average_norm clip_by_global_norm clip_by_norm clip_by_value
compat.v2.RaggedTensor compat.v2.RaggedTensorSpec compat.v2.as_string compat.v2.eye compat.v2.linalg.LinearOperator
compat.v2.linalg.LinearOperatorAdjoint compat.v2.linalg.LinearOperatorBlockDiag compat.v2.linalg.LinearOperatorCirculant
compat.v2.linalg.LinearOperatorCirculant2D compat.v2.linalg.LinearOperatorCirculant3D
compat.v2.linalg.LinearOperatorComposition compat.v2.linalg.LinearOperatorDiag compat.v2.linalg.LinearOperatorFullMatrix
compat.v2.linalg.LinearOperatorHouseholder compat.v2.linalg.LinearOperatorIdentity
compat.v2.linalg.LinearOperatorInversion compat.v2.linalg.LinearOperatorKronecker
compat.v2.linalg.LinearOperatorLowRankUpdate compat.v2.linalg.LinearOperatorLowerTriangular
compat.v2.linalg.LinearOperatorScaledIdentity compat.v2.linalg.LinearOperatorToeplitz
compat.v2.linalg.LinearOperatorZeros compat.v2.linalg.cholesky compat.v2.linalg.cholesky_solve compat.v2.linalg.det
compat.v2.linalg.eigh compat.v2.linalg.eigvalsh compat.v2.linalg.expm compat.v2.linalg.eye compat.v2.linalg.inv
compat.v2.linalg.logdet compat.v2.linalg.logm compat.v2.linalg.lstsq compat.v2.linalg.lu compat.v2.linalg.matrix_rank
compat.v2.linalg.normalize compat.v2.linalg.pinv compat.v2.linalg.qr compat.v2.linalg.slogdet compat.v2.linalg.solve
compat.v2.linalg.sqrtm compat.v2.linalg.triangular_solve compat.v2.linalg.tridiagonal_matmul
compat.v2.linalg.tridiagonal_solve compat.v2.lookup.KeyValueTensorInitializer compat.v2.lookup.StaticHashTable
compat.v2.lookup.StaticVocabularyTable compat.v2.lookup.TextFileIndex compat.v2.lookup.TextFileInitializer
compat.v2.lookup.experimental.DenseHashTable compat.v2.nn.collapse_repeated compat.v2.nn.ctc_beam_search_decoder
compat.v2.nn.ctc_loss compat.v2.nn.ctc_unique_labels compat.v2.nn.dropout compat.v2.nn.embedding_lookup
compat.v2.nn.embedding_lookup_sparse compat.v2.nn.fractional_avg_pool compat.v2.nn.fractional_max_pool
compat.v2.nn.safe_embedding_lookup_sparse compat.v2.ragged.boolean_mask compat.v2.ragged.constant
compat.v2.ragged.map_flat_values compat.v2.ragged.range compat.v2.ragged.row_splits_to_segment_ids
compat.v2.ragged.segment_ids_to_row_splits compat.v2.ragged.stack compat.v2.ragged.stack_dynamic_partitions
compat.v2.random.all_candidate_sampler compat.v2.random.categorical compat.v2.random.experimental.Generator
compat.v2.random.experimental.create_rng_state compat.v2.random.experimental.get_global_generator
compat.v2.random.experimental.set_global_generator compat.v2.random.fixed_unigram_candidate_sampler
compat.v2.random.gamma compat.v2.random.learned_unigram_candidate_sampler compat.v2.random.log_uniform_candidate_sampler
compat.v2.random.normal compat.v2.random.poisson compat.v2.random.shuffle compat.v2.random.stateless_categorical
compat.v2.random.stateless_normal compat.v2.random.stateless_truncated_normal compat.v2.random.stateless_uniform
compat.v2.random.truncated_normal compat.v2.random.uniform compat.v2.random.uniform_candidate_sampler
compat.v2.signal.dct compat.v2.signal.fft compat.v2.signal.fft2d compat.v2.signal.fft3d compat.v2.signal.fftshift
compat.v2.signal.frame compat.v2.signal.hamming_window compat.v2.signal.hann_window compat.v2.signal.idct
compat.v2.signal.ifft compat.v2.signal.ifft2d compat.v2.signal.ifft3d compat.v2.signal.ifftshift
compat.v2.signal.inverse_stft compat.v2.signal.inverse_stft_window_fn compat.v2.signal.irfft compat.v2.signal.irfft2d
compat.v2.signal.irfft3d compat.v2.signal.linear_to_mel_weight_matrix compat.v2.signal.mfccs_from_log_mel_spectrograms
compat.v2.signal.overlap_and_add compat.v2.signal.rfft compat.v2.signal.rfft2d compat.v2.signal.rfft3d
compat.v2.signal.stft compat.v2.sparse.add compat.v2.sparse.concat compat.v2.sparse.cross compat.v2.sparse.cross_hashed
compat.v2.sparse.expand_dims compat.v2.sparse.eye compat.v2.sparse.fill_empty_rows compat.v2.sparse.from_dense
compat.v2.sparse.mask compat.v2.sparse.maximum compat.v2.sparse.minimum compat.v2.sparse.reduce_max
compat.v2.sparse.reduce_sum compat.v2.sparse.reorder compat.v2.sparse.reset_shape compat.v2.sparse.reshape
compat.v2.sparse.retain compat.v2.sparse.segment_mean compat.v2.sparse.segment_sqrt_n compat.v2.sparse.segment_sum
compat.v2.sparse.slice compat.v2.sparse.softmax compat.v2.sparse.sparse_dense_matmul compat.v2.sparse.split
compat.v2.sparse.to_dense compat.v2.sparse.to_indicator compat.v2.sparse.transpose compat.v2.strings.as_string
compat.v2.strings.bytes_split compat.v2.strings.format compat.v2.strings.join compat.v2.strings.length
compat.v2.strings.lower compat.v2.strings.ngrams compat.v2.strings.reduce_join compat.v2.strings.regex_full_match
compat.v2.strings.regex_replace compat.v2.strings.split compat.v2.strings.strip compat.v2.strings.substr
compat.v2.strings.to_hash_bucket compat.v2.strings.to_hash_bucket_fast compat.v2.strings.to_hash_bucket_strong
compat.v2.strings.to_number compat.v2.strings.unicode_decode compat.v2.strings.unicode_decode_with_offsets
compat.v2.strings.unicode_encode compat.v2.strings.unicode_script compat.v2.strings.unicode_split
compat.v2.strings.unicode_split_with_offsets compat.v2.strings.unicode_transcode compat.v2.strings.unsorted_segment_join
compat.v2.strings.upper compat.v2.timestamp complex complex_abs concat concat_v2 confusion_matrix conj cos cosh
count_nonzero count_up_to cross cumprod cumsum debugging.is_finite debugging.is_inf debugging.is_nan depth_to_space
dequantize diag diag_part digamma div div_no_nan divide dtypes.as_string dtypes.cast dtypes.complex dtypes.saturate_cast
dynamic_partition dynamic_stitch edit_distance einsum ensure_shape equal erf erfc exp expand_dims expm1
extract_image_patches extract_volume_patches eye fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient
fake_quant_with_min_max_vars fake_quant_with_min_max_vars_gradient fake_quant_with_min_max_vars_per_channel
fake_quant_with_min_max_vars_per_channel_gradient fft fft2d fft3d fill fingerprint floor floor_div floordiv floormod
foldl foldr gather gather_nd global_norm greater greater_equal guarantee_const histogram_fixed_width
histogram_fixed_width_bins ifft ifft2d ifft3d igamma igammac imag image.extract_image_patches image.extract_patches
image.random_crop initialize_all_tables initializers.tables_initializer inv invert_permutation is_finite is_inf is_nan
lbeta less less_equal lgamma lin_space linalg.LinearOperator linalg.LinearOperatorAdjoint linalg.LinearOperatorBlockDiag
linalg.LinearOperatorCirculant linalg.LinearOperatorCirculant2D linalg.LinearOperatorCirculant3D
linalg.LinearOperatorComposition linalg.LinearOperatorDiag linalg.LinearOperatorFullMatrix
linalg.LinearOperatorHouseholder linalg.LinearOperatorIdentity linalg.LinearOperatorInversion
linalg.LinearOperatorKronecker linalg.LinearOperatorLowRankUpdate linalg.LinearOperatorLowerTriangular
linalg.LinearOperatorScaledIdentity linalg.LinearOperatorToeplitz linalg.LinearOperatorZeros linalg.adjoint
linalg.band_part linalg.cholesky linalg.cholesky_solve linalg.cross linalg.det linalg.diag linalg.diag_part linalg.eigh
linalg.eigvalsh linalg.einsum linalg.expm linalg.eye linalg.global_norm linalg.inv linalg.l2_normalize linalg.logdet
linalg.logm linalg.lstsq linalg.lu linalg.matmul linalg.matrix_rank linalg.matrix_transpose linalg.matvec linalg.norm
linalg.normalize linalg.pinv linalg.qr linalg.set_diag linalg.slogdet linalg.solve linalg.sqrtm linalg.svd
linalg.tensor_diag linalg.tensor_diag_part linalg.tensordot linalg.trace linalg.transpose linalg.triangular_solve
linalg.tridiagonal_matmul linalg.tridiagonal_solve linspace listdiff log log1p log_sigmoid logical_and logical_not
logical_or logical_xor lookup.KeyValueTensorInitializer lookup.StaticHashTable lookup.StaticVocabularyTable
lookup.TextFileIndex lookup.TextFileInitializer lookup.experimental.DenseHashTable manip.batch_to_space_nd
manip.gather_nd manip.reshape manip.reverse manip.roll manip.scatter_nd manip.space_to_batch_nd manip.tile map_fn
math.abs math.accumulate_n math.acos math.acosh math.add math.add_n math.angle math.argmax math.argmin math.asin
math.asinh math.atan math.atan2 math.atanh math.bessel_i0 math.bessel_i0e math.bessel_i1 math.bessel_i1e math.betainc
math.bincount math.ceil math.confusion_matrix math.conj math.cos math.cosh math.count_nonzero math.cumprod math.cumsum
math.cumulative_logsumexp math.digamma math.divide math.divide_no_nan math.equal math.erf math.erfc math.exp math.expm1
math.floor math.floordiv math.floormod math.greater math.greater_equal math.igamma math.igammac math.imag math.in_top_k
math.invert_permutation math.is_finite math.is_inf math.is_nan math.l2_normalize math.lbeta math.less math.less_equal
math.lgamma math.log math.log1p math.log_sigmoid math.log_softmax math.logical_and math.logical_not math.logical_or
math.logical_xor math.maximum math.minimum math.mod math.multiply math.multiply_no_nan math.negative math.nextafter
math.not_equal math.polygamma math.polyval math.pow math.real math.reciprocal math.reciprocal_no_nan math.reduce_all
math.reduce_any math.reduce_euclidean_norm math.reduce_logsumexp math.reduce_max math.reduce_mean math.reduce_min
math.reduce_prod math.reduce_std math.reduce_sum math.reduce_variance math.rint math.round math.rsqrt math.scalar_mul
math.segment_max math.segment_mean math.segment_min math.segment_prod math.segment_sum math.sigmoid math.sign math.sin
math.sinh math.softmax math.softplus math.softsign math.sqrt math.square math.squared_difference math.subtract math.tan
math.tanh math.top_k math.truediv math.unsorted_segment_max math.unsorted_segment_mean math.unsorted_segment_min
math.unsorted_segment_prod math.unsorted_segment_sqrt_n math.unsorted_segment_sum math.xdivy math.xlogy
math.zero_fraction math.zeta matmul matrix_band_part matrix_determinant matrix_diag matrix_diag_part matrix_inverse
matrix_set_diag matrix_solve matrix_solve_ls matrix_square_root matrix_transpose matrix_triangular_solve maximum
meshgrid minimum mod mul multinomial multiply neg negative newaxis nn.all_candidate_sampler nn.atrous_conv2d
nn.atrous_conv2d_transpose nn.avg_pool nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d nn.avg_pool_v2
nn.batch_norm_with_global_normalization nn.batch_normalization nn.bias_add nn.collapse_repeated
nn.compute_accidental_hits nn.conv1d nn.conv1d_transpose nn.conv2d nn.conv2d_backprop_filter nn.conv2d_backprop_input
nn.conv2d_transpose nn.conv3d nn.conv3d_backprop_filter nn.conv3d_backprop_filter_v2 nn.conv3d_transpose
nn.conv_transpose nn.convolution nn.crelu nn.ctc_beam_search_decoder nn.ctc_beam_search_decoder_v2 nn.ctc_greedy_decoder
nn.ctc_loss nn.ctc_loss_v2 nn.ctc_unique_labels nn.depth_to_space nn.depthwise_conv2d
nn.depthwise_conv2d_backprop_filter nn.depthwise_conv2d_backprop_input nn.depthwise_conv2d_native
nn.depthwise_conv2d_native_backprop_filter nn.depthwise_conv2d_native_backprop_input nn.dilation2d nn.dropout nn.elu
nn.embedding_lookup nn.embedding_lookup_sparse nn.erosion2d nn.fixed_unigram_candidate_sampler nn.fractional_avg_pool
nn.fractional_max_pool nn.fused_batch_norm nn.in_top_k nn.l2_loss nn.l2_normalize nn.leaky_relu
nn.learned_unigram_candidate_sampler nn.local_response_normalization nn.log_poisson_loss nn.log_softmax
nn.log_uniform_candidate_sampler nn.lrn nn.max_pool nn.max_pool1d nn.max_pool2d nn.max_pool3d nn.max_pool_v2
nn.max_pool_with_argmax nn.moments nn.normalize_moments nn.pool nn.quantized_avg_pool nn.quantized_conv2d
nn.quantized_max_pool nn.quantized_relu_x nn.relu nn.relu6 nn.relu_layer nn.safe_embedding_lookup_sparse nn.selu
nn.separable_conv2d nn.sigmoid nn.sigmoid_cross_entropy_with_logits nn.softmax nn.softmax_cross_entropy_with_logits
nn.softmax_cross_entropy_with_logits_v2 nn.softplus nn.softsign nn.space_to_batch nn.space_to_depth
nn.sparse_softmax_cross_entropy_with_logits nn.sufficient_statistics nn.swish nn.tanh nn.top_k
nn.uniform_candidate_sampler nn.weighted_cross_entropy_with_logits nn.weighted_moments nn.with_space_to_batch
nn.xw_plus_b nn.zero_fraction norm not_equal numpy_function one_hot ones ones_like pack pad parallel_stack polygamma pow
print py_func py_function qr quantization.dequantize quantization.fake_quant_with_min_max_args
quantization.fake_quant_with_min_max_args_gradient quantization.fake_quant_with_min_max_vars
quantization.fake_quant_with_min_max_vars_gradient quantization.fake_quant_with_min_max_vars_per_channel
quantization.fake_quant_with_min_max_vars_per_channel_gradient quantization.quantize
quantization.quantize_and_dequantize quantization.quantized_concat quantize quantize_v2 quantized_concat
ragged.RaggedTensorValue ragged.boolean_mask ragged.constant ragged.constant_value ragged.map_flat_values
ragged.placeholder ragged.range ragged.row_splits_to_segment_ids ragged.segment_ids_to_row_splits ragged.stack
ragged.stack_dynamic_partitions random.all_candidate_sampler random.categorical random.experimental.Generator
random.experimental.create_rng_state random.experimental.get_global_generator random.experimental.set_global_generator
random.fixed_unigram_candidate_sampler random.gamma random.learned_unigram_candidate_sampler
random.log_uniform_candidate_sampler random.multinomial random.normal random.poisson random.shuffle
random.stateless_categorical random.stateless_multinomial random.stateless_normal random.stateless_truncated_normal
random.stateless_uniform random.truncated_normal random.uniform random.uniform_candidate_sampler random_crop
random_gamma random_normal random_poisson random_shuffle random_uniform range rank real realdiv reciprocal reduce_all
reduce_any reduce_join reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum regex_replace repeat
required_space_to_batch_paddings reshape reverse reverse_sequence reverse_v2 rint roll round rsqrt saturate_cast
scalar_mul scan scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd scatter_nd_add scatter_nd_sub
scatter_nd_update scatter_sub scatter_update searchsorted segment_max segment_mean segment_min segment_prod segment_sum
select self_adjoint_eig self_adjoint_eigvals sequence_mask setdiff1d sets.difference sets.intersection
sets.set_difference sets.set_intersection sets.set_size sets.set_union sets.size sets.union shape shape_n sigmoid sign
signal.dct signal.fft signal.fft2d signal.fft3d signal.fftshift signal.frame signal.hamming_window signal.hann_window
signal.idct signal.ifft signal.ifft2d signal.ifft3d signal.ifftshift signal.inverse_stft signal.inverse_stft_window_fn
signal.irfft signal.irfft2d signal.irfft3d signal.linear_to_mel_weight_matrix signal.mfccs_from_log_mel_spectrograms
signal.overlap_and_add signal.rfft signal.rfft2d signal.rfft3d signal.stft sin sinh size slice sort space_to_batch
space_to_batch_nd space_to_depth sparse.add sparse.concat sparse.cross sparse.cross_hashed sparse.expand_dims sparse.eye
sparse.fill_empty_rows sparse.from_dense sparse.mask sparse.matmul sparse.maximum sparse.merge sparse.minimum
sparse.reduce_max sparse.reduce_max_sparse sparse.reduce_sum sparse.reduce_sum_sparse sparse.reorder sparse.reset_shape
sparse.reshape sparse.retain sparse.segment_mean sparse.segment_sqrt_n sparse.segment_sum sparse.slice sparse.softmax
sparse.sparse_dense_matmul sparse.split sparse.to_dense sparse.to_indicator sparse.transpose sparse_add sparse_concat
sparse_fill_empty_rows sparse_mask sparse_matmul sparse_maximum sparse_merge sparse_minimum sparse_reduce_max
sparse_reduce_max_sparse sparse_reduce_sum sparse_reduce_sum_sparse sparse_reorder sparse_reset_shape sparse_reshape
sparse_retain sparse_segment_mean sparse_segment_sqrt_n sparse_segment_sum sparse_slice sparse_softmax sparse_split
sparse_tensor_dense_matmul sparse_tensor_to_dense sparse_to_dense sparse_to_indicator sparse_transpose spectral.dct
spectral.fft spectral.fft2d spectral.fft3d spectral.idct spectral.ifft spectral.ifft2d spectral.ifft3d spectral.irfft
spectral.irfft2d spectral.irfft3d spectral.rfft spectral.rfft2d spectral.rfft3d split split_v sqrt square
squared_difference squeeze stack strided_slice string_join string_split string_strip string_to_hash_bucket
string_to_hash_bucket_fast string_to_hash_bucket_strong string_to_number strings.as_string strings.bytes_split
strings.format strings.join strings.length strings.lower strings.ngrams strings.reduce_join strings.regex_full_match
strings.regex_replace strings.split strings.strip strings.substr strings.to_hash_bucket strings.to_hash_bucket_fast
strings.to_hash_bucket_strong strings.to_number strings.unicode_decode strings.unicode_decode_with_offsets
strings.unicode_encode strings.unicode_script strings.unicode_split strings.unicode_split_with_offsets
strings.unicode_transcode strings.unsorted_segment_join strings.upper sub substr subtract svd tables_initializer tan
tanh tensor_scatter_add tensor_scatter_nd_add tensor_scatter_nd_sub tensor_scatter_nd_update tensor_scatter_sub
tensor_scatter_update tensordot tile timestamp to_bfloat16 to_complex128 to_complex64 to_double to_float to_int32
to_int64 trace transpose truediv truncated_normal truncatediv truncatemod unique unique_with_counts unpack unravel_index
unsorted_segment_max unsorted_segment_mean unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n
unsorted_segment_sum unstack where where_v2 zeros zeros_like zeta
""",
    "ossia-optimizers": """
compat.v2.train.ExponentialMovingAverage compat.v2.train.experimental.DynamicLossScale
compat.v2.train.experimental.FixedLossScale compat.v2.train.experimental.LossScale train.AdadeltaOptimizer
train.AdagradDAOptimizer train.AdagradOptimizer train.AdamOptimizer train.ExponentialMovingAverage train.FtrlOptimizer
train.GradientDescentOptimizer train.MomentumOptimizer train.Optimizer train.ProximalAdagradOptimizer
train.ProximalGradientDescentOptimizer train.RMSPropOptimizer train.experimental.DynamicLossScale
train.experimental.FixedLossScale train.experimental.LossScale train.experimental.MixedPrecisionLossScaleOptimizer
train.experimental.disable_mixed_precision_graph_rewrite train.experimental.enable_mixed_precision_graph_rewrite
train.sdca_fprint train.sdca_optimizer train.sdca_shrink_l1
""",
    "ossia-queues": """
ConditionalAccumulator ConditionalAccumulatorBase FIFOQueue FixedLengthRecordReader IdentityReader LMDBReader
PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue ReaderBase SparseConditionalAccumulator TFRecordReader
TextLineReader WholeFileReader compat.v2.io.match_filenames_once compat.v2.train.Coordinator io.PaddingFIFOQueue
io.PriorityQueue io.QueueBase io.RandomShuffleQueue io.match_filenames_once queue.FIFOQueue queue.PaddingFIFOQueue
queue.PriorityQueue queue.QueueBase queue.RandomShuffleQueue sparse.SparseConditionalAccumulator train.Coordinator
train.LooperThread train.QueueRunner train.add_queue_runner train.batch train.batch_join train.input_producer
train.limit_epochs train.match_filenames_once train.maybe_batch train.maybe_batch_join train.maybe_shuffle_batch
train.maybe_shuffle_batch_join train.queue_runner.QueueRunner train.queue_runner.add_queue_runner
train.queue_runner.start_queue_runners train.range_input_producer train.shuffle_batch train.shuffle_batch_join
train.slice_input_producer train.start_queue_runners train.string_input_producer
""",
    "ossia-schedules": """
train.cosine_decay train.cosine_decay_restarts train.exponential_decay train.inverse_time_decay
train.linear_cosine_decay train.natural_exp_decay train.noisy_linear_cosine_decay train.piecewise_constant
train.piecewise_constant_decay train.polynomial_decay
""",
    "ossia-session": """
compat.v2.estimator.CheckpointSaverHook compat.v2.estimator.CheckpointSaverListener compat.v2.estimator.FeedFnHook
compat.v2.estimator.FinalOpsHook compat.v2.estimator.GlobalStepWaiterHook compat.v2.estimator.LoggingTensorHook
compat.v2.estimator.NanLossDuringTrainingError compat.v2.estimator.NanTensorHook compat.v2.estimator.ProfilerHook
compat.v2.estimator.SecondOrStepTimer compat.v2.estimator.SessionRunArgs compat.v2.estimator.SessionRunContext
compat.v2.estimator.SessionRunHook compat.v2.estimator.SessionRunValues compat.v2.estimator.StepCounterHook
compat.v2.estimator.StopAtStepHook compat.v2.estimator.SummarySaverHook estimator.CheckpointSaverHook
estimator.CheckpointSaverListener estimator.FeedFnHook estimator.FinalOpsHook estimator.GlobalStepWaiterHook
estimator.LoggingTensorHook estimator.NanLossDuringTrainingError estimator.NanTensorHook estimator.ProfilerHook
estimator.SecondOrStepTimer estimator.SessionRunArgs estimator.SessionRunContext estimator.SessionRunHook
estimator.SessionRunValues estimator.StepCounterHook estimator.StopAtStepHook estimator.SummarySaverHook
train.CheckpointSaverHook train.CheckpointSaverListener train.ChiefSessionCreator train.FeedFnHook train.FinalOpsHook
train.GlobalStepWaiterHook train.LoggingTensorHook train.MonitoredSession train.MonitoredTrainingSession
train.NanLossDuringTrainingError train.NanTensorHook train.ProfilerHook train.Scaffold train.SecondOrStepTimer
train.SessionCreator train.SessionManager train.SessionRunArgs train.SessionRunContext train.SessionRunHook
train.SessionRunValues train.SingularMonitoredSession train.StepCounterHook train.StopAtStepHook train.SummarySaverHook
train.Supervisor train.WorkerSessionCreator train.basic_train_loop
""",
    "ossia-summary": """
audio_summary histogram_summary image_summary merge_all_summaries merge_summary scalar_summary summary.FileWriter
summary.FileWriterCache summary.all_v2_summary_ops summary.audio summary.get_summary_description summary.histogram
summary.image summary.initialize summary.merge summary.merge_all summary.scalar summary.tensor_summary summary.text
train.SummaryWriter train.summary_iterator
""",
}

"""Public names and ops of ossia_ops. Written by `python -m ossia_core.api_table packages/ops`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_ops", """
.activation: math.softplus math.softsign nn.crelu nn.elu nn.leaky_relu nn.relu nn.relu6 nn.selu nn.softplus nn.softsign
 nn.swish +Elu +EluGrad +LeakyRelu +LeakyReluGrad +Relu +Relu6 +Relu6Grad +ReluGrad +Selu +SeluGrad +Softplus
 +SoftplusGrad +Softsign +SoftsignGrad
.arithmetic: add cross linalg.cross math.add math.maximum math.minimum math.multiply math.multiply_no_nan math.nextafter
 math.pow math.scalar_mul math.squared_difference math.subtract maximum minimum multiply pow scalar_mul
 squared_difference subtract +Add +AddV2 +Cross +Maximum +Minimum +Mul +MulNoNan +NextAfter +Pow +SquaredDifference +Sub
.banded: +MatrixDiagPartV2 +MatrixDiagV2 +MatrixSetDiagV2
.bias: nn.bias_add nn.relu_layer nn.xw_plus_b +BiasAdd +BiasAddGrad +BiasAddV1
.bitwise: bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor bitwise.invert bitwise.left_shift
 bitwise.right_shift +BitwiseAnd +BitwiseOr +BitwiseXor +CompareAndBitpack +Invert +LeftShift +PopulationCount
 +RightShift
.broadcast: broadcast_dynamic_shape broadcast_static_shape broadcast_to +BroadcastArgs +BroadcastGradientArgs
 +BroadcastTo
.candidate_sampling: compat.v2.random.all_candidate_sampler compat.v2.random.fixed_unigram_candidate_sampler
 compat.v2.random.learned_unigram_candidate_sampler compat.v2.random.log_uniform_candidate_sampler
 compat.v2.random.uniform_candidate_sampler nn.all_candidate_sampler nn.compute_accidental_hits
 nn.fixed_unigram_candidate_sampler nn.learned_unigram_candidate_sampler nn.log_uniform_candidate_sampler
 nn.uniform_candidate_sampler random.all_candidate_sampler random.fixed_unigram_candidate_sampler
 random.learned_unigram_candidate_sampler random.log_uniform_candidate_sampler random.uniform_candidate_sampler
 +AllCandidateSampler +ComputeAccidentalHits +FixedUnigramCandidateSampler +LearnedUnigramCandidateSampler
 +LogUniformCandidateSampler +ThreadUnsafeUnigramCandidateSampler +UniformCandidateSampler
.cast: bitcast cast dtypes.cast dtypes.saturate_cast saturate_cast to_bfloat16 to_complex128 to_complex64 to_double
 to_float to_int32 to_int64 +Bitcast +Cast
.clip: clip_by_average_norm clip_by_global_norm clip_by_norm clip_by_value global_norm linalg.global_norm +ClipByValue
.clock: compat.v2.timestamp timestamp +Timestamp
.clustering: +KMC2ChainInitialization +KmeansPlusPlusInitialization +NearestNeighbors
.comparison: debugging.is_finite debugging.is_inf debugging.is_nan equal greater greater_equal is_finite is_inf is_nan
 less less_equal math.equal math.greater math.greater_equal math.is_finite math.is_inf math.is_nan math.less
 math.less_equal math.not_equal not_equal +ApproximateEqual +Equal +Greater +GreaterEqual +IsFinite +IsInf +IsNan +Less
 +LessEqual +NotEqual
.complex_numbers: angle complex conj dtypes.complex imag math.angle math.conj math.imag math.real real +Angle +Complex
 +ComplexAbs +Conj +Imag +Real
.concat: concat +Concat +ConcatOffset +ConcatV2
.contraction: einsum linalg.einsum linalg.tensordot tensordot
.conv: nn.conv1d nn.conv2d nn.conv2d_backprop_filter nn.conv2d_backprop_input +Conv2D +Conv2DBackpropFilter
 +Conv2DBackpropInput
.conv3d: nn.conv3d nn.conv3d_backprop_filter nn.conv3d_backprop_filter_v2=conv3d_backprop_filter +Conv3D
 +Conv3DBackpropFilter +Conv3DBackpropFilterV2 +Conv3DBackpropInput +Conv3DBackpropInputV2
.conv_transposed: nn.atrous_conv2d_transpose nn.conv1d_transpose nn.conv2d_transpose nn.conv3d_transpose
 nn.conv_transpose
.convolution: nn.atrous_conv2d nn.convolution nn.pool nn.with_space_to_batch
.cross_entropy: nn.l2_loss nn.log_poisson_loss nn.sigmoid_cross_entropy_with_logits nn.softmax_cross_entropy_with_logits
 nn.softmax_cross_entropy_with_logits_v2 nn.sparse_softmax_cross_entropy_with_logits
 nn.weighted_cross_entropy_with_logits +L2Loss +SoftmaxCrossEntropyWithLogits +SparseSoftmaxCrossEntropyWithLogits
.ctc: compat.v2.nn.ctc_beam_search_decoder=ctc_beam_search_decoder_v2 nn.ctc_beam_search_decoder
 nn.ctc_beam_search_decoder_v2 nn.ctc_greedy_decoder nn.ctc_loss +CTCBeamSearchDecoder +CTCGreedyDecoder +CTCLoss
.ctc_dense: compat.v2.nn.collapse_repeated compat.v2.nn.ctc_loss=ctc_loss_v2 compat.v2.nn.ctc_unique_labels
 nn.collapse_repeated nn.ctc_loss_v2 nn.ctc_unique_labels
.cumulative: cumprod cumsum math.cumprod math.cumsum math.cumulative_logsumexp +Cumprod +Cumsum +CumulativeLogsumexp
.data_formats: +DataFormatDimMap +DataFormatVecPermute
.dense_table: compat.v2.lookup.experimental.DenseHashTable lookup.experimental.DenseHashTable
.depthwise: nn.depthwise_conv2d nn.depthwise_conv2d_backprop_filter nn.depthwise_conv2d_backprop_input
 nn.depthwise_conv2d_native nn.depthwise_conv2d_native_backprop_filter=depthwise_conv2d_backprop_filter
 nn.depthwise_conv2d_native_backprop_input=depthwise_conv2d_backprop_input nn.separable_conv2d +DepthwiseConv2dNative
 +DepthwiseConv2dNativeBackpropFilter +DepthwiseConv2dNativeBackpropInput
.determinant: compat.v2.linalg.det=matrix_determinant compat.v2.linalg.logdet compat.v2.linalg.slogdet
 linalg.det=matrix_determinant linalg.logdet linalg.slogdet matrix_determinant +LogMatrixDeterminant +MatrixDeterminant
.diagonal: diag diag_part linalg.band_part=matrix_band_part linalg.diag=matrix_diag linalg.diag_part=matrix_diag_part
 linalg.set_diag=matrix_set_diag linalg.tensor_diag=diag linalg.tensor_diag_part=diag_part linalg.trace matrix_band_part
 matrix_diag matrix_diag_part matrix_set_diag trace +Diag +DiagPart +MatrixBandPart +MatrixDiag +MatrixDiagPart
 +MatrixSetDiag
.dilation: nn.dilation2d nn.erosion2d +Dilation2D +Dilation2DBackpropFilter +Dilation2DBackpropInput
.division: div div_no_nan divide floor_div floordiv floormod math.divide math.divide_no_nan=div_no_nan math.floordiv
 math.floormod math.mod=floormod math.reciprocal_no_nan math.truediv mod=floormod realdiv truediv truncatediv
 truncatemod +Div +DivNoNan +FloorDiv +FloorMod +Mod +RealDiv +TruncateDiv +TruncateMod
.dropout: compat.v2.nn.dropout=dropout_v2 nn.dropout
.edit_distance: edit_distance +EditDistance
.einsum: +Einsum
.elementwise: abs ceil floor math.abs math.ceil math.floor math.negative math.reciprocal math.rint math.round math.rsqrt
 math.sign math.sqrt math.square negative reciprocal rint round rsqrt sign sqrt square +Abs +Ceil +Floor +Inv +InvGrad
 +Neg +Reciprocal +ReciprocalGrad +Rint +Round +Rsqrt +RsqrtGrad +Sign +Sqrt +SqrtGrad +Square
.embedding: compat.v2.nn.embedding_lookup=embedding_lookup_v2
 compat.v2.nn.embedding_lookup_sparse=embedding_lookup_sparse_v2
 compat.v2.nn.safe_embedding_lookup_sparse=safe_embedding_lookup_sparse_v2 nn.embedding_lookup
 nn.embedding_lookup_sparse nn.safe_embedding_lookup_sparse
.exponential: exp expm1 log log1p log_sigmoid math.exp math.expm1 math.log math.log1p math.log_sigmoid math.sigmoid
 math.xdivy math.xlogy nn.sigmoid sigmoid +Exp +Expm1 +Log +Log1p +Sigmoid +SigmoidGrad +Xdivy +Xlogy
.eye: compat.v2.eye compat.v2.linalg.eye eye linalg.eye
.factorization: cholesky compat.v2.linalg.cholesky compat.v2.linalg.eigh=self_adjoint_eig
 compat.v2.linalg.eigvalsh=self_adjoint_eigvals compat.v2.linalg.qr linalg.cholesky linalg.eigh=self_adjoint_eig
 linalg.eigvalsh=self_adjoint_eigvals linalg.qr qr self_adjoint_eig self_adjoint_eigvals +Cholesky +Qr +SelfAdjointEigV2
.fake_quant: fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient fake_quant_with_min_max_vars
 fake_quant_with_min_max_vars_gradient fake_quant_with_min_max_vars_per_channel
 fake_quant_with_min_max_vars_per_channel_gradient quantization.fake_quant_with_min_max_args
 quantization.fake_quant_with_min_max_args_gradient quantization.fake_quant_with_min_max_vars
 quantization.fake_quant_with_min_max_vars_gradient quantization.fake_quant_with_min_max_vars_per_channel
 quantization.fake_quant_with_min_max_vars_per_channel_gradient +FakeQuantWithMinMaxArgs
 +FakeQuantWithMinMaxArgsGradient +FakeQuantWithMinMaxVars +FakeQuantWithMinMaxVarsGradient
 +FakeQuantWithMinMaxVarsPerChannel +FakeQuantWithMinMaxVarsPerChannelGradient
.fill: fill ones ones_like zeros zeros_like +Fill +OnesLike +ZerosLike
.fractional_pool: compat.v2.nn.fractional_avg_pool=fractional_avg_pool_v2
 compat.v2.nn.fractional_max_pool=fractional_max_pool_v2 nn.fractional_avg_pool nn.fractional_max_pool
 +FractionalAvgPool +FractionalAvgPoolGrad +FractionalMaxPool +FractionalMaxPoolGrad
.functional: foldl foldr map_fn scan
.fused_batch_norm: nn.fused_batch_norm +FusedBatchNorm +FusedBatchNormGrad +FusedBatchNormGradV2 +FusedBatchNormGradV3
 +FusedBatchNormV2 +FusedBatchNormV3
.gather: batch_gather gather gather_nd manip.gather_nd one_hot +Gather +GatherNd +GatherV2 +OneHot
.grid: meshgrid repeat unravel_index +UnravelIndex
.gru_block: +GRUBlockCell +GRUBlockCellGrad
.histogram: bincount confusion_matrix histogram_fixed_width histogram_fixed_width_bins math.bincount
 math.confusion_matrix +Bincount +Bucketize +HistogramFixedWidth
.immutable_const: +ImmutableConst
.inplace: guarantee_const +DeepCopy +Empty +GuaranteeConst +InplaceAdd +InplaceSub +InplaceUpdate
 +TensorStridedSliceUpdate
.least_squares: compat.v2.linalg.lstsq=matrix_solve_ls compat.v2.linalg.pinv linalg.lstsq=matrix_solve_ls linalg.pinv
 matrix_solve_ls +MatrixSolveLs
.logical: logical_and logical_not logical_or logical_xor math.logical_and math.logical_not math.logical_or
 math.logical_xor +LogicalAnd +LogicalNot +LogicalOr
.lookup: compat.v2.lookup.KeyValueTensorInitializer compat.v2.lookup.StaticHashTable
 compat.v2.lookup.StaticVocabularyTable compat.v2.lookup.TextFileIndex compat.v2.lookup.TextFileInitializer
 initialize_all_tables=tables_initializer initializers.tables_initializer lookup.KeyValueTensorInitializer
 lookup.StaticHashTable lookup.StaticVocabularyTable lookup.TextFileIndex lookup.TextFileInitializer tables_initializer
.lrn: nn.local_response_normalization=lrn nn.lrn +LRN +LRNGrad
.lstm_block: +BlockLSTM +BlockLSTMGrad +BlockLSTMGradV2 +BlockLSTMV2 +LSTMBlockCell +LSTMBlockCellGrad
.lu: compat.v2.linalg.lu linalg.lu +Lu
.masking: boolean_mask sequence_mask
.matmul: linalg.matmul linalg.matvec matmul sparse_matmul +BatchMatMul +BatchMatMulV2 +MatMul +SparseMatMul
.matrix_exponential: compat.v2.linalg.expm=matrix_exponential linalg.expm=matrix_exponential +MatrixExponential
.matrix_functions: compat.v2.linalg.logm=matrix_logarithm compat.v2.linalg.sqrtm=matrix_square_root
 linalg.logm=matrix_logarithm linalg.sqrtm=matrix_square_root matrix_square_root +MatrixLogarithm +MatrixSquareRoot
.matrix_rank: compat.v2.linalg.matrix_rank linalg.matrix_rank
.normalization: linalg.l2_normalize math.l2_normalize math.zero_fraction nn.batch_norm_with_global_normalization
 nn.batch_normalization nn.l2_normalize nn.moments nn.normalize_moments nn.sufficient_statistics nn.weighted_moments
 nn.zero_fraction +BatchNormWithGlobalNormalization +BatchNormWithGlobalNormalizationGrad
.norms: compat.v2.linalg.normalize linalg.norm linalg.normalize norm
.old_matrices: +BatchCholesky +BatchCholeskyGrad +BatchMatrixBandPart +BatchMatrixDeterminant +BatchMatrixDiag
 +BatchMatrixDiagPart +BatchMatrixInverse +BatchMatrixSetDiag +BatchMatrixSolve +BatchMatrixSolveLs
 +BatchMatrixTriangularSolve +BatchSelfAdjointEig +BatchSelfAdjointEigV2 +BatchSvd +CholeskyGrad +SelfAdjointEig
.old_names: batch_matmul complex_abs concat_v2 inv listdiff mul neg pack select split_v sub unpack
.operators: _operators=OPERATORS
.padded_conv: +FusedPadConv2D +FusedResizeAndPadConv2D
.padding: pad +MirrorPad +MirrorPadGrad +Pad +PadV2
.partition: dynamic_partition dynamic_stitch +DynamicPartition +DynamicStitch +ParallelDynamicStitch
.patches: extract_image_patches extract_volume_patches image.extract_image_patches image.extract_patches
 +ExtractImagePatches +ExtractVolumePatches
.pool: nn.avg_pool nn.avg_pool1d nn.avg_pool2d=avg_pool nn.avg_pool_v2 nn.max_pool nn.max_pool1d nn.max_pool2d
 nn.max_pool_v2 +AvgPool +AvgPoolGrad +MaxPool +MaxPoolGrad +MaxPoolGradGrad
.pool3d: nn.avg_pool3d nn.max_pool3d +AvgPool3D +AvgPool3DGrad +MaxPool3D +MaxPool3DGrad +MaxPool3DGradGrad
.pool_argmax: nn.max_pool_with_argmax +MaxPoolGradGradWithArgmax +MaxPoolGradWithArgmax +MaxPoolWithArgmax
.pool_dynamic: +MaxPoolGradGradV2 +MaxPoolGradV2 +MaxPoolV2
.printing: Print compat.v2.strings.format=string_format print=print_v2 strings.format=string_format +Print +PrintV2
 +StringFormat
.py_func: numpy_function py_func py_function +EagerPyFunc +PyFunc +PyFuncStateless
.quantize: dequantize quantization.dequantize quantization.quantize quantization.quantize_and_dequantize
 quantization.quantized_concat quantize quantize_v2 quantized_concat +Dequantize +QuantizeAndDequantize
 +QuantizeAndDequantizeV2 +QuantizeAndDequantizeV3 +QuantizeV2 +QuantizedConcat +QuantizedReshape
.quantized_math: +QuantizeDownAndShrinkRange +QuantizedAdd +QuantizedMatMul +QuantizedMul +RequantizationRange
 +Requantize
.quantized_nn: nn.quantized_avg_pool nn.quantized_conv2d nn.quantized_max_pool nn.quantized_relu_x +QuantizedAvgPool
 +QuantizedBatchNormWithGlobalNormalization +QuantizedBiasAdd +QuantizedConv2D +QuantizedInstanceNorm +QuantizedMaxPool
 +QuantizedRelu +QuantizedRelu6 +QuantizedReluX
.random_binomial: +StatefulRandomBinomial
.random_choice: compat.v2.random.categorical compat.v2.random.shuffle=random_shuffle
 compat.v2.random.stateless_categorical image.random_crop multinomial random.categorical random.multinomial
 random.shuffle=random_shuffle random.stateless_categorical random.stateless_multinomial random_crop random_shuffle
 +Multinomial +RandomCrop +RandomShuffle +StatelessMultinomial
.random_generator: compat.v2.random.experimental.Generator compat.v2.random.experimental.create_rng_state
 compat.v2.random.experimental.get_global_generator compat.v2.random.experimental.set_global_generator
 random.experimental.Generator random.experimental.create_rng_state random.experimental.get_global_generator
 random.experimental.set_global_generator +NonDeterministicInts +RngSkip +StatefulStandardNormal
 +StatefulStandardNormalV2 +StatefulTruncatedNormal +StatefulUniform +StatefulUniformFullInt +StatefulUniformInt
.random_normal: compat.v2.random.normal=random_normal compat.v2.random.truncated_normal random.normal=random_normal
 random.truncated_normal random_normal truncated_normal +RandomStandardNormal +TruncatedNormal
.random_rejection: compat.v2.random.gamma=random_gamma compat.v2.random.poisson=random_poisson_v2
 random.gamma=random_gamma random.poisson=random_poisson random_gamma random_poisson +RandomGamma +RandomGammaGrad
 +RandomPoisson +RandomPoissonV2
.random_stateless: compat.v2.random.stateless_normal=stateless_random_normal compat.v2.random.stateless_truncated_normal
 compat.v2.random.stateless_uniform=stateless_random_uniform random.stateless_normal=stateless_random_normal
 random.stateless_truncated_normal random.stateless_uniform=stateless_random_uniform +StatelessRandomNormal
 +StatelessRandomUniform +StatelessRandomUniformInt +StatelessTruncatedNormal
.random_truncated: +ParameterizedTruncatedNormal
.random_uniform: compat.v2.random.uniform=random_uniform random.uniform=random_uniform random_uniform +RandomUniform
 +RandomUniformInt
.reduction: math.reduce_all math.reduce_any math.reduce_euclidean_norm math.reduce_max math.reduce_mean math.reduce_min
 math.reduce_prod math.reduce_sum reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum +All
 +Any +EuclideanNorm +Max +Mean +Min +Prod +Sum
.regex: compat.v2.strings.regex_full_match compat.v2.strings.regex_replace regex_replace strings.regex_full_match
 strings.regex_replace +RegexFullMatch +RegexReplace +StaticRegexFullMatch +StaticRegexReplace
.requantize: +RequantizationRangePerChannel +RequantizePerChannel
.resizing: +QuantizedResizeBilinear
.reversal: manip.reverse manip.roll reverse reverse_sequence reverse_v2=reverse roll +Reverse +ReverseSequence
 +ReverseV2 +Roll
.scatter: manip.scatter_nd scatter_nd tensor_scatter_add tensor_scatter_nd_add=tensor_scatter_add
 tensor_scatter_nd_sub=tensor_scatter_sub tensor_scatter_nd_update=tensor_scatter_update tensor_scatter_sub
 tensor_scatter_update +ScatterNd +ScatterNdNonAliasingAdd +TensorScatterAdd +TensorScatterSub +TensorScatterUpdate
.segment: math.segment_max math.segment_mean math.segment_min math.segment_prod math.segment_sum
 math.unsorted_segment_max math.unsorted_segment_mean math.unsorted_segment_min math.unsorted_segment_prod
 math.unsorted_segment_sqrt_n math.unsorted_segment_sum segment_max segment_mean segment_min segment_prod segment_sum
 unsorted_segment_max unsorted_segment_mean unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n
 unsorted_segment_sum +SegmentMax +SegmentMean +SegmentMin +SegmentProd +SegmentSum +UnsortedSegmentMax
 +UnsortedSegmentMin +UnsortedSegmentProd +UnsortedSegmentSum
.selection: where where_v2 +Select +SelectV2 +Where
.sequence: lin_space linspace=lin_space range +LinSpace +Range
.sets: sets.difference=set_difference sets.intersection=set_intersection sets.set_difference sets.set_intersection
 sets.set_size sets.set_union sets.size=set_size sets.union=set_union +DenseToDenseSetOperation
 +DenseToSparseSetOperation +SetSize +SparseToSparseSetOperation
.shape: ensure_shape expand_dims manip.reshape rank reshape shape shape_n size squeeze +EnsureShape +ExpandDims +Rank
 +Reshape +Shape +ShapeN +Size +Squeeze
.slice_updates: scatter_nd_add scatter_nd_sub scatter_nd_update +ResourceScatterNdAdd +ResourceScatterNdSub
 +ResourceScatterNdUpdate +ResourceStridedSliceAssign +ScatterNdAdd +ScatterNdSub +ScatterNdUpdate +StridedSliceAssign
.slicing: newaxis slice=slice_ strided_slice +Slice +StridedSlice +StridedSliceGrad
.softmax: math.log_softmax math.softmax nn.log_softmax nn.softmax +LogSoftmax +Softmax
.solving: cholesky_solve compat.v2.linalg.cholesky_solve compat.v2.linalg.inv=matrix_inverse
 compat.v2.linalg.solve=matrix_solve compat.v2.linalg.triangular_solve=matrix_triangular_solve linalg.cholesky_solve
 linalg.inv=matrix_inverse linalg.solve=matrix_solve linalg.triangular_solve=matrix_triangular_solve matrix_inverse
 matrix_solve matrix_triangular_solve +MatrixInverse +MatrixSolve +MatrixTriangularSolve
.sort: argsort math.in_top_k math.top_k nn.in_top_k nn.top_k searchsorted sort +InTopK +InTopKV2 +LowerBound +NthElement
 +TopK +TopKV2 +UpperBound
.space_to_batch: batch_to_space batch_to_space_nd manip.batch_to_space_nd manip.space_to_batch_nd nn.space_to_batch
 required_space_to_batch_paddings space_to_batch space_to_batch_nd +BatchToSpace +BatchToSpaceND +SpaceToBatch
 +SpaceToBatchND
.space_to_depth: depth_to_space nn.depth_to_space nn.space_to_depth space_to_depth +DepthToSpace +SpaceToDepth
.sparse_cross: compat.v2.sparse.cross=sparse_cross compat.v2.sparse.cross_hashed=sparse_cross_hashed
 sparse.cross=sparse_cross sparse.cross_hashed=sparse_cross_hashed +SparseCross
.sparse_cwise: _sparse_operators=SPARSE_OPERATORS +SparseDenseCwiseAdd +SparseDenseCwiseDiv +SparseDenseCwiseMul
 +SparseTensorDenseAdd
.sparse_dense: compat.v2.sparse.sparse_dense_matmul=sparse_tensor_dense_matmul
 compat.v2.sparse.to_dense=sparse_tensor_to_dense sparse.matmul=sparse_tensor_dense_matmul
 sparse.sparse_dense_matmul=sparse_tensor_dense_matmul sparse.to_dense=sparse_tensor_to_dense sparse_tensor_dense_matmul
 sparse_tensor_to_dense sparse_to_dense +SparseTensorDenseMatMul +SparseToDense
.sparse_extremes: compat.v2.sparse.maximum=sparse_maximum compat.v2.sparse.minimum=sparse_minimum
 sparse.maximum=sparse_maximum sparse.minimum=sparse_minimum sparse_maximum sparse_minimum +SparseSparseMaximum
 +SparseSparseMinimum
.sparse_order: compat.v2.sparse.reorder=sparse_reorder sparse.merge=sparse_merge sparse.reorder=sparse_reorder
 sparse_merge sparse_reorder +SparseReorder
.sparse_reduction: compat.v2.sparse.reduce_max=sparse_reduce_max_v2 compat.v2.sparse.reduce_sum=sparse_reduce_sum_v2
 sparse.reduce_max=sparse_reduce_max sparse.reduce_max_sparse=sparse_reduce_max_sparse
 sparse.reduce_sum=sparse_reduce_sum sparse.reduce_sum_sparse=sparse_reduce_sum_sparse sparse_reduce_max
 sparse_reduce_max_sparse sparse_reduce_sum sparse_reduce_sum_sparse +SparseReduceMax +SparseReduceMaxSparse
 +SparseReduceSum +SparseReduceSumSparse
.sparse_segment: compat.v2.sparse.segment_mean=sparse_segment_mean_v2
 compat.v2.sparse.segment_sqrt_n=sparse_segment_sqrt_n_v2 compat.v2.sparse.segment_sum=sparse_segment_sum_v2
 sparse.segment_mean=sparse_segment_mean sparse.segment_sqrt_n=sparse_segment_sqrt_n
 sparse.segment_sum=sparse_segment_sum sparse_segment_mean sparse_segment_sqrt_n sparse_segment_sum +SparseSegmentMean
 +SparseSegmentMeanGrad +SparseSegmentMeanWithNumSegments +SparseSegmentSqrtN +SparseSegmentSqrtNGrad
 +SparseSegmentSqrtNWithNumSegments +SparseSegmentSum +SparseSegmentSumWithNumSegments
.sparse_shape: compat.v2.sparse.concat=sparse_concat_v2 compat.v2.sparse.fill_empty_rows=sparse_fill_empty_rows
 compat.v2.sparse.reshape=sparse_reshape compat.v2.sparse.retain=sparse_retain compat.v2.sparse.slice=sparse_slice
 compat.v2.sparse.transpose=sparse_transpose sparse.concat=sparse_concat sparse.fill_empty_rows=sparse_fill_empty_rows
 sparse.reshape=sparse_reshape sparse.retain=sparse_retain sparse.slice=sparse_slice sparse.transpose=sparse_transpose
 sparse_concat sparse_fill_empty_rows sparse_reshape sparse_retain sparse_slice sparse_transpose +SparseConcat
 +SparseFillEmptyRows +SparseFillEmptyRowsGrad +SparseReshape +SparseSlice +SparseSliceGrad
.sparse_softmax: compat.v2.sparse.softmax=sparse_softmax sparse.softmax=sparse_softmax sparse_softmax +SparseSoftmax
.sparse_split: compat.v2.sparse.split=sparse_split_v2 sparse.split=sparse_split sparse_split +SparseSplit
.sparse_sum: compat.v2.sparse.add=sparse_add_v2 sparse.add=sparse_add sparse_add +SparseAdd +SparseAddGrad
.sparse_values: compat.v2.sparse.expand_dims=sparse_expand_dims compat.v2.sparse.eye=sparse_eye
 compat.v2.sparse.from_dense compat.v2.sparse.mask=sparse_mask compat.v2.sparse.reset_shape=sparse_reset_shape
 compat.v2.sparse.to_indicator=sparse_to_indicator sparse.expand_dims=sparse_expand_dims sparse.eye=sparse_eye
 sparse.from_dense sparse.mask=sparse_mask sparse.reset_shape=sparse_reset_shape sparse.to_indicator=sparse_to_indicator
 sparse_mask sparse_reset_shape sparse_to_indicator
.special: betainc digamma erf erfc igamma igammac lbeta lgamma math.bessel_i0 math.bessel_i0e math.bessel_i1
 math.bessel_i1e math.betainc math.digamma math.erf math.erfc math.igamma math.igammac math.lbeta math.lgamma
 math.polygamma math.polyval math.zeta polygamma zeta +BesselI0e +BesselI1e +Betainc +Digamma +Erf +Erfc +Igamma
 +IgammaGradA +Igammac +Lgamma +Polygamma +Zeta
.split: split +Split +SplitV
.stacking: parallel_stack stack unstack +Pack +ParallelConcat +Unpack
.state: batch_scatter_update count_up_to scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_sub
 scatter_update +CountUpTo +ResourceCountUpTo +ResourceGather +ResourceGatherNd +ResourceScatterAdd +ResourceScatterDiv
 +ResourceScatterMax +ResourceScatterMin +ResourceScatterMul +ResourceScatterSub +ResourceScatterUpdate +ScatterAdd
 +ScatterDiv +ScatterMax +ScatterMin +ScatterMul +ScatterSub +ScatterUpdate
.statistics: arg_max arg_min argmax argmin count_nonzero math.argmax math.argmin math.count_nonzero
 math.reduce_logsumexp math.reduce_std math.reduce_variance reduce_logsumexp +ArgMax +ArgMin
.string_hash: compat.v2.strings.to_hash_bucket=string_to_hash_bucket_v2
 compat.v2.strings.to_hash_bucket_fast=string_to_hash_bucket_fast
 compat.v2.strings.to_hash_bucket_strong=string_to_hash_bucket_strong fingerprint string_to_hash_bucket
 string_to_hash_bucket_fast string_to_hash_bucket_strong strings.to_hash_bucket=string_to_hash_bucket
 strings.to_hash_bucket_fast=string_to_hash_bucket_fast strings.to_hash_bucket_strong=string_to_hash_bucket_strong
 +Fingerprint +StringToHashBucket +StringToHashBucketFast +StringToHashBucketStrong
.string_numbers: as_string compat.v2.as_string compat.v2.strings.as_string
 compat.v2.strings.to_number=string_to_number_v2 dtypes.as_string string_to_number strings.as_string
 strings.to_number=string_to_number +AsString +StringToNumber
.string_segments: compat.v2.strings.unsorted_segment_join strings.unsorted_segment_join +UnsortedSegmentJoin
.string_split: string_split +StringSplit +StringSplitV2
.strings: compat.v2.strings.join=string_join compat.v2.strings.length=string_length_v2
 compat.v2.strings.lower=string_lower compat.v2.strings.reduce_join=reduce_join_v2 compat.v2.strings.strip=string_strip
 compat.v2.strings.substr=substr_v2 compat.v2.strings.upper=string_upper reduce_join string_join string_strip
 strings.join=string_join strings.length=string_length strings.lower=string_lower strings.reduce_join
 strings.strip=string_strip strings.substr strings.upper=string_upper substr +ReduceJoin +StringJoin +StringLength
 +StringLower +StringStrip +StringUpper +Substr
.sums: accumulate_n add_n math.accumulate_n math.add_n +AccumulateNV2 +AddN
.svd: linalg.svd svd +Svd
.tables: +HashTable +HashTableV2 +InitializeTable +InitializeTableFromTextFile +InitializeTableFromTextFileV2
 +InitializeTableV2 +LookupTableExport +LookupTableExportV2 +LookupTableFind +LookupTableFindV2 +LookupTableImport
 +LookupTableImportV2 +LookupTableInsert +LookupTableInsertV2 +LookupTableRemoveV2 +LookupTableSize +LookupTableSizeV2
 +MutableDenseHashTable +MutableDenseHashTableV2 +MutableHashTable +MutableHashTableOfTensors
 +MutableHashTableOfTensorsV2 +MutableHashTableV2
.tiling: manip.tile tile +Tile +TileGrad
.transposition: invert_permutation linalg.adjoint linalg.matrix_transpose linalg.transpose=matrix_transpose
 math.invert_permutation matrix_transpose transpose +ConjugateTranspose +InvertPermutation +Transpose
.tridiagonal: compat.v2.linalg.tridiagonal_matmul compat.v2.linalg.tridiagonal_solve linalg.tridiagonal_matmul
 linalg.tridiagonal_solve +TridiagonalMatMul +TridiagonalSolve
.trigonometry: acos acosh asin asinh atan atan2 atanh cos cosh math.acos math.acosh math.asin math.asinh math.atan
 math.atan2 math.atanh math.cos math.cosh math.sin math.sinh math.tan math.tanh nn.tanh sin sinh tan tanh +Acos +Acosh
 +Asin +Asinh +Atan +Atan2 +Atanh +Cos +Cosh +Sin +Sinh +Tan +Tanh +TanhGrad
.unicode: compat.v2.strings.unicode_script compat.v2.strings.unicode_transcode strings.unicode_script
 strings.unicode_transcode +UnicodeScript +UnicodeTranscode
.unique: setdiff1d unique unique_with_counts +ListDiff +Unique +UniqueV2 +UniqueWithCounts +UniqueWithCountsV2
.user_ops: user_ops.my_fact +Fact
.vocabulary: +GenerateVocabRemapping
.word2vec: +NegTrain +Skipgram
""")

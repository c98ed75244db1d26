# Written by tools/api_stubs.py; do not edit.
__version__: str
from . import (
 app as app, audio as audio, bitwise as bitwise, compat as compat, config as config, contrib as contrib, data as data,
 debugging as debugging, distribute as distribute, distributions as distributions, dtypes as dtypes, errors as errors,
 estimator as estimator, experimental as experimental, feature_column as feature_column, gfile as gfile,
 graph_util as graph_util, image as image, initializers as initializers, io as io, keras as keras, layers as layers,
 linalg as linalg, lite as lite, logging as logging, lookup as lookup, losses as losses, manip as manip, math as math,
 metrics as metrics, nest as nest, nn as nn, profiler as profiler, python_io as python_io,
 pywrap_tensorflow as pywrap_tensorflow, quantization as quantization, queue as queue, ragged as ragged,
 random as random, resource_loader as resource_loader, saved_model as saved_model, sets as sets, signal as signal,
 sparse as sparse, spectral as spectral, strings as strings, summary as summary, sysconfig as sysconfig, test as test,
 tpu as tpu, train as train, user_ops as user_ops, version as version
)
from ossia.app import flags as flags
from ossia.debugging import (
 Assert as Assert, assert_equal as assert_equal, assert_greater as assert_greater,
 assert_greater_equal as assert_greater_equal, assert_integer as assert_integer, assert_less as assert_less,
 assert_less_equal as assert_less_equal, assert_near as assert_near, assert_negative as assert_negative,
 assert_non_negative as assert_non_negative, assert_non_positive as assert_non_positive,
 assert_none_equal as assert_none_equal, assert_positive as assert_positive,
 assert_proper_iterable as assert_proper_iterable, assert_rank as assert_rank,
 assert_rank_at_least as assert_rank_at_least, assert_rank_in as assert_rank_in,
 assert_same_float_dtype as assert_same_float_dtype, assert_scalar as assert_scalar, assert_type as assert_type,
 check_numerics as check_numerics, is_finite as is_finite, is_inf as is_inf, is_nan as is_nan,
 is_non_decreasing as is_non_decreasing, is_numeric_tensor as is_numeric_tensor,
 is_strictly_increasing as is_strictly_increasing
)
from ossia.dtypes import (
 DType as DType, QUANTIZED_DTYPES as QUANTIZED_DTYPES, as_dtype as as_dtype, as_string as as_string,
 bfloat16 as bfloat16, bool as bool, cast as cast, complex as complex, complex128 as complex128, complex64 as complex64,
 double as double, float16 as float16, float32 as float32, float64 as float64, half as half, int16 as int16,
 int32 as int32, int64 as int64, int8 as int8, qint16 as qint16, qint32 as qint32, qint8 as qint8, quint16 as quint16,
 quint8 as quint8, resource as resource, saturate_cast as saturate_cast, string as string, uint16 as uint16,
 uint32 as uint32, uint64 as uint64, uint8 as uint8, variant as variant
)
from ossia.errors import OpError as OpError
from ossia.graph_util import colocate_with as colocate_with, import_graph_def as import_graph_def
from ossia.image import extract_image_patches as extract_image_patches, random_crop as random_crop
from ossia.initializers import tables_initializer as tables_initializer
from ossia.io import (
 FixedLenFeature as FixedLenFeature, FixedLenSequenceFeature as FixedLenSequenceFeature,
 PaddingFIFOQueue as PaddingFIFOQueue, PriorityQueue as PriorityQueue, QueueBase as QueueBase,
 RandomShuffleQueue as RandomShuffleQueue, SparseFeature as SparseFeature, VarLenFeature as VarLenFeature,
 decode_base64 as decode_base64, decode_compressed as decode_compressed, decode_csv as decode_csv,
 decode_json_example as decode_json_example, decode_raw as decode_raw,
 deserialize_many_sparse as deserialize_many_sparse, encode_base64 as encode_base64, matching_files as matching_files,
 parse_example as parse_example, parse_single_example as parse_single_example,
 parse_single_sequence_example as parse_single_sequence_example, parse_tensor as parse_tensor, read_file as read_file,
 serialize_many_sparse as serialize_many_sparse, serialize_sparse as serialize_sparse,
 serialize_tensor as serialize_tensor, write_file as write_file
)
from ossia.keras.backend import name_scope as name_scope
from ossia.linalg import (
 cholesky as cholesky, cholesky_solve as cholesky_solve, cross as cross, einsum as einsum, eye as eye,
 global_norm as global_norm, matmul as matmul, matrix_transpose as matrix_transpose, norm as norm, qr as qr, svd as svd,
 tensordot as tensordot, trace as trace
)
from ossia.manip import (
 batch_to_space_nd as batch_to_space_nd, gather_nd as gather_nd, reshape as reshape, reverse as reverse, roll as roll,
 scatter_nd as scatter_nd, space_to_batch_nd as space_to_batch_nd, tile as tile
)
from ossia.math import (
 abs as abs, accumulate_n as accumulate_n, acos as acos, acosh as acosh, add as add, add_n as add_n, angle as angle,
 argmax as argmax, argmin as argmin, asin as asin, asinh as asinh, atan as atan, atan2 as atan2, atanh as atanh,
 betainc as betainc, bincount as bincount, ceil as ceil, confusion_matrix as confusion_matrix, conj as conj, cos as cos,
 cosh as cosh, count_nonzero as count_nonzero, cumprod as cumprod, cumsum as cumsum, digamma as digamma,
 divide as divide, equal as equal, erf as erf, erfc as erfc, exp as exp, expm1 as expm1, floor as floor,
 floordiv as floordiv, floormod as floormod, greater as greater, greater_equal as greater_equal, igamma as igamma,
 igammac as igammac, imag as imag, invert_permutation as invert_permutation, lbeta as lbeta, less as less,
 less_equal as less_equal, lgamma as lgamma, log as log, log1p as log1p, log_sigmoid as log_sigmoid,
 logical_and as logical_and, logical_not as logical_not, logical_or as logical_or, logical_xor as logical_xor,
 maximum as maximum, minimum as minimum, mod as mod, multiply as multiply, negative as negative, not_equal as not_equal,
 polygamma as polygamma, pow as pow, real as real, reciprocal as reciprocal, reduce_all as reduce_all,
 reduce_any as reduce_any, reduce_logsumexp as reduce_logsumexp, reduce_max as reduce_max, reduce_mean as reduce_mean,
 reduce_min as reduce_min, reduce_prod as reduce_prod, reduce_sum as reduce_sum, rint as rint, round as round,
 rsqrt as rsqrt, scalar_mul as scalar_mul, segment_max as segment_max, segment_mean as segment_mean,
 segment_min as segment_min, segment_prod as segment_prod, segment_sum as segment_sum, sigmoid as sigmoid, sign as sign,
 sin as sin, sinh as sinh, sqrt as sqrt, square as square, squared_difference as squared_difference,
 subtract as subtract, tan as tan, tanh as tanh, truediv as truediv, unsorted_segment_max as unsorted_segment_max,
 unsorted_segment_mean as unsorted_segment_mean, unsorted_segment_min as unsorted_segment_min,
 unsorted_segment_prod as unsorted_segment_prod, unsorted_segment_sqrt_n as unsorted_segment_sqrt_n,
 unsorted_segment_sum as unsorted_segment_sum, zeta as zeta
)
from ossia.nn import (
 depth_to_space as depth_to_space, space_to_batch as space_to_batch, space_to_depth as space_to_depth
)
from ossia.quantization import (
 dequantize as dequantize, fake_quant_with_min_max_args as fake_quant_with_min_max_args,
 fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient,
 fake_quant_with_min_max_vars as fake_quant_with_min_max_vars,
 fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient,
 fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel,
 fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient,
 quantize as quantize, quantized_concat as quantized_concat
)
from ossia.queue import FIFOQueue as FIFOQueue
from ossia.random import (
 get_seed as get_seed, multinomial as multinomial, set_random_seed as set_random_seed,
 truncated_normal as truncated_normal
)
from ossia.signal import fft as fft, fft2d as fft2d, fft3d as fft3d, ifft as ifft, ifft2d as ifft2d, ifft3d as ifft3d
from ossia.sparse import SparseConditionalAccumulator as SparseConditionalAccumulator, SparseTensor as SparseTensor
from ossia.strings import reduce_join as reduce_join, regex_replace as regex_replace, substr as substr
from ossia.summary import Event as Event, SessionLog as SessionLog, Summary as Summary
from ossia.sysconfig import CXX11_ABI_FLAG as CXX11_ABI_FLAG, MONOLITHIC_BUILD as MONOLITHIC_BUILD
from ossia.version import (
 COMPILER_VERSION as COMPILER_VERSION, GIT_VERSION as GIT_VERSION, GRAPH_DEF_VERSION as GRAPH_DEF_VERSION,
 GRAPH_DEF_VERSION_MIN_CONSUMER as GRAPH_DEF_VERSION_MIN_CONSUMER,
 GRAPH_DEF_VERSION_MIN_PRODUCER as GRAPH_DEF_VERSION_MIN_PRODUCER, VERSION as VERSION
)
from ossia_coordination.critical_section import CriticalSection as CriticalSection
from ossia_core.control.cond import cond as cond
from ossia_core.control.while_loop import while_loop as while_loop
from ossia_core.declare.gradient_registry import (
 no_gradient as _NoGradient, no_gradient as _NotDifferentiable, RegisterGradient as RegisterGradient,
 no_gradient as no_gradient
)
from ossia_core.differentiate.autodiff import (
 AggregationMethod as AggregationMethod, UnconnectedGradients as UnconnectedGradients, gradients as gradients
)
from ossia_core.graph.collections import (
 GraphKeys as GraphKeys, add_to_collection as add_to_collection, add_to_collections as add_to_collections,
 get_all_collection_keys as get_all_collection_keys, get_collection as get_collection,
 get_collection_ref as get_collection_ref
)
from ossia_core.graph.composites import (
 IndexedSlices as IndexedSlices, IndexedSlicesValue as IndexedSlicesValue, SparseTensorValue as SparseTensorValue,
 convert_to_tensor_or_indexed_slices as convert_to_tensor_or_indexed_slices,
 convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor
)
from ossia_core.graph.convert import (
 constant as constant, convert_to_tensor as convert_to_tensor,
 register_tensor_conversion_function as register_tensor_conversion_function
)
from ossia_core.graph.graph import Graph as Graph
from ossia_core.graph.operation import Operation as Operation
from ossia_core.graph.scopes import (
 container as container, control_dependencies as control_dependencies, device as device, init_scope as init_scope,
 op_scope as op_scope
)
from ossia_core.graph.stack import (
 get_default_graph as get_default_graph, get_default_session as get_default_session,
 reset_default_graph as reset_default_graph
)
from ossia_core.graph.static_value import get_static_value as get_static_value
from ossia_core.graph.tensor import Tensor as Tensor, is_tensor as is_tensor
from ossia_core.graph.type_spec import (
 IndexedSlicesSpec as IndexedSlicesSpec, SparseTensorSpec as SparseTensorSpec, TensorSpec as TensorSpec,
 TypeSpec as TypeSpec
)
from ossia_core.names.device import DeviceSpec as DeviceSpec
from ossia_core.names.logging import get_logger as get_logger
from ossia_core.names.shapes import (
 Dimension as Dimension, TensorShape as TensorShape, dimension_at_index as dimension_at_index,
 dimension_value as dimension_value, disable_v2_tensorshape as disable_v2_tensorshape,
 enable_v2_tensorshape as enable_v2_tensorshape
)
from ossia_core.names.switches import (
 control_flow_v2_enabled as control_flow_v2_enabled, disable_control_flow_v2 as disable_control_flow_v2,
 disable_eager_execution as disable_eager_execution, disable_tensor_equality as disable_tensor_equality,
 disable_v2_behavior as disable_v2_behavior, enable_control_flow_v2 as enable_control_flow_v2,
 enable_eager_execution as enable_eager_execution, enable_tensor_equality as enable_tensor_equality,
 enable_v2_behavior as enable_v2_behavior, executing_eagerly as executing_eagerly
)
from ossia_core.names.tensor_proto import make_ndarray as make_ndarray, make_tensor_proto as make_tensor_proto
from ossia_core.names.version import COMPILER_VERSION as ___compiler_version__, GIT_VERSION as ___git_version__
from ossia_core.primitives.identity import (
 group as group, identity as identity, identity_n as identity_n, stop_gradient as stop_gradient, tuple as tuple
)
from ossia_core.primitives.source import (
 no_op as no_op, placeholder as placeholder, placeholder_with_default as placeholder_with_default
)
from ossia_core.proto import (
 AttrValue as AttrValue, ConfigProto as ConfigProto, GPUOptions as GPUOptions, GraphDef as GraphDef,
 GraphOptions as GraphOptions, HistogramProto as HistogramProto, LogMessage as LogMessage, MetaGraphDef as MetaGraphDef,
 NameAttrList as NameAttrList, NodeDef as NodeDef, OptimizerOptions as OptimizerOptions, RunMetadata as RunMetadata,
 RunOptions as RunOptions, SummaryMetadata as SummaryMetadata, TensorInfo as TensorInfo
)
from ossia_core.session.session import InteractiveSession as InteractiveSession, Session as Session
from ossia_core.variables.assignment import (
 assign as assign, assign_add as assign_add, assign_sub as assign_sub,
 is_variable_initialized as is_variable_initialized
)
from ossia_core.variables.creation import (
 disable_resource_variables as disable_resource_variables, enable_resource_variables as enable_resource_variables,
 resource_variables_enabled as resource_variables_enabled, variable_creator_scope as variable_creator_scope
)
from ossia_core.variables.listing import (
 all_variables as all_variables, assert_variables_initialized as assert_variables_initialized,
 global_variables as global_variables, global_variables_initializer as global_variables_initializer,
 tables_initializer as _initialize_all_tables, initialize_all_variables as initialize_all_variables,
 initialize_local_variables as initialize_local_variables, initialize_variables as initialize_variables,
 local_variables as local_variables, local_variables_initializer as local_variables_initializer,
 model_variables as model_variables, moving_average_variables as moving_average_variables,
 report_uninitialized_variables as report_uninitialized_variables, trainable_variables as trainable_variables,
 variables_initializer as variables_initializer
)
from ossia_core.variables.options import (
 VariableAggregation as VariableAggregation, VariableSynchronization as VariableSynchronization
)
from ossia_core.variables.scope import (
 AUTO_REUSE as AUTO_REUSE, VariableScope as VariableScope, get_local_variable as get_local_variable,
 get_variable as get_variable, get_variable_scope as get_variable_scope, no_regularizer as no_regularizer
)
from ossia_core.variables.variable import VariableV1 as _Variable
from ossia_core.variables.variable_scope import (
 create_partitioned_variables as create_partitioned_variables, variable_op_scope as variable_op_scope,
 variable_scope as variable_scope
)
from ossia_debugging.numerics import (
 add_check_numerics_ops as add_check_numerics_ops, verify_tensor_all_finite as verify_tensor_all_finite
)
from ossia_derivatives.custom_gradient import (
 custom_gradient as custom_gradient, grad_pass_through as grad_pass_through, recompute_grad as recompute_grad
)
from ossia_derivatives.hessians import hessians as hessians
from ossia_derivatives.tape import GradientTape as GradientTape
from ossia_functions.function import function as function
from ossia_functions.optional_values import OptionalSpec as OptionalSpec
from ossia_functions.wrapping import (
 nondifferentiable_batch_function as nondifferentiable_batch_function, vectorized_map as vectorized_map,
 wrap_function as wrap_function
)
from ossia_linear_operators.matrix_functions import matrix_square_root as matrix_square_root
from ossia_modules.module import Module as Module
from ossia_modules.template import make_template as make_template
from ossia_nn.initializers import (
 Constant as _constant_initializer, GlorotNormal as _glorot_normal_initializer,
 GlorotUniform as _glorot_uniform_initializer, Ones as _ones_initializer, Orthogonal as _orthogonal_initializer,
 RandomNormal as _random_normal_initializer, RandomUniform as _random_uniform_initializer,
 TruncatedNormal as _truncated_normal_initializer, UniformUnitScaling as _uniform_unit_scaling_initializer,
 VarianceScaling as _variance_scaling_initializer, Zeros as _zeros_initializer
)
from ossia_ops import raw_ops as raw_ops
from ossia_ops.array.concat import concat as concat
from ossia_ops.array.diagonal import (
 diag as diag, diag_part as diag_part, matrix_band_part as matrix_band_part, matrix_diag as matrix_diag,
 matrix_diag_part as matrix_diag_part, matrix_set_diag as matrix_set_diag
)
from ossia_ops.array.edit_distance import edit_distance as edit_distance
from ossia_ops.array.fill import (
 fill as fill, ones as ones, ones_like as ones_like, zeros as zeros, zeros_like as zeros_like
)
from ossia_ops.array.gather import batch_gather as batch_gather, gather as gather
from ossia_ops.array.grid import meshgrid as meshgrid, repeat as repeat, unravel_index as unravel_index
from ossia_ops.array.inplace import guarantee_const as guarantee_const
from ossia_ops.array.masking import boolean_mask as boolean_mask, sequence_mask as sequence_mask
from ossia_ops.array.one_hot import one_hot as one_hot
from ossia_ops.array.padding import pad as pad
from ossia_ops.array.part import slice_ as _slice
from ossia_ops.array.partition import dynamic_partition as dynamic_partition, dynamic_stitch as dynamic_stitch
from ossia_ops.array.reversal import reverse_sequence as reverse_sequence, reverse as _reverse_v2
from ossia_ops.array.scatter import (
 tensor_scatter_add as tensor_scatter_add, tensor_scatter_add as _tensor_scatter_nd_add,
 tensor_scatter_sub as _tensor_scatter_nd_sub, tensor_scatter_update as _tensor_scatter_nd_update,
 tensor_scatter_sub as tensor_scatter_sub, tensor_scatter_update as tensor_scatter_update
)
from ossia_ops.array.selection import where as where, where_v2 as where_v2
from ossia_ops.array.shape import (
 ensure_shape as ensure_shape, expand_dims as expand_dims, rank as rank, shape as shape, shape_n as shape_n,
 size as size, squeeze as squeeze
)
from ossia_ops.array.slicing import newaxis as newaxis, strided_slice as strided_slice
from ossia_ops.array.space_to_batch import (
 batch_to_space as batch_to_space, required_space_to_batch_paddings as required_space_to_batch_paddings
)
from ossia_ops.array.split import split as split
from ossia_ops.array.stacking import parallel_stack as parallel_stack, stack as stack, unstack as unstack
from ossia_ops.array.transposition import transpose as transpose
from ossia_ops.array.unique import setdiff1d as setdiff1d, unique as unique, unique_with_counts as unique_with_counts
from ossia_ops.control.case import case as case, switch_case as switch_case
from ossia_ops.control.clock import timestamp as timestamp
from ossia_ops.control.functional import foldl as foldl, foldr as foldr, map_fn as map_fn, scan as scan
from ossia_ops.control.old_names import (
 batch_matmul as batch_matmul, complex_abs as complex_abs, concat_v2 as concat_v2, inv as inv, listdiff as listdiff,
 mul as mul, neg as neg, pack as pack, select as select, split_v as split_v, sub as sub, unpack as unpack
)
from ossia_ops.control.printing import Print as Print, print_v2 as _print
from ossia_ops.control.py_func import numpy_function as numpy_function, py_func as py_func, py_function as py_function
from ossia_ops.control.tensor_array import TensorArray as TensorArray, TensorArraySpec as TensorArraySpec
from ossia_ops.libraries import (
 load_file_system_library as load_file_system_library, load_library as load_library, load_op_library as load_op_library
)
from ossia_ops.linalg.determinant import matrix_determinant as matrix_determinant
from ossia_ops.linalg.factorization import (
 self_adjoint_eig as self_adjoint_eig, self_adjoint_eigvals as self_adjoint_eigvals
)
from ossia_ops.linalg.least_squares import matrix_solve_ls as matrix_solve_ls
from ossia_ops.linalg.matmul import sparse_matmul as sparse_matmul
from ossia_ops.linalg.solving import (
 matrix_inverse as matrix_inverse, matrix_solve as matrix_solve, matrix_triangular_solve as matrix_triangular_solve
)
from ossia_ops.math.broadcast import (
 broadcast_dynamic_shape as broadcast_dynamic_shape, broadcast_static_shape as broadcast_static_shape,
 broadcast_to as broadcast_to
)
from ossia_ops.math.cast import (
 bitcast as bitcast, to_bfloat16 as to_bfloat16, to_complex128 as to_complex128, to_complex64 as to_complex64,
 to_double as to_double, to_float as to_float, to_int32 as to_int32, to_int64 as to_int64
)
from ossia_ops.math.clip import (
 clip_by_average_norm as clip_by_average_norm, clip_by_global_norm as clip_by_global_norm, clip_by_norm as clip_by_norm,
 clip_by_value as clip_by_value
)
from ossia_ops.math.division import (
 div as div, div_no_nan as div_no_nan, floor_div as floor_div, realdiv as realdiv, truncatediv as truncatediv,
 truncatemod as truncatemod
)
from ossia_ops.math.histogram import (
 histogram_fixed_width as histogram_fixed_width, histogram_fixed_width_bins as histogram_fixed_width_bins
)
from ossia_ops.math.operators import OPERATORS as __operators
from ossia_ops.math.sequence import lin_space as lin_space, lin_space as _linspace, range as range
from ossia_ops.math.sort import argsort as argsort, searchsorted as searchsorted, sort as sort
from ossia_ops.math.statistics import arg_max as arg_max, arg_min as arg_min
from ossia_ops.nn.patches import extract_volume_patches as extract_volume_patches
from ossia_ops.random.choice import random_shuffle as random_shuffle
from ossia_ops.random.normal import random_normal as random_normal
from ossia_ops.random.rejection import random_gamma as random_gamma, random_poisson as random_poisson
from ossia_ops.random.uniform import random_uniform as random_uniform
from ossia_ops.sparse.cwise import SPARSE_OPERATORS as __sparse_operators
from ossia_ops.sparse.dense import (
 sparse_tensor_dense_matmul as sparse_tensor_dense_matmul, sparse_tensor_to_dense as sparse_tensor_to_dense,
 sparse_to_dense as sparse_to_dense
)
from ossia_ops.sparse.extremes import sparse_maximum as sparse_maximum, sparse_minimum as sparse_minimum
from ossia_ops.sparse.order import sparse_merge as sparse_merge, sparse_reorder as sparse_reorder
from ossia_ops.sparse.placeholder import sparse_placeholder as sparse_placeholder
from ossia_ops.sparse.reduction import (
 sparse_reduce_max as sparse_reduce_max, sparse_reduce_max_sparse as sparse_reduce_max_sparse,
 sparse_reduce_sum as sparse_reduce_sum, sparse_reduce_sum_sparse as sparse_reduce_sum_sparse
)
from ossia_ops.sparse.segment import (
 sparse_segment_mean as sparse_segment_mean, sparse_segment_sqrt_n as sparse_segment_sqrt_n,
 sparse_segment_sum as sparse_segment_sum
)
from ossia_ops.sparse.shape import (
 sparse_concat as sparse_concat, sparse_fill_empty_rows as sparse_fill_empty_rows, sparse_reshape as sparse_reshape,
 sparse_retain as sparse_retain, sparse_slice as sparse_slice, sparse_transpose as sparse_transpose
)
from ossia_ops.sparse.softmax import sparse_softmax as sparse_softmax
from ossia_ops.sparse.split import sparse_split as sparse_split
from ossia_ops.sparse.sum import sparse_add as sparse_add
from ossia_ops.sparse.values import (
 sparse_mask as sparse_mask, sparse_reset_shape as sparse_reset_shape, sparse_to_indicator as sparse_to_indicator
)
from ossia_ops.state.handles import (
 delete_session_tensor as delete_session_tensor, get_session_handle as get_session_handle,
 get_session_tensor as get_session_tensor
)
from ossia_ops.state.partitioners import (
 fixed_size_partitioner as fixed_size_partitioner, min_max_variable_partitioner as min_max_variable_partitioner,
 variable_axis_size_partitioner as variable_axis_size_partitioner
)
from ossia_ops.state.rows import (
 batch_scatter_update as batch_scatter_update, count_up_to as count_up_to, scatter_add as scatter_add,
 scatter_div as scatter_div, scatter_max as scatter_max, scatter_min as scatter_min, scatter_mul as scatter_mul,
 scatter_sub as scatter_sub, scatter_update as scatter_update
)
from ossia_ops.state.slice_updates import (
 scatter_nd_add as scatter_nd_add, scatter_nd_sub as scatter_nd_sub, scatter_nd_update as scatter_nd_update
)
from ossia_ops.strings.elementwise import string_join as string_join, string_strip as string_strip
from ossia_ops.strings.hashes import (
 fingerprint as fingerprint, string_to_hash_bucket as string_to_hash_bucket,
 string_to_hash_bucket_fast as string_to_hash_bucket_fast, string_to_hash_bucket_strong as string_to_hash_bucket_strong
)
from ossia_ops.strings.numbers import string_to_number as string_to_number
from ossia_ops.strings.split import string_split as string_split
from ossia_program.sysconfig import CXX11_ABI_FLAG as ___cxx11_abi_flag__, MONOLITHIC_BUILD as ___monolithic_build__
from ossia_quantization.quantize import quantize_v2 as quantize_v2
from ossia_queues.accumulator import (
 ConditionalAccumulator as ConditionalAccumulator, ConditionalAccumulatorBase as ConditionalAccumulatorBase
)
from ossia_queues.file_readers import (
 FixedLengthRecordReader as FixedLengthRecordReader, IdentityReader as IdentityReader, LMDBReader as LMDBReader,
 TFRecordReader as TFRecordReader, TextLineReader as TextLineReader, WholeFileReader as WholeFileReader
)
from ossia_queues.readers import ReaderBase as ReaderBase
from ossia_ragged.spec import RaggedTensorSpec as RaggedTensorSpec
from ossia_ragged.tensor import RaggedTensor as RaggedTensor
from ossia_summary.audio import audio_summary as audio_summary
from ossia_summary.histogram import histogram_summary as histogram_summary
from ossia_summary.image import image_summary as image_summary
from ossia_summary.merge import merge_all_summaries as merge_all_summaries, merge_summary as merge_summary
from ossia_summary.scalar import scalar_summary as scalar_summary
NoGradient = _NoGradient
NotDifferentiable = _NotDifferentiable
Variable = _Variable
__compiler_version__ = ___compiler_version__
__cxx11_abi_flag__ = ___cxx11_abi_flag__
__git_version__ = ___git_version__
__monolithic_build__ = ___monolithic_build__
_operators = __operators
_sparse_operators = __sparse_operators
constant_initializer = _constant_initializer
glorot_normal_initializer = _glorot_normal_initializer
glorot_uniform_initializer = _glorot_uniform_initializer
initialize_all_tables = _initialize_all_tables
linspace = _linspace
ones_initializer = _ones_initializer
orthogonal_initializer = _orthogonal_initializer
print = _print
random_normal_initializer = _random_normal_initializer
random_uniform_initializer = _random_uniform_initializer
reverse_v2 = _reverse_v2
slice = _slice
tensor_scatter_nd_add = _tensor_scatter_nd_add
tensor_scatter_nd_sub = _tensor_scatter_nd_sub
tensor_scatter_nd_update = _tensor_scatter_nd_update
truncated_normal_initializer = _truncated_normal_initializer
uniform_unit_scaling_initializer = _uniform_unit_scaling_initializer
variance_scaling_initializer = _variance_scaling_initializer
zeros_initializer = _zeros_initializer

"""Which private modules of TensorFlow 1.15 are served, and where their members are looked up."""

from __future__ import annotations

import fnmatch

MODULES: dict[str, str] = {
    "python": "debug pywrap_tensorflow pywrap_tensorflow_internal tf2",
    "python.debug": "",
    "python.debug.lib": "debug_data debug_utils",
    "python.debug.wrappers": "dumping_wrapper framework grpc_wrapper hooks local_cli_wrapper",
    "python.compat": "compat v2_compat",
    "python.client": "device_lib session timeline",
    "python.eager": (
        "backprop context core def_function execute forwardprop function lift_to_graph monitoring profiler tape test "
        "wrap_function"
    ),
    "python.estimator": (
        "early_stopping estimator estimator_lib exporter extenders gc inputs keras mode_keys model_fn run_config "
        "training util"
    ),
    "python.estimator.canned": (
        "baseline boosted_trees dnn dnn_linear_combined head kmeans linear metric_keys optimizers parsing_utils "
        "prediction_keys rnn"
    ),
    "python.estimator.export": "export export_lib export_output",
    "python.estimator.hooks": "basic_session_run_hooks hooks session_run_hook",
    "python.estimator.inputs": "inputs numpy_io pandas_io",
    "python.estimator.tpu": "tpu_config tpu_context tpu_estimator",
    "python.feature_column": (
        "dense_features feature_column feature_column_lib feature_column_v2 sequence_feature_column serialization"
    ),
    "python.framework": (
        "auto_control_deps c_api_util common_shapes composite_tensor composite_tensor_utils config constant_op "
        "cpp_shape_inference_pb2 device device_spec dtypes error_interpolation errors errors_impl fast_tensor_util "
        "func_graph function function_def_to_graph graph_io graph_to_function_def graph_util graph_util_impl "
        "importer indexed_slices kernels load_library meta_graph op_def_library op_def_registry ops random_seed "
        "registry smart_cond sparse_tensor subscribe tensor_conversion_registry tensor_like tensor_shape "
        "tensor_spec tensor_util test_ops test_util traceable_stack type_spec versions"
    ),
    "python.layers": "base convolutional core layers normalization pooling utils",
    "python.lib": "",
    "python.lib.io": "file_io python_io tf_record",
    "python.ops": (
        "array_grad array_ops batch_ops bitwise_ops candidate_sampling_ops check_ops clip_ops collective_ops cond_v2 "
        "confusion_matrix control_flow_grad control_flow_ops control_flow_state control_flow_util control_flow_util_v2 "
        "control_flow_v2_func_graphs control_flow_v2_toggles critical_section_ops ctc_ops cudnn_rnn_grad "
        "custom_gradient data_flow_grad data_flow_ops default_gradient embedding_ops functional_ops gen_array_ops "
        "gen_audio_ops gen_batch_ops gen_bitwise_ops gen_boosted_trees_ops gen_candidate_sampling_ops "
        "gen_checkpoint_ops gen_clustering_ops gen_collective_ops gen_control_flow_ops gen_ctc_ops gen_data_flow_ops "
        "gen_dataset_ops gen_decode_proto_ops gen_encode_proto_ops gen_functional_ops gen_image_ops gen_io_ops "
        "gen_linalg_ops gen_list_ops gen_logging_ops gen_lookup_ops gen_manip_ops gen_math_ops gen_nn_ops "
        "gen_parsing_ops gen_ragged_array_ops gen_ragged_conversion_ops gen_ragged_math_ops gen_random_ops "
        "gen_resource_variable_ops gen_rnn_ops gen_script_ops gen_sdca_ops gen_set_ops gen_sparse_ops "
        "gen_spectral_ops gen_state_ops gen_stateful_random_ops gen_stateless_random_ops gen_string_ops "
        "gen_summary_ops gen_user_ops gradient_checker gradient_checker_v2 gradients gradients_impl gradients_util "
        "histogram_ops image_grad image_ops image_ops_impl init_ops init_ops_v2 initializers_ns inplace_ops io_ops "
        "boosted_trees_ops "
        "linalg_grad linalg_ops linalg_ops_impl list_ops logging_ops lookup_ops manip_grad manip_ops map_fn "
        "math_grad math_ops metrics metrics_impl nn nn_grad nn_impl nn_ops numerics op_selector optional_grad "
        "parsing_ops partitioned_variables proto_ops random_grad random_ops resource_variable_ops resources rnn "
        "rnn_cell rnn_cell_impl rnn_cell_wrapper_impl rnn_grad script_ops sdca_ops session_ops sets sets_impl "
        "sort_ops sparse_grad sparse_ops special_math_ops spectral_ops_test_util standard_ops state_grad state_ops "
        "stateful_random_ops stateless_random_ops string_ops summary_ops_v2 template tensor_array_grad "
        "tensor_array_ops tensor_forest_ops unconnected_gradients variable_scope variables weights_broadcast_ops "
        "while_v2 while_v2_indexed_slices_rewriter"
    ),
    "python.module": "module",
    "python.ops.distributions": (
        "bernoulli beta bijector bijector_impl bijector_test_util categorical dirichlet dirichlet_multinomial "
        "distribution distributions exponential gamma identity_bijector kullback_leibler laplace multinomial normal "
        "special_math student_t transformed_distribution uniform util"
    ),
    "python.ops.linalg": (
        "adjoint_registrations cholesky_registrations inverse_registrations linalg linalg_impl linear_operator "
        "linear_operator_addition linear_operator_adjoint linear_operator_algebra linear_operator_block_diag "
        "linear_operator_circulant linear_operator_composition linear_operator_diag linear_operator_full_matrix "
        "linear_operator_householder linear_operator_identity linear_operator_inversion linear_operator_kronecker "
        "linear_operator_low_rank_update linear_operator_lower_triangular linear_operator_test_util "
        "linear_operator_toeplitz linear_operator_util linear_operator_zeros matmul_registrations "
        "solve_registrations"
    ),
    "python.ops.losses": "loss_reduction losses losses_impl util",
    "python.ops.parallel_for": "control_flow_ops gradients pfor test_util",
    "python.ops.ragged": (
        "ragged_array_ops ragged_batch_gather_ops ragged_batch_gather_with_default_op ragged_concat_ops ragged_config "
        "ragged_conversion_ops ragged_dispatch ragged_factory_ops ragged_functional_ops ragged_gather_ops "
        "ragged_getitem ragged_map_ops ragged_math_ops ragged_operators ragged_squeeze_op ragged_string_ops "
        "ragged_tensor ragged_tensor_shape ragged_tensor_value ragged_util ragged_where_op segment_id_ops"
    ),
    "python.ops.signal": (
        "dct_ops fft_ops mel_ops mfcc_ops reconstruction_ops shape_ops signal spectral_ops util_ops window_ops"
    ),
    "python.platform": "app benchmark flags gfile googletest resource_loader sysconfig test tf_logging",
    "python.saved_model": (
        "builder builder_impl constants load loader loader_impl main_op main_op_impl nested_structure_coder "
        "revived_types save saved_model signature_constants signature_def_utils signature_def_utils_impl simple_save "
        "tag_constants utils utils_impl"
    ),
    "python.summary": (
        "plugin_asset summary summary_iterator"
    ),
    "python.summary.writer": "event_file_writer event_file_writer_v2 writer writer_cache",
    "python.tools": (
        "freeze_graph inspect_checkpoint optimize_for_inference_lib saved_model_cli saved_model_utils strip_unused_lib"
    ),
    "python.training": (
        "adadelta adagrad adagrad_da adam basic_loops basic_session_run_hooks checkpoint_management checkpoint_ops "
        "checkpoint_state_pb2 checkpoint_utils coordinator device_setter device_util distribute evaluation ftrl "
        "gen_training_ops gradient_descent input learning_rate_decay momentum monitored_session moving_averages "
        "optimizer proximal_adagrad proximal_gradient_descent queue_runner queue_runner_impl rmsprop saver "
        "saver_test_utils server_lib session_manager session_run_hook slot_creator summary_io supervisor "
        "sync_replicas_optimizer training training_ops training_util warm_starting_util"
    ),
    "python.training.experimental": "loss_scale loss_scale_optimizer mixed_precision",
    "python.training.tracking": "base data_structures graph_view layer_utils tracking util",
    "python.training.saving": "functional_saver saveable_object saveable_object_util",
    "python.util": (
        "all_util compat compat_internal decorator_utils deprecation deprecation_wrapper dispatch "
        "example_parser_configuration function_utils future_api is_in_graph_mode keyword_args lazy_loader lock_util "
        "memory module_wrapper nest object_identity serialization tf_contextlib tf_decorator tf_export tf_inspect "
        "tf_should_use tf_stack"
    ),
    "python.util.protobuf": "compare",
    "python.autograph": "",
    "python.autograph.core": "",
    "python.autograph.impl": "",
    "python.autograph.lang": "",
    "python.autograph.operators": "",
    "python.data": "",
    "python.data.ops": "dataset_ops iterator_ops multi_device_iterator_ops optional_ops readers",
    "python.data.util": "convert nest options random_seed sparse structure traverse",
    "python.data.kernel_tests": "test_base",
    "python.data.experimental": "",
    "python.data.experimental.ops": (
        "batching cardinality counter distribute distribute_options enumerate_ops error_ops get_single_element "
        "grouping interleave_ops iterator_ops map_defun matching_files optimization optimization_options parsing_ops "
        "prefetching_ops random_ops readers resampling scan_ops shuffle_ops sleep snapshot stats_aggregator stats_ops "
        "stats_options take_while_ops threading_options threadpool unique writers"
    ),
    "python.data.experimental.kernel_tests": "",
    "python.distribute": (
        "cross_device_ops device_util distribute_lib distribution_strategy_context mirrored_strategy "
        "multi_worker_util parameter_server_strategy reduce_util values"
    ),
    "python.grappler": "",
    "python.keras": "",
    "python.keras.engine": "base_layer input_spec training",
    "python.keras.layers": "convolutional core normalization pooling recurrent",
    "python.keras.utils": "conv_utils",
    "python.kernel_tests": "",
    "python.kernel_tests.random": "util",
    "python.kernel_tests.signal": "test_util",
    "python.profiler": "model_analyzer option_builder profile_context profiler tfprof_logger",
    "python.user_ops": "user_ops",
    "contrib.framework.python": "",
    "contrib.framework.python.framework": "checkpoint_utils tensor_util",
    "contrib.framework.python.ops": "arg_scope checkpoint_ops ops variables",
    "contrib.layers.python": "",
    "contrib.layers.python.layers": (
        "embedding_ops encoders feature_column feature_column_ops initializers layers normalization optimizers "
        "regularizers rev_block_lib summaries utils"
    ),
    "contrib.layers.python.ops": "bucketization_op sparse_feature_cross_op sparse_ops",
    "contrib.legacy_seq2seq.python": "",
    "contrib.legacy_seq2seq.python.ops": "seq2seq",
    "contrib.losses.python": "",
    "contrib.losses.python.losses": "loss_ops",
    "contrib.losses.python.metric_learning": "metric_loss_ops",
    "contrib.metrics.python": "",
    "contrib.metrics.python.ops": "confusion_matrix_ops histogram_ops metric_ops set_ops",
    "contrib.learn.python": "",
    "contrib.learn.python.learn": (
        "evaluable experiment export_strategy graph_actions learn_runner metric_spec monitors trainable"
    ),
    "contrib.learn.python.learn.datasets": "base mnist synthetic",
    "contrib.learn.python.learn.estimators": (
        "constants dnn dnn_linear_combined estimator head kmeans linear model_fn prediction_key run_config svm"
    ),
    "contrib.learn.python.learn.preprocessing": "categorical categorical_vocabulary text",
    "contrib.learn.python.learn.utils": "export gc input_fn_utils saved_model_export_utils",
    "contrib.rnn.python": "",
    "contrib.rnn.python.ops": "core_rnn core_rnn_cell fused_rnn_cell gru_ops lstm_ops rnn rnn_cell",
    "contrib.crf.python": "",
    "contrib.crf.python.ops": "crf",
    "contrib.seq2seq.python": "",
    "contrib.seq2seq.python.ops": (
        "attention_wrapper basic_decoder beam_search_decoder beam_search_ops decoder helper loss"
    ),
    "contrib.slim.python": "",
    "contrib.slim.python.slim": "evaluation learning model_analyzer queues summaries",
    "contrib.slim.python.slim.data": (
        "data_decoder data_provider dataset dataset_data_provider parallel_reader prefetch_queue tfexample_decoder"
    ),
    "contrib.tpu.python": "",
    "contrib.tpu.python.tpu": "bfloat16 tpu tpu_config tpu_context tpu_estimator tpu_function tpu_optimizer",
    "contrib.tpu.python.ops": "tpu_ops",
    "contrib.cluster_resolver.python": "",
    "contrib.cluster_resolver.python.training": (
        "cluster_resolver tfconfig_cluster_resolver tpu_cluster_resolver"
    ),
    "contrib.data.python": "",
    "contrib.data.python.ops": (
        "batching counter enumerate_ops error_ops get_single_element grouping interleave_ops iterator_ops readers "
        "resampling scan_ops shuffle_ops sliding threadpool unique"
    ),
    "contrib.estimator.python": "",
    "contrib.estimator.python.estimator": (
        "early_stopping export extenders head hooks logit_fns multi_head"
    ),
    "contrib.hooks.python": "",
    "contrib.hooks.python.training": "profiler_hook",
    "contrib.training.python": "",
    "contrib.training.python.training": (
        "bucket_ops device_setter evaluation feeding_queue_runner hparam resample sampling_ops "
        "sequence_queueing_state_saver training"
    ),
    "core.profiler": "tfprof_log_pb2",
    "tools": "graph_transforms",
    "tools.compatibility": "all_renames_v2",
    "examples": "",
    "examples.tutorials": "",
    "examples.tutorials.mnist": "input_data",
    "core": "",
    "core.example": "example_parser_configuration_pb2 example_pb2 feature_pb2",
    "core.framework": (
        "allocation_description_pb2 api_def_pb2 attr_value_pb2 cost_graph_pb2 device_attributes_pb2 function_pb2 "
        "graph_pb2 kernel_def_pb2 log_memory_pb2 node_def_pb2 op_def_pb2 resource_handle_pb2 step_stats_pb2 "
        "summary_pb2 tensor_description_pb2 tensor_pb2 tensor_shape_pb2 tensor_slice_pb2 types_pb2 variable_pb2 "
        "versions_pb2"
    ),
    "core.kernels": "",
    "core.kernels.boosted_trees": "boosted_trees_pb2",
    "core.lib": "",
    "core.lib.core": "error_codes_pb2",
    "core.protobuf": (
        "cluster_pb2 config_pb2 control_flow_pb2 debug_pb2 device_properties_pb2 meta_graph_pb2 named_tensor_pb2 "
        "queue_runner_pb2 rewriter_config_pb2 saved_model_pb2 saved_object_graph_pb2 saver_pb2 struct_pb2 "
        "tensor_bundle_pb2 tensorflow_server_pb2 trackable_object_graph_pb2"
    ),
    "core.util": "event_pb2 memmapped_file_system_pb2 saved_tensor_slice_pb2 test_log_pb2",
}
"""The packages below `tensorflow` that hold private modules, each with its modules."""

EMPTY = (
    "python.autograph.core.ag_ctx", "python.autograph.core.converter", "python.autograph.impl.api",
    "python.autograph.lang.directives", "python.autograph.operators.control_flow",
    "python.grappler.cluster", "python.grappler.item", "python.grappler.tf_optimizer",
    "python.keras.backend", "python.keras.utils.generic_utils", "python.keras.utils.tf_utils",
    "python.platform.build_info", "python.platform.remote_utils", "python.platform.self_check",
    "python.platform.status_bar", "python.tools.import_pb_to_tensorboard", "python.tools.optimize_for_inference",
    "python.tools.strip_unused",
)
"""Modules whose members Ossia has nowhere. They are served all the same: programs import more than they use."""

SOURCES: dict[str, tuple[str, ...]] = {
    "contrib.layers.python.layers.utils": ("ossia.contrib.slim.utils",),
    "contrib.framework.python.*": ("ossia.contrib.framework",),
    "contrib.layers.python.*": ("ossia.contrib.layers",),
    "contrib.learn.python.learn.datasets.base": ("ossia_contrib.learn.datasets.base",),
    "contrib.learn.python.learn.datasets.synthetic": ("ossia_contrib.learn.datasets.synthetic",),
    "contrib.learn.python.learn.datasets.mnist": ("ossia.contrib.learn.datasets.mnist",),
    "contrib.learn.python.learn.graph_actions": ("ossia.contrib.learn.graph_actions",),
    "contrib.learn.python.learn.learn_runner": ("ossia.contrib.learn.learn_runner",),
    "contrib.learn.python.learn.monitors": ("ossia.contrib.learn.monitors",),
    "contrib.learn.python.learn.preprocessing*": (
        "ossia.contrib.learn.preprocessing", "ossia_contrib.learn.preprocessing.text",
    ),
    "contrib.learn.python.learn.utils*": ("ossia.contrib.learn.utils",),
    "contrib.learn.python.*": ("ossia.contrib.learn",),
    "contrib.legacy_seq2seq.python.*": ("ossia.contrib.legacy_seq2seq",),
    "contrib.rnn.python.*": ("ossia.contrib.rnn",),
    "contrib.losses.python.metric_learning.*": ("ossia.contrib.losses.metric_learning",),
    "contrib.losses.python.losses.*": ("ossia.contrib.losses",),
    "contrib.metrics.python.*": ("ossia.contrib.metrics",),
    "contrib.slim.python.slim.evaluation": ("ossia.contrib.slim.evaluation",),
    "contrib.crf.python.*": ("ossia.contrib.crf",),
    "contrib.seq2seq.python.*": ("ossia.contrib.seq2seq",),
    "contrib.slim.python.slim.learning": ("ossia.contrib.slim.learning",),
    "contrib.slim.python.slim.model_analyzer": ("ossia.contrib.slim.model_analyzer",),
    "contrib.slim.python.slim.queues": ("ossia.contrib.slim.queues",),
    "contrib.slim.python.slim.summaries": ("ossia.contrib.slim.summaries",),
    "contrib.slim.python.slim.data.*": tuple(
        f"ossia.contrib.slim.{name}" for name in (
            "data_decoder", "data_provider", "dataset", "dataset_data_provider", "parallel_reader", "prefetch_queue",
            "tfexample_decoder",
        )
    ),
    "contrib.tpu.python.*": ("ossia.contrib.tpu",),
    "contrib.cluster_resolver.python.*": ("ossia.contrib.cluster_resolver",),
    "contrib.data.python.*": ("ossia.contrib.data",),
    "contrib.estimator.python.*": ("ossia.contrib.estimator",),
    "contrib.hooks.python.*": ("ossia.contrib.hooks",),
    "contrib.training.python.*": ("ossia.contrib.training",),
    "core.lib.core.error_codes_pb2": ("ossia.errors", ".core.enums"),
    "core.kernels.boosted_trees.boosted_trees_pb2": (".core.boosted_trees",),
    "core.*_pb2": ("ossia_core.proto", "ossia", "ossia.train", "ossia.summary", ".core.enums"),
    "examples.tutorials.mnist.input_data": (".examples.tutorials.mnist.input_data",),
    "python.client.device_lib": (".python.client.device_lib",),
    "python.client.timeline": (".python.client.timeline",),
    "python.client.session": (
        "ossia", ".python.client.session", "ossia_core.session.session", "ossia_core.session.run.fetch",
    ),
    "python.compat.compat": (".python.compat.compat",),
    "python.compat.v2_compat": ("ossia",),
    "python.data.ops.optional_ops": ("ossia.data.experimental", "ossia"),
    "python.data.ops.multi_device_iterator_ops": ("ossia_data.devices",),
    "python.data.ops.*": (
        "ossia.data", "ossia.data.experimental", "ossia_data.dataset", "ossia_data.iterator", "ossia_data.readers",
        "ossia_data.options", "ossia_data.functions",
    ),
    "python.data.util.nest": (".python.data.nest",),
    "python.data.util.structure": (".python.data.elements", "ossia.data.experimental", "ossia"),
    "python.data.util.*": (".python.data.elements",),
    "python.data.kernel_tests.test_base": ("ossia_tensorflow_tests.python.data.test_base",),
    "python.data.experimental.ops.*": (
        "ossia.data.experimental", ".python.data.transformations", "ossia_data.experimental", "ossia_data.grouping",
        "ossia_data.sampling", "ossia_data.csv_dataset", "ossia_data.devices", "ossia_data.statistics",
    ),
    "python.eager.backprop": ("ossia", ".python.eager.backprop"),
    "python.eager.context": (".python.eager.context", "ossia"),
    "python.eager.def_function": ("ossia", ".python.eager.function", "ossia_functions.function"),
    "python.eager.function": (".python.eager.function", "ossia", "ossia_functions.function"),
    "python.eager.wrap_function": ("ossia", "ossia_functions.wrapping"),
    "python.eager.test": ("ossia.test",),
    "python.eager.*": ("ossia",),
    "python.distribute.*": ("ossia.distribute", "ossia"),
    "python.estimator.canned.head": ("ossia_estimator.heads.private_names",),
    "python.estimator.canned.dnn": (
        "ossia.estimator", "ossia_estimator.canned.private_names", "ossia.estimator.experimental",
    ),
    "python.estimator.canned.linear": (
        "ossia.estimator", "ossia_estimator.canned.private_names", "ossia.estimator.experimental",
    ),
    "python.estimator.canned.kmeans": ("ossia.estimator.experimental",),
    "python.estimator.canned.optimizers": ("ossia_estimator.canned.private_names",),
    "python.estimator.canned.dnn_linear_combined": ("ossia.estimator", "ossia_estimator.canned.private_names"),
    "python.estimator.extenders": ("ossia.estimator",),
    "python.estimator.mode_keys": ("ossia.estimator",),
    "python.estimator.canned.metric_keys": ("ossia_estimator.heads.keys",),
    "python.estimator.canned.prediction_keys": ("ossia_estimator.heads.keys",),
    "python.estimator.hooks.*": ("ossia.train", "ossia.estimator.experimental"),
    "python.estimator.early_stopping": ("ossia.estimator.experimental", "ossia_estimator.private_names"),
    "python.estimator.exporter": ("ossia.estimator", "ossia_estimator.private_names"),
    "python.estimator.canned.boosted_trees": ("ossia.estimator", "ossia.estimator.experimental"),
    "python.estimator.tpu.*": ("ossia.estimator.tpu",),
    "python.estimator.run_config": ("ossia.estimator", "ossia_estimator.private_names"),
    "python.estimator.util": ("ossia_estimator.private_names",),
    "python.estimator.export*": (
        "ossia.estimator.export", "ossia_estimator.export_outputs", "ossia_estimator.receivers",
        "ossia.estimator.experimental", "ossia_estimator.private_names",
    ),
    "python.estimator.inputs*": ("ossia.estimator.inputs",),
    "python.estimator.model_fn": (
        "ossia.estimator", "ossia_estimator.model_fns", "ossia.estimator.experimental", "ossia_estimator.private_names",
    ),
    "python.estimator*": ("ossia.estimator",),
    "python.feature_column.feature_column": (
        ".python.feature_column.feature_column", "ossia_feature_column.older_interface",
        "ossia_feature_column.shared_embedding", "ossia.feature_column",
    ),
    "python.feature_column.*": (
        "ossia.feature_column", "ossia.keras.layers", "ossia.keras.experimental",
        ".python.feature_column.feature_column_v2", "ossia_feature_column.linear_layer",
        ".python.feature_column.feature_column",
    ),
    "python.framework.auto_control_deps": (".python.framework.auto_control_deps",),
    "python.framework.common_shapes": (".python.framework.common_shapes", ".python.framework.tensor_util"),
    "python.framework.composite_tensor": ("ossia_core.names.structures",),
    "python.framework.config": (
        "ossia.config", "ossia.config.experimental", "ossia.config.optimizer", "ossia.config.threading",
    ),
    "python.framework.cpp_shape_inference_pb2": ("ossia_core.proto",),
    "python.framework.device*": (".python.framework.device", "ossia"),
    "python.framework.dtypes": ("ossia.dtypes", "ossia", "ossia_core.names.dtypes", ".python.framework.dtypes"),
    "python.framework.errors*": ("ossia.errors", ".python.framework.errors_impl", "ossia_core.names.errors"),
    "python.framework.error_interpolation": (".python.framework.error_interpolation",),
    "python.framework.func_graph": (".python.framework.func_graph", "ossia_functions.func_graph"),
    "python.framework.function": (".python.framework.function",),
    "python.framework.function_def_to_graph": (".python.framework.func_graph",),
    "python.framework.graph_to_function_def": (".python.framework.func_graph",),
    "python.framework.graph_util*": ("ossia.graph_util", "ossia"),
    "python.framework.meta_graph": (".python.framework.meta_graph", "ossia.train", "ossia_checkpoint.meta_graph"),
    "python.framework.random_seed": ("ossia", ".python.framework.tensor_util"),
    "python.framework.ops": (
        "ossia", "ossia.train", ".python.framework.ops", ".python.framework.op_statistics",
        "ossia_checkpoint.collection_defs",
    ),
    "python.framework.op_def_library": (".python.framework.op_def_registry",),
    "python.framework.op_def_registry": (".python.framework.op_def_registry",),
    "python.framework.registry": (".python.framework.op_def_registry",),
    "python.framework.smart_cond": (".python.framework.smart_cond",),
    "python.framework.subscribe": (".python.framework.subscribe",),
    "python.framework.traceable_stack": (".python.util.tf_stack",),
    "python.framework.constant_op": (".python.ops.second_versions", "ossia"),
    "python.framework.tensor_util": (".python.framework.tensor_util", "ossia", ".python.ops.second_versions"),
    "python.framework.tensor_spec": ("ossia", ".python.framework.tensor_spec"),
    "python.framework.tensor_shape": ("ossia", "ossia.compat", ".python.framework.tensor_util"),
    "python.framework.test_ops": (".python.ops.gen_ops",),
    "python.framework.test_util": (".python.framework.test_util", "ossia.test", "ossia"),
    "python.framework.type_spec": ("ossia", ".python.framework.type_spec"),
    "python.framework.kernels": (".python.framework.kernels",),
    "python.framework.versions": ("ossia.version", "ossia", ".python.framework.tensor_util"),
    "python.framework.*": ("ossia", "ossia.train", ".python.framework.ops", ".python.framework.op_statistics"),
    "python.keras.engine.*": ("ossia.layers",),
    "python.keras.layers.*": ("ossia.layers",),
    "python.keras.utils.conv_utils": (".python.layers.utils",),
    "python.kernel_tests.random.util": ("ossia_tensorflow_tests.python.kernel_tests.random.util",),
    "python.kernel_tests.signal.test_util": ("ossia_tensorflow_tests.python.ops.spectral_ops_test_util",),
    "python.layers.utils": (".python.framework.smart_cond", ".python.layers.utils"),
    "python.layers.*": ("ossia.layers", "ossia", ".python.ops.synonyms"),
    "python.lib.io.file_io": (".python.lib.io.file_io", "ossia.gfile", ".python.ops.synonyms"),
    "python.module.module": ("ossia",),
    "python.lib.io.*": ("ossia.python_io", "ossia.io"),
    "python.ops.array_ops": (
        "ossia", "ossia.quantization", ".python.ops.synonyms", ".python.ops.gen_ops", ".python.ops.second_versions",
        "ossia_ops.array.batched_gather",
    ),
    "python.ops.bitwise_ops": ("ossia.bitwise", ".python.ops.gen_ops"),
    "python.ops.check_ops": ("ossia.debugging", "ossia"),
    "python.ops.confusion_matrix": (".python.ops.confusion_matrix", "ossia", "ossia_ops.math.histogram"),
    "python.ops.control_flow_ops": (
        "ossia", ".python.framework.smart_cond", "ossia_core.control.context", ".python.ops.second_versions",
        ".python.ops.gen_ops",
    ),
    "python.ops.cond_v2": (".python.ops.cond_v2",),
    "python.ops.while_v2": (".python.ops.cond_v2",),
    "python.ops.custom_gradient": ("ossia", ".python.ops.custom_gradient"),
    "python.ops.control_flow_util_v2": (".python.ops.cond_v2",),
    "python.ops.control_flow_util": (".python.framework.smart_cond", ".python.ops.control_flow_util"),
    "python.ops.critical_section_ops": ("ossia", "ossia_coordination.critical_section"),
    "python.ops.ctc_ops": ("ossia.nn", "ossia", ".python.ops.ctc_ops"),
    "python.ops.data_flow_ops": (
        "ossia.queue", "ossia", "ossia.train", "ossia_queues.barrier", "ossia_queues.record_input",
        "ossia_queues.staging", ".python.ops.gen_ops",
    ),
    "python.ops.distributions.bijector_test_util": (
        "ossia_tensorflow_tests.python.ops.distributions.bijector_test_util",
    ),
    "python.ops.distributions.bijector*": (".python.ops.distributions.bijector_impl",),
    "python.ops.distributions.identity_bijector": (".python.ops.distributions.bijector_impl",),
    "python.ops.distributions.transformed_distribution": (".python.ops.distributions.transformed_distribution",),
    "python.ops.distributions.*": (
        "ossia.distributions", "ossia_distributions.divergence", "ossia_distributions.cumulative_normal",
        "ossia_distributions.laplace", ".python.ops.distributions.special_math", ".python.ops.distributions.util",
        ".python.ops.distributions.softplus",
    ),
    "python.ops.embedding_ops": ("ossia.nn", ".python.ops.synonyms", ".python.ops.nn_ops"),
    "python.ops.functional_ops": ("ossia", ".python.ops.functional_ops"),
    "python.ops.gen_*": (".python.ops.gen_ops",),
    "python.ops.gradients_util": ("ossia", ".python.ops.gradient_checker_v2"),
    "python.ops.gradient_checker": ("ossia.test",),
    "python.ops.gradient_checker_v2": (".python.ops.gradient_checker_v2",),
    "python.ops.image_ops*": ("ossia.image", ".python.ops.gen_ops"),
    "python.ops.initializers_ns": ("ossia.initializers", "ossia"),
    "python.ops.init_ops_v2": ("ossia.compat.v2.initializers", ".python.ops.init_ops_v2"),
    "python.ops.init_ops": ("ossia.initializers", "ossia", ".python.ops.init_ops"),
    "python.ops.linalg.linear_operator_test_util": (
        "ossia_tensorflow_tests.python.ops.linalg.linear_operator_test_util",
    ),
    "python.ops.linalg.linear_operator_addition": (".python.ops.linalg.linear_operator_addition",),
    "python.ops.linalg.linear_operator_algebra": (".python.ops.linalg.linear_operator_util",),
    "python.ops.linalg.linear_operator_util": (".python.ops.linalg.linear_operator_util",),
    "python.ops.linalg.linear_operator_circulant": ("ossia.linalg", ".python.ops.linalg.linear_operator_util"),
    "python.ops.linalg.linear_operator_toeplitz": ("ossia.linalg", ".python.ops.linalg.linear_operator_util"),
    "python.ops.linalg*": ("ossia.linalg", "ossia", ".python.ops.gen_ops"),
    "python.ops.inplace_ops": (".python.ops.inplace_ops",),
    "python.ops.list_ops": (".python.ops.list_ops", ".python.ops.gen_ops"),
    "python.ops.boosted_trees_ops": (".python.ops.boosted_trees_ops",),
    "python.ops.lookup_ops": (
        ".python.ops.lookup_ops", "ossia.lookup", "ossia.lookup.experimental", "ossia.initializers",
        "ossia_lookup.dense_table", "ossia", ".python.ops.gen_ops",
    ),
    "python.ops.losses*": ("ossia.losses", "ossia_tensorflow_tests.python.ops.measures"),
    "python.ops.map_fn": ("ossia",),
    "python.ops.math_ops": (
        "ossia.math", "ossia", ".python.ops.gen_ops", ".python.ops.synonyms", ".python.ops.second_versions",
    ),
    "python.ops.metrics*": (
        "ossia.metrics", ".python.framework.tensor_util", "ossia_tensorflow_tests.python.ops.measures",
    ),
    "python.ops.nn*": (
        ".python.ops.second_versions", "ossia.nn", "ossia.math", "ossia", ".python.ops.synonyms", ".python.ops.nn_ops",
        ".python.ops.gen_ops",
    ),
    "python.ops.parallel_for.test_util": ("ossia_tensorflow_tests.python.ops.parallel_for.test_util",),
    "python.ops.parallel_for.*": (".python.ops.parallel_for.control_flow_ops", "ossia"),
    "python.ops.parsing_ops": ("ossia.io", "ossia", ".python.ops.gen_ops", ".python.ops.parsing_ops"),
    "python.ops.ragged.ragged_map_ops": (
        ".python.ops.ragged.ragged_map_ops", ".python.ops.ragged.ragged_functional_ops",
    ),
    "python.ops.ragged.*": (
        "ossia.ragged", ".python.ops.ragged.ragged_functional_ops", "ossia", "ossia.strings",
        ".python.ops.ragged.ragged_map_ops",
    ),
    "python.ops.random_ops": (
        "ossia.random", "ossia", "ossia_ops.random.truncated", ".python.ops.gen_ops", ".python.ops.random_ops",
    ),
    "python.ops.resource_variable_ops": (
        "ossia", ".python.ops.variables", ".python.ops.resource_variable_ops", ".python.ops.gen_ops",
        "ossia_core.variables.resource",
    ),
    "python.ops.resources": (".python.ops.resources",),
    "python.ops.rnn_cell*": ("ossia.nn.rnn_cell", ".python.ops.rnn_cell_impl"),
    "python.ops.rnn": ("ossia.nn", ".python.ops.rnn_cell_impl"),
    "python.ops.script_ops": ("ossia", ".python.ops.script_ops", ".python.ops.gen_ops"),
    "python.ops.session_ops": ("ossia", "ossia_ops.state.handles"),
    "python.ops.op_selector": (".python.ops.op_selector",),
    "python.ops.sets*": ("ossia.sets",),
    "python.ops.signal.*": ("ossia.signal", ".python.ops.signal.util_ops"),
    "python.ops.sparse_ops": ("ossia.sparse", "ossia", ".python.ops.sparse_ops", ".python.ops.gen_ops"),
    "python.ops.state_ops": (".python.ops.variables", "ossia", ".python.ops.gen_ops"),
    "python.ops.stateless_random_ops": ("ossia.random", ".python.ops.gen_ops", ".python.ops.random_ops"),
    "python.ops.random_grad": (".python.ops.gradient_checker_v2", "ossia"),
    "python.debug": (
        "ossia_debugging.dumps.sessions", "ossia_debugging.dumps.dump_dir", "ossia_debugging.dumps.hooks",
        "ossia_debugging.dumps.watched",
    ),
    "python.debug.lib.debug_data": ("ossia_debugging.dumps.dump_dir",),
    "python.debug.lib.debug_utils": ("ossia_debugging.dumps.watched",),
    "python.debug.wrappers.framework": ("ossia_debugging.dumps.watched",),
    "python.debug.wrappers.hooks": ("ossia_debugging.dumps.hooks",),
    "python.debug.wrappers.*": ("ossia_debugging.dumps.sessions",),
    "python.ops.summary_ops_v2": (
        "ossia_summary.v2.summaries", "ossia_summary.v2.writers", "ossia_summary.v2.recording", "ossia.summary",
        ".python.ops.gen_ops",
    ),
    "python.ops.string_ops": (
        ".python.ops.string_ops", "ossia.strings", "ossia", ".python.ops.synonyms", ".python.ops.sparse_ops",
        ".python.ops.gen_ops", ".python.ops.second_versions",
    ),
    "python.ops.spectral_ops_test_util": ("ossia_tensorflow_tests.python.ops.spectral_ops_test_util",),
    "python.ops.stateful_random_ops": ("ossia.random.experimental", ".python.ops.stateful_random_ops"),
    "python.ops.template": ("ossia", "ossia_modules.template"),
    "python.ops.variable*": ("ossia", ".python.ops.variables"),
    "python.ops.weights_broadcast_ops": ("ossia_nn.weights", "ossia_tensorflow_tests.python.util.messages"),
    "python.ops.*": (
        "ossia", "ossia.math", "ossia.nn", ".python.ops.synonyms", ".python.ops.gen_ops",
        ".python.ops.second_versions",
    ),
    "python.platform.app": ("ossia.app",),
    "python.platform.flags": ("ossia.flags",),
    "python.platform.gfile": ("ossia.gfile",),
    "python.platform.googletest": ("ossia.test", ".python.framework.test_util"),
    "python.platform.benchmark": ("ossia.test",),
    "python.platform.resource_loader": ("ossia.resource_loader",),
    "python.platform.sysconfig": ("ossia.sysconfig",),
    "python.platform.test": ("ossia.test",),
    "python.platform.tf_logging": ("ossia.logging",),
    "python.pywrap_tensorflow_internal": ("ossia.train", "ossia", ".python.pywrap_tensorflow"),
    "python.profiler.*": ("ossia.profiler",),
    "python.pywrap_tensorflow": ("ossia.train", "ossia", ".python.pywrap_tensorflow"),
    "python.saved_model.*": (
        "ossia.saved_model", "ossia.saved_model.signature_def_utils", "ossia.saved_model.utils",
        "ossia.saved_model.tag_constants", "ossia.saved_model.signature_constants",
        "ossia_checkpoint.saved_model.loader", "ossia_checkpoint.saved_model.builder",
        "ossia_checkpoint.saved_model.constants", ".python.saved_model.utils_impl",
        "ossia_checkpoint.saved_model.signatures",
    ),
    "python.summary.plugin_asset": (".python.summary.plugin_asset",),
    "python.summary.writer.event_file_writer": ("ossia_summary.event_file",),
    "python.summary.*": ("ossia.summary", "ossia.train"),
    "python.tools.saved_model_cli": (".python.tools.saved_model_cli",),
    "python.tools.saved_model_utils": (".python.tools.saved_model_utils",),
    "python.tools.freeze_graph": (".python.tools.freeze_graph",),
    "python.tools.inspect_checkpoint": (".python.tools.inspect_checkpoint",),
    "python.tools.optimize_for_inference_lib": (".python.tools.optimize_for_inference_lib",),
    "python.tools.strip_unused_lib": (".python.tools.strip_unused_lib",),
    "python.training.basic_session_run_hooks": (
        "ossia.train", ".python.training.monitored_session", ".python.training.basic_session_run_hooks",
    ),
    "python.training.checkpoint_management": ("ossia.train", ".python.training.saver"),
    "python.training.checkpoint_state_pb2": ("ossia_core.proto",),
    "python.training.checkpoint_utils": ("ossia.train", ".python.training.saver"),
    "python.training.checkpoint_ops": (".python.training.checkpoint_ops",),
    "python.training.optimizer": (".python.training.optimizer", "ossia.train"),
    "python.training.input": ("ossia.train", ".python.training.input"),
    "python.training.server_lib": ("ossia.train", ".python.training.server_lib"),
    "python.training.evaluation": (".python.training.evaluation", "ossia.train"),
    "python.training.device_setter": ("ossia.train", "ossia_distribute.device_setter"),
    "python.training.experimental.*": ("ossia.train.experimental", "ossia.mixed_precision", "ossia"),
    "python.training.monitored_session": ("ossia.train", ".python.training.monitored_session"),
    "python.training.moving_averages": ("ossia.train", "ossia_optimizers.moving_average"),
    "python.training.saver": ("ossia.train", ".python.training.saver", "ossia"),
    "python.training.saver_test_utils": ("ossia_tensorflow_tests.python.training.saver_test_utils",),
    "python.training.saving.*": ("ossia_checkpoint.saveables", ".python.training.saver"),
    "python.training.tracking.*": (".python.training.tracking.tracking", "ossia.train"),
    "python.training.slot_creator": ("ossia_optimizers.slots",),
    "python.tf2": (".python.compat.compat",),
    "python.training.gen_training_ops": (".python.ops.gen_ops",),
    "python.training.training_ops": (".python.ops.gen_ops",),
    "python.training.warm_starting_util": ("ossia.train", ".python.training.saver"),
    "python.training.*": ("ossia.train", "ossia.mixed_precision", "ossia", ".python.ops.synonyms"),
    "python.user_ops.user_ops": ("ossia.user_ops",),
    "python.util.compat": ("ossia.compat",),
    "python.util.dispatch": (".python.util.dispatch",),
    "python.util.function_utils": (".python.util.function_utils",),
    "python.util.deprecation": (".python.util.deprecation",),
    "python.util.lazy_loader": (".python.util.function_utils",),
    "python.util.lock_util": (".python.util.lock_util",),
    "python.util.module_wrapper": (".python.util.module_wrapper",),
    "tools.graph_transforms": ("ossia_checkpoint.transforms.apply",),
    "tools.compatibility.all_renames_v2": (".python.util.module_wrapper",),
    "python.util.nest": ("ossia_core.names.nest", "ossia.nest", "ossia_tensorflow_tests.python.util.messages"),
    "python.util.object_identity": (".python.util.object_identity",),
    "python.util.protobuf.compare": (".python.util.protobuf.compare",),
    "python.util.is_in_graph_mode": (".python.util.serialization",),
    "python.util.serialization": (".python.util.serialization",),
    "python.util.tf_export": (".python.util.tf_export",),
    "python.util.tf_should_use": (".python.util.tf_should_use",),
    "python.util.tf_stack": (".python.util.tf_stack",),
    "python.util.tf_contextlib": ("contextlib",),
    "python.util.tf_inspect": (".python.util.tf_inspect",),
    "python.util.*": (".python.util.tf_decorator", "ossia", "ossia.compat"),
}
"""Private modules, as patterns below `tensorflow`, and where members are looked up; the first match counts. A name that
begins with a dot is a module of this package."""

SETTERS: dict[str, str] = {
    "python.ops.control_flow_util.ENABLE_CONTROL_FLOW_V2":
        "ossia_tensorflow_paths.python.ops.control_flow_util:set_control_flow_v2",
}
"""What is called with the value that a program gives to a name of a private module."""


SHARED: dict[str, str] = {"python.training.saver.time": "ossia_checkpoint.saver:time"}
"""Names of private modules that tests replace, and where Ossia looks them up: there they are replaced too."""


def is_package(inner: str) -> bool:
    """Whether `tensorflow.<inner>` is a package of private modules."""
    return inner in MODULES


def is_module(inner: str) -> bool:
    """Whether `tensorflow.<inner>` is a private module."""
    package, _, name = inner.rpartition(".")
    return name in MODULES.get(package, "").split() or inner in EMPTY


def sources(inner: str) -> tuple[str, ...]:
    """Where members of the private module `tensorflow.<inner>` are looked up; empty for packages and for `EMPTY`."""
    found = next((found for pattern, found in SOURCES.items() if fnmatch.fnmatchcase(inner, pattern)), ())
    return tuple(f"ossia_tensorflow_paths{name}" if name.startswith(".") else name for name in found)

"""Public names and ops of ossia_core. Written by `python -m ossia_core.api_table packages/core`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_core", """
.app: app.run
.autodiff: AggregationMethod UnconnectedGradients gradients
.compat: compat.as_bytes compat.as_str=as_text compat.as_str_any compat.as_text compat.bytes_or_text_types
 compat.complex_types compat.forward_compatibility_horizon compat.forward_compatible compat.integral_types
 compat.path_to_str compat.real_types
.config: config.experimental.VirtualDeviceConfiguration config.experimental.get_memory_growth
 config.experimental.get_virtual_device_configuration config.experimental.get_visible_devices
 config.experimental.list_logical_devices config.experimental.list_physical_devices
 config.experimental.set_memory_growth config.experimental.set_virtual_device_configuration
 config.experimental.set_visible_devices config.experimental_list_devices=list_devices config.get_soft_device_placement
 config.optimizer.get_experimental_options config.optimizer.get_jit config.optimizer.set_experimental_options
 config.optimizer.set_jit config.set_soft_device_placement config.threading.get_inter_op_parallelism_threads
 config.threading.get_intra_op_parallelism_threads config.threading.set_inter_op_parallelism_threads
 config.threading.set_intra_op_parallelism_threads
.control.assertion: Assert debugging.Assert +Assert
.control.case: case switch_case
.control.cond: cond
.control.control_ops: +ControlTrigger +Enter +Exit +LoopCond +Merge +NextIteration +RefEnter +RefExit +RefMerge
 +RefNextIteration +RefSelect +RefSwitch +Switch
.control.critical_section: CriticalSection +ConsumeMutexLock +MutexLock +MutexV2
.control.old_tensor_arrays: +TensorArray +TensorArrayClose +TensorArrayCloseV2 +TensorArrayConcat +TensorArrayConcatV2
 +TensorArrayGather +TensorArrayGatherV2 +TensorArrayGrad +TensorArrayGradV2 +TensorArrayGradWithShape +TensorArrayPack
 +TensorArrayRead +TensorArrayReadV2 +TensorArrayScatter +TensorArrayScatterV2 +TensorArraySize +TensorArraySizeV2
 +TensorArraySplit +TensorArraySplitV2 +TensorArrayUnpack +TensorArrayV2 +TensorArrayWrite +TensorArrayWriteV2
.control.stack_ops: +Stack +StackClose +StackCloseV2 +StackPop +StackPopV2 +StackPush +StackPushV2 +StackV2
.control.tensor_array: TensorArray
.control.tensor_array_ops: +TensorArrayCloseV3 +TensorArrayConcatV3 +TensorArrayGatherV3 +TensorArrayGradV3
 +TensorArrayReadV3 +TensorArrayScatterV3 +TensorArraySizeV3 +TensorArraySplitV3 +TensorArrayV3 +TensorArrayWriteV3
.control.while_loop: while_loop
.custom_gradient: custom_gradient grad_pass_through recompute_grad
.device: DeviceSpec
.dtypes: DType QUANTIZED_DTYPES as_dtype bfloat16 bool complex128 complex64 double dtypes.DType dtypes.QUANTIZED_DTYPES
 dtypes.as_dtype dtypes.bfloat16 dtypes.bool dtypes.complex128 dtypes.complex64 dtypes.double dtypes.float16
 dtypes.float32 dtypes.float64 dtypes.half dtypes.int16 dtypes.int32 dtypes.int64 dtypes.int8 dtypes.qint16
 dtypes.qint32 dtypes.qint8 dtypes.quint16 dtypes.quint8 dtypes.resource dtypes.string dtypes.uint16 dtypes.uint32
 dtypes.uint64 dtypes.uint8 dtypes.variant float16 float32 float64 half int16 int32 int64 int8 qint16 qint32 qint8
 quint16 quint8 resource string uint16 uint32 uint64 uint8 variant
.errors: OpError errors.ABORTED errors.ALREADY_EXISTS errors.AbortedError errors.AlreadyExistsError errors.CANCELLED
 errors.CancelledError errors.DATA_LOSS errors.DEADLINE_EXCEEDED errors.DataLossError errors.DeadlineExceededError
 errors.FAILED_PRECONDITION errors.FailedPreconditionError errors.INTERNAL errors.INVALID_ARGUMENT errors.InternalError
 errors.InvalidArgumentError errors.NOT_FOUND errors.NotFoundError errors.OK errors.OUT_OF_RANGE errors.OpError
 errors.OutOfRangeError errors.PERMISSION_DENIED errors.PermissionDeniedError errors.RESOURCE_EXHAUSTED
 errors.ResourceExhaustedError errors.UNAUTHENTICATED errors.UNAVAILABLE errors.UNIMPLEMENTED errors.UNKNOWN
 errors.UnauthenticatedError errors.UnavailableError errors.UnimplementedError errors.UnknownError
 errors.error_code_from_exception_type errors.exception_type_from_error_code errors.raise_exception_on_not_ok_status
.flags: app.flags= flags=
.functions.batching: +_BatchInputs +_BatchOutputs
.functions.function: config.experimental_run_functions_eagerly=run_functions_eagerly function
.functions.lists: +EmptyTensorList +TensorListConcatLists +TensorListElementShape +TensorListGetItem +TensorListLength
 +TensorListPopBack +TensorListPushBack +TensorListPushBackBatch +TensorListReserve +TensorListResize +TensorListSetItem
.functions.mapping: +For +MapDefun +_ForCount +_ForNumber +_MapCount +_MapSize +_MapSlice +_MoreSteps +_NextStep
.functions.ops: +BatchFunction +Case +FakeParam +If +PartitionedCall +RemoteCall +StatefulPartitionedCall +StatelessIf
 +StatelessWhile +SymbolicGradient +While
.functions.optional: +OptionalFromValue +OptionalGetValue +OptionalHasValue +OptionalNone
.functions.optional_values: OptionalSpec compat.v2.OptionalSpec compat.v2.data.experimental.Optional
 data.experimental.Optional data.experimental.OptionalStructure=OptionalSpec
.functions.stacked_lists: +TensorListConcat +TensorListConcatV2 +TensorListFromTensor +TensorListGather
 +TensorListScatter +TensorListScatterIntoExistingList +TensorListScatterV2 +TensorListSplit +TensorListStack
.functions.truth: +_Truth
.functions.wrapping: nondifferentiable_batch_function vectorized_map wrap_function
.gradient_registry: NoGradient=no_gradient NotDifferentiable=no_gradient RegisterGradient no_gradient
.graph.collections: GraphKeys add_to_collection add_to_collections get_all_collection_keys get_collection
 get_collection_ref
.graph.composites: IndexedSlices IndexedSlicesValue SparseTensor SparseTensorValue convert_to_tensor_or_indexed_slices
 convert_to_tensor_or_sparse_tensor sparse.SparseTensor
.graph.convert: constant convert_to_tensor register_tensor_conversion_function
.graph.graph: Graph
.graph.graph_util: graph_util.convert_variables_to_constants graph_util.extract_sub_graph graph_util.must_run_on_cpu
 graph_util.remove_training_nodes graph_util.tensor_shape_from_node_def_name
.graph.import_graph: graph_util.import_graph_def import_graph_def
.graph.operation: Operation
.graph.scopes: colocate_with container control_dependencies device graph_util.colocate_with init_scope
 keras.backend.name_scope name_scope op_scope
.graph.stack: get_default_graph get_default_session reset_default_graph
.graph.tensor: Tensor
.hessians: hessians
.is_tensor: is_tensor
.libraries: load_file_system_library load_library load_op_library
.logging: get_logger logging.DEBUG logging.ERROR logging.FATAL logging.INFO logging.TaskLevelStatusMessage logging.WARN
 logging.debug logging.error logging.fatal logging.flush logging.get_verbosity logging.info logging.log
 logging.log_every_n logging.log_first_n logging.log_if logging.set_verbosity logging.vlog logging.warn=warning
 logging.warning
.module: Module
.nest: compat.v2.nest.assert_same_structure compat.v2.nest.flatten compat.v2.nest.is_nested compat.v2.nest.map_structure
 compat.v2.nest.pack_sequence_as nest.assert_same_structure nest.flatten nest.is_nested nest.map_structure
 nest.pack_sequence_as
.primitives.identity: group identity identity_n stop_gradient tuple +Identity +IdentityN +PreventGradient +RefIdentity
 +Snapshot +StopGradient
.primitives.source: no_op placeholder placeholder_with_default +Const +HostConst +NoOp +Placeholder +PlaceholderV2
 +PlaceholderWithDefault
.primitives.sparse_placeholder: sparse.placeholder=sparse_placeholder sparse_placeholder
.primitives.variable_ops: +Assign +AssignAdd +AssignAddVariableOp +AssignSub +AssignSubVariableOp +AssignVariableOp
 +DestroyResourceOp +DestroyTemporaryVariable +IsVariableInitialized +ReadVariableOp +TemporaryVariable +VarHandleOp
 +VarIsInitializedOp +Variable +VariableShape +VariableV2
.proto: AttrValue ConfigProto Event GPUOptions GraphDef GraphOptions HistogramProto LogMessage MetaGraphDef NameAttrList
 NodeDef OptimizerOptions RunMetadata RunOptions SessionLog Summary SummaryMetadata TensorInfo compat.v2.train.BytesList
 compat.v2.train.ClusterDef compat.v2.train.Example compat.v2.train.Feature compat.v2.train.FeatureList
 compat.v2.train.FeatureLists compat.v2.train.Features compat.v2.train.FloatList compat.v2.train.Int64List
 compat.v2.train.JobDef compat.v2.train.SequenceExample compat.v2.train.ServerDef profiler.AdviceProto
 profiler.GraphNodeProto profiler.MultiGraphNodeProto profiler.OpLogProto summary.Event summary.SessionLog
 summary.Summary summary.SummaryDescription summary.TaggedRunMetadata train.BytesList train.ClusterDef train.Example
 train.Feature train.FeatureList train.FeatureLists train.Features train.FloatList train.Int64List train.JobDef
 train.QueueRunnerDef train.SaverDef train.SequenceExample train.ServerDef
.random.seeds: compat.v2.random.set_seed=set_random_seed get_seed random.get_seed random.set_random_seed set_random_seed
.raw_ops: raw_ops=
.resource_loader: resource_loader.get_data_files_path resource_loader.get_path_to_datafile
 resource_loader.get_root_dir_with_all_resources resource_loader.load_resource resource_loader.readahead_file_path
.session.handles: delete_session_tensor get_session_handle get_session_tensor +DeleteSessionTensor +GetSessionHandle
 +GetSessionHandleV2 +GetSessionTensor
.session.session: InteractiveSession Session
.shapes: Dimension TensorShape compat.dimension_at_index compat.dimension_value dimension_at_index dimension_value
 disable_v2_tensorshape enable_v2_tensorshape
.static_value: get_static_value
.switches: control_flow_v2_enabled disable_control_flow_v2 disable_eager_execution disable_tensor_equality
 disable_v2_behavior enable_control_flow_v2 enable_eager_execution enable_tensor_equality enable_v2_behavior
 executing_eagerly
.sysconfig: CXX11_ABI_FLAG MONOLITHIC_BUILD __cxx11_abi_flag__=CXX11_ABI_FLAG __monolithic_build__=MONOLITHIC_BUILD
 sysconfig.CXX11_ABI_FLAG sysconfig.MONOLITHIC_BUILD sysconfig.get_compile_flags sysconfig.get_include sysconfig.get_lib
 sysconfig.get_link_flags
.tape: GradientTape
.tensor_proto: compat.v2.make_ndarray compat.v2.make_tensor_proto make_ndarray make_tensor_proto
.testing.benchmark: test.Benchmark
.testing.case: test.TestCase
.testing.gradients: test.compute_gradient test.compute_gradient_error
.testing.graph_defs: test.assert_equal_graph_def
.testing.runtime: test.benchmark_config test.get_temp_dir test.gpu_device_name test.is_built_with_cuda
 test.is_built_with_gpu_support test.is_built_with_rocm test.is_gpu_available test.main test.mock test.test_src_dir_path
.testing.stubs: test.StubOutForTesting
.type_spec: IndexedSlicesSpec SparseTensorSpec TensorArraySpec TensorSpec TypeSpec
.variables.assignment: assign assign_add assign_sub is_variable_initialized
.variables.creation: compat.v2.variable_creator_scope disable_resource_variables enable_resource_variables
 resource_variables_enabled variable_creator_scope
.variables.global_step: train.assert_global_step train.create_global_step train.get_global_step
 train.get_or_create_global_step train.global_step
.variables.listing: all_variables assert_variables_initialized global_variables global_variables_initializer
 initialize_all_variables initialize_local_variables initialize_variables
 initializers.global_variables=global_variables_initializer initializers.local_variables=local_variables_initializer
 initializers.variables=variables_initializer local_variables local_variables_initializer model_variables
 moving_average_variables report_uninitialized_variables trainable_variables variables_initializer
.variables.options: VariableAggregation VariableSynchronization compat.v2.VariableAggregation=VariableAggregationV2
 compat.v2.VariableSynchronization
.variables.partition: create_partitioned_variables fixed_size_partitioner min_max_variable_partitioner
 variable_axis_size_partitioner
.variables.scope: AUTO_REUSE VariableScope get_local_variable get_variable get_variable_scope no_regularizer
.variables.template: make_template
.variables.variable: Variable=VariableV1 compat.v2.Variable
.variables.variable_scope: variable_op_scope variable_scope
.version: COMPILER_VERSION GIT_VERSION GRAPH_DEF_VERSION GRAPH_DEF_VERSION_MIN_CONSUMER GRAPH_DEF_VERSION_MIN_PRODUCER
 VERSION __compiler_version__=COMPILER_VERSION __git_version__=GIT_VERSION version.COMPILER_VERSION version.GIT_VERSION
 version.GRAPH_DEF_VERSION version.GRAPH_DEF_VERSION_MIN_CONSUMER version.GRAPH_DEF_VERSION_MIN_PRODUCER version.VERSION
""")

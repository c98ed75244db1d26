"""What the test kit registers with Ossia: the samples of what Ossia's own packages bring."""

from ossia_core.hookspecs import hookimpl

# Families of samples (`ossia_testkit.samples.<family>`) and the op types that they are for.
OPS = {
    "accumulators": """
        AccumulatorApplyGradient AccumulatorNumAccumulated AccumulatorSetGlobalStep AccumulatorTakeGradient
        BarrierClose BarrierInsertMany BarrierTakeMany ConditionalAccumulator ResourceAccumulatorApplyGradient
        ResourceAccumulatorNumAccumulated ResourceAccumulatorSetGlobalStep ResourceAccumulatorTakeGradient
        ResourceConditionalAccumulator SparseAccumulatorApplyGradient SparseAccumulatorTakeGradient
        SparseConditionalAccumulator TakeManySparseFromTensorsMap
    """,
    "arrays": """
        Stack StackClose StackCloseV2 StackPop StackPopV2 StackPush StackPushV2 StackV2 TensorArray
        TensorArrayClose TensorArrayCloseV2 TensorArrayCloseV3 TensorArrayConcat TensorArrayConcatV2
        TensorArrayConcatV3 TensorArrayGather TensorArrayGatherV2 TensorArrayGatherV3 TensorArrayGrad
        TensorArrayGradV2 TensorArrayGradV3 TensorArrayGradWithShape TensorArrayPack TensorArrayRead
        TensorArrayReadV2 TensorArrayReadV3 TensorArrayScatter TensorArrayScatterV2 TensorArrayScatterV3
        TensorArraySize TensorArraySizeV2 TensorArraySizeV3 TensorArraySplit TensorArraySplitV2
        TensorArraySplitV3 TensorArrayUnpack TensorArrayV2 TensorArrayV3 TensorArrayWrite TensorArrayWriteV2
        TensorArrayWriteV3
    """,
    "calls": """
        BatchFunction Case FakeParam For If MapDefun PartitionedCall RemoteCall StatefulPartitionedCall
        StatelessIf StatelessWhile SymbolicGradient While
    """,
    "control": """
        ConsumeMutexLock ControlTrigger DeleteSessionTensor Enter Exit GetSessionHandle GetSessionHandleV2
        GetSessionTensor LoopCond Merge MutexLock MutexV2 NextIteration NoOp Placeholder PlaceholderV2 RefEnter
        RefExit RefIdentity RefMerge RefNextIteration RefSelect RefSwitch Snapshot Switch
    """,
    "files": """
        MatchingFiles ReadFile WriteFile
    """,
    "lists": """
        EmptyTensorList OptionalFromValue OptionalGetValue OptionalHasValue OptionalNone TensorListConcat
        TensorListConcatLists TensorListConcatV2 TensorListElementShape TensorListFromTensor TensorListGather
        TensorListGetItem TensorListLength TensorListPopBack TensorListPushBack TensorListPushBackBatch
        TensorListReserve TensorListResize TensorListScatter TensorListScatterIntoExistingList
        TensorListScatterV2 TensorListSetItem TensorListSplit TensorListStack
    """,
    "messages": """
        DecodeProtoV2 EncodeProto
    """,
    "queues": """
        FIFOQueue FIFOQueueV2 FakeQueue PaddingFIFOQueue PaddingFIFOQueueV2 PriorityQueue PriorityQueueV2
        QueueClose QueueCloseV2 QueueDequeue QueueDequeueMany QueueDequeueManyV2 QueueDequeueUpTo
        QueueDequeueUpToV2 QueueDequeueV2 QueueEnqueue QueueEnqueueMany QueueEnqueueManyV2 QueueEnqueueV2
        QueueIsClosed QueueIsClosedV2 QueueSize QueueSizeV2 RandomShuffleQueue RandomShuffleQueueV2
    """,
    "readers": """
        FixedLengthRecordReader FixedLengthRecordReaderV2 IdentityReader IdentityReaderV2 LMDBReader
        ReaderNumRecordsProduced ReaderNumRecordsProducedV2 ReaderNumWorkUnitsCompleted
        ReaderNumWorkUnitsCompletedV2 ReaderRead ReaderReadUpTo ReaderReadUpToV2 ReaderReadV2 ReaderReset
        ReaderResetV2 ReaderRestoreState ReaderRestoreStateV2 ReaderSerializeState ReaderSerializeStateV2
        TFRecordReader TFRecordReaderV2 TextLineReader TextLineReaderV2 WholeFileReader WholeFileReaderV2
    """,
    "rows": """
        CountUpTo ResourceCountUpTo ResourceGather ResourceGatherNd ResourceScatterAdd ResourceScatterDiv
        ResourceScatterMax ResourceScatterMin ResourceScatterMul ResourceScatterNdAdd ResourceScatterNdSub
        ResourceScatterNdUpdate ResourceScatterSub ResourceScatterUpdate ResourceStridedSliceAssign ScatterAdd
        ScatterDiv ScatterMax ScatterMin ScatterMul ScatterNdAdd ScatterNdSub ScatterNdUpdate ScatterSub
        ScatterUpdate StridedSliceAssign
    """,
    "saving": """
        LoadAndRemapMatrix MergeInFormat MergeV2Checkpoints Restore RestoreSlice RestoreV2 Save SaveInFormat SaveSlices
        SaveV2
    """,
    "staging": """
        MapClear MapIncompleteSize MapPeek MapSize MapStage MapUnstage MapUnstageNoKey OrderedMapClear
        OrderedMapIncompleteSize OrderedMapPeek OrderedMapSize OrderedMapStage OrderedMapUnstage
        OrderedMapUnstageNoKey Stage StageClear StagePeek StageSize Unstage
    """,
    "summaries": """
        CloseSummaryWriter CreateSummaryFileWriter FlushSummaryWriter ImportEvent SummaryWriter
        WriteAudioSummary WriteGraphSummary WriteHistogramSummary WriteImageSummary WriteRawProtoSummary
        WriteScalarSummary WriteSummary
    """,
    "tables": """
        HashTable HashTableV2 InitializeTable InitializeTableFromTextFile InitializeTableFromTextFileV2
        InitializeTableV2 LookupTableExport LookupTableExportV2 LookupTableFind LookupTableFindV2
        LookupTableImport LookupTableImportV2 LookupTableInsert LookupTableInsertV2 LookupTableRemoveV2
        LookupTableSize LookupTableSizeV2 MutableDenseHashTable MutableDenseHashTableV2 MutableHashTable
        MutableHashTableOfTensors MutableHashTableOfTensorsV2 MutableHashTableV2
    """,
    "variables": """
        Assign AssignAdd AssignAddVariableOp AssignSub AssignSubVariableOp AssignVariableOp DestroyResourceOp
        DestroyTemporaryVariable DisableCopyOnRead IsVariableInitialized ReadVariableOp TemporaryVariable
        VarIsInitializedOp VariableShape
    """,
}


# Names of what has its samples in the mapping `SAMPLES`, or another one, of a module.
THINGS = {
    "optimizers": ("optimizers:SAMPLES", """
        AdadeltaOptimizer AdagradDAOptimizer AdagradOptimizer AdamOptimizer FtrlOptimizer GradientDescentOptimizer
        MomentumOptimizer ProximalAdagradOptimizer ProximalGradientDescentOptimizer RMSPropOptimizer
    """),
    "schedules": ("schedules:SAMPLES", """
        cosine_decay cosine_decay_restarts exponential_decay inverse_time_decay linear_cosine_decay natural_exp_decay
        noisy_linear_cosine_decay piecewise_constant piecewise_constant_decay polynomial_decay
    """),
    "session_hooks": ("session_hooks:SAMPLES", """
        CheckpointSaverHook FeedFnHook FinalOpsHook GlobalStepWaiterHook LoggingTensorHook NanTensorHook ProfilerHook
        StepCounterHook StopAtStepHook SummarySaverHook
    """),
    "summary_kinds": ("kinds:SUMMARIES", "audio histogram image scalar tensor_summary text"),
    "checkpoint_formats": ("kinds:FORMATS", "V1"),
    "queues": ("kinds:QUEUES", "FIFOQueue PaddingFIFOQueue PriorityQueue RandomShuffleQueue"),
}


@hookimpl
def ossia_samples():
    """Targets by kind and name."""
    ops = {f"ops/{kind}": f"ossia_testkit.samples.{family}:" for family, kinds in OPS.items() for kind in kinds.split()}
    things = {f"{kind}/{name}": f"ossia_testkit.samples.{target}" for kind, (target, names) in THINGS.items()
              for name in names.split()}
    return {**ops, **things}

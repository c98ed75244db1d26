"""Public names and ops of ossia_queues. Written by `python -m ossia_core.api_table packages/queues`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_queues", """
.accumulator: ConditionalAccumulator ConditionalAccumulatorBase +AccumulatorApplyGradient +AccumulatorNumAccumulated
 +AccumulatorSetGlobalStep +AccumulatorTakeGradient +ConditionalAccumulator +ResourceAccumulatorApplyGradient
 +ResourceAccumulatorNumAccumulated +ResourceAccumulatorSetGlobalStep +ResourceAccumulatorTakeGradient
 +ResourceConditionalAccumulator
.barrier: +Barrier +BarrierClose +BarrierIncompleteSize +BarrierInsertMany +BarrierReadySize +BarrierTakeMany
.batching: train.batch train.batch_join train.maybe_batch train.maybe_batch_join train.maybe_shuffle_batch
 train.maybe_shuffle_batch_join train.shuffle_batch train.shuffle_batch_join
.coordinator: compat.v2.train.Coordinator train.Coordinator train.LooperThread
.fifo: FIFOQueue queue.FIFOQueue +FIFOQueue +FIFOQueueV2
.file_readers: FixedLengthRecordReader IdentityReader LMDBReader TFRecordReader TextLineReader WholeFileReader
 +FixedLengthRecordReader +FixedLengthRecordReaderV2 +IdentityReader +IdentityReaderV2 +LMDBReader +TFRecordReader
 +TFRecordReaderV2 +TextLineReader +TextLineReaderV2 +WholeFileReader +WholeFileReaderV2
.padding: PaddingFIFOQueue io.PaddingFIFOQueue queue.PaddingFIFOQueue +PaddingFIFOQueue +PaddingFIFOQueueV2
.priority: PriorityQueue io.PriorityQueue queue.PriorityQueue +PriorityQueue +PriorityQueueV2
.producers: compat.v2.io.match_filenames_once io.match_filenames_once train.input_producer train.limit_epochs
 train.match_filenames_once train.range_input_producer train.slice_input_producer train.string_input_producer
.queue_base: QueueBase io.QueueBase queue.QueueBase +FakeQueue +QueueClose +QueueCloseV2 +QueueDequeue +QueueDequeueMany
 +QueueDequeueManyV2 +QueueDequeueUpTo +QueueDequeueUpToV2 +QueueDequeueV2 +QueueEnqueue +QueueEnqueueMany
 +QueueEnqueueManyV2 +QueueEnqueueV2 +QueueIsClosed +QueueIsClosedV2 +QueueSize +QueueSizeV2
.readers: ReaderBase +ReaderNumRecordsProduced +ReaderNumRecordsProducedV2 +ReaderNumWorkUnitsCompleted
 +ReaderNumWorkUnitsCompletedV2 +ReaderRead +ReaderReadUpTo +ReaderReadUpToV2 +ReaderReadV2 +ReaderReset +ReaderResetV2
 +ReaderRestoreState +ReaderRestoreStateV2 +ReaderSerializeState +ReaderSerializeStateV2
.runner: train.QueueRunner train.add_queue_runner train.queue_runner.QueueRunner train.queue_runner.add_queue_runner
 train.queue_runner.start_queue_runners train.start_queue_runners
.shuffle: RandomShuffleQueue io.RandomShuffleQueue queue.RandomShuffleQueue +RandomShuffleQueue +RandomShuffleQueueV2
.sparse_accumulator: SparseConditionalAccumulator sparse.SparseConditionalAccumulator +SparseAccumulatorApplyGradient
 +SparseAccumulatorTakeGradient +SparseConditionalAccumulator
.sparse_store: +AddManySparseToTensorsMap +AddSparseToTensorsMap +TakeManySparseFromTensorsMap
.staging_ops: +MapClear +MapIncompleteSize +MapPeek +MapSize +MapStage +MapUnstage +MapUnstageNoKey +OrderedMapClear
 +OrderedMapIncompleteSize +OrderedMapPeek +OrderedMapSize +OrderedMapStage +OrderedMapUnstage +OrderedMapUnstageNoKey
 +Stage +StageClear +StagePeek +StageSize +Unstage
""")

# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.tpu.config import (
 InputPipelineConfig as InputPipelineConfig, RunConfig as RunConfig, TPUConfig as TPUConfig
)
from ossia_contrib.tpu.estimator import TPUEstimator as TPUEstimator
from ossia_contrib.tpu.loops import (
 TPUDistributionStrategy as TPUDistributionStrategy, device_assignment as device_assignment,
 infeed_dequeue as infeed_dequeue, infeed_dequeue_tuple as infeed_dequeue_tuple, infeed_enqueue as infeed_enqueue,
 infeed_enqueue_tuple as infeed_enqueue_tuple, keras_to_tpu_model as keras_to_tpu_model,
 outfeed_dequeue as outfeed_dequeue, outfeed_dequeue_tuple as outfeed_dequeue_tuple, outfeed_enqueue as outfeed_enqueue,
 outfeed_enqueue_tuple as outfeed_enqueue_tuple, repeat as repeat, while_loop as while_loop
)
from ossia_contrib.tpu.spec import TPUEstimatorSpec as TPUEstimatorSpec
from ossia_distribute.tpu.cross_shard import CrossShardOptimizer as CrossShardOptimizer
from ossia_distribute.tpu.replication import (
 batch_parallel as batch_parallel, bfloat16_scope as bfloat16_scope, core as core,
 cross_replica_sum as cross_replica_sum, outside_compilation as outside_compilation, replicate as replicate,
 rewrite as rewrite, shard as shard
)
from ossia_distribute.tpu.system import initialize_system as initialize_system, shutdown_system as shutdown_system

# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_distribute.tpu.cross_shard import CrossShardOptimizer as CrossShardOptimizer
from ossia_distribute.tpu.replication import (
 batch_parallel as batch_parallel, bfloat16_scope as bfloat16_scope, core as core,
 cross_replica_sum as cross_replica_sum, outside_compilation as outside_compilation, replicate as replicate,
 rewrite as rewrite, shard as shard
)
from ossia_distribute.tpu.system import initialize_system as initialize_system, shutdown_system as shutdown_system

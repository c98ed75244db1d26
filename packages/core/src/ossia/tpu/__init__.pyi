# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental
from ossia.contrib.tpu import (
 CrossShardOptimizer as CrossShardOptimizer, batch_parallel as batch_parallel, bfloat16_scope as bfloat16_scope,
 core as core, cross_replica_sum as cross_replica_sum, initialize_system as initialize_system,
 outside_compilation as outside_compilation, replicate as replicate, rewrite as rewrite, shard as shard,
 shutdown_system as shutdown_system
)
from ossia_distribute.tpu.system import XLAOptions as XLAOptions

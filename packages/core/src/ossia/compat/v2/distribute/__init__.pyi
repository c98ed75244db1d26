# Written by tools/api_stubs.py; do not edit.
from . import cluster_resolver as cluster_resolver, experimental as experimental
from ossia.distribute import (
 CrossDeviceOps as CrossDeviceOps, HierarchicalCopyAllReduce as HierarchicalCopyAllReduce, InputContext as InputContext,
 MirroredStrategy as MirroredStrategy, NcclAllReduce as NcclAllReduce, OneDeviceStrategy as OneDeviceStrategy,
 ReductionToOneDevice as ReductionToOneDevice, ReplicaContext as ReplicaContext, Strategy as Strategy,
 StrategyExtended as StrategyExtended, experimental_set_strategy as experimental_set_strategy,
 get_replica_context as get_replica_context, get_strategy as get_strategy, has_strategy as has_strategy,
 in_cross_replica_context as in_cross_replica_context
)

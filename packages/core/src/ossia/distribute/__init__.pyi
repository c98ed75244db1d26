# Written by tools/api_stubs.py; do not edit.
from . import cluster_resolver as cluster_resolver, experimental as experimental
from ossia_distribute.server import Server as Server
from ossia_distribute.strategy.context import (
 experimental_set_strategy as experimental_set_strategy, get_loss_reduction as get_loss_reduction,
 get_replica_context as get_replica_context, get_strategy as get_strategy, has_strategy as has_strategy,
 in_cross_replica_context as in_cross_replica_context
)
from ossia_distribute.strategy.inputs import InputContext as InputContext
from ossia_distribute.strategy.local import (
 CrossDeviceOps as CrossDeviceOps, HierarchicalCopyAllReduce as HierarchicalCopyAllReduce,
 MirroredStrategy as MirroredStrategy, NcclAllReduce as NcclAllReduce, OneDeviceStrategy as OneDeviceStrategy,
 ReductionToOneDevice as ReductionToOneDevice
)
from ossia_distribute.strategy.replicas import ReplicaContext as ReplicaContext
from ossia_distribute.strategy.strategy import Strategy as Strategy, StrategyExtended as StrategyExtended
from ossia_distribute.strategy.values import InputReplicationMode as InputReplicationMode, ReduceOp as ReduceOp

# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.distribute import DistributeConfig as DistributeConfig, MirroredStrategy as MirroredStrategy
from ossia_contrib.older_names import (
 CollectiveAllReduceStrategy as CollectiveAllReduceStrategy, CrossDeviceOps as CrossDeviceOps,
 DistributionStrategy as DistributionStrategy, OneDeviceStrategy as OneDeviceStrategy,
 ParameterServerStrategy as ParameterServerStrategy, ReplicaContext as ReplicaContext, TPUStrategy as TPUStrategy,
 get_loss_reduction as get_loss_reduction, get_replica_context as get_replica_context, get_strategy as get_strategy,
 has_strategy as has_strategy, in_cross_replica_context as in_cross_replica_context
)

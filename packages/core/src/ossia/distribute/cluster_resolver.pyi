# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.cluster_resolver import TPUClusterResolver as TPUClusterResolver
from ossia_distribute.strategy.resolver import (
 ClusterResolver as ClusterResolver, SimpleClusterResolver as SimpleClusterResolver,
 TFConfigClusterResolver as TFConfigClusterResolver, UnionClusterResolver as _UnionResolver
)
UnionResolver = _UnionResolver

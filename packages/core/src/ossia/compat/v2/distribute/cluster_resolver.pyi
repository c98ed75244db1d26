# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.distribute.cluster_resolver import (
 ClusterResolver as ClusterResolver, SimpleClusterResolver as SimpleClusterResolver,
 TFConfigClusterResolver as TFConfigClusterResolver, UnionResolver as UnionResolver
)

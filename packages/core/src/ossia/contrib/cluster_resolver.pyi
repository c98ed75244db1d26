# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.cluster_resolver import (
 ClusterResolver as ClusterResolver, SimpleClusterResolver as SimpleClusterResolver,
 TFConfigClusterResolver as TFConfigClusterResolver, TPUClusterResolver as TPUClusterResolver,
 UnionClusterResolver as UnionClusterResolver
)

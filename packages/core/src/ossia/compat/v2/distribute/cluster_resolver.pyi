# Written by tools/api_stubs.py; do not edit.
from ossia.distribute.cluster_resolver import (
 ClusterResolver as ClusterResolver, SimpleClusterResolver as SimpleClusterResolver,
 TFConfigClusterResolver as TFConfigClusterResolver, UnionResolver as UnionResolver
)

# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.older_names import (
 ClusterResolver as ClusterResolver, SimpleClusterResolver as SimpleClusterResolver,
 TFConfigClusterResolver as TFConfigClusterResolver, UnionClusterResolver as UnionClusterResolver
)
from ossia_contrib.tpu.cluster import TPUClusterResolver as TPUClusterResolver

# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.older_names import (
 ClusterResolver as ClusterResolver, SimpleClusterResolver as SimpleClusterResolver,
 TFConfigClusterResolver as TFConfigClusterResolver, UnionClusterResolver as UnionClusterResolver
)
from ossia_contrib.tpu.cluster import TPUClusterResolver as TPUClusterResolver

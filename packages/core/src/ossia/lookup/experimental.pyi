# Written by ossia_core.api_stubs; do not edit.
from ossia_ops.dense_table import DenseHashTable as DenseHashTable

# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_lookup.dense_table import DenseHashTable as DenseHashTable

# Written by ossia_core.api_stubs; do not edit.
from ossia_lookup.dense_table import DenseHashTable as DenseHashTable

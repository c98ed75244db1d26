# Written by tools/api_stubs.py; do not edit.
from ossia_lookup.dense_table import DenseHashTable as DenseHashTable

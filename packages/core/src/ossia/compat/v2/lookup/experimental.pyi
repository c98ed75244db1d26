# Written by tools/api_stubs.py; do not edit.
from ossia.lookup.experimental import DenseHashTable as DenseHashTable

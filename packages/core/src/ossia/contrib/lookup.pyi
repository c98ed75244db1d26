# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.lookup.strings import (
 index_to_string as index_to_string, string_to_index as string_to_index,
 string_to_index_table_from_file as string_to_index_table_from_file,
 string_to_index_table_from_tensor as string_to_index_table_from_tensor
)
from ossia_contrib.lookup.tables import (
 FastHashSpec as FastHashSpec, HashTable as HashTable, HasherSpec as HasherSpec,
 IdTableWithHashBuckets as IdTableWithHashBuckets, KeyValueTensorInitializer as KeyValueTensorInitializer,
 StrongHashSpec as StrongHashSpec, TextFileIdTableInitializer as TextFileIdTableInitializer,
 TextFileIndex as TextFileIndex, TextFileInitializer as TextFileInitializer,
 TextFileStringTableInitializer as TextFileStringTableInitializer, index_table_from_file as index_table_from_file,
 index_table_from_tensor as index_table_from_tensor, index_to_string_table_from_file as index_to_string_table_from_file,
 index_to_string_table_from_tensor as index_to_string_table_from_tensor
)
from ossia_lookup.dense_table import DenseHashTable as _MutableDenseHashTable, MutableHashTable as MutableHashTable
MutableDenseHashTable = _MutableDenseHashTable

# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental
from ossia_lookup.lookup import (
 KeyValueTensorInitializer as KeyValueTensorInitializer, StaticHashTable as StaticHashTable,
 StaticVocabularyTable as StaticVocabularyTable, TextFileIndex as TextFileIndex,
 TextFileInitializer as TextFileInitializer
)

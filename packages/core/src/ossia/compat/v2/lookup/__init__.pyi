# Written by ossia_core.plugins.api_stubs; do not edit.
from . import experimental as experimental
from ossia.lookup import (
 KeyValueTensorInitializer as KeyValueTensorInitializer, StaticHashTable as StaticHashTable,
 StaticVocabularyTable as StaticVocabularyTable, TextFileIndex as TextFileIndex,
 TextFileInitializer as TextFileInitializer
)

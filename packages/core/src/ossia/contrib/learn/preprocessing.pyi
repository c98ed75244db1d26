# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.learn.preprocessing.categorical import CategoricalProcessor as CategoricalProcessor
from ossia_contrib.learn.preprocessing.text import (
 ByteProcessor as ByteProcessor, TOKENIZER_RE as TOKENIZER_RE, VocabularyProcessor as VocabularyProcessor
)
from ossia_contrib.learn.preprocessing.vocabulary import CategoricalVocabulary as CategoricalVocabulary

# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.learn.preprocessing.categorical import CategoricalProcessor as CategoricalProcessor
from ossia_contrib.learn.preprocessing.text import (
 ByteProcessor as ByteProcessor, TOKENIZER_RE as TOKENIZER_RE, VocabularyProcessor as VocabularyProcessor
)
from ossia_contrib.learn.preprocessing.vocabulary import CategoricalVocabulary as CategoricalVocabulary

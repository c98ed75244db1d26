"""Documents to rows of the numbers of their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import ossia as tf
from ossia_contrib.learn.preprocessing import stored
from ossia_contrib.learn.preprocessing.vocabulary import CategoricalVocabulary
from ossia_core.plugins.api_table import public, public_value

TOKENIZER_RE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)
public_value("contrib.learn.preprocessing.TOKENIZER_RE", name="TOKENIZER_RE")


def tokenizer(iterator: Iterable[str]) -> Iterator[list[str]]:
    """The words of each document."""
    for document in iterator:
        yield TOKENIZER_RE.findall(document)


@public("contrib.learn.preprocessing.ByteProcessor")
class ByteProcessor:
    """Turns documents into rows of their bytes.

    Args:
      max_document_length: the length of a row; what is longer is cut, what is shorter ends in zeros.
    """

    def __init__(self, max_document_length: int) -> None:
        self.max_document_length = max_document_length

    def fit(self, x: Any) -> ByteProcessor:
        """Nothing is to be learned."""
        return self

    def fit_transform(self, x: Any) -> Iterator[np.ndarray]:
        """As `transform`."""
        return self.transform(x)

    def transform(self, x: Iterable[Any]) -> Iterator[np.ndarray]:
        """A row of bytes for each document, text as UTF-8."""
        for document in x:
            content = np.frombuffer(tf.compat.as_bytes(document)[: self.max_document_length], dtype=np.uint8)
            yield np.pad(content, (0, self.max_document_length - len(content)))

    def reverse(self, x: Iterable[Any]) -> Iterator[str]:
        """The document of each row."""
        for row in x:
            yield np.trim_zeros(np.asarray(row, dtype=np.uint8), "b").tobytes().decode()


@public("contrib.learn.preprocessing.VocabularyProcessor")
class VocabularyProcessor:
    """Turns documents into rows of the numbers of their words.

    Args:
      max_document_length: the length of a row; what is longer is cut, what is shorter ends in zeros.
      min_frequency: words that are met as often, or less, are unknown.
      vocabulary: a `CategoricalVocabulary` to begin with.
      tokenizer_fn: a function of documents that yields the words of each; by default, of letters, digits, apostrophes
        and hyphens.
    """

    def __init__(
        self, max_document_length: int, min_frequency: int = 0, vocabulary: CategoricalVocabulary | None = None,
        tokenizer_fn: Callable[[Iterable[str]], Iterable[Any]] | None = None,
    ) -> None:
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary if vocabulary else CategoricalVocabulary()
        self._tokenizer = tokenizer_fn if tokenizer_fn else tokenizer

    def fit(self, raw_documents: Iterable[str], unused_y: Any = None) -> VocabularyProcessor:
        """Learns the words of documents, and is frozen then."""
        for tokens in self._tokenizer(raw_documents):
            for token in tokens:
                self.vocabulary_.add(token)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents: Iterable[str], unused_y: Any = None) -> Iterator[np.ndarray]:
        """Learns the words of documents, and turns them into rows."""
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents: Iterable[str]) -> Iterator[np.ndarray]:
        """An int64 row of each document."""
        for tokens in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            for index, token in enumerate(tokens):
                if index >= self.max_document_length:
                    break
                row[index] = self.vocabulary_.get(token)
            yield row

    def reverse(self, documents: Iterable[Iterable[int]]) -> Iterator[str]:
        """The words of each row, with a blank between them."""
        for row in documents:
            yield " ".join(self.vocabulary_.reverse(class_id) for class_id in row)

    def save(self, filename: str) -> None:
        """Writes the processor to a file, in the form in which TensorFlow 1.15 reads it.

        Raises:
          ValueError: the function that finds words has no name in a module, or words are neither text nor numbers.
        """
        with tf.gfile.Open(filename, "wb") as file:
            file.write(stored.written(self, tokenizer))

    @classmethod
    def restore(cls, filename: str) -> VocabularyProcessor:
        """Reads what `save` wrote, here or in TensorFlow 1.15. Nothing in the file is executed.

        Raises:
          tf.errors.NotFoundError: there is no such file.
          ValueError: it holds something else.
        """
        with tf.gfile.Open(filename, "rb") as file:
            return stored.read(file.read(), cls, tokenizer)

"""Rows of categories to rows of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ossia_contrib.learn.preprocessing.vocabulary import CategoricalVocabulary
from ossia_core.plugins.api_table import public


@public("contrib.learn.preprocessing.CategoricalProcessor")
class CategoricalProcessor:
    """Numbers the categories of each column.

    Args:
      min_frequency: categories that are met as often, or less, are unknown.
      share: whether all columns have one vocabulary.
      vocabularies: those to begin with, one of each column.
    """

    def __init__(self, min_frequency: int = 0, share: bool = False, vocabularies: Any = None) -> None:
        self.min_frequency = min_frequency
        self.share = share
        self.vocabularies_: list[CategoricalVocabulary] = list(vocabularies or [])

    def freeze(self, freeze: bool = True) -> None:
        """Says whether new categories are unknown from now on."""
        for vocabulary in self.vocabularies_:
            vocabulary.freeze(freeze)

    def fit(self, x: Iterable[Any], unused_y: Any = None) -> CategoricalProcessor:
        """Learns the categories of rows, and is frozen then."""
        for row in x:
            values = [row] if isinstance(row, (str, int)) else row
            for index, value in enumerate(values):
                if len(self.vocabularies_) <= index:
                    shared = self.share and self.vocabularies_
                    self.vocabularies_.append(self.vocabularies_[0] if shared else CategoricalVocabulary())
                if not _missing(value):
                    self.vocabularies_[index].add(value)
        if self.min_frequency > 0:
            for vocabulary in self.vocabularies_:
                vocabulary.trim(self.min_frequency)
        self.freeze()
        return self

    def fit_transform(self, x: Iterable[Any], unused_y: Any = None) -> Iterator[np.ndarray]:
        """Learns the categories of rows, and numbers them."""
        self.fit(x)
        return self.transform(x)

    def transform(self, x: Iterable[Any]) -> Iterator[np.ndarray]:
        """An int64 row of each row."""
        self.freeze()
        for row in x:
            values = [row] if isinstance(row, (str, int)) else row
            numbers = [0 if _missing(value) else self.vocabularies_[i].get(value) for i, value in enumerate(values)]
            yield np.array(numbers, np.int64)


def _missing(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)

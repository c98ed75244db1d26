"""The numbers of categories, in the order in which they were met or by how often they were."""

from __future__ import annotations

import collections
from collections.abc import Hashable
from typing import Any

from ossia_core.plugins.api_table import public


@public("contrib.learn.preprocessing.CategoricalVocabulary")
class CategoricalVocabulary:
    """Numbers categories from 1 on; 0 stands for the unknown.

    Args:
      unknown_token: what 0 is called.
      support_reverse: whether numbers lead back to categories.
    """

    def __init__(self, unknown_token: str = "<UNK>", support_reverse: bool = True) -> None:
        self._unknown_token = unknown_token
        self._mapping: dict[Any, int] = {unknown_token: 0}
        self._support_reverse = support_reverse
        if support_reverse:
            self._reverse_mapping: list[Any] = [unknown_token]
        self._freq: dict[Any, int] = collections.defaultdict(int)
        self._freeze = False

    def __len__(self) -> int:
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """Says whether new categories are unknown from now on."""
        self._freeze = freeze

    def get(self, category: Hashable) -> int:
        """The number of a category; a new one gets the next, or 0 if the vocabulary is frozen."""
        if category not in self._mapping:
            if self._freeze:
                return 0
            self._mapping[category] = len(self._mapping)
            if self._support_reverse:
                self._reverse_mapping.append(category)
        return self._mapping[category]

    def add(self, category: Hashable, count: int = 1) -> None:
        """Counts a category."""
        if self.get(category) > 0:
            self._freq[category] = self._freq.get(category, 0) + count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Leaves out what is rare, and numbers the rest anew, the most frequent first.

        Args:
          min_frequency: what was counted as often, or less, is left out.
          max_frequency: what was counted as often, or more, is left out too, if this is positive.
        """
        order = sorted(sorted(self._freq.items(), key=lambda item: item[0]), key=lambda item: -item[1])
        kept = [item for item in order if item[1] > min_frequency and not 0 < max_frequency <= item[1]]
        self._freq = dict(kept)
        names = [self._unknown_token, *self._freq]
        self._mapping = {name: index for index, name in enumerate(names)}
        if self._support_reverse:
            self._reverse_mapping = names

    def reverse(self, class_id: int) -> Any:
        """The category of a number.

        Raises:
          ValueError: the vocabulary was made without the way back.
        """
        if not self._support_reverse:
            raise ValueError("This vocabulary wasn't initialized with support_reverse to support reverse() function.")
        return self._reverse_mapping[class_id]

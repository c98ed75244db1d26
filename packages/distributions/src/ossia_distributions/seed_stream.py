"""Streams of seeds."""

from __future__ import annotations

import hashlib
from typing import Any

from ossia_core.plugins.api_table import public


@public("contrib.distributions.SeedStream")
class SeedStream:
    """Seeds that follow from one, another at each call.

    Args:
      seed: the first; another stream for its next one; None for seeds that are None.
      salt: text that tells streams of one seed apart.
    """

    def __init__(self, seed: Any, salt: str) -> None:
        self._seed = seed.original_seed if isinstance(seed, SeedStream) else seed
        self._salt = salt
        self._counter = 0

    def __call__(self) -> int | None:
        """The next seed."""
        self._counter += 1
        if self._seed is None:
            return None
        text = str((self._seed, self._counter, self._salt))
        return int(hashlib.sha512(text.encode(), usedforsecurity=False).hexdigest(), 16)

    @property
    def original_seed(self) -> Any:
        """The seed that others follow from."""
        return self._seed

    @property
    def salt(self) -> str:
        """The text that tells streams apart."""
        return self._salt

"""Adagrad whose accumulators can be left as they are for some steps."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.opt.RegAdagradOptimizer")
class RegAdagradOptimizer(tf.train.AdagradOptimizer):
    """Adagrad (Duchi et al. 2011) that can apply gradients, those of a regularizer say, without counting them.

    Args:
      learning_rate, initial_accumulator_value, use_locking, name: as of `tf.train.AdagradOptimizer`.
    """

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
        name: str = "RegAdagrad",
    ) -> None:
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)
        self._should_update_slots = True

    @contextlib.contextmanager
    def avoid_updating_slots(self) -> Iterator[None]:
        """A scope in which gradients are applied and accumulators stay."""
        before, self._should_update_slots = self._should_update_slots, False
        try:
            yield
        finally:
            self._should_update_slots = before

    def _options(self) -> dict[str, Any]:
        return {"update_slots": self._should_update_slots}

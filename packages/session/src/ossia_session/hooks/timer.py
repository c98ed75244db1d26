"""When a hook acts: every so many steps, or every so many seconds."""
from __future__ import annotations

import time

from ossia_core.plugins.api_table import public


@public("train.SecondOrStepTimer", "estimator.SecondOrStepTimer", "compat.v2.estimator.SecondOrStepTimer")
class SecondOrStepTimer:
    """Tells whether it is time again.

    Args:
        every_secs: Seconds between two times.
        every_steps: Steps between two times; exactly one of both is given.

    Raises:
        ValueError: Both are given, or neither.
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        self.reset()
        self._every_secs = every_secs
        self._every_steps = every_steps
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")

    def reset(self) -> None:
        """Forgets the last time."""
        self._last_triggered_step: int | None = None
        self._last_triggered_time: float | None = None

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is time at `step`: always at first, never twice at the same step."""
        if self._last_triggered_step is None or self._last_triggered_time is None:
            return True
        if step == self._last_triggered_step:
            return False
        if self._every_secs is not None:
            return time.time() >= self._last_triggered_time + self._every_secs
        return step >= self._last_triggered_step + self._every_steps  # type: ignore[operator]

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Notes that it was time at `step`.

        Returns:
            Seconds and steps since the last time, None and None at first.
        """
        now = time.time()
        if self._last_triggered_time is None or self._last_triggered_step is None:
            elapsed: tuple[float | None, int | None] = None, None
        else:
            elapsed = now - self._last_triggered_time, step - self._last_triggered_step
        self._last_triggered_time, self._last_triggered_step = now, step
        return elapsed

    def last_triggered_step(self) -> int | None:
        """The step of the last time; None if there was none."""
        return self._last_triggered_step


class NeverTimer(SecondOrStepTimer):
    """A timer for a hook that acts at the end only."""

    def __init__(self) -> None:
        super().__init__(every_steps=0)

    def should_trigger_for_step(self, step: int) -> bool:
        """Never."""
        return False

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Nothing to tell."""
        return None, None

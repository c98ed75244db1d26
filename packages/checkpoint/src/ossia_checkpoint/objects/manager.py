"""`tf.train.CheckpointManager`: numbers the checkpoints of a directory, keeps some, and deletes the others."""

from __future__ import annotations

import os
import time
from typing import Any

from ossia_checkpoint.objects.checkpoint import ObjectCheckpoint
from ossia_checkpoint.objects.saver import session_or_default
from ossia_checkpoint.state import checkpoint_exists, get_checkpoint_state, lies_in, remove_checkpoint, write_state
from ossia_core.plugins.api_table import public


@public("train.CheckpointManager", "compat.v2.train.CheckpointManager")
class CheckpointManager:
    """Saves a `Checkpoint` to a directory again and again, and keeps the newest few checkpoints there.

    A manager of a directory that has checkpoints goes on with them.

    Example:
        manager = tf.train.CheckpointManager(checkpoint, "model_dir", max_to_keep=3)
        status = checkpoint.restore(manager.latest_checkpoint)
        with tf.Session() as session:
            status.initialize_or_restore()
            manager.save()
    """

    def __init__(
        self,
        checkpoint: ObjectCheckpoint,
        directory: str,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
    ) -> None:
        """Reads the `checkpoint` file of the directory, if there is one.

        Args:
            checkpoint: What to save.
            directory: Where to.
            max_to_keep: How many checkpoints to keep; None keeps all.
            keep_checkpoint_every_n_hours: Besides these, one checkpoint per so many hours is kept for good.
            checkpoint_name: What names of checkpoints begin with.

        Raises:
            ValueError: `max_to_keep` is not positive.
        """
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}.")
        self._checkpoint = checkpoint
        self._directory = os.fspath(directory)
        self._max_to_keep = max_to_keep
        self._every_seconds = keep_checkpoint_every_n_hours and keep_checkpoint_every_n_hours * 3600
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._times: dict[str, float] = {}
        self._latest: str | None = None
        self._last_preserved = time.time()
        state = get_checkpoint_state(self._directory)
        if state is not None:
            self._latest = state.model_checkpoint_path
            self._last_preserved = state.last_preserved_timestamp or self._last_preserved
            paths = list(state.all_model_checkpoint_paths)
            times = list(state.all_model_checkpoint_timestamps)
            if len(times) != len(paths):
                times = [self._last_preserved] * len(paths)
            self._times = {path: made for path, made in zip(paths, times, strict=True) if checkpoint_exists(path)}

    @property
    def latest_checkpoint(self) -> str | None:
        """The prefix of the newest checkpoint; None where there is none."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The prefixes of the checkpoints that are kept as the newest, from the oldest on."""
        return list(self._times)

    def save(self, checkpoint_number: Any = None) -> str:
        """Writes a checkpoint from the default session, names it in the `checkpoint` file, and deletes the oldest.

        Args:
            checkpoint_number: The number in its name: an integer, or a variable or tensor of one; by default the
                checkpoint's own count of saves.

        Returns:
            The prefix.

        Raises:
            ValueError: There is no default session.
        """
        session = session_or_default(None)
        if checkpoint_number is None:
            number = self._checkpoint.counted(session)
        else:
            self._checkpoint.initialized_counter(session)
            number = int(session.run(checkpoint_number) if hasattr(checkpoint_number, "op") else checkpoint_number)
        path = self._checkpoint.write_to(f"{self._prefix}-{number}", session)
        self._times.pop(path, None)
        self._times[path] = time.time()
        self._latest = path
        self._write_state()
        if self._delete_oldest():
            self._write_state()
        return path

    def _write_state(self) -> None:
        assert self._latest is not None
        write_state(
            self._directory,
            self._latest,
            list(self._times),
            save_relative_paths=True,
            all_model_checkpoint_timestamps=list(self._times.values()),
            last_preserved_timestamp=self._last_preserved,
        )

    def _delete_oldest(self) -> bool:
        """Whether there are fewer checkpoints now."""
        before = len(self._times)
        while self._max_to_keep and len(self._times) > self._max_to_keep:
            path, made = next(iter(self._times.items()))
            del self._times[path]
            if self._every_seconds and made - self._every_seconds >= self._last_preserved:
                self._last_preserved = made
            elif lies_in(path, self._directory):
                remove_checkpoint(path)
        return len(self._times) < before

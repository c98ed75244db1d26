"""Format V1 as a checkpoint format: one file, or the shards that a pattern matches."""

from __future__ import annotations

import contextlib

from ossia_checkpoint.formats import CheckpointFormat
from ossia_checkpoint.patterns import absent, matching
from ossia_checkpoint.v1_slices import V1Reader, V1Writer
from ossia_core import files
from ossia_core.names import errors
from ossia_core.plugins.api_table import provides


@provides("ossia_checkpoint_formats", "V1", last=True)  # its files have no ending: any file may be one
class V1Format(CheckpointFormat):
    """TensorFlow's first format; the prefix is the file's own path, or `path-?????-of-00004` for shards."""

    def files(self, prefix: str) -> list[str]:
        """What the prefix matches."""
        return matching(prefix)

    def delete(self, prefix: str) -> None:
        """Removes what the prefix matches: shards have no other name in common than the pattern."""
        for path in self.files(prefix):
            with contextlib.suppress(errors.NotFoundError):
                files.file_system(path).remove(path)

    def reader(self, prefix: str) -> V1Reader:
        """Opens the file, or all shards."""
        system = files.file_system(prefix)
        found = [path for path in matching(prefix) if not system.is_directory(path)]
        if not found:
            raise absent(prefix)
        return V1Reader(found)

    def writer(self, prefix: str) -> V1Writer:
        """Starts one file; shards of it stay files of their own, whose names tell the number and the count."""
        return V1Writer(prefix)

"""Format V2 as a checkpoint format: an index file, and data files beside it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from ossia_checkpoint import commit
from ossia_checkpoint.bundle import BundleWriter, index_name
from ossia_checkpoint.bundle_merge import merge_bundles
from ossia_checkpoint.bundle_reader import BundleReader
from ossia_checkpoint.formats import CheckpointFormat
from ossia_checkpoint.patterns import matching
from ossia_core import files
from ossia_core.names import errors
from ossia_core.plugins.api_table import provides


@provides("ossia_checkpoint_formats", "V2")
class V2Format(CheckpointFormat):
    """TensorFlow's second format, which savers write by default."""

    def files(self, prefix: str) -> Iterator[str]:
        """The index file, the one that a cut off replacement has kept, and the data files: alone they are nothing."""
        found = False
        for index in (index_name(prefix), index_name(prefix) + commit.BACKUP):
            for path in matching(index):
                found = True
                yield path
        if found:
            yield from matching(_data(prefix))

    def matches(self, prefix: str) -> bool:
        """Whether there is an index file, the kept one too, also while the two change places."""
        return commit.exists(index_name(prefix)) or super().matches(prefix)

    def reader(self, prefix: str) -> BundleReader:
        """Opens the checkpoint."""
        return BundleReader(prefix)

    def writer(self, prefix: str) -> BundleWriter:
        """Starts the checkpoint, with one data file."""
        return BundleWriter(prefix)

    def delete(self, prefix: str) -> None:
        """Removes the files; the kept index first, which would be valid without the other."""
        index = index_name(prefix)
        for path in (index + commit.BACKUP, index, *commit.data_files(index)):
            with contextlib.suppress(errors.NotFoundError):
                files.file_system(path).remove(path)

    def merge(self, prefixes: Sequence[str], destination: str) -> None:
        """Moves the data files of the shards, and writes one index."""
        merge_bundles(prefixes, destination)


def _data(prefix: str) -> str:
    return f"{prefix}.data-?????-of-?????*"

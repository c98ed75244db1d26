"""The shards of one save joined into one checkpoint."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ossia_checkpoint import commit
from ossia_checkpoint.bundle import VERSION, data_name, index_name, write_index
from ossia_checkpoint.bundle_reader import BundleReader, parsed
from ossia_core import files
from ossia_core.names import errors


def merge_bundles(prefixes: Iterable[str], destination: str) -> None:
    """Joins checkpoints into one; their data files are moved, their index files removed.

    Args:
        prefixes: The checkpoints, in the order of the shards of the result.
        destination: The prefix of the result.

    Raises:
        InvalidArgumentError: The same tensor, or the same slice of one, is in two of them.
        OpError: A file cannot be read or moved; what was at `destination` is intact.
    """
    from ossia_core.proto import BundleEntryProto, BundleHeaderProto

    entries: dict[bytes, Any] = {}
    moves: list[str] = []
    prefixes = list(prefixes)
    for prefix in prefixes:
        with BundleReader(prefix) as reader:
            first = len(moves)
            moves += [reader.data_path(shard) for shard in range(reader.shards)]
            for key, value in reader.entries():
                entry = parsed(BundleEntryProto, value, prefix)
                entry.shard_id = 0 if entry.slices else entry.shard_id + first
                known = entries.setdefault(key, entry)
                if known is not entry:
                    _join(key, known, entry)
    header = BundleHeaderProto(num_shards=len(moves))
    header.version.producer = VERSION
    with commit.Commit() as joined:
        for shard, path in enumerate(moves):
            joined.adopt(path, data_name(destination, shard, len(moves)))
        write_index(joined.open(index_name(destination)), header, entries)
    for prefix in prefixes:
        if prefix != destination:
            files.file_system(prefix).remove(index_name(prefix))


def _join(key: bytes, known: Any, entry: Any) -> None:
    if not (known.slices and entry.slices and known.dtype == entry.dtype and known.shape == entry.shape):
        raise errors.InvalidArgumentError(None, None, f"Existing entry in the merged checkpoint: {key!r}")
    known.slices.extend(entry.slices)

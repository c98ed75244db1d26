"""Reading event files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ossia_core.names import errors
from ossia_core.plugins.api_table import public
from ossia_core.proto import Event
from ossia_io.paths import Path
from ossia_io.records import tf_record_iterator


@public("train.summary_iterator")
def summary_iterator(path: Path) -> Iterator[Any]:
    """The events of an event file.

    Args:
        path: The file, also one that is still written to.

    Returns:
        An iterator of `Event`.

    Raises:
        NotFoundError: There is no such file.
        DataLossError: A record is damaged or truncated, or is no Event.
    """
    from google.protobuf.message import DecodeError

    for record in tf_record_iterator(path):
        try:
            event = Event.FromString(record)
        except DecodeError as error:
            raise errors.DataLossError(None, None, f"{path!r}: a record is no Event: {error}") from error
        yield event

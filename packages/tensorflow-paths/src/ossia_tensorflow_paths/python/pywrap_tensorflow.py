"""`pywrap_tensorflow`: the writer of event files that the original's own writers are made of."""

from __future__ import annotations

from ossia_core.proto import Event
from ossia_summary import event_file


class EventsWriter:
    """Writes events to a file whose name begins with a prefix, given as bytes; nothing is said of what fails."""

    def __init__(self, prefix: bytes) -> None:
        if not isinstance(prefix, bytes):
            raise TypeError(f"expected bytes, {type(prefix).__name__} found")
        self._prefix = prefix.decode()
        self._writer = event_file.EventsWriter(self._prefix)

    def InitWithSuffix(self, suffix: bytes) -> None:
        """Ends the name of the file with a suffix, and makes the file."""
        self._writer = event_file.EventsWriter(self._prefix, suffix.decode())
        self._writer.open()

    def FileName(self) -> bytes:
        """The path of the file, which is made if it is not there."""
        self._writer.open()
        return self._writer.path.encode()

    def WriteEvent(self, event: Event) -> None:
        """Appends an event.

        Raises:
            TypeError: It is none.
        """
        descriptor = getattr(event, "DESCRIPTOR", None)
        if getattr(descriptor, "name", None) != "Event":
            raise TypeError(f"Expected an event_pb2.Event proto,  but got {type(event)}")
        self._WriteSerializedEvent(event.SerializeToString())

    def _WriteSerializedEvent(self, event: bytes) -> None:
        self._writer.write(event)

    def Flush(self) -> None:
        """Hands all events to the operating system."""
        self._writer.flush()

    def Close(self) -> None:
        """Ends the file; the next event begins another."""
        self._writer.close()

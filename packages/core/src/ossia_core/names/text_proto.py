"""Messages in text form that somebody else wrote: nested no deeper than the binary form may be."""

from __future__ import annotations

import re
from typing import Any

MAX_DEPTH = 100  # of messages in messages, as protobuf has it for the binary form
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|#[^\n]*|[{}<>]')


def parse(text: str, message: Any) -> Any:
    """Reads the text form of a message into `message`, and returns it.

    Raises:
        google.protobuf.text_format.ParseError: It is none, or messages are nested more than MAX_DEPTH deep.
    """
    from google.protobuf import text_format

    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "{<":
            depth += 1
            if depth > MAX_DEPTH:
                raise text_format.ParseError(f"Messages are nested more than {MAX_DEPTH} deep.")
        elif token[0] in "}>":
            depth -= 1
    try:
        return text_format.Parse(text, message)
    except RecursionError:
        raise text_format.ParseError("Messages are nested too deep for the stack that is left.") from None

"""The code cells of a Jupyter notebook, as sources that run one after the other."""

from __future__ import annotations

import json
import re

_MAGIC = re.compile(rb"^(\s*)([%!?].*|.*[^\s=]\?\??\s*)$")


class NotebookError(ValueError):
    """A file is no notebook, or one of another language."""


def cells(content: bytes, path: str) -> list[tuple[bytes, str]]:
    """The sources of the code cells, each with the name that tracebacks give it.

    Lines that only Jupyter understands (`%matplotlib inline`, `!pip install`, `name?`) become comments, and a cell that
    begins with `%%` is left out, so that line numbers stay.

    Args:
        content: The bytes of the file.
        path: Its path.

    Raises:
        NotebookError: The file is no notebook of Python.
    """
    try:
        notebook = json.loads(content)
        language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
        sheets = notebook.get("worksheets", [notebook])  # before version 4, cells stood in worksheets
        found = [cell for sheet in sheets for cell in sheet["cells"] if cell["cell_type"] == "code"]
        texts = ["".join(cell.get("source", cell.get("input", ""))) for cell in found]
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError) as error:
        raise NotebookError(f"{path!r} is no notebook: {type(error).__name__}: {error}") from None
    if language.lower() not in ("python", "python3", "python2"):
        raise NotebookError(f"{path!r} is a notebook of {language}, not of Python")
    return [
        (_without_magics(text.encode()), f"{path}[{number}]")
        for number, text in enumerate(texts, 1)
        if not text.lstrip().startswith("%%")
    ]


def _without_magics(text: bytes) -> bytes:
    return b"\n".join(_MAGIC.sub(rb"\1pass  # \2", line) for line in text.split(b"\n"))

"""What a command tells about files: facts and tables, for people in a terminal or for programs as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import click


class Table(NamedTuple):
    """Rows under headings.

    title: What it shows; the key in JSON.
    columns: The headings.
    rows: As many values as there are columns, in each.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


class Report(NamedTuple):
    """What was found: single facts by name, and tables."""

    facts: dict[str, Any]
    tables: Sequence[Table] = ()

    def show(self, *, as_json: bool) -> None:
        """Prints it."""
        if as_json:
            click.echo(json.dumps(self.to_json(), indent=1))
        else:
            self._print()

    def to_json(self) -> dict[str, Any]:
        """Facts by name and, by title, lists of what is in each row by heading; numbers that JSON lacks as text."""
        tables = {each.title: [dict(zip(each.columns, row, strict=True)) for row in each.rows] for each in self.tables}
        return _plain({**self.facts, **tables})

    def _print(self) -> None:
        from rich import box
        from rich.console import Console
        from rich.table import Table as Grid
        from rich.text import Text

        console = Console(highlight=False)
        for name, value in self.facts.items():
            console.print(Text.assemble((f"{name}: ", "bold"), _text(value)))
        for table in self.tables:
            console.print()
            grid = Grid(title=table.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
            for i, column in enumerate(table.columns):
                numeric = bool(table.rows) and all(isinstance(row[i], (int, float, type(None))) for row in table.rows)
                grid.add_column(column, justify="right" if numeric else "left", overflow="fold", no_wrap=numeric)
            for row in table.rows:
                grid.add_row(*(Text(_text(value)) for value in row))
            console.print(grid)


def size_text(count: float) -> str:
    """Bytes in the unit that suits them: `1.5 MB`."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}" if unit != "B" else f"{count:.0f} B"
        count /= 1000
    return f"{count:.3g} TB"


def shape_text(shape: Sequence[int | None] | None) -> str:
    """A shape as a list, `?` for what is unknown; scalars `[]`."""
    return "unknown" if shape is None else f"[{', '.join('?' if size is None else str(size) for size in shape)}]"


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_text, value))
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        return _plain(value.item())
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else value

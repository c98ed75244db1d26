"""`ossia diff`: in what two checkpoints differ."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from ossia_command import selection
from ossia_command.checkpoints import open_reader, with_progress
from ossia_command.report import Report, Table, shape_text


@click.command("diff", short_help="say in which variables two checkpoints differ, and by how much")
@click.argument("first")
@click.argument("second")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--only", "patterns", multiple=True, metavar="PATTERN", help="Only names that match, as `dense/*`.")
@click.option("--tolerance", default=0.0, show_default=True, help="Differences up to this one do not count.")
@click.pass_context
def diff(
    context: click.Context, first: str, second: str, as_json: bool, patterns: tuple[str, ...], tolerance: float
) -> None:
    """Compare the checkpoints FIRST and SECOND, variable by variable. The status is 1 where they differ."""
    with open_reader(first) as one, open_reader(second) as other:
        left, right = (selection.selected(reader.names(), patterns) for reader in (one, other))
        shared = [name for name in left if name in set(right)]
        rows = []
        for name in with_progress(shared, "comparing"):
            row = _compared(name, one, other, tolerance)
            if row is not None:
                rows.append(row)
        alone = [[name, "first", shape_text(one.entry(name).shape)] for name in left if name not in set(right)]
        alone += [[name, "second", shape_text(other.entry(name).shape)] for name in right if name not in set(left)]
    tables = [
        Table("differing", ["name", "why", "elements", "largest difference", "relative", "mean"], rows),
        Table("alone", ["name", "in", "shape"], alone),
    ]
    facts = {"equal": len(shared) - len(rows), "different": len(rows), "in one only": len(alone)}
    Report(facts, [table for table in tables if table.rows]).show(as_json=as_json)
    context.exit(int(bool(rows or alone)))


def _compared(name: str, one: Any, other: Any, tolerance: float) -> list[Any] | None:
    """How the two values of a variable differ; None if they do not."""
    a, b = one.entry(name), other.entry(name)
    if a.shape != b.shape:
        return [name, f"shape {shape_text(a.shape)} and {shape_text(b.shape)}", None, None, None, None]
    if a.dtype != b.dtype:
        return [name, f"type {a.dtype.name} and {b.dtype.name}", None, None, None, None]
    x, y = one.read(name), other.read(name)
    if x.dtype.kind in "OSU":
        count = int(np.sum(x != y))
        return [name, "text", count, None, None, None] if count else None
    wide = np.complex128 if x.dtype.kind == "c" else np.float64
    x, y = x.astype(wide), y.astype(wide)
    with np.errstate(all="ignore"):
        apart = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0.0, np.abs(x - y))
        apart = np.where(np.isnan(apart), np.inf, apart)
    count = int(np.sum(apart > tolerance))
    if not count:
        return None
    scale = float(np.max(np.abs(x[np.isfinite(x)]), initial=0.0))
    largest = float(apart.max())
    return [name, "values", count, largest, largest / scale if scale else None, float(apart.mean())]

"""`ossia export`: the variables of a checkpoint as a file that other programs read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
import numpy as np

from ossia_command import npz, selection
from ossia_command.checkpoints import open_reader, with_progress


@click.command("export", short_help="write a checkpoint's variables to a .npz or .safetensors file")
@click.argument("checkpoint")
@click.option("-o", "--output", required=True, metavar="FILE", help="A name that ends in .npz or .safetensors.")
@click.option("--only", "patterns", multiple=True, metavar="PATTERN", help="Only names that match, as `dense/*`.")
@click.option("--rename", "rules", multiple=True, metavar="REGEX=TEXT", help="Change names, by each rule in turn.")
def export(checkpoint: str, output: str, patterns: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """Write the variables of CHECKPOINT (a prefix, or the folder of the newest) to a file.

    A .npz file holds all numbers and strings; a .safetensors file holds no strings, which are left out with a word.
    """
    if not output.endswith((".npz", ".safetensors")):
        raise click.BadParameter(f"{output!r} ends neither in .npz nor in .safetensors")
    with open_reader(checkpoint) as reader:
        names = selection.renamed(selection.selected(reader.names(), patterns), rules)
        values = ((new, reader.read(name)) for name, new in with_progress(names.items(), "reading"))
        if output.endswith(".npz"):
            npz.write(output, values)
            count = len(names)
        else:
            count = _write_safetensors(output, values)
    click.echo(f"{count} variables written to {output}")


def _write_safetensors(path: str, values: Iterable[tuple[str, Any]]) -> int:
    from safetensors.numpy import save_file

    kept = {}
    for name, value in values:
        if value.dtype.kind == "O":
            click.echo(f"{name} holds strings, which .safetensors has no type for: left out", err=True)
        else:
            kept[name] = np.array(value, order="C")
    save_file(kept, path)
    return len(kept)

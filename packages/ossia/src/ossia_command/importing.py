"""`ossia import`: a checkpoint of the arrays in a file of another program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import numpy as np

from ossia_command import selection
from ossia_command.checkpoints import check_folder, with_progress


@click.command("import", short_help="make a checkpoint of a .npz or .safetensors file")
@click.argument("file")
@click.option("-o", "--output", required=True, metavar="PREFIX", help="The prefix of the checkpoint.")
@click.option("--format", "kind", default="V2", show_default=True, help="Its format: V1, V2 or that of a plugin.")
@click.option("--only", "patterns", multiple=True, metavar="PATTERN", help="Only names that match, as `dense/*`.")
@click.option("--rename", "rules", multiple=True, metavar="REGEX=TEXT", help="Change names, by each rule in turn.")
def import_(file: str, output: str, kind: str, patterns: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """Write the arrays of FILE, which ends in .npz or .safetensors, as a checkpoint.

    `tf.train.Saver` restores variables of the same names from it.
    """
    from ossia_checkpoint import formats

    check_folder(output)
    names, read = _opened(file)
    new_names = selection.renamed(selection.selected(names, patterns), rules)
    with formats.named(kind).writer(output) as writer:
        for name, new in with_progress(sorted(new_names.items(), key=lambda pair: pair[1].encode()), "writing"):
            value = read(name)
            writer.add(new, value.astype(object) if value.dtype.kind in "SU" else value)
    click.echo(f"{len(new_names)} variables written to {output}")


def _opened(file: str) -> tuple[list[str], Callable[[str], Any]]:
    if file.endswith(".safetensors"):
        from safetensors.numpy import load_file

        tensors = load_file(file)
        return list(tensors), tensors.__getitem__
    if not file.endswith(".npz"):
        raise click.BadParameter(f"{file!r} ends neither in .npz nor in .safetensors")
    arrays = np.load(file, allow_pickle=False)
    return list(arrays.files), arrays.__getitem__

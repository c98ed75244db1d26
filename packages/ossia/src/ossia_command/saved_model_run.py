"""`ossia saved-model run`: a signature of a SavedModel, computed once."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from ossia_command import npz


@click.group("saved-model")
def saved_model() -> None:
    """Use SavedModels."""


@saved_model.command("run", short_help="compute a signature of a SavedModel")
@click.argument("folder")
@click.option("--input", "inputs", multiple=True, metavar="NAME=VALUE", help="A .npy file, ARCHIVE.npz[KEY], or JSON.")
@click.option("--signature", default="serving_default", show_default=True, help="The key of the signature.")
@click.option("--tag", "tags", multiple=True, default=("serve",), show_default=True, help="A tag of the meta graph.")
@click.option("-o", "--output", metavar="FILE", help="Write all outputs to this .npz file, too.")
def run(folder: str, inputs: tuple[str, ...], signature: str, tags: tuple[str, ...], output: str | None) -> None:
    """Feed the inputs of a signature of the SavedModel in FOLDER, and print its outputs."""
    import ossia as tf

    with tf.Graph().as_default(), tf.Session() as session:
        meta_graph = tf.saved_model.load(session, list(tags), folder)
        found = meta_graph.signature_def
        if signature not in found:
            raise click.BadParameter(f"there is no signature {signature!r}, but {', '.join(sorted(found)) or 'none'}")
        definition = found[signature]
        feeds = {}
        for text in inputs:
            name, separator, value = text.partition("=")
            if not separator or name not in definition.inputs:
                known = ", ".join(sorted(definition.inputs))
                raise click.BadParameter(f"{text!r} is not NAME=VALUE of an input: {known}")
            dtype = tf.as_dtype(definition.inputs[name].dtype)
            feeds[definition.inputs[name].name] = _value(value, dtype.as_numpy_dtype)
        if missing := sorted(set(definition.inputs) - {text.partition("=")[0] for text in inputs}):
            raise click.BadParameter(f"inputs without a value: {', '.join(missing)}")
        names = sorted(definition.outputs)
        results = session.run([definition.outputs[name].name for name in names], feeds)
    for name, result in zip(names, results, strict=True):
        click.echo(f"{name} {np.asarray(result).dtype} {list(np.shape(result))}\n{result}")
    if output:
        npz.write(output, zip(names, results, strict=True))


def _value(text: str, dtype: Any) -> Any:
    if text.partition("[")[0].endswith((".npy", ".npz")):
        return npz.read(text)
    import json

    try:
        return np.array(json.loads(text), dtype)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is no .npy or .npz file and no JSON: {error}") from None

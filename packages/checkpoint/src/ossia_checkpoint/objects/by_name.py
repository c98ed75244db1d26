"""Restores object-based checkpoints by the names that variables had: what a `Saver` needs for it."""

from __future__ import annotations

from collections.abc import Sequence

from ossia_checkpoint.objects.graph import keys_of_names, read_graph
from ossia_checkpoint.reader import NewCheckpointReader
from ossia_checkpoint.saveables import SaveableObject
from ossia_core.names import errors


def object_keys(prefix: str) -> dict[str, str] | None:
    """The key of each variable in an object-based checkpoint, by its name; None for a checkpoint without objects."""
    graph = read_graph(NewCheckpointReader(prefix))
    return None if graph is None else keys_of_names(graph)


def renamed(saveables: Sequence[SaveableObject], keys: dict[str, str]) -> list[SaveableObject]:
    """The saveable objects, with the keys of an object-based checkpoint as names.

    Raises:
        NotFoundError: The checkpoint does not have all of them.
    """
    specs = [spec for saveable in saveables for spec in saveable.specs]
    wanted = {spec.name for spec in specs}
    if missing := sorted(wanted - set(keys)):
        others = sorted(set(keys) - wanted)
        raise errors.NotFoundError(
            None,
            None,
            f"\n\nExisting variables not in the checkpoint: {', '.join(missing)}\n\n"
            f"Variables names when this checkpoint was written which don't exist now: {', '.join(others)}\n\n"
            f"({len(wanted & set(keys))} variable name(s) did match)\n\n"
            "Could not find some variables in the checkpoint (see names above). It is an object-based checkpoint, and "
            "a Saver finds its variables by the names that they had. tf.train.Checkpoint restores it whatever the "
            "names.",
        )
    for saveable in saveables:
        for spec in saveable.specs:
            spec.name = keys[spec.name]
        saveable.name = saveable.specs[0].name
    return list(saveables)

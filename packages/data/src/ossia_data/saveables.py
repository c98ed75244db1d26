"""Positions of iterators in checkpoints: `make_saveable_from_iterator`, `CheckpointInputPipelineHook`."""
from __future__ import annotations

from typing import Any

from ossia_checkpoint.saveables import SaveableObject, SaveSpec
from ossia_core.declare.opdef import lookup
from ossia_core.plugins.api_table import public


class _Saveable(SaveableObject):
    def __init__(self, resource: Any) -> None:
        serialized = lookup("SerializeIterator")(resource)
        super().__init__(resource, [SaveSpec(serialized, "", f"{resource.name}-state")], resource.name)

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        return lookup("DeserializeIterator")(self.op, restored_tensors[0])


@public("data.experimental.make_saveable_from_iterator", "compat.v2.data.experimental.make_saveable_from_iterator")
def make_saveable_from_iterator(iterator: Any) -> SaveableObject:
    """What a `Saver` saves of an iterator: its position.

    Args:
        iterator: An iterator that has an initializer; that must have run before the position is restored.
    """
    return _Saveable(iterator._iterator_resource)

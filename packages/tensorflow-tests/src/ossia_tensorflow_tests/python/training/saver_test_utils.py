"""`training.saver_test_utils`: a table of strings and numbers that a `Saver` saves, made of the raw ops."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_checkpoint.saveables import SaveableObject, SaveSpec


class CheckpointedOp:
    """A table from strings to floats that is in the collection of what is saved.

    Args:
        name: The name of the table's node, and of its values in checkpoints.
        table_ref: The handle of a table that there is already.
    """

    class CustomSaveable(SaveableObject):
        """The keys and values of a table."""

        def __init__(self, table: CheckpointedOp, name: str) -> None:
            exported = table._export()
            parts = zip(("-keys", "-values"), exported, strict=True)
            super().__init__(table, [SaveSpec(tensor, "", name + suffix) for suffix, tensor in parts], name)

        def restore(self, restored_tensors: list[Any], restored_shapes: list[Any] | None) -> Any:
            """The op that gives a table the keys and values of a checkpoint."""
            keys, values = restored_tensors
            return tf.raw_ops.LookupTableImportV2(table_handle=self.op.table_ref, keys=keys, values=values)

    def __init__(self, name: str, table_ref: Any = None) -> None:
        if table_ref is None:
            table_ref = tf.raw_ops.MutableHashTableV2(key_dtype=tf.string, value_dtype=tf.float32, name=name)
        self.table_ref = table_ref
        self._name = name
        self._saveable = CheckpointedOp.CustomSaveable(self, name)
        tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    @property
    def name(self) -> str:
        """The name of the table."""
        return self._name

    @property
    def saveable(self) -> CustomSaveable:
        """What a `Saver` saves of it."""
        return self._saveable

    def insert(self, keys: Any, values: Any) -> Any:
        """The op that puts values under their keys."""
        return tf.raw_ops.LookupTableInsertV2(table_handle=self.table_ref, keys=keys, values=values)

    def lookup(self, keys: Any, default: Any) -> Any:
        """The values under the keys."""
        return tf.raw_ops.LookupTableFindV2(table_handle=self.table_ref, keys=keys, default_value=default)

    def keys(self) -> Any:
        """All keys."""
        return self._export()[0]

    def values(self) -> Any:
        """All values."""
        return self._export()[1]

    def _export(self) -> Any:
        return tf.raw_ops.LookupTableExportV2(table_handle=self.table_ref, Tkeys=tf.string, Tvalues=tf.float32)

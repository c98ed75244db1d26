"""Tables that programs change and savers save."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ossia_core.graph.collections import GraphKeys, add_to_collection
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import colocate_with, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_lookup.lookup import LookupInterface
from ossia_lookup.tables import (
    lookup_table_export_v2_op,
    lookup_table_find_v2_op,
    lookup_table_import_v2_op,
    lookup_table_insert_v2_op,
    lookup_table_remove_v2_op,
    lookup_table_size_v2_op,
    mutable_dense_hash_table_v2_op,
    mutable_hash_table_of_tensors_v2_op,
    mutable_hash_table_v2_op,
)


class _ChangingTable(LookupInterface):
    """What the tables that programs change have in common."""

    resource_handle: Tensor
    _default: Tensor

    @property
    def name(self) -> str:
        """Name of the table."""
        return self.resource_handle.op.name.split("/")[-1]

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        """What object-based checkpoints save, by name: a function that makes it for a key."""
        return {"table": lambda name: _Saveable(self, name)}

    def size(self, name: str | None = None) -> Tensor:
        """The number of keys in the table."""
        with name_scope(name, f"{self.name}_Size", [self.resource_handle]), colocate_with(self.resource_handle):
            return lookup_table_size_v2_op(self.resource_handle)

    def lookup(self, keys: Any, name: str | None = None) -> Tensor:
        """The values of keys.

        Args:
          keys: a vector of keys.
          name: name scope.

        Returns:
          A tensor of values.
        """
        with name_scope(name, f"{self.name}_lookup_table_find", [self.resource_handle, keys]):
            keys = convert_to_tensor(keys, dtype=self.key_dtype, name="keys")
            with colocate_with(self.resource_handle):
                return lookup_table_find_v2_op(self.resource_handle, keys, self._default)

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """The op that sets the values of keys.

        Args:
          keys: a vector of keys.
          values: as many values.
          name: name scope.
        """
        with name_scope(name, f"{self.name}_lookup_table_insert", [self.resource_handle, keys, values]):
            keys = convert_to_tensor(keys, dtype=self.key_dtype, name="keys")
            values = convert_to_tensor(values, dtype=self.value_dtype, name="values")
            with colocate_with(self.resource_handle):
                return lookup_table_insert_v2_op(self.resource_handle, keys, values)

    def remove(self, keys: Any, name: str | None = None) -> Any:
        """The op that removes keys; those that are not in the table do not matter.

        Raises:
          TypeError: the keys are of another dtype.
        """
        if keys.dtype != self.key_dtype:
            raise TypeError(f"Signature mismatch. Keys must be dtype {self.key_dtype}, got {keys.dtype}.")
        with name_scope(name, f"{self.name}_lookup_table_remove", [self.resource_handle, keys]):
            return lookup_table_remove_v2_op(self.resource_handle, keys)

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """The keys and values of all buckets, also of the empty ones."""
        with name_scope(name, f"{self.name}_lookup_table_export_values", [self.resource_handle]):
            with colocate_with(self.resource_handle):
                keys, values = lookup_table_export_v2_op(
                    self.resource_handle, Tkeys=self.key_dtype, Tvalues=self.value_dtype)
        return keys, values


@public("contrib.lookup.MutableHashTable")
class MutableHashTable(_ChangingTable):
    """A table of buckets that grow.

    Args:
      key_dtype: dtype of the keys.
      value_dtype: dtype of the values.
      default_value: the value of keys that are not in the table, a scalar or a vector as the values are.
      name: name of the table.
      checkpoint: whether savers save the table.
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str = "MutableHashTable",
        checkpoint: bool = True,
    ) -> None:
        super().__init__(key_dtype, value_dtype)
        self._default = convert_to_tensor(default_value, dtype=self.value_dtype)
        of = {"key_dtype": self.key_dtype, "value_dtype": self.value_dtype, "use_node_name_sharing": checkpoint}
        dims = self._default.shape
        self.resource_handle = (
            mutable_hash_table_v2_op(**of, name=name) if dims.ndims == 0
            else mutable_hash_table_of_tensors_v2_op(**of, value_shape=dims, name=name)
        )
        if checkpoint:
            add_to_collection(GraphKeys.SAVEABLE_OBJECTS, _Saveable(self, name))


@public(
    "lookup.experimental.DenseHashTable", "compat.v2.lookup.experimental.DenseHashTable",
    "contrib.lookup.MutableDenseHashTable",
)
class DenseHashTable(_ChangingTable):
    """A table with open addressing.

    Args:
      key_dtype: dtype of the keys.
      value_dtype: dtype of the values.
      default_value: the value of keys that are not in the table; its shape is that of a value.
      empty_key: a key that marks empty buckets and is never inserted; its shape is that of a key.
      deleted_key: another key, which marks the buckets of removed keys.
      initial_num_buckets: how many buckets there are at first, a power of 2.
      name: name of the table.
      checkpoint: whether savers save the table.
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
        initial_num_buckets: int | None = None, name: str = "MutableDenseHashTable", checkpoint: bool = True,
    ) -> None:
        super().__init__(key_dtype, value_dtype)
        self._default = convert_to_tensor(default_value, dtype=self.value_dtype, name="default_value")
        empty_key = convert_to_tensor(empty_key, dtype=self.key_dtype, name="empty_key")
        deleted_key = convert_to_tensor(deleted_key, dtype=self.key_dtype, name="deleted_key")
        self.resource_handle = mutable_dense_hash_table_v2_op(
            empty_key, deleted_key, value_dtype=self.value_dtype, value_shape=self._default.shape,
            initial_num_buckets=1 << 17 if initial_num_buckets is None else initial_num_buckets,
            use_node_name_sharing=checkpoint, name=name)
        if checkpoint:
            add_to_collection(GraphKeys.SAVEABLE_OBJECTS, _Saveable(self, name))

    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """The op that sets the values of keys, as `insert`."""
        return self.insert(keys, values, name)

    def erase(self, keys: Any, name: str | None = None) -> Any:
        """The op that removes keys, as `remove`."""
        return self.remove(keys, name)


class _Saveable:
    """What a saver asks of the objects that it saves: tensors with names, and how to put their values back."""

    def __init__(self, table: _ChangingTable, name: str) -> None:
        tensors = table.export()
        self._handle = table.resource_handle
        self.op = self._handle.op
        self.name = name
        self.specs = [SimpleNamespace(tensor=tensor, slice_spec="", name=name + suffix, dtype=tensor.dtype)
                      for tensor, suffix in zip(tensors, ("-keys", "-values"), strict=True)]

    @property
    def device(self) -> str:
        """The device of the tensors."""
        return self.specs[0].tensor.device

    def restore(self, restored_tensors: list, restored_shapes: Any) -> Any:
        """The op that fills the table with restored tensors."""
        with name_scope(None, f"{self.name}_table_restore"), colocate_with(self._handle):
            return lookup_table_import_v2_op(self._handle, restored_tensors[0], restored_tensors[1])

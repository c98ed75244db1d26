"""What a saver adds to the graph: the nodes that save and restore, in one file or in shards."""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from ossia_checkpoint import formats, save_ops
from ossia_checkpoint.saveables import SaveableObject, saveable_objects
from ossia_core.declare import opdef
from ossia_core.graph.convert import constant
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import control_dependencies, device, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names.device import DeviceSpec, canonical_name
from ossia_core.primitives.identity import group, identity, with_dependencies
from ossia_core.primitives.source import placeholder_with_default
from ossia_core.variables.partition import PartitionedVariable

V1, V2 = 1, 2  # SaverDef.V1, SaverDef.V2
_VERSIONS = {"V1": V1, "V2": V2}


class SaverBuilder:
    """Builds the nodes of a saver; a subclass may be passed to `Saver(builder=...)`."""

    def __init__(self, write_version: int | str = V2) -> None:
        """Makes a builder for checkpoints of a format: `SaverDef.V1`, `SaverDef.V2`, or the name of an installed one.

        Raises:
            ValueError: No format of that name is installed.
        """
        self._format = ""  # the name of a format that a plugin brings
        if isinstance(write_version, str) and write_version not in _VERSIONS:
            formats.named(write_version)
            self._format = write_version
        self._version = _VERSIONS.get(write_version, V2) if isinstance(write_version, str) else write_version

    def save_op(self, filename_tensor: Tensor, saveables: Sequence[SaveableObject]) -> Operation:
        """The op that writes the tensors of `saveables` into the file (V1) or checkpoint (any other) of that name."""
        specs = [spec for saveable in saveables for spec in saveable.specs]
        tensors = [spec.tensor for spec in specs]
        names, slices = [spec.name for spec in specs], [spec.slice_spec for spec in specs]
        if self._format:
            return save_ops.save_in_format_op(filename_tensor, names, slices, tensors, format=self._format)
        if self._version == V1:
            return save_ops.save_slices_op(filename_tensor, names, slices, tensors, name="save")
        if self._version == V2:
            return save_ops.save_v2_op(filename_tensor, names, slices, tensors)
        raise RuntimeError(f"Unexpected write_version: {self._version}")

    def restore_ops(self, filename_tensor: Tensor, saveables: Sequence[SaveableObject]) -> list[Tensor]:
        """Tensors with the values of all specs of `saveables`, in order."""
        specs = [spec for saveable in saveables for spec in saveable.specs]
        names, slices = [spec.name for spec in specs], [spec.slice_spec for spec in specs]
        with device("cpu:0"):
            return save_ops.restore_v2_op(filename_tensor, names, slices, dtypes=[s.dtype.base_dtype for s in specs])

    def build(
        self,
        names_to_saveables: Any,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        filename: str | None = "model",
    ) -> Any:
        """Adds the nodes to the default graph; the arguments are those of `Saver`.

        Returns:
            A SaverDef that names the nodes.
        """
        from ossia_core.proto import SaverDef

        saveables = saveable_objects(names_to_saveables)
        with name_scope(name, "save", [_operation(saveable.op) for saveable in saveables]):
            filename_tensor = placeholder_with_default(filename or "model", shape=(), name="filename")
            filename_tensor = placeholder_with_default(filename_tensor, shape=(), name="Const")
            if sharded:
                per_device = _by_device(saveables)
                save_tensor = (self._save_shards_v1 if self._version == V1 else self._save_shards_v2)(
                    filename_tensor, per_device
                )
                shards = []
                for device_name, own in per_device:
                    with device(device_name):
                        shards.append(self._restore(filename_tensor, own, reshape, "restore_shard"))
                restore_op = group(*shards, name="restore_all")
            else:
                save_tensor = with_dependencies([self.save_op(filename_tensor, saveables)], filename_tensor)
                restore_op = self._restore(filename_tensor, saveables, reshape, "restore_all")
        _join_collected_partitions()
        return SaverDef(
            filename_tensor_name=filename_tensor.name,
            save_tensor_name=save_tensor.name,
            restore_op_name=restore_op.name,
            max_to_keep=max_to_keep or 0,
            sharded=sharded,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            version=self._version,
        )

    def _restore(
        self, filename_tensor: Tensor, saveables: Sequence[SaveableObject], reshape: bool, name: str
    ) -> Operation:
        tensors = self.restore_ops(filename_tensor, saveables)
        done, at = [], 0
        for saveable in saveables:
            shapes = [_shape(spec.tensor) for spec in saveable.specs] if reshape else None
            done.append(saveable.restore(tensors[at : at + len(saveable.specs)], shapes))
            at += len(saveable.specs)
        return group(*done, name=name)

    def save_shards(self, prefix: Tensor, saveables: Sequence[SaveableObject]) -> Tensor:
        """The prefix, once each device of `saveables` has written a shard of the V2 checkpoint and all are merged."""
        with device("/cpu:0"):
            parts = opdef.lookup("StringJoin")([prefix, f"_temp_{uuid.uuid4().hex}/part"], name="StringJoin")
        per_device = _by_device(saveables)
        shards = constant(len(per_device), name="num_shards")
        prefixes, saved = [], []
        for shard, (device_name, own) in enumerate(per_device):
            with device(_on_cpu(device_name)):
                prefixes.append(save_ops.sharded_filename_op(parts, shard, shards))
                saved.append(self.save_op(prefixes[-1], own))
        with device(_on_cpu(per_device[-1][0])):
            with control_dependencies(saved):
                merged = save_ops.merge_v2_checkpoints_op(prefixes, prefix, delete_old_dirs=True)
            with control_dependencies([merged]):
                return identity(prefix)

    def _save_shards_v2(self, prefix: Tensor, per_device: list[tuple[str, list[SaveableObject]]]) -> Tensor:
        parts = opdef.lookup("StringJoin")([prefix, f"_temp_{uuid.uuid4().hex}/part"], name="StringJoin")
        shards = constant(len(per_device), name="num_shards")
        prefixes, saved = [], []
        for shard, (device_name, saveables) in enumerate(per_device):
            with device(_on_cpu(device_name)):
                prefixes.append(save_ops.sharded_filename_op(parts, shard, shards))
                saved.append(with_dependencies([self.save_op(prefixes[-1], saveables)], prefixes[-1]))
        with control_dependencies([tensor.op for tensor in saved]), device(_on_cpu(per_device[-1][0])):
            merged = (
                save_ops.merge_in_format_op(prefixes, prefix, delete_old_dirs=True, format=self._format)
                if self._format
                else save_ops.merge_v2_checkpoints_op(prefixes, prefix, delete_old_dirs=True)
            )
            with control_dependencies([merged]):
                return identity(prefix)

    def _save_shards_v1(self, filename: Tensor, per_device: list[tuple[str, list[SaveableObject]]]) -> Tensor:
        shards = constant(len(per_device), name="num_shards")
        saved = []
        for shard, (device_name, saveables) in enumerate(per_device):
            with device(device_name):
                path = save_ops.sharded_filename_op(filename, shard, shards)
                saved.append(with_dependencies([self.save_op(path, saveables)], path))
        with control_dependencies([tensor.op for tensor in saved]):
            return save_ops.sharded_filespec_op(filename, shards)


def _join_collected_partitions() -> None:
    """Adds the whole of each partitioned variable in a collection: a meta graph names it, and is read back with it."""
    graph = get_default_graph()
    for key in graph.get_all_collection_keys():
        for element in graph.get_collection(key):
            if isinstance(element, PartitionedVariable):
                try:
                    graph.get_operation_by_name(element.name)
                except KeyError:
                    element.as_tensor()


def _operation(value: Any) -> Any:
    """The node of what is saved; objects that are saved in their own way need not have one."""
    return value if isinstance(value, (Operation, Tensor)) else getattr(value, "op", None)


def _shape(tensor: Tensor) -> Any:
    return tensor.shape.as_list() if tensor.shape.is_fully_defined() else opdef.lookup("Shape")(tensor, name="Shape")


def _by_device(saveables: Sequence[SaveableObject]) -> list[tuple[str, list[SaveableObject]]]:
    found: dict[str, list[SaveableObject]] = {}
    for saveable in saveables:
        names = {canonical_name(spec.tensor.device) for spec in saveable.specs}
        if len(names) != 1:
            raise ValueError(f"All tensors of a saveable object must be on the same device: {saveable.name}")
        found.setdefault(names.pop(), []).append(saveable)
    return sorted(found.items())


def _on_cpu(device_name: str) -> str:
    spec = DeviceSpec.from_string(device_name)
    return spec.replace(device_type="CPU", device_index=0).to_string()

"""Folders of dumped tensors: what is in them, and which tensors a predicate finds."""
from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

DEVICE_PREFIX = "_tfdbg_device_"
DEBUG_OP = "DebugIdentity"
CORE, FETCHES, FEEDS = "_tfdbg_core_metadata_", "_tfdbg_fetches_info_", "_tfdbg_feed_keys_info_"


class CoreMetadata(NamedTuple):
    """What a run was: its step, its number, and the names of what was fed, fetched and run."""

    global_step: int
    session_run_index: int
    executor_step_index: int
    input_names: list[str]
    output_names: list[str]
    target_nodes: list[str]


def load_tensor_from_event(event: Any) -> Any:
    """The value that an Event of a dump holds, as an array; None for a tensor without a value."""
    from ossia_core.names.tensor_proto import decode

    proto = event.summary.value[0].tensor
    return decode(proto) if proto.dtype else None


def load_tensor_from_event_file(event_file_path: str) -> Any:
    """The value in the file of a dumped tensor."""
    return load_tensor_from_event(_event(event_file_path))


def has_inf_or_nan(datum: DebugTensorDatum, tensor: Any) -> bool:
    """Whether a dumped tensor of real or complex numbers has an infinite element, or one that is no number."""
    if not isinstance(tensor, (np.ndarray, np.generic)) or np.asarray(tensor).dtype.kind not in "fcV":
        return False
    values = np.asarray(tensor)
    if values.dtype.kind == "V":
        return False
    return bool(np.any(np.isnan(values)) or np.any(np.isinf(values)))


class DebugTensorDatum:
    """A dumped tensor.

    Args:
        dump_root: The folder of the run.
        debug_dump_rel_path: The file in it: folders of a device and of scopes, `node_slot_op_time`.

    Raises:
        ValueError: The name of the file is none of a dumped tensor.
    """

    def __init__(self, dump_root: str, debug_dump_rel_path: str) -> None:
        folder, base = os.path.split(debug_dump_rel_path)
        device, *scopes = folder.split(os.sep)
        parts = base.rsplit("_", 3)
        if len(parts) != 4 or not (parts[1].isdigit() and parts[3].isdigit()) or not device.startswith(DEVICE_PREFIX):
            raise ValueError(f"Dump file path does not conform to the naming pattern: {base}")
        self.node_name = "/".join((*scopes, parts[0]))
        self.output_slot, self.debug_op, self.timestamp = int(parts[1]), parts[2], int(parts[3])
        self.device_name = "/" + device.removeprefix(DEVICE_PREFIX).lstrip(",").replace(",", "/").replace("_", ":")
        self.extended_timestamp = (self.timestamp, 0)
        self.file_path = os.path.join(dump_root, debug_dump_rel_path)
        self.dump_size_bytes = os.path.getsize(self.file_path)

    @property
    def tensor_name(self) -> str:
        """The name of the tensor."""
        return f"{self.node_name}:{self.output_slot}"

    @property
    def watch_key(self) -> str:
        """The name of the tensor and the op that dumped it."""
        return f"{self.tensor_name}:{self.debug_op}"

    def get_tensor(self) -> Any:
        """The value."""
        return load_tensor_from_event_file(self.file_path)

    def __repr__(self) -> str:
        return f"{{DebugTensorDatum ({self.device_name}) {self.tensor_name} @ {self.debug_op} @ {self.timestamp}}}"


class DebugDumpDir:
    """The dumped tensors of one run.

    Args:
        dump_root: The folder of the run.
        partition_graphs: The GraphDefs of its devices; they are read from the folder by default.
        validate: Accepted for compatibility.

    Raises:
        IOError: There is no such folder.
    """

    def __init__(self, dump_root: str, partition_graphs: Any = None, validate: bool = True) -> None:
        if not os.path.isdir(dump_root):
            raise OSError(f"Dump root directory {dump_root} does not exist")
        self._dump_root = dump_root
        self._data = []
        self._graphs = list(partition_graphs or ())
        for folder, _, names in os.walk(dump_root):
            place = os.path.relpath(folder, dump_root)
            for name in names:
                if name.startswith("_tfdbg_graph"):
                    self._graphs += [] if partition_graphs else [_graph(os.path.join(folder, name))]
                elif place.startswith(DEVICE_PREFIX):
                    self._data.append(DebugTensorDatum(dump_root, os.path.join(place, name)))
        self._data.sort(key=lambda datum: (datum.timestamp, datum.file_path))
        self._nodes = {node.name: node for graph in self._graphs for node in graph.node}
        self._python_graph: Any = None

    @property
    def dumped_tensor_data(self) -> list[DebugTensorDatum]:
        """The dumped tensors, in the order of their times."""
        return self._data

    @property
    def size(self) -> int:
        """How many they are."""
        return len(self._data)

    @property
    def t0(self) -> int | None:
        """The time of the first, in microseconds."""
        return self._data[0].timestamp if self._data else None

    def _messages(self, prefix: str) -> list[str]:
        names = sorted(name for name in os.listdir(self._dump_root) if name.startswith(prefix))
        return [_event(os.path.join(self._dump_root, name)).log_message.message for name in names]

    @property
    def core_metadata(self) -> CoreMetadata | list[CoreMetadata]:
        """What the run was; a list if it was cut into several."""
        found = [CoreMetadata(**json.loads(text)) for text in self._messages(CORE)]
        return found[0] if len(found) == 1 else found

    @property
    def run_fetches_info(self) -> str | list[str]:
        """What was fetched, as text."""
        found = self._messages(FETCHES)
        return found[0] if len(found) == 1 else found

    @property
    def run_feed_keys_info(self) -> str | list[str]:
        """What was fed, as text."""
        found = self._messages(FEEDS)
        return found[0] if len(found) == 1 else found

    @property
    def python_graph(self) -> Any:
        """The graph that `set_python_graph` was given."""
        return self._python_graph

    def set_python_graph(self, python_graph: Any) -> None:
        """Gives the graph of the program, for `node_traceback`."""
        self._python_graph = python_graph

    def partition_graphs(self) -> list:
        """The GraphDefs of the run."""
        return self._graphs

    def loaded_partition_graphs(self) -> bool:
        """Whether there are GraphDefs."""
        return bool(self._graphs)

    def devices(self) -> list[str]:
        """The devices that tensors were on."""
        return sorted({datum.device_name for datum in self._data})

    def nodes(self, device_name: str | None = None) -> list[str]:
        """The names of the nodes."""
        return list(self._nodes)

    def node_exists(self, node_name: str, device_name: str | None = None) -> bool:
        """Whether the graphs have a node."""
        return node_name in self._nodes

    def _node(self, name: str) -> Any:
        if name not in self._nodes:
            raise ValueError(f"Node '{name}' does not exist in partition graphs.")
        return self._nodes[name]

    def node_op_type(self, node_name: str, device_name: str | None = None) -> str:
        """The op type of a node; ValueError if there is none."""
        return self._node(node_name).op

    def node_attributes(self, node_name: str, device_name: str | None = None) -> Any:
        """The attributes of a node; ValueError if there is none."""
        return self._node(node_name).attr

    def node_device(self, node_name: str) -> str:
        """The device of a node; ValueError if there is none."""
        return self._node(node_name).device

    def node_inputs(self, node_name: str, is_control: bool = False, device_name: str | None = None) -> list[str]:
        """The inputs of a node, or the nodes that it waits for; ValueError if there is none."""
        inputs = self._node(node_name).input
        if is_control:
            return [text[1:] for text in inputs if text.startswith("^")]
        return [text for text in inputs if not text.startswith("^")]

    def node_recipients(self, node_name: str, is_control: bool = False, device_name: str | None = None) -> list[str]:
        """The nodes that take the results of a node, or wait for it; ValueError if there is none."""
        self._node(node_name)
        return [
            name for name in self._nodes
            if any(text.partition(":")[0] == node_name for text in self.node_inputs(name, is_control))
        ]

    def transitive_inputs(
        self, node_name: str, include_control: bool = True, include_reversed_ref: bool = False,
        device_name: str | None = None,
    ) -> list[str]:
        """All nodes that a node depends on; ValueError if there is none."""
        found: dict[str, None] = {}
        pending = [node_name]
        while pending:
            name = pending.pop()
            inputs = self.node_inputs(name) + (self.node_inputs(name, is_control=True) if include_control else [])
            for text in inputs:
                source = text.partition(":")[0]
                if source not in found and source in self._nodes:
                    found[source] = None
                    pending.append(source)
        return list(found)

    def find_some_path(
        self, src_node_name: str, dst_node_name: str, include_control: bool = True, include_reversed_ref: bool = False,
        device_name: str | None = None,
    ) -> list[str] | None:
        """The names of nodes on a path from one node to another; None if there is none, ValueError for no node."""
        self._node(src_node_name)
        paths = [[dst_node_name]]
        seen = {dst_node_name}
        while paths:
            path = paths.pop()
            if path[0] == src_node_name:
                return path
            name = path[0]
            for text in self.node_inputs(name) + (self.node_inputs(name, is_control=True) if include_control else []):
                source = text.partition(":")[0]
                if source not in seen and source in self._nodes:
                    seen.add(source)
                    paths.append([source, *path])
        return None

    def node_traceback(self, element_name: str) -> Any:
        """Where the program made a node; LookupError before `set_python_graph`."""
        if self._python_graph is None:
            raise LookupError("Python graph is not available for traceback lookup")
        return self._python_graph.get_operation_by_name(element_name.partition(":")[0]).traceback

    def debug_watch_keys(self, node_name: str, device_name: str | None = None) -> list[str]:
        """The watch keys of the dumped outputs of a node."""
        return [datum.watch_key for datum in self._data if datum.node_name == node_name]

    def watch_key_to_data(self, debug_watch_key: str, device_name: str | None = None) -> list[DebugTensorDatum]:
        """The dumped tensors of a watch key."""
        return [datum for datum in self._data if datum.watch_key == debug_watch_key]

    def find(
        self, predicate: Callable[[DebugTensorDatum, Any], bool], first_n: int = 0, device_name: str | None = None,
        exclude_node_names: str | None = None,
    ) -> list[DebugTensorDatum]:
        """The dumped tensors for which a predicate of datum and value holds, the first `first_n` or all."""
        import re

        found = []
        for datum in self._data:
            if exclude_node_names and re.match(exclude_node_names, datum.node_name):
                continue
            if predicate(datum, datum.get_tensor()):
                found.append(datum)
                if len(found) == first_n:
                    break
        return found

    def _of(self, node_name: str, output_slot: int, debug_op: str) -> list[DebugTensorDatum]:
        found = self.watch_key_to_data(f"{node_name}:{output_slot}:{debug_op}")
        if not found:
            raise WatchKeyDoesNotExistInDebugDumpDirError(
                f'Watch key "{node_name}:{output_slot}:{debug_op}" does not exist in the debug dump'
            )
        return found

    def get_tensors(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[Any]:
        """The values of an output of a node, in the order of their times."""
        return [datum.get_tensor() for datum in self._of(node_name, output_slot, debug_op)]

    def get_tensor_file_paths(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[str]:
        """The files with these values."""
        return [datum.file_path for datum in self._of(node_name, output_slot, debug_op)]

    def get_dump_sizes_bytes(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[int]:
        """The sizes of these files."""
        return [datum.dump_size_bytes for datum in self._of(node_name, output_slot, debug_op)]

    def get_rel_timestamps(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[int]:
        """The times of these values, in microseconds after the first of the run."""
        return [datum.timestamp - (self.t0 or 0) for datum in self._of(node_name, output_slot, debug_op)]


class WatchKeyDoesNotExistInDebugDumpDirError(ValueError):
    """A tensor that was not dumped."""


def _event(path: str) -> Any:
    from ossia_core.proto import Event

    with open(path, "rb") as file:
        return Event.FromString(file.read())


def _graph(path: str) -> Any:
    from ossia_core.proto import GraphDef

    return GraphDef.FromString(_event(path).graph_def)

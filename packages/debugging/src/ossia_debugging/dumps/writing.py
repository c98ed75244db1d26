"""The folder of a run, written: values, graph, what was fetched and fed."""
from __future__ import annotations

import itertools
import json
import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_debugging.dumps.dump_dir import CORE, DEVICE_PREFIX, FEEDS, FETCHES
from ossia_debugging.dumps.watched import debug_value, fed_names

_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
_runs = itertools.count()


def now() -> int:
    """The time in microseconds."""
    return int(time.time() * 1e6)


def dump(
    folder: str, graph: Any, values: Sequence[tuple[Tensor, str, Any]], fetches: Any, feeds: Any, global_step: int
) -> None:
    """Write values of tensors, each with the debug op that it goes through, and the graph into the folder of a run."""
    from ossia_core.names.tensor_proto import make_tensor_proto
    from ossia_core.proto import Event, Summary

    root = os.path.join(folder, DEVICE_PREFIX + _DEVICE.replace("/", ",").replace(":", "_"))
    os.makedirs(root, exist_ok=True)
    _describe(folder, graph, fetches, feeds, global_step)
    _write(os.path.join(root, f"_tfdbg_graph_hash0_{now()}"), Event(graph_def=graph.as_graph_def().SerializeToString()))
    for tensor, debug_op, value in values:
        value = debug_value(debug_op, tensor, value)
        if value is None:
            continue
        node, slot = tensor.op.name, tensor.value_index
        path = os.path.join(root, f"{node}_{slot}_{debug_op}_{now()}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        made = Summary.Value(
            tag=node, node_name=f"{node}:{slot}:{debug_op}", tensor=make_tensor_proto(np.asarray(value))
        )
        made.metadata.plugin_data.plugin_name = "debugger"
        place = {"device": _DEVICE, "outputSlot": slot, "numChunks": 1, "chunkIndex": 0}
        made.metadata.plugin_data.content = json.dumps(place, separators=(",", ":")).encode()
        _write(path, Event(wall_time=time.time(), summary=Summary(value=[made])))


def _describe(folder: str, graph: Any, fetches: Any, feeds: Any, global_step: int) -> None:
    from ossia_core.names import nest
    from ossia_core.proto import Event, LogMessage

    found = [
        graph.as_graph_element(fetch if isinstance(fetch, str) else fetch.name) for fetch in nest.flatten(fetches)
    ]
    run = next(_runs)
    about = {
        "global_step": global_step, "session_run_index": run, "executor_step_index": 0,
        "input_names": sorted(fed_names(feeds)),
        "output_names": [fetch.name for fetch in found if not isinstance(fetch, Operation)],
        "target_nodes": [fetch.name for fetch in found if isinstance(fetch, Operation)],
    }
    for name, text in (
        (f"{CORE}sessionrun{run:014d}_{now()}", json.dumps(about)), (FETCHES, repr(fetches)),
        (FEEDS, repr(feeds.keys()) if feeds else None),
    ):
        if text is not None:
            _write(os.path.join(folder, name), Event(log_message=LogMessage(message=text)))


def _write(path: str, event: Any) -> None:
    with open(path, "wb") as file:
        file.write(event.SerializeToString())

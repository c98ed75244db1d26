"""Sessions around others that dump what each run computes."""
from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_debugging.dumps.dump_dir import DEBUG_OP, DEVICE_PREFIX, DebugDumpDir

_DEVICE = f"{DEVICE_PREFIX},job_localhost,replica_0,task_0,device_CPU_0"
_NO_VALUES = (dtypes.resource, dtypes.variant)
_SHOWN = 20  # lines of a list


def watched(graph: Any, fetches: Any, feeds: Any) -> list[Tensor]:
    """The tensors that a run computes, outside of loops and conditionals, in the order of their nodes."""
    from ossia_core.names import nest

    targets = []
    for fetch in nest.flatten(fetches):
        found = graph.as_graph_element(getattr(fetch, "name", fetch) if not isinstance(fetch, str) else fetch)
        targets.append(found if isinstance(found, Operation) else found.op)
    fed = {key if isinstance(key, str) else key.name for key in feeds or ()}
    seen, pending = set(targets), list(targets)
    while pending:
        op = pending.pop()
        for source in (*(t.op for t in op.inputs if t.name not in fed), *op.control_inputs):
            if source not in seen:
                seen.add(source)
                pending.append(source)
    return [
        tensor for op in graph.get_operations() if op in seen and op._control_flow_context is None
        for tensor in op.outputs if tensor.dtype.base_dtype not in _NO_VALUES and graph.is_fetchable(tensor)
    ]


def dump(folder: str, graph: Any, values: list[tuple[str, Any]]) -> None:
    """Write values of tensors, by their names, and the graph into the folder of a run."""
    from ossia_core.names.tensor_proto import make_tensor_proto
    from ossia_core.proto import Event, Summary

    root = os.path.join(folder, _DEVICE)
    os.makedirs(root, exist_ok=True)
    with open(os.path.join(root, f"_tfdbg_graph_hash0_{_now()}"), "wb") as file:
        file.write(Event(graph_def=graph.as_graph_def().SerializeToString()).SerializeToString())
    for name, value in values:
        node, _, slot = name.partition(":")
        path = os.path.join(root, f"{node}_{slot}_{DEBUG_OP}_{_now()}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        event = Event(wall_time=time.time(), summary=Summary(value=[
            Summary.Value(tag=node, node_name=f"{name}:{DEBUG_OP}", tensor=make_tensor_proto(np.asarray(value)))
        ]))
        with open(path, "wb") as file:
            file.write(event.SerializeToString())


def _now() -> int:
    return int(time.time() * 1e6)


class _WrapperSession:
    """A session around another one, whose runs are watched."""

    def __init__(self, sess: Any) -> None:
        if not hasattr(sess, "run"):
            raise TypeError(f"Expected type <class 'BaseSession'>; got type {type(sess)}")
        self._sess = sess
        self.run_call_count = 0

    @property
    def session(self) -> Any:
        """The session inside."""
        return self._sess

    def __getattr__(self, name: str) -> Any:
        if name == "_sess":
            raise AttributeError(name)
        return getattr(self._sess, name)

    def __enter__(self) -> Any:
        self._sess.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._sess.__exit__(*error)

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None,
        callable_runner: Any = None, callable_runner_args: Any = None, callable_options: Any = None,
    ) -> Any:
        """Runs as the session inside does, and keeps the values of the tensors that the run computes."""
        tensors = watched(self._sess.graph, fetches, feed_dict)
        result, values = self._sess.run(
            [fetches, tensors], feed_dict=feed_dict, options=options, run_metadata=run_metadata
        )
        self.run_call_count += 1
        self._take([(tensor.name, value) for tensor, value in zip(tensors, values, strict=True)], fetches, feed_dict)
        return result

    def _take(self, values: list[tuple[str, Any]], fetches: Any, feed_dict: Any) -> None:
        raise NotImplementedError


class DumpingDebugWrapperSession(_WrapperSession):
    """A session that writes the tensors of each run into a folder of its own, which `DebugDumpDir` reads.

    Args:
        sess: The session inside.
        session_root: The folder for the folders of runs; it must be new or empty.
        watch_fn: Accepted for compatibility; all tensors are watched.
        thread_name_filter: Accepted for compatibility.
        pass_through_operrors: Accepted for compatibility.
        log_usage: Accepted for compatibility.

    Raises:
        ValueError: `session_root` is a file or has files in it.
    """

    def __init__(
        self, sess: Any, session_root: str, watch_fn: Any = None, thread_name_filter: str | None = None,
        pass_through_operrors: bool | None = None, log_usage: bool = True,
    ) -> None:
        super().__init__(sess)
        if os.path.exists(session_root) and not os.path.isdir(session_root):
            raise ValueError(f"session_root path points to a file: {session_root}")
        if os.path.isdir(session_root) and os.listdir(session_root):
            raise ValueError(f"session_root path points to a non-empty directory: {session_root}")
        self._session_root = session_root

    def _take(self, values: list[tuple[str, Any]], fetches: Any, feed_dict: Any) -> None:
        folder = os.path.join(self._session_root, f"run_{_now()}_{self.run_call_count - 1}")
        dump(folder, self._sess.graph, values)


class LocalCLIDebugWrapperSession(_WrapperSession):
    """A session that prints after each run what the original's debugger would show: the dumped tensors, and those that
    the filters find. It does not wait for commands.

    Args:
        sess: The session inside.
        dump_root: A folder for the dumps; a temporary one, removed after each run, by default.
        log_usage: Accepted for compatibility.
        ui_type: Accepted for compatibility.
        thread_name_filter: Accepted for compatibility.
        config_file_path: Accepted for compatibility.
    """

    def __init__(
        self, sess: Any, dump_root: str | None = None, log_usage: bool = True, ui_type: str = "curses",
        thread_name_filter: str | None = None, config_file_path: Any = False,
    ) -> None:
        from ossia_debugging.dumps.dump_dir import has_inf_or_nan

        super().__init__(sess)
        self._dump_root = dump_root
        self._filters: dict[str, Callable] = {"has_inf_or_nan": has_inf_or_nan}

    def add_tensor_filter(self, filter_name: str, tensor_filter: Callable) -> None:
        """Adds a predicate of datum and value; what it finds is printed under its name."""
        self._filters[filter_name] = tensor_filter

    def _take(self, values: list[tuple[str, Any]], fetches: Any, feed_dict: Any) -> None:
        folder = tempfile.mkdtemp(dir=self._dump_root) if self._dump_root is None else os.path.join(
            self._dump_root, f"run_{_now()}_{self.run_call_count - 1}"
        )
        try:
            dump(folder, self._sess.graph, values)
            self._show(DebugDumpDir(folder), fetches)
        finally:
            if self._dump_root is None:
                shutil.rmtree(folder, ignore_errors=True)

    def _show(self, dumped: DebugDumpDir, fetches: Any) -> None:
        print(f"--- run-end: run #{self.run_call_count}: fetch {fetches!r} ---\n{dumped.size} dumped tensor(s):\n")
        first = dumped.t0 or 0
        print("t (ms)     Size (B) Op type      Tensor name")
        for datum in dumped.dumped_tensor_data[:_SHOWN]:
            kind = dumped.node_op_type(datum.node_name)
            print(f"[{(datum.timestamp - first) / 1e3:.3f}]".ljust(11)
                  + f"{datum.dump_size_bytes:<9}{kind:<13}{datum.tensor_name}")
        if dumped.size > _SHOWN:
            print(f"... and {dumped.size - _SHOWN} more")
        for name, predicate in self._filters.items():
            found = dumped.find(predicate)
            if found:
                print(f"\n{len(found)} dumped tensor(s) passing filter \"{name}\":")
                for datum in found[:_SHOWN]:
                    print(f"  {datum.tensor_name}")
        print()

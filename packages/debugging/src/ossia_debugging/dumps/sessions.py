"""Sessions around others, and hooks, that dump what each run computes."""
from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from typing import Any

from ossia_debugging.dumps.dump_dir import DebugDumpDir, has_inf_or_nan
from ossia_debugging.dumps.watched import WatchOptions, watch_graph, watched_run, watches_of
from ossia_debugging.dumps.writing import now

_SHOWN = 20  # lines of a list


def watching(graph: Any, folder: str, watches: WatchOptions, options: Any = None, global_step: int = -1) -> Any:
    """RunOptions that dump the tensors of a graph into a folder."""
    from ossia_core.proto import RunOptions

    made = RunOptions()
    if options is not None:
        made.CopyFrom(options)
    watch_graph(made, graph, debug_urls=f"file://{folder}", global_step=global_step, **vars(watches))
    return made


def checked_root(session_root: str) -> str:
    """A folder for the folders of runs.

    Raises:
        ValueError: It is a file or has files in it.
    """
    if os.path.exists(session_root) and not os.path.isdir(session_root):
        raise ValueError(f"session_root path points to a file: {session_root}")
    if os.path.isdir(session_root) and os.listdir(session_root):
        raise ValueError(f"session_root path points to a non-empty directory: {session_root}")
    return session_root


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
        folder = self._folder()
        chosen = watching(self._sess.graph, folder, self._watches(fetches, feed_dict), options)
        result = watched_run(self._sess, fetches, feed_dict, chosen, run_metadata)
        self.run_call_count += 1
        self._take(folder, fetches)
        return result

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable:
        """A function that runs `fetches`, as `run` does."""
        def call(*values: Any, options: Any = None, run_metadata: Any = None) -> Any:
            return self.run(fetches, dict(zip(feed_list or (), values, strict=True)), options, run_metadata)
        return call

    def _watches(self, fetches: Any, feed_dict: Any) -> WatchOptions:
        return WatchOptions()

    def _folder(self) -> str:
        raise NotImplementedError

    def _take(self, folder: str, fetches: Any) -> None:
        """Look at the dump of a run."""


class DumpingDebugWrapperSession(_WrapperSession):
    """A session that writes the tensors of each run into a folder of its own, which `DebugDumpDir` reads.

    Args:
        sess: The session inside.
        session_root: The folder for the folders of runs; it must be new or empty.
        watch_fn: Function of fetches and feeds that returns WatchOptions; all tensors are watched by default.
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
        self._session_root, self._watch_fn = checked_root(session_root), watch_fn

    def _watches(self, fetches: Any, feed_dict: Any) -> WatchOptions:
        return watches_of(self._watch_fn, fetches, feed_dict)

    def _folder(self) -> str:
        return os.path.join(self._session_root, f"run_{now()}_{self.run_call_count}")


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
        super().__init__(sess)
        self._dump_root = dump_root
        self._filters: dict[str, Callable] = {"has_inf_or_nan": has_inf_or_nan}

    def add_tensor_filter(self, filter_name: str, tensor_filter: Callable) -> None:
        """Adds a predicate of datum and value; what it finds is printed under its name."""
        self._filters[filter_name] = tensor_filter

    def _folder(self) -> str:
        if self._dump_root is None:
            return tempfile.mkdtemp()
        return os.path.join(self._dump_root, f"run_{now()}_{self.run_call_count}")

    def _take(self, folder: str, fetches: Any) -> None:
        try:
            show(DebugDumpDir(folder), fetches, self.run_call_count, self._filters)
        finally:
            if self._dump_root is None:
                shutil.rmtree(folder, ignore_errors=True)


class GrpcDebugWrapperSession:
    """A session that sends its tensors to a server of TensorFlow's debugger, which Ossia has not.

    Raises:
        NotImplementedError: Always.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            f"{type(self).__name__} needs a debug server, which comes with TensorFlow's TensorBoard plugin; "
            "DumpingDebugWrapperSession writes the same tensors to files"
        )


class TensorBoardDebugWrapperSession(GrpcDebugWrapperSession):
    """As GrpcDebugWrapperSession, for the debugger of TensorBoard."""


def show(dumped: DebugDumpDir, fetches: Any, run: int, filters: dict[str, Callable]) -> None:
    """Prints the dumped tensors of a run, and those that filters find."""
    print(f"--- run-end: run #{run}: fetch {fetches!r} ---\n{dumped.size} dumped tensor(s):\n")
    first = dumped.t0 or 0
    print("t (ms)     Size (B) Op type      Tensor name")
    for datum in dumped.dumped_tensor_data[:_SHOWN]:
        kind = dumped.node_op_type(datum.node_name)
        print(f"[{(datum.timestamp - first) / 1e3:.3f}]".ljust(11)
              + f"{datum.dump_size_bytes:<9}{kind:<13}{datum.tensor_name}")
    if dumped.size > _SHOWN:
        print(f"... and {dumped.size - _SHOWN} more")
    for name, predicate in filters.items():
        found = dumped.find(predicate)
        if found:
            print(f"\n{len(found)} dumped tensor(s) passing filter \"{name}\":")
            for datum in found[:_SHOWN]:
                print(f"  {datum.tensor_name}")
    print()

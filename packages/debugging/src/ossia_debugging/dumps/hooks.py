"""Hooks of monitored sessions that dump what each run computes."""
from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_debugging.dumps.dump_dir import DebugDumpDir, has_inf_or_nan
from ossia_debugging.dumps.sessions import checked_root, show, watching
from ossia_debugging.dumps.watched import WatchOptions, chosen, computed, watches_of
from ossia_debugging.dumps.writing import dump, now


class _DumpingHook:
    """A hook that fetches what a run computes, and writes it into the folder of the run."""

    def __init__(self) -> None:
        self._runs = 0
        self._pending: tuple[Any, ...] = ()

    def begin(self) -> None:
        """Called before the session is made."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when the session is made."""

    def end(self, session: Any) -> None:
        """Called when the session ends."""

    def before_run(self, run_context: Any) -> Any:
        """Asks for the tensors that the run computes."""
        graph, asked = run_context.session.graph, run_context.original_args
        options = watching(graph, self._folder(), self._watches(asked.fetches, asked.feed_dict))
        watches = chosen(options, computed(graph, asked.fetches, asked.feed_dict))
        self._pending = graph, asked, watches
        return builder("train.SessionRunArgs")([tensor for tensor, _, _ in watches])

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Writes them."""
        graph, asked, watches = self._pending
        folder = watches[0][2][0].removeprefix("file://") if watches else self._folder()
        values = [(tensor, op, value) for (tensor, op, _), value in zip(watches, run_values.results, strict=True)]
        dump(folder, graph, values, asked.fetches, asked.feed_dict, -1)
        self._runs += 1
        self._take(folder, asked.fetches)

    def _watches(self, fetches: Any, feed_dict: Any) -> WatchOptions:
        return WatchOptions()

    def _folder(self) -> str:
        raise NotImplementedError

    def _take(self, folder: str, fetches: Any) -> None:
        """Look at the dump of a run."""


class DumpingDebugHook(_DumpingHook):
    """A hook that writes the tensors of each run into a folder of its own, which `DebugDumpDir` reads.

    Args:
        session_root: The folder for the folders of runs; it must be new or empty.
        watch_fn: Function of fetches and feeds that returns WatchOptions; all tensors are watched by default.
        thread_name_filter: Accepted for compatibility.
        log_usage: Accepted for compatibility.

    Raises:
        ValueError: `session_root` is a file or has files in it.
    """

    def __init__(
        self, session_root: str, watch_fn: Callable | None = None, thread_name_filter: str | None = None,
        log_usage: bool = True,
    ) -> None:
        super().__init__()
        self._root, self._watch_fn = checked_root(session_root), watch_fn

    def _watches(self, fetches: Any, feed_dict: Any) -> WatchOptions:
        return watches_of(self._watch_fn, fetches, feed_dict)

    def _folder(self) -> str:
        return os.path.join(self._root, f"run_{now()}_{self._runs}")


class LocalCLIDebugHook(_DumpingHook):
    """A hook that prints after each run what the original's debugger would show. It does not wait for commands.

    Args:
        ui_type: Accepted for compatibility.
        dump_root: A folder for the dumps; a temporary one, removed after each run, by default.
        thread_name_filter: Accepted for compatibility.
        config_file_path: Accepted for compatibility.
    """

    def __init__(
        self, ui_type: str = "curses", dump_root: str | None = None, thread_name_filter: str | None = None,
        config_file_path: Any = None,
    ) -> None:
        super().__init__()
        self._root = dump_root
        self._filters: dict[str, Callable] = {"has_inf_or_nan": has_inf_or_nan}

    def add_tensor_filter(self, filter_name: str, tensor_filter: Callable) -> None:
        """Adds a predicate of datum and value; what it finds is printed under its name."""
        self._filters[filter_name] = tensor_filter

    def _folder(self) -> str:
        return os.path.join(self._root or tempfile.gettempdir(), f"run_{now()}_{os.getpid()}_{self._runs}")

    def _take(self, folder: str, fetches: Any) -> None:
        try:
            show(DebugDumpDir(folder), fetches, self._runs, self._filters)
        finally:
            if self._root is None:
                shutil.rmtree(folder, ignore_errors=True)


class GrpcDebugHook:
    """A hook that sends tensors to a server of TensorFlow's debugger, which Ossia has not.

    Raises:
        NotImplementedError: Always.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            f"{type(self).__name__} needs a debug server, which comes with TensorFlow's TensorBoard plugin; "
            "DumpingDebugHook writes the same tensors to files"
        )


class TensorBoardDebugHook(GrpcDebugHook):
    """As GrpcDebugHook, for the debugger of TensorBoard."""

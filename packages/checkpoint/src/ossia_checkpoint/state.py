"""The `checkpoint` file of a directory, which names its checkpoints, and what is found through it."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ossia_checkpoint import commit, formats
from ossia_core import files
from ossia_core.names import errors, text_proto
from ossia_core.plugins.api_table import public

_LOG = logging.getLogger("tensorflow")
_MAX_STATE_BYTES = 16 << 20
_V1 = 1  # SaverDef.V1


@public("train.generate_checkpoint_state_proto")
def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> Any:
    """Describes the checkpoints of a directory.

    Args:
        save_dir: The directory; where it is relative, so are the paths in the result (to the directory).
        model_checkpoint_path: The newest checkpoint.
        all_model_checkpoint_paths: All checkpoints from the oldest on; the newest is added if it is not the last.
        all_model_checkpoint_timestamps: When each was made, in seconds since 1970.
        last_preserved_timestamp: When the last checkpoint that is kept for good was made.

    Returns:
        A CheckpointState.

    Raises:
        ValueError: There are not as many timestamps as checkpoints.
    """
    from ossia_core.proto import CheckpointState

    paths = list(all_model_checkpoint_paths or ())
    if not paths or paths[-1] != model_checkpoint_path:
        _LOG.info("%s is not in all_model_checkpoint_paths. Manually adding it.", model_checkpoint_path)
        paths.append(model_checkpoint_path)
    if all_model_checkpoint_timestamps and len(all_model_checkpoint_timestamps) != len(paths):
        raise ValueError(
            "Checkpoint timestamps, if provided, must match checkpoint paths "
            f"(got paths {paths} and timestamps {all_model_checkpoint_timestamps})"
        )
    if not os.path.isabs(save_dir):
        paths = [path if os.path.isabs(path) else os.path.relpath(path, save_dir) for path in paths]
        if not os.path.isabs(model_checkpoint_path):
            model_checkpoint_path = os.path.relpath(model_checkpoint_path, save_dir)
    return CheckpointState(
        model_checkpoint_path=model_checkpoint_path,
        all_model_checkpoint_paths=paths,
        all_model_checkpoint_timestamps=all_model_checkpoint_timestamps,
        last_preserved_timestamp=last_preserved_timestamp,
    )


@public("train.update_checkpoint_state")
def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Writes the `checkpoint` file of a directory.

    Args:
        save_dir: The directory.
        model_checkpoint_path: The newest checkpoint.
        all_model_checkpoint_paths: All checkpoints from the oldest on.
        latest_filename: The name of the file, by default `checkpoint`.
        all_model_checkpoint_timestamps: When each was made, in seconds since 1970.
        last_preserved_timestamp: When the last checkpoint that is kept for good was made.

    Raises:
        RuntimeError: The newest checkpoint has the path of the file.
        ValueError: There are not as many timestamps as checkpoints.
        OpError: The file cannot be written.
    """
    write_state(
        save_dir,
        model_checkpoint_path,
        all_model_checkpoint_paths,
        latest_filename,
        False,
        all_model_checkpoint_timestamps,
        last_preserved_timestamp,
    )


def write_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    latest_filename: str | None = None,
    save_relative_paths: bool = False,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Like `update_checkpoint_state`; with `save_relative_paths`, paths are written relative to the directory."""
    from google.protobuf import text_format

    path = _state_path(save_dir, latest_filename)
    paths = list(all_model_checkpoint_paths or ())
    newest = model_checkpoint_path
    if save_relative_paths:
        newest = os.path.relpath(newest, save_dir) if os.path.isabs(newest) else newest
        paths = [os.path.relpath(each, save_dir) if os.path.isabs(each) else each for each in paths]
    state = generate_checkpoint_state_proto(
        save_dir, newest, paths, all_model_checkpoint_timestamps, last_preserved_timestamp
    )
    if path == state.model_checkpoint_path:
        raise RuntimeError(
            f"Save path '{model_checkpoint_path}' conflicts with path used for checkpoint state.  "
            "Please use a different save path."
        )
    commit.write(path, text_format.MessageToString(state).encode())


def _state_path(directory: str, latest_filename: str | None) -> str:
    return os.path.join(directory, latest_filename or "checkpoint")


@public("train.get_checkpoint_state", "compat.v2.train.get_checkpoint_state")
def get_checkpoint_state(checkpoint_dir: str, latest_filename: str | None = None) -> Any:
    """Reads the `checkpoint` file of a directory.

    Args:
        checkpoint_dir: The directory.
        latest_filename: The name of the file, by default `checkpoint`.

    Returns:
        A CheckpointState with paths that start from the working directory; None where there is no file or it is
        unreadable.

    Raises:
        ValueError: The file names no newest checkpoint.
    """
    from google.protobuf import text_format

    from ossia_core.proto import CheckpointState

    path = _state_path(checkpoint_dir, latest_filename)
    try:
        with files.file_system(path).open(path, "rb") as stream:
            content = stream.read(_MAX_STATE_BYTES + 1)
        if len(content) > _MAX_STATE_BYTES:
            raise ValueError(f"it has more than {_MAX_STATE_BYTES} bytes")
        state = text_proto.parse(content.decode(), CheckpointState())
    except errors.OpError as error:
        if not isinstance(error, errors.NotFoundError):
            _LOG.warning("%s: %s", path, error)
        return None
    except (text_format.ParseError, ValueError) as error:
        _LOG.warning("%s: Checkpoint ignored: %s", path, str(error)[:200])
        return None
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {checkpoint_dir}")
    state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)
    state.all_model_checkpoint_paths[:] = [
        os.path.join(checkpoint_dir, each) for each in state.all_model_checkpoint_paths
    ]
    return state


@public("train.latest_checkpoint", "compat.v2.train.latest_checkpoint")
def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """The prefix of the newest checkpoint in a directory.

    Args:
        checkpoint_dir: The directory.
        latest_filename: The name of the file that tells it, by default `checkpoint`.

    Returns:
        The prefix, or None where there is no checkpoint.
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    if checkpoint_exists(state.model_checkpoint_path):
        return state.model_checkpoint_path
    _LOG.error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
    return None


@public("train.checkpoint_exists")
def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Whether there is a checkpoint of that prefix, of any installed format."""
    return formats.format_of(checkpoint_prefix) is not None


@public("train.get_checkpoint_mtimes")
def get_checkpoint_mtimes(checkpoint_prefixes: Sequence[str]) -> list[float]:
    """When each checkpoint was written, in seconds since 1970; prefixes without a checkpoint are left out."""
    times = []
    for prefix in checkpoint_prefixes:
        found = formats.format_of(prefix)
        path = next(iter(found.files(prefix)), None) if found else None
        if path is not None:
            times.append(files.file_system(path).stat(path).mtime_nsec / 1e9)
    return times


@public("train.remove_checkpoint")
def remove_checkpoint(
    checkpoint_prefix: str, checkpoint_format_version: int = 2, meta_graph_suffix: str = "meta"
) -> None:
    """Removes the files of a checkpoint, those that exist.

    Args:
        checkpoint_prefix: The checkpoint.
        checkpoint_format_version: `SaverDef.V1`; or `SaverDef.V2`, which stands for every format but V1.
        meta_graph_suffix: The suffix of its meta graph.
    """
    meta_graph = meta_graph_filename(checkpoint_prefix, meta_graph_suffix)
    with contextlib.suppress(errors.NotFoundError):
        files.file_system(meta_graph).remove(meta_graph)
    v1 = formats.named("V1")
    if checkpoint_format_version == _V1:
        v1.delete(checkpoint_prefix)
        return
    found = formats.format_of(checkpoint_prefix)
    (formats.named("V2") if found in (None, v1) else found).delete(checkpoint_prefix)  # type: ignore[union-attr]


_PATTERN_OF_SHARDS = re.compile(r"-\?{5}-of-\d{5}\Z")


def lies_in(checkpoint_prefix: str, directory: str) -> bool:
    """Whether a checkpoint is one of a directory itself, by name: not of another directory, and no pattern of others.

    A `checkpoint` file may list any path, that of another directory from which it was copied too.
    """
    folder, name = os.path.split(checkpoint_prefix)
    return os.path.realpath(folder) == os.path.realpath(directory) and not any(
        mark in _PATTERN_OF_SHARDS.sub("", name) for mark in "*?["
    )


def meta_graph_filename(checkpoint_filename: str, meta_graph_suffix: str = "meta") -> str:
    """The path of a checkpoint's meta graph; shards (`-?????-of-00008`) share one."""
    return f"{re.sub(r'-[0-9?]+-of-[0-9?]+$', '', checkpoint_filename)}.{meta_graph_suffix}"


def wait_for_new_checkpoint(
    checkpoint_dir: str, last_checkpoint: str | None = None, seconds_to_sleep: float = 1, timeout: float | None = None
) -> str | None:
    """Waits until a directory's newest checkpoint is another one than `last_checkpoint`.

    Args:
        checkpoint_dir: The directory.
        last_checkpoint: The prefix of the checkpoint that is known.
        seconds_to_sleep: Pause between looks.
        timeout: Seconds after which None is returned; None waits without end.
    """
    _LOG.info("Waiting for new checkpoint at %s", checkpoint_dir)
    stop = None if timeout is None else time.time() + timeout
    while True:
        found = latest_checkpoint(checkpoint_dir)
        if found is not None and found != last_checkpoint:
            _LOG.info("Found new checkpoint at %s", found)
            return found
        if stop is not None and time.time() + seconds_to_sleep > stop:
            return None
        time.sleep(seconds_to_sleep)


@public("train.checkpoints_iterator", "compat.v2.train.checkpoints_iterator")
def checkpoints_iterator(
    checkpoint_dir: str,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """Gives the newest checkpoint of a directory again and again, each once; it may skip some.

    Args:
        checkpoint_dir: The directory.
        min_interval_secs: The least time between two results.
        timeout: Seconds to wait for a new one; None waits without end.
        timeout_fn: Called after each timeout; a true result ends the iteration. Without it the first timeout ends it.
    """
    newest = None
    while True:
        found = wait_for_new_checkpoint(checkpoint_dir, newest, timeout=timeout)
        if found is None:
            if not timeout_fn or timeout_fn():
                return
            continue
        started = time.time()
        newest = found
        yield found
        pause = started + min_interval_secs - time.time()
        if pause > 0:
            time.sleep(pause)

"""Whether summaries are recorded, at which step, and by which writer: what holds within `with` blocks."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import device
from ossia_core.plugins.api_table import public

SUMMARIES = "_SUMMARY_V2"  # the collection of what writes
WRITERS = "_SUMMARY_WRITER_V2"  # that of what opens the writers' files


class _State(threading.local):
    """What holds in a thread. recording: a condition, or None where none was given."""

    recording: Any = None
    writer: Any = None
    step: Any = None


state = _State()


def should_record(default: bool) -> Any:
    """A tensor: whether to record. `default` counts where no condition was given."""
    condition = state.recording() if callable(state.recording) else state.recording
    return builder("logical_and")(True, default if condition is None else condition)


@public("contrib.summary.should_record_summaries")
def should_record_summaries() -> Any:
    """A tensor: whether summaries of `tf.contrib.summary` are recorded here."""
    return should_record(False)


@public("compat.v2.summary.record_if")
@contextlib.contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Records summaries within the block if a condition holds.

    Args:
        condition: A bool, a scalar bool tensor, or a function that returns one.
    """
    before, state.recording = state.recording, condition
    try:
        yield
    finally:
        state.recording = before


@public("contrib.summary.always_record_summaries")
def always_record_summaries() -> Any:
    """A block in which summaries are recorded."""
    return record_if(True)


@public("contrib.summary.never_record_summaries")
def never_record_summaries() -> Any:
    """A block in which no summaries are recorded."""
    return record_if(False)


@public("contrib.summary.record_summaries_every_n_global_steps")
def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> Any:
    """A block in which summaries are recorded when the global step is a multiple of `n`."""
    get_or_create_global_step = builder("train.get_or_create_global_step")

    step = get_or_create_global_step() if global_step is None else global_step
    with device("cpu:0"):
        return record_if(builder("equal")(step % n, 0))


@public("compat.v2.summary.experimental.get_step")
def get_step() -> Any:
    """The step that summaries are written with by default; None if none was set."""
    return state.step


@public("compat.v2.summary.experimental.set_step")
def set_step(step: Any) -> None:
    """Sets the step that summaries are written with by default: a number, tensor or variable; None for none."""
    state.step = step


def recorded(default: bool, record: Callable[[], Any], name: str) -> Any:
    """What `record` makes, in a conditional unless it is known now; False where nothing is recorded."""
    from ossia_core.control.cond import cond
    from ossia_core.declare.shape_rules import constant

    condition = should_record(default)
    known = constant(condition)
    if known is None:
        return cond(condition, record, nothing, name=name)
    return record() if known else nothing()


def nothing() -> Any:
    """The constant False."""
    return builder("constant")(False)

"""Samples of the ops on summary writers: each opens a file in a folder of its own, and writes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.opdef import Steps, lookup, steps

_EVENT = b"\x09\x00\x00\x00\x00\x00\x00\xf0\x3f\x10\x05"  # the time 1.0, step 5
_FILES = {"file": b""}


def _raw(name: str, **inputs: Any) -> Any:
    import ossia as tf

    return getattr(tf.raw_ops, name)(**inputs)


def _opened(
    given: Any, writer: Any, logdir: Any = b"logs", queue: Any = 10, millis: Any = 1000, suffix: Any = b".v"
) -> Any:
    return _raw(
        "CreateSummaryFileWriter",
        writer=writer,
        logdir=given(logdir),
        max_queue=given(np.array(queue, np.int32)),
        flush_millis=given(np.array(millis, np.int32)),
        filename_suffix=given(suffix),
    )


def _written(*events: Any, close: bool = True, **options: Any) -> Steps:
    def written(given: Any) -> Any:
        writer = _raw("SummaryWriter", shared_name="writer")
        yield _opened(given, writer, **options)
        yield _opened(given, writer, **options)  # it is open already
        for event in events:
            yield _raw("ImportEvent", writer=writer, event=given(event))
        yield _raw("FlushSummaryWriter", writer=writer)
        if close:
            yield _raw("CloseSummaryWriter", writer=writer)

    return steps(written, files=_FILES)


def _unopened(name: str, **inputs: Any) -> Steps:
    return steps(lambda: iter([_raw(name, writer=_raw("SummaryWriter", shared_name="writer"), **inputs)]), files=_FILES)


def _closed(name: str, **inputs: Any) -> Steps:
    def closed() -> Any:
        import ossia as tf

        writer = _raw("SummaryWriter", shared_name="writer")
        yield _opened(tf.constant, writer)
        yield _raw("CloseSummaryWriter", writer=writer)
        yield _raw(name, writer=writer, **inputs)

    return steps(closed, files=_FILES)


lookup("SummaryWriter").samples(events=_written(_EVENT, b""))
lookup("CreateSummaryFileWriter").samples(
    alone=_written(close=False),
    refused_folder=_written(logdir=b"file/logs"),
    vector=_written(logdir=[b"logs"]),
    queue=_written(queue=[1]),
    refused_pair=_written(logdir=[b"a", b"b"]),
)
lookup("ImportEvent").samples(
    refused_garbage=_written(b"\xff\xff"),
    refused_cut=_written(_EVENT[:5]),
    vector=_written([_EVENT]),
    refused_unopened=_unopened("ImportEvent", event=_EVENT),
    refused_closed=_closed("ImportEvent", event=_EVENT),
)
lookup("FlushSummaryWriter").samples(
    refused_unopened=_unopened("FlushSummaryWriter"), refused_closed=_closed("FlushSummaryWriter")
)
lookup("CloseSummaryWriter").samples(
    refused_unopened=_unopened("CloseSummaryWriter"), refused_closed=_closed("CloseSummaryWriter")
)

"""Samples of the ops on summary writers: each opens a file in a folder of its own, and writes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, steps

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


def _summarised(name: str, *, at: Any = 7, **inputs: Any) -> Steps:
    """Writes one summary; inputs that are pairs ("attr", value) are attributes."""

    def written(given: Any) -> Any:
        writer = _raw("SummaryWriter", shared_name="writer")
        yield _opened(given, writer)
        values = {key: value[1] if isinstance(value, tuple) else given(value) for key, value in inputs.items()}
        yield _raw(name, writer=writer, step=given(np.array(at, np.int64)), **values)
        yield _raw("CloseSummaryWriter", writer=writer)

    return steps(written, files=_FILES)


_SUMMARY = b"\x0a\x08\x0a\x01a\x15\x00\x00\x40\x40"  # a: 3.0
_RED = np.array([255, 0, 0, 255], np.uint8)

lookup("WriteSummary").samples(
    floats=_summarised("WriteSummary", tensor=[1.0, 2.0], tag=b"t", summary_metadata=b""),
    text=_summarised("WriteSummary", tensor=b"text", tag=b"t", summary_metadata=b"\x0a\x06\x0a\x04text"),
    garbage=_summarised("WriteSummary", tensor=1, tag=b"t", summary_metadata=b"\xff\xff"),
)
lookup("WriteRawProtoSummary").samples(
    one=_summarised("WriteRawProtoSummary", tensor=_SUMMARY),
    two=_summarised("WriteRawProtoSummary", tensor=[_SUMMARY, _SUMMARY]),
    refused_garbage=_summarised("WriteRawProtoSummary", tensor=[_SUMMARY, b"\xff\xff"]),
)
lookup("WriteScalarSummary").samples(
    plain=_summarised("WriteScalarSummary", tag=b"t", value=1.5),
    vectors=_summarised("WriteScalarSummary", at=[7], tag=[b"t"], value=[3]),
    nan=_summarised("WriteScalarSummary", tag=b"t", value=float("nan")),
    refused_unopened=_unopened("WriteScalarSummary", step=np.int64(1), tag=b"t", value=1.0),
)
lookup("WriteHistogramSummary").samples(
    plain=_summarised("WriteHistogramSummary", tag=b"t", values=[1.0, 2.0, 3.0]),
    empty=_summarised("WriteHistogramSummary", tag=b"t", values=np.zeros([0], np.float32)),
    refused_nan=_summarised("WriteHistogramSummary", tag=b"t", values=[1.0, float("nan")]),
)
lookup("WriteImageSummary").samples(
    two=_summarised("WriteImageSummary", tag=b"t", tensor=np.ones([2, 2, 2, 1], np.float32), bad_color=_RED),
    first=_summarised(
        "WriteImageSummary", tag=b"t", tensor=np.ones([2, 2, 2, 3], np.uint8), bad_color=_RED, max_images=("attr", 1)
    ),
    refused_rank=_summarised("WriteImageSummary", tag=b"t", tensor=np.ones([2, 2, 2], np.float32), bad_color=_RED),
)
lookup("WriteAudioSummary").samples(
    two=_summarised("WriteAudioSummary", tag=b"t", tensor=np.zeros([2, 3], np.float32), sample_rate=100.0),
    refused_rate=_summarised("WriteAudioSummary", tag=b"t", tensor=np.zeros([2, 3], np.float32), sample_rate=0.0),
)
lookup("WriteGraphSummary").samples(
    empty=_summarised("WriteGraphSummary", tensor=b""),
    refused_garbage=_summarised("WriteGraphSummary", tensor=b"\xff\xff"),
)

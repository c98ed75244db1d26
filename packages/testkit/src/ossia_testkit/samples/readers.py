"""Samples of the ops on readers: each reads files, named in a queue that is closed."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, steps

_FILES = {
    "a.txt": b"one\ntwo\r\n\nlast",
    "b.txt": b"\n",
    "none.txt": b"",
    "data.bin": b"HH0123456789ab",
    "data.gz": gzip.compress(b"HH0123456789ab", mtime=0),
    "cut.record": b"\x03\x00\x00",
}


def _story(by_handle: bool, maker: str, names: Any, calls: Any, **options: Any) -> Steps:
    """A reader of files, and what is asked of it in turn: (op, its inputs)."""

    def read() -> Any:
        import ossia as tf

        suffix = "V2" if by_handle else ""
        queue = getattr(tf.raw_ops, f"FIFOQueue{suffix}")(component_types=["string"], shapes=[[]])
        if names:
            yield getattr(tf.raw_ops, f"QueueEnqueueMany{suffix}")(handle=queue, components=[names])
        yield getattr(tf.raw_ops, f"QueueClose{suffix}")(handle=queue)
        reader = getattr(tf.raw_ops, maker + ("" if maker == "LMDBReader" else suffix))(**options)
        for call in calls:
            name, inputs = call if isinstance(call, tuple) else (call, {})
            if name in ("Read", "ReadUpTo"):
                inputs = {**inputs, "queue_handle": queue}
            yield getattr(tf.raw_ops, f"Reader{name}{suffix}")(reader_handle=reader, **inputs)

    return steps(read, files=_FILES)


def _in_both(name: str, **table: tuple) -> None:
    """Adds stories, each as (maker, names, calls, options), to both forms of an op."""
    for by_handle, suffix in ((False, ""), (True, "V2")):
        lookup(name + suffix).samples(
            **{
                reason: _story(by_handle, maker, names, calls, **(options[0] if options else {}))
                for reason, (maker, names, calls, *options) in table.items()
            }
        )


def _up_to(count: int) -> tuple[str, dict]:
    return "ReadUpTo", {"num_records": np.int64(count)}


_COUNTS = ("NumRecordsProduced", "NumWorkUnitsCompleted")
_TEXTS = ["a.txt", "none.txt", "b.txt"]
_in_both(
    "TextLineReader",
    lines=("TextLineReader", _TEXTS, ["Read", _COUNTS[0], *["Read"] * 4, *_COUNTS]),
    refused_end=("TextLineReader", _TEXTS, ["Read"] * 6),
    headers=("TextLineReader", _TEXTS, ["Read"] * 3, {"skip_header_lines": 1}),
    refused_missing=("TextLineReader", ["no.txt"], ["Read"]),
    refused_state=("TextLineReader", _TEXTS, ["SerializeState"]),
)
_in_both(
    "WholeFileReader",
    files=("WholeFileReader", ["b.txt", "none.txt"], ["Read", "Read", *_COUNTS]),
    refused_missing=("WholeFileReader", ["no.txt"], ["Read"]),
)
_in_both("IdentityReader", names=("IdentityReader", ["x", "y"], ["Read", "Read", *_COUNTS, "SerializeState"]))
_in_both(
    "FixedLengthRecordReader",
    plain=("FixedLengthRecordReader", ["data.bin"], ["Read"] * 2, {"record_bytes": 7}),
    header=(
        "FixedLengthRecordReader",
        ["data.bin"],
        ["Read"] * 3,
        {"record_bytes": 3, "header_bytes": 2, "footer_bytes": 2},
    ),
    hop=("FixedLengthRecordReader", ["data.bin"], ["Read"] * 5, {"record_bytes": 4, "header_bytes": 2, "hop_bytes": 2}),
    refused_none=("FixedLengthRecordReader", ["data.bin"], ["Read"], {"record_bytes": 0}),
    refused_negative=("FixedLengthRecordReader", ["data.bin"], ["Read"], {"record_bytes": -2}),
    refused_header=("FixedLengthRecordReader", ["data.bin"], ["Read"], {"record_bytes": 2, "header_bytes": -1}),
    refused_long=("FixedLengthRecordReader", ["data.bin"], ["Read"], {"record_bytes": 100}),
)
lookup("FixedLengthRecordReaderV2").samples(
    zlib=_story(True, "FixedLengthRecordReader", ["data.gz"], ["Read"] * 2, record_bytes=7, encoding="GZIP"),
    other_encoding=_story(True, "FixedLengthRecordReader", ["data.gz"], ["Read"], record_bytes=7, encoding="LZ"),
)
_in_both(
    "TFRecordReader",
    refused_cut=("TFRecordReader", ["cut.record"], ["Read"]),
    refused_garbage=("TFRecordReader", ["data.bin"], ["Read"]),
    refused_missing=("TFRecordReader", ["no.record"], ["Read"]),
    refused_end=("TFRecordReader", ["none.txt"], ["Read"]),
)
_in_both(
    "ReaderRead", refused_end=("IdentityReader", ["x"], ["Read", "Read"]), refused_none=("IdentityReader", [], ["Read"])
)
_in_both(
    "ReaderReadUpTo",
    some=("TextLineReader", _TEXTS, [_up_to(2), _up_to(9), _COUNTS[0]]),
    names=("IdentityReader", ["x", "y"], [_up_to(5)]),
    none=("TextLineReader", _TEXTS, [_up_to(0)]),
    refused_negative=("TextLineReader", _TEXTS, [_up_to(-1)]),
    refused_end=("IdentityReader", ["x"], [_up_to(5), _up_to(5)]),
)
_STATE: Callable[[Any], tuple[str, dict]] = lambda state: ("RestoreState", {"state": state})
_in_both(
    "ReaderRestoreState",
    later=("IdentityReader", ["x", "y"], [_STATE(b"\x08\x02\x10\x02\x18\x03\x22\x01z"), *_COUNTS, "SerializeState"]),
    refused_garbage=("IdentityReader", [], [_STATE(b"\xff\xff")]),
    refused_vector=("IdentityReader", [], [_STATE([b""])]),
    refused_negative=("IdentityReader", [], [_STATE(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")]),
    refused_text=("TextLineReader", [], [_STATE(b"")]),
)
_in_both("ReaderReset", again=("TextLineReader", _TEXTS, ["Read", "Reset", *_COUNTS, "Read"]))
_in_both("ReaderSerializeState", names=("IdentityReader", ["x", "y"], ["Read", "SerializeState"]))
_in_both("ReaderNumRecordsProduced", none=("TextLineReader", [], [_COUNTS[0]]))
_in_both("ReaderNumWorkUnitsCompleted", none=("TextLineReader", [], [_COUNTS[1]]))
lookup("LMDBReader").samples(refused_missing=_story(False, "LMDBReader", ["no.mdb"], ["Read"]))

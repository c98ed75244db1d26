"""Samples of the ops on files."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, steps

_FILES = {"a.txt": b"first", "b.txt": b"", "c.bin": b"\0\xff\n", "[odd].txt": b"odd"}


def _raw(name: str, **inputs: Any) -> Any:
    import ossia as tf

    return getattr(tf.raw_ops, name)(**inputs)


def _read(name: Any) -> Steps:
    return steps(lambda given: iter([_raw("ReadFile", filename=given(name))]), files=_FILES)


def _written(name: Any, contents: Any = b"new\0text") -> Steps:
    def written(given: Any) -> Any:
        yield _raw("WriteFile", filename=given(name), contents=given(contents))
        yield _raw("ReadFile", filename=given(name))

    return steps(written, files=_FILES)


def _matched(pattern: Any) -> Steps:
    def matched(given: Any) -> Any:
        yield _raw("MatchingFiles", pattern=given(np.array(pattern, object)))

    return steps(matched, files=_FILES)


lookup("ReadFile").samples(
    text=_read(b"a.txt"),
    empty=_read(b"b.txt"),
    bytes=_read(b"c.bin"),
    refused_missing=_read(b"none"),
    refused_folder=_read(b"."),
    refused_no_name=_read(b""),
    refused_vector=_read([b"a.txt"]),
    refused_below=_read(b"a.txt/b"),
)
lookup("WriteFile").samples(
    new=_written(b"new.txt"),
    over=_written(b"a.txt"),
    folder=_written(b"some/folder/new.txt", b""),
    refused_folder=_written(b"."),
    refused_no_name=_written(b""),
    refused_below=_written(b"a.txt/b"),
    refused_vector=_written([b"new.txt"]),
    refused_contents=_written(b"new.txt", [b"a"]),
)
lookup("MatchingFiles").samples(
    texts=_matched(b"?.txt"),
    all=_matched(b"*"),
    none=_matched(b"*.none"),
    several=_matched([b"a.*", b"c.*"]),
    sets=_matched(b"[ab].txt"),
    escaped=_matched(b"\\[odd\\].txt"),
    nothing=_matched(np.zeros(0, object)),
    refused_no_folder=_matched(b"none/*"),
    refused_matrix=_matched([[b"a.*"]]),
)

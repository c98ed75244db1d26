"""Files of vocabularies, and where the words of a new one stand in an old one, for weights that are kept when it
changes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core import files
from ossia_core.declare.opdef import Steps, op, steps
from ossia_core.declare.shape_rules import SCALAR, vector, with_rank
from ossia_core.names.errors import FailedPreconditionError, InvalidArgumentError, OutOfRangeError, dims_text


def text_lines(path: str, count: int) -> list[bytes]:
    """The first `count` lines of a vocabulary file (fewer if it has fewer), -1 for all, without their ends.

    Raises:
      NotFoundError, FailedPreconditionError: there is no such file, or it is a directory.
      InvalidArgumentError: one of them is empty, or there is none of so many.
      OutOfRangeError: there is no line to read.
    """
    with files.file_system(path).open(path, "rb") as file:
        content = file.read()
    lines = [line.removesuffix(b"\r") for line in content.split(b"\n")]
    if lines[-1] == b"":
        lines.pop()
    lines = lines if count == -1 else lines[:count]
    if not lines:
        refuse_fewer(path, lines, count)
        raise OutOfRangeError(None, None, f"There are no lines to read in {path}")
    if b"" in lines:
        raise InvalidArgumentError(
            None, None, f"Invalid content in {path}: empty line found in line {lines.index(b'')}.")
    return lines


def refuse_fewer(path: str, lines: list[bytes], count: int) -> None:
    """Raises InvalidArgumentError if a vocabulary file has fewer than `count` lines."""
    if count > len(lines):
        raise InvalidArgumentError(None, None, f"Invalid vocab_size in {path}: expected {count} but got {len(lines)}")


generate_vocab_remapping_op = op(
    "GenerateVocabRemapping(new_vocab_file: string, old_vocab_file: string) -> remapping: int64, num_present: int32",
    new_vocab_offset="int >= 0",
    num_new_vocab="int >= 0",
    old_vocab_size="int >= -1 = -1",
)


@generate_vocab_remapping_op.shape
def _(new_vocab_file, old_vocab_file, *, num_new_vocab):
    with_rank(new_vocab_file, 0)
    with_rank(old_vocab_file, 0)
    return vector(num_new_vocab), SCALAR


def _path(value: Any, what: str) -> str:
    if np.ndim(value):
        raise InvalidArgumentError(
            None, None, f"{what} should be a single string, got shape {dims_text(np.shape(value))}"
        )
    return np.asarray(value, object).item().decode(errors="surrogateescape")


@generate_vocab_remapping_op.kernel
def _(new_vocab_file, old_vocab_file, *, new_vocab_offset, num_new_vocab, old_vocab_size):
    new_path, old_path = _path(new_vocab_file, "new_vocab_file"), _path(old_vocab_file, "old_vocab_file")
    words, last = text_lines(new_path, -1), new_vocab_offset + num_new_vocab
    if last > len(words):
        raise InvalidArgumentError(
            None, None, f"lookup table size must be larger than last new vocab entry's line: {last} > {len(words)}"
        )
    places: dict[bytes, int] = {}
    old_words = text_lines(old_path, old_vocab_size)
    for number, word in enumerate(old_words):
        if places.setdefault(word, number) != number:
            raise FailedPreconditionError(
                None,
                None,
                f"HashTable has different value for same key. Key {word.decode(errors='replace')} has {places[word]} "
                f"and trying to add value {number}",
            )
    refuse_fewer(old_path, old_words, old_vocab_size)
    remapping = np.array([places.get(word, -1) for word in words[new_vocab_offset:last]], np.int64)
    return remapping, np.int32((remapping >= 0).sum())


generate_vocab_remapping_op.not_differentiable()

_FILES = {
    "new.txt": b"fig\nkiwi\napple\nlime\nplum\n",
    "old.txt": b"apple\npear\nplum\nfig\n",
    "twice.txt": b"apple\npear\napple\n",
    "open.txt": b"apple\r\npear",
    "gap.txt": b"apple\n\npear\n",
    "none.txt": b"",
}


def _remapped(new: Any = b"new.txt", old: Any = b"old.txt", first: int = 0, count: int = 5, size: int = -1) -> Steps:
    def story(given: Any) -> Any:
        yield list(
            generate_vocab_remapping_op(
                given(new), given(old), new_vocab_offset=first, num_new_vocab=count, old_vocab_size=size
            )
        )

    return steps(story, files=_FILES)


generate_vocab_remapping_op.samples(
    all=_remapped(),
    some=_remapped(first=2, count=3),
    first=_remapped(size=3),
    none=_remapped(first=5, count=0),
    ends=_remapped(old=b"open.txt"),
    again=_remapped(new=b"twice.txt", count=3),
    beyond=_remapped(old=b"twice.txt", size=2),
    refused_twice=_remapped(old=b"twice.txt"),
    refused_gap=_remapped(old=b"gap.txt"),
    refused_new_gap=_remapped(new=b"gap.txt", count=1),
    refused_empty=_remapped(old=b"none.txt"),
    refused_size=_remapped(size=10),
    refused_count=_remapped(count=6),
    refused_first=_remapped(first=6, count=0),
    refused_missing=_remapped(old=b"no.txt"),
    refused_missing_new=_remapped(new=b"no.txt"),
    refused_rank=_remapped(new=[b"new.txt"]),
)

"""Routines that are of no op: what packages ask the backends for by name."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_backend_cffi.kernels import quantized
from ossia_backend_cffi.kernels.byte_strings import Refused, spans_of, strings_at
from ossia_backend_cffi.kernels.registry import pointer
from ossia_backend_cffi.loader import native

_FRAME = 16  # bytes of a record's length and checksums

ROUTINES: dict[str, Callable[..., Any]] = {
    f"quantized.{each.__name__}": each
    for each in (
        quantized.Panels, quantized.Scaling, quantized.bias_and_clamp, quantized.depthwise_floats,
        quantized.depthwise_integers, quantized.product, quantized.requantize,
    )
}


def _routine(fn: Callable[..., Any]) -> Callable[..., Any]:
    ROUTINES[fn.__name__] = fn
    return fn


@_routine
def split_records(text: bytes) -> tuple[np.ndarray, int, bool]:
    """The whole records at the beginning of a part of a TFRecord file.

    Returns:
      The records, an array of byte strings; the bytes that they take; whether the next one is damaged.
    """
    module: Any = native()
    ffi, most = module.ffi, len(text) // _FRAME + 1
    spans, used, fault = np.empty((most, 2), np.int64), ffi.new("int64_t *"), ffi.new("int *")
    count = module.lib.oc_record_spans(
        ffi.from_buffer("uint8_t[]", text), len(text), most, spans_of(module, spans), used, fault
    )
    return strings_at(module, spans[:count], np.empty(count, object)), used[0], bool(fault[0])


@_routine
def frame_records(records: Sequence[bytes]) -> Any:
    """Records as TFRecord files have them, one after the other, as bytes or the like."""
    module: Any = native()
    held = np.empty(len(records), object)
    held[:] = records
    spans = np.empty((len(held), 2), np.int64)
    if module.lib.oc_texts(len(held), pointer(module.ffi, held, "void **"), spans_of(module, spans)):
        raise TypeError("records must be bytes")
    out = np.empty(int(spans[:, 1].sum()) + _FRAME * len(held), np.uint8)
    module.lib.oc_frame_records(len(held), spans_of(module, spans), len(out), pointer(module.ffi, out, "uint8_t *"))
    return out.data


@_routine
def draw_from_buffer(
    buffer: np.ndarray, places: np.ndarray, one_pass: bool, first: int, arrivals: int, words: np.ndarray
) -> np.ndarray:
    """Numbers drawn from a buffer that is filled up before each draw.

    Args:
      buffer: the numbers in it, an int64 vector, which is changed.
      places: of those that are drawn from where they begin and end, then where arrivals go; counted from the first of
        all, and changed.
      one_pass: whether what arrives is drawn from, too.
      first: the number of the first one that arrives.
      arrivals: how many arrive, at most.
      words: a random word for each draw, an uint32 vector.

    Returns:
      The numbers: one for each word, or fewer if there are no more.

    Raises:
      Refused: the arrays are no such vectors, or no such places.
    """
    module: Any = native()
    if any(x.dtype != kind or x.ndim != 1 or not x.flags.c_contiguous for x, kind in (
        (buffer, np.int64), (places, np.int64), (words, np.uint32)
    )):  # fmt: skip
        raise Refused
    if len(places) != 3 or not (len(buffer) and 0 <= places[0] <= places[1] <= places[2] <= places[0] + len(buffer)):
        raise Refused
    ffi, out = module.ffi, np.empty(len(words), np.int64)
    drawn = module.lib.oc_shuffle(
        len(words), len(buffer), ffi.from_buffer("int64_t[]", buffer), ffi.from_buffer("int64_t[]", places), one_pass,
        first, arrivals, ffi.from_buffer("uint32_t[]", words), ffi.from_buffer("int64_t[]", out),
    )  # fmt: skip
    return out[:drawn]

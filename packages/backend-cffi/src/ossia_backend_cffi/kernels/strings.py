"""The makers of kernels for strings."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.kernels.byte_strings import Joined, Refused, Texts, or_else, span, spans_of, strings_at
from ossia_backend_cffi.kernels.registry import KINDS, empty, indices_of, makes, pointer
from ossia_core.backend import Kernel

_HASHES = {"StringToHashBucketFast": 0, "StringToHashBucketStrong": 1, "StringToHashBucket": 2}
_WORD = (1 << 64) - 1


def _hashes(native: Any, texts: Texts, how: int = 0, key: tuple[int, int] = (0, 0)) -> np.ndarray:
    out = np.empty(len(texts.spans), np.uint64)
    first, second = (each & _WORD for each in key)
    native.lib.oc_hashes(
        how, len(out), spans_of(native, texts.spans), first, second, pointer(native.ffi, out, "uint64_t *")
    )
    return out


@makes(*_HASHES)
def _hash_buckets(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    how, buckets, key = _HASHES[node.type], np.uint64(node.attrs["num_buckets"]), node.attrs.get("key", (0, 0))
    if len(key) != 2 or not buckets:
        return None

    def kernel(strings: Any) -> Any:
        hashes = _hashes(native, Texts(native, strings), how, tuple(key))
        return (hashes % buckets).astype(np.int64).reshape(strings.shape)

    return or_else(reference, kernel)


@makes("Fingerprint")
def _fingerprints(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    def kernel(data: Any, method: Any) -> Any:
        if np.shape(method) or np.asarray(method)[()] != b"farmhash64" or not data.ndim or data.size != len(data):
            raise Refused
        return _hashes(native, Texts(native, data)).astype("<u8", copy=False).view(np.uint8).reshape(len(data), 8)

    return or_else(reference, kernel)


@makes("StringLength")
def _lengths(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    if node.attrs["unit"] == b"BYTE":
        return or_else(reference, lambda x: Texts(native, x).sizes.astype(np.int32).reshape(x.shape))

    def characters(strings: Any) -> Any:
        texts, out = Texts(native, strings), np.empty(strings.shape, np.int32)
        if native.lib.oc_characters(out.size, spans_of(native, texts.spans), pointer(native.ffi, out, "int32_t *")):
            raise Refused
        return out

    return or_else(reference, characters)


@makes("Substr")
def _parts(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    if node.attrs["unit"] != b"BYTE":
        return None

    def kernel(strings: Any, start: Any, count: Any) -> Any:
        texts = Texts(native, strings)
        if any(np.shape(each) not in ((), strings.shape) for each in (start, count)):
            raise Refused
        sizes, start, count = texts.sizes, np.ravel(start), np.ravel(count)
        if ((start < -sizes) | (start > sizes)).any():
            raise Refused
        begin = np.where(start < 0, sizes + start, start)
        left = sizes - begin
        spans = np.stack([texts.spans[:, 0] + begin, np.where((count < 0) | (count > left), left, count)], axis=1)
        return strings_at(native, spans, np.empty(strings.shape, object))

    return or_else(reference, kernel)


@makes("StringToNumber")
def _numbers(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    kind = np.dtype(node.attrs["out_type"].as_numpy_dtype)

    def kernel(strings: Any) -> Any:
        texts = Texts(native, strings)
        return _read_numbers(native, texts.spans, np.empty(strings.shape, kind))

    return or_else(reference, kernel)


def _read_numbers(native: Any, spans: np.ndarray, out: np.ndarray) -> np.ndarray:
    """The numbers that texts write, but where there is none."""
    kind = KINDS[f"{out.dtype.kind}{out.dtype.itemsize}"]
    if native.lib.oc_numbers(kind, len(spans), spans_of(native, spans), pointer(native.ffi, out)):
        raise Refused
    return out


@makes("DecodeRaw")
def _raw(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    kind = np.dtype(node.attrs["out_type"].as_numpy_dtype)
    if kind.kind == "b" or not node.attrs["little_endian"] or kind.newbyteorder("<") != kind:
        return None

    def kernel(strings: Any) -> Any:
        texts = Texts(native, strings)
        size = int(texts.sizes[0])
        if not size or size % kind.itemsize or (texts.sizes != size).any():
            raise Refused
        text = Joined(native, texts.spans, _every(strings.size, strings.size)).text
        return text.view(kind).reshape(*strings.shape, size // kind.itemsize)

    return or_else(reference, kernel)


@makes("EncodeBase64", "DecodeBase64")
def _base64(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    decoding = node.type == "DecodeBase64"
    if node.attrs.get("pad"):
        return None

    def kernel(strings: Any) -> Any:
        texts = Texts(native, strings)
        room = int(texts.sizes.sum()) * 4 // 3 + 4 * strings.size
        out, spans = empty((room,), np.dtype(np.uint8)), np.empty_like(texts.spans)
        if native.lib.oc_base64(
            decoding, strings.size, spans_of(native, texts.spans), room, pointer(native.ffi, out, "uint8_t *"),
            spans_of(native, spans),
        ):  # fmt: skip
            raise Refused
        return strings_at(native, spans, np.empty(strings.shape, object))

    return or_else(reference, kernel)


@makes("StringJoin")
def _joined(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    separator = node.attrs["separator"]

    def kernel(inputs: Any) -> Any:
        shapes = {x.shape for x in inputs if x.ndim}
        if len(shapes) != 1:
            raise Refused
        shape = shapes.pop()
        columns = np.empty((*shape, len(inputs)), object)
        for k, each in enumerate(inputs):
            columns[..., k] = each
        return _rows_joined(native, columns, separator, shape)

    return or_else(reference, kernel)


def _rows_joined(native: Any, rows: np.ndarray, separator: bytes, shape: tuple[int, ...]) -> np.ndarray:
    """The strings along the last dimension, joined."""
    texts = Texts(native, rows)
    made = Joined(native, texts.spans, _every(rows.shape[-1], rows.size), separator)
    return strings_at(native, made.spans, np.empty(shape, object))


def _every(width: int, size: int) -> np.ndarray:
    """The ends of rows of one width."""
    return np.arange(width, size + 1, width, dtype=np.int64)


@makes("ReduceJoin")
def _joined_along(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    separator, keep = node.attrs["separator"], node.attrs["keep_dims"]

    def kernel(inputs: Any, axes: Any) -> Any:
        rank = inputs.ndim
        named = [axis + rank if axis < 0 else axis for axis in np.ravel(axes).tolist()]
        if not named or len(set(named)) < len(named) or not set(named) <= set(range(rank)) or not inputs.size:
            raise Refused
        rest = [k for k in range(rank) if k not in named]
        moved = np.transpose(inputs, [*rest, *named[::-1]])  # the dimension that is named first is joined first
        shape = moved.shape[: len(rest)]
        rows = moved.reshape(*shape, -1)
        kept = tuple(1 if k in named else n for k, n in enumerate(inputs.shape))
        return _rows_joined(native, rows, separator, kept if keep else shape)

    return or_else(reference, kernel)


@makes("UnsortedSegmentJoin")
def _segments_joined(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    separator = node.attrs["separator"]

    def kernel(strings: Any, ids: Any, number: Any) -> Any:
        texts = Texts(native, strings)
        if not indices_of(ids) or ids.shape != strings.shape or np.ndim(number) or number < 0:
            raise Refused
        ids, count = ids.reshape(-1), int(number)
        if ids.min() < 0 or ids.max() >= count:
            raise Refused
        out = empty((count,), np.dtype(object))
        ends = np.cumsum(np.bincount(ids, minlength=count))
        made = Joined(native, texts.spans[np.argsort(ids, kind="stable")], ends, separator, True)
        return strings_at(native, made.spans, out)

    return or_else(reference, kernel)


@makes("StringNGrams")
def _n_grams(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    attrs = node.attrs
    if len(attrs["ngram_widths"]) != 1 or attrs["ngram_widths"][0] <= 0 or attrs["preserve_short_sequences"]:
        return None
    width, most = attrs["ngram_widths"][0], attrs["pad_width"]
    padding = width - 1 if most < 0 else min(width - 1, most)
    pads = np.empty(2, object)
    pads[:] = attrs["left_pad"], attrs["right_pad"]

    def kernel(data: Any, splits: Any) -> Any:
        if data.ndim != 1 or not indices_of(splits) or splits.size < 2:
            raise Refused
        if splits[0] or splits[-1] != len(data) or (splits[1:] < splits[:-1]).any():
            raise Refused
        lengths = np.diff(splits).astype(np.int64)
        counts = np.maximum(lengths + (2 * padding - width + 1), 0)
        if not counts.any():  # however wide they would be
            raise Refused
        texts = Texts(native, np.concatenate([data, pads]))
        ends = np.cumsum(counts)
        row = np.repeat(np.arange(len(counts)), counts)
        # Of each gram the place of its first word in its row; of each word its place among the data, or a pad's.
        first = np.arange(len(row)) - (ends - counts)[row] - padding
        within = first[:, None] + np.arange(width)
        size = lengths[row][:, None]
        words = within + splits[row][:, None]
        words = np.where(within < 0, len(data), np.where(within >= size, len(data) + 1, words)).reshape(-1)
        made = Joined(native, texts.spans[words], _every(width, len(words)), attrs["separator"])
        found = strings_at(native, made.spans, np.empty(len(row), object))
        return found, np.concatenate([[0], ends]).astype(splits.dtype)

    return or_else(reference, kernel)


@makes("DecodeCSV")
def _csv(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    delimiter, quotes, missing = (node.attrs[name] for name in ("field_delim", "use_quote_delim", "na_value"))
    kinds = [np.dtype(kind.as_numpy_dtype) for kind in node.attrs["OUT_TYPE"]]
    selected = np.array(node.attrs["select_cols"], np.int64)
    rising = selected.size in (0, len(kinds)) and (np.diff(selected) > 0).all()
    if len(delimiter) != 1 or delimiter == b'"' or not rising:
        return None
    ffi = native.ffi

    def kernel(records: Any, defaults: Any) -> Any:
        if any(np.ndim(default) > 1 or np.size(default) > 1 for default in defaults):
            raise Refused
        texts, count = Texts(native, records), records.size
        room = int(texts.sizes.sum())
        copies, fields = empty((room,), np.dtype(np.uint8)), empty((len(kinds), count, 2), np.dtype(np.int64))
        if native.lib.oc_csv_fields(
            count, spans_of(native, texts.spans), delimiter[0], quotes, span(native, missing), len(kinds),
            pointer(ffi, selected, "int64_t *") if selected.size else ffi.NULL, room, pointer(ffi, copies, "uint8_t *"),
            spans_of(native, fields),
        ):  # fmt: skip
            raise Refused
        columns = []
        for spans, kind, default in zip(fields, kinds, defaults, strict=True):
            out = empty(records.shape, kind)
            if not spans[:, 0].all():
                if not np.size(default):
                    raise Refused
                out[...] = np.asarray(default).reshape(())
            columns.append((strings_at if kind.kind == "O" else _read_numbers)(native, spans, out))
        return columns

    return or_else(reference, kernel)

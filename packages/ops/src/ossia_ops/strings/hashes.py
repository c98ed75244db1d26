"""Hashes of strings and of rows: fingerprints, and buckets by three hash functions."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant, unchanged, with_rank, with_rank_at_least
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.strings.farmhash import MASK, fingerprint64, fingerprints64

_MUL, _SEED = 0xC6A4A7935BD1E995, 0xDECAFCAFFE
_FEW = 8  # texts that are hashed one by one
_METHOD = b"farmhash64"
_TEXT = np.array([b"a", b"", b"hello world", b"x" * 99], object)


def murmur64(text: bytes) -> int:
    """MurmurHash64A (Appleby 2009) of `text`, with the seed that hash buckets have."""
    size = len(text)
    h = _SEED ^ ((size * _MUL) & MASK)
    whole = size & ~7
    for at in range(0, whole, 8):
        k = (int.from_bytes(text[at:at + 8], "little") * _MUL) & MASK
        h = ((h ^ (((k ^ (k >> 47)) * _MUL) & MASK)) * _MUL) & MASK
    if whole < size:
        h = ((h ^ int.from_bytes(text[whole:], "little")) * _MUL) & MASK
    h = ((h ^ (h >> 47)) * _MUL) & MASK
    return h ^ (h >> 47)


def siphash(text: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4 (Aumasson and Bernstein 2012) of `text` under a key of two 64-bit numbers."""
    k0, k1 = key
    a, b = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D
    c, d = k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573
    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) & 0xFF])
    words = [int.from_bytes(padded[at:at + 8], "little") for at in range(0, len(padded), 8)]
    for i in range(len(words) + 1):
        # The last round has no word of the text; it finishes.
        m = words[i] if i < len(words) else 0
        d ^= m
        if i == len(words):
            c ^= 0xFF
        for _ in range(2 if i < len(words) else 4):
            a = (a + b) & MASK
            b = ((b << 13) | (b >> 51)) & MASK ^ a
            a = ((a << 32) | (a >> 32)) & MASK
            c = (c + d) & MASK
            d = ((d << 16) | (d >> 48)) & MASK ^ c
            a = (a + d) & MASK
            d = ((d << 21) | (d >> 43)) & MASK ^ a
            c = (c + b) & MASK
            b = ((b << 17) | (b >> 47)) & MASK ^ c
            c = ((c << 32) | (c >> 32)) & MASK
        a ^= m
    return a ^ b ^ c ^ d


def _in_words(texts: Sequence[bytes], padded: Callable[[bytes], bytes]) -> Iterator[tuple[list[int], np.ndarray]]:
    """The texts as rows of 64-bit words, those with equally many together: their places, and the words."""
    by_size: dict[int, list[int]] = {}
    blocks = [padded(text) for text in texts]
    for i, block in enumerate(blocks):
        by_size.setdefault(len(block), []).append(i)
    for size, places in by_size.items():
        joined = b"".join([blocks[i] for i in places])
        words = np.frombuffer(joined, "<u8").astype(np.uint64) if size else np.zeros(0, np.uint64)
        yield places, words.reshape(len(places), size // 8)


def murmur64s(texts: Sequence[bytes]) -> np.ndarray:
    """`murmur64` of many texts: a uint64 vector."""
    if len(texts) < _FEW:
        return np.array([murmur64(text) for text in texts], np.uint64)
    sizes = np.fromiter(map(len, texts), np.uint64, len(texts))
    out = np.empty(len(texts), np.uint64)
    mul, shift = np.uint64(_MUL), np.uint64(47)
    for places, words in _in_words(texts, lambda text: text + bytes(-len(text) % 8)):
        h = np.uint64(_SEED) ^ (sizes[places] * mul)
        partly = sizes[places] % np.uint64(8) != 0
        for number in range(words.shape[1]):
            k = words[:, number] * mul
            mixed = (h ^ ((k ^ (k >> shift)) * mul)) * mul
            last = number == words.shape[1] - 1
            h = np.where(partly, (h ^ words[:, number]) * mul, mixed) if last else mixed
        h = (h ^ (h >> shift)) * mul
        out[places] = h ^ (h >> shift)
    return out


def siphashes(texts: Sequence[bytes], key: tuple[int, int]) -> np.ndarray:
    """`siphash` of many texts: a uint64 vector."""
    if len(texts) < _FEW:
        return np.array([siphash(text, key) for text in texts], np.uint64)
    out = np.empty(len(texts), np.uint64)

    def turned(x: np.ndarray, by: int) -> np.ndarray:
        return (x << np.uint64(by)) | (x >> np.uint64(64 - by))

    for places, words in _in_words(texts, lambda text: text + bytes(7 - len(text) % 8) + bytes([len(text) & 0xFF])):
        starts = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
        a, b, c, d = (np.full(len(places), start ^ key[i % 2], np.uint64) for i, start in enumerate(starts))
        for number in range(words.shape[1] + 1):
            finishing = number == words.shape[1]
            if finishing:
                c = c ^ np.uint64(0xFF)
            else:
                d = d ^ words[:, number]
            for _ in range(4 if finishing else 2):
                a = a + b
                b = turned(b, 13) ^ a
                a = turned(a, 32)
                c = c + d
                d = turned(d, 16) ^ c
                a = a + d
                d = turned(d, 21) ^ a
                c = c + b
                b = turned(b, 17) ^ c
                c = turned(c, 32)
            if not finishing:
                a = a ^ words[:, number]
        out[places] = a ^ b ^ c ^ d
    return out


fingerprint_op = op("Fingerprint(data: T, method: string) -> fingerprint: uint8", T="type")


@fingerprint_op.shape
def _(data, method):
    with_rank_at_least(data, 1)
    with_rank(method, 0)
    name = constant(method)
    size = None
    if name is not None:
        if np.asarray(name)[()] != _METHOD:
            raise ValueError(f"Unsupported method: {np.asarray(name)[()].decode(errors='replace')}")
        size = 8
    return TensorShape([data.shape.as_list()[0] if data.shape.ndims else None, size])


@fingerprint_op.kernel
def _(data, method):
    if np.ndim(method):
        raise InvalidArgumentError(None, None, f"`method` should be a scalar string: {dims_text(np.shape(method))}")
    if np.asarray(method)[()] != _METHOD:
        raise InvalidArgumentError(None, None, f"Unsupported fingerprint method: {np.asarray(method)[()]!r}")
    if data.ndim < 1:
        raise InvalidArgumentError(None, None, "`data` should have at least one dimension")
    rows = data.reshape(len(data), int(np.prod(data.shape[1:])))
    if data.dtype != object:
        width = rows.shape[1] * rows.itemsize
        raw = np.ascontiguousarray(rows).view(np.uint8) if width else np.zeros((len(rows), 0), np.uint8)
        hashes = fingerprint64(raw) if width and len(raw) else np.full(len(raw), fingerprint64(b""), np.uint64)
    elif rows.shape[1] == 1:
        hashes = fingerprints64(rows[:, 0].tolist())
    else:
        # A row of several strings is hashed by the fingerprints of its strings.
        each = fingerprints64(rows.reshape(-1).tolist()).astype("<u8").reshape(rows.shape)
        hashes = fingerprints64([row.tobytes() for row in each])
    return hashes.astype("<u8").view(np.uint8).reshape(len(rows), 8)


fingerprint_op.samples(
    numbers=(np.arange(6, dtype=np.int32).reshape(2, 3), np.array(_METHOD, object)),
    strings=(_TEXT, np.array(_METHOD, object)),
    rows=(_TEXT.reshape(2, 2), np.array(_METHOD, object)),
)


@public("fingerprint")
def fingerprint(data: Any, method: Any = "farmhash64", name: str | None = None) -> Tensor:
    """Fingerprints of the rows of a tensor: eight bytes each, the same on every machine and for all time.

    Args:
      data: a tensor of any dtype with at least one dimension.
      method: "farmhash64", the only one.
      name: name of the op.

    Returns:
      A uint8 tensor of shape [rows, 8].
    """
    return fingerprint_op(data, method, name=name)


def _buckets(hashes: Any, shape: tuple, num_buckets: int) -> np.ndarray:
    return (np.asarray(hashes, np.uint64) % np.uint64(num_buckets)).astype(np.int64).reshape(shape)


string_to_hash_bucket_op = op("StringToHashBucket(string_tensor: string) -> output: int64", num_buckets="int >= 1")
string_to_hash_bucket_op.shape(unchanged)
string_to_hash_bucket_op.not_differentiable()


@string_to_hash_bucket_op.kernel
def _(string_tensor, *, num_buckets):
    return _buckets(murmur64s(string_tensor.reshape(-1).tolist()), string_tensor.shape, num_buckets)


string_to_hash_bucket_op.samples(plain=sample(_TEXT, num_buckets=1000))


@public("string_to_hash_bucket", "strings.to_hash_bucket")
def string_to_hash_bucket(
    string_tensor: Any = None, num_buckets: Any = None, name: str | None = None, input: Any = None
) -> Tensor:
    """Buckets of strings, by the hash of old programs; `to_hash_bucket_fast` has a better one.

    Args:
      string_tensor: strings of any shape.
      num_buckets: how many buckets there are.
      name: name of the result.
      input: the newer name of `string_tensor`.

    Returns:
      An int64 tensor of bucket numbers from 0.
    """
    return string_to_hash_bucket_op(string_tensor if input is None else input, num_buckets=num_buckets, name=name)


@public("compat.v2.strings.to_hash_bucket")
@dispatches
def string_to_hash_bucket_v2(input: Any, num_buckets: Any, name: str | None = None) -> Tensor:
    """Buckets of strings, by the hash of old programs.

    Args:
      input: strings of any shape.
      num_buckets: how many buckets there are.
      name: name of the result.

    Returns:
      An int64 tensor of bucket numbers from 0.
    """
    return string_to_hash_bucket_op(input, num_buckets=num_buckets, name=name)


string_to_hash_bucket_fast_op = op("StringToHashBucketFast(input: string) -> output: int64", num_buckets="int >= 1")
string_to_hash_bucket_fast_op.shape(unchanged)
string_to_hash_bucket_fast_op.not_differentiable()


@string_to_hash_bucket_fast_op.kernel
def _(input, *, num_buckets):
    return _buckets(fingerprints64(input.reshape(-1).tolist()), input.shape, num_buckets)


string_to_hash_bucket_fast_op.samples(plain=sample(_TEXT, num_buckets=1000))


@public("string_to_hash_bucket_fast", "strings.to_hash_bucket_fast", "compat.v2.strings.to_hash_bucket_fast")
@dispatches
def string_to_hash_bucket_fast(input: Any, num_buckets: Any, name: str | None = None) -> Tensor:
    """Buckets of strings, by FarmHash: quick and the same for all time, but who picks the strings can pick the buckets.

    Args:
      input: strings of any shape.
      num_buckets: how many buckets there are.
      name: name of the result.

    Returns:
      An int64 tensor of bucket numbers from 0.
    """
    return string_to_hash_bucket_fast_op(input, num_buckets=num_buckets, name=name)


string_to_hash_bucket_strong_op = op(
    "StringToHashBucketStrong(input: string) -> output: int64", num_buckets="int >= 1", key="list(int)"
)
string_to_hash_bucket_strong_op.shape(unchanged)
string_to_hash_bucket_strong_op.not_differentiable()


@string_to_hash_bucket_strong_op.kernel
def _(input, *, num_buckets, key):
    if len(key) != 2:
        raise InvalidArgumentError(None, None, "Key must have 2 elements")
    words = (key[0] & MASK, key[1] & MASK)
    return _buckets(siphashes(input.reshape(-1).tolist(), words), input.shape, num_buckets)


string_to_hash_bucket_strong_op.samples(plain=sample(_TEXT, num_buckets=1000, key=[12345, -678]))


@public("string_to_hash_bucket_strong", "strings.to_hash_bucket_strong", "compat.v2.strings.to_hash_bucket_strong")
@dispatches
def string_to_hash_bucket_strong(input: Any, num_buckets: Any, key: Any, name: str | None = None) -> Tensor:
    """Buckets of strings, by SipHash under a key: who does not know the key cannot fill one bucket on purpose.

    Args:
      input: strings of any shape.
      num_buckets: how many buckets there are.
      key: two integers.
      name: name of the result.

    Returns:
      An int64 tensor of bucket numbers from 0.

    Raises:
      InvalidArgumentError: in a run, a key that has not two elements.
    """
    return string_to_hash_bucket_strong_op(input, num_buckets=num_buckets, key=key, name=name)

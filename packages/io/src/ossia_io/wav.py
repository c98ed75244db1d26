"""WAV files of 16-bit PCM samples."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public

_HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")
_FORMAT = struct.Struct("<HHIIHH")
_LARGEST_CHUNK = 2**31 - 1
_MASK_32 = 2**32 - 1


def _refused(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


class _Reader:
    """A place in the bytes of a file."""

    def __init__(self, data: bytes) -> None:
        self.data, self.offset = data, 0

    def take(self, size: int) -> bytes:
        found = self.data[self.offset : self.offset + size]
        if len(found) < size:
            raise _refused("Data too short when trying to read string")
        self.offset += size
        return found

    def expect(self, text: bytes) -> None:
        found = self.take(len(text))
        if found != text:
            raise _refused(f"Header mismatch: Expected {text.decode()} but found {found.decode(errors='replace')}")

    def size(self) -> int:
        return struct.unpack("<I", self.take(4))[0]


def decoded(data: bytes) -> tuple[np.ndarray, int]:
    """The samples of a WAV file, int16 `[frames, channels]`, and how many there are per second.

    Raises:
        InvalidArgumentError: The data is no WAV file, or one of another encoding than 16-bit PCM.
    """
    reader = _Reader(data)
    reader.expect(b"RIFF")
    reader.size()
    reader.expect(b"WAVE")
    reader.expect(b"fmt ")
    format_size = reader.size()
    if format_size not in (16, 18):
        raise _refused(f"Bad file size for WAV: Expected 16 or 18, but got {format_size}")
    encoding, channels, sample_rate, bytes_per_second, bytes_per_frame, bits = _FORMAT.unpack(reader.take(16))
    if encoding != 1:
        raise _refused(f"Bad audio format for WAV: Expected 1 (PCM), but got {encoding}")
    if bits != 16:
        raise _refused(f"Can only read 16-bit WAV files, but received {bits}")
    if not channels:
        raise _refused("Bad number of channels for WAV: Expected at least 1, but got 0")
    if bytes_per_frame != 2 * channels:
        raise _refused(f"Bad bytes per sample in WAV header: Expected {2 * channels} but got {bytes_per_frame}")
    expected = bytes_per_frame * sample_rate & _MASK_32
    if bytes_per_second != expected:
        raise _refused(
            f"Bad bytes per second in WAV header: Expected {expected} but got {bytes_per_second} "
            f"(sample_rate={sample_rate}, bytes_per_sample={bytes_per_frame})"
        )
    reader.take(format_size - 16)
    samples = None
    while reader.offset < len(data):
        kind, size = reader.take(4), reader.size()
        if size > _LARGEST_CHUNK:
            raise _refused(
                f"WAV data chunk '{kind.decode(errors='replace')}' is too large: {size} bytes, but the limit is "
                f"{_LARGEST_CHUNK}"
            )
        if kind != b"data":
            reader.offset += size
            continue
        if samples is not None:
            raise _refused("More than one data chunk found in WAV")
        found = reader.take(size // bytes_per_frame * bytes_per_frame)
        samples = np.frombuffer(found, "<i2").reshape(-1, channels)
    if samples is None:
        raise _refused("No data chunk found in WAV")
    return samples, sample_rate


def encoded(frames: np.ndarray, sample_rate: int) -> bytes:
    """A 16-bit PCM WAV file of `[frames, channels]` floats from -1 to 1; what is beyond is clipped.

    Raises:
        InvalidArgumentError: There is no frame or no channel, or more than a WAV file holds.
    """
    count, channels = frames.shape
    size = count * channels * 2
    if not 0 < sample_rate < 2**32:
        raise _refused(f"sample_rate of a WAV file must be in (0, 2^32), got: {sample_rate}")
    if not 0 < channels < 2**16:
        raise _refused(f"num_channels of a WAV file must be in (0, 2^16), got: {channels}")
    if not count:
        raise _refused("num_frames of a WAV file must be positive.")
    if size > _MASK_32 - _HEADER.size:
        raise _refused(f"A WAV file cannot hold {count} frames of {channels} channels")
    header = _HEADER.pack(
        b"RIFF",
        36 + size,
        b"WAVE",
        b"fmt ",
        16,
        1,
        channels,
        sample_rate,
        sample_rate * channels * 2 & _MASK_32,
        channels * 2,
        16,
        b"data",
        size,
    )
    scaled = np.nan_to_num(frames.astype(np.float32), nan=0.0) * np.float32(32768)
    rounded = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))  # halves away from zero
    return header + np.clip(rounded, -32768, 32767).astype("<i2").tobytes()


decode_wav_op = op(
    "DecodeWav(contents: string) -> audio: float, sample_rate: int32",
    desired_channels="int32 = -1",
    desired_samples="int32 = -1",
)


@decode_wav_op.shape
def _(contents, *, desired_channels, desired_samples):
    with_rank(contents, 0)
    for what, number in (("channels", desired_channels), ("samples", desired_samples)):
        if number < -1:
            raise ValueError(f"{what} must be non-negative, got {number}")
    return tuple(None if number == -1 else number for number in (desired_samples, desired_channels)), ()


@decode_wav_op.kernel
def _(contents, *, desired_channels, desired_samples):
    contents = np.asarray(contents, object)
    if contents.ndim:
        raise _refused(f"contents must be scalar, got shape {dims_text(contents.shape)}")
    samples, sample_rate = decoded(contents.item())
    count = len(samples) if desired_samples == -1 else desired_samples
    channels = samples.shape[1] if desired_channels == -1 else desired_channels
    sizes.allocatable([count, channels], 4)
    audio = np.zeros((count, channels), np.float32)
    used = samples[:count]
    # Channels that the file has not are copies of its last one.
    sources = np.minimum(np.arange(channels), samples.shape[1] - 1)
    audio[: len(used)] = used[:, sources] * np.float32(1 / 32768)
    return audio, np.uint32(sample_rate).astype(np.int32)


_STEREO = encoded(np.linspace(-1, 1, 10, dtype=np.float32).reshape(5, 2), 8000)
decode_wav_op.samples(
    plain=_STEREO,
    more=sample(_STEREO, desired_channels=3, desired_samples=7),
    fewer=sample(_STEREO, desired_channels=1, desired_samples=2),
    none=sample(_STEREO, desired_channels=0, desired_samples=0),
)


@public("audio.decode_wav", "compat.v2.audio.decode_wav")
def decode_wav(
    contents: Any, desired_channels: int = -1, desired_samples: int = -1, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The samples of a WAV file of 16-bit PCM, as floats from -1 to 1.

    Args:
        contents: The bytes of the file, a scalar string.
        desired_channels: How many channels the result has: channels are left out, or the last one is repeated. Those
            of the file if -1.
        desired_samples: How many samples per channel the result has: it is cut off, or padded with zeros. Those of the
            file if -1.
        name: A name for the op.

    Returns:
        A tuple `(audio, sample_rate)`: float32 `[samples, channels]`, and how many samples make a second, int32.

    Raises:
        ValueError: A desired number is below -1.
    """
    return decode_wav_op(
        contents, desired_channels=desired_channels, desired_samples=desired_samples, name=name
    )


encode_wav_op = op("EncodeWav(audio: float, sample_rate: int32) -> contents: string")


@encode_wav_op.shape
def _(audio, sample_rate):
    with_rank(audio, 2)
    with_rank(sample_rate, 0)
    return scalar_shape()


@encode_wav_op.kernel
def _(audio, sample_rate):
    if np.ndim(audio) != 2:
        raise _refused(f"audio must be 2-dimensional {dims_text(np.shape(audio))}")
    if np.ndim(sample_rate):
        raise _refused(f"Input sample_rate should be a scalar tensor, got {dims_text(np.shape(sample_rate))} instead.")
    return np.array(encoded(np.asarray(audio), int(sample_rate)), object)


encode_wav_op.samples(plain=([[0.0, 0.5], [1.0, -1.0]], 8000), clipped=([[2.0], [-2.0], [np.nan], [np.inf]], 44100))


@public("audio.encode_wav", "compat.v2.audio.encode_wav")
def encode_wav(audio: Any, sample_rate: Any, name: str | None = None) -> Tensor:
    """The bytes of a WAV file of 16-bit PCM.

    Args:
        audio: A float32 tensor `[samples, channels]` of numbers from -1 to 1; what is beyond is clipped.
        sample_rate: How many samples make a second, an int32 scalar.
        name: A name for the op.

    Returns:
        A scalar string.
    """
    return encode_wav_op(audio, sample_rate, name=name)

"""Spectrograms of audio, and their cepstral coefficients, each computed by one op."""
from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text

_FLOOR = 1e-12  # what is taken for silence, before the logarithm


def _power_of_two_from(size: int) -> int:
    return 1 << max(size - 1, 0).bit_length()


def _frames(samples: int, window_size: int, stride: int) -> int:
    return 0 if samples < window_size else 1 + (samples - window_size) // stride


audio_spectrogram_op = op("AudioSpectrogram(input: float) -> spectrogram: float", window_size="int32", stride="int32",
                          magnitude_squared="bool = false")


@audio_spectrogram_op.shape
def _(input, *, window_size, stride):
    samples, channels = with_rank(input, 2).as_tuple()
    count = None if samples is None or stride < 1 else _frames(samples, window_size, stride)
    return channels, count, 1 + _power_of_two_from(window_size) // 2


@audio_spectrogram_op.kernel
def _(input, *, window_size, stride, magnitude_squared):
    if input.ndim != 2:
        raise InvalidArgumentError(None, None, f"input must be 2-dimensional {dims_text(input.shape)}")
    if window_size < 2 or stride < 1:
        raise InvalidArgumentError(
            None, None, f"Spectrogram initialization failed for window size {window_size} and stride {stride}"
        )
    samples, channels = input.shape
    count, length = _frames(samples, window_size, stride), _power_of_two_from(window_size)
    result = np.empty((channels, count, 1 + length // 2), np.float32)
    if not result.size:
        return result
    sizes.allocatable(result.shape, 16)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window_size) / window_size)
    # The original takes what is left of a channel for the beginning of the next one, and mostly fails then.
    for channel in range(channels):
        sound = np.ascontiguousarray(input[:, channel])
        frames = np.lib.stride_tricks.sliding_window_view(sound, window_size)[::stride]
        spectrum = np.fft.rfft(frames * window, length)
        power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32)
        result[channel] = power if magnitude_squared else np.sqrt(power)
    return result


_CHIRP = np.sin(np.arange(30, dtype=np.float32) ** 2 / 20).reshape(30, 1)
audio_spectrogram_op.samples(
    plain=sample(_CHIRP, window_size=8, stride=4),
    squared=sample(_CHIRP, window_size=7, stride=5, magnitude_squared=True),
    short=sample(_CHIRP, window_size=31, stride=1),
)


mfcc_op = op("Mfcc(spectrogram: float, sample_rate: int32) -> output: float", upper_frequency_limit="float = 4000.0",
             lower_frequency_limit="float = 20.0", filterbank_channel_count="int32 = 40",
             dct_coefficient_count="int32 = 13")


@mfcc_op.shape
def _(spectrogram, sample_rate, *, dct_coefficient_count):
    channels, frames, _ = with_rank(spectrogram, 3).as_tuple()
    with_rank(sample_rate, 0)
    return channels, frames, None if dct_coefficient_count < 0 else dct_coefficient_count


def _mels(hertz):
    return 1127.0 * np.log1p(hertz / 700.0)


def _bands(spectra: np.ndarray, sample_rate: int, lower: float, upper: float, count: int) -> np.ndarray:
    """What the triangular bands of a mel scale gather of each row of power spectra, a row each."""
    bins = spectra.shape[1]
    width = 0.5 * sample_rate / (bins - 1)
    first, last = int(1.5 + lower / width), int(upper / width)
    bands = np.zeros((count + 2, len(spectra)))
    if last >= bins:
        return bands[:0]
    # edges[k + 1] is the middle of band k, where band k - 1 ends and band k + 1 begins.
    lowest = _mels(lower)
    edges = lowest + (_mels(upper) - lowest) / (count + 1) * np.arange(count + 2)
    used = np.arange(first, last + 1)
    pitch = _mels(used * width)
    falling = np.searchsorted(edges[1:-1], pitch)
    share = (edges[falling + 1] - pitch) / (edges[falling + 1] - edges[falling])
    magnitude = np.sqrt(spectra[:, used].astype(np.float64)).T
    # Each bin is shared between the band that falls there and the one that rises; the outermost ones do not count.
    np.add.at(bands, falling, magnitude * share[:, None])
    np.add.at(bands, falling + 1, magnitude - magnitude * share[:, None])
    return bands[1:-1]


@mfcc_op.kernel
def _(spectrogram, sample_rate, *, upper_frequency_limit, lower_frequency_limit, filterbank_channel_count,
      dct_coefficient_count):
    if spectrogram.ndim != 3:
        raise InvalidArgumentError(None, None, f"spectrogram must be 3-dimensional {dims_text(spectrogram.shape)}")
    if np.ndim(sample_rate):
        raise InvalidArgumentError(
            None, None, f"Input sample_rate should be a scalar tensor, got {dims_text(np.shape(sample_rate))} instead."
        )
    channels, frames, bins = spectrogram.shape
    rate, count, coefficients = int(sample_rate), filterbank_channel_count, dct_coefficient_count
    lower, upper = float(np.float32(lower_frequency_limit)), float(np.float32(upper_frequency_limit))
    if not (bins > 1 and rate > 0 and 0 <= lower < upper < np.inf and 0 < coefficients <= count):
        raise InvalidArgumentError(
            None, None, f"Mfcc initialization failed for channel count {bins} and sample rate {rate}"
        )
    rows = spectrogram.reshape(-1, bins)
    sizes.allocatable([count + 2, max(len(rows), coefficients)], 8)
    bands = _bands(rows, rate, lower, upper, count)
    waves = np.cos(np.pi / count * np.outer(np.arange(coefficients), np.arange(len(bands)) + 0.5))
    result = np.sqrt(2.0 / count) * (waves @ np.log(np.maximum(bands, _FLOOR)))
    return result.T.astype(np.float32).reshape(channels, frames, coefficients)


_POWER = (np.arange(66, dtype=np.float32).reshape(1, 2, 33) % 7) ** 2
mfcc_op.samples(
    plain=(_POWER, 8000),
    few=sample(_POWER, 16000, filterbank_channel_count=5, dct_coefficient_count=5, lower_frequency_limit=100.0,
               upper_frequency_limit=7000.0),
    silent=(np.zeros((2, 1, 9), np.float32), 8000),
)

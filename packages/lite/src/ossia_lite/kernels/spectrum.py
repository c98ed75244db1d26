"""Fourier transforms, complex numbers, and features of sound."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_lite.kernels import Call
from ossia_lite.kernels.shape import sizes


def rfft2d(call: Call, x: np.ndarray, length: np.ndarray) -> np.ndarray:
    """The Fourier transform of real matrices, the half of it that says all."""
    return np.fft.rfft2(x, sizes(length), (-2, -1)).astype(np.complex64)


def real(call: Call, x: np.ndarray) -> np.ndarray:
    """The real parts."""
    return x.real.copy()


def imag(call: Call, x: np.ndarray) -> np.ndarray:
    """The imaginary parts."""
    return x.imag.copy()


def complex_abs(call: Call, x: np.ndarray) -> np.ndarray:
    """The absolute values."""
    return np.abs(x)


def custom_options(call: Call) -> Any:
    """The options of a custom operator, by name.

    Args:
        call: The operator; its options are a flexbuffer.

    Raises:
        ValueError: They are not.
    """
    from flatbuffers import flexbuffers

    try:
        found = flexbuffers.Loads(call.custom_options)
    except Exception as error:  # the reader of flexbuffers raises whatever its input makes it do
        raise ValueError(f"{call.name}: its options cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{call.name}: its options are no map.")
    return found


def audiospectrogram(call: Call, x: np.ndarray) -> np.ndarray:
    """Magnitudes of the spectra of overlapping windows: `[samples, channels]` to `[channels, windows, bins]`."""
    options = call.keep_always("options", lambda: custom_options(call))
    window, stride = int(options["window_size"]), int(options["stride"])
    if window < 2 or stride < 1:
        raise ValueError(f"AudioSpectrogram: a window of {window}, a stride of {stride}.")
    length = 1 << (window - 1).bit_length()
    count = max((x.shape[0] - window) // stride + 1, 0)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window) / window)
    places = np.arange(count)[:, None] * stride + np.arange(window)
    spectrum = np.fft.rfft(x.T.astype(np.float64)[:, places] * hann, length)
    power = spectrum.real**2 + spectrum.imag**2
    return (power if options.get("magnitude_squared") else np.sqrt(power)).astype(np.float32)


def mfcc(call: Call, x: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Mel-frequency cepstral coefficients of spectrograms, `[channels, windows, bins]`.

    Source: S. Davis and P. Mermelstein, "Comparison of parametric representations for monosyllabic word recognition".
    """
    options = call.keep_always("options", lambda: custom_options(call))
    count, kept = int(options["filterbank_channel_count"]), int(options["dct_coefficient_count"])
    low, high = float(options["lower_frequency_limit"]), float(options["upper_frequency_limit"])
    bands = _mel_bands(x.shape[-1], float(rate.reshape(-1)[0]), low, high, count)
    energy = np.sqrt(x.astype(np.float64)) @ bands
    logs = np.log(np.maximum(energy, 1e-12))
    angles = np.pi / count * np.outer(np.arange(count) + 0.5, np.arange(kept))
    return (logs @ (np.sqrt(2 / count) * np.cos(angles))).astype(np.float32)


def _mel_bands(bins: int, rate: float, low: float, high: float, count: int) -> np.ndarray:
    """`[bins, count]`: triangles that are equally wide on the mel scale."""
    def mel(frequency: Any) -> Any:
        return 1127 * np.log1p(frequency / 700)

    if not (rate > 0 and 0 <= low < high and count > 0 and bins > 1):
        raise ValueError(f"Mfcc: {count} channels between {low} and {high} Hz of {bins} bins.")
    step = 0.5 * rate / (bins - 1)
    spacing = (mel(high) - mel(low)) / (count + 1)
    centres = mel(low) + spacing * np.arange(1, count + 2)
    first, last = int(1.5 + low / step), min(int(high / step), bins - 1)
    result = np.zeros((bins, count))
    for place in range(first, last + 1):
        at = mel(place * step)
        band = int(np.searchsorted(centres, at))  # the first channel whose centre is not below
        before = mel(low) if band == 0 else centres[band - 1]
        share = (centres[min(band, count)] - at) / (centres[min(band, count)] - before)
        if band > 0:
            result[place, band - 1] += share
        if band < count:
            result[place, band] += 1 - share
    return result



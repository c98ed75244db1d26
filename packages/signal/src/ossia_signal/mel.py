"""Mel scales: weights that gather the bins of a spectrum into bands as wide as the ear hears them."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.array.padding import pad
from ossia_ops.array.shape import expand_dims, reshape, shape
from ossia_ops.array.split import split
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import rsqrt
from ossia_ops.math.exponential import log
from ossia_ops.math.sequence import lin_space
from ossia_signal.dct import dct
from ossia_signal.framing import frame


def _mels(hertz: Tensor) -> Tensor:
    with name_scope(None, "hertz_to_mel", [hertz]):
        return 1127.0 * log(1.0 + hertz / 700.0)


@public("signal.linear_to_mel_weight_matrix", "compat.v2.signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20, num_spectrogram_bins: Any = 129, sample_rate: Any = 8000, lower_edge_hertz: Any = 125.0,
    upper_edge_hertz: Any = 3800.0, dtype: Any = dtypes.float32, name: str | None = None,
) -> Tensor:
    """The matrix that spectra are multiplied with to get mel spectra: bands overlap by half, and are triangular.

    Args:
      num_mel_bins: how many bands.
      num_spectrogram_bins: how many bins a spectrum has, an integer scalar; the first is of frequency 0.
      sample_rate: samples per second of the signal.
      lower_edge_hertz: the lowest frequency in the bands.
      upper_edge_hertz: the highest frequency in the bands.
      dtype: a floating dtype.
      name: a name for the result.

    Returns:
      A tensor of shape [num_spectrogram_bins, num_mel_bins].

    Raises:
      ValueError: a number is out of its range, `dtype` is not floating, or `sample_rate` is a tensor of unknown value.
    """
    with name_scope(name, "linear_to_mel_weight_matrix") as name:
        if isinstance(sample_rate, Tensor):
            sample_rate = get_static_value(sample_rate)
            if sample_rate is None:
                raise ValueError("`sample_rate` must be a number or a constant tensor, not one of unknown value.")
        if num_mel_bins <= 0:
            raise ValueError(f"num_mel_bins must be positive. Got: {num_mel_bins}")
        if lower_edge_hertz < 0.0:
            raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lower_edge_hertz}")
        if lower_edge_hertz >= upper_edge_hertz:
            raise ValueError(f"lower_edge_hertz {lower_edge_hertz:.1f} >= upper_edge_hertz {upper_edge_hertz:.1f}")
        if sample_rate <= 0.0:
            raise ValueError(f"sample_rate must be positive. Got: {sample_rate}")
        if upper_edge_hertz > sample_rate / 2:
            raise ValueError(
                "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). "
                f"Got: {upper_edge_hertz} for sample_rate: {sample_rate}"
            )
        if not dtype.is_floating:
            raise ValueError(f"dtype must be a floating point type. Got: {dtype}")

        sample_rate = convert_to_tensor(sample_rate, dtype, name="sample_rate")
        lowest = convert_to_tensor(lower_edge_hertz, dtype, name="lower_edge_hertz")
        highest = convert_to_tensor(upper_edge_hertz, dtype, name="upper_edge_hertz")
        zero = convert_to_tensor(0.0, dtype)
        # The first bin, of frequency 0, is in no band.
        frequencies = lin_space(zero, sample_rate / 2.0, num_spectrogram_bins)[1:]
        bins = expand_dims(_mels(frequencies), 1)
        edges = frame(lin_space(_mels(lowest), _mels(highest), num_mel_bins + 2), frame_length=3, frame_step=1)
        lower, centre, upper = (reshape(edge, [1, num_mel_bins]) for edge in split(edges, 3, axis=1))
        rising = (bins - lower) / (centre - lower)
        falling = (upper - bins) / (upper - centre)
        weights = maximum(zero, minimum(rising, falling))
        return pad(weights, [[1, 0], [0, 0]], name=name)


@public("signal.mfccs_from_log_mel_spectrograms", "compat.v2.signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Tensor:
    """Cepstral coefficients from logarithms of mel spectra, scaled as HTK does.

    Args:
      log_mel_spectrograms: a float32 tensor of shape [..., num_mel_bins].
      name: a name for the ops.

    Returns:
      A float32 tensor of the same shape, the coefficients of lowest frequency first.

    Raises:
      ValueError: there are no mel bins.
    """
    with name_scope(name, "mfccs_from_log_mel_spectrograms", [log_mel_spectrograms]):
        spectra = convert_to_tensor(log_mel_spectrograms, dtypes.float32)
        dims = spectra.shape.as_tuple()
        count = dims[-1] if dims else None
        if count == 0:
            raise ValueError(f"num_mel_bins must be positive. Got: {log_mel_spectrograms}")
        size = shape(spectra)[-1] if count is None else count
        return dct(spectra) * rsqrt(cast(size, dtypes.float32) * 2.0)

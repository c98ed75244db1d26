"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.dct import dct as dct
from ossia_ops.fourier import fft as fft
from ossia_ops.fourier import fft2d as fft2d
from ossia_ops.fourier import fft3d as fft3d
from ossia_ops.fourier import fftshift as fftshift
from ossia_ops.framing import frame as frame
from ossia_ops.signal_windows import hamming_window as hamming_window
from ossia_ops.signal_windows import hann_window as hann_window
from ossia_ops.dct import idct as idct
from ossia_ops.fourier import ifft as ifft
from ossia_ops.fourier import ifft2d as ifft2d
from ossia_ops.fourier import ifft3d as ifft3d
from ossia_ops.fourier import ifftshift as ifftshift
from ossia_ops.stft import inverse_stft as inverse_stft
from ossia_ops.stft import inverse_stft_window_fn as inverse_stft_window_fn
from ossia_ops.real_fourier import irfft as irfft
from ossia_ops.real_fourier import irfft2d as irfft2d
from ossia_ops.real_fourier import irfft3d as irfft3d
from ossia_ops.mel import linear_to_mel_weight_matrix as linear_to_mel_weight_matrix
from ossia_ops.mel import mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms
from ossia_ops.framing import overlap_and_add as overlap_and_add
from ossia_ops.real_fourier import rfft as rfft
from ossia_ops.real_fourier import rfft2d as rfft2d
from ossia_ops.real_fourier import rfft3d as rfft3d
from ossia_ops.stft import stft as stft

# Written by tools/api_stubs.py; do not edit.
from ossia_signal.dct import dct as dct, idct as idct
from ossia_signal.fourier import (
 fft as fft, fft2d as fft2d, fft3d as fft3d, fftshift as fftshift, ifft as ifft, ifft2d as ifft2d, ifft3d as ifft3d,
 ifftshift as ifftshift
)
from ossia_signal.framing import frame as frame, overlap_and_add as overlap_and_add
from ossia_signal.mel import (
 linear_to_mel_weight_matrix as linear_to_mel_weight_matrix,
 mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms
)
from ossia_signal.real_fourier import (
 irfft as irfft, irfft2d as irfft2d, irfft3d as irfft3d, rfft as rfft, rfft2d as rfft2d, rfft3d as rfft3d
)
from ossia_signal.stft import (
 inverse_stft as inverse_stft, inverse_stft_window_fn as inverse_stft_window_fn, stft as stft
)
from ossia_signal.windows import hamming_window as hamming_window, hann_window as hann_window

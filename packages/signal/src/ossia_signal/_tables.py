"""Public names and ops of ossia_signal. Written by `python -m ossia_core.api_table packages/signal`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_signal", """
.audio_features: +AudioSpectrogram +Mfcc
.dct: compat.v2.signal.dct compat.v2.signal.idct signal.dct signal.idct spectral.dct spectral.idct
.fourier: compat.v2.signal.fft compat.v2.signal.fft2d compat.v2.signal.fft3d compat.v2.signal.fftshift
 compat.v2.signal.ifft compat.v2.signal.ifft2d compat.v2.signal.ifft3d compat.v2.signal.ifftshift fft fft2d fft3d ifft
 ifft2d ifft3d signal.fft signal.fft2d signal.fft3d signal.fftshift signal.ifft signal.ifft2d signal.ifft3d
 signal.ifftshift spectral.fft spectral.fft2d spectral.fft3d spectral.ifft spectral.ifft2d spectral.ifft3d +BatchFFT
 +BatchFFT2D +BatchFFT3D +BatchIFFT +BatchIFFT2D +BatchIFFT3D +FFT +FFT2D +FFT3D +IFFT +IFFT2D +IFFT3D
.framing: compat.v2.signal.frame compat.v2.signal.overlap_and_add signal.frame signal.overlap_and_add
.mel: compat.v2.signal.linear_to_mel_weight_matrix compat.v2.signal.mfccs_from_log_mel_spectrograms
 signal.linear_to_mel_weight_matrix signal.mfccs_from_log_mel_spectrograms
.real_fourier: compat.v2.signal.irfft compat.v2.signal.irfft2d compat.v2.signal.irfft3d compat.v2.signal.rfft
 compat.v2.signal.rfft2d compat.v2.signal.rfft3d signal.irfft signal.irfft2d signal.irfft3d signal.rfft signal.rfft2d
 signal.rfft3d spectral.irfft spectral.irfft2d spectral.irfft3d spectral.rfft spectral.rfft2d spectral.rfft3d +IRFFT
 +IRFFT2D +IRFFT3D +RFFT +RFFT2D +RFFT3D
.stft: compat.v2.signal.inverse_stft compat.v2.signal.inverse_stft_window_fn compat.v2.signal.stft signal.inverse_stft
 signal.inverse_stft_window_fn signal.stft
.windows: compat.v2.signal.hamming_window compat.v2.signal.hann_window signal.hamming_window signal.hann_window
""")

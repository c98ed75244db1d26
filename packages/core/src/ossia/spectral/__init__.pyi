"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_signal.dct import dct as dct, idct as idct
from ossia_signal.fourier import (
 fft as fft, fft2d as fft2d, fft3d as fft3d, ifft as ifft, ifft2d as ifft2d, ifft3d as ifft3d
)
from ossia_signal.real_fourier import (
 irfft as irfft, irfft2d as irfft2d, irfft3d as irfft3d, rfft as rfft, rfft2d as rfft2d, rfft3d as rfft3d
)

"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.dct import dct as dct
from ossia_ops.fourier import fft as fft
from ossia_ops.fourier import fft2d as fft2d
from ossia_ops.fourier import fft3d as fft3d
from ossia_ops.dct import idct as idct
from ossia_ops.fourier import ifft as ifft
from ossia_ops.fourier import ifft2d as ifft2d
from ossia_ops.fourier import ifft3d as ifft3d
from ossia_ops.real_fourier import irfft as irfft
from ossia_ops.real_fourier import irfft2d as irfft2d
from ossia_ops.real_fourier import irfft3d as irfft3d
from ossia_ops.real_fourier import rfft as rfft
from ossia_ops.real_fourier import rfft2d as rfft2d
from ossia_ops.real_fourier import rfft3d as rfft3d

"""log, sin and cos in single precision with the last bit that the C library gives, in vectorised double arithmetic.

Random normals are compared bit for bit with the original, which calls the C library's `logf` and `sincosf`. NumPy's
own single-precision functions differ in the last bit, and so do double results rounded once (about one value in a
hundred). The tables and polynomials are those that glibc (2.28 and later), musl and bionic share.
"""

from __future__ import annotations

import math

import numpy as np

_parse = float.fromhex
_LN_2 = math.log(2.0)
_LOG_OFFSET = np.int32(0x3F330000)  # the significand is taken from [0.699, 1.398), so that log(1) is exact
_LOG_EXPONENT = np.int32(-0x800000)
_LOG_POLYNOMIAL = tuple(map(_parse, ("-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2")))
_LOG_TABLE = (  # per sixteenth of the significand: 1 / c and log(c) of a point c near its middle
    ("0x1.661ec79f8f3bep+0", "-0x1.57bf7808caadep-2"),
    ("0x1.571ed4aaf883dp+0", "-0x1.2bef0a7c06ddbp-2"),
    ("0x1.49539f0f010bp+0", "-0x1.01eae7f513a67p-2"),
    ("0x1.3c995b0b80385p+0", "-0x1.b31d8a68224e9p-3"),
    ("0x1.30d190c8864a5p+0", "-0x1.6574f0ac07758p-3"),
    ("0x1.25e227b0b8eap+0", "-0x1.1aa2bc79c81p-3"),
    ("0x1.1bb4a4a1a343fp+0", "-0x1.a4e76ce8c0e5ep-4"),
    ("0x1.12358f08ae5bap+0", "-0x1.1973c5a611cccp-4"),
    ("0x1.0953f419900a7p+0", "-0x1.252f438e10c1ep-5"),
    ("0x1p+0", "0x0p+0"),
    ("0x1.e608cfd9a47acp-1", "0x1.aa5aa5df25984p-5"),
    ("0x1.ca4b31f026aap-1", "0x1.c5e53aa362eb4p-4"),
    ("0x1.b2036576afce6p-1", "0x1.526e57720db08p-3"),
    ("0x1.9c2d163a1aa2dp-1", "0x1.bc2860d22477p-3"),
    ("0x1.886e6037841edp-1", "0x1.1058bc8a07ee1p-2"),
    ("0x1.767dcf5534862p-1", "0x1.4043057b6ee09p-2"),
)
_INVERSE_CENTRE, _LOG_CENTRE = (np.array([_parse(row[column]) for row in _LOG_TABLE]) for column in (0, 1))
_COS = tuple(
    map(_parse, ("-0x1.ffffffd0c621cp-2", "0x1.55553e1068f19p-5", "-0x1.6c087e89a359dp-10", "0x1.99343027bf8c3p-16"))
)
_SIN = tuple(map(_parse, ("-0x1.555545995a603p-3", "0x1.1107605230bc4p-7", "-0x1.994eb3774cf24p-13")))


def log_single(x: np.ndarray) -> np.ndarray:
    """`logf` of positive normal float32 values (`[n]`), as float32."""
    bits = x.view(np.int32)
    shifted = bits - _LOG_OFFSET
    interval = (shifted >> 19) & 15
    r = (bits - (shifted & _LOG_EXPONENT)).view(np.float32) * _INVERSE_CENTRE.take(interval)
    r -= 1.0
    result = (shifted >> 23) * _LN_2
    result += _LOG_CENTRE.take(interval)
    result += r
    polynomial = _LOG_POLYNOMIAL[1] * r
    polynomial += _LOG_POLYNOMIAL[2]
    r *= r
    polynomial += _LOG_POLYNOMIAL[0] * r
    polynomial *= r
    polynomial += result
    return polynomial.astype(np.float32)


def sincos_single(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`sincosf` of float32 values in [0, 100) (`[n]`): sine and cosine, as float32."""
    r = x.astype(np.float64)
    quarter = np.rint(r * (2 / math.pi))
    r -= quarter * (math.pi / 2)
    quarter = quarter.astype(np.uint32)
    square = r * r
    cube = r * square
    sine = _SIN[2] * square
    sine += _SIN[1]
    sine *= cube * square
    cube *= _SIN[0]
    r += cube
    sine += r
    fourth = square * square
    cosine = _COS[3] * square
    cosine += _COS[2]
    cosine *= fourth * square
    fourth *= _COS[1]
    square *= _COS[0]
    square += 1.0
    square += fourth
    cosine += square
    bits = sine.astype(np.float32).view(np.uint32), cosine.astype(np.float32).view(np.uint32)
    # an odd quarter swaps the two, and each quarter turns the signs; both are done on the bits, without branches
    swap = (bits[0] ^ bits[1]) & -(quarter & 1)
    turned_sine = bits[0] ^ swap ^ ((quarter & 2) << 30)
    turned_cosine = bits[1] ^ swap ^ (((quarter + 1) & 2) << 30)
    return turned_sine.view(np.float32), turned_cosine.view(np.float32)


def _elementwise(function):
    def apply(x: np.ndarray) -> np.ndarray:
        return np.fromiter(map(function, x.tolist()), np.float64, x.size)

    apply.__doc__ = f"`{function.__name__}` of the C library for float64 values (`[n]`)."
    return apply


log_double, sin_double, cos_double = map(_elementwise, (math.log, math.sin, math.cos))

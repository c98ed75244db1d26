"""Families of numerical methods: linear algebra, transforms, quantized numbers, special functions."""
from __future__ import annotations

import numpy as np
from family_registry import RANDOM, family, floats, held, positive, slope


@family("linear algebra", (4, 3), (16, 16), (16, 96))
def linear_algebra(tf, size):
    """Batches of square matrices."""
    b, n = size
    raw = RANDOM.randn(b, n, n).astype("f4") + 3 * np.eye(n, dtype="f4")
    x, y = held(tf, raw), floats(tf, b, n, 4)
    s = held(tf, (raw @ raw.transpose(0, 2, 1) / n + np.eye(n, dtype="f4")).astype("f4"))
    low = held(tf, np.tril(raw))
    diagonals = floats(tf, b, 3, n)
    linalg = tf.linalg
    yield "svd", linalg.svd(x)
    yield "singular values", linalg.svd(x, compute_uv=False)
    yield "svd gradient", slope(tf, linalg.svd(x)[0], x)
    yield "qr", linalg.qr(x)
    yield "qr gradient", slope(tf, linalg.qr(x), x)
    yield "cholesky", linalg.cholesky(s)
    yield "cholesky gradient", slope(tf, linalg.cholesky(s), s)
    yield "cholesky_solve", linalg.cholesky_solve(low, y)
    yield "solve", linalg.solve(x, y)
    yield "solve gradient", slope(tf, linalg.solve(x, y), x)
    yield "lstsq", linalg.lstsq(x, y)
    yield "triangular_solve", linalg.triangular_solve(low, y)
    yield "inv", linalg.inv(x)
    yield "inv gradient", slope(tf, linalg.inv(x), x)
    yield "det", linalg.det(x)
    yield "det gradient", slope(tf, linalg.det(x), x)
    yield "slogdet", linalg.slogdet(x)
    yield "logdet", linalg.logdet(s)
    yield "eigh", linalg.eigh(s)
    yield "eigvalsh", linalg.eigvalsh(s)
    yield "eigh gradient", slope(tf, linalg.eigh(s)[0], s)
    yield "expm", linalg.expm(x * 0.1)
    yield "logm", linalg.logm(tf.cast(s[:2], tf.complex64))
    yield "sqrtm", linalg.sqrtm(s[:2])
    yield "lu", linalg.lu(x)
    yield "matrix_rank", linalg.matrix_rank(x)
    yield "tridiagonal_solve", linalg.tridiagonal_solve(diagonals, y, partial_pivoting=False)
    yield "tridiagonal_solve, pivots", linalg.tridiagonal_solve(diagonals, y)
    yield "tridiagonal_matmul", linalg.tridiagonal_matmul(diagonals, y)
    yield "trace", linalg.trace(x)
    yield "adjoint", linalg.adjoint(x)
    yield "diag_part", linalg.diag_part(x)
    yield "set_diag", linalg.set_diag(x, y[:, :, 0])
    yield "cross", linalg.cross(y[:, :, :3], y[:, :, 1:])


@family("signal", 64, 1000, 16_384)
def signal(tf, n):
    """Fourier transforms and audio."""
    x, z = floats(tf, 8, n), floats(tf, 4, 32, max(n // 32, 4))
    c = tf.complex(x, x)
    yield "fft", tf.signal.fft(c)
    yield "ifft", tf.signal.ifft(c)
    yield "fft2d", tf.signal.fft2d(tf.complex(z, z))
    yield "rfft", tf.signal.rfft(x)
    yield "irfft", tf.signal.irfft(c[:, : n // 2 + 1])
    yield "rfft gradient", slope(tf, tf.abs(tf.signal.rfft(x)), x)
    yield "stft", tf.signal.stft(x, 32, 16)
    yield "stft gradient", slope(tf, tf.abs(tf.signal.stft(x, 32, 16)), x)
    yield "inverse_stft", tf.signal.inverse_stft(tf.signal.stft(x, 32, 16), 32, 16)
    yield "dct", tf.signal.dct(x)
    yield "frame", tf.signal.frame(x, 32, 16)
    yield "overlap_and_add", tf.signal.overlap_and_add(tf.signal.frame(x, 32, 16), 16)
    yield "mfccs", tf.signal.mfccs_from_log_mel_spectrograms(tf.abs(tf.signal.stft(x, 64, 32)))
    yield "linear_to_mel_weight_matrix", tf.signal.linear_to_mel_weight_matrix(20, 129)
    yield "audio_spectrogram", tf.raw_ops.AudioSpectrogram(input=x[0][:, None], window_size=33, stride=16)
    yield "mfcc", tf.raw_ops.Mfcc(
        spectrogram=tf.raw_ops.AudioSpectrogram(input=x[0][:, None], window_size=33, stride=16), sample_rate=16000
    )


@family("quantization", 1_000, 100_000, 1_000_000)
def quantization(tf, n):
    """Quantized values."""
    x = floats(tf, n // 10, 10)
    low, high = held(tf, np.float32(-3.0)), held(tf, np.float32(3.0))
    lows, highs = held(tf, np.full(10, -3.0, "f4")), held(tf, np.full(10, 3.0, "f4"))
    q = tf.quantization.quantize(x, low, high, tf.quint8)
    yield "quantize", list(q)
    yield "quantize scaled", list(tf.quantization.quantize(x, low, high, tf.qint8, mode="SCALED"))
    yield "dequantize", tf.quantization.dequantize(q[0], q[1], q[2])
    y = tf.quantization.fake_quant_with_min_max_vars(x, low, high)
    yield "fake_quant", y
    yield "fake_quant gradient", slope(tf, y, x, low, high)
    yield "fake_quant per channel", tf.quantization.fake_quant_with_min_max_vars_per_channel(x, lows, highs)
    yield "quantize_and_dequantize", tf.quantization.quantize_and_dequantize(x, low, high)
    yield "quantized_concat", list(tf.quantization.quantized_concat(0, [q[0], q[0]], [low, low], [high, high]))


@family("quantized products", 8, 32, 128)
def quantized_products(tf, n):
    """Products of quantized numbers."""
    q = held(tf, RANDOM.randint(0, 255, (n, n)).astype("u1"))
    low, high = held(tf, np.float32(-3.0)), held(tf, np.float32(3.0))
    a = tf.bitcast(q, tf.quint8)
    yield "quantized matmul", list(tf.raw_ops.QuantizedMatMul(a=a, b=a, min_a=low, max_a=high, min_b=low, max_b=high))
    image = tf.reshape(a[: n // 8 * 8], [1, n, n // 4, 4])
    kernel = tf.bitcast(held(tf, RANDOM.randint(0, 255, (3, 3, 4, 8)).astype("u1")), tf.quint8)
    yield "quantized conv2d", list(tf.nn.quantized_conv2d(image, kernel, low, high, low, high, [1, 1, 1, 1], "SAME"))
    yield "quantized max_pool", list(tf.nn.quantized_max_pool(image, low, high, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"))


@family("special functions", 1_000, 30_000, 300_000)
def special_functions(tf, n):
    """Gamma, beta and zeta functions."""
    p, q, r = positive(tf, n), positive(tf, n), held(tf, RANDOM.rand(n).astype("f4"))
    order = held(tf, RANDOM.randint(1, 4, n).astype("f4"))
    yield "lgamma", tf.lgamma(p)
    yield "digamma", tf.digamma(p)
    yield "lgamma gradient", slope(tf, tf.lgamma(p), p)
    yield "digamma gradient", slope(tf, tf.digamma(p), p)
    yield "erf", tf.erf(p)
    yield "erfc", tf.erfc(p)
    yield "igamma", tf.igamma(p, q)
    yield "igammac", tf.igammac(p, q)
    yield "igamma gradient", slope(tf, tf.igamma(p, q), p, q)
    yield "betainc", tf.betainc(p, q, r)
    yield "zeta", tf.zeta(p + 1.1, q)
    yield "polygamma", tf.polygamma(order, p)
    yield "lbeta", tf.lbeta(tf.reshape(p, [-1, 10]))
    yield "bessel_i0e", tf.math.bessel_i0e(p)
    yield "bessel_i1e", tf.math.bessel_i1e(p)
    yield "acosh", tf.acosh(p + 1.0)
    yield "asinh", tf.asinh(p)
    yield "sinh", tf.sinh(p)
    yield "tan", tf.tan(p)
    yield "asin", tf.asin(r)
    yield "expm1", tf.expm1(p)
    yield "xlogy", tf.math.xlogy(p, q)
    yield "xdivy", tf.math.xdivy(p, q)
    yield "popcount", tf.raw_ops.PopulationCount(x=tf.cast(p * 1000, tf.int32))

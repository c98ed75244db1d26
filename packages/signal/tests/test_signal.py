"""Fourier and cosine transforms, frames and windows, as the original builds and computes them."""
import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests
from ossia_testkit.op_samples import old_graph

test_fft = golden_tests(__file__, "fft_cases.py")
test_signal = golden_tests(__file__, "signal_cases.py")

NAMES = ["rfft", "rfft2d", "rfft3d", "irfft", "irfft2d", "irfft3d"]


def run(fetch):
    with tf.Session(graph=fetch.graph) as session:
        return session.run(fetch)


@pytest.mark.parametrize("name", NAMES)
def test_a_length_of_zero_is_refused(name):
    """The original divides by it."""
    dims = int(name[-2]) if name.endswith("d") else 1
    with tf.Graph().as_default():
        value = np.ones((3,) * dims, np.float32 if name[0] == "r" else np.complex64)
        result = getattr(tf.signal, name)(value, [3] * (dims - 1) + [0])
        with pytest.raises(tf.errors.InvalidArgumentError, match="fft_length must be positive"):
            run(result)


@pytest.mark.parametrize("name", ["irfft", "irfft2d", "irfft3d"])
def test_a_spectrum_of_one_number_has_no_even_length(name):
    """The original crashes."""
    with tf.Graph().as_default():
        result = getattr(tf.signal, name)(np.ones((2, 2, 1), np.complex64))
        assert result.shape[-1] == 0
        with pytest.raises(tf.errors.InvalidArgumentError, match="fft_length must be positive"):
            run(result)


@pytest.mark.parametrize("name", NAMES)
def test_transforms_of_nothing_are_zero(name):
    """The original gives what happens to be in memory."""
    dims = int(name[-2]) if name.endswith("d") else 1
    with tf.Graph().as_default():
        op = getattr(tf.raw_ops, name.upper())
        value = np.zeros((2,) * (dims - 1) + (0,), np.float32 if name[0] == "r" else np.complex64)
        result = run(op(input=value, fft_length=[2] * (dims - 1) + [4]))
    assert result.shape == (2,) * (dims - 1) + (3 if name[0] == "r" else 4,)
    assert not result.any()


@pytest.mark.parametrize("name", NAMES)
def test_a_huge_transform_of_nothing_is_refused(name):
    dims = int(name[-2]) if name.endswith("d") else 1
    with tf.Graph().as_default():
        op = getattr(tf.raw_ops, name.upper())
        value = np.zeros((2**20,) + (0,) * dims, np.float32 if name[0] == "r" else np.complex64)
        result = op(input=value, fft_length=[2**30] * dims)
        with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError)):
            run(result)


@pytest.mark.parametrize("suffix, dims", [("", 1), ("2D", 2), ("3D", 3)])
def test_batch_forms_of_old_graphs(suffix, dims):
    value = (np.arange(48.0).reshape(2, 2, 4, 3) * (1 - 0.5j)).astype(np.complex64)
    with old_graph():
        forward = getattr(tf.raw_ops, "BatchFFT" + suffix)(input=value)
        back = getattr(tf.raw_ops, "BatchIFFT" + suffix)(input=forward)
        with tf.Session() as session:
            forward, back = session.run([forward, back])
    np.testing.assert_allclose(forward, np.fft.fftn(value, axes=range(-dims, 0)), rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(back, value, rtol=1e-5, atol=1e-4)
    assert forward.dtype == back.dtype == np.complex64


@pytest.mark.parametrize("dtype, tolerance", [(np.complex64, 1e-6), (np.complex128, 1e-14)])
def test_precision(dtype, tolerance):
    value = np.exp(1j * np.arange(1000.0) ** 2 / 7).astype(dtype)
    with tf.Graph().as_default():
        result = run(tf.signal.ifft(tf.signal.fft(tf.constant(value))))
    assert result.dtype == dtype
    assert np.abs(result - value).max() < tolerance

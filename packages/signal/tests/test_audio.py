"""Spectrograms and cepstral coefficients as the original's audio ops compute them."""
import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_audio = golden_tests(__file__, "audio_cases.py")

POWER = np.ones((1, 2, 129), np.float32)


@pytest.mark.parametrize("options", [
    {"filterbank_channel_count": 0}, {"filterbank_channel_count": -1}, {"dct_coefficient_count": 0},
    {"dct_coefficient_count": -1}, {"upper_frequency_limit": float("inf")}, {"upper_frequency_limit": float("nan")},
    {"lower_frequency_limit": float("nan")},
    {"filterbank_channel_count": 2**31 - 1, "dct_coefficient_count": 2**31 - 1},
], ids=str)
def test_mfcc_refuses_what_is_out_of_range(options):
    """The original ends the process, or says that it computed something."""
    with tf.Graph().as_default(), tf.Session() as session:
        result = tf.raw_ops.Mfcc(spectrogram=POWER, sample_rate=8000, **options)
        with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError)):
            session.run(result)


def test_spectrogram_with_steps_longer_than_its_window():
    """The original fails where the last step ends beyond the samples."""
    sound = np.sin(np.arange(60, dtype=np.float32) / 3)
    with tf.Graph().as_default(), tf.Session() as session:
        result = session.run(tf.raw_ops.AudioSpectrogram(input=sound[:, None], window_size=8, stride=9))
    frames = np.stack([sound[i : i + 8] for i in range(0, 53, 9)]) * (0.5 - 0.5 * np.cos(np.pi * np.arange(8) / 4))
    np.testing.assert_allclose(result[0], np.abs(np.fft.rfft(frames)), rtol=1e-4, atol=1e-5)


def test_a_huge_window_takes_no_memory_without_samples():
    with tf.Graph().as_default(), tf.Session() as session:
        result = tf.raw_ops.AudioSpectrogram(input=np.ones((3, 1), np.float32), window_size=2**31 - 1, stride=1)
        assert session.run(result).shape == (1, 0, 2**30 + 1)


def test_channels_are_independent():
    """The original begins each channel with what is left of the one before."""
    sound = np.sin(np.arange(90, dtype=np.float32) ** 2 / 40).reshape(30, 3)
    with tf.Graph().as_default(), tf.Session() as session:
        channels = [sound, *(sound[:, i : i + 1] for i in range(3))]
        together, *alone = session.run(
            [tf.raw_ops.AudioSpectrogram(input=x, window_size=8, stride=4) for x in channels])
    np.testing.assert_array_equal(together, np.concatenate(alone))

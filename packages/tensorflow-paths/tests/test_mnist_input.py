"""The reader of handwritten digits that programs import from `tensorflow.examples`."""

import gzip
import struct

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths.examples.tutorials.mnist import input_data as mnist


@pytest.fixture
def digits(tmp_path):
    """A folder with files of random images and labels."""
    random = np.random.RandomState(0)
    for name, count in (("train", 60), ("t10k", 20)):
        images = random.randint(0, 256, (count, 28, 28)).astype(np.uint8)
        labels = random.randint(0, 10, count).astype(np.uint8)
        for file, header, data in (
            ("images-idx3", struct.pack(">IIII", 2051, count, 28, 28), images),
            ("labels-idx1", struct.pack(">II", 2049, count), labels),
        ):
            (tmp_path / f"{name}-{file}-ubyte.gz").write_bytes(gzip.compress(header + data.tobytes()))
    return tmp_path


def test_batches_of_digits(digits):
    tf.set_random_seed(7)
    found = mnist.read_data_sets(str(digits), validation_size=10)
    assert [part.num_examples for part in found] == [50, 10, 20]
    assert found.train.images.shape == (50, 784) and found.train.images.dtype == np.float32
    # What TensorFlow 1.15 gives for these files and this seed.
    assert found.train.next_batch(23)[1][:12].tolist() == [4, 4, 9, 5, 5, 6, 5, 2, 6, 8, 2, 2]
    found.train.next_batch(23)
    images, labels = found.train.next_batch(23)
    assert images.shape == (23, 784) and found.train.epochs_completed == 1
    assert labels.tolist() == [6, 9, 8, 9, 4, 2, 5, 0, 7, 6, 6, 1, 2, 6, 0, 0, 6, 4, 3, 8, 4, 2, 7]
    assert found.test.next_batch(6, shuffle=False)[1].tolist() == [0, 3, 4, 0, 8, 4]
    found = mnist.read_data_sets(str(digits), one_hot=True, reshape=False, dtype=tf.uint8, validation_size=0, seed=1)
    images, labels = found.train.next_batch(2)
    assert images.shape == (2, 28, 28, 1) and images.dtype == np.uint8 and labels.shape == (2, 10)
    assert found.validation.num_examples == 0


def test_fake_digits():
    found = mnist.read_data_sets("", fake_data=True, one_hot=True)
    images, labels = found.train.next_batch(2, fake_data=True)
    assert images[0] == [1] * 784 and labels == [[1] + [0] * 9] * 2


def test_digits_that_are_refused(digits):
    with pytest.raises(ValueError, match="between 0 and 60"):
        mnist.read_data_sets(str(digits), validation_size=61)
    with pytest.raises(TypeError, match="expected uint8 or float32"):
        mnist.read_data_sets(str(digits), validation_size=0, dtype=tf.int32)
    labels = digits / "train-labels-idx1-ubyte.gz"
    for content, message in (
        (gzip.compress(struct.pack(">II", 2051, 3)), "Invalid magic number 2051"),
        (gzip.compress(struct.pack(">II", 2049, 0xFFFFFFFF)), "bytes expected"),
        (gzip.compress(b""), "Invalid magic number"),
        (labels.read_bytes()[:-12], "Damaged"),
        (b"no gzip", "Damaged"),
    ):
        labels.write_bytes(content)
        with pytest.raises(ValueError, match=message):
            mnist.read_data_sets(str(digits))
    labels.unlink()
    with pytest.raises(FileNotFoundError, match="nothing is downloaded"):
        mnist.read_data_sets(str(digits))

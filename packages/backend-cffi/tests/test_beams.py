"""Beam search in C: labellings, their order and scores bit for bit those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native
from ossia_testkit import watching

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")


def searched(backend, inputs, lengths, **attrs):
    with watching.chosen(backend), tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(inputs.dtype, inputs.shape)
        found = tf.raw_ops.CTCBeamSearchDecoder(inputs=x, sequence_length=lengths, **attrs)
        parts = [*found.decoded_indices, *found.decoded_values, *found.decoded_shape, found.log_probability]
        try:
            return session.run(parts, {x: inputs})
        except tf.errors.OpError as error:
            return f"{type(error).__name__}: {error.message}"


def same(*args, **attrs):
    expected, got = (searched(backend, *args, **attrs) for backend in ("numpy", "cffi"))
    if isinstance(expected, str) or isinstance(got, str):
        assert got == expected
        return
    for left, right in zip(expected, got, strict=True):
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(right, left)


@pytest.mark.parametrize("seed", range(60))
def test_small_ones(seed):
    """With many scores that are equal, labels that cannot be, and NaN."""
    random = np.random.RandomState(seed)
    times, batch, classes = random.randint(1, 12), random.randint(1, 4), random.randint(1, 7)
    x = (random.randn(times, batch, classes) * random.choice([0, 0.3, 1, 5])).astype(random.choice(["f4", "f8"]))
    if seed % 2:
        x = x.round()
    if seed % 5 == 0:
        x[random.rand(*x.shape) < 0.2] = -np.inf
    if seed % 20 == 1:
        x[0, 0, 0] = np.nan
    width = int(random.choice([1, 2, 3, 5, 10, 40]))
    paths = int(random.randint(1, min(width, 3) + 1))
    lengths = random.randint(0, times + 1, batch).astype("i4")
    same(x, lengths, beam_width=width, top_paths=paths, merge_repeated=bool(seed % 3))


@pytest.mark.parametrize("classes, width", [(80, 30), (200, 7), (33, 1)])
def test_many_classes(classes, width):
    x = np.random.RandomState(classes).randn(30, 2, classes).astype("f4") * 3
    same(x, np.array([30, 20], "i4"), beam_width=width, top_paths=1, merge_repeated=True)


def test_what_is_refused():
    x = np.zeros((4, 2, 3), "f4")
    for lengths in ([5, 1], [-1, 1]):
        same(x, np.array(lengths, "i4"), beam_width=2, top_paths=1)
    same(x, np.array([0, 4], "i4"), beam_width=9, top_paths=5)
    same(x, np.array([4, 4], "i4"), beam_width=1 << 40, top_paths=1)

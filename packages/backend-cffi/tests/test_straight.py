"""Chains that run in registers from the first step to the last: as on NumPy, whatever the steps and the sizes."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
STEPS = [
    lambda h, y, c: h + c, lambda h, y, c: c - h, lambda h, y, c: h * c, lambda h, y, c: tf.maximum(h, c),
    lambda h, y, c: tf.minimum(tf.constant(c), h), lambda h, y, c: h - y, lambda h, y, c: y * h,
    lambda h, y, c: tf.nn.relu(h), lambda h, y, c: -h, lambda h, y, c: tf.abs(h), lambda h, y, c: tf.square(h),
    lambda h, y, c: tf.maximum(y, h), lambda h, y, c: y / h, lambda h, y, c: tf.reciprocal(h),
    lambda h, y, c: tf.squared_difference(h, y),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_as_on_numpy(seed, backend, compiled):
    random = np.random.RandomState(seed)
    size = int(random.choice([1023, 1024, 1025, 1500, 5000, 40_007])) if seed > 1 else (1 << 22) + 5
    first, second = random.randn(2, size).astype("f4")
    first[::7] = [0.0, -0.0, np.nan, np.inf, -np.inf][seed % 5]
    constants = [0.5, -0.0, 1.5, -2.0]
    drawn = [(STEPS[random.randint(len(STEPS))], float(random.choice(constants))) for _ in range(seed % 11 + 2)]
    kept = random.randint(len(drawn) + 1)

    def values():
        with tf.Graph().as_default(), tf.Session() as session:
            x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
            h, fetched = x, []
            for number, (step, constant) in enumerate(drawn):
                h = step(h, y, constant)
                fetched += [h] if number == kept else []
            return session.run([*fetched, h], {x: first, y: second})

    backend("numpy")
    expected = values()
    backend("cffi")
    count = compiled[0]
    for got, wanted in zip(values(), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-6)
        zeros = wanted == 0
        np.testing.assert_array_equal(np.signbit(got[zeros]), np.signbit(wanted[zeros]))
    assert compiled[0] > count


@pytest.mark.parametrize("seed", range(30))
def test_chains_that_branch(seed, backend, compiled):
    """Steps that take any results before them, several times or never, some of which are fetched."""
    random = np.random.RandomState(seed)
    size = int(random.choice([1024, 1279, 5000, 40_007]))
    first, second = random.randn(2, size).astype("f4")
    drawn = [(STEPS[random.randint(len(STEPS))], random.randint(50, size=2), random.choice([0.5, -2.0]))
             for _ in range(random.randint(2, 24))]  # fmt: skip
    fetched = [k for k in range(len(drawn)) if random.randint(4) == 0]

    def values():
        with tf.Graph().as_default(), tf.Session() as session:
            made = [tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])]
            fed = dict(zip(made, (first, second)))
            for step, (a, b), constant in drawn:
                made.append(step(made[a % len(made)], made[b % len(made)], float(constant)))
                made[-1] = tf.clip_by_value(made[-1], -9.0, 9.0)
            ends = made[2:]
            total = ends[-1]
            for value in ends[:-1:3]:
                total = total * value + ends[-1]
            return session.run([*[ends[k] for k in fetched], total], fed)

    backend("numpy")
    expected = values()
    backend("cffi")
    count = compiled[0]
    for got, wanted in zip(values(), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5)
    assert compiled[0] > count

"""Random values, bit for bit those recorded by golden/record_random.py."""

import hashlib
import threading
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from ossia_ops.random.samplers import choices, distributions, philox, rejection
from ossia_ops.random.samplers.candidates import LearnedUnigramSampler
from ossia_ops.random.samplers.philox import Philox, Stream, WordReader

GOLDEN = np.load(Path(__file__).parent / "golden" / "random_golden.npz")
LOGITS = np.linspace(-3, 3, 12).reshape(3, 4).astype(np.float32)
PARAMETERS = np.array([0.01, 0.5, 1.0, 3.0, 9.99, 10.0, 50.0, 3000.0])
FILLS = {
    "RandomUniform": distributions.uniform,
    "RandomStandardNormal": distributions.normal,
    "TruncatedNormal": distributions.truncated_normal,
    "StatelessRandomUniform": distributions.uniform,
    "StatelessRandomNormal": distributions.normal,
    "StatelessTruncatedNormal": distributions.truncated_normal,
}


def draw(op, dtype, size, stream, *bounds):
    """What one run of the op gives, from the kernels' functions."""
    if op == "RandomShuffle":
        return choices.permutation(stream.reserve(choices.groups_of_permutation(size)), size).astype(dtype)
    if op == "Multinomial":
        return choices.categories(stream.reserve(choices.groups_of_categories(3, size)), LOGITS, size, dtype)
    if op in ("RandomGamma", "RandomPoissonV2"):
        make = rejection.gamma if op == "RandomGamma" else rejection.poisson
        parameters = PARAMETERS.astype(dtype) if op == "RandomGamma" else PARAMETERS
        return make(stream.reserve(size * len(PARAMETERS) * 256), size, parameters, dtype)
    start = stream.reserve(size * 256)
    if op == "RandomUniformInt":
        return distributions.uniform_int(start, size, *map(int, bounds), dtype)
    return FILLS[op](start, size, dtype)


@pytest.mark.parametrize("key", GOLDEN.files)
def test_values(key):
    op, name, size, seed, seed2, *bounds = key.split()
    expected = GOLDEN[key]
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    stream = Stream(int(seed), int(seed2))
    if op.startswith("Stateless"):
        stream._position = Philox.stateless(int(seed), int(seed2))
    results = [draw(op, dtype, int(size), stream, *bounds) for _ in expected]
    for result, wanted in zip(results, expected, strict=True):
        if expected.dtype.kind == "U":
            assert hashlib.sha256(result.tobytes()).hexdigest() == wanted
        else:
            assert result.dtype == dtype
            np.testing.assert_array_equal(result.view(np.uint16) if dtype.itemsize == 2 else result, wanted)


@pytest.mark.parametrize(
    "key, counter, expected",
    [
        (0, 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        (2**64 - 1, 2**128 - 1, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (0x299F31D0A4093822, 0x03707344_13198A2E_85A308D3_243F6A88, "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_published_values(key, counter, expected):
    """The known-answer vectors that come with the paper's library, through both implementations."""
    few, many = Philox(key, counter).words(1)[0], Philox(key, counter).words(100)[0]
    assert " ".join(f"{word:08x}" for word in few) == " ".join(f"{word:08x}" for word in many) == expected


@pytest.mark.parametrize("counter", [0, 2**32 - 3, 2**64 - 3, 2**96 - 3, 2**128 - 3])
def test_carries(counter):
    start = Philox(123, counter)
    one_by_one = np.concatenate([start.skip(i).words(1) for i in range(50)])
    np.testing.assert_array_equal(start.words(50), one_by_one)


def test_pieces_do_not_matter(monkeypatch):
    start = Philox.from_seeds(3, 4)
    whole = [fill(start, 999, np.dtype(t)) for fill in set(FILLS.values()) for t in ("f2", "f4", "f8")]
    monkeypatch.setattr(philox, "BLOCK", 13)
    monkeypatch.setattr(distributions, "BLOCK", 17)
    pieces = [fill(start, 999, np.dtype(t)) for fill in set(FILLS.values()) for t in ("f2", "f4", "f8")]
    for a, b in zip(whole, pieces, strict=True):
        np.testing.assert_array_equal(a, b)


def test_word_reader_reads_on():
    start = Philox.from_seeds(1, 2)
    reader = WordReader(start)
    parts = [reader.take(n) for n in (0, 1, 3, 0, 5, 100, 2)]
    np.testing.assert_array_equal(np.concatenate(parts), start.words(28).reshape(-1)[:111])


def test_seeds_that_no_one_knows():
    assert not np.array_equal(Philox.from_seeds(0, 0).words(1), Philox.from_seeds(0, 0).words(1))


def test_threads_get_stretches_of_their_own():
    stream = Stream(1, 2)
    found = []
    threads = [
        threading.Thread(target=lambda: found.extend(stream.reserve(7).counter for _ in range(200))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    base = Philox.from_seeds(1, 2).counter
    assert sorted(counter - base for counter in found) == list(range(0, 1600 * 7, 7))


@pytest.mark.parametrize("rate", [np.nan, np.inf, -np.inf, 1e30])
def test_poisson_always_ends(rate):
    assert (
        np.isnan(rejection.poisson(Philox.from_seeds(1, 2), 3, [rate], np.dtype(np.float16))).all() or rate == -np.inf
    )


@pytest.mark.parametrize("alpha", [np.nan, np.inf, -1.0, 0.0, 1e-300, 1e300])
def test_gamma_always_ends(alpha):
    assert rejection.gamma(Philox.from_seeds(1, 2), 3, [alpha], np.dtype(np.float64)).shape == (3, 1)


@pytest.mark.parametrize("classes", [1, 5, 63, 64, 65, 1000, 100_003])
def test_learned_classes_are_drawn_by_blocks_as_by_all_sums(classes):
    random = np.random.RandomState(0)
    sampler, weights = LearnedUnigramSampler(classes), np.ones(classes, np.int64)
    for step in range(20):
        count, sums = random.randint(1, 60), weights.cumsum()
        words = WordReader(Philox(3, step)).take(count)
        found = sampler.draw(WordReader(Philox(3, step)), count)
        np.testing.assert_array_equal(found, np.searchsorted(sums, words % np.uint32(sums[-1]), side="right"))
        seen = random.randint(-2, classes + 2, 40)
        sampler.learn(seen)
        np.add.at(weights, seen[(seen >= 0) & (seen < classes)], 1)
        expected = weights.astype("f4") / np.float32(weights.sum())
        np.testing.assert_array_equal(sampler.probability(np.arange(classes)), expected)

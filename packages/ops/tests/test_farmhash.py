"""Fingerprints of byte strings: one by one and as arrays; the original's values are in the golden cases of hashing."""
import numpy as np

from ossia_ops.strings.farmhash import fingerprint64, fingerprints64

KNOWN = [11160318154034397263, 12917804110809363939, 6381520714923946011, 17003596230054984852, 577833072005583796]


def test_known_values():
    assert [fingerprint64(text) for text in (b"", b"a", b"hello world", b"x" * 40, b"y" * 200)] == KNOWN


def test_many_agree_with_one():
    rng = np.random.RandomState(0)
    texts = [rng.bytes(size) for size in [*range(140), 1000] for _ in range(9)]
    expected = np.array([fingerprint64(text) for text in texts], np.uint64)
    assert fingerprints64(texts).tolist() == expected.tolist()


def test_none():
    assert fingerprints64([]).shape == (0,)


def test_strings_that_come_again_are_hashed_once():
    random = np.random.RandomState(0)
    words = [bytes(random.randint(0, 256, size, dtype=np.uint8)) for size in (0, 1, 5, 9, 20, 40, 70, 200)]
    texts = [words[i] for i in random.randint(0, len(words), 100)]
    expected = np.array([fingerprint64(text) for text in texts], np.uint64)
    np.testing.assert_array_equal(fingerprints64(texts), expected)

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

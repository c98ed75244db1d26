"""Rounds of rows: each row once in a round, and each position once in all."""

import numpy as np
import pytest

from ossia_ops.state.row_updates import accumulate, rounds


@pytest.mark.parametrize("size", [1, 5, 100, 3000])
@pytest.mark.parametrize("rows", [1, 3, 50, 10**6, 2**31 - 1, 2**40])
def test_rounds(size, rows):
    chosen = np.random.RandomState(0).randint(0, rows, size, np.int64)
    seen = []
    for positions in rounds(chosen):
        own = np.arange(size)[positions]
        assert len(set(chosen[own])) == len(own)
        seen.extend(own.tolist())
    assert sorted(seen) == list(range(size))
    by_row = {}
    for position in seen:
        by_row.setdefault(chosen[position], []).append(position)
    assert all(positions == sorted(positions) for positions in by_row.values())


def test_no_rows():
    assert rounds(np.zeros(0, np.int32)) == []


@pytest.mark.parametrize("rows", [7, 1000])
def test_repeated_rows_count_in_turn(rows):
    random = np.random.RandomState(1)
    target, updates = np.ones((rows, 5)), random.rand(500, 5) + 0.5
    chosen = random.randint(0, rows, 500).astype(np.int32)
    expected = target.copy()
    np.divide.at(expected, chosen, updates)
    accumulate(target, chosen, updates, np.divide)
    np.testing.assert_array_equal(target, expected)

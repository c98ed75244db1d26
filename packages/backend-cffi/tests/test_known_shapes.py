"""Which shapes programs are made and kept for."""

from __future__ import annotations

import types

from ossia_backend_cffi.run.specialisations import KnownShapes


def made_in_rounds(count, rounds, arena_bytes):
    """How many programs are made in each round over so many shapes."""
    known, found = KnownShapes(), []
    for _ in range(rounds):
        made = 0
        for key in range(count):
            there, wanted = known.get(key)
            assert there is None or there.key == key
            if wanted:
                known.put(key, types.SimpleNamespace(key=key, arena_bytes=arena_bytes))
                made += 1
        found.append(made)
    return found


def test_shapes_of_an_array_that_grows_are_kept():
    assert made_in_rounds(40, 4, 1000) == [4, 36, 0, 0]
    assert made_in_rounds(3, 3, 1 << 30) == [3, 0, 0]


def test_a_cycle_of_large_ones_does_not_make_each_anew():
    found = made_in_rounds(20, 40, 1 << 30)
    assert found[:2] == [4, 12]
    assert sum(found[2:]) <= 38 * 20 // 8


def test_shapes_that_never_come_again():
    known = KnownShapes()
    assert [known.get(key)[1] for key in range(3000)].count(True) == 3000  # nothing has been made
    for key in range(4):
        known.put(key, types.SimpleNamespace(arena_bytes=1))
    assert not any(known.get(key)[1] for key in range(10, 3000))


def test_what_is_dropped_is_made_again():
    known = KnownShapes()
    known.put("a", types.SimpleNamespace(arena_bytes=1 << 40))
    known.drop("a")
    known.drop("a")
    assert known.get("a") == (None, True)
    assert made_in_rounds(40, 2, 0) == [4, 36]

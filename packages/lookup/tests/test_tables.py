"""Lookup tables of all kinds, as the original keeps them."""

import numpy as np

import ossia as tf
from ossia_lookup.table_state import Table
from ossia_testkit.golden import golden_tests

test_tables = golden_tests(__file__, "tables_cases.py")


def test_many_numbers_are_found_as_the_table_changes():
    random = np.random.RandomState(0)
    table, expected = Table(tf.int64, tf.float32), {}
    for step in range(120):
        keys = random.randint(0, [50, 10**12][step % 2], random.randint(1, 300))
        values = random.randn(len(keys)).astype("f4")
        if step % 3 == 0:
            table.insert(keys, values)
            expected.update(zip(keys.tolist(), values.tolist(), strict=True))
        elif step % 17 == 1:
            table.remove(keys)
            for key in keys.tolist():
                expected.pop(key, None)
        asked = np.concatenate([keys, random.choice(list(expected), 200)])
        found = table.find(asked, np.float32(-7.0))
        assert found.dtype == np.float32
        assert found.tolist() == [expected.get(key, -7.0) for key in asked.tolist()]

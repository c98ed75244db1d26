"""Indices, sizes and divisors that another thread changes while ops read them: each run gives a value or an error of
its class."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native

STORM = Path(__file__).with_name("index_storm.py")
SHORT = ["gather", "gather_nd", "scatter_add", "sparse_adagrad", "unsorted_segment_sum", "floordiv"]


def storm(seconds, names=(), **environment):
    done = subprocess.run(
        [sys.executable, str(STORM), str(seconds), *names],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, f"{done.returncode}: {done.stdout[-500:]} {done.stderr[-2000:]}"
    return done.stdout.splitlines()


@pytest.mark.parametrize("backend", ["", "numpy"], ids=["c", "numpy"])
def test_changing_indices(backend):
    names = SHORT if not backend else ["gather", "scatter_nd", "raw_bincount"]
    assert len(storm(0.1, names, **({"OSSIA_BACKEND": backend} if backend else {}))) >= 2 * len(names)


@pytest.mark.faults
@pytest.mark.parametrize("backend", ["", "numpy"], ids=["c", "numpy"])
def test_changing_indices_of_all_ops(backend):
    assert len(storm(0.5, **({"OSSIA_BACKEND": backend} if backend else {}))) >= 150


@pytest.mark.skipif(native() is None, reason="built without a compiler")
@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("count", [1, 1023, 1024, 1025, 5000])
@pytest.mark.parametrize("width", [1, 3, 600])
def test_many_rows(count, width, size, compiled):
    """More indices than a kernel reads at a time, repeated ones among them; a bad one anywhere changes nothing."""
    random = np.random.RandomState(count + width)
    rows = random.randint(0, 700, count).astype(f"i{size}")
    start, updates = random.randint(0, 9, (700, width)).astype("f4"), random.randint(0, 9, (count, width)).astype("f4")
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(start, use_resource=False)
        i = tf.placeholder(rows.dtype, [count])
        session.run(v.initializer)
        gathered = tf.gather(v, i) * 2.0
        added = tf.scatter_add(v, i, tf.constant(updates) * 1.0).op
        np.testing.assert_array_equal(session.run(gathered, {i: rows}), start[rows] * 2)
        session.run(added, {i: rows})
        expected = start.copy()
        np.add.at(expected, rows, updates)
        np.testing.assert_array_equal(session.run(v), expected)
        assert compiled[0]
        for place, bad in ((0, -1), (count // 2, 700), (count - 1, np.iinfo(rows.dtype).max)):
            wrong = rows.copy()
            wrong[place] = bad
            for op in (gathered, added):
                with pytest.raises(tf.errors.InvalidArgumentError, match=rf"indices\[{place}\]"):
                    session.run(op, {i: wrong})
        np.testing.assert_array_equal(session.run(v), expected)

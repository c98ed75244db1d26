"""Sets of few elements and of many go different ways to the same results."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_ops.array import sets

RANDOM = np.random.RandomState(0)


@pytest.mark.parametrize("kind", ["i8", "u1", "text"])
@pytest.mark.parametrize("shapes", [((3, 4, 5), (3, 4, 2)), ((2, 0), (2, 3)), ((0, 2), (0, 3)), ((5, 30), (5, 30))])
@pytest.mark.parametrize("name", ["a-b", "b-a", "intersection", "union"])
def test_few_and_many(name, shapes, kind, monkeypatch):
    numbers = [RANDOM.randint(0, 9, shape) for shape in shapes]
    if kind == "text":
        a, b = (np.array([b"%d" % n for n in x.ravel()], object).reshape(x.shape) for x in numbers)
    else:
        a, b = (x.astype(kind) for x in numbers)
    found = []
    for few in (1000, -1):
        monkeypatch.setattr(sets, "_FEW", few)
        with tf.Graph().as_default(), tf.Session() as session:
            parts = tf.raw_ops.DenseToDenseSetOperation(set1=a, set2=b, set_operation=name)
            size = tf.raw_ops.SetSize(set_indices=parts[0], set_values=parts[1], set_shape=parts[2])
            found.append(session.run([*parts, size]))
    for few, many in zip(*found, strict=True):
        assert few.dtype == many.dtype
        np.testing.assert_array_equal(few, many)


def test_sparse_values_are_sets():
    value = tf.SparseTensorValue([[0, 0], [0, 1], [1, 0]], [3, 5, 5], [2, 2])
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(tf.sets.size(value)).tolist() == [2, 1]
        assert session.run(tf.sets.union(value, value)).values.tolist() == [3, 5, 5]

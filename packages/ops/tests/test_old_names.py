"""Names from before TensorFlow 1.0: they build what the new names build."""

import numpy as np
import pytest

import ossia as tf

PAIR = [[1.0, -2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("old", "new", "arguments"),
    [
        ("mul", "multiply", (PAIR, 2.0)),
        ("sub", "subtract", (PAIR, 2.0)),
        ("neg", "negative", (PAIR,)),
        ("inv", "reciprocal", (PAIR,)),
        ("complex_abs", "abs", ([3 + 4j],)),
        ("pack", "stack", ([1, 2], 0)),
        ("unpack", "unstack", (PAIR,)),
        ("concat_v2", "concat", ([PAIR, PAIR], 1)),
        ("split_v", "split", (PAIR, [1, 1], 1)),
        ("select", "where", ([True, False], PAIR, PAIR)),
        ("batch_matmul", "matmul", ([PAIR], [PAIR])),
        ("listdiff", "setdiff1d", ([1, 2, 3], [2])),
    ],
)
def test_old_name(old, new, arguments):
    results, types = [], []
    for name in (old, new):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            results.append(session.run(getattr(tf, name)(*arguments)))
            types.append([op.type for op in graph.get_operations()])
    assert types[0] == types[1]
    np.testing.assert_equal(results[0], results[1])


def test_names_of_their_nodes():
    with tf.Graph().as_default():
        assert tf.pack([1, 2]).op.name == "pack" and tf.unpack([1, 2])[0].op.name == "unpack"
        assert tf.batch_matmul([PAIR], [PAIR], adj_y=True, name="product").op.name == "product"

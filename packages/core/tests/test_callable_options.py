"""Callables that a session makes from CallableOptions."""
import numpy as np
import pytest

import ossia as tf


@pytest.fixture
def callable_of():
    """A function that makes a callable of `c = a + b` from CallableOptions, by their fields."""
    from ossia_core.proto import CallableOptions

    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.placeholder(tf.float32, [], name="a"), tf.constant(2.0, name="b")
        tf.add(a, b, name="c")

        def make(connect=None, **fields):
            options = CallableOptions(**fields)
            if connect:
                options.tensor_connection.add(from_tensor=connect[0], to_tensor=connect[1])
            return session._make_callable_from_options(options)

        make.session = session
        yield make


def test_callables_of_options(callable_of):
    assert callable_of(feed=["a:0"], fetch=["c:0", "b:0"])(np.float32(3.0)) == [5.0, 2.0]
    assert callable_of(feed=["a:0"], target=["c"])(np.float32(3.0)) == []
    assert callable_of(fetch=["c:0"], connect=("b:0", "a:0"))() == [4.0]
    metadata = tf.RunMetadata()
    traced = callable_of(fetch=["b:0"], run_options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE))
    assert traced(run_metadata=metadata) == [2.0] and metadata.step_stats.dev_stats


def test_callables_of_options_refuse(callable_of):
    refused = pytest.raises(tf.errors.InvalidArgumentError, match="Tensor zz:0, .* was not found in the Graph")
    with refused:
        callable_of(fetch=["zz:0"])
    add = callable_of(feed=["a:0"], fetch=["c:0"])
    for values, text in [((), "Expected 1 feed tensors, but got 0"), ((3.0,), "actual double vs. expect float")]:
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            add(*values)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Must specify at least one target"):
        callable_of()
    callable_of.session.close()
    with pytest.raises(tf.errors.CancelledError):
        add(np.float32(1.0))

"""Python functions differentiated by `eager.backprop`, and bodies of functions as GraphDefs."""

import pytest

import ossia as tf
from ossia_tensorflow_paths import finder
from ossia_tensorflow_paths.python.eager import backprop
from ossia_tensorflow_paths.python.framework import func_graph


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def ran(value):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(value)


def test_gradients_by_arguments():
    x = tf.constant(3.0)
    assert ran(backprop.gradients_function(lambda a, b: a * b)(x, x)) == [3.0, 3.0]
    assert ran(backprop.gradients_function(lambda a, b: a * b, params=["b"])(x, 2.0)) == [3.0]
    assert ran(backprop.val_and_grad_function(lambda a: a * a)(x, dy=2.0)) == (9.0, [12.0])
    value, vjp = backprop.make_vjp(lambda a: a * a)(x)
    assert ran([value, vjp(tf.constant(1.0))[0], vjp(tf.constant(2.0))[0]]) == [9.0, 6.0, 12.0]


def test_gradients_by_variables():
    v = tf.Variable(3.0, use_resource=True)
    value, pairs = backprop.implicit_val_and_grad(lambda: v * v)()
    assert [variable for _, variable in pairs] == [v] and ran([value, pairs[0][0]]) == [9.0, 6.0]
    assert ran(backprop.implicit_grad(lambda: v * v)()[0][0]) == 6.0


def test_what_is_refused():
    x = tf.constant(3.0)
    with pytest.raises(ValueError, match="returns None"):
        backprop.gradients_function(lambda a: None)(x)
    with pytest.raises(ValueError, match="No trainable variables"):
        backprop.implicit_grad(lambda: x)()
    with pytest.raises(ValueError, match="all different"):
        backprop.gradients_function(lambda a: a, params=[0, 0])(x)
    with pytest.raises(ValueError, match="cannot receive keyword arguments"):
        backprop.gradients_function(lambda a: a)(a=x)


def test_sums_of_slices():
    first, second = (
        tf.IndexedSlices(tf.constant([v]), tf.constant([i]), tf.constant([4])) for v, i in ((1.0, 0), (2.0, 1))
    )
    made = backprop.aggregate_indexed_slices_gradients([first, None, second])
    assert [list(t) for t in ran([made.values, made.indices])] == [[1.0, 2.0], [0, 1]]
    assert backprop.aggregate_indexed_slices_gradients([None]) is None
    nested = tf.IndexedSlices(first, tf.constant([3, 2]))
    assert list(ran(backprop.flatten_nested_indexed_slices(nested).indices)) == [3]


def test_bodies_as_graph_defs():
    finder.install()
    from tensorflow.python.eager import backprop as served
    from tensorflow.python.eager import def_function, function, wrap_function
    from tensorflow.python.framework import function as defuns

    assert served.implicit_grad is backprop.implicit_grad
    call = tf.function(lambda: tf.constant(1.0))
    assert isinstance(call, def_function.Function)
    assert isinstance(call.get_concrete_function(), function.ConcreteFunction)
    assert wrap_function.WrappedFunction.__name__ == "WrappedFunction"

    @defuns.Defun(tf.float32, tf.float32)
    def halves(a, b):
        found, indices = tf.unique(b)
        return tf.split(a, 2)[1] + found, indices

    made, names = func_graph.function_def_to_graph_def(halves.definition)
    inputs = {node.op: list(node.input) for node in made.node}
    assert inputs["Split"] == ["split/split_dim:0", "a:0"] and inputs["AddV2"] == ["split:1", "Unique:0"]
    assert names["split:output:1"] == "split:1" and names["Unique:idx:0"] == "Unique:1"
    assert names["a"] == "a:0" and names["^split"] == "^split"


def test_concrete_functions_refuse_other_shapes():
    call = tf.function(lambda x: x).get_concrete_function(tf.TensorSpec([None], tf.float32))
    with pytest.raises(ValueError, match="not compatible with the shape this function was traced with"):
        call(tf.constant([[1.0]]))

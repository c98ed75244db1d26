"""`tf.gradients` and the ways to define gradients."""
import numpy as np
import pytest

import ossia as tf
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import unchanged


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


class TestGradients:
    def test_several(self, session):
        x, y = tf.constant(2.0), tf.constant(3.0)
        grads = tf.gradients([x * y, x * x], [x, y, tf.constant(1.0)])
        assert session.run(grads[:2]) == [7.0, 2.0] and grads[2] is None

    def test_initial_gradients(self, session):
        x = tf.constant([1.0, 2.0])
        assert session.run(tf.gradients(x * 3.0, x, [[2.0, 5.0]])[0]).tolist() == [6.0, 15.0]
        for bad in ([[1.0, 1.0], [1.0, 1.0]], [tf.constant([1, 1])]):
            with pytest.raises((TypeError, ValueError)):
                tf.gradients(x * 3.0, x, bad)

    def test_stop_gradients(self, session):
        x = tf.constant(2.0)
        y = x * x
        assert session.run(tf.gradients(y * x, x, stop_gradients=y)[0]) == 4.0
        assert session.run(tf.gradients(tf.stop_gradient(y) * x, x)[0]) == 4.0

    def test_unconnected(self, session):
        x, y = tf.constant([1.0, 2.0]), tf.constant(1.0)
        assert tf.gradients(y, x) == [None]
        assert session.run(tf.gradients(y, x, unconnected_gradients="zero")[0]).tolist() == [0.0, 0.0]
        with pytest.raises(ValueError, match="unconnected_gradients"):
            tf.gradients(y, x, unconnected_gradients="nonsense")

    @pytest.mark.parametrize("method", [0, 1, 2, None])
    def test_aggregation(self, session, method):
        x = tf.constant([1.0, 2.0])
        y = x * 1.0 + x * 2.0 + tf.exp(x) * 0.0 + tf.identity(x)
        np.testing.assert_allclose(session.run(tf.gradients(y, x, aggregation_method=method)[0]), [4.0, 4.0])

    def test_bad_aggregation(self, session):
        x = tf.constant(1.0)
        with pytest.raises(ValueError, match="aggregation_method"):
            tf.gradients(x * x + x, x, aggregation_method=7)

    def test_through_integers_nothing_flows(self, session):
        x = tf.constant(2.5)
        assert tf.gradients(tf.cast(tf.cast(x, tf.int32), tf.float32) * 2.0, x) == [None]

    def test_complex_needs_initial_gradients(self, session):
        x = tf.constant(1 + 2j)
        with pytest.raises(TypeError, match="grad_ys"):
            tf.gradients(x * x, x)
        assert session.run(tf.gradients(x * x, x, tf.constant(1 + 0j, tf.complex128))[0]) == 2 - 4j

    def test_rows(self, session):
        x = tf.Variable(np.ones([4, 2], np.float32))
        session.run(x.initializer)
        rows = tf.gather(x, [1, 3, 1])
        grad = tf.gradients(rows * 2.0, x)[0]
        assert isinstance(grad, tf.IndexedSlices)
        dense = session.run(tf.convert_to_tensor(grad))
        np.testing.assert_array_equal(dense, [[0, 0], [4, 4], [0, 0], [2, 2]])
        mixed = tf.gradients(tf.reduce_sum(rows) + tf.reduce_sum(x), x)[0]
        np.testing.assert_array_equal(session.run(mixed), [[1, 1], [3, 3], [1, 1], [2, 2]])

    @pytest.mark.parametrize("gate", [True, False])
    @pytest.mark.parametrize("colocate", [True, False])
    def test_placement(self, session, gate, colocate):
        with tf.device("/cpu:0"):
            x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
            z = x * y
        grads = tf.gradients(z, [x, y], gate_gradients=gate, colocate_gradients_with_ops=colocate)
        assert [g.tolist() for g in session.run(grads)] == [[3.0, 4.0], [1.0, 2.0]]

    def test_second_order(self, session):
        x = tf.constant(3.0)
        first = tf.gradients(x**3 * tf.sin(x), x)[0]
        second = tf.gradients(first, x)[0]
        expected = 6 * 3.0 * np.sin(3.0) + 6 * 9.0 * np.cos(3.0) - 27.0 * np.sin(3.0)
        assert session.run(second) == pytest.approx(expected, rel=1e-4)

    def test_no_gradient(self, session):
        x = tf.constant([1.0])
        plain_op = op("TestWithoutGradient(x: T) -> y: T", T="type")
        plain_op.shape(unchanged)
        with pytest.raises(LookupError, match="No gradient defined for operation"):
            tf.gradients(plain_op(x), x)

    def test_strangers(self, session):
        x = tf.constant(1.0)
        with tf.Graph().as_default():
            y = tf.constant(1.0)
            with pytest.raises(ValueError):
                tf.gradients(x * 2.0, y)

    def test_cost_grows_linearly(self, session):
        import time

        def cost(size):
            with tf.Graph().as_default():
                y = x = tf.placeholder(tf.float32, [])
                for _ in range(size):
                    y = tf.sin(y)
                began = time.process_time()
                tf.gradients(y, x)
                return (time.process_time() - began) / size
        assert cost(5000) < 5 * min(cost(500) for _ in range(3))


class TestRegistered:
    def test_override(self, session):
        @tf.RegisterGradient("TestTriple")
        def _(op, grad):
            return grad * 3.0
        with session.graph.gradient_override_map({"Square": "TestTriple"}):
            x = tf.constant(2.0)
            y = tf.square(x)
        assert session.run(tf.gradients(y, x)[0]) == 3.0
        with pytest.raises(KeyError):
            tf.RegisterGradient("TestTriple")(None)

    def test_wrong_number(self, session):
        @tf.RegisterGradient("TestPair")
        def _(op, grad):
            return grad, grad
        with session.graph.gradient_override_map({"Square": "TestPair"}):
            x = tf.constant(2.0)
            y = tf.square(x)
        with pytest.raises(ValueError, match="Num gradients 2"):
            tf.gradients(y, x)

    def test_wrong_shape(self, session):
        @tf.RegisterGradient("TestShape")
        def _(op, grad):
            return tf.constant([1.0, 2.0])
        with session.graph.gradient_override_map({"Square": "TestShape"}):
            x = tf.constant([1.0, 2.0, 3.0])
            y = tf.square(x)
        with pytest.raises(ValueError, match="Incompatible shapes between op input and calculated input gradient"):
            tf.gradients(y, x)

    def test_unknown_override(self, session):
        with session.graph.gradient_override_map({"Square": "NowhereRegistered"}):
            x = tf.constant(2.0)
            y = tf.square(x)
        with pytest.raises(LookupError):
            tf.gradients(y, x)

    def test_custom_gradient(self, session):
        @tf.custom_gradient
        def clipped(x):
            return tf.identity(x), lambda grad: tf.clip_by_value(grad, -1.0, 1.0)
        x = tf.constant(5.0)
        assert session.run(tf.gradients(clipped(x) * 10.0, x)[0]) == 1.0

"""Conditionals, loops and TensorArrays: values, structures, gradients, and what is refused."""
import numpy as np
import pytest

import ossia as tf


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


class TestCond:
    def test_structures(self, session):
        p = tf.placeholder(tf.bool, [])
        y = tf.cond(
            p, lambda: {"a": (tf.constant(1), [tf.constant(2.0)])}, lambda: {"a": (tf.constant(3), [tf.constant(4.0)])}
        )
        assert session.run(y, {p: True}) == {"a": (1, [2.0])}
        assert session.run(y, {p: False}) == {"a": (3, [4.0])}

    @pytest.mark.parametrize(
        "true, false, error",
        [
            (lambda: None, lambda: tf.constant(1), ValueError),
            (lambda: 1, lambda: 1.0, ValueError),
            (lambda: (1, 2), lambda: 1, (TypeError, ValueError)),
            (3, lambda: 1, TypeError),
            (None, lambda: 1, TypeError),
        ],
    )
    def test_refused(self, session, true, false, error):
        with pytest.raises(error):
            tf.cond(tf.constant(True), true, false)
        assert tf.get_default_graph()._get_control_flow_context() is None

    def test_a_python_bool_is_refused(self, session):
        with pytest.raises(TypeError, match="Python bool"):
            tf.cond(True, lambda: 1, lambda: 2)

    def test_a_predicate_of_the_wrong_shape(self, session):
        with pytest.raises(ValueError, match="rank 0"):
            tf.cond(tf.constant([True, False]), lambda: 1, lambda: 2)

    def test_gradients(self, session):
        x = tf.placeholder(tf.float32, [])
        y = tf.cond(x > 0, lambda: x * x, lambda: tf.cond(x > -5, lambda: -x, lambda: x * 3.0))
        grad = tf.gradients(y, x)[0]
        assert [session.run(grad, {x: value}) for value in (2.0, -1.0, -7.0)] == [4.0, -1.0, 3.0]

    def test_the_context_is_left_after_an_error(self, session):
        def boom():
            raise KeyError("boom")
        with pytest.raises(KeyError):
            tf.cond(tf.constant(True), boom, lambda: 1)
        assert tf.get_default_graph()._get_control_flow_context() is None


class TestWhile:
    def test_structures_and_composites(self, session):
        sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 2])
        _, state = tf.while_loop(
            lambda i, s: i < 3,
            lambda i, s: (
                i + 1,
                {"x": s["x"] * 2.0, "s": tf.SparseTensor(s["s"].indices, s["s"].values + 1.0, s["s"].dense_shape)},
            ),
            (0, {"x": tf.constant([1.0]), "s": sparse}),
        )
        found = session.run(state)
        assert found["x"].tolist() == [8.0] and found["s"].values.tolist() == [4.0]

    @pytest.mark.parametrize(
        "build, error",
        [
            (lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, []), ValueError),
            (lambda: tf.while_loop(3, lambda i: i, [0]), TypeError),
            (lambda: tf.while_loop(lambda i: i < 3, 3, [0]), TypeError),
            (lambda: tf.while_loop(lambda i: i < 3, lambda i: (i, i), [0]), ValueError),
            (lambda: tf.while_loop(lambda i: i, lambda i: i, [0]), TypeError),
            (lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], parallel_iterations=0), TypeError),
            (
                lambda: tf.while_loop(
                    lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x], 0)), [0, tf.ones([1])]
                ),
                ValueError,
            ),
            (
                lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], shape_invariants=[tf.TensorShape([3])]),
                ValueError,
            ),
        ],
    )
    def test_refused(self, session, build, error):
        with pytest.raises(error):
            build()
        assert tf.get_default_graph()._get_control_flow_context() is None

    def test_tensors_of_a_loop_stay_inside(self, session):
        inside = []

        def body(i):
            inside.append(i + 1)
            return inside[0]
        tf.while_loop(lambda i: i < 3, body, [0])
        with pytest.raises(ValueError, match="in a while loop"):
            inside[0] * 2

    def test_maximum_iterations(self, session):
        n = tf.placeholder(tf.int32, [])
        y = tf.while_loop(lambda i: i < 100, lambda i: i + 1, [0], maximum_iterations=n)
        assert [session.run(y, {n: limit}) for limit in (0, 3, 1000)] == [0, 3, 100]

    def test_order_of_effects(self, session):
        v = tf.Variable(0.0, use_resource=True)
        session.run(v.initializer)

        def body(i):
            with tf.control_dependencies([v.assign(v * 2.0 + tf.cast(i, tf.float32))]):
                return i + 1
        loop = tf.while_loop(lambda i: i < 5, body, [1])
        session.run(loop)
        assert session.run(v) == 26.0

    @pytest.mark.parametrize("steps", [0, 1, 4])
    def test_gradients(self, session, steps):
        x, w, n = tf.placeholder(tf.float32, []), tf.constant(3.0), tf.placeholder(tf.int32, [])
        _, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * w + x), [0, x])
        grads = tf.gradients(y, [x, w])

        def value(x, w):
            y = x
            for _ in range(steps):
                y = y * w + x
            return y
        found = session.run(grads, {x: 2.0, n: steps})
        expected = [
            (value(2.0 + 1e-3, 3.0) - value(2.0 - 1e-3, 3.0)) / 2e-3,
            (value(2.0, 3.0 + 1e-3) - value(2.0, 3.0 - 1e-3)) / 2e-3,
        ]
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-3)

    def test_gradients_of_nested_loops(self, session):
        x = tf.constant(1.5)

        def outer(i, y):
            return i + 1, tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, z * x), [0, y])[1]
        _, y = tf.while_loop(lambda i, y: i < 3, outer, [0, tf.constant(1.0)])
        assert session.run([y, tf.gradients(y, x)[0]]) == pytest.approx([1.5**6, 6 * 1.5**5])

    def test_second_order_is_refused(self, session):
        x = tf.constant(2.0)
        y = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * x), [0, x])[1]
        first = tf.gradients(y, x)[0]
        with pytest.raises(TypeError, match="Second-order"):
            tf.gradients(first, x)

    def test_gradient_through_a_branch_in_a_loop(self, session):
        x = tf.placeholder(tf.float32, [])
        _, y = tf.while_loop(
            lambda i, y: i < 4, lambda i, y: (i + 1, tf.cond(tf.equal(i % 2, 0), lambda: y * x, lambda: y + x)), [0, x]
        )
        found = session.run([y, tf.gradients(y, x)[0]], {x: 2.0})
        assert found == pytest.approx([((2.0 * 2.0 + 2.0) * 2.0) + 2.0, 3 * 4.0 + 2 * 2.0 + 1.0])


class TestTensorArray:
    def test_read_write(self, session):
        array = tf.TensorArray(tf.float32, 3).unstack([[1.0], [2.0], [3.0]])
        assert session.run(array.stack()).tolist() == [[1.0], [2.0], [3.0]]
        assert session.run(array.gather([2, 0])).tolist() == [[3.0], [1.0]] and session.run(array.size()) == 3
        assert session.run(array.concat()).tolist() == [1.0, 2.0, 3.0]

    @pytest.mark.parametrize(
        "build",
        [
            lambda: tf.TensorArray(tf.float32, 2).write(5, 1.0).flow,
            lambda: tf.TensorArray(tf.float32, 2).write(-1, 1.0).flow,
            lambda: tf.TensorArray(tf.float32, 2).read(0),
            lambda: tf.TensorArray(tf.float32, 2).write(0, 1.0).write(0, 2.0).flow,
            lambda: tf.TensorArray(tf.float32, -1).flow,
            lambda: tf.TensorArray(tf.float32, tf.placeholder_with_default([1, 2], [2])).flow,
            lambda: read_twice(),
            lambda: tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0, 3.0]).flow,
            lambda: tf.TensorArray(tf.float32, 2).write(0, tf.constant(1)).flow,
        ],
    )
    def test_misuse(self, session, build):
        with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.OutOfRangeError, ValueError)):
            session.run(build())

    def test_growing(self, session):
        n = tf.placeholder(tf.int32, [])
        array = tf.TensorArray(tf.int32, 0, dynamic_size=True, element_shape=[])
        _, array = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, i * i)), [0, array])
        assert session.run(array.stack(), {n: 4}).tolist() == [0, 1, 4, 9]
        assert session.run(array.stack(), {n: 0}).tolist() == []


def read_twice():
    array = tf.TensorArray(tf.float32, 1).write(0, 1.0)
    first = array.read(0)
    with tf.control_dependencies([first]):
        return array.read(0)

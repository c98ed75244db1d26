"""Second versions of functions, shapes, Jacobians and functional control flow, under the private names of modules."""

import functools

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths import finder
from ossia_tensorflow_paths.python.framework import common_shapes as shape_functions
from ossia_tensorflow_paths.python.framework import function as defun
from ossia_tensorflow_paths.python.framework import ops as graphs
from ossia_tensorflow_paths.python.ops import functional_ops as functional
from ossia_tensorflow_paths.python.ops import second_versions
from ossia_tensorflow_paths.python.ops.parallel_for import control_flow_ops as parallel_for
from ossia_tensorflow_tests.python.ops.parallel_for.test_util import PForTestCase


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def run(fetches):
    with tf.Session() as session:
        return session.run(fetches)


def test_measures_are_constants_only_if_asked_to():
    x = tf.constant([[1.0, 2.0]])
    v = second_versions
    measures = (v.shape_internal, v.size_internal, v.rank_internal)
    assert [f(x, optimize=False).op.type for f in measures] == ["Shape", "Size", "Rank"]
    assert [f(x).op.type for f in measures] == ["Const"] * 3
    assert v.zeros_like_impl(x, None, None, optimize=False).op.type == "ZerosLike"
    assert v.size_v2(x, tf.int64).dtype is tf.int64


def test_second_versions_make_the_same_ops():
    v, x = second_versions, tf.constant([[1.0, 2.0], [0.0, 4.0]])
    found = run({
        "mask": v.boolean_mask_v2(x, [True, False], axis=1), "softmax": v.softmax_v2(x),
        "tile": v.tile_one_dimension(x, 0, 2),
        "count": v.count_nonzero_v2(x, axis=1), "moments": v.moments_v2(x, [0], keepdims=True),
        "loop": v.while_loop_v2(lambda i: i < 3, lambda i: [i + 1], [0]), "gradient": v.gradients_v2(x * x, x),
        "cond": v.cond_for_tf_v2(tf.constant(True), lambda: [x], lambda: [x]),
    })  # fmt: skip
    assert found["mask"].tolist() == [[1.0], [0.0]] and found["count"].tolist() == [2, 1]
    np.testing.assert_allclose(found["softmax"].sum(1), [1.0, 1.0], rtol=1e-6)
    assert found["tile"].shape == (4, 2) and found["moments"][0].tolist() == [[0.5, 3.0]]
    assert found["loop"] == [3] and found["gradient"][0].tolist() == [[2.0, 4.0], [0.0, 8.0]]
    assert isinstance(found["cond"], list)
    assert v.scalar_mul_v2(2.0, x).op.name == "scalar_mul"
    assert v.convert_to_int_tensor([1], "n", tf.int64).op.type == "Cast"
    with pytest.raises(TypeError, match="must be an integer tensor"):
        v.convert_to_int_tensor([1.0], "n")


def test_axes_are_counted_from_the_first():
    positive = second_versions.get_positive_axis
    assert (positive(-1, 3), positive(2, 3), positive(1, None)) == (2, 2, 1)
    for error, axis, rank in ((ValueError, 3, 3), (ValueError, -1, None), (TypeError, "a", 3)):
        with pytest.raises(error):
            positive(axis, rank)


def test_constants_are_filled_with_one_value_or_not_at_all():
    made = [second_versions.constant(value, shape=[2, 2]) for value in (1, [2], [1, 2, 3, 4], [[1, 2], [3, 4]])]
    with tf.Session() as session:
        assert [x.tolist() for x in session.run(made)] == [[[1, 1], [1, 1]], [[2, 2], [2, 2]]] + [[[1, 2], [3, 4]]] * 2
    for value in ([1, 2], [[1]], [1, 2, 3, 4, 5]):
        with pytest.raises(TypeError, match=r"Expected Tensor's shape: \(2, 2\), got"):
            second_versions.constant(value, shape=[2, 2])
    assert second_versions.constant([1, 2], tf.float32, name="c").op.name == "c"


def test_pools_of_the_second_versions():
    v, x = second_versions, tf.ones([1, 4, 4, 2])
    assert v.avg_pool2d(input=x, ksize=2, strides=2, padding="VALID").op.name == "AvgPool2D"
    kernel, ones = tf.zeros([1, 1, 2]), [1] * 4
    found = [f(x, kernel, ones, "SAME", "NHWC", ones) for f in (v.dilation2d_v2, v.erosion2d_v2)]
    assert [y.shape.as_list() for y in found] == [[1, 4, 4, 2]] * 2
    for f in (v.dilation2d_v2, v.erosion2d_v2):
        with pytest.raises(ValueError, match="NHWC"):
            f(x, kernel, ones, "SAME", "NCHW", ones)


def test_convolutions_of_the_second_versions():
    v, x = second_versions, tf.ones([1, 4, 4, 2])
    filters = tf.ones([2, 2, 2, 3])
    assert v.conv2d_v2(x, filters, 2, "VALID").shape == [1, 2, 2, 3]
    assert v.convolution_v2(x, filters).shape == [1, 3, 3, 3]
    assert v.pool_v2(x, [2, 2], "MAX").shape == [1, 3, 3, 2]
    assert v.conv2d_transpose_v2(x, tf.ones([2, 2, 3, 2]), [1, 8, 8, 3], 2).shape == [1, 8, 8, 3]


@pytest.mark.parametrize(
    ("x", "y", "together"),
    [
        (None, [1], None), ([2, 3], [3], [2, 3]), ([None, 3], [2, 1], [2, 3]), ([None], [None], [None]),
        ([None], [1], [None]), ([5, 1, 4], [3, 1], [5, 3, 4]),
    ],
)  # fmt: skip
def test_broadcast_shapes(x, y, together):
    found = shape_functions.broadcast_shape(tf.TensorShape(x), tf.TensorShape(y))
    assert (None if found.ndims is None else found.as_list()) == together
    assert shape_functions.is_broadcast_compatible(tf.TensorShape(x), tf.TensorShape(y)) is (together is not None)


def test_shapes_of_nodes():
    op = tf.matmul(tf.placeholder(tf.float32, [2, None]), tf.placeholder(tf.float32, [None, 4])).op
    s = shape_functions
    assert s.matmul_shape(op)[0].as_list() == [2, 4] and s.unchanged_shape(op)[0].as_list() == [2, None]
    assert s.get_conv_output_size((5, None), (2, 2), (1, 2), b"VALID") == (4, None)
    assert s.get2d_conv_output_size(5, 6, 2, 2, 1, 2, b"SAME") == (5, 3)
    with pytest.raises(ValueError, match="Incompatible shapes for broadcasting"):
        s.broadcast_shape(tf.TensorShape([2]), tf.TensorShape([3]))
    with pytest.raises(ValueError):
        s.unchanged_shape_with_rank(3)(op)


def test_jacobians():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    whole, by_row, none = run([
        parallel_for.jacobian(x * x, x), parallel_for.batch_jacobian(x * x, x),
        parallel_for.pfor(lambda i: {"row": tf.gather(x, i), "number": i}, 2),
    ])  # fmt: skip
    assert whole.shape == (2, 2, 2, 2) and whole[1, 0, 1, 0] == 6.0 and whole.sum() == 20.0
    assert by_row.tolist() == [[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]]
    assert none["row"].tolist() == [[1.0, 2.0], [3.0, 4.0]] and none["number"].tolist() == [0, 1]
    assert parallel_for.jacobian(x * 2, [x, tf.constant(1.0)])[1] is None
    for parallel in (0, 1):
        with pytest.raises(ValueError):
            parallel_for.pfor(lambda i: i, 2, parallel_iterations=parallel)


def test_stacked_results_and_reductions():
    x = tf.constant(np.arange(24.0).reshape(4, 3, 2))

    def spread(i, pfor_config):
        row = tf.gather(x, i)
        mean = pfor_config.reduce_mean(row)
        return row - mean, pfor_config.reduce_sum((row - mean) ** 2), pfor_config.reduce_concat(row)

    centered, squares, rows = parallel_for.pfor(spread, 4)
    assert centered.shape.as_list() == squares.shape.as_list() == [4, 3, 2] and rows.shape.as_list() == [4, 4, 3, 2]
    values = np.arange(24.0).reshape(4, 3, 2)
    found = run([centered, squares, rows])
    np.testing.assert_allclose(found[0], values - values.mean(0))
    np.testing.assert_allclose(found[1], np.tile(((values - values.mean(0)) ** 2).sum(0), (4, 1, 1)))
    np.testing.assert_array_equal(found[2], np.tile(values, (4, 1, 1, 1)))
    fixed = functools.partial(lambda i, pfor_config: i * pfor_config, pfor_config=2)
    assert run(parallel_for.pfor(fixed, 3)).tolist() == [0, 2, 4]
    with pytest.raises(ValueError, match="unsupported if reductions across iterations"):
        parallel_for.pfor(spread, 4, parallel_iterations=2)

    sparse = parallel_for.pfor(lambda i: tf.SparseTensor([[i]], [i], [3]), 3)
    assert run(sparse).indices.tolist() == [[0, 0], [1, 1], [2, 2]] and sparse.shape.ndims == 2
    count = tf.get_variable("count", initializer=0, use_resource=True)
    nothing, done = parallel_for.pfor(lambda i: (None, count.assign_add(i, read_value=False)), 4)
    assert nothing is None
    with tf.Session() as session:
        session.run(count.initializer)
        session.run(done)
        assert session.run(count) == 6


def test_cases_of_loops():
    class Loops(PForTestCase):
        def check(self):
            self._test_loop_fn(lambda i: tf.cast(i, tf.float32) * 2.0, 3)
            with self.assertRaises(AssertionError):
                self.run_and_assert_equal([tf.constant(1.0)], [tf.constant(2.0)])

    Loops("check").check()


def test_results_of_numbers_that_are_no_tensors():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    row, five, nothing, done = parallel_for.pfor(lambda i: (tf.gather(x, i), 5, None, tf.no_op()), tf.constant(2))
    assert (row.shape.as_list(), five.shape.as_list(), nothing) == ([2, 2], [2], None)
    assert isinstance(done, tf.Operation) and run([five, done])[0].tolist() == [5, 5]
    count = tf.placeholder_with_default(1, [])
    assert parallel_for.pfor(lambda i: i, count).shape.as_list() == [None]


def test_functional_control_flow():
    @defun.Defun(tf.int32, tf.float32)
    def body(i, v):
        return tf.cast(i, tf.float32) + v

    @defun.Defun(tf.float32)
    def double(x):
        return x * 2

    f = functional
    assert run([
        f.For(0, 5, 1, [0.0], body), f.For(0, 5, 1, [0.0], body, rewrite_with_while=True),
        f.For(5, 0, -2, [0.0], body, rewrite_with_while=True), f.symbolic_gradient([3.0, 1.0], [tf.float32], double),
        f.partitioned_call([tf.constant(2.0)], double),
    ]) == [[10.0], [10.0], [9.0], [2.0], [4.0]]  # fmt: skip
    with pytest.raises(ValueError, match="Wrong number of arguments"):
        f.partitioned_call([], double)
    for rewritten, count in ((False, 2), (True, 5)):
        said = f"Expects {count} arguments, but {count + 1} is provided"
        with pytest.raises(tf.errors.InvalidArgumentError, match=said):
            run(f.For(0, 5, 1, [0.0, 1.0], body, rewrite_with_while=rewritten))
    with pytest.raises(ValueError, match="signatures do not match"):
        f.While([0.0], body, double)


def test_bodies_use_tensors_of_the_graph_around_them():
    three = tf.constant(3.0)

    @defun.Defun(tf.int32, tf.float32)
    def body(i, x):
        return tf.cast(i, tf.float32) + x * three

    @defun.Defun(tf.float32, tf.float32)
    def more(n, x):
        return n > 0

    @defun.Defun(tf.float32, tf.float32)
    def step(n, x):
        return n - 1, x * three

    loop = functional.For(0, 5, 1, [1.0], body, rewrite_with_while=True, hostmem=[0])
    assert loop[0].op.type == "While" and list(loop[0].op.get_attr("_input_hostmem")) == [0, 1, 2, 3, 4]
    numbers = functional.For(0, 5, 1, [1.0], body, hostmem=[0])
    op = numbers[0].op
    assert op.type == "For" and (op.get_attr("_input_hostmem"), op.get_attr("_output_hostmem")) == ([3], [0])
    assert run([loop, numbers, functional.While([4.0, 1.0], more, step)]) == [[301.0], [301.0], [0.0, 81.0]]


def test_calls_without_results_are_ops():
    v = tf.get_variable("v", initializer=1.0, use_resource=True)

    @defun.Defun()
    def add():
        v.assign_add(1.0)

    call = functional.partitioned_call(add.captured_inputs, add)
    assert (call.name, call.type) == ("PartitionedFunctionCall", "StatefulPartitionedCall")
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(call)
        assert session.run(v) == 2.0


def test_tensors_and_scopes_of_graphs():
    slices = tf.IndexedSlices(tf.ones([1]), tf.constant([0]))
    assert graphs.convert_to_tensor_or_composite(slices) is slices
    assert graphs.convert_n_to_tensor_or_composite([None, slices]) == [None, slices]
    assert graphs.convert_to_tensor_v2([1], dtype_hint=tf.float32).dtype is tf.float32
    with pytest.raises(ValueError, match="requested dtype int32"):
        graphs.convert_to_tensor_or_composite(slices, tf.int32)
    with pytest.raises(RuntimeError, match="does not support functions"):
        graphs.device_v2(lambda op: "")
    with pytest.raises(ValueError, match="must be a string"):
        graphs.name_scope_v2(None)
    stack = graphs._DefaultStack()
    with stack.get_controller("a"):
        assert stack.get_default() == "a"
    assert stack.is_cleared()


def test_modules_serve_them():
    finder.install()
    from tensorflow.python.client.session import register_session_run_conversion_functions  # noqa: F401
    from tensorflow.python.framework import common_shapes, constant_op, tensor_util
    from tensorflow.python.framework import ops as framework_ops
    from tensorflow.python.ops import array_ops, control_flow_ops, gradients_impl, math_ops, nn_impl, nn_ops, string_ops
    from tensorflow.python.ops.parallel_for import gradients

    v = second_versions
    assert array_ops.shape_internal is v.shape_internal and nn_ops.conv2d_v2 is v.conv2d_v2
    assert nn_impl.moments_v2 is v.moments_v2 and math_ops.count_nonzero_v2 is v.count_nonzero_v2
    assert gradients_impl.gradients_v2 is v.gradients_v2 and control_flow_ops.while_loop_v2 is v.while_loop_v2
    assert string_ops.substr_v2 is v.substr_v2 and constant_op.is_constant is v.is_constant
    assert tensor_util.shape_tensor is v.shape_tensor and gradients.jacobian is parallel_for.jacobian
    assert common_shapes.broadcast_shape is shape_functions.broadcast_shape
    assert framework_ops._DefaultStack is graphs._DefaultStack
    assert framework_ops.get_collection_proto_type(tf.GraphKeys.GLOBAL_VARIABLES) is not None
    assert framework_ops.get_to_proto_function("no collection") is None


def test_mapped_functions_are_compared_with_loops():
    class Test(PForTestCase):
        def runTest(self):
            x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
            self._test_loop_fn(lambda i: tf.gather(x, i), 2)
            with self.assertRaises(AssertionError):
                self.run_and_assert_equal([x], [x + 1.0])

    assert Test().run().wasSuccessful()

"""What errors of scatters and of sparse products say about shapes and indices, as programs look for it."""

import pytest

import ossia as tf

ERROR = tf.errors.InvalidArgumentError


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def run(tensor):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(tensor)


@pytest.mark.parametrize(
    ("indices", "updates", "shape", "message"),
    [
        ([[0]], [1, 2], [2], r"The outer 1 dimensions of indices\.shape=\[1,1\] must match .* updates\.shape=\[2\]"),
        ([[0], [1]], [[1], [2]], [2], r"The inner 0 dimensions of output\.shape=\[\?\] must match the inner 1 dim"),
        ([[0]], [1], [0], "Indices and updates specified for empty output shape"),
    ],
)
def test_static_shapes(indices, updates, shape, message):
    with pytest.raises(ValueError, match=message):
        tf.scatter_nd(indices, updates, shape)


@pytest.mark.parametrize(
    ("indices", "updates", "shape", "message"),
    [
        ([[0]], [1, 2], [2], r"Outer dimensions of indices and update must match\. .*\[1,1\], updates shape:\[2\]"),
        ([[0], [1]], [[1], [2]], [2], r"Inner dimensions of output shape must match .* Output: \[2\] updates: \[2,1\]"),
        ([[0]], [1], [0], r"Indices and updates specified for empty output\.  indices shape: \[1,1\]"),
    ],
)
def test_shapes_of_a_run(indices, updates, shape, message):
    fed = [tf.placeholder_with_default(value, None) for value in (indices, updates, shape)]
    with pytest.raises(ERROR, match=message):
        run(tf.scatter_nd(*fed))


def test_updates_of_a_variable():
    updates = tf.placeholder_with_default([[1.0], [2.0]], None)
    indices = tf.placeholder_with_default([[0]], None)
    with pytest.raises(ERROR, match=r"outermost dimension .* must match\. Got indices\.shape \[1,1\], updates\.shape"):
        run(tf.scatter_nd_update(tf.Variable(tf.zeros([2, 2])), indices, updates))


@pytest.mark.parametrize(
    ("index", "adjoint", "message"),
    [
        ([0, 5], False, r"k \(5\) from index\[0,1\] out of bounds \(>=2\)"),
        ([3, 1], False, r"m \(3\) from index\[0,0\] out of bounds \(>=1\)"),
        ([0, -1], False, r"k \(-1\) from index\[0,1\]"),
        ([6, 0], True, r"k \(6\) from index\[0,0\] out of bounds \(>=1\)"),
        ([0, 6], True, r"m \(6\) from index\[0,1\] out of bounds \(>=2\)"),
    ],
)
def test_sparse_products(index, adjoint, message):
    sparse = tf.SparseTensor(tf.constant([index], tf.int64), [1.0], [1, 2])
    with pytest.raises(ERROR, match=message):
        run(tf.sparse_tensor_dense_matmul(sparse, tf.ones([1, 2] if adjoint else [2, 1]), adjoint_a=adjoint))


_REFUSED = [
    ([], [[]], [1.0], "empty output shape", "at least rank 1 but is rank 0"),
    ([], [[0]], [1.0], "Inner dimensions of output|empty output shape", "at least rank 1 but is rank 0"),
    ([4], 0, 1.0, r"Indices shape must have rank at least one\. Found:\[\]", "at least rank 1 but is rank 0"),
    ([4], [0], 1.0, r"Updates shape must have rank at least one\. Found:\[\]", "at least rank 1 but is rank 0"),
    ([4], [[], []], [[1.0] * 4] * 2, "Indices and updates specified for empty output shape", None),
    ([3, 0], [[1]], [[]], "Indices and updates specified for empty output shape", None),
    ([4], [[0]], [], "empty output shape", r"The outer 1 dimensions of indices\.shape=\[1,1\]"),
    ([4], [[0], [1]], [[1.0], [2.0]], "Inner dimensions of output shape must match", "The inner 0 dimensions of out"),
    ([4, 3], [[0], [1]], [[1.0, 2.0]] * 2, r"The inner 1 dimensions of output\.shape=\[4,3\] must match the inner 1 "
     r"dimensions of updates\.shape=\[2,2\]", "The inner 1 dimensions of output"),
    ([4], [[0, 1]], [[1.0]], "Inner dimensions of output shape must match", "The inner -1 dimensions of output"),
    ([4], [[[0], [1]]], [1.0], "Outer dimensions of indices and update must match", "Shapes must be equal rank"),
]


@pytest.mark.parametrize("name", ["tensor_scatter_add", "tensor_scatter_sub", "tensor_scatter_update"])
@pytest.mark.parametrize(("shape", "indices", "updates", "of_run", "of_build"), _REFUSED)
def test_updates_of_a_tensor(name, shape, indices, updates, of_run, of_build):
    values = [tf.zeros(shape), tf.constant(indices, tf.int32), tf.constant(updates, tf.float32)]
    scatter = getattr(tf, name)
    with pytest.raises(ERROR, match=of_run):
        run(scatter(*[tf.placeholder_with_default(value, None) for value in values]))
    if of_build is not None:
        with pytest.raises(ValueError, match=of_build):
            scatter(*values)


def test_no_updates_of_a_tensor():
    empty = tf.zeros([0, 1], tf.int32)
    assert run(tf.tensor_scatter_add(tf.ones([2]), empty, tf.zeros([0]))).tolist() == [1.0, 1.0]
    assert run(tf.tensor_scatter_add(tf.ones([0]), tf.zeros([1, 0], tf.int32), tf.zeros([1, 0]))).tolist() == []
    with pytest.raises(ERROR, match="Requested rank: 0"):
        run(tf.tensor_scatter_add(tf.ones([4]), tf.zeros([0, 0], tf.int32), tf.zeros([0, 4])))

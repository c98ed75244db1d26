"""Lists of tensors inside of programs: each version stays what it is, whatever is made of it."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf

from .conftest import needs_native

pytestmark = needs_native
ops = tf.raw_ops
X = np.random.RandomState(0).randn(5, 3).astype("f4")


def empty(length=5, shape=(3,), dtype=tf.float32):
    return ops.TensorListReserve(element_shape=np.array(shape, "i4"), num_elements=length, element_dtype=dtype)


def of(x):
    return ops.TensorListFromTensor(tensor=x, element_shape=tf.constant([3]))


def put(made, index, item):
    return ops.TensorListSetItem(input_handle=made, index=index, item=item)


def got(made, index):
    return ops.TensorListGetItem(input_handle=made, index=index, element_shape=[3], element_dtype=tf.float32)


def stack(made, shape=(3,), dtype=tf.float32):
    shape = tf.constant(shape) if shape else -1
    return ops.TensorListStack(input_handle=made, element_shape=shape, element_dtype=dtype)


def loop(n, body, *start):
    shapes = [tensor.shape for tensor in map(tf.convert_to_tensor, start)]
    return tf.while_loop(
        lambda i, *_: i < n, lambda i, *a: (i + 1, *body(i, *a)), [0, *start], [tf.TensorShape([]), *shapes],
    )[1:]


def filled(x, n):
    return [stack(*loop(n, lambda i, made: [put(made, i, x[i] * 2.0)], empty()))]


def changed(x, n):
    """The list that a tensor became, changed; the tensor stays what it is."""
    y = x * 2.0
    made = of(y)
    return [stack(*loop(n, lambda i, made: [put(made, i, got(made, i) + 1.0)], made)), y, stack(made)]


def of_feed(x, n):
    return [stack(*loop(n, lambda i, made: [put(made, 4 - i, got(made, i) + 1.0)], of(x))), x + 0.0]


def as_it_was(x, n):
    """What is read from a list after another one was made of it."""
    def body(i, made, total):
        other = put(made, i, -x[i])
        return other, total + got(made, i) * 2.0 + got(other, i)
    made, total = loop(n, body, of(x + 1.0), tf.zeros([3]))
    return [stack(made), total]


def two_of_one(x, n):
    """Two loops change one list, each its own."""
    made = put(empty(), 1, x[0])
    first = loop(n, lambda i, made: [put(made, i, x[i])], made)[0]
    second = loop(n, lambda i, made: [put(made, i, -x[i])], made)[0]
    return [stack(first), stack(second), stack(made)]


def two_in_one(x, n):
    made = of(x)
    a, b = loop(n, lambda i, a, b: (put(a, i, got(b, i) * 2.0), put(b, 0, x[i])), made, made)
    return [stack(a), stack(b)]


def nested(x, n):
    def outer(i, made, total):
        inner = loop(i, lambda j, inner, total: (put(inner, j, x[i]), total + got(inner, 4)), made, total)
        return put(made, i, tf.reduce_sum(stack(inner[0]), 0)), inner[1]
    made, total = loop(n, outer, of(x), tf.zeros([3]))
    return [stack(made), total]


def added(x, n):
    def body(i, total):
        return [ops.AddN(inputs=[total, put(empty(), i % 2, x[i])])]
    total = loop(n, body, empty())[0]
    other = loop(n, lambda i, a: [ops.AddN(inputs=[a, put(put(empty(), 0, x[0]), 1, x[i]), of(x)])], total)[0]
    return [stack(total), stack(other), stack(ops.ZerosLike(x=other))]


def gathered(x, n):
    def body(i, made, total):
        made = ops.TensorListScatterIntoExistingList(input_handle=made, tensor=x[:2] + total[:2], indices=[i, i])
        taken = ops.TensorListGather(
            input_handle=made, indices=[i, 0, i], element_shape=tf.constant([3]), element_dtype=tf.float32
        )
        return made, total + taken
    made, total = loop(n, body, of(x), tf.zeros([3, 3]))
    return [stack(made), total, ops.TensorListLength(input_handle=made)]


def pushed(x, n):
    made = ops.EmptyTensorList(element_shape=tf.constant([3]), max_num_elements=-1, element_dtype=tf.float32)
    made = loop(n, lambda i, made: [ops.TensorListPushBack(input_handle=made, tensor=x[i] + 1.0)], made)[0]

    def back(i, made, total):
        made, item = ops.TensorListPopBack(input_handle=made, element_shape=[3], element_dtype=tf.float32)
        return made, total * 2.0 + item
    return [loop(n, back, made, tf.zeros([3]))[1]]


def whole_numbers(x, n):
    i = tf.cast(x * 10.0, tf.int64)
    made = loop(n, lambda k, made: [put(made, k, i[k] * 3)], empty(dtype=tf.int64))[0]
    truths = loop(n, lambda k, made: [put(made, k, x[k] > 0)], empty(dtype=tf.bool))[0]
    return [stack(made, dtype=tf.int64), stack(truths, dtype=tf.bool)]


CASES = [
    *(filled, changed, of_feed, as_it_was, two_of_one, two_in_one, nested, added, gathered, pushed, whole_numbers),
]


def results(case, n, monkeypatch, name):
    monkeypatch.setenv("OSSIA_BACKEND", name)
    with tf.Graph().as_default(), tf.Session() as session:
        x, count = tf.placeholder(tf.float32, [5, 3]), tf.placeholder(tf.int32, [])
        fetches = case(x, count)
        return [session.run(fetches, {x: X + k, count: n}) for k in range(3)]


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("case", CASES)
def test_lists(case, n, monkeypatch, compiled):
    expected = results(case, n, monkeypatch, "numpy")
    assert not compiled[0]
    got = results(case, n, monkeypatch, "cffi")
    assert compiled[0]
    for a, b in zip(got, expected, strict=True):
        for one, other in zip(a, b, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


REFUSED = {
    "beyond": (lambda x, n: stack(*loop(n, lambda i, made: [put(made, i + 3, x[i])], empty())), "element 5"),
    "before": (lambda x, n: loop(n, lambda i, a: [a + got(of(x), i - 1)], tf.zeros([3]))[0], "element -1"),
    "unset": (lambda x, n: stack(loop(n, lambda i, made: [put(made, 0, x[i])], empty(shape=()))[0], ()), None),
    "popped": (
        lambda x, n: loop(n, lambda i, made, a: ops.TensorListPopBack(
            input_handle=made, element_shape=[3], element_dtype=tf.float32
        ), of(x[:2]), x[0])[1],
        "pop from an empty",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_refused_as_on_numpy(case, monkeypatch):
    build, text = REFUSED[case]
    found = []
    for name in ("numpy", "cffi"):
        monkeypatch.setenv("OSSIA_BACKEND", name)
        with tf.Graph().as_default(), tf.Session() as session:
            x, n = tf.placeholder(tf.float32, [5, 3]), tf.placeholder(tf.int32, [])
            fetch = build(x, n)
            with pytest.raises(tf.errors.InvalidArgumentError, match=text) as caught:
                session.run(fetch, {x: X, n: 3})
            found.append(str(caught.value))
    assert found[0] == found[1]


READERS = {
    "stack": lambda made, shape: ops.TensorListStack(input_handle=made, element_shape=shape, element_dtype=tf.float32),
    "gather": lambda made, shape: ops.TensorListGather(
        input_handle=made, indices=[0, 2], element_shape=shape, element_dtype=tf.float32
    ),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("wanted", [[3], [2], [-1], [3, 1], [-2]])
def test_fed_shapes_of_elements_are_checked(reader, wanted):
    x, shape = tf.placeholder(tf.float32, X.shape), tf.placeholder(tf.int32, [None])
    y = READERS[reader](of(x * 2.0), shape) + 1.0

    def run():
        with tf.Session() as session:
            return session.run(y, {x: X, shape: wanted})

    if wanted in ([3], [-1]):
        np.testing.assert_array_equal(run(), X[slice(None) if reader == "stack" else [0, 2]] * 2 + 1)
    else:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible|must be >= -1"):
            run()


def test_lengths_that_are_vectors():
    with tf.Session() as session:
        made = put(empty([5]), 1, tf.constant(X[1]) * 2.0)
        np.testing.assert_array_equal(session.run(got(made, 1) * 2.0), X[1] * 4)

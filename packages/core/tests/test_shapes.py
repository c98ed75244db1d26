"""Shapes and dimensions: values, errors and comparisons as TensorFlow 1.15 has them."""

import copy
import pickle

import numpy as np
import pytest

import ossia as tf
from ossia_core.names import shapes
from ossia_core.names.dtypes import float32
from ossia_core.names.errors import OperatorNotAllowedInGraphError
from ossia_core.names.shapes import Dimension as D
from ossia_core.names.shapes import TensorShape as T

a, n = D(3), D(None)
s, u, z = T([2, None, 3]), T(None), T([])


def raises(error, call):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize(
    "value,size",
    [
        ("3", 3),
        (2.0, 2),
        (True, 1),
        (np.int64(3), 3),
        (np.float32(3), 3),
        (a, 3),
        (2**63, 2**63),
        (None, None),
        (n, None),
    ],
)
def test_dimension_values(value, size):
    assert D(value).value == size
    assert T([value]).as_list() == [size]


@pytest.mark.parametrize(
    "value,error",
    [
        (-1, ValueError),
        (2.5, ValueError),
        ("x", ValueError),
        (float32, TypeError),
        ([1], TypeError),
        (object(), TypeError),
    ],
)
def test_dimension_refuses(value, error):
    raises(error, lambda: D(value))
    raises(error, lambda: T([value]))


ARITHMETIC = [
    (a + 1, 4), (1 + a, 4), (a + n, None), (a + None, None), (a - 1, 2), (5 - a, 2), (a - n, None), (a * 2, 6),
    (2 * a, 6), (a * n, None),
    (a // 2, 1), (7 // a, 2), (a // n, None), (a % 2, 1), (7 % a, 1), (a % n, None), (n // 0, None), (None - a, None),
    (np.int64(2) * a, 6),
    (sum(T([2, 3])), 5), (max(T([2, 3])), 3),
]  # fmt: skip


@pytest.mark.parametrize("result,value", ARITHMETIC)
def test_arithmetic(result, value):
    assert isinstance(result, D) and result.value == value


@pytest.mark.parametrize(
    "call,error",
    [
        (lambda: a - 5, ValueError), (lambda: a + "x", TypeError), (lambda: a + 2.5, TypeError),
        (lambda: a + -5, TypeError), (lambda: a / 2, TypeError),
        (lambda: 2 / a, TypeError), (lambda: n / 2, TypeError), (lambda: a // 0, ZeroDivisionError),
        (lambda: a % 0, ZeroDivisionError), (lambda: -a, TypeError),
        (lambda: a**2, TypeError), (lambda: divmod(a, 2), TypeError), (lambda: a < "x", ValueError),
        (lambda: a < -1, ValueError), (lambda: a < 2.5, ValueError),
        (lambda: int(n), TypeError), (lambda: hash(a), TypeError), (lambda: {}[a], TypeError),
        (lambda: a.merge_with(4), ValueError), (lambda: a.assert_is_compatible_with(4), ValueError),
    ],
)  # fmt: skip
def test_dimension_errors(call, error):
    raises(error, call)


def test_dimension_comparisons():
    assert (a == 3, a == D(4), a == "x", a == -1, a == "3", a == [3], a == 3.0, 3 == a) == (
        True,
        False,
        False,
        False,
        True,
        False,
        True,
        True,
    )
    assert (a != 3, a != D(4), a != "x") == (False, True, True)
    assert [a == n, n == n, a != n, n != n, a < n, n < 3, a > n, a >= None] == [None] * 8
    assert (n == None) is None and (a == None) is None  # noqa: E711
    assert (a < 4, a <= 3, a > 2, a >= 3, a > 3) == (True, True, True, True, False)
    assert list(a == np.array([3, 4])) == [True, False]
    assert bool(D(0)) and bool(n)


def test_dimension_as_number():
    assert int(a) == range(5)[a] == np.zeros((a, 2)).shape[0] == 3
    assert (str(a), repr(a), str(n), repr(n), f"{a}", format(int(a))) == (
        "3",
        "Dimension(3)",
        "?",
        "Dimension(None)",
        "3",
        "3",
    )
    assert pickle.loads(pickle.dumps(a)) == a
    assert shapes.as_dimension(a) is a and shapes.as_dimension(3) == 3


def test_dimension_compatibility():
    assert [a.is_compatible_with(x) for x in (3, n, 4, None)] == [True, True, False, True]
    assert [a.merge_with(3).value, a.merge_with(n).value, n.merge_with(3).value, n.merge_with(None).value] == [
        3,
        3,
        3,
        None,
    ]


@pytest.mark.parametrize(
    "value,dims",
    [(3, [3]), (D(3), [3]), ((1, 2), [1, 2]), (range(3), [0, 1, 2]), (np.array([1, 2]), [1, 2]), (np.int64(3), [3]),
    ([None, a, n], [None, 3, None]), ({1: 2}, [1]), (iter([1, 2]), [1, 2]), ([b"3"], [3]), ([2**63 - 1], [2**63 - 1])],
)  # fmt: skip
def test_shape_of(value, dims):
    assert T(value).as_list() == dims


@pytest.mark.parametrize(
    "value,error",
    [
        ("abc", TypeError),
        ("3", TypeError),
        (b"abc", TypeError),
        ("", TypeError),
        (-1, ValueError),
        ([2, -1], ValueError),
        (1.5, ValueError),
        ([[1, 2]], TypeError),
        (object(), TypeError),
    ],
)
def test_shape_refuses(value, error):
    raises(error, lambda: T(value))


def test_shape_attributes():
    assert (s.ndims, u.ndims, z.ndims, s.rank, u.rank) == (3, None, 0, 3, None)
    assert (len(s), len(z), bool(s), bool(u), bool(z)) == (3, 0, True, False, True)
    assert (s.as_tuple(), u.as_tuple(), z.as_tuple()) == ((2, None, 3), None, ())
    assert u.dims is None and z.dims == [] and all(type(d) is D for d in s.dims)
    assert [d.value for d in s] == [d.value for d in s.dims] == s.as_list() == [2, None, 3]
    assert (
        s.num_elements(),
        z.num_elements(),
        u.num_elements(),
        T([2, 3]).num_elements(),
        T([0, None]).num_elements(),
    ) == (None, 1, None, 6, None)
    assert T([2**40, 2**40]).num_elements() == 2**80
    assert [x.is_fully_defined() for x in (s, T([2]), u, z)] == [False, True, False, True]
    for call in (lambda: len(u), lambda: list(u), u.as_list, s.assert_is_fully_defined, u.assert_is_fully_defined):
        raises(ValueError, call)
    with pytest.raises(AttributeError):
        s.dims = [3]


def test_shape_text():
    assert [str(x) for x in (s, u, z, T([1]), T([None]))] == ["(2, ?, 3)", "<unknown>", "()", "(1,)", "(?,)"]
    assert [repr(x) for x in (s, u, z)] == [
        "TensorShape([Dimension(2), Dimension(None), Dimension(3)])",
        "TensorShape(None)",
        "TensorShape([])",
    ]


def test_indexing():
    assert (s[0].value, s[1].value, s[-1].value, s[D(1)].value, s[np.int64(2)].value, s[True].value) == (
        2,
        None,
        3,
        None,
        3,
        None,
    )
    slices = [
        slice(0, 2),
        slice(1, None),
        slice(None),
        slice(None, None, 2),
        slice(None, None, -1),
        slice(5, None),
        slice(-2, None),
    ]
    assert [s[key].as_list() for key in slices] == [
        [2, None],
        [None, 3],
        [2, None, 3],
        [2, 3],
        [3, None, 2],
        [],
        [None, 3],
    ]
    assert s[D(0) : D(2)].as_list() == [2, None]
    raises(IndexError, lambda: s[5])
    raises(TypeError, lambda: s["a"])


def test_indexing_of_unknown_rank():
    assert u[0].value is None and type(u[7]) is D
    assert [
        u[key].as_tuple() for key in (slice(0, 2), slice(None, 2), slice(2, 1), slice(None, 0), slice(None, 3))
    ] == [(None,) * 2, (None,) * 2, (), (), (None,) * 3]
    assert [
        u[key].as_tuple()
        for key in (slice(1, None), slice(None), slice(-2, None), slice(None, -1), slice(1, -1), slice(-3, 2))
    ] == [None] * 6
    raises(ValueError, lambda: u[::2])
    raises(ValueError, lambda: u[0:2:1])


def test_merge():
    assert s.merge_with([2, 5, None]).as_list() == [2, 5, 3]
    assert s.merge_with(u) is s and u.merge_with(s) is s and s.merge_with(None) is s
    with pytest.raises(ValueError, match=r"Shapes \(2, \?, 3\) and \(2, 5, 4\) are not compatible"):
        s.merge_with([2, 5, 4])
    raises(ValueError, lambda: s.merge_with([2, 5]))


def test_concatenate():
    assert (
        s.concatenate([4]).as_list() == s.concatenate(D(4)).as_list() == s.concatenate(4).as_list() == [2, None, 3, 4]
    )
    assert s.concatenate(u).rank is u.concatenate(s).rank is s.concatenate(None).rank is None
    assert (T([2]) + [3]).as_list() == ([2] + T([3])).as_list() == (T([2]) + T([3])).as_list() == [2, 3]
    raises(TypeError, lambda: s.concatenate("x"))


def test_ranks():
    assert s.with_rank(3) is s and u.with_rank(2).as_list() == [None, None]
    assert (
        s.with_rank_at_least(2) is s
        and s.with_rank_at_most(3) is s
        and u.with_rank_at_least(2) is u.with_rank_at_most(2) is u
    )
    u.assert_has_rank(2)
    s.assert_same_rank([1, 2, 3])
    s.assert_same_rank(u)
    for call in (
        lambda: s.with_rank(2),
        lambda: s.with_rank_at_least(4),
        lambda: s.with_rank_at_most(2),
        lambda: s.assert_has_rank(2),
        lambda: s.assert_same_rank([1]),
    ):
        raises(ValueError, call)


def test_compatibility():
    assert [s.is_compatible_with(x) for x in ([2, 4, 3], u, [2, 4], None, 3)] == [True, True, False, True, False]
    s.assert_is_compatible_with([2, 4, 3])
    with pytest.raises(ValueError, match=r"Shapes \(2, \?, 3\) and \[2, 4, 4\] are incompatible"):
        s.assert_is_compatible_with([2, 4, 4])
    assert s.most_specific_compatible_shape([2, 4, 4]).as_tuple() == (2, None, None)
    assert s.most_specific_compatible_shape([2, 4]).rank is s.most_specific_compatible_shape(u).rank is None


def test_equality():
    assert (
        T([2]) == [2]
        and T([2]) == (2,)
        and T([2]) == 2
        and T([2, 3]) == [2, "3"]
        and z == []
        and z == ()
        and T([2]) == np.array([2])
    )
    assert s == s and s == T(s) and u == u and u == T(None) and u == None  # noqa: E711
    for x, y in (
        (s, T([2, None, 3])),
        (s, [2, None, 3]),
        (T([2]), T([3])),
        (T([2]), u),
        (T([2]), None),
        (z, None),
        (T([2]), "x"),
        (T([2]), object()),
    ):
        assert not x == y
    assert not T([2]) != [2] and not s != s
    for x, y in ((T([2]), T([3])), (T([None]), T([None])), (T([None]), T([3])), (T([None]), T([None, 2])), (s, "x")):
        assert x != y
    for x, y in ((u, u), (u, T([2])), (T([2]), u), (u, None)):
        raises(ValueError, lambda x=x, y=y: x != y)
    raises(TypeError, lambda: hash(T([2])))
    assert T([2, 3]) in [T([2, 3])] and 2 in T([2, 3]) and 5 not in T([2, None])


@pytest.mark.parametrize("shape", [s, u, z])
def test_copies(shape):
    assert pickle.loads(pickle.dumps(shape)).as_tuple() == shape.as_tuple()
    assert copy.deepcopy(shape) is copy.copy(shape) is shape
    assert T(shape.as_proto()).as_tuple() == shape.as_tuple()


def test_proto():
    assert [d.size for d in s.as_proto().dim] == [2, -1, 3]
    assert u.as_proto().unknown_rank and not z.as_proto().unknown_rank


def test_functions():
    assert shapes.as_shape(s) is s and shapes.as_shape([1]) == [1]
    assert shapes.unknown_shape().rank is None and shapes.unknown_shape(2).as_list() == [None, None]
    assert [shapes.dimension_value(x) for x in (a, n, 3, None, "x")] == [3, None, 3, None, "x"]
    assert [shapes.dimension_at_index(x, i).value for x, i in ((s, 0), (u, 5), (s, 1), (T([2]), -1))] == [
        2,
        None,
        None,
        2,
    ]
    raises(IndexError, lambda: shapes.dimension_at_index(s, 7))
    raises(AssertionError, lambda: shapes.dimension_at_index([2], 0))


def test_integers_as_in_version_2():
    shapes.enable_v2_tensorshape()
    try:
        assert (s[0], s[1], u[0], list(s), s.rank) == (2, None, None, [2, None, 3], 3)
        assert (str(s), repr(s)) == ("(2, None, 3)", "TensorShape([2, None, 3])")
        assert s.dims[0].value == shapes.dimension_value(s[0]) == 2
    finally:
        shapes.disable_v2_tensorshape()
    assert type(s[0]) is D


def test_a_tensor_is_no_shape():
    with tf.Graph().as_default():
        for tensor in (tf.constant([1, 2]), tf.constant(1), tf.placeholder(tf.int32)):
            raises(OperatorNotAllowedInGraphError, lambda tensor=tensor: T(tensor))
            raises(TypeError, lambda tensor=tensor: D(tensor))

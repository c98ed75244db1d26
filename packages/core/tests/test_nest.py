"""Nested structures: order, rebuilding and errors as TensorFlow 1.15 has them."""

import collections
import types

import numpy as np
import pytest

from ossia_core.names import nest
from ossia_core.names.structures import CompositeTensor

P = collections.namedtuple("P", "x y")
Q = collections.namedtuple("Q", "x y")
SameP = collections.namedtuple("P", "x y")
OtherP = collections.namedtuple("P", "x z")
Ordered = collections.OrderedDict


class SubP(P):
    pass


class ListClass(list):
    pass


class OtherListClass(list):
    pass


class TupleClass(tuple):
    pass


class Attrs:
    """What the attrs package makes of a class with fields u and v."""

    __attrs_attrs__ = (types.SimpleNamespace(name="u"), types.SimpleNamespace(name="v"))

    def __init__(self, u, v):
        self.u, self.v = u, v

    def __repr__(self):
        return f"Attrs({self.u!r}, {self.v!r})"


class Own(collections.abc.Mapping):
    def __init__(self, items):
        self.items_ = dict(items)

    def __getitem__(self, key):
        return self.items_[key]

    def __iter__(self):
        return iter(self.items_)

    def __len__(self):
        return len(self.items_)

    def __repr__(self):
        return f"Own({self.items_!r})"


class Pair(CompositeTensor):
    def __init__(self, first, second):
        self.first, self.second = first, second

    def __repr__(self):
        return f"Pair({self.first!r}, {self.second!r})"

    def components(self):
        return self.first, self.second

    def with_components(self, components):
        return Pair(*components)


DEFAULT = collections.defaultdict(int, {"b": 1, "a": 2})

FLAT = [
    (1, [1]), (None, [None]), ([], []), ([[], ()], []), ("abc", ["abc"]), (b"abc", [b"abc"]), (["a", "b"],
    ["a", "b"]), ([1, None], [1, None]),
    ([1, [2, (3, 4)], {"b": 5, "a": 6}], [1, 2, 3, 4, 6, 5]), (P(1, [2, 3]), [1, 2, 3]), (Ordered([("z", 1),
    ("a", 2)]), [2, 1]), (DEFAULT, [2, 1]),
    ({2: "b", 1: "a", 10: "c"}, ["a", "b", "c"]), (Own({"b": 1, "a": 2}), [2, 1]), (range(3), [0, 1, 2]),
    ({"a": 1}.items(), ["a", 1]),
    ({"b": 1, "a": 2}.values(), [1, 2]), (ListClass([1, 2]), [1, 2]), (Attrs(1, [2, 3]), [1, 2, 3]), ({1, 2}, [{1, 2}]),
]  # fmt: skip


@pytest.mark.parametrize("structure,leaves", FLAT, ids=repr)
def test_flatten(structure, leaves):
    assert nest.flatten(structure) == leaves
    assert nest.flatten_with_tuple_paths(structure) == list(zip(nest.yield_flat_paths(structure), leaves))


def test_what_is_nested():
    for value in [1], {}, (), P(1, 2), range(2), bytearray(b"a"), {}.keys(), Attrs(1, 2):
        assert nest.is_nested(value) and nest.is_sequence(value)
    for value in 1, "a", {1}, np.zeros(2), None, P, Attrs, iter([1]):
        assert not nest.is_nested(value)


def test_keys_that_cannot_be_sorted():
    with pytest.raises(TypeError):
        nest.flatten({1: 1, "a": 2})


@pytest.mark.parametrize(
    "structure,packed",
    [
        ([1, [2]], [10, [20]]), ({"b": 1, "a": 2}, {"b": 20, "a": 10}), (P(1, [2]), P(10, [20])), (SubP(1,
        [2]), SubP(10, [20])),
        (Ordered([("z", 1), ("a", 2)]), Ordered([("z", 20), ("a", 10)])),
        (DEFAULT, collections.defaultdict(int, b=20, a=10)),
        (TupleClass([1, 2]), TupleClass([10, 20])), (ListClass([1, 2]), ListClass([10, 20])), (range(2), [10, 20]),
    ],
    ids=repr,
)  # fmt: skip
def test_pack(structure, packed):
    again = nest.pack_sequence_as(structure, [10, 20])
    assert again == packed and type(again) is type(packed)
    if isinstance(packed, dict):
        assert list(again) == list(packed)


def test_pack_attrs_and_leaves():
    again = nest.pack_sequence_as(Attrs(1, (2,)), (10, 20))
    assert (again.u, again.v) == (10, (20,))
    assert nest.pack_sequence_as(1, [4]) == 4
    assert nest.pack_sequence_as([], []) == []


@pytest.mark.parametrize(
    "structure,flat,error",
    [([1, [2, 3]], [4, 5], ValueError), ([1], [4, 5], ValueError), ([], [1], ValueError), (1, [4, 5], ValueError), (1,
    [], ValueError), ([1], 4, TypeError), ([1], "a", TypeError), ([1], np.zeros(1), TypeError)],
)  # fmt: skip
def test_pack_refuses(structure, flat, error):
    with pytest.raises(error):
        nest.pack_sequence_as(structure, flat)


def test_map_structure():
    assert nest.map_structure(lambda x: x + 1, [1, {"a": 2}]) == [2, {"a": 3}]
    assert nest.map_structure(lambda x, y: x + y, [1, {"a": 2}], (3, {"a": 4}), check_types=False) == [4, {"a": 6}]
    assert nest.map_structure(lambda x: x + 1, P(1, 2)) == P(2, 3)
    assert nest.map_structure(lambda x: x + 1, 3) == 4
    ordered = nest.map_structure(lambda x, y: (x, y), Ordered([("b", 3), ("a", 4)]), {"a": 1, "b": 2})
    assert list(ordered.items()) == [("b", (3, 2)), ("a", (4, 1))]
    for arguments, error in (
        ((3, [1]), TypeError),
        ((str,), ValueError),
        ((max, [1, 2], [1]), ValueError),
        ((max, [1], (1,)), TypeError),
    ):
        with pytest.raises(error):
            nest.map_structure(*arguments)
    with pytest.raises(ValueError, match="foo"):
        nest.map_structure(str, [1], foo=1)


SAME = [
    (1, 2), ([1, 2], [3, 4]), ("abc", "abcd"), ({"a": 1}, Ordered(a=1)), (P(1, 2), SameP(1, 2)), (ListClass([1]),
    [1]), ([1], ListClass([1])),
    (ListClass([1]), OtherListClass([1])), (DEFAULT, dict(DEFAULT)), (Attrs(1, 2), Attrs(3, 4)), ([None], [1]),
    ({"a": 1}, Own({"a": 1})),
]  # fmt: skip
DIFFERENT = [
    ([1, 2], (3, 4), TypeError, "sequence type"), ([1, 2], [3], ValueError, "number of elements"), ([1, 2], [3,
    [4]], ValueError, "is a sequence, while"),
    ([1, [2]], [3, 4], ValueError, "is a sequence, while"), ([1, 2], 3, ValueError, "is a sequence, while"), (3,
    [1], ValueError, "is a sequence, while"),
    ({"a": 1}, {"b": 1}, ValueError, "set of keys"), ({"a": 1}, {"a": 1, "b": 2}, ValueError, "set of keys"),
    (P(1, 2), Q(1, 2), TypeError, "sequence type"),
    (P(1, 2), OtherP(1, 2), TypeError, "sequence type"), (P(1, 2), (1, 2), TypeError, "sequence type"),
    (P(1, 2), SubP(1, 2), TypeError, "sequence type"),
    (TupleClass([1]), (1,), TypeError, "sequence type"), ([[1], [2]], [[1], (2,)], TypeError, "sequence type"), ([],
    (), TypeError, "sequence type"),
    ([], [[]], ValueError, "number of elements"), ([[1], 2], [(1,)], TypeError, "sequence type"),
    ([1], np.zeros(1), ValueError, "is a sequence, while"),
]  # fmt: skip


@pytest.mark.parametrize("one,other", SAME, ids=repr)
def test_same_structure(one, other):
    nest.assert_same_structure(one, other)


@pytest.mark.parametrize("one,other,error,text", DIFFERENT, ids=repr)
def test_different_structure(one, other, error, text):
    with pytest.raises(error, match="don't have the same nested structure") as caught:
        nest.assert_same_structure(one, other)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    "one,other", [([1, 2], (3, 4)), (P(1, 2), (1, 2)), (P(1, 2), Q(1, 2)), ({"a": 1}, {"b": 1})], ids=repr
)
def test_types_may_differ(one, other):
    nest.assert_same_structure(one, other, check_types=False)


def test_flatten_dict_items():
    assert nest.flatten_dict_items({(4, 5, (6, 8)): ("a", "b", ("c", "d"))}) == {4: "a", 5: "b", 6: "c", 8: "d"}
    assert nest.flatten_dict_items({"a": (1, 2), "b": 2}) == {"a": (1, 2), "b": 2}
    for items in {("a", "b"): (1, 2, 3)}, {("a", "a"): (1, 2)}, {("a", "b"): 1}:
        with pytest.raises(ValueError, match="Could not flatten dictionary"):
            nest.flatten_dict_items(items)
    with pytest.raises(TypeError):
        nest.flatten_dict_items([1])


@pytest.mark.parametrize(
    "shallow,deep,parts",
    [
        ([1, 2], [[3, 4], 5], [[3, 4], 5]), ([1, [2]], [[3, 4], [5]], [[3, 4], 5]), (1, [2, 3], [[2, 3]]),
        ({"b": 1, "a": 2}, {"a": [1, 2], "b": 3}, [[1, 2], 3]),
        (P(1, 2), P([1], 2), [[1], 2]), (P(1, 2), SubP([1], 2), [[1], 2]), ([], [], []), ([1], ListClass([[2]]), [[2]]),
    ],
    ids=repr,
)  # fmt: skip
def test_flatten_up_to(shallow, deep, parts):
    assert nest.flatten_up_to(shallow, deep) == parts
    assert [part for _, part in nest.flatten_with_tuple_paths_up_to(shallow, deep)] == parts


@pytest.mark.parametrize(
    "shallow,deep,error",
    [
        ([1, [2]], [[3], 5], TypeError), ([1], 2, TypeError), ([1, 2], [1, 2, 3], ValueError), ([1, 2],
        (3, 4), TypeError), ({"a": 1}, {"b": 1}, ValueError),
        ({"a": 1}, {"a": 1, "b": 2}, ValueError), (P(1, 2), Q(1, 2), TypeError), (P(1, 2), (1, 2), TypeError), ([],
        [1], ValueError), ([1], {"a": 1}, TypeError),
        (ListClass([1]), [1], TypeError), (SubP(1, 2), P(1, 2), TypeError), ([1], "a", TypeError),
        ({"a": {"c": 1}}, {"a": {"d": 1}}, ValueError),
    ],
    ids=repr,
)  # fmt: skip
def test_shallow_structure_refuses(shallow, deep, error):
    with pytest.raises(error):
        nest.assert_shallow_structure(shallow, deep)
    with pytest.raises(error):
        nest.flatten_up_to(shallow, deep)


def test_shallow_structure_of_other_length():
    nest.assert_shallow_structure([1], [1, 2], check_subtrees_length=False)
    assert nest.flatten_up_to({"a": 1}, {"a": 1, "b": 2}, check_subtrees_length=False) == [1]
    with pytest.raises(ValueError, match="fewer elements"):
        nest.assert_shallow_structure([1, 2, 3], [1, 2], check_subtrees_length=False)


def test_map_up_to():
    assert nest.map_structure_up_to([1, 2], lambda x, y: (x, y), [[3, 4], 5], [6, [7]]) == [([3, 4], 6), (5, [7])]
    assert nest.map_structure_up_to(P(1, 2), lambda x, y: (x + 1) * y, P(2, 3), P(4, 5)) == P(12, 20)
    assert nest.map_structure_with_tuple_paths_up_to({"a": 1}, lambda *x: x, {"a": [3]}, {"a": 4}) == {
        "a": (("a",), [3], 4)
    }
    with pytest.raises(ValueError, match="no sequences"):
        nest.map_structure_up_to([1], str)


def test_paths():
    structure = [1, {"a": 2, "b": [3]}]
    assert nest.flatten_with_joined_string_paths(structure) == [("0", 1), ("1/a", 2), ("1/b/0", 3)]
    assert nest.flatten_with_joined_string_paths(P(1, [2]), separator=".") == [("x", 1), ("y.0", 2)]
    assert nest.flatten_with_joined_string_paths(3) == [("", 3)]
    assert nest.map_structure_with_paths(lambda *x: x, [1, {"a": 2}], [3, {"a": 4}]) == [
        ("0", 1, 3),
        {"a": ("1/a", 2, 4)},
    ]
    assert nest.map_structure_with_tuple_paths(lambda *x: x, {"a": 2}) == {"a": (("a",), 2)}
    assert list(nest.yield_flat_paths(Attrs(1, [2]))) == [("u",), ("v", 0)]


def test_traverse():
    walk = nest.get_traverse_shallow_structure
    assert walk(lambda s: not isinstance(s, dict), [1, {"a": (2, 3)}, [4]]) == [True, False, [True]]
    assert walk(lambda s: [True, False] if isinstance(s, list) else True, [[1, 2], [3]]) == [[True, False], False]
    assert walk(lambda s: False, [1, [2]]) is False
    for result, error in ((3, TypeError), ([3], TypeError), ([True, True], ValueError)):
        with pytest.raises(error):
            walk(lambda s, result=result: result, [1])


def test_composites():
    pair = Pair(1, 2)
    assert not nest.is_nested(pair) and nest.is_sequence_or_composite(pair)
    assert nest.flatten([pair, 3]) == [pair, 3] and nest.flatten([pair, 3], expand_composites=True) == [1, 2, 3]
    mapped = nest.map_structure(lambda x: x + 1, {"a": pair}, expand_composites=True)["a"]
    assert (mapped.first, mapped.second) == (2, 3)
    assert nest.flatten_with_joined_string_paths([pair], expand_composites=True) == [("0/Pair/0", 1), ("0/Pair/1", 2)]
    nest.assert_same_structure(pair, 1)
    nest.assert_same_structure(pair, Pair(3, 4), expand_composites=True)
    with pytest.raises(ValueError):
        nest.assert_same_structure(pair, 1, expand_composites=True)
    with pytest.raises(TypeError):
        nest.assert_same_structure(pair, [1, 2], expand_composites=True)

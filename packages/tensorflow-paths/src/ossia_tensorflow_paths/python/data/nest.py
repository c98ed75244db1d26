"""`python.data.util.nest`: nested elements of datasets, in which lists are leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ossia_data.structure import flatten, packed, parts_of


def is_sequence(seq: Any) -> bool:
    """Whether a value is a structure rather than a leaf."""
    return parts_of(seq) is not None


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """The leaves given in the structure of another value.

    Raises:
        TypeError: `flat_sequence` is no list or tuple.
        ValueError: There are more or fewer leaves.
    """
    if not (isinstance(flat_sequence, list) or is_sequence(flat_sequence)):
        raise TypeError("flat_sequence must be a sequence")
    leaves = list(flat_sequence)
    count = len(flatten(structure))
    if not is_sequence(structure) and count != len(leaves):
        raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(leaves)} > 1")
    if count != len(leaves):
        raise ValueError(
            f"Could not pack sequence. Structure had {count} elements, but flat_sequence had {len(leaves)} elements."
        )
    return packed(structure, leaves)


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Check that two values have one structure.

    Raises:
        ValueError: They have not the same number of leaves, or not the same nesting.
        TypeError: Tuples and dicts of one are not those of the other.
    """
    a, b = parts_of(nest1), parts_of(nest2)
    if a is None and b is None:
        return
    if len(flatten(nest1)) != len(flatten(nest2)) or a is None or b is None:
        raise ValueError(
            "The two structures don't have the same number of elements or nesting. "
            f"First structure: {nest1}, second structure: {nest2}"
        )
    if check_types and type(nest1) is not type(nest2):
        raise TypeError(
            "The two structures don't have the same sequence type. First structure has type "
            f"{type(nest1)}, while second structure has type {type(nest2)}."
        )
    if isinstance(nest1, dict) and set(nest1) != set(nest2):
        raise ValueError(
            f"The two dictionaries don't have the same set of keys. First has {set(nest1)}, second {set(nest2)}."
        )
    for one, other in zip(a, b, strict=True):
        assert_same_structure(one, other, check_types)


def map_structure(func: Callable, *structure: Any, **check_types_dict: Any) -> Any:
    """`func` of the leaves of structures that are alike, in their structure."""
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = check_types_dict.pop("check_types", True)
    if check_types_dict:
        raise ValueError("Only valid keyword argument is check_types")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types)
    leaves = zip(*[flatten(one) for one in structure], strict=True)
    return packed(structure[0], [func(*parts) for parts in leaves])


def assert_shallow_structure(shallow_tree: Any, input_tree: Any, check_types: bool = True) -> None:
    """Check that one structure is the upper part of another.

    Raises:
        TypeError, ValueError: It is not.
    """
    parts = parts_of(shallow_tree)
    if parts is None:
        return
    given = parts_of(input_tree)
    if given is None:
        raise TypeError(
            f"If shallow structure is a sequence, input must also be a sequence. Input has type: {type(input_tree)}."
        )
    if check_types and type(shallow_tree) is not type(input_tree):
        raise TypeError(
            "The two structures don't have the same sequence type. Input structure has type "
            f"{type(input_tree)}, while shallow structure has type {type(shallow_tree)}."
        )
    if len(parts) != len(given):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(given)}, while shallow structure has length {len(parts)}."
        )
    if check_types and isinstance(shallow_tree, dict) and set(shallow_tree) != set(input_tree):
        raise ValueError(
            "The two structures don't have the same keys. Input structure has keys "
            f"{list(input_tree)}, while shallow structure has keys {list(shallow_tree)}."
        )
    for one, other in zip(parts, given, strict=True):
        assert_shallow_structure(one, other, check_types)


def flatten_up_to(shallow_tree: Any, input_tree: Any) -> list[Any]:
    """The parts of a structure that stand where another has its leaves."""
    assert_shallow_structure(shallow_tree, input_tree)
    return list(_up_to(shallow_tree, input_tree))


def _up_to(shallow: Any, given: Any) -> Iterator[Any]:
    parts = parts_of(shallow)
    if parts is None:
        yield given
        return
    for one, other in zip(parts, parts_of(given) or [], strict=True):
        yield from _up_to(one, other)


def map_structure_up_to(shallow_tree: Any, func: Callable, *inputs: Any) -> Any:
    """`func` of the parts of structures that stand where another has its leaves, in its structure."""
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    found = zip(*[flatten_up_to(shallow_tree, given) for given in inputs], strict=True)
    return packed(shallow_tree, [func(*parts) for parts in found])

"""Nested structures: lists, tuples, namedtuples, dicts and attrs objects, walked in one fixed order.

Dicts are walked in the order of their sorted keys, and rebuilt in their own. Strings, arrays and tensors are leaves.
With `expand_composites`, a composite tensor is a structure of its component tensors; otherwise it is a leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ossia_core.names.structures import (
    COMPOSITE,
    MAPPING,
    NAMEDTUPLE,
    is_structure,
    items_of,
    kind_of,
    parts_of,
    rebuilt,
    sorted_keys,
)
from ossia_core.plugins.api_table import public


@public("nest.is_nested", "compat.v2.nest.is_nested")
def is_nested(seq: Any) -> bool:
    """Whether a value is a structure: a sequence other than a string, a dict or another mapping, an attrs object."""
    return is_structure(seq, False)


is_sequence = is_nested


def is_sequence_or_composite(value: Any) -> bool:
    """Whether a value is a structure or a composite tensor."""
    return is_structure(value, True)


@public("nest.flatten", "compat.v2.nest.flatten")
def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Returns the leaves of a structure as a list; a leaf gives a list of itself.

    Args:
        structure: any value.
        expand_composites: whether composite tensors are replaced by their components.

    Raises:
        TypeError: if the keys of a dict cannot be sorted.
    """
    leaves: list[Any] = []
    _flatten_into(leaves.append, structure, expand_composites)
    return leaves


def _flatten_into(add: Callable[[Any], None], structure: Any, expand_composites: bool) -> None:
    if not is_structure(structure, expand_composites):
        add(structure)
        return
    for part in parts_of(structure):
        if type(part) is str or not is_structure(part, expand_composites):
            add(part)
        else:
            _flatten_into(add, part, expand_composites)


@public("nest.pack_sequence_as", "compat.v2.nest.pack_sequence_as")
def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """Returns a structure like `structure` whose leaves are those of `flat_sequence`.

    Args:
        structure: a structure, or a leaf.
        flat_sequence: the leaves, in the order of `flatten`.
        expand_composites: whether composite tensors are to be rebuilt of their components.

    Raises:
        TypeError: if `flat_sequence` is no sequence.
        ValueError: if it has another number of leaves than `structure`.
    """
    if not is_nested(flat_sequence):
        raise TypeError("flat_sequence must be a sequence")
    if not is_structure(structure, expand_composites):
        if len(flat_sequence) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat_sequence)} > 1")
        return flat_sequence[0]
    leaves = iter(flat_sequence)
    count = len(flatten(structure, expand_composites))
    if count != len(flat_sequence):
        raise ValueError(
            f"Could not pack sequence. Structure had {count} elements, but flat_sequence had {len(flat_sequence)} "
            f"elements.  Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return _pack(structure, leaves, expand_composites)


def _pack(structure: Any, leaves: Iterator[Any], expand_composites: bool) -> Any:
    return rebuilt(
        structure,
        [
            _pack(part, leaves, expand_composites) if is_structure(part, expand_composites) else next(leaves)
            for part in parts_of(structure)
        ],
    )


@public("nest.map_structure", "compat.v2.nest.map_structure")
def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Calls a function with the corresponding leaves of structures, and returns the results as such a structure.

    Args:
        func: takes as many arguments as there are structures.
        *structure: one or more structures of the same form.
        **kwargs: `check_types=True`: whether the types of sequences have to agree as well; `expand_composites=False`.

    Returns:
        A structure like the first one.

    Raises:
        TypeError: if `func` is not callable, or types of sequences differ.
        ValueError: if there is no structure, the structures differ, or another keyword is given.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    expand_composites = kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(
            f"Only valid keyword arguments are `check_types` and `expand_composites`, not: `{'`, `'.join(kwargs)}`"
        )
    first, *others = structure
    for other in others:
        assert_same_structure(first, other, check_types=check_types, expand_composites=expand_composites)
    rows = zip(*(flatten(each, expand_composites) for each in structure))
    return pack_sequence_as(first, [func(*row) for row in rows], expand_composites=expand_composites)


@public("nest.assert_same_structure", "compat.v2.nest.assert_same_structure")
def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raises an error unless two structures are of the same form.

    Args:
        nest1: a structure, or a leaf.
        nest2: another one.
        check_types: whether the types of sequences and the keys of dicts have to agree; lists of any class agree, as do
            dicts of any class, and namedtuples of the same name and fields.
        expand_composites: whether composite tensors are compared as structures.

    Raises:
        ValueError: if numbers of parts or keys differ, or a structure stands where the other has a leaf.
        TypeError: if types differ.
    """
    difference = _difference(nest1, nest2, check_types, expand_composites)
    if difference is not None:
        error, text = difference
        raise error(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_described(nest1)}\n\nSecond structure: {_described(nest2)}\n\n"
            f"More specifically: {text}\n"
            f"Entire first structure:\n{_outline(nest1)}\nEntire second structure:\n{_outline(nest2)}"
        )


def _described(value: Any) -> str:
    return f"type={type(value).__name__} str={value}"


def _outline(structure: Any) -> Any:
    return rebuilt(structure, [_Dot(part) for part in parts_of(structure)]) if is_nested(structure) else "."


class _Dot:
    """Prints as the outline of a part: a dot for a leaf."""

    def __init__(self, part: Any) -> None:
        self._part = part

    def __repr__(self) -> str:
        return str(_outline(self._part))


def _difference(a: Any, b: Any, check_types: bool, expand: bool) -> tuple[type[Exception], str] | None:
    """The first difference between two structures, as an error class and its text; `None` if there is none."""
    nested = is_structure(a, expand)
    if nested != is_structure(b, expand):
        one, other = (a, b) if nested else (b, a)
        return (
            ValueError,
            f'Substructure "{_described(one)}" is a sequence, while substructure "{_described(other)}" is not',
        )
    if not nested:
        return None
    if check_types:
        if not _same_type(a, b):
            what = "namedtuples" if kind_of(a) == kind_of(b) == NAMEDTUPLE else "structures"
            return TypeError, (
                f"The two {what} don't have the same sequence type. First structure {_described(a)} has type "
                f"{type(a).__name__}, while second structure {_described(b)} has type {type(b).__name__}"
            )
        if kind_of(a) == MAPPING and set(a) != set(b):
            return ValueError, (
                "The two dictionaries don't have the same set of keys. First structure has keys "
                f"{_described(list(a))}, while second structure has keys {_described(list(b))}"
            )
    if COMPOSITE in (kind_of(a), kind_of(b)) and not (kind_of(a) == kind_of(b) and a.is_same_kind(b)):
        return ValueError, f"Incompatible composite tensors: {_described(a)} vs. {_described(b)}"
    ours, theirs = parts_of(a), parts_of(b)
    for x, y in zip(ours, theirs):
        found = _difference(x, y, check_types, expand)
        if found is not None:
            return found
    if len(ours) != len(theirs):
        return ValueError, (
            "The two structures don't have the same number of elements. "
            f"First structure: {_described(a)}. Second structure: {_described(b)}"
        )
    return None


def _same_type(a: Any, b: Any) -> bool:
    if type(a) is type(b):
        return True
    kind = kind_of(a)
    if kind != kind_of(b):
        return False
    if kind == NAMEDTUPLE:
        return _same_namedtuples(a, b)
    return kind == MAPPING or (isinstance(a, list) and isinstance(b, list))


def _same_namedtuples(a: Any, b: Any) -> bool:
    return type(a).__name__ == type(b).__name__ and a._fields == b._fields


def flatten_dict_items(dictionary: Mapping[Any, Any]) -> dict[Any, Any]:
    """Returns a dict in which keys that are structures, and the values of the same form, are taken apart.

    For example `{(4, 5, (6, 8)): ("a", "b", ("c", "d"))}` gives `{4: "a", 5: "b", 6: "c", 8: "d"}`.

    Raises:
        TypeError: if `dictionary` is none.
        ValueError: if a key and its value have different forms, or a key comes up twice.
    """
    if not isinstance(dictionary, Mapping):
        raise TypeError("input must be a dictionary")
    flat: dict[Any, Any] = {}
    for key, value in dictionary.items():
        keys, values = (flatten(key), flatten(value)) if is_nested(key) else ([key], [value])
        if len(keys) != len(values):
            raise ValueError(
                f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} elements. "
                f"Key: {keys}, value: {values}."
            )
        for each, item in zip(keys, values):
            if each in flat:
                raise ValueError(f"Could not flatten dictionary: key {each} is not unique.")
            flat[each] = item
    return flat


def assert_shallow_structure(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Raises an error unless `input_tree` has the form of `shallow_tree`, down to the leaves of the latter.

    Args:
        shallow_tree: the form; where it has a leaf, `input_tree` may have anything.
        input_tree: the structure to check.
        check_types: whether the type of each sequence has to be that of the form or a subclass.
        expand_composites: whether composite tensors are compared as structures.
        check_subtrees_length: whether the numbers of parts have to agree; if not, `input_tree` may have more.

    Raises:
        TypeError: if types differ, or `input_tree` has a leaf where the form has a structure.
        ValueError: if numbers of parts differ, or a key is missing.
    """
    if not is_structure(shallow_tree, expand_composites):
        return
    if not is_structure(input_tree, expand_composites):
        raise TypeError(
            f"If shallow structure is a sequence, input must also be a sequence. Input has type: {type(input_tree)}."
        )
    kind = kind_of(shallow_tree)
    if check_types and not isinstance(input_tree, type(shallow_tree)):
        same = kind == kind_of(input_tree) and (
            kind == MAPPING or (kind == NAMEDTUPLE and _same_namedtuples(shallow_tree, input_tree))
        )
        if not same:
            raise TypeError(
                "The two structures don't have the same sequence type. Input structure has type "
                f"{type(input_tree)}, while shallow structure has type {type(shallow_tree)}."
            )
    if kind == COMPOSITE and not shallow_tree.is_same_kind(input_tree):
        raise ValueError(f"Incompatible composite tensors: {_described(shallow_tree)} vs. {_described(input_tree)}")
    ours, theirs = parts_of(shallow_tree), parts_of(input_tree)
    lengths = f"Input structure has length {len(theirs)}, while shallow structure has length {len(ours)}."
    if check_subtrees_length and len(ours) != len(theirs):
        raise ValueError(f"The two structures don't have the same sequence length. {lengths}")
    if len(theirs) < len(ours):
        raise ValueError(f"The input_tree has fewer elements than the shallow_tree. {lengths}")
    if kind == MAPPING and check_types:
        missing = [key for key in shallow_tree if key not in input_tree]
        if missing:
            raise ValueError(
                "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the following "
                f"keys that are not in the input_tree: {sorted_keys(missing)}."
            )
    for _, part, branch in _branches(shallow_tree, input_tree):
        assert_shallow_structure(part, branch, check_types, expand_composites, check_subtrees_length)


def _branches(shallow: Any, deep: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The parts of a form with their keys and the parts of a structure at the same places."""
    if kind_of(shallow) == MAPPING and kind_of(deep) == MAPPING:
        for key, part in items_of(shallow):
            yield key, part, deep[key]
    else:
        for (key, part), branch in zip(items_of(shallow), parts_of(deep)):
            yield key, part, branch


def _walk_up_to(
    shallow: Any, deep: Any, expand: bool, path: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The parts of a structure at the leaves of a form, with their paths."""
    if not is_structure(shallow, expand):
        yield path, deep
        return
    for key, part, branch in _branches(shallow, deep):
        inner = (*path, type(shallow).__name__, key) if kind_of(shallow) == COMPOSITE else (*path, key)
        yield from _walk_up_to(part, branch, expand, inner)


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[tuple[tuple[Any, ...], Any]]:
    """Like `flatten_up_to`, with each part as a pair of its path, a tuple of keys, and itself."""
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length)
    return list(_walk_up_to(shallow_tree, input_tree, expand_composites))


def flatten_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """Returns the parts of `input_tree` that stand where `shallow_tree` has leaves.

    The arguments and errors are those of `assert_shallow_structure`.
    """
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length)
    return [part for _, part in _walk_up_to(shallow_tree, input_tree, expand_composites)]


def flatten_with_tuple_paths(structure: Any, expand_composites: bool = False) -> list[tuple[tuple[Any, ...], Any]]:
    """Returns the leaves of a structure as pairs of their path, a tuple of keys, and themselves."""
    return list(_walk_up_to(structure, structure, expand_composites))


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """Returns the leaves of a structure as pairs of their path, keys joined by `separator`, and themselves."""
    return [
        (separator.join(map(str, path)), leaf) for path, leaf in _walk_up_to(structure, structure, expand_composites)
    ]


def yield_flat_paths(nest: Any, expand_composites: bool = False) -> Iterator[tuple[Any, ...]]:
    """Yields the paths of the leaves of a structure, in the order of `flatten`."""
    for path, _ in _walk_up_to(nest, nest, expand_composites):
        yield path


def map_structure_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any) -> Any:
    """Calls a function with the parts of structures that stand where a form has leaves.

    Args:
        shallow_tree: the form.
        func: takes as many arguments as there are `inputs`.
        *inputs: structures that have the form down to its leaves.
        **kwargs: `check_types=True`, `expand_composites=False`.

    Returns:
        The results, in the form.
    """
    return map_structure_with_tuple_paths_up_to(shallow_tree, lambda path, *parts: func(*parts), *inputs, **kwargs)


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """Like `map_structure_up_to`, but `func` takes the path of the parts, a tuple of keys, first."""
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    check_types = kwargs.pop("check_types", True)
    expand_composites = kwargs.pop("expand_composites", False)
    for each in inputs:
        assert_shallow_structure(shallow_tree, each, check_types, expand_composites)
    paths = [path for path, _ in _walk_up_to(shallow_tree, inputs[0], expand_composites)]
    columns = [[part for _, part in _walk_up_to(shallow_tree, each, expand_composites)] for each in inputs]
    results = [func(*row, **kwargs) for row in zip(paths, *columns)]
    return pack_sequence_as(shallow_tree, results, expand_composites=expand_composites)


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Like `map_structure`, but `func` takes the path of the leaves, a tuple of keys, first."""
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Like `map_structure`, but `func` takes the path of the leaves, keys joined by `/`, first."""

    def with_text(path: tuple[Any, ...], *leaves: Any, **more: Any) -> Any:
        return func("/".join(map(str, path)), *leaves, **more)

    return map_structure_with_tuple_paths_up_to(structure[0], with_text, *structure, **kwargs)


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """Returns a form of Booleans: those parts of a structure that a function lets a walk enter.

    Args:
        traverse_fn: takes a structure, and returns whether to enter it, or a structure of Booleans of depth one that
            tells which parts to enter.
        structure: what to walk.
        expand_composites: whether composite tensors are structures.

    Raises:
        TypeError: if `traverse_fn` returns something else.
    """
    entered = traverse_fn(structure)
    if not is_structure(structure, expand_composites):
        if not isinstance(entered, bool):
            raise TypeError(f"traverse_fn returned structure: {entered} for non-structure: {structure}")
        return entered
    if not is_nested(entered):
        if not isinstance(entered, bool):
            raise TypeError(f"traverse_fn returned a non-bool scalar: {entered} for input: {structure}")
        if not entered:
            return False
        choices = [True] * len(parts_of(structure))
    else:
        assert_shallow_structure(entered, structure, expand_composites=expand_composites)
        choices = [choice for _, choice, _ in _branches(entered, structure)]
        if not all(isinstance(choice, bool) for choice in choices):
            raise TypeError(
                f"traverse_fn didn't return a depth=1 structure of bools. saw: {entered} for structure: {structure}"
            )
    return rebuilt(
        structure,
        [
            get_traverse_shallow_structure(traverse_fn, part, expand_composites) if choice else False
            for choice, part in zip(choices, parts_of(structure))
        ],
    )

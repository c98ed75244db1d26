"""Fetches and feeds: from what programs pass to `Session.run` to graph elements, and back to the structure asked
for."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ossia_core.graph.composites import IndexedSlices, IndexedSlicesValue, SparseTensor, SparseTensorValue
from ossia_core.graph.graph import Graph
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors, nest
from ossia_core.names.literals import to_array

Build = Callable[[list], Any]
_expansions: list[tuple[type, Callable, Callable, Callable]] = []


def register_session_run_conversion_functions(
    tensor_type: type,
    fetch_function: Callable,
    feed_function: Callable | None = None,
    feed_function_for_partial_run: Callable | None = None,
) -> None:
    """Let objects of `tensor_type` be fetched and fed.

    Args:
      tensor_type: the class.
      fetch_function: `f(obj) -> (list of elements, combine)`; `combine(values)` makes the result.
      feed_function: `f(key, value) -> [(tensor, value), ...]`.
      feed_function_for_partial_run: `f(key) -> [tensor, ...]`.
    """
    for known, *_ in _expansions:
        if issubclass(tensor_type, known):
            raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    _expansions.insert(
        0,
        (tensor_type, fetch_function, feed_function or _no_feed, feed_function_for_partial_run or (lambda key: [key])),
    )


def _no_feed(key: Any, value: Any) -> Any:
    raise TypeError(f"Feeding {type(key)} is not supported")



class FetchMap:
    """The unique graph elements of nested fetches, and how their values are put back together."""

    def __init__(self, graph: Graph, fetches: Any, session: Any = None) -> None:
        self._graph = graph
        self.elements: list[Tensor | Operation] = []
        self._index: dict[Any, int] = {}
        self.build = self._mapper(fetches)
        self._session = session
        self.presents = any(_is_presented(e) for e in self.elements)
        tensors = itertools.count()
        self._places = [next(tensors) if isinstance(e, Tensor) else -1 for e in self.elements]

    def _mapper(self, fetch: Any) -> Build:
        if fetch is None:
            raise TypeError(f"Fetch argument {fetch!r} has invalid type {type(fetch)}")
        if type(fetch) is list and all(type(f) is Tensor or type(f) is Operation for f in fetch):
            flat = [self._element(f, f) for f in fetch]
            return lambda values: [values[i] for i in flat]
        if isinstance(fetch, (list, tuple)):
            parts = [self._mapper(f) for f in fetch]
            if hasattr(fetch, "_fields"):
                make = type(fetch)
                return lambda values: make(*[p(values) for p in parts])
            kind = list if isinstance(fetch, list) else tuple
            return lambda values: kind(p(values) for p in parts)
        if isinstance(fetch, Mapping):
            keyed = [(k, self._mapper(v)) for k, v in fetch.items()]
            # A kind of dict is made empty, since not all kinds take items: those with a default take its maker.
            made = type(fetch) if isinstance(fetch, dict) else dict
            return lambda values: _filled(made(), [(k, p(values)) for k, p in keyed])
        if hasattr(type(fetch), "__attrs_attrs__"):
            fields = [a.name for a in type(fetch).__attrs_attrs__]
            named = [self._mapper(getattr(fetch, f)) for f in fields]
            make_attrs = type(fetch)
            return lambda values: make_attrs(*[p(values) for p in named])
        for kind_, expand, *_ in _expansions:
            if isinstance(fetch, kind_):
                items, combine = expand(fetch)
                indices = [self._element(i, fetch) for i in items]
                return lambda values: combine([values[i] for i in indices])
        index = self._element(fetch, fetch)
        return lambda values: values[index]

    def _element(self, item: Any, fetch: Any) -> int:
        try:
            element = self._graph.as_graph_element(item, allow_tensor=True, allow_operation=True)
        except TypeError as e:
            raise TypeError(
                f"Fetch argument {fetch!r} has invalid type {type(fetch)}, must be a string or Tensor. ({e})"
            ) from None
        except ValueError as e:
            raise ValueError(f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({e})") from None
        except KeyError as e:
            raise ValueError(f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({e})") from None
        if not self._graph.is_fetchable(element):
            raise errors.InaccessibleTensorError(
                f"Operation {getattr(element, 'op', element).name!r} has been marked as not fetchable. Typically "
                "this happens when it is defined in another function or code block. Use return values,explicit Python "
                "locals or TensorFlow collections to access it."
            )
        if element not in self._index:
            self._index[element] = len(self.elements)
            self.elements.append(element)
        return self._index[element]

    def result(self, tensor_values: list) -> Any:
        """The structure of the fetches, filled with the tensors' values; operations give None."""
        found = [None if place < 0 else tensor_values[place] for place in self._places]
        return self.build(self._presented(found) if self.presents else found)

    def _presented(self, values: list) -> list:
        """The values in the form that the ops which computed them want callers to have."""
        return [
            e.op.definition.fetched_fn(e, value, self._session) if _is_presented(e) else value  # type: ignore[misc,union-attr]
            for e, value in zip(self.elements, values)
        ]


def _is_presented(element: Tensor | Operation) -> bool:
    return isinstance(element, Tensor) and element.op.definition.fetched_fn is not None


def _filled(mapping: Any, items: list[tuple[Any, Any]]) -> Any:
    for key, value in items:
        mapping[key] = value
    return mapping


def announced_feeds(graph: Graph, keys: Any) -> list[Tensor]:
    """The tensors that a partial run is told of, composites taken apart.

    Raises:
      ValueError, KeyError, TypeError: a key is nothing that can be fed.
    """
    found: list[Tensor] = []
    for key in keys:
        expand = next((part for kind, _, _, part in _expansions if isinstance(key, kind)), None)
        for each in [key] if expand is None else expand(key):
            try:
                found.append(graph.as_graph_element(each, allow_tensor=True, allow_operation=False))
            except Exception as e:
                e.args = (f"Cannot interpret feed_list key as Tensor: {e.args[0] if e.args else e}",)
                raise
    return found


def expand_feeds(graph: Graph, feed_dict: Mapping) -> list[tuple[Tensor, Any]]:
    """The tensors to feed and their values, composites taken apart.

    Raises:
      TypeError: a key cannot be fed, or a value is a tensor.
    """
    flat: list[tuple[Any, Any]] = []
    for key, value in feed_dict.items():
        if isinstance(key, (list, tuple)):
            keys, values = nest.flatten(key), nest.flatten(value)
            if len(keys) != len(values):
                raise ValueError(
                    f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} "
                    f"elements. Key: {keys}, value: {values}."
                )
            flat.extend(zip(keys, values, strict=True))
        else:
            flat.append((key, value))
    found = []
    for key, value in flat:
        for kind, _, feed, _ in _expansions:
            if isinstance(key, kind):
                pairs = feed(key, value)
                break
        else:
            pairs = [(key, value)]
        for subkey, subvalue in pairs:
            try:
                tensor = graph.as_graph_element(subkey, allow_tensor=True, allow_operation=False)
            except Exception as e:
                raise TypeError(f"Cannot interpret feed_dict key as Tensor: {e.args[0] if e.args else e}") from None
            found.append((tensor, subvalue))
    return found


class Feeder:
    """Converts and checks the values fed for one tensor."""

    __slots__ = ("_accepted", "_dims", "_dtype", "_finished", "_is_object", "_numpy_dtype", "_takes_numbers", "tensor")

    def __init__(self, tensor: Tensor) -> None:
        if not tensor.graph.is_feedable(tensor):
            raise ValueError(f"Tensor {tensor} may not be fed.")
        self.tensor = tensor
        self._dtype = tensor.dtype.base_dtype
        special = self._dtype in (dtypes.resource, dtypes.variant)
        self._numpy_dtype = None if special else np.dtype(self._dtype.as_numpy_dtype)
        self._is_object = self._numpy_dtype is not None and self._numpy_dtype.kind == "O"
        self._finished = _as_bytes if self._is_object else None
        if self._numpy_dtype is not None and self._numpy_dtype.names:
            self._finished = _as_integers
        self._dims = tensor.shape.as_tuple()
        self._accepted: Any = None  # the last shape that was found to fit
        self._takes_numbers = not self._dims and self._numpy_dtype is not None and self._numpy_dtype.kind in "biufc"

    def __call__(self, value: Any) -> Any:
        """The array to feed.

        Raises:
          TypeError: a tensor, or a number that the dtype cannot hold.
          ValueError: a shape that does not fit, or values that cannot be converted.
        """
        wanted = self._numpy_dtype
        if type(value) is float and self._takes_numbers:
            return np.asarray(value, wanted)
        if type(value) is not np.ndarray:
            if wanted is None:
                return value
            if type(value) is float or isinstance(value, np.generic):
                value = np.asarray(value, wanted)
            else:
                value = self._converted(value, wanted)
        elif value.dtype is not wanted and value.dtype != wanted:
            if wanted is None:
                return value
            value = self._converted(value, wanted)
        dims, shape = self._dims, value.shape
        if dims is not None and shape != self._accepted:
            if len(shape) != len(dims) or any(d is not None and d != n for d, n in zip(dims, shape, strict=True)):
                raise ValueError(
                    f"Cannot feed value of shape {shape!r} for Tensor {self.tensor.name!r}, which has shape "
                    f"{str(self.tensor.shape)!r}"
                )
            self._accepted = shape
        return value if self._finished is None else self._finished(value)

    def check(self, value: Any) -> None:
        """Refuses what the tensor cannot have, whatever the elements of strings are."""
        with contextlib.suppress(errors.InternalError):
            self(value)

    def leave_elements(self) -> None:
        """Do not look at the elements of strings: the run has nothing to do with them."""
        if self._is_object:
            self._finished = None

    def array(self, value: Any) -> Any:
        """What a fetch of the fed tensor gives: the value as an array, as `__call__` has accepted it, with strings as
        they were given."""
        return np.asarray(value, object) if self._is_object else self(value)

    def _converted(self, value: Any, wanted: np.dtype) -> np.ndarray:
        if isinstance(value, Tensor):
            raise TypeError(
                "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, "
                f"strings, lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was {value} "
                f"which was passed to the feed with key {self.tensor}."
            )
        stored = getattr(value, "stored", None)
        if stored is not None:
            value = stored()
            if value.dtype != wanted:
                raise errors.InvalidArgumentError(
                    None,
                    None,
                    f"Expects a value of dtype {self._dtype.name} for {self.tensor.name!r}, the handle "
                    f"is of a tensor of {value.dtype}",
                )
            return value
        if isinstance(value, int) and not _holds(wanted, value):
            raise TypeError(
                f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type "
                f"{object if self._is_object else wanted.type}. Try explicitly setting the type of the feed tensor to "
                "a larger type (e.g. int64)."
            )
        if wanted.kind == "c" and (not isinstance(value, np.ndarray) or value.dtype == object):
            for item in np.ravel(np.asarray(value, object)):
                if isinstance(item, (bytes, str)):  # NumPy would read the number that it spells
                    raise TypeError(f"must be real number, not {type(item).__name__}")
        return np.asarray(value, dtype=wanted)


def fed_values(feeders: list[Feeder], values: Iterable[Any]) -> list[Any]:
    """The arrays of feeds.

    Raises:
      TypeError, ValueError: a value is none that its tensor can have.
      InternalError: an element of a string is none; the elements are looked at after all else.
    """
    try:
        return [feeder(value) for feeder, value in zip(feeders, values)]
    except errors.InternalError:
        for feeder, value in zip(feeders, values):
            feeder.check(value)
        raise


def _holds(kind: np.dtype, number: int) -> bool:
    """Whether a Python integer is the same as an element of this kind."""
    if kind.kind in "iu":
        info = np.iinfo(kind)
        return info.min <= number <= info.max
    if kind.kind not in "bfc":
        return kind.kind == "V"  # bfloat16, and quantized elements
    try:
        with np.errstate(over="ignore"):
            return bool(kind.type(number).item() == number)
    except OverflowError:
        return False


def _as_bytes(array: np.ndarray) -> np.ndarray:
    flat = array.reshape(-1)
    if all(type(item) is bytes for item in flat):
        return array
    try:
        return to_array(array, dtypes.string)[0]
    except TypeError:
        odd = next(type(item).__name__ for item in flat if not isinstance(item, (bytes, str)))
        raise errors.InternalError(None, None, f"Unsupported object type {odd}") from None


def _as_integers(array: np.ndarray) -> np.ndarray:
    """The integers of a quantized array."""
    return np.ascontiguousarray(array).view(array.dtype[0]).reshape(array.shape)


def _fetch_sparse(fetch: SparseTensor) -> Any:
    return [fetch.indices, fetch.values, fetch.dense_shape], lambda values: SparseTensorValue(*values)


def _feed_sparse(key: SparseTensor, value: Any) -> Any:
    items = (value.indices, value.values, value.dense_shape) if hasattr(value, "dense_shape") else tuple(value)
    return list(zip((key.indices, key.values, key.dense_shape), items))


def _fetch_slices(fetch: IndexedSlices) -> Any:
    parts = [fetch.values, fetch.indices] + ([] if fetch.dense_shape is None else [fetch.dense_shape])
    return parts, lambda values: IndexedSlicesValue(values[0], values[1], values[2] if len(values) == 3 else None)


def _feed_slices(key: IndexedSlices, value: Any) -> Any:
    items = (value.values, value.indices, value.dense_shape) if hasattr(value, "indices") else tuple(value)
    return list(zip(key.components(), items))


register_session_run_conversion_functions(
    SparseTensor, _fetch_sparse, _feed_sparse, lambda key: [key.indices, key.values, key.dense_shape]
)
register_session_run_conversion_functions(
    IndexedSlices,
    _fetch_slices,
    _feed_slices,
    lambda key: [t for t in (key.values, key.indices, key.dense_shape) if t is not None],
)


def key_of(fetches: Any) -> Any:
    """A hashable key of nested fetches, by identity of their leaves."""
    kind = type(fetches)
    if kind is Tensor or kind is Operation or kind is str:
        return fetches
    if kind is list or kind is tuple:
        for item in fetches:
            if type(item) is not Tensor and type(item) is not Operation:
                return (kind, *[key_of(f) for f in fetches])
        return (kind, *fetches)
    if kind is dict:
        return (kind, tuple(fetches), *[key_of(f) for f in fetches.values()])
    if isinstance(fetches, tuple):
        return (kind, *[key_of(f) for f in fetches])
    # The object is part of the key, so that its id cannot be taken by another one.
    return _ByIdentity(fetches)


class _ByIdentity:
    __slots__ = ("item",)

    def __init__(self, item: Any) -> None:
        self.item = item

    def __hash__(self) -> int:
        return id(self.item)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and self.item is other.item

"""Staging areas: values put aside in one step and taken up in another, in order or by key."""
from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core import dtypes as core_dtypes
from ossia_core import errors
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import colocate_with, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.opdef import OpDef, op, sample
from ossia_core.primitives.source import no_op
from ossia_core.shape_rules import scalar as scalar_shape
from ossia_core.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_queues.waiting import only


class Stage:
    """Values that wait to be taken up; putting waits while there are too many or they take too much memory."""

    def __init__(self, capacity: int, memory_limit: int) -> None:
        self._capacity, self._memory_limit = capacity, memory_limit
        self._changed = threading.Condition()
        self._bytes = 0

    def _held(self) -> int:
        raise NotImplementedError

    def _wait(self, ready: Callable[[], bool], context: Any, what: str) -> None:
        try:
            context.wait(self._changed, ready)
        except errors.CancelledError:
            raise errors.CancelledError(None, None, f"{what} operation was cancelled") from None

    def _admit(self, values: Sequence[np.ndarray], context: Any, new: bool) -> None:
        """Waits until there is room for values."""
        size = _bytes(values)
        if 0 < self._memory_limit < size:
            raise errors.ResourceExhaustedError(
                None,
                None,
                f"Attempted to insert tensors with combined size of '{size}' bytes into Staging Area with a memory "
                f"limit of '{self._memory_limit}'.",
            )

        def room() -> bool:
            full = new and 0 < self._capacity <= self._held()
            return not full and not 0 < self._memory_limit < self._bytes + size

        self._wait(room, context, "Put")
        self._bytes += size

    def size(self) -> int:
        """How many elements there are."""
        with self._changed:
            return self._held()

    def cancel_all(self) -> None:
        """Wakes all that wait, as the session closes."""
        with self._changed:
            self._changed.notify_all()


def _bytes(values: Any) -> int:
    return sum(np.asarray(value).nbytes for value in values if value is not None)


class Line(Stage):
    """Elements in the order in which they came."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._elements: deque[list[np.ndarray]] = deque()

    def _held(self) -> int:
        return len(self._elements)

    def put(self, values: list[np.ndarray], context: Any) -> None:
        """Adds an element."""
        with self._changed:
            self._admit(values, context, new=True)
            self._elements.append(values)
            self._changed.notify_all()

    def get(self, context: Any) -> list[np.ndarray]:
        """Takes the first element, waiting for one."""
        with self._changed:
            self._wait(lambda: bool(self._elements), context, "Get")
            element = self._elements.popleft()
            self._bytes -= _bytes(element)
            self._changed.notify_all()
            return element

    def peek(self, index: int, context: Any) -> list[np.ndarray]:
        """The element at a place, waiting for it."""
        with self._changed:
            self._wait(lambda: len(self._elements) > index, context, "Peek")
            return self._elements[index]

    def clear(self) -> None:
        """Drops all elements."""
        with self._changed:
            self._elements.clear()
            self._bytes = 0
            self._changed.notify_all()


class Keyed(Stage):
    """Elements by key, whose components may come one by one."""

    ordered = False

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._complete: dict[int, list] = {}
        self._incomplete: dict[int, list] = {}

    def _held(self) -> int:
        return len(self._complete)

    def put(self, key: int, indices: list[int], values: list[np.ndarray], count: int, context: Any) -> None:
        """Adds components to the element of a key, which has `count` of them when it is complete."""
        with self._changed:
            if (
                len(indices) != len(values)
                or any(not 0 <= i < count for i in indices)
                or len(set(indices)) < len(indices)
            ):
                raise errors.InvalidArgumentError(
                    None, None, f"Indices {indices} do not say where {len(values)} of {count} components go"
                )
            element = self._incomplete.get(key) or [None] * count
            for i in indices:
                if element[i] is not None:
                    raise errors.InvalidArgumentError(
                        None, None, f"The tensor for index '{i}' for key '{key}' was already initialized '{count}'."
                    )
            self._admit(values, context, new=key not in self._incomplete)
            element = self._incomplete.setdefault(key, [None] * count)
            for i, value in zip(indices, values):
                element[i] = value
            if all(value is not None for value in element):
                del self._incomplete[key]
                if key in self._complete:
                    self._bytes -= _bytes(element)
                self._complete.setdefault(key, element)
                self._changed.notify_all()

    def get(self, key: int, indices: list[int], context: Any) -> list[np.ndarray]:
        """Takes components of the element of a key, waiting for it; the element goes when none is left."""
        with self._changed:
            self._wait(lambda: key in self._complete, context, "Get")
            return self._take(key, indices)

    def get_any(self, indices: list[int], context: Any) -> tuple[int, list[np.ndarray]]:
        """Takes components of an element, of that with the smallest key if they are ordered; returns its key, too."""
        with self._changed:
            self._wait(lambda: bool(self._complete), context, "Get")
            key = min(self._complete) if self.ordered else next(iter(self._complete))
            return key, self._take(key, indices)

    def peek(self, key: int, indices: list[int], context: Any) -> list[np.ndarray]:
        """Components of the element of a key, waiting for it."""
        with self._changed:
            self._wait(lambda: key in self._complete, context, "Peek")
            return self._components(key, indices)

    def _components(self, key: int, indices: list[int]) -> list[np.ndarray]:
        element = self._complete[key]
        for i in indices:
            if not 0 <= i < len(element):
                raise errors.InvalidArgumentError(
                    None, None, f"Index '{i}' is not one of the {len(element)} components"
                )
            if element[i] is None:
                raise errors.InvalidArgumentError(
                    None, None, f"Tensor at index '{i}' for key '{key}' has already been removed."
                )
        return [element[i] for i in indices]

    def _take(self, key: int, indices: list[int]) -> list[np.ndarray]:
        taken = self._components(key, indices)
        element = self._complete[key]
        for i in indices:
            element[i] = None
        if all(value is None for value in element):
            del self._complete[key]
        self._bytes -= _bytes(taken)
        self._changed.notify_all()
        return taken

    def incomplete(self) -> int:
        """How many elements lack components."""
        with self._changed:
            return len(self._incomplete)

    def clear(self) -> None:
        """Drops all elements."""
        with self._changed:
            self._complete.clear()
            self._incomplete.clear()
            self._bytes = 0
            self._changed.notify_all()


class Ordered(Keyed):
    """Elements by key, of which the smallest is taken first."""

    ordered = True


_LIMITS = {"capacity": "int >= 0 = 0", "memory_limit": "int >= 0 = 0"}
_PLACE = {"container": "string = ''", "shared_name": "string = ''"}


def _stage(kind: type[Stage], node: Any, context: Any) -> Any:
    """The staging area of a node; all nodes of its shared name use it."""
    attrs = node.attrs
    name = attrs["shared_name"].decode() or node.name
    area = f"{kind.__name__} staging area"
    return context.session_state.resource(
        attrs["container"], name, area, lambda: kind(attrs["capacity"], attrs["memory_limit"])
    )


def _kept(values: Sequence[Any]) -> list[np.ndarray]:
    return [np.array(value, dtype=object if isinstance(value, (bytes, str)) else None) for value in values]


def _indices(indices: Any) -> list[int]:
    return np.ravel(indices).tolist()


def _check_count(indices: Any, types: list) -> None:
    if np.size(indices) != len(types):
        raise errors.InvalidArgumentError(
            None, None, f"There are {np.size(indices)} indices for {len(types)} components"
        )


def _declare(signature: str, kernel: Callable, blocking: bool = False, **attrs: str) -> OpDef:
    definition = op(signature, stateful=True, **_LIMITS, **attrs, **_PLACE)
    definition.kernel(blocking=blocking)(kernel)
    definition.samples_in("ossia_queues.staging_samples")
    return definition


def _size_kernel(kind: type[Stage]) -> Callable:
    return lambda *, node, context: np.int32(_stage(kind, node, context).size())


def _clear_kernel(kind: Any) -> Callable:
    return lambda *, node, context: _stage(kind, node, context).clear()


# -- in order ---------------------------------------------------------------------------------------------


def _put(values, *, node, context):
    _stage(Line, node, context).put(_kept(values), context)


def _get(*, node, context):
    return _stage(Line, node, context).get(context)


def _peek(index, *, node, context):
    place = only(index, "index")
    if place < 0:
        raise errors.InvalidArgumentError(None, None, f"Index {place} is negative")
    return _stage(Line, node, context).peek(place, context)


stage_op = _declare("Stage(values: dtypes)", _put, blocking=True, dtypes="list(type) >= 1")
unstage_op = _declare("Unstage() -> values: dtypes", _get, blocking=True, dtypes="list(type) >= 1")
stage_peek_op = _declare("StagePeek(index: int32) -> values: dtypes", _peek, blocking=True, dtypes="list(type) >= 1")
stage_size_op = _declare("StageSize() -> size: int32", _size_kernel(Line), dtypes="list(type)")
stage_clear_op = _declare("StageClear()", _clear_kernel(Line), dtypes="list(type)")
unstage_op.shape(lambda *, dtypes: [UNKNOWN_SHAPE] * len(dtypes))
stage_peek_op.shape(lambda index, *, dtypes: [UNKNOWN_SHAPE] * len(dtypes))
stage_size_op.shape(scalar_shape)

stage_op.samples(one=([np.array([1, 2], np.float32)],))
stage_size_op.samples(empty=sample(dtypes=["float"]))
stage_clear_op.samples(empty=sample(dtypes=["float"]))

# -- by key -----------------------------------------------------------------------------------------------


def _map_ops(prefix: str, kind: type[Keyed]) -> dict[str, OpDef]:
    """The ops on elements by key, in order of the keys or not."""

    def put(key, indices, values, *, dtypes, node, context):
        _stage(kind, node, context).put(only(key, "key"), _indices(indices), _kept(values), len(dtypes), context)

    def get(key, indices, *, dtypes, node, context):
        _check_count(indices, dtypes)
        return _stage(kind, node, context).get(only(key, "key"), _indices(indices), context)

    def get_any(indices, *, dtypes, node, context):
        _check_count(indices, dtypes)
        key, values = _stage(kind, node, context).get_any(_indices(indices), context)
        return np.int64(key), values

    def peek(key, indices, *, dtypes, node, context):
        _check_count(indices, dtypes)
        return _stage(kind, node, context).peek(only(key, "key"), _indices(indices), context)

    def incomplete_size(*, node, context):
        return np.int32(_stage(kind, node, context).incomplete())

    some: dict[str, Any] = {"dtypes": "list(type) >= 1"}
    any_number: dict[str, Any] = {"dtypes": "list(type)"}
    keyed = "(key: int64, indices: int32)"
    made = {
        "put": _declare(
            f"{prefix}MapStage(key: int64, indices: int32, values: fake_dtypes)",
            put,
            blocking=True,
            **any_number,
            fake_dtypes="list(type) >= 1",
        ),
        "get": _declare(f"{prefix}MapUnstage{keyed} -> values: dtypes", get, blocking=True, **some),
        "get_any": _declare(
            f"{prefix}MapUnstageNoKey(indices: int32) -> key: int64, values: dtypes", get_any, blocking=True, **some
        ),
        "peek": _declare(f"{prefix}MapPeek{keyed} -> values: dtypes", peek, blocking=True, **some),
        "size": _declare(f"{prefix}MapSize() -> size: int32", _size_kernel(kind), **any_number),
        "incomplete_size": _declare(f"{prefix}MapIncompleteSize() -> size: int32", incomplete_size, **any_number),
        "clear": _declare(f"{prefix}MapClear()", _clear_kernel(kind), **any_number),
    }
    made["get"].shape(lambda key, indices, *, dtypes: [UNKNOWN_SHAPE] * len(dtypes))
    made["peek"].shape(lambda key, indices, *, dtypes: [UNKNOWN_SHAPE] * len(dtypes))
    made["get_any"].shape(lambda indices, *, dtypes: (UNKNOWN_SHAPE, [UNKNOWN_SHAPE] * len(dtypes)))
    made["size"].shape(scalar_shape)
    made["incomplete_size"].shape(scalar_shape)
    return made


_by_key = {False: _map_ops("", Keyed), True: _map_ops("Ordered", Ordered)}


# -- the classes ------------------------------------------------------------------------------------------


class BaseStagingArea:
    """What both staging areas share."""

    def __init__(
        self, dtypes: Any, shapes: Any, names: Any, shared_name: str | None, capacity: int, memory_limit: int
    ) -> None:
        self._name = get_default_graph().unique_name(type(self).__name__) if shared_name is None else shared_name
        self._dtypes = [core_dtypes.as_dtype(dtype) for dtype in dtypes]
        if shapes is not None and len(shapes) != len(self._dtypes):
            raise ValueError("StagingArea shapes must be the same length as dtypes")
        self._shapes = [UNKNOWN_SHAPE] * len(self._dtypes) if shapes is None else [TensorShape(s) for s in shapes]
        if names is not None and len(names) != len(self._dtypes):
            raise ValueError("StagingArea names must be the same length as dtypes")
        self._names = names
        self._capacity, self._memory_limit = capacity, memory_limit
        with name_scope(f"{self._name}_root"):
            self._coloc_op = no_op()

    @property
    def name(self) -> str:
        """The name that nodes share the area under."""
        return self._name

    @property
    def dtypes(self) -> list:
        """Types of the components."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """Shapes of the components."""
        return self._shapes

    @property
    def names(self) -> list[str] | None:
        """Names of the components; None if elements are no dicts."""
        return self._names

    @property
    def capacity(self) -> int:
        """How many elements it holds at most; 0 for any number."""
        return self._capacity

    @property
    def memory_limit(self) -> int:
        """How many bytes it holds at most; 0 for any number."""
        return self._memory_limit

    def _shared(self, **more: Any) -> dict[str, Any]:
        return {
            "shared_name": self._name,
            "capacity": self._capacity,
            "memory_limit": self._memory_limit,
            **more,
        }

    def _components(self, values: Any, indices: Sequence[int] | None = None) -> tuple[list, list[int]]:
        """Tensors for what is put in, and which components they are."""
        if isinstance(values, dict):
            if not self._names:
                raise ValueError("Staging areas must have names to enqueue a dictionary")
            unknown = set(values) - set(self._names)
            if unknown:
                raise ValueError(f"Keys {sorted(unknown)} are not among the names {self._names} of the staging area")
            indices = [i for i, name in enumerate(self._names) if name in values]
            values = [values[self._names[i]] for i in indices]
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a staging area with names")
            if indices is None:
                raise ValueError("Indices must be supplied when inserting a list of tensors")
            values = list(values) if isinstance(values, (list, tuple)) else [values]
        if len(values) > len(self._dtypes):
            raise ValueError(f"Unexpected number of inputs '{len(values)}' vs '{len(self._dtypes)}'")
        tensors = []
        for i, value in zip(indices, values):
            dtype = self._dtypes[i]
            given = getattr(value, "dtype", None)
            if hasattr(value, "consumers") and given != dtype:
                raise ValueError(f"Datatypes do not match. '{given!r}' != '{dtype!r}'")
            value = convert_to_tensor(value, dtype=dtype, name=f"component_{i}")
            value.shape.assert_is_compatible_with(self._shapes[i])
            tensors.append(value)
        return tensors, list(indices)

    def _result(self, tensors: Sequence[Any], indices: Sequence[int]) -> Any:
        no_op()  # the original makes one, which counts for the seeds of later ops
        for tensor, i in zip(tensors, indices):
            tensor.set_shape(self._shapes[i])
        if self._names:
            return {self._names[i]: tensor for tensor, i in zip(tensors, indices)}
        return list(tensors)


class StagingArea(BaseStagingArea):
    """A line of elements that are put in in one run and taken out in another.

    Args:
        dtypes: Types of the components.
        shapes: Their shapes, as far as they are known.
        names: Their names; elements then go in and come out as dicts.
        shared_name: A name under which other nodes of the session share the area.
        capacity: How many elements it holds at most; 0 for any number.
        memory_limit: How many bytes it holds at most; 0 for any number.

    Raises:
        ValueError: There is another number of shapes or names than of types.
    """

    def __init__(
        self, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None, capacity: int = 0,
        memory_limit: int = 0,
    ) -> None:
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)

    def put(self, values: Any, name: str | None = None) -> Any:
        """An operation that puts in an element: a list of components, or a dict if they have names."""
        with name_scope(name, f"{self._name}_put", _flat(values)) as scope:
            if not isinstance(values, (list, tuple, dict)):
                values = [values]
            tensors, _ = self._components(values, range(len(values)))
            with colocate_with(self._coloc_op):
                return stage_op(tensors, **self._shared(), name=scope)

    def get(self, name: str | None = None) -> Any:
        """The components of the first element, taken out when it is run; waits for one."""
        with colocate_with(self._coloc_op):
            taken = unstage_op(
                dtypes=self._dtypes, **self._shared(), name=f"{self._name}_get" if name is None else name
            )
        return self._result(taken, range(len(self._dtypes)))

    def peek(self, index: Any, name: str | None = None) -> Any:
        """The components of the element at a place, which stays; waits for it."""
        with colocate_with(self._coloc_op):
            seen = stage_peek_op(
                index, dtypes=self._dtypes, **self._shared(), name=f"{self._name}_peek" if name is None else name
            )
        return self._result(seen, range(len(self._dtypes)))

    def size(self, name: str | None = None) -> Any:
        """How many elements there are, an int32 scalar."""
        name = f"{self._name}_size" if name is None else name
        return stage_size_op(dtypes=self._dtypes, **self._shared(), name=name)

    def clear(self, name: str | None = None) -> Any:
        """An operation that drops all elements."""
        name = f"{self._name}_clear" if name is None else name
        return stage_clear_op(dtypes=self._dtypes, **self._shared(), name=name)


class MapStagingArea(BaseStagingArea):
    """Elements by key, whose components may be put in and taken out one by one.

    Args:
        dtypes: Types of the components.
        shapes: Their shapes, as far as they are known.
        names: Their names; elements then go in and come out as dicts.
        shared_name: A name under which other nodes of the session share the area.
        ordered: Whether an element taken without a key is that with the smallest key.
        capacity: How many elements it holds at most; 0 for any number.
        memory_limit: How many bytes it holds at most; 0 for any number.

    Raises:
        ValueError: There is another number of shapes or names than of types.
    """

    def __init__(
        self, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None, ordered: bool = False,
        capacity: int = 0, memory_limit: int = 0,
    ) -> None:
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._ops = _by_key[bool(ordered)]

    def put(self, key: Any, vals: Any, indices: Sequence[int] | None = None, name: str | None = None) -> Any:
        """An operation that puts in components of an element.

        Args:
            key: The key, an int64 scalar.
            vals: The components, a list or, if they have names, a dict.
            indices: Which components a list holds.
            name: Name of the operation.
        """
        with name_scope(name, f"{self._name}_put", _flat(vals)) as scope:
            tensors, indices = self._components(vals, indices)
            with colocate_with(self._coloc_op):
                return self._ops["put"](key, indices, tensors, dtypes=self._dtypes, **self._shared(), name=scope)

    def _places(self, indices: Any) -> list[int]:
        """Which components a list of places or names stands for; all if None."""
        if indices is None:
            return list(range(len(self._dtypes)))
        if all(isinstance(i, str) for i in indices):
            if self._names is None:
                raise ValueError(
                    f"String indices provided '{indices}' but this Staging Area was not created with names."
                )
            return [self._names.index(i) for i in indices]
        return list(indices)

    def get(self, key: Any = None, indices: Any = None, name: str | None = None) -> tuple[Any, Any]:
        """Components of an element, taken out when it is run; waits for it.

        Args:
            key: The key; None takes any element, or that with the smallest key.
            indices: Which components: places or names; all if None.
            name: Name of the operation.

        Returns:
            The key and the components.
        """
        places = self._places(indices)
        types = [self._dtypes[i] for i in places]
        if key is not None:
            with colocate_with(self._coloc_op):
                taken = self._ops["get"](
                    key, places, dtypes=types, **self._shared(), name=f"{self._name}_get" if name is None else name
                )
            return key, self._result(taken, places)
        with colocate_with(self._coloc_op):
            name = f"{self._name}_get_nokey" if name is None else name
            key, taken = self._ops["get_any"](places, dtypes=types, **self._shared(), name=name)
        no_op()  # as in `_result`
        return key, self._result(taken, places)

    def peek(self, key: Any, indices: Any = None, name: str | None = None) -> Any:
        """Components of the element of a key, which stays; waits for it."""
        places = self._places(indices)
        with colocate_with(self._coloc_op):
            seen = self._ops["peek"](
                key,
                places,
                dtypes=[self._dtypes[i] for i in places],
                **self._shared(),
                name=f"{self._name}_pop" if name is None else name,
            )
        return self._result(seen, places)

    def size(self, name: str | None = None) -> Any:
        """How many complete elements there are, an int32 scalar."""
        name = f"{self._name}_size" if name is None else name
        return self._ops["size"](dtypes=self._dtypes, **self._shared(), name=name)

    def incomplete_size(self, name: str | None = None) -> Any:
        """How many elements lack components, an int32 scalar."""
        name = f"{self._name}_incomplete_size" if name is None else name
        return self._ops["incomplete_size"](dtypes=self._dtypes, **self._shared(), name=name)

    def clear(self, name: str | None = None) -> Any:
        """An operation that drops all elements."""
        name = f"{self._name}_clear" if name is None else name
        return self._ops["clear"](dtypes=self._dtypes, **self._shared(), name=name)


def _flat(values: Any) -> list:
    if isinstance(values, dict):
        return list(values.values())
    return list(values) if isinstance(values, (list, tuple)) else [values]

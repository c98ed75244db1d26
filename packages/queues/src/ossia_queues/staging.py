"""Staging areas: values put aside in one step and taken up in another, in order or by key."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import colocate_with, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes as core_dtypes
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_core.primitives.source import no_op
from ossia_queues.queue_base import components
from ossia_queues.staging_ops import by_key, stage_clear_op, stage_op, stage_peek_op, stage_size_op, unstage_op


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

    def _handed_out(self, tensors: Sequence[Any]) -> list:
        """The tensors where they are taken: copies if the area is on another device."""
        here = no_op().device  # a node, as the original asks for the device in scope
        return list(tensors) if here == self._coloc_op.device else [identity(tensor) for tensor in tensors]

    def _result(self, tensors: Sequence[Any], indices: Sequence[int]) -> Any:
        tensors = self._handed_out(tensors)
        for tensor, i in zip(tensors, indices):
            tensor.set_shape(self._shapes[i])
        if self._names:
            return {self._names[i]: tensor for tensor, i in zip(tensors, indices)}
        return tensors


@public("contrib.staging.StagingArea")
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
        with name_scope(name, f"{self._name}_put", components(values)) as scope:
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
        self._ops = by_key[bool(ordered)]

    def put(self, key: Any, vals: Any, indices: Sequence[int] | None = None, name: str | None = None) -> Any:
        """An operation that puts in components of an element.

        Args:
            key: The key, an int64 scalar.
            vals: The components, a list or, if they have names, a dict.
            indices: Which components a list holds.
            name: Name of the operation.
        """
        with name_scope(name, f"{self._name}_put", components(vals)) as scope:
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
        (key,) = self._handed_out([key])
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

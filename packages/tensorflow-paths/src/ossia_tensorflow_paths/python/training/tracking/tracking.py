"""`training.tracking`: objects that know which variables and other objects their attributes hold."""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections.abc import Callable, Iterator
from collections.abc import Mapping as _AnyMapping
from typing import Any, NamedTuple

import ossia as tf


class TrackableReference(NamedTuple):
    """What an object depends on, and the name under which it does."""

    name: str
    ref: Any


class _Kind(type):
    """Variables, optimizers, layers and modules are Trackables too."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if super().__instancecheck__(instance):
            return True
        return cls.__name__ == "Trackable" and isinstance(
            instance, (tf.Variable, tf.train.Optimizer, tf.layers.Layer, tf.Module, tf.train.Saver)
        )


class Trackable(metaclass=_Kind):
    """The base class of what can be a dependency."""

    def _references(self) -> dict[str, Any]:
        found = self.__dict__.get("_tracked")
        if found is None:
            found = self.__dict__["_tracked"] = {}
        return found

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        return [TrackableReference(name, ref) for name, ref in self._references().items()]

    _unconditional_checkpoint_dependencies = _checkpoint_dependencies

    def _lookup_dependency(self, name: str) -> Any:
        return self._references().get(name)

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Notes a dependency, and returns it.

        Raises:
            TypeError: It is none that can be one.
            ValueError: There is another one of that name.
        """
        if not isinstance(trackable, Trackable):
            raise TypeError(f"Trackable._track_trackable() passed type {type(trackable)}, not a Trackable.")
        references = self._references()
        if name in references and references[name] is not trackable and not overwrite:
            raise ValueError(
                f"Called Trackable._track_trackable() with name='{name}', but a Trackable with this name is already "
                "declared as a dependency. Names must be unique (or overwrite=True)."
            )
        references[name] = trackable
        return trackable

    def _no_dependency(self, value: Any) -> Any:
        return value

    def _add_variable_with_custom_getter(
        self, name: str, shape: Any = None, dtype: Any = tf.float32, initializer: Any = None, getter: Any = None,
        overwrite: bool = False, **kwargs_for_getter: Any
    ) -> Any:
        made = (getter or tf.get_variable)(
            name=name, shape=shape, dtype=dtype, initializer=initializer, **kwargs_for_getter
        )
        return self._track_trackable(made, name, overwrite) if isinstance(made, Trackable) else made


class NotTrackable:
    """What is never a dependency."""


class NoDependency:
    """Stands for a value that an attribute is to have without becoming a dependency."""

    def __init__(self, value: Any) -> None:
        self.value = value


class AutoTrackable(Trackable):
    """Its attributes are its dependencies, where they are variables, Trackables, or lists and dicts."""

    def __setattr__(self, name: str, value: Any) -> None:
        if self.__dict__.get("_setattr_tracking", True) and name != "_setattr_tracking":
            value = sticky_attribute_assignment(self, name, value)
        elif isinstance(value, NoDependency):
            value = value.value
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._references().pop(name, None)
        super().__delattr__(name)

    def _no_dependency(self, value: Any) -> Any:
        return NoDependency(value)


def sticky_attribute_assignment(trackable: Any, name: str, value: Any) -> Any:
    """What an attribute is to have for `value`, noted as a dependency of `trackable` if it can be one."""
    if isinstance(value, NoDependency):
        trackable._references().pop(name, None)
        return value.value
    value = _wrapped(value)
    if isinstance(value, NotTrackable) or not isinstance(value, Trackable):
        trackable._references().pop(name, None)
    else:
        trackable._track_trackable(value, name, overwrite=True)
    return value


def _wrapped(value: Any) -> Any:
    if type(value) is list:
        return ListWrapper(value)
    return _DictWrapper(value) if type(value) is dict else value


def delete_tracking(obj: Any, name: str) -> None:
    """Forgets a dependency."""
    obj._references().pop(name, None)


class TrackableDataStructure(Trackable):
    """What lists and mappings of Trackables share."""

    _items: Any

    def _entries(self) -> Iterator[tuple[str, Any]]:
        raise NotImplementedError

    def _references(self) -> dict[str, Any]:
        return {name: item for name, item in self._entries() if isinstance(item, Trackable)}

    @property
    def variables(self) -> list[Any]:
        """The variables in it, those of what is in it too."""
        found: dict[int, Any] = {}
        for _, item in self._entries():
            inner = [item] if isinstance(item, tf.Variable) else getattr(item, "variables", ())
            found.update((id(v), v) for v in (inner() if callable(inner) else inner))
        return list(found.values())

    weights = variables

    @property
    def trainable_variables(self) -> list[Any]:
        """Those of the variables that are trained."""
        return [variable for variable in self.variables if variable.trainable]

    trainable_weights = trainable_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        """Those of the variables that are not trained."""
        return [variable for variable in self.variables if not variable.trainable]

    non_trainable_weights = non_trainable_variables

    @property
    def layers(self) -> list[Any]:
        """The layers in it."""
        return [item for _, item in self._entries() if isinstance(item, tf.layers.Layer)]


class ListWrapper(TrackableDataStructure, list):
    """A list that is an attribute: its Trackables are dependencies, by their position."""

    def __init__(self, wrapped_list: Any = ()) -> None:
        list.__init__(self, [_wrapped(item) for item in wrapped_list])

    def _entries(self) -> Iterator[tuple[str, Any]]:
        return ((str(i), item) for i, item in enumerate(self))

    def append(self, value: Any) -> None:
        """Adds an element."""
        list.append(self, _wrapped(value))

    def extend(self, values: Any) -> None:
        """Adds elements."""
        list.extend(self, [_wrapped(value) for value in values])

    def __add__(self, other: Any) -> ListWrapper:
        return ListWrapper([*self, *other])

    def __getitem__(self, index: Any) -> Any:
        found = list.__getitem__(self, index)
        return ListWrapper(found) if isinstance(index, slice) else found

    def __repr__(self) -> str:
        return f"ListWrapper({list.__repr__(self)})"

    __hash__ = None  # type: ignore[assignment]


class _DictWrapper(TrackableDataStructure, dict):
    """A dict that is an attribute: its Trackables are dependencies, by their keys."""

    def __init__(self, wrapped: Any = (), **items: Any) -> None:
        dict.__init__(self, {key: _wrapped(item) for key, item in dict(wrapped, **items).items()})

    def _entries(self) -> Iterator[tuple[str, Any]]:
        return ((key, item) for key, item in self.items() if isinstance(key, str))

    def __setitem__(self, key: Any, value: Any) -> None:
        dict.__setitem__(self, key, _wrapped(value))

    def update(self, *args: Any, **items: Any) -> None:
        """Sets several elements."""
        for key, value in dict(*args, **items).items():
            self[key] = value

    def __repr__(self) -> str:
        return f"DictWrapper({dict.__repr__(self)})"

    __hash__ = None  # type: ignore[assignment]


class _UntrackableError(ValueError):
    """A data structure of Trackables is given something else."""


def _checked(kind: str, value: Any) -> Any:
    value = _wrapped(value)
    if not isinstance(value, Trackable):
        raise _UntrackableError(
            f"Only trackable objects (such as Layers or Optimizers) may be stored in a {kind} object. Got {value}, "
            "which does not inherit from Trackable."
        )
    return value


class List(TrackableDataStructure):
    """A list of Trackables that only grows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given: list[Any] = list(*args, **kwargs)
        self._items = [_checked("List", item) for item in given]

    def _entries(self) -> Iterator[tuple[str, Any]]:
        return ((str(i), item) for i, item in enumerate(self._items))

    def append(self, value: Any) -> None:
        """Adds an element."""
        self._items.append(_checked("List", value))

    def extend(self, values: Any) -> None:
        """Adds elements."""
        for value in values:
            self.append(value)

    __iadd__ = None

    def copy(self) -> List:
        """A list of the same elements."""
        return type(self)(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def __repr__(self) -> str:
        return f"List({self._items!r})"


class Mapping(TrackableDataStructure):
    """A mapping of strings to Trackables that only grows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._items = {}
        self.update(*args, **kwargs)

    def _entries(self) -> Iterator[tuple[str, Any]]:
        return iter(self._items.items())

    def __setitem__(self, key: str, value: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"Mapping accepts only string keys, but got a key {key!r}.")
        value = _checked("Mapping", value)
        if self._items.setdefault(key, value) is not value:
            raise ValueError(
                f"Mappings are an append-only data structure. Tried to overwrite the key '{key}' with value {value}, "
                f"but it already contains {self._items[key]}"
            )

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Adds elements."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def keys(self) -> Any:
        """The keys."""
        return self._items.keys()

    def values(self) -> Any:
        """The elements."""
        return self._items.values()

    def items(self) -> Any:
        """The keys with their elements."""
        return self._items.items()

    def __repr__(self) -> str:
        return f"Mapping({self._items!r})"


_AnyMapping.register(Mapping)


def no_automatic_dependency_tracking(method: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a method in which attributes do not become dependencies."""

    @functools.wraps(method)
    def untracked(self: Any, *args: Any, **kwargs: Any) -> Any:
        with no_automatic_dependency_tracking_scope(self):
            return method(self, *args, **kwargs)

    return untracked


@contextlib.contextmanager
def no_automatic_dependency_tracking_scope(obj: Any) -> Iterator[None]:
    """A block in which attributes of `obj` do not become dependencies."""
    before = obj.__dict__.get("_setattr_tracking", True)
    obj._setattr_tracking = False
    try:
        yield
    finally:
        obj._setattr_tracking = before


def cached_per_instance(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Decorates a method without arguments, whose result is kept for each object."""
    kept: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()

    @functools.wraps(f)
    def cached(item: Any) -> Any:
        if item not in kept:
            kept[item] = f(item)
        return kept[item]

    return cached


def list_objects(root_trackable: Any) -> list[Any]:
    """An object and all that it depends on, breadth first."""
    found = {id(root_trackable): root_trackable}
    wave = [root_trackable]
    while wave:
        wave = [ref for item in wave for ref in _references_of(item).values() if id(ref) not in found]
        found.update((id(ref), ref) for ref in wave)
    return list(found.values())


def _references_of(item: Any) -> dict[str, Any]:
    references = getattr(type(item), "_references", None)
    return references(item) if references is not None and not isinstance(item, tf.Variable) else {}

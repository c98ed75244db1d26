"""`util.object_identity`: sets and dictionaries that tell objects apart by what they are, not by what they equal."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, MutableMapping, MutableSet
from typing import Any


class Reference:
    """A hashable stand-in for an object, equal only to references to the same object."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    @property
    def unwrapped(self) -> Any:
        """The object."""
        return self._wrapped

    def deref(self) -> Any:
        """The object."""
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)


class ObjectIdentityDictionary(MutableMapping[Any, Any]):
    """A dictionary whose keys are compared with `is`; they need not be hashable."""

    def __init__(self) -> None:
        self._storage: dict[Reference, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        return self._storage[Reference(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._storage[Reference(key)] = value

    def __delitem__(self, key: Any) -> None:
        del self._storage[Reference(key)]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        return (key.unwrapped for key in self._storage)


class ObjectIdentitySet(MutableSet[Any]):
    """A set whose members are compared with `is`; they need not be hashable."""

    def __init__(self, *members: Iterable[Any]) -> None:
        self._storage: MutableMapping[Any, Any] = ObjectIdentityDictionary()
        for group in members:
            self.update(group)

    def __contains__(self, key: object) -> bool:
        return key in self._storage

    def __iter__(self) -> Iterator[Any]:
        return iter(self._storage)

    def __len__(self) -> int:
        return len(self._storage)

    def add(self, key: Any) -> None:  # type: ignore[override]
        """Adds a member."""
        self._storage[key] = None

    def discard(self, key: Any) -> None:  # type: ignore[override]
        """Removes a member, if it is one."""
        self._storage.pop(key, None)

    def update(self, items: Iterable[Any]) -> None:
        """Adds several members."""
        for item in items:
            self.add(item)

    def intersection(self, items: Iterable[Any]) -> ObjectIdentitySet:
        """The members that are among the items."""
        return self & type(self)(items)  # type: ignore[return-value]

    def difference(self, items: Iterable[Any]) -> ObjectIdentitySet:
        """The members that are not among the items."""
        return self - type(self)(items)  # type: ignore[return-value]


class WeakReference(Reference):
    """A reference that does not keep its object."""

    def __init__(self, wrapped: Any) -> None:
        super().__init__(weakref.ref(wrapped))
        self._hash = id(wrapped)

    @property
    def unwrapped(self) -> Any:
        """The object, or None if it is gone."""
        return self._wrapped()

    def deref(self) -> Any:
        """The object, or None if it is gone."""
        return self._wrapped()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reference):
            return False
        mine = self.unwrapped
        return self is other if mine is None else mine is other.unwrapped

    def __hash__(self) -> int:
        return self._hash


class ObjectIdentityWeakKeyDictionary(MutableMapping[Any, Any]):
    """A dictionary whose keys are compared with `is` and not kept by it."""

    def __init__(self) -> None:
        self._storage: dict[Reference, Any] = {}

    def _forget(self) -> dict[Reference, Any]:
        for key in [key for key in self._storage if key.unwrapped is None]:
            del self._storage[key]
        return self._storage

    def __getitem__(self, key: Any) -> Any:
        return self._storage[WeakReference(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._storage[WeakReference(key)] = value

    def __delitem__(self, key: Any) -> None:
        del self._storage[WeakReference(key)]

    def __len__(self) -> int:
        return len(self._forget())

    def __iter__(self) -> Iterator[Any]:
        return iter([key.unwrapped for key in self._forget()])


class ObjectIdentityWeakSet(ObjectIdentitySet):
    """A set whose members are compared with `is` and not kept by it."""

    def __init__(self, *members: Iterable[Any]) -> None:
        super().__init__()
        self._storage = ObjectIdentityWeakKeyDictionary()
        for group in members:
            self.update(group)


_ObjectIdentityWrapper, _WeakObjectIdentityWrapper = Reference, WeakReference

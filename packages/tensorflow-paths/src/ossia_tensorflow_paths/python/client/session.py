"""`client.session`: how fetches are taken apart, and the attributes of devices."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from typing import Any

import ossia as tf
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.session.report import devices
from ossia_core.session.run import fetch
from ossia_core.session.session import BaseSession

_DeviceAttributes = devices.DeviceAttributes


class SessionInterface(abc.ABC):  # noqa: B024 -- sessions are registered, and a subclass need not have all
    """What sessions, and what wraps them, have in common."""

    @property
    def graph(self) -> Any:
        """The graph that runs."""
        raise NotImplementedError("graph")

    @property
    def sess_str(self) -> Any:
        """The target of the session."""
        raise NotImplementedError("sess_str")

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs what is to be fetched."""
        raise NotImplementedError("run")

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> Any:
        """Prepares a run in parts."""
        raise NotImplementedError("partial_run_setup")

    def partial_run(self, handle: Any, fetches: Any, feed_dict: Any = None) -> Any:
        """Runs the next part."""
        raise NotImplementedError("partial_run")


SessionInterface.register(BaseSession)


class _FetchMapper:
    """The graph elements of some fetches, each once, and how their values are put back together."""

    def __init__(self, fetches: Any) -> None:
        self._map = fetch.FetchMap(tf.get_default_graph(), fetches)

    @staticmethod
    def for_fetch(fetches: Any) -> _FetchMapper:
        """The mapper for the kind of `fetches`.

        Raises:
            TypeError: They are nothing that can be fetched.
        """
        if isinstance(fetches, (list, tuple)):
            return _ListFetchMapper(fetches)
        if isinstance(fetches, Mapping):
            return _DictFetchMapper(fetches)
        return (_AttrsFetchMapper if _is_attrs_instance(fetches) else _ElementFetchMapper)(fetches)

    def unique_fetches(self) -> list[Any]:
        """The tensors and operations, in the order in which they come first."""
        return list(self._map.elements)

    def build_results(self, values: Sequence[Any]) -> Any:
        """The structure of the fetches, filled with one value per element."""
        return self._map.build(list(values) or [None] * len(self._map.elements))


class _ElementFetchMapper(_FetchMapper):
    """One tensor or operation, or an object that stands for some."""


class _ListFetchMapper(_FetchMapper):
    """A list, tuple or named tuple."""


class _DictFetchMapper(_FetchMapper):
    """A mapping."""


class _AttrsFetchMapper(_FetchMapper):
    """An instance of a class made by `attr.s`."""


class _FetchHandler:
    """What a run fetches and executes, and the structure that it gives back."""

    def __init__(self, graph: Any, fetches: Any, feeds: Any, feed_handles: Any = None) -> None:
        self._map = fetch.FetchMap(graph, fetches)

    def fetches(self) -> list[Tensor]:
        """The tensors."""
        return [element for element in self._map.elements if isinstance(element, Tensor)]

    def targets(self) -> list[Operation]:
        """The operations."""
        return [element for element in self._map.elements if isinstance(element, Operation)]

    def build_results(self, session: Any, tensor_values: list[Any]) -> Any:
        """The structure of the fetches, filled with the values of the tensors."""
        return self._map.result(tensor_values)


def _uniquify_fetches(fetch_mappers: Sequence[_FetchMapper]) -> tuple[list[Any], list[list[int]]]:
    """The elements of all mappers, each once, and for each mapper where its own are among them."""
    places: dict[Any, int] = {}
    indices = [
        [places.setdefault(element, len(places)) for element in mapper.unique_fetches()] for mapper in fetch_mappers
    ]
    return list(places), indices


def _name_list(tensor_list: Sequence[Any]) -> list[bytes]:
    """The names of tensors or operations, as bytes."""
    return [tf.compat.as_bytes(element.name) for element in tensor_list]


def _is_attrs_instance(value: Any) -> bool:
    """Whether a value is of a class made by `attr.s`."""
    return hasattr(type(value), "__attrs_attrs__")


def _get_attrs_values(value: Any) -> list[Any]:
    """The values of the attributes of such an instance."""
    return [getattr(value, attribute.name) for attribute in type(value).__attrs_attrs__]

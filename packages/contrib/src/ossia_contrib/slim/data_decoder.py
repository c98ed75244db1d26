"""What makes tensors of a record."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

from ossia_core.plugins.api_table import public


@public("contrib.slim.data_decoder.DataDecoder")
class DataDecoder(metaclass=abc.ABCMeta):
    """Makes named items, tensors, of an encoded record."""

    @abc.abstractmethod
    def decode(self, data: Any, items: Sequence[str]) -> list[Any]:
        """The tensors of the items, in their order, of a record, a string tensor."""

    @abc.abstractmethod
    def list_items(self) -> list[str]:
        """The names of the items that it makes."""

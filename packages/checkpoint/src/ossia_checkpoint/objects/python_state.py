"""`tf.train.experimental.PythonState`: Python values in object-based checkpoints."""

from __future__ import annotations

import abc
import functools
from typing import Any

from ossia_checkpoint.saveables import SaveableObject, SaveSpec
from ossia_core.graph.convert import constant
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import device
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public


@public("train.experimental.PythonState", "compat.v2.train.experimental.PythonState")
class PythonState(abc.ABC):
    """An object whose state is a string that Python code makes, and takes back when a checkpoint is restored.

    Example:
        class Position(tf.train.experimental.PythonState):
            line = 0

            def serialize(self):
                return str(self.line)

            def deserialize(self, string_value):
                self.line = int(string_value)
    """

    @abc.abstractmethod
    def serialize(self) -> str | bytes:
        """The state as text or bytes; called by each save."""

    @abc.abstractmethod
    def deserialize(self, string_value: bytes) -> None:
        """Takes the state on; called at once by `restore`."""

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {"py_state": functools.partial(PythonStateSaveable, self)}


class PythonStateSaveable(SaveableObject):
    """The state of a `PythonState`: a constant of the graph, fed anew by each save."""

    def __init__(self, state: PythonState, name: str) -> None:
        """Adds the constant to the graph."""
        self._state = state
        with device("/cpu:0"):
            self.fed = constant(b"", dtype=dtypes.string)
        super().__init__(state, [SaveSpec(self.fed, "", name)], name)

    def feeds(self) -> dict[Tensor, Any]:
        """The present state, to be fed."""
        return {self.fed: self._state.serialize()}

    def restore(self, restored_tensors: list[Tensor], restored_shapes: list[Any] | None) -> Operation:
        """Refuses: Python state is taken on without a graph."""
        raise NotImplementedError("PythonStateSaveable.restore: deserialize takes the state on")

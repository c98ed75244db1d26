"""Where the examples of a training stood in the trees after the last step: nothing is kept, or variables are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.identity import group
from ossia_core.variables.variable import VariableV1


def start(batch_size: Any, logits_dimension: int) -> Iterator[Tensor]:
    """Tree, node and logits of examples that no tree has seen yet, each made when it is asked for."""
    yield builder("zeros")([batch_size], dtype=dtypes.int32)
    yield -1 * builder("ones")([batch_size], dtype=dtypes.int32)
    yield builder("zeros")([batch_size, logits_dimension], dtype=dtypes.float32)


class KeptStates:
    """States in variables: every step has the same examples.

    Args:
        batch_size: How many examples there are.
        logits_dimension: How many logits each has.
    """

    def __init__(self, batch_size: Any, logits_dimension: int) -> None:
        names = "tree_ids_cache", "node_ids_cache", "logits_cache"
        self._variables = [variable(value, name) for value, name in zip(start(batch_size, logits_dimension), names)]

    def lookup(self) -> list[Any]:
        """The variables of trees, nodes and logits."""
        return self._variables

    def insert(self, trees: Tensor, nodes: Tensor, logits: Tensor) -> Any:
        """An operation that keeps where examples stand now."""
        pairs = zip(self._variables, (trees, nodes, logits))
        return group([kept.assign(value) for kept, value in pairs], name="cache_insert")


def variable(value: Any, name: str) -> Any:
    """A resource variable that is not trained."""
    return VariableV1(value, trainable=False, validate_shape=False, name=name, use_resource=True)

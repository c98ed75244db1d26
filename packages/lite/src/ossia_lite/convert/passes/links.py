"""Who makes and who uses a tensor of a model under construction."""

from __future__ import annotations

from collections.abc import Sequence

from ossia_lite.builder import ModelBuilder
from ossia_lite.schema import Record


class Links:
    """Producers and users of tensors.

    Args:
        model: The model under construction.
        outputs: Tensors that are fetched.
    """

    def __init__(self, model: ModelBuilder, outputs: Sequence[int]) -> None:
        self._model, self._outputs = model, set(outputs)
        self._made: dict[int, Record] = {}
        self._uses: dict[int, int] = {}
        for operator in model.graph.operators:
            for index in operator.outputs:
                self._made[index] = operator
            for index in operator.inputs:
                self._uses[index] = self._uses.get(index, 0) + 1

    def only_maker(self, index: int, *names: str) -> Record | None:
        """The operator that makes a tensor, if it is of one of these kinds and the tensor is used once and not
        fetched."""
        made = self._made.get(index)
        if made is None or self._uses.get(index, 0) != 1 or index in self._outputs:
            return None
        return made if self._model.name_of(made) in names else None

    def moved(self, operator: Record, output: int) -> None:
        """Notes that an operator now makes another tensor."""
        operator.outputs = [output]
        self._made[output] = operator

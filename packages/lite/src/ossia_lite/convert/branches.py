"""Conditionals of a graph, which a model has no frames for: a constant condition leaves one branch; under any other one
both branches are computed, and the result is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_lite.convert.settings import ConverterError

SWITCHES, MERGES = ("Switch", "RefSwitch"), ("Merge", "RefMerge")


_LOOPS = ("NextIteration", "RefNextIteration", "Enter", "RefEnter", "Exit", "RefExit", "LoopCond")


def of_loop(merge: Any) -> bool:
    """Whether a merge is where the rounds of a loop begin."""
    return any(tensor.op.type in _LOOPS for tensor in merge.inputs)


class Branches:
    """Which branches of the conditionals of a graph run.

    Args:
        value_of: The value of a tensor that no input changes, None for others.
        controls: The ops that each op waits for, by the names of both.
        graph: The graph.
    """

    def __init__(self, value_of: Callable[[Any], Any], controls: dict[str, list[str]], graph: Any) -> None:
        self._value_of, self._controls, self._graph = value_of, controls, graph
        self._dead: dict[str, bool] = {}

    def inputs(self, operation: Any) -> list[Any]:
        """The inputs of an op that are needed: of a merge those that may live, of a switch its data."""
        if operation.type in SWITCHES:
            return list(operation.inputs)[:1]
        if operation.type not in MERGES or of_loop(operation):
            return list(operation.inputs)
        living = [tensor for tensor in operation.inputs if not self.dead(tensor)]
        if len(living) == 1:
            return living
        return [*living, self.condition(operation)]

    def dead(self, tensor: Any) -> bool:
        """Whether a tensor is of a branch that never runs."""
        pending = [tensor]
        while pending:
            current = pending[-1]
            if current.name in self._dead:
                pending.pop()
                continue
            operation = current.op
            missing = [each for each in operation.inputs if each.name not in self._dead]
            if operation.type in _LOOPS:
                self._dead[current.name] = False
                pending.pop()
                continue
            if missing:
                pending.extend(missing)
                continue
            self._dead[current.name] = self._ends(operation, current)
            pending.pop()
        return self._dead[tensor.name]

    def _ends(self, operation: Any, tensor: Any) -> bool:
        found = [self._dead[each.name] for each in operation.inputs]
        if operation.type in MERGES:
            return all(found)
        if any(found) or any(self.dead(each) for each in self._awaited(operation)):
            return True
        if operation.type in SWITCHES:
            value = self._value_of(operation.inputs[1])
            return value is not None and bool(value) != bool(tensor.value_index)
        return False

    def _awaited(self, operation: Any) -> list[Any]:
        """What the ops that an op waits for take."""
        waited = [self._graph.get_operation_by_name(name) for name in self._controls.get(operation.name, ())]
        return [tensor for each in waited for tensor in each.inputs]

    def condition(self, merge: Any) -> Any:
        """The condition that a merge's inputs depend on.

        Raises:
            ConverterError: It is not that of a conditional.
        """
        for tensor in merge.inputs:
            found = self._switched(tensor)
            if found is not None:
                return found.op.inputs[1]
        raise ConverterError("it merges what no switch has parted")

    def sides(self, merge: Any) -> tuple[Any, Any]:
        """The inputs of a merge if its condition is false, and if it is true."""
        first, second = merge.inputs
        found, other = self._switched(first), self._switched(second)
        true_first = bool(found.value_index) if found is not None else other is not None and not other.value_index
        return (second, first) if true_first else (first, second)

    def _switched(self, tensor: Any) -> Any:
        """The output of the innermost switch above a tensor that has not been merged again."""
        pending, seen = [(tensor, 0)], set()
        while pending:
            current, depth = pending.pop()
            operation = current.op
            if (current.name, depth) in seen:
                continue
            seen.add((current.name, depth))
            if operation.type in MERGES:
                depth += 1
            elif operation.type in SWITCHES:
                if not depth:
                    return current
                depth -= 1
            pending.extend((each, depth) for each in [*operation.inputs, *self._awaited(operation)])
        return None

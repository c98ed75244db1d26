"""Inputs whose memory is lent to a run: arrays that are fed and the buffers of variables.

Others may write there while a kernel runs, another thread of the program or the kernel itself. A kernel gets its own
copies of the numbers by which it finds its way, which it would check first and read again afterwards, and an update
gets its own copies of values that lie in a variable that it changes.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.kernels import grouped
from ossia_core.declare.opdef import OpDef
from ossia_core.declare.shape_rules import broadcast
from ossia_core.graph.operation import Operation
from ossia_core.names import dtypes
from ossia_core.primitives.state import VariableState
from ossia_core.session.compile.work import Scope

_NUMBERS = (dtypes.int32, dtypes.int64, dtypes.bool)  # of indices, sizes, masks


def lent(ins: Sequence[int], scope: Scope) -> tuple[int, ...]:
    """The positions of the inputs whose memory is lent to the run, constants apart."""
    template = scope.template
    memory = scope.borrowed.intersection(ins) - scope.constant
    return tuple([i for i, slot in enumerate(ins) if slot in memory and template[slot] is None])


def with_own_inputs(kernel: Callable, op: Operation, places: Sequence[int]) -> Callable:
    """A kernel that calls another with its own copies of what lies in lent memory, as far as that matters.

    Args:
      kernel: the kernel of a node.
      op: the node.
      places: the positions of its inputs whose memory is lent.
    """
    definition = op.definition
    variables = _variables(definition)
    chosen, numbers = set(places), []
    groups = grouped(definition.inputs, op.attrs, range(len(op._inputs)))
    members = [group if isinstance(group, list) else [group] for group in groups]
    arguments = [i for i, group in enumerate(members) if not chosen.isdisjoint(group) and i not in variables]
    if not _is_by_element(definition):
        numbers = [i for i in arguments if any(op._inputs[m].dtype.base_dtype in _NUMBERS for m in members[i])]
    values = [i for i in arguments if i not in numbers] if variables else []
    if not numbers and not values:
        return kernel
    first = int(getattr(kernel, "needs_context", False))

    def with_copies(*args: Any) -> Any:
        given = list(args)
        for i in numbers:
            given[first + i] = _own(given[first + i])
        for i in values:
            given[first + i] = _apart(given[first + i], [given[first + v] for v in variables])
        return kernel(*given)

    if first:
        with_copies.needs_context = True  # type: ignore[attr-defined]
    return with_copies


@functools.cache
def _variables(definition: OpDef) -> tuple[int, ...]:
    """The arguments that are variables, or handles of such."""
    return tuple([i for i, arg in enumerate(definition.inputs) if arg.is_ref or arg.type is dtypes.resource])


@functools.cache
def _is_by_element(definition: OpDef) -> bool:
    """Whether an op only hands its inputs on, or computes each element from those in its place."""
    if definition.elementwise or definition.assigned or definition.shape_fn is broadcast:
        return True
    return definition.aliases and not _variables(definition)


def _own(value: Any) -> Any:
    if type(value) is list:
        return [_own(each) for each in value]
    return value.copy() if isinstance(value, np.ndarray) and value.dtype.kind in "ib" else value


def _apart(value: Any, variables: Sequence[Any]) -> Any:
    """A value that lies in none of the variables' buffers."""
    if isinstance(value, np.ndarray):
        for variable in variables:
            if isinstance(variable, VariableState) and variable.value is not None:
                if np.may_share_memory(value, variable.value):
                    return value.copy()
    return value

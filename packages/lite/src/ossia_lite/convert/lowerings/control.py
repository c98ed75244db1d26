"""Conditionals."""

from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import provides
from ossia_lite.convert.branches import of_loop
from ossia_lite.convert.lowering import LoweredModel
from ossia_lite.convert.settings import ConverterError


@provides("ossia_lite_lowerings", "Switch", "RefSwitch")
def switch(operation: Any, model: LoweredModel) -> None:
    """Switch: both results are the data; the merge behind them chooses."""
    index = model.index(operation.inputs[0])
    for tensor in operation.outputs:
        model.same(tensor, index)


@provides("ossia_lite_lowerings", "Merge", "RefMerge")
def merge(operation: Any, model: LoweredModel) -> None:
    """Merge: the only input that lives, or a choice between two."""
    if of_loop(operation):
        raise ConverterError("it begins a loop")
    branches = model.branches
    needed = branches.inputs(operation)
    if len(needed) == 1:
        model.same(operation.outputs[0], model.index(needed[0]))
        return
    if len(operation.inputs) != 2:
        raise ConverterError("it has more than two inputs")
    other, chosen = (model.index(tensor) for tensor in branches.sides(operation))
    condition = model.index(branches.condition(operation))
    made = model.output(operation.outputs[0])
    model.operator("SELECT_V2", [condition, chosen, other], [made], model.options("SelectV2Options"))

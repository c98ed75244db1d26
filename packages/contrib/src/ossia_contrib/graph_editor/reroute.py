"""Operations that take other inputs than before."""

from __future__ import annotations

from typing import Any

from ossia_contrib.graph_editor import subgraph
from ossia_contrib.graph_editor.listing import make_list_of_op, make_list_of_t, of_editor, one_graph
from ossia_core.plugins.api_table import public


def _views(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    views = subgraph.make_view(sgv0), subgraph.make_view(sgv1)
    if views[0].graph is not None and views[1].graph is not None and views[0].graph is not views[1].graph:
        raise ValueError("Both views must be of one graph.")
    return views


def _replaced(consumers: list[Any], old: Any, new: Any) -> int:
    count = 0
    for op in consumers:
        for index, tensor in enumerate(op.inputs):
            if tensor is old:
                op._update_input(index, new)
                count += 1
    return count


def _reroute(ts0: Any, ts1: Any, swap: bool, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Who takes one of `ts1` takes the one of `ts0` in its place; the other way round too if they are swapped."""
    first, second = make_list_of_t(ts0), make_list_of_t(ts1)
    if len(first) != len(second):
        raise ValueError(f"ts0 and ts1 have different sizes: {len(first)} != {len(second)}")
    if first:
        one_graph([*first, *second])
    allowed = None if can_modify is None else frozenset(make_list_of_op(can_modify))
    refused = frozenset(make_list_of_op(cannot_modify or []))

    def consumers(tensor: Any) -> list[Any]:
        return [op for op in tensor.consumers() if op not in refused and (allowed is None or op in allowed)]

    for one, other in zip(first, second, strict=True):
        if not one.dtype.base_dtype.is_compatible_with(other.dtype.base_dtype):
            raise ValueError(f"Dtypes {one.dtype} and {other.dtype} are not compatible.")
        if not one.shape.is_compatible_with(other.shape):
            raise ValueError(f"Shapes {one.shape} and {other.shape} are not compatible.")
    count = 0
    for one, other in zip(first, second, strict=True):
        if one is other:
            continue
        of_one, of_other = consumers(one), consumers(other)
        count += _replaced(of_other, other, one)
        if swap:
            count += _replaced(of_one, one, other)
    return count


@public(*of_editor("reroute", "reroute_ts"))
def reroute_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Who takes a tensor of `ts1` takes the one of `ts0` instead.

    Args:
      ts0: the tensors to take.
      ts1: those that were taken, as many.
      can_modify: the operations that may change, all by default.
      cannot_modify: those that may not.

    Returns:
      How many inputs changed.

    Raises:
      ValueError: numbers, dtypes or shapes differ.
    """
    return _reroute(ts0, ts1, False, can_modify, cannot_modify)


@public(*of_editor("reroute", "swap_ts"))
def swap_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Who takes a tensor of one takes that of the other; arguments as of `reroute_ts`."""
    return _reroute(ts0, ts1, True, can_modify, cannot_modify)


def _inputs(sgv0: Any, sgv1: Any, swap: bool) -> tuple[Any, Any]:
    sgv0, sgv1 = _views(sgv0, sgv1)
    changed = [*sgv1.ops, *(op for tensor in sgv1.passthroughs for op in tensor.consumers())]
    if swap:
        changed += [*sgv0.ops, *(op for tensor in sgv0.passthroughs for op in tensor.consumers())]
    _reroute(sgv0.inputs, sgv1.inputs, swap, changed)
    before = sgv0.inputs, sgv1.inputs
    sgv1._input_ts = before[0]
    if swap:
        sgv0._input_ts = before[1]
    return sgv0, sgv1


def _outputs(sgv0: Any, sgv1: Any, swap: bool) -> tuple[Any, Any]:
    sgv0, sgv1 = _views(sgv0, sgv1)
    _reroute(sgv0.outputs, sgv1.outputs, swap)
    return sgv0, sgv1


@public(*of_editor("reroute", "reroute_inputs"))
def reroute_inputs(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Make `sgv1` take the inputs of `sgv0`."""
    return _inputs(sgv0, sgv1, False)


@public(*of_editor("reroute", "swap_inputs"))
def swap_inputs(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Make two views take the inputs of each other."""
    return _inputs(sgv0, sgv1, True)


@public(*of_editor("reroute", "reroute_outputs"))
def reroute_outputs(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Make who takes outputs of `sgv1` take those of `sgv0`."""
    return _outputs(sgv0, sgv1, False)


@public(*of_editor("reroute", "swap_outputs"))
def swap_outputs(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Make who takes outputs of one view take those of the other."""
    return _outputs(sgv0, sgv1, True)


@public(*of_editor("reroute", "reroute_ios"))
def reroute_ios(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Put `sgv0` in the place of `sgv1`, inputs and outputs."""
    return _outputs(*_inputs(sgv0, sgv1, False), False)


@public(*of_editor("reroute", "swap_ios"))
def swap_ios(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Put two views in the place of each other, inputs and outputs."""
    return _outputs(*_inputs(sgv0, sgv1, True), True)


@public(*of_editor("reroute", "add_control_inputs"))
def add_control_inputs(op: Any, cops: Any) -> None:
    """Make an operation wait for others.

    Raises:
      ValueError: it waits for one already.
    """
    cops = make_list_of_op(cops, allow_graph=False)
    for each in cops:
        if each in op.control_inputs:
            raise ValueError(f"{each.name} is already a control_input of {op.name}")
    op._add_control_inputs(cops)


@public(*of_editor("reroute", "remove_control_inputs"))
def remove_control_inputs(op: Any, cops: Any) -> None:
    """Make an operation wait no more for others.

    Raises:
      ValueError: it does not wait for one.
    """
    cops = make_list_of_op(cops, allow_graph=False)
    for each in cops:
        if each not in op.control_inputs:
            raise ValueError(f"{op.name} is not a control_input of {each.name}")
    left = [each for each in op.control_inputs if each not in cops]
    op._remove_all_control_inputs()
    op._add_control_inputs(left)

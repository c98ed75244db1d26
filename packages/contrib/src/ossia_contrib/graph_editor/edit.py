"""Parts of graphs taken off, bypassed and connected."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.graph_editor import reroute, select, subgraph
from ossia_contrib.graph_editor.listing import make_placeholder_from_tensor, of_editor, placeholder_name
from ossia_core.plugins.api_table import public


@public(*of_editor("edit", "detach_control_inputs"))
def detach_control_inputs(sgv: Any) -> None:
    """Make the operations of a view wait for none outside of it."""
    view = subgraph.make_view(sgv)
    for op in view.ops:
        outside = [each for each in op.control_inputs if each not in view.ops]
        if outside:
            reroute.remove_control_inputs(op, outside)


@public(*of_editor("edit", "detach_control_outputs"))
def detach_control_outputs(sgv: Any, control_outputs: Any) -> None:
    """Make no operation outside of a view wait for one in it; `control_outputs` is the graph's ControlOutputs."""
    if not isinstance(control_outputs, select.listing.ControlOutputs):
        raise TypeError(f"Expected a util.ControlOutputs, got: {type(control_outputs)}")
    control_outputs.update()
    view = subgraph.make_view(sgv)
    for op in view.ops:
        for waiting in control_outputs.get(op):
            if waiting not in view.ops:
                reroute.remove_control_inputs(waiting, op)


@public(*of_editor("edit", "detach_inputs"))
def detach_inputs(sgv: Any, control_inputs: bool = False) -> tuple[Any, list[Any]]:
    """Put placeholders in the place of a view's inputs.

    Args:
      sgv: the view.
      control_inputs: whether its operations wait for none outside any more, too.

    Returns:
      The view, and the placeholders.
    """
    view = subgraph.make_view(sgv)
    with view.graph.as_default(), tf.name_scope(None):
        placeholders = [
            tf.placeholder(dtype=tensor.dtype.base_dtype, name=placeholder_name(tensor)) for tensor in view.inputs
        ]
    consumers = [*view.ops, *(op for tensor in view.passthroughs for op in tensor.consumers())]
    reroute.reroute_ts(placeholders, view.inputs, can_modify=consumers)
    view._input_ts = placeholders
    if control_inputs:
        detach_control_inputs(view)
    return view, placeholders


@public(*of_editor("edit", "detach_outputs"))
def detach_outputs(sgv: Any, control_outputs: Any = None) -> tuple[Any, list[Any]]:
    """Put placeholders in the place of a view's outputs, for those that take them.

    Args:
      sgv: the view.
      control_outputs: the graph's ControlOutputs, if none outside is to wait for the view any more, too.

    Returns:
      The view, and the placeholders.
    """
    view = subgraph.make_view(sgv)
    taken = [tensor for tensor in view.outputs if any(op not in view.ops for op in tensor.consumers())]
    with view.graph.as_default(), tf.name_scope(None):
        placeholders = [make_placeholder_from_tensor(tensor) for tensor in taken]
    reroute.reroute_ts(placeholders, taken, cannot_modify=view.ops)
    if control_outputs is not None:
        detach_control_outputs(view, control_outputs)
    return view, placeholders


@public(*of_editor("edit", "detach"))
def detach(
    sgv: Any, control_inputs: bool = False, control_outputs: Any = None, control_ios: Any = None
) -> tuple[Any, list[Any], list[Any]]:
    """Take a view off the graph: as of `detach_inputs` and `detach_outputs`.

    Returns:
      The view, the placeholders of its inputs, and those of its outputs.
    """
    control_inputs, control_outputs = select.check_cios(control_inputs, control_outputs, control_ios)
    _, inputs = detach_inputs(sgv, control_inputs)
    view, outputs = detach_outputs(sgv, control_outputs)
    return view, inputs, outputs


@public(*of_editor("edit", "connect"))
def connect(sgv0: Any, sgv1: Any, disconnect_first: bool = False) -> tuple[Any, Any]:
    """Make a view take the outputs of another one.

    Args:
      sgv0: whose outputs are taken.
      sgv1: the view that takes them.
      disconnect_first: whether none else takes them any more.

    Raises:
      ValueError: there are more of them than inputs, or fewer.
    """
    sgv0, sgv1 = subgraph.make_view(sgv0), subgraph.make_view(sgv1)
    if disconnect_first:
        detach_outputs(sgv0)
    reroute.reroute_inputs(subgraph.SubGraphView(passthrough_ts=sgv0.outputs), sgv1)
    return sgv0, sgv1


@public(*of_editor("edit", "bypass"))
def bypass(sgv: Any) -> tuple[Any, list[Any]]:
    """Make who takes a view's outputs take its inputs.

    Returns:
      The view, taken off its inputs, and the placeholders in their place.
    """
    view = subgraph.make_view(sgv)
    inputs = view.inputs
    view, detached = detach_inputs(view)
    reroute.reroute_ts(inputs, view.outputs)
    return view, detached

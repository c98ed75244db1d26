"""`control_flow_util`: what a node is to the loops and conditionals of its graph."""

from __future__ import annotations

from typing import Any

import ossia as tf

enable_control_flow_v2 = tf.enable_control_flow_v2

_SWITCH, _MERGE = ("Switch", "RefSwitch"), ("Merge", "RefMerge")
_ENTER, _EXIT = ("Enter", "RefEnter"), ("Exit", "RefExit")


def IsSwitch(op: Any) -> bool:
    """Whether a node passes its value on to one of two outputs."""
    return op.type in _SWITCH


def IsMerge(op: Any) -> bool:
    """Whether a node passes on the first value that comes."""
    return op.type in _MERGE


def IsLoopEnter(op: Any) -> bool:
    """Whether a node takes a value into a loop."""
    return op.type in _ENTER


def IsLoopExit(op: Any) -> bool:
    """Whether a node takes a value out of a loop."""
    return op.type in _EXIT


def IsLoopConstantEnter(op: Any) -> bool:
    """Whether a node takes a value into a loop that is the same in every iteration."""
    return IsLoopEnter(op) and bool(op.get_attr("is_constant"))


def GetLoopConstantEnter(value: Any) -> Any:
    """The node that takes `value`, directly or by an Identity, into its loop as a constant; None if none does."""
    op = value.op
    while op.type in ("Switch", "Identity", "RefIdentity"):
        op = op.inputs[0].op
    return op if IsLoopConstantEnter(op) else None


def IsCondSwitch(op: Any) -> bool:
    """Whether a Switch is one of a conditional."""
    return IsSwitch(op) and bool(op.outputs) and all(
        _is_branch_of(op, user) for output in op.outputs for user in output.consumers()
    )


def _is_branch_of(switch: Any, user: Any) -> bool:
    context = GetOutputContext(user)
    if IsLoopEnter(user) and context is not None:
        context = context.outer_context
    return context is not None and context.IsCondContext()


def IsLoopSwitch(op: Any) -> bool:
    """Whether a Switch is one of a loop."""
    if not IsSwitch(op):
        return False
    context = op._get_control_flow_context()
    return context is not None and context.IsWhileContext() and not IsCondSwitch(op)


def IsCondMerge(op: Any) -> bool:
    """Whether a Merge is one of a conditional."""
    return IsMerge(op) and bool(op.inputs) and all(GetOutputContext(t.op) is None or not _closes(t.op)
                                                  for t in op.inputs)


def _closes(op: Any) -> bool:
    return IsLoopEnter(op) or op.type in ("NextIteration", "RefNextIteration")


def IsLoopMerge(op: Any) -> bool:
    """Whether a Merge is one of a loop."""
    return IsMerge(op) and not IsCondMerge(op)


def GetOutputContext(op: Any) -> Any:
    """The context of what a node gives: that around the loop for one that leaves it."""
    context = op._get_control_flow_context()
    return context.outer_context if context is not None and IsLoopExit(op) else context


def GetContainingWhileContext(ctxt: Any, stop_ctxt: Any = None) -> Any:
    """The innermost loop around a context, or None; it is not looked for beyond `stop_ctxt`."""
    return _containing(ctxt, stop_ctxt, "IsWhileContext")


def GetContainingCondContext(ctxt: Any) -> Any:
    """The innermost conditional around a context, or None."""
    return _containing(ctxt, None, "IsCondContext")


def _containing(context: Any, stop: Any, kind: str) -> Any:
    while context is not None:
        if getattr(context, kind)() or context is stop:
            return context
        context = context.outer_context
    return None


def GetWhileContext(op: Any) -> Any:
    """The loop that a node is in; None if it is in none."""
    return GetContainingWhileContext(op._get_control_flow_context())


def IsContainingContext(ctxt: Any, maybe_containing_ctxt: Any) -> bool:
    """Whether one context is around, or is, another."""
    while ctxt is not maybe_containing_ctxt:
        if ctxt is None:
            return False
        ctxt = ctxt.outer_context
    return True


def OpInContext(op: Any, ctxt: Any) -> bool:
    """Whether a node is in a context or one within."""
    return IsContainingContext(op._get_control_flow_context(), ctxt)


def TensorInContext(tensor: Any, ctxt: Any) -> bool:
    """Whether the node of a tensor is."""
    return OpInContext(tensor.op, ctxt)


def IsInWhileLoop(op: Any) -> bool:
    """Whether a node is in a loop."""
    return GetWhileContext(op) is not None


def IsInCond(op: Any) -> bool:
    """Whether a node is in a conditional."""
    return GetContainingCondContext(op._get_control_flow_context()) is not None


def EnableControlFlowV2(graph: Any) -> bool:
    """Whether conditionals and loops of a graph are functional ops."""
    return tf.control_flow_v2_enabled() or graph.building_function


def set_control_flow_v2(value: bool) -> None:
    """Says whether conditionals and loops are functional ops."""
    (tf.enable_control_flow_v2 if value else tf.disable_control_flow_v2)()


def __getattr__(name: str) -> Any:
    if name == "ENABLE_CONTROL_FLOW_V2":
        return tf.control_flow_v2_enabled()
    raise AttributeError(name)


def GetContainingXLAContext(ctxt: Any) -> Any:
    """The innermost context of a compiler around a context: None, there are none."""
    return None


def IsInXLAContext(op: Any) -> bool:
    """Whether a node asks to be compiled."""
    try:
        return bool(op.get_attr("_XlaCompile"))
    except ValueError:
        return False


def InXlaContext(graph: Any) -> bool:
    """False: there is no context of a compiler."""
    return False


GraphOrParentsInXlaContext = InXlaContext


def CheckInputFromValidContext(op: Any, input_op: Any) -> None:
    """Checks that a node can use what another one gives.

    Raises:
        ValueError: The other one is in a loop that the node is not in.
    """
    context = GetOutputContext(input_op)
    loop = GetContainingWhileContext(context)
    if loop is None or loop.grad_state is not None:
        return
    own = GetContainingWhileContext(op._get_control_flow_context())
    if not IsContainingContext(own, loop):
        raise ValueError(
            f"Cannot use '{input_op.name}' as input to '{op.name}' because '{input_op.name}' is in a while loop. See "
            "info log for more details."
        )

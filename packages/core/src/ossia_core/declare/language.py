"""The primitives that define the language of graphs: the only op types that a plan knows by their names.

What any other op means stands on its declaration (`ossia_core.declare.facets`). Ops that call functions say so there,
too: `OpDef.calls`.
"""
from __future__ import annotations

CONST, PLACEHOLDER, PLACEHOLDER_WITH_DEFAULT = "constant", "placeholder", "placeholder with default"
SWITCH, MERGE = "switch", "merge"
ENTER, EXIT, NEXT, LOOP_COND = "enter", "exit", "next iteration", "loop condition"
NO_OP, CONTROL_TRIGGER = "no op", "control trigger"

ROLES = {
    "Const": CONST,
    "Placeholder": PLACEHOLDER,
    "PlaceholderV2": PLACEHOLDER,
    "PlaceholderWithDefault": PLACEHOLDER_WITH_DEFAULT,
    "Switch": SWITCH,
    "RefSwitch": SWITCH,
    "Merge": MERGE,
    "RefMerge": MERGE,
    "Enter": ENTER,
    "RefEnter": ENTER,
    "Exit": EXIT,
    "RefExit": EXIT,
    "NextIteration": NEXT,
    "RefNextIteration": NEXT,
    "LoopCond": LOOP_COND,
    "NoOp": NO_OP,
    "ControlTrigger": CONTROL_TRIGGER,
}

# What may take values from inside of a loop or branch that it is not in itself.
BORDERS = frozenset((SWITCH, MERGE, ENTER, EXIT, NEXT, CONTROL_TRIGGER))
# What a plan turns into loops and branches; no step of its own computes it.
FRAMES = frozenset((SWITCH, MERGE, ENTER, EXIT, NEXT))

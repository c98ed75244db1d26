"""What the original refuses of attributes before a kernel runs: numbers beyond 32 bits, names of no container."""
from __future__ import annotations

import functools
import math
import re

from ossia_core.declare.opdef import OpDef
from ossia_core.graph.attributes import beyond_int32
from ossia_core.graph.operation import Operation
from ossia_core.names import errors

_CONTAINER = re.compile(rb"([A-Za-z0-9.][A-Za-z0-9./-]*)?\Z")
_ANY_PLACE = frozenset(("VarHandleOp", "MutexV2", "SummaryWriter"))  # which take any name of a container


@functools.cache
def checked_attrs(definition: OpDef) -> tuple[tuple[str, ...], bool]:
    """The attributes of 32 bits that no shape rule has seen, and whether the op keeps something in a container."""
    narrow = tuple([name for name in definition.int32_attrs if name not in definition.shape_attrs])
    return narrow, {"container", "shared_name"} <= definition.attrs.keys() and definition.type not in _ANY_PLACE


def refusal(op: Operation) -> str | None:
    """Why no kernel can be made for a node with these attributes; None if it can."""
    narrow, is_kept = checked_attrs(op.definition)
    if is_kept:
        container, shared = op.attrs["container"], op.attrs["shared_name"]
        if not _CONTAINER.match(container):
            return f"container contains invalid characters: {container.decode(errors='backslashreplace')}"
        if shared[:1] == b"_":
            return f"shared_name cannot start with '_':{shared.decode(errors='backslashreplace')}"
        for name, attr in op.definition.attrs.items():
            for shape in op.attrs[name] if attr.kind == "list(shape)" else ():
                dims = shape.as_tuple()
                if dims is not None and None not in dims and math.prod(size or 1 for size in dims) >= 2**63:
                    return f"Shape {errors.dims_text(dims)} is too large (more than 2**63 - 1 entries)"
    return beyond_int32(op.attrs, narrow) if narrow else None


def check(op: Operation) -> None:
    """Check the attributes of a node that is to run.

    Raises:
        InvalidArgumentError: No kernel can be made with these.
    """
    text = refusal(op)
    if text is not None:
        raise errors.InvalidArgumentError(None, op, text)

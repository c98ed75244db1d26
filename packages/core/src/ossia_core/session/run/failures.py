"""Errors of a run: any exception that a step raises becomes an OpError that names the node."""
from __future__ import annotations

import re
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from ossia_core import files
from ossia_core.names import errors
from ossia_core.names.dtypes import DType

# What NumPy says of shapes that do not broadcast and of arrays that are too large, and how it writes a shape.
_UNEQUAL = re.compile(r"could not be broadcast together|cannot be broadcast to a single shape")
_ENGINE_NAMES = {"float16": "half", "float32": "float", "float64": "double", "object": "string"}
_ALLOCATED = re.compile(r"array with shape \((.*?)\) and data type (\w+)")
_SHAPE = re.compile(r"\((\d+(?:, ?\d+)*|),?\)")


def failed_node(trace: TracebackType | None, node_of: Mapping[Any, Any]) -> Any:
    """The node of the innermost step in a traceback: every loop over steps holds the current one in `step`."""
    found = None
    while trace is not None:
        step = trace.tb_frame.f_locals.get("step")
        try:
            found = node_of.get(step, found)
        except TypeError:
            pass
        trace = trace.tb_next
    return found


def explain(error: Exception, node_of: Mapping[Any, Any], origin: Mapping[Any, Any], graph: Any) -> Exception:
    """The error to raise for what a step raised.

    Args:
      error: what the step raised.
      node_of: the node behind each step.
      origin: of nodes in bodies of functions, the node of the program's graph that calls them.
      graph: the program's graph.
    """
    node = failed_node(error.__traceback__, node_of)
    caller = origin.get(node)
    if node is not None and caller is None and node.graph is not graph:
        node = graph._by_name.get(node.name, node)  # a copy made for the plan stands for the program's node
    return (error if isinstance(error, errors.OpError) else convert(error)).attach(node, caller)


def convert(error: Exception) -> errors.OpError:
    """The OpError of the documented class for an exception of a kernel."""
    text = str(error) or type(error).__name__
    if isinstance(error, MemoryError):
        wanted = _ALLOCATED.search(text)
        if wanted:
            dims = wanted[1].rstrip(",").replace(" ", "")
            kind = _ENGINE_NAMES.get(wanted[2], wanted[2])
            text = f"OOM when allocating tensor with shape[{dims}] and type {kind}"
        return errors.ResourceExhaustedError(None, None, text if wanted else f"Out of memory: {text}")
    if isinstance(error, NotImplementedError):
        return errors.UnimplementedError(None, None, text)
    if isinstance(error, (ValueError, TypeError, IndexError, ArithmeticError)):
        if "Maximum allowed" in text or "array is too big" in text:
            return errors.ResourceExhaustedError(None, None, text)
        if _UNEQUAL.search(text) and "->" not in text:
            found = [f"[{dims.replace(' ', '')}]" for dims in _SHAPE.findall(text)]
            text = f"Incompatible shapes: {' vs. '.join(found)}"
        return errors.InvalidArgumentError(None, None, text)
    if isinstance(error, OSError):
        return files.translate(error, str(error.filename or ""))
    return errors.InternalError(None, None, f"{type(error).__name__}: {text}")


def refused(error: Exception, op: Any) -> errors.OpError:
    """The error to raise for what the making of a node's kernel raised."""
    return (error if isinstance(error, errors.OpError) else convert(error)).attach(op)


def no_kernel(op: Any) -> errors.OpError:
    """The error for a node that no backend can run."""
    attrs = ", ".join(f"{name}={_attr_text(value)}" for name, value in op.attrs.items() if not name.startswith("_"))
    return errors.InvalidArgumentError(
        None, op,
        f"No OpKernel was registered to support Op '{op.type}' used by {{{{node {op.name}}}}} with these attrs: "
        f"[{attrs}]\n"
        "Registered devices: [CPU]\nRegistered kernels:\n  <no registered kernels>\n"
    )


def _attr_text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_attr_text, value))}]"
    if isinstance(value, DType):
        from ossia_core.proto import AttrValue

        names = AttrValue.DESCRIPTOR.fields_by_name["type"].enum_type.values_by_number
        return str(names[value.as_datatype_enum].name)
    if isinstance(value, bytes):
        return f'"{value.decode(errors="replace")}"'
    return str(value).lower() if isinstance(value, bool) else str(value)

"""Finding the elements of a graph: tensors and operations by name, and what stands for one."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor


def element(graph: Any, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
    """The tensor or operation of a graph that `obj` names, is, or converts to.

    Raises:
      TypeError: `obj` cannot stand for a graph element of the kinds allowed.
      ValueError: it belongs to another graph, or its name is malformed.
      KeyError: no element has that name.
    """
    kinds = " or ".join(
        ([Tensor.__name__] if allow_tensor else []) + ([Operation.__name__] if allow_operation else [])
    )
    if not kinds:
        raise ValueError("allow_tensor and allow_operation can't both be False.")
    convert = getattr(obj, "_as_graph_element", None)
    if convert is not None:
        element = convert()
        obj = obj if element is None else element
    if isinstance(obj, bytes):
        obj = obj.decode()
    if isinstance(obj, str):
        return _named(graph._by_name, obj, allow_tensor, allow_operation)
    if (isinstance(obj, Tensor) and allow_tensor) or (isinstance(obj, Operation) and allow_operation):
        if obj.graph is not graph:
            raise ValueError(f"{type(obj).__name__} {obj} is not an element of this graph.")
        return obj
    raise TypeError(f"Can not convert a {type(obj).__name__} into a {kinds}.")


def _named(by_name: dict[str, Operation], name: str, allow_tensor: bool, allow_operation: bool) -> Any:
    if ":" in name and allow_tensor:
        op_name, _, index_text = name.rpartition(":")
        if ":" in op_name or not index_text.isdigit():
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. Tensor names must be of "
                "the form "
                '"<op_name>:<output_index>".'
            )
        op = by_name.get(op_name)
        if op is None:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, does not "
                "exist in the graph."
            )
        index = int(index_text)
        if index >= len(op.outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, exists "
                f"but only has {len(op.outputs)} outputs."
            )
        return op.outputs[index]
    if ":" in name:
        raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation.")
    op = by_name.get(name)
    if not allow_operation:
        if op is not None:
            raise ValueError(
                f"The name {name!r} refers to an Operation, not a Tensor. Tensor names must be of the form "
                '"<op_name>:<output_index>".'
            )
        raise ValueError(
            f"The name {name!r} looks like an (invalid) Operation name, not a Tensor. Tensor names must be of the "
            "form "
            '"<op_name>:<output_index>".'
        )
    if op is None:
        raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
    return op

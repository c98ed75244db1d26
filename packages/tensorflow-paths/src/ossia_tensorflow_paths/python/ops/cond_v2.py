"""`cond_v2`, `while_v2`, `control_flow_util_v2`: conditionals and loops as functional ops, whatever the switch says."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import ossia as tf
from ossia_functions import library, ops
from ossia_functions.derivatives import forward_body


@contextlib.contextmanager
def _functional() -> Iterator[None]:
    before = tf.control_flow_v2_enabled()
    tf.enable_control_flow_v2()
    try:
        yield
    finally:
        if not before:
            tf.disable_control_flow_v2()


def cond_v2(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str = "cond") -> Any:
    """The results of one of two functions, in their structure."""
    with _functional():
        return tf.cond(pred, true_fn, false_fn, strict=True, name=name or "cond")


def indexed_case(branch_index: Any, branch_fns: Sequence[Callable[[], Any]], name: str = "indexed_case") -> Any:
    """The results of one of several functions.

    Raises:
        TypeError: The index is a number of Python.
    """
    if isinstance(branch_index, int):
        raise TypeError("branch_index must not be a Python int", branch_index)
    with _functional():
        return tf.switch_case(branch_index, list(branch_fns), name=name)


def while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, shape_invariants: Any = None,
    parallel_iterations: int = 10, maximum_iterations: Any = None, name: str | None = None,
    return_same_structure: bool = True, back_prop: bool = True,
) -> Any:
    """The loop variables when the condition is false."""
    with _functional():
        return tf.while_loop(
            cond, body, loop_vars, shape_invariants, parallel_iterations or 10, maximum_iterations=maximum_iterations,
            name=name, return_same_structure=return_same_structure, back_prop=back_prop,
        )


def get_func_graphs(op: Any) -> tuple[Any, ...]:
    """The bodies of the branches of a conditional, as graphs."""
    branches = op.get_attr("branches") if op.type == "Case" else map(op.get_attr, ("then_branch", "else_branch"))
    return tuple(forward_body(op, branch, [t.shape for t in op.inputs[1:]]) for branch in branches)


def _get_graph(while_op: Any, func_attr_name: str) -> Any:
    """The body or condition of a loop, as a graph."""
    return forward_body(while_op, while_op.get_attr(func_attr_name), [t.shape for t in while_op.outputs])


def in_defun() -> bool:
    """Whether the default graph is the body of a function."""
    return tf.get_default_graph().building_function


def unique_fn_name(scope: str, name: str) -> str:
    """A name for the function of a node."""
    return library.unique_name(f"{scope}{name}").replace("/", "_")


def unique_grad_fn_name(forward_name: str) -> str:
    """A name for the gradient of a function."""
    return library.unique_name(f"{forward_name}_grad")


def maybe_set_lowering_attr(op: Any) -> None:
    """Says that runs make Switch and Merge nodes of a functional op."""
    op._set_attr(ops.LOWER, tf.AttrValue(b=True))

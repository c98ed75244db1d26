"""`functional_ops`: control flow whose branches and bodies are functions of the library, and their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_core.functions import library


def _function(f: Any) -> Any:
    """The value of an attribute that names a function, which the default graph then has."""
    f.add_to_graph(tf.get_default_graph())
    return library.reference(f.name)


def _results(f: Any) -> list[Any]:
    return [tf.as_dtype(arg.type) for arg in f.definition.signature.output_arg]


def Gradient(inputs: Sequence[Any], f: Any, name: str | None = None) -> list[Any]:
    """The gradients of a function by its arguments, from the arguments and the gradients of its results."""
    types = [tf.as_dtype(arg.type) for arg in f.definition.signature.input_arg]
    return tf.raw_ops.SymbolicGradient(input=inputs, Tout=types, f=_function(f), name=name)


def If(cond: Any, inputs: Sequence[Any], then_branch: Any, else_branch: Any, name: str | None = None) -> list[Any]:
    """The results of one of two functions."""
    return tf.raw_ops.If(
        cond=cond, input=inputs, Tout=_results(then_branch), then_branch=_function(then_branch),
        else_branch=_function(else_branch), name=name,
    )


def While(
    input_: Sequence[Any], cond: Any, body: Any, name: str | None = None, hostmem: Sequence[int] | None = None
) -> list[Any]:
    """What `body` makes of its inputs as long as `cond` says so.

    Raises:
        NotImplementedError: `body` uses tensors of the graph around it.
        ValueError: `cond` uses others than `body`.
    """
    if cond.captured_inputs:
        raise ValueError("While op 'cond' argument must be a function without implicitly captured inputs.")
    if len(input_) + len(body.captured_inputs) != len(cond.declared_input_types):
        raise ValueError("The 'cond' and 'body' arguments of While must take the same inputs.")
    if body.captured_inputs:
        raise NotImplementedError("The body of a While must take what it uses of the graph around it as inputs.")
    made = tf.raw_ops.While(input=input_, cond=_function(cond), body=_function(body), name=name)
    if hostmem:
        inputs = tf.AttrValue()
        inputs.list.i.extend(hostmem)
        made[0].op._set_attr("_input_hostmem", inputs)
        made[0].op._set_attr("_output_hostmem", inputs)
    return made

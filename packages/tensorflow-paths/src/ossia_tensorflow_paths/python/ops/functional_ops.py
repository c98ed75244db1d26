"""`functional_ops`: control flow whose branches and bodies are functions of the library, and their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_functions import library
from ossia_tensorflow_paths.python.framework.function import Defun, get_extra_args

_AS_IT_IS = b"R\x05R\x03\x98\x01\x01"
"""A ConfigProto that turns off the rewriting of the function."""


def _function(f: Any) -> Any:
    """The value of an attribute that names a function; unless only its name is given, the default graph then has it."""
    if isinstance(f, str):
        return library.reference(f)
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
        ValueError: `cond` uses tensors of the graph around it, or takes other arguments than `body`.
    """
    if cond.captured_inputs:
        raise ValueError("While op 'cond' argument must be a function without implicitly captured inputs.")
    if cond.declared_input_types != body.declared_input_types:
        raise ValueError(
            "While op 'cond' and 'body' signatures do not match. "
            f"{cond.declared_input_types!r} vs {body.declared_input_types!r}"
        )
    captured = list(body.captured_inputs)
    if captured:
        taken, inner, body = len(cond.declared_input_types), cond, _handing_on_captured(body)
        types = [*cond.declared_input_types, *(each.dtype for each in captured)]
        cond = Defun(*types, func_name=f"{cond.name}_Wrapper")(lambda *values: inner(*values[:taken]))
    made = tf.raw_ops.While(input=[*input_, *captured], cond=_function(cond), body=_function(body), name=name)
    if hostmem:
        _keep_on_host(made[0].op, hostmem, hostmem)
    return made[: len(made) - len(captured)]


def _handing_on_captured(body: Any) -> Any:
    """A function of the same arguments whose results end with what `body` uses of the graph around it."""

    def wrapper(*values: Any) -> tuple[Any, ...]:
        return *_listed(body(*values)), *get_extra_args()

    return Defun(*body.declared_input_types, func_name=f"{body.name}_Wrapper")(wrapper)


def _listed(results: Any) -> list[Any]:
    """What a call of a function gives, as a list."""
    if isinstance(results, tf.Operation):
        return []
    return list(results) if isinstance(results, (list, tuple)) else [results]


def For(
    start: Any, limit: Any, delta: Any, inputs: Sequence[Any], body: Any, name: str | None = None,
    hostmem: Sequence[int] | None = None, rewrite_with_while: bool | None = None,
) -> list[Any]:
    """What `body` makes of a number and its inputs, for the numbers from `start` to `limit`."""
    if rewrite_with_while:
        return _for_as_while(start, limit, delta, inputs, body, name, hostmem)
    captured = list(body.captured_inputs)
    made = tf.raw_ops.For(
        start=start, limit=limit, delta=delta, input=[*inputs, *captured],
        body=_function(_handing_on_captured(body) if captured else body), name=name,
    )
    if hostmem:
        _keep_on_host(made[0].op, [3 + i for i in hostmem], hostmem)
    return made[: len(made) - len(captured)]


def _for_as_while(
    start: Any, limit: Any, delta: Any, inputs: Sequence[Any], body: Any, name: str | None,
    hostmem: Sequence[int] | None,
) -> list[Any]:
    """The loop over numbers as one over how many there were."""
    step = tf.abs(delta)
    rounds = tf.cast(tf.cast(tf.abs(limit - start) + step - 1, tf.float32) / tf.cast(step, tf.float32), tf.int32)
    types = [*[tf.int32] * 4, *body.declared_input_types[1:]]

    def more(i: Any, n: Any, *_: Any) -> Any:
        return i < n

    def round_(i: Any, n: Any, start: Any, delta: Any, *values: Any) -> tuple[Any, ...]:
        results = _listed(body(start + i * delta, *values))
        return i + 1, n, start, delta, *results

    made = While(
        [0, rounds, start, delta, *inputs], Defun(*types, func_name=f"{body.name}_Cond")(more),
        Defun(*types, func_name=f"{body.name}_Body")(round_), name, [0, 1, 2, 3, *(4 + i for i in hostmem or ())],
    )
    return made[4 : 4 + len(inputs)]


def _keep_on_host(op: Any, inputs: Sequence[int], outputs: Sequence[int]) -> None:
    for name, numbers in (("_input_hostmem", inputs), ("_output_hostmem", outputs)):
        kept = tf.AttrValue()
        kept.list.i.extend(numbers)
        op._set_attr(name, kept)


def remote_call(target: Any, args: Sequence[Any], Tout: Sequence[Any], f: Any, name: str | None = None) -> list[Any]:
    """The results of a function on a device."""
    return tf.raw_ops.RemoteCall(target=target, args=args, Tout=Tout, f=_function(f), name=name)


def symbolic_gradient(input: Sequence[Any], Tout: Sequence[Any], f: Any, name: str | None = None) -> list[Any]:
    """The gradients of a function by its arguments."""
    return tf.raw_ops.SymbolicGradient(input=input, Tout=Tout, f=_function(f), name=name)


def partitioned_call(
    args: Sequence[Any], f: Any, tout: Sequence[Any] | None = None, executing_eagerly: bool | None = None,
    config: str | None = None, executor_type: str | None = None,
) -> list[Any] | tf.Operation:
    """The results of a function, whose nodes may be on several devices; the op that calls it if it has none.

    Raises:
        ValueError: The function does not take as many arguments.
    """
    if len(args) != len(f.definition.signature.input_arg):
        raise ValueError(
            f"Wrong number of arguments. Expected {len(f.definition.signature.input_arg)}; got {len(args)}"
        )
    kinds = _results(f) if tout is None else list(tout)
    call = tf.raw_ops.StatefulPartitionedCall if getattr(f, "stateful_ops", ()) else tf.raw_ops.PartitionedCall
    made = call(
        args=args, Tout=kinds, f=_function(f), config="", config_proto=_AS_IT_IS if config is None else config,
        executor_type=executor_type or "", name=None if kinds else "PartitionedFunctionCall",
    )
    if not kinds:
        return made if isinstance(made, tf.Operation) else tf.get_default_graph().get_operations()[-1]
    return made if isinstance(made, list) else [made]

"""`functional_ops`: control flow whose branches and bodies are functions of the library, and their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_core.functions import library


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
        _keep_on_host(made[0].op, hostmem)
    return made


def For(
    start: Any, limit: Any, delta: Any, inputs: Sequence[Any], body: Any, name: str | None = None,
    hostmem: Sequence[int] | None = None, rewrite_with_while: bool | None = None,
) -> list[Any]:
    """What `body` makes of a number and its inputs, for the numbers from `start` to `limit`.

    Raises:
        ValueError: `body` does not take a number and the inputs.
    """
    if len(inputs) + 1 != len(body.declared_input_types):
        raise ValueError("For body function expects a number and the inputs as arguments.")
    captured = list(body.captured_inputs)
    if not captured and not rewrite_with_while:
        made = tf.raw_ops.For(
            start=start, limit=limit, delta=delta, input=inputs, body=_function(body), name=name
        )
        if hostmem:
            _keep_on_host(made[0].op, [number - 1 for number in hostmem if number])
        return made

    count = len(inputs)

    def step(number: Any, *values: Any) -> list[Any]:
        made = body(number, *values)
        return [number + delta, *(made if isinstance(made, (list, tuple)) else [made])]

    loop = tf.while_loop(
        lambda number, *_: number < limit if _is_up(delta) else number > limit, step,
        [tf.convert_to_tensor(start), *inputs], name=name,
        shape_invariants=[tf.TensorShape([]), *[tf.TensorShape(None)] * count],
    )
    return list(loop[1 : 1 + count])


def _is_up(delta: Any) -> bool:
    known = tf.get_static_value(delta) if isinstance(delta, tf.Tensor) else delta
    if known is None:
        raise NotImplementedError("For: with captured inputs, the direction of the numbers must be known")
    return known > 0


def _keep_on_host(op: Any, numbers: Sequence[int]) -> None:
    kept = tf.AttrValue()
    kept.list.i.extend(numbers)
    op._set_attr("_input_hostmem", kept)
    op._set_attr("_output_hostmem", kept)


def remote_call(target: Any, args: Sequence[Any], Tout: Sequence[Any], f: Any, name: str | None = None) -> list[Any]:
    """The results of a function on a device."""
    return tf.raw_ops.RemoteCall(target=target, args=args, Tout=Tout, f=_function(f), name=name)


def symbolic_gradient(input: Sequence[Any], Tout: Sequence[Any], f: Any, name: str | None = None) -> list[Any]:
    """The gradients of a function by its arguments."""
    return tf.raw_ops.SymbolicGradient(input=input, Tout=Tout, f=_function(f), name=name)


def partitioned_call(
    args: Sequence[Any], f: Any, tout: Sequence[Any] | None = None, executing_eagerly: bool | None = None,
    config: str | None = None, executor_type: str | None = None,
) -> list[Any]:
    """The results of a function, whose nodes may be on several devices.

    Raises:
        ValueError: The function does not take as many arguments.
    """
    if len(args) != len(f.definition.signature.input_arg):
        raise ValueError(
            f"Wrong number of arguments. Expected {len(f.definition.signature.input_arg)}; got {len(args)}"
        )
    kinds = _results(f) if tout is None else list(tout)
    stateful = any(tf.get_default_graph()._is_function(f.name) and op for op in getattr(f, "stateful_ops", ()))
    call = tf.raw_ops.StatefulPartitionedCall if stateful else tf.raw_ops.PartitionedCall
    made = call(
        args=args, Tout=kinds, f=_function(f), config=config or "", config_proto="", executor_type=executor_type or ""
    )
    return made if isinstance(made, list) else [made]

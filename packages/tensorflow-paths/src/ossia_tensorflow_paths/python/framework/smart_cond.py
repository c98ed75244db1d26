"""Conditions that may be known while the graph is built, and the parts of control flow."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import ossia as tf
from ossia_core.control import cond_context, context_protos, control_ops, while_context
from ossia_core.declare import shape_rules
from ossia_core.graph.convert import convert
from ossia_core.names import structures
from ossia_core.primitives import identity

with_dependencies = identity.with_dependencies
merge = control_ops.merge
_SwitchRefOrTensor = control_ops.switch_ref_or_tensor
CondContext = cond_context.CondContext
WhileContext = while_context.WhileContext
from_control_flow_context_def = context_protos.from_proto


def switch(data: Any, pred: Any, dtype: Any = None, name: str | None = None) -> Any:
    """The data, in the second place if a predicate is true and in the first if it is not."""
    if dtype is not None and not isinstance(data, (tf.SparseTensor, tf.IndexedSlices)):
        data = tf.convert_to_tensor(data, dtype=dtype, name="data")
    return control_ops.switch(data, pred, name)


def control_trigger(name: str | None = None) -> Any:
    """An operation that does nothing, and runs where its control inputs are dead."""
    return tf.raw_ops.ControlTrigger(name=name)


def _each(make: Callable[[Any], Any], data: Any) -> Any:
    """What `make` makes of a tensor, or of each one of a composite tensor; of a variable, of its reference."""
    if isinstance(data, structures.CompositeTensor):
        return data.with_components([make(part) for part in data.components()])
    return make(convert(data, as_ref=True))


def _Identity(data: Any, name: str | None = None) -> Any:
    """The data; a reference stays one."""
    def made(part: Any) -> Any:
        kind = tf.raw_ops.RefIdentity if part.dtype._is_ref_dtype else tf.raw_ops.Identity
        return kind(input=part, name=name)

    return _each(made, data)


def _Enter(
    data: Any, frame_name: str, is_constant: bool = False, parallel_iterations: int = 10, use_ref: bool = True,
    use_input_shape: bool = True, name: str | None = None,
) -> Any:
    """The data inside a loop; a variable's reference stays one with `use_ref`."""
    def made(part: Any) -> Any:
        if part.dtype._is_ref_dtype and not use_ref:
            part = tf.identity(part)
        return control_ops.enter(part, frame_name, is_constant, parallel_iterations, use_input_shape, name)

    return _each(made, data)


def _NextIteration(data: Any, name: str | None = None) -> Any:
    """The data in the next iteration; a reference stays one."""
    return _each(functools.partial(control_ops.next_iteration, name=name), data)


def exit(data: Any, name: str | None = None) -> Any:
    """The data outside of its loop; a reference stays one."""
    return _each(functools.partial(control_ops.leave, name=name), data)


def constant_value(pred: Any) -> bool | None:
    """What a predicate is, where that is known without a run; None where it is not.

    Raises:
        TypeError: If it is no bool, 0, 1, tensor or variable.
    """
    if isinstance(pred, bool):
        return pred
    if isinstance(pred, (int, np.bool_)) and pred in (0, 1):
        return bool(pred)
    if isinstance(pred, tf.Variable):
        return None
    if isinstance(pred, tf.Tensor):
        return tf.get_static_value(pred)
    raise TypeError(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}")


def smart_constant_value(pred: Any) -> bool | None:
    """What a predicate is, as far as its ops and constants decide it; None where that takes a run.

    Raises:
        TypeError: If it is no bool, 0, 1 or tensor.
    """
    known = constant_value(pred)
    if known is None and isinstance(pred, tf.Tensor):
        folded = shape_rules.constant(pred)
        known = None if folded is None else bool(folded)
    return known


def smart_cond(
    pred: Any, true_fn: Callable[[], Any] | None = None, false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """`tf.cond`, or the one function that counts where the predicate is known while the graph is built.

    Raises:
        TypeError: If a function is not callable, or `pred` is no predicate.
    """
    if not callable(true_fn):
        raise TypeError("`true_fn` must be callable.")
    if not callable(false_fn):
        raise TypeError("`false_fn` must be callable.")
    known = None if isinstance(pred, tf.Variable) else smart_constant_value(pred)
    if known is None:
        return tf.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if known else false_fn()


def smart_case(pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, name: str = "smart_case") -> Any:
    """`tf.case`, or the one function that counts where the predicates are known while the graph is built.

    Args:
        pred_fn_pairs: A dict or a list of pairs of predicates and functions.
        default: The function that counts where no predicate is true.
        exclusive: Whether at most one predicate may be true.
        name: The name scope of what is built.

    Raises:
        TypeError: If there are no such pairs.
    """
    if not isinstance(pred_fn_pairs, (list, tuple, Mapping)):
        raise TypeError("fns must be a list, tuple, or dict")
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, Mapping) else list(pred_fn_pairs)
    known = [smart_constant_value(pred) is not None for pred, _ in pairs]
    if default is None and pairs and all(known):
        *pairs, (_, default) = pairs
    if default is None or not any(known):
        return tf.case(pairs, default, exclusive=exclusive, name=name)
    if not all(callable(function) for _, function in pairs):
        raise TypeError("fn for pred must be callable.")
    chosen = default
    for pred, function in reversed(pairs):
        chosen = functools.partial(smart_cond, pred, true_fn=function, false_fn=chosen)
    with tf.name_scope(name, "smart_case"):
        return chosen()

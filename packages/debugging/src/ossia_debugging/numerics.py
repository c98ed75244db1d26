"""Checks for NaN and infinity."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import unchanged
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import colocate_with, control_dependencies, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group, with_dependencies

check_numerics_op = op(
    "CheckNumerics(tensor: T) -> output: T", stateful=True, T="{bfloat16, half, float, double}", message="string"
)
check_numerics_op.checks()
check_numerics_op.shape(unchanged)


@check_numerics_op.kernel(alias=True)
def _(tensor, *, message):
    values = np.asarray(tensor)
    if not np.isfinite(values).all():
        found = [name for name, test in (("Inf", np.isinf), ("NaN", np.isnan)) if test(values).any()]
        raise InvalidArgumentError(
            None, None, f"{message.decode('utf-8', 'replace')} : Tensor had {' and '.join(found)} values"
        )
    return tensor


@check_numerics_op.gradient
def _(node, grad):
    message = node.get_attr("message")
    return check_numerics(grad, f"Not a number (NaN) or infinity (Inf) values detected in gradient. {message}")


check_numerics_op.samples(plain=sample([1.0, 2.0], message="x"), empty=sample(np.zeros(0, np.float32), message="x"))


@public("check_numerics", "debugging.check_numerics", "compat.v2.debugging.check_numerics")
@dispatches
def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """The tensor, once it is known to hold neither NaN nor infinity.

    Args:
        tensor: A float tensor.
        message: What the error begins with.
        name: Name of the op.

    Returns:
        `tensor`; running it raises InvalidArgumentError if it holds NaN or infinity.
    """
    return check_numerics_op(tensor, message=message, name=name)


@public("verify_tensor_all_finite", "debugging.assert_all_finite")
def verify_tensor_all_finite(
    t: Any = None, msg: str | None = None, name: str | None = None, x: Any = None, message: str | None = None
) -> Tensor:
    """The tensor, once it is known to hold neither NaN nor infinity.

    Args:
        t: A float tensor.
        msg: What the error begins with.
        name: Name of the scope, `VerifyFinite` by default.
        x: A newer name of `t`.
        message: A newer name of `msg`.

    Returns:
        A tensor with the value of `t`; running it raises InvalidArgumentError if it holds NaN or infinity.

    Raises:
        ValueError: An argument is given under both names.
    """
    return verify_tensor_all_finite_v2(_either(t, "t", x, "x"), _either(msg, "msg", message, "message"), name)  # type: ignore[arg-type]


def _either(old: Any, old_name: str, new: Any, new_name: str) -> Any:
    if old is not None and new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old if new is None else new


@public("compat.v2.debugging.assert_all_finite")
def verify_tensor_all_finite_v2(x: Any, message: str, name: str | None = None) -> Tensor:
    """`tf.debugging.assert_all_finite` with the newer names of its arguments only."""
    with name_scope(name, "VerifyFinite", [x]):
        x = convert_to_tensor(x, name="x")
        with colocate_with(x):
            check = check_numerics(x, message=message)
            return with_dependencies([check], x)


@public("add_check_numerics_ops")
def add_check_numerics_ops() -> Operation:
    """Checks every float tensor of the default graph for NaN and infinity, in the order in which they were made.

    Returns:
        An operation that runs all checks.

    Raises:
        ValueError: The graph holds `cond`s or loops.
    """
    check: list[Tensor] = []
    for node in get_default_graph().get_operations():
        for output in node.outputs:
            if output.dtype not in (dtypes.float16, dtypes.float32, dtypes.float64):
                continue
            if node._get_control_flow_context() is not None:
                raise ValueError(
                    "`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow operations such as "
                    "`tf.cond()` or `tf.while_loop()`."
                )
            with control_dependencies(check):
                check = [check_numerics(output, message=f"{node.name}:{output.value_index}")]
    return group(*check)

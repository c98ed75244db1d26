"""`tf.Assert`: ends a run if a condition does not hold."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.control.cond import cond
from ossia_core.declare.opdef import op, sample
from ossia_core.graph.convert import convert_n, convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.names import dtypes, errors
from ossia_core.names.errors import dims_text
from ossia_core.names.tensor_text import summary
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_op

assert_op = op("Assert(condition: bool, data: T)", T="list(type) >= 1", summarize="int32 = 3", stateful=True)
assert_op.checks()


@assert_op.kernel
def _(condition, data, *, summarize):
    if np.ndim(condition):
        raise errors.InvalidArgumentError(None, None, f"In[0] should be a scalar: {dims_text(condition.shape)}")
    if not condition:
        raise errors.InvalidArgumentError(
            None, None, "assertion failed: " + " ".join(f"[{summary(x, summarize)}]" for x in data)
        )
    return ()


assert_op.not_differentiable()
assert_op.samples(holds=sample(True, [b"text", [1.0, 2.0]]))


@public("Assert", "debugging.Assert")
def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Operation:
    """An operation that raises InvalidArgumentError if `condition` is false when it runs.

    Args:
      condition: a boolean scalar.
      data: list of tensors to be shown in the error.
      summarize: how many elements of each to show; 3 if None, all if negative.
      name: name of the operation.

    Returns:
      The operation. It runs only if a run fetches it or depends on it, e.g. through `tf.control_dependencies`.
    """
    summarize = 3 if summarize is None else summarize
    with name_scope(name, "Assert", [condition, data]):
        if not isinstance(data, (list, tuple, str)):  # a text becomes constants before the node refuses it
            raise TypeError(f"Expected list for 'data' argument to 'Assert' Op, not {data}.")
        tensors = convert_n(data)
        if all(t.dtype in (dtypes.string, dtypes.int32) for t in tensors):
            return assert_op(condition, data, summarize=summarize)
        # Other data may be costly to bring here: it is only touched if the condition fails.
        condition = convert_to_tensor(condition, name="Condition")
        return cond(condition, no_op, lambda: assert_op(condition, data, summarize=summarize), name="AssertGuard").op

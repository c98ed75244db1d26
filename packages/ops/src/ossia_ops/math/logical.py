"""Truth values: and, or, not, exclusive or."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import broadcast, unchanged
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public

logical_and_op = op("LogicalAnd(x: bool, y: bool) -> z: bool")


logical_and_op.shape(broadcast)
logical_and_op.kernel_for(lambda node: np.logical_and)
logical_and_op.not_differentiable()
logical_and_op.samples(broadcast=([[True], [False]], [True, False]))


@public("logical_and", "math.logical_and")
@dispatches
def logical_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether both `x` and `y` are true, elementwise with broadcasting."""
    return logical_and_op(x, y, name=name)


logical_or_op = op("LogicalOr(x: bool, y: bool) -> z: bool")


logical_or_op.shape(broadcast)
logical_or_op.kernel_for(lambda node: np.logical_or)
logical_or_op.not_differentiable()
logical_or_op.samples(broadcast=([[True], [False]], [True, False]))


@public("logical_or", "math.logical_or")
@dispatches
def logical_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether `x` or `y` is true, elementwise with broadcasting."""
    return logical_or_op(x, y, name=name)


logical_not_op = op("LogicalNot(x: bool) -> y: bool")


logical_not_op.shape(unchanged)
logical_not_op.kernel_for(lambda node: np.logical_not)
logical_not_op.not_differentiable()
logical_not_op.samples(plain=[True, False])


@public("logical_not", "math.logical_not")
@dispatches
def logical_not(x: Any, name: str | None = None) -> Tensor:
    """Whether `x` is false."""
    return logical_not_op(x, name=name)


@public("logical_xor", "math.logical_xor")
@dispatches
def logical_xor(x: Any, y: Any, name: str = "LogicalXor") -> Tensor:
    """Whether just one of `x` and `y` is true, elementwise with broadcasting."""
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name=name)

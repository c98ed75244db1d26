"""Stacks: how a loop's values reach its gradient loop."""
from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.names import errors
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_ops.control.old_tensor_arrays import Reference, behind


class Stack:
    """A stack of the values of one run."""

    __slots__ = ("closed", "items", "limit", "name")

    def __init__(self, limit: int, name: str) -> None:
        self.limit = limit
        self.name = name
        self.items: list[Any] = []
        self.closed = False

    def push(self, value: Any) -> None:
        """Put a value on top; InvalidArgumentError if the stack is full or closed."""
        self._refuse_if(self.closed, "has already been closed.")
        self._refuse_if(0 <= self.limit <= len(self.items), f"overflowed its max_size ({self.limit})")
        self.items.append(value)

    def pop(self) -> Any:
        """Take the value on top; InvalidArgumentError if there is none."""
        self._refuse_if(self.closed, "has already been closed.")
        self._refuse_if(not self.items, "is empty when calling Pop().")
        return self.items.pop()

    def _refuse_if(self, wrong: bool, why: str) -> None:
        if wrong:
            raise errors.InvalidArgumentError(None, None, f"Stack[{self.name}] {why}")


stack_v2_op = op(
    "StackV2(max_size: int32) -> handle: resource", stateful=True, elem_type="type", stack_name="string = ''"
)
stack_v2_op.makes()


@stack_v2_op.shape
def _(max_size):
    return TensorShape([2])


_serial = itertools.count()


def _named(node: Any, limit: int) -> Stack:
    return Stack(limit, f"{node.attrs['stack_name'].decode() or node.name}_{next(_serial)}")


@stack_v2_op.kernel
def _(max_size, *, node):
    if np.ndim(max_size):
        raise errors.InvalidArgumentError(
            None, None, f"Stack size must be a scalar, but had shape: {errors.dims_text(np.shape(max_size))}"
        )
    return _named(node, int(max_size))


stack_push_v2_op = op(
    "StackPushV2(handle: resource, elem: T) -> output: T", stateful=True, T="type", swap_memory="bool = false"
)
stack_push_v2_op.changes("handle")


@stack_push_v2_op.shape
def _(handle, elem):
    return elem.shape


@stack_push_v2_op.kernel(alias=True)
def _(handle, elem):
    # Kernels never change their inputs, so the value may be kept as it is; a variable's buffer may not.
    handle.push(elem)
    return elem


stack_pop_v2_op = op("StackPopV2(handle: resource) -> elem: elem_type", stateful=True, elem_type="type")
stack_pop_v2_op.changes("handle")


@stack_pop_v2_op.shape
def _(handle):
    return UNKNOWN_SHAPE


@stack_pop_v2_op.kernel
def _(handle):
    return handle.pop()


stack_close_v2_op = op("StackCloseV2(handle: resource)", stateful=True)
stack_close_v2_op.changes("handle")


@stack_close_v2_op.kernel
def _(handle):
    handle.items.clear()
    handle.closed = True


# -- of old graphs, by reference --------------------------------------------------------------------------


stack_op = op("Stack() -> handle: Ref(string)", stateful=True, elem_type="type", stack_name="string = ''")
stack_op.makes()


@stack_op.shape
def _():
    return TensorShape([2])


@stack_op.kernel
def _(*, node):
    return Reference(_named(node, -1))


stack_push_op = op(
    "StackPush(handle: Ref(string), elem: T) -> output: T", T="type", swap_memory="bool = false"
)
stack_push_op.changes("handle")


@stack_push_op.shape
def _(handle, elem):
    return elem.shape


@stack_push_op.kernel(alias=True)
def _(handle, elem):
    behind(handle, Stack).push(elem)
    return elem


stack_pop_op = op("StackPop(handle: Ref(string)) -> elem: elem_type", elem_type="type")
stack_pop_op.changes("handle")


@stack_pop_op.shape
def _(handle):
    return UNKNOWN_SHAPE


@stack_pop_op.kernel
def _(handle):
    return behind(handle, Stack).pop()


stack_close_op = op("StackClose(handle: Ref(string))")
stack_close_op.changes("handle")


@stack_close_op.kernel
def _(handle):
    stack_close_v2_op.kernel_fn(behind(handle, Stack))  # type: ignore[misc]


for _definition in (stack_op, stack_push_op, stack_pop_op, stack_close_op):
    _definition.not_differentiable()

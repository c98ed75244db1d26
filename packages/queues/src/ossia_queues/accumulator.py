"""`tf.ConditionalAccumulator`: gradients of several workers, added up until there are enough."""
from __future__ import annotations

import operator
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.declare.shape_rules import with_rank
from ossia_core.forks import forgetful, renewed
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.names import dtypes as core_dtypes
from ossia_core.names import errors, logging
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public
from ossia_queues.waiting import Shared, check_types, private_name

NUMBERS = (
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, "
    "complex128, half, uint32, uint64}"
)


class Accumulator(Shared):
    """Adds up gradients; those that were computed at an earlier global step than its own are dropped.

    Args:
        dtype: Type of the gradients.
        shape: Their shape, as far as it is known.
        mean: Whether the mean is taken, or the sum.
        name: What errors call it.
    """

    def __init__(self, dtype: Any, shape: TensorShape, mean: bool, name: str) -> None:
        self.dtype, self.shape, self.mean, self.name = dtype, shape, mean, name
        self._changed = renewed(threading.Condition())
        self._takers: deque[object] = deque()
        self._global_step = 0
        self.count = 0
        forgetful(self)

    def after_fork(self) -> None:
        """Forget who waited: the child does not have those threads."""
        self._takers.clear()

    def add(self, *gradient: Any) -> None:
        """Adds a gradient to the sum; raises InvalidArgumentError where it does not fit."""
        raise NotImplementedError

    def result(self) -> Any:
        """The mean or sum, after which the next gradient starts a new one."""
        raise NotImplementedError

    def apply(self, local_step: int, *gradient: Any) -> None:
        """Adds a gradient that was computed at `local_step`."""
        with self._changed:
            if local_step >= self._global_step:
                self.add(*gradient)
                self.count += 1
                self._changed.notify_all()

    def take(self, wanted: int, context: Any) -> Any:
        """Waits for `wanted` gradients and returns their mean or sum; the global step of the accumulator goes up by
        one.

        Raises:
            InvalidArgumentError: `wanted` is not positive.
            CancelledError: The session closes.
            DeadlineExceededError: The run takes too long.
        """
        if wanted <= 0:
            raise errors.InvalidArgumentError(None, None, f"Argument num_required must be positive, but was {wanted}")
        ticket = object()
        with self._changed:
            self._takers.append(ticket)
            try:
                context.wait(self._changed, lambda: self._takers[0] is ticket and self.count >= wanted)
                taken = self.result()
                self.count = 0
                self._global_step += 1
                return taken
            except errors.CancelledError:
                raise errors.CancelledError(None, None, "TakeGrad operation was cancelled") from None
            finally:
                self._takers.remove(ticket)
                self._changed.notify_all()

    def accumulated(self) -> int:
        """How many gradients are added up."""
        with self._changed:
            return self.count

    def set_global_step(self, step: int) -> None:
        """Sets the step from which on gradients count."""
        with self._changed:
            if step < self._global_step:
                logging.warning(
                    "Attempt to set current_global_step_ of %s to smaller value: %d < %d",
                    self.name,
                    step,
                    self._global_step,
                )
            self._global_step = step

    def cancel_all(self) -> None:
        """Wakes all that wait, as the session closes."""
        with self._changed:
            self._changed.notify_all()


def divided(total: np.ndarray, count: Any) -> np.ndarray:
    """`total / count` in the type of `total`, rounded to zero for integers."""
    quotient = total / np.asarray(count, dtype=total.dtype)
    return (np.trunc(quotient) if total.dtype.kind in "iu" else quotient).astype(total.dtype)


class Dense(Accumulator):
    """An accumulator of arrays."""

    _total: Any = None

    def add(self, gradient: np.ndarray) -> None:
        dims = self.shape.as_list() if self.shape.ndims is not None else None
        if self.count:
            dims = list(self._total.shape)
        if dims is not None and (
            len(dims) != gradient.ndim or any(d not in (None, g) for d, g in zip(dims, gradient.shape))
        ):
            raise errors.InvalidArgumentError(
                None, None, f"Shape mismatch: expected {dims_text(dims)}, got {dims_text(gradient.shape)}"
            )
        self._total = self._total + gradient if self.count else np.array(gradient)

    def result(self) -> np.ndarray:
        total, self._total = self._total, None
        return divided(total, self.count) if self.mean else total


def shared_accumulator(kind: Callable[..., Accumulator], node: Any, session: Any) -> Accumulator:
    """The accumulator of a node: its own, or the one that other nodes of its shared name use."""
    attrs = node.attrs
    mean = attrs["reduction_type"] == b"MEAN"
    shared = attrs["shared_name"].decode(errors="backslashreplace")
    found = session.resource(
        attrs["container"],
        shared or f"_{node.name}",
        "accumulator",
        lambda: kind(attrs["dtype"], attrs["shape"], mean, shared or private_name(node.name)),
    )
    same = (
        type(found) is kind and found.dtype == attrs["dtype"] and found.shape == attrs["shape"] and found.mean == mean
    )
    if not same:
        raise errors.InvalidArgumentError(
            None, node, f"Shared conditional accumulator '{found.name}' has another kind, type, shape or reduction."
        )
    return found


MAKER = {
    "dtype": NUMBERS,
    "shape": "shape",
    "container": "string = ''",
    "shared_name": "string = ''",
    "reduction_type": "{'MEAN', 'SUM'} = 'MEAN'",
}
conditional_accumulator_op = op("ConditionalAccumulator() -> handle: Ref(string)", stateful=True, **MAKER)
resource_conditional_accumulator_op = op("ResourceConditionalAccumulator() -> handle: resource", stateful=True, **MAKER)
for _definition in (conditional_accumulator_op, resource_conditional_accumulator_op):
    _definition.shape(lambda: TensorShape([2]))
    _definition.resource(lambda node, session: shared_accumulator(Dense, node, session))
    _definition.samples(plain=sample(dtype="float", shape=TensorShape([2]), shared_name="shared"))

accumulator_num_accumulated_op = op("AccumulatorNumAccumulated(handle: Ref(string)) -> num_accumulated: int32")
accumulator_num_accumulated_op.reads("handle")
resource_accumulator_num_accumulated_op = op(
    "ResourceAccumulatorNumAccumulated(handle: resource) -> num_accumulated: int32", stateful=True
)
resource_accumulator_num_accumulated_op.reads("handle")
accumulator_set_global_step_op = op("AccumulatorSetGlobalStep(handle: Ref(string), new_global_step: int64)")
accumulator_set_global_step_op.changes("handle")
resource_accumulator_set_global_step_op = op(
    "ResourceAccumulatorSetGlobalStep(handle: resource, new_global_step: int64)", stateful=True
)
resource_accumulator_set_global_step_op.changes("handle")
accumulator_apply_gradient_op = op(
    "AccumulatorApplyGradient(handle: Ref(string), local_step: int64, gradient: dtype)", dtype=NUMBERS
)
accumulator_apply_gradient_op.changes("handle")
resource_accumulator_apply_gradient_op = op(
    "ResourceAccumulatorApplyGradient(handle: resource, local_step: int64, gradient: dtype)",
    stateful=True,
    dtype=NUMBERS,
)
resource_accumulator_apply_gradient_op.changes("handle")
accumulator_take_gradient_op = op(
    "AccumulatorTakeGradient(handle: Ref(string), num_required: int32) -> average: dtype", dtype=NUMBERS
)
accumulator_take_gradient_op.changes("handle")
resource_accumulator_take_gradient_op = op(
    "ResourceAccumulatorTakeGradient(handle: resource, num_required: int32) -> average: dtype",
    stateful=True,
    dtype=NUMBERS,
)
resource_accumulator_take_gradient_op.changes("handle")

for _definition in (accumulator_num_accumulated_op, resource_accumulator_num_accumulated_op):
    _definition.shape(scalar_shape)
    _definition.kernel(lambda handle: np.int32(handle.accumulated()))


def _set_global_step_shape(handle, new_global_step):
    with_rank(new_global_step, 0)
    return ()


for _definition in (accumulator_set_global_step_op, resource_accumulator_set_global_step_op):
    _definition.shape(_set_global_step_shape)
    _definition.kernel(lambda handle, new_global_step: handle.set_global_step(operator.index(new_global_step)))


def _apply_gradient_shape(handle, local_step, gradient):
    with_rank(local_step, 0)
    return ()


def _apply_gradient(handle, local_step, gradient, *, dtype):
    check_types([dtype], [handle.dtype])
    handle.apply(operator.index(local_step), np.asarray(gradient))


for _definition in (accumulator_apply_gradient_op, resource_accumulator_apply_gradient_op):
    _definition.shape(_apply_gradient_shape)
    _definition.kernel(_apply_gradient)


def _take_gradient_shape(handle, num_required):
    with_rank(num_required, 0)
    return UNKNOWN_SHAPE


def _take_gradient(handle, num_required, *, dtype, context):
    check_types([dtype], [handle.dtype])
    return handle.take(operator.index(num_required), context)


for _definition in (accumulator_take_gradient_op, resource_accumulator_take_gradient_op):
    _definition.shape(_take_gradient_shape)
    _definition.kernel(blocking=True)(_take_gradient)


def _fresh() -> Any:
    return resource_conditional_accumulator_op(dtype="float", shape=[2], name="fresh")


resource_accumulator_num_accumulated_op.samples(empty=(_fresh,))
resource_accumulator_set_global_step_op.samples(later=(_fresh, np.int64(3)))
resource_accumulator_apply_gradient_op.samples(fits=(_fresh, np.int64(0), np.array([1, 2], np.float32)))


@public("ConditionalAccumulatorBase")
class ConditionalAccumulatorBase:
    """An accumulator of gradients; made by its subclasses.

    Args:
        dtype: Type of the gradients.
        shape: Their shape, as far as it is known.
        accumulator_ref: The tensor with the handle.
    """

    def __init__(self, dtype: Any, shape: Any, accumulator_ref: Any) -> None:
        self._dtype = dtype
        self._shape = UNKNOWN_SHAPE if shape is None else TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.rpartition("/")[2]

    @property
    def accumulator_ref(self) -> Any:
        """The tensor with the handle."""
        return self._accumulator_ref

    @property
    def name(self) -> str:
        """The name of the node that makes the accumulator."""
        return self._name

    @property
    def dtype(self) -> Any:
        """Type of the gradients."""
        return self._dtype

    def num_accumulated(self, name: str | None = None) -> Any:
        """How many gradients are added up, an int32 scalar."""
        made = resource_accumulator_num_accumulated_op if self._by_handle else accumulator_num_accumulated_op
        return made(self._accumulator_ref, name=f"{self._name}_NumAccumulated" if name is None else name)

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Any:
        """An operation that sets the step from which on gradients count."""
        made = resource_accumulator_set_global_step_op if self._by_handle else accumulator_set_global_step_op
        step = builder("cast")(convert_to_tensor(new_global_step), core_dtypes.int64)
        return made(self._accumulator_ref, step, name=name)

    @property
    def _by_handle(self) -> bool:
        return self._accumulator_ref.dtype == core_dtypes.resource


@public("ConditionalAccumulator")
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Adds up gradients until enough workers have given theirs; those of earlier steps are dropped.

    Args:
        dtype: Type of the gradients.
        shape: Their shape, as far as it is known.
        shared_name: A name under which other nodes of the session share the accumulator.
        name: Name of the node.
        reduction_type: "MEAN" or "SUM".

    Raises:
        ValueError: Another `reduction_type`.

    Example:
        mean = tf.ConditionalAccumulator(tf.float32, shape=[2])
        add, take = mean.apply_grad([1.0, 2.0], local_step=0), mean.take_grad(3)
    """

    def __init__(
        self,
        dtype: Any,
        shape: Any = None,
        shared_name: str | None = None,
        name: str = "conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:
        dtype = core_dtypes.as_dtype(dtype)
        handle = resource_conditional_accumulator_op(
            dtype=dtype,
            shape=UNKNOWN_SHAPE if shape is None else shape,
            shared_name=shared_name or "",
            reduction_type=reduction_type,
            name=name,
        )
        super().__init__(dtype, shape, handle)

    def apply_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Any:
        """An operation that adds a gradient.

        Args:
            grad: The gradient.
            local_step: The step at which it was computed; it is dropped where that is before the accumulator's own.
            name: Name of the operation.

        Raises:
            ValueError: The gradient has another shape.
        """
        grad = convert_to_tensor(grad, self._dtype)
        grad.shape.assert_is_compatible_with(self._shape)
        step = builder("cast")(convert_to_tensor(local_step), core_dtypes.int64)
        return resource_accumulator_apply_gradient_op(self._accumulator_ref, step, grad, name=name)

    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """The mean (or sum) of the gradients; running it waits until there are `num_required`, and starts anew.

        Running it raises InvalidArgumentError if `num_required` is not positive.
        """
        taken = resource_accumulator_take_gradient_op(self._accumulator_ref, num_required, dtype=self._dtype, name=name)
        taken.set_shape(self._shape)
        return taken

"""What BatchFunction asks of its attributes, of what it batches, and of what its function returns."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import op, sample
from ossia_core.graph.operation import Operation
from ossia_core.names.errors import FailedPreconditionError, InvalidArgumentError

# Stand before and behind the body of the function in a plan, and pass everything on.
batch_inputs_op = op("_BatchInputs(inputs: T) -> outputs: T", T="list(type) >= 1", most="int")
batch_outputs_op = op("_BatchOutputs(inputs: T, batched: Tbatched) -> outputs: T", T="list(type) >= 1",
                      Tbatched="type")


def check_attributes(node: Operation) -> None:
    """Raise InvalidArgumentError unless a BatchFunction's attributes describe a queue of batches."""
    attrs = node.attrs
    problem = None
    sizes = attrs["allowed_batch_sizes"]
    if attrs["num_batch_threads"] <= 0:
        problem = f"num_batch_threads must be positive; was {attrs['num_batch_threads']}"
    elif attrs["max_batch_size"] <= 0:
        problem = f"max_batch_size must be positive; was {attrs['max_batch_size']}"
    elif attrs["batch_timeout_micros"] < 0:
        problem = f"batch_timeout_micros must be non-negative; was {attrs['batch_timeout_micros']}"
    elif any(b <= a for a, b in zip(sizes, sizes[1:], strict=False)):
        problem = "allowed_batch_sizes entries must be monotonically increasing"
    elif sizes and sizes[-1] != attrs["max_batch_size"]:
        problem = "final entry in allowed_batch_sizes must equal max_batch_size"
    if problem is not None:
        raise InvalidArgumentError(None, node, problem)


@batch_inputs_op.shape
def _(inputs):
    return [t.shape for t in inputs]


@batch_inputs_op.kernel(alias=True)
def _(inputs, *, most):
    for value in inputs:
        if not value.ndim:
            raise InvalidArgumentError(None, None, "Batching input tensors must have at least one dimension")
        if len(value) != len(inputs[0]):
            raise InvalidArgumentError(
                None,
                None,
                "Batching input tensors supplied in a given op invocation must have equal 0th-dimension size",
            )
    if len(inputs[0]) > most:
        raise InvalidArgumentError(
            None, None, f"Task size {len(inputs[0])} is larger than maximum batch size {most}"
        )
    return list(inputs)


@batch_outputs_op.shape
def _(inputs, batched):
    return [t.shape for t in inputs]


@batch_outputs_op.kernel(alias=True)
def _(inputs, batched):
    for value in inputs:
        _check_output(value, len(batched))
    return list(inputs)


def _check_output(value: Any, rows: int) -> None:
    if not value.ndim:
        raise FailedPreconditionError(None, None, "Batched output tensor has 0 dimensions")
    if len(value) != rows:
        raise FailedPreconditionError(
            None,
            None,
            "Batched output tensor's 0th dimension does not equal the sum of the 0th dimension sizes of the input "
            f"tensors: {len(value)}, not {rows}",
        )


batch_inputs_op.not_differentiable()
batch_outputs_op.not_differentiable()
batch_inputs_op.samples(
    two=sample([[1.0, 2.0], [3, 4]], most=2),
    refused_scalar=sample([1.0], most=2),
    refused_lengths=sample([[1.0, 2.0], [3]], most=2),
    refused_large=sample([[1.0, 2.0]], most=1),
)
batch_outputs_op.samples(
    two=sample([[1.0, 2.0], [3, 4]], [0.0, 0.0]),
    refused_scalar=sample([1.0], [0.0]),
    refused_lengths=sample([[1.0, 2.0]], [0.0]),
)

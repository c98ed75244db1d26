"""Ops that pass their input on: identities, and markers for gradients."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import unchanged
from ossia_core.graph.composites import IndexedSlices, SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import colocate_with, control_dependencies, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor, is_tensor
from ossia_core.names import nest
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_op

identity_op = op("Identity(input: T) -> output: T", T="type")
identity_op.forwards()
identity_op.shape(unchanged)


@identity_op.kernel(alias=True)
def _(input):
    return input


@identity_op.gradient
def _(node, grad):
    return grad


identity_op.samples(plain=(np.array([1, 2], np.float32),), text=(np.array([b"a"], object),))


@public("identity")
@dispatches
def identity(input: Any, name: str | None = None) -> Any:
    """A tensor with the value of `input`."""
    result = identity_op(input, name=name)
    handle = getattr(input, "_handle_data", None)
    if handle is not None:
        result._handle_data = handle
    return result


ref_identity_op = op("RefIdentity(input: Ref(T)) -> output: Ref(T)", T="type")
ref_identity_op.forwards()
ref_identity_op.shape(unchanged)


@ref_identity_op.kernel(alias=True)
def _(input):
    return input


@ref_identity_op.gradient
def _(node, grad):
    return grad


identity_n_op = op("IdentityN(input: T) -> output: T", T="list(type) >= 1")


@identity_n_op.shape
def _(input):
    return [t.shape for t in input]


@identity_n_op.kernel(alias=True)
def _(input):
    return list(input)


@identity_n_op.gradient
def _(node, *grads):
    return grads


identity_n_op.samples(two=([np.float32(1), np.array([2, 3], np.int32)],))


@public("identity_n")
def identity_n(input: Any, name: str | None = None) -> list:
    """A list of tensors with the values of `input`, all computed before any is available."""
    return identity_n_op(input, name=name)


stop_gradient_op = op("StopGradient(input: T) -> output: T", T="type")
stop_gradient_op.forwards()
stop_gradient_op.shape(unchanged)


@stop_gradient_op.kernel(alias=True)
def _(input):
    return input


stop_gradient_op.not_differentiable()
stop_gradient_op.samples(plain=(np.array([1], np.float32),))


@public("stop_gradient")
def stop_gradient(input: Any, name: str | None = None) -> Any:
    """`input`, as a constant for gradients."""
    return stop_gradient_op(input, name=name)


prevent_gradient_op = op("PreventGradient(input: T) -> output: T", T="type", message="string = ''")
prevent_gradient_op.forwards()
prevent_gradient_op.shape(unchanged)


@prevent_gradient_op.kernel(alias=True)
def _(input):
    return input


@prevent_gradient_op.gradient
def _(node, grad):
    raise LookupError(f"Gradient explicitly disabled. Reason: {node.attrs['message']!r}")


prevent_gradient_op.samples(plain=(np.array([1], np.float32),))

snapshot_op = op("Snapshot(input: T) -> output: T", T="type")
snapshot_op.forwards()
snapshot_op.shape(unchanged)


@snapshot_op.kernel(alias=True)
def _(input):
    return input


def with_dependencies(dependencies: Any, output_tensor: Any, name: str | None = None) -> Any:
    """`output_tensor`, available once `dependencies` have run; a reference stays one."""
    values = [*dependencies, output_tensor]
    with (
        name_scope(name, "control_dependency", values) as name,
        colocate_with(output_tensor),
        control_dependencies(dependencies),
    ):
        if isinstance(output_tensor, IndexedSlices):
            return IndexedSlices(
                identity_op(output_tensor.values, name=name), output_tensor.indices, output_tensor.dense_shape
            )
        if isinstance(output_tensor, SparseTensor):
            values = identity_op(output_tensor.values, name=name)
            return SparseTensor(output_tensor.indices, values, output_tensor.dense_shape)
        tensor = convert_to_tensor(output_tensor)
        return (ref_identity_op if tensor.dtype._is_ref_dtype else identity_op)(tensor, name=name)


@public("group")
def group(*inputs: Any, **kwargs: Any) -> Any:
    """An operation that has run when all `inputs` (operations, tensors, nested lists of them) have.

    Args:
      *inputs: what to group.
      name: name of the operation.

    Raises:
      ValueError: an unknown keyword.
      TypeError: an input is neither an operation nor a tensor.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs.keys()))
    with name_scope(name, "group_deps", inputs) as name:
        by_device: dict[str, list[Any]] = {}
        for item in nest.flatten(inputs):
            if not hasattr(item, "device"):
                raise TypeError(
                    f"Expected tf.group() expected Tensor arguments not '{item}' with type '{type(item)}'"
                )
            by_device.setdefault(item.device, []).append(item)
        graph = get_default_graph()
        if len(by_device) <= 1:
            deps: list[Any] = next(iter(by_device.values()), [])
            device = next(iter(by_device), None)
            with graph.device(device) if device else _nothing():
                with control_dependencies(deps):
                    return no_op(name=name)
        parts = []
        for device in sorted(by_device):
            with graph.device(device), control_dependencies(by_device[device]):
                parts.append(no_op())
        with control_dependencies(parts):
            return no_op(name=name)


def _nothing() -> Any:
    import contextlib
    return contextlib.nullcontext()


@public("tuple")
def tuple(tensors: Any, name: str | None = None, control_inputs: Any = None) -> list:
    """`tensors`, each available once all of them (and `control_inputs`) are computed; None entries stay None.

    Raises:
      ValueError: there is no tensor among them.
      TypeError: a control input is neither an operation nor a tensor.
    """
    with name_scope(name, "tuple", tensors):
        # A variable stands for the operation that holds it, and is read behind the gate.
        tensors = [
            t if isinstance(t, Operation) or t is None or is_tensor(t) or isinstance(t, IndexedSlices)
            else convert_to_tensor(t)
            for t in tensors
        ]
        gating = [t if isinstance(t, Operation) else t.op for t in tensors if t is not None]
        for c in control_inputs or ():
            if isinstance(c, Tensor):
                c = c.op
            elif not isinstance(c, Operation):
                raise TypeError(f"Control input must be Operation or Tensor: {c}")
            gating.append(c)
        if not gating:
            raise ValueError(f"Must have at least one Tensor: {tensors}")
        gating = sorted(set(gating), key=lambda op: op._id)
        gate = group(*gating)
        return [
            None if t is None else group(gate, t) if isinstance(t, Operation) else with_dependencies([gate], t)
            for t in tensors
        ]

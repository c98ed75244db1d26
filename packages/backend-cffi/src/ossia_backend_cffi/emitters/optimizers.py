"""Variables that are read, and the updates of optimizers that have instructions of their own."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ossia_backend_cffi.emitters.registry import emits, require_float
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.instructions import Adam, Momentum, Sgd

if TYPE_CHECKING:
    from ossia_backend_cffi.emitters.emission import Emission


@emits("ReadVariableOp", refuses=True)
def _read_variable(c, node, ins, outs):
    if ins[0].dtype != node.attrs["dtype"].as_numpy_dtype:
        raise Declined("a variable of another dtype")
    c.read(outs[0], ins[0])


def _updated(c: Emission, variables: Sequence[Value], grad: Value, scalars: Sequence[Value]) -> None:
    require_float(*variables, grad, *scalars)
    for v in variables:
        if v.shape != grad.shape:
            raise Declined("an update of shapes that differ")
    for s in scalars:
        if s.shape:
            raise Declined("an update by what is no scalar")
    c.update(variables)


@emits("ApplyGradientDescent", "ResourceApplyGradientDescent", refuses=True)
def _sgd(c, node, ins, outs):
    var, alpha, grad = ins
    _updated(c, [var], grad, [alpha])
    c.emit(Sgd(var=var, alpha=c.ready(alpha), grad=c.ready(grad), elements=var.size))
    _hand_on(c, outs, var)


@emits("ApplyMomentum", "ResourceApplyMomentum", refuses=True)
def _momentum(c, node, ins, outs):
    var, accum, lr, grad, momentum = ins
    _updated(c, [var, accum], grad, [lr, momentum])
    c.emit(
        Momentum(
            var=var, accum=accum, lr=c.ready(lr), grad=c.ready(grad), momentum=c.ready(momentum), elements=var.size,
            nesterov=node.attrs["use_nesterov"],
        )
    )  # fmt: skip
    _hand_on(c, outs, var)


@emits("ApplyAdam", "ResourceApplyAdam", refuses=True)
def _adam(c, node, ins, outs):
    var, mean, square, *scalars, grad = ins
    _updated(c, [var, mean, square], grad, scalars)
    beta1_power, beta2_power, lr, beta1, beta2, epsilon = [c.ready(scalar) for scalar in scalars]
    c.emit(
        Adam(
            var=var, mean=mean, square=square, beta1_power=beta1_power, beta2_power=beta2_power, lr=lr, beta1=beta1,
            beta2=beta2, epsilon=epsilon, grad=c.ready(grad), elements=var.size, nesterov=node.attrs["use_nesterov"],
        )
    )  # fmt: skip
    _hand_on(c, outs, var)


def _hand_on(c: Emission, outs: Sequence[int], var: Value) -> None:
    if outs:
        c.give(outs[0], var)

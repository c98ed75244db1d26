"""Adam (Kingma and Ba 2015): `m` and `v` average the gradient and its square; `var -= alpha * m / (sqrt(v) + epsilon)`
with `alpha = lr * sqrt(1 - beta2^t) / (1 - beta1^t)`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import colocate_with, control_dependencies
from ossia_core.graph.stack import get_default_graph
from ossia_core.plugins.api_table import provides
from ossia_core.primitives.identity import group
from ossia_core.variables.assignment import assign, assign_sub
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import sqrt
from ossia_ops.state.rows import scatter_add
from ossia_optimizers.formula import GRADIENT, FormulaOptimizer
from ossia_optimizers.passes import larger
from ossia_optimizers.updates import update_ops


def _rate(lr, beta1_power, beta2_power):
    one = lr.dtype.type(1)
    return lr * np.sqrt(one - beta2_power) / (one - beta1_power)


def _average(m, v, grad, beta1, beta2):
    one = m.dtype.type(1)
    m += (grad - m) * (one - beta1)
    v += (np.square(grad) - v) * (one - beta2)


@update_ops(
    "Adam",
    "beta1_power beta2_power lr beta1 beta2 epsilon grad",
    forms="dense resource_dense",
    use_nesterov="bool = false",
)
def updates(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, *, use_nesterov):
    """A step of Adam: the mean of the gradients over the root of the mean of their squares, both corrected for their
    start."""
    _average(m, v, grad, beta1, beta2)
    step = grad * (m.dtype.type(1) - beta1) + m * beta1 if use_nesterov else m
    step = step * _rate(lr, beta1_power, beta2_power)
    root = np.sqrt(v)
    root += epsilon
    step /= root
    var -= step


updates.samples(
    beta1_power=0.81, beta2_power=0.998, lr=0.1, beta1=0.9, beta2=0.999, epsilon=1e-8, nesterov={"use_nesterov": True}
)


@update_ops("AdamWithAmsgrad", "beta1_power beta2_power lr beta1 beta2 epsilon grad", forms="resource_dense")
def amsgrad_updates(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad):
    """A step of Adam over the largest mean of squares so far."""
    _average(m, v, grad, beta1, beta2)
    vhat[...] = larger(vhat, v)
    var -= m * _rate(lr, beta1_power, beta2_power) / (np.sqrt(vhat) + epsilon)


amsgrad_updates.samples(beta1_power=0.81, beta2_power=0.998, lr=0.1, beta1=0.9, beta2=0.999, epsilon=1e-8)


@update_ops("AdaMax", "beta1_power lr beta1 beta2 epsilon grad", forms="dense resource_dense")
def adamax_updates(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad):
    """A step of AdaMax: the mean of the gradients over the largest decayed gradient."""
    one = m.dtype.type(1)
    m += (grad - m) * (one - beta1)
    v *= beta2
    v[...] = larger(v, np.abs(grad))  # as in the original, NaN is no larger than anything
    var -= lr / (one - beta1_power) * (m / (v + epsilon))


adamax_updates.samples(beta1_power=0.81, lr=0.1, beta1=0.9, beta2=0.999, epsilon=1e-8)


@provides("ossia_optimizers", "AdamOptimizer")
class AdamOptimizer(FormulaOptimizer):
    """Adam. Sparse gradients decay the averages of all rows, and move all of them.

    Args:
      learning_rate: a number, tensor, or function that returns one.
      beta1: decay of the gradient's average, likewise.
      beta2: decay of the squares' average, likewise.
      epsilon: keeps the denominator from zero, likewise.
      use_locking: whether updates hold locks.
      name: name of the optimizer.
    """

    _updates = updates
    _state = ("m", "v")

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-8,
        use_locking: bool = False, name: str = "Adam",
    ) -> None:
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._lr_t: Any = None
        self._beta1_t: Any = None
        self._beta2_t: Any = None
        self._epsilon_t: Any = None

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        graph = get_default_graph()
        return self._get_non_slot_variable("beta1_power", graph), self._get_non_slot_variable("beta2_power", graph)

    def _create_slots(self, var_list: Any) -> None:
        # The powers are placed with the variable that comes first by name, whatever the order of the list.
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._beta1, name="beta1_power", colocate_with=first)
        self._create_non_slot_variable(self._beta2, name="beta2_power", colocate_with=first)
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _prepare(self) -> None:
        values = [self._call_if_callable(value) for value in (self._lr, self._beta1, self._beta2, self._epsilon)]
        names = ("learning_rate", "beta1", "beta2", "epsilon")
        self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t = [
            convert_to_tensor(v, name=n) for v, n in zip(values, names)
        ]

    def _hyperparameters(self, dtype: Any) -> list[Any]:
        return [
            cast(value, dtype)
            for value in (*self._get_beta_accumulators(), self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        ]

    def _inputs(self, dtype: Any, form: str) -> list[Any]:
        return [*self._hyperparameters(dtype), GRADIENT]

    def _apply_sparse_shared(self, grad: Any, var: Any, indices: Any, scatter_add: Any) -> Any:
        beta1_power, beta2_power, lr_t, beta1_t, beta2_t, epsilon_t = self._hyperparameters(var.dtype.base_dtype)
        lr = lr_t * sqrt(1 - beta2_power) / (1 - beta1_power)
        m = self.get_slot(var, "m")
        scaled = grad * (1 - beta1_t)
        m_t = assign(m, m * beta1_t, use_locking=self._use_locking)
        with control_dependencies([m_t]):
            m_t = scatter_add(m, indices, scaled)
        v = self.get_slot(var, "v")
        scaled = (grad * grad) * (1 - beta2_t)
        v_t = assign(v, v * beta2_t, use_locking=self._use_locking)
        with control_dependencies([v_t]):
            v_t = scatter_add(v, indices, scaled)
        root = sqrt(v_t)
        update = assign_sub(var, lr * m_t / (root + epsilon_t), use_locking=self._use_locking)
        return group(update, m_t, v_t)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._apply_sparse_shared(
            grad.values, var, grad.indices, lambda x, i, v: scatter_add(x, i, v, use_locking=self._use_locking)
        )

    def _resource_scatter_add(self, x: Any, i: Any, v: Any) -> Any:
        with control_dependencies([lookup("ResourceScatterAdd")(x.handle, i, v)]):
            return x.value()

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        return self._apply_sparse_shared(grad, var, indices, self._resource_scatter_add)

    def _finish(self, update_ops: Any, name_scope: str) -> Any:
        with control_dependencies(update_ops):
            beta1_power, beta2_power = self._get_beta_accumulators()
            with colocate_with(beta1_power):
                powers = [
                    beta1_power.assign(beta1_power * self._beta1_t, use_locking=self._use_locking),
                    beta2_power.assign(beta2_power * self._beta2_t, use_locking=self._use_locking),
                ]
        return group(*update_ops, *powers, name=name_scope)

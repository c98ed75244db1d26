"""Optimizer: what every optimizer does, and the hooks that one overrides to make another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.differentiate.autodiff import gradients
from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.composites import IndexedSlices, convert_to_tensor_or_indexed_slices
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.replicas import replica_context
from ossia_core.graph.scopes import colocate_with, control_dependencies, init_scope, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, nest
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_core.primitives.identity import tuple as gated
from ossia_core.primitives.variable_ops import assign_add_variable_op
from ossia_core.variables.assignment import assign_add
from ossia_core.variables.listing import trainable_variables
from ossia_core.variables.resource import ResourceVariable
from ossia_core.variables.variable import Variable, VariableV1
from ossia_derivatives.tape import GradientTape
from ossia_ops.array.shape import shape
from ossia_optimizers import slots


def sum_repeated(values: Any, indices: Any) -> tuple[Tensor, Tensor]:
    """Rows with repeated indices added up: the sums, and the distinct indices."""
    unique, positions = lookup("Unique")(indices)
    return lookup("UnsortedSegmentSum")(values, positions, shape(unique)[0]), unique


def call_if_callable(value: Any) -> Any:
    """`value()` if it is a function, else `value`."""
    return value() if callable(value) else value


class RefTarget:
    """How a reference variable is differentiated and updated."""

    def __init__(self, variable: Any) -> None:
        self._variable = variable

    def target(self) -> Any:
        """What gradients are taken by."""
        return self._variable._ref()

    def update_op(self, optimizer: Optimizer, gradient: Any) -> Any:
        """The operation that updates the variable by a gradient."""
        variable = self._variable
        if isinstance(gradient, Tensor):
            return _constrained(variable, optimizer._apply_dense(gradient, variable))
        _refuse_constraint(variable)
        return optimizer._apply_sparse_duplicate_indices(gradient, variable)


class ResourceTarget(RefTarget):
    """How a resource variable is differentiated and updated."""

    def target(self) -> Any:
        return self._variable

    def update_op(self, optimizer: Optimizer, gradient: Any) -> Any:
        variable = self._variable
        if isinstance(gradient, IndexedSlices):
            _refuse_constraint(variable)
            return optimizer._resource_apply_sparse_duplicate_indices(gradient.values, variable, gradient.indices)
        return _constrained(variable, optimizer._resource_apply_dense(gradient, variable))


class TensorTarget(RefTarget):
    """A tensor can be differentiated by, but not updated."""

    def target(self) -> Any:
        return self._variable

    def update_op(self, optimizer: Optimizer, gradient: Any) -> Any:
        raise NotImplementedError("Trying to update a Tensor ", self._variable)


def _constrained(variable: Any, update: Any) -> Any:
    if variable.constraint is None:
        return update
    with control_dependencies([update]):
        return variable.assign(variable.constraint(variable))


def _refuse_constraint(variable: Any) -> None:
    if variable.constraint is not None:
        raise RuntimeError("Cannot use a constraint function on a sparse variable.")


def target_of(variable: Any) -> RefTarget:
    """How a variable, or a tensor, is differentiated and updated.

    Raises:
      NotImplementedError: it is neither.
    """
    if variable.op.type == "VarHandleOp":
        return ResourceTarget(variable)
    if isinstance(variable, Variable):
        return RefTarget(variable)
    if isinstance(variable, Tensor):
        return TensorTarget(variable)
    raise NotImplementedError("Trying to optimize unsupported type ", variable)


def variable_key(variable: Any) -> Any:
    """By what the slots of a variable are found."""
    return (variable.op.graph, variable.op.name) if hasattr(variable, "op") else variable._unique_id


@public("train.Optimizer")
class Optimizer:
    """Base class of optimizers.

    A subclass overrides `_apply_dense` and `_apply_sparse`, for resource variables `_resource_apply_dense` and
    `_resource_apply_sparse`, each of which returns the operation that updates one variable; `_prepare` to make the
    tensors of hyperparameters; `_create_slots` to make slots; `_finish` to add what follows all updates.

    Args:
      use_locking: whether updates hold locks.
      name: name of the optimizer, used for the ops and slots it makes.

    Raises:
      ValueError: no name.

    Example:
      class Sign(tf.train.Optimizer):
          def __init__(self, rate):
              super().__init__(use_locking=False, name="Sign")
              self._rate = rate

          def _apply_dense(self, grad, var):
              return var.assign_sub(self._rate * tf.sign(grad)).op
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(self, use_locking: bool, name: str) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        self._slots: dict[str, dict[Any, Any]] = {}
        self._non_slot_dict: dict[Any, Any] = {}

    def get_name(self) -> str:
        """Name of the optimizer."""
        return self._name

    # -- minimising ---------------------------------------------------------------------------------------

    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """An operation that changes variables so that `loss` falls: `compute_gradients`, then `apply_gradients`.

        Args:
          loss: the tensor to minimise.
          global_step: variable to add 1 to after the update.
          var_list: variables to change, by default the trainable ones.
          gate_gradients: GATE_NONE, GATE_OP or GATE_GRAPH.
          aggregation_method: how gradients are added up, an `AggregationMethod`.
          colocate_gradients_with_ops: whether to place gradients with the ops they belong to.
          name: name of the operation.
          grad_loss: gradient of `loss`.

        Raises:
          ValueError: no variable has a gradient.
        """
        pairs = self.compute_gradients(
            loss,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        if all(gradient is None for gradient, _ in pairs):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support gradients, "
                f"between variables {[str(v) for _, v in pairs]} and loss {loss}."
            )
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Pairs of gradient (None where there is none) and variable; the arguments are those of `minimize`.

        Raises:
          TypeError: a variable that is none.
          ValueError: no variables, an invalid `gate_gradients`, or a dtype that cannot be trained.
        """
        if callable(loss):
            return self._gradients_of_function(loss, var_list, grad_loss)
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  Not "
                f"{gate_gradients}"
            )
        self._assert_valid_dtypes([loss])
        if grad_loss is not None:
            self._assert_valid_dtypes([grad_loss])
        loss = _share_of_replica(loss)
        if var_list is None:
            var_list = trainable_variables() + get_collection(GraphKeys.TRAINABLE_RESOURCE_VARIABLES)
        else:
            var_list = nest.flatten(var_list)
        var_list += get_collection(GraphKeys._STREAMING_MODEL_PORTS)
        targets = [target_of(variable) for variable in var_list]
        if not var_list:
            raise ValueError("No variables to optimize.")
        found = gradients(
            loss,
            [target.target() for target in targets],
            grad_ys=grad_loss,
            gate_gradients=gate_gradients == self.GATE_OP,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
        if gate_gradients == self.GATE_GRAPH:
            found = gated(found)
        pairs = list(zip(found, var_list))
        self._assert_valid_dtypes([v for g, v in pairs if g is not None and v.dtype != dtypes.resource])
        return pairs

    @staticmethod
    def _gradients_of_function(loss: Callable, var_list: Any, grad_loss: Any) -> list[tuple[Any, Any]]:
        with GradientTape() as tape:
            if var_list is not None:
                tape.watch(var_list)
            value = loss()
        if var_list is None:
            var_list = sorted(tape.watched_variables(), key=lambda variable: variable.handle.op._id)
        with control_dependencies([value]):
            found = tape.gradient(value, var_list, grad_loss)
        return list(zip(found, var_list))

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """The operation that applies gradients.

        Args:
          grads_and_vars: pairs as `compute_gradients` returns them.
          global_step: variable to add 1 to after the update.
          name: name of the operation, by default the optimizer's.

        Raises:
          TypeError: a gradient is no tensor.
          ValueError: no variables, or none with a gradient.
        """
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        replica = replica_context()
        if replica is not None:
            return replica.merge_call(self._apply_merged, args=(pairs, global_step, name))
        converted = [(_as_gradient(gradient), variable, target_of(variable)) for gradient, variable in pairs]
        var_list = [v for g, v, _ in converted if g is not None]
        if not var_list:
            raise ValueError(f"No gradients provided for any variable: {[str(v) for _, v, _ in converted]}.")
        with init_scope():
            self._create_slots(var_list)
        updates = []
        with name_scope(name, self._name) as scope:
            self._prepare()
            for gradient, variable, target in converted:
                if gradient is not None:
                    with name_scope("update_" + variable.op.name), colocate_with(variable):
                        updates.append(target.update_op(self, gradient))
            if global_step is None:
                applied = self._finish(updates, scope)
            else:
                with control_dependencies([self._finish(updates, "update")]), colocate_with(global_step):
                    applied = _counted(global_step, scope)
            if isinstance(applied, Tensor):
                applied = applied.op
            train_ops = get_default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
            if applied not in train_ops:
                train_ops.append(applied)
            return applied

    def _apply_merged(self, strategy: Any, pairs: Any, global_step: Any, name: str | None) -> Any:
        """Apply the sums of what the replicas give."""
        given = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
        sums = strategy.extended.batch_reduce_to("SUM", given)
        return self.apply_gradients(list(zip(sums, [variable for _, variable in given])), global_step, name)

    # -- slots --------------------------------------------------------------------------------------------

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot called `name` of a variable; None if there is none."""
        named = self._slots.get(name)
        return named.get(variable_key(var)) if named else None

    def get_slot_names(self) -> list[str]:
        """Names of the slots that the optimizer makes."""
        return sorted(self._slots)

    def variables(self) -> list[Any]:
        """All variables of the optimizer in the default graph, sorted by name."""
        graph = get_default_graph()
        own = list(self._non_slot_variables()) + [slot for named in self._slots.values() for slot in named.values()]
        return sorted((v for v in own if v.op.graph is graph), key=lambda v: v.name)

    @property
    def _checkpoint_dependencies(self) -> list[tuple[str, Any]]:
        """The variables of no single variable, by name; object-based checkpoints find slots with `get_slot`."""
        graph = get_default_graph()
        return sorted((name, variable) for (name, own), variable in self._non_slot_dict.items() if own is graph)

    def _slot_dict(self, slot_name: str) -> dict[Any, Any]:
        return self._slots.setdefault(slot_name, {})

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> Any:
        """The slot of `var`, made with the initial value `val` (a tensor) if there is none."""
        named = self._slot_dict(slot_name)
        if variable_key(var) not in named:
            named[variable_key(var)] = slots.create_slot(var, val, op_name)
        return named[variable_key(var)]

    def _get_or_make_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, op_name: str
    ) -> Any:
        """The slot of `var`, made by an initializer if there is none."""
        named = self._slot_dict(slot_name)
        if variable_key(var) not in named:
            named[variable_key(var)] = slots.create_slot_with_initializer(var, initializer, shape, dtype, op_name)
        return named[variable_key(var)]

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Any:
        """The slot of `var`, made of zeros if there is none."""
        named = self._slot_dict(slot_name)
        if variable_key(var) not in named:
            named[variable_key(var)] = slots.create_zeros_slot(var, op_name)
        return named[variable_key(var)]

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any) -> Any:
        """A variable of the optimizer that belongs to no single one, placed with `colocate_with`."""
        graph = colocate_with.graph
        variable = self._non_slot_dict.get((name, graph))
        if variable is None:
            with get_default_graph().colocate_with(colocate_with):
                variable = VariableV1(
                    initial_value, name=name, trainable=False, use_resource=isinstance(colocate_with, ResourceVariable)
                )
            self._non_slot_dict[name, graph] = variable
        return variable

    def _get_non_slot_variable(self, name: str, graph: Any = None) -> Any:
        return self._non_slot_dict.get((name, graph))

    def _non_slot_variables(self) -> Iterable[Any]:
        return self._non_slot_dict.values()

    # -- hooks --------------------------------------------------------------------------------------------

    def _valid_dtypes(self) -> set[Any]:
        """The dtypes of losses and variables that the optimizer takes."""
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _assert_valid_dtypes(self, tensors: Sequence[Any]) -> None:
        valid = self._valid_dtypes()
        for tensor in tensors:
            dtype = tensor.dtype.base_dtype
            if dtype not in valid:
                raise ValueError(f"Invalid type {dtype!r} for {tensor.name}, expected: {list(valid)}.")

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        """Make all slots that the variables need."""

    def _prepare(self) -> None:
        """Make the tensors that all updates need."""

    def _apply_dense(self, grad: Any, var: Any) -> Operation:
        """Update a reference variable by a gradient of its shape."""
        raise NotImplementedError

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Operation:
        """Update a resource variable by a gradient of its shape."""
        raise NotImplementedError

    def _apply_sparse_duplicate_indices(self, grad: Any, var: Any) -> Operation:
        """Update rows of a reference variable that may be repeated; by default they are added up first."""
        values, unique = sum_repeated(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(indices=unique, values=values, dense_shape=grad.dense_shape), var)

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, handle: Any, indices: Any) -> Operation:
        """Update rows of a resource variable that may be repeated; by default they are added up first."""
        values, unique = sum_repeated(grad, indices)
        return self._resource_apply_sparse(values, handle, unique)

    def _apply_sparse(self, grad: Any, var: Any) -> Operation:
        """Update distinct rows of a reference variable by IndexedSlices."""
        raise NotImplementedError

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Operation:
        """Update the distinct rows `indices` of a resource variable."""
        raise NotImplementedError

    def _finish(self, update_ops: Sequence[Any], name_scope: str) -> Any:
        """What follows the updates; returns the operation that stands for all."""
        return group(*update_ops, name=name_scope)

    def _call_if_callable(self, param: Any) -> Any:
        """`param()` if it is a function, else `param`."""
        return call_if_callable(param)


def _share_of_replica(loss: Any) -> Any:
    """The part that a replica has in the mean loss of all."""
    replica = replica_context()
    return loss if replica is None else loss * (1.0 / replica.num_replicas_in_sync)


def _as_gradient(gradient: Any) -> Any:
    if gradient is None:
        return None
    try:
        gradient = convert_to_tensor_or_indexed_slices(gradient)
    except TypeError:
        raise TypeError(f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {gradient}") from None
    if not isinstance(gradient, (Tensor, IndexedSlices)):
        raise TypeError(f"Gradient must be a Tensor, IndexedSlices, or None: {gradient}")
    return gradient


def _counted(global_step: Any, name: str) -> Any:
    if isinstance(global_step, ResourceVariable):
        return assign_add_variable_op(global_step.handle, convert_to_tensor(1, dtype=global_step.dtype), name=name)
    return assign_add(global_step, 1, name=name)

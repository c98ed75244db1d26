"""The base class of layers: when they are built, how their variables are named and shared, and the losses and updates
they leave behind."""

from __future__ import annotations

import functools
import inspect
import re
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core import dtypes, nest
from ossia_core.api_table import public
from ossia_core.builders import builder
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.variables.options import VariableAggregation, VariableSynchronization
from ossia_core.variables.scope import get_variable, variable_scope
from ossia_nn.layers.input_spec import check_inputs

_KNOWN = frozenset(
    ("input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer", "autocast", "dynamic")
)
_counters: weakref.WeakKeyDictionary[Any, dict[str, int]] = weakref.WeakKeyDictionary()


def snake_case(name: str) -> str:
    """`MaxPooling2D` as `max_pooling2d`."""
    spaced = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    lower = re.sub("([a-z])([A-Z])", r"\1_\2", spaced).lower()
    return "private" + lower if lower[0] == "_" else lower


def _numbered(base: str) -> str:
    """A name that no other layer of the default graph has: the first is number 1."""
    counts = _counters.setdefault(get_default_graph(), {})
    counts[base] = counts.get(base, 0) + 1
    return f"{base}_{counts[base]}"


@public("layers.Layer")
class Layer:
    """An object that makes variables when it is first called, and ops that use them at every call.

    A subclass overrides `build`, which makes the variables with `add_weight`, and `call`, which makes the ops.
    The first call opens a variable scope, named after the layer or its class and made unique in the outer scope; later
    calls use the variables again.

    Args:
      trainable: whether the variables are to be trained.
      name: name of the layer and its scope.
      dtype: dtype of the variables; that of the first input if None.
      **kwargs: `_scope`, a variable scope to use; `_reuse`, whether to use variables that exist;
          `activity_regularizer`.

    Raises:
      TypeError: an unknown keyword.

    Example:
      >>> class Scale(Layer):
      ...     def build(self, input_shape):
      ...         self.factor = self.add_weight("factor", [], initializer=ones_initializer())
      ...         self.built = True
      ...     def call(self, inputs):
      ...         return inputs * self.factor
    """

    def __init__(self, trainable: bool = True, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        for key in kwargs:
            if key not in _KNOWN:
                raise TypeError("Keyword argument not understood:", key)
        self._trainable = trainable
        self.built = False
        self.input_spec: Any = None
        self.stateful = False
        self._dynamic = kwargs.get("dynamic", False)
        self._activity_regularizer = kwargs.get("activity_regularizer")
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self._base_name = snake_case(type(self).__name__) if not name else name
        self._name = name or _numbered(self._base_name)
        self._trainable_weights: list[Any] = []
        self._non_trainable_weights: list[Any] = []
        self._losses: list[Any] = []
        self._loss_functions: list[Callable] = []
        self._updates: list[Any] = []
        self._initial_weights = kwargs.get("weights")
        self._graph: Any = None
        self._scope: Any = None
        self._current_scope: Any = None
        self._takes_scope = "scope" in inspect.signature(self.call).parameters
        if scope:
            with variable_scope(scope) as captured:
                self._scope = captured

    # -- what a subclass overrides --------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Make the variables. Called once, before the first `call`.

        Args:
          input_shape: TensorShape of the input, or a structure of them like that of the inputs.
        """
        self.built = True

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Make the ops for the inputs and return the outputs. Called by `__call__`, in the layer's scopes."""
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for a shape of the input.

        Raises:
          NotImplementedError: the layer does not say.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define compute_output_shape")

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The output's mask, for layers that know masks."""
        return None

    # -- what it is -----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name given, or one made from the class's name; the variables' prefix is `scope_name`."""
        return self._name

    @property
    def graph(self) -> Any:
        """The graph of the first call."""
        return self._graph

    @property
    def scope_name(self) -> str:
        """The name of the layer's variable scope.

        Raises:
          ValueError: the layer was not called yet.
        """
        if self._scope is None:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been used yet. The scope '
                'name  is '
                "determined the first time the layer instance is called. You must therefore call the layer before "
                "querying `scope_name`."
            )
        return self._scope.name

    @property
    def dtype(self) -> Any:
        """Name of the dtype of the variables, None if not known yet."""
        return self._dtype

    @property
    def dynamic(self) -> bool:
        """Whether the layer can only run eagerly."""
        return self._dynamic

    @property
    def trainable(self) -> bool:
        """Whether the variables are trained."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value

    @property
    def activity_regularizer(self) -> Callable | None:
        """A function of the output whose value is a loss."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Callable | None) -> None:
        self._activity_regularizer = regularizer

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables to train."""
        return list(self._trainable_weights) if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that are not trained."""
        return (
            list(self._non_trainable_weights)
            if self.trainable
            else self._trainable_weights + self._non_trainable_weights
        )

    @property
    def weights(self) -> list[Any]:
        """All variables, those to train first."""
        return self.trainable_weights + self.non_trainable_weights

    variables, trainable_variables, non_trainable_variables = weights, trainable_weights, non_trainable_weights

    @property
    def updates(self) -> list[Any]:
        """Ops that a training step has to run as well."""
        if not self.trainable and not self.stateful:
            return []
        return [fn() if callable(fn) and not isinstance(fn, Operation) else fn for fn in self._updates]

    @property
    def losses(self) -> list[Any]:
        """Losses that the layer adds by itself."""
        return self._losses + [loss for loss in (fn() for fn in self._loss_functions) if loss is not None]

    @property
    def metrics(self) -> list[Any]:
        """The layer's metrics: none."""
        return []

    @property
    def inbound_nodes(self) -> list[Any]:
        """Calls on Keras inputs: none."""
        return []

    outbound_nodes = inbound_nodes

    def _not_connected(self) -> Any:
        raise AttributeError(f"Layer {self._name} is not connected, no input to return.")

    def _no_shape(self) -> Any:
        raise AttributeError("The layer has never been called and thus has no defined input shape.")

    def _no_output_shape(self) -> Any:
        raise AttributeError("The layer has never been called and thus has no defined output shape.")

    def _no_output(self) -> Any:
        raise AttributeError(f"Layer {self._name} has no inbound nodes.")

    input, output = property(_not_connected), property(_no_output)
    input_shape, output_shape = property(_no_shape), property(_no_output_shape)

    # -- losses and updates ---------------------------------------------------------------------------

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses to the layer and to the collection REGULARIZATION_LOSSES.

        Args:
          losses: a tensor or a function that makes one, or a list of them.
          inputs: tensors that the losses depend on; not needed.
        """
        added = []
        for loss in losses if isinstance(losses, (list, tuple)) else [losses]:
            if callable(loss):
                self._loss_functions.append(loss)
                value = loss()
                if value is not None:
                    added.append(value)
            elif loss is not None:
                loss = convert_to_tensor(loss)
                self._losses.append(loss)
                added.append(loss)
        _collect(added, GraphKeys.REGULARIZATION_LOSSES)

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Add ops that a training step has to run; at the next end of a call they join the collection UPDATE_OPS.

        Args:
          updates: an op, tensor, variable or function that makes one, or a list of them.
          inputs: tensors that the updates depend on; not needed.
        """
        for update in updates if isinstance(updates, (list, tuple)) else [updates]:
            while callable(update) and not isinstance(update, Operation):
                update = update()
            self._updates.append(update if isinstance(update, Operation) else getattr(update, "op", update))

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on some of `inputs`; those on none for None."""
        return _depending(self.losses, inputs)

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates that depend on some of `inputs`; those on none for None."""
        return _depending(self.updates, inputs)

    # -- variables ------------------------------------------------------------------------------------

    def add_weight(
        self, name: str, shape: Any, dtype: Any = None, initializer: Any = None, regularizer: Callable | None = None,
        trainable: bool | None = None, constraint: Callable | None = None, use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO, aggregation: Any = VariableAggregation.NONE,
        partitioner: Callable | None = None, **kwargs: Any,
    ) -> Any:
        """Make a variable of the layer, or get the one of that name.

        Args:
          name: name in the layer's scope.
          shape: shape.
          dtype: dtype, that of the layer by default.
          initializer: function or tensor for its first value.
          regularizer: a function of the variable whose value is added to the losses.
          trainable: whether it is trained; by default unless it is synchronised on read.
          constraint: a projection that optimizers apply after an update.
          use_resource: whether to make a resource variable.
          synchronization, aggregation: how copies of it are kept alike.
          partitioner: how to split it.
          **kwargs: `experimental_autocast`, which has no effect.

        Raises:
          ValueError: trainable and synchronised on read.
          TypeError: an unknown keyword.
        """
        for key in kwargs:
            if key != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", key)
        if synchronization == VariableSynchronization.ON_READ:
            if trainable:
                raise ValueError(
                    "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable "
                    "variables. You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
                )
            trainable = False
        elif trainable is None:
            trainable = True
        kind = dtypes.as_dtype(dtype or self._dtype or dtypes.float32)
        trained = trainable and self.trainable
        graph = get_default_graph()
        before = {id(v) for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES)}
        self._set_scope(None)
        with variable_scope(self._scope, reuse=self.built or self._reuse, auxiliary_name_scope=False) as scope:
            self._current_scope = scope
            with name_scope(self._name_scope()):
                variable = get_variable(
                    name,
                    shape=shape,
                    dtype=kind,
                    initializer=initializer_of(initializer),
                    trainable=trained,
                    constraint=constraint,
                    partitioner=partitioner or scope.partitioner,
                    use_resource=use_resource or scope.use_resource,
                    synchronization=synchronization,
                    aggregation=aggregation,
                )
                known = any(v is variable for v in self._trainable_weights + self._non_trainable_weights)
                if regularizer and _is_new(variable, before):
                    self._regularize(name, variable, regularizer)
        if not known:
            collection = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
            parts = list(variable) if _is_partitioned(variable) else [variable]
            is_trained = trained and all(any(v is part for v in collection) for part in parts)
            target = (
                self._trainable_weights
                if trained and (is_trained or not hasattr(variable, "initializer"))
                else self._non_trainable_weights
            )
            if trainable and not self.trainable:
                target = self._trainable_weights
            target.extend(parts)
        return variable

    add_variable = add_weight

    def _regularize(self, name: str, variable: Any, regularizer: Callable) -> None:
        def loss_of(v: Any) -> Any:
            with name_scope(name + "/Regularizer"):
                return regularizer(v)

        for part in list(variable) if _is_partitioned(variable) else [variable]:
            self.add_loss(functools.partial(loss_of, part))

    def get_weights(self) -> list[np.ndarray]:
        """The values of all variables in the default session."""
        return builder("get_default_session")().run(self.weights)

    def set_weights(self, weights: Any) -> None:
        """Set all variables in the default session, in the order of `weights`.

        Raises:
          ValueError: another number of values, or values of another shape.
        """
        own = self.weights
        if len(own) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a  weight list of length '
                f'{len(weights)}, but the '
                f"layer was expecting {len(own)} weights."
            )
        for variable, value in zip(own, weights, strict=True):
            if variable.shape.as_tuple() != np.shape(value):
                raise ValueError(
                    f"Layer weight shape {variable.shape} not compatible with provided weight shape {np.shape(value)}"
                )
            variable.load(value, builder("get_default_session")())

    def count_params(self) -> int:
        """The number of elements of all variables.

        Raises:
          ValueError: the layer is not built.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You can build it "
                f"manually via: `{self.name}.build(batch_input_shape)`."
            )
        return sum(int(np.prod(v.shape.as_list())) for v in self.weights)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {"name": self.name, "trainable": self.trainable, "dtype": self._dtype}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A layer of the arguments that `get_config` gave."""
        return cls(**config)

    # -- calls ----------------------------------------------------------------------------------------

    def _set_scope(self, scope: Any) -> None:
        if self._scope is not None:
            return
        if self._reuse:
            context = variable_scope(scope if scope is not None else self._base_name)
        else:
            context = variable_scope(scope, default_name=self._base_name)
        with context as captured:
            self._scope = captured

    def _name_scope(self) -> str:
        return self._current_scope.original_name_scope

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Build the layer if it is not yet built, and make its ops for the inputs.

        Args:
          inputs: a tensor, or a structure of tensors.
          *args, **kwargs: passed to `call`; `scope` names the variable scope of the first call.

        Returns:
          What `call` returns.

        Raises:
          ValueError: inputs that the layer does not take.
        """
        scope = kwargs.pop("scope", None)
        self._set_scope(scope)
        if self._graph is None:
            self._graph = builder("get_default_graph")()
        reuse = True if self.built else self._reuse
        with variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as current:
            self._current_scope = current
            if self._takes_scope:
                kwargs["scope"] = current
            inputs = _converted(inputs)
            check_inputs(self.input_spec, inputs, self.name)
            with name_scope(self._name_scope()):
                self._maybe_build(inputs)
                outputs = self.call(inputs, *args, **kwargs)
                if self._activity_regularizer is not None:
                    self._regularize_activity(outputs)
        _collect(self.updates, GraphKeys.UPDATE_OPS)
        return outputs

    apply = __call__

    def _maybe_build(self, inputs: Any) -> None:
        if self.built:
            return
        flat = nest.flatten(inputs)
        if flat and self._dtype is None and hasattr(flat[0], "dtype"):
            self._dtype = flat[0].dtype.base_dtype.name
        shapes = None
        if all(hasattr(x, "shape") for x in flat):
            shapes = nest.map_structure(lambda x: x.shape, inputs)
        self.build(shapes)
        self.built = True
        if self._initial_weights is not None:
            self.set_weights(self._initial_weights)
            self._initial_weights = None

    def _regularize_activity(self, outputs: Any) -> None:
        from ossia_ops.cast import cast
        from ossia_ops.shape import shape
        with name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                loss = self._activity_regularizer(output)  # type: ignore[misc]
                self.add_loss(loss / cast(shape(output)[0], loss.dtype))


def _converted(inputs: Any) -> Any:
    """Arrays and numbers among the inputs as tensors."""
    plain = (np.ndarray, float, int)
    if any(isinstance(x, plain) for x in nest.flatten(inputs)):
        return nest.map_structure(lambda x: convert_to_tensor(x) if isinstance(x, plain) else x, inputs)
    return inputs


def initializer_of(initializer: Any) -> Any:
    """An initializer, where a string names one of `tf.initializers`."""
    if isinstance(initializer, str):
        return builder("initializers." + snake_case(initializer))()
    return initializer


def _is_partitioned(variable: Any) -> bool:
    from ossia_core.variables.partition import PartitionedVariable
    return isinstance(variable, PartitionedVariable)


def _is_new(variable: Any, before: set[int]) -> bool:
    parts = list(variable) if _is_partitioned(variable) else [variable]
    return all(id(part) not in before for part in parts)


def _collect(elements: Any, key: str) -> None:
    collection = get_default_graph().get_collection_ref(key)
    known = {id(x) for x in collection}
    for element in elements:
        if id(element) not in known:
            collection.append(element)


def _depending(found: list[Any], inputs: Any) -> list[Any]:
    """Those of the tensors and ops that depend on some of the inputs, or on none if `inputs` is None."""
    if inputs is None:
        return list(found)
    wanted = {id(getattr(x, "op", x)) for x in nest.flatten(inputs)}
    return [x for x in found if any(id(op) in wanted for op in _ancestors(getattr(x, "op", x)))]


def _ancestors(op: Any) -> Iterator[Any]:
    seen, pending = {id(op)}, [op]
    while pending:
        current = pending.pop()
        yield current
        for tensor in current.inputs:
            if id(tensor.op) not in seen:
                seen.add(id(tensor.op))
                pending.append(tensor.op)

"""What a layer holds: its variables, the losses it adds by itself, and the updates that a training step has to run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes, nest
from ossia_core.variables.options import VariableSynchronization


class LayerState:
    """The part of a layer that remembers; `Layer` has the part that is called.

    Args:
      trainable: whether the variables are to be trained.
      activity_regularizer: function of an output whose value is a loss.
      weights: values for the variables, set when the layer is built.
    """

    name: str
    built: bool
    _dtype: str | None

    def __init__(self, trainable: bool, activity_regularizer: Callable | None, weights: Any) -> None:
        self._trainable = trainable
        self._activity_regularizer = activity_regularizer
        self._initial_weights = weights
        self._trainable_weights: list[Any] = []
        self._non_trainable_weights: list[Any] = []
        self._losses: list[tuple[Any, bool]] = []
        self._loss_functions: list[Callable] = []
        self._updates: list[tuple[Any, bool]] = []
        self._metrics: list[Any] = []
        self._call_inputs: Any = None
        self.stateful = False

    # -- variables ------------------------------------------------------------------------------------

    @property
    def trainable(self) -> bool:
        """Whether the variables are trained."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables to train."""
        return list(self._trainable_weights) if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that are not trained."""
        if self.trainable:
            return list(self._non_trainable_weights)
        return self._trainable_weights + self._non_trainable_weights

    @property
    def weights(self) -> list[Any]:
        """All variables, those to train first."""
        return self.trainable_weights + self.non_trainable_weights

    variables, trainable_variables, non_trainable_variables = weights, trainable_weights, non_trainable_weights

    def _keep(self, variable: Any, trained: bool) -> None:
        (self._trainable_weights if trained else self._non_trainable_weights).append(variable)

    def get_weights(self) -> list[np.ndarray]:
        """The values of all variables in the default session."""
        return builder("get_default_session")().run(self.weights) if self.weights else []

    def set_weights(self, weights: Any) -> None:
        """Set all variables in the default session, in the order of `weights`.

        Raises:
          ValueError: another number of values, or values of another shape.
        """
        own = self.weights
        if len(own) != len(weights):
            raise ValueError(
                f"Layer {self.name} has {len(own)} weights, and a list of length {len(weights)} was given to "
                "`set_weights`."
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

    # -- losses ---------------------------------------------------------------------------------------

    @property
    def activity_regularizer(self) -> Callable | None:
        """A function of the output whose value is a loss."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Callable | None) -> None:
        self._activity_regularizer = regularizer

    @property
    def losses(self) -> list[Any]:
        """Losses that the layer adds by itself."""
        return [loss for loss, _ in self._losses] + self._computed_losses()

    def _computed_losses(self) -> list[Any]:
        return [loss for loss in (function() for function in self._loss_functions) if loss is not None]

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses to the layer and to the collection REGULARIZATION_LOSSES.

        Args:
          losses: a tensor or a function that makes one, or a list of them.
          inputs: anything but None marks the losses as depending on the layer's inputs.
        """
        added, functions = [], []
        for loss in losses if isinstance(losses, (list, tuple)) else [losses]:
            if callable(loss):
                functions.append(loss)
            elif loss is not None:
                loss = convert_to_tensor(loss)
                self._losses.append((loss, inputs is not None))
                added.append(loss)
        self._loss_functions += functions
        added += [loss for loss in (function() for function in functions) if loss is not None]
        collect(added, GraphKeys.REGULARIZATION_LOSSES)

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on some of `inputs`; for None, those that depend on none."""
        computed = self._computed_losses()
        if inputs is None:
            return [loss for loss, conditional in self._losses if not conditional] + computed
        return _depending([loss for loss, conditional in self._losses if conditional], inputs)

    def _regularize(self, name: str, variable: Any, regularizer: Callable) -> None:
        """Add the regularizer's value of the variable, made again whenever the losses are asked for."""

        def loss_of(v: Any) -> Any:
            with name_scope(name + "/Regularizer"):
                return regularizer(v)

        for part in list(variable) if is_partitioned(variable) else [variable]:
            self.add_loss(functools.partial(loss_of, part))

    def _regularize_activity(self, outputs: Any) -> None:
        from ossia_ops.array.shape import shape
        from ossia_ops.math.cast import cast

        with name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                loss = self._activity_regularizer(output)  # type: ignore[misc]
                self.add_loss(loss / cast(shape(output)[0], loss.dtype), inputs=True)

    # -- updates --------------------------------------------------------------------------------------

    @property
    def updates(self) -> list[Any]:
        """Ops that a training step has to run as well."""
        return [update for update, _ in self._updates] if self.trainable or self.stateful else []

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Add ops that a training step has to run; at the next end of a call they join the collection UPDATE_OPS.

        Args:
          updates: an op, tensor, variable or function that makes one, or a list of them.
          inputs: has no effect; whether an update depends on the layer's inputs is seen from the graph.
        """
        for update in updates if isinstance(updates, (list, tuple)) else [updates]:
            while callable(update) and not isinstance(update, Operation):
                update = update()
            operation = update if isinstance(update, Operation) else getattr(update, "op", update)
            conditional = self._call_inputs is not None and bool(_depending([operation], self._call_inputs))
            self._updates.append((operation, conditional))

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates that depend on some of `inputs`; for None, those that depend on none."""
        known = self._updates if self.updates else []
        if inputs is None:
            return [update for update, conditional in known if not conditional]
        return _depending([update for update, conditional in known if conditional], inputs)

    # -- metrics --------------------------------------------------------------------------------------

    @property
    def metrics(self) -> list[Any]:
        """The means that the layer keeps of what it measures."""
        return list(self._metrics)

    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Keep the mean of a tensor over the runs; `metrics` holds it, with its `variables` to initialize and `result`.

        Args:
          value: a tensor, or what an element of `metrics` gave when it was called.
          aggregation: "mean"; None if `value` is a mean of an element of `metrics`.
          name: name of the metric; values of one name share a mean.

        Raises:
          ValueError: another aggregation, or none for a tensor that is not from a metric, or no name.
        """
        if aggregation not in (None, "mean"):
            raise ValueError(f"aggregation has to be `mean`, the only one there is, and is `{aggregation}`")
        metric = getattr(value, "_metric_obj", None)
        if metric is None:
            if name is None:
                raise ValueError("A metric needs a name: `add_metric(value, aggregation='mean', name='mean_value')`")
            if aggregation is None:
                raise ValueError(
                    "A value without aggregation has to be the result of a metric; with aggregation='mean' its mean "
                    "over the runs is kept"
                )
            from ossia_nn.layers.running_mean import Mean

            metric = next((each for each in self._metrics if each.name == name), None) or Mean(name)
            metric(value)
        if metric not in self._metrics:
            self._metrics.append(metric)


def weight_kind(dtype: Any, default: str | None) -> dtypes.DType:
    """The dtype of a variable: that given, that of the layer, or float32."""
    return dtypes.as_dtype(dtype or default or dtypes.float32)


def is_trained(trainable: bool | None, synchronization: VariableSynchronization) -> bool:
    """Whether a variable is to be trained, for the arguments of `add_weight`.

    Raises:
      ValueError: it is to be trained, and is synchronised on read.
    """
    if synchronization != VariableSynchronization.ON_READ:
        return trainable is None or trainable
    if trainable:
        raise ValueError(
            "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. "
            "You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
        )
    return False


def is_partitioned(variable: Any) -> bool:
    """Whether it is a list of parts."""
    from ossia_core.variables.partition import PartitionedVariable

    return isinstance(variable, PartitionedVariable)


def collect(elements: Any, key: str) -> None:
    """Add to a collection of the default graph what is not yet in it."""
    collection = get_default_graph().get_collection_ref(key)
    known = {id(x) for x in collection}
    for element in elements:
        if id(element) not in known:
            collection.append(element)


def _depending(found: list[Any], inputs: Any) -> list[Any]:
    """Those of the tensors and ops that depend on some of the inputs."""
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

"""The base class of layers: when they are built, how they, their scopes and their variables are named and shared."""

from __future__ import annotations

import contextlib
import copy
import inspect
import re
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.graph import Graph
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, nest
from ossia_core.plugins.api_table import public
from ossia_core.variables.options import VariableAggregation, VariableSynchronization
from ossia_core.variables.scope import get_variable
from ossia_core.variables.variable import VariableV1
from ossia_core.variables.variable_scope import variable_scope
from ossia_modules.module import Module
from ossia_nn import keras_initializers
from ossia_nn.layers.input_spec import InputSpec, check_inputs
from ossia_nn.layers.state import LayerState, collect, is_partitioned, is_trained, weight_kind

_KNOWN = frozenset(
    ("input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer", "autocast", "dynamic")
)
_counters: weakref.WeakKeyDictionary[Any, dict[str, int]] = weakref.WeakKeyDictionary()
_keras_style = False


@public("layers.experimental.set_keras_style")
def set_keras_style() -> None:
    """Make all layers from here on as Keras makes its layers: their variables belong to the object alone, are resource
    variables, and are named after the layer and the name scope; variable scopes and `reuse` have no part in it."""
    global _keras_style
    _keras_style = True


@public("layers.experimental.keras_style_scope")
@contextlib.contextmanager
def keras_style_scope() -> Iterator[None]:
    """Inside, layers are made as after `set_keras_style`.

    Example:
      >>> with keras_style_scope():
      ...     layer = Dense(3, name="dense")
    """
    global _keras_style
    before, _keras_style = _keras_style, True
    try:
        yield
    finally:
        _keras_style = before


def snake_case(name: str) -> str:
    """`MaxPooling2D` as `max_pooling2d`."""
    spaced = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    lower = re.sub("([a-z])([A-Z])", r"\1_\2", spaced).lower()
    return "private" + lower if lower[0] == "_" else lower


def _without_node(what: str) -> Callable[[Any, int], Any]:
    """A method that refuses to look for a call on Keras inputs: none is recorded."""

    def refuse(self: Any, node_index: int) -> Any:
        raise RuntimeError(f"The layer has never been called and thus has no defined {what}.")

    return refuse


def _numbered(base: str) -> str:
    """A name that no other layer of the default graph has: the first is number 1."""
    counts = _counters.setdefault(get_default_graph(), {})
    counts[base] = counts.get(base, 0) + 1
    return f"{base}_{counts[base]}"


@public("layers.Layer")
class Layer(LayerState, Module):  # type: ignore[misc]  # its variables are lists, as in the original
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
      ValueError: `_scope` or `_reuse` under `keras_style_scope`.

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
        super().__init__(trainable, kwargs.get("activity_regularizer"), kwargs.get("weights"))
        self.built = False
        self._input_spec: Any = None
        self.supports_masking = False
        self._dynamic = kwargs.get("dynamic", False)
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self._keras_style = _keras_style
        if self._keras_style:
            self._refuse(scope=scope, reuse=self._reuse)
        self._base_name = snake_case(type(self).__name__) if not name else name
        self._name = name or _numbered(self._base_name)
        self._scope: Any = None
        self._current_scope: Any = None
        self._takes_scope = "scope" in inspect.signature(self.call).parameters
        if scope:
            with variable_scope(scope) as captured:
                self._scope = captured
        self._named_weights: dict[str, Any] = {}

    @property
    def _checkpoint_dependencies(self) -> Sequence[tuple[str, Any]]:
        """The variables under the names that `add_weight` got; as in the original, no other attributes."""
        return list(self._named_weights.items())

    @staticmethod
    def _refuse(**arguments: Any) -> None:
        for name, value in arguments.items():
            if value is not None:
                raise ValueError(f"{name} argument not allowed when keras style layers are enabled, but saw: {value}")

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

    def compute_output_signature(self, input_signature: Any) -> Any:
        """Shape and dtype of the output, a TensorSpec or a structure of them, for those of the input.

        Raises:
          TypeError: something in `input_signature` is no TensorSpec.
          NotImplementedError: the layer does not say what shape its output has.
        """
        from ossia_core.graph.type_spec import TensorSpec

        specs = nest.flatten(input_signature)
        for spec in specs:
            if not isinstance(spec, TensorSpec):
                raise TypeError(f"Only TensorSpec signature types are supported, not the signature entry {spec}.")
        shape = self.compute_output_shape(nest.map_structure(lambda spec: spec.shape, input_signature))
        dtype = self.dtype or specs[0].dtype
        return nest.map_structure(lambda own: TensorSpec(own, dtype), shape)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The output's mask: the input's, if the layer passes masks on.

        Raises:
          TypeError: there is a mask, and the layer does not support masks.
        """
        if self.supports_masking:
            return mask
        if any(m is not None for m in nest.flatten(mask)):
            raise TypeError(f"Layer {self.name} does not support masking, but was passed an input_mask: {mask}")
        return None

    # -- what it is -----------------------------------------------------------------------------------

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name given, or one made from the class's name; the variables' prefix is `scope_name`."""
        return self._name

    @property
    def graph(self) -> Any:
        """None: a layer may be called in any graph."""
        return None

    @property
    def scope_name(self) -> str:
        """The name of the layer's variable scope.

        Raises:
          ValueError: the layer was not called yet, or has no variable scope.
        """
        if self._scope is None:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been used yet. The '
                "scope name  is determined the first time the layer instance is called. You must therefore call the "
                "layer before querying `scope_name`."
            )
        return self._scope.name

    @property
    def input_spec(self) -> Any:
        """What the layer demands of its inputs: an InputSpec, a structure of them, or None.

        Raises:
          TypeError: it is set to something else.
        """
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        for spec in nest.flatten(value):
            if spec is not None and not isinstance(spec, InputSpec):
                raise TypeError(f"Layer input_spec must be an instance of InputSpec. Got: {spec}")
        self._input_spec = value

    @property
    def dtype(self) -> Any:
        """Name of the dtype of the variables, None if not known yet."""
        return self._dtype

    @property
    def dynamic(self) -> bool:
        """Whether the layer can only run eagerly."""
        return self._dynamic

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {"name": self.name, "trainable": self.trainable, "dtype": self._dtype}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A layer of the arguments that `get_config` gave."""
        return cls(**config)

    def __deepcopy__(self, memo: dict) -> Any:
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        for key, value in vars(self).items():
            shared = isinstance(value, (Tensor, Operation, Graph, VariableV1)) or key in ("_scope", "_current_scope")
            vars(made)[key] = value if shared else copy.deepcopy(value, memo)
        return made

    # -- the calls that Keras would have recorded -----------------------------------------------------

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
    input_mask, output_mask = property(_not_connected), property(_no_output)
    input_shape, output_shape = property(_no_shape), property(_no_output_shape)

    get_input_at = get_input_mask_at = _without_node("input")
    get_output_at = get_output_mask_at = _without_node("output")
    get_input_shape_at, get_output_shape_at = _without_node("input shape"), _without_node("output shape")

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
          shape: shape, a scalar's if None.
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
          ValueError: trainable and synchronised on read; or an initializer of an unknown name.
          TypeError: an unknown keyword.
        """
        for key in kwargs:
            if key != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", key)
        shape = () if shape is None else shape
        trained = is_trained(trainable, synchronization) and self.trainable
        kind = weight_kind(dtype, self._dtype)
        self._dtype = self._dtype or kind.base_dtype.name
        initializer = keras_initializers.get(initializer)
        if initializer is None and not (kind.is_floating or kind.is_integer or kind.is_bool):
            raise ValueError(
                f"An initializer for variable {name} of type {kind.base_dtype} is required for layer {self.name}"
            )
        options: dict[str, Any] = {
            "trainable": trained,
            "constraint": constraint,
            "synchronization": synchronization,
            "aggregation": aggregation,
        }
        if self._keras_style:
            variable = _own_variable(name, shape, kind, initializer, use_resource is not False, **options)
            if regularizer:
                self._regularize(variable.op.name, variable, regularizer)
        else:
            before = {id(v) for v in get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)}
            self._set_scope(None)
            with variable_scope(self._scope, reuse=self.built or self._reuse, auxiliary_name_scope=False) as scope:
                self._current_scope = scope
                with name_scope(self._name_scope()):
                    variable = get_variable(
                        name, shape=shape, dtype=kind, initializer=initializer,
                        partitioner=partitioner or scope.partitioner, use_resource=use_resource or scope.use_resource,
                        **options,
                    )
                    if regularizer and _is_new(variable, before):
                        self._regularize(name, variable, regularizer)
        self._named_weights[name] = variable
        self._keep(variable, trained and getattr(variable, "trainable", False))
        return variable

    add_variable = add_weight

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
        return self._name if self._keras_style else self._current_scope.original_name_scope

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Build the layer if it is not yet built, and make its ops for the inputs.

        Args:
          inputs: a tensor, or a structure of tensors.
          *args, **kwargs: passed to `call`; `scope` names the variable scope of the first call.

        Returns:
          What `call` returns.

        Raises:
          ValueError: inputs that the layer does not take, no outputs, or `scope` under `keras_style_scope`.
        """
        scope = kwargs.pop("scope", None)
        if self._keras_style:
            self._refuse(scope=scope)
            return self._made(inputs, args, kwargs)
        self._set_scope(scope)
        reuse = True if self.built else self._reuse
        with variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as current:
            self._current_scope = current
            if self._takes_scope:
                kwargs["scope"] = current
            outputs = self._made(inputs, args, kwargs)
        collect(self.updates, GraphKeys.UPDATE_OPS)
        return outputs

    apply = __call__

    def _made(self, inputs: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """The outputs, made in the layer's name scope."""
        inputs = _converted(inputs)
        check_inputs(self.input_spec, inputs, self.name)
        outer, self._call_inputs = self._call_inputs, inputs
        try:
            with name_scope(self._name_scope()):
                self._maybe_build(inputs)
                outputs = self.call(inputs, *args, **kwargs)
                if outputs is None:
                    raise ValueError(f"`call` of layer {self.name} returned None, and should return its outputs.")
                if self._activity_regularizer is not None:
                    self._regularize_activity(outputs)
        finally:
            self._call_inputs = outer
        return outputs

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


def _converted(inputs: Any) -> Any:
    """Arrays and numbers among the inputs as tensors."""
    plain = (np.ndarray, float, int)
    if any(isinstance(x, plain) for x in nest.flatten(inputs)):
        return nest.map_structure(lambda x: convert_to_tensor(x) if isinstance(x, plain) else x, inputs)
    return inputs


def _is_new(variable: Any, before: set[int]) -> bool:
    parts = list(variable) if is_partitioned(variable) else [variable]
    return all(id(part) not in before for part in parts)


def _own_variable(
    name: str, shape: Any, kind: dtypes.DType, initializer: Any, use_resource: bool, **options: Any
) -> Any:
    """A variable that no scope shares."""
    if initializer is None:
        initializer = builder("glorot_uniform_initializer" if kind.is_floating else "zeros_initializer")()
    return VariableV1(
        lambda: initializer(tuple(shape), dtype=kind), name=name, dtype=kind, use_resource=use_resource, **options
    )

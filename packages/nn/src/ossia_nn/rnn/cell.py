"""The base classes of recurrent cells, and their zero states."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import nest
from ossia_core.names.dtypes import as_dtype
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.scope import get_variable_scope
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.activations import serialize as serialize_activation
from ossia_nn.keras_initializers import serialize as serialize_initializer
from ossia_nn.layers.base import Layer
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import expand_dims, shape


def _as_shape_tensor(part: Any) -> tuple[Tensor | None, Any]:
    """A part of a shape as a vector tensor (None if it is not fully known) and as static sizes."""
    if isinstance(part, Tensor):
        known = get_static_value(part)
        static = None if known is None else known.reshape(-1).tolist()
        if part.shape.ndims == 0:
            return expand_dims(part, 0), [None] if static is None else static
        if part.shape.ndims != 1:
            raise ValueError(f"tensor must be either scalar or vector, but saw tensor: {part}")
        return part, static
    shape = TensorShape(part if isinstance(part, (list, tuple, TensorShape)) or part is None else [part])
    static = None if shape.ndims is None else shape.as_list()
    return (constant(shape.as_list(), dtype="int32") if shape.is_fully_defined() else None), static


def joined_shape(prefix: Any, suffix: Any, static: bool = False) -> Any:
    """Two parts of a shape put together: as a tensor, or as a list of static sizes.

    Raises:
      ValueError: a part is not fully known while a tensor is asked for.
    """
    front, static_front = _as_shape_tensor(prefix)
    back, static_back = _as_shape_tensor(suffix)
    if static:
        shape = TensorShape(static_front).concatenate(TensorShape(static_back))
        return None if shape.ndims is None else shape.as_list()
    if front is None or back is None:
        raise ValueError(f"Provided a prefix or suffix of None: {prefix} and {suffix}")
    return concat((front, back), 0)


def _zero_state(state_size: Any, batch_size: Any, dtype: Any) -> Any:
    def zero(size: Any) -> Tensor:
        state = zeros(joined_shape(batch_size, size), dtype=dtype)
        state.set_shape(joined_shape(batch_size, size, static=True))
        return state
    return nest.map_structure(zero, state_size)


def assert_like_cell(name: str, cell: Any) -> None:
    """TypeError unless `cell` has what recurrent functions need of a cell."""
    missing = [text for text, fine in (("'output_size' property is missing", hasattr(cell, "output_size")),
                                       ("'state_size' property is missing", hasattr(cell, "state_size")),
                                       ("either 'zero_state' or 'get_initial_state' method is required",
                                        hasattr(cell, "zero_state") or hasattr(cell, "get_initial_state")),
                                       ("is not callable", callable(cell))) if not fine]
    if missing:
        raise TypeError(f"The argument {name!r} ({cell}) is not an RNNCell: {', '.join(missing)}.")


@public("nn.rnn_cell.RNNCell")
class RNNCell(Layer):
    """The base class of cells: called with (inputs, state), a cell returns (output, new state)."""

    def __init__(self, trainable: bool = True, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._last_zero_state: Any = None

    def __call__(self, inputs: Any, state: Any = None, scope: Any = None) -> Any:  # type: ignore[override]
        """One step.

        Args:
          inputs: [batch, depth].
          state: in the structure of `state_size`.
          scope: a variable scope for the cell's variables.
        """
        if scope is not None:
            with variable_scope(scope, custom_getter=self._get_variable) as entered:
                return super().__call__(inputs, state, scope=entered)
        if not hasattr(self, "_cell_scope"):
            self._cell_scope = variable_scope(get_variable_scope(), custom_getter=self._get_variable)
        with self._cell_scope:
            return super().__call__(inputs, state)

    def _get_variable(self, getter: Any, *args: Any, **kwargs: Any) -> Any:
        variable = getter(*args, **kwargs)
        trainable = getattr(variable, "trainable", True)
        own = self._trainable_weights if trainable else self._non_trainable_weights
        if all(v is not variable for v in own):
            own.append(variable)
        return variable

    @property
    def state_size(self) -> Any:
        """Sizes of the state, an integer, TensorShape or nested tuple of them."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """Size of the output."""
        raise NotImplementedError("Abstract method")

    def build(self, _: Any) -> None:
        """Nothing by default: cells may make their variables when they are called."""

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """The zero state for `inputs`, or for a batch size and dtype.

        Raises:
          ValueError: neither is given, or they disagree.
        """
        if inputs is not None:
            inputs = convert_to_tensor(inputs, name="inputs")
            if batch_size is not None:
                known = get_static_value(batch_size) if isinstance(batch_size, Tensor) else batch_size
                if inputs.shape[0].value is not None and known is not None and inputs.shape[0].value != known:
                    raise ValueError(
                        "batch size from input tensor is different from the input param. Input tensor batch: "
                        f"{inputs.shape[0].value}, batch_size: {known}"
                    )
            if dtype is not None and inputs.dtype != as_dtype(dtype):
                raise ValueError(
                    "dtype from input tensor is different from the input param. Input tensor dtype: "
                    f"{inputs.dtype}, dtype: {dtype}"
                )
            batch_size = inputs.shape[0].value or shape(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                f"batch_size and dtype cannot be None while constructing initial state: batch_size={batch_size}, "
                f"dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros in the structure of `state_size`, for a batch size (a number or scalar tensor)."""
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return _zero_state(self.state_size, batch_size, dtype)


def config_of(cell: Any, activation: Any, initializers: dict[str, Any], **arguments: Any) -> dict[str, Any]:
    """The configuration of a cell: its own arguments beside those of every layer, functions by name."""
    return {
        **Layer.get_config(cell),
        **arguments,
        **{name: serialize_initializer(value) for name, value in initializers.items()},
        "activation": serialize_activation(activation),
        "reuse": cell._reuse,
    }


class LayerRNNCell(RNNCell):
    """A cell that makes its variables in `build`, under its own name."""

    @property
    def variable_dtype(self) -> Any:
        """Dtype of the variables: the cell's, which is that of its first inputs; float32 before it has any."""
        return self.dtype or "float32"

    def __call__(self, inputs: Any, state: Any = None, scope: Any = None, *args: Any, **kwargs: Any) -> Any:
        """One step; see RNNCell."""
        for x in nest.flatten([inputs, state]):
            kind = getattr(x, "dtype", None)
            if kind is not None and not (as_dtype(kind).is_floating or as_dtype(kind).is_complex):
                raise ValueError(f"RNN cell only supports floating point inputs, but saw dtype: {kind}")
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)

"""`tf.Variable`: what both kinds of variables share, and the class that programs name."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.stack import get_default_graph, get_default_session
from ossia_core.graph.tensor import Reference, Tensor, counts_as_tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables import creation
from ossia_core.variables.options import VariableAggregation, VariableSynchronization
from ossia_core.variables.save_slices import SaveSliceInfo


@functools.cache
def _defaults(cls: type) -> dict[str, Any]:
    """The parameters of a class of variables, in order, and their defaults."""
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]  # type: ignore[misc]
    return {parameter.name: parameter.default for parameter in parameters}


KINDS: dict[bool, type[Variable]] = {}
"""The class of variables, by whether they are resource variables; the modules of both put theirs here."""


class _VariableType(type):
    """Sends `tf.Variable(...)` through the variable creators; subclasses are made as any class is."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not VariableV1 and cls is not Variable:
            return super().__call__(*args, **kwargs)
        arguments = dict(_defaults(cls))
        given = dict(zip(arguments, args))
        if len(given) < len(args) or not given.keys().isdisjoint(kwargs) or not arguments.keys() >= kwargs.keys():
            inspect.signature(cls.__init__).bind(None, *args, **kwargs)  # says what is wrong
        arguments.update(given, **kwargs)
        if cls is Variable:
            arguments["use_resource"] = True
        return creation.create(**arguments)


@counts_as_tensor
@public("compat.v2.Variable")
class Variable(metaclass=_VariableType):
    """State that a session keeps between runs, usable wherever a tensor is.

    Args:
      initial_value: a tensor or anything that converts to one, or a function without arguments that returns it.
      trainable: whether optimizers train it; by default they do, unless `synchronization` is ON_READ.
      collections: collections of the graph to add it to, by default the global variables.
      validate_shape: whether the shape must be known and stay the same.
      caching_device: device to keep a copy on for readers.
      name: name of the variable, made unique.
      variable_def: a VariableDef; the variable is then found in the graph by its names.
      dtype: dtype to convert `initial_value` to.
      import_scope: name scope in front of the names in `variable_def`.
      constraint: function applied to the value after an optimizer's update.
      use_resource: whether it is a resource variable.
      synchronization, aggregation: how replicas are kept in step.
      shape: shape of the variable, if another (less specific) one than that of `initial_value`.

    Raises:
      ValueError: no initial value, or one without a static shape though `validate_shape` is set.
    """

    __array_priority__ = 100
    SaveSliceInfo = SaveSliceInfo

    _save_slice_info: Any
    _graph_key: str

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: str | None = None,
        constraint: Callable | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        shape: Any = None,
    ) -> None:
        raise NotImplementedError

    _trainable: bool
    _constraint: Callable | None
    _synchronization: Any
    _aggregation: Any

    # What the two kinds provide.
    name: str
    op: Any
    graph: Any
    device: str
    dtype: Any
    initializer: Any
    initial_value: Any

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def value(self) -> Tensor:
        """A tensor of the variable's value."""
        raise NotImplementedError

    def read_value(self) -> Tensor:
        """A tensor of the value that the variable has when it is run."""
        raise NotImplementedError

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        raise NotImplementedError

    def get_shape(self) -> TensorShape:
        """The static shape."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Merge `shape` into the static shape of the variable and of its value."""
        raise NotImplementedError

    def initialized_value(self) -> Tensor:
        """The variable's value, or its initial value where it is not initialised yet: for the initial values of other
        variables."""
        graph = get_default_graph()
        with graph.control_dependencies(None):
            scope = graph.get_name_scope()
            with graph.name_scope(scope + "/" if scope else None):
                return builder("cond")(
                    builder("is_variable_initialized")(self), self.read_value, lambda: self.initial_value
                )

    def eval(self, session: Any = None) -> np.ndarray:
        """The value in `session`, or in the default session."""
        raise NotImplementedError

    def load(self, value: Any, session: Any = None) -> None:
        """Set the variable in `session` (or the default session) without adding to the graph.

        Raises:
          ValueError: there is no session.
        """
        session = session or get_default_session()
        if session is None:
            raise ValueError("Either session argument should be provided or default session should be established")
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    @property
    def _shared_name(self) -> str:
        """The name without the output's number."""
        return self.name[: self.name.index(":")]

    def experimental_ref(self) -> Reference:
        """A hashable reference to this variable."""
        return Reference(self)

    ref = experimental_ref

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __iter__(self) -> Any:
        raise TypeError("'Variable' object is not iterable.")

    def __deepcopy__(self, memo: dict) -> Any:
        raise NotImplementedError("__deepcopy__() is only available when eager execution is enabled.")

    def __getitem__(self, key: Any) -> Tensor:
        """The slice `key` of the value, as for tensors; its method `assign(value, name=None)` changes that part of the
        variable."""
        sliced = self.value()[key]
        node = sliced.op

        def assign(value: Any, name: str | None = None) -> Any:
            begin, end, strides = node.inputs[1:4]
            masks = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
            return self._strided_slice_assign(
                begin,
                end,
                strides,
                value,
                name=f"{node.name}/_assign" if name is None else name,
                **{mask: node.attrs[mask] for mask in masks},
            )

        sliced.assign = assign  # type: ignore[attr-defined]
        return sliced

    def _strided_slice_assign(
        self, begin: Any, end: Any, strides: Any, value: Any, name: str | None, **masks: int
    ) -> Any:
        raise NotImplementedError

    # -- options ------------------------------------------------------------------------------------------

    @property
    def trainable(self) -> bool:
        """Whether optimizers train it by default."""
        return self._trainable

    @property
    def constraint(self) -> Callable | None:
        """The function applied to the value after an optimizer's update, or None."""
        return self._constraint

    @property
    def synchronization(self) -> Any:
        """When replicas are synchronised."""
        return self._synchronization

    @property
    def aggregation(self) -> Any:
        """How updates of replicas are put together."""
        return self._aggregation

    # -- reading parts ------------------------------------------------------------------------------------

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """The rows `indices`, read without reading the rest; reference variables lack it."""
        raise NotImplementedError

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """The slices `indices`, read without reading the rest; reference variables lack it."""
        raise NotImplementedError

    # -- changing -----------------------------------------------------------------------------------------

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Set the variable to `value`.

        Returns:
          A reference to the new value; for a resource variable, the variable as it is afterwards; if `read_value` is
          False, the operation.

        Raises:
          ValueError: the shapes cannot agree.
        """
        raise NotImplementedError

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Add `delta`; returns what `assign` does."""
        raise NotImplementedError

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtract `delta`; returns what `assign` does."""
        raise NotImplementedError

    def count_up_to(self, limit: int) -> Tensor:
        """The value before 1 is added; OutOfRangeError once it has reached `limit`."""
        return builder("count_up_to")(self, limit=limit)

    def _scatter(self, kind: str, sparse_delta: Any, use_locking: bool, name: str | None) -> Any:
        raise NotImplementedError

    def scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Set the rows `sparse_delta.indices` to `sparse_delta.values`; returns what `assign` does.

        Raises:
          TypeError: `sparse_delta` is no IndexedSlices.
        """
        return self._scatter("update", sparse_delta, use_locking, name)

    def scatter_add(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Add the rows of the IndexedSlices `sparse_delta`."""
        return self._scatter("add", sparse_delta, use_locking, name)

    def scatter_sub(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Subtract the rows of the IndexedSlices `sparse_delta`."""
        return self._scatter("sub", sparse_delta, use_locking, name)

    def scatter_mul(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Multiply by the rows of the IndexedSlices `sparse_delta`."""
        return self._scatter("mul", sparse_delta, use_locking, name)

    def scatter_div(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Divide by the rows of the IndexedSlices `sparse_delta`."""
        return self._scatter("div", sparse_delta, use_locking, name)

    def scatter_min(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Take the smaller of the variable and the rows of the IndexedSlices `sparse_delta`."""
        return self._scatter("min", sparse_delta, use_locking, name)

    def scatter_max(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Take the larger of the variable and the rows of the IndexedSlices `sparse_delta`."""
        return self._scatter("max", sparse_delta, use_locking, name)

    def batch_scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Set rows of each entry of a batch: `sparse_delta` has one more leading axis than for `scatter_update`."""
        raise NotImplementedError

    def _scatter_nd(self, kind: str, indices: Any, updates: Any, name: str | None) -> Any:
        raise NotImplementedError

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Set the slices at `indices` to `updates`; returns what `assign` does."""
        return self._scatter_nd("update", indices, updates, name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Add `updates` to the slices at `indices`."""
        return self._scatter_nd("add", indices, updates, name)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtract `updates` from the slices at `indices`."""
        return self._scatter_nd("sub", indices, updates, name)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The VariableDef; None if the variable lies outside `export_scope`."""
        raise NotImplementedError

    # -- parts of a whole ---------------------------------------------------------------------------------

    def _set_save_slice_info(self, save_slice_info: Any) -> None:
        self._save_slice_info = save_slice_info

    def _get_save_slice_info(self) -> Any:
        return self._save_slice_info

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {"VARIABLE_VALUE": self}

    @staticmethod
    def from_proto(variable_def: Any, import_scope: str | None = None) -> Variable:
        """The variable that a VariableDef describes, found in the default graph."""
        return KINDS[False](variable_def=variable_def, import_scope=import_scope)

    @classmethod
    def _OverloadAllOperators(cls) -> None:
        for operator in sorted(Tensor.OVERLOADABLE_OPERATORS - {"__getitem__", "__eq__", "__ne__"}):
            cls._OverloadOperator(operator)

    @classmethod
    def _OverloadOperator(cls, operator: str) -> None:
        def apply(self: Variable, *args: Any, **kwargs: Any) -> Any:
            return getattr(Tensor, operator)(self.value(), *args, **kwargs)

        apply.__name__ = operator
        apply.__doc__ = f"`{operator}` of the variable's value."
        setattr(cls, operator, apply)


Variable._OverloadAllOperators()


@public("Variable")
class VariableV1(Variable):  # noqa: D101 - the base's
    __doc__ = Variable.__doc__

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Callable | None = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        shape: Any = None,
    ) -> None:
        raise NotImplementedError


def rows(sparse_delta: Any) -> Any:
    """`sparse_delta`, which must be IndexedSlices.

    Raises:
      TypeError: it is something else.
    """
    if not isinstance(sparse_delta, IndexedSlices):
        raise TypeError(f"sparse_delta is not IndexedSlices: {sparse_delta}")
    return sparse_delta


def checked_collections(collections: Any, trainable: bool) -> list[str]:
    """The collections of a new variable, the default filled in.

    Raises:
      ValueError: no list, tuple or set.
    """
    if collections is None:
        collections = [GraphKeys.GLOBAL_VARIABLES]
    if not isinstance(collections, (list, tuple, set)):
        raise ValueError(
            f"collections argument to Variable constructor must be a list, tuple, or set. Got {collections} of type "
            f"{type(collections)}"
        )
    if trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
        collections = [*collections, GraphKeys.TRAINABLE_VARIABLES]
    return list(collections)


def checked_name(scope: str) -> str:
    """The name of the variable whose name scope is `scope`.

    Raises:
      ValueError: it is empty.
    """
    if not scope:
        raise ValueError("'' is not a valid node name")
    return scope[:-1]


def as_base_dtype(dtype: Any) -> Any:
    """`dtype` as a DType without reference; None stays None."""
    return None if dtype is None else dtypes.as_dtype(dtype).base_dtype


def from_definition(variable_def: Any, import_scope: str | None = None) -> Variable:
    """The variable, of the kind it has, that a VariableDef describes."""
    return KINDS[variable_def.is_resource](variable_def=variable_def, import_scope=import_scope)

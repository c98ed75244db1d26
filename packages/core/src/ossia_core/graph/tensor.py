"""Tensor: one output of an operation, with its dtype and static shape."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ossia_core.declare.shape_rules import merge
from ossia_core.graph.stack import get_default_session
from ossia_core.names import shapes
from ossia_core.names.dtypes import DType
from ossia_core.names.errors import OperatorNotAllowedInGraphError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins import manager as plugins
from ossia_core.plugins.api_table import public

if TYPE_CHECKING:
    from ossia_core.graph.graph import Graph
    from ossia_core.graph.operation import Operation


@public("Tensor")
class Tensor:
    """The symbolic handle of one output of an `Operation`; its value exists while a session runs."""

    __slots__ = ("__dict__", "__weakref__", "_consumers", "_shape", "dtype", "op", "value_index")
    __array_priority__ = 100
    OVERLOADABLE_OPERATORS = frozenset((
        "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__div__", "__rdiv__", "__truediv__",
        "__rtruediv__", "__floordiv__", "__rfloordiv__", "__mod__", "__rmod__", "__lt__", "__le__", "__gt__", "__ge__",
        "__ne__", "__eq__", "__and__", "__rand__", "__or__", "__ror__", "__xor__", "__rxor__", "__getitem__", "__pow__",
        "__rpow__", "__invert__", "__neg__", "__abs__", "__matmul__", "__rmatmul__"))

    if TYPE_CHECKING:  # the operators come from the op library, see the end of this file
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __div__(self, other: Any) -> Tensor: ...
        def __rdiv__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __rfloordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __rmod__(self, other: Any) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __rand__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __ror__(self, other: Any) -> Tensor: ...
        def __xor__(self, other: Any) -> Tensor: ...
        def __rxor__(self, other: Any) -> Tensor: ...
        def __getitem__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __rmatmul__(self, other: Any) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...

    def __init__(self, op: Operation, value_index: int, dtype: DType) -> None:
        self.op = op
        self.value_index = value_index
        self.dtype = dtype
        self._shape: TensorShape = shapes.UNKNOWN_SHAPE
        self._consumers: list[Operation] = []

    @property
    def graph(self) -> Graph:
        """The graph that holds this tensor."""
        return self.op.graph

    @property
    def name(self) -> str:
        """`"<op name>:<output index>"`."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self) -> str:
        """The device string of the producing op."""
        return self.op.device

    @property
    def shape(self) -> TensorShape:
        """The static shape, as far as it is known while building."""
        return self._shape

    def get_shape(self) -> TensorShape:
        """The static shape."""
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """Merge `shape` into the static shape; ValueError if they disagree."""
        if not isinstance(shape, TensorShape):
            shape = TensorShape(shape)

        self._shape = merge(self._shape, shape)

    @property
    def _id(self) -> int:
        return id(self)

    def _shape_tuple(self) -> tuple[int | None, ...] | None:
        return self._shape.as_tuple()

    def _rank(self) -> int | None:
        return self._shape.ndims

    def consumers(self) -> list[Operation]:
        """The operations that take this tensor, in creation order, each as often as the tensor is among its inputs."""
        return list(self._consumers)

    def eval(self, feed_dict: dict | None = None, session: Any = None) -> Any:
        """Value of this tensor in `session` or the default session."""
        return _eval_session(session, self.graph, "evaluate tensor", "eval(session=sess)").run(self, feed_dict)

    def experimental_ref(self) -> Reference:
        """A hashable reference to this tensor."""
        return Reference(self)

    ref = experimental_ref

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self._shape} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        dims = self._shape.as_tuple()
        shape = "" if dims is None else f", shape={self._shape}"
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name}{device})'

    __hash__ = object.__hash__  # by identity, without a call into Python

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __copy__(self) -> Tensor:
        return self

    def __iter__(self) -> Any:
        raise OperatorNotAllowedInGraphError(
            "iterating over `tf.Tensor` is not allowed in Graph execution: its values are not known yet. Use tf.map_fn "
            "or tf.while_loop, or tf.unstack where the first dimension is known."
        )

    def __contains__(self, item: object) -> bool:
        return item in iter(self)  # which is refused

    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for symbolic Tensors. ({self.name}) Please call `x.shape` rather than `len(x)` "
            "for shape information."
        )

    def __bool__(self) -> bool:
        raise OperatorNotAllowedInGraphError(
            "using a `tf.Tensor` as a Python `bool` is not allowed in Graph execution. Use Eager execution or decorate "
            "this function with @tf.function."
        )

    __nonzero__ = __bool__

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise NotImplementedError(f"Cannot convert a symbolic Tensor ({self.name}) to a numpy array.")

    @staticmethod
    def _override_operator(operator: str, fn: Callable) -> None:
        if operator not in Tensor.OVERLOADABLE_OPERATORS:
            raise ValueError(f"Overriding {operator} is disallowed")
        setattr(Tensor, operator, fn)


class Reference:
    """A hashable stand-in for a tensor or variable, equal only to references to the same object."""

    __slots__ = ("_target",)

    def __init__(self, target: Any) -> None:
        self._target = target

    def deref(self) -> Any:
        """The object referred to."""
        return self._target

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._target is other._target

    def __hash__(self) -> int:
        return id(self._target)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._target!r}>"


def _eval_session(session: Any, graph: Graph, what: str, hint: str) -> Any:
    kind = what.split()[-1]
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError(
                f"Cannot {what} using `{hint.split('(')[0]}()`: No default session is registered. Use `with "
                f"sess.as_default(){':' if kind == 'operation' else ''}` or pass an explicit session to `{hint}`"
            )
        if session.graph is not graph:
            raise ValueError(
                f"Cannot use the default session to {what}: the {kind}'s graph is different from the session's graph. "
                f"Pass an explicit session to `{hint}`."
            )
    elif session.graph is not graph:
        raise ValueError(
            f"Cannot use the given session to {what}: the {kind}'s graph is different from the session's graph."
        )
    return session


eval_session = _eval_session


_tensor_kinds: tuple[type, ...] = (Tensor,)
_Kind = TypeVar("_Kind")


def counts_as_tensor(kind: type[_Kind]) -> type[_Kind]:
    """Let instances of a class count as tensors."""
    global _tensor_kinds
    _tensor_kinds = (*_tensor_kinds, kind)
    return kind


@public("is_tensor")
def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor, a sparse tensor or a variable."""
    return isinstance(x, _tensor_kinds)


# Operators: `a + b`, `-a`, `a[1:]` and the like are resolved to the op library when first used.
_IDENTITY_COMPARED = frozenset(("__eq__", "__ne__"))


def _lazy(operator: str) -> Callable:
    def call(*args: Any, **kwargs: Any) -> Any:
        _install()
        return getattr(Tensor, operator)(*args, **kwargs)
    call.__name__ = operator
    return call


def _install() -> None:
    target = plugins.api_table().get("_operators")
    if target is None:
        raise NotImplementedError("Operators of tensors need the op library: pip install ossia-ops")
    for operator, fn in plugins.load(target).items():
        Tensor._override_operator(operator, fn)


for _operator in Tensor.OVERLOADABLE_OPERATORS - _IDENTITY_COMPARED:
    setattr(Tensor, _operator, _lazy(_operator))

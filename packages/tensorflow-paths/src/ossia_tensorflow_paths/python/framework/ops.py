"""What programs take from `framework.ops` and its neighbours beyond the public names."""

from __future__ import annotations

import contextlib
import itertools
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import ossia as tf
from ossia_core.declare import opdef
from ossia_core.graph import stack
from ossia_core.graph.pending import PendingNode
from ossia_core.names.structures import CompositeTensor

_numbers = itertools.count()
_USE_C_API = _USE_C_SHAPES = True  # which way graphs are built, as older tests ask


class EagerTensor:
    """The class of tensors outside graphs: nothing is an instance of it."""


def uid() -> int:
    """A number that this process has not given before."""
    return next(_numbers)


def convert_n_to_tensor(
    values: Sequence[Any], dtype: Any = None, name: str | None = None, preferred_dtype: Any = None
) -> list[Any]:
    """Each of `values` as a tensor; the i-th is called `<name>_<i>`."""
    if not isinstance(values, Iterable):
        raise TypeError("values must be a sequence.")
    return [
        tf.convert_to_tensor(value, dtype, None if name is None else f"{name}_{i}", preferred_dtype)
        for i, value in enumerate(values)
    ]


def internal_convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False, preferred_dtype: Any = None, **_: Any
) -> Any:
    """`value` as a tensor; with `as_ref`, a variable as the reference to it."""
    if as_ref and isinstance(value, tf.Variable) and hasattr(value, "_ref"):
        return value._ref()
    return tf.convert_to_tensor(value, dtype, name, preferred_dtype)


internal_convert_n_to_tensor = convert_n_to_tensor


def tensor_id(tensor: Any) -> int:
    """A number that no other tensor has."""
    return id(tensor)


def name_from_scope_name(name: str) -> str:
    """The name of an operation from that of its scope, which ends with a slash."""
    return name.removesuffix("/")


def get_gradient_function(op: Any) -> Callable[..., Any] | None:
    """The function that gives the gradients of an operation; None where it has none.

    Raises:
        LookupError: Nothing is known of the gradients of such operations.
    """
    if not op.inputs:
        return None
    kind = op.attrs.get("_gradient_op_type", op.type)
    return opdef.gradient_of(kind.decode() if isinstance(kind, bytes) else kind)


def default_session(session: Any) -> AbstractContextManager[Any]:
    """A context manager in which `session` is the default one."""
    return session.as_default()


def inside_function() -> bool:
    """Whether the default graph is the body of a function."""
    return tf.get_default_graph().building_function


def executing_eagerly_outside_functions() -> bool:
    """False: programs build graphs."""
    return False


def get_name_scope() -> str:
    """The name scope of the default graph."""
    return tf.get_default_graph().get_name_scope()


def strip_name_scope(name: Any, export_scope: str | None) -> Any:
    """`name` without the scope at its start."""
    if not export_scope or not isinstance(name, (str, bytes)):
        return name
    return re.sub(rf"^([\^]|loc:@|){re.escape(export_scope.rstrip('/'))}/", r"\1", tf.compat.as_str(name))


def prepend_name_scope(name: Any, import_scope: str | None) -> Any:
    """`name` with a scope put before it."""
    if not import_scope or not isinstance(name, (str, bytes)):
        return name
    return re.sub(r"^([\^]|loc:@|)(.*)", rf"\g<1>{import_scope.rstrip('/')}/\g<2>", tf.compat.as_str(name))


def RegisterShape(op_type: str) -> Callable[[Any], Any]:
    """A decorator without effect, as in every version since 1.0: shapes come with the ops."""
    return lambda function: function


def _get_graph_from_inputs(op_input_list: Iterable[Any], graph: Any = None) -> Any:
    """The graph that holds all of the tensors and operations given.

    Raises:
        ValueError: There are several.
    """
    first = None
    for item in op_input_list:
        owner = getattr(item, "graph", None)
        if owner is None:
            continue
        if graph is None:
            graph, first = owner, item
        elif owner is not graph and first is not None:
            raise ValueError(f"{item} must be from the same graph as {first}.")
        elif owner is not graph:
            raise ValueError(f"{item} is not from the passed-in graph.")
    return graph or tf.get_default_graph()


def _colocate_with_for_gradient(op: Any, gradient_uid: Any, ignore_existing: bool = False) -> Any:
    """A context manager in which new operations are placed with `op`."""
    return tf.get_default_graph()._colocate_with_for_gradient(op, gradient_uid, ignore_existing)


def has_default_graph() -> bool:
    """Whether a graph was made the default one of this thread."""
    return bool(stack.graphs.items)


def is_dense_tensor_like(t: Any) -> bool:
    """Whether a value can stand for one tensor: tensors and variables."""
    return isinstance(t, (tf.Tensor, tf.Variable))


def is_sparse(value: Any) -> bool:
    """Whether `value` is sparse."""
    return isinstance(value, (tf.SparseTensor, tf.SparseTensorValue))


def convert_to_tensor_v2(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Any:
    """`value` as a tensor."""
    return tf.convert_to_tensor(value, dtype=dtype, name=name, preferred_dtype=dtype_hint)


def convert_to_tensor_or_composite(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` as a tensor, unless it is made of several.

    Raises:
        ValueError: It is, of another dtype.
    """
    if not isinstance(value, CompositeTensor):
        return tf.convert_to_tensor(value, dtype=dtype, name=name)
    found: Any = getattr(value, "dtype", None)
    if dtype is not None and not tf.as_dtype(dtype).is_compatible_with(found):
        raise ValueError(
            f"Tensor conversion requested dtype {tf.as_dtype(dtype).name} for Tensor with dtype "
            f"{found.name}: {str(value)!r}"
        )
    return value


def internal_convert_to_tensor_or_composite(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Any:
    """`convert_to_tensor_or_composite`; with `as_ref`, a variable as the reference to it."""
    if isinstance(value, CompositeTensor):
        return convert_to_tensor_or_composite(value, dtype, name)
    return internal_convert_to_tensor(value, dtype, name, as_ref)


def convert_n_to_tensor_or_composite(values: Sequence[Any], dtype: Any = None, name: str | None = None) -> list[Any]:
    """Each of `values` as a tensor, unless it is None or made of several; the i-th is called `<name>_<i>`."""
    if not isinstance(values, Iterable):
        raise TypeError("values must be a sequence.")
    return [
        None if value is None
        else convert_to_tensor_or_composite(value, dtype, None if name is None else f"{name}_{i}")
        for i, value in enumerate(values)
    ]


internal_convert_n_to_tensor_or_composite = convert_n_to_tensor_or_composite
convert_n_to_tensor_or_indexed_slices = internal_convert_n_to_tensor_or_indexed_slices = (
    convert_n_to_tensor_or_composite
)
internal_convert_to_tensor_or_indexed_slices = internal_convert_to_tensor_or_composite


def name_scope_v2(name: str) -> AbstractContextManager[Any]:
    """A scope of names.

    Raises:
        ValueError: The name is no string.
    """
    if not isinstance(name, str):
        raise ValueError("name for name_scope must be a string.")
    return tf.name_scope(name)


def device_v2(device_name: Any) -> AbstractContextManager[Any]:
    """A scope of devices, which are names and no functions.

    Raises:
        RuntimeError: It is a function.
    """
    if callable(device_name):
        raise RuntimeError("tf.device does not support functions.")
    return tf.device(device_name)


def NullContextmanager(*args: Any, **kwargs: Any) -> AbstractContextManager[None]:
    """A context that does nothing."""
    return contextlib.nullcontext()


def numpy_text(tensor: Any, is_repr: bool = False) -> str:
    """The value of a tensor as text, where it has one."""
    if not tensor.dtype.is_numpy_compatible:
        return "<unprintable>"
    text = repr(tensor.numpy()) if is_repr else str(tensor.numpy())
    return f"\n{text}" if "\n" in text else text


def _as_graph_element(obj: Any) -> Any:
    convert = getattr(obj, "_as_graph_element", None)
    return convert() if convert else None


def register_dense_tensor_like_type(tensor_type: type) -> None:
    """Says that a class is like a tensor, by its `name` and `dtype`.

    Raises:
        TypeError: It has no such properties.
    """
    for member in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, member, None), property):
            raise TypeError(f"Type {tensor_type.__name__} does not define a `{member}` property")


def dismantle_graph(graph: Any) -> None:
    """Lets go of what a graph holds."""
    for held in (graph._operations, graph._by_name, graph._collections):
        held.clear()


def _NodeDef(op_type: Any, name: Any, device: Any = None, attrs: Any = None) -> Any:
    node = tf.NodeDef(op=op_type, name=name)
    for key, value in (attrs or {}).items():
        node.attr[key].CopyFrom(value)
    if device is not None:
        device = device(node) if callable(device) else device
        node.device = device if isinstance(device, str) else device.to_string()
    return node


def _create_c_op(graph: Any, node_def: Any, inputs: list[Any], control_inputs: list[Any]) -> PendingNode:
    """A node that `Graph._create_op_from_tf_operation` or `Graph._add_new_tf_operations` takes into its graph."""
    return PendingNode(graph, node_def, inputs, control_inputs)


def _assert_same_graph(original_item: Any, item: Any) -> None:
    if original_item.graph is not item.graph:
        raise ValueError(f"{item} must be from the same graph as {original_item}.")


class _DefaultsOfThread:
    """The default objects that programs have entered in this thread."""

    def __init__(self, entered: stack.DefaultStack, default: Callable[[], Any], reset: Callable[[], None]) -> None:
        self._entered, self.get_default, self.reset = entered, default, reset

    @property
    def stack(self) -> list[Any]:
        """What was entered, the last one last."""
        return self._entered.items

    def is_cleared(self) -> bool:
        """Whether nothing was entered."""
        return not self.stack

    def get_controller(self, default: Any) -> AbstractContextManager[Any]:
        """A context in which an object is the default."""
        return self._entered.push(default)


_default_graph_stack = _DefaultsOfThread(stack.graphs, tf.get_default_graph, stack.forget_default_graphs)
_default_session_stack = _DefaultsOfThread(
    stack.sessions, tf.get_default_session, lambda: stack.sessions.items.clear()
)


class _DefaultStack(threading.local):
    """Default objects of a thread, the one that was entered last first."""

    def __init__(self) -> None:
        super().__init__()
        self._enforce_nesting = True
        self.stack: list[Any] = []

    def get_default(self) -> Any:
        """The object entered last; None if there is none."""
        return self.stack[-1] if self.stack else None

    def reset(self) -> None:
        """Forgets all objects."""
        self.stack = []

    def is_cleared(self) -> bool:
        """Whether no object was entered."""
        return not self.stack

    @property
    def enforce_nesting(self) -> bool:
        """Whether objects must be left in the opposite order."""
        return self._enforce_nesting

    @enforce_nesting.setter
    def enforce_nesting(self, value: bool) -> None:
        self._enforce_nesting = value

    @contextlib.contextmanager
    def get_controller(self, default: Any) -> Iterator[Any]:
        """A context in which an object is the default.

        Raises:
            AssertionError: Another one was entered within and not left.
        """
        self.stack.append(default)
        try:
            yield default
        finally:
            if self.stack:  # it may have been reset
                if self._enforce_nesting:
                    if self.stack[-1] is not default:
                        raise AssertionError(f"Nesting violated for default stack of {type(default)} objects")
                    self.stack.pop()
                else:
                    self.stack.remove(default)

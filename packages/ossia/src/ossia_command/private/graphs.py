"""What programs take from `framework.ops` and its neighbours beyond the public names."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import ossia as tf
from ossia_core import opdef

_numbers = itertools.count()


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
        raise TypeError("values must be iterable.")
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
    """True: there always is one."""
    return tf.get_default_graph() is not None


def is_dense_tensor_like(t: Any) -> bool:
    """Whether a value can stand for one tensor: tensors and variables."""
    return isinstance(t, (tf.Tensor, tf.Variable))


def is_sparse(value: Any) -> bool:
    """Whether `value` is sparse."""
    return isinstance(value, (tf.SparseTensor, tf.SparseTensorValue))

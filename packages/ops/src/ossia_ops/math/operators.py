"""The operators of tensors (`+`, `[]`, ...): what each builds."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public_value
from ossia_ops.array.slicing import getitem
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.arithmetic import add_op, add_v2_op, mul_op, pow, sub_op
from ossia_ops.math.comparison import greater, greater_equal, less, less_equal
from ossia_ops.math.division import div, floor_mod_op, floordiv, truediv
from ossia_ops.math.elementwise import abs, negative
from ossia_ops.math.logical import logical_and, logical_not, logical_or, logical_xor


def _add(x: Any, y: Any, name: str | None = None) -> Tensor:
    return (add_op if x.dtype.base_dtype is dtypes.string else add_v2_op)(x, y, name=name)


def _multiply(x: Any, y: Any, name: str | None = None) -> Any:
    if isinstance(y, SparseTensor):
        values = lookup("SparseDenseCwiseMul")(y.indices, y.values, y.dense_shape, x, name=name)
        return SparseTensor(y.indices, values, y.dense_shape)
    return mul_op(x, y, name=name)


def _forward(function: Callable, name: str) -> Callable:
    reflected = f"__r{name}__"

    def operator(x: Any, y: Any) -> Any:
        with name_scope(None, name, [x, y]) as scope:
            if not (isinstance(x, Tensor) and isinstance(y, Tensor)) and not isinstance(y, SparseTensor):
                try:
                    y = convert_to_tensor(y, name="y", preferred_dtype=x.dtype.base_dtype)
                except TypeError:
                    # The other operand may know what to do.
                    if hasattr(type(y), reflected):
                        return NotImplemented
                    raise
            return function(x, y, name=scope)
    return operator


def _backward(function: Callable, name: str) -> Callable:
    def operator(y: Any, x: Any) -> Any:
        with name_scope(None, name, [x, y]) as scope:
            x = convert_to_tensor(x, y.dtype.base_dtype, "x")
            return function(x, y, name=scope)
    return operator


OPERATORS: dict[str, Callable] = {
    "__lt__": less, "__le__": less_equal, "__gt__": greater, "__ge__": greater_equal,
    "__invert__": logical_not, "__neg__": negative, "__abs__": abs, "__getitem__": getitem,
}
_BINARY: dict[str, Callable] = {
    "add": _add,
    "sub": lambda x, y, name: sub_op(x, y, name=name),
    "mul": _multiply,
    "div": div,
    "truediv": truediv,
    "floordiv": floordiv,
    "mod": lambda x, y, name: floor_mod_op(x, y, name=name),
    "pow": pow,
    "and": logical_and,
    "or": logical_or,
    "xor": logical_xor,
    "matmul": matmul,
}
for _name, _function in _BINARY.items():
    OPERATORS[f"__{_name}__"] = _forward(_function, _name)
    OPERATORS[f"__r{_name}__"] = _backward(_function, _name)

public_value("_operators", name="OPERATORS")

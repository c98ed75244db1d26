"""The operators of ragged tensors: what each builds."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_ops.math.arithmetic import add, multiply, pow, subtract
from ossia_ops.math.comparison import greater, greater_equal, less, less_equal
from ossia_ops.math.division import div, floordiv, floormod, truediv
from ossia_ops.math.elementwise import abs, negative
from ossia_ops.math.logical import logical_and, logical_not, logical_or, logical_xor
from ossia_ragged.items import getitem


def _refused(ragged: Any) -> bool:
    raise TypeError("RaggedTensor may not be used as a boolean.")


OPERATORS: dict[str, Callable] = {
    "getitem": getitem, "bool": _refused, "abs": abs, "neg": negative, "invert": logical_not,
    "ge": greater_equal, "gt": greater, "le": less_equal, "lt": less,
}
_BINARY: dict[str, Callable] = {
    "add": add, "and": logical_and, "div": div, "floordiv": floordiv, "mod": floormod, "mul": multiply,
    "or": logical_or, "pow": pow, "sub": subtract, "truediv": truediv, "xor": logical_xor,
}


def _reflected(function: Callable) -> Callable:
    return lambda y, x: function(x, y)


for _name, _function in _BINARY.items():
    OPERATORS[_name] = _function
    OPERATORS[f"r{_name}"] = _reflected(_function)

"""How a program says what the gradient of its ops is."""
from __future__ import annotations

from collections.abc import Callable

from ossia_core.declare import opdef
from ossia_core.plugins.api_table import public


@public("RegisterGradient")
class RegisterGradient:
    """A decorator that registers the gradient function `f(op, *grads)` of an op type or of a name for
    `gradient_override_map`.

    Raises:
      TypeError: the type is no string.
      KeyError: the type has a gradient already.
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f: Callable) -> Callable:
        """Register `f` and return it."""
        opdef.register_gradient(self._op_type, f)
        return f


@public("NotDifferentiable", "NoGradient", "no_gradient")
def no_gradient(op_type: str) -> None:
    """Declare that no gradient flows through ops of a type."""
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    opdef.register_gradient(op_type, None)

"""Assertions about the elements that linear operators are made of."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.primitives.source import no_op
from ossia_ops.math.complex_numbers import imag
from ossia_ops.math.elementwise import abs as absolute


def no_zeros(x: Any, message: str | None) -> Any:
    """An operation that fails where an element of `x` is zero."""
    with name_scope("assert_no_entries_with_modulus_zero", values=[x]):
        x = convert_to_tensor(x, name="x")
        magnitudes = absolute(x)
        zero = convert_to_tensor(0, dtype=x.dtype.real_dtype)
        return builder("debugging.assert_less")(zero, magnitudes, message=message)


def no_imaginary_parts(x: Any, message: str | None) -> Any:
    """An operation that fails where an element of `x` is not real."""
    with name_scope("assert_zero_imag_part", values=[x]):
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_floating:
            return no_op()
        zero = convert_to_tensor(0, dtype=x.dtype.real_dtype)
        return builder("debugging.assert_equal")(zero, imag(x), message=message)

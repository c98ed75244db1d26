"""`linear_operator_util` and `linear_operator_algebra`: what linear operators, and tests of them, are made with."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import ossia as tf
from ossia_linear_operators import algebra, assertions, batches, circulant_base

broadcast_matrix_batch_dims = batches.broadcast_batches
cholesky_solve_with_broadcast = batches.cholesky_solve_broadcast
matrix_solve_with_broadcast = batches.solve_broadcast
matrix_triangular_solve_with_broadcast = batches.triangular_solve_broadcast
shape_tensor = batches.sizes
_to_complex = circulant_base.as_complex

adjoint = algebra.adjoint
cholesky = algebra.cholesky
inverse = algebra.inverse
matmul = algebra.matmul
solve = algebra.solve


class _Functions(Mapping[tuple[type, ...], Callable]):
    """The functions that do something to operators, by their classes, as they are registered when one looks."""

    def __init__(self, operation: str) -> None:
        self._operation = operation

    def __getitem__(self, kinds: tuple[type, ...]) -> Callable:
        return algebra.functions(self._operation)[kinds]

    def __iter__(self) -> Iterator[tuple[type, ...]]:
        return iter(algebra.functions(self._operation))

    def __len__(self) -> int:
        return len(algebra.functions(self._operation))


_ADJOINTS = _Functions("adjoint")
_CHOLESKY_DECOMPS = _Functions("cholesky")
_INVERSES = _Functions("inverse")
_MATMUL = _Functions("matmul")
_SOLVE = _Functions("solve")

_registered_adjoint = functools.partial(algebra.nearest, "adjoint")
_registered_cholesky = functools.partial(algebra.nearest, "cholesky")
_registered_inverse = functools.partial(algebra.nearest, "inverse")
_registered_matmul = functools.partial(algebra.nearest, "matmul")
_registered_solve = functools.partial(algebra.nearest, "solve")


def assert_no_entries_with_modulus_zero(
    x: Any, message: str | None = None, name: str = "assert_no_entries_with_modulus_zero"
) -> Any:
    """An operation that fails where an element of `x` is zero."""
    return assertions.no_zeros(x, message)


def assert_zero_imag_part(x: Any, message: str | None = None, name: str = "assert_zero_imag_part") -> Any:
    """An operation that fails where an element of `x` is not real."""
    return assertions.no_imaginary_parts(x, message)


def assert_compatible_matrix_dimensions(operator: Any, x: Any) -> Any:
    """An operation that fails unless an operator can be applied to the matrix `x`."""
    message = "Dimensions are not compatible. shape[-2] of argument to be the same as this operator"
    return tf.debugging.assert_equal(tf.shape(x)[-2], operator.domain_dimension_tensor(), message=message)


def assert_is_batch_matrix(tensor: Any) -> None:
    """Refuses a tensor that is no matrix and no batch of matrices, with ValueError."""
    if tensor.shape.ndims is not None and tensor.shape.ndims < 2:
        raise ValueError(f"Expected [batch] matrix to have at least two dimensions. Found: {tensor}")


def assert_not_ref_type(x: Any, arg_name: str) -> None:
    """Refuses a tensor that is a reference, with TypeError."""
    if x.dtype._is_ref_dtype:
        raise TypeError(f"Argument {arg_name} cannot be reference type. Found: {x.dtype}")


def is_ref(x: Any) -> bool:
    """Whether `x` is a variable, or a module that stands for one."""
    return isinstance(x, tf.Variable) or (isinstance(x, tf.Module) and hasattr(x, "dtype") and hasattr(x, "shape"))


def convert_nonref_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Any:
    """A variable as it is, anything else but None as a tensor.

    Raises:
        TypeError: A variable has another dtype than the one asked for.
    """
    if value is None:
        return None
    if not is_ref(value):
        return tf.convert_to_tensor(value, dtype=dtype, preferred_dtype=dtype_hint, name=name)
    if dtype is not None and base_dtype(dtype) != base_dtype(value.dtype):
        raise TypeError(
            f"Mutable type must be of dtype \"{dtype_name(dtype)}\" but is \"{dtype_name(value.dtype)}\"."
        )
    return value


def base_dtype(dtype: Any) -> Any:
    """A dtype that is no reference."""
    return tf.as_dtype(dtype).base_dtype


def dtype_name(dtype: Any) -> str:
    """The name of a dtype."""
    return str(tf.as_dtype(dtype).name)


def use_operator_or_provided_hint_unless_contradicting(
    operator: Any, hint_attr_name: str, provided_hint_value: bool | None, message: str
) -> bool | None:
    """What is known of an operator, or else what is given.

    Raises:
        ValueError: They contradict each other; the text is `message`.
    """
    known = getattr(operator, hint_attr_name)
    if None not in (known, provided_hint_value) and bool(known) != bool(provided_hint_value):
        raise ValueError(message)
    return provided_hint_value if known is None else known


class _Register:
    """A decorator of a function that does something to operators of certain classes.

    Raises:
        TypeError: What is decorated is no function.
        ValueError: There is a function for these very classes.
    """

    operation = ""

    def __init__(self, *classes: type) -> None:
        self._classes = classes

    def __call__(self, function: Callable) -> Callable:
        """Registers the function."""
        if not callable(function):
            raise TypeError(f"must be callable, received: {function}")
        names = ", ".join(kind.__name__ for kind in self._classes)
        if algebra.registered(self.operation, *self._classes) is not None:
            raise ValueError(f"{self.operation}({names}) has already been registered.")
        return algebra.register(self.operation, *self._classes)(function)


class RegisterAdjoint(_Register):
    """Registers what makes adjoints."""

    operation = "adjoint"


class RegisterCholesky(_Register):
    """Registers what makes Cholesky factors."""

    operation = "cholesky"


class RegisterInverse(_Register):
    """Registers what makes inverses."""

    operation = "inverse"


class RegisterMatmul(_Register):
    """Registers what makes products."""

    operation = "matmul"


class RegisterSolve(_Register):
    """Registers what makes solutions."""

    operation = "solve"

"""What follows for a product of operators from what is known of its factors."""
from __future__ import annotations

from typing import Any


def non_singular(a: Any, b: Any) -> bool | None:
    """Whether the product of two square operators is invertible: if both are; None if that is not known."""
    if a.is_non_singular is False or b.is_non_singular is False:
        return False
    return True if a.is_non_singular and b.is_non_singular else None


def commuting_self_adjoint(a: Any, b: Any) -> bool | None:
    """Whether the product of two operators that commute is self-adjoint; None if that is not known."""
    if a.is_self_adjoint is None or b.is_self_adjoint is None:
        return None
    if a.is_self_adjoint and b.is_self_adjoint:
        return True
    return False if a.is_self_adjoint or b.is_self_adjoint else None


def commuting_positive_definite(a: Any, b: Any) -> bool | None:
    """Whether the product of two operators that commute is positive definite; None if that is not known."""
    both = a.is_positive_definite and a.is_self_adjoint and b.is_positive_definite and b.is_self_adjoint
    return True if both else None


def square(a: Any, b: Any) -> bool | None:
    """Whether the product of two operators is square; None if that is not known."""
    if a.is_square and b.is_square:
        return True
    if a.is_square is False and b.is_square is False:
        # The inner sizes agree, so that the outer ones decide.
        rows, columns = a.range_dimension.value, b.domain_dimension.value
        return rows == columns if None not in (rows, columns) else None
    return None if a.is_square is None or b.is_square is None else False


_WORDS = {
    "is_square": "square", "is_non_singular": "non-singular", "is_self_adjoint": "self-adjoint",
    "is_positive_definite": "positive-definite",
}


def agreed(operator: Any, of: str, **given: bool | None) -> dict[str, bool | None]:
    """The hints for the adjoint or the inverse (`of`) of an operator: those given, or what is known of the operator.

    Raises:
      ValueError: a given hint contradicts what is known.
    """
    result = {}
    for hint, value in given.items():
        known = getattr(operator, hint)
        if value is not None and known is not None and bool(value) != bool(known):
            what = _WORDS[hint]
            raise ValueError(f"An operator is {what} if and only if its {of} is {what}.")
        result[hint] = known if value is None else value
    return result


def checked_operators(operators: Any, expected: str = "a non-empty list of operators") -> list[Any]:
    """The operators that another is made of.

    Raises:
      ValueError: there are none.
      TypeError: their dtypes differ, or they are no list.
    """
    result = list(operators)
    if not result:
        raise ValueError(f"Expected {expected}. Found: {operators}")
    dtype = result[0].dtype
    if any(operator.dtype != dtype for operator in result):
        listed = ", ".join(f"{operator.name}: {operator.dtype.name}" for operator in result)
        raise TypeError(f"Expected all operators to have the same dtype. Found {listed}")
    return result


def all_known(operators: list[Any], hint: str, given: bool | None) -> bool | None:
    """A hint that holds if it holds for all operators.

    Raises:
      ValueError: it holds for all operators, and `given` is False.
    """
    if all(getattr(operator, hint) for operator in operators):
        if given is False:
            raise ValueError(f"{hint} holds for each of the operators, and so for what is made of them.")
        return True
    return given


def parents(operators: list[Any]) -> list[Any]:
    """The graph parents of all operators."""
    return [parent for operator in operators for parent in operator.graph_parents]

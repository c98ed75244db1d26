"""`linear_operator_addition`: sums of linear operators, as operators of the most special class that holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ossia as tf

_l = tf.linalg
_CLASSES = (
    _l.LinearOperatorIdentity, _l.LinearOperatorScaledIdentity, _l.LinearOperatorDiag, _l.LinearOperatorLowerTriangular,
    _l.LinearOperatorFullMatrix,
)
_NEEDS_NO_MATRIX = _CLASSES[:3]


class _Hints:
    """What is said of a sum."""

    def __init__(
        self, is_non_singular: bool | None = None, is_positive_definite: bool | None = None,
        is_self_adjoint: bool | None = None,
    ) -> None:
        self.is_non_singular = is_non_singular
        self.is_positive_definite = is_positive_definite
        self.is_self_adjoint = is_self_adjoint


class _Adder:
    """Adds two operators of some classes.

    Args:
        count: How many of the classes, from the most special one on, it can add.
        make: The sum of two operators, from them and the keyword arguments of the constructor.
    """

    def __init__(self, count: int, make: Callable[..., Any]) -> None:
        self._classes, self._make = _CLASSES[:count], make

    @property
    def name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def can_add(self, op1: Any, op2: Any) -> bool:
        """Whether it can add the two.

        Raises:
            TypeError: One is of a class that nothing adds.
        """
        for operator in (op1, op2):
            if not isinstance(operator, _CLASSES):
                raise TypeError(f"Operator type unknown: {operator}")
        return isinstance(op1, self._classes) and isinstance(op2, self._classes)

    def add(self, op1: Any, op2: Any, operator_name: str | None, hints: _Hints | None = None) -> Any:
        """The sum, for which `hints` count more than what the operators say of themselves."""
        given = hints or _Hints()
        adjoint, positive, regular = given.is_self_adjoint, given.is_positive_definite, given.is_non_singular
        if adjoint is None:
            adjoint = op1.is_self_adjoint and op2.is_self_adjoint
        if positive is None:
            positive = op1.is_positive_definite and op2.is_positive_definite
        if regular is None and positive:
            regular = True
        with tf.name_scope(self.name.lstrip("_")):
            return self._make(
                op1, op2, is_non_singular=regular, is_self_adjoint=adjoint, is_positive_definite=positive,
                name=f"Add/{op1.name}__{op2.name}/" if operator_name is None else operator_name,
            )


class _AddAndReturnScaledIdentity(_Adder):
    def __init__(self) -> None:
        super().__init__(2, lambda op1, op2, **options: _l.LinearOperatorScaledIdentity(
            num_rows=op1.range_dimension_tensor(), multiplier=_multiplier(op1) + _multiplier(op2), **options
        ))


class _AddAndReturnDiag(_Adder):
    def __init__(self) -> None:
        super().__init__(3, lambda op1, op2, **options: _l.LinearOperatorDiag(
            diag=op1.diag_part() + op2.diag_part(), **options
        ))


class _AddAndReturnTriL(_Adder):
    def __init__(self) -> None:
        super().__init__(4, lambda op1, op2, **options: _l.LinearOperatorLowerTriangular(
            tril=_dense_sum(op1, op2), **options
        ))


class _AddAndReturnMatrix(_Adder):
    def __init__(self) -> None:
        super().__init__(5, lambda op1, op2, **options: _l.LinearOperatorFullMatrix(
            matrix=_dense_sum(op1, op2), **options
        ))


def _multiplier(operator: Any) -> Any:
    if isinstance(operator, _l.LinearOperatorScaledIdentity):
        return operator.multiplier
    return tf.ones(operator.batch_shape_tensor(), operator.dtype)


def _dense_sum(op1: Any, op2: Any) -> Any:
    if isinstance(op1, _NEEDS_NO_MATRIX):
        return op1.add_to_tensor(op2.to_dense())
    return op2.add_to_tensor(op1.to_dense())


_DEFAULT_ADDITION_TIERS: list[list[_Adder]] = [
    [_AddAndReturnScaledIdentity()], [_AddAndReturnDiag()], [_AddAndReturnTriL()], [_AddAndReturnMatrix()]
]


def add_operators(
    operators: Iterable[Any], operator_name: str | None = None,
    addition_tiers: Sequence[Iterable[_Adder]] | None = None, name: str | None = None,
) -> list[Any]:
    """As few operators as can be whose sum is that of `operators`, added tier by tier.

    Args:
        operators: LinearOperators of one dtype, whose shapes fit each other.
        operator_name: The name of the sums; by default one made of those of what is added.
        addition_tiers: Lists of what adds two operators, the cheapest first.
        name: The scope of the ops.

    Raises:
        TypeError: `operators` are no iterable of operators.
        ValueError: There are none, or their dimensions differ.
    """
    tiers = _DEFAULT_ADDITION_TIERS if addition_tiers is None else addition_tiers
    tf.debugging.assert_proper_iterable(operators)
    rest = list(operators)[::-1]
    if not rest:
        raise ValueError(f"Argument 'operators' must contain at least one operator.  Found: {rest}")
    if not all(isinstance(operator, _l.LinearOperator) for operator in rest):
        raise TypeError(f"Argument 'operators' must contain only LinearOperator instances.  Found: {rest}")
    _check_dimensions(rest)
    with tf.name_scope(name or "add_operators"):
        for tier in tiers:
            todo, rest = rest, []
            while todo:
                operator = todo.pop()
                other, adder = _match(operator, todo, list(tier))
                if adder is None:
                    rest.append(operator)
                else:
                    todo.append(adder.add(operator, other, operator_name))
    return rest


def _match(operator: Any, others: list[Any], tier: Iterable[_Adder]) -> tuple[Any, _Adder | None]:
    """What can be added to an operator, taken out of `others`, and what adds it."""
    for i, other in enumerate(others):
        for adder in tier:
            if adder.can_add(operator, other):
                return others.pop(i), adder
    return None, None


def _check_dimensions(operators: list[Any]) -> None:
    for what in ("domain", "range"):
        sizes = [(each.name, getattr(each, f"{what}_dimension").value) for each in operators]
        if len({size for _, size in sizes if size is not None}) > 1:
            raise ValueError(f"Operators must have the same {what} dimension. Found: {sizes}")
    shape = operators[0].batch_shape
    for each in operators[1:]:
        shape = tf.broadcast_static_shape(shape, each.batch_shape)

"""Functions over the values of ragged tensors."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import control_dependencies
from ossia_core.plugins.api_table import public
from ossia_ragged.rows import is_ragged, same_row_splits_dtypes, tensor_or_ragged


@public("ragged.map_flat_values", "compat.v2.ragged.map_flat_values")
def map_flat_values(op: Any, *args: Any, **kwargs: Any) -> Any:
    """`op` of the innermost values of ragged tensors, all of the same rows.

    Args:
      op: a function.
      *args: its arguments; those that are ragged tensors are given as their innermost values.
      **kwargs: the same.

    Returns:
      A RaggedTensor of what the function returns; its result itself, if no argument is ragged.
    """
    ragged: list[Any] = []

    def flat(part: Any) -> Any:
        if isinstance(part, (list, tuple)):
            return [flat(one) for one in part]
        if is_ragged(part):
            part = tensor_or_ragged(part)
            ragged.append(part)
            return part.flat_values
        return part

    values, named = [flat(part) for part in args], {key: flat(part) for key, part in kwargs.items()}
    if not ragged:
        return op(*args, **kwargs)
    same_row_splits_dtypes(*ragged)
    with control_dependencies(identical_rows(ragged)):
        result = op(*values, **named)
    return ragged[0].with_flat_values(result)


def identical_rows(ragged: list) -> list:
    """Assertions that ragged tensors have the same row splits.

    Raises:
      ValueError: they differ in their ragged ranks.
    """
    checks = []
    first = ragged[0].nested_row_splits
    for part in ragged[1:]:
        if len(part.nested_row_splits) != len(first):
            raise ValueError("Inputs must have identical ragged splits")
        for mine, theirs in zip(first, part.nested_row_splits, strict=True):
            checks.append(builder("debugging.assert_equal")(
                mine, theirs, message="Inputs must have identical ragged splits"))
    return checks

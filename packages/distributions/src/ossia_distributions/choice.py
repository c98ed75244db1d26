"""One vector of two, by a condition that may not be known before a run."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_ops.array.concat import concat
from ossia_ops.array.part import slice_
from ossia_ops.array.selection import where, where_v2
from ossia_ops.array.shape import shape


def pick_vector(
    cond: Any, true_vector: Any, false_vector: Any, name: str = "pick_vector", as_given: bool = False
) -> Any:
    """`true_vector` if `cond` holds, else `false_vector`, which may be of another length.

    Where the condition is known, the vector is returned as a tensor, or `as_given`.

    Raises:
      TypeError: the condition is no bool, or the vectors differ in dtype.
    """
    with name_scope(name, values=[cond, true_vector, false_vector]):
        cond = convert_to_tensor(cond, name="cond")
        known = constant(cond)
        if known is not None and as_given:
            return true_vector if known else false_vector
        true_vector = convert_to_tensor(true_vector, name="true_vector")
        if known is not None:
            return true_vector if known else convert_to_tensor(false_vector, name="false_vector")
        false_vector = convert_to_tensor(false_vector, name="false_vector")
        if true_vector.dtype != false_vector.dtype:
            raise TypeError(
                f"false_vector.dtype {false_vector.dtype} does not match true_vector.dtype {true_vector.dtype}"
            )
        length = shape(true_vector)[0]
        return slice_(concat([true_vector, false_vector], 0), [where_v2(cond, 0, length)], [where(cond, length, -1)])

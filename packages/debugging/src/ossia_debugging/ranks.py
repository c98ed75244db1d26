"""Assertions on the rank of a tensor."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_core.primitives.source import no_op
from ossia_debugging.kinds import assert_type
from ossia_ops.array.shape import rank as rank_of
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.control.assertion import Assert
from ossia_ops.math.comparison import equal, greater_equal
from ossia_ops.math.logical import logical_or


def _check(
    x: Tensor,
    ranks: list[Tensor],
    holds: Callable[[int, list[int]], bool],
    condition_of: Callable[[Tensor, list[Tensor]], Tensor],
    data: Any,
    summarize: int | None,
    wanted: str,
    message: str,
) -> Any:
    """Checks the rank now if it is known, and else when the graph runs.

    Raises:
        ValueError: The rank is known and wrong, or one of `ranks` is no scalar.
    """
    for rank in ranks:
        assert_type(rank, dtypes.int32)
    known = [get_static_value(rank) for rank in ranks]
    for value in known:
        if value is not None and value.ndim != 0:
            raise ValueError("Rank must be a scalar.")
    if all(value is not None for value in known) and x.shape.ndims is not None:
        numbers = [int(value) for value in known]
        if not holds(x.shape.ndims, numbers):
            shown = numbers[0] if len(numbers) == 1 else tuple(numbers)
            raise ValueError(
                f"{message}.  Tensor {x.name} must have rank {wanted}{shown}.  "
                f"Received rank {x.shape.ndims}, shape {x.shape}"
            )
        return no_op(name="static_checks_determined_all_ok")
    condition = condition_of(rank_of(x), ranks)
    for rank, value in zip(ranks, known, strict=True):
        if value is None:
            check = assert_rank(rank, 0, data=["Rank must be a scalar. Received rank: ", rank])
            condition = with_dependencies([check], condition)
    return Assert(condition, data, summarize)


@public("assert_rank", "debugging.assert_rank")
def assert_rank(
    x: Any,
    rank: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Checks that a tensor has a certain rank.

    Args:
        x: A tensor.
        rank: An integer or int32 scalar tensor.
        data: What the error shows; by default the two ranks and the shape.
        summarize: How many elements of each tensor it shows.
        message: What the error begins with.
        name: Name of the scope, `assert_rank` by default.

    Returns:
        An operation that raises InvalidArgumentError where the rank is another.

    Raises:
        ValueError: The rank is known now, and another.
        TypeError: `rank` is no int32.
    """
    with name_scope(name, "assert_rank", (x, *(data or ()))):
        x, rank = convert_to_tensor(x, name="x"), convert_to_tensor(rank, name="rank")
        message = message or ""
        if data is None:
            data = [message, f"Tensor {x.name} must have rank", rank, "Received shape: ", shape_of(x)]
        return _check(
            x,
            [rank],
            lambda found, wanted: found == wanted[0],
            lambda found, wanted: equal(found, wanted[0]),
            data,
            summarize,
            "",
            message,
        )


@public("assert_rank_at_least", "debugging.assert_rank_at_least")
def assert_rank_at_least(
    x: Any,
    rank: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Checks that a tensor has a certain rank or a higher one.

    Args, result and errors: as for `assert_rank`.
    """
    with name_scope(name, "assert_rank_at_least", (x, *(data or ()))):
        x, rank = convert_to_tensor(x, name="x"), convert_to_tensor(rank, name="rank")
        message = message or ""
        if data is None:
            data = [message, f"Tensor {x.name} must have rank at least", rank, "Received shape: ", shape_of(x)]
        return _check(
            x,
            [rank],
            lambda found, wanted: found >= wanted[0],
            lambda found, wanted: greater_equal(found, wanted[0]),
            data,
            summarize,
            "at least ",
            message,
        )


@public("assert_rank_in", "debugging.assert_rank_in")
def assert_rank_in(
    x: Any,
    ranks: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Checks that the rank of a tensor is one of several.

    Args:
        x: A tensor.
        ranks: Integers or int32 scalar tensors.

    The rest, result and errors: as for `assert_rank`.
    """
    with name_scope(name, "assert_rank_in", (x, *ranks, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        ranks = [convert_to_tensor(rank, name="rank") for rank in ranks]
        message = message or ""
        if data is None:
            data = [message, f"Tensor {x.name} must have rank in", *ranks, "Received shape: ", shape_of(x)]

        def one_of(found: Tensor, wanted: list[Tensor]) -> Tensor:
            return functools.reduce(logical_or, [equal(rank, found) for rank in wanted])

        return _check(x, ranks, lambda found, wanted: found in wanted, one_of, data, summarize, "in ", message)


@public("compat.v2.assert_rank", "compat.v2.debugging.assert_rank")
def assert_rank_v2(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Any:
    """`tf.debugging.assert_rank` without `data` and `summarize`."""
    return assert_rank(x, rank, message=message, name=name)


@public("compat.v2.debugging.assert_rank_at_least")
def assert_rank_at_least_v2(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Any:
    """`tf.debugging.assert_rank_at_least` without `data` and `summarize`."""
    return assert_rank_at_least(x, rank, message=message, name=name)


@public("compat.v2.debugging.assert_rank_in")
def assert_rank_in_v2(x: Any, ranks: Any, message: str | None = None, name: str | None = None) -> Any:
    """`tf.debugging.assert_rank_in` without `data` and `summarize`."""
    return assert_rank_in(x, ranks, message=message, name=name)


@public("assert_scalar", "debugging.assert_scalar")
def assert_scalar(tensor: Any, name: str | None = None, message: str | None = None) -> Tensor:
    """The tensor, which must be known to be a scalar.

    Args:
        tensor: A tensor.
        name: Name of the tensor if it is made from a value.
        message: What the error begins with.

    Raises:
        ValueError: The static shape is unknown or has another rank.
    """
    with name_scope(name, "assert_scalar", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name=scope)
        if tensor.shape.ndims != 0:
            begin = f"{message}.  " if message else ""
            raise ValueError(f"{begin}Expected scalar shape for {tensor.name}, saw shape: {tensor.shape}.")
        return tensor


@public("compat.v2.debugging.assert_scalar")
def assert_scalar_v2(tensor: Any, message: str | None = None, name: str | None = None) -> None:
    """`tf.debugging.assert_scalar` with `message` before `name`, and without a result."""
    assert_scalar(tensor, name=name, message=message)

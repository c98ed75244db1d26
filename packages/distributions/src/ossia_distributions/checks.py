"""Checks of parameters and values that distributions make where `validate_args` asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.identity import with_dependencies
from ossia_ops.array.fill import fill
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast
from ossia_ops.math.exponential import log, log1p, sigmoid
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.nn.softmax import softmax

_WHOLE = {dtypes.float16: dtypes.int16, dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64}


def checked(kind: str, *args: Any, **kwargs: Any) -> Any:
    """What `tf.<kind>` builds, e.g. `assert_positive`."""
    return builder(kind)(*args, **kwargs)


def assert_integer_form(x: Any, message: str | None = None, name: str = "assert_integer_form") -> Any:
    """An op that fails where an element of floats has a fraction."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_integer:
            return builder("no_op")()
        whole = cast(x, _WHOLE[x.dtype.base_dtype])
        return checked(
            "assert_equal", x, cast(whole, x.dtype), message=message or f"{x} has non-integer components", name=name
        )


def counts(x: Tensor, name: str = "embed_check_nonnegative_integer_form") -> Tensor:
    """`x`, which must hold numbers of things: no negative ones, no fractions."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        asserted = [checked("assert_non_negative", x, message=f"'{x}' must be non-negative.")]
        if not x.dtype.is_integer:
            asserted.append(assert_integer_form(x, message=f"'{x}' cannot contain fractional components."))
        return with_dependencies(asserted, x)


def at_least_two_events(x: Tensor, name: str = "embed_check_categorical_event_shape") -> Tensor:
    """`x`, whose last axis must count two categories or more, and no more than its dtype can number.

    Raises:
      ValueError: that it does not is known without a run.
      TypeError: its dtype is none of those that hold probabilities or counts.
    """
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        dtype = x.dtype.base_dtype
        if not dtype.is_floating and not dtype.is_integer:
            raise TypeError(f"Unable to validate size of unrecognized dtype ({dtype}).")
        digits = np.finfo(dtype.as_numpy_dtype).nmant + 1 if dtype.is_floating else dtype.size * 8 - 1
        most = min(2**digits, 2**31 - 1)
        sizes = x.get_shape()
        if sizes.ndims == 0:
            raise ValueError("A categorical-distribution parameter must have at least 1 dimension.")
        known = None if sizes.dims is None else sizes.dims[-1].value
        if known is not None:
            if known < 2:
                raise ValueError("A categorical-distribution parameter must have at least 2 events.")
            if known > most:
                limit = f"i.e., {dtype.name} implies shape ({known}) cannot exceed {most}."
                raise ValueError(f"Number of classes exceeds `dtype` precision, {limit}")
            return x
        events = shape(x, name="x_shape")[-1]
        return with_dependencies(
            [
                checked(
                    "assert_rank_at_least",
                    x,
                    1,
                    message="A categorical-distribution parameter must have at least 1 dimension.",
                ),
                checked(
                    "assert_greater_equal",
                    shape(x)[-1],
                    2,
                    message="A categorical-distribution parameter must have at least 2 events.",
                ),
                checked(
                    "assert_less_equal",
                    events,
                    most,
                    message="Number of classes exceeds `dtype` precision, "
                    f"i.e., {dtype.name} dtype cannot exceed {most} shape.",
                ),
            ],
            x,
        )


def category_numbers(x: Tensor, largest: Any, dtype: Any, name: str = "embed_check_casting_closed") -> Tensor:
    """`x`, which must hold whole numbers from 0 to `largest`, all of which `dtype` holds too."""
    with name_scope(name, values=[x]):
        asserted = [checked("assert_non_negative", x, message="Elements must be non-negative.")]
        if x.dtype.is_floating and not dtypes.as_dtype(dtype).is_floating:
            asserted.append(
                assert_integer_form(x, message=f"Elements must be {dtypes.as_dtype(dtype).name}-equivalent.")
            )
        if largest is not None:
            asserted.append(checked("assert_less_equal", x, largest, message=f"Elements cannot exceed {largest}."))
        return with_dependencies(asserted, x)


def logits_and_probs(
    logits: Any = None,
    probs: Any = None,
    multidimensional: bool = False,
    validate_args: bool = False,
    name: str = "get_logits_and_probs",
) -> tuple[Tensor, Tensor]:
    """Both of two ways to give probabilities: their logarithms or log odds, and themselves.

    Args:
      logits: log odds, or unnormalized logarithms of the probabilities of categories.
      probs: probabilities.
      multidimensional: whether the last axis counts categories.
      validate_args: whether `probs` are checked.
      name: scope of the results.

    Raises:
      ValueError: both are given, or neither.
      TypeError: they are no floats.
    """
    with name_scope(name, values=[probs, logits]):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        if probs is None:
            logits = convert_to_tensor(logits, name="logits")
            if not logits.dtype.is_floating:
                raise TypeError("logits must having floating type.")
            if validate_args and multidimensional:
                logits = at_least_two_events(logits)
            return logits, (softmax(logits, name="probs") if multidimensional else sigmoid(logits, name="probs"))
        probs = convert_to_tensor(probs, name="probs")
        if not probs.dtype.is_floating:
            raise TypeError("probs must having floating type.")
        if validate_args:
            probs = _probabilities(probs, multidimensional)
        with name_scope("logits"):
            return (log(probs), probs) if multidimensional else (log(probs) - log1p(-1.0 * probs), probs)


def _probabilities(probs: Tensor, multidimensional: bool) -> Tensor:
    with name_scope("validate_probs"):
        one = convert_to_tensor(1.0, probs.dtype)
        asserted = [checked("assert_non_negative", probs)]
        if multidimensional:
            probs = at_least_two_events(probs)
            asserted.append(checked("assert_near", reduce_sum(probs, -1), one, message="probs does not sum to 1."))
        else:
            asserted.append(checked("assert_less_equal", probs, one, message="probs has components greater than 1."))
        return with_dependencies(asserted, probs)


def or_nan(statistic: Tensor, defined: Callable[[], Tensor], sizes: Tensor, dtype: Any) -> Tensor:
    """A statistic of shape `sizes`, or NaN where `defined` is false."""
    nan = fill(sizes, np.array(np.nan, dtypes.as_dtype(dtype).as_numpy_dtype), name="nan")
    return where_v2(defined(), statistic, nan)

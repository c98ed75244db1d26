"""Which functions of tensors do what with ragged ones."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_ragged import (
    dynamic_partition,
    elementwise,
    gathering,
    joining,
    reduction,
    segments,
    selection,
    shapes,
    tiling,
)
from ossia_ragged.rows import is_ragged

_UNARY = (
    "abs acos acosh angle as_string asin asinh atan atanh bitwise.invert cast ceil debugging.check_numerics "
    "clip_by_value conj cos cosh digamma dtypes.saturate_cast erf erfc exp expm1 floor identity imag "
    "io.decode_base64 io.decode_compressed io.encode_base64 is_finite is_inf is_nan lgamma log log1p "
    "log_sigmoid logical_not negative ones_like real reciprocal rint round rsqrt sign sin sinh sqrt square "
    "strings.length strings.regex_full_match strings.regex_replace strings.strip strings.substr "
    "strings.to_hash_bucket_fast strings.to_hash_bucket_strong strings.unicode_script tan zeros_like "
    "compat.v2.strings.length compat.v2.strings.substr compat.v2.strings.to_hash_bucket "
    "compat.v2.strings.to_number"
).split()
_BINARY = (
    "add atan2 bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor bitwise.left_shift "
    "bitwise.right_shift complex div_no_nan divide equal floordiv floormod greater greater_equal less "
    "less_equal logical_and logical_or logical_xor maximum minimum multiply not_equal pow realdiv "
    "squared_difference subtract truediv truncatediv truncatemod"
).split()
_VARIADIC = ("add_n", "strings.join")


def _reduction(reduce: Callable) -> Callable:
    def reduced(
        input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
        reduction_indices: Any = None, keep_dims: Any = None,
    ) -> Any:
        axis = reduction_indices if axis is None else axis
        return reduce(input_tensor, axis, keep_dims if keepdims is None else keepdims, name)
    return reduced


def _reduce_join(
    inputs: Any = None, axis: Any = None, keep_dims: Any = None, separator: str = "", name: str | None = None,
    reduction_indices: Any = None, keepdims: Any = None,
) -> Any:
    axis = reduction_indices if axis is None else axis
    return reduction.reduce_join(inputs, axis, keep_dims if keepdims is None else keepdims, separator, name)


# Function: what handles it, and which of its arguments may be ragged (lists of them in brackets).
_OTHERS: dict[str, tuple[Callable, str]] = {
    "batch_gather": (gathering.batch_gather, "params indices"),
    "concat": (joining.concat, "[values]"),
    "dynamic_partition": (dynamic_partition.dynamic_partition, "data partitions"),
    "expand_dims": (shapes.expand_dims, "input"),
    "gather": (gathering.gather, "params indices"),
    "gather_nd": (lambda params, indices, name=None, batch_dims=0: gathering.gather_nd(
        params, indices, batch_dims, name), "params indices"),
    "one_hot": (shapes.one_hot, "indices"),
    "rank": (shapes.rank, "input"),
    "size": (shapes.size, "input"),
    "squeeze": (shapes.squeeze, "input"),
    "stack": (joining.stack, "[values]"),
    "tile": (tiling.tile, "input"),
    "where": (selection.where, "condition x y"),
    "strings.reduce_join": (_reduce_join, "inputs"),
    "compat.v2.strings.reduce_join": (
        lambda inputs, axis=None, keepdims=False, separator="", name=None: reduction.reduce_join(
            inputs, axis, keepdims, separator, name), "inputs"),
    **{f"math.unsorted_segment_{kind}": (getattr(segments, f"unsorted_segment_{kind}"), "data segment_ids")
       for kind in ("max", "mean", "min", "prod", "sqrt_n", "sum")},
    **{f"reduce_{kind}": (_reduction(getattr(reduction, f"reduce_{kind}")), "input_tensor")
       for kind in ("all", "any", "max", "mean", "min", "prod", "sum")},
}


def dispatched(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """What a public function gives for arguments some of which are ragged.

    Returns:
      Its result; NotImplemented if the function does not take ragged tensors, or not there.
    """
    handler = _handlers().get(function)
    return NotImplemented if handler is None else handler(function, args, kwargs)


@functools.cache
def _handlers() -> dict[Callable, Callable]:
    found: dict[Callable, Callable] = {}
    for name in (*_UNARY, *_BINARY, *_VARIADIC, *_OTHERS):
        function = _function(name)
        if function is None:
            continue
        parameters = list(inspect.signature(function).parameters)
        if name in _OTHERS:
            found[function] = functools.partial(_other, *_OTHERS[name])
        elif name in _BINARY:
            found[function] = functools.partial(elementwise.binary, parameters=(parameters[0], parameters[1]))
        else:
            apply = elementwise.variadic if name in _VARIADIC else elementwise.unary
            found[function] = functools.partial(apply, parameter=parameters[0])
    return found


def _function(name: str) -> Callable | None:
    """The public function, unless the package that provides it is not installed."""
    try:
        function: Callable = builder(name)
    except NotImplementedError:
        return None
    return function


def _other(handler: Callable, names: str, function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The result of a handler with a signature of its own, if one of the arguments named is ragged."""
    parameters = list(inspect.signature(handler).parameters)
    given = {**dict(zip(parameters, args, strict=False)), **kwargs}
    found = False
    for name in names.split():
        value = given.get(name.strip("[]"))
        values = value if name[0] == "[" and isinstance(value, (list, tuple)) else [value]
        for part in values:
            # The original makes a constant of what is a list, to look at it.
            found |= is_ragged(convert_to_tensor(part) if isinstance(part, (list, tuple)) else part)
    return handler(*args, **kwargs) if found else NotImplemented

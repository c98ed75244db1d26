"""Reductions: sums, means, products, extremes and truth values along axes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, lookup, op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import reduction as reduction_rule
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import colocate_with
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import one_of, rank, reshape, shape, size
from ossia_ops.element_types import INDEX_32, NUMBERS
from ossia_ops.math.cast import cast

_FOLDED = 1 << 15  # elements that are multiplied half by half at a time
_HALVED = 32  # columns from which that pays

# -- what all reductions share --------------------------------------------------------------------------


def reduction_shape(input, reduction_indices, *, keep_dims):
    """The shape rule of reductions."""
    return reduction_rule(input, reduction_indices, keep_dims=keep_dims)


def axes_of(x: Any, axes: Any) -> tuple[int, ...]:
    """The distinct axes that a reduction's second input names, counted from the front.

    Raises:
      InvalidArgumentError: an axis is out of range.
    """
    ndim, found = np.ndim(x), set()
    for axis in np.ravel(axes).tolist():
        if not -ndim <= axis < ndim:
            raise InvalidArgumentError(
                None, None, f"Invalid reduction dimension ({axis} for input with {ndim} dimension(s)"
            )
        found.add(axis % ndim)
    return tuple(sorted(found))


def reduction_axes(x: Any, axis: Any) -> Any:
    """`axis`, or all axes of `x` if it is None: a constant where the rank is known."""
    if axis is not None:
        return axis
    static = x.shape if isinstance(x, (Tensor, SparseTensor)) else None
    if static is not None and static.ndims is not None:
        return constant(np.arange(static.ndims), dtypes.int32)
    return lookup("Range")(0, rank(x), 1, name="range")


def reduced(
    definition: OpDef,
    x: Any,
    axis: Any,
    keepdims: Any,
    name: str | None,
    reduction_indices: Any = None,
    keep_dims: Any = None,
) -> Tensor:
    """What a public reduction gives, whose arguments have two names."""
    axis = one_of("axis", axis, "reduction_indices", reduction_indices)
    keepdims = bool(one_of("keepdims", keepdims, "keep_dims", keep_dims))
    result = definition(x, reduction_axes(x, axis), keep_dims=keepdims, name=name)
    return to_scalar(result, keepdims, axis)


def to_scalar(result: Tensor, keepdims: bool, axis: Any) -> Tensor:
    """`result` itself, known to be a scalar if everything was reduced."""
    if not keepdims and axis is None and not result.shape.is_fully_defined():
        result.set_shape(())
    return result


def reduced_shape(input_shape: Any, axes: Any) -> Tensor:
    """`input_shape` with 1 at the reduced axes, all as tensors."""
    input_shape = cast(input_shape, dtypes.int32)
    axes = cast(axes, dtypes.int32)
    input_rank = size(input_shape)
    axes = (axes + input_rank) % input_rank
    axes_shape = shape(axes)
    return lookup("DynamicStitch")(
        [lookup("Range")(0, input_rank, 1, name="range"), axes], [input_shape, lookup("Fill")(axes_shape, 1)]
    )


def safe_shape_div(x: Any, y: Any) -> Tensor:
    """`x // y`, where no `y` counts as less than 1."""
    return x // lookup("Maximum")(y, 1)


_DOCUMENTATION = """{what} along `axis`, or of all elements if it is None.

    Args:
      input_tensor: a tensor.
      axis: an axis or a list of axes, negative ones counted from the back.
      keepdims: keep the reduced dimensions, with size 1.
      name: name of the result.
      reduction_indices: the old name of `axis`.
      keep_dims: the old name of `keepdims`.

    Raises:
      ValueError: an axis out of range, or both names of an argument.
    """


def documented(what: str) -> Callable:
    """A decorator that writes the documentation that all reductions share."""
    def decorate(fn: Callable) -> Callable:
        fn.__doc__ = _DOCUMENTATION.format(what=what)
        return fn
    return decorate


# -- Sum ------------------------------------------------------------------------------------------------

def _along_nothing(axes: Any) -> bool:
    """Whether a reduction gives its input as it is."""
    return axes is not None and not axes.size


sum_op = op("Sum(input: T, reduction_indices: Tidx) -> output: T", keep_dims="bool = false", T=NUMBERS, Tidx=INDEX_32)


sum_op.forwards(when=_along_nothing)
sum_op.shape(reduction_shape)


@sum_op.kernel(alias=True)
def _(input, reduction_indices, *, keep_dims):
    x = np.asarray(input)
    axes = axes_of(x, reduction_indices)
    return np.add.reduce(x, axes, x.dtype, keepdims=keep_dims) if axes else input


@sum_op.gradient
def sum_gradient(node: Any, grad: Any) -> list:
    """The gradient repeated along the reduced axes."""
    dims = node.inputs[0].shape.as_tuple()
    tile = lookup("Tile")
    if dims is not None:
        axes = get_static_value(node.inputs[1])
        if axes is not None:
            if np.array_equal(axes, np.arange(len(dims))):
                grad = reshape(grad, [1] * len(dims))
                return [tile(grad, shape(node.inputs[0]) if None in dims else constant(list(dims), dtypes.int32)), None]
            if None not in dims:
                kept, repeats = _static_repeats(dims, tuple(np.ravel(axes).tolist()))
                return [tile(reshape(grad, kept), repeats), None]
    input_shape = shape(node.inputs[0])
    with colocate_with(input_shape.op):
        kept_shape = reduced_shape(input_shape, node.inputs[1])
        times = safe_shape_div(input_shape, kept_shape)
    return [tile(reshape(grad, kept_shape), times), None]


def _static_repeats(dims: tuple[int, ...], axes: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """The shape with 1 at the axes, and the repeats that restore `dims`; the nodes that compute them are made once per
    graph."""
    known = get_default_graph().__dict__.setdefault("_repeats_of_reductions", {})
    found = known.get((dims, axes))
    if found is None:
        kept = constant_value(reduced_shape(list(dims), list(axes))).tolist()
        found = known[dims, axes] = kept, constant_value(safe_shape_div(list(dims), kept)).tolist()
    return found


sum_op.samples(
    rows=([[1.0, 2.0], [3.0, 4.0]], 0),
    all=([[1, 2], [3, 4]], [0, 1]),
    kept=sample([[1.0, 2.0]], -1, keep_dims=True),
    empty=(np.zeros((0, 2), "f4"), 0),
    overflow=(np.array([100, 100], np.int8), 0),
    none=([1.0, 2.0], np.zeros(0, np.int32)),
)


@public("reduce_sum", "math.reduce_sum")
@documented("The sum")
@dispatches
def reduce_sum(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    return reduced(sum_op, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


# -- Mean -----------------------------------------------------------------------------------------------

mean_op = op("Mean(input: T, reduction_indices: Tidx) -> output: T", keep_dims="bool = false", T=NUMBERS,
             Tidx=INDEX_32)


mean_op.forwards(when=_along_nothing)
mean_op.shape(reduction_shape)


@mean_op.kernel
def _(input, reduction_indices, *, keep_dims):
    x = np.asarray(input)
    axes = axes_of(x, reduction_indices)
    count = 1
    for axis in axes:
        count *= x.shape[axis]
    total = np.add.reduce(x, axes, x.dtype, keepdims=keep_dims)
    if not count and x.dtype.kind != "f":  # of no floats it is NaN
        return np.zeros_like(total)
    if x.dtype.kind in "iu":
        return lookup("TruncateDiv").kernel_fn(total, x.dtype.type(count))
    return (total / x.dtype.type(count)).astype(x.dtype)


@mean_op.gradient
def _(node, grad):
    total = sum_gradient(node, grad)[0]
    x, y = node.inputs[0], node.outputs[0]
    if x.shape.is_fully_defined() and y.shape.is_fully_defined():
        factor = constant(x.shape.num_elements() // max(y.shape.num_elements(), 1), total.dtype)
    else:
        input_shape, output_shape = shape(x), shape(y)
        factor = safe_shape_div(reduce_prod(input_shape), reduce_prod(output_shape))
    return [lookup("RealDiv")(total, cast(factor, total.dtype), name="truediv"), None]


mean_op.samples(rows=([[1., 2.], [3., 5.]], 0), ints=([-1, -2], 0), empty=(np.zeros((0, 2), "f4"), 0),
                none_complex=(np.zeros((0, 2), "c8"), 0))


@public("reduce_mean", "math.reduce_mean")
@documented("The mean (of integers, truncated)")
@dispatches
def reduce_mean(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    return reduced(mean_op, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


# -- Prod -----------------------------------------------------------------------------------------------

prod_op = op("Prod(input: T, reduction_indices: Tidx) -> output: T", keep_dims="bool = false", T=NUMBERS,
             Tidx=INDEX_32)


prod_op.forwards(when=_along_nothing)
prod_op.shape(reduction_shape)


@prod_op.kernel
def _(input, reduction_indices, *, keep_dims):
    x = np.asarray(input)
    axes = axes_of(x, reduction_indices)
    if x.size > _FOLDED and x.dtype.kind == "f" and axes == (x.ndim - 1,) and x.flags.c_contiguous:
        found = _row_products(x.reshape(-1, x.shape[-1])).reshape(x.shape[:-1])
        return found[..., None] if keep_dims else found
    return np.multiply.reduce(x, axes, x.dtype, keepdims=keep_dims)


def _row_products(rows: Any) -> Any:
    """The product of each row, half by half: whole rows are multiplied, where NumPy would go number by number."""
    step = max(1, _FOLDED // rows.shape[1])
    result = np.empty(len(rows), rows.dtype)
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        while part.shape[1] > _HALVED:
            half = part.shape[1] // 2
            folded = part[:, :half] * part[:, half : 2 * half]
            if part.shape[1] % 2:
                folded[:, 0] *= part[:, -1]
            part = folded
        result[start : start + step] = np.multiply.reduce(part, axis=1)
    return result


@prod_op.gradient
def _(node, grad):
    from ossia_core.graph.scopes import device
    x, axes = node.inputs
    input_shape = shape(x)
    indices = reshape(axes, [-1])
    kept = reduced_shape(input_shape, axes)
    repeats = safe_shape_div(input_shape, kept)
    grad = reshape(grad, kept)
    grad = lookup("Tile")(grad, repeats)
    with device("/cpu:0"):
        input_rank = rank(x)
        reduced = (
            (indices + input_rank) % input_rank
            if indices.dtype == dtypes.int32
            else (indices + cast(input_rank, indices.dtype)) % cast(input_rank, indices.dtype)
        )
        reduced = cast(reduced, dtypes.int32)
        every = lookup("Range")(0, input_rank, 1, name="range")
        other = lookup("ListDiff")(every, reduced).out
        perm = lookup("ConcatV2")([reduced, other], 0, name="concat")
        reduced_count = reduce_prod(lookup("GatherV2")(input_shape, reduced, 0))
        other_count = reduce_prod(lookup("GatherV2")(input_shape, other, 0))
    permuted = lookup("Transpose")(x, perm, name="transpose")
    permuted_shape = shape(permuted)
    flat = reshape(permuted, [reduced_count, other_count])
    cumprod = lookup("Cumprod")
    left = cumprod(flat, 0, exclusive=True)
    right = cumprod(flat, 0, exclusive=True, reverse=True)
    y = reshape(lookup("Conj")(left) * lookup("Conj")(right) if x.dtype.is_complex else left * right, permuted_shape)
    out = grad * lookup("Transpose")(y, lookup("InvertPermutation")(perm), name="transpose")
    return [reshape(out, input_shape), None]


prod_op.samples(rows=([[1., 2.], [3., 4.]], 0), all=([[1, 2], [3, 4]], [0, 1]), empty=(np.zeros((0, 2), "f4"), 0))


@public("reduce_prod", "math.reduce_prod")
@documented("The product")
@dispatches
def reduce_prod(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    return reduced(prod_op, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


# -- Max and Min ----------------------------------------------------------------------------------------

def _extreme_gradient(node: Any, grad: Any) -> list:
    """The gradient goes to the extreme elements, in equal shares where there are several."""
    x, axes = node.inputs
    y = node.outputs[0]
    kept = reduced_shape(shape(x), axes)
    y = reshape(y, kept)
    grad = reshape(grad, kept)
    chosen = cast(lookup("Equal")(y, x), grad.dtype)
    count = reshape(reduce_sum(chosen, axes), kept)
    return [lookup("RealDiv")(chosen, count, name="truediv") * grad, None]


max_op = op("Max(input: T, reduction_indices: Tidx) -> output: T", keep_dims="bool = false", T=NUMBERS, Tidx=INDEX_32)


max_op.forwards(when=_along_nothing)
max_op.shape(reduction_shape)


@max_op.kernel
def _(input, reduction_indices, *, keep_dims):
    return _extreme(np.fmax, np.maximum, input, reduction_indices, keep_dims, False)


def _extreme(skipping_nan: Any, plain: Any, input: Any, axes: Any, keep_dims: bool, is_min: bool) -> Any:
    x = np.asarray(input)
    if x.dtype.kind in "iu":
        limits = np.iinfo(x.dtype)
        return plain.reduce(x, axes_of(x, axes), keepdims=keep_dims, initial=limits.max if is_min else limits.min)
    along = axes_of(x, axes)
    result = skipping_nan.reduce(x, along, keepdims=keep_dims, initial=x.dtype.type(np.inf if is_min else -np.inf))
    if result.size == x.size:  # nothing to compare with: NaN stays
        return x.reshape(result.shape).copy()
    return result


max_op.gradient(_extreme_gradient)
max_op.samples(
    rows=([[1.0, 5.0], [3.0, 4.0]], 0),
    nan=([np.nan, 1.0], 0),
    alone=([[np.nan], [1.0]], 1),
    empty=(np.zeros((0, 2), "f4"), 0),
    ints=([3, -1], 0),
)


@public("reduce_max", "math.reduce_max")
@documented("The maximum")
@dispatches
def reduce_max(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    return reduced(max_op, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


min_op = op("Min(input: T, reduction_indices: Tidx) -> output: T", keep_dims="bool = false", T=NUMBERS, Tidx=INDEX_32)


min_op.forwards(when=_along_nothing)
min_op.shape(reduction_shape)


@min_op.kernel
def _(input, reduction_indices, *, keep_dims):
    return _extreme(np.fmin, np.minimum, input, reduction_indices, keep_dims, True)


min_op.gradient(_extreme_gradient)
min_op.samples(
    rows=([[1.0, 5.0], [3.0, 4.0]], 0),
    nan=([np.nan, 1.0], 0),
    alone=([[np.nan], [1.0]], 1),
    empty=(np.zeros((0, 2), "f4"), 0),
    ints=([3, -1], 0),
)


@public("reduce_min", "math.reduce_min")
@documented("The minimum")
@dispatches
def reduce_min(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    return reduced(min_op, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


# -- All and Any ----------------------------------------------------------------------------------------

all_op = op("All(input: bool, reduction_indices: Tidx) -> output: bool", keep_dims="bool = false", Tidx=INDEX_32)


all_op.shape(reduction_shape)


@all_op.kernel
def _(input, reduction_indices, *, keep_dims):
    return np.all(input, axes_of(input, reduction_indices), keepdims=keep_dims)


all_op.samples(rows=([[True, False], [True, True]], 0), empty=(np.zeros((0, 2), bool), 0))


@public("reduce_all", "math.reduce_all")
@documented("Whether all elements are true")
@dispatches
def reduce_all(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    return reduced(all_op, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


any_op = op("Any(input: bool, reduction_indices: Tidx) -> output: bool", keep_dims="bool = false", Tidx=INDEX_32)


any_op.shape(reduction_shape)


@any_op.kernel
def _(input, reduction_indices, *, keep_dims):
    return np.any(input, axes_of(input, reduction_indices), keepdims=keep_dims)


any_op.samples(rows=([[True, False], [False, False]], 0), empty=(np.zeros((0, 2), bool), 0))


@public("reduce_any", "math.reduce_any")
@documented("Whether any element is true")
@dispatches
def reduce_any(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    return reduced(any_op, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)

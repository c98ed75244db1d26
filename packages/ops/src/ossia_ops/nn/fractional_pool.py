"""Maximum and average pooling over regions of random sizes whose mean is a fraction (Graham 2014)."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, with_rank
from ossia_core.graph.seeds import get_seed
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, UnimplementedError, dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import shape_of
from ossia_ops.math.cast import cast
from ossia_ops.random.samplers import choices
from ossia_ops.random.samplers.distributions import unit_double
from ossia_ops.random.samplers.philox import Stream
from ossia_ops.random.streams import stream_of

_T = "{float, double, int32, int64}"
_POOL: dict[str, Any] = {
    "pooling_ratio": "list(float) >= 4",
    "pseudo_random": "bool = false",
    "overlapping": "bool = false",
    "deterministic": "bool = false",
    "seed": "int = 0",
    "seed2": "int = 0",
    "T": _T,
}
_X = (np.arange(2 * 7 * 9 * 2, dtype="f4") * 5 % 23).reshape(2, 7, 9, 2)
_ROWS, _COLUMNS = np.array([0, 2, 3, 5, 7]), np.array([0, 1, 3, 5, 6, 7, 9])
_Y = np.arange(2 * 4 * 6 * 2, dtype="f4").reshape(2, 4, 6, 2)
_SEEDED: dict[str, Any] = {"deterministic": True, "seed": 3, "seed2": 4}


def _pooled_shapes(value: Any, ratio: Sequence[float]) -> Any:
    dims = list(with_rank(value, 4).as_tuple())
    if len(ratio) != 4:
        raise ValueError(f"pooling_ratio field must specify 4 dimensions, but has {len(ratio)}")
    for axis, factor in enumerate(ratio):
        if dims[axis] is not None:
            dims[axis] = int(dims[axis] / factor)
            if dims[axis] < 0:
                raise ValueError(f"Size computed for dim {axis} is negative: {dims[axis]}")
    rows, columns = (None if d is None else d + 1 for d in dims[1:3])
    return TensorShape(dims), TensorShape([rows]), TensorShape([columns])


def _borders(size: int, count: int, stream: Stream, pseudo_random: bool) -> np.ndarray:
    """Where the `count` regions of a dimension begin, and at last its size.

    Numbers are drawn even where all regions have one size, so that other dimensions have those of the original.
    """
    least = size // count
    if not pseudo_random:
        lengths = np.where(np.arange(count) < size % count, least + 1, least)
        return np.concatenate([[0], np.cumsum(lengths[choices.permutation(stream.reserve(-(-count // 4)), count)])])
    alpha = size / count
    most = min((least + 2) / alpha - 1, (size + 1 - least) / alpha - (count - 1))
    u = float(unit_double(stream.reserve(1).words(1)).reshape(-1)[0]) * most
    if size % count == 0:
        return np.arange(0, size + 1, least)
    inner = np.ceil(alpha * (np.arange(1, count) + u)).astype(np.int64) - 1
    return np.concatenate([[0], inner, [size]])


def _regions(borders: np.ndarray, size: int, overlapping: bool) -> tuple[np.ndarray, np.ndarray]:
    """First index and end of each region."""
    return borders[:-1], np.minimum(borders[1:] + overlapping, size)


def _along(axis: int, index: np.ndarray) -> tuple[Any, ...]:
    return *(slice(None),) * axis, index


def _reduced(x: np.ndarray, borders: np.ndarray, axis: int, overlapping: bool, function: np.ufunc) -> np.ndarray:
    """`function` over the regions along an axis."""
    starts, ends = _regions(borders, x.shape[axis], overlapping)
    lengths = ends - starts
    place = np.arange(lengths.max(initial=0))
    result = x[_along(axis, starts)]
    for offset in place[1:]:
        longer = lengths > offset
        inside = _along(axis, longer)
        result[inside] = function(result[inside], x[_along(axis, starts[longer] + offset)])
    return result


def _pooler(pool: Callable[..., np.ndarray]) -> Callable[..., Any]:
    """Kernel factory of an op that pools over regions that it draws."""

    def kernel_for(node: Any, *, session: Any) -> Any:
        attrs = node.attrs
        ratio, overlapping = attrs["pooling_ratio"], attrs["overlapping"]
        if len(ratio) != 4:
            raise InvalidArgumentError(None, None, "pooling_ratio field must specify 4 dimensions")
        if any(factor < 1 for factor in ratio):
            raise InvalidArgumentError(None, None, f"pooling_ratio cannot be smaller than 1, got {list(ratio)}")
        if ratio[0] != 1 or ratio[3] != 1:
            raise UnimplementedError(
                None, None, "Fractional pooling is not yet supported on the batch nor channel dimension."
            )
        if not attrs["deterministic"] and (attrs["seed"] or attrs["seed2"]):
            raise InvalidArgumentError(None, None, "Both seed and seed2 should be 0 if deterministic is false.")
        stream = stream_of(node, session)
        # All plans of a session share the regions that a deterministic op has drawn.
        fixed: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]
        fixed = {} if session is None else session.node_state(node.name + ":regions", dict)

        def drawn(height: int, width: int, out: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
            return (
                _borders(height, out[0], stream, attrs["pseudo_random"]),
                _borders(width, out[1], stream, attrs["pseudo_random"]),
            )

        def kernel(value: np.ndarray) -> Any:
            if value.ndim != 4:
                raise InvalidArgumentError(None, None, "tensor_in must be 4-dimensional")
            height, width = value.shape[1:3]
            out = int(height / ratio[1]), int(width / ratio[2])
            if min(out) <= 0:
                raise InvalidArgumentError(None, None, f"the pooled size must be positive, got {list(out)}")
            if attrs["deterministic"]:
                fixed[height, width] = fixed.get((height, width)) or drawn(height, width, out)
                rows, columns = fixed[height, width]
            else:
                rows, columns = drawn(height, width, out)
            return pool(value, rows, columns, overlapping), rows, columns

        return kernel

    return kernel_for


def _check_borders(borders: np.ndarray, size: int, count: int, what: str) -> None:
    if borders.shape != (count + 1,):
        raise InvalidArgumentError(
            None, None, f"{what}_pooling_sequence must have {count + 1} elements, got shape {dims_text(borders.shape)}"
        )
    if count and (borders[0] < 0 or borders[-1] > size or (np.diff(borders) <= 0).any()):
        raise InvalidArgumentError(
            None, None, f"{what}_pooling_sequence must grow from 0 at least to {size} at most: {borders.tolist()}"
        )


def _check_gradient(shape: Sequence[int], grad: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> None:
    if len(shape) != 4 or grad.ndim != 4:
        raise InvalidArgumentError(None, None, "original input and out_backprop must be 4-dimensional")
    if shape[0] != grad.shape[0] or shape[3] != grad.shape[3]:
        raise InvalidArgumentError(
            None, None,
            f"out_backprop of shape {dims_text(grad.shape)} does not fit an input of shape {dims_text(shape)}"
        )
    _check_borders(rows, shape[1], grad.shape[1], "row")
    _check_borders(columns, shape[2], grad.shape[2], "col")


fractional_max_pool_op = op(
    "FractionalMaxPool(value: T) -> output: T, row_pooling_sequence: int64, col_pooling_sequence: int64", **_POOL
)
fractional_max_pool_op.draws()


@fractional_max_pool_op.shape
def _(value, *, pooling_ratio):
    return _pooled_shapes(value, pooling_ratio)


@fractional_max_pool_op.kernel_for
def _(node, *, session):
    def pool(x, rows, columns, overlapping):
        largest = _reduced(_reduced(x, rows, 1, overlapping, np.fmax), columns, 2, overlapping, np.fmax)
        # The search begins at the least number: NaN and infinities below it are never found.
        return np.fmax(largest, np.finfo(x.dtype).min) if x.dtype.kind == "f" else largest

    return _pooler(pool)(node, session=session)


@fractional_max_pool_op.gradient
def _(node, grad, unused_rows_grad, unused_columns_grad):
    output, rows, columns = node.outputs
    return fractional_max_pool_grad_op(
        node.inputs[0], output, grad, rows, columns, overlapping=node.get_attr("overlapping")
    )


fractional_max_pool_op.samples(
    random=sample(_X, pooling_ratio=[1.0, 1.5, 1.4, 1.0], **_SEEDED),
    pseudo=sample(_X, pooling_ratio=[1.0, 1.5, 1.4, 1.0], pseudo_random=True, **_SEEDED),
    overlap=sample(_X, pooling_ratio=[1.0, 1.5, 1.4, 1.0], overlapping=True, **_SEEDED),
    regular=sample(_X, pooling_ratio=[1.0, 1.0, 3.0, 1.0]),
)

fractional_max_pool_grad_op = op(
    "FractionalMaxPoolGrad(orig_input: T, orig_output: T, out_backprop: T, row_pooling_sequence: int64, "
    "col_pooling_sequence: int64) -> output: T",
    overlapping="bool = false",
    T=_T,
)


@fractional_max_pool_grad_op.shape
def _(orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence):
    return with_rank(orig_input, 4)


@fractional_max_pool_grad_op.kernel
def _(orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence, *, overlapping):
    _check_gradient(orig_input.shape, out_backprop, row_pooling_sequence, col_pooling_sequence)
    if orig_output.shape != out_backprop.shape:
        raise InvalidArgumentError(
            None,
            None,
            f"orig_output and out_backprop must have the same shape: {dims_text(orig_output.shape)} vs. "
            f"{dims_text(out_backprop.shape)}",
        )
    result = np.zeros(orig_input.shape, out_backprop.dtype)
    row_starts, row_ends = _regions(row_pooling_sequence, orig_input.shape[1], overlapping)
    starts, ends = _regions(col_pooling_sequence, orig_input.shape[2], overlapping)
    height, width = int((row_ends - row_starts).max(initial=0)), int((ends - starts).max(initial=0))
    free = np.ones(out_backprop.shape, bool)
    # The first largest element of a region, row by row, gets its gradient; regions start at different places.
    for down in range(height):
        below = np.flatnonzero(row_ends - row_starts > down)
        for right in range(width):
            beside = np.flatnonzero(ends - starts > right)
            outputs = (slice(None), below[:, None], beside[None, :])
            places = (slice(None), (row_starts[below] + down)[:, None], (starts[beside] + right)[None, :])
            chosen = free[outputs] & (orig_input[places] == orig_output[outputs])
            free[outputs] &= ~chosen
            result[places] += np.where(chosen, out_backprop[outputs], 0)
    # What is the largest of a region by no comparison counts as its first element.
    result[:, row_starts[:, None], starts[None, :]] += np.where(free, out_backprop, 0)
    return result


fractional_max_pool_grad_op.samples(
    plain=(_X, _reduced(_reduced(_X, _ROWS, 1, False, np.maximum), _COLUMNS, 2, False, np.maximum), _Y, _ROWS, _COLUMNS)
)

fractional_avg_pool_op = op(
    "FractionalAvgPool(value: T) -> output: T, row_pooling_sequence: int64, col_pooling_sequence: int64", **_POOL
)
fractional_avg_pool_op.draws()


@fractional_avg_pool_op.shape
def _(value, *, pooling_ratio):
    return _pooled_shapes(value, pooling_ratio)


def _areas(shape: Sequence[int], rows: np.ndarray, columns: np.ndarray, overlapping: bool) -> np.ndarray:
    """The number of elements of each region, [rows, columns, 1]."""
    tall, wide = (np.subtract(*_regions(b, n, overlapping)[::-1]) for b, n in ((rows, shape[1]), (columns, shape[2])))
    return (tall[:, None] * wide)[:, :, None]


@fractional_avg_pool_op.kernel_for
def _(node, *, session):
    def pool(x, rows, columns, overlapping):
        total = _reduced(_reduced(x, rows, 1, overlapping, np.add), columns, 2, overlapping, np.add)
        areas = _areas(x.shape, rows, columns, overlapping).astype(x.dtype)
        return np.trunc(total / areas).astype(x.dtype) if x.dtype.kind == "i" else total / areas

    return _pooler(pool)(node, session=session)


@fractional_avg_pool_op.gradient
def _(node, grad, unused_rows_grad, unused_columns_grad):
    x = node.inputs[0]
    shape = x.shape if x.shape.is_fully_defined() else cast(shape_of(x), "int64")
    return fractional_avg_pool_grad_op(shape, grad, *node.outputs[1:], overlapping=node.get_attr("overlapping"))


fractional_avg_pool_op.samples(
    random=sample(_X, pooling_ratio=[1.0, 1.5, 1.4, 1.0], **_SEEDED),
    pseudo=sample(_X, pooling_ratio=[1.0, 1.5, 1.4, 1.0], pseudo_random=True, **_SEEDED),
    overlap=sample(_X, pooling_ratio=[1.0, 1.5, 1.4, 1.0], overlapping=True, **_SEEDED),
    integers=sample(_X.astype("i4") - 9, pooling_ratio=[1.0, 1.5, 1.4, 1.0], **_SEEDED),
)

fractional_avg_pool_grad_op = op(
    "FractionalAvgPoolGrad(orig_input_tensor_shape: int64, out_backprop: T, row_pooling_sequence: int64, "
    "col_pooling_sequence: int64) -> output: T",
    overlapping="bool = false",
    T=_T,
)


@fractional_avg_pool_grad_op.shape
def _(orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence):
    shape = constant_shape(orig_input_tensor_shape)
    return with_rank(shape, 4) if shape is not UNKNOWN_SHAPE else TensorShape([None] * 4)


@fractional_avg_pool_grad_op.kernel
def _(orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence, *, overlapping):
    if orig_input_tensor_shape.shape != (4,):
        raise InvalidArgumentError(None, None, "original input tensor shape must be 1-dimensional and 4 elements")
    dims = orig_input_tensor_shape.tolist()
    _check_gradient(dims, out_backprop, row_pooling_sequence, col_pooling_sequence)
    sizes.allocatable(dims, 8)
    spread = out_backprop.astype(np.float64) / _areas(dims, row_pooling_sequence, col_pooling_sequence, overlapping)
    for axis, borders in ((2, col_pooling_sequence), (1, row_pooling_sequence)):
        starts, ends = _regions(borders, dims[axis], overlapping)
        wider = np.zeros((*spread.shape[:axis], dims[axis], *spread.shape[axis + 1:]))
        for offset in range(int((ends - starts).max(initial=0))):
            inside = np.flatnonzero(ends - starts > offset)
            wider[_along(axis, starts[inside] + offset)] += spread[_along(axis, inside)]
        spread = wider
    return spread.astype(out_backprop.dtype)


fractional_avg_pool_grad_op.samples(
    plain=(np.array(_X.shape), _Y, _ROWS, _COLUMNS),
    overlap=sample(np.array(_X.shape), _Y, _ROWS, _COLUMNS, overlapping=True),
)


@public("nn.fractional_max_pool")
def fractional_max_pool(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
) -> Any:
    """The largest element of each region of a grid whose regions have random sizes (Graham 2014).

    Args:
      value: [batch, height, width, channels] of float, double, int32 or int64.
      pooling_ratio: how much smaller each dimension becomes, four numbers of which the first and the last are 1.0.
      pseudo_random: whether the sizes follow a sequence with one random offset, instead of being shuffled.
      overlapping: whether a region also takes the first row and column of the next ones.
      deterministic: whether all runs have the same regions, which `seed` and `seed2` decide.
      seed, seed2: seeds; 0 unless `deterministic`.
      name: name of the results.

    Returns:
      (output, row_pooling_sequence, col_pooling_sequence): the pooled tensor, and where the regions begin.
    """
    return fractional_max_pool_op(
        value,
        pooling_ratio=pooling_ratio,
        pseudo_random=pseudo_random,
        overlapping=overlapping,
        deterministic=deterministic,
        seed=seed,
        seed2=seed2,
        name=name,
    )


@public("nn.fractional_avg_pool")
def fractional_avg_pool(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
) -> Any:
    """The mean of each region of a grid whose regions have random sizes; arguments as for `fractional_max_pool`."""
    return fractional_avg_pool_op(
        value,
        pooling_ratio=pooling_ratio,
        pseudo_random=pseudo_random,
        overlapping=overlapping,
        deterministic=deterministic,
        seed=seed,
        seed2=seed2,
        name=name,
    )


def _seeded(
    definition: Any,
    value: Any,
    ratio: Any,
    pseudo_random: bool,
    overlapping: bool,
    seed: int,
    name: str | None,
) -> Any:
    seed1, seed2 = get_seed(seed) if seed else (0, 0)
    return definition(
        value,
        pooling_ratio=ratio,
        pseudo_random=pseudo_random,
        overlapping=overlapping,
        deterministic=bool(seed),
        seed=seed1,
        seed2=seed2,
        name=name,
    )


def _ratios(ratio: Any) -> list[float]:
    """A number, two or four numbers as four."""
    given = list(ratio) if isinstance(ratio, (list, tuple)) else [ratio]
    if len(given) not in (1, 2, 4):
        raise ValueError(f"pooling_ratio should be of length 1, 2 or 4 but was {len(given)}")
    if len(given) == 4:
        return given
    return [1, *(given * 2 if len(given) == 1 else given), 1]


@public("compat.v2.nn.fractional_max_pool")
def fractional_max_pool_v2(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> Any:
    """`nn.fractional_max_pool` with one, two or four ratios, and fixed regions if there is a seed other than 0.

    Raises:
      ValueError: another number of ratios.
    """
    return _seeded(fractional_max_pool_op, value, _ratios(pooling_ratio), pseudo_random, overlapping, seed, name)


@public("compat.v2.nn.fractional_avg_pool")
def fractional_avg_pool_v2(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> Any:
    """`nn.fractional_avg_pool` with fixed regions if there is a seed other than 0; four ratios, as they are."""
    return _seeded(fractional_avg_pool_op, value, pooling_ratio, pseudo_random, overlapping, seed, name)

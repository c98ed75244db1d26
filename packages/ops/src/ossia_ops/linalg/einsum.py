"""Sums of products in Einstein's notation as one op; `tf.einsum` builds products of matrices instead."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank, with_rank_at_least
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape

_DOTS = -1  # stands for the ellipsis among the labels, which are bytes
_MOST_LABELS = 32  # dimensions that every NumPy has


class _Equation(NamedTuple):
    """The labels of each input's dimensions and of the output's; `_DOTS` is in the place of an ellipsis."""

    inputs: list[list[int]]
    output: list[int]


def _labels(text: bytes, kind: str) -> list[int]:
    shown = text.decode(errors="replace")
    head, dots, tail = text.partition(b"...")
    periods = text.count(b".")
    if periods != 3 * bool(dots):
        raise ValueError(
            f"Expected at most one ellipsis (...), but found {periods} periods (.) in the {kind} subscript: {shown}"
        )
    return [*head, *([_DOTS] if dots else []), *tail]


def _parse(equation: bytes, count: int) -> _Equation:
    """The labels of an equation for `count` inputs.

    Raises:
      ValueError: the equation is malformed, or for another number of inputs.
    """
    shown = equation.decode(errors="replace")
    sides = equation.split(b"->")
    if len(sides) != 2:
        raise ValueError(f"Expecting exactly one '->' in einsum equation: {shown}")
    parts = sides[0].split(b",")
    if len(parts) > 2:
        raise ValueError(f"Expecting 1 or 2 input subscripts in equation '{shown}' but got: {len(parts)}")
    if len(parts) != count:
        raise ValueError(f"Expected {len(parts)} inputs for equation {shown} but got: {count}")
    inputs, output = [_labels(part, "input") for part in parts], _labels(sides[1], "output")
    known = {label for part in inputs for label in part}
    for label in output:
        if label != _DOTS and label not in known:
            raise ValueError(
                f"Einsum output subscripts for equation '{shown}' has label '{chr(label)}' which is not present in the "
                "input subscripts"
            )
    return _Equation(inputs, output)


def _spread(labels: Sequence[int], dims: tuple, which: int) -> tuple[list[tuple[int, Any]], tuple]:
    """(label, size) of the labelled dimensions in order, and the sizes of those under the ellipsis.

    Raises:
      ValueError: another rank.
    """
    named, rank = len(labels) - (_DOTS in labels), len(dims)
    if _DOTS not in labels and rank != named:
        raise ValueError(f"Expected input {which} to have rank {named} but got: {rank}")
    if rank < named:
        raise ValueError(f"Expected input {which} to have rank at least {named} but got: {rank}")
    if _DOTS not in labels:
        return list(zip(labels, dims, strict=True)), ()
    head = labels.index(_DOTS)
    tail = head + rank - named
    return list(zip([a for a in labels if a != _DOTS], dims[:head] + dims[tail:], strict=True)), dims[head:tail]


def _merged(known: Any, size: Any) -> Any:
    """The size of a dimension that two others, None where unknown, broadcast to."""
    if known == 1 or size is None:
        return size if known in (1, None) else known
    if known is None:
        return size if size != 1 else None
    if size not in (1, known):
        raise ValueError(f"Dimensions must be equal, but are {known} and {size}")
    return known


einsum_op = op("Einsum(inputs: N * T) -> output: T", equation="string", N="int >= 1", T="type")


@einsum_op.shape
def _(inputs, *, equation):
    parsed = _parse(equation, len(inputs))
    found: dict[int, Any] = {}
    broadcast: Any = ()
    for which, (labels, tensor) in enumerate(zip(parsed.inputs, inputs, strict=True)):
        dims = tensor.shape.as_tuple()
        if dims is None:
            found.update((label, found.get(label)) for label in labels if label != _DOTS)
            broadcast = None if _DOTS in labels else broadcast
            continue
        least = len(labels) - (_DOTS in labels)
        try:
            (with_rank_at_least if _DOTS in labels else with_rank)(tensor, least)
        except ValueError as error:
            raise ValueError(f"{error}\n\t for {which}th input and equation: {equation.decode()}") from None
        named, hidden = _spread(labels, dims, which)
        for label, size in named:
            other = found.get(label)
            if None not in (size, other) and size != other:
                raise ValueError(f"Dimensions must be equal, but are {other} and {size}")
            found[label] = size if other is None else other
        if broadcast is not None and hidden:
            wide = max(len(broadcast), len(hidden))
            first, second = ((1,) * (wide - len(part)) + part for part in (broadcast, hidden))
            broadcast = tuple(map(_merged, first, second))
    if broadcast is not None and _DOTS not in parsed.output and broadcast:
        raise ValueError(f"Shape must be at most rank 0 but is rank {len(broadcast)}")
    if broadcast is None and _DOTS in parsed.output:
        return None
    result: list[Any] = []
    for label in parsed.output:
        result.extend(broadcast if label == _DOTS else [found[label]])
    return TensorShape(result)


def _diagonal(x: Any, labels: list[tuple[int, int]], hidden: int, dots: int, seen: dict[int, int]) -> tuple[Any, list]:
    """A view with the dimensions under the ellipsis first, then one per label, each label once, and those labels."""
    first = x.transpose([*range(dots, dots + hidden), *range(dots), *range(dots + hidden, x.ndim)])
    order: list[int] = []
    strides = list(first.strides[:hidden])
    for axis, (label, size) in enumerate(labels):
        known = seen.setdefault(label, size)
        if known != size:
            place = axis + (hidden if axis >= dots else 0)
            raise ValueError(
                f"Expected dimension {known} at axis {place} of the input shaped "
                f"[{','.join(map(str, x.shape))}] but got dimension {size}"
            )
        step = first.strides[hidden + axis]
        if label in order:
            strides[hidden + order.index(label)] += step
        else:
            order.append(label)
            strides.append(step)
    shape = (*first.shape[:hidden], *(seen[label] for label in order))
    return np.lib.stride_tricks.as_strided(first, shape, strides, writeable=False), order


def _product(x: Any, x_labels: list, y: Any, y_labels: list, output: list, hidden: int) -> tuple[Any, list]:
    """The product of two arrays whose first `hidden` dimensions broadcast, as one product of matrices."""
    common = [a for a in x_labels if a in y_labels]
    batch, inner = [a for a in common if a in output], [a for a in common if a not in output]
    rows, columns = [a for a in x_labels if a not in common], [a for a in y_labels if a not in common]
    lead = list(range(hidden))

    def ordered(array: Any, labels: list, *groups: list) -> Any:
        array = array.transpose(lead + [hidden + labels.index(a) for group in groups for a in group])
        kept = hidden + len(batch)
        ends = [kept, kept + len(groups[1]), array.ndim]
        flat = [math.prod(array.shape[a:b]) for a, b in zip(ends, ends[1:])]
        return array.reshape((*array.shape[:kept], *flat)), array.shape[kept:]

    left, left_sizes = ordered(x, x_labels, batch, rows, inner)
    right, right_sizes = ordered(y, y_labels, batch, inner, columns)
    kept = left_sizes[: len(rows)] + right_sizes[len(inner) :]
    try:
        lead_sizes = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except ValueError:
        shapes = [",".join(map(str, part.shape[:hidden])) for part in (left, right)]
        raise ValueError(f"Invalid broadcasting dimensions: [{shapes[0]}] vs. [{shapes[1]}]") from None
    sizes.allocatable((*lead_sizes, left.shape[-2], right.shape[-1]), x.dtype.itemsize)
    result = np.matmul(left, right)
    return result.reshape((*result.shape[:-2], *kept)), batch + rows + columns


@einsum_op.kernel
def _(inputs, *, equation, T):
    if T.name not in ("float32", "float64", "complex64", "complex128"):
        raise InvalidArgumentError(None, None, f"No OpKernel was registered to support Op 'Einsum' with T={T.name}")
    try:
        parsed = _parse(equation, len(inputs))
        return _evaluated(parsed, inputs)
    except ValueError as error:
        raise InvalidArgumentError(None, None, str(error)) from None


def _evaluated(parsed: _Equation, inputs: Sequence[Any]) -> Any:
    spread = [_spread(labels, x.shape, i) for i, (labels, x) in enumerate(zip(parsed.inputs, inputs, strict=True))]
    hidden = max(len(dims) for _, dims in spread)
    if hidden and _DOTS not in parsed.output:
        raise ValueError(
            f"Output contains {hidden} broadcasting dimension(s) but no ellipsis (...) was found in the output "
            "subscripts."
        )
    wanted = [a for a in parsed.output if a != _DOTS]
    rank = len(wanted) + hidden
    if rank > _MOST_LABELS:
        raise ValueError(f"The output has {rank} dimensions; at most {_MOST_LABELS} are supported")
    seen: dict[int, int] = {}
    found: list[tuple[Any, list]] = []
    for (named, dims), labels, x in zip(spread, parsed.inputs, inputs, strict=True):
        dots = labels.index(_DOTS) if _DOTS in labels else 0
        view, order = _diagonal(x, named, len(dims), dots, seen)
        found.append((view.reshape((1,) * (hidden - len(dims)) + view.shape), order))
    others = [set(found[1 - i][1]) if len(found) == 2 else set() for i in range(len(found))]
    for i, (view, order) in enumerate(found):
        alone = [a for a in order if a not in wanted and a not in others[i]]
        if alone:
            axes = tuple(hidden + order.index(a) for a in alone)
            found[i] = view.sum(axis=axes, dtype=view.dtype), [a for a in order if a not in alone]
    result, order = found[0]
    if len(found) == 2:
        result, order = _product(result, order, *found[1], wanted, hidden)
    return _placed(result, order, parsed.output, hidden)


def _placed(result: Any, order: list, output: list, hidden: int) -> Any:
    """The result with its dimensions in the order of `output`; a label that is there again spans a diagonal."""
    once = list(dict.fromkeys(a for a in output if a != _DOTS))
    result = result.transpose([*range(hidden), *(hidden + order.index(a) for a in once)])
    lead, dims = result.shape[:hidden], dict(zip(once, result.shape[hidden:], strict=True))
    named = [a for a in output if a != _DOTS]
    if len(named) > len(once):
        full = np.zeros(_size(lead, [dims[a] for a in named], result.dtype), result.dtype)
        strides = list(full.strides[:hidden])
        strides += [sum(full.strides[hidden + i] for i, a in enumerate(named) if a == label) for label in once]
        np.lib.stride_tricks.as_strided(full, result.shape, strides)[...] = result
        result = full
    dots = output.index(_DOTS) if _DOTS in output else 0
    return np.array(np.moveaxis(result, range(hidden), range(dots, dots + hidden)), order="C")


def _size(lead: tuple, dims: list[int], dtype: Any) -> tuple[int, ...]:
    sizes.allocatable((*lead, *dims), dtype.itemsize)
    return (*lead, *dims)


_A, _B = np.arange(6, dtype=np.float32).reshape(2, 3), np.arange(12, dtype=np.float32).reshape(3, 4) - 5
_C, _D = np.arange(24.0).reshape(4, 2, 3), np.arange(12.0).reshape(1, 3, 4)
einsum_op.samples(
    product=sample([_A, _B], equation="ij,jk->ik"),
    transposed=sample([_A], equation="ij->ji"),
    summed=sample([_C], equation="abc->b"),
    all=sample([_A, _A], equation="ij,ij->"),
    outer=sample([[1.0, 2.0], [3.0, 4.0, 5.0]], equation="i,j->ij"),
    batches=sample([_C, _D], equation="...ij,...jk->...ik"),
    wider=sample([_C, np.arange(4.0)], equation="...ab,...->...a"),
    trace=sample([[[1.0, 2.0], [3.0, 4.0]]], equation="ii->"),
    diagonal=sample([[1.0, 2.0]], equation="i->ii"),
    diagonals=sample([np.arange(8.0).reshape(2, 2, 2), np.arange(2.0)], equation="iij,j->ji"),
    again=sample([_A, _B], equation="ij,jk->ikk"),
    complex=sample([_A * 1j, _B.astype(np.complex64)], equation="ij,jk->ki"),
    empty=sample([np.zeros((2, 0)), np.zeros((0, 3))], equation="ij,jk->ik"),
    scalars=sample([2.0, [1.0, 2.0]], equation=",i->i"),
    nan=sample([[[np.nan, 1.0]], [[0.0], [np.inf]]], equation="ij,jk->ik"),
    refused_arrow=sample([_A], equation="ij"),
    refused_three=sample([_A, _A, _A], equation="ij,ij,ij->ij"),
    refused_count=sample([_A], equation="ij,jk->ik"),
    refused_label=sample([_A], equation="ij->k"),
    refused_dots=sample([_A], equation="..ij->ij"),
    refused_rank=sample([_A], equation="ijk->i"),
    refused_size=sample([_A, _A], equation="ij,jk->ik"),
    refused_hidden=sample([_C], equation="...j->j"),
    refused_dtype=sample([np.array([1, 2])], equation="i->"),
)

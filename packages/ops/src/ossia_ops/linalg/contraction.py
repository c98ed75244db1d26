"""Sums of products over chosen dimensions: `tensordot` and `einsum`, as matrix products."""
from __future__ import annotations

import re
import string
from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.resource import ResourceVariable
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import trace
from ossia_ops.array.gather import gather
from ossia_ops.array.selection import where
from ossia_ops.array.shape import expand_dims, rank, reshape, shape
from ossia_ops.array.stacking import stack
from ossia_ops.array.transposition import transpose
from ossia_ops.array.unique import setdiff1d
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.arithmetic import multiply
from ossia_ops.math.reduction import reduce_prod, reduce_sum
from ossia_ops.math.sequence import range as range_tensor


@public("tensordot", "linalg.tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The sums of products of `a` and `b` over `axes`.

    Args:
      a: a tensor.
      b: a tensor of the same dtype.
      axes: a number n, for the last n dimensions of `a` and the first n of `b`; or two lists, of dimensions of `a` and
          of `b`.
      name: name of the result.

    Returns:
      A tensor with the other dimensions of `a`, then those of `b`.

    Raises:
      ValueError: the axes are malformed.
    """
    with name_scope(name, "Tensordot", [a, b, axes]) as name:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, name="b")
        a_axes, b_axes = _pairs_of_axes(a, axes)
        a_matrix, a_free, a_static = _as_matrix(a, a_axes)
        b_matrix, b_free, b_static = _as_matrix(b, b_axes, flipped=True)
        product = matmul(a_matrix, b_matrix)
        if isinstance(a_free, list) and isinstance(b_free, list):
            return reshape(product, a_free + b_free, name=name)
        a_free = convert_to_tensor(a_free, dtypes.int32)
        b_free = convert_to_tensor(b_free, dtypes.int32)
        result = reshape(product, concat([a_free, b_free], 0), name=name)
        if a_static is not None and b_static is not None:
            result.set_shape(a_static + b_static)
        return result


def _pairs_of_axes(a: Tensor, axes: Any) -> tuple[Any, Any]:
    if isinstance(axes, (int, np.integer)):
        if axes < 0:
            raise ValueError("'axes' must be at least 0.")
        count = a.shape.ndims
        if count is None:
            dynamic = rank(a)
            return range_tensor(dynamic - axes, dynamic, dtype=dtypes.int32), range_tensor(axes, dtype=dtypes.int32)
        if axes > count:
            raise ValueError(f"'axes' must not be larger than the number of dimensions of tensor {a}.")
        return list(range(count - axes, count)), list(range(axes))
    if isinstance(axes, (list, tuple)):
        if len(axes) != 2:
            raise ValueError("'axes' must be an integer or have length 2.")
        first, second = axes
        if isinstance(first, (int, np.integer)) and isinstance(second, (int, np.integer)):
            return [first], [second]
        if len(first) != len(second):
            raise ValueError(f"Different number of contraction axes 'a' and 'b', {len(first)} != {len(second)}.")
        return first, second
    both = convert_to_tensor(axes, dtypes.int32, "axes")
    return both[0], both[1]


def _as_matrix(a: Tensor, axes: Any, flipped: bool = False) -> tuple[Tensor, Any, list | None]:
    """`a` with the free dimensions as rows and `axes` as columns (the other way round if `flipped`), and the free
    sizes."""
    dims = a.shape.as_tuple()
    if a.shape.is_fully_defined() and isinstance(axes, (list, tuple)):
        axes = [i if i >= 0 else i + len(dims) for i in axes]
        kept = [i for i in range(len(dims)) if i not in axes]
        kept_dims = [dims[i] for i in kept]
        rows = int(np.prod(kept_dims, dtype=np.int64))
        columns = int(np.prod([dims[i] for i in axes], dtype=np.int64))
        matrix = reshape(
            transpose(a, list(axes) + kept if flipped else kept + list(axes)),
            [columns, rows] if flipped else [rows, columns],
        )
        return matrix, kept_dims, kept_dims
    static = None
    if dims is not None and isinstance(axes, (list, tuple)):
        summed = [i if i >= 0 else i + len(dims) for i in axes]
        positions = [i for i in range(len(dims)) if i not in summed]
        static = [dims[i] for i in positions]
        axes = convert_to_tensor(summed, dtypes.int32, "axes")
        free = convert_to_tensor(positions, dtypes.int32, "free")
        sizes = shape(a)
    else:
        sizes = shape(a)
        count = rank(a)
        axes = convert_to_tensor(axes, dtypes.int32, "axes")
        axes = where(axes >= 0, axes, axes + count)
        free, _ = setdiff1d(range_tensor(count), axes)
    free_dims = gather(sizes, free)
    summed_dims = gather(sizes, axes)
    rows, columns = reduce_prod(free_dims), reduce_prod(summed_dims)
    if flipped:
        perm, new_shape = concat([axes, free], 0), stack([columns, rows])
    else:
        perm, new_shape = concat([free, axes], 0), stack([rows, columns])
    return reshape(transpose(a, perm), new_shape), free_dims, static


@public("einsum", "linalg.einsum")
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Sums of products in Einstein's notation, e.g. `einsum("ij,jk->ik", a, b)` for a matrix product.

    Args:
      equation: letters for the dimensions of each input, separated by commas, and after `->` those of the result
        (without it, those that occur once, in alphabetical order); `...` stands for further dimensions.
      *inputs: the tensors, of known rank.
      **kwargs: `name`, the name scope.

    Raises:
      ValueError: the equation is malformed, or does not fit the inputs.
      TypeError: another keyword.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"invalid keyword arguments for this function: {', '.join(sorted(kwargs))}")
    with name_scope(name, "einsum", [equation, inputs]):
        # A variable is read by the op that takes it.
        tensors: list[Any] = [x if isinstance(x, ResourceVariable) else convert_to_tensor(x) for x in inputs]
        if len(tensors) == 1 and re.fullmatch(r"([a-zA-Z])\1", equation.replace(" ", "")):
            return trace(tensors[0])
        labels, output = _parse(equation.replace(" ", ""), tensors)
        summed = {a for part in labels for a in part} - set(output)
        if any(sum(a in part for part in labels) > 2 for a in summed):
            return _by_broadcasting(tensors, labels, output)
        result, found = tensors[0], labels[0]
        for tensor, part in zip(tensors[1:], labels[1:]):
            result, found = _product(result, found, tensor, part, set(found) & set(part) - set(output))
        missing = [i for i, a in enumerate(found) if a not in output]
        if missing:
            result = reduce_sum(result, axis=missing)
            found = "".join(a for a in found if a in output)
        if sorted(found) != sorted(output):
            raise ValueError(f"Invalid equation: {equation}")
        return convert_to_tensor(_transposed(result, [found.index(a) for a in output]))


def _parse(equation: str, tensors: list[Tensor]) -> tuple[list[str], str]:
    """The labels of each input's dimensions, and of the output's."""
    match = re.match(r"^([a-zA-Z,.]+)(->[a-zA-Z.]*)?$", equation)
    if not match:
        raise ValueError(f"Indices have incorrect format: {equation}")
    labels = match.group(1).split(",")
    output = match.group(2)[2:] if match.group(2) else None
    if len(tensors) != len(labels):
        raise ValueError(f'Got {len(tensors)} arguments for equation "{equation}", expecting {len(labels)}')
    free = [a for a in string.ascii_letters if a not in equation]
    longest = ""
    for i, (part, tensor) in enumerate(zip(labels, tensors)):
        if "." in part:
            head, _, tail = part.partition("...")
            if "." in head + tail:
                raise ValueError(f'Unable to resolve ellipsis. Excess number found: {equation}')
            if tensor.shape.ndims is None:
                raise ValueError("Unable to statically infer ellipsis axes.")
            count = len(tensor.shape) - len(head) - len(tail)
            if count < 0:
                raise ValueError("Ellipses lengths do not match.")
            extra = "".join(free[max(0, len(free) - count):]) if count else ""
            labels[i] = head + extra + tail
            longest = max(longest, extra, key=len)
        if any(labels[i].count(a) > 1 for a in labels[i]):
            raise ValueError(f"Subscript not supported: an axis appears more than once: {labels[i]}")
    if output is None:
        every = "".join(labels)
        output = longest + "".join(a for a in sorted(set(every)) if every.count(a) == 1 and a not in longest)
    return labels, output.replace("...", longest)


def _product(x: Tensor, x_labels: str, y: Tensor, y_labels: str, summed: set[str]) -> tuple[Tensor, str]:
    """The product of two tensors, summed over some of their common labels, and its labels."""
    for i, (tensor, part) in enumerate(((x, x_labels), (y, y_labels))):
        if len(tensor.shape) != len(part):
            raise ValueError(
                f"Tensor t{i} of rank {len(tensor.shape)} does not match einsum reduction of length {len(part)}"
            )
    kept = (set(x_labels) & set(y_labels)) - summed
    x_only, y_only = set(x_labels) - kept - summed, set(y_labels) - kept - summed

    def key(first: set[str]) -> Any:
        return lambda a: (-1 if a in kept else 0 if a in first else 1, a)
    x_order, y_order = sorted(x_labels, key=key(x_only)), sorted(y_labels, key=key(summed))
    x = _transposed(x, [x_labels.index(a) for a in x_order])
    y = _transposed(y, [y_labels.index(a) for a in y_order])
    batch = len(kept)
    if not summed:
        for _ in y_only:
            x = expand_dims(x, -1)
        for _ in x_only:
            y = expand_dims(y, batch)
        return multiply(x, y), "".join(x_order + y_order[batch:])
    x_shape = _sizes(x)
    rows, inner = _total(x_shape[batch:-len(summed)]), _total(x_shape[-len(summed):])
    x = _reshaped(x, [*x_shape[:batch], rows, inner])
    y_shape = _sizes(y)
    columns = _total(y_shape[batch + len(summed):])
    y = _reshaped(y, [*y_shape[:batch], inner, columns])
    product = matmul(x, y)
    result = x_shape[:batch + len(x_only)] + y_shape[len(y_shape) - len(y_only):]
    return _reshaped(product, result), "".join(x_order[:batch + len(x_only)] + y_order[len(y_order) - len(y_only):])


def _by_broadcasting(tensors: list[Tensor], labels: list[str], output: str) -> Tensor:
    """All inputs broadcast against each other: for labels that three or more inputs sum over together."""
    summed = sorted({a for part in labels for a in part} - set(output))
    order = "".join(summed) + output
    expanded = []
    for tensor, part in zip(tensors, labels):
        ordered = sorted(part, key=order.index)
        tensor = _transposed(tensor, [part.index(a) for a in ordered])
        known = tensor.shape.as_list()
        # One size that is not known follows from the others; of more, the original makes a shape that no run takes.
        sizes = dict(zip(ordered, [-1 if d is None else d for d in known] if known.count(None) < 2 else _sizes(tensor)))
        expanded.append((tensor, [sizes.get(a, 1) for a in order]))
    factors = [
        reshape(tensor, new_shape) if len(new_shape) != tensor.shape.ndims else tensor for tensor, new_shape in expanded
    ]
    product: Any = 1
    for factor in factors:
        product = product * factor
    return reduce_sum(product, list(range(len(summed)))) if summed else product


def _sizes(x: Tensor) -> list:
    sizes: list[Any] = x.shape.as_list()
    if None in sizes:
        dynamic = shape(x)
        sizes = [dynamic[i] if d is None else d for i, d in enumerate(sizes)]
    return sizes


def _total(sizes: list) -> Any:
    result: Any = 1
    for size in sizes:
        result = result * size
    return result


def _reshaped(x: Tensor, new_shape: list) -> Tensor:
    old = x.shape.as_list()
    if len(old) == len(new_shape) and all(
        not isinstance(new, Tensor) and new == known for known, new in zip(old, new_shape)
    ):
        return x
    return reshape(x, new_shape)


def _transposed(x: Tensor, perm: list[int]) -> Tensor:
    return x if perm == list(range(len(perm))) else transpose(x, perm)

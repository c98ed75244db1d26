"""`tf.slice`: the part of a tensor that starts at one place and has given sizes."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import constant_shape, merge
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.array.stacking import stack
from ossia_ops.element_types import INDEX

slice_op = op("Slice(input: T, begin: Index, size: Index) -> output: T", T="type", Index=INDEX)


@slice_op.shape
def _(input, begin, size):
    dims, lengths = input.shape.as_tuple(), constant_value(size)
    count = next(
        (t.shape.as_list()[0] for t in (begin, size) if t.shape.ndims == 1 and t.shape.as_list()[0] is not None), None
    )
    for bound in (begin, size):
        if bound.shape.ndims not in (1, None):
            raise ValueError(f"Shape must be rank 1 but is rank {bound.shape.ndims}")
    merge(begin, size)
    first = constant_shape(begin).as_tuple()  # -1 is no place, and says nothing
    known = constant_shape(size)
    if dims is None:
        return known if known.ndims is not None or count is None else (None,) * count
    if count is not None and count != len(dims):
        raise ValueError(f"Shape must be rank {count} but is rank {len(dims)}")
    if lengths is None:
        # A size that is not known may be -1, and then says nothing.
        return (None,) * len(dims) if known.ndims is None else known
    result: list[int | None] = []
    for d, n, start in zip(dims, lengths.tolist(), (None,) * len(dims) if first is None else first):
        if n == -1:
            result.append(None if d is None or start is None else d - start)
            if result[-1] is not None and result[-1] < 0:
                raise ValueError(f"Negative dimension size caused by subtracting {start} from {d}")
        else:
            result.append(n)
    return tuple(result)


@slice_op.kernel(alias=True)
def _(input, begin, size):
    if begin.shape != (input.ndim,) or size.shape != (input.ndim,):
        raise InvalidArgumentError(
            None,
            None,
            f"Expected begin and size arguments to be 1-D tensors of size {input.ndim}, but got shapes "
            f"{dims_text(begin.shape)} and {dims_text(size.shape)} instead.",
        )
    index = []
    for i, (first, n) in enumerate(zip(begin.tolist(), size.tolist())):
        length = input.shape[i]
        given = n
        if n == -1:
            n = length - first
        if not length and (first or n):
            raise InvalidArgumentError(
                None,
                None,
                f"Expected begin[{i}] == 0 (got {first}) and size[{i}] == 0 (got {given}) when "
                f"input.dim_size({i}) == 0",
            )
        if not 0 <= first <= length:
            raise InvalidArgumentError(None, None, f"Expected begin[{i}] in [0, {length}], but got {first}")
        if n < 0 or first + n > length:
            raise InvalidArgumentError(None, None, f"Expected size[{i}] in [0, {length - first}], but got {n}")
        index.append(slice(first, first + n))
    return input[tuple(index)]


@slice_op.gradient
def _(node, grad):
    x, begin, _ = node.inputs
    input_rank = rank(x)
    length = shape(node.outputs[0])
    column = stack([input_rank, 1])
    before = reshape(begin, column)
    after = reshape(shape(x) - length - begin, column)
    return lookup("Pad")(grad, concat([before, after], 1)), None, None


slice_op.samples(plain=([[1., 2.], [3., 4.]], [0, 1], [-1, 1]), empty=([1, 2], [2], [0]))


@public("slice")
def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """The part of a tensor that starts at `begin` and has the sizes `size`, where -1 stands for all that is left.

    Args:
      input_: a tensor.
      begin: first indices, a vector, counted from 0.
      size: sizes of the part, a vector.
      name: name of the result.
    """
    return slice_op(input_, begin, size, name=name)

"""Static shapes: the rules that many ops share, and the values of constant inputs that rules may look at."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_core.declare import requirements as asked
from ossia_core.declare.kernels import grouped, numpy_kernel
from ossia_core.declare.language import CONST, ENTER, PLACEHOLDER, SWITCH
from ossia_core.names import dtypes
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape

if TYPE_CHECKING:
    from ossia_core.graph.tensor import Tensor

SCALAR = TensorShape(())
_FOLD_LIMIT = 1 << 16  # elements; larger values never decide a shape
_FOLD_DEPTH = 64
_ZERO = np.zeros((), np.int8)
_MAX_INPUT = 1 << 24  # elements of an input of what is computed before a run
_MAX_NUMBER = 1 << 20  # of an attribute
_MAX_TEXT = 1 << 14  # bytes of all strings


def _shape(x: Any) -> TensorShape:
    return x if isinstance(x, TensorShape) else x.shape


def unchanged(x: Any, *_: Any) -> TensorShape:
    """The shape of the first input."""
    return _shape(x)


def scalar(*_: Any) -> TensorShape:
    """The shape of a scalar."""
    return SCALAR


def unknown(*_: Any) -> TensorShape:
    """A shape of unknown rank."""
    return UNKNOWN_SHAPE


def vector(size: int | None) -> TensorShape:
    """A vector of `size` elements, None if unknown."""
    return TensorShape.from_tuple((size,))


def with_rank(x: Any, rank: int) -> TensorShape:
    """The shape, of a rank that must be `rank`.

    Raises:
      ValueError: the rank is known and another.
    """
    shape = _shape(x)
    dims = shape.as_tuple()
    if dims is None:
        return TensorShape.from_tuple((None,) * rank)
    if len(dims) != rank:
        raise ValueError(f"Shape must be rank {rank} but is rank {len(dims)}")
    return shape


def with_rank_at_least(x: Any, rank: int) -> TensorShape:
    """The shape, of a rank that must not be less than `rank`."""
    shape = _shape(x)
    dims = shape.as_tuple()
    if dims is not None and len(dims) < rank:
        raise ValueError(f"Shape must be at least rank {rank} but is rank {len(dims)}")
    return shape


def with_rank_at_most(x: Any, rank: int) -> TensorShape:
    """The shape, of a rank that must not be more than `rank`."""
    shape = _shape(x)
    dims = shape.as_tuple()
    if dims is not None and len(dims) > rank:
        raise ValueError(f"Shape must be at most rank {rank} but is rank {len(dims)}")
    return shape


def merge_dim(a: int | None, b: int | None) -> int | None:
    """The size that two sizes of one dimension agree on.

    Raises:
      ValueError: both are known and differ.
    """
    if a is None:
        return b
    if b is None or a == b:
        return a
    raise ValueError(f"Dimensions must be equal, but are {a} and {b}")


def with_value(size: int | None, value: int | None) -> int | None:
    """The size of a dimension that must be `value`.

    Raises:
      ValueError: it is known to be another.
    """
    if size is not None and value is not None and size != value:
        raise ValueError(f"Dimension must be {value} but is {size}")
    return value if size is None else size


def merge_prefix(x: Any, prefix: Any) -> TensorShape:
    """The shape of `x`, whose first dimensions are those of `prefix`.

    Raises:
      ValueError: they differ, or `x` has fewer.
    """
    a, b = _shape(x).as_tuple(), _shape(prefix).as_tuple()
    if a is None or b is None:
        return _shape(x)
    with_rank_at_least(x, len(b))
    return TensorShape.from_tuple((*map(merge_dim, a, b), *a[len(b):]))


def of_first(x: Any, y: Any) -> TensorShape:
    """What is known of the shape of the first of two tensors of one shape."""
    merge(x, y)
    return _shape(x)


def merge(x: Any, y: Any) -> TensorShape:
    """What two shapes of one tensor agree on."""
    a, b = _shape(x).as_tuple(), _shape(y).as_tuple()
    if a is None:
        return _shape(y)
    if b is None:
        return _shape(x)
    if len(a) != len(b):
        raise ValueError(f"Shapes must be equal rank, but are {len(a)} and {len(b)}")
    merged = []
    for i, (m, n) in enumerate(zip(a, b, strict=True)):
        if m is not None and n is not None and m != n:
            raise ValueError(
                f"Dimension {i} in both shapes must be equal, but are {m} and {n}. Shapes are {dims_text(a)} and "
                f"{dims_text(b)}."
            )
        merged.append(n if m is None else m)
    return TensorShape.from_tuple(tuple(merged))


def merge_all(tensors: Sequence[Any]) -> TensorShape:
    """What the shapes of all tensors agree on."""
    shape = UNKNOWN_SHAPE
    for i, t in reversed(list(enumerate(tensors))):
        try:
            shape = merge(t, shape)
        except ValueError as error:
            raise ValueError(f"{error}\n\tFrom merging shape {i} with other shapes.") from None
    return shape


def size_given(tensor: Tensor, position: int) -> int | None:
    """The size that a scalar input holds, None if it is computed at run time.

    Args:
      tensor: the input.
      position: its number, for the message.

    Raises:
      ValueError: the value is known, and negative or no scalar.
    """
    value = constant(tensor)
    if value is None:
        return None
    if value.ndim:
        raise ValueError(f"Input must be scalar but has rank {value.ndim}")
    if value < 0:
        raise ValueError(f"Dimension size, given by scalar input {position}, must be non-negative but is {int(value)}")
    return int(value)


def axis_given(tensor: Tensor, position: int, rank: int | None) -> int | None:
    """The dimension that a scalar input names, counted from the front; None if it or the rank is not known.

    Args:
      tensor: the input.
      position: its number, for the message.
      rank: how many dimensions there are.

    Raises:
      ValueError: the value is known, and no scalar or none of the dimensions.
    """
    value = constant(tensor)
    if value is None:
        return None
    if value.ndim:
        raise ValueError(f"Input must be scalar but has rank {value.ndim}")
    if rank is None:
        return None
    if not -rank <= value < rank:
        raise ValueError(f"Dimension size, given by scalar input {int(value)} must be in range [-{rank}, {rank})")
    return int(value) % rank


def broadcast(x: Any, y: Any) -> TensorShape:
    """The shape of an elementwise result of two inputs, with broadcasting from the right.

    Raises:
      ValueError: a dimension differs and is 1 in neither.
    """
    sx, sy = _shape(x), _shape(y)
    a, b = sx.as_tuple(), sy.as_tuple()
    if a is None or b is None:
        return UNKNOWN_SHAPE
    if a == b and None not in a:
        return sx
    if not b:
        return sx
    if not a:
        return sy
    if len(a) < len(b):
        a = (1,) * (len(b) - len(a)) + a
    elif len(b) < len(a):
        b = (1,) * (len(a) - len(b)) + b
    dims: list[int | None] = []
    for m, n in zip(a, b, strict=True):
        if m == n:
            # Two unknown sizes may still be 1 and n.
            dims.append(m)
        elif m == 1:
            dims.append(n)
        elif n == 1:
            dims.append(m)
        elif m is None or n is None:
            # A known size decides unless it is 0: the original knows nothing then.
            dims.append((m or n) or None)
        else:
            raise ValueError(f"Dimensions must be equal, but are {m} and {n}")
    return TensorShape.from_tuple(tuple(dims))


def reduction(x: Any, axes: Any, *, keep_dims: bool) -> TensorShape:
    """The shape of `x` reduced along `axes` (a tensor)."""
    dims = _shape(x).as_tuple()
    with_rank_at_most(axes, 1)
    values = constant(axes)
    if values is None:
        if dims is not None and keep_dims:
            return TensorShape.from_tuple((None,) * len(dims))
        return UNKNOWN_SHAPE
    if dims is None:
        return UNKNOWN_SHAPE
    rank = len(dims)
    reduced = set()
    for axis in np.ravel(values):
        axis = int(axis)
        if not -rank <= axis < rank:
            raise ValueError(f"Invalid reduction dimension {axis} for input with {rank} dimensions.")
        reduced.add(axis % rank)
    if keep_dims:
        return TensorShape.from_tuple(tuple(1 if i in reduced else d for i, d in enumerate(dims)))
    return TensorShape.from_tuple(tuple(d for i, d in enumerate(dims) if i not in reduced))


def constant(tensor: Tensor) -> Any:
    """The value of a tensor that does not depend on anything a session run decides, else None."""
    if asked.WATCHES:
        watch = asked.current()
        if watch is not None:
            return watch.value(tensor, None if watch.hides else _fold(tensor, 0))
    return _fold(tensor, 0)


def _fold(tensor: Tensor, depth: int) -> Any:
    op = tensor.op
    definition = op.definition
    role = definition.role
    if role is CONST:
        value = op.attrs["value"]
        return value if isinstance(value, np.ndarray) else None  # a proto has no array form, or a very large one
    cache = op.__dict__.get("_folded")
    if cache is not None:
        return cache[tensor.value_index]
    if depth > _FOLD_DEPTH or "_varies" in op.__dict__:
        return None
    if definition.describes_shape:
        return _fold_shape(op, tensor, depth)
    if role is SWITCH:  # as in the original, only what a known predicate lets through has the value
        taken = _fold(op._inputs[1], depth + 1)
        return None if taken is None or bool(taken) != tensor.value_index else _fold(op._inputs[0], depth + 1)
    if not definition.foldable or not op._inputs or role is not None:
        op.__dict__["_varies"] = True
        return None
    size = tensor.shape.num_elements()
    if size is not None and size > _FOLD_LIMIT:
        return None
    values = []
    for t in op._inputs:
        value = _fold(t, depth + 1)
        if value is None or value.size > _FOLD_LIMIT:
            if "_varies" in t.op.__dict__:
                op.__dict__["_varies"] = True  # and will whatever becomes known of shapes
            return None
        values.append(value)
    results = None if asks_for_much(op, values) else computed(op, values)
    if results is None:
        return None
    op.__dict__["_folded"] = results
    return results[tensor.value_index]


def asks_for_much(op: Any, values: list) -> bool:
    """Whether a node may have to compute much more than its inputs and the shapes of its outputs show, so that it is
    left to the runs: an attribute says how much, or its strings can be multiplied, or an input stands for very many."""
    if any(value.size > _MAX_INPUT for value in values if isinstance(value, np.ndarray)):
        return True
    if any(type(value) is int and value > _MAX_NUMBER for value in op.attrs.values()):
        return True
    return any(tensor.dtype is dtypes.string for tensor in op.outputs) and sum(map(_text_size, values)) > _MAX_TEXT


def _text_size(value: Any) -> int:
    if not isinstance(value, np.ndarray) or value.dtype != object:
        return 0
    return value.size if value.size > _MAX_TEXT else sum(len(item) for item in value.flat if isinstance(item, bytes))


def computed(op: Any, values: list) -> tuple[np.ndarray, ...] | None:
    """The outputs of an operation for the values of its inputs; None if they cannot be computed."""
    kernel = numpy_kernel(op)
    if kernel is None:
        return None
    definition = op.definition
    try:
        with np.errstate(all="ignore"):
            result = kernel(*grouped(definition.inputs, op.attrs, values))
    except Exception:  # a value that cannot be computed is not constant; running the op reports it
        return None
    if len(op.outputs) == 1 and not definition.outputs[0].is_list:
        return (np.asarray(result),)
    items = result if isinstance(result, tuple) else (result,)
    flat: list[Any] = []
    for arg, item in zip(definition.outputs, items, strict=True):
        flat.extend(item if arg.is_list else [item])
    return tuple(np.asarray(r) for r in flat)


def _fold_shape(op: Any, tensor: Tensor, depth: int) -> np.ndarray | None:
    source = op._inputs[tensor.value_index]
    shape = source.shape
    # Of what describes a shape and is none (a rank, a size), the original looks at the value alone.
    if op.definition.static_shape_fn is None or not shape.is_fully_defined():
        value = _fold(source, depth + 1)
        if value is None:
            return None
        shape = TensorShape(value.shape)
    stand_in = np.broadcast_to(_ZERO, shape.as_tuple())
    results = computed(op, [stand_in] * len(op._inputs))
    return None if results is None else results[tensor.value_index]


def constant_shape(tensor: Tensor, scalars: bool = False) -> TensorShape:
    """The shape that a shape tensor holds, as far as it is known: sizes that are computed at run time are unknown.

    Args:
      tensor: a vector of sizes, -1 for an unknown one.
      scalars: whether it may be a scalar, which stands for a shape of unknown rank.

    Raises:
      ValueError: the tensor is of another rank, or a known size is less than -1.
    """
    if not scalars:
        with_rank(tensor, 1)
    if asked.WATCHES:
        watch = asked.current()
        if watch is not None:
            known = _shape_of_rank(tensor)
            if not watch.hides:
                try:
                    known = _held_shape(tensor)
                except ValueError:
                    watch.without_shape = True
                    raise
            return watch.shape(tensor, known)
    return _held_shape(tensor)


def _held_shape(tensor: Tensor) -> TensorShape:
    op = tensor.op
    # As in the original, what is known of the parts counts before the value as a whole.
    definition = op.definition
    rule = definition.static_shape_fn
    partial = None
    if rule is not None:
        partial = rule(op, tensor.value_index, _Held)
    elif definition.role is PLACEHOLDER:
        partial = _captured_shape(op)
    if partial is not None:
        return partial
    value = _fold(tensor, 0)
    if value is not None:
        if value.ndim == 0:
            if value != -1:
                raise ValueError(
                    "Received a scalar with value other than -1 as shape; require a statically known scalar with "
                    "value '-1' to describe an unknown shape."
                )
            return UNKNOWN_SHAPE
        if value.ndim > 1:
            return _shape_of_rank(tensor)
        for d in value.tolist():
            if d < -1:
                raise ValueError(f"Invalid value in tensor used for shape: {d}")
        return TensorShape.from_tuple(tuple(None if d == -1 else int(d) for d in value.tolist()))
    return _shape_of_rank(tensor)


def _shape_of_rank(tensor: Tensor) -> TensorShape:
    """What the size of a shape tensor tells: how many sizes it holds."""
    dims_of = tensor.shape.as_tuple()
    if dims_of is None:
        return UNKNOWN_SHAPE
    if len(dims_of) > 1:
        raise ValueError(f"Shape must be rank 1 but is rank {len(dims_of)}")
    if not dims_of or dims_of[0] is None:
        return UNKNOWN_SHAPE
    return TensorShape.from_tuple((None,) * dims_of[0])


class _Held:
    """What is known of the shapes that tensors hold, for the rule of an op (`OpDef.static_shape`)."""

    without_rank = None  # what a part of a shape of unknown rank is

    @staticmethod
    def value(tensor: Tensor) -> Any:
        # The original sees a size itself through the edge of a loop, and nothing that is computed of it inside.
        while tensor.op.definition.role is ENTER and tensor.op.attrs["is_constant"]:
            tensor = tensor.op._inputs[0]
        return _fold(tensor, 0)

    @staticmethod
    def shape(tensor: Tensor) -> TensorShape:
        return _held_shape(tensor)

    @staticmethod
    def size(value: Any) -> int | None:
        if value is not None and int(value) < -1:
            raise ValueError(f"Invalid value in tensor used for shape: {int(value)}")
        return None if value is None or int(value) < 0 else int(value)


def _captured_shape(op: Any) -> TensorShape | None:
    """What a tensor from around a body holds, which is the same in all its calls."""
    for outer, inner in getattr(op.graph, "captures", {}).items():
        if inner.op is op:
            return _held_shape(outer)
    return None

"""What the shape of a tensor is, and tensors of the same elements in another shape."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import constant_shape, merge, scalar, vector, with_rank
from ossia_core.graph.composites import SparseTensor, SparseTensorValue
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import INDEX_32


def reshape_to_input(node: Any, grad: Any) -> Tensor:
    """The gradient of an op that only changes the shape: `grad` in the shape of the op's first input."""
    return reshape(grad, shape(node.inputs[0]))


shape_op = op("Shape(input: T) -> output: out_type", T="type", out_type=INDEX_32)
shape_op.needs_shape()


@shape_op.shape
def _(input):
    return vector(input.shape.ndims)


@shape_op.kernel
def _(input, *, out_type):
    return np.array(np.shape(input), out_type.as_numpy_dtype)


@shape_op.static_value
def _(node, index, known):
    return constant_value(node.outputs[0])


def _described(node: Any, index: int, known: Any) -> TensorShape | None:
    shape = node._inputs[index].shape
    return None if shape.ndims is None else shape


shape_op.static_shape(_described)
shape_op.not_differentiable()
shape_op.samples(matrix=[[1., 2., 3.]], scalar=sample(2., out_type="int64"), empty=sample(np.zeros((0, 3), "f4")))


@public("shape")
def shape(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The sizes of a tensor's dimensions as a vector; a constant where they are all known.

    Args:
      input: a tensor or SparseTensor.
      name: name of the result.
      out_type: int32 or int64.
    """
    return shape_of(input, name, out_type=out_type)


def shape_of(input: Any, name: str | None = None, optimize: bool = True, out_type: Any = dtypes.int32) -> Tensor:
    """Like `shape`; without `optimize` always a Shape node."""
    with name_scope(name, "Shape", [input]) as name:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return _cast(input.dense_shape, out_type)
        # What is no tensor is converted again for the node, as the original does.
        static = convert_to_tensor(input).shape
        if optimize and static.is_fully_defined():
            return constant(static.as_list(), out_type, name=name)
        return shape_op(input, out_type=out_type, name=name)


def _cast(x: Any, dtype: Any) -> Tensor:
    """The sizes of a sparse tensor, cast even if they have the dtype, as in the original."""
    return lookup("Cast")(x, DstT=dtype)


shape_n_op = op("ShapeN(input: N * T) -> output: N * out_type", N="int >= 1", T="type", out_type=INDEX_32)
shape_n_op.needs_shape()


@shape_n_op.shape
def _(input):
    return [vector(t.shape.ndims) for t in input]


@shape_n_op.kernel
def _(input, *, out_type):
    return [np.array(np.shape(x), out_type.as_numpy_dtype) for x in input]


shape_n_op.static_shape(_described)
shape_n_op.not_differentiable()
shape_n_op.samples(two=([[1., 2.], [3., 4.]],))


@public("shape_n")
def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Tensor]:
    """The sizes of each of a list of tensors of one dtype, a vector per tensor."""
    return shape_n_op(input, out_type=out_type, name=name)


size_op = op("Size(input: T) -> output: out_type", T="type", out_type=INDEX_32)
size_op.needs_shape()
size_op.shape(scalar)


@size_op.kernel
def _(input, *, out_type):
    return out_type.as_numpy_dtype(np.size(input))


@size_op.static_value
def _(node, index, known):
    count = node._inputs[0].shape.num_elements()
    return None if count is None else (np.int32 if count < 2**31 else np.int64)(count)  # whatever its dtype


size_op.not_differentiable()
size_op.samples(matrix=[[1., 2.]], scalar=3, empty=np.zeros((0, 2), "f4"))


@public("size")
@dispatches
def size(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The number of elements of a tensor, a constant where it is known.

    Args:
      input: a tensor or SparseTensor (whose zeros count as well).
      name: name of the result.
      out_type: int32 or int64.
    """
    with name_scope(name, "Size", [input]) as name:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            from ossia_ops.math.reduction import reduce_prod
            return reduce_prod(_cast(input.dense_shape, out_type), 0, name=name)
        # What is no tensor is converted again for the node, as the original does.
        static = convert_to_tensor(input).shape
        if static.is_fully_defined():
            return constant(static.num_elements(), out_type, name=name)
        return size_op(input, out_type=out_type, name=name)


rank_op = op("Rank(input: T) -> output: int32", T="type")
rank_op.needs_shape(of_variables=False)  # `assert_variables_initialized` sees by ranks whether variables have values
rank_op.shape(scalar)


@rank_op.kernel
def _(input):
    return np.int32(np.ndim(input))


@rank_op.static_value
def _(node, index, known):
    count = node._inputs[0].shape.ndims
    return None if count is None else np.int32(count)


rank_op.not_differentiable()
rank_op.samples(matrix=[[1., 2.]], scalar=3)


@public("rank")
@dispatches
def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of dimensions of a tensor or SparseTensor, a constant where it is known."""
    with name_scope(name, "Rank", [input]) as name:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return size_op(input.dense_shape, name=name)
        static = convert_to_tensor(input).shape
        if static.ndims is not None:
            return constant(static.ndims, dtypes.int32, name=name)
        return rank_op(input, name=name)


reshape_op = op("Reshape(tensor: T, shape: Tshape) -> output: T", T="type", Tshape=INDEX_32)
reshape_op.forwards(when=lambda shape: True)


def _with_own_dims(tensor: Tensor, shape: Tensor, old: tuple, new: tuple) -> tuple:
    """`new` with its first size filled in, if `shape` is -1 and then the last sizes of `tensor` itself.

    Whatever those are, they cancel out; sizes that are not known are as good as known ones.
    """
    if len(new) < 2 or new[0] is not None or shape.op.type != "ConcatV2":
        return new
    parts = shape.op.inputs
    if len(parts) != 3 or parts[1].op.type != "Slice":
        return new
    source, start = parts[1].op.inputs[0].op, constant_value(parts[1].op.inputs[1])
    tail = len(new) - 1
    if source.type != "Shape" or source.inputs[0] is not tensor or start is None or start.tolist() != [len(old) - tail]:
        return new
    first = constant_value(parts[0])
    if None in old[:-tail] or first is None or first.tolist() != [-1]:
        return new
    return (int(np.prod(old[:-tail])), *old[-tail:])


@reshape_op.shape
def _(tensor, shape):
    if shape.shape.ndims not in (1, None):
        raise ValueError(f"Shape must be rank 1 but is rank {shape.shape.ndims}")
    old, new = tensor.shape.as_tuple(), constant_shape(shape).as_tuple()
    if new is None or old is None:
        return new
    new = _with_own_dims(tensor, shape, old, new)
    missing = [i for i, d in enumerate(new) if d is None]
    known = int(np.prod([d for d in new if d is not None], dtype=object))
    count = int(np.prod([d for d in old if d is not None], dtype=object))
    if None in old and 0 not in old:
        if not missing and old.count(None) == 1 and count and known % count:
            raise ValueError(f"Dimension size must be evenly divisible by {count} but is {known}")
        return new
    if not missing:
        if known != count:
            text = ",".join(map(str, new))
            raise ValueError(f"Cannot reshape a tensor with {count} elements to shape [{text}] ({known} elements)")
        return new
    if not known and count:
        text = ",".join("?" if d is None else str(d) for d in new)
        raise ValueError(f"Cannot reshape a tensor with {count} elements to shape [{text}] (0 elements)")
    if len(missing) == 1 and known:
        if count % known:
            raise ValueError(f"Dimension size must be evenly divisible by {known} but is {count}")
        return new[:missing[0]] + (count // known,) + new[missing[0] + 1:]
    return new


@reshape_op.kernel(alias=True)
def _(tensor, shape):
    if np.ndim(shape) != 1:
        raise InvalidArgumentError(None, None, f"sizes input must be 1-D, not {dims_text(np.shape(shape))}")
    dims = tuple(shape.tolist())
    count = int(np.size(tensor))
    unknown = [i for i, d in enumerate(dims) if d == -1]
    if len(unknown) > 1:
        raise InvalidArgumentError(None, None, f"Only one input size may be -1, not both {unknown[0]} and {unknown[1]}")
    known = 1
    for i, d in enumerate(dims):
        if d < -1:
            raise InvalidArgumentError(None, None, f"Size {i} must be non-negative, not {d}")
        known *= d if d != -1 else 1
    if unknown and not known:
        # Of an empty tensor, the sizes that are not zero decide.
        known = int(np.prod([d for d in dims if d > 0], dtype=np.int64))
        there = int(np.prod([d for d in np.shape(tensor) if d > 0], dtype=np.int64))
        if count:
            raise InvalidArgumentError(
                None,
                None,
                f"Input to reshape is a tensor with {count} values, but the requested shape requires a multiple of 0",
            )
        dims = tuple(there // known if d == -1 else d for d in dims)
    elif unknown:
        if count % known:
            raise InvalidArgumentError(
                None,
                None,
                f"Input to reshape is a tensor with {count} values, but the requested shape requires a "
                f"multiple of {known}",
            )
    elif known != count:
        raise InvalidArgumentError(
            None, None, f"Input to reshape is a tensor with {count} values, but the requested shape has {known}"
        )
    return np.reshape(tensor, dims)


@reshape_op.gradient
def _(node, grad):
    return [reshape_to_input(node, grad), None]


reshape_op.samples(flat=([[1., 2.], [3., 4.]], [4]), inferred=([1., 2.], [-1, 1]), scalar=([2.], np.zeros(0, np.int32)),
                   empty=(np.zeros((0, 2), "f4"), [2, 0]))


@public("reshape", "manip.reshape")
def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The elements of `tensor`, in row-major order, in another shape.

    Args:
      tensor: a tensor.
      shape: sizes, int32 or int64, one of which may be -1: it is inferred from the others.
      name: name of the result.

    Raises:
      ValueError: the number of elements is known to differ.
    """
    result = reshape_op(tensor, shape, name=name)
    if isinstance(shape, Tensor) and result.op._inputs[1] is not shape:
        # Control flow hands the sizes on through other nodes; what is known of them still holds.
        known = constant_shape(shape)
        if known.ndims is not None and result.shape.is_compatible_with(known):
            result.set_shape(known)
    return result


expand_dims_op = op("ExpandDims(input: T, dim: Tdim) -> output: T", T="type", Tdim=INDEX_32)


@expand_dims_op.shape
def _(input, dim):
    dims, value = input.shape.as_tuple(), constant_value(dim)
    if value is not None and value.size != 1:
        raise ValueError("'dim' input must be a tensor with a single value")
    if dims is None or value is None:
        return None
    axis = int(value.reshape(-1)[0])
    if not -len(dims) - 1 <= axis <= len(dims):
        raise ValueError(f"dim {axis} not in the interval [{-len(dims) - 1}, {len(dims)}].")
    axis += (len(dims) + 1) * (axis < 0)
    return dims[:axis] + (1,) + dims[axis:]


@expand_dims_op.kernel(alias=True)
def _(input, dim):
    if np.size(dim) != 1:
        raise InvalidArgumentError(None, None, "'dim' must be a tensor with a single value")
    axis, ndim = int(np.reshape(dim, -1)[0]), np.ndim(input)
    if not -ndim - 1 <= axis <= ndim:
        raise InvalidArgumentError(None, None, f"Tried to expand dim index {axis} for tensor with {ndim} dimensions.")
    return np.expand_dims(input, axis)


@expand_dims_op.gradient
def _(node, grad):
    return [reshape_to_input(node, grad), None]


expand_dims_op.samples(first=([1., 2.], 0), last=([[1., 2.]], -1), scalar=(1., 0))


@public("expand_dims")
@dispatches
def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """`input` with one more dimension, of size 1, at position `axis` (negative counts from the end).

    Args:
      input: a tensor.
      axis: position of the new dimension, a scalar.
      name: name of the result.
      dim: the old name of `axis`.

    Raises:
      ValueError: no axis, both names, or an axis out of range.
    """
    axis = one_of("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return expand_dims_op(input, axis, name=name)


def one_of(new_name: str, new: Any, old_name: str, old: Any) -> Any:
    """The value of an argument that has an old name too.

    Raises:
      ValueError: both names are used.
    """
    if old is None:
        return new
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old


squeeze_op = op("Squeeze(input: T) -> output: T", T="type", squeeze_dims="list(int32) >= 0 = []")


@squeeze_op.shape
def _(input, *, squeeze_dims):
    dims = input.shape.as_tuple()
    if dims is None:
        return None
    if not squeeze_dims:
        return None if None in dims else tuple(d for d in dims if d != 1)
    removed = set()
    for place, axis in enumerate(squeeze_dims):
        if not -len(dims) <= axis < len(dims):
            raise ValueError(f"squeeze_dims[{place}] not in [{-len(dims)},{len(dims)}).")
        removed.add(axis % len(dims))
    for axis in sorted(removed):
        if dims[axis] not in (1, None):
            raise ValueError(f"Can not squeeze dim[{axis}], expected a dimension of 1, got {dims[axis]}")
    return tuple(d for i, d in enumerate(dims) if i not in removed)


@squeeze_op.kernel(alias=True)
def _(input, *, squeeze_dims):
    dims = np.shape(input)
    if not squeeze_dims:
        return np.reshape(input, [d for d in dims if d != 1])
    removed = set()
    for axis in squeeze_dims:
        if not -len(dims) <= axis < len(dims):
            raise InvalidArgumentError(
                None, None, f"Tried to squeeze dim index {axis} for tensor with {len(dims)} dimensions."
            )
        axis %= len(dims)
        if dims[axis] != 1:
            raise InvalidArgumentError(
                None, None, f"Can not squeeze dim[{axis}], expected a dimension of 1, got {dims[axis]}"
            )
        removed.add(axis)
    return np.reshape(input, [d for i, d in enumerate(dims) if i not in removed])


@squeeze_op.gradient
def _(node, grad):
    return reshape_to_input(node, grad)


squeeze_op.samples(all=[[[1.], [2.]]], named=sample([[[1.], [2.]]], squeeze_dims=[-1]))


@public("squeeze")
@dispatches
def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Tensor:
    """`input` without its dimensions of size 1, or without those in `axis` (an integer or list; `squeeze_dims` is its
    old name).

    Raises:
      ValueError: both names are used, or a dimension in `axis` is known not to be 1.
    """
    axis = one_of("axis", axis, "squeeze_dims", squeeze_dims)
    if np.isscalar(axis):
        axis = [axis]
    return squeeze_op(input, squeeze_dims=axis, name=name)


ensure_shape_op = op("EnsureShape(input: T) -> output: T", shape="shape", T="type")
ensure_shape_op.checks()


@ensure_shape_op.shape
def _(input, *, shape):
    if input.shape.ndims is None:
        return shape
    return merge(shape, with_rank(input, -1 if shape.ndims is None else shape.ndims))  # an unknown rank counts as -1


@ensure_shape_op.kernel(alias=True)
def _(input, *, shape, node):
    if not shape.is_compatible_with(np.shape(input)):
        raise InvalidArgumentError(
            None, None, f"Shape of tensor {node.inputs[0].op.name} {dims_text(np.shape(input))} is not compatible with "
                        f"expected shape [{','.join('?' if d is None else str(d) for d in shape.as_list())}].")
    return input


@ensure_shape_op.gradient
def _(node, grad):
    return grad


ensure_shape_op.samples(plain=sample([1., 2.], shape=[None]))


@public("ensure_shape")
def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """`x`, after checking in every run that its shape fits the partly known `shape`, which becomes its static shape."""
    return ensure_shape_op(x, shape=shape if isinstance(shape, TensorShape) else TensorShape(shape), name=name)

"""`distributions.util`: static values where there are some, triangular matrices, sums of logarithms, and other
pieces that distributions are made of."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import ossia as tf
from ossia_distributions import checks

# -- static values where there are some ---------------------------------------------------------------------


def maybe_get_static_value(x: Any, dtype: Any = None) -> Any:
    """The value of `x` as far as it is known while the graph is built, else None; as an array of `dtype` if given."""
    if x is None:
        return None
    try:
        static = tf.get_static_value(x)
    except TypeError:
        static = x
    return static if static is None or dtype is None else np.array(static, dtype)


def prefer_static_value(x: Any) -> Any:
    """The value of `x` if it is known while the graph is built, else `x`."""
    static = maybe_get_static_value(x)
    return x if static is None else static


def prefer_static_rank(x: Any) -> Any:
    """The rank of `x`, as a number if it is known while the graph is built."""
    return prefer_static_value(tf.rank(x))


def prefer_static_shape(x: Any) -> Any:
    """The shape of `x`, as an array if it is known while the graph is built."""
    return prefer_static_value(tf.shape(x))


def prefer_static_broadcast_shape(shape1: Any, shape2: Any, name: str = "prefer_static_broadcast_shape") -> Any:
    """The shape that two shapes broadcast to: a TensorShape if both are known while the graph is built, else a tensor.

    Args:
        shape1, shape2: TensorShapes, or integer vectors.
        name: The scope of the ops.

    Raises:
        ValueError: The shapes do not fit, or one is a tensor and the other a TensorShape with unknown sizes.
    """
    with tf.name_scope(name, values=[shape1, shape2]):

        def static(shape: Any) -> Any:
            if isinstance(shape, tf.TensorShape):
                return shape
            known = maybe_get_static_value(shape)
            return None if known is None else tf.TensorShape(known)

        one, two = static(shape1), static(shape2)
        if one is not None and two is not None:
            return tf.broadcast_static_shape(one, two)

        def vector(shape: Any) -> Any:
            if isinstance(shape, tf.TensorShape):
                if not shape.is_fully_defined():
                    raise ValueError("Cannot broadcast from partially defined `TensorShape`.")
                shape = shape.as_list()
            return tf.convert_to_tensor(shape, tf.int32)

        return tf.broadcast_dynamic_shape(vector(shape1), vector(shape2))


def dimension_size(x: Any, axis: int) -> Any:
    """The size of `x` along an axis, as a number if it is known while the graph is built."""
    size = x.shape.as_list()[axis] if x.shape.ndims is not None else None
    return tf.shape(x)[axis] if size is None else size


def same_dynamic_shape(a: Any, b: Any) -> Any:
    """Whether two tensors have the same rank and shape, a scalar."""
    a, b = tf.convert_to_tensor(a, name="a"), tf.convert_to_tensor(b, name="b")

    def all_equal() -> Any:
        one, two = tf.shape(a), tf.shape(b)
        return tf.reduce_all(tf.equal(tf.concat([one, two], 0), tf.concat([two, one], 0)))

    return tf.cond(tf.equal(tf.rank(a), tf.rank(b)), all_equal, lambda: tf.constant(False))


# -- order of dimensions and of elements ------------------------------------------------------------------


def rotate_transpose(x: Any, shift: Any, name: str = "rotate_transpose") -> Any:
    """`x` with its dimensions moved to the right by `shift` places, those that fall off coming in at the left."""
    with tf.name_scope(name, values=[x, shift]):
        x, shift = tf.convert_to_tensor(x, name="x"), tf.convert_to_tensor(shift, name="shift")
        static = tf.get_static_value(shift)
        if static is not None and x.shape.ndims is not None:
            return x if x.shape.ndims < 2 else tf.transpose(x, np.roll(np.arange(x.shape.ndims), static))
        rank = tf.rank(x)
        return tf.transpose(x, tf.floormod(tf.range(rank) - tf.cast(shift, rank.dtype), rank))


def pad(
    x: Any, axis: int, front: bool = False, back: bool = False, value: Any = 0, count: int = 1, name: str | None = None
) -> Any:
    """`x` with `count` times `value` before and after what is there along an axis, as `front` and `back` say.

    Raises:
        ValueError: Neither `front` nor `back`.
    """
    if not (front or back):
        raise ValueError("At least one of `front`, `back` must be `True`.")
    with tf.name_scope(name or "pad", values=[x, value, count]):
        x = tf.convert_to_tensor(x, name="x")
        rank = prefer_static_rank(x)
        place = axis if isinstance(axis, int) and axis >= 0 else rank + axis
        sizes = tf.stack([count if front else 0, count if back else 0])
        paddings = tf.one_hot(place, rank, dtype=tf.int32)[:, tf.newaxis] * sizes
        return tf.pad(x, paddings, constant_values=tf.cast(value, x.dtype.base_dtype))


def fill_triangular(x: Any, upper: bool = False, name: str | None = None) -> Any:
    """Triangular matrices of the elements of vectors, laid out in a spiral.

    Args:
        x: Vectors of `n * (n + 1) / 2` elements, `[..., count]`.
        upper: Whether the matrices are upper triangular.
        name: The scope of the ops.

    Returns:
        Matrices, `[..., n, n]`.

    Raises:
        ValueError: The vectors have another number of elements.
    """
    with tf.name_scope(name, "fill_triangular", [x]):
        x = tf.convert_to_tensor(x, name="x")
        count = dimension_size(x, -1)
        if isinstance(count, int):
            n = (math.isqrt(8 * count + 1) - 1) // 2
            if n * (n + 1) // 2 != count:
                raise ValueError(f"Input right-most shape ({count}) does not correspond to a triangular matrix.")
            whole = x.shape[:-1].concatenate([n, n])
        else:
            n = tf.cast(tf.sqrt(0.25 + tf.cast(2 * count, tf.float32)) - 0.5, tf.int32)
            whole = tf.TensorShape(None) if x.shape.ndims is None else x.shape[:-1].concatenate([None, None])
        parts = [x, tf.reverse(x[..., n:], [-1])] if upper else [x[..., n:], tf.reverse(x, [-1])]
        square = tf.reshape(tf.concat(parts, axis=-1), tf.concat([tf.shape(x)[:-1], [n, n]], axis=0))
        found = tf.matrix_band_part(square, num_lower=0 if upper else -1, num_upper=-1 if upper else 0)
        found.set_shape(whole)
        return found


def fill_triangular_inverse(x: Any, upper: bool = False, name: str | None = None) -> Any:
    """The vectors that `fill_triangular` makes the triangular matrices `x` of."""
    with tf.name_scope(name, "fill_triangular_inverse", [x]):
        x = tf.convert_to_tensor(x, name="x")
        n = dimension_size(x, -1)
        count = n * (n + 1) // 2
        if upper:
            first, rest = x[..., 0, :], x[..., 1:, :]
        else:
            first, rest = tf.reverse(x[..., -1, :], [-1]), x[..., :-1, :]
        turned = tf.reverse(tf.reverse(rest, [-1]), [-2])
        leading = tf.shape(x)[:-2]
        flat = tf.reshape(rest + turned, tf.concat([leading, [n * (n - 1)]], axis=0))
        found = tf.concat([first, flat[..., : count - n]], axis=-1)
        if x.shape.ndims is not None:
            found.set_shape(x.shape[:-2].concatenate([count if isinstance(count, int) else None]))
        return found


def tridiag(below: Any = None, diag: Any = None, above: Any = None, name: str | None = None) -> Any:
    """Matrices with the given elements on, below and above the diagonal.

    Args:
        below, above: Vectors, `[..., n - 1]`.
        diag: Vectors, `[..., n]`.
        name: The scope of the ops.

    Raises:
        ValueError: No elements are given.
    """
    if below is None and diag is None and above is None:
        raise ValueError("Must specify at least one of `below`, `diag`, `above`.")

    def beside(x: Any, rows: list[int], columns: list[int]) -> Any:
        matrices = tf.matrix_diag(x)
        leading = tf.zeros([tf.rank(matrices) - 2, 2], tf.int32)
        return tf.pad(matrices, tf.concat([leading, [rows, columns]], axis=0))

    with tf.name_scope(name, "tridiag", [below, diag, above]):
        parts = []
        if below is not None:
            parts.append(beside(tf.convert_to_tensor(below, name="below"), [1, 0], [0, 1]))
        if diag is not None:
            parts.append(tf.matrix_diag(tf.convert_to_tensor(diag, name="diag")))
        if above is not None:
            parts.append(beside(tf.convert_to_tensor(above, name="above"), [0, 1], [1, 0]))
        return functools.reduce(tf.add, parts)


def matrix_diag_transform(matrix: Any, transform: Callable[[Any], Any] | None = None, name: str | None = None) -> Any:
    """`matrix` with `transform` of its diagonal in the place of it."""
    with tf.name_scope(name, "matrix_diag_transform", [matrix]):
        matrix = tf.convert_to_tensor(matrix, name="matrix")
        return matrix if transform is None else tf.matrix_set_diag(matrix, transform(tf.matrix_diag_part(matrix)))


def assert_symmetric(matrix: Any) -> Any:
    """`matrix`, after a check that it equals its transpose."""
    with tf.control_dependencies([tf.debugging.assert_equal(matrix, tf.matrix_transpose(matrix))]):
        return tf.identity(matrix)


# -- numbers --------------------------------------------------------------------------------------------


def softplus_inverse(x: Any, name: str | None = None) -> Any:
    """The number whose softplus is `x`, exact for small and for large ones."""
    with tf.name_scope(name, "softplus_inverse", [x]):
        x = tf.convert_to_tensor(x, name="x")
        limit = np.log(np.finfo(x.dtype.as_numpy_dtype).eps) + 2.0
        small, large = tf.less(x, np.exp(limit)), tf.greater(x, -limit)
        inner = tf.where(tf.logical_or(small, large), tf.ones_like(x), x)  # keeps the gradients of the others finite
        found = inner + tf.log(-tf.expm1(-inner))
        return tf.where(small, tf.log(tf.where(small, x, tf.ones_like(x))), tf.where(large, x, found))


def reduce_weighted_logsumexp(
    logx: Any, w: Any = None, axis: Any = None, keep_dims: bool = False, return_sign: bool = False,
    name: str | None = None,
) -> Any:
    """The logarithm of the absolute value of `sum(w * exp(logx))`.

    Args:
        logx: Logarithms.
        w: Weights of any sign; 1 if None.
        axis: The dimensions that are summed over; all if None.
        keep_dims: Whether they stay, with size 1.
        return_sign: Whether the sign of the sum is wanted too.
        name: The scope of the ops.

    Returns:
        The logarithm; with `return_sign` the logarithm and the sign.
    """
    with tf.name_scope(name, "reduce_weighted_logsumexp", [logx, w]):
        logx = tf.convert_to_tensor(logx, name="logx")
        if w is None:
            total = tf.reduce_logsumexp(logx, axis=axis, keepdims=keep_dims)
            return (total, tf.ones_like(total)) if return_sign else total
        w = tf.convert_to_tensor(w, dtype=logx.dtype, name="w")
        size = logx + tf.log(tf.abs(w))
        largest = tf.reduce_max(size, axis=axis, keepdims=True)
        largest = tf.stop_gradient(tf.where(tf.is_inf(largest), tf.zeros_like(largest), largest))
        scaled = tf.reduce_sum(tf.sign(w) * tf.exp(size - largest), axis=axis, keepdims=keep_dims)
        if not keep_dims:
            largest = tf.squeeze(largest, axis=axis)
        sign = tf.sign(scaled)
        total = largest + tf.log(sign * scaled)
        return (total, sign) if return_sign else total


def erfinv(x: Any, name: str = "erfinv") -> Any:
    """The number whose error function is `x`.

    Raises:
        TypeError: `x` is neither float32 nor float64.
    """
    from ossia_distributions.cumulative_normal import ndtri

    with tf.name_scope(name, values=[x]):
        x = tf.convert_to_tensor(x, name="x")
        if x.dtype.as_numpy_dtype not in (np.float32, np.float64):
            raise TypeError(f"x.dtype={x.dtype} is not handled, see docstring for supported types.")
        return ndtri((x + 1.0) / 2.0) / np.sqrt(2).astype(x.dtype.as_numpy_dtype)


# -- dtypes ---------------------------------------------------------------------------------------------


def _is_known_unsigned_by_dtype(dt: Any) -> bool:
    return dt.base_dtype in (tf.bool, tf.uint8, tf.uint16)


def _is_known_signed_by_dtype(dt: Any) -> bool:
    return dt.base_dtype in (tf.float16, tf.float32, tf.float64, tf.int8, tf.int16, tf.int32, tf.int64)


def _is_known_dtype(dt: Any) -> bool:
    return _is_known_unsigned_by_dtype(dt) or _is_known_signed_by_dtype(dt)


def _is_integer_like_by_dtype(dt: Any) -> bool:
    if not _is_known_dtype(dt):
        raise TypeError(f"Unrecognized dtype: {dt.name}")
    return dt.is_integer or dt.base_dtype == tf.bool


def _largest_integer_by_dtype(dt: Any) -> int:
    if not _is_known_dtype(dt):
        raise TypeError(f"Unrecognized dtype: {dt.name}")
    if dt.is_floating:
        return int(2 ** (np.finfo(dt.as_numpy_dtype).nmant + 1))
    return 1 if dt.base_dtype == tf.bool else int(np.iinfo(dt.as_numpy_dtype).max)


def _smallest_integer_by_dtype(dt: Any) -> int:
    if not _is_known_dtype(dt):
        raise TypeError(f"Unrecognized dtype: {dt.name}")
    return 0 if _is_known_unsigned_by_dtype(dt) else -_largest_integer_by_dtype(dt)


def embed_check_integer_casting_closed(
    x: Any, target_dtype: Any, assert_nonnegative: bool = True, name: str = "embed_check_casting_closed"
) -> Any:
    """`x`, after checks that a cast to `target_dtype` and back does not change its elements.

    Args:
        x: A tensor of floats or integers.
        target_dtype: The other dtype.
        assert_nonnegative: Whether the elements must not be negative, either.
        name: The scope of the ops.

    Raises:
        TypeError: A dtype that is neither, or no integers on either side.
    """
    with tf.name_scope(name, values=[x]):
        x = tf.convert_to_tensor(x, name="x")
        if not _is_integer_like_by_dtype(x.dtype) and not x.dtype.is_floating:
            raise TypeError(f"{x.dtype.name}.dtype must be floating- or integer-type.")
        if not _is_integer_like_by_dtype(target_dtype) and not target_dtype.is_floating:
            raise TypeError(f"target_dtype ({target_dtype.name}) must be floating- or integer-type.")
        if not _is_integer_like_by_dtype(x.dtype) and not _is_integer_like_by_dtype(target_dtype):
            raise TypeError(
                f"At least one of {x}.dtype ({x.dtype.name}) and target_dtype ({target_dtype.name}) must be "
                "integer-type."
            )
        made = []
        if assert_nonnegative:
            made.append(tf.debugging.assert_non_negative(x, message="Elements must be non-negative."))
        if x.dtype.is_floating:
            made.append(checks.assert_integer_form(x, message=f"Elements must be {target_dtype.name}-equivalent."))
        else:
            kind = x.dtype.as_numpy_dtype
            largest, smallest = _largest_integer_by_dtype(target_dtype), _smallest_integer_by_dtype(target_dtype)
            if _largest_integer_by_dtype(x.dtype) > largest:
                made.append(tf.debugging.assert_less_equal(
                    x, kind(largest), message=f"Elements cannot exceed {largest}."))
            if not assert_nonnegative and _smallest_integer_by_dtype(x.dtype) < smallest:
                made.append(tf.debugging.assert_greater_equal(
                    x, kind(smallest), message=f"Elements cannot be smaller than {smallest}."))
        with tf.control_dependencies(made):
            return tf.identity(x)


# -- the Python around ------------------------------------------------------------------------------------


def parent_frame_arguments() -> dict[str, Any]:
    """The arguments that the function which calls this one was called with, those in `**kwargs` among them."""
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    names, _, varkw, values = inspect.getargvalues(frame.f_back)
    return {**{name: values[name] for name in names}, **(values[varkw] if varkw else {})}


class AppendDocstring:
    """A decorator that adds notes to the docstring of a function.

    Args:
        additional_note: What is added at the end.
        kwargs_dict: Notes on keyword arguments, by name.

    Raises:
        ValueError: A note on a keyword has more than one line.
    """

    def __init__(self, additional_note: str = "", kwargs_dict: dict[str, str] | None = None) -> None:
        lines = []
        for key, note in sorted((kwargs_dict or {}).items()):
            if any(ch in note for ch in ("\n", "\r")):
                raise ValueError(f'Parameter description for "{key}" contains newlines.')
            lines.append(f"*  `{key}`: {note}")
        self._note = ("\n##### `kwargs`:\n\n" + "\n".join(lines) if lines else "") + (
            f"\n{additional_note}" if additional_note else "")

    def __call__(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fn)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            return fn(*args, **kwargs)

        wrapped.__doc__ = self._note if fn.__doc__ is None else fn.__doc__ + self._note
        return wrapped

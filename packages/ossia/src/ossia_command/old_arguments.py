"""Calls with the arguments in the order that they had before TensorFlow 1.0.

Each of them is an error in 1.15, so that none can be meant in another way: `tf.concat(1, [a, b])`.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

from ossia_command import first_versions

Reorder = Callable[..., "tuple[tuple[Any, ...], dict[str, Any]] | None"]


def accepting(name: str, member: Any) -> Any:
    """The function of a name below `tf`, taking its older order of arguments too; other members as they are."""
    reorder = _ORDERS.get(name)
    if reorder is None:
        return member

    @functools.wraps(member)
    def call(*args: Any, **kwargs: Any) -> Any:
        changed = reorder(*args, **kwargs)
        if changed is None:
            return member(*args, **kwargs)
        now = [parameter for parameter in inspect.signature(member).parameters if parameter[0] != "_"]
        first_versions.tell(name, f"takes ({', '.join(now)}) since 1.0", sys._getframe(1))
        return member(*changed[0], **changed[1])

    return call


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "shape") and getattr(value, "ndim", None) != 0 or isinstance(value, (list, tuple))


def _number(value: Any) -> bool:
    return isinstance(value, int) or getattr(value, "ndim", None) == 0


def _concat(*args: Any, concat_dim: Any = None, **kwargs: Any) -> Any:
    """`tf.concat(concat_dim, values, name)`."""
    if concat_dim is not None:
        return args, {"axis": concat_dim, **kwargs}
    if len(args) > 1 and _number(args[0]) and (_is_tensor(args[1]) and not _number(args[1])):
        return (args[1], args[0], *args[2:]), kwargs
    if len(args) == 1 and _number(args[0]) and "values" in kwargs:
        return (), {"axis": args[0], **kwargs}
    return None


def _split(*args: Any, split_dim: Any = None, num_split: Any = None, **kwargs: Any) -> Any:
    """`tf.split(split_dim, num_split, value, name)`."""
    if split_dim is not None or num_split is not None:
        given = dict(zip(("axis", "num_or_size_splits", "value", "name"), args))
        if split_dim is not None:
            given = {"axis": split_dim, **dict(zip(("num_or_size_splits", "value", "name"), args))}
        if num_split is not None:
            given["num_or_size_splits"] = num_split
        return (), {**given, **kwargs}
    if len(args) > 2 and _number(args[0]) and _is_tensor(args[2]):
        return (), dict(zip(("axis", "num_or_size_splits", "value", "name"), args)) | kwargs
    if len(args) == 2 and all(map(_number, args)) and "value" in kwargs:
        return (), {"axis": args[0], "num_or_size_splits": args[1], **kwargs}
    return None


def _loss(second: str) -> Reorder:
    """A loss of `(logits, labels)` by position, which 1.0 takes by name alone."""

    def reorder(*args: Any, targets: Any = None, **kwargs: Any) -> Any:
        if args or targets is not None:
            given = dict(zip(("logits", second, "name"), args))
            if targets is not None:
                given[second] = targets
            return (), {**given, **kwargs}
        return None

    return reorder


def _softmax(*args: Any, **kwargs: Any) -> Any:
    """`tf.nn.softmax(logits, name)`, as of before 0.12."""
    if len(args) == 2 and isinstance(args[1], str):
        return args[:1], {"name": args[1], **kwargs}
    return None


def _sampled(*args: Any, **kwargs: Any) -> Any:
    """A sampled loss of `(weights, biases, inputs, labels, ...)`."""
    if len(args) > 3 and _kind(args[2]) == "f" and _kind(args[3]) in "iu":
        return (*args[:2], args[3], args[2], *args[4:]), kwargs
    return None


def _kind(value: Any) -> str:
    """The kind of the elements of a tensor or array, as NumPy names it."""
    dtype = getattr(value, "dtype", None)
    dtype = getattr(dtype, "as_numpy_dtype", dtype)
    return getattr(dtype, "kind", None) or getattr(getattr(dtype, "dtype", None), "kind", None) or _kind_of_class(dtype)


def _kind_of_class(dtype: Any) -> str:
    import numpy as np

    return "?" if dtype is None else np.dtype(dtype).kind


def _resize(*args: Any, new_height: Any = None, new_width: Any = None, **kwargs: Any) -> Any:
    """`tf.image.resize_images(images, new_height, new_width, method, align_corners)`."""
    if len(args) > 2 and _scalar(args[1]) and _scalar(args[2]):
        return (args[0], [args[1], args[2]], *args[3:]), kwargs
    if new_height is not None and new_width is not None:
        return (*args, [new_height, new_width]), kwargs
    return None


def _scalar(value: Any) -> bool:
    rank = getattr(getattr(value, "shape", None), "ndims", None)
    return _number(value) or rank == 0


def _reverse(*args: Any, dims: Any = None, **kwargs: Any) -> Any:
    """`tf.reverse(tensor, dims)` with a bool for each dimension."""
    flags = dims if dims is not None else args[1] if len(args) > 1 else None
    if isinstance(flags, (list, tuple)) and flags and all(isinstance(flag, bool) for flag in flags):
        return (*args[:1], [axis for axis, flag in enumerate(flags) if flag], *args[2:]), kwargs
    return None


def _ctc(*args: Any, **kwargs: Any) -> Any:
    """`tf.nn.ctc_loss(inputs, labels, sequence_length)`."""
    if len(args) > 1 and hasattr(args[1], "indices") and not hasattr(args[0], "indices"):
        return (args[1], args[0], *args[2:]), kwargs
    return None


def _sparse_split(*args: Any, **kwargs: Any) -> Any:
    """`tf.sparse_split(split_dim, num_split, sp_input)`."""
    if len(args) > 2 and _number(args[0]):
        return (), dict(zip(("axis", "num_split", "sp_input", "name"), args)) | kwargs
    return None


_ORDERS: dict[str, Reorder] = {
    "concat": _concat,
    "image.resize_images": _resize,
    "nn.ctc_loss": _ctc,
    "nn.log_softmax": _softmax,
    "nn.nce_loss": _sampled,
    "nn.sampled_softmax_loss": _sampled,
    "nn.sigmoid_cross_entropy_with_logits": _loss("labels"),
    "nn.softmax": _softmax,
    "nn.softmax_cross_entropy_with_logits": _loss("labels"),
    "nn.sparse_softmax_cross_entropy_with_logits": _loss("labels"),
    "reverse": _reverse,
    "sparse_split": _sparse_split,
    "split": _split,
}

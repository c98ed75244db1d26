"""What the ops of whole recurrent cells share: their functions and what they refuse."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape


def sigmoid(x: Any) -> Any:
    """The logistic function, which does not overflow."""
    return 0.5 * np.tanh(0.5 * x) + 0.5


def checked_shape(what: str, array: Any, shape: tuple) -> None:
    """Refuses an array of another shape.

    Raises:
      InvalidArgumentError: it has another.
    """
    if array.shape != shape:
        raise InvalidArgumentError(
            None, None, f"{what} must have the shape {dims_text(shape)}, but has the shape {dims_text(array.shape)}"
        )


def state_shape(x: Tensor, state: Tensor) -> TensorShape:
    """The static shape of a state: the rows of `x`, the columns of the last one."""
    return TensorShape([with_rank(x, 2).as_tuple()[0], with_rank(state, 2).as_tuple()[1]])


def rounded(values: Iterable[Any], kind: Any) -> tuple:
    """The arrays as ones of the type `kind`."""
    return tuple(np.asarray(value).astype(kind, copy=False) for value in values)


def sample_values(*dims: int, scale: float = 0.25) -> Any:
    """Numbers of both signs, for samples."""
    return ((np.arange(int(np.prod(dims))) * 7 % 11 - 5) * scale).astype(np.float32).reshape(dims)

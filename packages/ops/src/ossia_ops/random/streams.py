"""What kernels of random ops share: the generator of a node, and filling a shape that comes as a tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant_shape, with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape, dimension_value
from ossia_ops.random.samplers.philox import Philox, Stream


def stream_of(node: Any, session: Any) -> Stream:
    """The generator that `node` keeps in a session: it goes on from run to run."""

    def make() -> Stream:
        return Stream(node.attrs["seed"], node.attrs["seed2"])

    return make() if session is None else session.node_state(node.name, make)


def stateless_start(seed: np.ndarray) -> Philox:
    """Where the stream of a stateless op starts, given its `seed` input.

    Raises:
      InvalidArgumentError: it does not hold two integers.
    """
    if seed.shape != (2,):
        raise InvalidArgumentError(None, None, f"seed must have shape [2], not {dims_text(seed.shape)}")
    return Philox.stateless(int(seed[0]), int(seed[1]))


def sizes_of(shape: np.ndarray, item_size: int) -> tuple[list[int], int]:
    """The sizes in a shape input, and how many elements that makes.

    Raises:
      InvalidArgumentError: it is no vector, or holds a negative size.
      ResourceExhaustedError: a tensor of that shape does not fit into memory.
    """
    if shape.ndim != 1:
        raise InvalidArgumentError(
            None, None, f"shape must be a vector of {{int32,int64}}, got shape {dims_text(shape.shape)}"
        )
    dims = shape.tolist()
    return dims, sizes.allocatable(dims, item_size)


def filled(shape: Tensor, *_: Any) -> TensorShape:
    """Shape rule of an op that fills the shape that its first input holds."""
    with_rank(shape, 1)
    return constant_shape(shape)


def drawing(fill: Callable[..., np.ndarray], groups_per_value: int) -> Callable:
    """Kernel factory of ops that fill a shape by `fill(start, count, dtype)`, each run where the last one ended."""

    def kernel_for(node, *, session):
        stream, dtype = stream_of(node, session), np.dtype(node.outputs[0].dtype.as_numpy_dtype)

        def kernel(shape, *bounds):
            dims, count = sizes_of(shape, dtype.itemsize)
            return fill(stream.reserve(count * groups_per_value), count, *bounds, dtype).reshape(dims)

        return kernel

    return kernel_for


def shape_tensor(shape: Any) -> Tensor:
    """A shape argument as a tensor named "shape": sizes, a TensorShape or a tensor."""
    if isinstance(shape, (list, tuple)):
        if not shape:
            return convert_to_tensor(shape, dtypes.int32, name="shape")
        shape = tuple(map(dimension_value, shape))
    return convert_to_tensor(shape, name="shape")

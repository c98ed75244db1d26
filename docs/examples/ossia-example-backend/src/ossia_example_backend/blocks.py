"""A backend that computes in blocks which stay in the cache of a processor."""

import numpy as np

from ossia_core.backend import Backend

BLOCK = 4096  # elements of float32 that are computed at once


class Blocks(Backend):
    """Some ops on float32, block by block; the others are NumPy's."""

    name = "blocks"
    priority = 5  # before NumPy's

    def kernel(self, node, session):
        """The callable of a node: what depends on its attributes is decided here, once."""
        make = KERNELS.get(node.type)
        if make is None or node.inputs[0].dtype.base_dtype != np.float32:
            return None
        return make(node)


def in_blocks(compute, *inputs):
    """A new array of the shape of the inputs: `compute(*blocks, out=block)` for each of their blocks."""
    out = np.empty(inputs[0].shape, np.float32)
    flat, target = [np.ascontiguousarray(array).reshape(-1) for array in inputs], out.reshape(-1)
    for start in range(0, target.size, BLOCK):
        stop = start + BLOCK
        compute(*[array[start:stop] for array in flat], out=target[start:stop])
    return out


def maximum(node):
    """The larger one of two numbers."""

    def compute(x, y, out):
        np.copyto(out, x)  # where either is NaN, too: so the op of TensorFlow has it
        np.copyto(out, y, where=y > x)

    def kernel(x, y):
        return in_blocks(compute, *np.broadcast_arrays(x, y))

    return kernel


def leaky_relu(node):
    """A number, less of it where it is negative."""
    alpha = np.float32(node.get_attr("alpha"))

    def compute(x, out):
        np.multiply(x, alpha, out=out)
        np.copyto(out, x, where=x > 0)

    def kernel(x):
        return in_blocks(compute, x)

    return kernel


def total(node):
    """Sums, in double precision."""
    keep = node.get_attr("keep_dims")

    def kernel(values, axes):
        axes = tuple(np.ravel(axes).tolist())
        return np.asarray(np.sum(values, axis=axes, keepdims=keep, dtype=np.float64), np.float32)

    return kernel


def softmax(node):
    """Shares of the exponentials of a row."""

    def kernel(logits):
        if not logits.ndim:
            raise ValueError("Softmax needs a vector at least.")
        if not logits.size:
            return np.empty(logits.shape, np.float32)
        shifted = logits - logits.max(axis=-1, keepdims=True)
        powers = np.exp(shifted)
        return powers / powers.sum(axis=-1, keepdims=True)

    return kernel


KERNELS = {"Maximum": maximum, "LeakyRelu": leaky_relu, "Sum": total, "Softmax": softmax}

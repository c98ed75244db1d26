"""The linear map that cells of `tf.contrib.rnn` make of several tensors, and variables kept in shards."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public

_KERNEL, _BIAS = "kernel", "bias"


def _total_depth(args: list[Any]) -> int:
    total = 0
    for shape in [tensor.shape for tensor in args]:
        if shape.ndims != 2:
            raise ValueError(f"linear is expecting 2D arguments: {[tensor.shape for tensor in args]}")
        if shape[1].value is None:
            raise ValueError(f"linear expects shape[1] to be provided for shape {shape}, but saw {shape[1]}")
        total += shape[1].value
    return total


@public("contrib.rnn._Linear")
class Linear:
    """A map `W [args] + b`, whose variables "kernel" and "bias" are made in the current variable scope.

    Args:
      args: a tensor `[batch, depth]`, or a list of them.
      output_size: the depth of the result.
      build_bias: whether there is a bias.
      bias_initializer: initializer of the bias; zeros by default.
      kernel_initializer: initializer of the weights; the scope's by default.

    Raises:
      ValueError: no arguments, or some of another rank or of unknown depth.
    """

    def __init__(
        self, args: Any, output_size: int, build_bias: bool, bias_initializer: Any = None,
        kernel_initializer: Any = None,
    ) -> None:
        if args is None or (tf.nest.is_nested(args) and not args):
            raise ValueError("`args` must be specified")
        args = list(args) if tf.nest.is_nested(args) else [args]
        total, dtype = _total_depth(args), args[0].dtype
        self._build_bias = build_bias
        with tf.variable_scope(tf.get_variable_scope()) as outer:
            self._weights = tf.get_variable(
                _KERNEL, [total, output_size], dtype=dtype, initializer=kernel_initializer
            )
            if build_bias:
                with tf.variable_scope(outer) as inner:
                    inner.set_partitioner(None)
                    if bias_initializer is None:
                        bias_initializer = tf.constant_initializer(0.0, dtype=dtype)
                    self._biases = tf.get_variable(_BIAS, [output_size], dtype=dtype, initializer=bias_initializer)

    def __call__(self, args: Any) -> tf.Tensor:
        """The map of `args`, which have the shapes of those of the constructor."""
        args = list(args) if tf.nest.is_nested(args) else [args]
        joined = args[0] if len(args) == 1 else tf.concat(args, tf.constant(1, dtype=tf.int32))
        result = tf.matmul(joined, self._weights)
        return tf.nn.bias_add(result, self._biases) if self._build_bias else result


@public("contrib.rnn._linear")
def linear(
    args: Any, output_size: int, bias: bool, bias_initializer: Any = None, kernel_initializer: Any = None
) -> tf.Tensor:
    """`W [args] + b`, with variables "kernel" and "bias" of the current variable scope; arguments as of `Linear`.

    Raises:
      ValueError: no arguments, or some of another rank or of unknown depth.
    """
    return Linear(args, output_size, bias, bias_initializer, kernel_initializer)(args)


@public("contrib.rnn._get_concat_variable")
def sharded(name: str, shape: list[int], dtype: Any, num_shards: int) -> Any:
    """A variable kept in `num_shards` parts "name_0", "name_1", ... along its first dimension, put together.

    Raises:
      ValueError: there are more parts than rows.
    """
    if num_shards > shape[0]:
        raise ValueError(f"Too many shards: shape={shape}, num_shards={num_shards}")
    rows, more = divmod(int(shape[0]), num_shards)
    parts = [
        tf.get_variable(f"{name}_{i}", [rows + (i < more), *shape[1:]], dtype=dtype) for i in range(num_shards)
    ]
    if len(parts) == 1:
        return parts[0]
    key, joined = tf.GraphKeys.CONCATENATED_VARIABLES, f"{name}/concat"
    known = f"{tf.get_variable_scope().name}/{joined}:0"
    for value in tf.get_collection(key):
        if value.name == known:
            return value
    whole = tf.concat(parts, 0, name=joined)
    tf.add_to_collection(key, whole)
    return whole

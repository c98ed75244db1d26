"""What unit tests take from `nn_ops`, `nn_impl`, `nn_grad` and `embedding_ops`, beside the public functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_nn import sampled_losses
from ossia_ops.nn import convolution, cross_entropy, dropout, embedding, normalization

_sum_rows = sampled_losses.sum_rows
_count_nonzero = normalization.count_of_nonzero
_ensure_xent_args = cross_entropy.check_named
_get_noise_shape = dropout.completed_noise_shape
_clip = embedding.clipped
_prune_invalid_ids = embedding.without_invalid_ids


class Convolution(convolution.DilatedConvolution):
    """A convolution for inputs and filters of one shape."""


def _compute_sampled_logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    subtract_log_q: bool = True,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """Logits and labels of the true and the sampled classes."""
    return sampled_losses.sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits,
        partition_strategy, name, seed, subtract_log_q,
    )


def _embedding_lookup_and_transform(
    params: Any,
    ids: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    max_norm: Any = None,
    transform_fn: Callable | None = None,
) -> Any:
    """Rows of a table of embeddings, and what a function makes of them."""
    return embedding.transformed_lookup(params, ids, partition_strategy, name, max_norm, transform_fn)


def max_pool_with_argmax_v2(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    output_dtype: Any = tf.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> Any:
    """The largest element of each window and its place."""
    if data_format != "NHWC":
        raise ValueError("Data formats other than 'NHWC' are not yet supported")
    ksize = [1, *_pair(ksize, "ksize"), 1] if _is_short(ksize) else ksize
    strides = [1, *_pair(strides, "strides"), 1] if _is_short(strides) else strides
    return tf.nn.max_pool_with_argmax(
        input, ksize, strides, padding, data_format, None, name, output_dtype, include_batch_in_index
    )


def _is_short(sizes: Any) -> bool:
    return isinstance(sizes, int) or len(sizes) <= 2


def _pair(sizes: Any, name: str) -> list[int]:
    sizes = [sizes] if isinstance(sizes, int) else list(sizes)
    return sizes * 2 if len(sizes) == 1 else sizes


def xw_plus_b_v1(x: Any, weights: Any, biases: Any, name: str | None = None) -> Any:
    """`matmul(x, weights) + biases`, with the first version of the addition."""
    with tf.name_scope(name, "xw_plus_b_v1", [x, weights, biases]) as name:
        x = tf.convert_to_tensor(x, name="x")
        weights = tf.convert_to_tensor(weights, name="weights")
        biases = tf.convert_to_tensor(biases, name="biases")
        return bias_add_v1(tf.matmul(x, weights), biases, name=name)


def bias_add_v1(value: Any, bias: Any, name: str | None = None) -> Any:
    """A value with a bias added to each of its channels, by the first version of the op."""
    with tf.name_scope(name, "BiasAddV1", [value, bias]) as name:
        value = tf.convert_to_tensor(value, name="input")
        bias = tf.convert_to_tensor(bias, dtype=value.dtype, name="bias")
        return tf.raw_ops.BiasAddV1(value=value, bias=bias, name=name)


def _flatten_outer_dims(logits: Any) -> Any:
    """All dimensions but the last as one."""
    rank = tf.rank(logits)
    last = tf.slice(tf.shape(logits), [tf.subtract(rank, 1)], [1])
    output = tf.reshape(logits, tf.concat([[-1], last], 0))
    dims = logits.shape.as_list() if logits.shape.ndims is not None else None
    if dims is not None:
        rows: int | None = 1
        for size in dims[:-1]:
            rows = None if rows is None or size is None else rows * size
        output.set_shape([rows, dims[-1]])
    return output


def _BroadcastMul(vec: Any, mat: Any) -> Any:
    """The rows of a matrix, each times an element of a vector."""
    return tf.expand_dims(vec, -1) * mat

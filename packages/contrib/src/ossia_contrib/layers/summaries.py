"""Summaries of what a model is made of: its variables, activations and losses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers.names import of_both
from ossia_core.plugins.api_table import public


@public(*of_both("summarize_tensor"))
def summarize_tensor(tensor: Any, tag: str | None = None) -> Any:
    """A summary of a tensor: its value if it is a scalar, else a histogram.

    Args:
      tensor: tensor or variable.
      tag: name of the summary; that of the tensor's op, with `_summary`, by default.
    """
    if tensor.shape.ndims == 0:
        return tf.summary.scalar(tag or f"{tensor.op.name}_summary", tensor)
    return tf.summary.histogram(tag or f"{tensor.op.name}_summary", tensor)


@public(*of_both("summarize_activation"))
def summarize_activation(op: Any) -> Any:
    """A histogram of an output; for functions like relu and sigmoid also the part of it where they are flat.

    Args:
      op: the output.
    """
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        zeros = tf.reduce_mean(tf.to_float(tf.less(op.op.inputs[0], tf.cast(0.0, op.op.inputs[0].dtype))))
        tf.summary.scalar(f"{op.op.name}/zeros", zeros)
    if op.op.type == "Relu6":
        sixes = tf.reduce_mean(tf.to_float(tf.greater(op.op.inputs[0], tf.cast(6.0, op.op.inputs[0].dtype))))
        tf.summary.scalar(f"{op.op.name}/sixes", sixes)
    return tf.summary.histogram(f"{op.op.name}/activation", op)


@public(*of_both("summarize_tensors"))
def summarize_tensors(tensors: Sequence[Any], summarizer: Callable = summarize_tensor) -> list[Any]:
    """The summary of each tensor."""
    return [summarizer(tensor) for tensor in tensors]


@public(*of_both("summarize_collection"))
def summarize_collection(
    collection: str, name_filter: str | None = None, summarizer: Callable = summarize_tensor
) -> list[Any]:
    """Summaries of what is in a collection.

    Args:
      collection: name of the collection.
      name_filter: regular expression that names of ops have to match.
      summarizer: function of a tensor that makes the summary.
    """
    tensors = [
        tensor for tensor in tf.get_collection(collection)
        if name_filter is None or re.match(name_filter, tensor.op.name)
    ]
    return summarize_tensors(tensors, summarizer)


@public("contrib.slim.summarize_variables")
def summarize_variables(name_filter: str | None = None, summarizer: Callable = summarize_tensor) -> list[Any]:
    """Summaries of the global variables."""
    return summarize_collection(tf.GraphKeys.GLOBAL_VARIABLES, name_filter, summarizer)


@public("contrib.slim.summarize_weights")
def summarize_weights(name_filter: str | None = None, summarizer: Callable = summarize_tensor) -> list[Any]:
    """Summaries of the collection WEIGHTS."""
    return summarize_collection(tf.GraphKeys.WEIGHTS, name_filter, summarizer)


@public("contrib.slim.summarize_biases")
def summarize_biases(name_filter: str | None = None, summarizer: Callable = summarize_tensor) -> list[Any]:
    """Summaries of the collection BIASES."""
    return summarize_collection(tf.GraphKeys.BIASES, name_filter, summarizer)


@public(*of_both("summarize_activations"))
def summarize_activations(name_filter: str | None = None, summarizer: Callable = summarize_activation) -> list[Any]:
    """Summaries of the collection ACTIVATIONS."""
    return summarize_collection(tf.GraphKeys.ACTIVATIONS, name_filter, summarizer)

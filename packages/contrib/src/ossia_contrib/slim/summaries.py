"""Summaries of tensors under their names, printed if asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


def _name(tensor: Any, name: str | None, prefix: str | None, postfix: str | None = None) -> str:
    name = name or tensor.op.name
    return "/".join(part for part in (prefix, name, postfix) if part)


@public("contrib.slim.summaries.add_histogram_summary")
def add_histogram_summary(tensor: Any, name: str | None = None, prefix: str | None = None) -> tf.Tensor:
    """A histogram of a tensor, under its own name or another, below a prefix."""
    return tf.summary.histogram(_name(tensor, name, prefix), tensor)


@public("contrib.slim.summaries.add_image_summary")
def add_image_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> tf.Tensor:
    """Images `[batch, height, width, channels]`, printed too if asked."""
    summary_name = _name(tensor, name, prefix)
    op = tf.summary.image(name=summary_name, tensor=tensor)
    if print_summary:
        op = tf.Print(op, [tensor], summary_name)
        tf.add_to_collection(tf.GraphKeys.SUMMARIES, op)
    return op


@public("contrib.slim.summaries.add_scalar_summary")
def add_scalar_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> tf.Tensor:
    """A scalar, under its own name or another, below a prefix, printed too if asked."""
    collections: list[str] | None = [] if print_summary else None
    summary_name = _name(tensor, name, prefix)
    op = tf.summary.scalar(name=summary_name, tensor=tensor, collections=collections)
    if print_summary:
        op = tf.Print(op, [tensor], summary_name)
        tf.add_to_collection(tf.GraphKeys.SUMMARIES, op)
    return op


@public("contrib.slim.summaries.add_zero_fraction_summary")
def add_zero_fraction_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> tf.Tensor:
    """How much of a tensor is 0, a scalar."""
    name = _name(tensor, name, prefix, "Fraction of Zero Values")
    return add_scalar_summary(tf.nn.zero_fraction(tensor), name, print_summary=print_summary)


def _each(kind: Callable[..., Any], tensors: Sequence[Any], prefix: str | None, **options: Any) -> list[Any]:
    return [kind(tensor, prefix=prefix, **options) for tensor in tensors]


@public("contrib.slim.summaries.add_histogram_summaries")
def add_histogram_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """`add_histogram_summary` of each tensor."""
    return _each(add_histogram_summary, tensors, prefix)


@public("contrib.slim.summaries.add_image_summaries")
def add_image_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """`add_image_summary` of each tensor."""
    return _each(add_image_summary, tensors, prefix)


@public("contrib.slim.summaries.add_scalar_summaries")
def add_scalar_summaries(
    tensors: Sequence[Any], prefix: str | None = None, print_summary: bool = False
) -> list[Any]:
    """`add_scalar_summary` of each tensor."""
    return _each(add_scalar_summary, tensors, prefix, print_summary=print_summary)


@public("contrib.slim.summaries.add_zero_fraction_summaries")
def add_zero_fraction_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """`add_zero_fraction_summary` of each tensor."""
    return _each(add_zero_fraction_summary, tensors, prefix)

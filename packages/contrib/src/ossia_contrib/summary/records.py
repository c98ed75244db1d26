"""Summaries of tensors, written to the default writer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.summary.writers import recorded, state
from ossia_core.plugins.api_table import public
from ossia_summary.scopes import summary_scope


def _step(step: Any) -> Any:
    if step is None:
        return tf.train.get_or_create_global_step()
    return step if isinstance(step, tf.Tensor) else tf.convert_to_tensor(step, tf.int64)


def _written(name: str, tensor: Any, write: Callable[[str, str], Any], family: str | None) -> Any:
    if state.writer is None:
        return tf.no_op()
    around = tf.get_default_graph().get_name_scope()

    def record() -> Any:
        with tf.name_scope(f"{around}/" if around else ""), summary_scope(name, family, values=[tensor]) as found:
            tag, scope = found
            with tf.control_dependencies([write(tag, scope)]):
                return tf.constant(True)

    return recorded(record)


@public("contrib.summary.scalar")
def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes a number.

    Args:
      name: name of the summary, below the name scope.
      tensor: a scalar.
      family: what the tag begins with.
      step: the step; the global one if None.

    Returns:
      A bool: whether it was written; an op that does nothing without a default writer.
    """

    def write(tag: str, scope: str) -> Any:
        at, value = _step(step), tf.identity(tensor)
        return tf.raw_ops.WriteScalarSummary(
            writer=state.writer._resource, step=at, tag=tag, value=value, name=scope
        )

    return _written(name, tensor, write, family)


@public("contrib.summary.histogram")
def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes a histogram of the values of a tensor; else as `scalar`."""

    def write(tag: str, scope: str) -> Any:
        at, values = _step(step), tf.identity(tensor)
        return tf.raw_ops.WriteHistogramSummary(
            writer=state.writer._resource, step=at, tag=tag, values=values, name=scope
        )

    return _written(name, tensor, write, family)


@public("contrib.summary.image")
def image(
    name: str, tensor: Any, bad_color: Any = None, max_images: int = 3, family: str | None = None, step: Any = None
) -> Any:
    """Writes images `[batch, height, width, channels]`, up to `max_images`; else as `scalar`.

    Args:
      bad_color: colour of what is no number, 4 bytes; red by default.
    """

    def write(tag: str, scope: str) -> Any:
        colour = tf.constant([255, 0, 0, 255], dtype=tf.uint8) if bad_color is None else bad_color
        at, images = _step(step), tf.identity(tensor)
        return tf.raw_ops.WriteImageSummary(
            writer=state.writer._resource, step=at, tag=tag, tensor=images, bad_color=colour,
            max_images=max_images, name=scope,
        )

    return _written(name, tensor, write, family)


@public("contrib.summary.audio")
def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int, family: str | None = None, step: Any = None
) -> Any:
    """Writes sounds `[batch, frames]` or `[batch, frames, channels]`, up to `max_outputs`; else as `scalar`."""

    def write(tag: str, scope: str) -> Any:
        at, sounds = _step(step), tf.identity(tensor)
        return tf.raw_ops.WriteAudioSummary(
            writer=state.writer._resource, step=at, tag=tag, tensor=sounds, sample_rate=sample_rate,
            max_outputs=max_outputs, name=scope,
        )

    return _written(name, tensor, write, family)


@public("contrib.summary.generic")
def generic(name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None) -> Any:
    """Writes a tensor as it is, with a SummaryMetadata if one is given; else as `scalar`."""

    def write(tag: str, scope: str) -> Any:
        given = metadata.SerializeToString() if hasattr(metadata, "SerializeToString") else metadata
        serialized = tf.constant("" if given is None else given)
        at, value = _step(step), tf.identity(tensor)
        return tf.raw_ops.WriteSummary(
            writer=state.writer._resource, step=at, tensor=value, tag=tag, summary_metadata=serialized,
            name=scope,
        )

    return _written(name, tensor, write, family)


@public("contrib.summary.graph")
def graph(param: Any, step: Any = None, name: str | None = None) -> Any:
    """Writes a serialized GraphDef.

    Args:
      param: a string tensor.
      step: the step; the global one if None.
      name: name of the op.

    Raises:
      TypeError: `param` is no tensor.
    """
    if not isinstance(param, tf.Tensor):
        raise TypeError(
            f"graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: {type(param)}"
        )
    if state.writer is None:
        return tf.no_op()
    with tf.device("cpu:0"):
        serialized = tf.identity(param)
        return tf.raw_ops.WriteGraphSummary(
            writer=state.writer._resource, step=_step(step), tensor=serialized, name=name
        )


@public("contrib.summary.import_event")
def import_event(tensor: Any, name: str | None = None) -> Any:
    """Writes a serialized Event as it is."""
    return tf.raw_ops.ImportEvent(writer=state.writer._resource, event=tensor, name=name)

"""Summaries as TensorBoard's own plugins read them: `tf.compat.v2.summary.scalar` and others."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_summary.v2.summaries import summary_scope, write


def _metadata(plugin: str, description: str | None, content: bytes = b"") -> Any:
    from ossia_core.proto import SummaryMetadata

    made = SummaryMetadata(summary_description=description or "")
    made.plugin_data.plugin_name, made.plugin_data.content = plugin, content
    return made


@public("compat.v2.summary.scalar")
def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Writes a number to the writer of this block.

    Args:
        name: The tag, within the name scopes.
        data: The number, a scalar.
        step: The step; by default that of `set_step`.
        description: A text about it, in Markdown.

    Returns:
        A bool tensor: whether it was written.
    """
    with summary_scope(name, "scalar_summary", [data, step]) as (tag, _):
        value = builder("cast")(convert_to_tensor(data), dtypes.float32)
        if value.shape.ndims not in (None, 0):
            raise ValueError(f"Expected scalar shape, saw shape: {value.shape}.")
        return write(tag, value, step, _metadata("scalars", description))


@public("compat.v2.summary.text")
def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Writes texts, a string tensor of any shape, to the writer of this block; see `scalar`."""
    with summary_scope(name, "text_summary", [data, step]) as (tag, _):
        value = convert_to_tensor(data)
        if value.dtype.base_dtype is not dtypes.string:
            raise ValueError(f"Expected a string tensor, saw dtype: {value.dtype.name}.")
        return write(tag, value, step, _metadata("text", description))


@public("compat.v2.summary.image")
def image(name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None) -> Any:
    """Writes images [n, height, width, channels] to the writer of this block; see `scalar`.

    Args:
        name: The tag, within the name scopes.
        data: The images, floats from 0 to 1 or uint8.
        step: The step; by default that of `set_step`.
        max_outputs: How many of them at most.
        description: A text about them, in Markdown.
    """
    with summary_scope(name, "image_summary", [data, max_outputs, step]) as (tag, _):
        images = convert_to_tensor(data)[:max_outputs]
        if images.dtype.base_dtype is not dtypes.uint8:
            images = builder("cast")(builder("clip_by_value")(images, 0.0, 1.0) * 255.5, dtypes.uint8)
        encoded = builder("map_fn")(builder("image.encode_png"), images, dtype=dtypes.string)
        size = builder("as_string")(builder("stack")([builder("shape")(images)[2], builder("shape")(images)[1]]))
        return write(tag, builder("concat")([size, encoded], 0), step, _metadata("images", description))


@public("compat.v2.summary.histogram")
def histogram(
    name: str, data: Any, step: Any = None, buckets: int | None = None, description: str | None = None
) -> Any:
    """Writes how values are spread over buckets of one width, to the writer of this block; see `scalar`.

    Args:
        name: The tag, within the name scopes.
        data: The values, of any shape.
        step: The step; by default that of `set_step`.
        buckets: How many buckets, 30 by default.
        description: A text about them, in Markdown.
    """
    count = 30 if buckets is None else buckets
    with summary_scope(name, "histogram_summary", [data, buckets, step]) as (tag, _):
        values = builder("cast")(builder("reshape")(data, [-1]), dtypes.float64)
        edges = builder("py_func")(lambda x: _buckets(x, count), [values], dtypes.float64, stateful=False)
        edges.set_shape([None, 3])
        return write(tag, edges, step, _metadata("histograms", description))


def _buckets(values: Any, count: int) -> Any:
    """Left and right edge, and number of values, of each bucket."""
    import numpy as np

    if not values.size or not count:
        return np.zeros([0, 3])
    low, high = values.min(), values.max()
    if low == high:
        return np.array([[low - 0.5, high + 0.5, float(values.size)]])
    counts, edges = np.histogram(values, bins=count, range=(low, high))
    return np.stack([edges[:-1], edges[1:], counts.astype(np.float64)], axis=1)


@public("compat.v2.summary.audio")
def audio(
    name: str, data: Any, sample_rate: int, step: Any = None, max_outputs: int = 3, encoding: str | None = None,
    description: str | None = None,
) -> Any:
    """Writes sounds.

    Raises:
        NotImplementedError: Always; `tf.summary.audio` and `tf.contrib.summary.audio` are there.
    """
    raise NotImplementedError("tf.compat.v2.summary.audio")

"""Histogram summaries: counts in buckets that grow by a tenth."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import provides, public
from ossia_core.proto import HistogramProto, Summary
from ossia_summary.scalar import REAL, _text
from ossia_summary.scopes import collect, summary_scope


def _bucket_limits() -> np.ndarray:
    """Upper limits: 0, and ±1e-12 times powers of 1.1 below 1e20, and the largest double."""
    positive, limit = [], 1e-12
    while limit < 1e20:
        positive.append(limit)
        limit *= 1.1
    positive.append(sys.float_info.max)
    return np.array([-limit for limit in reversed(positive)] + [0.0] + positive)


_LIMITS = _bucket_limits()

histogram_summary_op = op("HistogramSummary(tag: string, values: T) -> summary: string", T=REAL + " = DT_FLOAT")
histogram_summary_op.shape(scalar_shape)


@histogram_summary_op.kernel
def _(tag, values):
    if np.ndim(tag):
        raise InvalidArgumentError(None, None, "tag must be scalar")
    return histogram_summary_proto(_text(np.asarray(tag, object).item()), values).SerializeToString()


def histogram_summary_proto(tag: str, values: Any) -> Any:
    """The Summary of the histogram of an array.

    Raises:
      InvalidArgumentError: it holds NaN or an infinity.
    """
    values = np.asarray(values).ravel()
    tiny = np.finfo(values.dtype).tiny if values.dtype in (np.float32, np.float64) else 0
    values = values.astype(np.float64)
    values[np.abs(values) < tiny] = 0  # denormals count as 0
    if not np.isfinite(values).all():
        first = values[~np.isfinite(values)][0]
        raise InvalidArgumentError(
            None, None, f"{'Nan' if np.isnan(first) else 'Infinity'} in summary histogram for: {tag}"
        )
    return Summary(value=[Summary.Value(tag=tag, histo=histogram_proto(values))])


def histogram_proto(values: np.ndarray) -> Any:
    """The HistogramProto of finite doubles; runs of empty buckets are joined."""
    counts = np.bincount(np.searchsorted(_LIMITS, values, "right"), minlength=len(_LIMITS))[: len(_LIMITS)]
    if values.size:
        low, high = values.min(), values.max()
        total, squares = values.cumsum()[-1], np.cumsum(values * values)[-1]  # in order, as one loop would
    else:
        low, high, total, squares = sys.float_info.max, -sys.float_info.max, 0.0, 0.0
    filled = counts > 0
    kept = filled | np.append(filled[1:], True)  # every full bucket, and the last of each empty run
    return HistogramProto(
        min=low,
        max=high,
        num=values.size,
        sum=total,
        sum_squares=squares,
        bucket_limit=_LIMITS[kept].tolist(),
        bucket=counts[kept].astype(np.float64).tolist(),
    )


histogram_summary_op.not_differentiable()
histogram_summary_op.samples(
    plain=(b"w", [1.0, -2.0, 0.0]), empty=(b"w", np.zeros(0, np.float32)), integers=(b"w", [1, 2, 300])
)


@provides("ossia_summary_kinds", "histogram")
def histogram(name: str, values: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """A summary of how the elements of a tensor are distributed.

    Args:
        name: Name of the op, and with its scope the tag that TensorBoard shows.
        values: Real numbers of any shape.
        collections: Names of the collections to add it to; `["summaries"]` if None.
        family: Groups tags: a prefix of name and tag.

    Returns:
        A scalar string tensor, a serialised `Summary`. Running it raises InvalidArgumentError for NaN and infinity.
    """
    with summary_scope(name, family, [values]) as (tag, scope):
        return collect(histogram_summary_op(tag, values, name=scope), collections)


@public("histogram_summary")
def histogram_summary(tag: Any, values: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """`tf.summary.histogram` under its first name, with the tag as a string or string tensor of its own."""
    with name_scope(name, "HistogramSummary", [tag, values]) as scope:
        return collect(histogram_summary_op(tag, values, name=scope), collections)

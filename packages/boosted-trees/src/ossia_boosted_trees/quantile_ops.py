"""Quantiles of features as ops: summaries of batches, the streams that take them, and the buckets of values."""

from __future__ import annotations

import operator
import threading
from typing import Any

import numpy as np

from ossia_boosted_trees.quantiles import Stream, Summary, boundaries, quantiles
from ossia_boosted_trees.resources import found
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import merge, scalar, vector, with_rank
from ossia_core.forks import renewed
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape

_NAMED = {"container": "string = ''", "shared_name": "string = ''"}


class Streams:
    """The streams of several features, and the boundaries of those that have ended.

    Args:
        error: How far ranks may be off.
        count: How many features there are.
        most: How many values come at most.
    """

    def __init__(self, error: float, count: int, most: int) -> None:
        self._made = error, most
        self.lock = renewed(threading.Lock())
        self.streams = [Stream(error, most) for _ in range(count)]
        self.boundaries = [np.zeros(0, np.float32)] * count

    def check(self, count: int) -> None:
        """Refuses another number of features.

        Raises:
            InvalidArgumentError: There is another number of streams.
        """
        if count != len(self.streams):
            raise InvalidArgumentError(None, None, f"There are {len(self.streams)} streams, not {count}.")

    def end(self, count: int, of_one_weight: bool) -> None:
        """Makes boundaries of what has come, and begins anew."""
        if count < 1:
            raise InvalidArgumentError(None, None, f"There cannot be {count} buckets.")
        divide = quantiles if of_one_weight else boundaries
        self.boundaries = [np.unique(divide(stream.whole(), count)) for stream in self.streams]
        self.streams = [Stream(*self._made) for _ in self.streams]


stream_handle_op = op("BoostedTreesQuantileStreamResourceHandleOp() -> resource: resource", stateful=True, **_NAMED)
stream_handle_op.shape(scalar)
stream_handle_op.resource(found("quantile streams"))
stream_handle_op.in_any_order()

_HANDLE = "quantile_stream_resource_handle: resource"
is_stream_initialized_op = op(
    f"IsBoostedTreesQuantileStreamResourceInitialized({_HANDLE}) -> is_initialized: bool", stateful=True
)
create_stream_op = op(
    f"BoostedTreesCreateQuantileStreamResource({_HANDLE}, epsilon: float, num_streams: int64)",
    max_elements="int = 1099511627776", stateful=True,
)
make_summaries_op = op(
    "BoostedTreesMakeQuantileSummaries(float_values: num_features * float, example_weights: float, epsilon: float) -> "
    "summaries: num_features * float", num_features="int >= 0",
)
add_summaries_op = op(
    f"BoostedTreesQuantileStreamResourceAddSummaries({_HANDLE}, summaries: num_features * float)",
    num_features="int >= 0", stateful=True,
)
flush_summaries_op = op(
    f"BoostedTreesFlushQuantileSummaries({_HANDLE}) -> summaries: num_features * float",
    num_features="int >= 0", stateful=True,
)
flush_op = op(
    f"BoostedTreesQuantileStreamResourceFlush({_HANDLE}, num_buckets: int64)",
    generate_quantiles="bool = false", stateful=True,
)
deserialize_op = op(
    f"BoostedTreesQuantileStreamResourceDeserialize({_HANDLE}, bucket_boundaries: num_streams * float)",
    num_streams="int >= 1", stateful=True,
)
get_boundaries_op = op(
    f"BoostedTreesQuantileStreamResourceGetBucketBoundaries({_HANDLE}) -> bucket_boundaries: num_features * float",
    num_features="int >= 0", stateful=True,
)
bucketize_op = op(
    "BoostedTreesBucketize(float_values: num_features * float, bucket_boundaries: num_features * float) -> "
    "buckets: num_features * int32", num_features="int >= 0",
)
for _definition in (is_stream_initialized_op, get_boundaries_op):
    _definition.reads("quantile_stream_resource_handle")
for _definition in (create_stream_op, add_summaries_op, flush_summaries_op, flush_op, deserialize_op):
    _definition.changes("quantile_stream_resource_handle")

is_stream_initialized_op.shape(lambda quantile_stream_resource_handle: scalar())
flush_summaries_op.shape(
    lambda quantile_stream_resource_handle, *, num_features: (TensorShape([None, 4]),) * num_features
)
get_boundaries_op.shape(lambda quantile_stream_resource_handle, *, num_features: (vector(None),) * num_features)


@create_stream_op.shape
def _(quantile_stream_resource_handle, epsilon, num_streams):
    with_rank(epsilon, 0), with_rank(num_streams, 0)
    return ()


@make_summaries_op.shape
def _(float_values, example_weights, epsilon):
    with_rank(example_weights, 1), with_rank(epsilon, 0)
    for each in float_values:
        with_rank(each, 1)
    return (TensorShape([None, 4]),) * len(float_values)


@add_summaries_op.shape
def _(quantile_stream_resource_handle, summaries):
    for each in summaries:
        with_rank(each, 2)
    return ()


@flush_op.shape
def _(quantile_stream_resource_handle, num_buckets):
    with_rank(num_buckets, 0)
    return ()


@deserialize_op.shape
def _(quantile_stream_resource_handle, bucket_boundaries):
    for each in bucket_boundaries:
        with_rank(each, 1)
    return ()


@bucketize_op.shape
def _(float_values, bucket_boundaries):
    for each in bucket_boundaries:
        with_rank(each, 1)
    values = with_rank(float_values[0], 1) if len(float_values) else None
    for each in float_values:
        values = merge(values, each)
    return (values,) * len(float_values)


@is_stream_initialized_op.kernel
def _(quantile_stream_resource_handle):
    return np.bool_(quantile_stream_resource_handle.value is not None)


@create_stream_op.kernel
def _(quantile_stream_resource_handle, epsilon, num_streams, *, max_elements):
    if not 0 < epsilon < 1:
        raise InvalidArgumentError(None, None, f"epsilon must be in (0, 1), and is {epsilon}.")
    if num_streams < 0:
        raise InvalidArgumentError(None, None, f"There cannot be {num_streams} streams.")
    if quantile_stream_resource_handle.value is None:
        made = Streams(float(epsilon), operator.index(num_streams), max_elements)
        quantile_stream_resource_handle.value = made


@make_summaries_op.kernel
def _(float_values, example_weights, epsilon):
    if not 0 < epsilon < 1:
        raise InvalidArgumentError(None, None, f"epsilon must be in (0, 1), and is {epsilon}.")
    made = []
    for values in float_values:
        count = len(values)
        if example_weights.shape not in ((count,), (1,)):
            raise InvalidArgumentError(None, None, f"{count} values have weights of shape {example_weights.shape}.")
        stream = Stream(float(epsilon), count + 1)
        stream.push(values, np.broadcast_to(example_weights, values.shape))
        made.append(np.stack(stream.whole(), axis=1))
    return tuple(made)


@add_summaries_op.kernel
def _(quantile_stream_resource_handle, summaries):
    streams = quantile_stream_resource_handle.get()
    with streams.lock:
        streams.check(len(summaries))
        for stream, summary in zip(streams.streams, summaries):
            if summary.shape[1:] != (4,):
                raise InvalidArgumentError(None, None, f"A summary has 4 columns, not shape {summary.shape}.")
            stream.push_summary(Summary(*np.ascontiguousarray(summary.T)))


@flush_summaries_op.kernel
def _(quantile_stream_resource_handle, *, num_features):
    streams = quantile_stream_resource_handle.get()
    with streams.lock:
        streams.check(num_features)
        made = tuple(np.stack(stream.whole(), axis=1) for stream in streams.streams)
        streams.streams = [Stream(*streams._made) for _ in streams.streams]
        return made


@flush_op.kernel
def _(quantile_stream_resource_handle, num_buckets, *, generate_quantiles):
    streams = quantile_stream_resource_handle.get()
    with streams.lock:
        streams.end(operator.index(num_buckets), generate_quantiles)


@deserialize_op.kernel
def _(quantile_stream_resource_handle, bucket_boundaries):
    streams = quantile_stream_resource_handle.get()
    with streams.lock:
        streams.check(len(bucket_boundaries))
        streams.boundaries = [each.copy() for each in bucket_boundaries]


@get_boundaries_op.kernel
def _(quantile_stream_resource_handle, *, num_features):
    streams = quantile_stream_resource_handle.get()
    with streams.lock:
        streams.check(num_features)
        return tuple(each.copy() for each in streams.boundaries)


@bucketize_op.kernel
def _(float_values, bucket_boundaries):
    return tuple(_buckets(values, limits) for values, limits in zip(float_values, bucket_boundaries))


def _buckets(values: Any, limits: Any) -> np.ndarray:
    """The first boundary that is not below each value, or the last; a NaN is below all."""
    places = np.minimum(np.searchsorted(limits, values), max(len(limits) - 1, 0))
    return np.where(np.isnan(values), 0, places).astype(np.int32)

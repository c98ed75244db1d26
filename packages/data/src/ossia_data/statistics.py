"""Statistics of datasets: what gathers them, and the datasets that give some."""
from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import SCALAR
from ossia_core.forks import renewed
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.state import SessionState, resource_name
from ossia_core.proto import HistogramProto, Summary
from ossia_data.elements import Element, Elements, Iteration, dataset_op
from ossia_data.passing import Passed
from ossia_data.settings import BOTH

_GROWTH, _LEAST, _MOST = 1.1, 1e-12, 1e20  # limits of the buckets of histograms
_BEYOND = float(np.finfo(np.float64).max)


def _limits() -> np.ndarray:
    found = [_LEAST]
    while found[-1] * _GROWTH < _MOST:
        found.append(found[-1] * _GROWTH)
    positive = np.array([*found, _BEYOND])
    return np.concatenate([-positive[::-1], [0.0], positive])


class _Histogram:
    def __init__(self) -> None:
        self.values: list[float] = []

    def proto(self) -> Any:
        values = np.array(self.values)
        limits = _limits()
        counts = np.bincount(np.searchsorted(limits, values, "right"), minlength=len(limits))[: len(limits)]
        proto = HistogramProto(
            min=values.min(), max=values.max(), num=len(values), sum=values.sum(), sum_squares=(values**2).sum()
        )
        last = -1
        for i in np.flatnonzero(counts).tolist():
            if i - 1 > last:
                proto.bucket_limit.append(limits[i - 1])
                proto.bucket.append(0)
            proto.bucket_limit.append(limits[i])
            proto.bucket.append(float(counts[i]))
            last = i
        if proto.bucket_limit and proto.bucket_limit[-1] != _BEYOND:
            proto.bucket_limit.append(_BEYOND)
            proto.bucket.append(0)
        return proto


class Aggregator:
    """The statistics of a session's datasets, by name."""

    def __init__(self) -> None:
        self._histograms: dict[str, _Histogram] = {}
        self._scalars: dict[str, float] = {}
        self._lock = renewed(threading.Lock())

    def add(self, name: str, values: list[float]) -> None:
        """Put values into a histogram."""
        with self._lock:
            self._histograms.setdefault(name, _Histogram()).values.extend(values)

    def count(self, name: str, by: float = 1.0) -> None:
        """Raise a number."""
        with self._lock:
            self._scalars[name] = self._scalars.get(name, 0.0) + by

    def summary(self) -> bytes:
        """A serialised Summary of all."""
        summary = Summary()
        with self._lock:
            for name, histogram in sorted(self._histograms.items()):
                summary.value.add(tag=name, histo=histogram.proto())
            for name, number in sorted(self._scalars.items()):
                summary.value.add(tag=name, simple_value=number)
        return summary.SerializeToString()


class Gathered(Passed):
    """The elements; the datasets below give their statistics to an aggregator."""

    def __init__(self, source: Elements, aggregator: Aggregator, tag: str, counter_prefix: str) -> None:
        super().__init__([source])
        self._statistics = aggregator, f"{tag}::" if tag else "", counter_prefix

    def start(self, iteration: Iteration) -> Iterator[Element]:
        inner = Iteration(iteration.session)
        inner.statistics = self._statistics
        return self.input.start(inner)


class Measured(Passed):
    """The elements; `measure` of each, and of how long it took, goes to the aggregator."""

    def __init__(self, source: Elements, tag: str, measure: Callable[[Element, float], float]) -> None:
        super().__init__([source])
        self._tag, self._measure = tag, measure

    def start(self, iteration: Iteration) -> Iterator[Element]:
        source = self.input.start(iteration)
        if iteration.statistics is None:
            return source
        aggregator, prefix, _ = iteration.statistics
        return _Measured(source, aggregator, prefix + self._tag, self._measure)


class _Measured:
    def __init__(self, source: Iterator[Element], aggregator: Aggregator, name: str, measure: Callable) -> None:
        self._source, self._aggregator, self._name, self._measure = source, aggregator, name, measure

    def __iter__(self) -> _Measured:
        return self

    def __next__(self) -> Element:
        begin = time.perf_counter()
        found = next(self._source)
        self._aggregator.add(self._name, [self._measure(found, time.perf_counter() - begin)])
        return found


def _bytes(element: Element, _: float) -> float:
    return float(sum(
        value.nbytes if isinstance(value, (np.ndarray, np.generic)) else len(value) for value in element
    ))


def _microseconds(_: Element, seconds: float) -> float:
    return float(int(seconds * 1e6))


def _tag(value: Any) -> str:
    found = np.asarray(value, object).item()
    return found.decode() if isinstance(found, bytes) else found


for _prefix in BOTH:
    for _kind, _measure in (("BytesProducedStats", _bytes), ("LatencyStats", _microseconds)):
        dataset_op(f"{_prefix}{_kind}Dataset(input_dataset: variant, tag: string) -> handle: variant").kernel(
            lambda source, tag, measure=_measure: Measured(source, _tag(tag), measure)
        )
    _setting = dataset_op(
        f"{_prefix}SetStatsAggregatorDataset(input_dataset: variant, stats_aggregator: resource, tag: string, "
        "counter_prefix: string) -> handle: variant", stateful=True,
    )
    _setting.changes("stats_aggregator")
    _setting.kernel(
        lambda source, aggregator, tag, counter: Gathered(source, aggregator, _tag(tag), _tag(counter))
    )
    _summary = op(f"{_prefix}StatsAggregatorSummary(iterator: resource) -> summary: string", stateful=True)
    _summary.reads("iterator")
    _summary.shape(lambda iterator: SCALAR)
    _summary.kernel(lambda aggregator: aggregator.summary())
    _summary.not_differentiable()


def _held(node: Any, session: SessionState) -> Aggregator:
    return session.resource(node.attrs["container"], resource_name(node), "stats_aggregator", Aggregator)


for _type in ("StatsAggregatorHandle", "ExperimentalStatsAggregatorHandle", "StatsAggregatorHandleV2"):
    _made = op(f"{_type}() -> handle: resource", stateful=True, container="string = ''", shared_name="string = ''")
    _made.makes()
    _made.shape(lambda: SCALAR)
    _made.resource(_held)
    _made.not_differentiable()

_writer = op("StatsAggregatorSetSummaryWriter(stats_aggregator: resource, summary: resource)", stateful=True)
_writer.changes("stats_aggregator")
_writer.reads("summary")
_writer.kernel(lambda aggregator, summary: None)
_writer.not_differentiable()


@public("data.experimental.StatsAggregator")
class StatsAggregator:
    """Gathers statistics of the datasets whose options name it."""

    def __init__(self) -> None:
        self._resource = lookup("StatsAggregatorHandle")()

    def get_summary(self) -> Tensor:
        """A serialised Summary of what has been gathered, a string scalar."""
        return lookup("StatsAggregatorSummary")(self._resource)


@public("compat.v2.data.experimental.StatsAggregator")
class StatsAggregatorV2:
    """Gathers statistics of the datasets whose options name it."""

    def __init__(self) -> None:
        self._resource = lookup("StatsAggregatorHandleV2")()


def _tagged(kind: str, tag: Any) -> Callable[[Any], Any]:
    def apply(dataset: Any) -> Any:
        return dataset._same(kind, convert_to_tensor(tag, dtypes.string))

    return apply


@public("data.experimental.bytes_produced_stats", "compat.v2.data.experimental.bytes_produced_stats")
def bytes_produced_stats(tag: Any) -> Callable[[Any], Any]:
    """The elements, and a histogram of how many bytes they have, by the name `tag`, for the aggregator."""
    return _tagged("BytesProducedStatsDataset", tag)


@public("data.experimental.latency_stats", "compat.v2.data.experimental.latency_stats")
def latency_stats(tag: Any) -> Callable[[Any], Any]:
    """The elements, and a histogram of how many microseconds they took, by the name `tag`, for the aggregator."""
    return _tagged("LatencyStatsDataset", tag)

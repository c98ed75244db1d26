"""`python.data.experimental.ops`: transformations that the original keeps to itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_data import structure

Transformation = Callable[[Any], Any]


def _with(kind: str, *given: tuple[Any, Any, str]) -> Transformation:
    """The transformation of an op that keeps the structure of elements."""
    def apply(dataset: Any) -> Any:
        inputs = [convert_to_tensor(value, dtype, name=name) for value, dtype, name in given]
        return dataset._same(kind, *inputs)

    return apply


def assert_next(transformations: Any) -> Transformation:
    """The elements, of a dataset that consists of these transformations."""
    return _with("AssertNextDataset", (transformations, dtypes.string, "transformations"))


def model() -> Transformation:
    """The elements, of a dataset that is tuned while it runs."""
    return _with("ModelDataset")


def optimize(optimizations: Any = None) -> Transformation:
    """The elements, of a dataset with these rewritings."""
    return _with("OptimizeDataset", ([] if optimizations is None else optimizations, dtypes.string, "optimizations"))


def non_serializable() -> Transformation:
    """The elements, of a dataset without a position that can be kept."""
    return _with("NonSerializableDataset")


def sleep(sleep_microseconds: Any) -> Transformation:
    """The elements, each after a while."""
    return _with("SleepDataset", (sleep_microseconds, dtypes.int64, "sleep_microseconds"))


def set_stats_aggregator(stats_aggregator: Any, prefix: Any = "", counter_prefix: Any = "") -> Transformation:
    """The elements; the aggregator gets their statistics."""
    return lambda dataset: dataset._same(
        "SetStatsAggregatorDataset", stats_aggregator._resource, prefix, counter_prefix
    )


class PrivateThreadPool:
    """Threads for some datasets alone.

    Args:
        num_threads: How many.
        display_name: Their name.
        max_intra_op_parallelism: How many of them may share the work of one op.
    """

    def __init__(self, num_threads: int, display_name: str | None = None, max_intra_op_parallelism: int = 1) -> None:
        self._resource = lookup("ThreadPoolHandle")(
            num_threads=num_threads, max_intra_op_parallelism=max_intra_op_parallelism,
            display_name=display_name or "private_thread_pool",
        )


def override_threadpool(dataset: Any, thread_pool: Any) -> Any:
    """The elements, made by the threads of a pool."""
    return dataset._same("ThreadPoolDataset", thread_pool._resource)


def MatchingFilesDataset(patterns: Any) -> Any:
    """The names of the files that match patterns, in their order."""
    names = convert_to_tensor(patterns, dtypes.string, name="patterns")
    return tf.data.Dataset(lookup("MatchingFilesDataset")(names), TensorSpec([], dtypes.string))


def _RebatchDataset(input_dataset: Any, num_replicas: Any, use_fallback: bool = True) -> Any:
    """Each batch cut into one for each replica."""
    def smaller(shape: Any) -> Any:
        if shape.ndims is None:
            return shape
        rows = shape.as_list()[0]
        known = rows is not None and isinstance(num_replicas, int) and not rows % num_replicas
        return tf.TensorShape([rows // num_replicas if known else None]).concatenate(shape[1:])

    spec = structure.mapped(lambda s: TensorSpec(smaller(s.shape), s.dtype), input_dataset.element_spec)
    made = lookup("RebatchDataset")(
        input_dataset._variant_tensor, convert_to_tensor(num_replicas, dtypes.int64, name="num_replicas"),
        use_fallback=use_fallback, **structure.outputs(spec),
    )
    return tf.data.Dataset(made, spec)


def _AutoShardDataset(input_dataset: Any, num_workers: Any, index: Any) -> Any:
    """The part of one of several workers."""
    return _with(
        "AutoShardDataset", (num_workers, dtypes.int64, "num_workers"), (index, dtypes.int64, "index")
    )(input_dataset)

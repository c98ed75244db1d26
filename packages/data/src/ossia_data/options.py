"""`tf.data.Options`: how datasets run, and the nodes that say so."""
from __future__ import annotations

import copy
from typing import Any, ClassVar

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public

_DEFAULTS = ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion")


class _Settings:
    """Attributes of the types in `_types`, None until they are set; another name is refused."""

    _types: ClassVar[dict[str, type]] = {}
    _starts: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        for name, kind in self._types.items():
            object.__setattr__(self, name, kind() if issubclass(kind, _Settings) else self._starts.get(name))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._types:
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        kind = self._types[name]
        if value is not None and not isinstance(value, kind):
            raise TypeError(f'Property "{name}" must be of type {kind}, got: {value!r} (type: {type(value)!r})')
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, n) == getattr(other, n) for n in self._types)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def _copied(self) -> Any:
        """A copy; what gathers statistics is one thing, and is not copied."""
        made = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, _Settings):
                object.__setattr__(made, name, value._copied())
        return made

    def _take_over(self, other: Any) -> None:
        for name in self._types:
            value = getattr(other, name)
            if isinstance(value, _Settings):
                mine = getattr(self, name)
                if mine is None:
                    setattr(self, name, value._copied())
                else:
                    mine._take_over(value)
            elif value is not None and value != self._starts.get(name):
                setattr(self, name, value)


@public("data.experimental.MapVectorizationOptions", "compat.v2.data.experimental.MapVectorizationOptions")
class MapVectorizationOptions(_Settings):
    """Whether functions on elements are called on batches of them, and whether the faster of both is chosen."""

    _types = {"enabled": bool, "use_choose_fastest": bool}


@public("data.experimental.OptimizationOptions", "compat.v2.data.experimental.OptimizationOptions")
class OptimizationOptions(_Settings):
    """Which rewritings of datasets are wanted; only `shuffle_and_repeat_fusion` changes what elements there are."""

    _types = {
        **dict.fromkeys((
            "apply_default_optimizations", "autotune", "autotune_buffers", "filter_fusion",
            "filter_with_random_uniform_fusion", "hoist_random_uniform", "map_and_batch_fusion",
            "map_and_filter_fusion", "map_fusion", "map_parallelization", "noop_elimination", "parallel_batch",
            "shuffle_and_repeat_fusion",
        ), bool),
        "autotune_algorithm": int, "autotune_cpu_budget": int, "map_vectorization": MapVectorizationOptions,
    }

    def wanted(self) -> list[str]:
        """The rewritings that are wanted, in the order of their names."""
        given = {name for name, kind in self._types.items() if kind is bool and getattr(self, name) is True}
        if self.apply_default_optimizations is not False:  # type: ignore[attr-defined]
            given |= {name for name in _DEFAULTS if getattr(self, name) is not False}
        if self.map_vectorization is not None and self.map_vectorization.enabled:  # type: ignore[attr-defined]
            given.add("map_vectorization")
        if "autotune_buffers" in given:
            given.add("inject_prefetch")
        return sorted(given - {"apply_default_optimizations", "autotune", "autotune_buffers"})


@public("data.experimental.ThreadingOptions", "compat.v2.data.experimental.ThreadingOptions")
class ThreadingOptions(_Settings):
    """How many threads datasets use."""

    _types = {"max_intra_op_parallelism": int, "private_threadpool_size": int}


@public("data.experimental.DistributeOptions", "compat.v2.data.experimental.DistributeOptions")
class DistributeOptions(_Settings):
    """How datasets are shared among workers."""

    _types = {"auto_shard": bool, "num_devices": int}
    _starts = {"auto_shard": True}


@public("data.experimental.StatsOptions", "compat.v2.data.experimental.StatsOptions")
class StatsOptions(_Settings):
    """What gathers the statistics of a dataset, and under which names."""

    _types = {"aggregator": object, "prefix": str, "counter_prefix": str, "latency_all_edges": bool}
    _starts = {"prefix": "", "counter_prefix": ""}


@public("data.Options", "compat.v2.data.Options")
class Options(_Settings):
    """How a dataset runs, see `Dataset.with_options`."""

    _types = {
        "experimental_deterministic": bool, "experimental_distribute": DistributeOptions,
        "experimental_optimization": OptimizationOptions, "experimental_slack": bool,
        "experimental_stateful_whitelist": list, "experimental_stats": StatsOptions,
        "experimental_threading": ThreadingOptions,
    }
    experimental_deterministic: Any
    experimental_optimization: Any
    experimental_slack: Any
    experimental_stats: Any
    experimental_threading: Any

    def merge(self, options: Options) -> Options:
        """New options: these, and over them what the others have set."""
        made = self._copied()
        made._take_over(options)
        return made

    def optimizations(self) -> list[str]:
        """The rewritings of a dataset with these options: by name, then those that other options ask for."""
        found = [] if self.experimental_optimization is None else self.experimental_optimization.wanted()
        if self.experimental_deterministic is False:
            found.append("make_sloppy")
        if self.experimental_slack:
            found.append("slack")
        if self.experimental_stats is not None and self.experimental_stats.latency_all_edges:
            found.append("latency_all_edges")
        return found


def _configured(options: Options) -> list[str]:
    vectorization = getattr(options.experimental_optimization, "map_vectorization", None)
    chosen = "true" if vectorization is not None and vectorization.use_choose_fastest else "false"
    configs = [f"map_vectorization:use_choose_fastest:{chosen}"]
    return [*configs, "slack:slack_period:1"] if options.experimental_slack else configs


def applied(options: Options, dataset: Tensor, outputs: dict[str, Any]) -> Tensor:
    """The dataset as iterators run it with these options."""
    threading, optimization, stats = (
        options.experimental_threading, options.experimental_optimization, options.experimental_stats
    )
    if threading is not None:
        for setting, argument, kind in (
            ("max_intra_op_parallelism", "max_intra_op_parallelism", "MaxIntraOpParallelismDataset"),
            ("private_threadpool_size", "num_threads", "PrivateThreadPoolDataset"),
        ):
            if getattr(threading, setting) is not None:
                number = convert_to_tensor(getattr(threading, setting), dtypes.int64, name=argument)
                dataset = lookup(kind)(dataset, number, **outputs)
    chosen = options.optimizations()
    if chosen:
        names = constant(chosen, dtypes.string, name="optimizations")
        dataset = lookup("OptimizeDataset")(dataset, names, optimization_configs=_configured(options), **outputs)
    if optimization is None or optimization.autotune is not False:
        dataset = lookup("ModelDataset")(
            dataset, algorithm=getattr(optimization, "autotune_algorithm", None) or 0,
            cpu_budget=getattr(optimization, "autotune_cpu_budget", None) or 0, **outputs,
        )
    if stats is not None and stats.aggregator is not None:
        dataset = lookup("SetStatsAggregatorDataset")(
            dataset, stats.aggregator._resource, stats.prefix, stats.counter_prefix, **outputs
        )
    return dataset

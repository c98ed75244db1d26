"""`tf.data.Options`: how datasets run."""
from __future__ import annotations

import copy
from typing import Any

from ossia_core.plugins.api_table import public

_DEFAULTS = ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion")


class _Settings:
    """Attributes that are None until they are set; another name is refused."""

    _names: tuple[str, ...] = ()

    def __init__(self) -> None:
        for name in self._names:
            object.__setattr__(self, name, None)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._names:
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, n) == getattr(other, n) for n in self._names)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]


@public("data.experimental.OptimizationOptions", "compat.v2.data.experimental.OptimizationOptions")
class OptimizationOptions(_Settings):
    """Which rewritings of datasets are wanted; only `shuffle_and_repeat_fusion` changes what elements there are."""

    _names = (
        "apply_default_optimizations", "autotune", "autotune_algorithm", "autotune_buffers", "autotune_cpu_budget",
        "filter_fusion", "filter_with_random_uniform_fusion", "hoist_random_uniform", "map_and_batch_fusion",
        "map_and_filter_fusion", "map_fusion", "map_parallelization", "map_vectorization", "noop_elimination",
        "parallel_batch", "shuffle_and_repeat_fusion",
    )


@public("data.experimental.ThreadingOptions", "compat.v2.data.experimental.ThreadingOptions")
class ThreadingOptions(_Settings):
    """How many threads datasets use; accepted, and changes nothing."""

    _names = ("max_intra_op_parallelism", "private_threadpool_size")


@public("data.Options", "compat.v2.data.Options")
class Options(_Settings):
    """How a dataset runs, see `Dataset.with_options`."""

    _names = (
        "experimental_deterministic", "experimental_distribute", "experimental_external_state_policy",
        "experimental_optimization", "experimental_slack", "experimental_stats", "experimental_threading",
    )

    def __init__(self) -> None:
        super().__init__()
        self.experimental_optimization = OptimizationOptions()
        self.experimental_threading = ThreadingOptions()

    def merge(self, options: Options) -> Options:
        """New options: these, and over them what the others have set."""
        made = copy.deepcopy(self)
        for name in self._names:
            value = getattr(options, name)
            if isinstance(value, _Settings):
                for part in value._names:
                    if getattr(value, part) is not None:
                        setattr(getattr(made, name), part, getattr(value, part))
            elif value is not None:
                setattr(made, name, value)
        return made

    def optimizations(self) -> list[str]:
        """The rewritings that are wanted, in the order of their names."""
        wanted = self.experimental_optimization
        given = [name for name in wanted._names if getattr(wanted, name) is True and "_" in name
                 and not name.startswith(("apply", "autotune"))]
        if vars(wanted)["apply_default_optimizations"] is not False:
            given += [name for name in _DEFAULTS if getattr(wanted, name) is not False]
        return sorted(set(given))

"""Benchmarks: classes whose `benchmark*` methods `tf.test.main --benchmarks=REGEX` runs."""

from __future__ import annotations

import inspect
import re
import time
from typing import Any

import numpy as np

from ossia_core.plugins.api_table import public

_classes: list[type] = []


@public("test.Benchmark")
class Benchmark:
    """Base class of benchmarks; a subclass is registered when it is defined.

    Example:
        class MatmulBenchmark(tf.test.Benchmark):
            def benchmark_small(self):
                with tf.Session() as session:
                    self.run_op_benchmark(session, tf.matmul(a, b))
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _classes.append(cls)

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether the class has no benchmarks of its own."""
        return not any(name.startswith("benchmark") for name in dir(cls))

    def _get_name(self, overwrite_name: str | None = None) -> str:
        """The name of the benchmark that is running, `Class.method`, of the outermost method; or the given name after
        `Class.`."""
        method = overwrite_name
        frame = inspect.currentframe()
        while overwrite_name is None and frame is not None:
            if frame.f_locals.get("self") is self:
                method = frame.f_code.co_name
            frame = frame.f_back
        return f"{type(self).__name__}.{method}"

    def report_benchmark(
        self,
        iters: int | None = None,
        cpu_time: float | None = None,
        wall_time: float | None = None,
        throughput: float | None = None,
        extras: dict[str, Any] | None = None,
        name: str | None = None,
        metrics: Any = None,
    ) -> None:
        """Prints a result.

        Args:
            iters: how often the measured thing was run.
            cpu_time: seconds of processor time per run.
            wall_time: seconds per run.
            throughput: megabytes per second.
            extras: more values by name, numbers or text.
            name: the result's name, the running method's by default.
            metrics: a list of dicts with `name` and `value`.
        """
        values = {
            "iters": iters, "wall_time": wall_time, "cpu_time": cpu_time, "throughput": throughput,
            "extras": extras, "metrics": metrics,
        }  # fmt: skip
        text = ", ".join(f"{key}: {value}" for key, value in values.items() if value is not None)
        print(f"{self._get_name(name)}: {text}", flush=True)

    def run_op_benchmark(
        self,
        sess: Any,
        op_or_tensor: Any,
        feed_dict: dict[Any, Any] | None = None,
        burn_iters: int = 2,
        min_iters: int = 10,
        store_trace: bool = False,
        store_memory_usage: bool = True,
        name: str | None = None,
        extras: dict[str, Any] | None = None,
        mbs: float = 0,
    ) -> dict[str, Any]:
        """Measures runs of an operation, and reports the result.

        Args:
            sess: the session.
            op_or_tensor: what to run; a tensor is computed but not fetched.
            feed_dict: what to feed.
            burn_iters: how often to run before measuring.
            min_iters: how often to run at least.
            store_trace: has no effect.
            store_memory_usage: has no effect.
            name: the result's name.
            extras: more values to report.
            mbs: megabytes that a run moves, for the throughput.

        Returns:
            A dict of `iters`, `wall_time` (the median, in seconds), `throughput` and `extras`.
        """
        target = getattr(op_or_tensor, "op", op_or_tensor)
        for _ in range(burn_iters):
            sess.run(target, feed_dict=feed_dict)
        seconds: list[float] = []
        while len(seconds) < min_iters:
            start = time.perf_counter()
            sess.run(target, feed_dict=feed_dict)
            seconds.append(time.perf_counter() - start)
        median = float(np.median(seconds)) if seconds else 0.0
        extras = dict(extras or {})
        extras["wall_time_mean"] = float(np.mean(seconds)) if seconds else 0.0
        extras["wall_time_stdev"] = float(np.std(seconds)) if seconds else 0.0
        result: dict[str, Any] = {
            "iters": min_iters,
            "wall_time": median,
            "extras": extras,
            "throughput": mbs / median if median else 0.0,
        }
        self.report_benchmark(name=name, **result)
        return result

    def evaluate(self, tensors: Any) -> Any:
        """Returns the values of tensors in the default session, or in a new one."""
        from ossia_core.graph.stack import get_default_session
        from ossia_core.session.session import Session

        session = get_default_session()
        if session is not None:
            return session.run(tensors)
        with Session() as session:
            return session.run(tensors)


def run_all(pattern: str) -> None:
    """Runs the benchmarks in whose names, `module.Class.method`, a regular expression is found; `all` runs all."""
    chosen = re.compile("" if pattern == "all" else pattern)
    for cls in list(_classes):
        for method in sorted(name for name in dir(cls) if name.startswith("benchmark")):
            if callable(getattr(cls, method)) and chosen.search(f"{cls.__module__}.{cls.__name__}.{method}"):
                getattr(cls(), method)()

"""Where the time of a run goes, operator by operator."""

from __future__ import annotations

import time
from typing import NamedTuple

from ossia_lite.interpreter import Interpreter


class OperatorTime(NamedTuple):
    """An operator of the main subgraph: its place, its kind, its first result, its median time."""

    place: int
    operator: str
    result: str
    microseconds: float


def operator_times(interpreter: Interpreter, runs: int = 10) -> tuple[float, list[OperatorTime]]:
    """Times of a whole run and of each operator.

    Args:
        interpreter: With its tensors allocated and its inputs set.
        runs: How many runs; the median of each time counts.

    Returns:
        The median microseconds of `invoke`, and a row per operator in their order.
    """
    interpreter.invoke()
    whole = []
    for _ in range(runs):
        start = time.perf_counter()
        interpreter.invoke()
        whole.append(time.perf_counter() - start)
    steps = [interpreter.step_times() for _ in range(runs)]
    middle = runs // 2
    rows = []
    for place, times in enumerate(zip(*steps, strict=True)):
        operator, result, _ = times[0]
        median = sorted(seconds for _, _, seconds in times)[middle]
        rows.append(OperatorTime(place, operator, result, median * 1e6))
    return sorted(whole)[middle] * 1e6, rows

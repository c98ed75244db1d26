"""The time of day."""
from __future__ import annotations

import time
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, steps
from ossia_core.declare.shape_rules import scalar
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public

timestamp_op = op("Timestamp() -> ts: double", stateful=True)
timestamp_op.shape(scalar)
timestamp_op.kernel(lambda: np.float64(time.time()))
timestamp_op.not_differentiable()


def _later() -> Any:
    first = timestamp_op()
    with get_default_graph().control_dependencies([first]):
        second = timestamp_op()
    # Times differ from run to run; that they are of this century and do not go back stays.
    yield [lookup("Less")(np.float64(1.5e9), first), lookup("LessEqual")(first, second)]


timestamp_op.samples(later=steps(_later))


@public("timestamp", "compat.v2.timestamp")
def timestamp(name: str | None = None) -> Tensor:
    """Seconds since the beginning of 1970, in UTC, as a float64 scalar: the time at which the op runs.

    Args:
      name: name of the result.
    """
    return timestamp_op(name=name)

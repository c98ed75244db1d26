"""How much memory the process has."""

from __future__ import annotations

import os
import resource
import sys
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar
from ossia_core.plugins.api_table import public

_PAGE = os.sysconf("SC_PAGE_SIZE")


def _in_use() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * _PAGE
    except OSError:
        return _most()


def _most() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _limit() -> int:
    return os.sysconf("SC_PHYS_PAGES") * _PAGE


bytes_in_use_op = op("BytesInUse() -> out: int64", stateful=True)
bytes_limit_op = op("BytesLimit() -> out: int64", stateful=True)
max_bytes_in_use_op = op("MaxBytesInUse() -> out: int64", stateful=True)
for _definition, _measure in ((bytes_in_use_op, _in_use), (bytes_limit_op, _limit), (max_bytes_in_use_op, _most)):
    _definition.reads()
    _definition.shape(scalar)
    _definition.kernel(lambda measure=_measure: np.int64(measure()))
    _definition.not_differentiable()


@public("contrib.memory_stats.BytesInUse")
def BytesInUse() -> Any:
    """Bytes of memory that the process has now."""
    return bytes_in_use_op()


@public("contrib.memory_stats.BytesLimit")
def BytesLimit() -> Any:
    """Bytes of memory that the machine has."""
    return bytes_limit_op()


@public("contrib.memory_stats.MaxBytesInUse")
def MaxBytesInUse() -> Any:
    """Bytes of memory that the process had at most."""
    return max_bytes_in_use_op()

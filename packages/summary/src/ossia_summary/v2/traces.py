"""`tf.compat.v2.summary.trace_on` and its relatives: in graphs they say, as in the original, that they do nothing."""

from __future__ import annotations

import logging
from typing import Any

from ossia_core.plugins.api_table import public

_LOG = logging.getLogger("tensorflow")


@public("compat.v2.summary.trace_on")
def trace_on(graph: bool = True, profiler: bool = False) -> None:
    """Warns that traces need eager execution; `tf.RunOptions(trace_level=...)` traces a run.

    Args:
        graph: Accepted for compatibility.
        profiler: Accepted for compatibility.
    """
    _LOG.warning("Must enable trace in eager mode.")


@public("compat.v2.summary.trace_off")
def trace_off() -> None:
    """Does nothing: no trace has begun."""


@public("compat.v2.summary.trace_export")
def trace_export(name: str, step: Any = None, profiler_outdir: str | None = None) -> None:
    """Warns that traces need eager execution.

    Args:
        name: Accepted for compatibility.
        step: Accepted for compatibility.
        profiler_outdir: Accepted for compatibility.
    """
    _LOG.warning("Can only export trace while executing eagerly.")

"""Queue runners of a session, for the length of a block."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public

_running = threading.local()


@public("contrib.slim.queues.NestedQueueRunnerError")
class NestedQueueRunnerError(Exception):
    """A block of `QueueRunners` stands in another."""


@public("contrib.slim.queues.QueueRunners")
@contextlib.contextmanager
def QueueRunners(session: Any) -> Iterator[None]:
    """Runs the threads of all queue runners of the default graph inside the block, and stops them at its end.

    Raises:
      NestedQueueRunnerError: the block stands in another.
    """
    if getattr(_running, "inside", False):
        raise NestedQueueRunnerError("QueueRunners cannot be nested")
    _running.inside = True
    try:
        coord = tf.train.Coordinator()
        threads = []
        for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS):
            threads.extend(runner.create_threads(session, coord=coord, daemon=True, start=True))
        try:
            yield
        finally:
            coord.request_stop()
            try:
                coord.join(threads, stop_grace_period_secs=120)
            except RuntimeError:
                session.close()
    finally:
        _running.inside = False

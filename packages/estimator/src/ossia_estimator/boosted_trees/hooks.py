"""What happens beside the steps of a training: it begins with an operation, and ends when the trees have grown."""

from __future__ import annotations

from typing import Any

from ossia_session.run_hook import SessionRunHook


class RunsWhenCreated(SessionRunHook):
    """Runs an operation in every session that is made.

    Args:
        init_op: The operation.
    """

    def __init__(self, init_op: Any) -> None:
        self._init_op = init_op

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Runs it."""
        session.run(self._init_op)


class StopsWhenGrown(SessionRunHook):
    """Stops a training when there are enough finished trees, or twice as many layers were tried as they have.

    Args:
        num_finished: How many trees are finished.
        num_attempted: How many layers were tried.
        max_trees: How many trees are wanted.
        max_depth: How many layers a tree has.
    """

    def __init__(self, num_finished: Any, num_attempted: Any, max_trees: int, max_depth: int) -> None:
        self._counts = num_finished, num_attempted
        self._max_trees, self._max_layers = max_trees, 2 * max_trees * max_depth

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stops when they are reached; what the step itself fetches would be of before it."""
        finished, attempted = run_context.session.run(self._counts)
        if finished >= self._max_trees or attempted > self._max_layers:
            run_context.request_stop()

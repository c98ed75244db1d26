"""The hook that computes values when a session ends."""
from __future__ import annotations

from typing import Any

from ossia_core.names import errors, logging
from ossia_core.plugins.api_table import provides, public
from ossia_session.run_hook import SessionRunHook


@public("estimator.FinalOpsHook", "compat.v2.estimator.FinalOpsHook")
@provides("ossia_session_hooks", "FinalOpsHook")
class FinalOpsHook(SessionRunHook):
    """Runs something when the session ends, and keeps its values.

    Args:
        final_ops: What to run: a tensor, an operation, or a structure of them.
        final_ops_feed_dict: What to feed.
    """

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._final_ops = final_ops
        self._final_ops_feed_dict = final_ops_feed_dict
        self._final_ops_values: Any = None

    @property
    def final_ops_values(self) -> Any:
        """The values, in the structure of `final_ops`; None before the session ended."""
        return self._final_ops_values

    def end(self, session: Any) -> None:
        if self._final_ops is None:
            return
        try:
            self._final_ops_values = session.run(self._final_ops, feed_dict=self._final_ops_feed_dict)
        except (errors.OutOfRangeError, StopIteration) as error:
            logging.warning(
                "The ops of a FinalOpsHook ran into the end of an input (%s); they should not depend on one, "
                "as it is used up when the session ends.",
                error,
            )
            raise

"""The hook that feeds."""
from __future__ import annotations

from collections.abc import Callable

from ossia_core.plugins.api_table import provides, public
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook


@public("estimator.FeedFnHook", "compat.v2.estimator.FeedFnHook")
@provides("ossia_session_hooks", "FeedFnHook")
class FeedFnHook(SessionRunHook):
    """Feeds each run with what a function returns.

    Args:
        feed_fn: Takes nothing; returns a feed_dict.
    """

    def __init__(self, feed_fn: Callable[[], dict]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())

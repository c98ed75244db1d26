"""How monitored sessions come by their `tf.Session`."""
from __future__ import annotations

import abc
from typing import Any

from ossia_core.graph.stack import get_default_graph
from ossia_core.plugins.api_table import public
from ossia_session.manager import SessionManager
from ossia_session.scaffold import Scaffold


@public("train.SessionCreator")
class SessionCreator(abc.ABC):
    """Something that makes sessions; a subclass defines `create_session`."""

    @abc.abstractmethod
    def create_session(self) -> Any:
        """A new `tf.Session`, ready to run."""
        raise NotImplementedError(f"create_session is not implemented for {self}.")


class _ScaffoldedCreator(SessionCreator):
    def __init__(self, scaffold: Scaffold | None, master: str, config: Any) -> None:
        self._scaffold = scaffold or Scaffold()
        self._session_manager: SessionManager | None = None
        self._master = master
        self._config = config

    def _manager(self) -> SessionManager:
        """Finalises the graph; the manager is made once."""
        self._scaffold.finalize()
        if self._session_manager is None:
            self._session_manager = SessionManager(
                local_init_op=self._scaffold.local_init_op,
                ready_op=self._scaffold.ready_op,
                ready_for_local_init_op=self._scaffold.ready_for_local_init_op,
                graph=get_default_graph(),
                local_init_feed_dict=self._scaffold.local_init_feed_dict,
            )
        return self._session_manager


@public("train.ChiefSessionCreator")
class ChiefSessionCreator(_ScaffoldedCreator):
    """Makes sessions that initialise their model, or restore it.

    Args:
        scaffold: A Scaffold; a default one if None.
        master: The engine to run in; "" is this process.
        config: The ConfigProto of the session.
        checkpoint_dir: A directory, whose newest checkpoint is restored.
        checkpoint_filename_with_path: A checkpoint, instead.
    """

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        super().__init__(scaffold, master, config)
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_filename_with_path = checkpoint_filename_with_path

    def create_session(self) -> Any:
        """A new session with an initialised or restored model; raises as `SessionManager.prepare_session` does."""
        return self._manager().prepare_session(
            self._master,
            saver=self._scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=self._scaffold.init_op,
            init_feed_dict=self._scaffold.init_feed_dict,
            init_fn=self._scaffold.init_fn,
        )


@public("train.WorkerSessionCreator")
class WorkerSessionCreator(_ScaffoldedCreator):
    """Makes sessions whose model the chief initialises.

    Args:
        scaffold: A Scaffold; a default one if None.
        master: The engine to run in.
        config: The ConfigProto of the session.
        max_wait_secs: How long to wait for the chief at most.
    """

    def __init__(
        self, scaffold: Scaffold | None = None, master: str = "", config: Any = None, max_wait_secs: float = 30 * 60
    ) -> None:
        super().__init__(scaffold, master, config)
        self._max_wait_secs = max_wait_secs

    def create_session(self) -> Any:
        """A new session whose model is ready; raises as `SessionManager.wait_for_session` does."""
        return self._manager().wait_for_session(self._master, config=self._config, max_wait_secs=self._max_wait_secs)

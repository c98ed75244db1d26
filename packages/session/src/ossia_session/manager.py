"""`tf.train.SessionManager`: makes sessions whose model is ready, from a checkpoint or from scratch."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ossia_checkpoint.state import get_checkpoint_state
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import errors, logging
from ossia_core.plugins.api_table import public
from ossia_core.session.session import Session


@public("train.SessionManager")
class SessionManager:
    """Makes sessions and brings their model into a state to train from.

    Args:
        local_init_op: Initialises what checkpoints do not hold; run in every new session.
        ready_op: A vector of names of what is not ready.
        ready_for_local_init_op: The same, for running `local_init_op`.
        graph: The graph; the default graph if None.
        recovery_wait_secs: Seconds between two looks at whether the model is ready.
        local_init_run_options: RunOptions for `local_init_op`.
        local_init_feed_dict: What to feed to it.

    Raises:
        ValueError: There is a `ready_for_local_init_op` without a `local_init_op`.
    """

    def __init__(
        self,
        local_init_op: Any = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        graph: Any = None,
        recovery_wait_secs: float = 30,
        local_init_run_options: Any = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a local_init_op , "
                f"ready_for_local_init_op [{ready_for_local_init_op}]"
            )
        self._local_init_op = local_init_op
        self._ready_op = ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._graph = get_default_graph() if graph is None else graph
        self._recovery_wait_secs = recovery_wait_secs
        self._local_init_run_options = local_init_run_options
        self._local_init_feed_dict = local_init_feed_dict

    def prepare_session(
        self,
        master: str,
        init_op: Any = None,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Any], Any] | None = None,
    ) -> Any:
        """A session with a model that is ready: restored if there is a checkpoint, else initialised.

        Args:
            master: The engine to run in; "" is this process.
            init_op: Initialises the model.
            saver: The Saver that restores it.
            checkpoint_dir: A directory, whose newest checkpoint is restored.
            checkpoint_filename_with_path: A checkpoint, instead.
            wait_for_checkpoint: Whether to wait until there is one.
            max_wait_secs: How long to wait at most.
            config: The ConfigProto of the session.
            init_feed_dict: What to feed to `init_op`.
            init_fn: Called with the session after `init_op`.

        Raises:
            RuntimeError: There is nothing to initialise the model with, or it is not ready after that.
            ValueError: A directory and a checkpoint are given.
        """
        sess, is_loaded = self._restore_checkpoint(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        if not is_loaded:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError("Model is not initialized and no init_op or init_fn or local_init_op was given")
            if init_op is not None:
                sess.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(sess)
        made_with = f"Init op: {_name(init_op)}, init fn: {init_fn}"
        problem = self._run_local_init_op(sess)
        if problem:
            raise RuntimeError(
                f"Init operations did not make model ready for local_init.  {made_with}, error: {problem}"
            )
        problem = self._not_ready(sess)
        if problem:
            raise RuntimeError(
                f"Init operations did not make model ready.  {made_with}, local_init_op: {self._local_init_op}, "
                f"error: {problem}"
            )
        return sess

    def recover_session(
        self,
        master: str,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
    ) -> tuple[Any, bool]:
        """A session with the model of a checkpoint, if there is one.

        The arguments are those of `prepare_session`.

        Returns:
            The session, and whether its model is restored and ready.
        """
        sess, is_loaded = self._restore_checkpoint(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        # Without a checkpoint the local variables are initialised all the same.
        problem = self._run_local_init_op(sess)
        if not is_loaded:
            return sess, False
        if problem:
            logging.info("Restoring model from %s did not make model ready for local init: %s", checkpoint_dir, problem)
            return sess, False
        problem = self._not_ready(sess)
        if problem:
            logging.info("Restoring model from %s did not make model ready: %s", checkpoint_dir, problem)
            return sess, False
        logging.info("Restored model from %s", checkpoint_dir)
        return sess, True

    def wait_for_session(self, master: str, config: Any = None, max_wait_secs: float = float("inf")) -> Any:
        """A session with a model that another process initialises or restores.

        Args:
            master: The engine to run in.
            config: The ConfigProto of the session.
            max_wait_secs: How long to wait at most.

        Raises:
            DeadlineExceededError: The model is not ready in time.
        """
        self._target = master
        deadline = time.monotonic() + (float("inf") if max_wait_secs is None else max_wait_secs)
        while True:
            sess = Session(master, graph=self._graph, config=config)
            not_ready = None
            not_ready_for_local = self._run_local_init_op(sess)
            if not not_ready_for_local:
                not_ready = self._not_ready(sess)
                if not not_ready:
                    return sess
            sess.close()
            logging.info(
                "Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: %s",
                not_ready_for_local,
                not_ready,
            )
            if deadline - time.monotonic() - self._recovery_wait_secs < 0:
                raise errors.DeadlineExceededError(
                    None, None, f"Session was not ready after waiting {max_wait_secs} secs."
                )
            time.sleep(self._recovery_wait_secs)

    def _restore_checkpoint(
        self,
        master: str,
        saver: Any,
        checkpoint_dir: Any,
        checkpoint_filename_with_path: str | None,
        wait_for_checkpoint: bool,
        max_wait_secs: float,
        config: Any,
    ) -> tuple[Any, bool]:
        self._target = master
        sess = Session(master, graph=self._graph, config=config)
        if checkpoint_dir and checkpoint_filename_with_path:
            raise ValueError("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
        if not saver or not (checkpoint_dir or checkpoint_filename_with_path):
            return sess, False
        if checkpoint_filename_with_path:
            saver.restore(sess, checkpoint_filename_with_path)
            return sess, True
        waited = 0.0
        state = get_checkpoint_state(checkpoint_dir)
        while not state or not state.model_checkpoint_path:
            if not wait_for_checkpoint or waited >= max_wait_secs:
                return sess, False
            logging.info("Waiting for checkpoint to be available.")
            time.sleep(self._recovery_wait_secs)
            waited += self._recovery_wait_secs
            state = get_checkpoint_state(checkpoint_dir)
        saver.restore(sess, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return sess, True

    def _run_local_init_op(self, sess: Any) -> str | None:
        """Runs the local init op once the model is ready for it; returns why it is not."""
        if self._local_init_op is None:
            return None
        problem = _unready(sess, self._ready_for_local_init_op, "Model not ready for local init")
        if problem:
            return problem
        logging.info("Running local_init_op.")
        sess.run(
            self._local_init_op, feed_dict=self._local_init_feed_dict, options=self._local_init_run_options
        )
        logging.info("Done running local_init_op.")
        return None

    def _not_ready(self, sess: Any) -> str | None:
        return _unready(sess, self._ready_op, "Model not ready")


def _unready(sess: Any, op: Any, message: str) -> str | None:
    """What keeps a model from being ready, by an op that names it; None if nothing does."""
    if op is None:
        return None
    try:
        missing = sess.run(op)
    except errors.FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            logging.warning("%s : error [%s]", message, error)
            raise
        return str(error)
    if missing is None or missing.dtype.kind not in "OSU" or missing.size == 0:
        return None
    return "Variables not initialized: " + ", ".join(name.decode() for name in missing.ravel().tolist())


def _name(op: Any) -> Any:
    return getattr(op, "name", op)

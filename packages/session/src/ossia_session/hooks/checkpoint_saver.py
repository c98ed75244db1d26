"""The hook that saves checkpoints, and what listens to it."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.names import logging
from ossia_core.plugins.api_table import provides, public
from ossia_io.graph_files import write_graph
from ossia_session.hooks.step_reading import global_step_read
from ossia_session.hooks.timer import SecondOrStepTimer
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


@public(
    "train.CheckpointSaverListener", "estimator.CheckpointSaverListener", "compat.v2.estimator.CheckpointSaverListener"
)
class CheckpointSaverListener:
    """Something that happens around each save of a CheckpointSaverHook; a subclass defines the methods it needs."""

    def begin(self) -> None:
        """Called once, before the session is made: the last chance to add to the default graph."""

    def before_save(self, session: Any, global_step_value: int) -> None:
        """Called before a checkpoint is written."""

    def after_save(self, session: Any, global_step_value: int) -> bool | None:
        """Called after a checkpoint was written; a true result stops training."""

    def end(self, session: Any, global_step_value: int) -> None:
        """Called once after the last checkpoint."""


@public("estimator.CheckpointSaverHook", "compat.v2.estimator.CheckpointSaverHook")
@provides("ossia_session_hooks", "CheckpointSaverHook")
class CheckpointSaverHook(SessionRunHook):
    """Saves a checkpoint when the session was made, every so many steps or seconds, and at the end.

    Args:
        checkpoint_dir: The directory.
        save_secs: Seconds between two checkpoints.
        save_steps: Steps between two checkpoints; exactly one of both is given.
        saver: The Saver.
        checkpoint_basename: What the names of checkpoints begin with.
        scaffold: A Scaffold, whose saver is taken instead; without both, the graph's collection of savers holds one.
        listeners: CheckpointSaverListeners.
        save_graph_def: Whether to write `graph.pbtxt`, and a meta graph beside each checkpoint.

    Raises:
        ValueError: One of the choices is not made, or made twice.
    """

    def __init__(
        self,
        checkpoint_dir: str,
        save_secs: float | None = None,
        save_steps: int | None = None,
        saver: Any = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
        listeners: Sequence[CheckpointSaverListener] | None = None,
        save_graph_def: bool = True,
    ) -> None:
        logging.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver = saver
        self._checkpoint_dir = os.fspath(checkpoint_dir)
        self._save_path = os.path.join(self._checkpoint_dir, checkpoint_basename)
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._listeners = list(listeners or ())
        self._save_graph_def = save_graph_def
        self._steps_per_run = 1

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        """Says that each run makes several steps, as on devices that loop by themselves."""
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        from ossia_summary.writer import FileWriterCache

        self._summary_writer = FileWriterCache.get(self._checkpoint_dir)
        self._global_step_tensor = global_step_read("CheckpointSaverHook")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        from ossia_checkpoint.meta_graph import export_meta_graph

        step = session.run(self._global_step_tensor)
        graph_def = session.graph.as_graph_def(add_shapes=True)
        if self._save_graph_def:
            write_graph(graph_def, self._checkpoint_dir, "graph.pbtxt")
        saver = self._get_saver()
        self._summary_writer.add_graph(graph_def)
        self._summary_writer.add_meta_graph(
            export_meta_graph(graph_def=graph_def, saver_def=saver.saver_def if saver else None, graph=session.graph)
        )
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not self._timer.should_trigger_for_step(run_values.results + self._steps_per_run):
            return
        step = run_context.session.run(self._global_step_tensor)
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session: Any) -> None:
        last_step = session.run(self._global_step_tensor)
        if last_step != self._timer.last_triggered_step():
            self._save(session, last_step)
        for listener in self._listeners:
            listener.end(session, last_step)

    def _save(self, session: Any, step: int) -> bool:
        """Saves a checkpoint; returns whether a listener wants training to stop."""
        logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        for listener in self._listeners:
            listener.before_save(session, step)
        options = {} if self._save_graph_def else {"write_meta_graph": False}
        self._get_saver().save(session, self._save_path, global_step=step, **options)
        from ossia_core.proto import SessionLog

        log = SessionLog(status=SessionLog.CHECKPOINT, checkpoint_path=self._save_path)
        self._summary_writer.add_session_log(log, step)
        stop = False
        for listener in self._listeners:
            if listener.after_save(session, step):
                logging.info("A CheckpointSaverListener requested that training be stopped. listener: %s", listener)
                stop = True
        return stop

    def _get_saver(self) -> Any:
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        savers = get_collection(GraphKeys.SAVERS)
        if not savers:
            raise RuntimeError(
                f"No items in collection {GraphKeys.SAVERS}. Please add a saver to the collection or provide a saver "
                "or scaffold."
            )
        if len(savers) > 1:
            raise RuntimeError(
                f"More than one item in collection {GraphKeys.SAVERS}. "
                "Please indicate which one to use by passing it to the constructor."
            )
        self._saver = savers[0]
        return self._saver

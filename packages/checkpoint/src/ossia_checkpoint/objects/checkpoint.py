"""`tf.train.Checkpoint`: saves objects and what they depend on, and restores them."""

from __future__ import annotations

import os
from typing import Any

from ossia_checkpoint.objects.graph import is_container, is_trackable, read_graph
from ossia_checkpoint.objects.restoration import Restoration, RestoreNodes
from ossia_checkpoint.objects.saver import ObjectSaver, session_or_default
from ossia_checkpoint.objects.status import (
    CheckpointLoadStatus,
    InitializationOnlyStatus,
    LoadStatus,
    NameBasedSaverStatus,
)
from ossia_checkpoint.reader import NewCheckpointReader
from ossia_checkpoint.state import write_state
from ossia_core.graph.scopes import device
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable import VariableV1

_OWN = frozenset(("_object_saver", "_restore_nodes", "_counting"))


class ObjectCheckpoint:
    """What both forms of `Checkpoint` share: dependencies, writing, restoring, and the count of saves."""

    def __init__(self, **kwargs: Any) -> None:
        """Makes a root with these dependencies.

        Args:
            **kwargs: Variables, modules, layers, optimizers and other objects to save, by name.

        Raises:
            ValueError: Something is no such object.
        """
        for name, value in sorted(kwargs.items()):
            if not is_trackable(value) or is_container(value):
                raise ValueError(
                    f"`Checkpoint` was expecting a trackable object (an object derived from `TrackableBase`), got "
                    f"{value}. Variables, modules, layers and optimizers are; lists and dicts may be set as attributes."
                )
            setattr(self, name, value)
        self._object_saver = ObjectSaver(self)
        self._restore_nodes: dict[Any, RestoreNodes] = {}
        self._counting: Any = None

    @property
    def _checkpoint_dependencies(self) -> list[tuple[str, Any]]:
        return [(name, value) for name, value in vars(self).items() if name not in _OWN]

    @property
    def save_counter(self) -> Any:
        """The variable that counts calls of `save`, and is saved too; made when it is first needed."""
        if "save_counter" not in vars(self):
            with device("/cpu:0"):
                vars(self)["save_counter"] = VariableV1(
                    0, trainable=False, name="save_counter", dtype=dtypes.int64, use_resource=True
                )
        return vars(self)["save_counter"]

    def initialized_counter(self, session: Any) -> Any:
        """The counter of saves, initialized in the session if it did not exist before."""
        is_new = "save_counter" not in vars(self)
        with session.graph.as_default():
            counter = self.save_counter
            if is_new:
                session.run(counter.initializer)
        return counter

    def counted(self, session: Any) -> int:
        """The number of the save that begins."""
        counter = self.initialized_counter(session)
        if self._counting is None:
            with session.graph.as_default(), device("/cpu:0"):
                self._counting = counter.assign_add(1, read_value=True)
        return int(session.run(self._counting))

    def write_to(self, file_prefix: str, session: Any) -> str:
        """Writes a checkpoint from a session; see `write`."""
        return self._object_saver.save(os.fspath(file_prefix), session_or_default(session))

    def save_to(self, file_prefix: str, session: Any) -> str:
        """Writes a numbered checkpoint from a session; see `save`."""
        session = session_or_default(session)
        prefix = os.fspath(file_prefix)
        path = self.write_to(f"{prefix}-{self.counted(session)}", session)
        write_state(os.path.dirname(prefix), path, [path], save_relative_paths=True)
        return path

    def read(self, save_path: str | None) -> LoadStatus:
        """Like `restore`, for what `write` wrote: no counter of saves is made."""
        if save_path is None:
            return InitializationOnlyStatus(self)
        path = os.fspath(save_path)
        reader = NewCheckpointReader(path)
        graph = read_graph(reader)
        if graph is None:
            return NameBasedSaverStatus(self, reader, path)
        return CheckpointLoadStatus(Restoration(self, graph, reader, path, self._object_saver, self._restore_nodes))

    def restore(self, save_path: str | None) -> LoadStatus:
        """Prepares the restoration of the objects, also of those that are set as attributes later.

        Values are set by the methods `run_restore_ops` and `initialize_or_restore` of what is returned. Checkpoints
        that a `Saver` wrote can be restored too.

        Args:
            save_path: The prefix of a checkpoint; with None, `initialize_or_restore` only initializes.

        Returns:
            A status with the assertions `assert_consumed`, `assert_existing_objects_matched` and
            `assert_nontrivial_match`, and the methods `expect_partial`, `run_restore_ops` and `initialize_or_restore`.

        Raises:
            NotFoundError: There is no such checkpoint.
            DataLossError: It is damaged.
        """
        status = self.read(save_path)
        if self.save_counter is not None and isinstance(status, CheckpointLoadStatus):
            status.prepare()  # the counter, which may be new
        return status


@public("train.Checkpoint")
class Checkpoint(ObjectCheckpoint):
    """Saves and restores objects: its attributes, and what they depend on.

    Values are found by the attributes that lead to them, so that neither names of nodes nor their order matter.

    Example:
        checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
        status = checkpoint.restore(tf.train.latest_checkpoint("model_dir"))
        with tf.Session() as session:
            status.initialize_or_restore(session)
            checkpoint.save("model_dir/ckpt", session=session)
    """

    def write(self, file_prefix: str, session: Any = None) -> str:
        """Writes a checkpoint, without a number and without the `checkpoint` file.

        Args:
            file_prefix: Its prefix; folders are made.
            session: The session that holds the values, by default the default session.

        Returns:
            The prefix.

        Raises:
            FailedPreconditionError: A variable is not initialized.
            ValueError: There is no session.
        """
        return self.write_to(file_prefix, session)

    def save(self, file_prefix: str, session: Any = None) -> str:
        """Writes the checkpoint `<file_prefix>-<number of the save>`, and names it in the `checkpoint` file.

        Args:
            file_prefix: What its prefix begins with; folders are made.
            session: The session that holds the values, by default the default session.

        Returns:
            The prefix.

        Raises:
            FailedPreconditionError: A variable is not initialized.
            ValueError: There is no session.
        """
        return self.save_to(file_prefix, session)


@public("compat.v2.train.Checkpoint")
class CheckpointV2(ObjectCheckpoint):
    """Saves and restores objects, as `tf.compat.v1.train.Checkpoint` does, from and to the default session."""

    def write(self, file_prefix: str) -> str:
        """Writes a checkpoint, without a number and without the `checkpoint` file; returns its prefix."""
        return self.write_to(file_prefix, None)

    def save(self, file_prefix: str) -> str:
        """Writes the checkpoint `<file_prefix>-<number of the save>`, and names it in the `checkpoint` file."""
        return self.save_to(file_prefix, None)

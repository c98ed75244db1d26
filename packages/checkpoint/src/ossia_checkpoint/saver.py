"""`tf.train.Saver`: checkpoints saved, restored, and kept in number."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_checkpoint import shards, state
from ossia_checkpoint.objects.by_name import object_keys, renamed
from ossia_checkpoint.saveables import saveable_objects
from ossia_checkpoint.saver_builder import V1, V2, SaverBuilder
from ossia_checkpoint.state import checkpoint_exists, get_checkpoint_mtimes, meta_graph_filename, remove_checkpoint
from ossia_core import files
from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import errors
from ossia_core.plugins.api_table import public

_LOG = logging.getLogger("tensorflow")


@public("train.Saver")
class Saver:
    """Saves variables of a graph to checkpoints, restores them, and keeps the newest few checkpoints.

    Files become visible whole: whatever stops a save, the newest complete checkpoint and the `checkpoint` file that
    names it stay valid.

    Example:
        saver = tf.train.Saver()
        with tf.Session() as session:
            saver.save(session, "model/ckpt", global_step=1)
            saver.restore(session, tf.train.latest_checkpoint("model"))
    """

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: SaverBuilder | None = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: int | str = V2,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
    ) -> None:
        """Adds the nodes that save and restore to the default graph.

        Args:
            var_list: A list of variables or saveable objects, or a dict from names in checkpoints to them; by default
                all global variables and saveable objects of the graph.
            reshape: Whether to restore into a variable of another shape with as many elements.
            sharded: Whether each device writes a data file of its own.
            max_to_keep: How many checkpoints to keep; 0 or None keeps all and does not list them.
            keep_checkpoint_every_n_hours: Besides these, one checkpoint per so many hours is kept for good.
            name: A prefix of the nodes' names, by default `"save"`.
            restore_sequentially: Accepted for compatibility; all variables are restored by one op.
            saver_def: A SaverDef of nodes that exist; none are added then.
            builder: What adds the nodes.
            defer_build: Whether to add the nodes only when `build` is called.
            allow_empty: Whether a graph without variables is no error; such a saver does nothing.
            write_version: The format to write: `tf.train.SaverDef.V1` or `V2`, or the name of an installed checkpoint
                format (`ossia plugins checkpoint_formats` lists them).
            pad_step_number: Whether to write steps in checkpoint names with eight digits.
            save_relative_paths: Whether the `checkpoint` file names checkpoints relative to its directory.
            filename: The default of the filename tensor.

        Raises:
            TypeError: `var_list` is of a wrong type.
            ValueError: `saver_def` is no SaverDef, there are no variables, names collide, `var_list` is given to a
                deferred build, or no format of that name is installed.
        """
        if defer_build and var_list:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. "
                "Either set defer_build=False or var_list=None."
            )
        self._var_list = var_list
        self._reshape = reshape
        self._sharded = sharded
        self._max_to_keep = max_to_keep
        self._keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self._name = name
        self._restore_sequentially = restore_sequentially
        self.saver_def = saver_def
        self._builder = builder
        self._allow_empty = allow_empty
        self._write_version = write_version
        self._pad_step_number = pad_step_number
        self._save_relative_paths = save_relative_paths
        self._filename = filename
        self._is_built = False
        self._is_empty = False
        self._last_checkpoints: list[tuple[str, float]] = []
        self._checkpoints_to_be_deleted: list[tuple[str, float]] = []
        self._swept: set[str] = set()
        self._made: set[str] = set()
        self._by_keys: tuple[dict[str, str], Saver] | None = None
        if not defer_build:
            self.build()
        if self.saver_def:
            self._check_saver_def()
            self._write_version = self.saver_def.version

    def build(self) -> None:
        """Adds the nodes that a deferred build has not added yet; raises as the constructor does."""
        if self._is_built:
            return
        self._is_built = True
        if not self.saver_def or self._builder:
            if self._var_list is None:
                self._var_list = [
                    *get_collection(GraphKeys.GLOBAL_VARIABLES),
                    *get_collection(GraphKeys.SAVEABLE_OBJECTS),
                ]
            if not self._var_list:
                if not self._allow_empty:
                    raise ValueError("No variables to save")
                self._is_empty = True
                return
            builder = self._builder or SaverBuilder(self._write_version)
            self.saver_def = builder.build(
                self._var_list,
                reshape=self._reshape,
                sharded=self._sharded,
                max_to_keep=self._max_to_keep,
                keep_checkpoint_every_n_hours=self._keep_checkpoint_every_n_hours,
                name=self._name,
                restore_sequentially=self._restore_sequentially,
                filename=self._filename,
            )
        elif self._name:
            definition = type(self.saver_def)()
            definition.CopyFrom(self.saver_def)
            for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
                setattr(definition, field, f"{self._name.rstrip('/')}/{getattr(definition, field)}")
            self.saver_def = definition
        self._check_saver_def()
        self._next_checkpoint_time = time.time() + self.saver_def.keep_checkpoint_every_n_hours * 3600

    def _check_saver_def(self) -> None:
        if getattr(getattr(self.saver_def, "DESCRIPTOR", None), "name", None) != "SaverDef":
            raise ValueError(f"saver_def must be a saver_pb2.SaverDef: {self.saver_def}")
        if not self.saver_def.save_tensor_name:
            raise ValueError(f"saver_def must specify the save_tensor_name: {self.saver_def}")
        if not self.saver_def.restore_op_name:
            raise ValueError(f"saver_def must specify the restore_op_name: {self.saver_def}")

    def as_saver_def(self) -> Any:
        """The SaverDef of this saver."""
        return self.saver_def

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The SaverDef of this saver.

        Args:
            export_scope: A name scope to strip from the names.

        Returns:
            The SaverDef; None where a name lies outside of `export_scope`.
        """
        if export_scope is None:
            return self.saver_def
        scope = export_scope.rstrip("/") + "/"
        definition = type(self.saver_def)()
        definition.CopyFrom(self.saver_def)
        for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
            value = getattr(definition, field)
            if not value.startswith(scope):
                return None
            setattr(definition, field, value[len(scope) :])
        return definition

    @staticmethod
    def from_proto(saver_def: Any, import_scope: str | None = None) -> Saver:
        """A saver for the nodes that a SaverDef names, prefixed with `import_scope` if it is given."""
        return Saver(saver_def=saver_def, name=import_scope)

    @property
    def last_checkpoints(self) -> list[str]:
        """The checkpoints that are kept, from the oldest on; pass it to `recover_last_checkpoints` of a later saver."""
        return [path for path, _ in self._last_checkpoints]

    def set_last_checkpoints(self, last_checkpoints: Sequence[str]) -> None:
        """Sets the list of kept checkpoints, without times; `set_last_checkpoints_with_time` is better."""
        if not isinstance(last_checkpoints, list):
            raise AssertionError("last_checkpoints should be a list")
        self._last_checkpoints = [(path, np.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: Sequence[tuple[str, float]]) -> None:
        """Sets the list of kept checkpoints: pairs of a path and a time in seconds since 1970, from the oldest on."""
        if not isinstance(last_checkpoints_with_time, list):
            raise AssertionError("last_checkpoints_with_time should be a list")
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths: Sequence[str]) -> None:
        """Takes over checkpoints of an earlier program, so that they count among those to keep.

        Args:
            checkpoint_paths: Their prefixes, from the oldest on; those that no longer exist are left out.
        """
        found = []
        for path in checkpoint_paths:
            times = get_checkpoint_mtimes([path])
            if times:
                found.append((path, times[0]))
        self.set_last_checkpoints_with_time(found)

    def save(
        self,
        sess: Any,
        save_path: str,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str | None:
        """Writes a checkpoint, removes the oldest if there are too many, and updates the `checkpoint` file.

        Args:
            sess: The session whose variables are saved.
            save_path: The prefix of the files; its directory must exist.
            global_step: A number, tensor or variable that is appended to the prefix.
            latest_filename: The name of the `checkpoint` file.
            meta_graph_suffix: The suffix of the file for the meta graph.
            write_meta_graph: Whether to write one.
            write_state: Whether to update the `checkpoint` file.
            strip_default_attrs: Whether to leave attributes with default values out of the meta graph.
            save_debug_info: Whether to write a file `.debug`, too, with the lines of the program that made the nodes.

        Returns:
            The prefix of the checkpoint; None from an empty saver.

        Raises:
            TypeError: `sess` is no session.
            ValueError: The directory does not exist, or `latest_filename` has a path or collides with `save_path`.
            RuntimeError: The saver is not built.
        """
        if not self._is_built:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        latest_filename = latest_filename or "checkpoint"
        if self._write_version in (0, V1, "V1"):
            _LOG.warning("TensorFlow's V1 checkpoint format has been deprecated; consider V2, the default.")
        if os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        save_path = os.fspath(save_path)
        if global_step is not None:
            step = _step(sess, global_step)
            checkpoint = f"{save_path}-{step:08d}" if self._pad_step_number else f"{save_path}-{step}"
        else:
            checkpoint = save_path
            if os.path.basename(save_path) == latest_filename and not self._sharded:
                raise ValueError(f"'latest_filename' collides with 'save_path': '{latest_filename}' and '{save_path}'")
        if not (hasattr(sess, "run") and hasattr(sess, "partial_run")):  # monitored sessions have hooks around each run
            raise TypeError(f"'sess' must be a Session; {sess}")
        directory = os.path.dirname(save_path)
        if save_path not in self._swept:
            self._swept.add(save_path)
            shards.sweep_saves(save_path, latest_filename)
        path = None if self._is_empty else self._run_save(sess, save_path, checkpoint, directory)
        if write_meta_graph:
            with sess.graph.as_default():
                self.export_meta_graph(
                    meta_graph_filename(checkpoint, meta_graph_suffix), strip_default_attrs=strip_default_attrs,
                    save_debug_info=save_debug_info,
                )
        if path is not None and write_state:
            self._record(path)
            self._write_state(directory, path, latest_filename)
            self._delete_oldest(directory, meta_graph_suffix)
        return path

    def _run_save(self, sess: Any, save_path: str, checkpoint: str, directory: str) -> str:
        try:
            saved = sess.run(self.saver_def.save_tensor_name, {self.saver_def.filename_tensor_name: checkpoint})
        except (errors.FailedPreconditionError, errors.NotFoundError):
            if not files.file_system(directory).is_directory(directory):
                raise ValueError(f"Parent directory of {save_path} doesn't exist, can't save.") from None
            raise
        finally:
            shards.abandon(checkpoint)  # nothing is left of a save that succeeded
        return saved.decode() if isinstance(saved, bytes) else str(saved)

    def _record(self, path: str) -> None:
        if not self.saver_def.max_to_keep:
            return
        self._made.add(path)
        self._last_checkpoints = [item for item in self._last_checkpoints if item[0] != path]
        self._last_checkpoints.append((path, time.time()))
        if len(self._last_checkpoints) > self.saver_def.max_to_keep:
            self._checkpoints_to_be_deleted.append(self._last_checkpoints.pop(0))

    def _write_state(self, directory: str, path: str, latest_filename: str) -> None:
        state.write_state(directory, path, self.last_checkpoints, latest_filename, self._save_relative_paths)

    def _delete_oldest(self, directory: str, meta_graph_suffix: str) -> None:
        if not self._checkpoints_to_be_deleted:
            return
        path, made = self._checkpoints_to_be_deleted.pop(0)
        if made > self._next_checkpoint_time:
            self._next_checkpoint_time += self.saver_def.keep_checkpoint_every_n_hours * 3600
            return
        if path not in self._made and not state.lies_in(path, directory):
            _LOG.warning(
                "Checkpoint %s is one too many, but is not deleted: it was made by another saver, and not in %s.",
                path,
                directory or ".",
            )
            return
        try:
            remove_checkpoint(path, self.saver_def.version, meta_graph_suffix)
        except errors.OpError as error:
            _LOG.warning("Ignoring: %s", error)
        self._made.discard(path)

    def restore(self, sess: Any, save_path: str) -> None:
        """Sets the variables to the values in a checkpoint; they need not be initialised.

        Args:
            sess: The session whose variables are set.
            save_path: The prefix of the checkpoint.

        Raises:
            ValueError: `save_path` is None or no checkpoint.
            NotFoundError: A variable is not in the checkpoint.
            InvalidArgumentError: A variable has another shape or type in the checkpoint.
            DataLossError: The checkpoint is damaged.
        """
        if self._is_empty:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        prefix = save_path.decode() if isinstance(save_path, bytes) else os.fspath(save_path)
        if not checkpoint_exists(prefix):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {prefix}")
        _LOG.info("Restoring parameters from %s", prefix)
        try:
            sess.run(self.saver_def.restore_op_name, {self.saver_def.filename_tensor_name: prefix})
        except errors.NotFoundError as error:
            by_keys = self._saver_by_keys(prefix, sess.graph)
            if by_keys is None:
                raise _explained(error, "a Variable name or other graph key that is missing") from None
            by_keys.restore(sess, save_path)
        except errors.InvalidArgumentError as error:
            raise _explained(error, "a mismatch between the current graph and the graph") from None

    def _saver_by_keys(self, prefix: str, graph: Any) -> Saver | None:
        """A saver of the same variables under their keys in an object-based checkpoint; None for another checkpoint."""
        if self._var_list is None:
            return None
        keys = object_keys(prefix)
        if keys is None:
            return None
        _LOG.warning(
            "%s is an object-based checkpoint, which is restored by the names that its variables had. "
            "tf.train.Checkpoint restores it whatever the names.",
            prefix,
        )
        if self._by_keys is None or self._by_keys[0] != keys:
            with graph.as_default():
                self._by_keys = keys, Saver(renamed(saveable_objects(self._var_list), keys))
        return self._by_keys[1]

    def export_meta_graph(
        self,
        filename: str | None = None,
        collection_list: Sequence[str] | None = None,
        as_text: bool = False,
        export_scope: str | None = None,
        clear_devices: bool = False,
        clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> Any:
        """Describes the default graph with this saver; the arguments are those of `tf.train.export_meta_graph`.

        Returns:
            A MetaGraphDef, which is also written to `filename` if that is given.
        """
        from ossia_checkpoint.meta_graph import export_meta_graph

        return export_meta_graph(
            filename=filename,
            graph_def=get_default_graph().as_graph_def(add_shapes=True),
            saver_def=self.saver_def,
            collection_list=collection_list,
            as_text=as_text,
            export_scope=export_scope,
            clear_devices=clear_devices,
            clear_extraneous_savers=clear_extraneous_savers,
            strip_default_attrs=strip_default_attrs,
            save_debug_info=save_debug_info,
        )


def _step(sess: Any, global_step: Any) -> int:
    if isinstance(global_step, (int, np.integer)):
        return int(global_step)
    return int(sess.run(global_step))


def _explained(error: errors.OpError, reason: str) -> errors.OpError:
    message = (
        f"Restoring from checkpoint failed. This is most likely due to {reason} from the checkpoint. Please ensure "
        f"that you have not altered the graph expected based on the checkpoint. Original error:\n\n{error.message}"
    )
    return type(error)(error._node_def, error.op, message)  # type: ignore[call-arg]

"""Reading SavedModels, those of TensorFlow 1 and the graphs of those of TensorFlow 2."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Sequence
from typing import Any

from ossia_checkpoint.meta_graph import import_meta_graph_with_elements
from ossia_checkpoint.saved_model import constants
from ossia_core import files
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.graph import Graph
from ossia_core.names import text_proto
from ossia_core.plugins.api_table import public

_LOG = logging.getLogger("tensorflow")


def parse_saved_model(export_dir: str | bytes) -> Any:
    """Reads the file that describes a SavedModel, binary or text.

    Args:
        export_dir: The directory.

    Returns:
        A `SavedModel` message.

    Raises:
        OSError: There is no such file, or it cannot be parsed.
    """
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError

    from ossia_core.proto import SavedModel

    folder = os.fsdecode(export_dir)
    system = files.file_system(folder)
    path = os.path.join(folder, constants.SAVED_MODEL_FILENAME_PB)
    text_path = os.path.join(folder, constants.SAVED_MODEL_FILENAME_PBTXT)
    try:
        if system.exists(path):
            with system.open(path, "rb") as stream:
                return SavedModel.FromString(stream.read())
        if system.exists(text_path):
            path = text_path
            with system.open(path, "rb") as stream:
                return text_proto.parse(stream.read().decode(), SavedModel())
    except (DecodeError, text_format.ParseError, UnicodeDecodeError) as error:
        raise OSError(f"Cannot parse file {path.encode()!r}: {str(error)[:200]}.") from None
    raise OSError(
        f"SavedModel file does not exist at: {folder}/"
        f"{{{constants.SAVED_MODEL_FILENAME_PBTXT}|{constants.SAVED_MODEL_FILENAME_PB}}}"
    )


@public(
    "saved_model.contains_saved_model", "saved_model.maybe_saved_model_directory",
    "saved_model.loader.maybe_saved_model_directory", "compat.v2.saved_model.contains_saved_model",
)
def contains_saved_model(export_dir: str) -> bool:
    """Whether a directory has the file that describes a SavedModel; the file is not read.

    Args:
        export_dir: The directory.
    """
    folder = os.fsdecode(export_dir)
    system = files.file_system(folder)
    names = (constants.SAVED_MODEL_FILENAME_PBTXT, constants.SAVED_MODEL_FILENAME_PB)
    return any(system.exists(os.path.join(folder, name)) for name in names)


@public("saved_model.load", "saved_model.loader.load")
def load(sess: Any, tags: Sequence[str], export_dir: str, import_scope: str | None = None, **saver_kwargs: Any) -> Any:
    """Adds a graph of a SavedModel to the session's graph, restores its variables and runs its main op.

    Args:
        sess: The session.
        tags: The tags of the graph, all of them.
        export_dir: The directory.
        import_scope: A name scope to put the graph into.
        **saver_kwargs: Further arguments of `tf.train.import_meta_graph`, such as `input_map`.

    Returns:
        The `MetaGraphDef` message, with the signatures.

    Raises:
        OSError: There is no SavedModel, or it cannot be parsed.
        RuntimeError: No graph has these tags.
        ValueError: The graph cannot be imported, or a file of it lies outside the directory.
        OpError: The variables cannot be restored.
    """
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)


class SavedModelLoader:
    """Loads graphs of one SavedModel, in one step or in several.

    Args:
        export_dir: The directory.

    Raises:
        OSError: There is no SavedModel, or it cannot be parsed.
    """

    def __init__(self, export_dir: str) -> None:
        self._export_dir = os.fsdecode(export_dir)
        self._saved_model = parse_saved_model(export_dir)

    @property
    def export_dir(self) -> str:
        """The directory."""
        return self._export_dir

    @property
    def variables_path(self) -> str:
        """The prefix of the checkpoint with the variables."""
        return os.path.join(self._export_dir, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME)

    @property
    def saved_model(self) -> Any:
        """The `SavedModel` message."""
        return self._saved_model

    def get_meta_graph_def_from_tags(self, tags: Iterable[str]) -> Any:
        """The graph with just these tags.

        Raises:
            RuntimeError: There is none.
        """
        tags = list(tags)
        available = [set(found.meta_info_def.tags) for found in self._saved_model.meta_graphs]
        for found, own in zip(self._saved_model.meta_graphs, available):
            if own == set(tags):
                return found
        raise RuntimeError(
            f"MetaGraphDef associated with tags {str(tags).strip('[]')} could not be found in SavedModel. To inspect "
            "available tag-sets in the SavedModel, please use the SavedModel CLI: `saved_model_cli`\n"
            f"available_tags: {available}"
        )

    def load_graph(
        self, graph: Graph, tags: Iterable[str], import_scope: str | None = None, **saver_kwargs: Any
    ) -> tuple[Any, list | None]:
        """Adds the graph with these tags to `graph`.

        Returns:
            A `Saver` for its variables, or None, and the elements that `return_elements` names.
        """
        meta_graph = self.get_meta_graph_def_from_tags(tags)
        with graph.as_default():
            return import_meta_graph_with_elements(meta_graph, import_scope=import_scope, **saver_kwargs)

    def restore_variables(self, sess: Any, saver: Any, import_scope: str | None = None) -> None:
        """Restores the variables.

        Args:
            sess: The session.
            saver: What `load_graph` returned.
            import_scope: The name scope of the graph.

        Raises:
            ValueError: There are variables and no saver.
        """
        graph = sess.graph
        if saver is not None:
            with graph.as_default():
                saver.restore(sess, self.variables_path)
        elif any(
            graph.get_collection(key, import_scope)
            for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.SAVEABLE_OBJECTS)
        ):
            raise ValueError("No tf.train.Saver was passed to `SavedModelLoader.restore_variables`.")
        else:
            _LOG.info("The specified SavedModel has no variables; no checkpoints were restored.")

    def run_init_ops(self, sess: Any, tags: Iterable[str], import_scope: str | None = None) -> None:
        """Runs the op that initializes what no checkpoint holds, with the paths of the model's files.

        Raises:
            RuntimeError: There are several such ops.
        """
        meta_graph = self.get_meta_graph_def_from_tags(tags)
        with sess.graph.as_default():
            init_op = get_init_op(meta_graph, import_scope)
            if init_op is not None:
                sess.run(fetches=[init_op], feed_dict=get_asset_tensors(self._export_dir, meta_graph, import_scope))

    def load(self, sess: Any, tags: Iterable[str], import_scope: str | None = None, **saver_kwargs: Any) -> Any:
        """Adds the graph, restores its variables and runs its main op; returns the `MetaGraphDef` message."""
        tags = list(tags)
        with sess.graph.as_default():
            saver, _ = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
            self.restore_variables(sess, saver, import_scope)
            self.run_init_ops(sess, tags, import_scope)
        return self.get_meta_graph_def_from_tags(tags)


def get_asset_tensors(export_dir: str, meta_graph: Any, import_scope: str | None = None) -> dict[str, str]:
    """The paths of a graph's files, by the names of the tensors that take them.

    Args:
        export_dir: The directory of the SavedModel.
        meta_graph: The `MetaGraphDef` message.
        import_scope: The name scope of the graph.

    Raises:
        TypeError: The collection of assets holds something else.
        ValueError: A file lies outside the directory of assets.
    """
    from ossia_core.proto import AssetFileDef

    folder = os.path.join(export_dir, constants.ASSETS_DIRECTORY)
    found = list(meta_graph.asset_file_def)
    if not found and constants.ASSETS_KEY in meta_graph.collection_def:
        collection = meta_graph.collection_def[constants.ASSETS_KEY]
        if collection.WhichOneof("kind") != "any_list":
            raise TypeError(f"The collection {constants.ASSETS_KEY!r} should be an Any list.")
        found = [AssetFileDef.FromString(item.value) for item in collection.any_list.value]
    paths = {}
    for asset in found:
        name = asset.filename
        if os.path.isabs(name) or ".." in name.replace("\\", "/").split("/"):
            raise ValueError(f"The SavedModel names a file outside of its directory of assets: {name!r}")
        tensor = asset.tensor_info.name
        paths[f"{import_scope}/{tensor}" if import_scope else tensor] = os.path.join(folder, name)
    return paths


def get_init_op(meta_graph: Any, import_scope: str | None = None) -> Any:
    """The op of a graph that is to run after loading; None if it has none.

    Args:
        meta_graph: The `MetaGraphDef` message, whose graph is in the default graph.
        import_scope: The name scope of the graph.

    Raises:
        RuntimeError: There are several.
    """
    return (
        _op_of_signature(meta_graph, constants.INIT_OP_SIGNATURE_KEY, import_scope)
        or _op_of_collection(meta_graph, constants.MAIN_OP_KEY, import_scope)
        or _op_of_collection(meta_graph, constants.LEGACY_INIT_OP_KEY, import_scope)
    )


def get_train_op(meta_graph: Any, import_scope: str | None = None) -> Any:
    """The train op of a graph, None if it has none; arguments and errors are those of `get_init_op`."""
    return _op_of_signature(meta_graph, constants.TRAIN_OP_SIGNATURE_KEY, import_scope) or _op_of_collection(
        meta_graph, constants.TRAIN_OP_KEY, import_scope
    )


def _op_of_signature(meta_graph: Any, key: str, scope: str | None) -> Any:
    from ossia_core.graph.stack import get_default_graph

    if key not in meta_graph.signature_def:
        return None
    name = meta_graph.signature_def[key].outputs[key].name
    return get_default_graph().as_graph_element(f"{scope}/{name}" if scope else name)


def _op_of_collection(meta_graph: Any, key: str, scope: str | None) -> Any:
    from ossia_core.graph.stack import get_default_graph

    if key not in meta_graph.collection_def:
        return None
    names = meta_graph.collection_def[key].node_list.value
    if len(names) != 1:
        raise RuntimeError(f"Expected exactly one op in the collection {key!r} of a SavedModel, found {len(names)}.")
    return get_default_graph().as_graph_element(f"{scope}/{names[0]}" if scope else names[0])

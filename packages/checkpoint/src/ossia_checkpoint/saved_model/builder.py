"""Writing SavedModels."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ossia_checkpoint import commit
from ossia_checkpoint.saved_model import constants, signatures
from ossia_core import files
from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public

_LOG = logging.getLogger("tensorflow")
_ANY_ASSET = "type.googleapis.com/tensorflow.AssetFileDef"


@public("saved_model.Builder", "saved_model.builder.SavedModelBuilder")
class SavedModelBuilder:
    """Writes a SavedModel: first one graph with its variables and files, then other graphs for the same variables.

    Args:
        export_dir: The directory, which must not exist or be empty.

    Raises:
        AssertionError: The directory has files in it.

    Source: TensorFlow 1.15, `tf.saved_model.Builder`.
    """

    def __init__(self, export_dir: str) -> None:
        from ossia_core.proto import SavedModel

        self._saved_model = SavedModel(saved_model_schema_version=constants.SAVED_MODEL_SCHEMA_VERSION)
        self._export_dir = os.fspath(export_dir) if not isinstance(export_dir, bytes) else export_dir.decode()
        system = files.file_system(self._export_dir)
        if system.exists(self._export_dir) and system.list_directory(self._export_dir):
            raise AssertionError(
                "Export directory already exists, and isn't empty. Please choose a different export directory, or "
                f"delete all the contents of the specified directory: {self._export_dir}"
            )
        system.make_directories(self._export_dir)
        self._has_saved_variables = False

    def add_meta_graph_and_variables(
        self,
        sess: Any,
        tags: Sequence[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Sequence[Tensor] | None = None,
        legacy_init_op: Operation | None = None,
        clear_devices: bool = False,
        main_op: Operation | None = None,
        strip_default_attrs: bool = False,
        saver: Any = None,
    ) -> None:
        """Adds the default graph, and writes the values of its variables and the files that it needs.

        Args:
            sess: The session that holds the values.
            tags: What the graph is for, such as `[tf.saved_model.SERVING]`.
            signature_def_map: `SignatureDef` messages by name.
            assets_collection: Constant tensors of strings: paths of files to keep beside the model.
            legacy_init_op: The older name of `main_op`.
            clear_devices: Whether to leave devices out.
            main_op: An operation to run after loading.
            strip_default_attrs: Whether to leave out attributes that have their default value.
            saver: What writes the variables; by default a sharded `Saver` of all variables and saveable objects.

        Raises:
            AssertionError: There is a graph with variables already, or a signature lacks a dtype or a name.
            KeyError: A signature has a reserved name.
            ValueError: The graph has a main op already.
            TypeError: A path is no tensor of strings, or `main_op` is no operation.
            OpError: A file cannot be read or written.
        """
        if self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. Please invoke `add_meta_graph()` "
                "instead."
            )
        _check_signatures(signature_def_map)
        main_op = main_op or legacy_init_op
        self._write_assets(assets_collection)
        _keep_main_op(main_op)
        folder = os.path.join(self._export_dir, constants.VARIABLES_DIRECTORY)
        files.file_system(folder).make_directories(folder)
        saver = saver or _saver()
        path = os.path.join(folder, constants.VARIABLES_FILENAME)
        saver.save(sess, path, write_meta_graph=False, write_state=False)
        self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)
        self._has_saved_variables = True

    def add_meta_graph(
        self,
        tags: Sequence[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Sequence[Tensor] | None = None,
        legacy_init_op: Operation | None = None,
        clear_devices: bool = False,
        main_op: Operation | None = None,
        strip_default_attrs: bool = False,
        saver: Any = None,
    ) -> None:
        """Adds the default graph as another one for the variables that are written already.

        Arguments and errors are those of `add_meta_graph_and_variables`.

        Raises:
            AssertionError: No graph with variables was added before.
        """
        if not self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. Please invoke "
                "`add_meta_graph_and_variables()` first."
            )
        _check_signatures(signature_def_map)
        main_op = main_op or legacy_init_op
        self._write_assets(assets_collection)
        _keep_main_op(main_op)
        self._add(saver or _saver(), tags, signature_def_map, clear_devices, strip_default_attrs)

    def save(self, as_text: bool = False) -> bytes:
        """Writes the file that describes the graphs: with it, the directory is a SavedModel.

        Args:
            as_text: Whether to write the text form.

        Returns:
            The path of the file.

        Raises:
            OpError: The file cannot be written.
        """
        from google.protobuf import text_format

        name = constants.SAVED_MODEL_FILENAME_PBTXT if as_text else constants.SAVED_MODEL_FILENAME_PB
        path = os.path.join(self._export_dir, name)
        model = self._saved_model
        content = (
            text_format.MessageToString(model).encode() if as_text else model.SerializeToString(deterministic=True)
        )
        commit.write(path, content)
        _LOG.info("SavedModel written to: %s", path)
        return path.encode()

    def _add(
        self, saver: Any, tags: Sequence[str], signature_defs: Mapping[str, Any] | None, clear_devices: bool,
        strip_default_attrs: bool,
    ) -> None:
        meta_graph = saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)
        made = self._saved_model.meta_graphs.add()
        made.CopyFrom(meta_graph)
        made.meta_info_def.tags.extend(tags)
        for name, signature in (signature_defs or {}).items():
            made.signature_def[name].CopyFrom(signature)

    def _write_assets(self, tensors: Sequence[Tensor] | None) -> None:
        """Notes the files in the graph's collection of assets, and copies them."""
        if tensors is None:
            _LOG.info("No assets to save.")
            _LOG.info("No assets to write.")
            return
        sources = _asset_names(tensors)
        _LOG.info("Assets added to graph.")
        if not sources:
            _LOG.info("No assets to write.")
            return
        folder = os.path.join(self._export_dir, constants.ASSETS_DIRECTORY)
        system = files.file_system(folder)
        system.make_directories(folder)
        for source, name in sources.items():
            with files.file_system(source).open(source, "rb") as stream:
                commit.write(os.path.join(folder, name), stream.read())
        _LOG.info("Assets written to: %s", folder)


def _check_signatures(signature_defs: Mapping[str, Any] | None) -> None:
    for key, signature in (signature_defs or {}).items():
        if key in (constants.INIT_OP_SIGNATURE_KEY, constants.TRAIN_OP_SIGNATURE_KEY):
            use = "initialization" if key == constants.INIT_OP_SIGNATURE_KEY else "the train op"
            raise KeyError(f'SignatureDef map key "{key}" is reserved for {use}. Please use a different key.')
        for info in (*signature.inputs.values(), *signature.outputs.values()):
            if info.WhichOneof("encoding") is None:
                raise AssertionError(
                    "All TensorInfo protos used in the SignatureDefs must have one of the 'encoding' fields (e.g., "
                    f"name or coo_sparse) set: {info}"
                )
            if not info.dtype and info.WhichOneof("encoding") != "composite_tensor":
                raise AssertionError(
                    f"All TensorInfo protos used in the SignatureDefs must have the dtype field set: {info}"
                )


def _keep_main_op(main_op: Operation | None) -> None:
    if main_op is None:
        return
    if not isinstance(main_op, Operation):
        raise TypeError(f"main_op needs to be an Operation: {main_op!r}")
    if get_collection(constants.MAIN_OP_KEY):
        raise ValueError(
            f"Graph already contains one or more main ops under the collection {constants.MAIN_OP_KEY}."
        )
    get_default_graph().add_to_collection(constants.MAIN_OP_KEY, main_op)


def _saver() -> Any:
    from ossia_checkpoint.saver import Saver

    variables = [*get_collection(GraphKeys.GLOBAL_VARIABLES), *get_collection(GraphKeys.SAVEABLE_OBJECTS)]
    return Saver(variables, sharded=True, allow_empty=True)


def _asset_names(tensors: Sequence[Tensor]) -> dict[str, str]:
    """The names under which files are kept, by their paths; each tensor is noted in the collection of assets.

    Raises:
        TypeError: A path is no tensor of strings.
        ValueError: A path is not known while the graph is built.
    """
    from google.protobuf.any_pb2 import Any as AnyMessage

    from ossia_core.proto import AssetFileDef

    sources: dict[str, str] = {}
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError("Asset path tensor must be a Tensor.")
        if tensor.dtype != dtypes.string:
            raise TypeError("Asset path tensor must be of dtype string.")
        value = get_static_value(tensor)
        if value is None:
            raise ValueError(f"The path in the asset tensor {tensor.name} is not a constant.")
        source = value.item().decode() if hasattr(value, "item") else value.decode()
        if source not in sources:
            sources[source] = _unused_name(os.path.basename(source), set(sources.values()))
        asset = AssetFileDef(filename=sources[source])
        asset.tensor_info.name = tensor.name
        item = AnyMessage(type_url=_ANY_ASSET, value=asset.SerializeToString(deterministic=True))
        get_default_graph().add_to_collection(constants.ASSETS_KEY, item)
    return sources


def _unused_name(name: str, used: set[str]) -> str:
    """This name, or with `_1`, `_2`, ... behind it the first that is free."""
    free, number = name, 0
    while free in used:
        number += 1
        free = f"{name}_{number}"
    return free


@public("saved_model.simple_save")
def simple_save(
    session: Any, export_dir: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any],
    legacy_init_op: Operation | None = None,
) -> None:
    """Writes a SavedModel for serving: the session's graph with one signature for predictions.

    Args:
        session: The session.
        export_dir: The directory, which must not exist or be empty.
        inputs: Tensors by name.
        outputs: Tensors by name.
        legacy_init_op: An operation to run after loading.

    Raises:
        AssertionError: The directory has files in it.
    """
    with session.graph.as_default():
        builder = SavedModelBuilder(export_dir)
        builder.add_meta_graph_and_variables(
            session,
            tags=[constants.SERVING],
            signature_def_map={
                constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signatures.predict_signature_def(inputs, outputs)
            },
            assets_collection=get_collection(GraphKeys.ASSET_FILEPATHS),
            main_op=legacy_init_op,
            clear_devices=True,
        )
        builder.save()

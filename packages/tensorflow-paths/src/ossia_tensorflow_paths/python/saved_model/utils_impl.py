"""Paths in SavedModels, and operations in signatures."""

from __future__ import annotations

import os
from typing import Any

import ossia as tf
from ossia_checkpoint.saved_model import constants


def get_variables_dir(export_dir: str) -> str:
    """The folder of the checkpoint with the variables."""
    return os.path.join(tf.compat.as_text(export_dir), constants.VARIABLES_DIRECTORY)


def get_variables_path(export_dir: str) -> str:
    """The prefix of that checkpoint."""
    return os.path.join(get_variables_dir(export_dir), constants.VARIABLES_FILENAME)


def get_assets_dir(export_dir: str) -> str:
    """The folder of further files."""
    return os.path.join(tf.compat.as_text(export_dir), constants.ASSETS_DIRECTORY)


def get_or_create_variables_dir(export_dir: str) -> str:
    """The folder of the checkpoint, made if it is not there."""
    return _made(get_variables_dir(export_dir))


def get_or_create_assets_dir(export_dir: str) -> str:
    """The folder of further files, made if it is not there."""
    return _made(get_assets_dir(export_dir))


def _made(folder: str) -> str:
    tf.gfile.MakeDirs(folder)
    return folder


def build_tensor_info_from_op(op: Any) -> Any:
    """A TensorInfo that names an operation."""
    from ossia_core.proto import TensorInfo

    return TensorInfo(dtype=tf.resource.as_datatype_enum, name=op.name)


def get_element_from_tensor_info(tensor_info: Any, graph: Any = None, import_scope: str | None = None) -> Any:
    """The tensor or operation of a graph that a TensorInfo names."""
    name = f"{import_scope}/{tensor_info.name}" if import_scope else tensor_info.name
    return (graph or tf.get_default_graph()).as_graph_element(name)


def load_op_from_signature_def(signature_def: Any, key: str, import_scope: str | None = None) -> Any:
    """The operation that is kept as an output of a signature.

    Raises:
        NotFoundError: The graph has no such operation.
    """
    info = signature_def.outputs[key]
    try:
        return get_element_from_tensor_info(info, import_scope=import_scope)
    except KeyError as error:
        raise tf.errors.NotFoundError(None, None, f'The key "{key}" names no op of the graph: {error}') from None

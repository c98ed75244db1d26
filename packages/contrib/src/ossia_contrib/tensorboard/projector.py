"""The file that tells TensorBoard's projector about embeddings: which variables, with which labels and pictures."""

from __future__ import annotations

import os
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

import ossia as tf
from ossia_core.plugins.api_table import public, public_value

_STRING, _UINT32, _MESSAGE = 9, 13, 11
_ONE, _MANY = 1, 3
_MESSAGES: dict[str, list[tuple[str, Any, Any]]] = {
    "SpriteMetadata": [("image_path", _STRING, _ONE), ("single_image_dim", _UINT32, _MANY)],
    "EmbeddingInfo": [
        ("tensor_name", _STRING, _ONE), ("metadata_path", _STRING, _ONE), ("bookmarks_path", _STRING, _ONE),
        ("tensor_shape", _UINT32, _MANY), ("sprite", "SpriteMetadata", _ONE), ("tensor_path", _STRING, _ONE),
    ],
    "ProjectorConfig": [
        ("model_checkpoint_path", _STRING, _ONE), ("embeddings", "EmbeddingInfo", _MANY),
        ("model_checkpoint_dir", _STRING, _ONE),
    ],
}


def _made() -> dict[str, Any]:
    """The message classes, in a pool of their own: TensorBoard, in the same process, registers its own."""
    file = descriptor_pb2.FileDescriptorProto(name="projector_config.proto", package="tensorflow", syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, (field, kind, label) in enumerate(fields, 1):
            added = message.field.add(name=field, number=number, label=label)
            if isinstance(kind, str):
                kind, added.type_name = _MESSAGE, f".tensorflow.{kind}"
            added.type = kind
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"tensorflow.{name}")) for name in _MESSAGES
    }


_classes = _made()
EmbeddingInfo, ProjectorConfig = _classes["EmbeddingInfo"], _classes["ProjectorConfig"]
SpriteMetadata = _classes["SpriteMetadata"]
for _name in _MESSAGES:
    public_value(f"contrib.tensorboard.plugins.projector.{_name}", name=_name)


@public("contrib.tensorboard.plugins.projector.visualize_embeddings")
def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes a configuration of the projector into the folder of a writer, as `projector_config.pbtxt`.

    Args:
      summary_writer: a `tf.summary.FileWriter`.
      config: a `ProjectorConfig`.

    Raises:
      ValueError: the writer has no folder.
    """
    folder = summary_writer.get_logdir()
    if folder is None:
        raise ValueError("Summary writer must have a logdir")
    path = os.path.join(tf.compat.as_str_any(folder), "projector_config.pbtxt")
    with tf.gfile.Open(path, "w") as file:
        file.write(text_format.MessageToString(config))

"""Summaries of whole tensors and of text, for TensorBoard's plugins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import provides
from ossia_core.proto import Summary, SummaryMetadata
from ossia_io.tensors import tensor_proto
from ossia_summary.scalar import _text
from ossia_summary.scopes import collect, summary_scope

tensor_summary_op = op(
    "TensorSummary(tensor: T) -> summary: string",
    T="type",
    description="string = ''",
    labels="list(string) = []",
    display_name="string = ''",
)
tensor_summary_op.shape(scalar_shape)


@tensor_summary_op.kernel
def _(tensor, *, node):
    summary = Summary()
    value = summary.value.add(node_name=node.name)
    value.tensor.CopyFrom(tensor_proto(tensor, node.inputs[0].dtype.base_dtype))
    return summary.SerializeToString()


tensor_summary_op.not_differentiable()
tensor_summary_op.samples(plain=sample([1.0, 2.0]))

tensor_summary_v2_op = op(
    "TensorSummaryV2(tag: string, tensor: T, serialized_summary_metadata: string) -> summary: string", T="type"
)
tensor_summary_v2_op.shape(scalar_shape)


@tensor_summary_v2_op.kernel
def _(tag, tensor, serialized_summary_metadata, *, node):
    from google.protobuf.message import DecodeError

    for name, text in (("tag", tag), ("serialized_summary_metadata", serialized_summary_metadata)):
        if np.ndim(text):
            raise InvalidArgumentError(None, None, f"{name} must be scalar")
    summary = Summary()
    value = summary.value.add(tag=_text(np.asarray(tag, object).item()))
    value.tensor.CopyFrom(tensor_proto(tensor, node.inputs[1].dtype.base_dtype))
    try:
        value.metadata.ParseFromString(np.asarray(serialized_summary_metadata, object).item())
    except DecodeError as error:
        raise InvalidArgumentError(None, None, f"serialized_summary_metadata is no SummaryMetadata: {error}") from error
    return summary.SerializeToString()


tensor_summary_v2_op.not_differentiable()
tensor_summary_v2_op.samples(plain=(b"t", [1.0, 2.0], b""), text=(b"t", [b"a", b"b"], b"\n\x06\n\x04text"))


@provides("ossia_summary_kinds", "tensor_summary")
def tensor_summary(
    name: str,
    tensor: Any,
    summary_description: str | None = None,
    collections: Any = None,
    summary_metadata: Any = None,
    family: str | None = None,
    display_name: str | None = None,
) -> Tensor:
    """A summary that holds a whole tensor.

    Args:
        name: Name of the op, and with its scope the tag.
        tensor: A tensor of any type.
        summary_description: A text that describes it, in Markdown.
        collections: Names of the collections to add it to; `["summaries"]` if None.
        summary_metadata: A `SummaryMetadata` that says which plugin of TensorBoard shows it.
        family: Groups tags: a prefix of name and tag.
        display_name: The name that TensorBoard shows.

    Returns:
        A scalar string tensor, a serialised `Summary`.
    """
    metadata = SummaryMetadata()
    if summary_metadata is not None:
        metadata.ParseFromString(summary_metadata.SerializeToString())
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    with summary_scope(name, family, [tensor]) as (tag, scope):
        summary = tensor_summary_v2_op(tag, tensor, metadata.SerializeToString(), name=scope)
        return collect(summary, collections)


@provides("ossia_summary_kinds", "text")
def text(name: str, tensor: Any, collections: Any = None) -> Tensor:
    """A summary of text, which TensorBoard shows as Markdown; a vector or matrix as a table.

    Args:
        name: Name of the op, and with its scope the tag.
        tensor: A string tensor.
        collections: Names of the collections to add it to; `["summaries"]` if None.

    Raises:
        ValueError: `tensor` is of another type.
    """
    if tensor.dtype.base_dtype is not dtypes.string:
        raise ValueError(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype}")
    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="text"))
    return tensor_summary(name, tensor, collections=collections, summary_metadata=metadata)

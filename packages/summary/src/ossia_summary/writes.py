"""Summaries that a graph writes to an event file itself, each with its step."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.names.errors import DataLossError
from ossia_core.proto import Event, GraphDef, Summary
from ossia_io.tensors import tensor_proto
from ossia_summary.audio import audio_proto
from ossia_summary.histogram import histogram_summary_proto
from ossia_summary.image import image_proto
from ossia_summary.scalar import REAL
from ossia_summary.writer_ops import only


def _write_op(definition: str, **attrs: Any) -> Any:
    """An op that writes, and has no outputs."""
    defined = op(definition, stateful=True, **attrs)
    defined.changes("writer")
    defined.shape(lambda *inputs, **attrs: ())
    return defined


def _text(value: Any) -> str:
    return only(value).decode("utf-8", "replace")


def _write(writer: Any, step: Any, **content: Any) -> tuple:
    writer.file().add_event(Event(wall_time=time.time(), step=int(only(step)), **content))
    return ()


def _parsed(message: Any, serialized: bytes, refusal: str) -> Any:
    from google.protobuf.message import DecodeError

    try:
        return message.FromString(serialized)
    except DecodeError as error:
        raise DataLossError(None, None, refusal) from error


write_summary_op = _write_op(
    "WriteSummary(writer: resource, step: int64, tensor: T, tag: string, summary_metadata: string)", T="type"
)


@write_summary_op.kernel
def _(writer, step, tensor, tag, summary_metadata, *, node):
    from google.protobuf.message import DecodeError

    value = Summary.Value(tag=_text(tag), tensor=tensor_proto(tensor, node.inputs[2].dtype.base_dtype))
    metadata = only(summary_metadata)
    if metadata:
        value.metadata.SetInParent()
        try:
            value.metadata.MergeFromString(metadata)
        except DecodeError:  # the original writes such summaries too, without what it cannot read
            value.metadata.Clear()
    return _write(writer, step, summary=Summary(value=[value]))


write_raw_proto_summary_op = _write_op("WriteRawProtoSummary(writer: resource, step: int64, tensor: string)")


@write_raw_proto_summary_op.kernel
def _(writer, step, tensor):
    merged = Summary()
    for position, serialized in enumerate(np.asarray(tensor, object).ravel()):
        refusal = f"Bad tf.compat.v1.Summary binary proto tensor string at index {position}"
        merged.MergeFrom(_parsed(Summary, serialized, refusal))
    return _write(writer, step, summary=merged)


write_scalar_summary_op = _write_op("WriteScalarSummary(writer: resource, step: int64, tag: string, value: T)", T=REAL)


@write_scalar_summary_op.kernel
def _(writer, step, tag, value):
    number = float(only(np.asarray(value).astype(np.float32)))
    return _write(writer, step, summary=Summary(value=[Summary.Value(tag=_text(tag), simple_value=number)]))


write_histogram_summary_op = _write_op(
    "WriteHistogramSummary(writer: resource, step: int64, tag: string, values: T)", T=REAL + " = DT_FLOAT"
)


@write_histogram_summary_op.kernel
def _(writer, step, tag, values):
    return _write(writer, step, summary=histogram_summary_proto(_text(tag), values))


write_image_summary_op = _write_op(
    "WriteImageSummary(writer: resource, step: int64, tag: string, tensor: T, bad_color: uint8)",
    max_images="int >= 1 = 3",
    T="{uint8, float, half} = DT_FLOAT",
)


@write_image_summary_op.kernel
def _(writer, step, tag, tensor, bad_color, *, max_images):
    return _write(writer, step, summary=image_proto(_text(tag), tensor, max_images, bad_color))


write_audio_summary_op = _write_op(
    "WriteAudioSummary(writer: resource, step: int64, tag: string, tensor: float, sample_rate: float)",
    max_outputs="int >= 1 = 3",
)


@write_audio_summary_op.kernel
def _(writer, step, tag, tensor, sample_rate, *, max_outputs):
    return _write(writer, step, summary=audio_proto(_text(tag), tensor, sample_rate, max_outputs))


write_graph_summary_op = _write_op("WriteGraphSummary(writer: resource, step: int64, tensor: string)")


@write_graph_summary_op.kernel
def _(writer, step, tensor):
    serialized = only(tensor)
    _parsed(GraphDef, serialized, "Bad tf.GraphDef binary proto tensor string")
    return _write(writer, step, graph_def=serialized)

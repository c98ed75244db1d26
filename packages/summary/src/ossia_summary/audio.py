"""Audio summaries."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import provides, public
from ossia_core.proto import Summary
from ossia_io import wav
from ossia_summary.scalar import _text
from ossia_summary.scopes import collect, summary_scope

audio_summary_op = op(
    "AudioSummary(tag: string, tensor: float) -> summary: string", sample_rate="float", max_outputs="int >= 1 = 3"
)
audio_summary_op.shape(scalar_shape)


@audio_summary_op.kernel
def _(tag, tensor, *, sample_rate, max_outputs):
    return _summary(tag, tensor, np.float32(sample_rate), max_outputs)


audio_summary_op.not_differentiable()
audio_summary_op.removed(15, "Use AudioSummaryV2 instead")
audio_summary_op.samples(stereo=sample(b"s", np.zeros((1, 4, 2), np.float32), sample_rate=100.0))

audio_summary_v2_op = op(
    "AudioSummaryV2(tag: string, tensor: float, sample_rate: float) -> summary: string", max_outputs="int32 >= 1 = 3"
)
audio_summary_v2_op.shape(scalar_shape)


@audio_summary_v2_op.kernel
def _(tag, tensor, sample_rate, *, max_outputs):
    return _summary(tag, tensor, sample_rate, max_outputs)


def _summary(tag: Any, tensor: np.ndarray, sample_rate: Any, max_outputs: int) -> bytes:
    if np.ndim(tag):
        raise InvalidArgumentError(None, None, "Tag must be a scalar")
    return audio_proto(_text(np.asarray(tag, object).item()), tensor, sample_rate, max_outputs).SerializeToString()


def audio_proto(tag: str, tensor: Any, sample_rate: Any, max_outputs: int) -> Any:
    """The Summary of a batch of sounds.

    Raises:
      InvalidArgumentError: it is no batch of sounds, or the rate is not positive.
    """
    tensor = np.asarray(tensor)
    if tensor.ndim not in (2, 3):
        raise InvalidArgumentError(None, None, f"Tensor must be 3-D or 2-D, got: {list(tensor.shape)}")
    if np.ndim(sample_rate):
        raise InvalidArgumentError(None, None, "sample_rate must be a scalar")
    rate = float(np.asarray(sample_rate)[()])
    if not 0 < rate < 2**32:
        raise InvalidArgumentError(None, None, "sample_rate must be > 0")
    summary = Summary()
    for i, sound in enumerate(tensor[:max_outputs]):
        frames = sound.reshape(len(sound), -1)
        audio = summary.value.add(tag=f"{tag}/audio" if max_outputs == 1 else f"{tag}/audio/{i}").audio
        audio.sample_rate, audio.num_channels, audio.length_frames = rate, frames.shape[1], len(frames)
        audio.content_type = "audio/wav"
        audio.encoded_audio_string = wav.encoded(frames, max(1, int(np.rint(rate))))
    return summary


audio_summary_v2_op.not_differentiable()
audio_summary_v2_op.samples(mono=(b"s", np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4), 100.0))


@provides("ossia_summary_kinds", "audio")
def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int = 3, collections: Any = None, family: str | None = None
) -> Tensor:
    """A summary of sounds.

    Args:
        name: Name of the op; tags are this with its scope, and `/audio` or `/audio/0`, `/audio/1` and so on.
        tensor: float32 `[batch, frames, channels]` or `[batch, frames]`, values from -1 to 1.
        sample_rate: float32 scalar, in hertz.
        max_outputs: How many sounds of the batch are kept.
        collections: Names of the collections to add it to; `["summaries"]` if None.
        family: Groups tags: a prefix of name and tag.

    Returns:
        A scalar string tensor, a serialised `Summary`.
    """
    with summary_scope(name, family, [tensor]) as (tag, scope):
        sample_rate = convert_to_tensor(sample_rate, dtypes.float32, "sample_rate")
        return collect(audio_summary_v2_op(tag, tensor, sample_rate, max_outputs=max_outputs, name=scope), collections)


@public("audio_summary")
def audio_summary(
    tag: Any, tensor: Any, sample_rate: Any, max_outputs: int = 3, collections: Any = None, name: str | None = None
) -> Tensor:
    """`tf.summary.audio` under its first name, with the tag as a string or string tensor of its own."""
    with name_scope(name, "AudioSummary", [tag, tensor]) as scope:
        sample_rate = convert_to_tensor(sample_rate, dtypes.float32, "sample_rate")
        return collect(audio_summary_v2_op(tag, tensor, sample_rate, max_outputs=max_outputs, name=scope), collections)

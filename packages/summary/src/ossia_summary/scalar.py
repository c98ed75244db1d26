"""Scalar summaries."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import provides, public
from ossia_core.proto import Summary
from ossia_summary.scopes import collect, summary_scope

REAL = "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"

scalar_summary_op = op("ScalarSummary(tags: string, values: T) -> summary: string", T=REAL)
scalar_summary_op.shape(scalar_shape)


@scalar_summary_op.kernel
def _(tags, values):
    tags, values = np.asarray(tags, object), np.asarray(values)
    if (
        tags.shape != values.shape
        and not tags.size == values.size == 1
        or tags.size == values.size == 1
        and tags.ndim != values.ndim
    ):
        sizes = " != ".join(str(list(part.shape)) for part in (tags, values))
        single = f" (tag '{_text(tags[()])}')" if tags.ndim == 0 else ""
        raise InvalidArgumentError(None, None, f"tags and values not the same shape: {sizes}{single}")
    summary = Summary()
    for tag, value in zip(tags.ravel().tolist(), values.ravel().astype(np.float32).tolist(), strict=True):
        summary.value.add(tag=_text(tag), simple_value=value)
    return summary.SerializeToString()


def _text(tag: bytes | str) -> str:
    return tag.decode("utf-8", "replace") if isinstance(tag, bytes) else tag


scalar_summary_op.not_differentiable()
scalar_summary_op.samples(plain=(b"loss", 1.5), several=([b"a", b"b"], [1, 2]), nan=(b"x", float("nan")))


@provides("ossia_summary_kinds", "scalar")
def scalar(name: str, tensor: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """A summary of one number.

    Args:
        name: Name of the op, and with its scope the tag that TensorBoard shows.
        tensor: A real scalar.
        collections: Names of the collections to add it to; `["summaries"]` if None.
        family: Groups tags: a prefix of name and tag.

    Returns:
        A scalar string tensor, a serialised `Summary`.
    """
    with summary_scope(name, family, [tensor]) as (tag, scope):
        return collect(scalar_summary_op(tag, tensor, name=scope), collections)


@public("scalar_summary")
def scalar_summary(tags: Any, values: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """A summary of numbers, each with its tag.

    Args:
        tags: A string or a tensor of strings.
        values: Real numbers in the shape of `tags`.
        collections: Names of the collections to add it to; `["summaries"]` if None.
        name: Name of the op.
    """
    with name_scope(name, "ScalarSummary", [tags, values]) as scope:
        return collect(scalar_summary_op(tags, values, name=scope), collections)

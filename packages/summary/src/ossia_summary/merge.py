"""Several summaries as one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_core.proto import Summary
from ossia_summary.scopes import clean_tag, collect

merge_summary_op = op("MergeSummary(inputs: N * string) -> summary: string", N="int >= 1")
merge_summary_op.shape(scalar_shape)


@merge_summary_op.kernel
def _(inputs):
    from google.protobuf.message import DecodeError

    merged, tags = Summary(), set()
    for item in inputs:
        for serialized in np.asarray(item, object).ravel().tolist():
            first = len(merged.value)
            try:
                merged.MergeFromString(serialized)
            except DecodeError as error:
                raise InvalidArgumentError(None, None, "Could not parse one of the summary inputs") from error
            for value in merged.value[first:]:
                if value.tag in tags:  # summaries without a tag are told apart by their nodes
                    raise InvalidArgumentError(None, None, f"Duplicate tag {value.tag} found in summary inputs")
                if value.tag:
                    tags.add(value.tag)
    return merged.SerializeToString()


merge_summary_op.not_differentiable()
merge_summary_op.samples(two=([b"\n\x08\n\x01a\x15\x00\x00\x80?", b"\n\x08\n\x01b\x15\x00\x00\x00@"],), empty=([b""],))


@public("summary.merge")
def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """One summary with the values of several.

    Args:
        inputs: String tensors, serialised `Summary`s.
        collections: Names of the collections to add it to; none if None.
        name: Name of the op.

    Returns:
        A scalar string tensor. Running it raises InvalidArgumentError where two summaries have the same tag.
    """
    name = clean_tag(name) if name is not None else None
    with name_scope(name, "Merge", inputs):
        return collect(merge_summary_op(inputs, name=name), collections, ())


@public("summary.merge_all")
def merge_all(key: str = GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None) -> Tensor | None:
    """One summary with all those of a collection of the default graph.

    Args:
        key: Name of the collection.
        scope: A regular expression; only summaries whose names match it are taken.
        name: Name of the op.

    Returns:
        A scalar string tensor, or None where there is no summary.
    """
    summaries = get_collection(key, scope=scope)
    return merge(summaries, name=name) if summaries else None


@public("merge_summary")
def merge_summary(inputs: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """`tf.summary.merge` under its first name."""
    with name_scope(name, "MergeSummary", inputs) as scope:
        return collect(merge_summary_op(inputs, name=scope), collections, ())


@public("merge_all_summaries")
def merge_all_summaries(key: str = GraphKeys.SUMMARIES) -> Tensor | None:
    """`tf.summary.merge_all` under its first name."""
    summaries = get_collection(key)
    return merge_summary(summaries) if summaries else None

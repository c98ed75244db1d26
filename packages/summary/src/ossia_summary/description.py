"""Descriptions that tensor summaries carry."""

from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import public
from ossia_core.proto import SummaryDescription


@public("summary.get_summary_description")
def get_summary_description(node_def: Any) -> Any:
    """The SummaryDescription in a NodeDef of a `TensorSummary` op.

    Args:
        node_def: The NodeDef; its attribute `description` holds the description as JSON.

    Raises:
        ValueError: It is of another op.
    """
    from google.protobuf import json_format

    if node_def.op != "TensorSummary":
        raise ValueError(f"Can't get_summary_description on {node_def.op}")
    return json_format.Parse(node_def.attr["description"].s.decode("utf-8"), SummaryDescription())

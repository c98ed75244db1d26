"""`saved_model_utils`: the graphs of a SavedModel by their tags."""

from __future__ import annotations

from typing import Any

from ossia_checkpoint.saved_model.loader import SavedModelLoader, parse_saved_model

read_saved_model = parse_saved_model


def get_saved_model_tag_sets(saved_model_dir: str) -> list[list[str]]:
    """The tags of each graph."""
    return [list(graph.meta_info_def.tags) for graph in parse_saved_model(saved_model_dir).meta_graphs]


def get_meta_graph_def(saved_model_dir: str, tag_set: str) -> Any:
    """The graph with these tags, separated by commas; RuntimeError if there is none."""
    return SavedModelLoader(saved_model_dir).get_meta_graph_def_from_tags(tag_set.split(","))

"""How much each column has done for the trees, and for one prediction."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def importances(ensemble: Any, columns: Sequence[str], normalize: bool) -> OrderedDict[str, float]:
    """The sum of the gains of each column's splits, the greatest first.

    Args:
        ensemble: The trees, a message.
        columns: For each feature, the name of its column.
        normalize: Whether the sums are to add up to 1.

    Raises:
        ValueError: A sum is negative, so that they cannot be made to add up to 1.
    """
    sums = np.zeros(len(columns))
    for tree, weight in zip(ensemble.trees, ensemble.tree_weights):
        for node in tree.nodes:
            kind = node.WhichOneof("node")
            if kind == "bucketized_split":
                sums[node.bucketized_split.feature_id] += node.metadata.gain * weight
            elif kind != "leaf":
                raise ValueError(f"Unexpected split type {kind}")
    if normalize:
        if (sums < 0).any():
            raise ValueError(
                "feature_importances cannot be normalized as it contains negative feature importance scores. "
                "Try to use a different pruning_mode."
            )
        whole = sums.sum()
        sums = sums / whole if whole else sums
    by_column: dict[str, float] = {}
    for name, value in zip(columns, sums.tolist()):
        by_column[name] = by_column.get(name, 0.0) + value
    return OrderedDict(sorted(by_column.items(), key=lambda item: item[1], reverse=True))


def contributions(
    path: Any, columns: Sequence[str], activation: Callable[[np.ndarray], np.ndarray]
) -> tuple[float, OrderedDict[str, float]]:
    """What is predicted without looking at an example, and what each column adds to it, the greatest first.

    Args:
        path: The way of an example through the trees, a message.
        columns: For each feature, the name of its column.
        activation: Function that makes predictions of logits.
    """
    predictions = activation(np.array(path.logits_path, np.float32))
    added: dict[str, float] = dict.fromkeys(columns, 0.0)
    for feature, change in zip(path.feature_ids, np.diff(predictions.astype(np.float64)).tolist()):
        added[columns[feature]] += change
    return float(predictions[0]), OrderedDict(sorted(added.items(), key=lambda item: abs(item[1]), reverse=True))

"""Which predictions are asked for, and how many a batch has."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def selected(predictions: Any, keys: Any) -> Any:
    """The predictions with these names, or all where there are none.

    Raises:
        ValueError: The predictions have no names, or none of these.
    """
    if not keys:
        return predictions
    if not isinstance(predictions, Mapping):
        raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
    found = {name: value for name, value in predictions.items() if name in keys}
    if not found:
        raise ValueError(f"Expected to run at least one output from {list(predictions)}, provided {keys}.")
    return found


def batch_size(values: Mapping[str, Any]) -> int:
    """How many examples a batch of predictions has.

    Raises:
        ValueError: Some have more than others.
    """
    size = None
    for name, value in values.items():
        size = size or value.shape[0]
        if value.shape[0] != size:
            raise ValueError(f"Batch length of predictions should be same. {name} has different batch length than "
                             "others.")
    return size or 0

"""`serialization` and `is_in_graph_mode`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import ossia as tf


def get_json_type(obj: Any) -> Any:
    """What JSON can hold, for shapes, dimensions, arrays, types and objects that have a configuration.

    Raises:
        TypeError: There is nothing that stands for the object.
        ValueError: It is a shape of unknown rank.
    """
    if hasattr(obj, "get_config"):
        return {"class_name": type(obj).__name__, "config": obj.get_config()}
    if isinstance(obj, (np.ndarray, np.generic)):
        return obj.tolist() if isinstance(obj, np.ndarray) else obj.item()
    if isinstance(obj, tf.TensorShape):
        return obj.as_list()
    if isinstance(obj, tf.Dimension):
        return obj.value
    if callable(obj) and hasattr(obj, "__name__"):
        return obj.__name__
    if isinstance(obj, Mapping):
        return dict(obj)
    raise TypeError("Not JSON Serializable:", obj)


def IS_IN_GRAPH_MODE() -> bool:
    """True: programs build graphs."""
    return True

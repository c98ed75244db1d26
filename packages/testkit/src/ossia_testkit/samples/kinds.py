"""Samples of the summary kinds, the queues and the checkpoint formats."""

from __future__ import annotations

from typing import Any

import numpy as np

_PICTURE = np.zeros([1, 2, 2, 3], np.uint8)
SUMMARIES: dict[str, dict[str, dict[str, Any]]] = {
    "scalar": {"plain": {"inputs": [np.array(1.5, np.float32)], "values": [{"simple_value": 1.5}]},
               "integer": {"inputs": [np.array(-7, np.int64)], "values": [{"simple_value": -7.0}]}},
    "histogram": {"plain": {"inputs": [np.array([1.0, 2.0, 3.5], np.float32)],
                            "values": lambda values: [v.histo.num for v in values] == [3]}},
    "image": {"one": {"inputs": [_PICTURE],
                      "values": lambda values: [(v.tag, v.image.width) for v in values] == [("made/image/0", 2)]}},
    "audio": {"one": {"inputs": [np.zeros([1, 8, 1], np.float32), 8000.0],
                      "values": lambda values: [v.audio.sample_rate for v in values] == [8000.0]}},
    "text": {"plain": {"inputs": [np.array(b"text", object)],
                       "values": lambda values: [v.tensor.string_val[0] for v in values] == [b"text"]}},
    "tensor_summary": {"plain": {"inputs": [np.array([1.0, 2.0], np.float32)],
                                 "values": lambda values: [v.tensor.tensor_shape.dim[0].size for v in values] == [2]}},
}


def _made(kind: str, *options: Any) -> Any:
    def make(capacity: int, dtype: Any, shape: list[int]) -> Any:
        import ossia as tf

        return getattr(tf.queue, kind)(capacity, *options, dtype, shapes=[shape])

    return make


QUEUES: dict[str, dict[str, dict[str, Any]]] = {
    "FIFOQueue": {"plain": {"make": _made("FIFOQueue"), "order": list}},
    "PaddingFIFOQueue": {"plain": {"make": _made("PaddingFIFOQueue"), "order": list}},
    "PriorityQueue": {"plain": {"make": _made("PriorityQueue"), "order": sorted, "first": True}},
    "RandomShuffleQueue": {"plain": {"make": _made("RandomShuffleQueue", 0), "order": None}},
}

# Format V1 is read by versions of the original that have no bfloat16.
FORMATS = {"V1": {"": {"dtypes": ("float32", "float64", "float16", "int8", "int16", "int32", "int64", "uint8", "uint16",
                                  "bool", "complex64", "complex128", "string")}}}

"""`tf.lite`: `.tflite` models read, checked, run and written; graphs converted to them, and back."""

from __future__ import annotations

from typing import Any


def to_graph(model: Any) -> Any:
    """A GraphDef that computes what a model does; needs what conversions need.

    Args:
        model: The content of a `.tflite` file, or its path.

    Raises:
        ValueError: The model is damaged, or cannot be read.
        NotImplementedError: It has operators that have no op; the message names all of them.
    """
    from ossia_lite.convert.to_graph import to_graph as build  # models run without graphs

    return build(model)

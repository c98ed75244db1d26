"""`eager.function`: Python functions traced to functions of graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf


def defun(
    func: Callable[..., Any] | None = None, input_signature: Any = None, autograph: bool = True,
    experimental_autograph_options: Any = None, experimental_relax_shapes: bool = False,
) -> Any:
    """`tf.function`, by its older name; a decorator without `func`.

    Args:
        func: The function that is traced.
        input_signature: Specs of its arguments, which make one trace for all.
        autograph: Whether statements of Python become control flow.
        experimental_autograph_options: Which of them do.
        experimental_relax_shapes: Whether arguments of other shapes may share a trace.
    """
    return tf.function(
        func, input_signature=input_signature, autograph=autograph,
        experimental_autograph_options=experimental_autograph_options,
        experimental_relax_shapes=experimental_relax_shapes,
    )

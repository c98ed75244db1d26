"""`tf.estimator.inputs.numpy_input_fn`: batches of arrays in memory."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ossia_core.plugins.api_table import public
from ossia_estimator.inputs.feeding import enqueue_arrays

_TARGET = "__target_key__"


@public("estimator.inputs.numpy_input_fn")
def numpy_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: bool | None = None,
    queue_capacity: int = 1000, num_threads: int = 1,
) -> Callable[[], Any]:
    """An input function over arrays in memory, with a queue that threads feed.

    Args:
        x: An array, or arrays by name, with one row for each example.
        y: Labels in the same form, or None.
        batch_size: How many rows make a batch.
        num_epochs: How often each row comes; None for no end.
        shuffle: Whether rows come in random order; has to be given.
        queue_capacity: How many rows the queue holds.
        num_threads: How many threads fill it.

    Returns:
        A function that adds the queue to the default graph, and returns the features, or features and labels.

    Raises:
        ValueError: `shuffle` is no bool; the function raises it where lengths differ, or names are missing or doubled.
        TypeError: The function raises it where `x` is no array.
    """
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for "
            f"training); got {shuffle}"
        )

    def input_fn() -> Any:
        if not isinstance(x, (Mapping, np.ndarray)):
            raise TypeError(f"x must be a dict or array; got {type(x).__name__}")
        columns: dict[Any, Any] = dict(sorted(x.items())) if isinstance(x, Mapping) else {"__direct_np_input__": x}
        if not columns:
            raise ValueError("x cannot be an empty dict")
        features = list(columns)
        targets = _targets(y, columns)
        columns.update(targets)
        if len({column.shape[0] for column in columns.values()}) != 1:
            raise ValueError(
                "Length of tensors in x and y is mismatched. All elements in x and y must have the same length.\n"
                f"Shapes in x: { {name: columns[name].shape for name in features} }\n"
                f"Shapes in y: { {name: column.shape for name, column in targets.items()} }"
            )
        queue = enqueue_arrays(
            list(columns.values()), queue_capacity, shuffle, num_threads, batch_size=batch_size, num_epochs=num_epochs
        )
        batch = queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)
        tensors = dict(zip(columns, batch[1:]))  # the first is the number of the row
        found = {name: tensors[name] for name in features} if isinstance(x, Mapping) else tensors[features[0]]
        if y is None:
            return found
        return found, {name: tensors[name] for name in targets} if isinstance(y, Mapping) else tensors[_TARGET]

    return input_fn


def _targets(y: Any, columns: dict) -> dict:
    """The labels by name, of which those without one have `_TARGET`."""
    if y is None:
        return {}
    if not isinstance(y, Mapping):
        return {_TARGET: y}
    if not y:
        raise ValueError("y cannot be empty dict, use None instead.")
    doubled = set(columns) & set(y)
    if doubled:
        raise ValueError(f"{len(doubled)} duplicate keys are found in both x and y: {doubled}")
    return dict(sorted(y.items()))

"""`tf.estimator.inputs.pandas_input_fn`: batches of data frames in memory."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.plugins.api_table import public
from ossia_estimator.inputs.feeding import enqueue_arrays


@public("estimator.inputs.pandas_input_fn")
def pandas_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: bool | None = None,
    queue_capacity: int = 1000, num_threads: int = 1, target_column: str = "target",
) -> Callable[[], Any]:
    """An input function over a pandas DataFrame, with a queue that threads feed.

    Args:
        x: The DataFrame; its columns are the features.
        y: A Series of labels with the same index, a DataFrame of them, or None.
        batch_size: How many rows make a batch.
        num_epochs: How often each row comes; None for no end.
        shuffle: Whether rows come in random order; has to be given.
        queue_capacity: How many rows the queue holds.
        num_threads: How many threads fill it.
        target_column: A name for the labels, which no feature may have.

    Returns:
        A function that adds the queue to the default graph, and returns the features by name, or features and labels.

    Raises:
        TypeError: `x` is no DataFrame.
        ValueError: `shuffle` is no bool, the labels have another index, or a feature has the name of the labels.
    """
    if not (hasattr(x, "columns") and hasattr(x, "index")):
        raise TypeError("x should be a pandas DataFrame")
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for "
            f"training); got {shuffle}"
        )
    columns: dict[Any, np.ndarray] = {name: x[name].to_numpy() for name in x.columns}
    features = list(columns)
    several = y is not None and hasattr(y, "columns")
    if y is not None:
        if not several and target_column in x:
            raise ValueError(f"Cannot use name {target_column} for target column: DataFrame already has a column with "
                             f"that name: {x.columns}")
        if not np.array_equal(x.index, y.index):
            raise ValueError(f"Index for x and y are mismatched.\nIndex for x: {x.index}\nIndex for y: {y.index}\n")
    targets = {f"{target_column}_{name}": y[name].to_numpy() for name in y.columns} if several else {}
    if y is not None and not several:
        targets = {target_column: y.to_numpy()}
    columns.update(targets)

    def input_fn() -> Any:
        queue = enqueue_arrays(
            [x.index.to_numpy(), *columns.values()], queue_capacity, shuffle, num_threads, batch_size=batch_size,
            num_epochs=num_epochs, numbered=False,
        )
        batch = queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)
        tensors = dict(zip(columns, batch[1:]))  # the first is the index
        found = {name: tensors[name] for name in features}
        if y is None:
            return found
        if several:
            return found, {name: tensors[f"{target_column}_{name}"] for name in y.columns}
        return found, tensors[target_column]

    return input_fn

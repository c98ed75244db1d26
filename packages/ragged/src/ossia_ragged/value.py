"""What fetching a ragged tensor gives, and what is fed for one."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.plugins.api_table import public


@public("ragged.RaggedTensorValue", "compat.v1.ragged.RaggedTensorValue")
class RaggedTensorValue:
    """The value of a ragged tensor.

    Args:
      values: all rows one after the other, an array or another RaggedTensorValue.
      row_splits: where each row starts in `values`, and at the end the number of values; int32 or int64.

    Raises:
      TypeError: something else is given, or `row_splits` is no vector.
      ValueError: the row splits of `values` have another dtype.
    """

    def __init__(self, values: Any, row_splits: Any) -> None:
        vector = isinstance(row_splits, np.ndarray) and row_splits.ndim == 1
        if not (vector and row_splits.dtype in (np.int64, np.int32)):
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, (np.ndarray, np.generic, RaggedTensorValue)):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        if isinstance(values, RaggedTensorValue) and row_splits.dtype != values.row_splits.dtype:
            raise ValueError("row_splits and values.row_splits must have the same dtype")
        self._values: Any = values
        self._row_splits: Any = row_splits

    @property
    def values(self) -> Any:
        """All rows one after the other."""
        return self._values

    @property
    def row_splits(self) -> Any:
        """Where each row starts."""
        return self._row_splits

    @property
    def dtype(self) -> Any:
        """NumPy dtype of the values."""
        return self._values.dtype

    @property
    def flat_values(self) -> Any:
        """The innermost values, an array."""
        values = self._values
        while isinstance(values, RaggedTensorValue):
            values = values.values
        return values

    @property
    def nested_row_splits(self) -> tuple:
        """The row splits of every dimension that may be ragged, the outermost first."""
        inner = self._values.nested_row_splits if isinstance(self._values, RaggedTensorValue) else ()
        return (self._row_splits, *inner)

    @property
    def ragged_rank(self) -> int:
        """How many dimensions may be ragged."""
        return self._values.ragged_rank + 1 if isinstance(self._values, RaggedTensorValue) else 1

    @property
    def shape(self) -> tuple:
        """The shape; None for a dimension that may be ragged."""
        return (len(self._row_splits) - 1, None, *self._values.shape[1:])

    @property
    def _type_spec(self) -> Any:
        from ossia_ragged.spec import RaggedTensorSpec
        return RaggedTensorSpec.from_value(self)

    def to_list(self) -> list:
        """Lists of lists; the innermost values are Python values."""
        values = self._values.to_list() if isinstance(self._values, RaggedTensorValue) else self._values.tolist()
        return [values[start:end] for start, end in zip(self._row_splits[:-1], self._row_splits[1:], strict=True)]

    def __repr__(self) -> str:
        return f"tf.RaggedTensorValue(values={self._values!r}, row_splits={self._row_splits!r})"

    def __str__(self) -> str:
        return f"<tf.RaggedTensorValue {self.to_list()}>"

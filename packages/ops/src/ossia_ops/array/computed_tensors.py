"""Tensors that have values while a graph is built: those of the Python functions that `py_function` calls in a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.graph.graph import Graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.source import placeholder
from ossia_core.session.session import Session


class ComputedTensor(Tensor):
    """A tensor of a `CallGraph`, which Python and NumPy may take for its value."""

    def numpy(self) -> Any:
        """The value: an array, or a scalar for a tensor of rank 0."""
        (value,) = self.graph.values([self])  # type: ignore[attr-defined]
        return value.copy() if isinstance(value, np.ndarray) else value

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.numpy(), dtype)

    def __bool__(self) -> bool:
        return bool(self.numpy())

    def __int__(self) -> int:
        return int(self.numpy())

    def __index__(self) -> int:
        return self.numpy().__index__()

    def __float__(self) -> float:
        return float(self.numpy())

    def __complex__(self) -> complex:
        return complex(self.numpy())

    def __len__(self) -> int:
        if not np.ndim(value := self.numpy()):
            raise TypeError("Scalar tensor has no `len()`")
        return len(value)

    def __iter__(self) -> Iterator[Any]:
        if not np.ndim(value := self.numpy()):
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(len(value)))

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec)

    def __str__(self) -> str:
        return f"tf.Tensor({self.numpy()}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={self.numpy()!r}>"


class CallGraph(Graph):
    """The graph of one call: what is built in it is computed when its value is asked for, and at most once."""

    tensor_type = ComputedTensor

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[Tensor, Any] = {}

    def holder(self, value: Any) -> Tensor:
        """A tensor for an array or a scalar."""
        array = np.asarray(value)
        kind = dtypes.string if array.dtype.kind in "SO" else dtypes.as_dtype(array.dtype)
        tensor = placeholder(kind, array.shape)
        self._known[tensor] = value
        return tensor

    def values(self, tensors: list[Tensor]) -> list:
        """The values of tensors; those that are known already are not computed again, nor is what they are made of."""
        missing = list(dict.fromkeys(t for t in tensors if t not in self._known))
        if missing:
            with Session(graph=self) as session:
                self._known.update(zip(missing, session.run(missing, dict(self._known))))
        return [self._known[t] for t in tensors]

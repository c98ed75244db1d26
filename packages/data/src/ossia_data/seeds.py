"""The seeds of datasets, as tensors."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.seeds import get_seed
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_ops.array.selection import where
from ossia_ops.math.comparison import equal
from ossia_ops.math.logical import logical_and


def seed_tensors(seed: Any) -> tuple[Tensor, Tensor]:
    """The two seeds of a dataset that was given a seed or None; two zeros if there is none, not even of the graph."""
    first, second = get_seed(seed)
    first = convert_to_tensor(0 if first is None else first, dtypes.int64, name="seed")
    if second is None:
        return first, constant(0, dtypes.int64, name="seed2")
    with name_scope("seed2") as scope:
        second = convert_to_tensor(second, dtypes.int64)
        both = logical_and(equal(first, 0), equal(second, 0))
        return first, where(both, constant(2**31 - 1, dtypes.int64), second, name=scope)

"""`tf.is_tensor`."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.composites import IndexedSlices, SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable import Variable


@public("is_tensor")
def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor, a sparse tensor or a variable."""
    return isinstance(x, (Tensor, SparseTensor, IndexedSlices, Variable))

"""Features of categories as SparseTensors: what stands in a dense one for "nothing" is left out."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_ops.array.gather import gather_nd
from ossia_ops.array.selection import where
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import not_equal


def sparse_input(feature: Any, ignore_value: Any = None) -> SparseTensor:
    """The entries of a feature, without the empty strings or the -1 of a dense one.

    Args:
        feature: A tensor or SparseTensor.
        ignore_value: What else stands for nothing.
    """
    if isinstance(feature, SparseTensor):
        return feature
    with name_scope(None, "to_sparse_input", (feature, ignore_value)):
        if ignore_value is None:
            ignore_value = "" if feature.dtype.name == "string" else -1 if feature.dtype.is_integer else 0
        ignored = cast(convert_to_tensor(ignore_value, name="ignore_value/x"), feature.dtype, name="ignore_value")
        indices = where(not_equal(feature, ignored), name="indices")
        values = gather_nd(feature, indices, name="values")
        return SparseTensor(indices, values, shape(feature, out_type="int64", name="dense_shape"))

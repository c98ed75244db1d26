"""The raw features that a model is given, by key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.composites import SparseTensor, SparseTensorValue
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies
from ossia_debugging.comparisons import assert_positive
from ossia_ops.array.shape import expand_dims, rank, shape
from ossia_ops.math.comparison import equal
from ossia_ops.sparse.shape import sparse_reshape


class RawFeatures:
    """Raw features, and what columns have made of them.

    Args:
        features: Dict from keys to tensors, SparseTensors or what converts to tensors.
    """

    def __init__(self, features: Mapping[Any, Any]) -> None:
        self._features = dict(features)
        self._tensors: dict[Any, Any] = {}

    def _made(self, key: Any, kind: type[Any], transformed: Callable[[Any], Any]) -> Any:
        """The feature of a key, or of a column of one kind, which has not been asked for before."""
        if key in self._features:
            return _at_least_a_matrix(key, self._features[key])
        if isinstance(key, str):
            raise ValueError(f"Feature {key} is not in features dictionary.")
        if not isinstance(key, kind):
            raise TypeError(f'"key" must be either a "str" or "{kind.__name__}". Provided: {key}')
        made = transformed(key)
        if made is None:
            raise ValueError(f"Column {key.name} is not supported.")
        return made


def _at_least_a_matrix(key: str, feature: Any) -> Any:
    if isinstance(feature, SparseTensorValue):
        feature = SparseTensor.from_value(feature)
    if not isinstance(feature, SparseTensor):
        feature = convert_to_tensor(feature)
    known = feature.shape.ndims
    refusal = f"Feature (key: {key}) cannot have rank 0. Given: {feature}"
    if known == 0:
        raise ValueError(refusal)
    if known is not None:
        return feature if known > 1 else _as_column(feature)
    with control_dependencies([assert_positive(rank(feature), message=refusal)]):
        return cond(equal(1, rank(feature)), lambda: _as_column(feature), lambda: feature)


def _as_column(feature: Any) -> Any:
    if isinstance(feature, SparseTensor):
        return sparse_reshape(feature, [shape(feature)[0], 1])
    return expand_dims(feature, -1)

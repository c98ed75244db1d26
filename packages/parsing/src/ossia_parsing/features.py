"""What parsing is to look for: feature specifications, and the arguments of the ops that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import reshape
from ossia_ops.sparse.order import sparse_merge

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.\-/]")


@public("VarLenFeature", "io.VarLenFeature", "compat.v2.io.VarLenFeature")
class VarLenFeature(NamedTuple):
    """A feature with any number of values, which is parsed to a SparseTensor.

    Args:
        dtype: float32, int64 or string.
    """

    dtype: Any


@public("SparseFeature", "io.SparseFeature", "compat.v2.io.SparseFeature")
class SparseFeature(NamedTuple):
    """A sparse vector or tensor, stored as several features, which is parsed to a SparseTensor.

    Args:
        index_key: The feature that holds the positions; a list of one for each dimension.
        value_key: The feature that holds the values.
        dtype: Dtype of the values: float32, int64 or string.
        size: The size of the dimension; a list of one for each.
        already_sorted: Whether positions are in order already.
    """

    index_key: Any
    value_key: str
    dtype: Any
    size: Any
    already_sorted: bool = False


@public("FixedLenFeature", "io.FixedLenFeature", "compat.v2.io.FixedLenFeature")
class FixedLenFeature(NamedTuple):
    """A feature of one shape in every example, which is parsed to a Tensor.

    Args:
        shape: Its shape.
        dtype: float32, int64 or string.
        default_value: What an example without it has; without a default every example must have it.
    """

    shape: Any
    dtype: Any
    default_value: Any = None


@public("FixedLenSequenceFeature", "io.FixedLenSequenceFeature", "compat.v2.io.FixedLenSequenceFeature")
class FixedLenSequenceFeature(NamedTuple):
    """A feature with any number of rows of one shape, which is parsed to a Tensor, padded to the longest example.

    Args:
        shape: Shape of a row.
        dtype: float32, int64 or string.
        allow_missing: Whether an example without it counts as one without rows.
        default_value: What is put behind the rows of shorter examples: a scalar; 0 or empty strings by default.
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class Wanted:
    """Specifications as the ops take them: sparse and dense keys, sorted, with dtypes, shapes and defaults."""

    def __init__(self, features: Mapping[Any, Any] | None, kinds: tuple[type, ...]) -> None:
        self.sparse_keys: list[Any] = []
        self.sparse_types: list[Any] = []
        self.dense_keys: list[Any] = []
        self.dense_types: list[Any] = []
        self.dense_shapes: list[TensorShape] = []
        self.defaults: dict[Any, Any] = {}
        self.missing_is_empty: list[Any] = []
        for key in sorted(features or {}):
            self._add(key, features[key], kinds)  # type: ignore[index]
        both = set(self.sparse_keys) & set(self.dense_keys)
        if both:
            raise ValueError(f"Dense and sparse keys must not intersect; intersection: {both}")

    def _add(self, key: Any, feature: Any, kinds: tuple[type, ...]) -> None:
        known = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)
        if not isinstance(feature, known):
            raise ValueError(f"Invalid feature {key}:{feature}.")
        if not isinstance(feature, kinds):
            raise ValueError(f"Unsupported {type(feature).__name__} {feature}.")
        if not feature.dtype:
            raise ValueError(f"Missing type for feature {key}.")
        if isinstance(feature, VarLenFeature):
            self.sparse_keys.append(key)
            self.sparse_types.append(dtypes.as_dtype(feature.dtype))
        elif isinstance(feature, SparseFeature):
            self._add_sparse(feature)
        else:
            self._add_dense(key, feature)

    def _add_sparse(self, feature: SparseFeature) -> None:
        if not feature.index_key:
            raise ValueError(f"Missing index_key for SparseFeature {feature}.")
        if not feature.value_key:
            raise ValueError(f"Missing value_key for SparseFeature {feature}.")
        parts = [(key, dtypes.int64) for key in sorted(_as_list(feature.index_key))]
        for key, dtype in [*parts, (feature.value_key, dtypes.as_dtype(feature.dtype))]:
            if key not in self.sparse_keys:
                self.sparse_keys.append(key)
                self.sparse_types.append(dtype)
            elif self.sparse_types[self.sparse_keys.index(key)] != dtype:
                raise ValueError(
                    f"Conflicting type {self.sparse_types[self.sparse_keys.index(key)]} vs {dtype} for feature {key}."
                )

    def _add_dense(self, key: Any, feature: FixedLenFeature | FixedLenSequenceFeature) -> None:
        if feature.shape is None:
            raise ValueError(f"Missing shape for feature {key}.")
        shape = TensorShape(feature.shape)
        dims = shape.as_tuple() or ()
        if isinstance(feature, FixedLenFeature):
            if dims and dims[0] is None:
                raise ValueError(
                    f"First dimension of shape for feature {key} unknown. Consider using FixedLenSequenceFeature."
                )
            if shape.as_tuple() is None or None in dims:
                raise ValueError(
                    f"All dimensions of shape for feature {key} need to be known but received {feature.shape}."
                )
        self.dense_keys.append(key)
        self.dense_types.append(dtypes.as_dtype(feature.dtype))
        self.dense_shapes.append(shape)
        if feature.default_value is not None:
            self.defaults[key] = feature.default_value
        if isinstance(feature, FixedLenSequenceFeature) and feature.allow_missing:
            self.missing_is_empty.append(key)

    def default_tensors(self, reshaped: bool = True) -> list[Tensor]:
        """The defaults of the dense features, as the ops take them: an empty one where there is none."""
        tensors = []
        for key, dtype, shape in zip(self.dense_keys, self.dense_types, self.dense_shapes, strict=True):
            default = self.defaults.get(key)
            dims = shape.as_tuple() or ()
            if dims and dims[0] is None:  # what is put behind shorter rows
                if default is None:
                    tensors.append(constant("" if dtype is dtypes.string else 0, dtype=dtype))
                    continue
                padding = convert_to_tensor(default, dtype=dtype, name="padding_" + op_name(key))
                tensors.append(reshape(padding, []))
            elif default is None:
                tensors.append(constant([], dtype=dtype))
            elif isinstance(default, Tensor):
                tensors.append(convert_to_tensor(default, dtype=dtype))
            else:
                value = convert_to_tensor(default, dtype=dtype, name="key_" + op_name(key))
                tensors.append(reshape(value, shape) if reshaped else value)
        return tensors


def op_name(key: Any) -> str:
    """A key as a part of the name of an op."""
    return _NOT_IN_NAMES.sub("_", key.decode() if isinstance(key, bytes) else key)


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def with_rows(features: Mapping[Any, Any]) -> dict[Any, Any]:
    """The specifications, with the unknown number of rows in the shapes of sequence features.

    Raises:
        ValueError: A sequence feature may not be missing.
    """
    prepared = {}
    for key, feature in features.items():
        if isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be True.")
            feature = feature._replace(shape=[None, *feature.shape])
        prepared[key] = feature
    return prepared


def merge_sparse_features(features: Mapping[Any, Any], parsed: dict[Any, Any]) -> dict[Any, Any]:
    """What was parsed, with the parts of each SparseFeature put together."""
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            indices = feature.index_key
            ids = parsed[indices] if isinstance(indices, str) else [parsed[part] for part in indices]
            parsed[key] = sparse_merge(
                ids, parsed[feature.value_key], feature.size, already_sorted=feature.already_sorted
            )
    return {key: value for key, value in parsed.items() if key in features}


def sparse_tensors(indices: Iterable[Tensor], values: Iterable[Tensor], shapes: Iterable[Tensor]) -> list[SparseTensor]:
    """The outputs of a parsing op as SparseTensors."""
    return [SparseTensor(i, v, s) for i, v, s in zip(indices, values, shapes, strict=True)]

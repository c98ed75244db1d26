"""What columns are to the functions that use them: the base classes, and what columns share while a model is built."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.composites import SparseTensor, SparseTensorValue
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_debugging.comparisons import assert_positive
from ossia_ops.array.shape import expand_dims, rank, shape
from ossia_ops.math.comparison import equal
from ossia_ops.sparse.shape import sparse_reshape

IdWeightPair = namedtuple("IdWeightPair", ("id_tensor", "weight_tensor"))
SequenceLengthPair = namedtuple("SequenceLengthPair", ("dense_tensor", "sequence_length"))


class FeatureColumn:
    """What turns raw features into something that a model takes."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The column's name, unique within a model."""
        raise NotImplementedError

    @property
    def scope_name(self) -> str:
        """The name of the variable scope of what the column makes."""
        return self.name

    @property
    def parents(self) -> list[Any]:
        """The columns, and keys of features, that the column is made from."""
        raise NotImplementedError

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """What to parse from an `Example`: a feature for each key."""
        raise NotImplementedError

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Any:
        """The transformed feature, a tensor or SparseTensor; ask the cache for it, which calls this once.

        Args:
            transformation_cache: Has raw features and transformed columns.
            state_manager: Has the variables.
        """
        raise NotImplementedError

    def create_state(self, state_manager: Any) -> None:
        """Makes the column's variables, if it has some."""


class KeyedColumn(FeatureColumn):
    """A column of one raw feature: its `key` is the column's name.

    It stands first among the base classes, as it says what the others leave open.
    """

    __slots__ = ()
    key: str

    @property
    def name(self) -> str:
        """The key."""
        return self.key

    @property
    def parents(self) -> list[Any]:
        """The key of the feature."""
        return [self.key]


class DenseColumn(FeatureColumn):
    """A column that gives a dense tensor."""

    __slots__ = ()

    @property
    def variable_shape(self) -> TensorShape:
        """Shape of the values of one example."""
        raise NotImplementedError

    def get_dense_tensor(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        """The values, of shape [batch] + `variable_shape`."""
        raise NotImplementedError


class SequenceDenseColumn(FeatureColumn):
    """A column that gives a dense tensor of sequences."""

    __slots__ = ()
    TensorSequenceLengthPair = SequenceLengthPair

    def get_sequence_dense_tensor(
        self, transformation_cache: FeatureTransformationCache, state_manager: Any
    ) -> Any:
        """The values, of shape [batch, steps] + the column's shape, and the length of each sequence."""
        raise NotImplementedError


class CategoricalColumn(FeatureColumn):
    """A column that gives ids."""

    __slots__ = ()
    IdWeightPair = IdWeightPair

    @property
    def num_buckets(self) -> int:
        """How many ids there are."""
        raise NotImplementedError

    def get_sparse_tensors(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Any:
        """The ids of each example, a SparseTensor, and their weights or None."""
        return IdWeightPair(transformation_cache.get(self, state_manager), None)


class FeatureTransformationCache:
    """Raw features, and what columns have made of them; each column transforms once.

    Args:
        features: Dict from keys to tensors, SparseTensors or what converts to tensors.
    """

    def __init__(self, features: dict[Any, Any]) -> None:
        self._features = features.copy()
        self._tensors: dict[Any, Any] = {}

    def get(self, key: Any, state_manager: Any) -> Any:
        """The raw feature of a key, at least a matrix, or the transformed feature of a column.

        Raises:
            ValueError: There is no such feature, it is a scalar, or the column makes None.
            TypeError: `key` is neither a string nor a column.
        """
        if key not in self._tensors:
            self._tensors[key] = self._made(key, state_manager)
        return self._tensors[key]

    def _made(self, key: Any, state_manager: Any) -> Any:
        if key in self._features:
            return _at_least_a_matrix(key, self._features[key])
        if isinstance(key, str):
            raise ValueError(f"Feature {key} is not in features dictionary.")
        if not isinstance(key, FeatureColumn):
            raise TypeError(f'"key" must be either a "str" or "FeatureColumn". Provided: {key}')
        made = key.transform_feature(self, state_manager)
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


def check_key(key: Any) -> None:
    """Refuses a key of a feature that is no string.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key)}. Given key: {key}.")


def check_column_dtype(column_name: str, dtype: Any, what: str = "") -> None:
    """Refuses a dtype that categories cannot have.

    Raises:
        ValueError: It is neither string nor an integer.
    """
    if dtype.base_dtype.name != "string" and not dtype.is_integer:
        raise ValueError(f"column_name: {column_name}{what} dtype must be string or integer. dtype: {dtype}.")


def check_input_dtype(key: str, column_dtype: Any, tensor: Any) -> None:
    """Refuses a feature whose dtype is not that of its column: both strings, or both integers.

    Raises:
        ValueError: They differ.
    """
    if column_dtype.is_integer != tensor.dtype.is_integer:
        raise ValueError(f"Column dtype and SparseTensors dtype must be compatible. key: {key}, column dtype: "
                         f"{column_dtype}, tensor dtype: {tensor.dtype}")
    check_column_dtype(key, tensor.dtype, " input_tensor")

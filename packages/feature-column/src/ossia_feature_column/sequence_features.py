"""Columns of sequences as a layer: `SequenceFeatures`."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_debugging.comparisons import assert_equal
from ossia_feature_column.features_layer import FeaturesLayer
from ossia_feature_column.interface import SequenceDenseColumn
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import reshape, shape


@public("keras.experimental.SequenceFeatures", "compat.v2.keras.experimental.SequenceFeatures")
class SequenceFeatures(FeaturesLayer):
    """A layer that gives the values of columns of sequences, side by side, and the lengths of the sequences.

    Args:
        feature_columns: Dense columns of sequences.
        trainable: Whether variables are trained.
        name: Name of the layer.
        **kwargs: Passed to `Layer`.

    Raises:
        ValueError: A column is not of sequences, two have one name, or there are none.
    """

    def __init__(self, feature_columns: Any, trainable: bool = True, name: str | None = None, **kwargs: Any) -> None:
        super().__init__(feature_columns, SequenceDenseColumn, trainable, name, **kwargs)

    _outer_dimensions = 2

    def call(self, features: Any) -> tuple[Tensor, Tensor]:
        """The values, of shape [batch, steps, values of a step], and the int64 lengths.

        Args:
            features: Dict from keys to SparseTensors.

        Raises:
            ValueError: `features` is no dict, or lacks one.
        """
        cache = self._cache(features)
        outputs, lengths = [], []
        for column in self._feature_columns:
            with name_scope(column.name):
                values, length = column.get_sequence_dense_tensor(cache, self._state_manager)
                outputs.append(with_flat_steps(values, column.variable_shape))
                lengths.append(length)
        same = all_equal(lengths)
        return concat(outputs, -1), same


def with_flat_steps(values: Tensor, shape_of_step: Any) -> Tensor:
    """Sequences whose steps are vectors."""
    size = shape(values)
    return reshape(values, (size[0], size[1], TensorShape(shape_of_step).num_elements()))


def all_equal(lengths: list[Tensor]) -> Tensor:
    """The first of several lengths; a run fails in which they differ."""
    if len(lengths) == 1:
        return lengths[0]
    with name_scope(None, "assert_all_equal", lengths):
        with control_dependencies([assert_equal(lengths[0], other) for other in lengths[1:]]):
            return identity(lengths[0])

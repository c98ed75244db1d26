"""The input of an rnn from columns of sequences: `tf.contrib.feature_column.sequence_input_layer`."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable_scope import variable_scope
from ossia_debugging.kinds import assert_type
from ossia_debugging.ranks import assert_rank
from ossia_feature_column.given_columns import check_batch_sizes, listed_columns
from ossia_feature_column.older_interface import _FeatureColumn, _LazyBuilder, _SequenceDenseColumn
from ossia_feature_column.sequence_features import all_equal, with_flat_steps
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import expand_dims, shape
from ossia_ops.array.tiling import tile


@public("contrib.feature_column.sequence_input_layer")
def sequence_input_layer(
    features: dict[str, Any], feature_columns: Any, weight_collections: Any = None, trainable: bool = True
) -> tuple[Tensor, Tensor]:
    """The values of columns of sequences, side by side, sorted by the columns' names, and the sequences' lengths.

    Args:
        features: Dict from keys to SparseTensors.
        feature_columns: Dense columns of sequences, or one.
        weight_collections: Names of further collections of the variables.
        trainable: Whether variables are trained.

    Returns:
        A float32 tensor of shape [batch, steps, sum of the columns' sizes], and int64 lengths of shape [batch].

    Raises:
        ValueError: A column is not of sequences, two have one name, there are none, or a feature is missing.
    """
    columns = listed_columns(feature_columns, _FeatureColumn)
    for column in columns:
        if not isinstance(column, _SequenceDenseColumn):
            raise ValueError("All feature_columns must be of type _SequenceDenseColumn. You can wrap a "
                             "sequence_categorical_column with an embedding_column or indicator_column. Given (type "
                             f"{type(column)}): {column}")
    collections = list(weight_collections or [])
    if GraphKeys.GLOBAL_VARIABLES not in collections:
        collections.append(GraphKeys.GLOBAL_VARIABLES)
    with variable_scope(None, default_name="sequence_input_layer", values=features.values()):
        builder = _LazyBuilder(features)
        outputs, lengths = [], []
        for column in columns:
            with variable_scope(None, default_name=column._var_scope_name):
                values, length = column._get_sequence_dense_tensor(
                    builder, weight_collections=collections, trainable=trainable
                )
                outputs.append(with_flat_steps(values, column._variable_shape))
                lengths.append(length)
        check_batch_sizes(outputs, columns)
        same = all_equal(lengths)
        return concat(outputs, -1), same


def concatenate_context_input(context_input: Any, sequence_input: Any) -> Tensor:
    """Sequences with the values of their context put behind those of every step.

    Args:
        context_input: float32 tensor of shape [batch, values].
        sequence_input: float32 tensor of shape [batch, steps, values of a step].

    Raises:
        ValueError: Another rank.
        TypeError: Another dtype.
    """
    with control_dependencies([
        assert_rank(sequence_input, 3, data=[shape(sequence_input)], message="sequence_input must have rank 3"),
        assert_type(sequence_input, dtypes.float32, message="sequence_input must have dtype float32; got "
                    f"{sequence_input.dtype}."),
        assert_rank(context_input, 2, data=[shape(context_input)], message="context_input must have rank 2"),
        assert_type(context_input, dtypes.float32, message="context_input must have dtype float32; got "
                    f"{context_input.dtype}."),
    ]):
        steps = shape(sequence_input)[1]
    repeated = tile(expand_dims(context_input, 1), concat([[1], [steps], [1]], 0))
    return concat([sequence_input, repeated], 2)

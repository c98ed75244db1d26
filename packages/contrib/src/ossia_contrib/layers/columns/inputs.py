"""Inputs of networks and linear models from columns, and how features are parsed for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.framework import variables
from ossia_contrib.layers.columns.base import FeatureColumn, transformed
from ossia_contrib.layers.columns.shapes import inner_flatten, of_rank
from ossia_contrib.layers.names import of_both
from ossia_core.plugins.api_table import public
from ossia_core.variables.partition import PartitionedVariable


@public(*of_both("check_feature_columns"))
def check_feature_columns(feature_columns: Iterable[Any]) -> None:
    """Refuses two columns with one key.

    Raises:
      ValueError: there are such.
    """
    seen = set()
    for column in feature_columns:
        if column.key in seen:
            raise ValueError(
                f"Duplicate feature column key found for column: {column.name}. This usually means that the column "
                "is almost identical to another column, and one must be discarded."
            )
        seen.add(column.key)


def _sorted(feature_columns: Iterable[Any]) -> list[Any]:
    columns = feature_columns.values() if isinstance(feature_columns, dict) else feature_columns
    return sorted(set(columns), key=lambda column: column.key)


def _parts(variable: Any) -> list[Any]:
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


def _collections(weight_collections: Any) -> list[str] | None:
    if not weight_collections:
        return None
    return list(dict.fromkeys([*weight_collections, tf.GraphKeys.GLOBAL_VARIABLES]))


def _restored(column: Any, weights: list[Any]) -> None:
    """Lets weights begin with what the checkpoint of a column holds, if it has one."""
    path = getattr(column, "ckpt_to_load_from", None)
    if path is not None:
        name = column.tensor_name_in_ckpt
        tf.train.init_from_checkpoint(path, {name: weights if len(weights) > 1 else weights[0]})


def _embedded(
    column: Any, arguments: Any, weight_collections: Any, trainable: bool, output_rank: int = 2
) -> Any:
    ids = inner_flatten(arguments.input_tensor, output_rank)
    weights = None
    if arguments.weight_tensor is not None:
        weights = inner_flatten(arguments.weight_tensor, output_rank)
    shape = [arguments.vocab_size, arguments.dimension]
    shared = arguments.shared_embedding_name
    collection = f"SHARED_EMBEDDING_COLLECTION_{shared.upper()}" if shared else ""
    found = tf.get_collection(collection) if shared else []
    if found:
        table = found[0]
        if table.shape.as_list() != shape:
            raise ValueError(
                f"The embedding variable with name {shared} already exists, but its shape does not match required "
                f"embedding shape here. Please make sure to use different shared_embedding_name for different shared "
                "embeddings."
            )
    else:
        table = variables.model_variable(
            name=shared or "weights", shape=shape, dtype=tf.float32, initializer=arguments.initializer,
            trainable=trainable and arguments.trainable, collections=weight_collections,
        )
        if shared:
            tf.add_to_collection(collection, table)
    _restored(column, _parts(table))
    return tf.nn.safe_embedding_lookup_sparse(
        _parts(table), ids, sparse_weights=weights, combiner=arguments.combiner, name=f"{column.name}weights",
        max_norm=arguments.max_norm,
    )


def _input(
    columns_to_tensors: dict[Any, Any], feature_columns: Any, weight_collections: Any, trainable: bool, scope: Any,
    output_rank: int, default_name: str, cols_to_outs: dict | None = None,
) -> Any:
    columns_to_tensors = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    if cols_to_outs is not None and not isinstance(cols_to_outs, dict):
        raise ValueError("cols_to_outs must be a dict unless None")
    values = list(columns_to_tensors.values())
    outputs = []
    with tf.variable_scope(scope, default_name=default_name, values=values):
        weight_collections = _collections(weight_collections)
        for column in _sorted(feature_columns):
            with tf.variable_scope(None, default_name=column.name, values=values):
                tensor = transformed(column, columns_to_tensors)
                try:
                    arguments = column._deep_embedding_lookup_arguments(tensor)
                except NotImplementedError as unembedded:
                    try:
                        output = column._to_dnn_input_layer(tensor, weight_collections, trainable, output_rank)
                    except ValueError as error:
                        raise ValueError(
                            f"Error creating input layer for column: {column.name}.\n{error}, {unembedded}"
                        ) from error
                else:
                    output = _embedded(column, arguments, weight_collections, trainable, output_rank)
                outputs.append(output)
                if cols_to_outs is not None:
                    cols_to_outs[column] = output
        return tf.concat(outputs, output_rank - 1)


@public(*of_both("input_from_feature_columns"))
def input_from_feature_columns(
    columns_to_tensors: dict[Any, Any], feature_columns: Any, weight_collections: Any = None, trainable: bool = True,
    scope: Any = None, cols_to_outs: dict | None = None,
) -> tf.Tensor:
    """The input of a network: what columns make of features, side by side.

    Args:
      columns_to_tensors: features by name.
      feature_columns: the columns.
      weight_collections: collections for embeddings.
      trainable: whether embeddings are trained.
      scope: variable scope.
      cols_to_outs: a dict that gets the part of each column.

    Returns:
      `[batch, sizes of all columns]`.

    Raises:
      ValueError: a column cannot be an input of a network.
    """
    return _input(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, 2, "input_from_feature_columns",
        cols_to_outs,
    )


@public(*of_both("sequence_input_from_feature_columns"))
def sequence_input_from_feature_columns(
    columns_to_tensors: dict[Any, Any], feature_columns: Any, weight_collections: Any = None, trainable: bool = True,
    scope: Any = None,
) -> tf.Tensor:
    """`input_from_feature_columns` of sequences: `[batch, time, sizes of all columns]`."""
    return _input(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, 3,
        "sequence_input_from_feature_columns",
    )


def _linear(column: Any, tensor: Any, num_outputs: int, trainable: bool, collections: Any, values: Any) -> Any:
    """The weights of a column in a linear model, and what they give."""
    try:
        arguments = column._wide_embedding_lookup_arguments(tensor)
    except NotImplementedError:
        with tf.variable_scope(None, default_name=column.name, values=values):
            dense = of_rank(column._to_dense_tensor(tensor), 2, column.name)
            weight = variables.model_variable(
                name="weight", shape=[dense.get_shape()[1], num_outputs], initializer=tf.zeros_initializer(),
                trainable=trainable, collections=collections,
            )
            return _parts(weight), tf.matmul(dense, weight, name="matmul")
    with tf.variable_scope(None, default_name=column.name, values=values):
        weights = _parts(variables.model_variable(
            name="weights", shape=[arguments.vocab_size, num_outputs], dtype=tf.float32,
            initializer=arguments.initializer, trainable=trainable, collections=collections,
        ))
        return weights, tf.nn.safe_embedding_lookup_sparse(
            weights, arguments.input_tensor, sparse_weights=arguments.weight_tensor, combiner=arguments.combiner,
            name=f"{column.name}_weights",
        )


@public(*of_both("weighted_sum_from_feature_columns"))
def weighted_sum_from_feature_columns(
    columns_to_tensors: dict[Any, Any], feature_columns: Any, num_outputs: int, weight_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> tuple[tf.Tensor, dict[Any, Any], Any]:
    """A linear model of features.

    Args:
      columns_to_tensors: features by name.
      feature_columns: the columns.
      num_outputs: number of results.
      weight_collections: collections for the weights.
      trainable: whether they are trained.
      scope: variable scope.

    Returns:
      Results `[batch, num_outputs]`, the weights of each column as a list, and the bias.

    Raises:
      ValueError: a column cannot be in a linear model.
    """
    columns_to_tensors = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    values = list(columns_to_tensors.values())
    outputs, weights = [], {}
    with tf.variable_scope(scope, default_name="weighted_sum_from_feature_columns", values=values):
        collections = _collections(weight_collections)
        for column in _sorted(feature_columns):
            tensor = transformed(column, columns_to_tensors)
            try:
                weights[column], output = _linear(column, tensor, num_outputs, trainable, collections, values)
            except ValueError as error:
                raise ValueError(f"Error creating weighted sum for column: {column.name}.\n{error}") from error
            outputs.append(tf.reshape(output, shape=(-1, num_outputs)))
            _restored(column, weights[column])
        total = tf.add_n(outputs)
        bias = variables.model_variable(
            "bias_weight", shape=[num_outputs], initializer=tf.zeros_initializer(), trainable=trainable,
            collections=collections,
        )
        return tf.nn.bias_add(total, bias), weights, bias


@public(*of_both("joint_weighted_sum_from_feature_columns"))
def joint_weighted_sum_from_feature_columns(
    columns_to_tensors: dict[Any, Any], feature_columns: Any, num_outputs: int, weight_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> Any:
    """A linear model whose weights are one variable.

    Raises:
      NotImplementedError: always.
    """
    raise NotImplementedError("tf.contrib.layers.joint_weighted_sum_from_feature_columns is not part of Ossia.")


@public(*of_both("transform_features"))
def transform_features(features: dict[Any, Any], feature_columns: Any) -> dict[Any, Any]:
    """What each column makes of features, by column."""
    columns_to_tensors = dict(features)
    check_feature_columns(feature_columns)
    return {column: transformed(column, columns_to_tensors) for column in _sorted(feature_columns)}


@public(*of_both("create_feature_spec_for_parsing"))
def create_feature_spec_for_parsing(feature_columns: Iterable[Any]) -> dict[str, Any]:
    """How the features of columns are parsed, by name, as for `tf.parse_example`."""
    spec: dict[str, Any] = {}
    for column in feature_columns:
        for name, parsed in column.config.items():
            if name in spec and spec[name] != parsed:
                tf.logging.warning("Feature %s is parsed in two ways; the last one counts.", name)
            spec[name] = parsed
    return spec


@public(*of_both("make_place_holder_tensors_for_base_features"))
def make_place_holder_tensors_for_base_features(feature_columns: Iterable[Any]) -> dict[str, Any]:
    """Placeholders for the features of columns, by name."""
    found: dict[str, Any] = {}
    for name, parsed in create_feature_spec_for_parsing(feature_columns).items():
        if isinstance(parsed, tf.VarLenFeature):
            found[name] = tf.sparse_placeholder(dtype=parsed.dtype, name=f"Placeholder_{name}")
        else:
            found[name] = tf.placeholder(
                dtype=parsed.dtype, shape=[None, *parsed.shape], name=f"Placeholder_{name}"
            )
    return found


@public(*of_both("parse_feature_columns_from_examples"))
def parse_feature_columns_from_examples(
    serialized: Any, feature_columns: Any, name: str | None = None, example_names: Any = None
) -> dict[Any, Any]:
    """Parses serialized Examples, and transforms what columns take.

    Args:
      serialized: strings `[batch]`.
      feature_columns: the columns.
      name, example_names: as for `tf.parse_example`.

    Returns:
      The features by name, and what each column makes of them.
    """
    check_feature_columns(feature_columns)
    columns_to_tensors: dict[Any, Any] = tf.parse_example(
        serialized=serialized, features=create_feature_spec_for_parsing(feature_columns), name=name,
        example_names=example_names,
    )
    for column in _sorted(feature_columns):
        transformed(column, columns_to_tensors)
    return columns_to_tensors


@public(*of_both("parse_feature_columns_from_sequence_examples"))
def parse_feature_columns_from_sequence_examples(
    serialized: Any, context_feature_columns: Sequence[Any] | None, sequence_feature_columns: Sequence[Any] | None,
    name: str | None = None, example_name: Any = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parses a serialized SequenceExample.

    Args:
      serialized: a string.
      context_feature_columns, sequence_feature_columns: columns of both kinds of features.
      name, example_name: as for `tf.parse_single_sequence_example`.

    Returns:
      The features of both kinds, by name.
    """
    columns: list[Iterable[FeatureColumn]] = [context_feature_columns or [], sequence_feature_columns or []]
    context, sequence = (create_feature_spec_for_parsing(each) for each in columns)
    sequence = {
        key: tf.FixedLenSequenceFeature(parsed.shape, parsed.dtype)
        if isinstance(parsed, tf.FixedLenFeature) else parsed
        for key, parsed in sequence.items()
    }
    return tf.parse_single_sequence_example(serialized, context, sequence, example_name, name)

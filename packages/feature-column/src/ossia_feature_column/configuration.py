"""Columns as plain values, and back: what the configurations of layers over columns hold."""

from __future__ import annotations

import importlib
from typing import Any

from ossia_core.names import dtypes
from ossia_feature_column.interface import FeatureColumn

_MODULES = {
    "BucketizedColumn": "bucketized", "CrossedColumn": "crossed", "EmbeddingColumn": "embedding",
    "HashedCategoricalColumn": "hashed", "IdentityCategoricalColumn": "identity", "IndicatorColumn": "indicator",
    "NumericColumn": "numeric", "SequenceCategoricalColumn": "sequence_categorical",
    "SequenceNumericColumn": "sequence_numeric",
    "VocabularyFileCategoricalColumn": "vocabulary_file", "VocabularyListCategoricalColumn": "vocabulary_list",
    "WeightedCategoricalColumn": "weighted",
}


def serialize_feature_column(fc: Any) -> Any:
    """The class and configuration of a column; a key of a feature as it is.

    Raises:
        ValueError: It is neither a key nor a column.
    """
    if isinstance(fc, str):
        return fc
    if isinstance(fc, FeatureColumn):
        return {"class_name": type(fc).__name__, "config": fc._get_config()}
    raise ValueError(f"Instance: {fc} is not a FeatureColumn")


def serialize_feature_columns(feature_columns: Any) -> list[Any]:
    """The classes and configurations of columns.

    Raises:
        ValueError: One is no column.
    """
    return [serialize_feature_column(column) for column in feature_columns]


def deserialize_feature_column(
    config: Any, custom_objects: dict | None = None, columns_by_name: dict | None = None
) -> Any:
    """The column of what `serialize_feature_column` gave.

    Args:
        config: Class and configuration, or a key of a feature.
        custom_objects: Functions and classes by the names that configurations have for them.
        columns_by_name: Columns that were made before; one of them takes the place of an equal new one.

    Raises:
        ValueError: The class is unknown, or the configuration is not one of its.
    """
    if isinstance(config, str):
        return config
    if not isinstance(config, dict) or "class_name" not in config or "config" not in config:
        raise ValueError(f"Improper config format: {config}")
    name, found = config["class_name"], (custom_objects or {}).get(config["class_name"])
    if found is None and name in _MODULES:
        module = importlib.import_module(f"ossia_feature_column.{_MODULES[name]}")
        found = getattr(module, name)
    if found is None:
        raise ValueError(f"Unknown feature_column_v2: {name}")
    made = found._from_config(config["config"], custom_objects=custom_objects, columns_by_name=columns_by_name)
    return made if columns_by_name is None else columns_by_name.setdefault(_hashable_name(made), made)


def deserialize_feature_columns(configs: Any, custom_objects: dict | None = None) -> list[Any]:
    """The columns of what `serialize_feature_columns` gave; what several are made from is made once.

    Raises:
        ValueError: As `deserialize_feature_column`.
    """
    columns_by_name: dict[str, Any] = {}
    return [deserialize_feature_column(config, custom_objects, columns_by_name) for config in configs]


def config_of_column(column: Any) -> dict[str, Any]:
    """The fields of a column in plain values."""
    return {field: _plain(field, value) for field, value in zip(column._fields, column)}


def column_of_config(kind: Any, config: dict[str, Any], custom_objects: dict | None, columns: dict | None) -> Any:
    """The column of a class and plain values of its fields.

    Raises:
        ValueError: The fields are others.
    """
    if set(config) != set(kind._fields):
        raise ValueError(f"Invalid config: {config}, expected keys: {kind._fields}")
    fields = {field: _value(field, value, custom_objects, columns) for field, value in config.items()}
    return kind(**fields)


def _hashable_name(column: Any) -> str:
    return f"{type(column).__name__}:{column.name}"


def _plain(field: str, value: Any) -> Any:
    if field == "dtype":
        return value.name
    if isinstance(value, FeatureColumn):
        return serialize_feature_column(value)
    if field == "keys":
        return tuple(serialize_feature_column(key) for key in value)
    if field == "normalizer_fn" and value is not None:
        return value.__name__
    if field == "initializer":
        if hasattr(value, "get_config"):
            return {"class_name": type(value).__name__, "config": value.get_config()}
        return getattr(value, "__name__", value)
    return value


def _value(field: str, value: Any, custom_objects: dict | None, columns: dict | None) -> Any:
    if field == "dtype":
        return dtypes.as_dtype(value)
    if field in ("categorical_column", "source_column"):
        return deserialize_feature_column(value, custom_objects, columns)
    if field == "keys":
        return tuple(deserialize_feature_column(key, custom_objects, columns) for key in value)
    if field in ("shape", "boundaries", "vocabulary_list") and isinstance(value, list):
        return tuple(value)  # of JSON
    if field == "normalizer_fn" and value is not None:
        return _named(value, custom_objects)
    if field == "initializer" and value is not None:
        return _initializer(value, custom_objects)
    return value


def _named(name: Any, custom_objects: dict | None) -> Any:
    if callable(name):
        return name
    if name not in (custom_objects or {}):
        raise ValueError(f"Unknown function: {name}; give it in custom_objects.")
    return (custom_objects or {})[name]


def _initializer(value: Any, custom_objects: dict | None) -> Any:
    if not isinstance(value, dict):
        return _named(value, custom_objects)
    if value["class_name"] in (custom_objects or {}):
        return (custom_objects or {})[value["class_name"]].from_config(value["config"])
    from ossia_nn import keras_initializers

    return keras_initializers.deserialize(value)

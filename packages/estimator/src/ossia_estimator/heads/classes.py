"""Ids and names of classes, as tensors."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_estimator.export_outputs import ClassificationOutput
from ossia_lookup.lookup import KeyValueTensorInitializer, StaticHashTable
from ossia_ops.array.shape import expand_dims, shape, size
from ossia_ops.array.tiling import tile
from ossia_ops.math.cast import cast
from ossia_ops.math.sequence import range as range_of
from ossia_ops.strings.numbers import as_string


def ids_of_names(label_vocabulary: Sequence[str]) -> Any:
    """A table from names of classes to their ids; -1 for others."""
    with name_scope("class_id_lookup"):
        names = convert_to_tensor(tuple(label_vocabulary), dtype=dtypes.string)
        ids = cast(range_of(size(names)), dtypes.int64)
        with name_scope(None, "hash_table"):
            initializer = KeyValueTensorInitializer(names, ids, name="table_init")
            return StaticHashTable(initializer, -1)


def names_of_ids(label_vocabulary: Sequence[str]) -> Any:
    """A table from ids of classes to their names."""
    with name_scope("class_string_lookup"):
        names = convert_to_tensor(tuple(label_vocabulary), dtype=dtypes.string)
        ids = cast(range_of(size(names)), dtypes.int64)
        initializer = KeyValueTensorInitializer(ids, names, name="table_init")
        return StaticHashTable(initializer, "UNK")


def all_class_ids(logits: Tensor, n_classes: int) -> Tensor:
    """The ids of all classes, a row for each example."""
    batch_size = shape(logits)[0]
    return tile(expand_dims(range_of(n_classes), axis=0), [batch_size, 1])


def all_classes(logits: Tensor, n_classes: int, label_vocabulary: Any = None) -> Tensor:
    """The names of all classes, a row for each example."""
    batch_size = shape(logits)[0]
    names = label_vocabulary or as_string(range_of(n_classes))
    return tile(expand_dims(names, axis=0), [batch_size, 1])


def classification_output(scores: Tensor, n_classes: int, label_vocabulary: Any = None) -> ClassificationOutput:
    """Scores of all classes with their names, for an exported model."""
    return ClassificationOutput(scores=scores, classes=all_classes(scores, n_classes, label_vocabulary))

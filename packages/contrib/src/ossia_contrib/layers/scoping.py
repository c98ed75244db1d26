"""What all layers of `contrib.layers` share: variables of the model under their old names, and what follows a layer."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.framework import variables
from ossia_contrib.layers import outputs as named_outputs
from ossia_core.variables.partition import PartitionedVariable


def _getter(
    getter: Callable, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None,
    regularizer: Any = None, trainable: bool | None = True, collections: Any = None, caching_device: Any = None,
    partitioner: Any = None, rename: dict[str, str] | None = None, use_resource: bool | None = None,
    synchronization: Any = tf.VariableSynchronization.AUTO, aggregation: Any = tf.VariableAggregation.NONE,
    **_: Any,
) -> Any:
    scope, slash, last = name.rpartition("/")
    return variables.model_variable(
        f"{scope}{slash}{(rename or {}).get(last, last)}", shape=shape, dtype=dtype, initializer=initializer,
        regularizer=regularizer, collections=collections, trainable=trainable, caching_device=caching_device,
        partitioner=partitioner, custom_getter=getter, use_resource=use_resource, synchronization=synchronization,
        aggregation=aggregation,
    )


def model_getter(**rename: str) -> Callable[..., Any]:
    """A custom getter that makes variables of the model, some under other names than the layer asks for."""
    return functools.partial(_getter, rename=rename)


def add_to_collections(variable: Any, collections: Any, kind: str) -> None:
    """Puts a variable, or each of its parts, into the collections for its kind."""
    for collection in named_outputs.get_variable_collections(collections, kind) or []:
        parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
        for part in parts:
            tf.add_to_collection(collection, part)


def finished(
    outputs: Any, scope: str, normalizer_fn: Callable | None, normalizer_params: dict | None,
    activation_fn: Callable | None, outputs_collections: Any,
) -> Any:
    """The outputs normalized, activated and collected under the name of the layer."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return named_outputs.collect_named_outputs(outputs_collections, scope, outputs)

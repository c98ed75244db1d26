"""Ensembles of trees as resources of a session: made, asked for, written and read."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_boosted_trees.ensemble import Ensemble
from ossia_core.declare.opdef import op, steps
from ossia_core.declare.shape_rules import scalar, vector, with_rank
from ossia_core.names.errors import NotFoundError
from ossia_core.primitives.state import resource_name

_NAMED = {"container": "string = ''", "shared_name": "string = ''"}


class Slot:
    """Where a handle leads: the object, once it has been made.

    Args:
        name: What it is called in a message.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.value: Any = None

    def get(self) -> Any:
        """The object.

        Raises:
            NotFoundError: It has not been made.
        """
        if self.value is None:
            raise NotFoundError(None, None, f"Resource localhost/{self.name} does not exist.")
        return self.value


def found(kind: str) -> Any:
    """How the slot behind a handle is found."""

    def resource(node: Any, session: Any) -> Slot:
        name = resource_name(node)
        return session.resource(node.attrs["container"], name, kind, lambda: Slot(name))

    return resource


ensemble_handle_op = op("BoostedTreesEnsembleResourceHandleOp() -> resource: resource", stateful=True, **_NAMED)
ensemble_handle_op.shape(scalar)
ensemble_handle_op.resource(found("boosted trees"))
ensemble_handle_op.in_any_order()
ensemble_handle_op.not_differentiable()

is_ensemble_initialized_op = op(
    "IsBoostedTreesEnsembleInitialized(tree_ensemble_handle: resource) -> is_initialized: bool", stateful=True
)
create_ensemble_op = op(
    "BoostedTreesCreateEnsemble(tree_ensemble_handle: resource, stamp_token: int64, tree_ensemble_serialized: string)",
    stateful=True,
)
deserialize_ensemble_op = op(
    "BoostedTreesDeserializeEnsemble(tree_ensemble_handle: resource, stamp_token: int64, "
    "tree_ensemble_serialized: string)", stateful=True,
)
serialize_ensemble_op = op(
    "BoostedTreesSerializeEnsemble(tree_ensemble_handle: resource) -> stamp_token: int64, "
    "tree_ensemble_serialized: string", stateful=True,
)
get_ensemble_states_op = op(
    "BoostedTreesGetEnsembleStates(tree_ensemble_handle: resource) -> stamp_token: int64, num_trees: int32, "
    "num_finalized_trees: int32, num_attempted_layers: int32, last_layer_nodes_range: int32", stateful=True,
)

for _definition in (is_ensemble_initialized_op, serialize_ensemble_op, get_ensemble_states_op):
    _definition.reads("tree_ensemble_handle")
    _definition.not_differentiable()
for _definition in (create_ensemble_op, deserialize_ensemble_op):
    _definition.changes("tree_ensemble_handle")
    _definition.not_differentiable()


def _given_shape(tree_ensemble_handle: Any, stamp_token: Any, tree_ensemble_serialized: Any) -> tuple:
    for each in (tree_ensemble_handle, stamp_token, tree_ensemble_serialized):
        with_rank(each, 0)
    return ()


create_ensemble_op.shape(_given_shape)
deserialize_ensemble_op.shape(_given_shape)
is_ensemble_initialized_op.shape(lambda tree_ensemble_handle: scalar())
serialize_ensemble_op.shape(lambda tree_ensemble_handle: (scalar(), scalar()))
get_ensemble_states_op.shape(lambda tree_ensemble_handle: (scalar(), scalar(), scalar(), scalar(), vector(2)))


@is_ensemble_initialized_op.kernel
def _(tree_ensemble_handle):
    return np.bool_(tree_ensemble_handle.value is not None)


@create_ensemble_op.kernel
def _(tree_ensemble_handle, stamp_token, tree_ensemble_serialized):
    if tree_ensemble_handle.value is None:
        made = Ensemble()
        made.load(_bytes(tree_ensemble_serialized), operator.index(stamp_token))
        tree_ensemble_handle.value = made


@deserialize_ensemble_op.kernel
def _(tree_ensemble_handle, stamp_token, tree_ensemble_serialized):
    tree_ensemble_handle.get().load(_bytes(tree_ensemble_serialized), operator.index(stamp_token))


@serialize_ensemble_op.kernel
def _(tree_ensemble_handle):
    ensemble = tree_ensemble_handle.get()
    with ensemble.lock:
        return np.int64(ensemble.stamp), np.array(ensemble.serialized(), object)


@get_ensemble_states_op.kernel
def _(tree_ensemble_handle):
    ensemble = tree_ensemble_handle.get()
    with ensemble.lock:
        message = ensemble.message
        growing = message.growing_metadata
        finalized = sum(metadata.is_finalized for metadata in message.tree_metadata)
        start, end = growing.last_layer_node_start, growing.last_layer_node_end
        if not message.trees or not message.tree_metadata[-1].num_layers_grown:
            start, end = 0, 1
        return (np.int64(ensemble.stamp), np.int32(len(message.trees)), np.int32(finalized),
                np.int32(growing.num_layers_attempted), np.array([start, end], np.int32))


def _bytes(value: Any) -> bytes:
    value = value.item() if isinstance(value, np.ndarray) else value
    return value.encode() if isinstance(value, str) else value

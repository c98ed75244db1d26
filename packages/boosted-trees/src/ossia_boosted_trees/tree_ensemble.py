"""The trees of a model in a graph: made when a session starts, saved and restored with its variables."""

from __future__ import annotations

from typing import Any, NamedTuple

from ossia_boosted_trees.resources import (
    create_ensemble_op,
    deserialize_ensemble_op,
    ensemble_handle_op,
    get_ensemble_states_op,
    is_ensemble_initialized_op,
    serialize_ensemble_op,
)
from ossia_checkpoint.saveables import SaveableObject, SaveSpec
from ossia_core.graph.collections import GraphKeys, add_to_collection
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.primitives.identity import identity


class Resource(NamedTuple):
    """What a session makes before it runs a model: a handle, what makes it, and whether it has been made."""

    handle: Tensor
    create: Any
    is_initialized: Tensor


class PruningMode:
    """How splits without gain are dealt with."""

    NO_PRUNING, PRE_PRUNING, POST_PRUNING = range(3)
    _BY_NAME = {"none": NO_PRUNING, "pre": PRE_PRUNING, "post": POST_PRUNING}

    @classmethod
    def from_str(cls, mode: str) -> int:
        """The mode of a name.

        Raises:
            ValueError: There is none of that name.
        """
        if mode not in cls._BY_NAME:
            raise ValueError(f"pruning_mode mode must be one of: {', '.join(sorted(cls._BY_NAME))}")
        return cls._BY_NAME[mode]


class TreeEnsemble:
    """The trees of a model.

    Args:
        name: Name of the handle.
        stamp_token: The first stamp.
        is_local: Whether they stay with one process: they are neither made with other resources nor saved.
        serialized_proto: The first trees, as bytes.
    """

    def __init__(
        self, name: str, stamp_token: int = 0, is_local: bool = False, serialized_proto: bytes | str = ""
    ) -> None:
        with name_scope(name, "TreeEnsemble") as scope:
            self.resource_handle = ensemble_handle_op(container="", shared_name=scope, name=scope)
            self.initializer = create_ensemble_op(
                self.resource_handle, stamp_token, serialized_proto, name="BoostedTreesCreateEnsemble"
            )
            self._is_initialized = is_ensemble_initialized_op(
                self.resource_handle, name="IsBoostedTreesEnsembleInitialized"
            )
            if not is_local:
                add_to_collection(GraphKeys.SAVEABLE_OBJECTS, EnsembleSaveable(self))
        add_to_collection(
            GraphKeys.LOCAL_RESOURCES if is_local else GraphKeys.RESOURCES,
            Resource(self.resource_handle, self.initializer, self._is_initialized),
        )

    def is_initialized(self) -> Tensor:
        """Whether the trees have been made."""
        return self._is_initialized

    def get_stamp_token(self) -> Tensor:
        """The stamp of the last change."""
        return get_ensemble_states_op(self.resource_handle, name="BoostedTreesGetEnsembleStates").stamp_token

    def get_states(self) -> tuple[Tensor, ...]:
        """The stamp, the numbers of trees, of finished trees and of layers tried, and the nodes of the last layer."""
        states = get_ensemble_states_op(self.resource_handle, name="BoostedTreesGetEnsembleStates")
        names = "stamp_token", "num_trees", "num_finalized_trees", "num_attempted_layers", "last_layer_nodes_range"
        return tuple(identity(state, name=name) for state, name in zip(states, names))

    def serialize(self) -> Any:
        """The stamp, and the trees as bytes."""
        return serialize_ensemble_op(self.resource_handle, name="BoostedTreesSerializeEnsemble")

    def deserialize(self, stamp_token: Any, serialized_proto: Any) -> Any:
        """An operation that takes trees of bytes."""
        return deserialize_ensemble_op(
            self.resource_handle, stamp_token, serialized_proto, name="BoostedTreesDeserializeEnsemble"
        )


class EnsembleSaveable(SaveableObject):
    """The trees as a saver sees them: their stamp and bytes."""

    def __init__(self, ensemble: TreeEnsemble) -> None:
        self._ensemble = ensemble
        stamp, serialized = ensemble.serialize()
        name = ensemble.resource_handle.name
        specs = [SaveSpec(stamp, "", f"{name}_stamp"), SaveSpec(serialized, "", f"{name}_serialized")]
        super().__init__(ensemble.resource_handle, specs, name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Any:
        """An operation that takes the trees of a checkpoint."""
        with control_dependencies([self._ensemble.initializer]):
            return deserialize_ensemble_op(
                self._ensemble.resource_handle, restored_tensors[0], restored_tensors[1],
                name="BoostedTreesDeserializeEnsemble",
            )

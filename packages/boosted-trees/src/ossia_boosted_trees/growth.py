"""Ensembles grown by a layer: the best split of each node is made, trees are begun, finished and pruned."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ossia_boosted_trees.ensemble import Ensemble, values_of
from ossia_boosted_trees.splits import weights_and_gains
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar
from ossia_core.names.errors import InvalidArgumentError

NO_PRUNING, PRE_PRUNING, POST_PRUNING = range(3)
CENTERED = 0.01  # a bias that changes by less is centered

update_ensemble_op = op(
    "BoostedTreesUpdateEnsemble(tree_ensemble_handle: resource, feature_ids: int32, node_ids: num_features * int32, "
    "gains: num_features * float, thresholds: num_features * int32, left_node_contribs: num_features * float, "
    "right_node_contribs: num_features * float, max_depth: int32, learning_rate: float)",
    pruning_mode="int >= 0", num_features="int >= 0", stateful=True,
)
update_ensemble_v2_op = op(
    "BoostedTreesUpdateEnsembleV2(tree_ensemble_handle: resource, feature_ids: int32, "
    "dimension_ids: num_features * int32, node_ids: num_features * int32, gains: num_features * float, "
    "thresholds: num_features * int32, left_node_contribs: num_features * float, "
    "right_node_contribs: num_features * float, split_types: num_features * string, max_depth: int32, "
    "learning_rate: float, pruning_mode: int32)", num_features="int >= 0", stateful=True,
)
center_bias_op = op(
    "BoostedTreesCenterBias(tree_ensemble_handle: resource, mean_gradients: float, mean_hessians: float, l1: float, "
    "l2: float) -> continue_centering: bool", stateful=True,
)
for _definition in (update_ensemble_op, update_ensemble_v2_op, center_bias_op):
    _definition.changes("tree_ensemble_handle")
    _definition.not_differentiable()
update_ensemble_op.shape(lambda *_: ())
update_ensemble_v2_op.shape(lambda *_: ())
center_bias_op.shape(scalar)


class Split(NamedTuple):
    """A split of a node, and how much better the trees become by it."""

    gain: np.float32
    feature: int
    dimension: int
    threshold: int
    left: np.ndarray
    right: np.ndarray


@update_ensemble_op.kernel
def _(tree_ensemble_handle, feature_ids, node_ids, gains, thresholds, left_node_contribs, right_node_contribs,
      max_depth, learning_rate, *, pruning_mode):
    candidates = zip(node_ids, gains, thresholds, left_node_contribs, right_node_contribs)
    best: dict[int, Split] = {}
    for feature, candidate in zip(_features(feature_ids, node_ids), candidates):
        for node, gain, threshold, left, right in _rows(*candidate):
            _consider(best, node, Split(gain, feature, 0, threshold, left, right))
    _grow(tree_ensemble_handle.get(), best, int(max_depth), np.float32(learning_rate), pruning_mode)


@update_ensemble_v2_op.kernel
def _(tree_ensemble_handle, feature_ids, dimension_ids, node_ids, gains, thresholds, left_node_contribs,
      right_node_contribs, split_types, max_depth, learning_rate, pruning_mode):
    # The original keeps nothing of `split_types` either: all its splits are of values up to a threshold.
    candidates = zip(node_ids, gains, thresholds, left_node_contribs, right_node_contribs, dimension_ids)
    best: dict[int, Split] = {}
    for feature, candidate in zip(_features(feature_ids, node_ids), candidates):
        for node, gain, threshold, left, right, dimension in _rows(*candidate):
            _consider(best, node, Split(gain, feature, int(dimension), threshold, left, right))
    _grow(tree_ensemble_handle.get(), best, int(max_depth), np.float32(learning_rate), int(pruning_mode))


def _features(feature_ids: np.ndarray, node_ids: Any) -> list[int]:
    if feature_ids.shape != (len(node_ids),):
        raise InvalidArgumentError(None, None, f"{len(node_ids)} features have ids of shape {feature_ids.shape}.")
    return feature_ids.tolist()


def _rows(node_ids: np.ndarray, *columns: np.ndarray) -> Any:
    if any(len(column) != len(node_ids) for column in columns):
        raise InvalidArgumentError(None, None, "Nodes, gains, thresholds and contributions must be equally many.")
    return zip(node_ids.tolist(), *columns)


def _consider(best: dict[int, Split], node: int, split: Split) -> None:
    if node not in best or split.gain > best[node].gain:
        best[node] = split


def _grow(ensemble: Ensemble, best: dict[int, Split], max_depth: int, learning_rate: Any, pruning: int) -> None:
    with ensemble.lock:
        message = ensemble.message
        if not message.trees:
            _add_tree(message)
        current = len(message.trees) - 1
        tree, metadata, growing = message.trees[current], message.tree_metadata[current], message.growing_metadata
        if not metadata.num_layers_grown:
            growing.num_trees_attempted += 1
        growing.num_layers_attempted += 1
        start = len(tree.nodes)
        for node in sorted(best):
            if pruning == PRE_PRUNING and best[node].gain < 0:
                continue
            _split(tree, node, best[node], learning_rate)
        end = len(tree.nodes)
        ensemble.changed(current)
        if end > start:
            metadata.num_layers_grown += 1
        grown = metadata.num_layers_grown
        if grown >= max_depth:
            metadata.is_finalized = True
            if pruning == POST_PRUNING:
                _prune(tree, metadata)
            _add_tree(message)
            start, end = 0, 1
        if end > start:
            growing.last_layer_node_start, growing.last_layer_node_end = start, end
        ensemble.stamp += 1


def _add_tree(message: Any) -> None:
    message.trees.add().nodes.add().leaf.SetInParent()
    message.tree_weights.append(1.0)
    message.tree_metadata.add()


def _split(tree: Any, place: int, best: Split, learning_rate: Any) -> None:
    if not 0 <= place < len(tree.nodes) or tree.nodes[place].WhichOneof("node") != "leaf":
        raise InvalidArgumentError(None, None, f"Node {place} is no leaf of the tree that grows.")
    node, before = tree.nodes[place], type(tree.nodes[place].leaf)()
    before.CopyFrom(node.leaf)
    left_id = len(tree.nodes)
    for contribution in (best.left, best.right):
        leaf = tree.nodes.add().leaf
        values = values_of(before, len(contribution)) + learning_rate * contribution
        if len(values) == 1:
            leaf.scalar = values[0]
        else:
            leaf.vector.value.extend(values)
    node.leaf.Clear()
    split = node.bucketized_split
    split.feature_id, split.dimension_id, split.threshold = best.feature, best.dimension, best.threshold
    split.left_id, split.right_id = left_id, left_id + 1
    node.metadata.gain = best.gain
    if place or before.scalar:
        node.metadata.original_leaf.CopyFrom(before)


def _prune(tree: Any, metadata: Any) -> None:
    """Makes leaves of splits without gain whose children are leaves, from below, and notes where examples stand now."""
    nodes = list(tree.nodes)
    into: dict[int, int] = {}  # removed nodes, and the one that each has gone into
    for place in range(len(nodes) - 1, -1, -1):
        split = _split_of(nodes[place])
        if split is None or nodes[place].metadata.gain > 0:
            continue
        children = split.left_id, split.right_id
        if all(_split_of(nodes[child]) is None for child in children):
            into.update(dict.fromkeys(children, place))
            kept = type(nodes[place])()
            kept.leaf.CopyFrom(nodes[place].metadata.original_leaf)
            nodes[place] = kept
    if not into:
        return
    remaining = [place for place in range(len(nodes)) if place not in into]
    new_ids = {place: new for new, place in enumerate(remaining)}
    for place, node in enumerate(tree.nodes):
        target = place
        while target in into:
            target = into[target]
        update = metadata.post_pruned_nodes_meta.add()
        update.new_node_id = new_ids[target]
        stood, stands = _values(node), _values(nodes[target])
        update.logit_change.extend(np.zeros_like(stood) if target == place else stands - stood)
    copies = []
    for place in remaining:
        copy = type(nodes[place])()
        copy.CopyFrom(nodes[place])
        split = _split_of(copy)
        if split is not None:
            split.left_id, split.right_id = new_ids[split.left_id], new_ids[split.right_id]
        copies.append(copy)
    del tree.nodes[:]
    tree.nodes.extend(copies)


def _split_of(node: Any) -> Any:
    kind = node.WhichOneof("node")
    return None if kind == "leaf" else getattr(node, kind)


def _values(node: Any) -> np.ndarray:
    leaf = node.leaf if node.WhichOneof("node") == "leaf" else node.metadata.original_leaf
    return values_of(leaf, len(leaf.vector.value) or 1)


@center_bias_op.kernel
def _(tree_ensemble_handle, mean_gradients, mean_hessians, l1, l2):
    ensemble = tree_ensemble_handle.get()
    if not mean_gradients.size or mean_gradients.shape != mean_hessians.shape:
        raise InvalidArgumentError(None, None, "Mean gradients and hessians must have one shape, and values.")
    weight = weights_and_gains(mean_gradients.ravel()[:1], mean_hessians.ravel()[:1], l1, l2)[0][0]
    with ensemble.lock:
        message = ensemble.message
        goes_on = not message.trees or abs(float(weight)) >= CENTERED
        if not message.trees:
            _add_tree(message)
        if len(message.trees) > 1 or len(message.trees[0].nodes) > 1:
            raise InvalidArgumentError(None, None, "The bias is centered before trees are grown.")
        leaf = message.trees[0].nodes[0].leaf
        leaf.scalar += weight
        ensemble.changed(0)
        ensemble.stamp += 1
    return np.bool_(goes_on)

"""The trees that a session holds: what they predict, and how far each example has come."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np

from ossia_core.forks import renewed
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.proto import TreeEnsemble, TreePath


class TreeArrays(NamedTuple):
    """The nodes of a tree, side by side; a leaf has itself as its children.

    Attributes:
        feature: The feature that decides.
        threshold: What the feature is compared with.
        equality: Whether examples equal to it go left, rather than those up to it.
        left, right: The nodes below.
        logits: What each node predicts, [nodes, dimensions]; what it predicted as a leaf, if it has been split.
    """

    feature: np.ndarray
    threshold: np.ndarray
    equality: np.ndarray
    left: np.ndarray
    right: np.ndarray
    logits: np.ndarray


class Ensemble:
    """Trees, and the stamp of the last change.

    Args:
        stamp: The first stamp.
    """

    def __init__(self, stamp: int = 0) -> None:
        self.stamp = stamp
        self.message = TreeEnsemble()
        self.lock = renewed(threading.RLock())
        self._arrays: dict[tuple[int, int], TreeArrays] = {}

    def load(self, serialized: bytes, stamp: int) -> None:
        """Takes the trees of a serialised ensemble.

        Raises:
            InvalidArgumentError: The bytes are none, or a tree refers to nodes that it does not have.
        """
        from google.protobuf.message import DecodeError

        try:
            message = TreeEnsemble.FromString(serialized)
        except DecodeError as error:
            raise InvalidArgumentError(None, None, "Unable to parse tree ensemble proto.") from error
        for tree in message.trees:
            _check(tree)
        if len(message.tree_weights) < len(message.trees) or len(message.tree_metadata) < len(message.trees):
            raise InvalidArgumentError(None, None, "Tree ensemble proto has fewer weights or metadata than trees.")
        with self.lock:
            self.message, self.stamp, self._arrays = message, stamp, {}

    def serialized(self) -> bytes:
        """The trees as bytes."""
        return self.message.SerializeToString(deterministic=True)

    def changed(self, tree: int) -> None:
        """Forgets what is kept of a tree."""
        for key in [key for key in self._arrays if key[0] == tree]:
            del self._arrays[key]

    def arrays(self, tree: int, dimensions: int) -> TreeArrays:
        """The nodes of a tree whose leaves have so many logits.

        Raises:
            InvalidArgumentError: A leaf has another number of logits.
        """
        key = tree, dimensions
        if key not in self._arrays:
            self._arrays[key] = _arrays_of(self.message.trees[tree], dimensions)
        return self._arrays[key]

    def leaves(self, tree: int, columns: np.ndarray, nodes: np.ndarray, dimensions: int) -> np.ndarray:
        """The leaf that each example comes to.

        Args:
            tree: Which tree.
            columns: The features, [features, examples].
            nodes: The node where each begins.
            dimensions: How many logits a leaf has.

        Raises:
            InvalidArgumentError: The tree asks for a feature that there is none of.
        """
        nodes_of = self.arrays(tree, dimensions)
        used = nodes_of.feature[nodes_of.left != np.arange(len(nodes_of.left))]
        if used.size and used.max() >= len(columns):
            raise InvalidArgumentError(
                None, None, f"Tree {tree} splits feature {used.max()}, and {len(columns)} features are given."
            )
        examples = np.arange(len(nodes))
        while True:
            values, limits = columns[nodes_of.feature[nodes], examples], nodes_of.threshold[nodes]
            goes_left = np.where(nodes_of.equality[nodes], values == limits, values <= limits)
            below = np.where(goes_left, nodes_of.left[nodes], nodes_of.right[nodes])
            if (below == nodes).all():
                return nodes
            nodes = below

    def predictions(self, columns: np.ndarray, dimensions: int) -> np.ndarray:
        """The sum of what all trees predict, [examples, dimensions]."""
        count = columns.shape[1]
        logits = np.zeros((count, dimensions), np.float32)
        for tree in range(len(self.message.trees)):
            leaves = self.leaves(tree, columns, np.zeros(count, np.int64), dimensions)
            logits += np.float32(self.message.tree_weights[tree]) * self.arrays(tree, dimensions).logits[leaves]
        return logits

    def advanced(
        self, columns: np.ndarray, trees: np.ndarray, nodes: np.ndarray, dimensions: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What has been grown below the nodes where examples stood adds to their logits, and where they stand now.

        Args:
            columns: The features, [features, examples].
            trees, nodes: Where each example stood; a node below 0 stands for none.
            dimensions: How many logits there are.

        Raises:
            InvalidArgumentError: There are no such trees or nodes.
        """
        count, last = columns.shape[1], len(self.message.trees) - 1
        logits = np.zeros((count, dimensions), np.float32)
        if last < 0:
            return logits, np.zeros(count, np.int32), np.zeros(count, np.int32)
        if count and not 0 <= trees.min() <= trees.max() <= last:
            raise InvalidArgumentError(None, None, f"Cached tree ids must be in [0, {last}].")
        stood, now = nodes >= 0, np.where(nodes >= 0, nodes, 0).astype(np.int64)
        for tree in range(trees.min() if count else 0, last + 1):
            own = self.arrays(tree, dimensions)
            weight = np.float32(self.message.tree_weights[tree])
            here = (trees == tree) & stood
            now[here], change = self._pruned(tree, now[here], dimensions)
            began = trees <= tree
            logits[here] -= weight * (own.logits[now[here]] - change)
            at = np.flatnonzero(began)
            start = np.where(here, now, 0)[at]
            now[at] = self.leaves(tree, columns[:, at], start, dimensions)
            logits[at] += weight * own.logits[now[at]]
        return logits, np.full(count, last, np.int32), now.astype(np.int32)

    def path(self, example: np.ndarray) -> Any:
        """The features that decide about an example, and the logit before the first and after each: a `TreePath`.

        Raises:
            InvalidArgumentError: A tree asks for a feature that there is none of.
        """
        path, past = TreePath(), np.float32(0)
        for tree, weight in enumerate(self.message.tree_weights[: len(self.message.trees)]):
            nodes, place = self.arrays(tree, 1), 0
            if not tree:
                path.logits_path.append(nodes.logits[0, 0])
            while nodes.left[place] != place:
                feature = int(nodes.feature[place])
                if feature >= len(example):
                    raise InvalidArgumentError(None, None, f"Tree {tree} splits feature {feature} of {len(example)}.")
                limit = nodes.threshold[place]
                goes_left = example[feature] == limit if nodes.equality[place] else example[feature] <= limit
                place = int((nodes.left if goes_left else nodes.right)[place])
                path.feature_ids.append(feature)
                path.logits_path.append(past + np.float32(weight) * nodes.logits[place, 0])
            past += np.float32(weight) * nodes.logits[place, 0]
        return path

    def _pruned(self, tree: int, nodes: np.ndarray, dimensions: int) -> tuple[np.ndarray, np.ndarray]:
        """Where examples of a tree stand that has been pruned since, and how their logits have changed by that."""
        meta = self.message.tree_metadata[tree].post_pruned_nodes_meta
        count = len(meta) or len(self.message.trees[tree].nodes)
        if nodes.size and nodes.max() >= count:
            raise InvalidArgumentError(None, None, f"Cached node ids of tree {tree} must be below {count}.")
        if not meta:
            return nodes, np.zeros((len(nodes), dimensions), np.float32)
        new = np.array([each.new_node_id for each in meta], np.int64)
        change = np.zeros((len(meta), dimensions), np.float32)
        for row, each in zip(change, meta):
            row[: len(each.logit_change)] = each.logit_change[:dimensions]
        return new[nodes], change[nodes]


def _check(tree: Any) -> None:
    count = len(tree.nodes)
    if not count:
        raise InvalidArgumentError(None, None, "A tree has no nodes.")
    for place, node in enumerate(tree.nodes):
        kind = node.WhichOneof("node")
        if kind == "leaf":
            continue
        if kind not in ("bucketized_split", "categorical_split"):
            raise InvalidArgumentError(None, None, f"Node {place} is neither a leaf nor a split of integers.")
        split = getattr(node, kind)
        if not (place < split.left_id < count and place < split.right_id < count and split.feature_id >= 0):
            raise InvalidArgumentError(None, None, f"Node {place} has children or a feature that there cannot be.")


def _arrays_of(tree: Any, dimensions: int) -> TreeArrays:
    count = len(tree.nodes)
    feature, threshold, left, right = (np.zeros(count, np.int64) for _ in range(4))
    equality, logits = np.zeros(count, bool), np.zeros((count, dimensions), np.float32)
    for place, node in enumerate(tree.nodes):
        kind = node.WhichOneof("node")
        if kind == "leaf":
            left[place] = right[place] = place
            logits[place] = values_of(node.leaf, dimensions)
            continue
        split = getattr(node, kind)
        equality[place] = kind == "categorical_split"
        feature[place], left[place], right[place] = split.feature_id, split.left_id, split.right_id
        threshold[place] = split.value if equality[place] else split.threshold
        logits[place] = values_of(node.metadata.original_leaf, dimensions)
    return TreeArrays(feature, threshold, equality, left, right, logits)


def values_of(leaf: Any, dimensions: int) -> np.ndarray:
    """The logits of a leaf.

    Raises:
        InvalidArgumentError: There is another number of them.
    """
    if not leaf.HasField("vector"):
        if dimensions != 1 and leaf.scalar:
            raise InvalidArgumentError(None, None, f"A leaf has one logit, not {dimensions}.")
        return np.full(dimensions, leaf.scalar, np.float32)
    if len(leaf.vector.value) != dimensions:
        raise InvalidArgumentError(None, None, f"A leaf has {len(leaf.vector.value)} logits, not {dimensions}.")
    return np.array(leaf.vector.value, np.float32)

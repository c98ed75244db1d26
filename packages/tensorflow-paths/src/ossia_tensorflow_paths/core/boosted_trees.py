"""`core.kernels.boosted_trees.boosted_trees_pb2`: the messages of trees, each below none."""

from __future__ import annotations

from ossia_core.proto import TreeEnsemble, TreePath

DebugOutput = TreePath
Node, NodeMetadata, Leaf, Vector, SparseVector = (
    TreeEnsemble.Node, TreeEnsemble.NodeMetadata, TreeEnsemble.Leaf, TreeEnsemble.Vector, TreeEnsemble.SparseVector
)
Tree, TreeMetadata, GrowingMetadata = TreeEnsemble.Tree, TreeEnsemble.TreeMetadata, TreeEnsemble.GrowingMetadata
BucketizedSplit, CategoricalSplit, DenseSplit = (
    TreeEnsemble.BucketizedSplit, TreeEnsemble.CategoricalSplit, TreeEnsemble.DenseSplit
)

__all__ = [
    "BucketizedSplit", "CategoricalSplit", "DebugOutput", "DenseSplit", "GrowingMetadata", "Leaf", "Node",
    "NodeMetadata", "SparseVector", "Tree", "TreeEnsemble", "TreeMetadata", "Vector",
]

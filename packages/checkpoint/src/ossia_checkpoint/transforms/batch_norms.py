"""Transforms of batch normalisation: its factors move into the weights of the convolution before."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from ossia_checkpoint.transforms.apply import Task, invalid
from ossia_checkpoint.transforms.constants import array_of, set_array
from ossia_checkpoint.transforms.nodes import source, with_nodes

_WEIGHTED = ("Conv2D", "MatMul", "DepthwiseConv2dNative")
_FUSED = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")


class _Uses:
    """The nodes of a graph by name, and how often each is taken."""

    def __init__(self, graph: Any, task: Task) -> None:
        self.by_name = {node.name: node for node in graph.node}
        self.counts = collections.Counter(source(text) for node in graph.node for text in node.input)
        self.counts.update(task.outputs)

    def constant(self, text: str) -> Any:
        """The Const node that an input names; None if it is another."""
        node = self.by_name.get(source(text))
        return node if node is not None and node.op == "Const" else None

    def weighted(self, text: str) -> tuple[Any, Any] | None:
        """A node with constant weights that nothing else takes, and the weights."""
        node = self.by_name.get(source(text))
        if node is None or node.op not in _WEIGHTED or self.counts[node.name] != 1:
            return None
        weights = self.constant(node.input[1])
        return (node, weights) if weights is not None and self.counts[weights.name] == 1 else None


def _scaled(node: Any, weights: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Weights whose outputs are multiplied by factors."""
    if node.op == "MatMul" and node.attr["transpose_b"].b:
        return weights * factors[:, None]
    if node.op == "DepthwiseConv2dNative":
        return weights * factors.reshape(weights.shape[-2:])
    return weights * factors


def _outputs(node: Any, weights: np.ndarray) -> int:
    if node.op == "MatMul" and node.attr["transpose_b"].b:
        return weights.shape[0]
    return weights.shape[-2] * weights.shape[-1] if node.op == "DepthwiseConv2dNative" else weights.shape[-1]


def fold_batch_norms(graph: Any, task: Task) -> Any:
    """Multiply constant weights by the constant that their product is multiplied by; the product takes its name."""
    uses, gone = _Uses(graph, task), set()
    for node in list(graph.node):
        if node.op != "Mul":
            continue
        found, factor = uses.weighted(node.input[0]), uses.constant(node.input[1])
        if found is None or factor is None:
            continue
        product, weights = found
        factors, values = array_of(factor), array_of(weights)
        if factors.ndim != 1 or factors.shape[0] != _outputs(product, values):
            shape = "[" + ",".join(map(str, factors.shape)) + "]"
            raise invalid(f"Mul constant input to batch norm has bad shape: {shape}")
        set_array(weights, _scaled(product, values, factors).astype(values.dtype))
        name = node.name
        node.CopyFrom(product)
        node.name = name
        gone.add(product.name)
        if uses.counts[factor.name] == 1:
            gone.add(factor.name)
    return with_nodes(graph, [node for node in graph.node if node.name not in gone])


def fold_old_batch_norms(graph: Any, task: Task) -> Any:
    """Replace a batch normalisation with constants after a convolution by other weights and a bias."""
    uses, added = _Uses(graph, task), []
    gone: set[str] = set()
    for node in list(graph.node):
        if node.op == "BatchNormWithGlobalNormalization":
            names = dict(zip(("mean", "variance", "beta", "gamma"), node.input[1:5], strict=True))
            epsilon = node.attr["variance_epsilon"].f
            scales = node.attr["scale_after_normalization"].b
        elif node.op in _FUSED and not (node.attr["is_training"].b or _others_used(graph, node.name)):
            names = dict(zip(("gamma", "beta", "mean", "variance"), node.input[1:5], strict=True))
            epsilon, scales = node.attr["epsilon"].f, True
        else:
            continue
        found = uses.weighted(node.input[0])
        constants = {key: uses.constant(text) for key, text in names.items()}
        if found is None or found[0].op == "MatMul" or None in constants.values():
            continue
        product, weights = found
        mean, variance, beta, gamma = (array_of(constants[key]) for key in ("mean", "variance", "beta", "gamma"))
        factors = (1 / np.sqrt(variance + np.float32(epsilon))) * (gamma if scales else 1)
        values = array_of(weights)
        set_array(weights, _scaled(product, values, factors).astype(values.dtype))
        bias = type(node)(name=f"{product.name}_bn_offset")
        set_array(bias, (beta - mean * factors).astype(values.dtype))
        added.append(bias)
        layout = product.attr["data_format"]
        node.op = "BiasAdd"
        node.input[:] = [product.name, bias.name]
        node.attr.clear()
        node.attr["T"].CopyFrom(product.attr["T"])
        if layout.s:
            node.attr["data_format"].CopyFrom(layout)
        gone.update(each.name for each in constants.values() if uses.counts[each.name] == 1)
    return with_nodes(graph, [*added, *(node for node in graph.node if node.name not in gone)])


def _others_used(graph: Any, name: str) -> bool:
    """Whether any but the first output of a node is taken."""
    return any(text.startswith(f"{name}:") and text != f"{name}:0" for node in graph.node for text in node.input)


TRANSFORMS = {"fold_batch_norms": fold_batch_norms, "fold_old_batch_norms": fold_old_batch_norms}

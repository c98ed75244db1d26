"""`optimize_for_inference_lib`: a GraphDef without what only training needs, normalization folded into weights."""

from __future__ import annotations

import collections
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import ossia as tf
from ossia_tensorflow_paths.python.tools import strip_unused_lib as stripping

# The arguments of normalizations: input, mean, variance, beta, gamma; and the attribute that is added to variances.
INPUT_ORDER = {
    "BatchNormWithGlobalNormalization": ["conv_op", "mean_op", "var_op", "beta_op", "gamma_op"],
    "FusedBatchNorm": ["conv_op", "gamma_op", "beta_op", "mean_op", "var_op"],
}
EPSILON_ATTR = {"BatchNormWithGlobalNormalization": "variance_epsilon", "FusedBatchNorm": "epsilon"}


def optimize_for_inference(
    input_graph_def: Any, input_node_names: Sequence[str], output_node_names: Sequence[str],
    placeholder_type_enum: Any, toco_compatible: bool = False,
) -> Any:
    """What the output nodes need, without training nodes, with normalizations folded and resizes fused.

    Args:
        input_graph_def: A GraphDef, whose variables are constants.
        input_node_names: The nodes that become placeholders.
        output_node_names: The nodes that are needed.
        placeholder_type_enum: The dtype of the placeholders as a number, or a list with one for each.
        toco_compatible: Whether only ops of TensorFlow Lite may be made: resizes are not fused.

    Returns:
        A GraphDef.
    """
    ensure_graph_is_valid(input_graph_def)
    made = stripping.strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum)
    made = tf.graph_util.remove_training_nodes(made, output_node_names)
    made = fold_batch_norms(made)
    if not toco_compatible:
        made = fuse_resize_and_conv(made, output_node_names)
    ensure_graph_is_valid(made)
    return made


def ensure_graph_is_valid(graph_def: Any) -> None:
    """Checks the names of nodes and inputs.

    Raises:
        ValueError: A name is there twice, or an input is not there.
    """
    names = set()
    for node in graph_def.node:
        if node.name in names:
            raise ValueError("Duplicate node names detected for ", node.name)
        names.add(node.name)
    for node in graph_def.node:
        for name in node.input:
            if node_name_from_input(name) not in names:
                raise ValueError("Input for ", node.name, " not found: ", name)


def node_name_from_input(node_name: str) -> str:
    """The name of the node that an input comes from."""
    name = node_name.removeprefix("^")
    head, colon, number = name.rpartition(":")
    return head if colon and number.isdigit() else name


def node_from_map(node_map: Mapping[str, Any], name: str) -> Any:
    """The node that an input comes from.

    Raises:
        ValueError: There is none.
    """
    stripped = node_name_from_input(name)
    if stripped not in node_map:
        raise ValueError(f"No node named '{name}' found in map.")
    return node_map[stripped]


def values_from_const(node_def: Any) -> np.ndarray:
    """The value of a Const node.

    Raises:
        ValueError: The node is none.
    """
    if node_def.op != "Const":
        raise ValueError(f"Node named '{node_def.name}' should be a Const op for values_from_const.")
    return tf.make_ndarray(node_def.attr["value"].tensor)


def scale_after_normalization(node: Any) -> bool:
    """Whether a normalization has a gamma."""
    if node.op == "BatchNormWithGlobalNormalization":
        return node.attr["scale_after_normalization"].b
    return True


def _by_name(graph_def: Any) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    for node in graph_def.node:
        if node.name in nodes:
            raise ValueError("Duplicate node names detected for ", node.name)
        nodes[node.name] = node
    return nodes


def fold_batch_norms(input_graph_def: Any) -> Any:
    """A GraphDef in which normalizations after convolutions are weights of these and added biases.

    Raises:
        ValueError: A node is there twice.
    """
    nodes = _by_name(input_graph_def)
    skipped: set[str] = set()
    added: list[Any] = []
    for node in input_graph_def.node:
        if node.op not in INPUT_ORDER:
            continue
        inputs = dict(zip(INPUT_ORDER[node.op], [node_from_map(nodes, name) for name in node.input[:5]]))
        conv = inputs["conv_op"]
        if conv.op not in ("Conv2D", "DepthwiseConv2dNative"):
            tf.logging.warning("Didn't find expected Conv2D input to '%s'", node.name)
            continue
        weights_node = node_from_map(nodes, conv.input[1])
        values = {key: inputs[key] for key in ("mean_op", "var_op", "beta_op", "gamma_op")}
        if weights_node.op != "Const" or any(value.op != "Const" for value in values.values()):
            tf.logging.warning("Didn't find expected constant inputs to '%s'", node.name)
            continue
        weights = values_from_const(weights_node)
        channels = weights.shape[3] if conv.op == "Conv2D" else weights.shape[2] * weights.shape[3]
        mean, variance, beta, gamma = (values_from_const(value) for value in values.values())
        if any(value.shape != (channels,) for value in (mean, variance, beta, gamma)):
            tf.logging.warning("Incorrect shape for the arguments of '%s', expected %s", node.name, (channels,))
            continue
        epsilon = node.attr[EPSILON_ATTR[node.op]].f
        scale = np.array([1.0 / math.sqrt(v + epsilon) for v in variance.tolist()]) * (
            gamma if scale_after_normalization(node) else 1.0
        )
        shift = (-mean * scale) + beta
        by_channel = scale if conv.op == "Conv2D" else scale.reshape(weights.shape[2:])
        scaled = (weights * by_channel).astype(weights.dtype)
        new_conv = tf.NodeDef()
        new_conv.CopyFrom(conv)
        bias = tf.NodeDef(op="BiasAdd", name=node.name, input=[new_conv.name, conv.name + "_bn_offset"])
        bias.attr["T"].CopyFrom(conv.attr["T"])
        bias.attr["data_format"].CopyFrom(conv.attr["data_format"])
        if not bias.attr["data_format"].s:
            bias.attr["data_format"].s = b"NHWC"
        added += [_constant(weights_node.name, scaled), new_conv,
                  _constant(conv.name + "_bn_offset", shift.astype(weights.dtype)), bias]
        skipped |= {node.name, weights_node.name, conv.name, *(value.name for value in values.values())}
    kept = [node for node in input_graph_def.node if node.name not in skipped]
    return _graph([*kept, *added])


def fuse_resize_and_conv(input_graph_def: Any, output_node_names: Sequence[str]) -> Any:
    """A GraphDef in which a bilinear resize or a mirroring pad is one op with the convolution that alone takes it.

    Nodes that are neither the input of another one nor an output are left out.

    Raises:
        ValueError: A node is there twice.
    """
    nodes = _by_name(input_graph_def)
    uses = collections.Counter(node_name_from_input(name) for node in input_graph_def.node for name in node.input)
    uses.update(output_node_names)
    skipped: set[str] = set()
    added: list[Any] = []
    for node in input_graph_def.node:
        if node.op != "Conv2D" or _is_dilated(node):
            continue
        source = node_from_map(nodes, node.input[0])
        pad = source if source.op == "MirrorPad" and uses[source.name] == 1 else None
        if pad is not None and node.attr["padding"].s != b"VALID":
            continue
        before = source if pad is None else node_from_map(nodes, pad.input[0])
        resize = before if before.op == "ResizeBilinear" and uses[before.name] == 1 else None
        if resize is None and pad is None:
            continue
        fused = tf.NodeDef(name=node.name, op="FusedResizeAndPadConv2D" if resize is not None else "FusedPadConv2D")
        first: Any = resize if resize is not None else pad
        fused.input.append(first.input[0])
        if resize is not None:
            fused.input.append(resize.input[1])
            fused.attr["resize_align_corners"].CopyFrom(resize.attr["align_corners"])
            skipped.add(resize.name)
        if pad is not None:
            fused.input.append(pad.input[1])
            skipped.add(pad.name)
        else:
            paddings = _constant(node.name + "_dummy_paddings", np.zeros([4, 2], np.int32))
            added.append(paddings)
            fused.input.append(paddings.name)
        fused.input.append(node.input[1])
        fused.attr["T"].CopyFrom(node.attr["T"])
        fused.attr["mode"].s = b"REFLECT" if pad is None else pad.attr["mode"].s
        fused.attr["strides"].CopyFrom(node.attr["strides"])
        fused.attr["padding"].CopyFrom(node.attr["padding"])
        skipped.add(node.name)
        added.append(fused)
    kept = (node for node in input_graph_def.node if uses[node.name] and node.name not in skipped)
    return _graph([*kept, *added])


def _is_dilated(node: Any) -> bool:
    return any(size != 1 for size in node.attr["dilations"].list.i)


def _constant(name: str, value: np.ndarray) -> Any:
    made = tf.NodeDef(op="Const", name=name)
    made.attr["dtype"].type = tf.as_dtype(value.dtype).as_datatype_enum
    made.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value, shape=value.shape))
    return made


def _graph(nodes: Sequence[Any]) -> Any:
    made = tf.GraphDef()
    made.node.extend(nodes)
    return made

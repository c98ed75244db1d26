"""Activations become a part of the operator before them."""

from __future__ import annotations

from collections.abc import Sequence

from ossia_lite.builder import ModelBuilder, activation
from ossia_lite.convert.passes.links import Links

_FUSING = (
    "CONV_2D",
    "DEPTHWISE_CONV_2D",
    "FULLY_CONNECTED",
    "ADD",
    "SUB",
    "MUL",
    "DIV",
    "AVERAGE_POOL_2D",
    "MAX_POOL_2D",
)
_ACTIVATIONS = ("RELU", "RELU6", "RELU_N1_TO_1")


def fuse_activations(model: ModelBuilder, outputs: Sequence[int]) -> None:
    """Removes activations whose input nothing else uses.

    Args:
        model: The model under construction.
        outputs: Tensors that are fetched.
    """
    links = Links(model, outputs)
    kept = []
    for operator in model.graph.operators:
        name = model.name_of(operator)
        before = links.only_maker(operator.inputs[0], *_FUSING) if name in _ACTIVATIONS else None
        floats = before is not None and model.graph.tensors[operator.outputs[0]].type == 0
        if before is not None and floats and not before.builtin_options.fused_activation_function:
            before.builtin_options.fused_activation_function = activation(name)
            links.moved(before, operator.outputs[0])
        else:
            kept.append(operator)
    model.graph.operators = kept

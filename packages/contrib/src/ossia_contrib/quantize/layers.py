"""Layers of a graph whose weights and activations are quantized."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from ossia_contrib.graph_editor.reroute import reroute_ts
from ossia_contrib.quantize.folding import LAYERS, scope_of
from ossia_contrib.quantize.ranges import Quantizing, quantized

_RELUS = frozenset(["Relu", "Relu6"])
_ACTIVATIONS = _RELUS | {"Identity"}
_ADDS = frozenset(["Add", "AddV2"])
_VARIABLES = frozenset(["Variable", "VariableV2", "VarHandleOp"])
_READS = frozenset(["Identity", "ReadVariableOp"])


@dataclasses.dataclass
class _Layer:
    """A layer: its operation, that of its bias, that which adds what bypasses it, and its activation."""

    layer: Any
    biased: Any
    added: Any
    activation: Any
    added_after: Any = None


def _is_variable(tensor: Any) -> bool:
    op = tensor.op
    while op.type in _READS and op.inputs:
        op = op.inputs[0].op
    return op.type in _VARIABLES


def _weighted(layer: Any) -> bool:
    """Whether a layer has weights of its own, as they are or scaled by a batch norm."""
    weights = layer.inputs[1]
    return _is_variable(weights) or (weights.op.type == "Mul" and weights.op.name.endswith("mul_fold"))


def _only(op: Any, kinds: frozenset[str]) -> Any:
    found = [each for each in op.outputs[0].consumers() if each.type in kinds] if op is not None else []
    return found[0] if found else None


def _biased(layer: Any) -> Any:
    op = layer
    while True:
        later = _only(op, frozenset(["BatchToSpaceND"])) or (
            _only(op, frozenset(["Mul"])) if op is layer else None
        )
        if later is None or (later.type == "Mul" and not later.name.endswith("post_conv_mul")):
            break
        op = later
    for each in op.outputs[0].consumers():
        if each.type == "BiasAdd" or (each.type in _ADDS and _is_variable(each.inputs[1])):
            return each
        if each.name.endswith("correction_add"):
            each = _only(each, _ADDS)
        if each is not None and each.name.endswith("add_fold"):
            return each
    return None


def _layers(graph: Any) -> Iterator[_Layer]:
    last = []
    operations = [op for op in graph.get_operations() if op.type in LAYERS and _weighted(op)]
    for op in operations:
        end = _biased(op) or op
        activation = _only(end, _ACTIVATIONS)
        if activation is not None:
            after = _only(activation, _ADDS) if end is not op else None
            yield _Layer(op, end, None, activation, after)
            continue
        added = _only(end, _ADDS) if end is not op else None
        activation = _only(added, _ACTIVATIONS)
        if activation is not None:
            yield _Layer(op, end, added, activation)
        elif end is not op:
            last.append(_Layer(op, end, None, end))
        elif op.type == "DepthwiseConv2dNative" and _only(op, frozenset(["Conv2D"])):
            last.append(_Layer(op, op, None, op))
    yield from last


def _inside(op: Any, scope: str | None) -> bool:
    return not scope or op.name.startswith(scope)


def _quantize_output(op: Any, name: str, how: Quantizing, **bounds: float) -> None:
    users = op.outputs[0].consumers()
    if not _inside(op, how.scope) or any(each.type.startswith("FakeQuant") for each in users):
        return
    reroute_ts([quantized(op.outputs[0], name, how, False, **bounds)], [op.outputs[0]], can_modify=users)


def quantize(graph: Any, how: Quantizing) -> None:
    """Put fake quantization behind the weights, the activations and the bypasses of the layers of a graph.

    Args:
      graph: the graph, which changes; its batch norms are folded.
      how: the manner of quantization.
    """
    with graph.as_default(), graph.name_scope(None):
        layers = list(_layers(graph))
        for each in layers:
            context = scope_of(each.layer.name)
            within = context and context + "/"
            weights = each.layer.inputs[1]
            if _inside(weights.op, how.scope):
                reroute_ts(
                    [quantized(weights, f"{within}weights_quant", how, True)], [weights], can_modify=[each.layer]
                )
            outer = scope_of(each.added.name) if each.added is not None else context
            beyond = outer and outer + "/"
            _quantize_output(each.activation, f"{beyond}act_quant", how, low=0.0)
            if each.added is not None:
                _quantize_output(each.biased, f"{within}conv_quant", how)
                if _only(each.added, _ACTIVATIONS) is None:
                    _quantize_output(each.added, f"{beyond}add_quant", how)
            if each.added_after is not None and _only(each.added_after, _RELUS) is None:
                after = scope_of(each.added_after.name)
                prefix = after and after + "/"
                _quantize_output(each.added_after, f"{prefix}post_activation_bypass_quant", how)
        for each in layers:
            source = each.layer.inputs[0].op
            if source.type in _ADDS and not source.name.endswith("add_fold"):
                _quantize_output(source, f"{source.name}/activation_{source.type}_quant", how)

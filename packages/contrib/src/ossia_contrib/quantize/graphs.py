"""Graphs rewritten for training and evaluation of quantized models."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.quantize.folding import fold_batch_norms
from ossia_contrib.quantize.layers import quantize
from ossia_contrib.quantize.ranges import Quantizing
from ossia_core.plugins.api_table import public


def _rewrite(graph: Any, how: Quantizing, freeze_bn_delay: int | None = None) -> None:
    graph = graph or tf.get_default_graph()
    fold_batch_norms(graph, freeze_bn_delay)
    quantize(graph, how)


@public("contrib.quantize.create_training_graph")
def create_training_graph(input_graph: Any = None, quant_delay: int | None = 0) -> None:
    """Rewrite a graph so that training sees what quantization to eight bits does.

    It has to be called before gradients are made.

    Args:
      input_graph: the graph, which changes; the default one if it is None.
      quant_delay: the step from which on values are quantized.
    """
    _rewrite(input_graph, Quantizing(True, 8, 8, False, quant_delay, None))


@public("contrib.quantize.create_eval_graph")
def create_eval_graph(input_graph: Any = None) -> None:
    """Rewrite a graph so that it reads the ranges that training has found, and quantizes to eight bits.

    Args:
      input_graph: the graph, which changes; the default one if it is None.
    """
    _rewrite(input_graph, Quantizing(False, 8, 8, False, None, None))


@public("contrib.quantize.experimental_create_training_graph")
def experimental_create_training_graph(
    input_graph: Any = None, weight_bits: int = 8, activation_bits: int = 8, symmetric: bool = False,
    quant_delay: int | None = 0, freeze_bn_delay: int | None = None, scope: str | None = None,
) -> None:
    """`create_training_graph` with more to choose.

    Args:
      input_graph: the graph, which changes; the default one if it is None.
      weight_bits: into how many bits weights go.
      activation_bits: into how many bits activations go.
      symmetric: whether ranges lie evenly around zero.
      quant_delay: the step from which on values are quantized.
      freeze_bn_delay: the step from which on moving averages of batch norms stay and are used.
      scope: start of the names of the operations whose outputs are quantized; all if it is None.
    """
    how = Quantizing(True, weight_bits, activation_bits, symmetric, quant_delay, scope)
    _rewrite(input_graph, how, freeze_bn_delay)


@public("contrib.quantize.experimental_create_eval_graph")
def experimental_create_eval_graph(
    input_graph: Any = None, weight_bits: int = 8, activation_bits: int = 8, symmetric: bool = False,
    quant_delay: int | None = None, scope: str | None = None,
) -> None:
    """`create_eval_graph` with more to choose; arguments as of `experimental_create_training_graph`."""
    _rewrite(input_graph, Quantizing(False, weight_bits, activation_bits, symmetric, quant_delay, scope))

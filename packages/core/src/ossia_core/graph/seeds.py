"""The two seeds of a random op, from the seed of the graph and the one given to the op."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.stack import get_default_graph
from ossia_core.plugins.api_table import public

_DEFAULT_GRAPH_SEED = 87654321
_MODULUS = 2**31 - 1


@public("get_seed", "random.get_seed")
def get_seed(op_seed: int | None) -> tuple[Any, Any]:
    """The seeds for an op that is about to be made in the default graph.

    Args:
      op_seed: the seed that the op was given, or None. If the graph has a seed, the number of the ops made so far
        stands for a missing one; if it has none, a fixed number stands for the graph's.

    Returns:
      Two integers, `(None, None)` if neither seed is set: the op then gives other numbers in each session.
    """
    graph = get_default_graph()
    graph_seed = graph.seed
    if graph_seed is None:
        if op_seed is None:
            return None, None
        graph_seed = _DEFAULT_GRAPH_SEED
    if op_seed is None:
        op_seed = graph._last_id
    seeds = _reduced(graph_seed), _reduced(op_seed)
    return (0, _MODULUS) if seeds == (0, 0) else seeds


@public("set_random_seed", "random.set_random_seed", "compat.v2.random.set_seed")
def set_random_seed(seed: int) -> None:
    """Sets the seed of the default graph, on which the numbers of all its random ops depend.

    An op that has a seed of its own gives numbers that depend on both; one that has none, on its place in the graph.
    """
    get_default_graph().seed = seed


def _reduced(seed: Any) -> Any:
    return (seed.item() if isinstance(seed, np.generic) else seed) % _MODULUS  # a narrow type may not hold the modulus

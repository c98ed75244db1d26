"""Control flow: other subgraphs of the model."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_lite.kernels import Call


def if_(call: Call, condition: np.ndarray, *inputs: np.ndarray) -> Any:
    """One of two subgraphs."""
    chosen = call.options.then_subgraph_index if condition.reshape(-1)[0] else call.options.else_subgraph_index
    return tuple(call.run_subgraph(chosen, list(inputs)))


def while_(call: Call, *inputs: np.ndarray) -> Any:
    """A subgraph again and again, while another one says so."""
    values = list(inputs)
    while call.run_subgraph(call.options.cond_subgraph_index, values)[0].reshape(-1)[0]:
        values = call.run_subgraph(call.options.body_subgraph_index, values)
    return tuple(values)


def call_once(call: Call) -> Any:
    """A subgraph in the first run only."""
    if not call.packed:
        call.packed["done"] = True
        call.run_subgraph(call.options.init_subgraph_index, [])
    return ()


globals().update({"if": if_, "while": while_})

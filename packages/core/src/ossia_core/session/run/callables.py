"""Callables made of CallableOptions: what they feed and fetch is named when they are made."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.graph.tensor import Tensor
from ossia_core.names import errors
from ossia_core.names.dtypes import as_dtype, engine_name


def callable_from_options(session: Any, options: Any) -> Callable[..., list[Any]]:
    """A function that runs what CallableOptions name.

    Args:
      session: the session to run in.
      options: CallableOptions; where they connect two tensors, the value of one is fed to the other.

    Returns:
      A function of one array per feed, and perhaps `run_metadata`, that returns the values of the fetches in a list.

    Raises:
      InvalidArgumentError: a name that the graph does not have, or nothing to run.
    """
    graph = session.graph
    feeds = [_tensor(graph, name) for name in options.feed]
    fetches = [_tensor(graph, name) for name in options.fetch]
    targets = [graph.as_graph_element(name, allow_tensor=False) for name in options.target]
    sources = [_tensor(graph, link.from_tensor) for link in options.tensor_connection]
    sinks = [_tensor(graph, link.to_tensor) for link in options.tensor_connection]
    if not fetches and not targets:
        raise errors.InvalidArgumentError(None, None, "Must specify at least one target to fetch or execute.")
    first = session.make_callable(sources, feeds) if sources else None
    whole = session.make_callable([fetches, targets], [*feeds, *sources, *sinks], accept_options=True)
    run_options = options.run_options if options.HasField("run_options") else None

    def call(*args: Any, **kwargs: Any) -> list[Any]:
        if len(args) != len(feeds):
            raise errors.InvalidArgumentError(
                None, None, f"Expected {len(feeds)} feed tensors, but got {len(args)}"
            )
        if session._closed:
            raise errors.CancelledError(None, None, "Session has been closed.")
        values = [_array(feed, value) for feed, value in zip(feeds, args)]
        linked = first(*values) if first is not None else []
        found, _ = whole(
            *values, *linked, *linked, options=run_options, run_metadata=kwargs.get("run_metadata")
        )
        return found

    return call


def _tensor(graph: Any, name: str) -> Tensor:
    try:
        return graph.as_graph_element(name, allow_operation=False)
    except (KeyError, ValueError):
        raise errors.InvalidArgumentError(
            None, None, f"Tensor {name}, specified in either feed_devices or fetch_devices was not found in the Graph"
        ) from None


def _array(feed: Tensor, value: Any) -> np.ndarray:
    """The value, whose dtype has to be the tensor's: it is not converted."""
    array = np.asarray(value)
    wanted = np.dtype(feed.dtype.as_numpy_dtype)
    if array.dtype != wanted and wanted.kind != "O":
        actual = engine_name(as_dtype(array.dtype))
        raise errors.InvalidArgumentError(
            None, None, f"Type mismatch: actual {actual} vs. expect {engine_name(feed.dtype)}"
        )
    return array

"""Partial runs: one run of a graph, fed and fetched in several calls."""
from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import errors
from ossia_core.session.compile import ordering
from ossia_core.session.compile.plan import Plan
from ossia_core.session.run.context import RunContext
from ossia_core.session.run.fetch import Feeder, FetchMap, announced_feeds, expand_feeds
from ossia_core.session.run.steps import holds

_numbers = itertools.count(1, 2)


class PartialRun:
    """The state between the calls: which steps have run, and their values."""

    def __init__(self, session: Any, fetches: Any, feeds: Any) -> None:
        self._session = session
        graph = session.graph
        fetch_map = FetchMap(graph, fetches)
        self._fetches = list(fetch_map.elements)
        self._feeds = announced_feeds(graph, feeds)
        fed = sorted(tensor.name for tensor in self._feeds)
        fetched = sorted(tensor.name for tensor in self._fetches if isinstance(tensor, Tensor))
        targets = sorted(op.name for op in self._fetches if isinstance(op, Operation))
        self.handle = f"{','.join(fed)}->{','.join(fetched)}/{','.join(targets)}/1/;{next(_numbers)}"
        self._check(self._fetches, self._feeds)
        self._feeders = {tensor: Feeder(tensor) for tensor in self._feeds}
        session._connection.check_partial(self._fetches, self._feeds)
        self._plan = Plan(self._fetches, self._feeds, session.state, [b for b in session._backends if not b.compiles])
        self._slots = self._plan.start(RunContext(session.state), [None] * len(self._feeds))
        self._fed: set[Tensor] = set()
        self._done: set[int] = set()
        self._fetched: set[Any] = set()

    @property
    def finished(self) -> bool:
        """Whether everything that was announced has been fed and fetched."""
        return self._fed.issuperset(self._feeds) and self._fetched.issuperset(self._fetches)

    @staticmethod
    def _check(fetches: list[Any], feeds: list[Tensor]) -> None:
        """Refuse what no partial run can be made of."""
        if not fetches:
            raise errors.InvalidArgumentError(None, None, "Must specify at least one target to fetch or execute.")
        for i, tensor in enumerate(feeds):
            if tensor in fetches:
                raise errors.InvalidArgumentError(None, None, f"{tensor.name} is both fed and fetched.")
            if tensor in feeds[:i]:
                raise errors.InvalidArgumentError(None, None, f"The feed {tensor.name} is given more than once.")

    def run(self, fetches: Any, feed_dict: Any) -> Any:
        """Feed some tensors, run what the fetches need, return their values.

        Raises:
          InvalidArgumentError: a feed or fetch that was not announced, was given before, or still lacks a feed.
          RuntimeError: an operation is among the fetches.
        """
        graph = self._session.graph
        given = []
        for tensor, value in expand_feeds(graph, feed_dict):
            if tensor not in self._feeders:
                raise errors.InvalidArgumentError(
                    None, None, f"The feed {tensor.name} was not specified in partial_run_setup."
                )
            if tensor in self._fed:
                raise errors.InvalidArgumentError(None, None, f"The feed {tensor.name} has already been fed.")
            given.append((tensor, self._feeders[tensor](value)))
        wanted = FetchMap(graph, fetches)
        if any(not isinstance(element, Tensor) for element in wanted.elements):
            raise RuntimeError("partial_run() requires empty target_list.")
        for element in wanted.elements:
            if element not in self._fetches:
                raise errors.InvalidArgumentError(
                    None, None, f"The fetch {element.name} was not specified in partial_run_setup."
                )
            if element in self._fetched:
                raise errors.InvalidArgumentError(None, None, f"The fetch {element.name} has already been fetched.")
        # What cannot be computed is refused as a whole: nothing has been fed then.
        self._check_feeds(wanted.elements, self._fed.union(tensor for tensor, _ in given))
        for tensor, value in given:
            self._slots[self._plan.feed_slots[self._feeds.index(tensor)]] = value
            self._fed.add(tensor)
        self._advance(wanted.elements)
        self._fetched.update(wanted.elements)
        tensors = [f for f in self._fetches if isinstance(f, Tensor)]
        values = {f: v for f, v in zip(tensors, self._plan.results(self._slots), strict=True) if f in wanted.elements}
        return wanted.result([values[f] for f in wanted.elements if isinstance(f, Tensor)])

    def _check_feeds(self, elements: list[Any], fed: set[Tensor]) -> None:
        """Refuse fetches that need what has not been fed; the first such tensor is named."""
        stack: list[Any] = list(elements)
        seen = set()
        while stack:
            found = stack.pop()
            if found in seen or found in fed:
                continue
            seen.add(found)
            if found in self._feeders:
                raise errors.InvalidArgumentError(
                    None, None, f"Fetch {found.name} can't be computed from the feeds that have been fed so far."
                )
            if isinstance(found, Tensor):
                stack += [*found.op._inputs, *found.op._control_inputs]
            else:
                stack += [*found._inputs, *found._control_inputs, *found.outputs]

    def _advance(self, elements: list[Any]) -> None:
        targets = {
            e if not isinstance(e, Tensor) else e.op for e in elements if not (isinstance(e, Tensor) and e in self._fed)
        }
        ops = set(ordering.needed(targets, self._fed))
        with np.errstate(all="ignore"):
            for i, work in enumerate(self._plan.work):
                if i in self._done or self._plan.origin.get(work.node, work.node) not in ops:
                    continue
                step = work.step
                try:
                    if not work.guard or holds(work.guard, self._slots):
                        step(self._slots)
                except Exception as e:
                    raise self._plan.explained(e, self._slots[0]) from e
                self._done.add(i)

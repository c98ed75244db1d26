"""Chains of small instructions that do not depend on each other, such as the gradients of the layers' weights and the
updates that they go into: threads share the chains, each of which runs on one thread from end to end."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_backend_cffi.emitters.products import scratch_of
from ossia_backend_cffi.program.accesses import UPDATES
from ossia_backend_cffi.program.builder import Builder
from ossia_backend_cffi.program.instructions import Grouped, Together

_SIZES = {"adam": 0.5, "momentum": 0.4, "sgd": 0.3, "update": 1.0, "elementwise": 0.3}  # nanoseconds for one element
_DENSE = frozenset(("dense_adam", "dense_momentum", "dense_sgd"))
_LONGEST = 40.0  # microseconds of an instruction up to which it is left to one thread
_LEAST = 40.0    # of all chains from which threads share them


def _cost(row: Any) -> float | None:
    """Microseconds, roughly; None for what is not left to one thread."""
    name = row.name
    if name == "matmul":
        cost = 0.2 + row.m * row.n * row.k / 5e4
    elif name in _DENSE:
        cost = 0.2 + row.m * row.n * (row.k / 5e4 + 5e-4)
    elif name == "reduce":
        cost = 0.1 + row.outer * row.size * row.inner * 1e-4
    elif name in _SIZES:
        steps = row.maker_steps if name in UPDATES else 0
        cost = 0.1 + row.elements * (_SIZES[name] + 0.1 * steps) * 1e-3
    else:
        return None
    return cost if cost <= _LONGEST else None


class _Chains:
    """Chains that are being put together."""

    def __init__(self) -> None:
        self.chains: list[list[Any]] = []
        self.cost = 0.0
        self._readers: dict[int, set[int]] = {}
        self._writers: dict[int, int] = {}

    def take(self, unit: Any, cost: float) -> bool:
        """Add a unit to the chain that it depends on; False if there are several."""
        met = {self._writers[b] for b in unit.reads | unit.writes if b in self._writers}
        for b in unit.writes:
            met |= self._readers.get(b, set())
        if len(met) > 1:
            return False
        if not met:
            met = {len(self.chains)}
            self.chains.append([])
        (chain,) = met
        self.chains[chain].append(unit)
        for b in unit.reads:
            self._readers.setdefault(b, set()).add(chain)
        for b in unit.writes:
            self._writers[b] = chain
        self.cost += cost
        return True

    def units(self, builder: Builder) -> list[Any]:
        """One unit of all chains if sharing them is worth it, else the units in their order."""
        if len(self.chains) < 2 or self.cost < _LEAST:
            return [unit for chain in self.chains for unit in chain]
        # What reads the latest values comes first: gradients of the first layers, whose weights lie with the thread
        # that begins in front.
        buffers = builder.buffers
        self.chains.sort(
            key=lambda chain: -max((buffers[b].first for b in chain[0].reads if buffers[b].kind == "arena"), default=0)
        )
        first = self.chains[0][0]
        first.parts = [sum(len(unit.rows) for unit in chain) for chain in self.chains]
        first.rows = [row for chain in self.chains for unit in chain for row in unit.rows]
        for chain in self.chains:
            for unit in chain:
                first.reads |= unit.reads
                first.writes |= unit.writes
        return [first]


def joined(builder: Builder, units: Sequence[Any]) -> list[Any]:
    """The units, with neighbours that fall into independent chains made one."""
    result: list[Any] = []
    chains = _Chains()
    for unit in units:
        cost = None if unit.images else _cost(unit.rows[0])
        if cost is not None and chains.take(unit, cost):
            continue
        result += chains.units(builder)
        chains = _Chains()
        if cost is None:
            result.append(unit)
        else:
            chains.take(unit, cost)
    return result + chains.units(builder)


def finish(builder: Builder, unit: Any, threads: int) -> None:
    """Write the parameters of the chains into their rows."""
    own = 0
    for k, row in enumerate(unit.rows):
        if row.name == "matmul":
            own = max(own, -(-scratch_of(row.m, row.n, row.k, row.tb) // 16))
        made = Grouped if k else Together
        row.take(made(group=len(builder.code), shared=0, runs_as=row.kernel))
    builder.code += [len(unit.parts), own, threads, *unit.parts]
    builder.scratch = max(builder.scratch, 64 * own * threads)

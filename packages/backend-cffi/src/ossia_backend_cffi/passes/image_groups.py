"""Groups of instructions that work image by image: a convolution, the elementwise chain behind it, the pooling behind
that run on a few images before they go on to the next ones, which then lie in the cache still. Rows of a batch that
pass through narrow dense layers are such images, too: each thread takes its rows through all layers.

The pass works on the finished table: rows move up to the group whose results they read where nothing in between
stands in the way. Their number stays the same; what a group has taken in runs with its first row."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ossia_backend_cffi.emitters.products import scratch_of
from ossia_backend_cffi.passes import independent_chains, winograd
from ossia_backend_cffi.program.accesses import LOADS, MEMBERS, STORES, accesses_of, pattern_of, results_of, steps_of
from ossia_backend_cffi.program.builder import Builder
from ossia_backend_cffi.program.chains import NUMBER
from ossia_backend_cffi.program.instructions import Grouped, Images

_MEMBERS = (*MEMBERS, *winograd.MEMBERS.values())
_JOINING = frozenset(_MEMBERS)
# The operands that are images, of those kernels that a group may begin with; it takes in others that read its results.
_READ = {
    "conv": ("x",), "conv_input": ("grad",), "conv_filter": ("x", "grad"), "pool": ("x",),
    "max_pool_grad": ("x", "grad"), "avg_pool_grad": ("grad",), "batch_moments": ("x",), "batch_scale": ("x",),
    "batch_products": ("grad", "x"), "batch_gradient": ("grad", "x"), "matmul": ("a",),
}  # fmt: skip
_SUMMING = frozenset(("conv_filter", "reduce", "batch_moments", "batch_products"))  # whose results need all images
_NONE: frozenset[int] = frozenset()
_IMAGES = 8            # from so many images on they are worked on in groups
_MOST = 1 << 30         # up to so many
_CACHE = 3 << 19       # bytes that the images at hand, weights and sums may take
_AT_ONCE = 96 << 10    # bytes of images below which several are worked on at a time
_TILED = 1 << 20       # and of images whose convolutions take fewer multiplications for more of them
_CHUNKS = 8            # of sums over images
_PANEL = 32
_WIDEST = 512          # channels whose sums are taken in a group
_ROWS = 16             # rows from which a product can be a member
_DEEPEST = 256         # elements along k up to which it can: no product sums more than that at a time
_NARROW = 1 << 14      # weights up to which it can: every thread reads all of them
_LOOK_BACK = 48        # units that a row may pass
_THREADS = min(64, max(4, os.cpu_count() or 1))


class _Unit:
    """Rows that keep their order: a single one, or a group."""

    __slots__ = ("bytes", "dense", "images", "known", "parts", "reads", "rows", "shared", "whole", "writes")

    def __init__(self, row: Any, reads: set[int], writes: set[int]) -> None:
        self.rows, self.reads, self.writes = [row], set(reads), set(writes)
        self.parts: list[int] = []          # rows of each chain, if they are independent
        self.images = 0                     # of a group
        self.dense = False                  # whether they are rows that products work on
        self.whole: set[int] = set()        # what is there only when all images are done
        self.bytes = self.shared = 0        # of one image, and of weights and sums
        self.known: set[int] = set()        # buffers that `bytes` counts


def group(builder: Builder) -> None:
    """Form the groups of a program."""
    rows, start = builder.rows, 0
    beginnings = [row.name in _READ for row in rows]
    if True not in beginnings:
        return
    accesses = [accesses_of(builder, row) for row in rows]
    updating = rows[builder.first_update] if builder.first_update < len(rows) else None
    for end in range(len(rows) + 1):
        if end == len(rows) or accesses[end] is None:
            if True in beginnings[start:end]:
                _Segment(builder, start, end, accesses[start:end]).form()
            start = end + 1
    if updating is not None:
        # It runs with the first of its group.
        at = next(k for k, row in enumerate(rows) if row is updating)
        while rows[at].name == "grouped":
            at -= 1
        builder.first_update = at


def _is_narrow(row: Any) -> bool:
    """Whether a row is a product whose rows can be worked on apart."""
    if row.name != "matmul" or row.ta or row.adds:
        return False
    return row.m >= _ROWS and row.n > 1 and 1 <= row.k <= _DEEPEST and row.k * row.n <= _NARROW


def _images_of(row: Any) -> int:
    """The images of a row that reads such, or the rows of a product."""
    return row.m if row.name == "matmul" else row.n


def _rounded(floats: int) -> int:
    return -(-floats // 16) * 16


class _Segment:
    """Rows between two that nothing may pass."""

    def __init__(self, builder: Builder, start: int, end: int, accesses: Sequence[Any]) -> None:
        self._builder, self._start, self._end = builder, start, end
        self._rows = builder.rows[start:end]
        self._access = {id(row): found for row, found in zip(self._rows, accesses, strict=True)}
        self._units: list[_Unit] = []
        self._groups: list[int] = []         # positions of the groups among them
        self._written: dict[int, int] = {}   # buffer -> the last unit that writes it
        self._used: dict[int, int] = {}      # and the last one that reads or writes it

    def form(self) -> None:
        """Group the rows, and put them in their new order."""
        for row in self._rows:
            self._place(row)
        if any(row.name == "elementwise" for at in self._groups for row in self._units[at].rows):
            users: dict[int, list[Any]] = {}
            positions: dict[int, int] = {}
            for k, row in enumerate(self._rows):
                positions[id(row)] = self._start + k
                reads, writes = self._access[id(row)]
                for buffer in reads | writes:
                    users.setdefault(buffer, []).append(row)
            for at in self._groups:
                self._write_in_place(self._units[at], users, positions)
        self._units = independent_chains.joined(self._builder, self._units)
        if not any(len(unit.rows) > 1 or self._gains(unit) for unit in self._units):
            return
        self._note_lifetimes()
        for unit in self._units:
            if unit.images:
                self._finish(unit)
            elif len(unit.rows) > 1:
                independent_chains.finish(self._builder, unit, _THREADS)
        self._builder.rows[self._start : self._end] = [row for unit in self._units for row in unit.rows]

    def _place(self, row: Any) -> None:
        reads, writes = self._access[id(row)]
        units, written, used = self._units, self._written, self._used
        first = len(units) - _LOOK_BACK  # the first unit that it may become part of, without passing what it waits for
        for buffer in reads:
            at = written.get(buffer, -1)
            if at > first:
                first = at
        for buffer in writes:
            at = used.get(buffer, -1)
            if at > first:
                first = at
        name = row.name
        if name in _JOINING:
            for at in reversed(self._groups):
                if at < first:
                    break
                unit = units[at]
                if self._joins(unit, row, reads, writes):
                    unit.rows.append(row)
                    unit.reads |= reads
                    unit.writes |= writes
                    self._note(at, reads, writes)
                    return
        unit = _Unit(row, reads, writes)
        for buffer in reads:
            used[buffer] = len(units)
        for buffer in writes:
            used[buffer] = written[buffer] = len(units)
        units.append(unit)
        if _is_narrow(row) if name == "matmul" else name in _READ and _IMAGES <= row.n < _MOST:
            unit.images, unit.dense = _images_of(row), name == "matmul"
            if self._counted(unit, row, reads | writes):
                self._groups.append(len(units) - 1)
            else:
                unit.images = 0

    def _note(self, at: int, reads: set[int], writes: set[int]) -> None:
        """Note what a row of the unit at a position uses; later units may use it, too."""
        for buffers, last in ((reads, self._used), (writes, self._used), (writes, self._written)):
            for buffer in buffers:
                if last.get(buffer, -1) < at:
                    last[buffer] = at

    def _joins(self, unit: _Unit, row: Any, reads: set[int], writes: set[int]) -> bool:
        """Whether a row becomes part of a group; it must read images that the group has at hand."""
        name, n = row.name, unit.images
        if unit.writes.isdisjoint(reads) and name != "conv_filter":
            return False
        if not (reads.isdisjoint(unit.whole) and writes.isdisjoint(unit.reads) and writes.isdisjoint(unit.writes)):
            return False
        if unit.dense and not (name == "elementwise" or _is_narrow(row)) or name == "matmul" and not unit.dense:
            return False
        buffers = self._builder.buffers
        for buffer in writes:
            if buffers[buffer].kind not in ("arena", "output"):
                return False
        if name == "elementwise":
            if not row.elements or row.elements % n:
                return False
            for step in steps_of(self._builder, row.code, row.steps):
                if step[0] in LOADS and step[2] in unit.writes:
                    if pattern_of(step) != (1, row.elements):
                        return False
        elif name == "reduce":
            if row.kind or row.outer != 1 or not row.size or row.size % n:
                return False
            if row.inner > _WIDEST or row.x not in unit.writes:
                return False
        else:
            images = {getattr(row, operand) for operand in _READ[name]}
            if name == "matmul" and row.gate >= 0:
                images.add(row.gate)
            if _images_of(row) != n or (reads - images) & unit.writes:
                return False
            if not images & (unit.writes | unit.reads if name == "conv_filter" else unit.writes):
                return False
        return self._counted(unit, row, reads | writes)

    def _counted(self, unit: _Unit, row: Any, buffers: set[int]) -> bool:
        """Take a row's memory into account; False if a group with it would not fit into the cache."""
        name, n = row.name, unit.images
        whole = set(results_of(row)) if name in _SUMMING else _NONE
        shared = 4 * (self._shared(row, 1) if name != "matmul" else row.n * row.k)
        known = buffers - whole
        if name in _READ:
            images = [getattr(row, operand) for operand in _READ[name]]
            known.difference_update([b for b in row.buffers()[1:] if b not in images])
        table = self._builder.buffers
        size = sum([table[b].nbytes for b in known if b not in unit.known]) // n
        if not unit.dense:
            size += 4 * self._own(row, 1)
        if (unit.bytes + size) * (n if unit.dense else 1) + unit.shared + shared > _CACHE:
            return False
        unit.bytes += size
        unit.shared += shared
        unit.known |= known
        unit.whole |= whole
        return True

    @staticmethod
    def _shared(row: Any, chunks: int) -> int:
        """Floats of scratch for what all images share."""
        name = row.name
        if name == "matmul":
            return _rounded(-(-row.n // 16) * 16 * row.k) if row.tb else 0
        if name == "reduce":
            return _rounded(chunks * row.inner)
        if name in ("batch_moments", "batch_products"):
            return _rounded(2 * row.n * row.channels)
        if not name.startswith("conv"):
            return 0
        c, taps, co = row.c, row.kh * row.kw, row.co
        wide = -(-co // _PANEL) * _PANEL * c if name == "conv" else -(-c // _PANEL) * _PANEL * co
        return _rounded(2 * (taps + 1)) + _rounded(taps * (chunks * c * co if name == "conv_filter" else wide))

    @staticmethod
    def _own(row: Any, step: int) -> int:
        """Floats of scratch that a thread needs for so many images."""
        name = row.name
        if name == "matmul":
            return _rounded(scratch_of(row.m, row.n, row.k, row.tb))
        if name == "max_pool_grad":
            return _rounded(2 * row.c)
        if name == "conv_input":
            return _rounded(step * row.all_h * row.all_w * row.co)
        if name == "conv":
            return _rounded(step * row.all_h * row.all_w * row.c)
        if name == "conv_filter":
            return _rounded(step * row.all_h * row.all_w * row.c) + _rounded(row.block * row.ow * _PANEL)
        return 0

    # -- in place -----------------------------------------------------------------------------------------------

    def _write_in_place(self, unit: _Unit, users: dict[int, list[Any]], positions: dict[int, int]) -> None:
        """Let a chain write over what it reads if nobody else does, so that half of the memory passes by."""
        for chain in unit.rows:
            if chain.name != "elementwise":
                continue
            steps = steps_of(self._builder, chain.code, chain.steps)
            for at, step in enumerate(steps):
                # Nothing of it goes past the caches: what comes next reads it.
                if step[0] not in LOADS and step[0] not in STORES:
                    self._builder.code[chain.code + 8 * at + 7] = 0
            for at, step in enumerate(steps):
                if step[0] != NUMBER["LOAD"]:
                    continue
                read, maker = step[2], None
                if len(users[read]) == 2 and self._is_local(read):
                    maker = next((row for row in unit.rows if row is not chain and row.buffers()[:1] == [read]), None)
                if maker is None or maker.name in _SUMMING:
                    continue
                written = self._last_target(steps, at, read)
                if written is None or self._builder.buffers[written].first != positions[id(chain)]:
                    continue
                setattr(maker, maker.FIRST, written)
                self._builder.code[chain.code + 8 * at + 2] = written
                for row in (maker, chain):
                    reads, writes = self._access[id(row)]
                    reads.discard(read)
                    writes.discard(read)
                    (writes if row is maker else reads).add(written)
                unit.reads.discard(read)
                unit.writes.discard(read)
                users[written].append(maker)
                buffer = self._builder.buffers[read]
                buffer.first = buffer.last = -1
                break

    def _is_local(self, index: int) -> bool:
        buffer = self._builder.buffers[index]
        return buffer.kind == "arena" and self._start <= buffer.first and buffer.last < self._end

    def _last_target(self, steps: list[list[int]], load: int, read: int) -> int | None:
        """The buffer that a chain writes to when it is done with what it has loaded there."""
        register, last = steps[load][1], load
        for at in range(load + 1, len(steps)):
            step = steps[at]
            if step[0] in STORES:
                last = at if step[1] == register else last
                continue
            if step[0] not in LOADS and register in step[2:5]:
                last = at
            if step[1] == register:
                break
        size = self._builder.buffers[read].nbytes
        loaded = {step[2] for step in steps if step[0] in LOADS}
        for at in range(last, len(steps)):
            step = steps[at]
            if step[0] not in LOADS and step[0] not in STORES and step[6]:
                target = self._builder.buffers[step[6] - 1]
                if target.nbytes == size and target.kind in ("arena", "output") and step[6] - 1 not in loaded:
                    return step[6] - 1
        return None

    # -- the new order ------------------------------------------------------------------------------------------

    def _note_lifetimes(self) -> None:
        """From where to where buffers are needed now; the rows of a group take turns, from its first to its last."""
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        at = self._start
        for unit in self._units:
            end = at + len(unit.rows) - 1
            for accessed in (unit.reads, unit.writes):
                for index in accessed:
                    first.setdefault(index, at)
                    last[index] = end
            at = end + 1
        buffers, start, stop = self._builder.buffers, self._start, self._end
        for index, at in first.items():
            buffer = buffers[index]
            if buffer.last >= 1 << 60:
                continue  # nothing else ever takes its place
            if buffer.first < 0 or start <= buffer.first < stop:
                buffer.first = at
            if buffer.last < 0 or start <= buffer.last < stop:
                buffer.last = last[index]

    @staticmethod
    def _shares(unit: _Unit) -> tuple[int, int]:
        """Chunks of sums over images, and images that a thread works on at a time."""
        n = unit.images
        chunks = min(_CHUNKS, n) if unit.whole else 0
        if unit.dense:
            return chunks, n
        many, few = (max(1, min(n // max(chunks, _CHUNKS), most // max(unit.bytes, 1))) for most in (_TILED, _AT_ONCE))
        return chunks, many if any(winograd.gains(row, many) for row in unit.rows) else few

    def _gains(self, unit: _Unit) -> bool:
        """Whether a single row is better off as a group."""
        row = unit.rows[0]
        return unit.images > 0 and winograd.gains(row, self._shares(unit)[1])

    def _finish(self, unit: _Unit) -> None:
        """Write the parameters of a group into its rows."""
        builder, n = self._builder, unit.images
        chunks, step = self._shares(unit)
        at = laid_out = own = 0
        work = sum(builder.buffers[b].nbytes for b in unit.known) / 1e4
        for k, row in enumerate(unit.rows):
            name, tiles = row.name, 0
            if name.startswith("conv"):
                work += n * row.c * row.kh * row.kw * row.oh * row.ow * row.co / 5e4
            elif name == "matmul":
                work += n * row.n * row.k / 5e4
            if winograd.gains(row, step):
                shared, own = winograd.weights(row, chunks), max(own, winograd.scratch(row, step))
                tiles, member = winograd.tiles(row, step), winograd.MEMBERS[name]
            else:
                shared, own, member = self._shared(row, chunks or 1), max(own, self._own(row, step)), name
            role = Grouped if k else Images
            runs_as = _MEMBERS.index(member)
            row.take(role(group=len(builder.code), shared=at // 16, runs_as=runs_as, tiles=tiles))
            at += shared
            laid_out += shared if name in ("conv", "conv_input") else 0
        cost = min(int(work) + 1, _MOST)  # in microseconds
        prepared = -1 if unit.dense else laid_out
        builder.code += [len(unit.rows), n, step, chunks, at // 16, own // 16, _THREADS, prepared, cost]
        builder.scratch = max(builder.scratch, 4 * (at + own * _THREADS))

"""What each instruction of a compiled training step takes: microseconds, GFLOP/s of products and convolutions, GB/s.

    python benchmarks/kernels.py CASE [--threads N] [--batch N] [--rounds N] [--least MICROSECONDS]

CASE is a case of steps.py. Every instruction is run by itself in the order of the program, so that caches are as in a
step; of the rounds the least processor time counts. On a machine that others use, small batches give truer numbers:
what takes less than a millisecond is left alone in some round.
"""
from __future__ import annotations

import argparse
import math
import time
from collections import defaultdict
from typing import Any

import numpy as np
import steps

import ossia as tf
from ossia_backend_cffi.passes.image_groups import _MEMBERS as MEMBERS
from ossia_backend_cffi.program.instructions import Conv, ConvFilter, ConvInput, Matmul
from ossia_backend_cffi.run import region_program


class Timed:
    """Stands for the native module: runs a table instruction by instruction, and keeps the least time of each."""

    def __init__(self, lib: Any) -> None:
        self._lib = lib
        self.least: dict[int, float] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lib, name)

    def oc_run(self, instructions, count, pointers, code, scratch, threads, flush):
        """As the native function."""
        run, clock, least = self._lib.oc_run, time.process_time, self.least
        for n in range(count):
            start = clock()
            failed = run(instructions + n, 1, pointers, code, scratch, threads, flush)
            took = clock() - start
            if failed:
                return failed + 16 * n
            least[n] = min(least.get(n, took), took)
        return 0


PROGRAMS: list[Any] = []


class Profiled(region_program.Specialisation):
    """A specialisation whose instructions are timed."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._lib = Timed(self._lib)
        PROGRAMS.append(self)

    def _plan_outputs(self, region: Any, compilation: Any) -> None:
        self._builder = compilation.builder
        super()._plan_outputs(region, compilation)


def multiplications(row: Any) -> float:
    """Multiplications of a product or convolution, else 0."""
    if isinstance(row, Matmul):
        return math.prod((row.m, row.n, row.k))
    if isinstance(row, (Conv, ConvFilter, ConvInput)):
        return math.prod((row.n, row.oh, row.ow, row.kh, row.kw, row.c, row.co))
    return 0.0


def main() -> None:
    """Run a case and print the table."""
    parser = argparse.ArgumentParser(description="Time the instructions of a training step.")
    parser.add_argument("case")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--batch", type=int, default=1 << 30, help="of what is fed, so much at most")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--least", type=float, default=20.0)
    args = parser.parse_args()
    region_program.Specialisation = Profiled  # type: ignore[misc]
    case = next(case for case in steps.CASES if case.__name__ == args.case)
    with tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=args.threads)) as session:
        fetches, feeds = case(tf)
        feeds = {x: value[: args.batch] for x, value in feeds.items()}
        session.run(tf.global_variables_initializer())
        PROGRAMS.clear()
        for _ in range(args.rounds):
            session.run(fetches, feeds)
    total, kinds, others = 0.0, defaultdict(float), 0
    print(f"{'kernel':18}{'node':48}{'us':>9}{'GFLOP/s':>9}{'GB/s':>7}  shapes")
    for program in PROGRAMS:
        buffers, code = program._builder.buffers, np.frombuffer(program._code, np.int32)
        for n, seconds in sorted(program._lib.least.items()):
            rows = [*program._builder._first, *program._builder.rows]
            row = rows[n]
            kernel, op = row.name, program._ops[row.node]
            if kernel in ("images", "grouped"):
                group = rows[n : n + int(code[row.role.group])] if kernel == "images" else []
                flops = sum(multiplications(other) for other in group)
                if group:
                    names = "+".join(MEMBERS[other.role.runs_as] for other in group)
                    count = int(code[row.role.group + 1])
                    print(f"{names} ({op.name}, {count} images){seconds * 1e6:9.0f} us {flops * 2e-9 / seconds:9.1f}")
                total += seconds
                kinds[kernel] += seconds
                continue
            total += seconds
            kinds[kernel] += seconds
            if seconds * 1e6 < args.least:
                others += 1
                continue
            used = row.buffers()
            if kernel == "elementwise":
                chain = code[row.code : row.code + 8 * row.steps].reshape(-1, 8)
                used = [int(s[2]) for s in chain if s[0] < 8] + [int(s[6]) - 1 for s in chain if s[0] >= 8 and s[6]]
            size = sum(buffers[b].nbytes for b in used)
            flops = 2 * multiplications(row) / seconds * 1e-9
            print(
                f"{kernel:18}{(op.name if op is not None else '')[-46:]:48}{seconds * 1e6:9.0f}"
                f"{f'{flops:9.1f}' if flops else ' ' * 9}{size / seconds * 1e-9:7.1f}  "
                + " ".join("x".join(map(str, buffers[b].shape)) for b in used)
            )
    print(f"{others} instructions below {args.least:.0f} us; in all {total * 1e6:.0f} us")
    print(", ".join(f"{kind} {kinds[kind] * 1e6:.0f}" for kind in sorted(kinds, key=lambda k: -kinds[k])))


if __name__ == "__main__":
    main()

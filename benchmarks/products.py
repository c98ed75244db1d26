"""Matrix products of the C backend beside those of the OpenBLAS in NumPy's wheel, in turn, in one process.

    python benchmarks/products.py [--threads N] [--rounds N] [--only TEXT]

The table shows GFLOP/s in the best round of each, and the median over the rounds of the share of OpenBLAS's speed that
the backend's kernel reaches in the same round. A form with a T has that factor transposed. Each turn begins when the
threads of the other one sleep: OpenBLAS's look for work for some 80 ms after a product, on a core that the next would need.
"""
from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time

SQUARE = [(n, n, n) for n in (128, 192, 256, 384, 512, 768, 1000, 1024, 2048)]
SKINNY = [
    (32, 64, 64), (32, 512, 512), (64, 512, 3136), (128, 512, 784), (784, 512, 128), (2048, 64, 64), (2048, 128, 512),
    (64, 2048, 512), (2048, 2048, 32),
]  # fmt: skip
CASES = [(*sizes, form) for sizes in SQUARE for form in ("NN", "NT", "TN")] + [(*sizes, "NN") for sizes in SKINNY]
SECONDS = 0.02  # of one contestant in one round, at least


def ours(a, b, c, form, threads):
    """What runs one product of the backend."""
    import numpy as np

    from ossia_backend_cffi.emitters.products import scratch_of
    from ossia_backend_cffi.loader import native
    from ossia_backend_cffi.program.builder import Builder
    from ossia_backend_cffi.program.instructions import Matmul

    module = native()
    ffi, run = module.ffi, module.lib.oc_run
    (m, n), k, ta, tb = c.shape, a.shape[0 if form[0] == "T" else 1], form[0] == "T", form[1] == "T"
    builder = Builder()
    values = [builder.external("input", i, array.dtype, array.shape) for i, array in enumerate((c, a, b))]
    builder.emit(Matmul(**dict(zip(("out", "a", "b"), values, strict=True)), m=m, n=n, k=k, ta=ta, tb=tb))
    table, scratch = builder.table(), np.empty(4 * scratch_of(m, n, k, tb) + 128, np.uint8)
    instructions = ffi.cast("oc_instr *", ffi.from_buffer(table))
    pointers = ffi.new("char *[]", [ffi.from_buffer(array) for array in (c, a, b)])
    start = ffi.cast("char *", scratch.ctypes.data + -scratch.ctypes.data % 64)
    code = ffi.new("int32_t[1]")
    kept = table, scratch, instructions, pointers, code
    return lambda kept=kept: run(instructions, 1, pointers, code, start, threads, 0)


def settle():
    """Wait until no thread of this process looks for work any more."""
    for _ in range(100):
        before = time.process_time()
        time.sleep(0.01)
        if time.process_time() - before < 0.001:
            return


def measure(threads, rounds, only):
    """Print the table for so many threads."""
    import numpy as np

    random = np.random.RandomState(0)
    print(f"{'m, n, k, form':24}{'Ossia':>9}{'OpenBLAS':>9}{'share':>8}   on {threads} thread(s)")
    for m, n, k, form in CASES:
        name = f"{m} {n} {k} {form}"
        if only not in name:
            continue
        a = random.randn(*((k, m) if form[0] == "T" else (m, k))).astype("f4")
        b = random.randn(*((n, k) if form[1] == "T" else (k, n))).astype("f4")
        c, d = np.zeros((m, n), "f4"), np.zeros((m, n), "f4")
        left, right = a.T if form[0] == "T" else a, b.T if form[1] == "T" else b
        mine = ours(a, b, c, form, threads)
        runs = [mine, lambda left=left, right=right, d=d: np.matmul(left, right, out=d)]
        if mine():
            raise RuntimeError("the kernel refused")
        runs[1]()
        np.testing.assert_allclose(c, d, atol=1e-3 * k**0.5)
        began = time.perf_counter()
        mine()
        repeats = max(1, int(SECONDS / (time.perf_counter() - began)))
        best, shares = [1e9, 1e9], []
        for _ in range(rounds):
            times = []
            for i, run in enumerate(runs):
                settle()
                least = 1e9
                for _ in range(repeats):
                    began = time.perf_counter()
                    run()
                    least = min(least, time.perf_counter() - began)
                times.append(least)
                best[i] = min(best[i], least)
            shares.append(times[1] / times[0])
        speed = [2e-9 * m * n * k / seconds for seconds in best]
        print(f"{name:24}{speed[0]:9.1f}{speed[1]:9.1f}{statistics.median(shares):8.2f}", flush=True)


def main() -> None:
    """Measure with each number of threads, in a process of its own: OpenBLAS reads its number when it is loaded."""
    parser = argparse.ArgumentParser(description="Time matrix products beside OpenBLAS.")
    parser.add_argument("--threads", type=int, default=0, help="so many alone; else 1, and all that there are")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    if args.threads and os.environ.get("OPENBLAS_NUM_THREADS") == str(args.threads):
        measure(args.threads, args.rounds, args.only)
        return
    for threads in [args.threads] if args.threads else sorted({1, len(os.sched_getaffinity(0))}):
        environment = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
        environment["OPENBLAS_NUM_THREADS"] = str(threads)
        options = ["--threads", str(threads), "--rounds", str(args.rounds), "--only", args.only]
        subprocess.run([sys.executable, __file__, *options], env=environment, check=True)


if __name__ == "__main__":
    main()

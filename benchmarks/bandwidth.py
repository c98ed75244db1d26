"""This machine's copy bandwidth, measured by a small C program beside the runs that it is compared with."""
from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

# Bytes that must be read and written, of cases on 1e7 floats.
BYTES = {"elementwise_chain": 2 * 4e7, "chain_fetched": 2 * 4e7, "adam_10m": (4 + 3) * 4e7}


def copy_bandwidth(floats: int = 10_000_000, rounds: int = 30) -> float | None:
    """Bytes per second, read and written, of copying so many floats on all cores; None without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "bandwidth.so")
        source = Path(__file__).with_suffix(".c")
        subprocess.run([compiler, "-O3", "-shared", "-fPIC", "-pthread", str(source), "-o", library], check=True)
        probe = ctypes.CDLL(library).copy_bandwidth
    probe.restype = ctypes.c_double
    probe.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int, ctypes.c_int]
    source_array, target = np.ones(floats, np.float32), np.zeros(floats, np.float32)
    threads = len(os.sched_getaffinity(0))
    return probe(target.ctypes.data, source_array.ctypes.data, source_array.nbytes, threads, rounds)


if __name__ == "__main__":
    print(f"{(copy_bandwidth() or 0) / 1e9:.1f} GB/s")

"""Milliseconds of `Interpreter.invoke`, interleaved with LiteRT, for models given as files; and what a call costs by itself.

    python benchmarks/lite.py --reference PYTHON --threads 1 --rounds 3 model.tflite ...

`--reference` is a Python with `ai-edge-litert`. Prints a table: model, Ossia, LiteRT, how many times as fast Ossia is.
Processor time of one thread is taken, the least of all rounds, so that other programs disturb it little; with more
threads it is time on the clock.
"""

import argparse
import os
import subprocess
import sys

PROGRAM = """
import sys, time
import numpy as np
kind, path, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
if kind == "ossia":
    from ossia_lite.interpreter import Interpreter
else:
    from ai_edge_litert.interpreter import Interpreter
interpreter = Interpreter(model_path=path, num_threads=threads)
interpreter.allocate_tensors()
for detail in interpreter.get_input_details():
    random = np.random.RandomState(0)
    shape, dtype = detail["shape"], np.dtype(detail["dtype"])
    value = random.rand(*shape) if dtype.kind == "f" else random.randint(0, 100, shape)
    interpreter.set_tensor(detail["index"], value.astype(dtype))
clock = time.process_time if threads == 1 else time.perf_counter
for _ in range(3):
    interpreter.invoke()
times, end = [], time.perf_counter() + 1.5
while len(times) < 5 or time.perf_counter() < end:
    start = clock()
    interpreter.invoke()
    times.append(clock() - start)
print(min(times) * 1e3)
"""


def milliseconds(python: str, kind: str, path: str, threads: int) -> float:
    """The least time of a run of a model, in a process of its own."""
    environment = dict(os.environ, OPENBLAS_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads))
    done = subprocess.run(
        [python, "-c", PROGRAM, kind, path, str(threads)], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{kind} cannot run {path}:\n{done.stderr}")
    return float(done.stdout.split()[-1])


def main() -> None:
    """Reads the command line and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--reference", help="a Python with ai-edge-litert")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print("| model | Ossia | LiteRT | times as fast |\n|---|---|---|---|")
    for path in options.models:
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours.append(milliseconds(sys.executable, "ossia", path, options.threads))
            if options.reference:
                theirs.append(milliseconds(options.reference, "litert", path, options.threads))
        cells = [f"{min(theirs):.3g}", f"{min(theirs) / min(ours):.2f}"] if theirs else ["", ""]
        print(f"| {os.path.basename(path)} | {min(ours):.3g} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

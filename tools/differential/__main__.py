"""Runs random calls and programs on TensorFlow 1.15 and on Ossia, and prints where they differ.

`OSSIA_TF115_PYTHON=/path/to/python python tools/differential programs --seed 7 --count 200`; docs/testing.md says more.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def generate(
    kind: str, rng: random.Random, count: int, names: list[str], folder: Path, awkward: bool = False
) -> list[dict]:
    """Random cases of a kind."""
    if kind == "programs":
        import programs

        return programs.cases(rng, count)
    if kind == "raw":
        import raw_ops

        return raw_ops.cases(rng, count, names, facts(folder), awkward)
    if kind == "hostile":
        import hostile

        return hostile.cases(rng, count, names, facts(folder))
    if kind == "gradients":
        import gradients

        return gradients.cases(rng, count, names, facts(folder))
    import functions

    return functions.cases(rng, count, names, varied=kind == "arguments")


def facts(folder: Path) -> dict:
    """What the original says of its ops, asked once: dtypes of kernels and names of parameters."""
    path = folder / "facts.json"
    if not path.exists():
        subprocess.run(
            [os.environ["OSSIA_TF115_PYTHON"], "-W", "ignore", str(HERE / "facts.py"), str(path)], check=True
        )
    return json.loads(path.read_text())


def run_both(path: Path, fresh: bool) -> list[list[dict]]:
    """The records of both sides; those of the original are kept, unless `fresh`."""
    sides = (("tensorflow", os.environ["OSSIA_TF115_PYTHON"]), ("ossia", sys.executable))
    running, targets = [], []
    for module, python in sides:
        target = path.with_suffix(f".{module}.jsonl")
        targets.append(target)
        if module == "ossia" or fresh or not target.exists():
            command = [python, "-W", "ignore", str(HERE / "worker.py"), module, str(path), str(target)]
            running.append(subprocess.Popen(command))
    if sum(process.wait() for process in running):
        raise SystemExit("a side could not run")
    return [[json.loads(line) for line in target.open()] for target in targets]


def main() -> int:
    """The command line; the exit status says whether anything differs."""
    parser = argparse.ArgumentParser(prog="tools/differential", description=__doc__)
    parser.add_argument("kind", choices=["raw", "hostile", "functions", "arguments", "programs", "gradients"])
    parser.add_argument("names", nargs="*", help="ops or families, instead of all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5, help="cases of each op or family; programs in all")
    parser.add_argument("--awkward", action="store_true", help="raw: NaN, infinities and extreme integers in all data")
    parser.add_argument("--each", type=int, default=1, help="differences printed of each group")
    parser.add_argument("--width", type=int, default=60, help="characters of an array that are printed")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/differential"), help="where cases and records lie")
    parser.add_argument("--again", action="store_true", help="take the cases, and what the original did, from before")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    path = args.folder / f"{args.kind}-{args.seed}.json"
    if not args.again:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = generate(args.kind, random.Random(args.seed), args.count, args.names, args.folder, args.awkward)
        path.write_text(json.dumps(found))
    cases = json.loads(path.read_text())
    expected, got = run_both(path, fresh=not args.again)
    import report

    return 1 if report.show(cases, expected, got, args.each, args.width) else 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs a benchmark in several Python interpreters by turns, so that what else the machine does falls on all of them.

A program calls `main(measure, names)`. Called without `--worker` it starts itself in each interpreter, round after round; a worker
prints `{name: seconds}` as JSON. The table shows the smallest value of the rounds, and how many times faster Ossia is. Runs on Python 3.7.
"""

import argparse
import json
import os
import subprocess
import sys


def interpreters(args, backends):
    """(label, interpreter) of what is compared: Ossia first, then on single backends of its own."""
    found = [("ossia", sys.executable)]
    found += [("ossia " + name, sys.executable) for name in backends]
    found += [(label, path) for label, path in (("TF 1.15", args.tf115), ("TF 2.21", args.tf221)) if path]
    extra = [path for path in os.environ.get("OSSIA_ORACLES", "").split(os.pathsep) if path] if len(found) == 1 + len(backends) else []
    return found + [(path, path) for path in extra]


def module(label):
    """What is imported as tf: Ossia, or the graph API of the TensorFlow that is installed."""
    if label == "ossia":
        import ossia

        return ossia
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow.compat.v1 as tf

    tf.disable_eager_execution()
    return tf


def environment():
    """The variables for a fresh interpreter: no GPU, and byte code kept, as any installation has it."""
    return {**{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}, "CUDA_VISIBLE_DEVICES": ""}


def main(measure, unit="us", rounds=3, bounds=None, backends=()):
    """Run the benchmark.

    measure: `f(label) -> {name: seconds}`, called in each interpreter.
    unit: "us", "ms" or "s", for the table.
    rounds: how often each interpreter has its turn.
    bounds: name -> seconds that Ossia must not exceed; the exit status says whether it does.
    backends: backends that Ossia is to run on alone, beside Ossia as it is installed.
    """
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--tf115", metavar="PYTHON", help="an interpreter with TensorFlow 1.15")
    parser.add_argument("--tf221", metavar="PYTHON", help="an interpreter with TensorFlow 2.21")
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--check", action="store_true", help="fail if Ossia is slower than it promises to be")
    parser.add_argument("--json", metavar="FILE", help="write all values to a file")
    parser.add_argument("--worker", metavar="LABEL", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        print("\n" + json.dumps(measure(args.worker)))
        return
    results = {}
    for _ in range(args.rounds):
        for label, python in interpreters(args, backends):
            kind = "ossia" if label.startswith("ossia") else "tensorflow"
            command = [python, "-W", "ignore", sys.argv[0], "--worker", kind]
            own = {"OSSIA_BACKEND": label.split()[1]} if label.startswith("ossia ") else {}
            output = subprocess.run(command, capture_output=True, text=True, env=dict(environment(), **own))
            if output.returncode:
                sys.exit(label + ": " + output.stderr[-2000:])
            for name, value in json.loads(output.stdout.strip().splitlines()[-1]).items():
                results.setdefault(name, {}).setdefault(label, []).append(value)
    if args.json:
        with open(args.json, "w") as file:
            json.dump(results, file, indent=1)
    exceeded = show(results, unit, bounds or {})
    sys.exit(exceeded if args.check else 0)


def show(results, unit, bounds):
    """Print the table; the number of bounds that are exceeded."""
    scale = {"us": 1e6, "ms": 1e3, "s": 1.0}[unit]
    labels = list(next(iter(results.values())))
    print("%-34s" % unit + "".join("%12s" % label[-11:] for label in labels) + "   (times Ossia)" * (len(labels) > 1))
    exceeded = 0
    for name, values in results.items():
        best = {label: min(values[label]) for label in labels if label in values}
        row = "%-34s" % name + "".join(
            "%12.2f" % (best[label] * scale) if label in best else "%12s" % "-" for label in labels
        )
        if len(labels) > 1:
            row += "   " + " ".join("%6.1fx" % (best[label] / best["ossia"]) for label in labels[1:] if label in best)
        if name in bounds:
            slow = best["ossia"] > bounds[name]
            exceeded += slow
            row += "   <= {:g}{}".format(bounds[name] * scale, "  EXCEEDED" if slow else "")
        print(row)
    return exceeded

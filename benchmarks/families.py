"""Times of the op families at three sizes: Ossia on its NumPy and its C backend beside TensorFlow 1.15, by turns.

    python benchmarks/families.py [--only TEXT] [--rounds N] [--markdown FILE] INTERPRETER_WITH_TENSORFLOW

Each contestant is a process of its own that stays alive; in each round every one measures once. The table shows medians over the rounds and
how many times slower than TensorFlow Ossia is; what is more than three times slower is marked. The cases are in
`family_arrays`, `family_networks`, `family_records`, `family_numerics` and `family_more`. Runs on Python 3.7.
"""
from __future__ import annotations

import argparse
import collections
import importlib
import json
import os
import statistics
import subprocess
import sys
import time
import traceback

import family_registry
from family_reasons import REASONS

for _cases in ("family_arrays", "family_networks", "family_records", "family_numerics", "family_more"):
    importlib.import_module(_cases)  # which registers its families

SLOW = 3.0
LEAST = 0.015  # seconds that a measurement takes at least
BATCH = 5e-4  # seconds that the runs take that are timed together
CONTESTANTS = ("numpy", "cffi", "tensorflow")


class Worker:
    """Builds and times cases; lives in a contestant's process."""

    def __init__(self, tf, clock, build):
        self.tf, self.clock, self.build = tf, clock, build
        self.key = self.session = self.fetches = None

    def cases(self, family, size):
        """The names of a family's cases."""
        self.open(family, size)
        return list(self.fetches)

    def open(self, family, size):
        """Make the graph of a family at a size, unless it is there."""
        if self.key == (family, size):
            return
        if self.session is not None:
            self.session.close()
        self.key = (family, size)
        graph = self.tf.Graph()
        with graph.as_default():
            self.tf.set_random_seed(1)
            self.fetches = collections.OrderedDict(self.build(self.tf, family, size))
            self.session = self.tf.Session(graph=graph)
            self.session.run([
                self.tf.global_variables_initializer(), self.tf.local_variables_initializer(), self.tf.tables_initializer()
            ])

    def time(self, family, size, name):
        """Seconds that a run of a case takes."""
        self.open(family, size)
        fetch, run, clock = self.fetches[name], self.session.run, self.clock
        run(fetch)
        began = clock()
        run(fetch)
        count = int(min(1000, max(1, BATCH / max(clock() - began, 1e-7))))
        least, until = float("inf"), clock() + LEAST
        while True:
            began = clock()
            for _ in range(count):
                run(fetch)
            ended = clock()
            least = min(least, (ended - began) / count)
            if ended > until:
                return least


def contestant(kind, cpu, build):
    """Answer questions on standard input, a line of JSON each; `build(tf, family, size)` gives the cases."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if kind == "tensorflow":
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
        import tensorflow.compat.v1 as tf

        tf.disable_eager_execution()
        tf.logging.set_verbosity(tf.logging.ERROR)
    else:
        os.environ["OSSIA_BACKEND"] = kind
        import ossia as tf
    worker = Worker(tf, time.process_time if cpu else time.perf_counter, build)
    for line in sys.stdin:
        method, args = json.loads(line)
        try:
            answer = getattr(worker, method)(*args)
        except Exception:
            answer = {"error": traceback.format_exc(limit=-3)}
        print(json.dumps(answer), file=out, flush=True)


class Process:
    """A contestant, seen from outside."""

    def __init__(self, python, kind, cpu):
        # A thread that waits for another one would count as work.
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1") if cpu else None
        command = [python, "-W", "ignore", sys.argv[0], "--contestant", kind] + ["--cpu"] * cpu
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True,
            env=environment,
        )  # fmt: skip

    def ask(self, method, *args):
        """What the contestant answers."""
        self.process.stdin.write(json.dumps([method, args]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "the process ended"}


def measured(processes, families, only, sizes, rounds):
    """(family, case, size, {contestant: median seconds}) of each case."""
    for family in families:
        for size in sizes:
            names = processes["numpy"].ask("cases", family, size)
            if isinstance(names, dict):
                sys.exit("%s: %s" % (family, names["error"]))
            for name in names:
                if only not in family + "/" + name:
                    continue
                times = {kind: [] for kind in processes}
                for _ in range(rounds):
                    for kind, process in processes.items():
                        seconds = process.ask("time", family, size, name)
                        if isinstance(seconds, dict):
                            print("%s/%s on %s: %s" % (family, name, kind, seconds["error"]), file=sys.stderr)
                        else:
                            times[kind].append(seconds)
                yield family, name, size, {kind: statistics.median(found) for kind, found in times.items() if found}


def ratio(times, kind):
    """How many times slower than TensorFlow; None if one of them has no time."""
    return times[kind] / times["tensorflow"] if kind in times and "tensorflow" in times else None


def line(family, name, size, times):
    """A line of the table on the terminal."""
    cells = ["%12.1f" % (times[kind] * 1e6) if kind in times else "%12s" % "-" for kind in CONTESTANTS]
    ratios = [ratio(times, kind) for kind in CONTESTANTS[:2]]
    cells += ["%8.2f" % each if each is not None else "%8s" % "-" for each in ratios]
    slow = "  SLOW" if any(each is not None and each > SLOW for each in ratios) else ""
    return "%-52s %d" % (family + "/" + name, size) + "".join(cells) + slow


def markdown(results):
    """The tables of `docs/performance_families.md`: what is slower than three times, with its reason; then everything."""
    rows, slow, reasons = collections.OrderedDict(), [], REASONS
    for family, name, size, times in results:
        rows.setdefault((family, name), [None] * 3)[size] = times
    for (family, name), sizes in rows.items():
        worst = [max((ratio(times, kind) or 0 for times in sizes if times), default=0) for kind in CONTESTANTS[:2]]
        if max(worst) > SLOW:
            reason = reasons.get(family + "/" + name) or reasons.get(family) or "not looked into"
            slow.append("| %s / %s | %.1f | %.1f | %s |" % (family, name, worst[0], worst[1], reason))
    text = ["## More than three times slower", "", "The largest ratio of the three sizes to TensorFlow 1.15.5.", ""]
    text += ["| case | NumPy | C | reason |", "|---|---|---|---|"] + slow
    text += ["", "## Everything", ""]
    text += ["Ratios to TensorFlow 1.15.5 at the small, medium and large size (below 1 Ossia is faster), and TensorFlow's own microseconds.", ""]
    text += ["| case | NumPy backend | C backend | TensorFlow, us |", "|---|---|---|---|"]
    for (family, name), sizes in rows.items():
        cells = [" · ".join(_cell(ratio(times, kind) if times else None) for times in sizes) for kind in CONTESTANTS[:2]]
        cells.append(" · ".join("%.0f" % (times["tensorflow"] * 1e6) if times and "tensorflow" in times else "-" for times in sizes))
        text.append("| %s / %s | %s |" % (family, name, " | ".join(cells)))
    return "\n".join(text) + "\n"


def _cell(value):
    if value is None:
        return "-"
    shown = "%.2f" % value if value < 10 else "%.0f" % value
    return "**%s**" % shown if value > SLOW else shown


def main():
    """Run the contestants and print the table."""
    parser = argparse.ArgumentParser(description="Time the op families beside TensorFlow 1.15.")
    parser.add_argument("oracle", nargs="?", default=os.environ.get("OSSIA_ORACLES", "").split(",")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose family/name has this in it")
    parser.add_argument("--sizes", default="012", help="which of the three sizes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cpu", action="store_true", help="count the time of all threads, for a machine that others use")
    parser.add_argument("--slow", action="store_true", help="print only what is more than three times slower")
    parser.add_argument("--json", metavar="FILE", help="write all medians to a file")
    parser.add_argument("--from-json", metavar="FILE", help="measure nothing: take the medians from files", nargs="+")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables of the documentation between its markers")
    parser.add_argument("--contestant", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.contestant:
        contestant(args.contestant, args.cpu, family_registry.build)
        return
    if args.from_json:
        merged = collections.OrderedDict()
        for path in args.from_json:
            with open(path) as file:
                merged.update(((family, name, size), times) for family, name, size, times in json.load(file))
        results = [(*key, times) for key, times in merged.items()]
    else:
        processes = {kind: Process(sys.executable, kind, args.cpu) for kind in CONTESTANTS[:2]}
        if args.oracle:
            processes["tensorflow"] = Process(args.oracle, "tensorflow", args.cpu)
        print("%-54s" % "microseconds per run" + "".join("%12s" % kind for kind in CONTESTANTS) + "   numpy/tf c/tf")
        results = []
        families = [family for family in family_registry.FAMILIES if args.only.split("/")[0] in family or "/" not in args.only]
        for result in measured(processes, families, args.only, [int(size) for size in args.sizes], args.rounds):
            results.append(result)
            text = line(*result)
            if not args.slow or text.endswith("SLOW"):
                print(text, flush=True)
        for process in processes.values():
            process.process.stdin.close()
            process.process.wait()
    if args.json:
        with open(args.json, "w") as file:
            json.dump(results, file, indent=0)
    if args.markdown:
        with open(args.markdown) as file:
            head = file.read().split("## More than three times slower")[0]
        with open(args.markdown, "w") as file:
            file.write(head + markdown(results))


if __name__ == "__main__":
    main()

"""Times single ops and small programs: Ossia beside whichever peers are given, by turns, medians over the rounds.

    python benchmarks/table.py [--only TEXT] [--rounds N] [--threads N] [LABEL=INTERPRETER ...]

Each contestant is a process of its own that stays alive; in each round every one measures once. The last column is the time of the
fastest peer over Ossia's: below 1 Ossia is slower, which is marked. The rows are in `table_rows.py`.
"""
from __future__ import annotations

import argparse
import functools
import json
import os
import statistics
import sys

import families
import table_rows

DISTURBED = 1.5  # a cell whose slowest round is this much above its fastest is marked


class Peer(families.Process):
    """A contestant with a number of threads."""

    def __init__(self, label, python, threads, cpu):
        os.environ.update(OSSIA_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads),
                          TF_NUM_INTRAOP_THREADS=str(threads), TF_NUM_INTEROP_THREADS=str(threads))
        self.label = label
        super().__init__(python, "cffi" if label == "ossia" else "tensorflow", cpu)


def measured(peers, groups, only, rounds):
    """(name, {label: [seconds]}) of each row."""
    for group in groups:
        names = peers[0].ask("cases", group, 0)
        for name in names:
            if only not in group + "/" + name:
                continue
            times = {}
            for _ in range(rounds):
                for peer in peers:
                    seconds = peer.ask("time", group, 0, name)
                    if isinstance(seconds, dict):
                        print("%s on %s: %s" % (name, peer.label, seconds["error"]), file=sys.stderr)
                    else:
                        times.setdefault(peer.label, []).append(seconds)
            yield name, times


def line(name, times, labels):
    """A line of the table."""
    cells, medians = "", {label: statistics.median(found) for label, found in times.items()}
    for label in labels:
        shown = "%.0f" % (medians[label] * 1e6) if label in medians else "-"
        disturbed = label in times and max(times[label]) > DISTURBED * min(times[label])
        cells += "%12s" % (shown + ("~" if disturbed else ""))
    best = min((seconds for label, seconds in medians.items() if label != "ossia"), default=None)
    ratio = best / medians["ossia"] if best and "ossia" in medians else None
    return "%-48s" % name + cells + ("%8.2f%s" % (ratio, "  SLOWER" if ratio < 1 else "") if ratio else "")


def main(rows=table_rows.ROWS, about=__doc__):
    """Run the contestants and print the table of some rows: functions by group, `f(tf)` yields (case, fetch)."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("peers", nargs="*", metavar="LABEL=INTERPRETER")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose group/name has this in it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cpu", action="store_true", help="count the time of all threads, for a machine that others use")
    parser.add_argument("--json", metavar="FILE", help="write all times to a file")
    parser.add_argument("--contestant", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.contestant:
        families.contestant(args.contestant, args.cpu, functools.partial(table_rows.build, rows))
        return
    pairs = [("ossia", sys.executable)] + [tuple(each.split("=", 1)) for each in args.peers]
    peers = [Peer(label, python, args.threads, args.cpu) for label, python in pairs]
    labels = [peer.label for peer in peers]
    print("%-48s" % "microseconds" + "".join("%12s" % label for label in labels) + "  peer/ossia")
    results = {}
    for name, times in measured(peers, rows, args.only, args.rounds):
        results[name] = times
        print(line(name, times, labels), flush=True)
    for peer in peers:
        peer.process.stdin.close()
        peer.process.wait()
    if args.json:
        with open(args.json, "w") as file:
            json.dump(results, file, indent=0)


if __name__ == "__main__":
    main()

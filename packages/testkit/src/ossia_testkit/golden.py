"""Golden cases on Ossia: pytest tests and a command that compare with what TensorFlow 1.15 recorded.

A case file is Python that runs unmodified on both: functions `case_<name>(tf)` build a graph and return fetches (see
`golden_case.Case`). `tools/record_golden.py` records it with TensorFlow; in a test module

    test_golden = golden_tests(__file__, "math_cases.py")

makes a test of every case, and `python -m ossia_testkit.golden compare FILE_cases.py -k NAME` compares by hand.
"""
from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from ossia_testkit import comparison, recording

ORACLE = os.environ.get("OSSIA_TF115_PYTHON", "/opt/tf115/bin/python")
RECORDER = Path(__file__).resolve().parents[4] / "tools" / "record_golden.py"


def golden_tests(test_file: str, case_file: str, module: str = "ossia", skip: dict[str, str] | None = None):
    """A pytest function that runs every case of a case file and compares it with its golden record.

    test_file: `__file__` of the test module. case_file: path relative to it, or to `golden/` beside it.
    module: what to import as `tf`. skip: case name -> reason, for cases that are not to hold.
    Returns: the test function, one parameter a case.
    """
    folder = Path(test_file).parent
    path = next((p for p in (folder / case_file, folder / "golden" / case_file) if p.exists()), folder / case_file)
    cases, seed = recording.load_cases(str(path))
    golden = recording.load_golden(recording.golden_path(str(path)))
    marks = {name: pytest.mark.skip(reason=reason) for name, reason in (skip or {}).items()}

    @pytest.mark.parametrize("case", [pytest.param(name, marks=marks.get(name, ())) for name in cases])
    def test_golden(case):
        assert case in golden, f"{case} is not recorded: run tools/record_golden.py {path.name}"
        found = comparison.differences(golden[case], record(module, cases[case], seed))
        if found:
            pytest.fail(f"{path.name}: {case}\n" + "\n".join(found), pytrace=False)

    return test_golden


def record(module: str, function, seed: int | None) -> dict:
    """The record of one case under `module`."""
    return recording.record_case(importlib.import_module(module), function, seed)


def ask_oracle(path: Path, pattern: str = "") -> None:
    """Record a case file with TensorFlow 1.15, where that is at hand."""
    if not Path(ORACLE).exists() or not RECORDER.exists():
        sys.exit(f"{path} is not recorded, and there is no TensorFlow 1.15 at {ORACLE} (OSSIA_TF115_PYTHON)")
    command = [ORACLE, "-W", "ignore", str(RECORDER), str(path)] + (["-k", pattern] if pattern else [])
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(result.stdout + result.stderr[-2000:])


def compare(path: Path, pattern: str, what: list[str], module: str, fresh: bool, traceback: bool) -> int:
    """Compare the cases of a file, print what differs; the number of cases that do."""
    cases, seed = recording.load_cases(str(path))
    target = Path(recording.golden_path(str(path)))
    golden = recording.load_golden(str(target))
    stale = fresh or not target.exists() or target.stat().st_mtime < path.stat().st_mtime
    if stale or not set(cases) <= set(golden):
        ask_oracle(path)
        golden = recording.load_golden(str(target))
    failed = 0
    names = [name for name in cases if pattern in name]
    for name in names:
        try:
            got = record(module, cases[name], seed)
            found = comparison.differences(golden[name], got, what)
        except Exception as error:
            got = {"error": recording.error_record(error, "the harness")}
            found = [f"{type(error).__name__}: {error}"]
        failed += bool(found)
        if found:
            print(f"FAIL {name}\n  " + "\n".join(found).replace("\n", "\n  "))
            if traceback and got.get("error"):
                print("  " + got["error"]["trace"].replace("\n", "\n  "))
    print(f"{path.name}: {len(names) - failed} of {len(names)} cases agree")
    return failed


def main(arguments: list[str] | None = None) -> int:
    """The command line; the exit status says whether everything agrees."""
    parser = argparse.ArgumentParser(prog="python -m ossia_testkit.golden", description="Compare golden cases.")
    parser.add_argument("command", choices=["compare", "show"])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("-k", default="", metavar="TEXT", help="only cases whose name holds TEXT")
    parser.add_argument("--what", default=",".join(comparison.ASPECTS), help="graph,shapes,facts,values,collections")
    parser.add_argument("--module", default="ossia", help="what to import as tf")
    parser.add_argument("--fresh", action="store_true", help="record with TensorFlow 1.15 first")
    parser.add_argument("--backend", help="the backend that is to run the ops")
    parser.add_argument("--traceback", action="store_true", help="show where an unexpected error comes from")
    args = parser.parse_args(arguments)
    if args.backend:
        os.environ["OSSIA_BACKEND"] = args.backend
    recording.TRACEBACKS = args.traceback
    warnings.simplefilter("ignore")
    if args.command == "show":
        for path in args.files:
            show(path, args.k)
        return 0
    what = args.what.split(",")
    return 1 if sum(compare(p, args.k, what, args.module, args.fresh, args.traceback) for p in args.files) else 0


def show(path: Path, pattern: str) -> None:
    """Print the golden records of a case file."""
    golden = recording.load_golden(recording.golden_path(str(path)))
    for name, entry in golden.items():
        if pattern in name:
            print(name)
            for node in entry.get("graph", {}).get("nodes", []):
                print("   ", comparison.node_text(node))
            for key in ("fetches", "facts", "collections", "error"):
                if entry.get(key):
                    print(f"  {key}: {entry[key]}")
            for index, values in enumerate(entry.get("runs", [])):
                for key, value in values.items():
                    text = str(comparison.decode(value).tolist())
                    print(f"  run {index} {key}: {text[:300]}")


if __name__ == "__main__":
    sys.exit(main())

"""Golden records of ops: what TensorFlow 1.15 makes of the samples that stand with Ossia's ops.

`python -m ossia_testkit.op_golden record ossia_ops packages/ops` runs the samples of a package's ops with TensorFlow
and writes `tests/golden/ops_golden.json.xz` there. `op_golden_tests(__file__, "ossia_ops")` makes the tests that
compare: values, static shapes with known, partly known and unknown input shapes, state, and the gradient, node by node.
"""
from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ossia_testkit import comparison, op_samples, op_transport, recording
from ossia_testkit.golden import ORACLE

RECORDER = Path(__file__).resolve().parents[4] / "tools" / "record_ops.py"
FILE = "ops_golden.json.xz"


def cases(*packages: str) -> dict[str, tuple]:
    """`"Type-reason-flavour"` -> (definition, sample, flavour) of all samples."""
    return {f"{name}-{flavour}": (*found, flavour) for name, found in op_samples.package_samples(*packages).items()
            for flavour in (op_samples.FLAVOURS if op_samples.is_fed(*found) else ("known",))}


def op_golden_tests(test_file: str, *packages: str):
    """A pytest function that compares every sample of the packages' ops with its golden record."""
    folder = Path(test_file).parent / "golden"
    golden = recording.load_golden(str(folder / FILE))
    known = beyond(folder)
    table = cases(*packages)

    @pytest.mark.parametrize("name", sorted(name for name in table if not name.startswith(known)))
    def test_op_golden(name):
        found = compare(*table[name], golden.get(name))
        if found:
            pytest.fail(f"{name}\n" + "\n".join(found), pytrace=False)

    return test_op_golden


def beyond(folder: Path) -> tuple[str, ...]:
    """Beginnings of the names of samples that are not compared: where the original fails or is wrong.

    They stand in `ops_beyond.txt` beside the record, one a line, each with its reason after `#`.
    """
    path = folder / "ops_beyond.txt"
    lines = path.read_text().splitlines() if path.exists() else []
    return tuple(line.split("#")[0].strip() for line in lines if line.split("#")[0].strip())


def compare(definition, sample, flavour, expected) -> list[str]:
    """What differs between Ossia and the record of one sample."""
    import ossia as tf

    if expected is None:
        return ["not recorded: python -m ossia_testkit.op_golden record"]
    if "refused" in expected:
        return []
    sent = op_samples.transport(definition, sample, flavour)
    if expected["digest"] != op_samples.digest(sent):
        return ["the sample has changed since it was recorded: python -m ossia_testkit.op_golden record"]
    with op_transport.workplace(sent.get("files")):
        got = json.loads(json.dumps(recording.record_case(tf, op_transport.transport_case(sent), seed=1234)))
    return comparison.differences(expected, got)


def record(packages: list[str], folder: Path, pattern: str) -> int:
    """Send the samples to TensorFlow 1.15 and keep what comes back; the number of samples that could not be sent."""
    target = folder / "tests" / "golden" / FILE
    sent, unsent = {}, 0
    for name, found in cases(*packages).items():
        if pattern in name:
            try:
                sent[name] = op_samples.transport(*found)
            except Exception as error:
                unsent += 1
                print(f"  {name}: {type(error).__name__}: {str(error)[:150]}")
    with tempfile.TemporaryDirectory() as scratch:
        there, back = os.path.join(scratch, "samples.json"), os.path.join(scratch, "records.json")
        Path(there).write_text(json.dumps(sent))
        subprocess.run([ORACLE, "-W", "ignore", str(RECORDER), there, back], check=True,
                       env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
        records = json.loads(Path(back).read_text())
    known = recording.load_golden(str(target)) if pattern else {}
    for name, entry in records["cases"].items():
        entry["digest"] = op_samples.digest(sent[name])
        if "refused" in entry:
            print(f"  {name}: {entry['refused']}")
    target.parent.mkdir(parents=True, exist_ok=True)
    recording.save_golden(str(target), {**known, **records["cases"]}, records["tensorflow"])
    print(f"{target}: {len(records['cases'])} samples recorded, {unsent} not sent, {target.stat().st_size} bytes")
    return unsent


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m ossia_testkit.op_golden", description="Golden records of ops.")
    parser.add_argument("command", choices=["record", "compare"])
    parser.add_argument("packages", nargs="+", help="import packages, then the folder of the distribution")
    parser.add_argument("-k", default="", metavar="TEXT", help="only samples whose name holds TEXT")
    args = parser.parse_args(arguments)
    packages, folder = args.packages[:-1], Path(args.packages[-1])
    if not packages or any(importlib.util.find_spec(name) is None for name in packages):
        parser.error("give import packages, then the folder of the distribution: ossia_ops packages/ops")
    if args.command == "record":
        return 1 if record(packages, folder, args.k) else 0
    golden = recording.load_golden(str(folder / "tests" / "golden" / FILE))
    failed = 0
    known = beyond(folder / "tests" / "golden")
    table = {name: found for name, found in cases(*packages).items() if args.k in name and not name.startswith(known)}
    for name, found in table.items():
        try:
            definition, sample, flavour = found
            differences = compare(definition, sample, flavour, golden.get(name))
        except Exception as error:
            differences = [f"{type(error).__name__}: {error}"]
        if differences:
            failed += 1
            print(f"FAIL {name}\n  " + "\n".join(differences).replace("\n", "\n  "))
    print(f"{len(table) - failed} of {len(table)} samples agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

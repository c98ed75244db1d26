"""The suites find what is wrong: every sample distribution passes, and none of its broken twins does."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

BROKEN = Path(__file__).parent / "broken"
_spec = importlib.util.spec_from_file_location("faults", BROKEN / "faults.py")
faults = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(faults)
MORE = {"backend": ["--ossia-op=Maximum,LeakyRelu,Sum,Softmax"]}  # the ops that the sample has


def run_suite(kind, *more):
    """The output of the suite of a kind over the twins of its sample, and what failed: `(check, twin)`."""
    names = ["healthy", *faults.TWINS[kind].faults]
    command = [sys.executable, "-m", "pytest", "-p", "seeding", "-p", "no:cacheprovider", "-q", "--tb=no", "-rfE",
               f"--ossia-{kind}={','.join(names)}", *MORE.get(kind, []), "--pyargs", "ossia_testkit", *more]
    path = os.pathsep.join([str(BROKEN), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "OSSIA_TWINS": kind}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    found = re.findall(r"^(?:FAILED|ERROR) .*::(test_\w+)\[([\w-]+)", done.stdout, re.M)
    failed = {(check, name) for check, rest in found for name in names if name in rest.split("-")}
    return done.stdout + done.stderr, failed


@pytest.mark.parametrize("kind", faults.TWINS)
def test_every_fault_is_found(kind):
    output, failed = run_suite(kind)
    assert not [check for check, name in failed if name == "healthy"]
    missed = {name: [check for check, other in failed if other == name]
              for name, (check, _) in faults.TWINS[kind].faults.items() if (check, name) not in failed}
    assert not missed, f"{missed} (found otherwise, or not at all)\n{output[-2000:]}"
    (passed,) = re.findall(rf"^{kind} +(?:healthy|1 others) +(\d+) +0 +0$", output, re.M)
    assert int(passed)

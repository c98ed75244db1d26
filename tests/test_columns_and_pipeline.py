"""An estimator on feature columns, fed by a pipeline: packages that are written apart make one program."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def test_program(tmp_path):
    program = GOLDEN / "columns_and_pipeline.py"
    command = Path(sys.executable).with_name("ossia")
    done = subprocess.run([command, "run", program], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    evaluated, predicted, names = json.loads(done.stdout.splitlines()[-1])
    expected = json.loads((GOLDEN / "columns_and_pipeline.json").read_text())
    assert names == expected[2]
    assert evaluated == pytest.approx(expected[0], abs=2e-3)
    assert predicted == pytest.approx(expected[1], abs=5e-3)
